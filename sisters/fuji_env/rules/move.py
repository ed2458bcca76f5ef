"""Moving the figures (MOVE)."""

from fuji_env.rules.base.actions import BARS, FIGURE
from fuji_env.rules.base.chance import draw_equipment
from fuji_env.rules.base.frames import after, pop, push, top
from fuji_env.rules.base.names import Gear, Reason
from fuji_env.rules.base.phases import Phase
from fuji_env.rules.base.state import BONUS_OF_A_POLE, Figure, State
from fuji_env.rules.base.tables import Tables
from fuji_env.rules.cond import card_at, higher_neighbour, value_of
from fuji_env.rules.end import check_villages
from fuji_env.rules.lava import erupt
from fuji_env.rules.map import NO_WALK, Walk, layout_of, tokens_on_walk, walk_of
from fuji_env.rules.skill import gatherer
from fuji_env.rules.stamina import tire
from fujikoro_env.kernel.jit import Words, rule
from fujikoro_env.kernel.masks import allow, bit, has


@rule
def go_moving(s: State) -> None:
    """The figures move one after the other; the lead player names who is next (MOVE-1)."""
    if s.acted == bit(s.settings.figures) - 1:
        pop(s)
    else:
        push(s, Phase.NEXT, s.lead)


@rule
def legal_next(s: State, mask: Words) -> None:
    """Name a figure that has not moved yet."""
    for k in range(s.settings.figures):
        if not has(s.acted, after(s.lead, k, s.settings.figures)):
            allow(mask, FIGURE + k)


@rule
def do_next(s: State, action: int) -> None:
    """It is a figure's turn to move."""
    figure = after(s.lead, action - FIGURE, s.settings.figures)
    pop(s)
    s.acted |= bit(figure)
    push(s, Phase.TURN, figure)


@rule
def go_turn(s: State, t: Tables) -> None:
    """Offer power bars, then decide the move (SKILL-7)."""
    frame, spender = top(s), gatherer(s)
    if frame.stage == 0 and spender >= 0:
        frame.stage = 1
        push(s, Phase.BARS, spender).what = frame.figure
        return
    figure, bars = frame.figure, frame.left
    pop(s)
    decide(s, t, figure, bars)


@rule
def legal_bars(s: State, mask: Words) -> None:
    """Spend any of the bars (SKILL-5)."""
    for number in range(s.figures[top(s).figure].bars + 1):
        allow(mask, BARS + number)


@rule
def do_bars(s: State, action: int) -> None:
    """Spend power bars on the value of the figure that moves."""
    s.figures[top(s).figure].bars -= action - BARS
    pop(s)
    top(s).left = action - BARS


@rule
def decide(s: State, t: Tables, figure: int, bars: int) -> None:
    """Compare values on the marked card: the figure moves if its value is higher than each neighbour's; a tie fails. A
    planned stay is decided in the same way (MOVE-2, MOVE-3). Then it pays in stamina (STAM-1)."""
    me = s.figures[figure]
    card = card_at(s, me.marker - 1)
    margin = moving_value(s, t, figure, card) + bars - higher_neighbour(s, t, figure, card)
    tokens = tokens_of_move(s, t, me)
    loss = t.failed[s.settings.level]
    if margin > 0 and tokens != NO_WALK:
        loss = t.loss[s.settings.level, margin]
        move(s, t, figure, tokens)
    if s.reason == Reason.PLAYING:
        tire(s, t, figure, loss)


@rule
def moving_value(s: State, t: Tables, figure: int, card: int) -> int:
    """Return the value of a figure for its own move, without power bars."""
    pole = BONUS_OF_A_POLE if has(s.figures[figure].effects, Gear.WALKING_POLE) else 0
    return value_of(s, t, figure, card) + pole


@rule
def tokens_of_move(s: State, t: Tables, me: Figure) -> int:
    """Return the eruption tokens on the planned walk; NO_WALK if lava has cut every walk of its length (MOVE-6)."""
    walk = walk_of(s, t, me)
    if me.around != 0:
        walk = Walk(walk.start, walk.places & ~s.eruption_tokens, walk.rope)
    return tokens_on_walk(layout_of(s, t), walk, me.marker - 1, me.steps, s.eruption_tokens)


@rule
def move(s: State, t: Tables, figure: int, tokens: int) -> None:
    """Move a figure to its marker, over these eruption tokens. If that wins the game, nothing else happens (END-1)."""
    me = s.figures[figure]
    me.at = me.marker - 1
    check_villages(s, t)
    if s.reason == Reason.PLAYING:
        collect(s, me)
        release(s, t, tokens)


@rule
def collect(s: State, me: Figure) -> None:
    """Draw an equipment card for a token on the card where the figure ends; it can be used from the next round on
    (MOVE-4)."""
    if has(s.equipment_tokens, me.at):
        s.equipment_tokens &= ~bit(me.at)
        card = draw_equipment(s)
        if card >= 0:
            me.equipment |= bit(card)
            me.fresh |= bit(card)


@rule
def release(s: State, t: Tables, tokens: int) -> None:
    """One more eruption for each eruption token that was moved onto or over, at once or, with `late_eruption`, at the
    end of the round; the tokens are gone (MOVE-5)."""
    s.eruption_tokens &= ~tokens
    rest = tokens
    while rest != 0:
        rest &= rest - 1
        if s.settings.late_eruption != 0:
            s.owed += 1
        elif s.reason == Reason.PLAYING:
            erupt(s, t)
