"""`one_blas_thread`: NumPy multiplies matrices with one thread for as long as a block runs.

The OpenBLAS of NumPy's wheels starts a thread for each core even for the small matrices of a policy. The threads wait
for each other actively, so on a machine that is busy with other work an answer takes 10 times as long and more. Games
are spread over processes instead.
"""

import ctypes
import os
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from functools import cache
from pathlib import Path
from typing import Final

import numpy as np

CHOSEN_BY_USER: Final = ("OPENBLAS_NUM_THREADS", "OMP_NUM_THREADS")  # a number of threads given there is kept
GET: Final = "scipy_openblas_get_num_threads64_"
SET: Final = "scipy_openblas_set_num_threads64_"
Threads = tuple[Callable[[], int], Callable[[int], None]]  # functions that read and set their number


@cache
def blas_threads() -> Threads | None:
    """The functions of the OpenBLAS that NumPy brings along; None if it uses another library, or the user chose."""
    if any(name in os.environ for name in CHOSEN_BY_USER):
        return None
    for path in (Path(np.__file__).parents[1] / "numpy.libs").glob("libscipy_openblas*"):
        try:
            library = ctypes.CDLL(str(path))  # the one that is loaded already
            return getattr(library, GET), getattr(library, SET)
        except (OSError, AttributeError):
            continue
    return None


@contextmanager
def one_blas_thread() -> Iterator[None]:
    """Use one thread inside the block, and as many as before after it, if the number can be set."""
    found = blas_threads()
    if found is None:
        yield
        return
    read, change = found
    before = read()
    change(1)
    try:
        yield
    finally:
        change(before)
