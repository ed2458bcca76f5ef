"""GEAR cards: claimed when a rest ends and gear matches, laid under an action, and their bonuses.

REST_END claims; PLACE_CARD asks where the claimed card goes.
"""

from fujikoro_env.kernel.jit import Words, rule
from fujikoro_env.kernel.masks import allow
from fujikoro_env.rules.base.actions import CARD, DONE, LOOK, MOVE, SCORE, STACK
from fujikoro_env.rules.base.frames import pop, push, top
from fujikoro_env.rules.base.names import DISC_FIELDS, GEARS, Gear, Where
from fujikoro_env.rules.base.phases import Phase
from fujikoro_env.rules.base.state import CARD_SLOTS, Player, State
from fujikoro_env.rules.base.tables import Tables
from fujikoro_env.rules.final.score import has_vp
from fujikoro_env.rules.gear.match import matching
from fujikoro_env.rules.map.stacks import look_at_stack

LEVELS = 3
MAY_SKIP = 1  # in `stage` of LOOK: the power of the scroll `seer`


@rule
def has_gear_card(me: Player, gear: int) -> bool:
    """GEAR-2: only one card per gear type, for the rest of the game."""
    for field in range(DISC_FIELDS):
        if me.card_on[field] == gear + 1:
            return True
    return False


@rule
def card_of(s: State, p: int, gear: int) -> int:
    """The slot of a player's gear card of this type, or -1."""
    for slot in range(gear * CARD_SLOTS, (gear + 1) * CARD_SLOTS):
        if s.gear_cards[slot].where == Where.OWNED + p:
            return slot
    return -1


@rule
def may_claim(s: State, t: Tables, p: int, slot: int) -> bool:
    """GEAR-1: gear matches a card in the display; all gear is looked at, crafted now or not."""
    gear = slot // CARD_SLOTS
    if s.gear_cards[slot].where != Where.DISPLAY or card_of(s, p, gear) >= 0:
        return False
    return matching(s.players[p], gear, t.gear_cards[s.gear_cards[slot].card - 1]) != 0


@rule
def go_rest_end(s: State, t: Tables) -> None:
    """GEAR-1: gear that matches asks which card is taken."""
    p = top(s).actor
    for slot in range(GEARS * CARD_SLOTS):
        if may_claim(s, t, p, slot):
            push(s, Phase.CLAIM_CARD, p)
            return
    pop(s)


@rule
def legal_claim_card(s: State, t: Tables, mask: Words) -> None:
    """GEAR-1: taking is no choice, which of several is. By option a player may leave all of them."""
    if s.settings.must_take_card == 0:
        allow(mask, DONE)
    for slot in range(GEARS * CARD_SLOTS):
        if may_claim(s, t, top(s).actor, slot):
            allow(mask, CARD + slot)


@rule
def do_claim_card(s: State, action: int) -> None:
    p, slot = top(s).actor, action - CARD
    pop(s)
    if action == DONE:
        pop(s)  # the end of the rest, which would ask again
        return
    s.gear_cards[slot].where = Where.OWNED + p
    push(s, Phase.PLACE_CARD, p).thing = slot


@rule
def legal_place_card(s: State, mask: Words) -> None:
    """GEAR-2: under one of the three actions that has none yet."""
    for field in range(DISC_FIELDS):
        if s.players[top(s).actor].card_on[field] == 0:
            allow(mask, MOVE + field)


@rule
def do_place_card(s: State, action: int) -> None:
    p, gear = top(s).actor, top(s).thing // CARD_SLOTS
    pop(s)
    s.players[p].card_on[action - MOVE] = gear + 1
    if gear != Gear.WEAPON:
        return
    if has_vp(s):
        push(s, Phase.CARD_BONUS, p)
    else:  # GEAR-5: weapon cards lie with the look up
        s.players[p].looks = 1


@rule
def legal_card_bonus(mask: Words) -> None:
    """GEAR-5: chosen when the card is placed."""
    allow(mask, SCORE)
    allow(mask, LOOK)


@rule
def do_card_bonus(s: State, action: int) -> None:
    s.players[top(s).actor].looks = 1 if action == LOOK else 0
    pop(s)


@rule
def can_look(s: State) -> bool:
    return s.tiles_left[0] != 0 or s.tiles_left[1] != 0 or s.tiles_left[2] != 0


@rule
def legal_look(s: State, mask: Words) -> None:
    if top(s).stage == MAY_SKIP:
        allow(mask, DONE)
    for level in range(LEVELS):
        if s.tiles_left[level] != 0:
            allow(mask, STACK + level)


@rule
def do_look(s: State, t: Tables, action: int) -> None:
    p, level = top(s).actor, action - STACK
    pop(s)
    if action != DONE:
        look_at_stack(s, t, p, level)
