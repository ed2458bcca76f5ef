"""What a player sees of a game, in two encodings, each the same for all modes, player counts and settings.

`tensor`: a dictionary of pictures (the map on its lattice of hexagons, gear grids, patterns of cards) and of numbers.
It tells everything that is public. Tables: `fields.py`; every column is listed in docs/environment.md.
`compact`: one flat vector of float32, for small networks. Table: `compact.py`; listed in docs/compact.md.

Both are seat-relative: the observer is seat 0, and the others follow in playing order. Both are written by compiled
code, for many games at once and into given arrays if wanted. Nothing that the observer can't see is written: no source
of luck, no loaded dice or draws, and the top tile of a stack only for those who have looked at it.
"""

from typing import TYPE_CHECKING, Any, Final, cast

import numpy as np
from numpy.typing import NDArray

from fujikoro_env.observation import compact
from fujikoro_env.observation.fields import NUMBERS, PLANES
from fujikoro_env.observation.layout import Column, Part
from fujikoro_env.observation.reach import SCRATCH, WaysWorkspace
from fujikoro_env.observation.tensor import FIELDS, NO_MASK, TensorArrays, Watcher, observe_tensor
from fujikoro_env.rules.base.actions import ACTIONS
from fujikoro_env.rules.map.geometry import SPACES

if TYPE_CHECKING:
    from gymnasium.spaces import Box, Space

__all__ = [
    "FIELDS",
    "NO_MASK",
    "OBSERVATIONS",
    "Column",
    "Part",
    "TensorArrays",
    "Watcher",
    "columns",
    "compact_columns",
    "global_state",
    "mask_of_bits",
    "observation_space",
    "observe",
    "observe_compactly",
    "observe_tensors",
    "state_space",
]

OBSERVATIONS: Final = ("tensor", "compact")
FIRST_PLAYER: Final = 0


def observe(games: Any, tables: Any, player: int, kind: str = "tensor") -> Any:
    """What a player sees of one game, or of its view of it: `games` is a batch of one record."""
    observers = np.array([player], np.int64)
    if checked_kind(kind) == "compact":
        return observe_compactly(games, tables, observers)[0]
    return {name: array[0] for name, array in observe_tensors(games, tables, observers).items()}


def mask_of_bits(bits: NDArray[np.uint8], dtype: Any) -> NDArray[Any]:
    """(ACTIONS,) of a type of one byte: what the bits, in bytes, allow."""
    return np.unpackbits(bits, None, ACTIONS, "little").view(dtype)


def checked_kind(kind: str) -> str:
    if kind not in OBSERVATIONS:
        raise ValueError(f"observation {kind!r}: allowed are {', '.join(map(repr, OBSERVATIONS))}")
    return kind


def observation_space(kind: str = "tensor") -> "Space[Any]":
    """The same for every player, player count and setting."""
    from gymnasium.spaces import Box, Dict

    if checked_kind(kind) == "compact":
        return Box(compact_lows(), 1.0, (compact.WIDTH,), np.float32)
    pictures = {part.name: _box(part, np.uint8) for part in PLANES}
    numbers = {part.name: _box(part, np.int16) for part in NUMBERS}
    return Dict({**pictures, **numbers})


def _box(part: Part, dtype: type[np.integer[Any]]) -> "Box":
    from gymnasium.spaces import Box

    return Box(part.lows.astype(dtype), part.highs.astype(dtype), part.shape, dtype)


def compact_lows() -> NDArray[np.float32]:
    """The least that each number of the compact vector can be."""
    return np.concatenate([np.maximum(part.lows, -1).ravel() for part in compact.PARTS]).astype(np.float32)


# Many games


def observe_tensors(
    games: Any, tables: Any, observers: NDArray[np.int64], out: TensorArrays | None = None
) -> dict[str, NDArray[Any]]:
    """By field, a row for each game: what its observer sees; zeros for an observer below 0. `out`: to write into."""
    held = TensorArrays.empty(len(observers)) if out is None else out
    if len(held.planes) != len(observers):
        raise ValueError(f"out: room for {len(observers)} games is needed, this is for {len(held.planes)}")
    observe_tensor(games, tables, cast(Any, observers), 0, len(observers), False, held.rows)
    return held.arrays


def observe_compactly(
    games: Any, tables: Any, observers: NDArray[np.int64], out: NDArray[np.float32] | None = None
) -> NDArray[np.float32]:
    """(games, compact.WIDTH) float32, from -1 to 1: what the observer of each game sees; zeros for one below 0.
    `games`: records of games, or of views of them. `out`: an array to write into."""
    shape = (len(observers), compact.WIDTH)
    if out is None:
        out = np.empty(shape, np.float32)
    elif out.shape != shape or out.dtype != np.float32 or not out.flags.c_contiguous:
        raise ValueError(f"out: a contiguous float32 array of the shape {shape} is needed")
    rows = compact.CompactRows(words_of(games), kept_rows(1), False, cast(Any, out))
    compact.observe_compact(games, tables, cast(Any, observers), 0, shape[0], rows, new_workspace())
    return out


def new_workspace() -> compact.Workspace:
    """Arrays to write compact observations with; every thread needs its own."""
    raw: Any = np.zeros(compact.COUNTED, np.int16)
    spare: Any = np.zeros(compact.SEATS_WIDTH, np.float32)
    flags: Any = np.zeros(SPACES, np.uint8)
    rows: Any = np.zeros(SCRATCH, np.int64)
    return compact.Workspace(raw, spare, WaysWorkspace(flags, rows))


def words_of(games: Any) -> Any:
    """The same records as int64, a row for each."""
    return games.view(np.int64).reshape(len(games), -1)


def kept_rows(n: int) -> Any:
    """Room for what is kept of so many rows: nothing so far."""
    return np.zeros((n, compact.KEPT), np.int64)


# All that there is to know


def global_state(games: Any, tables: Any) -> NDArray[np.int16]:
    """For a critic that sees everything: the tensor of player 0, flat, with all that anybody has looked at. The order
    is that of `FIELDS`."""
    held = TensorArrays.empty(1)
    observe_tensor(games, tables, cast(Any, np.array([FIRST_PLAYER], np.int64)), 0, 1, True, held.rows)
    return np.concatenate([held.planes[0].astype(np.int16), held.numbers[0]])


def state_space() -> "Box":
    """Of `global_state`."""
    from gymnasium.spaces import Box

    lows, highs = (np.concatenate([bound(part).ravel() for part in FIELDS]) for bound in (_lows, _highs))
    return Box(lows.astype(np.int16), highs.astype(np.int16), dtype=np.int16)


def _lows(part: Part) -> NDArray[np.int64]:
    return part.lows


def _highs(part: Part) -> NDArray[np.int64]:
    return part.highs


# Where things are


def columns(field: str) -> dict[str, slice]:
    """Where the columns of a field of the tensor are: `seen["players"][:, columns("players")["vp"]]`."""
    return next(part.slices for part in FIELDS if part.name == field)


def compact_columns(part: str) -> dict[str, NDArray[np.intp]]:
    """Where the columns of a part of the vector are: `vector[compact_columns("players")["vp"]]`, a row for each row of
    the part and as wide as the column."""
    found = next(one for one in compact.PARTS if one.name == part)
    place = np.arange(found.width).reshape(found.rows, found.row_width) + compact.STARTS[part]
    return {name: place[:, where] for name, where in found.slices.items()}
