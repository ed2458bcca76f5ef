"""Scripted agents as batch policies: compiled answers for some of the games of a `BatchedGames`."""

from typing import Any

import numpy as np
from numpy.typing import NDArray

from fujikoro_agents.scripted.ladder import Players
from fujikoro_agents.scripted.luck import first_luck
from fujikoro_env.envs.batch import BatchedGames
from fujikoro_env.envs.policies import Which
from fujikoro_env.kernel.records import dtype_of
from fujikoro_env.observation import words_of
from fujikoro_env.player import agents_seed
from fujikoro_env.rules.base.arrays import GameArrays
from fujikoro_env.rules.base.state import PLAYERS, State


class ScriptedPolicy:
    """A scripted agent in any seats of any games. It plays the same games as one agent for each seat."""

    def __init__(self, skills: int, network: Any = None) -> None:
        self._skills = skills
        self._luck: Any = np.ones((0, PLAYERS), np.int64)  # random state, by game and seat
        self._aims: Any = np.zeros((0, PLAYERS), np.int64)  # of agents that look ahead
        self._players = Players(np.full((1, PLAYERS), skills), np.ones(PLAYERS), network=network)

    def begin(self, games: BatchedGames, which: Which, seats: Which) -> None:
        """Start new games, each with random numbers that depend on the seed of the game."""
        if len(self._luck) < games.n:
            self._luck, self._aims = np.ones((games.n, PLAYERS), np.int64), np.zeros((games.n, PLAYERS), np.int64)
        for game, seat in zip(which, seats, strict=True):
            self._luck[game, seat] = first_luck(agents_seed(int(games.seeds[game])), int(seat))
            self._aims[game, seat] = 0

    def act(self, games: BatchedGames, which: Which) -> NDArray[np.int64]:
        """Choose a legal action in each of the games `which`. Compiled code answers for neighbouring games, so it gets
        copies that lie side by side."""
        which = np.asarray(which, np.int64)
        at, number = _copied(games, which), len(which)
        actions: Any = np.zeros(number, np.int64)
        players = self._players
        players.skills = np.full((number, PLAYERS), self._skills)
        players.luck = self._luck[which].reshape(-1)
        if players.looking:
            players.aims = self._aims[which].reshape(-1)
        players.answer(at, 0, number, actions)
        self._luck[which] = players.luck.reshape(number, PLAYERS)
        if players.looking:
            self._aims[which] = players.aims.reshape(number, PLAYERS)
        chosen: NDArray[np.int64] = actions
        return chosen

    def snapshot(self) -> dict[str, NDArray[Any]]:
        """What it remembers of all games."""
        return {"luck": self._luck.copy(), "aims": self._aims.copy()}

    def restore(self, snapshot: dict[str, NDArray[Any]]) -> None:
        """Go on from a snapshot."""
        self._luck, self._aims = snapshot["luck"].copy(), snapshot["aims"].copy()


def _copied(games: BatchedGames, which: NDArray[np.int64]) -> GameArrays:
    of_all: Any = games.compiled
    states: Any = games.states.view(np.uint8).reshape(games.n, -1)[which].reshape(-1).view(dtype_of(State))
    return GameArrays(states, words_of(states), of_all.tables, of_all.masks[which])
