"""Agent that plays with a trained policy: `policy:path/to/model.zip`, a MaskablePPO model of sb3-contrib.

It plays from the observation that the model was trained on, compact or tensor. Actions are sampled as in training;
`policy:model.zip:greedy=true` takes the most likely action instead. PyTorch is imported only when the first such agent
is made.
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

SHOWN: Final = 3  # number of actions listed in an explanation


class PolicyAgent:
    """Agent that samples its actions from a trained policy, or takes the most likely one if `greedy`."""

    def __init__(self, path: str, greedy: bool = False) -> None:
        self.greedy = greedy
        self._model = _loaded(str(path), _changed(str(path)))
        self._observation = _kind_of(str(path), self._model)
        self.reset(0, 0)

    def reset(self, seed: int, seat: int) -> None:
        """Start a new game: forget the last decision and seed the agent's random numbers."""
        self._luck = random.Random(f"{seed} {seat}")
        self._last: tuple[Game, NDArray[np.float64], float] | None = None

    def act(self, view: Game) -> int:
        """Choose a legal action in the given position."""
        chances, value = self._judged(view)
        self._last = view, chances, value
        if self.greedy:
            return int(chances.argmax())
        legal = np.flatnonzero(chances)
        return int(self._luck.choices(legal.tolist(), chances[legal].tolist())[0])

    def explain(self) -> str:
        """Describe the last decision: the most likely actions and the expected return."""
        if self._last is None:
            return ""
        view, chances, value = self._last
        best = [int(action) for action in np.argsort(-chances, kind="stable")[:SHOWN] if chances[action] > 0]
        weighed = ", ".join(f"{view.action_name(action)} {chances[action]:.0%}" for action in best)
        return f"most likely actions: {weighed}; expected return {value:+.2f}"

    def _judged(self, view: Game) -> tuple[NDArray[np.float64], float]:
        """Return the probability of each action and the expected return."""
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
    """Load a model. All seats share it, because it keeps no state of a game."""
    try:
        import torch
        from sb3_contrib import MaskablePPO
    except ModuleNotFoundError as error:
        raise AgentError(f"agent 'policy:{path}' needs {error.name}: pip install 'fujikoro_env[train]'") from None
    torch.set_num_threads(1)  # one decision is too little work for several threads
    try:
        model = MaskablePPO.load(path, device="cpu")
    except Exception as error:  # a damaged file fails in many ways
        raise AgentError(f"agent 'policy:{path}': not a MaskablePPO model ({type(error).__name__}: {error})") from None
    model.policy.set_training_mode(False)
    return model


def _kind_of(path: str, model: Any) -> str:
    """Return the kind of observation that the model was trained on."""
    for kind in OBSERVATIONS:
        if _shapes(observation_space(kind)) == _shapes(model.observation_space) and model.action_space.n == ACTIONS:
            return kind
    raise AgentError(f"agent 'policy:{path}': trained on observations or actions of another version")


def _shapes(space: Any) -> Any:
    return {name: part.shape for name, part in space.items()} if hasattr(space, "items") else space.shape
