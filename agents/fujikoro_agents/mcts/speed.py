"""How fast the search is here."""

import time
from typing import Final

from fujikoro_agents.mcts.agent import Mcts
from fujikoro_env.game import Game
from fujikoro_env.player import make_agents
from fujikoro_env.session import Session

DECISIONS: Final = 200  # of runners, before the position that is searched: a quarter of a game


def position() -> Game:
    """In mid-game, four players."""
    session = Session(seed=1, agents=make_agents(["runner"] * 4, 1), keep_history=False)
    for _ in range(DECISIONS):
        session.advance()
    return session.game


def iterations_per_second(iterations: int, rollout: str) -> float:
    """Of CPU time on one core, by who plays on below the tree. All iterations are done, however clear the choice."""
    game = position()
    agent = Mcts(iterations=iterations, rollout=rollout, sure=0)
    agent.reset(0, game.actor)
    began = time.process_time()
    agent.act(game.view(game.actor))
    return sum(answer.visits for answer in agent.found) / (time.process_time() - began)
