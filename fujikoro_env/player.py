"""`Agent`: the interface of everything that plays a seat, and the registry of agents by name.

>>> agent, game = make_agent("random"), Game(seed=7)
>>> agent.act(game.view(game.actor)) in game.legal_actions()
True
>>> agent.explain()
'at random, one of 4'

A name can carry parameters, `mcts:iterations=400,depth=3`, and for some agents a file,
`policy:path/to/model.safetensors:greedy=true`. Your own class is `python:my_module.MyAgent`. To give it a name, use
`register_agent`, or an entry point of the group "fujikoro.agents" in another package.
"""

from collections.abc import Callable, Sequence
from typing import Final, TypeVar

from fujikoro_env.kernel.agents import (
    FILE,
    OWN_CLASS,
    Agent,
    AgentError,
    AgentRegistry,
    Maker,
    RandomAgent,
    agents_seed,
    failure_text,
    luck_of,
    parameters_of,
    secret_luck_of,
    split_names,
)

__all__ = [
    "AGENTS",
    "ENTRY_POINTS",
    "FILE",
    "MAKERS",
    "OWN_CLASS",
    "Agent",
    "AgentError",
    "Maker",
    "RandomAgent",
    "agent_names",
    "agents_seed",
    "failure_text",
    "luck_of",
    "make_agent",
    "make_agents",
    "parameters_of",
    "register_agent",
    "secret_luck_of",
    "split_names",
]

ENTRY_POINTS: Final = "fujikoro.agents"
AGENTS: Final = AgentRegistry(ENTRY_POINTS)
MAKERS: Final = AGENTS.registered
M = TypeVar("M", bound=Maker)


def register_agent(name: str) -> Callable[[M], M]:
    """Register a class or function that makes agents: after `@register_agent("mine")`, `make_agent("mine")` calls it.
    This holds for the current process."""
    return AGENTS.register(name)


def agent_names() -> list[str]:
    """Names of all registered agents, including those of entry points."""
    return AGENTS.names()


def make_agent(name: str) -> Agent:
    """Make a new agent by name: "random", "mcts:iterations=400", "policy:model.safetensors",
    "python:my_module.MyAgent:depth=3"."""
    return AGENTS.make(name)


def make_agents(names: Sequence[str], seed: int) -> list[Agent]:
    """Make one agent for each seat and reset it for a game. `seed` is for the agents' own random choices."""
    return AGENTS.make_all(names, seed)


register_agent("random")(RandomAgent)
