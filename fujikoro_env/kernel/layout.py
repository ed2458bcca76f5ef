"""Layout of an observation: parts, their rows and columns. Spaces, arrays and documentation are made from these."""

from dataclasses import dataclass
from functools import cached_property

import numpy as np
from numpy.typing import NDArray


@dataclass(frozen=True)
class Column:
    """One quantity that a part has in each of its rows: `width` integers from `low` to `most`. In the compact vector
    they are divided by `most` and clipped at 1."""

    name: str
    doc: str
    most: int | tuple[int, ...] = 1  # upper bound, for all numbers or for each
    width: int = 1
    low: int = 0

    @property
    def highs(self) -> tuple[int, ...]:
        """Upper bound of each number."""
        return self.most if isinstance(self.most, tuple) else (self.most,) * self.width


@dataclass(frozen=True)
class Part:
    """A table of `rows` rows, each with all columns. With a `grid`, every number of a column is a picture of that
    shape."""

    name: str
    rows: int
    doc: str
    columns: tuple[Column, ...]
    grid: tuple[int, ...] = ()

    @cached_property
    def row_width(self) -> int:
        """Count of numbers in a row, or of pictures if there is a grid."""
        return sum(column.width for column in self.columns)

    @cached_property
    def shape(self) -> tuple[int, ...]:
        """Shape of the array. A single row has no axis of its own."""
        rows = (self.rows,) if self.rows > 1 else ()
        return (*rows, self.row_width, *self.grid)

    @cached_property
    def width(self) -> int:
        """Total count of numbers."""
        return self.rows * self.row_width * int(np.prod(self.grid))

    @cached_property
    def slices(self) -> dict[str, slice]:
        """Indices of each column within a row."""
        ends = np.cumsum([column.width for column in self.columns]).tolist()
        return {column.name: slice(end - column.width, end) for column, end in zip(self.columns, ends, strict=True)}

    @cached_property
    def highs(self) -> NDArray[np.int64]:
        """Upper bounds, in the shape of the array."""
        return self._spread([high for column in self.columns for high in column.highs])

    @cached_property
    def lows(self) -> NDArray[np.int64]:
        """Lower bounds, in the shape of the array."""
        return self._spread([column.low for column in self.columns for _ in range(column.width)])

    def _spread(self, by_column: list[int]) -> NDArray[np.int64]:
        """Spread one value for each number of a row to all rows and over the grid."""
        values = np.array(by_column, np.int64).reshape(-1, *[1] * len(self.grid))
        return np.broadcast_to(values, self.shape)


def starts_of(parts: tuple[Part, ...]) -> dict[str, int]:
    """Start index of each part, if they are laid out one after the other."""
    return {part.name: sum(before.width for before in parts[:index]) for index, part in enumerate(parts)}
