"""Gear as rows of letters, a letter for a cube."""

from typing import Any, Final

from fujikoro_env.content.model import GEAR
from fujikoro_env.position.kinds import Kind, UnfitError, listed, members, short
from fujikoro_env.rules.base.names import Gear
from fujikoro_env.rules.base.state import GEAR_HEIGHT, GEAR_WIDTH
from fujikoro_env.rules.characters.boards import LEFT_PART

EMPTY: Final = "."
CUBE_LETTERS: Final = "WMT"
MARK: Final = "x"
FIRST_CELL: Final = 1  # as a bit set


def show_cubes(cubes: Any, gear: int, within: int) -> list[str]:
    """`cubes`: the cells of each kind. Only the rows and columns of the grid `within`, and of what lies outside it."""
    return _show_rows([int(cells) for cells in cubes], gear, CUBE_LETTERS, within)


def layout(gear: int) -> Kind:
    """Cubes on a gear."""
    return Kind(
        lambda cubes: show_cubes(cubes, gear, FIRST_CELL),
        lambda value: _read_rows(value, gear, CUBE_LETTERS),
        nothing=[0, 0, 0],
    )


def _show_rows(sets: list[int], gear: int, letters: str, within: int) -> list[str]:
    width, shown = GEAR_WIDTH[gear], members(within | sum(sets))
    columns, rows = max(cell % width for cell in shown) + 1, max(shown) // width + 1
    return ["".join(_letter(sets, letters, row * width + k) for k in range(columns)) for row in range(rows)]


def _letter(sets: list[int], letters: str, cell: int) -> str:
    return next((letter for letter, cells in zip(letters, sets, strict=True) if cells >> cell & 1), EMPTY)


def _read_rows(value: Any, gear: int, letters: str) -> list[int]:
    """Rows of letters as one bit set for each letter; rows may be short, and rows below may be left out."""
    found = [0] * len(letters)
    for row, line in enumerate(listed(value)):
        if not isinstance(line, str) or set(line) - {*letters, EMPTY}:
            raise UnfitError(f"{short(line)} is no row of the letters {', '.join(letters)} and {EMPTY}")
        for column, letter in enumerate(line):
            if letter != EMPTY:
                found[letters.index(letter)] |= _cell(gear, row, column)
    return found


def _cell(gear: int, row: int, column: int) -> int:
    """As a bit set."""
    if row >= GEAR_HEIGHT[gear] or column >= GEAR_WIDTH[gear]:
        raise UnfitError(f"row {row}, column {column} is outside the grid of the {GEAR[gear]} (CRAFT-6)")
    return 1 << row * GEAR_WIDTH[gear] + column


WEAPON_MARKS: Final = Kind(  # some cells of the weapon grid
    lambda cells: _show_rows([int(cells)], Gear.WEAPON, MARK, LEFT_PART),
    lambda value: _read_rows(value, Gear.WEAPON, MARK)[0],
    nothing=0,
)
