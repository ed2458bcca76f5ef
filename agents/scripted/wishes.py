"""What a player wishes for, in VP: how much each sort of thing on the map is worth to it now.

`Wishes` are one array of numbers: first what things are worth that lie on the map, then each temple's blueprints, then
each place that can be explored. What a player has no skill for is worth nothing to it.
"""

from typing import Final

from agents.scripted.skills import EXPLORES, GATHERS
from fujikoro_env.rules.explore import may_explore
from fujikoro_env.rules.geometry import PLACES, TEMPLES
from fujikoro_env.rules.halves import bonus_resource
from fujikoro_env.rules.holdings import has_scroll
from fujikoro_env.rules.jit import Floats, rule
from fujikoro_env.rules.monk import has_free_spot
from fujikoro_env.rules.names import DISC_FIELDS, RESOURCE_KINDS, Cube, Gear, ScrollPower
from fujikoro_env.rules.pack import free_slots, resources_in_pack
from fujikoro_env.rules.scroll import can_take_scroll
from fujikoro_env.rules.state import State
from fujikoro_env.rules.tables import Tables
from fujikoro_env.rules.terms import Term, holds

CUBES: Final = 0  # one each for wood, metal, tooth
SCROLL: Final = RESOURCE_KINDS
MONK: Final = SCROLL + 1
STOCK: Final = MONK + 1
ADVENTURE: Final = STOCK + 1
SPOILS: Final = ADVENTURE + 1
FREE: Final = SPOILS + 1  # no wish: how many cubes the pack has room for
BONUS: Final = FREE + 1  # by the action's field: of the gear card that lies there
TEMPLE: Final = BONUS + DISC_FIELDS
PLACE: Final = TEMPLE + TEMPLES
WISHES: Final = PLACE + PLACES

BONUS_VP: Final = 1.0
STEP_WORTH: Final = 0.1  # of a sandals card's step
NEW_GROUND: Final = 0.6  # what a new tile is worth beside its VP: it has things to gather
CUBE_WORTH: Final = (0.15, 0.25, 0.5)
SCROLL_WORTH: Final = 3.5  # 3 VP, and its power
MONK_WORTH: Final = 2.5
CARRIED_MONK_WORTH: Final = 1.0
ADVENTURE_WORTH: Final = 0.8
SPOILS_WORTH: Final = 3.0


@rule
def write_wishes(s: State, t: Tables, p: int, skills: int, wishes: Floats) -> None:
    for k in range(WISHES):
        wishes[k] = 0.0
    if skills & EXPLORES != 0:
        wish_to_explore(s, t, p, wishes)
    if skills & GATHERS != 0:
        wish_to_gather(s, p, wishes)
    if skills != 0:
        wish_for_bonuses(s, t, p, wishes)


@rule
def wish_to_explore(s: State, t: Tables, p: int, wishes: Floats) -> None:
    tells = 1.0 if has_scroll(s.players[p], t, ScrollPower.STORYTELLER) else 0.0
    for place in range(PLACES):
        if may_explore(s, t, place):
            level = t.place_ring[place] - 1
            wishes[PLACE + place] = NEW_GROUND + level + (tells if level > 0 else 0.0)


@rule
def wish_to_gather(s: State, p: int, wishes: Floats) -> None:
    free = free_slots(s, p)
    wishes[FREE] = free
    if free > 0:
        for kind in range(RESOURCE_KINDS):
            if s.supply[kind] > 0:
                wishes[CUBES + kind] = CUBE_WORTH[kind]
        if s.stock_taken == 0:
            wishes[STOCK] = wishes[CUBES + Cube.WOOD] + (wishes[CUBES + Cube.METAL] if free > 1 else 0.0)
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
    """GEAR-3: an action brings the bonus of the gear card that lies there, too."""
    me = s.players[p]
    for field in range(DISC_FIELDS):
        if me.card_on[field] == Gear.WEAPON + 1 and me.looks == 0:
            wishes[BONUS + field] = BONUS_VP
        elif me.card_on[field] == Gear.SANDALS + 1:
            wishes[BONUS + field] = STEP_WORTH
        elif me.card_on[field] == Gear.HELMET + 1:
            wishes[BONUS + field] = wishes[CUBES + bonus_resource(s, t, p)]
