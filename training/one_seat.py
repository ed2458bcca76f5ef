"""One learning seat among random players, as a vectorised environment of Stable-Baselines3.

In every game one seat learns, another one in each game that is dealt; the others choose at random among what is legal,
inside the environment. So what the learner sees next is always its own next decision, and its reward is all that came
until then. Games run on without it by compiled steps over the whole batch.
"""

from collections.abc import Sequence
from typing import Any

import numpy as np
from gymnasium.spaces import Box, Discrete
from numpy.typing import NDArray
from stable_baselines3.common.vec_env import VecEnv
from stable_baselines3.common.vec_env.base_vec_env import VecEnvObs, VecEnvStepReturn

from fujikoro_env.batch import WAITS, BatchedGames
from fujikoro_env.rules.actions import ACTIONS, TABLE

VP_SCALE = 30.0


def without(masks: NDArray[np.bool_], blocks: Sequence[str]) -> NDArray[np.bool_]:
    """Restricted play: the masks without the actions of some blocks, wherever another action is left."""
    if not blocks:
        return masks
    allowed = masks.copy()
    for name in blocks:
        allowed[:, TABLE[name].first : TABLE[name].first + TABLE[name].size] = False
    left = allowed.any(axis=1, keepdims=True)
    return np.where(left, allowed, masks)


class OneSeatVecEnv(VecEnv):
    """Rewards: what `games` pays the learner at the end, and `shaping` times what its lead has changed. The lead is its
    VP less the mean VP of the others, in units of 30: a potential, so that all those parts of a game add up to the lead
    at its end. With `shaping` at 0 only the end counts. `forbidden`: blocks of actions that the learner may not use."""

    def __init__(self, games: BatchedGames, seed: int = 0, shaping: float = 1.0, forbidden: Sequence[str] = ()) -> None:
        self.games, self.shaping, self.forbidden = games, shaping, forbidden
        self._luck = np.random.default_rng(seed)
        self.seats = self._luck.integers(games.rules.players, size=games.n)
        self._vp = games.states["players"]["vp"]  # a view
        self._lead = np.zeros(games.n)
        self._length = np.zeros(games.n, np.int64)
        self._return = np.zeros(games.n)
        self._actions: Any = None
        self.render_mode = None
        super().__init__(games.n, Box(-1.0, 1.0, (games.width,), np.float32), Discrete(ACTIONS))

    # playing

    def reset(self) -> VecEnvObs:
        self._play_the_others(np.zeros(self.num_envs), np.zeros(self.num_envs, np.bool_))
        self._lead = self._leads(self._vp)
        return self.games.observe()

    def step_async(self, actions: NDArray[Any]) -> None:
        self._actions = actions

    def step_wait(self) -> VecEnvStepReturn:
        rewards, dones = np.zeros(self.num_envs), np.zeros(self.num_envs, np.bool_)
        self._step(self._actions, rewards, dones)
        self._play_the_others(rewards, dones)
        lead = self._leads(self._vp)
        rewards += self.shaping * np.where(dones, 0.0, lead - self._lead)
        self._lead = lead
        self._return += rewards
        self._length += 1
        return self.games.observe(), rewards.astype(np.float32), dones, self._infos(dones)

    def _play_the_others(self, rewards: NDArray[Any], dones: NDArray[np.bool_]) -> None:
        """Until every game stands at the learner's decision."""
        while (waits := self.games.actors == self.seats).sum() < self.num_envs:
            self._step(np.where(waits, WAITS, self.games.random_actions()), rewards, dones)

    def _step(self, actions: NDArray[Any], rewards: NDArray[Any], dones: NDArray[np.bool_]) -> None:
        self.games.step(actions)
        if not self.games.dones.any():
            return
        over = np.flatnonzero(self.games.dones)
        dones[over] = True
        rewards[over] += self.games.rewards[over, self.seats[over]]
        rewards[over] += self.shaping * (self._leads(self.games.scores)[over] - self._lead[over])
        self.seats[over] = self._luck.integers(self.games.rules.players, size=len(over))

    def _leads(self, vp: NDArray[Any]) -> NDArray[np.float64]:
        players = self.games.rules.players
        own = vp[np.arange(self.num_envs), self.seats].astype(np.float64)
        lead: NDArray[np.float64] = (own - (vp[:, :players].sum(axis=1) - own) / (players - 1)) / VP_SCALE
        return lead

    def _infos(self, dones: NDArray[np.bool_]) -> list[dict[str, Any]]:
        infos: list[dict[str, Any]] = [{} for _ in range(self.num_envs)]
        for index in np.flatnonzero(dones):
            infos[index]["episode"] = {"r": float(self._return[index]), "l": int(self._length[index])}
        self._return[dones], self._length[dones] = 0.0, 0
        return infos

    def action_masks(self) -> NDArray[np.bool_]:
        masks = without(self.games.masks, self.forbidden)
        # A row without a legal action would not raise later on: an illegal action would be sampled.
        assert masks.any(axis=1).all(), "a game stands at a decision without a legal action"
        return masks

    # what VecEnv asks for

    def close(self) -> None:
        """Nothing is held open."""

    def has_attr(self, attr_name: str) -> bool:
        return hasattr(self, attr_name)

    def get_attr(self, attr_name: str, indices: Any = None) -> list[Any]:
        return [getattr(self, attr_name)] * len(list(self._get_indices(indices)))

    def set_attr(self, attr_name: str, value: Any, indices: Any = None) -> None:
        setattr(self, attr_name, value)

    def env_method(self, method_name: str, *args: Any, indices: Any = None, **kwargs: Any) -> Any:
        """For all games at once: MaskablePPO stacks what `action_masks` gives, which is stacked already."""
        return getattr(self, method_name)(*args, **kwargs)

    def env_is_wrapped(self, wrapper_class: type[Any], indices: Any = None) -> list[bool]:
        return [False] * self.num_envs

    def seed(self, seed: int | None = None) -> Sequence[int | None]:
        """The games were seeded when they were made."""
        return [None] * self.num_envs
