"""Needs of a smith: the gear card or blueprint with the best worth for what is missing, and what that makes other
things worth.

A target is a gear card of the display while the player has none of that type, or an owned blueprint that the gear does
not match yet. Cubes on the gear and in the pack are equally available, because crafting may rebuild the gear.
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

CARD_WORTH: Final = (3.0, 14.0, 4.0)  # of a gear card, by gear: the weapon card keeps scoring VP
BLUEPRINT_WORTH: Final = (2.0, 3.0, 2.0)  # of magic gear itself, by gear
MAGIC_WORTH: Final = 6.0  # what the palace pays for it, if the player gets there
MISSING_COST: Final = (1.0, 1.0, 3.0)  # actions needed to get a missing cube, roughly
BLUEPRINT_COST: Final = 2.0
SHARE_OF_TARGET: Final = 0.7  # share of a target's worth that a missing cube gets


@rule
def write_needs(s: State, t: Tables, p: int, skills: int, wishes: Floats) -> None:
    """Write the needs of the best gear card and the best blueprint, or that it can be built."""
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
    """Worth of building a blueprint; more for players who run for the palace."""
    return BLUEPRINT_WORTH[gear] + (MAGIC_WORTH if skills & RUNS != 0 else 0.0)


@rule
def card_in(s: State, t: Tables, slot: int, is_blueprint: bool) -> CardTable:
    """The gear card or blueprint in a slot."""
    if is_blueprint:
        return t.blueprints[s.blueprints[slot].card - 1]
    return t.gear_cards[s.gear_cards[slot].card - 1]


@rule
def is_open_card(s: State, p: int, slot: int) -> bool:
    """Whether a gear card is a target. Magic gear is not rebuilt for a card, except for a card that scores VP while
    there is time."""
    gear = slot // CARD_SLOTS
    if s.gear_cards[slot].where != Where.DISPLAY or has_gear_card(s.players[p], gear):
        return False
    return s.players[p].gear[gear].magic == 0 or (gear == Gear.WEAPON and s.final_player == 0)


@rule
def is_open_blueprint(s: State, p: int, slot: int) -> bool:
    """Whether the player owns the blueprint and has not built it yet."""
    return s.blueprints[slot].where == Where.OWNED + p and s.players[p].gear[slot // CARD_SLOTS].magic == 0


@rule
def rate_of(s: State, t: Tables, p: int, slot: int, worth: float, is_blueprint: bool) -> float:
    """VP of a target per action needed, roughly; 0 if the player's board has no room for it."""
    card, gear = card_in(s, t, slot, is_blueprint), slot // CARD_SLOTS
    if not fits_board(s.players[p], gear, card, is_blueprint):
        return 0.0
    return worth / missing_actions(s.players[p], gear, card)


@rule
def missing_actions(me: Player, gear: int, card: CardTable) -> float:
    """Number of actions to gather the missing cubes and to build, roughly."""
    actions = 1.0
    for kind in range(RESOURCE_KINDS):
        actions += MISSING_COST[kind] * missing(me, gear, card, kind)
    return actions


@rule
def missing(me: Player, gear: int, card: CardTable, kind: int) -> int:
    """Number of cubes of a kind that are missing for a target."""
    return max(0, card.needs[kind] - count_bits(me.gear[gear].cubes[kind]) - me.pack[kind])


@rule
def need_for(s: State, p: int, card: CardTable, gear: int, rate: float, wishes: Floats) -> None:
    """Make the missing cubes of a target worth more than others; if none is missing, write what building it is
    worth."""
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
    """Write the worth of the best blueprint of each temple."""
    for temple in range(TEMPLES):
        for slot in range(GEARS * CARD_SLOTS):
            if may_take_blueprint(s, p, slot, temple):
                wishes[TEMPLE + temple] = max(float(wishes[TEMPLE + temple]), wish_for(s, t, p, slot, skills))


@rule
def wish_for(s: State, t: Tables, p: int, slot: int, skills: int) -> float:
    """Worth of taking a blueprint: a share of what building it is worth. A face-down blueprint (SCEN-12) could be
    any."""
    worth = blueprint_worth(slot // CARD_SLOTS, skills)
    if s.blueprints[slot].card == 0:
        return worth / BLUEPRINT_COST / 3.0
    return rate_of(s, t, p, slot, worth, True) * SHARE_OF_TARGET


# --- boards ---------------------------------------------------------------------------------------------------------


@rule
def fits_board(me: Player, gear: int, card: CardTable, is_blueprint: bool) -> bool:
    """Whether the pattern fits on the player's grid in some rotation."""
    if gear == Gear.HELMET and is_blueprint and me.character == Character.DAISUKE:  # CHAR-71
        return False
    if gear == Gear.WEAPON:
        return weapon_fits(me, card)
    cells = open_cells(me, gear)
    return part_has_room(card, 0, rows_of(cells, gear), columns_of(cells, gear))


@rule
def weapon_fits(me: Player, card: CardTable) -> bool:
    """Whether the pattern of a weapon fits on the player's grid."""
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
    """Whether the two parts of a pair fit, one on each side."""
    for part in range(PAIR):
        if part_has_room(card, part, rows, LEFT_COLUMNS) and part_has_room(card, 1 - part, rows, right):
            return True
    return False


@rule
def part_has_room(card: CardTable, part: int, rows: int, columns: int) -> bool:
    """Whether a part fits in some rotation."""
    for rotation in range(ROTATIONS):
        if card.height[part, rotation] <= rows and card.width[part, rotation] <= columns:
            return True
    return False


@rule
def columns_of(cells: int, gear: int) -> int:
    """Number of open columns, counted in the first row."""
    return count_bits(cells & (bit(GEAR_WIDTH[gear]) - 1))


@rule
def rows_of(cells: int, gear: int) -> int:
    """Number of open rows."""
    rows = 0
    for row in range(GEAR_HEIGHT[gear]):
        if (cells >> (row * GEAR_WIDTH[gear])) & 1 != 0:
            rows += 1
    return rows
