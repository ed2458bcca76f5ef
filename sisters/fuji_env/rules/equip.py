"""Equipment cards (EQUIP)."""

from fuji_env.content.model import NUMBERS, PLACES
from fuji_env.rules.base.actions import CARD, DIE, DONE, FIGURE, INJURY, PLACE, PLAY, ROLL
from fuji_env.rules.base.frames import after, owner, pop, push, top
from fuji_env.rules.base.names import (
    EQUIPMENT_PHASE,
    GEAR_CARDS,
    INJURIES,
    Gear,
    Injury,
    Skill,
    WorksFor,
)
from fuji_env.rules.base.phases import Phase
from fuji_env.rules.base.state import ALL_DICE, Figure, State
from fuji_env.rules.base.tables import Tables
from fuji_env.rules.cond import card_at, value_of
from fuji_env.rules.dice import forget_dice, roll_again
from fuji_env.rules.map import open_places
from fuji_env.rules.reroll import allow_dice, allow_rolls, set_aside
from fuji_env.rules.skill import has_skill
from fujikoro_env.kernel.jit import Words, rule
from fujikoro_env.kernel.masks import allow, bit, has

DICE_OF_GLOVES = 2
STEPS_OF_TEA = 2


# --- who may play or give which card ----------------------------------------------------------------------------------


@rule
def is_equipment(action: int) -> bool:
    """Whether an action plays an equipment card or gives one away."""
    return PLAY <= action < CARD + GEAR_CARDS


@rule
def lasts(card: int) -> bool:
    """Whether a card works on its player until the end of the round."""
    return (
        card == Gear.HIKING_BOOTS
        or card == Gear.TRAIL_MAP
        or card == Gear.ROPE
        or card == Gear.WALKING_POLE
        or card == Gear.HELMET
    )


@rule
def has_use(s: State, t: Tables, figure: int, card: int) -> bool:
    """Whether a card would have an effect: it is not in effect already, and there is something to win back."""
    me = s.figures[figure]
    if card == Gear.TEA_FLASK:
        return stamina_after_tea(t, me) < me.stamina
    if card == Gear.FIRST_AID_KIT:
        for k in range(s.settings.figures):
            if s.figures[k].injuries != 0:
                return True
        return False
    return not (lasts(card) and has(me.effects, card))


@rule
def may_play(s: State, t: Tables, figure: int, card: int, phase: int) -> bool:
    """Whether a figure's player may play a card in a phase: not with a broken arm (STAM-4), nor in the round in which
    it was drawn (MOVE-4)."""
    me = s.figures[figure]
    ready = me.equipment & ~me.fresh
    if has(me.injuries, Injury.EQUIPMENT) or not has(ready, card):
        return False
    return (t.played_in[card] & phase) != 0 and has_use(s, t, figure, card)


@rule
def allow_equipment(s: State, t: Tables, figure: int, phase: int, mask: Words) -> None:
    """Allow playing equipment, and for the Equipment Manager giving it away (EQUIP-1, SKILL-1)."""
    me = s.figures[figure]
    if me.equipment == 0:
        return
    gives = has_skill(me, Skill.EQUIPMENT_MANAGER)
    for card in range(GEAR_CARDS):
        if has(me.equipment, card):
            if may_play(s, t, figure, card, phase):
                allow(mask, PLAY + card)
            if gives:
                allow(mask, CARD + card)


@rule
def use_equipment(s: State, t: Tables, figure: int, action: int) -> None:
    """Play a card, or ask to whom one is given."""
    if action >= CARD:
        push(s, Phase.GIVE, figure).what = action - CARD
    else:
        announce(s, figure, action - PLAY)
        play(s, t, figure, action - PLAY)


@rule
def announce(s: State, figure: int, card: int) -> None:
    """Discard a card that is played (EQUIP-1); the Tinkerer turns it sideways first (SKILL-6)."""
    me = s.figures[figure]
    if has_skill(me, Skill.TINKERER) and not has(me.used_once, card):
        me.used_once |= bit(card)
        return
    me.equipment &= ~bit(card)
    me.used_once &= ~bit(card)
    s.discards |= bit(card)


@rule
def play(s: State, t: Tables, figure: int, card: int) -> None:
    """Begin the effect of a card."""
    if card == Gear.RADIO:
        push(s, Phase.RADIO, figure)
    elif card == Gear.WHISTLE:
        s.whistles = min(s.whistles + 1, 2)
    elif card == Gear.FIRST_AID_KIT:
        push(s, Phase.HEAL, figure)
    elif t.works_for[card] == WorksFor.PAIR:
        push(s, Phase.PARTNER, figure).what = card
    elif t.works_for[card] == WorksFor.ALL:
        for k in range(s.settings.figures - 1, -1, -1):  # the player of the card is asked first
            work(s, t, after(figure, k, s.settings.figures), card)
    else:
        work(s, t, figure, card)


@rule
def work(s: State, t: Tables, figure: int, card: int) -> None:
    """Let a card work on one figure."""
    me = s.figures[figure]
    if lasts(card):
        me.effects |= bit(card)
    elif card == Gear.TEA_FLASK:
        me.stamina = stamina_after_tea(t, me)
    elif card == Gear.GLOVES:
        push(s, Phase.ROLL_DICE, figure).left = DICE_OF_GLOVES
    elif card == Gear.ENERGY_DRINK or card == Gear.FLARE:
        push(s, Phase.ROLL_DICE, figure).left = 1
    elif card == Gear.POCKET_KNIFE:
        push(s, Phase.SET_ASIDE, figure)
    elif card == Gear.DUCT_TAPE:
        push(s, Phase.TURN_DIE, figure)


@rule
def stamina_after_tea(t: Tables, figure: Figure) -> int:
    """Return where a tea flask takes the stamina marker: back 2 steps, but not over a plaster."""
    stamina = figure.stamina
    for _ in range(STEPS_OF_TEA):
        if stamina > 0 and not has(t.plasters, stamina):
            stamina -= 1
    return stamina


# --- phase 4 ----------------------------------------------------------------------------------------------------------


@rule
def go_equipping(s: State) -> None:
    """Ask one player after the other from the lead player, round and round, until all pass in turn (EQUIP-3)."""
    frame, figures = top(s), s.settings.figures
    if frame.what >= figures:
        pop(s)
        return
    figure = after(s.lead, frame.left, figures)
    frame.left = after(frame.left, 1, figures)
    push(s, Phase.EQUIP, figure)


@rule
def legal_equip(s: State, t: Tables, mask: Words) -> None:
    """Play a card, or pass."""
    allow(mask, DONE)
    allow_equipment(s, t, top(s).figure, EQUIPMENT_PHASE, mask)


@rule
def do_equip(s: State, t: Tables, action: int) -> None:
    """Play a card, or pass."""
    figure = top(s).figure
    pop(s)
    equipping = top(s)
    if action == DONE:
        equipping.what += 1
    else:
        equipping.what = 0
        use_equipment(s, t, figure, action)


# --- questions of the cards -------------------------------------------------------------------------------------------


@rule
def figure_named(s: State, figure: int, action: int) -> int:
    """Return the figure that an action names, counted from the one that asks."""
    return after(figure, action - FIGURE, s.settings.figures)


@rule
def legal_partner(s: State, mask: Words) -> None:
    """Name one other figure (EQUIP-2)."""
    for k in range(1, s.settings.figures):
        allow(mask, FIGURE + k)


@rule
def do_partner(s: State, t: Tables, action: int) -> None:
    """Let a card work for its player and one other; the player of the card is asked first."""
    frame = top(s)
    figure, card = frame.figure, frame.what
    other = figure_named(s, figure, action)
    pop(s)
    if card == Gear.BINOCULARS:
        s.known[owner(s, figure), other] = ALL_DICE
        s.known[owner(s, other), figure] = ALL_DICE
    else:
        work(s, t, other, card)
        work(s, t, figure, card)


@rule
def legal_give(s: State, mask: Words) -> None:
    """Give the card to any teammate (SKILL-1)."""
    for k in range(1, s.settings.figures):
        allow(mask, FIGURE + k)


@rule
def do_give(s: State, action: int) -> None:
    """Give a card away; one drawn in this round can't be used before the next (MOVE-4)."""
    frame = top(s)
    figure, card = frame.figure, frame.what
    me, other = s.figures[figure], s.figures[figure_named(s, figure, action)]
    other.equipment |= bit(card)
    other.fresh |= me.fresh & bit(card)
    me.equipment &= ~bit(card)
    me.fresh &= ~bit(card)
    pop(s)


@rule
def legal_radio(s: State, t: Tables, mask: Words) -> None:
    """Name one area card."""
    for place in range(PLACES):
        if has(open_places(s, t), place):
            allow(mask, PLACE + place)


@rule
def do_radio(s: State, t: Tables, action: int) -> None:
    """All players tell their exact values on a card."""
    place = action - PLACE
    s.radio = place + 1
    for k in range(s.settings.figures):
        s.told[k] = value_of(s, t, k, card_at(s, place))
    pop(s)


@rule
def legal_heal(s: State, mask: Words) -> None:
    """Name the player of the card, or one other, who has an injury."""
    figure = top(s).figure
    for k in range(s.settings.figures):
        if s.figures[after(figure, k, s.settings.figures)].injuries != 0:
            allow(mask, FIGURE + k)


@rule
def do_heal(s: State, action: int) -> None:
    """Ask which injury is given back."""
    healed = figure_named(s, top(s).figure, action)
    pop(s)
    push(s, Phase.HEALED, healed)


@rule
def legal_healed(s: State, mask: Words) -> None:
    """Give back an injury that one has."""
    for injury in range(INJURIES):
        if has(s.figures[top(s).figure].injuries, injury):
            allow(mask, INJURY + injury)


@rule
def do_healed(s: State, action: int) -> None:
    """Give back an injury."""
    s.figures[top(s).figure].injuries &= ~bit(action - INJURY)
    pop(s)


@rule
def legal_roll_dice(s: State, mask: Words) -> None:
    """Roll some dice again, or none."""
    allow(mask, DONE)
    allow_rolls(s, top(s).figure, top(s).left, mask)


@rule
def do_roll_dice(s: State, action: int) -> None:
    """Roll some dice again."""
    figure = top(s).figure
    pop(s)
    if action != DONE:
        dice = action - ROLL + 1
        roll_again(s, figure, dice)
        forget_dice(s, figure, dice)


@rule
def legal_set_aside(s: State, mask: Words) -> None:
    """Set a die aside, or none."""
    allow(mask, DONE)
    allow_dice(s, top(s).figure, mask)


@rule
def do_set_aside(s: State, action: int) -> None:
    """Set a die aside for this round."""
    figure = top(s).figure
    pop(s)
    if action != DONE:
        set_aside(s, figure, action - DIE)


@rule
def legal_turn_die(s: State, mask: Words) -> None:
    """Turn a die, or none."""
    allow(mask, DONE)
    allow_dice(s, top(s).figure, mask)


@rule
def do_turn_die(s: State, action: int) -> None:
    """Turn a die to its opposite face."""
    figure = top(s).figure
    pop(s)
    if action != DONE:
        die = action - DIE
        s.dice[figure, die] = NUMBERS + 1 - int(s.dice[figure, die])
        forget_dice(s, figure, bit(die))
