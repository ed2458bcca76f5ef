"""Results of games as arrays: one row per game, one column per seat."""

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property

import numpy as np
from numpy.typing import NDArray

from fujikoro_training.tournament.match import Result
from fujikoro_training.tournament.schedule import Match


@dataclass(frozen=True)
class Finishes:
    """Everything that ratings need to know about games."""

    agents: NDArray[np.int64]  # (games, seats): agent in each seat
    ranks: NDArray[np.int64]  # (games, seats): 1 is first; ties share a rank
    blocks: NDArray[np.int64]  # (games,): block numbers from 0 without gaps
    number: int  # number of agents

    @property
    def seats(self) -> int:
        """Number of seats per game."""
        return int(self.agents.shape[1])

    @cached_property
    def block_count(self) -> int:
        """Number of blocks."""
        return int(self.blocks.max()) + 1 if len(self.blocks) else 0

    @cached_property
    def wins(self) -> NDArray[np.float64]:
        """Shares of the win, (games, seats): ties for first place share it. In co-op all shares may be 0."""
        first = self.ranks == 1
        shares: NDArray[np.float64] = first / np.maximum(1, first.sum(axis=1, keepdims=True))
        return shares


@dataclass(frozen=True)
class Games:
    """Games of whole blocks, in the order of the schedule."""

    labels: list[str]  # names of the agents in results
    matches: Sequence[Match]
    results: Sequence[Result]

    @cached_property
    def finishes(self) -> Finishes:
        """The games as arrays."""
        return Finishes(
            np.array([match.seats for match in self.matches]),
            np.array([result.ranks for result in self.results]),
            np.array([match.block for match in self.matches]),
            len(self.labels),
        )

    @property
    def wins(self) -> NDArray[np.float64]:
        """Shares of the win, (games, seats)."""
        return self.finishes.wins

    @cached_property
    def characters(self) -> NDArray[np.str_]:
        """Character in each seat, (games, seats)."""
        return np.array([result.characters for result in self.results])
