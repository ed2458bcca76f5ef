"""Agents' part of `fujikoro bench`: the speed of the scripted ladder and of the search, compared with the raw engine,
and of random games of Catan."""

import importlib
import time
from collections.abc import Callable
from dataclasses import dataclass
from functools import partial
from typing import Any

import numpy as np

from fujikoro_agents.mcts.speed import iterations_per_second
from fujikoro_agents.scripted.ladder import ScriptedGames
from fujikoro_agents.scripted.skills import RUNGS
from fujikoro_env.rules.base.state import PLAYERS
from fujikoro_env.settings import Rules

Measure = Callable[[], float]

# Per second of CPU time
DECISIONS = {name: f"{name}_decisions" for name in RUNGS}
GAMES = {name: f"{name}_games" for name in RUNGS}
ITERATIONS = {rollout: f"mcts_{rollout}_iterations" for rollout in ("quick", "scout")}  # by rollout policy
CATAN = "catanatron"
KEYS = (*DECISIONS.values(), *GAMES.values(), *ITERATIONS.values(), CATAN)
CATAN_TARGET = 40  # times as many decisions per second, in random games


@dataclass(frozen=True)
class PlayersEffort:
    """Amount of play in one run of each figure."""

    games: int = 64
    shogun_games: int = 8  # fewer, because it thinks longer
    iterations: int = 256
    catan_decisions: int = 2000


FULL = PlayersEffort()


def measures(effort: PlayersEffort) -> dict[str, Measure]:
    found: dict[str, Measure] = {}
    for rollout, key in ITERATIONS.items():
        found[key] = partial(iterations_per_second, effort.iterations, rollout)
    for name in RUNGS:
        found[DECISIONS[name]] = _rung_measure(name, effort, lambda table: table.decisions)
        found[GAMES[name]] = _rung_measure(name, effort, lambda table: len(table.games))
    if (catan := _catan()) is not None:
        found[CATAN] = lambda: catan_decisions_per_second(catan, effort.catan_decisions)
    return found


def _rung_measure(name: str, effort: PlayersEffort, done: Callable[[ScriptedGames], int]) -> Measure:
    games = effort.shogun_games if name == "shogun" else effort.games

    def run() -> float:
        table = _table(name, games)
        began = time.process_time()
        table.play()
        return done(table) / (time.process_time() - began)

    return run


def _table(name: str, games: int) -> ScriptedGames:
    """Games of four, all seats taken by players of one rung."""
    return ScriptedGames(Rules(), np.arange(games), np.full((games, PLAYERS), RUNGS[name]))


def compile_players() -> None:
    """Compile the agents, or load them from the cache, before anything is timed."""
    for name in ("random", "shogun"):  # all rungs but the last share their code
        _table(name, 1).play()
    iterations_per_second(1, "scout")


def _catan() -> Any:
    """The package catanatron, or None if it is not installed."""
    try:
        return importlib.import_module(CATAN)
    except ImportError:
        return None


def catan_decisions_per_second(catan: Any, decisions: int) -> float:
    """Speed of random players in whole games, one after the other, until enough decisions are made."""
    played, games, began = 0, 0, time.process_time()
    while played < decisions:
        game = catan.Game([catan.RandomPlayer(color) for color in catan.Color], seed=games)
        game.play()
        played += len(game.state.actions)
        games += 1
    return played / (time.process_time() - began)
