"""Finds where the pattern of a card can be laid with the cubes at hand; used by `build(card)` and by bots.

A placement of one part is rotation * SHIFTS + shift. A placement of a pair is that of the part in the left weapon, plus
PLACEMENTS times that of the other, plus SWAPPED if the second part is on the left.
"""

from fujikoro_env.kernel.jit import rule
from fujikoro_env.kernel.masks import count_bits
from fujikoro_env.rules.base.names import RESOURCE_KINDS, Gear
from fujikoro_env.rules.base.state import GEAR_HEIGHT, GEAR_WIDTH, Frame, GearGrid, Player
from fujikoro_env.rules.base.tables import ROTATIONS, CardTable
from fujikoro_env.rules.characters.boards import LEFT_PART, most_one_handed, open_cells
from fujikoro_env.rules.gear.cells import filled_cells
from fujikoro_env.rules.gear.match import PAIR
from fujikoro_env.rules.gear.weapon import first_piece, is_legal_weapon

SHIFTS = 64
PLACEMENTS = ROTATIONS * SHIFTS
SWAPPED = PLACEMENTS * PLACEMENTS
NOWHERE = -1


@rule
def cubes_at_hand(me: Player, frame: Frame, kind: int) -> int:
    """Return the number of cubes of a kind that were lifted off the gear or are in the pack."""
    return frame.offer[kind] + me.pack[kind]


@rule
def part_cells(card: CardTable, part: int, placement: int, kind: int) -> int:
    """Return the cells where a placement of a part needs cubes of a kind."""
    return card.cells[part, placement // SHIFTS, kind] << (placement % SHIFTS)


@rule
def fits_grid(card: CardTable, part: int, placement: int, gear: int) -> bool:
    """Whether the rotated pattern, moved by the shift, stays within the rows and columns of the grid."""
    rotation, shift = placement // SHIFTS, placement % SHIFTS
    row, column = shift // GEAR_WIDTH[gear], shift % GEAR_WIDTH[gear]
    return (
        row + card.height[part, rotation] <= GEAR_HEIGHT[gear]
        and column + card.width[part, rotation] <= GEAR_WIDTH[gear]
    )


@rule
def part_fits(card: CardTable, part: int, placement: int, gear: int, grid: GearGrid, within: int) -> bool:
    """Whether a part lies on usable cells only, and no cube of another kind is in the way."""
    if not fits_grid(card, part, placement, gear):
        return False
    filled = filled_cells(grid)
    for kind in range(RESOURCE_KINDS):
        cells = part_cells(card, part, placement, kind)
        if cells & ~within != 0 or cells & filled & ~grid.cubes[kind] != 0:
            return False
    return True


@rule
def left_part_of(placement: int) -> int:
    """Return the part of a pair that lies on the left."""
    return 1 if placement >= SWAPPED else 0


@rule
def pattern_cells(card: CardTable, placement: int, kind: int) -> int:
    """Return all cells where a placement needs cubes of a kind."""
    if card.parts != PAIR:
        return part_cells(card, 0, placement, kind)
    left = left_part_of(placement)
    both = placement % SWAPPED
    return part_cells(card, left, both % PLACEMENTS, kind) | part_cells(card, 1 - left, both // PLACEMENTS, kind)


@rule
def kept_cubes(card: CardTable, placement: int, grid: GearGrid) -> int:
    """Return how many cubes of the pattern are already in place; -1 if all are, because there is nothing to build."""
    kept, missing = 0, 0
    for kind in range(RESOURCE_KINDS):
        cells = pattern_cells(card, placement, kind)
        kept += count_bits(cells & grid.cubes[kind])
        missing += count_bits(cells & ~grid.cubes[kind])
    return kept if missing > 0 else NOWHERE


@rule
def can_be_laid(me: Player, frame: Frame, card: CardTable, placement: int) -> bool:
    """Whether the cubes are at hand, the gear is legal with them, and a pair remains two weapons (MATCH-2)."""
    grid = me.gear[frame.thing]
    cells = filled_cells(grid)
    for kind in range(RESOURCE_KINDS):
        wanted = pattern_cells(card, placement, kind)
        if count_bits(wanted & ~grid.cubes[kind]) > cubes_at_hand(me, frame, kind):
            return False
        cells |= wanted
    if frame.thing != Gear.WEAPON:
        return True
    return is_legal_weapon(me, cells) and (card.parts != PAIR or first_piece(cells) != cells)


@rule
def has_enough_cubes(me: Player, frame: Frame, card: CardTable) -> bool:
    """Whether the gear and the cubes at hand together have enough cubes of each kind. This is a quick check."""
    for kind in range(RESOURCE_KINDS):
        if card.needs[kind] > count_bits(me.gear[frame.thing].cubes[kind]) + cubes_at_hand(me, frame, kind):
            return False
    return True


@rule
def find_placement(me: Player, frame: Frame, card: CardTable) -> int:
    """Return the best placement on the gear of the frame: most cubes kept, then scan order; NOWHERE if there is
    none."""
    if not has_enough_cubes(me, frame, card):
        return NOWHERE
    if card.parts == PAIR:
        return find_pair(me, frame, card) if most_one_handed(me) > 0 else NOWHERE
    grid, within = me.gear[frame.thing], open_cells(me, frame.thing)
    best, most = NOWHERE, NOWHERE
    for placement in range(PLACEMENTS):
        if part_fits(card, 0, placement, frame.thing, grid, within):
            kept = kept_cubes(card, placement, grid)
            if kept > most and can_be_laid(me, frame, card, placement):
                best, most = placement, kept
    return best


@rule
def find_pair(me: Player, frame: Frame, card: CardTable) -> int:
    """Return the best placement of a pair: one part in each weapon, in either order, rotated independently
    (MATCH-2)."""
    grid, within = me.gear[frame.thing], open_cells(me, frame.thing)
    best, most = NOWHERE, NOWHERE
    for left in range(PAIR):
        for first in range(PLACEMENTS):
            if not part_fits(card, left, first, Gear.WEAPON, grid, within & LEFT_PART):
                continue
            for second in range(PLACEMENTS):
                if part_fits(card, 1 - left, second, Gear.WEAPON, grid, within & ~LEFT_PART):
                    placement = left * SWAPPED + second * PLACEMENTS + first
                    kept = kept_cubes(card, placement, grid)
                    if kept > most and can_be_laid(me, frame, card, placement):
                        best, most = placement, kept
    return best
