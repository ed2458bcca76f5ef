"""Observations: what one player sees of a game, in two encodings. Both are the same for all player counts, scenarios
and settings, and both are made from the table in fields.py.

* `tensor`: a dictionary of arrays, one for each part of the table, and the map as a picture
* `compact`: one flat float32 vector of the same numbers, divided by their upper bounds, for small networks

Both are relative to the observer. They are written by compiled code, for many games at once. Nothing that the observer
can't see is written: no random generators, no loaded dice, and of the others' dice only those that are known.
"""

from functools import cache
from typing import TYPE_CHECKING, Any, Final

import numpy as np
from numpy.typing import NDArray

from fuji_env.content.model import GRID
from fuji_env.observation.fields import GRID_PART, MAP_PLANES, PARTS, STARTS, WIDTH
from fuji_env.observation.writer import Fractions, draw_maps, observe_all, observe_numbers, scale_rows
from fujikoro_env.kernel.text import quoted

if TYPE_CHECKING:
    from gymnasium.spaces import Box, Space

OBSERVATIONS: Final = ("tensor", "compact")
MAP: Final = "map"
NUMBER_PARTS: Final = tuple(part for part in PARTS if part is not GRID_PART)

__all__ = ["OBSERVATIONS", "PARTS", "WIDTH", "columns", "global_state", "observation_space", "observe", "observe_many"]

_NO_SCALES: Any = np.zeros(0, np.float32)
_NO_TABLE: Any = np.zeros((0, WIDTH), np.float32)
NO_FRACTIONS: Final = Fractions(0, _NO_SCALES, _NO_TABLE)  # for numbers that are not wanted as fractions


def checked_kind(kind: str) -> str:
    """Return the kind of observation if it exists, else raise a ValueError that lists the kinds."""
    if kind not in OBSERVATIONS:
        raise ValueError(f"observation {quoted(kind)}: allowed are {', '.join(map(repr, OBSERVATIONS))}")
    return kind


def observe(games: Any, tables: Any, player: int, kind: str = "tensor") -> Any:
    """Observation of one player in one game, or in that player's view of it. `games` is a batch of one record."""
    seen = observe_many(games, tables, np.array([player], np.int64), kind)
    return seen[0] if kind == "compact" else {name: array[0] for name, array in seen.items()}


def observe_many(games: Any, tables: Any, observers: Any, kind: str) -> Any:
    """Observations of many games, one row for each; zeros where the observer is below 0."""
    n = len(observers)
    rows: Any = np.zeros((n, WIDTH), np.int16)
    observe_numbers(games, tables, observers, 0, n, rows, NO_FRACTIONS)
    if checked_kind(kind) == "compact":
        out: Any = np.empty((n, WIDTH), np.float32)
        scale_rows(rows, scales(), 0, n, out)
        return out
    maps: Any = np.zeros((n, MAP_PLANES * GRID[0] * GRID[1]), np.uint8)
    draw_maps(games, tables, rows, 0, n, maps)
    return {MAP: maps.reshape(n, MAP_PLANES, *GRID), **parts_of(rows)}


def parts_of(rows: Any) -> dict[str, NDArray[np.int16]]:
    """Return the parts of rows as arrays that share their memory, without the map."""
    n = len(rows)
    return {
        part.name: rows[:, STARTS[part.name] : STARTS[part.name] + part.width].reshape(n, *part.shape)
        for part in NUMBER_PARTS
    }


@cache
def scales() -> Any:
    """What each number of the compact vector is multiplied by."""
    return np.concatenate([(1 / part.highs).ravel() for part in PARTS]).astype(np.float32)


def observation_space(kind: str = "tensor") -> "Space[Any]":
    """The observation space. It is the same for every player, player count and setting."""
    from gymnasium.spaces import Box, Dict

    if checked_kind(kind) == "compact":
        return Box(0.0, 1.0, (WIDTH,), np.float32)
    highs = np.concatenate([[1], GRID_PART.highs[0]]).astype(np.uint8)
    picture = np.broadcast_to(highs[:, None, None], (MAP_PLANES, *GRID))
    return Dict({MAP: Box(np.zeros_like(picture), picture, dtype=np.uint8), **{p.name: _box(p) for p in NUMBER_PARTS}})


def _box(part: Any) -> "Box":
    from gymnasium.spaces import Box

    return Box(part.lows.astype(np.int16), part.highs.astype(np.int16), part.shape, np.int16)


def global_state(games: Any, tables: Any) -> NDArray[np.float32]:
    """Everything in one game, with all dice open, as a vector like the compact observation of player 0."""
    rows: Any = np.zeros((1, WIDTH), np.int16)
    observe_all(games, tables, rows)
    out: Any = np.empty((1, WIDTH), np.float32)
    scale_rows(rows, scales(), 0, 1, out)
    vector: NDArray[np.float32] = out[0]
    return vector


def columns(part: str) -> dict[str, slice]:
    """Indices of each column in the last axis of a part; in the picture of the map, of each plane."""
    if part == MAP:
        return {"card": slice(0, 1), **{n: slice(w.start + 1, w.stop + 1) for n, w in GRID_PART.slices.items()}}
    return next(one for one in PARTS if one.name == part).slices
