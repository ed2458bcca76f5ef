"""A trained policy as an agent: `policy:path/to/model.zip`, a MaskablePPO of sb3-contrib.

It plays from the observation that it was trained on, compact or tensor. It draws its actions as in training;
`policy:model.zip:greedy=true` takes the likeliest. PyTorch is imported when the first is made.
"""

import random
from functools import lru_cache
from pathlib import Path
from typing import Any, Final

import numpy as np
from numpy.typing import NDArray

from fujikoro_env.game import Game
from fujikoro_env.observation import OBSERVATIONS, observation_space
from fujikoro_env.player import AgentError
from fujikoro_env.rules.base.actions import ACTIONS

SHOWN: Final = 3  # actions that are weighed in an explanation


class PolicyAgent:
    def __init__(self, path: str, greedy: bool = False) -> None:
        self.greedy = greedy
        self._model = _loaded(str(path), _changed(str(path)))
        self._observation = _kind_of(str(path), self._model)
        self.reset(0, 0)

    def reset(self, seed: int, seat: int) -> None:
        self._luck = random.Random(f"{seed} {seat}")
        self._last: tuple[Game, NDArray[np.float64], float] | None = None

    def act(self, view: Game) -> int:
        chances, value = self._judged(view)
        self._last = view, chances, value
        if self.greedy:
            return int(chances.argmax())
        legal = np.flatnonzero(chances)
        return int(self._luck.choices(legal.tolist(), chances[legal].tolist())[0])

    def explain(self) -> str:
        if self._last is None:
            return ""
        view, chances, value = self._last
        best = [int(action) for action in np.argsort(-chances, kind="stable")[:SHOWN] if chances[action] > 0]
        weighed = ", ".join(f"{view.action_name(action)} {chances[action]:.0%}" for action in best)
        return f"its likeliest actions: {weighed}; it expects a return of {value:+.2f}"

    def _judged(self, view: Game) -> tuple[NDArray[np.float64], float]:
        """How likely it is to take each action, and what it expects."""
        import torch

        mask, policy = view.legal_mask(), self._model.policy
        with torch.no_grad():
            seen, _ = policy.obs_to_tensor(view.observe(view.actor, self._observation))
            chances = policy.get_distribution(seen, action_masks=mask[None]).distribution.probs[0].numpy()
            value = float(policy.predict_values(seen)[0, 0])
        return np.where(mask, np.maximum(chances.astype(np.float64), np.finfo(np.float64).tiny), 0.0), value


def _changed(path: str) -> float:
    try:
        return Path(path).stat().st_mtime
    except OSError as error:
        raise AgentError(f"agent 'policy:{path}': {error.strerror}") from None


@lru_cache(maxsize=8)
def _loaded(path: str, _changed: float) -> Any:
    """One for all seats that play it, for it keeps nothing of a game."""
    try:
        import torch
        from sb3_contrib import MaskablePPO
    except ModuleNotFoundError as error:
        raise AgentError(f"agent 'policy:{path}' needs {error.name}: pip install 'fujikoro_env[train]'") from None
    torch.set_num_threads(1)  # a decision is too small to be shared
    try:
        model = MaskablePPO.load(path, device="cpu")
    except Exception as error:  # a damaged file fails in many ways
        raise AgentError(f"agent 'policy:{path}': no model of MaskablePPO ({type(error).__name__}: {error})") from None
    model.policy.set_training_mode(False)
    return model


def _kind_of(path: str, model: Any) -> str:
    """The observation that fits it."""
    for kind in OBSERVATIONS:
        if _shapes(observation_space(kind)) == _shapes(model.observation_space) and model.action_space.n == ACTIONS:
            return kind
    raise AgentError(f"agent 'policy:{path}': trained on other observations or actions than this version's")


def _shapes(space: Any) -> Any:
    return {name: part.shape for name, part in space.items()} if hasattr(space, "items") else space.shape
