"""Checks that all numbers of a record lie within the bounds declared with its fields.

Compiled code uses the fields of a record as indices without checking them, so a record that comes from outside is
checked first. A `Layout` lists the numbers of a record, or of a part of it, with their bounds; `Bounds` holds several
layouts as arrays, and `first_outside` checks a record against some of them in a few microseconds.
"""

import sys
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cache
from typing import Any, NamedTuple

import numpy as np

from fujikoro_env.kernel.jit import Bytes, IntArray, Shorts, Words, entry
from fujikoro_env.kernel.records import Bound, Field, dtype_of, fields_of

NO_LIMITS: Mapping[Any, int] = {}
BYTE, SHORT, WORD = 1, 2, 4  # widths of numbers; all others have 8 bytes


@dataclass(frozen=True)
class Number:
    """A number in a record: its path, as in `players[2].vp`, where it lies, and its bounds."""

    path: str
    field: str  # the field that it belongs to, without indices: `vp`
    at: int  # offset in bytes
    width: int  # in bytes
    low: int
    high: Bound


Layout = tuple[Number, ...]


class Numbers(NamedTuple):
    """The memory of a record as numbers of each width."""

    bytes: Bytes
    shorts: Shorts
    words: Words
    longs: IntArray


class Bounds(NamedTuple):
    """Several layouts as arrays."""

    first: IntArray  # by layout: index of its first number below; at the end the number of all
    at: IntArray
    width: IntArray
    low: IntArray
    high: IntArray


@entry
def first_outside(record: Numbers, bounds: Bounds, layouts: IntArray, offsets: IntArray) -> int:
    """Check the parts of a record, each against one of the layouts and from an offset on. Returns -1 if all numbers are
    within their bounds, else part * (number of all numbers) + index of the first number that is not."""
    for part in range(len(layouts)):
        for k in range(bounds.first[layouts[part]], bounds.first[layouts[part] + 1]):
            at, width = offsets[part] + bounds.at[k], bounds.width[k]
            if width == BYTE:
                value = int(record.bytes[at])
            elif width == SHORT:
                value = int(record.shorts[at // SHORT])
            elif width == WORD:
                value = int(record.words[at // WORD])
            else:
                value = int(record.longs[at // 8])
            if value < bounds.low[k] or value > bounds.high[k]:
                return part * len(bounds.at) + k
    return -1


def numbers_of(batch: Any) -> Numbers:
    """Return the memory of the only record of a batch."""
    return Numbers(batch.view(np.uint8), batch.view(np.int16), batch.view(np.uint32), batch.view(np.int64))


def layout_of(cls: type[Any]) -> Layout:
    """Return the numbers of a record class that have bounds, in memory order. Bytes between the fields must be zero, or
    equal records would differ."""
    covered = np.zeros(dtype_of(cls).itemsize, bool)
    numbers = list(_numbers(cls, "", 0, covered))
    return (*numbers, *(Number("padding", "padding", int(at), BYTE, 0, 0) for at in np.flatnonzero(~covered)))


def _numbers(cls: type[Any], path: str, start: int, covered: Any) -> Iterator[Number]:
    layout: Any = dtype_of(cls).fields
    for name, field in fields_of(cls).items():
        width, at = field.dtype.itemsize, start + layout[name][1]
        for k, index in enumerate(np.ndindex(*field.shape)):
            where = path + name + (f"[{', '.join(map(str, index))}]" if index else "")
            if field.members is not None:
                yield from _numbers(field.members, where + ".", at + k * width, covered)
                continue
            covered[at + k * width : at + (k + 1) * width] = True
            high = _high(field, index)
            if high is not None:
                yield Number(where, name, at + k * width, width, field.low, high)


def _high(field: Field, index: tuple[int, ...]) -> Bound | None:
    return field.high[index[0]] if isinstance(field.high, tuple) else field.high


def bounds_of(layouts: Sequence[Layout], limits: Mapping[Any, int]) -> Bounds:
    """Return the bounds of several layouts. `limits` has the numbers that depend on the game."""
    ends = np.cumsum([0, *map(len, layouts)])
    numbers = [number for layout in layouts for number in layout]
    highs = (number.high if isinstance(number.high, int) else limits[number.high] for number in numbers)
    return Bounds(
        _array(ends),
        _array(number.at for number in numbers),
        _array(number.width for number in numbers),
        _array(number.low for number in numbers),
        _array(highs),
    )


def _array(numbers: Iterable[int]) -> Any:
    return np.array([*numbers], np.int64)


@cache
def _layout_and_bounds(cls: Any, limits: tuple[tuple[Any, int], ...]) -> tuple[Layout, Bounds]:
    layout = layout_of(cls)
    return layout, bounds_of((layout,), dict(limits))


def record_fault(cls: Any, batch: Any, limits: Mapping[Any, int] = NO_LIMITS) -> str:
    """Return which number of the only record of a batch is outside its bounds, in one line; "" if none is. `limits` has
    the bounds that depend on the game."""
    layout, bounds = _layout_and_bounds(cls, tuple(limits.items()))
    where: Any = np.zeros(1, np.int64)
    found = first_outside(numbers_of(batch), bounds, where, where)
    if found < 0:
        return ""
    number, low, high = layout[found], bounds.low[found], bounds.high[found]
    return f"{number.path} is {value_of(batch, number, 0)}, allowed is {low} to {high}"


def value_of(batch: Any, number: Number, offset: int) -> int:
    """Return the value of a number in the only record of a batch."""
    at = offset + number.at
    signed = number.low < 0 or number.width in (SHORT, 8)
    return int.from_bytes(batch.view(np.uint8)[at : at + number.width].tobytes(), sys.byteorder, signed=signed)
