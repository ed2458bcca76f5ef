"""`NumberTable`: the observations of a game whose players see nothing but numbers, made from a table of parts.

Both encodings come from the same compiled writer: `tensor` is a dictionary with an array for each part, `compact` one
vector of the same numbers, divided by their upper bounds.
"""

from collections.abc import Callable
from dataclasses import dataclass
from functools import cached_property
from typing import TYPE_CHECKING, Any, Final

import numpy as np
from numpy.typing import NDArray

from fujikoro_env.kernel.batch import Look, Looks
from fujikoro_env.kernel.buffers import NONE_GIVEN, Given, held
from fujikoro_env.kernel.layout import Part, starts_of

if TYPE_CHECKING:
    from gymnasium.spaces import Space

TENSOR: Final = "tensor"
COMPACT: Final = "compact"


@dataclass(frozen=True)
class NumberTable:
    """The observations of a game. `write(games, tables, observers, first, last, rows)` is the compiled entry that
    writes the numbers of all parts, in their order, as int16; zeros where the observer is below 0."""

    parts: tuple[Part, ...]
    write: Callable[..., Any]

    @cached_property
    def width(self) -> int:
        """Count of all numbers."""
        return sum(part.width for part in self.parts)

    @cached_property
    def scales(self) -> NDArray[np.float32]:
        """Factor of each number in the compact vector."""
        return (1 / np.concatenate([part.highs.ravel() for part in self.parts])).astype(np.float32)

    @cached_property
    def looks(self) -> Looks:
        """The buffers for both kinds of observations."""
        kinds = {
            TENSOR: _NumberLooks(self, TENSOR, ("numbers",)),
            COMPACT: _NumberLooks(self, COMPACT, ("observations",)),
        }
        return Looks(fresh=kinds, kept=kinds)

    def space(self, kind: str = TENSOR) -> "Space[Any]":
        """The observation space."""
        from gymnasium.spaces import Box, Dict

        if self.looks.checked(kind) == COMPACT:
            lows = np.concatenate([part.lows.ravel() for part in self.parts]) * self.scales
            return Box(lows.astype(np.float32), 1.0, (self.width,), np.float32)
        bounds = {part.name: (part.lows.astype(np.int16), part.highs.astype(np.int16)) for part in self.parts}
        return Dict({part.name: Box(*bounds[part.name], part.shape, np.int16) for part in self.parts})

    def observe(self, games: Any, tables: Any, player: int, kind: str = TENSOR) -> Any:
        """Observation of one player in one game. `games` is a batch of one record."""
        look = self.looks.make(kind, 1)
        look.write(games, tables, np.array([player], np.int64), 0, 1, None)
        return look.seen[0] if kind == COMPACT else {name: array[0] for name, array in look.seen.items()}

    def arrays(self, rows: Any) -> dict[str, NDArray[np.int16]]:
        """The parts of rows as arrays that share their memory."""
        starts, n = starts_of(self.parts), len(rows)
        return {
            part.name: rows[:, starts[part.name] : starts[part.name] + part.width].reshape(n, *part.shape)
            for part in self.parts
        }


@dataclass(frozen=True)
class _NumberLooks:
    """Makes the buffers for a kind of observations."""

    table: NumberTable
    kind: str
    names: tuple[str, ...]

    def __call__(self, n: int, given: Given = NONE_GIVEN) -> Look:
        return NumberLook(self.table, self.kind == COMPACT, n, given)


class NumberLook:
    """Buffer for the observations of n games."""

    def __init__(self, table: NumberTable, is_compact: bool, n: int, given: Given) -> None:
        self._table, self._is_compact = table, is_compact
        self._rows: Any = held(NONE_GIVEN if is_compact else given, "numbers", (n, table.width), np.int16)
        vectors = held(given, "observations", (n, table.width), np.float32) if is_compact else None
        self.seen: Any = table.arrays(self._rows) if vectors is None else vectors

    def write(self, games: Any, tables: Any, observers: Any, first: int, last: int, workspace: Any) -> None:
        """Write the observations of the games first to last - 1."""
        self._table.write(games, tables, observers, first, last, self._rows)
        if self._is_compact:
            np.multiply(self._rows[first:last], self._table.scales, out=self.seen[first:last])

    def forget(self) -> None:
        """Nothing to do: every write is complete."""
