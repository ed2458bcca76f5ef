"""Kinds of values: how a code of the record is written to the JSON and read back."""

import reprlib
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from enum import IntEnum
from typing import Final, Generic, TypeAlias, TypeVar

from fujikoro_env.content.model import GEAR
from fujikoro_env.rules.base.names import Gear
from fujikoro_env.rules.base.state import GEAR_HEIGHT, GEAR_WIDTH
from fujikoro_env.rules.characters.boards import LEFT_PART
from fujikoro_env.settings import is_whole_number

# What JSON can hold. Parsed lists and objects are `list` and `dict`; written values may have narrower types.
Json: TypeAlias = "bool | int | float | str | Sequence[Json] | Mapping[str, Json] | None"

Code = TypeVar("Code")  # value in the record: an integer, or a list of integers
Shown = TypeVar("Shown", covariant=True)  # value in the JSON
Item = TypeVar("Item")

MOST_NAMES_SAID: Final = 12  # in the message about an unknown name


class UnfitError(Exception):
    """Raised when a value can't be read; the message says why."""


@dataclass(frozen=True)
class Kind(Generic[Code, Shown]):
    """How a code of the record is written and read back. `nothing` is the code that is left out, if there is one."""

    show: Callable[[Code], Shown]
    read: Callable[[Json], Code]
    nothing: Code | None = None


# --- checking values ------------------------------------------------------------------------------------------------


def short(value: object) -> str:
    """The repr of a value, shortened for messages."""
    return reprlib.repr(value)


def whole(value: Json, low: int, high: int) -> int:
    """Return an integer from low to high, else raise `UnfitError`."""
    if not isinstance(value, int) or not is_whole_number(value) or not low <= value <= high:
        raise UnfitError(f"{short(value)} is not a whole number from {low} to {high}")
    return int(value)


def listed(value: Json) -> list[Json]:
    """Return a list, else raise `UnfitError`."""
    if not isinstance(value, list):
        raise UnfitError(f"{short(value)} is not a list")
    return value


def fit_in(items: list[Item], most: int) -> list[Item]:
    """Return the items if there are at most `most`, else raise `UnfitError`."""
    if len(items) > most:
        raise UnfitError(f"{len(items)} things, there is room for {most}")
    return items


def _different(value: Json, of: Kind[int, Shown], rule: str = "") -> list[int]:
    codes = [of.read(item) for item in listed(value)]
    if len(set(codes)) < len(codes):
        raise UnfitError(f"{short(value)} names something twice{rule}")
    return codes


def _read_flag(value: Json) -> int:
    if not isinstance(value, bool):
        raise UnfitError(f"{short(value)} is not true or false")
    return int(value)


# --- kinds ----------------------------------------------------------------------------------------------------------

FLAG: Final[Kind[int, bool]] = Kind(bool, _read_flag, nothing=0)


def number(low: int, high: int) -> Kind[int, int]:
    """An integer; 0 is left out."""
    return Kind(int, lambda value: whole(value, low, high), nothing=0)


def said_number(low: int, high: int) -> Kind[int, int]:
    """A number that is never left out."""
    return Kind(int, number(low, high).read)


def word(codes: dict[str, int], what: str = "name") -> Kind[int, str]:
    """One of several names. If the code 0 is one of them, it has a meaning and is not left out."""
    names = {code: name for name, code in codes.items()}

    def read(value: Json) -> int:
        if not isinstance(value, str) or value not in codes:
            known = list(codes)
            allowed = ", ".join(known[:MOST_NAMES_SAID]) + (", ..." if len(known) > MOST_NAMES_SAID else "")
            raise UnfitError(f"{short(value)} is no {what}: there are {allowed or 'none'}")
        return codes[value]

    return Kind(lambda code: names[int(code)], read, nothing=None if 0 in names else 0)


def or_null(of: Kind[int, Shown]) -> Kind[int, Shown | None]:
    """A value that is null for the code 0."""
    return Kind(
        lambda code: of.show(code) if code else None,
        lambda value: 0 if value is None else of.read(value),
    )


def series(of: Kind[Code, Shown], most: int) -> Kind[list[Code], list[Shown]]:
    """A list of values."""

    def read(value: Json) -> list[Code]:
        return fit_in([of.read(item) for item in listed(value)], most)

    return Kind(lambda codes: [of.show(code) for code in codes], read, nothing=[])


def bits(of: Kind[int, Shown]) -> Kind[int, list[Shown]]:
    """A bit set, written as a list of different values."""
    return Kind(
        lambda bit_set: [of.show(member) for member in members(bit_set)],
        lambda value: sum(1 << code for code in _different(value, of)),
        nothing=0,
    )


def pieces(codes: dict[str, int]) -> Kind[list[int], list[str]]:
    """A list of different pieces, each of which exists once."""
    one = word(codes)
    return Kind(series(one, len(codes)).show, lambda value: _different(value, one, " (SETUP-10)"), nothing=[])


def counts(names: tuple[str, ...], most: int, least: int = 0) -> Kind[list[int], dict[str, int]]:
    """An object with a count for each name."""

    def show(numbers: list[int]) -> dict[str, int]:
        return {name: int(n) for name, n in zip(names, numbers, strict=True) if n}

    def read(value: Json) -> list[int]:
        if not isinstance(value, dict):
            raise UnfitError(f"{short(value)} is not an object")
        if unknown := [name for name in value if name not in names]:
            raise UnfitError(f"{short(unknown[0])} is not one of {', '.join(names)}")
        return [whole(value.get(name, 0), least, most) for name in names]

    return Kind(show, read, nothing=[0] * len(names))


# --- codes ----------------------------------------------------------------------------------------------------------


def members(bit_set: int) -> list[int]:
    """The members of a bit set."""
    return [k for k in range(int(bit_set).bit_length()) if int(bit_set) >> k & 1]


def numbered(names: Iterable[str], first: int = 0) -> dict[str, int]:
    """Codes of names, counted from `first`."""
    return {name: code for code, name in enumerate(names, first)}


def codes_of(kinds: Iterable[IntEnum]) -> dict[str, int]:
    """The members of an enum by their names in the JSON."""
    return {kind.name.lower(): int(kind) for kind in kinds}


# --- gear as rows of letters, a letter for a cube -------------------------------------------------------------------

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
