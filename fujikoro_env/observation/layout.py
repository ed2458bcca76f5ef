"""How an observation is laid out: parts, their rows and their columns. Spaces, arrays and pages are made from these."""

from dataclasses import dataclass
from functools import cached_property

import numpy as np
from numpy.typing import NDArray


@dataclass(frozen=True)
class Column:
    """What a part tells of each of its rows: `width` whole numbers from `low` to `most`. In the compact vector they are
    divided by `most`, and cut off where they are more."""

    name: str
    doc: str
    most: int | tuple[int, ...] = 1  # one for all, or one for each number
    width: int = 1
    low: int = 0

    @property
    def highs(self) -> tuple[int, ...]:
        return self.most if isinstance(self.most, tuple) else (self.most,) * self.width


@dataclass(frozen=True)
class Part:
    """So many rows, each with all columns. With a `grid`, every number of a column is a picture of that shape."""

    name: str
    rows: int
    doc: str
    columns: tuple[Column, ...]
    grid: tuple[int, ...] = ()

    @cached_property
    def row_width(self) -> int:
        return sum(column.width for column in self.columns)

    @cached_property
    def shape(self) -> tuple[int, ...]:
        """Of its array: one row alone has no axis of its own."""
        rows = (self.rows,) if self.rows > 1 else ()
        return (*rows, self.row_width, *self.grid)

    @cached_property
    def width(self) -> int:
        """How many numbers there are in all."""
        return self.rows * self.row_width * int(np.prod(self.grid))

    @cached_property
    def slices(self) -> dict[str, slice]:
        """Where in a row each column is."""
        ends = np.cumsum([column.width for column in self.columns]).tolist()
        return {column.name: slice(end - column.width, end) for column, end in zip(self.columns, ends, strict=True)}

    @cached_property
    def highs(self) -> NDArray[np.int64]:
        return self._spread([high for column in self.columns for high in column.highs])

    @cached_property
    def lows(self) -> NDArray[np.int64]:
        return self._spread([column.low for column in self.columns for _ in range(column.width)])

    def _spread(self, by_column: list[int]) -> NDArray[np.int64]:
        """One number for each of a row, to all rows and over the grid."""
        values = np.array(by_column, np.int64).reshape(-1, *[1] * len(self.grid))
        return np.broadcast_to(values, self.shape)


def starts_of(parts: tuple[Part, ...]) -> dict[str, int]:
    """Where each part begins if they lie one after the other."""
    return {part.name: sum(before.width for before in parts[:index]) for index, part in enumerate(parts)}
