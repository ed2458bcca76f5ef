"""DMG: gear that pays for hits and lava, cube by cube of its owner's choice."""

from fujikoro_env.kernel.jit import Words, rule
from fujikoro_env.kernel.masks import allow, count_bits, has
from fujikoro_env.rules.base.actions import CELL, FIRST_CELL, MAGIC
from fujikoro_env.rules.base.frames import pop, push, top
from fujikoro_env.rules.base.names import RESOURCE_KINDS, Cube
from fujikoro_env.rules.base.phases import Phase
from fujikoro_env.rules.base.state import GEAR_CELLS, GearGrid, State
from fujikoro_env.rules.base.tables import Tables
from fujikoro_env.rules.gear.cells import filled_cells, kind_on, take_cells_off, take_magic_off, take_off
from fujikoro_env.rules.gear.magic import look_at_magic


@rule
def worth(kind: int) -> int:
    """DMG-1, DMG-3: wood absorbs 1, metal 2, tooth 3, magic 4."""
    return kind + 1


@rule
def strength(gear: GearGrid) -> int:
    """All that a helmet or sandals can absorb."""
    total = 0
    for kind in range(RESOURCE_KINDS):
        total += worth(kind) * count_bits(gear.cubes[kind])
    if gear.magic != 0:
        total += worth(Cube.MAGIC)
    return total


@rule
def absorb(s: State, p: int, gear: int, hits: int) -> bool:
    """DMG-1, DMG-2: hits come off the gear, by its owner's choice if there is one; whether it bears them."""
    grid = s.players[p].gear[gear]
    if hits > 0 and hits < strength(grid):
        frame = push(s, Phase.PAY, p)
        frame.thing = gear
        frame.left = hits
        return True
    bears = hits <= strength(grid)
    if hits > 0:
        take_cells_off(s, grid, filled_cells(grid))
        take_magic_off(s, grid)
    return bears


@rule
def legal_pay(s: State, mask: Words) -> None:
    frame = top(s)
    gear = s.players[frame.actor].gear[frame.thing]
    cells = filled_cells(gear)
    for cell in range(GEAR_CELLS[frame.thing]):
        if has(cells, cell):
            allow(mask, CELL + FIRST_CELL[frame.thing] + cell)
    if gear.magic != 0:
        allow(mask, MAGIC + frame.thing)


@rule
def do_pay(s: State, t: Tables, action: int) -> None:
    """DMG-1: cube after cube until the hits are covered, and none beyond. DMG-4: then the gear is looked at, once."""
    frame = top(s)
    p, gear = frame.actor, frame.thing
    frame.left -= give_up_cube(s, s.players[p].gear[gear], action, FIRST_CELL[gear])
    if frame.left <= 0:
        pop(s)
        look_at_magic(s, t, p, gear, True)


@rule
def give_up_cube(s: State, gear: GearGrid, action: int, first_cell: int) -> int:
    """Take the cube off; gives what it absorbs."""
    if action >= MAGIC:
        take_magic_off(s, gear)
        return worth(Cube.MAGIC)
    cell = action - CELL - first_cell
    kind = kind_on(gear, cell)
    take_off(s, gear, kind, cell)
    return worth(kind)
