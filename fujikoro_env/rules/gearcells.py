"""CRAFT-6: the grids of helmet, weapon and sandals, and which of their cells a player may use."""

from fujikoro_env.rules.jit import rule
from fujikoro_env.rules.masks import bit, count_bits
from fujikoro_env.rules.names import RESOURCE_KINDS, Cube, Gear, Spot, Supply
from fujikoro_env.rules.state import GEAR_WIDTH, GearGrid, Player, State


def _rectangle(gear: Gear, rows: int, first_column: int, columns: int) -> int:
    width = GEAR_WIDTH[gear]
    cells = [row * width + first_column + column for row in range(rows) for column in range(columns)]
    return sum(1 << cell for cell in cells)


HELMET_CELLS = _rectangle(Gear.HELMET, 2, 0, 4)
LEFT_PART = _rectangle(Gear.WEAPON, 5, 0, 5)
RIGHT_PART = _rectangle(Gear.WEAPON, 5, 5, 3)
SANDALS_CELLS = _rectangle(Gear.SANDALS, 1, 0, 3)


@rule
def open_cells(me: Player, gear: int) -> int:
    """The right part of the weapon grid needs the weapon monk (WEAP-3)."""
    if gear == Gear.HELMET:
        return HELMET_CELLS
    if gear == Gear.SANDALS:
        return SANDALS_CELLS
    if me.monks[Spot.WEAPON] > 0:
        return LEFT_PART | RIGHT_PART
    return LEFT_PART


@rule
def filled_cells(gear: GearGrid) -> int:
    return gear.cubes[Cube.WOOD] | gear.cubes[Cube.METAL] | gear.cubes[Cube.TOOTH]


@rule
def kind_on(gear: GearGrid, cell: int) -> int:
    """The resource on a cell, or -1."""
    for kind in range(3):
        if (gear.cubes[kind] >> cell) & 1 != 0:
            return kind
    return -1


@rule
def take_off(s: State, gear: GearGrid, kind: int, cell: int) -> None:
    """A cube goes from the gear to the supply."""
    gear.cubes[kind] &= ~bit(cell)
    s.supply[kind] += 1


@rule
def take_magic_off(s: State, gear: GearGrid) -> None:
    if gear.magic != 0:
        gear.magic = 0
        s.supply[Supply.MAGIC] += 1


@rule
def take_cells_off(s: State, gear: GearGrid, cells: int) -> None:
    """All cubes on these cells go to the supply."""
    for kind in range(RESOURCE_KINDS):
        s.supply[kind] += count_bits(gear.cubes[kind] & cells)
        gear.cubes[kind] &= ~cells
