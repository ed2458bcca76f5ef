"""Observations: what one player sees of a game, in two encodings. Both are the same for all modes, player counts and
settings.

* `tensor`: a dictionary of pictures (the map on its lattice of hexagons, gear grids, patterns of cards) and numbers. It
  contains everything that is public. `fields.py` has its table, and docs/environment.md lists every column.
* `compact`: one flat float32 vector, for small networks. `compact.py` has its table, and docs/compact.md lists every
  column.

Both are relative to the observer, who is seat 0; the other players follow in playing order. Both are written by
compiled code, for many games at once, into arrays of the caller if provided. Nothing that the observer can't see is
written: no random generators, no loaded dice or draws, and the top tile of a stack only for players who have looked at
it.
"""

import threading
from typing import TYPE_CHECKING, Any, Final, cast

import numpy as np
from numpy.typing import NDArray

from fujikoro_env.kernel.layout import Column, Part
from fujikoro_env.kernel.text import quoted
from fujikoro_env.observation import compact
from fujikoro_env.observation.fields import NUMBERS, PLANES
from fujikoro_env.observation.tensor import FIELDS, NO_MASK, TensorArrays, Watcher, observe_tensor

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
    "observation_space",
    "observe",
    "observe_compactly",
    "observe_tensors",
    "state_space",
]

OBSERVATIONS: Final = ("tensor", "compact")
FIRST_PLAYER: Final = 0


def observe(games: Any, tables: Any, player: int, kind: str = "tensor") -> Any:
    """Observation of one player in one game, or in that player's view of it. `games` is a batch of one record."""
    observers = np.array([player], np.int64)
    if checked_kind(kind) == "compact":
        return observe_compactly(games, tables, observers)[0]
    return {name: array[0] for name, array in observe_tensors(games, tables, observers).items()}


def checked_kind(kind: str) -> str:
    """Return the kind of observation if it exists, else raise a ValueError that lists the kinds."""
    if kind not in OBSERVATIONS:
        raise ValueError(f"observation {quoted(kind)}: allowed are {', '.join(map(repr, OBSERVATIONS))}")
    return kind


def observation_space(kind: str = "tensor") -> "Space[Any]":
    """The observation space. It is the same for every player, player count and setting."""
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
    """Lower bound of each number of the compact vector."""
    return np.concatenate([np.maximum(part.lows, -1).ravel() for part in compact.PARTS]).astype(np.float32)


# Many games


def observe_tensors(
    games: Any, tables: Any, observers: NDArray[np.int64], out: TensorArrays | None = None
) -> dict[str, NDArray[Any]]:
    """Tensor observations of many games: a dictionary of arrays by field, with one row for each game. The row is zero
    where the observer is below 0. `out`: arrays to write into."""
    held = TensorArrays.empty(len(observers)) if out is None else out
    if len(held.planes) != len(observers):
        raise ValueError(f"out: room for {len(observers)} games is needed, but it has room for {len(held.planes)}")
    observe_tensor(games, tables, cast(Any, observers), 0, len(observers), False, held.rows)
    return held.arrays


def observe_compactly(
    games: Any, tables: Any, observers: NDArray[np.int64], out: NDArray[np.float32] | None = None
) -> NDArray[np.float32]:
    """Compact observations of many games: (games, compact.WIDTH) float32, from -1 to 1. The row is zero where the
    observer is below 0. `games`: records of games, or of views. `out`: an array to write into."""
    shape = (len(observers), compact.WIDTH)
    if out is None:
        out = np.empty(shape, np.float32)
    elif out.shape != shape or out.dtype != np.float32 or not out.flags.c_contiguous:
        raise ValueError(f"out: a contiguous float32 array of shape {shape} is needed")
    rows = compact.CompactRows(words_of(games), _OWN.kept, False, cast(Any, out))
    compact.observe_compact(games, tables, cast(Any, observers), 0, shape[0], rows, _OWN.workspace)
    return out


def new_workspace() -> Any:
    """Scratch memory for writing compact observations; every thread needs its own."""
    return np.zeros(compact.WORKSPACE_WORDS, np.int64)


class _OwnWorkspace(threading.local):
    """Scratch memory of each thread for observing single games. Allocating it takes as long as an observation."""

    def __init__(self) -> None:
        self.workspace, self.kept = new_workspace(), kept_rows(1)


def words_of(games: Any) -> Any:
    """The same records as int64, one row each, sharing memory."""
    return games.view(np.int64).reshape(len(games), games.itemsize // 8)


def kept_rows(n: int) -> Any:
    """Empty cache for n rows: compact.py stores in it the data that each row was last written from."""
    return np.zeros((n, compact.KEPT), np.int64)


_OWN: Final = _OwnWorkspace()


# The global state


def global_state(games: Any, tables: Any) -> NDArray[np.int16]:
    """Input for a centralised critic: the flattened tensor of player 0, including everything that any player has looked
    at. The order is that of `FIELDS`."""
    held = TensorArrays.empty(1)
    observe_tensor(games, tables, cast(Any, np.array([FIRST_PLAYER], np.int64)), 0, 1, True, held.rows)
    return np.concatenate([held.planes[0].astype(np.int16), held.numbers[0]])


def state_space() -> "Box":
    """The space of `global_state`."""
    from gymnasium.spaces import Box

    lows, highs = (np.concatenate([bound(part).ravel() for part in FIELDS]) for bound in (_lows, _highs))
    return Box(lows.astype(np.int16), highs.astype(np.int16), dtype=np.int16)


def _lows(part: Part) -> NDArray[np.int64]:
    return part.lows


def _highs(part: Part) -> NDArray[np.int64]:
    return part.highs


# Finding columns


def columns(field: str) -> dict[str, slice]:
    """Indices of the columns of a tensor field: `seen["players"][:, columns("players")["vp"]]`."""
    return next(part.slices for part in FIELDS if part.name == field)


def compact_columns(part: str) -> dict[str, NDArray[np.intp]]:
    """Indices of the columns of a part of the compact vector: `vector[compact_columns("players")["vp"]]`. Each array
    has one row for each row of the part and is as wide as the column."""
    found = next(one for one in compact.PARTS if one.name == part)
    place = np.arange(found.width).reshape(found.rows, found.row_width) + compact.STARTS[part]
    return {name: place[:, where] for name, where in found.slices.items()}
