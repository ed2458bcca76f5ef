"""Buffers for the observations of many games, and the writers that fill them."""

from typing import Any, ClassVar, Final

import numpy as np

from fuji_env.content.model import GRID
from fuji_env.observation import MAP, NO_FRACTIONS, parts_of, scales
from fuji_env.observation.fields import MAP_PLANES, WIDTH
from fuji_env.observation.writer import Fractions, draw_maps, observe_numbers
from fujikoro_env.kernel.batch import Looks, MakeLook
from fujikoro_env.kernel.buffers import NONE_GIVEN, Given, held


class CompactLook:
    """Compact observations."""

    names: ClassVar[tuple[str, ...]] = ("observations",)

    def __init__(self, n: int, given: Given = NONE_GIVEN) -> None:
        self._rows: Any = np.zeros((n, WIDTH), np.int16)
        self.seen: Any = held(given, "observations", (n, WIDTH), np.float32)

    def write(self, games: Any, tables: Any, observers: Any, first: int, last: int, workspace: Any) -> None:
        """Write the observations of the games first to last - 1."""
        observe_numbers(games, tables, observers, first, last, self._rows, Fractions(1, scales(), self.seen))

    def forget(self) -> None:
        """Nothing to do: every write is complete."""


class TensorLook:
    """Tensor observations."""

    names: ClassVar[tuple[str, ...]] = ("planes", "numbers")

    def __init__(self, n: int, given: Given = NONE_GIVEN) -> None:
        self._rows: Any = held(given, "numbers", (n, WIDTH), np.int16)
        self._maps: Any = held(given, "planes", (n, MAP_PLANES * GRID[0] * GRID[1]), np.uint8)
        self.seen: Any = {MAP: self._maps.reshape(n, MAP_PLANES, *GRID), **parts_of(self._rows)}

    def write(self, games: Any, tables: Any, observers: Any, first: int, last: int, workspace: Any) -> None:
        """Write the observations of the games first to last - 1."""
        observe_numbers(games, tables, observers, first, last, self._rows, NO_FRACTIONS)
        draw_maps(games, tables, self._rows, first, last, self._maps)

    def forget(self) -> None:
        """Nothing to do: every write is complete."""


KINDS: Final[dict[str, MakeLook]] = {"tensor": TensorLook, "compact": CompactLook}
LOOKS: Final = Looks(fresh=KINDS, kept=KINDS)
