"""TURN: two actions a turn, paid with discs; rests; rounds.

TURN is the lowest frame of the stack and keeps in `stage` what comes next: the start of the turn, its actions, its end.
"""

from fujikoro_env.rules.actions import MOVE, REST, USE
from fujikoro_env.rules.craft import begin_rest
from fujikoro_env.rules.frames import pop, push, top
from fujikoro_env.rules.halves import begin_main, can_do_bonus, can_do_main
from fujikoro_env.rules.jit import Words, rule
from fujikoro_env.rules.masks import allow
from fujikoro_env.rules.names import DISC_FIELDS, Disc, Reason
from fujikoro_env.rules.phases import Phase
from fujikoro_env.rules.powers import allow_powers, use_power
from fujikoro_env.rules.score import end_game
from fujikoro_env.rules.stages import TURN_END, TURN_START
from fujikoro_env.rules.state import Player, State
from fujikoro_env.rules.tables import Tables


@rule
def go_turn(s: State) -> None:
    frame = top(s)
    stage = frame.stage
    frame.stage += 1
    if stage == TURN_START:
        start_turn(s)
    elif stage < TURN_END:
        push(s, Phase.ACTION, s.active)
    else:
        end_turn(s)


@rule
def start_turn(s: State) -> None:
    """TURN-5: an unconscious samurai wakes."""
    s.players[s.active].unconscious = 0
    s.stock_taken = 0
    s.used_powers = 0


@rule
def end_turn(s: State) -> None:
    """TURN-8, then play goes clockwise (SETUP-9); a round ends before the first player's turn."""
    top(s).stage = TURN_START
    s.active = (s.active + 1) % s.settings.players
    if s.active != s.first_player:
        return
    if s.round_number >= s.settings.max_rounds:  # END-2
        end_game(s, Reason.ROUND_CAP)
    else:
        s.round_number += 1


@rule
def discs_on_fields(me: Player) -> int:
    return me.fields[Disc.MOVE] + me.fields[Disc.EXPLORE] + me.fields[Disc.GATHER]


@rule
def legal_action(s: State, t: Tables, mask: Words) -> None:
    """TURN-2 to TURN-4 and TURN-7; a gear card makes its action available for its bonus alone."""
    p = top(s).actor
    me = s.players[p]
    if me.pool > 0:
        for field in range(DISC_FIELDS):
            if can_do_main(s, t, p, field) or can_do_bonus(s, t, p, field):
                allow(mask, MOVE + field)
    if discs_on_fields(me) > 0:
        allow(mask, REST)
    allow_powers(s, t, p, mask)


@rule
def do_action(s: State, action: int) -> None:
    """The frame for magic lies under the action and comes up when it ends (MAGIC-1)."""
    p = top(s).actor
    if action >= USE:  # a power is no action: the question stays
        use_power(s, p, action - USE)
        return
    pop(s)
    push(s, Phase.MAGIC_REFRESH, p)
    if action == REST:
        begin_rest(s, p)
        return
    field = action - MOVE
    place_disc(s.players[p], field)
    if s.players[p].card_on[field] != 0:
        push(s, Phase.HALVES, p).thing = field
    else:
        begin_main(s, p, field)


@rule
def place_disc(me: Player, field: int) -> None:
    """TURN-2: a disc from the pool to the action's field; a field holds any number."""
    me.pool -= 1
    me.fields[field] += 1
