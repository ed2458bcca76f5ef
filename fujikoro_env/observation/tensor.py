"""The tensor observation: pictures and numbers, straight into the arrays of the caller.

All pictures of an observer lie in one row of bytes, all numbers in one row of int16; the named arrays are views of
them.
"""

from dataclasses import dataclass
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


# One game. Every decision asks for it, so its arrays are made in the way that costs NumPy least: they are the fields of
# one piece of memory, first the numbers, which are so aligned, then the pictures. Two more fields, which lie over the
# others, are the tables that are written to.


def _fields_in_memory() -> np.dtype[np.void]:
    begin_of_planes = ALL_NUMBERS * np.dtype(np.int16).itemsize
    places: dict[str, tuple[Any, tuple[int, ...], int]]
    places = {part.name: (np.uint8, part.shape, begin_of_planes + STARTS[part.name]) for part in PLANES}
    places |= {part.name: (np.int16, part.shape, 2 * STARTS[part.name]) for part in NUMBERS}
    places["all planes"] = (np.uint8, (1, ALL_BYTES), begin_of_planes)
    places["all numbers"] = (np.int16, (1, ALL_NUMBERS), 0)
    formats = [np.dtype((kind, shape)) for kind, shape, _ in places.values()]
    return np.dtype({"names": [*places], "formats": formats, "offsets": [begin for _, _, begin in places.values()]})


_SEEN: Final = _fields_in_memory()
_MEMORY: Final = np.dtype((np.void, _SEEN.itemsize))  # to make an array with many fields takes ten times as long
_NAMES: Final = tuple(part.name for part in FIELDS)
_OBSERVERS: Final[Any] = tuple(np.array([player], np.int64) for player in range(PLAYERS))


def observe_one(games: Any, tables: Any, player: int) -> dict[str, NDArray[Any]]:
    """What one player sees of one game, in fresh arrays."""
    seen: Any = np.empty((), _MEMORY).getfield(_SEEN)
    observe_tensor(games, tables, _OBSERVERS[player], 0, 1, False, seen["all planes"], seen["all numbers"])
    return {name: seen[name] for name in _NAMES}
