"""Matches of one policy against fixed opponents, on mirrored seeds.

Every seed is played once for each seat of the policy, so that seats and luck even out. Intervals are computed by seed,
because the games of a seed are not independent. In co-op, opponents are partners.
"""

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any, Final

import numpy as np
from numpy.typing import NDArray

from fujikoro_env.envs.batch import BatchedGames
from fujikoro_env.envs.policies import BatchPolicy, Opponent, Which, batch_policy, begin_games
from fujikoro_env.envs.seats import play_out
from fujikoro_env.rules.base.names import Reason
from fujikoro_env.settings import Rules
from fujikoro_training.intervals import wilson

ITSELF: Final = "self"  # as an opponent: the policy plays all seats
AT_ONCE: Final = 1024  # games played side by side
MOST_KEPT: Final = 4  # games of a match whose actions are kept


@dataclass(frozen=True)
class Match:
    """Result of a match: the policy's share of the wins with its 95 % interval, and its mean lead in VP over the others
    (0 where there are no VP)."""

    opponent: str
    games: int
    share: float
    low: float
    high: float
    lead: float

    def __str__(self) -> str:
        return f"{self.share:.1%} ({self.low:.1%} to {self.high:.1%}) against {self.opponent}"


@dataclass(frozen=True)
class KeptGame:
    """The actions of one game of a match."""

    seed: int
    seat: int  # of the policy
    actions: list[int]


def play_match(
    policy: Opponent,
    opponent: str,
    rules: Any,
    games: int,
    seed: int,
    batches: Any = BatchedGames,
    keep: Callable[[KeptGame], None] | None = None,
) -> Match:
    """Play at least this many games, in whole blocks of one game for each seat, from consecutive seeds. `keep` is
    called with each of the first four games."""
    seats = 1 if opponent == ITSELF else rules.players
    blocks = -(-games // seats)
    wins, leads = np.zeros((blocks, seats)), np.zeros((blocks, seats))
    at_once = max(1, AT_ONCE // seats)
    for first in range(0, blocks, at_once):
        some = np.arange(first, min(first + at_once, blocks))
        noted = Noted(min(MOST_KEPT, len(some) * seats) if keep and first == 0 else 0)
        wins[some], leads[some] = _block_results(policy, opponent, rules, seed + some, seats, batches, noted)
        for game, actions in enumerate(noted.actions):
            assert keep is not None
            keep(KeptGame(seed + game // seats, game % seats, actions))
    low, high = share_interval(wins)
    return Match(opponent, wins.size, float(wins.mean()), low, high, float(leads.mean()))


def _block_results(
    policy: Opponent, opponent: str, rules: Any, seeds: Any, seats: int, batches: Any, noted: "Noted"
) -> tuple[Any, Any]:
    seat = np.tile(np.arange(seats), len(seeds))
    if opponent == ITSELF:
        seating = np.zeros((len(seat), rules.players), np.int64)
    else:
        seating = (np.arange(rules.players) != seat[:, None]).astype(np.int64)
    others: list[Opponent] = [] if opponent == ITSELF else [opponent]
    ended = play_out(rules, np.repeat(seeds, seats), noted.all_of([policy, *others]), seating, batches=batches)
    shape = (len(seeds), seats)
    return wins_of(ended, seat).reshape(shape), leads_of(ended, seat).reshape(shape)


class Noted:
    """The actions of the first games of a batch."""

    def __init__(self, games: int) -> None:
        self.actions: list[list[int]] = [[] for _ in range(games)]

    def all_of(self, policies: Sequence[Opponent]) -> list[Opponent]:
        """Policies that play as these do, and note their actions."""
        return [NotedPolicy(batch_policy(policy), self.actions) for policy in policies] if self.actions else [*policies]


class NotedPolicy:
    """A policy whose actions are noted in the games that have a list."""

    def __init__(self, policy: BatchPolicy, actions: list[list[int]]) -> None:
        self._policy, self._actions = policy, actions

    def begin(self, games: BatchedGames, which: Which, seats: Which) -> None:
        begin_games(self._policy, games, which, seats)

    def act(self, games: BatchedGames, which: Which) -> Any:
        chosen = self._policy.act(games, which)
        for game, action in zip(which, chosen, strict=True):
            if game < len(self._actions):
                self._actions[game].append(int(action))
        return chosen


def wins_of(games: BatchedGames, seats: NDArray[np.int64]) -> NDArray[np.float64]:
    """Win of the player in one seat of each game: 1 if it wins, a part if it shares the win. In
    co-op 1 if the game is won."""
    if not isinstance(games.rules, Rules):  # of another game, whose teams share the ranks
        shared: NDArray[np.float64] = (games.ranks[:, 0] == 1).astype(np.float64)
        return shared
    if games.rules.is_coop:
        won: NDArray[np.float64] = (games.ended["reason"] == Reason.WON).astype(np.float64)
        return won
    first = games.ranks == 1
    share: NDArray[np.float64] = first[np.arange(games.n), seats] / first.sum(axis=1)
    return share


def leads_of(games: BatchedGames, seats: NDArray[np.int64]) -> NDArray[np.float64]:
    """VP of the player in one seat of each game minus the mean of the others."""
    players = games.rules.players
    own = games.scores[np.arange(games.n), seats].astype(np.float64)
    if players == 1 or not isinstance(games.rules, Rules):
        return np.zeros(games.n)
    leads: NDArray[np.float64] = own - (games.scores.sum(axis=1) - own) / (players - 1)
    return leads


def share_interval(wins: NDArray[np.float64]) -> tuple[float, float]:
    """95 % interval of the mean share; `wins` has the shape (blocks, games of a block). It is Wilson's interval for the
    number of independent games that would have the same variance. If all blocks are equal, each counts as one game."""
    blocks, share = len(wins), float(wins.mean())
    spread = float(wins.mean(axis=1).var(ddof=1)) / blocks if blocks > 1 else 0.0
    n = share * (1 - share) / spread if spread > 0 else blocks
    return wilson(share, n)
