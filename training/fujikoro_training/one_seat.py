"""Vectorised environment with one learning seat among random players, optional reward shaping and forbidden actions."""

from collections.abc import Sequence
from typing import Any

import numpy as np
from numpy.typing import NDArray
from stable_baselines3.common.vec_env.base_vec_env import VecEnvObs, VecEnvStepReturn

from fujikoro_env.envs.sb3 import FujiKoroVecEnv
from fujikoro_env.rules.base.actions import TABLE

VP_SCALE = 30.0


def without(masks: NDArray[np.bool_], blocks: Sequence[str]) -> NDArray[np.bool_]:
    """Remove the actions of some blocks from the masks wherever another action is left."""
    if not blocks:
        return masks
    allowed = masks.copy()
    for name in blocks:
        allowed[:, TABLE[name].first : TABLE[name].first + TABLE[name].size] = False
    left = allowed.any(axis=1, keepdims=True)
    return np.where(left, allowed, masks)


class OneSeatVecEnv(FujiKoroVecEnv):
    """Vectorised environment with a shaped reward: the reward of the game plus `shaping` times the change of the
    learner's lead. The lead is its VP minus the mean VP of the others, in units of 30. It is a potential, so these
    rewards add up to the final lead of a game. With `shaping=0` only the end counts. `forbidden`: blocks of actions
    that the learner may not use."""

    def __init__(self, *args: Any, shaping: float = 1.0, forbidden: Sequence[str] = (), **options: Any) -> None:
        super().__init__(*args, **options)
        self.shaping, self.forbidden = shaping, forbidden
        self._vp = self.games.states["players"]["vp"]  # a view
        self._lead = np.zeros(self.num_envs)
        self._paid_for_leads = np.zeros(self.num_envs)  # so far in each episode

    def reset(self) -> VecEnvObs:
        """Start new games."""
        seen = super().reset()
        self._lead = self._leads(self._vp, self.seats)
        self._paid_for_leads[:] = 0
        return seen

    def step_wait(self) -> VecEnvStepReturn:
        """Finish a step and add the shaped rewards."""
        seen, rewards, dones, infos = super().step_wait()
        now = self._leads(self._vp, self.seats)
        reached = now.copy()
        for game, end in self.learners.ends.items():
            reached[game] = self._leads(np.array([end.outcome.scores]), np.array([end.seat]))[0]
        for_leads = self.shaping * (reached - self._lead)
        self._lead = now
        self._paid_for_leads += for_leads
        for game in self.learners.ends:
            infos[game]["episode"]["r"] += float(self._paid_for_leads[game])
        self._paid_for_leads[dones] = 0
        return seen, (rewards + for_leads).astype(np.float32), dones, infos

    def _leads(self, vp: NDArray[Any], seats: NDArray[np.int64]) -> NDArray[np.float64]:
        players = self.games.rules.players
        own = vp[np.arange(len(seats)), seats].astype(np.float64)
        lead: NDArray[np.float64] = (own - (vp[:, :players].sum(axis=1) - own) / (players - 1)) / VP_SCALE
        return lead

    def action_masks(self) -> NDArray[np.bool_]:
        """Legal actions without the forbidden blocks."""
        return without(super().action_masks(), self.forbidden)
