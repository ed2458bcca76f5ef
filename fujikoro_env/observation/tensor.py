"""The tensor observation: pictures and numbers, written directly into arrays of the caller.

All pictures of an observer lie in one row of bytes, and all numbers in one row of int16; the named arrays are views of
these rows.
"""

from dataclasses import dataclass
from typing import Any, Final, NamedTuple, cast

import numpy as np
from numpy.typing import NDArray

from fujikoro_env.kernel.batch_masks import widen
from fujikoro_env.kernel.jit import Bytes, ByteTable, IntArray, IntTable, ShortTable, WordTable, entry
from fujikoro_env.kernel.layout import Part, starts_of
from fujikoro_env.kernel.records import Records, zeros
from fujikoro_env.observation.fields import NUMBERS, PLANES
from fujikoro_env.observation.numbers import ALL_NUMBERS, write_numbers
from fujikoro_env.observation.planes import ALL_BYTES, Scenery, write_planes, write_planes_from_scenery
from fujikoro_env.rules.base.actions import ACTIONS, WORDS
from fujikoro_env.rules.base.arrays import GameArrays
from fujikoro_env.rules.base.state import State
from fujikoro_env.rules.base.tables import Tables

FIELDS: Final = PLANES + NUMBERS
NOBODY: Final = -1
STARTS: Final = {**starts_of(PLANES), **starts_of(NUMBERS)}


class TensorRows(NamedTuple):
    """Arrays into which compiled code writes tensor observations, one row for each game."""

    planes: ByteTable
    numbers: ShortTable


@entry
def observe_tensor(
    games: Records[State],
    tables: Records[Tables],
    observers: IntArray,
    first: int,
    last: int,
    all_seeing: bool,
    rows: TensorRows,
) -> int:
    """Write the observations of the games first to last - 1, one row each; zeros where the observer is NOBODY. With
    `all_seeing` they include what other players have looked at. Returns how many numbers were written to the last row.
    """
    written = 0
    for g in range(first, last):
        if observers[g] < 0:
            for k in range(ALL_BYTES):
                rows.planes[g][k] = 0
            for k in range(ALL_NUMBERS):
                rows.numbers[g][k] = 0
        else:
            write_planes(games[g], tables[0], observers[g], rows.planes[g])
            written = write_numbers(games[g], tables[0], observers[g], all_seeing, rows.numbers[g])
    return written


@dataclass(frozen=True)
class TensorArrays:
    """Arrays for the observations of `n` games: `arrays` are views of the two tables, by the names of the fields."""

    planes: NDArray[np.uint8]
    numbers: NDArray[np.int16]

    @classmethod
    def empty(cls, n: int) -> "TensorArrays":
        """Uninitialised arrays for `n` games."""
        return cls(np.empty((n, ALL_BYTES), np.uint8), np.empty((n, ALL_NUMBERS), np.int16))

    def __post_init__(self) -> None:
        n = len(self.planes)
        for name, table, dtype, width in (
            ("planes", self.planes, np.uint8, ALL_BYTES),
            ("numbers", self.numbers, np.int16, ALL_NUMBERS),
        ):
            if table.shape != (n, width) or table.dtype != dtype or not table.flags.c_contiguous:
                raise ValueError(f"{name}: a contiguous {dtype.__name__} array of shape {(n, width)} is needed")

    @property
    def rows(self) -> TensorRows:
        """The two tables, for compiled code."""
        return TensorRows(cast(Any, self.planes), cast(Any, self.numbers))

    @property
    def arrays(self) -> dict[str, NDArray[Any]]:
        """The named arrays of all fields, as views of the two tables."""
        return {
            **{part.name: _view(self.planes, part) for part in PLANES},
            **{part.name: _view(self.numbers, part) for part in NUMBERS},
        }


def _view(table: Any, part: Part) -> NDArray[Any]:
    start = STARTS[part.name]
    view: NDArray[Any] = table[:, start : start + part.width].reshape(len(table), *part.shape)
    return view


# One game. Every decision asks for an observation, so its arrays are made in the way that costs NumPy least: they are
# the fields of one block of memory. The numbers come first, so that they are aligned, then the pictures and the mask.
# One more field overlaps all the others; compiled code writes to it.

NUMBER_BYTES: Final = ALL_NUMBERS * np.dtype(np.int16).itemsize


@entry
def see_game(
    games: Records[State],
    tables: Records[Tables],
    masks: WordTable,
    player: int,
    words: IntTable,
    sceneries: Records[Scenery],
    seen: Bytes,
) -> int:
    """Write the observation of a player in the first game: the numbers, the pictures and the mask, one after the other.
    `words`: the games as int64."""
    memory: Any = seen
    numbers, pictures = memory[:NUMBER_BYTES].view(np.int16), memory[NUMBER_BYTES:]
    write_planes_from_scenery(games[0], tables[0], player, words[0], sceneries[0], pictures)
    widen(masks[0], pictures, ALL_BYTES, ACTIONS)
    return write_numbers(games[0], tables[0], player, False, numbers)


def _fields_in_memory() -> np.dtype[np.void]:
    places: dict[str, tuple[Any, tuple[int, ...], int]]
    places = {part.name: (np.uint8, part.shape, NUMBER_BYTES + STARTS[part.name]) for part in PLANES}
    places |= {part.name: (np.int16, part.shape, 2 * STARTS[part.name]) for part in NUMBERS}
    places["mask"] = (np.int8, (ACTIONS,), NUMBER_BYTES + ALL_BYTES)
    places["all"] = (np.uint8, (NUMBER_BYTES + ALL_BYTES + ACTIONS,), 0)
    formats = [np.dtype((kind, shape)) for kind, shape, _ in places.values()]
    return np.dtype({"names": [*places], "formats": formats, "offsets": [begin for _, _, begin in places.values()]})


_SEEN: Final = _fields_in_memory()
_MEMORY: Final = np.dtype((np.void, _SEEN.itemsize))  # np.empty with many fields is ten times slower
NO_MASK: Final[Any] = np.zeros((1, WORDS), np.uint32)


class Watcher:
    """Observes one game decision by decision. It keeps the scenery, because most of the pictures stay the same."""

    def __init__(self) -> None:
        self._sceneries: Any = zeros(Scenery, 1)

    def see(self, game: GameArrays, masks: Any, player: int) -> dict[str, Any]:
        """Observation of one player in one game, in new arrays: "observation", and "action_mask" with the actions that
        `masks` allow."""
        seen: Any = np.empty((), _MEMORY).getfield(_SEEN)
        see_game(game.games, game.tables, masks, player, game.words, self._sceneries, seen["all"])
        fields = {  # same as FIELDS; a literal, because filling a dictionary name by name takes three times as long
            "map": seen["map"],
            "gear": seen["gear"],
            "patterns": seen["patterns"],
            "players": seen["players"],
            "cards": seen["cards"],
            "tiles": seen["tiles"],
            "stacks": seen["stacks"],
            "dragons": seen["dragons"],
            "fight": seen["fight"],
            "fighters": seen["fighters"],
            "table": seen["table"],
            "turn": seen["turn"],
            "frames": seen["frames"],
            "rules": seen["rules"],
        }
        return {"observation": fields, "action_mask": seen["mask"]}

    def __reduce__(self) -> tuple[type["Watcher"], tuple[()]]:
        """Copy without the kept scenery, which is drawn again when needed."""
        return Watcher, ()
