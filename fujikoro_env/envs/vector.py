"""`FujiKoroVector`: a vector environment for Gymnasium, with one learner in each of many games.

```python
import gymnasium
import fujikoro_env  # registers the environment

envs = gymnasium.make_vec("FujiKoro-v0", num_envs=256, players=3, opponents="random", seat="random")
observations, infos = envs.reset(seed=7)
for _ in range(1000):
    masks = envs.unwrapped.action_masks()  # or infos["action_mask"]
    actions = (masks * envs.np_random.random(masks.shape)).argmax(axis=1)  # any legal ones
    observations, rewards, terminations, truncations, infos = envs.step(actions)
envs.close()
```

`opponents`, `seat`, `observation`, `reward` and rules are those of `FujiKoro-v0` (`fujikoro_env.envs.gym`), and
`threads` is that of `BatchedGames`. The games run in compiled code; an illegal action always raises, and there is no
rendering.

When an episode ends, the same step starts the next one (`AutoresetMode.SAME_STEP`): observations are the first of the
new game, while `infos["final_obs"]` and `infos["final_info"]` describe the last position of the old one. Nothing is
ever truncated. Infos have the learners' `seat` and the `action_mask` (`int8`); final infos also have `rank` and
`score`. `reset(seed=7)` seeds all games at once; they are not those that `FujiKoro-v0` would deal for 7, 8, 9 and so
on.
"""

from collections.abc import Sequence
from typing import Any

import numpy as np
from gymnasium.spaces import Discrete
from gymnasium.vector import AutoresetMode, VectorEnv
from gymnasium.vector.utils import batch_space
from numpy.typing import NDArray

from fujikoro_env.envs.one_seat import End, OneSeatGames
from fujikoro_env.envs.policies import RANDOM, Opponent
from fujikoro_env.kernel.text import quoted
from fujikoro_env.observation import observation_space
from fujikoro_env.rules.base.actions import ACTIONS
from fujikoro_env.settings import Rules

Step = tuple[Any, NDArray[np.float64], NDArray[np.bool_], NDArray[np.bool_], dict[str, Any]]


class FujiKoroVector(VectorEnv[Any, Any, Any]):
    """A vector environment for Gymnasium with one learner in each of `num_envs` games, as
    `gymnasium.make_vec("FujiKoro-v0", ...)` makes it. Arguments are those of `FujiKoro` and `OneSeatGames`."""

    metadata = {"autoreset_mode": AutoresetMode.SAME_STEP, "render_modes": []}  # noqa: RUF012 - Gymnasium's own type

    def __init__(
        self,
        num_envs: int = 1,
        opponents: Opponent | Sequence[Opponent] = RANDOM,
        seat: int | str = 0,
        observation: str = "compact",
        reward: str = "rank",
        render_mode: str | None = None,
        threads: int = 1,
        **rules: Any,
    ) -> None:
        if render_mode is not None:
            raise ValueError(f"render_mode={quoted(render_mode)}: vector environments can't render; allowed is None")
        self.learners = OneSeatGames(Rules(**rules), num_envs, 0, opponents, seat, observation, reward, threads)
        self.num_envs = num_envs
        self.single_observation_space = observation_space(observation)
        self.single_action_space = Discrete(ACTIONS)
        self.observation_space = batch_space(self.single_observation_space, num_envs)
        self.action_space = batch_space(self.single_action_space, num_envs)
        self._seeded = False

    @property
    def seats(self) -> NDArray[np.int64]:
        """Seats of the learners, by game."""
        return self.learners.seats

    def reset(self, *, seed: int | None = None, options: dict[str, Any] | None = None) -> tuple[Any, dict[str, Any]]:
        """Deal all games again. Returns the learners' observations and infos."""
        super().reset(seed=seed)
        if options:
            raise ValueError(f"unknown option {quoted(next(iter(options)))} of reset: vector environments have none")
        if seed is None and not self._seeded:
            seed = int(self.np_random.integers(1 << 32))
        self._seeded = True
        return self.learners.reset(seed), self._infos()

    def step(self, actions: Any) -> Step:
        """Carry out the learners' actions and play to their next decisions. Returns Gymnasium's usual five values."""
        seen, rewards, dones = self.learners.step(actions)
        infos = self._infos()
        for game, end in self.learners.ends.items():
            last = {"final_obs": end.observation, "final_info": _info_of_end(end)}
            infos = self._add_info(infos, last, game)
        return seen, rewards, dones, np.zeros(self.num_envs, np.bool_), infos

    def action_masks(self) -> NDArray[np.bool_]:
        """Mask of the learners' legal actions, (num_envs, actions) bool. Every step writes into the same array."""
        return self.learners.masks

    def _infos(self) -> dict[str, Any]:
        every = np.ones(self.num_envs, np.bool_)
        masks = self.learners.masks.astype(np.int8)
        return {"seat": self.seats.copy(), "_seat": every, "action_mask": masks, "_action_mask": every.copy()}

    def close_extras(self, **_: Any) -> None:
        self.learners.close()


def _info_of_end(end: End) -> dict[str, Any]:
    mask = np.zeros(ACTIONS, np.int8)  # nothing is legal in a game that is over
    rank, score = end.outcome.ranking[end.seat], end.outcome.scores[end.seat]
    return {"seat": end.seat, "action_mask": mask, "rank": rank, "score": score}
