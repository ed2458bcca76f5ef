"""Observations of a batch: the arrays that hold them, which the caller may provide, and who writes into them."""

from collections.abc import Mapping
from typing import Any, ClassVar, Final, Protocol, cast

import numpy as np
from numpy.typing import DTypeLike, NDArray

from fujikoro_env.observation import TensorArrays, checked_kind, kept_rows, words_of
from fujikoro_env.observation.compact import WIDTH, CompactRows, observe_compact
from fujikoro_env.observation.kept import OBSERVER
from fujikoro_env.observation.numbers import ALL_NUMBERS
from fujikoro_env.observation.planes import ALL_BYTES
from fujikoro_env.observation.tensor import observe_tensor

Given = Mapping[str, Any]  # arrays by name
NONE_GIVEN: Final[Given] = {}


class Look(Protocol):
    """Room for what is seen of n games."""

    seen: Any  # as users get it
    names: ClassVar[tuple[str, ...]]  # of its arrays

    def __init__(self, n: int, given: Given = ...) -> None: ...

    def write(self, games: Any, tables: Any, observers: Any, first: int, last: int, workspace: Any) -> None:
        """Write what is seen of the games first to last - 1. `workspace`: for this thread alone."""

    def forget(self) -> None:
        """Others may have written into it: write all of it next time."""


class CompactLook:
    names: ClassVar[tuple[str, ...]] = ("observations",)

    def __init__(self, n: int, given: Given = NONE_GIVEN) -> None:
        self.seen: Any = held(given, "observations", (n, WIDTH), np.float32)

    def write(self, games: Any, tables: Any, observers: Any, first: int, last: int, workspace: Any) -> None:
        rows = CompactRows(words_of(games), kept_rows(1), False, self.seen)
        observe_compact(games, tables, observers, first, last, rows, workspace)

    def forget(self) -> None:
        """All is written every time."""


class CompactFollower(CompactLook):
    """For games that are looked at again and again: rows are brought up to date, not written anew."""

    def __init__(self, n: int, given: Given = NONE_GIVEN) -> None:
        super().__init__(n, given)
        self._kept = kept_rows(n)

    def write(self, games: Any, tables: Any, observers: Any, first: int, last: int, workspace: Any) -> None:
        rows = CompactRows(words_of(games), self._kept, True, self.seen)
        observe_compact(games, tables, observers, first, last, rows, workspace)

    def forget(self) -> None:
        self._kept[:, OBSERVER] = 0


class TensorLook:
    names: ClassVar[tuple[str, ...]] = ("planes", "numbers")

    def __init__(self, n: int, given: Given = NONE_GIVEN) -> None:
        planes = held(given, "planes", (n, ALL_BYTES), np.uint8)
        arrays = TensorArrays(planes, held(given, "numbers", (n, ALL_NUMBERS), np.int16))
        self._rows, self.seen = arrays.rows, arrays.arrays

    def write(self, games: Any, tables: Any, observers: Any, first: int, last: int, workspace: Any) -> None:
        observe_tensor(games, tables, observers, first, last, False, self._rows)

    def forget(self) -> None:
        """All is written every time."""


LOOKS: Final[dict[str, type[Look]]] = {"compact": CompactLook, "tensor": TensorLook}
FOLLOWERS: Final[dict[str, type[Look]]] = {"compact": CompactFollower, "tensor": TensorLook}


def look_at(kind: str, n: int, out: Any = None) -> Look:
    """`out`: what to write into, an array for the compact observation and `TensorArrays` for the other."""
    if out is None:
        return LOOKS[checked_kind(kind)](n)
    try:
        if checked_kind(kind) == "compact":
            return CompactLook(n, {"observations": out})
        return TensorLook(n, {"planes": out.planes, "numbers": out.numbers})
    except AttributeError:
        raise ValueError(f"out: TensorArrays for {n} games are needed, not {type(out).__name__}") from None


def held(given: Given, name: str, shape: tuple[int, ...], dtype: DTypeLike) -> NDArray[Any]:
    """The array of this name that the caller gave, or one of our own."""
    if name not in given:
        return np.zeros(shape, dtype)
    array = given[name]
    fits = isinstance(array, np.ndarray) and array.shape == shape and array.dtype == dtype
    if not fits or not array.flags.carray:  # in order, aligned and writable
        needed = f"a writable C-contiguous {np.dtype(dtype)} array of the shape {shape} is needed"
        raise ValueError(f"{name}: {needed}, not {_description(array)}")
    return cast("NDArray[Any]", array)


def _description(given: Any) -> str:
    if not isinstance(given, np.ndarray):
        return type(given).__name__
    flaws = [word for word, flaw in (("read-only", not given.flags.writeable), ("strided", _strided(given))) if flaw]
    return " ".join([*flaws, f"{given.dtype} of the shape {given.shape}"])


def _strided(array: NDArray[Any]) -> bool:
    return not array.flags.c_contiguous
