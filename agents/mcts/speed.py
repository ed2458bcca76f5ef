"""How fast the search is here."""

import time
from typing import Final

from agents.mcts.agent import Mcts
from fujikoro_env.game import Game
from fujikoro_env.player import make_agent

DECISIONS: Final = 200  # of runners, before the position that is searched: a quarter of a game


def position() -> Game:
    """In mid-game, four players."""
    game, players = Game(seed=1), [make_agent("runner") for _ in range(4)]
    for seat, agent in enumerate(players):
        agent.reset(1, seat)
    for _ in range(DECISIONS):
        game.step(players[game.actor].act(game.view(game.actor)))
    return game


def iterations_per_second(seconds: float = 1.0) -> float:
    """On one core, with the plan that `mcts` has unless told otherwise."""
    game = position()
    view = game.view(game.actor)
    Mcts(iterations=1).act(view)  # whatever has to be compiled or loaded
    agent, began = Mcts(milliseconds=max(1, round(1000 * seconds))), time.perf_counter()
    agent.act(view)
    return sum(answer.visits for answer in agent.found) / (time.perf_counter() - began)
