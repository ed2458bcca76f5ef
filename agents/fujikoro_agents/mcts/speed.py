"""Measurement of the search speed on this machine."""

import time
from typing import Final

from fujikoro_agents.mcts.agent import Mcts
from fujikoro_env.game import Game
from fujikoro_env.player import make_agents
from fujikoro_env.session import Session

DECISIONS: Final = 200  # decisions of runners before the position that is searched: a quarter of a game


def position() -> Game:
    """A position in mid-game with four players."""
    session = Session(seed=1, agents=make_agents(["runner"] * 4, 1), keep_history=False)
    for _ in range(DECISIONS):
        session.advance()
    return session.game


def iterations_per_second(iterations: int, rollout: str) -> float:
    """Iterations per second of CPU time on one core, for a rollout script. All iterations are done, even if the choice
    is clear."""
    game = position()
    agent = Mcts(iterations=iterations, rollout=rollout, sure=0)
    agent.reset(0, game.actor)
    began = time.process_time()
    agent.act(game.view(game.actor))
    return sum(answer.visits for answer in agent.found) / (time.process_time() - began)
