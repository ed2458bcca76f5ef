"""Kinds of values: how a code of the record is written to the JSON and read back."""

import reprlib
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from enum import IntEnum
from typing import Final, Generic, TypeAlias, TypeVar

from fujikoro_env.kernel.game import is_whole_number

# What JSON can hold. Parsed lists and objects are `list` and `dict`; written values may have narrower types.
Json: TypeAlias = "bool | int | float | str | Sequence[Json] | Mapping[str, Json] | None"

Code = TypeVar("Code")  # value in the record: an integer, or a list of integers
Shown = TypeVar("Shown", covariant=True)  # value in the JSON
Item = TypeVar("Item")

MOST_NAMES_SAID: Final = 12  # in the message about an unknown name


class UnfitError(Exception):
    """Raised when a value can't be read; the message says why."""


@dataclass(frozen=True)
class Kind(Generic[Code, Shown]):
    """How a code of the record is written and read back. `nothing` is the code that is left out, if there is one."""

    show: Callable[[Code], Shown]
    read: Callable[[Json], Code]
    nothing: Code | None = None


# --- checking values ------------------------------------------------------------------------------------------------


def short(value: object) -> str:
    """The repr of a value, shortened for messages."""
    return reprlib.repr(value)


def whole(value: Json, low: int, high: int) -> int:
    """Return an integer from low to high, else raise `UnfitError`."""
    if not isinstance(value, int) or not is_whole_number(value) or not low <= value <= high:
        raise UnfitError(f"{short(value)} is not a whole number from {low} to {high}")
    return int(value)


def listed(value: Json) -> list[Json]:
    """Return a list, else raise `UnfitError`."""
    if not isinstance(value, list):
        raise UnfitError(f"{short(value)} is not a list")
    return value


def fit_in(items: list[Item], most: int) -> list[Item]:
    """Return the items if there are at most `most`, else raise `UnfitError`."""
    if len(items) > most:
        raise UnfitError(f"{len(items)} things, there is room for {most}")
    return items


def _different(value: Json, of: Kind[int, Shown], rule: str = "") -> list[int]:
    codes = [of.read(item) for item in listed(value)]
    if len(set(codes)) < len(codes):
        raise UnfitError(f"{short(value)} names something twice{rule}")
    return codes


def _read_flag(value: Json) -> int:
    if not isinstance(value, bool):
        raise UnfitError(f"{short(value)} is not true or false")
    return int(value)


# --- kinds ----------------------------------------------------------------------------------------------------------

FLAG: Final[Kind[int, bool]] = Kind(bool, _read_flag, nothing=0)


def number(low: int, high: int) -> Kind[int, int]:
    """An integer; 0 is left out."""
    return Kind(int, lambda value: whole(value, low, high), nothing=0)


def said_number(low: int, high: int) -> Kind[int, int]:
    """A number that is never left out."""
    return Kind(int, number(low, high).read)


def word(codes: dict[str, int], what: str = "name") -> Kind[int, str]:
    """One of several names. If the code 0 is one of them, it has a meaning and is not left out."""
    names = {code: name for name, code in codes.items()}

    def read(value: Json) -> int:
        if not isinstance(value, str) or value not in codes:
            known = list(codes)
            allowed = ", ".join(known[:MOST_NAMES_SAID]) + (", ..." if len(known) > MOST_NAMES_SAID else "")
            raise UnfitError(f"{short(value)} is no {what}: there are {allowed or 'none'}")
        return codes[value]

    return Kind(lambda code: names[int(code)], read, nothing=None if 0 in names else 0)


def or_null(of: Kind[int, Shown]) -> Kind[int, Shown | None]:
    """A value that is null for the code 0."""
    return Kind(
        lambda code: of.show(code) if code else None,
        lambda value: 0 if value is None else of.read(value),
    )


def series(of: Kind[Code, Shown], most: int) -> Kind[list[Code], list[Shown]]:
    """A list of values."""

    def read(value: Json) -> list[Code]:
        return fit_in([of.read(item) for item in listed(value)], most)

    return Kind(lambda codes: [of.show(code) for code in codes], read, nothing=[])


def bits(of: Kind[int, Shown]) -> Kind[int, list[Shown]]:
    """A bit set, written as a list of different values."""
    return Kind(
        lambda bit_set: [of.show(member) for member in members(bit_set)],
        lambda value: sum(1 << code for code in _different(value, of)),
        nothing=0,
    )


def pieces(codes: dict[str, int], rule: str) -> Kind[list[int], list[str]]:
    """A list of different pieces, each of which exists once, as the rule says."""
    one = word(codes)
    return Kind(series(one, len(codes)).show, lambda value: _different(value, one, f" ({rule})"), nothing=[])


def counts(names: tuple[str, ...], most: int, least: int = 0) -> Kind[list[int], dict[str, int]]:
    """An object with a count for each name."""

    def show(numbers: list[int]) -> dict[str, int]:
        return {name: int(n) for name, n in zip(names, numbers, strict=True) if n}

    def read(value: Json) -> list[int]:
        if not isinstance(value, dict):
            raise UnfitError(f"{short(value)} is not an object")
        if unknown := [name for name in value if name not in names]:
            raise UnfitError(f"{short(unknown[0])} is not one of {', '.join(names)}")
        return [whole(value.get(name, 0), least, most) for name in names]

    return Kind(show, read, nothing=[0] * len(names))


# --- codes ----------------------------------------------------------------------------------------------------------


def members(bit_set: int) -> list[int]:
    """The members of a bit set."""
    return [k for k in range(int(bit_set).bit_length()) if int(bit_set) >> k & 1]


def numbered(names: Iterable[str], first: int = 0) -> dict[str, int]:
    """Codes of names, counted from `first`."""
    return {name: code for code, name in enumerate(names, first)}


def codes_of(kinds: Iterable[IntEnum]) -> dict[str, int]:
    """The members of an enum by their names in the JSON."""
    return {kind.name.lower(): int(kind) for kind in kinds}


# --- random streams -------------------------------------------------------------------------------------------------


def _show_hex_words(words: list[int]) -> str:
    return " ".join(f"{int(value):08x}" for value in words)


def _read_hex_words(value: Json) -> list[int]:
    words = value.split() if isinstance(value, str) else []
    try:
        numbers = [int(text, 16) for text in words]
    except ValueError:
        numbers = []
    if len(numbers) != 4 or not all(0 <= n < 1 << 32 for n in numbers):
        raise UnfitError(f"{short(value)} is not four hexadecimal words of 32 bits")
    return numbers


HEX_WORDS: Final = Kind(_show_hex_words, _read_hex_words, nothing=[0, 0, 0, 0])  # the state of a random stream
