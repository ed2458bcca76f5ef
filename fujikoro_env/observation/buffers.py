"""Buffers for the observations of a batch: arrays, possibly provided by the caller, and the writers that fill them."""

from typing import Any, ClassVar, Final

import numpy as np

from fujikoro_env.kernel.batch import Looks
from fujikoro_env.kernel.buffers import NONE_GIVEN, Given, held
from fujikoro_env.observation import TensorArrays, kept_rows, new_workspace, words_of
from fujikoro_env.observation.compact import WIDTH, CompactRows, observe_compact
from fujikoro_env.observation.kept import OBSERVER
from fujikoro_env.observation.numbers import ALL_NUMBERS
from fujikoro_env.observation.planes import ALL_BYTES
from fujikoro_env.observation.tensor import observe_tensor


class CompactLook:
    """Compact observations that are written in full every time."""

    names: ClassVar[tuple[str, ...]] = ("observations",)

    def __init__(self, n: int, given: Given = NONE_GIVEN) -> None:
        self.seen: Any = held(given, "observations", (n, WIDTH), np.float32)

    def write(self, games: Any, tables: Any, observers: Any, first: int, last: int, workspace: Any) -> None:
        rows = CompactRows(words_of(games), kept_rows(1), False, self.seen)
        observe_compact(games, tables, observers, first, last, rows, workspace)

    def forget(self) -> None:
        """Nothing to do: every write is complete."""


class CompactFollower(CompactLook):
    """Compact observations that are updated in place, for games that are observed again and again."""

    def __init__(self, n: int, given: Given = NONE_GIVEN) -> None:
        super().__init__(n, given)
        self._kept = kept_rows(n)

    def write(self, games: Any, tables: Any, observers: Any, first: int, last: int, workspace: Any) -> None:
        rows = CompactRows(words_of(games), self._kept, True, self.seen)
        observe_compact(games, tables, observers, first, last, rows, workspace)

    def forget(self) -> None:
        self._kept[:, OBSERVER] = 0


class TensorLook:
    """Tensor observations."""

    names: ClassVar[tuple[str, ...]] = ("planes", "numbers")

    def __init__(self, n: int, given: Given = NONE_GIVEN) -> None:
        planes = held(given, "planes", (n, ALL_BYTES), np.uint8)
        arrays = TensorArrays(planes, held(given, "numbers", (n, ALL_NUMBERS), np.int16))
        self._rows, self.seen = arrays.rows, arrays.arrays

    def write(self, games: Any, tables: Any, observers: Any, first: int, last: int, workspace: Any) -> None:
        observe_tensor(games, tables, observers, first, last, False, self._rows)

    def forget(self) -> None:
        """Nothing to do: every write is complete."""


LOOKS: Final = Looks(
    fresh={"tensor": TensorLook, "compact": CompactLook},
    kept={"tensor": TensorLook, "compact": CompactFollower},
    workspace=new_workspace,
)
