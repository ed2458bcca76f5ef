"""MATCH: whether a card's pattern, rotated by quarter turns, occurs in a gear; other cubes may surround it."""

from fujikoro_env.kernel.jit import rule
from fujikoro_env.kernel.masks import bit, count_bits
from fujikoro_env.rules.base.names import RESOURCE_KINDS, Gear
from fujikoro_env.rules.base.state import GEAR_HEIGHT, GEAR_WIDTH, GearGrid, Player
from fujikoro_env.rules.base.tables import ROTATIONS, CardTable
from fujikoro_env.rules.gear.cells import filled_cells
from fujikoro_env.rules.gear.weapon import LEFT, RIGHT, WEAPONS, weapon_in

PAIR = 2


@rule
def pattern_lies_at(card: CardTable, part: int, rotation: int, gear: GearGrid, within: int, shift: int) -> bool:
    """Whether a rotated part of the pattern, moved by the shift, matches the gear's cubes cell by cell (MATCH-1)."""
    for kind in range(RESOURCE_KINDS):
        if (card.cells[part, rotation, kind] << shift) & ~(gear.cubes[kind] & within) != 0:
            return False
    return True


@rule
def pattern_occurs(card: CardTable, part: int, kind_of_gear: int, gear: GearGrid, within: int) -> bool:
    """Whether a part of the pattern occurs within the given cells, rotated by 0, 90, 180 or 270 degrees but not
    mirrored (MATCH-1)."""
    for rotation in range(ROTATIONS):
        for row in range(GEAR_HEIGHT[kind_of_gear] - card.height[part, rotation] + 1):
            for column in range(GEAR_WIDTH[kind_of_gear] - card.width[part, rotation] + 1):
                shift = row * GEAR_WIDTH[kind_of_gear] + column
                if pattern_lies_at(card, part, rotation, gear, within, shift):
                    return True
    return False


@rule
def has_cubes_of(gear: GearGrid, card: CardTable) -> bool:
    """Whether the gear has enough cubes of each kind. This quick check rules most gear out."""
    for kind in range(RESOURCE_KINDS):
        if count_bits(gear.cubes[kind]) < card.needs[kind]:
            return False
    return True


@rule
def matching(me: Player, kind_of_gear: int, card: CardTable) -> int:
    """Return where gear matches a card: a bit per weapon slot, or bit 0 for helmet and sandals; 0 if it does not
    match."""
    gear = me.gear[kind_of_gear]
    if not has_cubes_of(gear, card):
        return 0
    if kind_of_gear != Gear.WEAPON:
        return 1 if pattern_occurs(card, 0, kind_of_gear, gear, filled_cells(gear)) else 0
    if card.parts == PAIR:
        return 3 if pair_matches(me, card) else 0
    slots = 0
    for slot in range(WEAPONS):
        piece = weapon_in(me, slot)
        if piece != 0 and pattern_occurs(card, 0, Gear.WEAPON, gear, piece):
            slots |= bit(slot)
    return slots


@rule
def pair_matches(me: Player, card: CardTable) -> bool:
    """Whether the two weapons match the two parts of the card, one each in either order (MATCH-2)."""
    left, right = weapon_in(me, LEFT), weapon_in(me, RIGHT)
    if left == 0 or right == 0:
        return False
    gear = me.gear[Gear.WEAPON]
    for part in range(PAIR):
        if pattern_occurs(card, part, Gear.WEAPON, gear, left) and pattern_occurs(
            card, 1 - part, Gear.WEAPON, gear, right
        ):
            return True
    return False
