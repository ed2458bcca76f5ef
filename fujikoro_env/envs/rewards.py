"""`RewardTracker`: the rewards of the players of one game, step by step. `rules/engine/rewards.py` makes them."""

from typing import Any

import numpy as np

from fujikoro_env.game import Game
from fujikoro_env.rules.base.state import PLAYERS
from fujikoro_env.rules.engine.rewards import Reward, appraise_games, pay_games

PAID_AT_THE_END = (Reward.RANK, Reward.WIN)
ONLY_GAME: Any = np.zeros(1, np.int64)


class RewardTracker:
    """Tracks the rewards of one running game: nothing is paid for how it stands at first."""

    _worths: Any
    _rewards: Any

    def __init__(self, game: Game, kind: Reward) -> None:
        self._kind = int(kind)
        self.pays_on_the_way = kind not in PAID_AT_THE_END
        self._worths, self._rewards = np.zeros((2, 1, PLAYERS), np.float32)
        self._players = game.rules.players
        compiled = game.compiled
        appraise_games(compiled.games, compiled.tables, ONLY_GAME, self._kind, self._worths)

    def pay(self, game: Game) -> list[float] | None:
        """By player, for what happened since the last call; None if nobody gets anything. Once the game is over it has
        paid all that there is."""
        if not self.pays_on_the_way and not game.over:
            return None
        compiled = game.compiled
        if not pay_games(compiled.games, compiled.tables, 0, 1, self._kind, self._worths, self._rewards):
            return None
        rewards: list[float] = self._rewards[0, : self._players].tolist()
        return rewards

    def forfeit(self, player: int, least: float) -> list[float]:
        """By player, when one of them ends the game by breaking the rules: what takes the sum of its rewards down to
        the least, and nothing for the others."""
        rewards = [0.0] * self._players
        rewards[player] = least - self.worth(player)
        return rewards

    def worth(self, player: int) -> float:
        """What the position was worth to a player when it was last paid; so much of its rewards is not for good yet."""
        return float(self._worths[0, player])
