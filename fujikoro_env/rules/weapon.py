"""WEAPON: which layouts of cubes are weapons, by bit operations on the grid.

A cell is a bit: row * 10 + column. The left part is columns 0 to 4, the right part what follows (CRAFT-6).
"""

from fujikoro_env.rules.gearcells import LEFT_PART, open_cells
from fujikoro_env.rules.jit import rule
from fujikoro_env.rules.masks import count_bits
from fujikoro_env.rules.names import Gear
from fujikoro_env.rules.state import GEAR_CELLS, GEAR_HEIGHT, GEAR_WIDTH, Player

WIDTH = GEAR_WIDTH[Gear.WEAPON]
ALL_CELLS = (1 << GEAR_CELLS[Gear.WEAPON]) - 1
LAST_COLUMN = sum(1 << (row * WIDTH + WIDTH - 1) for row in range(GEAR_HEIGHT[Gear.WEAPON]))
NOT_LAST_COLUMN = ALL_CELLS & ~LAST_COLUMN
NOT_FIRST_COLUMN = ALL_CELLS & ~(LAST_COLUMN >> (WIDTH - 1))
ONE_HANDED_MOST = 8
TWO_HANDED_MOST = 12


@rule
def spread(cells: int) -> int:
    """The cells and all that touch them side by side."""
    sideways = ((cells & NOT_LAST_COLUMN) << 1) | ((cells & NOT_FIRST_COLUMN) >> 1)
    return (cells | sideways | (cells << WIDTH) | (cells >> WIDTH)) & ALL_CELLS


@rule
def piece_with(cells: int, seed: int) -> int:
    """All cells that hang together with the seed (WEAP-1)."""
    piece = seed
    grown = spread(piece) & cells
    while grown != piece:
        piece = grown
        grown = spread(piece) & cells
    return piece


@rule
def first_piece(cells: int) -> int:
    return piece_with(cells, cells & -cells)


@rule
def is_one_handed(piece: int) -> bool:
    """WEAP-2: within one part."""
    return piece & LEFT_PART == 0 or piece & ~LEFT_PART == 0


@rule
def is_legal_piece(piece: int) -> bool:
    """WEAP-2, WEAP-4: at most 8 cubes in one part, or at most 12 across both."""
    if is_one_handed(piece):
        return count_bits(piece) <= ONE_HANDED_MOST
    return count_bits(piece) <= TWO_HANDED_MOST


@rule
def is_legal_weapon(me: Player, cells: int) -> bool:
    """WEAP-1 to WEAP-6: nothing, one weapon, or two one-handed ones in different parts."""
    if cells & ~open_cells(me, Gear.WEAPON) != 0:
        return False
    if cells == 0:
        return True
    one = first_piece(cells)
    if not is_legal_piece(one):
        return False
    if one == cells:
        return True
    other = first_piece(cells & ~one)
    if one | other != cells or not is_legal_piece(other):
        return False
    return is_one_handed(one) and is_one_handed(other) and (one & LEFT_PART == 0) != (other & LEFT_PART == 0)
