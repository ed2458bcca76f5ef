"""Measures one checkout for `bench_against.py`, one figure at a time, until its input ends.

It reads the name of a figure from each line of standard input and prints the result as a line of JSON. It only uses
names that every version has, so that both commits do the same work; the packages of agents and of the command line are
looked up under their present and their earlier names.
"""

import json
import random
import sys
import time
from collections.abc import Callable
from importlib import import_module
from importlib.util import find_spec
from pathlib import Path
from typing import Any

import numpy as np

from fujikoro_env import BatchedGames, Game, Rules
from fujikoro_env.player import make_agent

AGENTS = ("fujikoro_agents", "agents")
COMMAND_LINES = ("fujikoro_app.cli", "fujikoro_env.cli")
BATCH_GAMES, BATCH_STEPS = 1024, 400
OBSERVED_GAMES, OBSERVED_STEPS = 256, 400
SPREAD = 1800  # most decisions already played in a game of an observed batch; a random game has about as many
SINGLE_DECISIONS = 50_000
SHOGUN_DECISIONS = 1500
SEARCHES, ITERATIONS = 4, 256


def first_known(names: tuple[str, ...]) -> str:
    """The first of these modules that exists in this checkout."""
    for name in names:
        if is_here(name.partition(".")[0]) and is_here(name):
            return name
    raise ModuleNotFoundError(f"none of {', '.join(names)} is here")


def is_here(name: str) -> bool:
    """Whether a module belongs to this checkout; packages of the commit that is installed can be imported, too."""
    found = find_spec(name)
    return found is not None and found.origin is not None and Path(found.origin).is_relative_to(Path.cwd())


def agent(path: str, **parameters: Any) -> Any:
    """Make an agent by the path of its class, because agent names belong to the installed commit."""
    written = ",".join(f"{key}={value}" for key, value in parameters.items())
    return make_agent(f"python:{first_known(AGENTS)}.{path}:{written}")


def compile_time() -> float:
    """CPU seconds from the start of Python to the end of `fujikoro warmup`; the cache has to be empty."""
    status = import_module(first_known(COMMAND_LINES)).main(["warmup"])
    if status != 0:
        raise RuntimeError("warmup failed")
    return time.process_time()


def batch() -> float:
    """Decisions per second of random games in a batch."""
    return batch_speed(BatchedGames(Rules(), BATCH_GAMES), BATCH_STEPS)


def observed(kind: str) -> float:
    """Decisions per second of random games in a batch with observations."""
    games = BatchedGames(Rules(), OBSERVED_GAMES, observation=kind)
    games.play_at_random(np.linspace(0, SPREAD, OBSERVED_GAMES).astype(np.int64))
    return batch_speed(games, OBSERVED_STEPS)


def batch_speed(games: BatchedGames, steps: int) -> float:
    """Decisions per second of a batch of random games."""
    began = time.process_time()
    for _ in range(steps):
        games.step(games.random_actions())
    return games.n * steps / (time.process_time() - began)


def single() -> float:
    """Decisions per second of single games, one after the other, through `Game`."""
    luck, game = random.Random(0), Game(Rules())
    began = time.process_time()
    for decision in range(SINGLE_DECISIONS):
        legal = game.legal_mask().nonzero()[0]
        game.step(int(legal[int(luck.random() * len(legal))]))
        if game.over:
            game = Game(Rules(), seed=decision)
    return SINGLE_DECISIONS / (time.process_time() - began)


def shogun() -> float:
    """Decisions per second of the strongest scripted player, in all four seats."""
    game, player = Game(seed=1), agent("scripted.bots.Shogun")
    player.reset(1, 0)
    began = time.process_time()
    for decision in range(SHOGUN_DECISIONS):
        game.step(player.act(game.view(game.actor)))
        if game.over:
            game = Game(seed=decision)
    return SHOGUN_DECISIONS / (time.process_time() - began)


def mcts() -> float:
    """Iterations per second of the search, in positions of one game. No search ends early."""
    game, walker = Game(seed=1), agent("scripted.bots.Runner")
    search = agent("mcts.agent.Mcts", iterations=ITERATIONS, sure=0)
    spent = 0.0
    for _ in range(SEARCHES):
        play_on(game, walker)
        search.reset(1, game.actor)
        began = time.process_time()
        search.act(game.view(game.actor))
        spent += time.process_time() - began
    return SEARCHES * ITERATIONS / spent


def play_on(game: Game, player: Any, decisions: int = 50) -> None:
    """Play fifty decisions, and then on to one with a choice."""
    player.reset(1, game.actor)
    while decisions > 0 or len(game.legal_actions()) == 1:
        game.step(player.act(game.view(game.actor)))
        decisions -= 1


FIGURES: dict[str, Callable[[], float]] = {
    "compile": compile_time,
    "batch": batch,
    "compact": lambda: observed("compact"),
    "tensor": lambda: observed("tensor"),
    "game": single,
    "shogun": shogun,
    "mcts": mcts,
}


def main() -> None:
    """Answer requests for figures until standard input ends."""
    import fujikoro_env

    answers, sys.stdout = sys.stdout, sys.stderr  # keep the measured code from printing into the answers
    print(json.dumps(fujikoro_env.__file__), file=answers, flush=True)
    for line in sys.stdin:
        print(json.dumps(FIGURES[line.strip()]()), file=answers, flush=True)


if __name__ == "__main__":
    main()
