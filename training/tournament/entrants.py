"""Who takes part: a list of agents as it is typed.

>>> split_names("shogun,mcts:iterations=400,depth=3,random")
['shogun', 'mcts:iterations=400,depth=3', 'random']
>>> labels(["random", "shogun", "random"])
['random', 'shogun', 'random#2']
"""

import re
from collections import Counter

from fujikoro_env.player import AgentError, make_agent

PARAMETER = re.compile(r"[A-Za-z_]\w*=")


class EntrantError(ValueError):
    """A list of agents that can't play: one line that says why."""


def split_names(text: str) -> list[str]:
    """Commas stand between names and inside their parameters: what begins with `word=` belongs to the name before."""
    names: list[str] = []
    for part in (part.strip() for part in text.split(",")):
        if not part:
            raise EntrantError(f"{text!r}: a name is missing; write NAME,NAME:PARAMETER=VALUE,...")
        if not PARAMETER.match(part):
            names.append(part)
        elif names and ":" in names[-1]:
            names[-1] += f",{part}"
        else:
            raise EntrantError(f"parameter {part!r} belongs to no name: the first of a name follows a colon, NAME:{part}")
    return names


def check_names(names: list[str]) -> None:
    """Each is made once, so that a wrong one shows before the first game."""
    for name in dict.fromkeys(names):
        try:
            make_agent(name)
        except AgentError as error:
            raise EntrantError(str(error)) from None
        except Exception as error:  # whatever an agent's own code does
            raise EntrantError(f"agent {name!r} can't be made: {type(error).__name__}: {error}") from None


def labels(names: list[str]) -> list[str]:
    """What they are called in results: who comes again is told apart by number."""
    seen: Counter[str] = Counter()
    found = []
    for name in names:
        seen[name] += 1
        found.append(name if seen[name] == 1 else f"{name}#{seen[name]}")
    return found
