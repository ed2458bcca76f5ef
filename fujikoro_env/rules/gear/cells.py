"""Cubes on the cells of helmet, weapon and sandals. The player's board (characters/boards.py) defines the cells."""

from fujikoro_env.kernel.jit import rule
from fujikoro_env.kernel.masks import bit, count_bits
from fujikoro_env.rules.base.names import RESOURCE_KINDS, Cube, Supply
from fujikoro_env.rules.base.state import GearGrid, State


@rule
def filled_cells(gear: GearGrid) -> int:
    """Return the cells with cubes, as bits."""
    return gear.cubes[Cube.WOOD] | gear.cubes[Cube.METAL] | gear.cubes[Cube.TOOTH]


@rule
def kind_on(gear: GearGrid, cell: int) -> int:
    """Return the resource on a cell, or -1."""
    for kind in range(3):
        if (gear.cubes[kind] >> cell) & 1 != 0:
            return kind
    return -1


@rule
def take_off(s: State, gear: GearGrid, kind: int, cell: int) -> None:
    """Return a cube from the gear to the supply."""
    gear.cubes[kind] &= ~bit(cell)
    s.supply[kind] += 1


@rule
def take_magic_off(s: State, gear: GearGrid) -> None:
    """Return the magic cube of the gear, if any, to the supply."""
    if gear.magic != 0:
        gear.magic = 0
        s.supply[Supply.MAGIC] += 1


@rule
def take_cells_off(s: State, gear: GearGrid, cells: int) -> None:
    """Return all cubes on these cells to the supply."""
    for kind in range(RESOURCE_KINDS):
        s.supply[kind] += count_bits(gear.cubes[kind] & cells)
        gear.cubes[kind] &= ~cells
