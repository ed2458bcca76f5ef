"""The tensor observation: pictures and numbers, straight into the arrays of the caller.

All pictures of an observer lie in one row of bytes, all numbers in one row of int16; the named arrays are views of
them.
"""

from dataclasses import dataclass
from itertools import starmap
from typing import Any, Final

import numpy as np
from numpy.typing import NDArray

from fujikoro_env.observation.fields import NUMBERS, PLANES
from fujikoro_env.observation.layout import Part, starts_of
from fujikoro_env.observation.numbers import ALL_NUMBERS, write_numbers
from fujikoro_env.observation.planes import ALL_BYTES, write_planes
from fujikoro_env.rules.jit import ByteTable, IntArray, ShortTable, entry
from fujikoro_env.rules.records import Records
from fujikoro_env.rules.state import PLAYERS, State
from fujikoro_env.rules.tables import Tables

FIELDS: Final = PLANES + NUMBERS
NOBODY: Final = -1
STARTS: Final = {**starts_of(PLANES), **starts_of(NUMBERS)}


@entry
def observe_tensor(
    games: Records[State],
    tables: Records[Tables],
    observers: IntArray,
    first: int,
    last: int,
    all_seeing: bool,
    planes: ByteTable,
    numbers: ShortTable,
) -> int:
    """What the observer of each of the games first to last - 1 sees, a row each; NOBODY sees nothing but zeros. Who is
    `all_seeing` knows what others have looked at. Gives how many numbers were written to the last row."""
    written = 0
    for g in range(first, last):
        if observers[g] < 0:
            for k in range(ALL_BYTES):
                planes[g][k] = 0
            for k in range(ALL_NUMBERS):
                numbers[g][k] = 0
        else:
            write_planes(games[g], tables[0], observers[g], planes[g])
            written = write_numbers(games[g], tables[0], observers[g], all_seeing, numbers[g])
    return written


@dataclass(frozen=True)
class TensorArrays:
    """Room for the observations of `n` games: `arrays` are views of the two tables, by the names of the fields."""

    planes: NDArray[np.uint8]
    numbers: NDArray[np.int16]

    @classmethod
    def empty(cls, n: int) -> "TensorArrays":
        return cls(np.empty((n, ALL_BYTES), np.uint8), np.empty((n, ALL_NUMBERS), np.int16))

    def __post_init__(self) -> None:
        n = len(self.planes)
        for name, table, dtype, width in (
            ("planes", self.planes, np.uint8, ALL_BYTES),
            ("numbers", self.numbers, np.int16, ALL_NUMBERS),
        ):
            if table.shape != (n, width) or table.dtype != dtype or not table.flags.c_contiguous:
                raise ValueError(f"{name}: a contiguous {dtype.__name__} array of the shape {(n, width)} is needed")

    @property
    def arrays(self) -> dict[str, NDArray[Any]]:
        return {
            **{part.name: _view(self.planes, part) for part in PLANES},
            **{part.name: _view(self.numbers, part) for part in NUMBERS},
        }


def _view(table: Any, part: Part) -> NDArray[Any]:
    start = STARTS[part.name]
    view: NDArray[Any] = table[:, start : start + part.width].reshape(len(table), *part.shape)
    return view


# One game. Every decision asks for it, so the arrays are made as NumPy makes them fastest: all as fields of one piece of
# memory, which is numbers, then pictures (so that numbers are aligned), and is cut up by what was prepared here.
_Field = tuple[np.dtype[Any], int]  # what is there, with its shape, and where it begins
_NUMBER_BYTES: Final = ALL_NUMBERS * np.dtype(np.int16).itemsize
_MEMORY: Final = np.dtype((np.void, _NUMBER_BYTES + ALL_BYTES))
_NUMBER_TABLE: Final[_Field] = (np.dtype((np.int16, (1, ALL_NUMBERS))), 0)
_PLANE_TABLE: Final[_Field] = (np.dtype((np.uint8, (1, ALL_BYTES))), _NUMBER_BYTES)
_NAMES: Final = tuple(part.name for part in FIELDS)
_OBSERVERS: Final = tuple(np.array([player], np.int64) for player in range(PLAYERS))


def _field(part: Part) -> _Field:
    if part in PLANES:
        return np.dtype((np.uint8, part.shape)), _NUMBER_BYTES + STARTS[part.name]
    return np.dtype((np.int16, part.shape)), STARTS[part.name] * np.dtype(np.int16).itemsize


_FIELDS: Final = tuple(_field(part) for part in FIELDS)


def observe_one(games: Any, tables: Any, player: int) -> dict[str, NDArray[Any]]:
    """What one player sees of one game, in fresh arrays."""
    field: Any = np.empty((), _MEMORY).getfield
    observer: Any = _OBSERVERS[player]
    observe_tensor(games, tables, observer, 0, 1, False, field(*_PLANE_TABLE), field(*_NUMBER_TABLE))
    return dict(zip(_NAMES, starmap(field, _FIELDS), strict=True))
