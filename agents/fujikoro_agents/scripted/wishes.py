"""Wishes of a player: how much each kind of thing on the map is worth to it now, in VP.

Things that a player has no skill for are worth nothing to it. The layout of the array is in wishes_list.py.
"""

from typing import Final

from fujikoro_agents.scripted.hunting import wish_for_arms
from fujikoro_agents.scripted.needs import write_needs
from fujikoro_agents.scripted.skills import CRAFTS, EXPLORES, GATHERS, HUNTS
from fujikoro_agents.scripted.wishes_list import (
    ADVENTURE,
    BONUS,
    CUBES,
    EXPLORABLE,
    EXTRA,
    FREE,
    MONK,
    NEED,
    PLACE,
    SCROLL,
    SPOILS,
    STOCK,
    WISHES,
)
from fujikoro_env.kernel.jit import Floats, rule
from fujikoro_env.rules.base.names import DISC_FIELDS, RESOURCE_KINDS, Cube, Gear, ScrollPower
from fujikoro_env.rules.base.state import State
from fujikoro_env.rules.base.tables import Tables
from fujikoro_env.rules.explore import may_explore
from fujikoro_env.rules.map.geometry import PLACES
from fujikoro_env.rules.monk import has_free_spot
from fujikoro_env.rules.pack import free_slots, resources_in_pack
from fujikoro_env.rules.powers.holdings import has_scroll
from fujikoro_env.rules.scenarios.terms import Term, holds
from fujikoro_env.rules.scroll import can_take_scroll
from fujikoro_env.rules.turn.halves import bonus_resource

BONUS_VP: Final = 1.0
NEW_GROUND: Final = 0.6  # worth of a new tile besides its VP: there are things to gather on it
CUBE_WORTH: Final = (0.15, 0.25, 0.5)
SCROLL_WORTH: Final = 3.5  # 3 VP, and its power
MONK_WORTH: Final = 2.5
CARRIED_MONK_WORTH: Final = 1.0
ADVENTURE_WORTH: Final = 0.8
SPOILS_WORTH: Final = 3.0


@rule
def write_wishes(s: State, t: Tables, p: int, skills: int, wishes: Floats) -> None:
    """Write what everything is worth to player `p`."""
    for k in range(WISHES):
        wishes[k] = 0.0
    if skills & EXPLORES != 0:
        wish_to_explore(s, t, p, wishes)
    if skills & CRAFTS != 0:
        write_needs(s, t, p, skills, wishes)
    if skills & GATHERS != 0:
        wish_to_gather(s, p, skills, wishes)
    if skills != 0:
        wish_for_bonuses(s, t, p, wishes)


@rule
def wish_to_explore(s: State, t: Tables, p: int, wishes: Floats) -> None:
    """Write the worth of exploring each place."""
    tells = 1.0 if has_scroll(s.players[p], t, ScrollPower.STORYTELLER) else 0.0
    for place in range(PLACES):
        if may_explore(s, t, place):
            level = t.place_ring[place] - 1
            wishes[EXPLORABLE] += 1
            wishes[PLACE + place] = NEW_GROUND + level + (tells if level > 0 else 0.0)


@rule
def wish_to_gather(s: State, p: int, skills: int, wishes: Floats) -> None:
    """Write the worth of everything that can be gathered."""
    free = free_slots(s, p)
    wishes[FREE] = free
    for kind in range(RESOURCE_KINDS):
        if s.supply[kind] > 0:
            wishes[CUBES + kind] = CUBE_WORTH[kind]
    if skills & HUNTS != 0:
        wish_for_arms(s.players[p], wishes)
    if s.stock_taken == 0:
        wishes[STOCK] = cubes_worth(wishes, 1, 1, 0)
    if can_take_scroll(s, p):
        wishes[SCROLL] = SCROLL_WORTH
    if not holds(s, Term.MONKS_FIGHT):
        if has_free_spot(s.players[p]):
            wishes[MONK] = MONK_WORTH
        elif free > 0 or resources_in_pack(s.players[p]) > 0:
            wishes[MONK] = CARRIED_MONK_WORTH
    wishes[ADVENTURE] = ADVENTURE_WORTH
    if holds(s, Term.SPOILS):
        wishes[SPOILS] = SPOILS_WORTH


@rule
def wish_for_bonuses(s: State, t: Tables, p: int, wishes: Floats) -> None:
    """Write the worth of gear cards' bonuses: an action also brings the bonus of the gear card on its field
    (GEAR-3)."""
    me = s.players[p]
    for field in range(DISC_FIELDS):
        if me.card_on[field] == Gear.WEAPON + 1 and me.looks == 0:
            wishes[BONUS + field] = BONUS_VP
        elif me.card_on[field] == Gear.HELMET + 1:
            kind = bonus_resource(s, t, p)
            if wishes[FREE] > 0 or wishes[NEED + kind] > 0:
                wishes[BONUS + field] = wishes[CUBES + kind] + wishes[EXTRA + kind]


@rule
def cubes_worth(wishes: Floats, wood: int, metal: int, teeth: int) -> float:
    """Worth of the offered cubes: needed ones first, the others as far as there is room in the pack."""
    worth, room = 0.0, int(wishes[FREE])
    for k in range(RESOURCE_KINDS):
        kind = RESOURCE_KINDS - 1 - k
        number = teeth if kind == Cube.TOOTH else (metal if kind == Cube.METAL else wood)
        needed = min(number, int(wishes[NEED + kind]))
        others = max(0, min(number - needed, room - needed))
        worth += needed * wishes[EXTRA + kind] + (needed + others) * wishes[CUBES + kind]
        room -= needed + others
    return worth
