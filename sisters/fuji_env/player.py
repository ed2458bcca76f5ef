"""Agents that play Fuji, by name.

>>> from fuji_env import Game
>>> agent, game = make_agent("random"), Game(seed=7)
>>> agent.act(game.view(game.actor)) in game.legal_actions()
True
"""

from collections.abc import Sequence
from typing import Final

from fujikoro_env.kernel.agents import Agent, AgentRegistry, RandomAgent

ENTRY_POINTS: Final = "fuji.agents"
AGENTS: Final = AgentRegistry(ENTRY_POINTS)
AGENTS.register("random")(RandomAgent)


def make_agent(name: str) -> Agent:
    """Make a new agent by name: "random", "guide", "python:my_module.MyAgent"."""
    return AGENTS.make(name)


def make_agents(names: Sequence[str], seed: int) -> list[Agent]:
    """Make one agent for each seat and reset it for a game. `seed` is for the agents' own random choices."""
    return AGENTS.make_all(names, seed)
