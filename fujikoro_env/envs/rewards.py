"""`RewardTracker`: the rewards of one game's players, step by step. `rules/engine/rewards.py` computes them."""

from typing import ClassVar, Final

from fujikoro_env.kernel import rewards
from fujikoro_env.kernel.rewards import Payments
from fujikoro_env.rules.base.state import PLAYERS
from fujikoro_env.rules.engine.rewards import Reward, appraise_games, pay_games

PAYMENTS: Final = Payments(PLAYERS, appraise_games, pay_games, (PLAYERS,), (Reward.RANK, Reward.WIN))


class RewardTracker(rewards.RewardTracker):
    """Tracks the rewards of one running game. The position at the start pays nothing."""

    payments: ClassVar[Payments] = PAYMENTS
