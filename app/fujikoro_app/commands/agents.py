"""Agents that a user named."""

import sys
from pathlib import Path
from typing import TYPE_CHECKING

from fujikoro_app.commands.errors import UsageError
from fujikoro_env.kernel.text import quoted

if TYPE_CHECKING:
    from fujikoro_env.kernel.agents import Agent
    from fujikoro_env.kernel.declared import DeclaredGame


def one_each(switch: str, typed: str, seats: int) -> list[str]:
    """Names of the agents for each of the seats."""
    from fujikoro_env.player import AgentError, split_names

    try:
        names = split_names(typed)
    except AgentError as error:
        raise UsageError(f"{switch} {error}") from None
    if len(names) not in (1, seats):
        allowed = f"one, or one for each of {seats} seats" if seats > 1 else "one"
        raise UsageError(f"{switch}: {len(names)} agents are named; allowed is {allowed}")
    return names * seats if len(names) == 1 else names


def make_agent(name: str, seed: int, seat: int, game: "DeclaredGame") -> "Agent":
    """Make an agent of a game. `seed`: the seed of the game, from which the agent's own is derived."""
    from fujikoro_env.kernel.agents import AgentError, agents_seed, failure_text

    find_modules_here()
    try:
        agent = game.agents.make(name)
        agent.reset(agents_seed(seed), seat)
    except AgentError as error:
        raise UsageError(str(error)) from None
    except KeyboardInterrupt:
        raise
    except BaseException as error:  # an agent's own code may raise anything, SystemExit too
        raise UsageError(f"agent {quoted(name)} can't be reset: {failure_text(error)}") from None
    return agent


def find_modules_here() -> None:
    """Let `python:my_module.MyAgent` be found in the working directory, as `python -m` does."""
    if not {"", str(Path.cwd())} & set(sys.path):
        sys.path.append(str(Path.cwd()))
