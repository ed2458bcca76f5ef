"""Kinds of values of this game: gear as rows of letters, a letter for a cube."""

from typing import Final

from fujikoro_env.content.model import GEAR
from fujikoro_env.kernel.position.kinds import Json, Kind, UnfitError, listed, members, short
from fujikoro_env.rules.base.names import Gear
from fujikoro_env.rules.base.state import GEAR_HEIGHT, GEAR_WIDTH
from fujikoro_env.rules.characters.boards import LEFT_PART

EMPTY: Final = "."
CUBE_LETTERS: Final = "WMT"
MARK: Final = "x"
FIRST_CELL: Final = 1  # as a bit set


def show_cubes(cubes: list[int], gear: int, within: int) -> list[str]:
    """Rows of letters for the cubes on a gear. `cubes`: the cells of each kind. Only the rows and columns that are
    needed for the grid `within` and for cubes outside it are shown."""
    return _show_rows(cubes, gear, CUBE_LETTERS, within)


def layout(gear: int) -> Kind[list[int], list[str]]:
    """The cubes on a gear, as rows of letters."""
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


def _read_rows(value: Json, gear: int, letters: str) -> list[int]:
    """Parse rows of letters into one bit set for each letter. Rows may be short, and the last rows may be left out."""
    found = [0] * len(letters)
    for row, line in enumerate(listed(value)):
        if not isinstance(line, str) or set(line) - {*letters, EMPTY}:
            raise UnfitError(f"{short(line)} is no row of the letters {', '.join(letters)} and {EMPTY}")
        for column, letter in enumerate(line):
            if letter != EMPTY:
                found[letters.index(letter)] |= _cell(gear, row, column)
    return found


def _cell(gear: int, row: int, column: int) -> int:
    """A cell as a bit set."""
    if row >= GEAR_HEIGHT[gear] or column >= GEAR_WIDTH[gear]:
        raise UnfitError(f"row {row}, column {column} is outside the grid of the {GEAR[gear]} (CRAFT-6)")
    return 1 << row * GEAR_WIDTH[gear] + column


WEAPON_MARKS: Final[Kind[int, list[str]]] = Kind(  # cells of the weapon grid
    lambda cells: _show_rows([int(cells)], Gear.WEAPON, MARK, LEFT_PART),
    lambda value: _read_rows(value, Gear.WEAPON, MARK)[0],
    nothing=0,
)
