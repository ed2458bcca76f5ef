"""Flat records as typed classes: `vp: int = i16()`, `pack: Ints = i16s(3)`, `players: Records[Player] = many(Player)`.

A record class describes a layout and is never instantiated. Its `dtype` is a NumPy structured type, `zeros` makes a
batch of records, and type checkers use the annotations in code such as `s.players[p].vp += 1`.

A field may declare its bounds: `at: int = i16(high=SPACES - 1)`. Compiled code relies on them without checking;
bounds.py checks records that come from outside.
"""

from collections.abc import Callable, Mapping
from enum import Enum
from operator import itemgetter
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


Bound = int | Enum  # an Enum stands for a number that depends on the game, such as its last player


class Field:
    """One field of a record: a NumPy type, a shape and the bounds of its numbers. `high` is None if any number will do;
    a tuple has the upper bounds along the first axis. `members` is the class of a nested record."""

    def __init__(
        self,
        dtype: Any,
        shape: tuple[int, ...] = (),
        *,
        low: int = 0,
        high: Bound | tuple[Bound, ...] | None = None,
        members: type[Any] | None = None,
    ) -> None:
        self.dtype, self.shape, self.low, self.high, self.members = np.dtype(dtype), shape, low, high, members
        self.with_attributes = self.dtype if members is None else _dtype_with_attributes(members)
        self.is_number = shape == () and members is None


def i16(*, low: int = 0, high: Bound | None = None) -> int:
    """Declare a number. Narrower types are not used for arithmetic, because 8 bits overflow differently in Python and
    in machine code."""
    return cast(int, Field(np.int16, low=low, high=high))


def i64(*, high: Bound | None = None) -> int:
    """Declare a bit set of at most 63 members, or a large number."""
    return cast(int, Field(np.int64, high=high))


def i8s(*shape: int, high: Bound | None = None) -> Ints:
    """Declare an array of small codes (-128 to 127), which are compared and copied but not used in arithmetic."""
    return cast(Ints, Field(np.int8, shape, high=high))


def u8s(*shape: int) -> Ints:
    """Declare an array of bytes, which are compared and copied but not used in arithmetic."""
    return cast(Ints, Field(np.uint8, shape))


def i16s(*shape: int, high: Bound | tuple[Bound, ...] | None = None) -> Ints:
    """Declare an array of numbers."""
    return cast(Ints, Field(np.int16, shape, high=high))


def u32s(*shape: int) -> Ints:
    """Declare the state words of a random number generator."""
    return cast(Ints, Field(np.uint32, shape))


def i64s(*shape: int, high: Bound | None = None) -> Ints:
    """Declare an array of bit sets or large numbers."""
    return cast(Ints, Field(np.int64, shape, high=high))


def one(cls: type[R]) -> R:
    """Declare a nested record."""
    return cast(R, Field(dtype_of(cls), members=cls))


def many(cls: type[R], *shape: int) -> Records[R]:
    """Declare an array of nested records."""
    return cast(Records[R], Field(dtype_of(cls), shape, members=cls))


def all_of(members: int) -> int:
    """Return the bit set with all of this many members: the upper bound of such sets."""
    return (1 << members) - 1


def record(cls: type[R]) -> type[R]:
    """Class decorator that adds a NumPy `dtype` built from the fields, and one whose elements have attributes."""
    fields = fields_of(cls)
    if clash := [name for name in fields if hasattr(np.void, name)]:
        # in plain Python `s.round` would be np.void.round
        raise TypeError(f"{cls.__name__}: field names {clash} hide attributes of np.void")
    described = cast(Any, cls)
    described.dtype = np.dtype([(name, field.dtype, field.shape) for name, field in fields.items()], align=True)
    described.Element = _element_class(cls, fields)
    described.dtype_with_attributes = np.dtype((described.Element, _same_layout(described.dtype, fields)))
    return cls


def fields_of(cls: type[Any]) -> Mapping[str, Field]:
    """Return the fields of a record class by name."""
    return {name: value for name, value in vars(cls).items() if isinstance(value, Field)}


def _element_class(cls: type[Any], fields: Mapping[str, Field]) -> type[np.void]:
    """Return the class of single records, whose fields are attributes in plain Python as in compiled code. Properties
    are several times faster than np.record, which catches an AttributeError before it looks for a field."""
    attributes = {name: _number(name) if field.is_number else _part(name) for name, field in fields.items()}
    where = {"__slots__": (), "__module__": cls.__module__, "__qualname__": f"{cls.__qualname__}.Element"}
    return type("Element", (np.void,), {**where, **attributes})


def _number(name: str) -> property:
    """Return the attribute of a single number. Read as `int`, it is as wide as in compiled code; and NumPy's numbers
    take ten times as long to compare with members of an IntEnum."""

    def read(record: Any) -> int:
        return int(record[name])

    return property(read, _writer(name))


def _part(name: str) -> property:
    """Return the attribute of an array or a nested record, which is not copied."""
    return property(itemgetter(name), _writer(name))


def _writer(name: str) -> Callable[[Any, Any], None]:
    def write(record: Any, value: Any) -> None:
        record[name] = value

    return write


def _same_layout(layout: np.dtype[Any], fields: Mapping[str, Field]) -> np.dtype[Any]:
    """Return the layout with attributes in nested records. Offsets are given, because NumPy forgets the alignment of a
    type when it gives it a class."""
    places: Any = layout.fields
    description: Any = {
        "names": list(fields),
        "formats": [(field.with_attributes, field.shape) for field in fields.values()],
        "offsets": [places[name][1] for name in fields],
        "itemsize": layout.itemsize,
    }
    same: np.dtype[Any] = np.dtype(description, align=True)
    return same


def dtype_of(cls: type[Any]) -> np.dtype[Any]:
    """Return the NumPy dtype of a record class."""
    return cast(np.dtype[Any], cast(Any, cls).dtype)


def zeros(cls: type[Any], count: int) -> Any:
    """Return a batch of records filled with zeros; `batch[i].field` works in plain Python as in compiled code."""
    return np.zeros(count, _dtype_with_attributes(cls))


def _dtype_with_attributes(cls: type[Any]) -> np.dtype[Any]:
    """Return the same object each time: numba compares equal dtypes that are not identical field by field, at every
    call."""
    return cast(np.dtype[Any], cast(Any, cls).dtype_with_attributes)
