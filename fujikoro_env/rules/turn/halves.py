"""GEAR-3: an action with a gear card is its main half, the card's bonus, or both in either order."""

from fujikoro_env.kernel.jit import Words, rule
from fujikoro_env.kernel.masks import allow
from fujikoro_env.rules.base.actions import BONUS, DONE, MAIN
from fujikoro_env.rules.base.counters import VpSource
from fujikoro_env.rules.base.frames import pop, push, top
from fujikoro_env.rules.base.names import Disc, Gear
from fujikoro_env.rules.base.phases import Phase
from fujikoro_env.rules.base.state import State
from fujikoro_env.rules.base.tables import Tables
from fujikoro_env.rules.explore import can_explore
from fujikoro_env.rules.final.score import award
from fujikoro_env.rules.gather import OPTIONAL, begin_gather, can_gather
from fujikoro_env.rules.gear.cards import can_look, card_of
from fujikoro_env.rules.move import begin_bonus_move, begin_move
from fujikoro_env.rules.pack import can_make_room

MAIN_DONE, BONUS_DONE = 1, 2


@rule
def can_do_main(s: State, t: Tables, p: int, field: int) -> bool:
    """TURN-7: an action may be chosen only if it can do something."""
    if field == Disc.EXPLORE:
        return can_explore(s, t, p)
    if field == Disc.GATHER:
        return can_gather(s, t, p)
    return True


@rule
def bonus_resource(s: State, t: Tables, p: int) -> int:
    """GEAR-4: what the helmet card shows."""
    return t.gear_cards[s.gear_cards[card_of(s, p, Gear.HELMET)].card - 1].resource - 1


@rule
def can_do_bonus(s: State, t: Tables, p: int, field: int) -> bool:
    me = s.players[p]
    gear = me.card_on[field] - 1
    if gear < 0:
        return False
    if gear == Gear.HELMET:
        return s.supply[bonus_resource(s, t, p)] > 0 and can_make_room(s, p)
    if gear == Gear.WEAPON and me.looks != 0:
        return can_look(s)
    return True


@rule
def begin_main(s: State, t: Tables, p: int, field: int) -> None:
    if field == Disc.MOVE:
        begin_move(s, t, p)
    elif field == Disc.EXPLORE:
        push(s, Phase.EXPLORE_PLACE, p)
    else:
        begin_gather(s, t, p)


@rule
def begin_bonus(s: State, t: Tables, p: int, field: int) -> None:
    gear = s.players[p].card_on[field] - 1
    if gear == Gear.HELMET:
        frame = push(s, Phase.TAKE, p)
        frame.stage = OPTIONAL
        frame.offer[bonus_resource(s, t, p)] = 1
    elif gear == Gear.SANDALS:
        begin_bonus_move(s, p)
    elif s.players[p].looks != 0:
        push(s, Phase.LOOK, p)
    else:
        award(s, p, 1, VpSource.WEAPON_CARD)


@rule
def legal_halves(s: State, t: Tables, mask: Words) -> None:
    frame = top(s)
    if frame.marks != 0:
        allow(mask, DONE)
    if frame.marks & MAIN_DONE == 0 and can_do_main(s, t, frame.actor, frame.thing):
        allow(mask, MAIN)
    if frame.marks & BONUS_DONE == 0 and can_do_bonus(s, t, frame.actor, frame.thing):
        allow(mask, BONUS)


@rule
def do_halves(s: State, t: Tables, action: int) -> None:
    frame = top(s)
    if action == DONE:
        pop(s)
    elif action == MAIN:
        frame.marks |= MAIN_DONE
        begin_main(s, t, frame.actor, frame.thing)
    else:
        frame.marks |= BONUS_DONE
        begin_bonus(s, t, frame.actor, frame.thing)
