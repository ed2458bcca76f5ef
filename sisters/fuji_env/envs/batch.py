"""`BatchedGames`: many games of Fuji side by side, stepped by compiled loops. `fujikoro_env.kernel.batch` explains all
of its arrays and methods.

>>> from fuji_env import BatchedGames, Rules
>>> games = BatchedGames(Rules(players=3), n=8, seed=1, observation="compact")
>>> games.observations.shape == (8, games.width)
True
>>> games.step(games.random_actions())
>>> games.rewards.shape, games.dones.any()
((8, 4), np.False_)
"""

from typing import ClassVar, Final

from fuji_env.game import Game
from fuji_env.observation import WIDTH
from fuji_env.observation.looks import LOOKS
from fuji_env.rules.base.state import PLAYERS
from fuji_env.rules.engine.batches import deal_games, see_who_is_asked, settle_games
from fuji_env.rules.engine.rewards import Reward, appraise_games, pay_games
from fuji_env.saved import check_games
from fuji_env.settings import Rules
from fujikoro_env.kernel import rewards
from fujikoro_env.kernel.batch import WAITS, BatchParts, TableBatch
from fujikoro_env.kernel.buffers import NONE_GIVEN, Given
from fujikoro_env.kernel.game import GameArrays
from fujikoro_env.kernel.rewards import Payments

__all__ = ["PARTS", "WAITS", "BatchedGames", "GameArrays"]

PAYMENTS: Final = Payments(PLAYERS, appraise_games, pay_games, at_the_end=(Reward.WIN, Reward.SCORE))


class RewardTracker(rewards.RewardTracker):
    """Tracks the rewards of one running game. The position at the start pays nothing."""

    payments: ClassVar[Payments] = PAYMENTS


PARTS: Final = BatchParts(Game, RewardTracker, deal_games, see_who_is_asked, settle_games, check_games, LOOKS)


class BatchedGames(TableBatch):
    """`n` games under the same rules, stepped together by compiled code.

    * `reward`: "win", "score" or "shaped", see `fuji_env.fuji_v0`
    * `threads`: number of threads that share the work; `close()` or the end of a `with` block stops them
    * `observation`: "compact" keeps an array of (n, width) float32 in `observations`, "tensor" a dictionary of arrays
    * `arrays`: arrays of the caller to write into: "actors" int64, "masks" bool, "rewards" float32, "dones" bool, and
      with compact observations "observations"
    * `stop`: whether games stop at their end. Otherwise the step that ends a game deals the next one
    """

    batch_parts: ClassVar[BatchParts] = PARTS
    rules: Rules

    def __init__(
        self,
        rules: Rules | None = None,
        n: int = 1024,
        seed: int = 0,
        reward: str = "win",
        threads: int = 1,
        observation: str | None = None,
        arrays: Given = NONE_GIVEN,
        stop: bool = False,
    ) -> None:
        super().__init__(Rules() if rules is None else rules, n, seed, reward, threads, observation, arrays, stop)

    @property
    def width(self) -> int:
        """Length of the compact observation."""
        return WIDTH
