"""Flat records as typed classes: `vp: int = i16()`, `pack: Ints = i16s(3)`, `players: Records[Player] = many(Player)`.

A record class is a shape, not a thing to make: its `dtype` is a NumPy structured type, `zeros` makes a batch of them,
and the annotations are what a type checker sees when a rule says `s.players[p].vp += 1`.
"""

from functools import cache
from typing import Any, Generic, TypeVar, cast

import numpy as np

R = TypeVar("R")


class Records(Generic[R]):
    """What a type checker knows of an array of records; at run time it is a NumPy array."""

    shape: tuple[int, ...]

    def __getitem__(self, index: int) -> R:
        raise TypeError("only an annotation")

    def __len__(self) -> int:
        raise TypeError("only an annotation")


class Ints:
    """What a type checker knows of an array of integers inside a record."""

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
    """A number. Nothing narrower to calculate with: 8 bits overflow differently in Python and in machine code."""
    return cast(int, Field(np.int16))


def i64() -> int:
    """A bit set of at most 63 members, or a large number."""
    return cast(int, Field(np.int64))


def i8s(*shape: int) -> Ints:
    """Many small codes (-128 to 127) that are compared and copied but never calculated with."""
    return cast(Ints, Field(np.int8, shape))


def u8s(*shape: int) -> Ints:
    """Many bytes, which are compared and copied but never calculated with."""
    return cast(Ints, Field(np.uint8, shape))


def i16s(*shape: int) -> Ints:
    return cast(Ints, Field(np.int16, shape))


def u32s(*shape: int) -> Ints:
    """State words of random number generators."""
    return cast(Ints, Field(np.uint32, shape))


def i64s(*shape: int) -> Ints:
    return cast(Ints, Field(np.int64, shape))


def one(cls: type[R]) -> R:
    return cast(R, Field(dtype_of(cls)))


def many(cls: type[R], *shape: int) -> Records[R]:
    return cast(Records[R], Field(dtype_of(cls), shape))


def record(cls: type[R]) -> type[R]:
    """Give the class a NumPy dtype built from its fields."""
    fields = {name: value for name, value in vars(cls).items() if isinstance(value, Field)}
    if clash := [name for name in fields if hasattr(np.record, name)]:
        # `s.round` would mean np.record.round when the rules run as plain Python
        raise TypeError(f"{cls.__name__}: field names {clash} hide attributes of np.record")
    layout = [(name, field.dtype, field.shape) for name, field in fields.items()]
    cast(Any, cls).dtype = np.dtype(layout, align=True)
    return cls


def dtype_of(cls: type[Any]) -> np.dtype[Any]:
    return cast(np.dtype[Any], cast(Any, cls).dtype)


def zeros(cls: type[Any], count: int) -> Any:
    """A batch of records. np.record makes `batch[i].field` work in plain Python just as in compiled code."""
    return np.zeros(count, _record_dtype(dtype_of(cls)))


@cache
def _record_dtype(dtype: np.dtype[Any]) -> np.dtype[Any]:
    """The same object each time: numba compares types that are equal but not the same field by field, at every call."""
    return np.dtype((np.record, dtype))
