"""What was played, as arrays: a row for each game, a column for each seat."""

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property

import numpy as np
from numpy.typing import NDArray

from fujikoro_training.tournament.match import Result
from fujikoro_training.tournament.schedule import Match


@dataclass(frozen=True)
class Finishes:
    """All that ratings need to know of games."""

    agents: NDArray[np.int64]  # (games, seats): who sat there
    ranks: NDArray[np.int64]  # (games, seats): 1 for the first; those who tie share a rank
    blocks: NDArray[np.int64]  # (games,): numbers from 0, each at least once
    number: int  # of agents

    @property
    def seats(self) -> int:
        return int(self.agents.shape[1])

    @cached_property
    def block_count(self) -> int:
        return int(self.blocks.max()) + 1 if len(self.blocks) else 0

    @cached_property
    def wins(self) -> NDArray[np.float64]:
        """(games, seats): shares of the win; who ties for the first rank shares it. In co-op nobody may have won."""
        first = self.ranks == 1
        shares: NDArray[np.float64] = first / np.maximum(1, first.sum(axis=1, keepdims=True))
        return shares


@dataclass(frozen=True)
class Games:
    """Whole blocks, in the order of the schedule."""

    labels: list[str]  # of the agents
    matches: Sequence[Match]
    results: Sequence[Result]

    @cached_property
    def finishes(self) -> Finishes:
        return Finishes(
            np.array([match.seats for match in self.matches]),
            np.array([result.ranks for result in self.results]),
            np.array([match.block for match in self.matches]),
            len(self.labels),
        )

    @property
    def wins(self) -> NDArray[np.float64]:
        return self.finishes.wins

    @cached_property
    def characters(self) -> NDArray[np.str_]:
        """(games, seats)"""
        return np.array([result.characters for result in self.results])
