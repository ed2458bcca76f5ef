"""Flat records as typed classes: `vp: int = i16()`, `pack: Ints = i16s(3)`, `players: Records[Player] = many(Player)`.

A record class describes a layout and is never instantiated. Its `dtype` is a NumPy structured type, `zeros` makes a
batch of records, and type checkers use the annotations in code such as `s.players[p].vp += 1`.
"""

from functools import cache
from typing import Any, Generic, TypeVar, cast

import numpy as np

R = TypeVar("R")


class Records(Generic[R]):
    """Type of an array of records, for type checkers; at run time it is a NumPy array."""

    shape: tuple[int, ...]

    def __getitem__(self, index: int) -> R:
        raise TypeError("only an annotation")

    def __len__(self) -> int:
        raise TypeError("only an annotation")


class Ints:
    """Type of an array of integers inside a record, for type checkers."""

    shape: tuple[int, ...]

    def __getitem__(self, index: int | tuple[int, ...]) -> int:
        raise TypeError("only an annotation")

    def __setitem__(self, index: int | tuple[int, ...], value: int) -> None:
        raise TypeError("only an annotation")

    def __len__(self) -> int:
        raise TypeError("only an annotation")


class Field:
    """One field of a record: a NumPy type and a shape."""

    def __init__(self, dtype: Any, shape: tuple[int, ...] = ()) -> None:
        self.dtype, self.shape = np.dtype(dtype), shape


def i16() -> int:
    """Declare a number. Narrower types are not used for arithmetic, because 8 bits overflow differently in Python and
    in machine code."""
    return cast(int, Field(np.int16))


def i64() -> int:
    """Declare a bit set of at most 63 members, or a large number."""
    return cast(int, Field(np.int64))


def i8s(*shape: int) -> Ints:
    """Declare an array of small codes (-128 to 127), which are compared and copied but not used in arithmetic."""
    return cast(Ints, Field(np.int8, shape))


def u8s(*shape: int) -> Ints:
    """Declare an array of bytes, which are compared and copied but not used in arithmetic."""
    return cast(Ints, Field(np.uint8, shape))


def i16s(*shape: int) -> Ints:
    """Declare an array of numbers."""
    return cast(Ints, Field(np.int16, shape))


def u32s(*shape: int) -> Ints:
    """Declare the state words of a random number generator."""
    return cast(Ints, Field(np.uint32, shape))


def i64s(*shape: int) -> Ints:
    """Declare an array of bit sets or large numbers."""
    return cast(Ints, Field(np.int64, shape))


def one(cls: type[R]) -> R:
    """Declare a nested record."""
    return cast(R, Field(dtype_of(cls)))


def many(cls: type[R], *shape: int) -> Records[R]:
    """Declare an array of nested records."""
    return cast(Records[R], Field(dtype_of(cls), shape))


def record(cls: type[R]) -> type[R]:
    """Class decorator that adds a NumPy `dtype` built from the fields."""
    fields = {name: value for name, value in vars(cls).items() if isinstance(value, Field)}
    if clash := [name for name in fields if hasattr(np.record, name)]:
        # in plain Python `s.round` would be np.record.round
        raise TypeError(f"{cls.__name__}: field names {clash} hide attributes of np.record")
    layout = [(name, field.dtype, field.shape) for name, field in fields.items()]
    cast(Any, cls).dtype = np.dtype(layout, align=True)
    return cls


def dtype_of(cls: type[Any]) -> np.dtype[Any]:
    """Return the NumPy dtype of a record class."""
    return cast(np.dtype[Any], cast(Any, cls).dtype)


def zeros(cls: type[Any], count: int) -> Any:
    """Return a batch of records filled with zeros. With np.record, `batch[i].field` works in plain Python as in
    compiled code."""
    return np.zeros(count, _record_dtype(dtype_of(cls)))


@cache
def _record_dtype(dtype: np.dtype[Any]) -> np.dtype[Any]:
    """Return the same object each time: numba compares equal dtypes that are not identical field by field, at every
    call."""
    return np.dtype((np.record, dtype))
