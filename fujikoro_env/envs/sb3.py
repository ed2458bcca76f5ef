"""`FujiKoroVecEnv`: a vectorised environment for Stable-Baselines3 that works with sb3-contrib's MaskablePPO.

```python
from sb3_contrib import MaskablePPO
from fujikoro_env.envs.sb3 import FujiKoroVecEnv

env = FujiKoroVecEnv(n=256, players=3, opponents="random", seat="random", reward="rank")
model = MaskablePPO("MlpPolicy", env)
model.learn(1_000_000)
```

There is one learner in each of `n` games, see `fujikoro_env.envs.one_seat`. `observation="tensor"` is a dictionary, for
"MultiInputPolicy". The mask is not part of the observation: MaskablePPO calls `action_masks`. An illegal action raises
`IllegalActionError`; a value that is not a whole number, or is `WAITS`, raises `InvalidActionError`. Infos are empty
until an episode ends; then they have its `episode` (return `r`, length `l`), `terminal_observation`, the learner's
`seat`, and the game's `outcome`.

`seed` and `env.seed()` fix the games, from the next `reset()` on. Methods of Stable-Baselines3 that address single
environments apply to all of them, because there is one object, not `n`.
"""

from collections.abc import Sequence
from typing import Any

import numpy as np
from gymnasium.spaces import Discrete
from numpy.typing import NDArray

from fujikoro_env.envs.one_seat import End, OneSeatGames
from fujikoro_env.envs.policies import RANDOM, Opponent
from fujikoro_env.observation import observation_space
from fujikoro_env.rules.base.actions import ACTIONS
from fujikoro_env.settings import Rules

try:
    from stable_baselines3.common.vec_env import VecEnv
    from stable_baselines3.common.vec_env.base_vec_env import VecEnvObs, VecEnvStepReturn
except ModuleNotFoundError:
    raise ImportError("fujikoro_env.envs.sb3 needs Stable-Baselines3: pip install 'fujikoro_env[train]'") from None


class FujiKoroVecEnv(VecEnv):
    """A `VecEnv` for Stable-Baselines3 with one learner in each of `n` games, made for sb3-contrib's MaskablePPO. The
    arguments are those of `OneSeatGames`; all others go to `Rules`."""

    def __init__(
        self,
        n: int = 256,
        seed: int = 0,
        opponents: Opponent | Sequence[Opponent] = RANDOM,
        seat: int | str = RANDOM,
        observation: str = "compact",
        reward: str = "rank",
        threads: int = 1,
        **rules: Any,
    ) -> None:
        self.learners = OneSeatGames(Rules(**rules), n, seed, opponents, seat, observation, reward, threads)
        self.games = self.learners.games
        self.render_mode = None
        self._first_seed: int | None = seed
        self._actions: Any = None
        super().__init__(n, observation_space(observation), Discrete(ACTIONS))

    @property
    def seats(self) -> NDArray[np.int64]:
        """Seats of the learners, by game."""
        return self.learners.seats

    def reset(self) -> VecEnvObs:
        """Deal all games again and return the learners' observations."""
        seed = self._first_seed if self._seeds[0] is None else self._seeds[0]
        self._first_seed = None
        self._reset_seeds()
        self._reset_options()
        seen: VecEnvObs = self.learners.reset(seed)
        return seen

    def step_async(self, actions: NDArray[Any]) -> None:
        self._actions = actions

    def step_wait(self) -> VecEnvStepReturn:
        if self._actions is None:
            raise RuntimeError("no actions wait to be carried out: call step_async(actions) before each step_wait()")
        actions, self._actions = self._actions, None
        seen, rewards, dones = self.learners.step(actions)
        infos: list[dict[str, Any]] = [{} for _ in range(self.num_envs)]
        for game, end in self.learners.ends.items():
            infos[game] = _info(end)
        return seen, rewards.astype(np.float32), dones, infos

    def action_masks(self) -> NDArray[np.bool_]:
        """Mask of the learners' legal actions, (n, actions) bool."""
        masks = self.learners.masks
        # Without this check, a row without a legal action would not raise: MaskablePPO would sample an illegal action.
        assert masks.any(axis=1).all(), "a game is at a decision without a legal action"
        return masks

    def close(self) -> None:
        """Stop the threads."""
        self.learners.close()

    # methods that VecEnv requires

    def has_attr(self, attr_name: str) -> bool:
        return hasattr(self, attr_name)

    def get_attr(self, attr_name: str, indices: Any = None) -> list[Any]:
        return [getattr(self, attr_name)] * len(list(self._get_indices(indices)))

    def set_attr(self, attr_name: str, value: Any, indices: Any = None) -> None:
        setattr(self, attr_name, value)

    def env_method(self, method_name: str, *args: Any, indices: Any = None, **kwargs: Any) -> Any:
        """Call a method once for all games. MaskablePPO stacks the results of `action_masks`, which already has a row
        per game."""
        return getattr(self, method_name)(*args, **kwargs)

    def env_is_wrapped(self, wrapper_class: type[Any], indices: Any = None) -> list[bool]:
        return [False] * len(list(self._get_indices(indices)))

    def get_images(self) -> Sequence[Any]:
        return [None] * self.num_envs


def _info(end: End) -> dict[str, Any]:
    return {
        "episode": {"r": end.total, "l": end.length},
        "terminal_observation": end.observation,
        "seat": end.seat,
        "outcome": end.outcome,
    }
