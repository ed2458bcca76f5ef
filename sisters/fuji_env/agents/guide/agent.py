"""The agent `guide`."""

from typing import Any

import numpy as np
from numpy.typing import NDArray

from fuji_env.agents.guide.answer import answer_games
from fuji_env.agents.guide.mind import WEIGHTS, new_mind
from fuji_env.game import Game
from fuji_env.rules.base.state import State
from fujikoro_env.kernel.game import copied
from fujikoro_env.kernel.records import dtype_of


class Guide:
    """Plans by the margins that it expects, against many trial rolls of the dice that it can't see."""

    def __init__(self, weights: Any = None) -> None:
        self._weights: Any = WEIGHTS if weights is None else weights
        self._mind = new_mind()
        self._said = ""

    def reset(self, seed: int, seat: int) -> None:
        """Start a new game. A guide keeps nothing, and equal views get equal answers."""
        self._said = ""

    def act(self, view: Game) -> int:
        """Choose a legal action."""
        action: Any = np.zeros(1, np.int64)
        at = view.compiled
        answer_games(copied(at.games), at.tables, at.masks, self._mind, self._weights, action)
        self._said = f"{view.phase.name.lower()}: {view.action_name(int(action[0]))}"
        return int(action[0])

    def explain(self) -> str:
        """The last answer."""
        return self._said

    def batch_policy(self) -> "GuidePolicy":
        """A policy that gives the same answers for many games at once."""
        return GuidePolicy(self._weights)


class GuidePolicy:
    """A guide that answers for many games at once."""

    def __init__(self, weights: Any = None) -> None:
        self._weights: Any = WEIGHTS if weights is None else weights
        self._mind = new_mind()

    def act(self, games: Any, which: Any) -> NDArray[np.int64]:
        """Choose a legal action in each of the games `which` of a batch."""
        which = np.asarray(which, np.int64)
        found = games.compiled
        rows = found.games.view(np.uint8).reshape(len(found.games), -1)[which]
        views: Any = rows.reshape(-1).view(dtype_of(State))
        actions: Any = np.zeros(len(which), np.int64)
        answer_games(views, found.tables, found.masks[which], self._mind, self._weights, actions)
        chosen: NDArray[np.int64] = actions
        return chosen
