"""Arrays of the caller that batches and observations write into."""

from collections.abc import Mapping
from typing import Any, Final, cast

import numpy as np
from numpy.typing import DTypeLike, NDArray

Given = Mapping[str, Any]  # arrays by name
NONE_GIVEN: Final[Given] = {}


def held(given: Given, name: str, shape: tuple[int, ...], dtype: DTypeLike) -> NDArray[Any]:
    """The caller's array of this name, after checking it, or a new one."""
    if name not in given:
        return np.zeros(shape, dtype)
    array = given[name]
    fits = isinstance(array, np.ndarray) and array.shape == shape and array.dtype == dtype
    if not fits or not array.flags.carray:  # C-contiguous, aligned and writable
        needed = f"a writable C-contiguous {np.dtype(dtype)} array of shape {shape} is needed"
        raise ValueError(f"{name}: {needed}, not {_description(array)}")
    return cast("NDArray[Any]", array)


def _description(given: Any) -> str:
    if not isinstance(given, np.ndarray):
        return type(given).__name__
    flaws = {"read-only": not given.flags.writeable, "strided": not given.flags.c_contiguous}
    return " ".join([*(word for word, flaw in flaws.items() if flaw), f"{given.dtype} of shape {given.shape}"])
