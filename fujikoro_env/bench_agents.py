"""What `fujikoro bench` measures of players: the scripted ladder and the search, each beside the raw engine, and random
games of Catan as a yardstick."""

import importlib
import time
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

import numpy as np

from agents.mcts.agent import Mcts
from agents.mcts.speed import position
from agents.scripted.ladder import Table
from agents.scripted.skills import RUNGS
from fujikoro_env.rules.state import PLAYERS
from fujikoro_env.settings import Rules

Measure = Callable[[], float]

# Per second of CPU time
DECISIONS = {name: f"{name}_decisions" for name in RUNGS}
GAMES = {name: f"{name}_games" for name in RUNGS}
SEARCH, CATAN = "mcts_iterations", "catanatron"
KEYS = (*DECISIONS.values(), *GAMES.values(), SEARCH, CATAN)
CATAN_TARGET = 40  # times as many decisions a second, in random games


@dataclass(frozen=True)
class PlayersEffort:
    """How much is played for one run of each figure."""

    games: int = 64
    shogun_games: int = 2  # it takes longer to think
    iterations: int = 400
    catan_decisions: int = 2000


FULL = PlayersEffort()


def measures(effort: PlayersEffort) -> dict[str, Measure]:
    found: dict[str, Measure] = {SEARCH: lambda: iterations_per_second(effort.iterations)}
    for name in RUNGS:
        found[DECISIONS[name]] = _rung_measure(name, effort, lambda table: table.decisions)
        found[GAMES[name]] = _rung_measure(name, effort, lambda table: len(table.games))
    if (catan := _catan()) is not None:
        found[CATAN] = lambda: catan_decisions_per_second(catan, effort.catan_decisions)
    return found


def _rung_measure(name: str, effort: PlayersEffort, done: Callable[[Table], int]) -> Measure:
    games = effort.shogun_games if name == "shogun" else effort.games

    def run() -> float:
        table = _table(name, games)
        began = time.process_time()
        table.play()
        return done(table) / (time.process_time() - began)

    return run


def _table(name: str, games: int) -> Table:
    """Games of four, all seats taken by players of one rung."""
    return Table(Rules(), np.arange(games), np.full((games, PLAYERS), RUNGS[name]))


def iterations_per_second(iterations: int) -> float:
    """Of the search with its usual plan, on one core."""
    game = position()
    agent = Mcts(iterations=iterations)
    agent.reset(0, game.actor)
    began = time.process_time()
    agent.act(game.view(game.actor))
    return sum(answer.visits for answer in agent.found) / (time.process_time() - began)


def compile_players() -> None:
    """Machine code is made, or read from the cache, before the clock runs."""
    for name in ("random", "shogun"):  # all rungs but the last are one piece of code
        _table(name, 1).play()
    iterations_per_second(1)


def _catan() -> Any:
    """The package, or None where it is not installed."""
    try:
        return importlib.import_module(CATAN)
    except ImportError:
        return None


def catan_decisions_per_second(catan: Any, decisions: int) -> float:
    """Random players, whole games one after the other until the decisions are enough."""
    played, games, began = 0, 0, time.process_time()
    while played < decisions:
        game = catan.Game([catan.RandomPlayer(color) for color in catan.Color], seed=games)
        game.play()
        played += len(game.state.actions)
        games += 1
    return played / (time.process_time() - began)
