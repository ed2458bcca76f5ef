"""What a smith is after: the gear card or blueprint that is worth most for what is missing, and where that leads.

A target is a gear card of the display while its player has none of the type, or an owned blueprint that the gear does
not match yet. Cubes on the gear and in the pack are at hand alike, for a craft may lay the gear anew.
"""

from typing import Final

from fujikoro_agents.scripted.skills import RUNS
from fujikoro_agents.scripted.wishes_list import BUILD, EXTRA, KEEP, NEED, TEMPLE
from fujikoro_env.kernel.jit import Floats, rule
from fujikoro_env.kernel.masks import bit, count_bits
from fujikoro_env.rules.base.names import GEARS, RESOURCE_KINDS, Character, Cube, Gear, Where
from fujikoro_env.rules.base.state import CARD_SLOTS, GEAR_HEIGHT, GEAR_WIDTH, Player, State
from fujikoro_env.rules.base.tables import ROTATIONS, CardTable, Tables
from fujikoro_env.rules.characters.boards import LEFT_COLUMNS, most_one_handed, most_two_handed, open_cells
from fujikoro_env.rules.gather import may_take_blueprint
from fujikoro_env.rules.gear.cards import has_gear_card
from fujikoro_env.rules.gear.match import PAIR
from fujikoro_env.rules.map.geometry import TEMPLES

CARD_WORTH: Final = (3.0, 14.0, 4.0)  # of a gear card, by gear: the weapon's gives VP for good
BLUEPRINT_WORTH: Final = (2.0, 3.0, 2.0)  # magic in itself
MAGIC_WORTH: Final = 6.0  # what the palace gives for it, to who gets there
MISSING_COST: Final = (1.0, 1.0, 3.0)  # actions, about, that a cube takes
BLUEPRINT_COST: Final = 2.0
SHARE_OF_TARGET: Final = 0.7  # of its worth, for a cube that is missing


@rule
def write_needs(s: State, t: Tables, p: int, skills: int, wishes: Floats) -> None:
    """The best target of each sort: what it needs, or that it can be built."""
    best_card, card_rate, best_print, print_rate = -1, 0.0, -1, 0.0
    for slot in range(GEARS * CARD_SLOTS):
        if is_open_card(s, p, slot):
            rate = rate_of(s, t, p, slot, CARD_WORTH[slot // CARD_SLOTS], False)
            if rate > card_rate:
                best_card, card_rate = slot, rate
        if is_open_blueprint(s, p, slot):
            rate = rate_of(s, t, p, slot, blueprint_worth(slot // CARD_SLOTS, skills), True)
            if rate > print_rate:
                best_print, print_rate = slot, rate
    if best_card >= 0:
        need_for(s, p, card_in(s, t, best_card, False), best_card // CARD_SLOTS, card_rate, wishes)
    if best_print >= 0:
        need_for(s, p, card_in(s, t, best_print, True), best_print // CARD_SLOTS, print_rate, wishes)
    wish_for_blueprints(s, t, p, skills, wishes)


@rule
def blueprint_worth(gear: int, skills: int) -> float:
    return BLUEPRINT_WORTH[gear] + (MAGIC_WORTH if skills & RUNS != 0 else 0.0)


@rule
def card_in(s: State, t: Tables, slot: int, is_blueprint: bool) -> CardTable:
    if is_blueprint:
        return t.blueprints[s.blueprints[slot].card - 1]
    return t.gear_cards[s.gear_cards[slot].card - 1]


@rule
def is_open_card(s: State, p: int, slot: int) -> bool:
    """Gear that is magic is not laid anew for a card, but for one that gives VP while there is time."""
    gear = slot // CARD_SLOTS
    if s.gear_cards[slot].where != Where.DISPLAY or has_gear_card(s.players[p], gear):
        return False
    return s.players[p].gear[gear].magic == 0 or (gear == Gear.WEAPON and s.final_player == 0)


@rule
def is_open_blueprint(s: State, p: int, slot: int) -> bool:
    return s.blueprints[slot].where == Where.OWNED + p and s.players[p].gear[slot // CARD_SLOTS].magic == 0


@rule
def rate_of(s: State, t: Tables, p: int, slot: int, worth: float, is_blueprint: bool) -> float:
    """VP of a target for each action that it takes, about; 0 if the board has no room for it."""
    card, gear = card_in(s, t, slot, is_blueprint), slot // CARD_SLOTS
    if not fits_board(s.players[p], gear, card, is_blueprint):
        return 0.0
    return worth / missing_actions(s.players[p], gear, card)


@rule
def missing_actions(me: Player, gear: int, card: CardTable) -> float:
    """To gather what is missing and to build."""
    actions = 1.0
    for kind in range(RESOURCE_KINDS):
        actions += MISSING_COST[kind] * missing(me, gear, card, kind)
    return actions


@rule
def missing(me: Player, gear: int, card: CardTable, kind: int) -> int:
    return max(0, card.needs[kind] - count_bits(me.gear[gear].cubes[kind]) - me.pack[kind])


@rule
def need_for(s: State, p: int, card: CardTable, gear: int, rate: float, wishes: Floats) -> None:
    """Cubes that a target misses are worth more than others; with none missing it can be built."""
    lacks, me = 0, s.players[p]
    for kind in range(RESOURCE_KINDS):
        number = missing(me, gear, card, kind)
        lacks += number
        wishes[KEEP + kind] += max(0, card.needs[kind] - count_bits(me.gear[gear].cubes[kind]))
        if number > 0:
            wishes[NEED + kind] = max(float(wishes[NEED + kind]), number)
            wishes[EXTRA + kind] = max(float(wishes[EXTRA + kind]), SHARE_OF_TARGET * rate)
    if lacks == 0:
        wishes[BUILD] = max(float(wishes[BUILD]), rate)


# --- blueprints in the temples --------------------------------------------------------------------------------------


@rule
def wish_for_blueprints(s: State, t: Tables, p: int, skills: int, wishes: Floats) -> None:
    for temple in range(TEMPLES):
        for slot in range(GEARS * CARD_SLOTS):
            if may_take_blueprint(s, p, slot, temple):
                wishes[TEMPLE + temple] = max(float(wishes[TEMPLE + temple]), wish_for(s, t, p, slot, skills))


@rule
def wish_for(s: State, t: Tables, p: int, slot: int, skills: int) -> float:
    """What to take a blueprint is worth: a share of its own, by how much is still missing. One that lies face down
    (SCEN-12) may be any."""
    worth = blueprint_worth(slot // CARD_SLOTS, skills)
    if s.blueprints[slot].card == 0:
        return worth / BLUEPRINT_COST / 3.0
    return rate_of(s, t, p, slot, worth, True) * SHARE_OF_TARGET


# --- boards ---------------------------------------------------------------------------------------------------------


@rule
def fits_board(me: Player, gear: int, card: CardTable, is_blueprint: bool) -> bool:
    """Whether the pattern has room on the player's grid, turned somehow."""
    if gear == Gear.HELMET and is_blueprint and me.character == Character.DAISUKE:  # CHAR-71
        return False
    if gear == Gear.WEAPON:
        return weapon_fits(me, card)
    cells = open_cells(me, gear)
    return part_has_room(card, 0, rows_of(cells, gear), columns_of(cells, gear))


@rule
def weapon_fits(me: Player, card: CardTable) -> bool:
    cells = open_cells(me, Gear.WEAPON)
    rows, columns = rows_of(cells, Gear.WEAPON), columns_of(cells, Gear.WEAPON)
    right = columns - LEFT_COLUMNS
    if card.parts == PAIR:
        return right > 0 and most_one_handed(me) > 0 and pair_has_room(card, rows, right)
    cubes = card.needs[Cube.WOOD] + card.needs[Cube.METAL] + card.needs[Cube.TOOTH]
    if cubes <= most_two_handed(me) and (right > 0) and part_has_room(card, 0, rows, columns):
        return True
    return cubes <= most_one_handed(me) and part_has_room(card, 0, rows, max(LEFT_COLUMNS, right))


@rule
def pair_has_room(card: CardTable, rows: int, right: int) -> bool:
    for part in range(PAIR):
        if part_has_room(card, part, rows, LEFT_COLUMNS) and part_has_room(card, 1 - part, rows, right):
            return True
    return False


@rule
def part_has_room(card: CardTable, part: int, rows: int, columns: int) -> bool:
    for rotation in range(ROTATIONS):
        if card.height[part, rotation] <= rows and card.width[part, rotation] <= columns:
            return True
    return False


@rule
def columns_of(cells: int, gear: int) -> int:
    """Open cells of the first row."""
    return count_bits(cells & (bit(GEAR_WIDTH[gear]) - 1))


@rule
def rows_of(cells: int, gear: int) -> int:
    rows = 0
    for row in range(GEAR_HEIGHT[gear]):
        if (cells >> (row * GEAR_WIDTH[gear])) & 1 != 0:
            rows += 1
    return rows
