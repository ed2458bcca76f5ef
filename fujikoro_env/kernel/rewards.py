"""Rewards of a game's players. A game's compiled rules compute them; every environment pays them in this way.

A step pays each player `end + worth now - worth before`: the end is paid once, when the game is over, and the worth is
an estimate of the position, which is stored beside the game.
"""

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any, ClassVar, Final

import numpy as np

from fujikoro_env.kernel.game import TableGame

ONLY_GAME: Final[Any] = np.zeros(1, np.int64)


@dataclass(frozen=True)
class Payments:
    """How the rewards of a game are computed."""

    seats: int  # most players: columns of rewards
    appraise: Callable[..., None]  # games, tables, chosen, kind, worths
    pay: Callable[..., int]  # games, tables, first, last, kind, worths, rewards
    worths: tuple[int, ...] = ()  # shape of a game's worths: () if the players share one, (seats,) if each has its own
    at_the_end: tuple[int, ...] = ()  # kinds of rewards that are paid only when the game is over


class RewardTracker:
    """Tracks the rewards of one running game. The position at the start pays nothing. A game has a class of its own,
    with its payments, so that trackers can be copied and pickled."""

    payments: ClassVar[Payments]

    def __init__(self, game: TableGame, kind: int) -> None:
        self._kind, self._players = int(kind), int(game.rules.players)
        self.pays_on_the_way = self._kind not in self.payments.at_the_end
        self._worths: Any = np.zeros((1, *self.payments.worths), np.float32)
        self._rewards: Any = np.zeros((1, self.payments.seats), np.float32)
        compiled = game.compiled
        self.payments.appraise(compiled.games, compiled.tables, ONLY_GAME, self._kind, self._worths)

    def pay(self, game: TableGame) -> list[float] | None:
        """Rewards by player for what happened since the last call; None if all are zero. Once the game is over,
        everything has been paid."""
        if not self.pays_on_the_way and not game.over:
            return None
        compiled = game.compiled
        paid = self.payments.pay(compiled.games, compiled.tables, 0, 1, self._kind, self._worths, self._rewards)
        if not paid:
            return None
        rewards: list[float] = self._rewards[0, : self._players].tolist()
        return rewards

    def forfeit(self, player: int, least: float) -> list[float]:
        """Rewards by player when one of them ends the game by breaking the rules: its sum of rewards drops to `least`,
        and the others get nothing."""
        rewards = [0.0] * self._players
        rewards[player] = least - self.worth(player)
        return rewards

    def worth(self, player: int) -> float:
        """Value of the position for a player at the last payment. This part of its rewards is provisional: later steps
        take it back."""
        worths = self._worths[0]
        return float(worths[player] if self.payments.worths else worths)
