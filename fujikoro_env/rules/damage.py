"""DMG: gear that pays for hits and lava, cube by cube of its owner's choice.

PAY keeps the gear in `thing` and the hits still to be covered in `left`.
"""

from fujikoro_env.rules.actions import CELL, FIRST_CELL, MAGIC
from fujikoro_env.rules.frames import pop, push, top
from fujikoro_env.rules.gearcells import filled_cells, kind_on
from fujikoro_env.rules.jit import Words, rule
from fujikoro_env.rules.masks import allow, bit, count_bits, has
from fujikoro_env.rules.names import Cube, Supply
from fujikoro_env.rules.phases import Phase
from fujikoro_env.rules.state import GEAR_CELLS, GearGrid, State


@rule
def worth(kind: int) -> int:
    """DMG-1, DMG-3: wood absorbs 1, metal 2, tooth 3, magic 4."""
    return kind + 1


@rule
def strength(gear: GearGrid) -> int:
    """All that a helmet or sandals can absorb."""
    total = 0
    for kind in range(3):
        total += worth(kind) * count_bits(gear.cubes[kind])
    if gear.magic != 0:
        total += worth(Cube.MAGIC)
    return total


@rule
def ask_payment(s: State, p: int, gear: int, hits: int) -> None:
    frame = push(s, Phase.PAY, p)
    frame.thing = gear
    frame.left = hits


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
def do_pay(s: State, action: int) -> None:
    """DMG-1: cube after cube until the hits are covered, and none beyond; what is overpaid is lost."""
    frame = top(s)
    gear = s.players[frame.actor].gear[frame.thing]
    if action >= MAGIC:
        kind = Cube.MAGIC + 0
        gear.magic = 0
        s.supply[Supply.MAGIC] += 1
    else:
        cell = action - CELL - FIRST_CELL[frame.thing]
        kind = kind_on(gear, cell)
        remove_cube(s, gear, kind, cell)
    frame.left -= worth(kind)
    if frame.left <= 0:
        pop(s)


@rule
def remove_cube(s: State, gear: GearGrid, kind: int, cell: int) -> None:
    gear.cubes[kind] &= ~bit(cell)
    s.supply[kind] += 1
