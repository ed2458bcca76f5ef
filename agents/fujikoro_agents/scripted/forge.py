"""Crafting for a co-op team: which gear to work on at a rest, and where its cubes go.

The blueprint that a samurai wants to build gets a place on the gear's grid, its layout. Cubes of the right kind go
there first, so that the gear becomes magic as soon as the last one is placed. Spare cubes go around them, for dice and
strength.
"""

from typing import Any, Final

import numpy as np

from fujikoro_agents.scripted.acting import NO_ANSWER
from fujikoro_agents.scripted.team import (
    ENOUGH_WOOD,
    NONE,
    is_pair,
    lacking,
    room_on_gear,
    target_of,
    wants,
    wood_of_use,
)
from fujikoro_env.kernel.jit import IntArray, Words, rule
from fujikoro_env.kernel.masks import allows, bit, count_bits, has
from fujikoro_env.rules.base import actions as act
from fujikoro_env.rules.base.frames import top
from fujikoro_env.rules.base.names import GEARS, RESOURCE_KINDS, Cube, Gear, Where
from fujikoro_env.rules.base.state import CARD_SLOTS, GEAR_CELLS, Frame, Player, State
from fujikoro_env.rules.base.tables import CardTable, Tables
from fujikoro_env.rules.characters.boards import LEFT_PART, open_cells
from fujikoro_env.rules.coop.coop import exit_is_open
from fujikoro_env.rules.gear.cards import has_gear_card
from fujikoro_env.rules.gear.cells import filled_cells
from fujikoro_env.rules.gear.magic import matching_blueprints
from fujikoro_env.rules.gear.match import PAIR
from fujikoro_env.rules.gear.placement import PLACEMENTS, fits_grid, part_cells
from fujikoro_env.rules.gear.weapon import (
    ONE_HANDED_WOOD,
    WEAPONS,
    is_legal_weapon,
    is_usable,
    length_of,
    spread,
    weapon_in,
)

FILLER: Final = 0.2  # factor on a cube of the wrong kind in the layout
LONGER: Final = 2.0  # for a cube that makes the weapon longer
NEVER: Final = -1000.0
STEP_OF_COST: Final = 32  # cost of a placement per cube in the way; less 1 for each cube already in place
OFFSET: Final = 16  # more than the cubes of a blueprint, so that rounding gives the cubes in the way
DOES_NOT_FIT: Final = 1000
COMPLETES: Final = 50.0
COMPLETES_SANDALS: Final = 45.0  # any three cubes: one more step with every move (MOVE-2)
CLAIMS: Final = 40.0
SANDALS_CUBES: Final = 3
MENDS: Final = 12.0  # repairing a weapon that can't fight
SPARE_WORTH: Final = (0.6, 2.0, 3.0, 1.0, 1.3, 1.7, 0.5, 0.5, 0.5)  # by gear and kind: metal is most useful in a helmet


# --- layouts --------------------------------------------------------------------------------------------------------


@rule
def find_layout(s: State, t: Tables, p: int, gear: int, layout: IntArray) -> int:
    """Write where the cubes of p's blueprint go, as bit sets by kind. Return the number of cubes in the way, or NONE if
    there is no blueprint or no room for it."""
    for kind in range(RESOURCE_KINDS):
        layout[kind] = 0
    slot = target_of(s, t, p, gear)
    if slot == NONE or not wants(s, t, p, gear):
        return NONE + 0
    card = t.blueprints[s.blueprints[slot].card - 1]
    if card.parts == PAIR:
        return find_pair_layout(s.players[p], card, layout)
    return find_part_layout(s.players[p], card, 0, gear, open_cells(s.players[p], gear), layout)


@rule
def find_part_layout(me: Player, card: CardTable, part: int, gear: int, within: int, layout: IntArray) -> int:
    """Find the placement with the fewest cubes in the way and, among those, with the most cubes already in place."""
    best, choice = DOES_NOT_FIT, NONE + 0
    for placement in range(PLACEMENTS):
        if fits_grid(card, part, placement, gear):
            cost = cost_of_placement(me, card, part, gear, within, placement)
            if cost < best:
                best, choice = cost, placement
    if choice == NONE:
        return NONE + 0
    for kind in range(RESOURCE_KINDS):
        layout[kind] |= part_cells(card, part, choice, kind)
    return (best + OFFSET) // STEP_OF_COST


@rule
def cost_of_placement(me: Player, card: CardTable, part: int, gear: int, within: int, placement: int) -> int:
    """STEP_OF_COST for each cube in the way, less the cubes already in place; DOES_NOT_FIT if the placement is
    impossible."""
    grid = me.gear[gear]
    filled, cost, cells = filled_cells(grid), 0, 0
    for kind in range(RESOURCE_KINDS):
        wanted = part_cells(card, part, placement, kind)
        if wanted & ~within != 0:
            return DOES_NOT_FIT + 0
        cost += STEP_OF_COST * count_bits(wanted & filled & ~grid.cubes[kind]) - count_bits(wanted & grid.cubes[kind])
        cells |= wanted
    if gear == Gear.WEAPON:
        if not is_legal_weapon(me, cells):
            return DOES_NOT_FIT + 0
        if filled & within != 0 and not is_legal_weapon(me, (filled & within) | cells):
            cost += STEP_OF_COST
    return cost


@rule
def find_pair_layout(me: Player, card: CardTable, layout: IntArray) -> int:
    """Place one part of a pair on the left and the other on the right, where they don't touch (MATCH-2)."""
    both = open_cells(me, Gear.WEAPON)
    if both & ~LEFT_PART == 0:
        return NONE + 0
    left = find_part_layout(me, card, 0, Gear.WEAPON, both & LEFT_PART, layout)
    if left == NONE:
        return NONE + 0
    beside = spread(layout[0] | layout[1] | layout[2])
    right = find_part_layout(me, card, 1, Gear.WEAPON, both & ~LEFT_PART & ~beside, layout)
    return NONE if right == NONE else left + right


# --- at a rest ------------------------------------------------------------------------------------------------------


@rule
def answer_rest(s: State, t: Tables, mask: Words) -> int:
    """Craft the gear that gains most; build a blueprint at once if possible."""
    p = int(top(s).actor)
    best, choice = 0.0, act.DONE + 0
    for gear in range(GEARS):
        if allows(mask, act.CRAFT + gear):
            worth = worth_of_craft(s, t, p, gear)
            card = card_to_claim(s, t, mask, gear) if worth < COMPLETES and not exit_is_open(s, t) else NO_ANSWER
            if card != NO_ANSWER:
                worth = max(worth, CLAIMS)
            if worth > best:
                best, choice = worth, craft_of(s, t, mask, p, gear) if card == NO_ANSWER else card
    return choice


@rule
def card_to_claim(s: State, t: Tables, mask: Words, gear: int) -> int:
    """A helmet or sandals card that can be claimed now (GEAR-1), or NO_ANSWER; for a helmet, metal is preferred to
    wood. Magic gear is not changed, and the look of a weapon card is worth little to a team."""
    best, is_magic = NO_ANSWER + 0, s.players[top(s).actor].gear[gear].magic != 0
    for slot in range(gear * CARD_SLOTS, (gear + 1) * CARD_SLOTS):
        of_use = gear != Gear.WEAPON and not is_magic and allows(mask, act.BUILD + slot)
        if of_use and (best == NO_ANSWER or t.gear_cards[s.gear_cards[slot].card - 1].resource == Cube.METAL + 1):
            best = act.BUILD + slot
    return best


@rule
def can_claim(s: State, t: Tables, p: int, gear: int) -> bool:
    """Whether the cubes for a gear card of the display are available, on the gear or in the pack."""
    me = s.players[p]
    if has_gear_card(me, gear) or me.gear[gear].magic != 0 or exit_is_open(s, t):
        return False
    for slot in range(gear * CARD_SLOTS, (gear + 1) * CARD_SLOTS):
        if s.gear_cards[slot].where == Where.DISPLAY:
            card, enough = t.gear_cards[s.gear_cards[slot].card - 1], True
            for kind in range(RESOURCE_KINDS):
                enough = enough and card.needs[kind] <= me.pack[kind] + count_bits(me.gear[gear].cubes[kind])
            if enough:
                return True
    return False


@rule
def craft_of(s: State, t: Tables, mask: Words, p: int, gear: int) -> int:
    """Return the action that crafts a gear: build its blueprint if that is possible."""
    slot = target_of(s, t, p, gear)
    if slot != NONE and allows(mask, act.BUILD_BLUEPRINT + slot) and matching_blueprints(s, t, p, gear) == 0:
        return act.BUILD_BLUEPRINT + slot
    return act.CRAFT + gear


@rule
def is_whole(s: State, t: Tables, p: int, gear: int) -> bool:
    """Whether all cubes of the blueprint are available, on the gear or in the pack."""
    slot = target_of(s, t, p, gear)
    if slot == NONE:
        return False
    for kind in range(RESOURCE_KINDS):
        if lacking(s, t, p, slot, kind) > s.players[p].pack[kind]:
            return False
    return True


@rule
def worth_of_craft(s: State, t: Tables, p: int, gear: int) -> float:
    """Worth of crafting a gear: magic, or else the worth of the cubes that can be placed."""
    layout: Any = np.zeros(RESOURCE_KINDS, np.int64)
    in_the_way = find_layout(s, t, p, gear, layout)
    matches = lies_there(s.players[p], gear, layout)
    wanted = wants(s, t, p, gear)
    if wanted and in_the_way != NONE and not matches and owns_target(s, t, p, gear) and is_whole(s, t, p, gear):
        return COMPLETES + (10.0 if gear == Gear.SANDALS else 0.0)
    if gear == Gear.WEAPON and can_mend_weapon(s, p):
        return MENDS + 0.0
    if gear == Gear.SANDALS and can_complete_sandals(s.players[p]) and not exit_is_open(s, t):
        return COMPLETES_SANDALS + 0.0
    room = room_on_gear(s, p, gear)
    if room == 0:
        return float(gain_by_better_cubes(s, t, p, gear))
    worth = 0.0
    for k in range(RESOURCE_KINDS):
        kind = RESOURCE_KINDS - 1 - k
        laid = min(room, spare_or_wanted(s, t, p, gear, kind, layout))
        worth += laid * SPARE_WORTH[gear * RESOURCE_KINDS + kind]
        room -= laid
    return worth


@rule
def can_complete_sandals(me: Player) -> bool:
    """Whether wood and metal of the pack are enough to complete the sandals."""
    laid = count_bits(filled_cells(me.gear[Gear.SANDALS]))
    return laid < SANDALS_CUBES <= laid + me.pack[Cube.WOOD] + me.pack[Cube.METAL]


@rule
def gain_by_better_cubes(s: State, t: Tables, p: int, gear: int) -> int:
    """Gain of full gear if spare metal and teeth replace the wood that it doesn't need, less the waste (CRAFT-2)."""
    if gear == Gear.SANDALS:
        return 0
    me = s.players[p]
    wood = count_bits(me.gear[gear].cubes[Cube.WOOD]) - wood_of_use(me, gear)
    slot = target_of(s, t, p, gear)
    if wants(s, t, p, gear) and slot != NONE:
        wood = min(
            wood, count_bits(me.gear[gear].cubes[Cube.WOOD]) - t.blueprints[s.blueprints[slot].card - 1].needs[0]
        )
    teeth = max(0, min(wood, spare_of(s, t, p, gear, Cube.TOOTH)))
    metal = max(0, min(wood - teeth, spare_of(s, t, p, gear, Cube.METAL)))
    return 2 * teeth + metal - 1


@rule
def can_mend_weapon(s: State, p: int) -> bool:
    """Whether a weapon can't fight for lack of wood (WEAP-5) and there is enough wood to rebuild all weapons."""
    me = s.players[p]
    useless, wood = 0, me.pack[Cube.WOOD] + count_bits(me.gear[Gear.WEAPON].cubes[Cube.WOOD])
    for slot in range(WEAPONS):
        cells = weapon_in(me, slot)
        if cells != 0:
            wood -= ONE_HANDED_WOOD
            useless += 0 if is_usable(me, cells) else 1
    return useless > 0 and wood >= 0


@rule
def owns_target(s: State, t: Tables, p: int, gear: int) -> bool:
    """Whether p owns the blueprint that it wants to build."""
    slot = target_of(s, t, p, gear)
    return slot != NONE and s.blueprints[slot].where == Where.OWNED + p


@rule
def lies_there(me: Player, gear: int, layout: IntArray) -> bool:
    """Whether all cubes of the layout are in place."""
    for kind in range(RESOURCE_KINDS):
        if layout[kind] & ~me.gear[gear].cubes[kind] != 0:
            return False
    return layout[0] | layout[1] | layout[2] != 0


@rule
def spare_or_wanted(s: State, t: Tables, p: int, gear: int, kind: int, layout: IntArray) -> int:
    """Number of cubes of a kind in the pack for this gear: those that its layout lacks, and those that nothing else
    needs."""
    me = s.players[p]
    lacks = count_bits(layout[kind] & ~filled_cells(me.gear[gear])) if wants(s, t, p, gear) else 0
    return min(int(me.pack[kind]), lacks + spare_of(s, t, p, gear, kind))


@rule
def spare_of(s: State, t: Tables, p: int, gear: int, kind: int) -> int:
    """Number of cubes of a kind in the pack that no blueprint needs. Before the way home, wood and metal for other gear
    are not reserved, because more can be gathered."""
    spare = s.players[p].pack[kind] + 0
    for other in range(GEARS):
        slot = target_of(s, t, p, other)
        reserved = other == gear or other == Gear.SANDALS or kind == Cube.TOOTH or exit_is_open(s, t)
        if reserved and wants(s, t, p, other) and slot != NONE and matching_blueprints(s, t, p, other) == 0:
            spare -= lacking(s, t, p, slot, kind)
    return max(0, spare)


# --- laying ---------------------------------------------------------------------------------------------------------


@rule
def answer_craft_way(s: State, t: Tables, mask: Words) -> int:
    """Rebuild the gear if that completes a blueprint that placed cubes block, or brings in better cubes; otherwise add
    to it."""
    frame = top(s)
    p, gear = int(frame.actor), int(frame.thing)
    layout: Any = np.zeros(RESOURCE_KINDS, np.int64)
    in_the_way = find_layout(s, t, p, gear, layout)
    anew = in_the_way > 0 and wants(s, t, p, gear) and owns_target(s, t, p, gear) and is_whole(s, t, p, gear)
    better = room_on_gear(s, p, gear) == 0 and gain_by_better_cubes(s, t, p, gear) > 1
    better = better or (gear == Gear.WEAPON and can_mend_weapon(s, p))
    if (anew or better) and allows(mask, act.REBUILD):
        return act.REBUILD + 0
    return act.ADD if allows(mask, act.ADD) else act.REBUILD


@rule
def answer_craft_lay(s: State, t: Tables, mask: Words) -> int:
    """Place the most valuable cube in the best cell; finish when no cube is worth placing."""
    frame = top(s)
    p, gear = int(frame.actor), int(frame.thing)
    layout: Any = np.zeros(RESOURCE_KINDS, np.int64)
    find_layout(s, t, p, gear, layout)
    best, choice = 0.0, act.DONE + 0
    for kind in range(RESOURCE_KINDS):
        worth = worth_of_cube(s, t, frame, kind)
        for cell in range(GEAR_CELLS[gear]):
            action = act.LAY + kind * act.CELLS + act.FIRST_CELL[gear] + cell
            if allows(mask, action):
                value = worth_of_lay(s.players[p], gear, kind, cell, layout, worth)
                if value > best:
                    best, choice = value, action
    return choice if allows(mask, choice) else NO_ANSWER


@rule
def worth_of_cube(s: State, t: Tables, frame: Frame, kind: int) -> float:
    """Worth of a spare cube on this gear."""
    if frame.thing == Gear.SANDALS and kind != Cube.TOOTH and not exit_is_open(s, t):
        return SPARE_WORTH[int(frame.thing) * RESOURCE_KINDS + kind]
    spare = frame.offer[kind] + spare_of(s, t, int(frame.actor), int(frame.thing), kind)
    return SPARE_WORTH[int(frame.thing) * RESOURCE_KINDS + kind] if spare > 0 else NEVER


@rule
def worth_of_lay(me: Player, gear: int, kind: int, cell: int, layout: IntArray, worth: float) -> float:
    """Worth of a cube in a cell. The layout comes first; a cube of the wrong kind may fill a gap in it, since
    rebuilding costs only one cube (CRAFT-2)."""
    for wanted in range(RESOURCE_KINDS):
        if has(layout[wanted], cell):
            return 10.0 if wanted == kind else FILLER * worth
    if gear != Gear.WEAPON or worth < 0.0:
        return worth
    return worth_on_weapon(me, kind, cell, layout, worth)


@rule
def worth_on_weapon(me: Player, kind: int, cell: int, layout: IntArray, worth: float) -> float:
    """Worth of a cube in a cell of the weapon: length before width, for the initiative (INIT-1); wood first; and close
    together, so that little falls off. A pair stays a pair (WEAP-4)."""
    grid = me.gear[Gear.WEAPON]
    filled = filled_cells(grid)
    part = LEFT_PART if has(LEFT_PART, cell) else ~LEFT_PART
    beside = spread(bit(cell)) & filled
    if beside & ~part != 0 and is_pair(layout[0] | layout[1] | layout[2]):
        return NEVER
    if kind == Cube.WOOD:
        wood = count_bits(grid.cubes[Cube.WOOD])
        worth += 3.0 if wood < ENOUGH_WOOD else 0.0
    if beside != 0 and length_of(filled | bit(cell)) > length_of(filled):
        worth += LONGER
    return worth + 0.3 * count_bits(beside)


@rule
def answer_waste(mask: Words) -> int:
    """Throw away the first resource allowed, in the order wood, metal, tooth."""
    for kind in range(RESOURCE_KINDS):
        if allows(mask, act.THROW + kind):
            return act.THROW + kind
    return NO_ANSWER


@rule
def answer_setup_cubes(s: State, t: Tables, mask: Words) -> int:
    """Place the first cubes in the layout of a blueprint that is in a temple, otherwise in a row."""
    frame = top(s)
    p, gear = int(frame.actor), int(frame.thing)
    layout: Any = np.zeros(RESOURCE_KINDS, np.int64)
    find_layout(s, t, p, gear, layout)
    best, choice = NEVER - 1.0, NO_ANSWER
    for kind in range(RESOURCE_KINDS):
        for cell in range(GEAR_CELLS[gear]):
            action = act.LAY + kind * act.CELLS + act.FIRST_CELL[gear] + cell
            if allows(mask, action):
                value = worth_of_lay(s.players[p], gear, kind, cell, layout, 1.0)
                if value > best:
                    best, choice = value, action
    return choice
