"""Games played by `fujikoro bench`. Every run plays the same games, so runs differ only in how busy the machine is."""

import importlib
import random
import warnings
from typing import Any

import numpy as np

from fujikoro_env.envs.batch import BatchedGames, blank_game
from fujikoro_env.game import Game
from fujikoro_env.kernel.batch_masks import random_actions
from fujikoro_env.kernel.commands import NO_ACTION
from fujikoro_env.kernel.records import zeros
from fujikoro_env.rules.base.actions import WORDS
from fujikoro_env.rules.base.names import Fault
from fujikoro_env.rules.base.state import State
from fujikoro_env.rules.engine.engine import deal_game, step_games
from fujikoro_env.settings import Rules


def play_batch(size: int, steps: int) -> int:
    """Random legal play in many four-player games at once; finished games start again. Returns the decisions made."""
    batch = RandomBatch(Rules(), size)
    for _ in range(steps):
        batch.step()
    return size * steps


class ObservedBatch:
    """A `BatchedGames` whose games are at all stages, as in long training."""

    def __init__(self, observation: str, size: int, spread: int, threads: int = 1) -> None:
        """`spread`: the most decisions already played in a game."""
        self.games = BatchedGames(Rules(), size, observation=observation, threads=threads)
        self.games.play_at_random(np.linspace(0, spread, size).astype(np.int64))

    def play(self, steps: int) -> int:
        """Random legal play with masks and observations at every decision. Returns the decisions made."""
        for _ in range(steps):
            self.games.step(self.games.random_actions())
        return self.games.n * steps


class RandomBatch:
    """Games in one array, each of them always at a decision."""

    def __init__(self, rules: Rules, size: int) -> None:
        self.games, self.tables = zeros(State, size), rules.tables
        self.masks: Any = np.zeros((size, WORDS), np.uint32)
        self.actions: Any = np.zeros(size, np.int64)
        self.luck: Any = np.arange(1, size + 1, dtype=np.int64)
        self.ended = self.games["reason"]  # a view
        self._bytes = self.games.view(np.uint8).reshape(size, -1)
        self._blank = blank_game(rules)
        self._dealt = 0
        for index in range(size):
            self.deal(index)

    def deal(self, index: int) -> None:
        self._bytes[index] = self._blank
        deal_game(self.games, self.tables, index, self._dealt)
        self.actions[index] = NO_ACTION
        step_games(self.games, self.tables, index, index + 1, self.actions, self.masks)
        self._dealt += 1

    def step(self) -> None:
        """Make one decision in every game. A finished game starts again."""
        self.play_on()
        for index in self.ended.nonzero()[0]:
            self.deal(index)

    def play_on(self) -> None:
        """Make one decision in every game that is not over."""
        random_actions(self.masks, self.luck, self.actions)
        fault = step_games(self.games, self.tables, 0, len(self.actions), self.actions, self.masks)
        if fault != Fault.NONE:
            raise RuntimeError(f"internal error in the rules ({Fault(fault).name}): please report it")


def play_games(decisions: int) -> int:
    """Random legal play from Python, one game after the other, asking for the mask before every step."""
    rules, luck = Rules(), random.Random(0)
    game = Game(rules)
    for decision in range(decisions):
        game.step(_random_legal(game.legal_mask(), luck))
        if game.over:
            game = Game(rules, seed=decision)
    return decisions


def play_loop(env: Any, decisions: int) -> int:
    """Random legal play in PettingZoo's loop, in whole games until enough decisions are made."""
    luck, played, games = random.Random(0), 0, 0
    while played < decisions:
        env.reset(seed=games)
        games += 1
        for _ in env.agent_iter():
            observation, _, terminated, truncated, _ = env.last()
            over = terminated or truncated
            env.step(None if over else _random_legal(observation["action_mask"], luck))
            played += not over
    return played


def _random_legal(mask: Any, luck: random.Random) -> int:
    """A random legal action. Choosing is not what is measured, so it has to be fast: NumPy is fastest with bools."""
    legal = mask.view(np.bool_).nonzero()[0]
    return int(legal[int(luck.random() * len(legal))])


def yardstick(name: str) -> Any:
    """Module of a PettingZoo game, or None if it or one of its dependencies is not installed."""
    with warnings.catch_warnings(action="ignore"):  # PettingZoo warns of a newer way to make games
        try:
            return importlib.import_module(f"pettingzoo.classic.{name}")
        except ImportError:
            return None
