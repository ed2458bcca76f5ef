"""`Agent`: the interface of everything that plays a seat, and agents by name.

>>> agent, game = make_agent("random"), Game(seed=7)
>>> agent.act(game.view(game.actor)) in game.legal_actions()
True
>>> agent.explain()
'at random, one of 4'

A name may bring parameters, `mcts:iterations=400,depth=3`, and some a file, `policy:path/to/model.zip:greedy=true`. A
class of your own goes by `python:my_module.MyAgent`, or gets a name: by `register_agent`, or from another package by an
entry point of the group "fujikoro.agents".
"""

import hashlib
import inspect
import random
import re
from collections.abc import Callable, Sequence
from importlib import import_module
from importlib.metadata import entry_points
from typing import Any, Protocol, TypeVar, runtime_checkable

from fujikoro_env.game import SEED_BITS, Game

ENTRY_POINTS = "fujikoro.agents"
OWN_CLASS = "python"
FILE = "path"  # the parameter of makers that take a file
PARAMETER = re.compile(r"[A-Za-z_]\w*=")
WORDS = {"true": True, "false": False, "none": None}


@runtime_checkable
class Agent(Protocol):
    """Plays one seat of a game. Any object with these three methods is an agent."""

    def reset(self, seed: int, seat: int) -> None:
        """Begin a new game. `seed` is for the agent's own random choices; it is not the seed of the game."""

    def act(self, view: Game) -> int:
        """Choose a legal action. `view` is the game as this seat may see it, at a decision of this seat."""

    def explain(self) -> str:
        """The reason for the last action, in words and numbers; may be empty."""


Maker = Callable[..., Agent]  # a class or function, called with the parameters that the name brings
M = TypeVar("M", bound=Maker)
MAKERS: dict[str, Maker] = {}


class AgentError(ValueError):
    """A name that no agent goes by, or an agent that can't go on: one line that says what is wrong."""


# --- names ----------------------------------------------------------------------------------------------------------


def register_agent(name: str) -> Callable[[M], M]:
    """Register a class or function that makes agents under a name: `@register_agent("mine")`. `make_agent("mine")` then
    calls it, in this process."""
    if not name or ":" in name or name == OWN_CLASS:
        raise AgentError(f"name {name!r}: allowed is any but {OWN_CLASS!r}, without a colon")

    def keep(maker: M) -> M:
        MAKERS[name] = maker
        return maker

    return keep


def agent_names() -> list[str]:
    """Names of all registered agents, those of entry points included."""
    return sorted({*MAKERS, *entry_points(group=ENTRY_POINTS).names})


def split_names(text: str) -> list[str]:
    """A list of names as it is typed. Commas stand between names and inside their parameters: what begins with `word=`
    belongs to the name before.

    >>> split_names("shogun,mcts:iterations=400,depth=3,random")
    ['shogun', 'mcts:iterations=400,depth=3', 'random']
    """
    names: list[str] = []
    for part in (part.strip() for part in text.split(",")):
        if not part:
            raise AgentError(f"{text!r}: a name is missing; write NAME,NAME:PARAMETER=VALUE,...")
        if not PARAMETER.match(part):
            names.append(part)
        elif names and ":" in names[-1]:
            names[-1] += f",{part}"
        else:
            raise AgentError(f"parameter {part!r} belongs to no name: write NAME:{part}")
    return names


def make_agent(name: str) -> Agent:
    """A new agent, by name: "random", "mcts:iterations=400", "policy:model.zip", "python:my_module.MyAgent:depth=3"."""
    try:
        return _made(name)
    except AgentError:
        raise
    except Exception as error:  # whatever an agent's own code does
        raise AgentError(f"agent {name!r} can't be made: {type(error).__name__}: {error}") from error


def make_agents(names: Sequence[str], seed: int) -> list[Agent]:
    """New agents by name, one for each seat, reset for a game. `seed`: for the agents' own luck."""
    agents = [make_agent(name) for name in names]
    for seat, agent in enumerate(agents):
        agent.reset(seed, seat)
    return agents


def _made(name: str) -> Agent:
    kind, _, rest = name.partition(":")
    if kind == OWN_CLASS:
        path, _, parameters = rest.partition(":")
        maker, file = _own_class(name, path), ""
    else:
        maker = _known(name, kind)
        file, parameters = _file(maker, rest)
    given = _parameters(name, parameters)
    agent = _called(name, maker, {FILE: file, **given} if file else given)
    if not isinstance(agent, Agent):
        raise AgentError(f"agent {name!r} is none: it needs the methods reset, act and explain")
    return agent


def _known(name: str, kind: str) -> Maker:
    if kind in MAKERS:
        return MAKERS[kind]
    for found in entry_points(group=ENTRY_POINTS, name=kind):
        try:
            maker: Maker = found.load()
        except (ImportError, AttributeError) as error:
            raise AgentError(f"agent {name!r} can't be loaded: {error}") from None
        return maker
    raise AgentError(f"agent {name!r} is not known: there are {', '.join(agent_names())}, {OWN_CLASS}:module.Class")


def _own_class(name: str, path: str) -> Maker:
    module, _, attribute = path.rpartition(".")
    if not module:
        raise AgentError(f"agent {name!r}: a class is written {OWN_CLASS}:module.Class")
    try:
        found: Maker = getattr(import_module(module), attribute)
    except ModuleNotFoundError as error:
        raise AgentError(f"agent {name!r}: there is no module {error.name!r}") from None
    except AttributeError:
        raise AgentError(f"agent {name!r}: module {module!r} has no {attribute!r}") from None
    return found


def _file(maker: Maker, rest: str) -> tuple[str, str]:
    """The file, if the maker takes one and it is named, and the parameters after it."""
    if FILE not in inspect.signature(maker).parameters or PARAMETER.match(rest):
        return "", rest
    path, colon, parameters = rest.rpartition(":")
    return (path, parameters) if colon and PARAMETER.match(parameters) else (rest, "")


def _called(name: str, maker: Maker, parameters: dict[str, Any]) -> Any:
    known = inspect.signature(maker).parameters
    takes_any = any(parameter.kind == parameter.VAR_KEYWORD for parameter in known.values())
    if unknown := [each for each in parameters if each not in known and not takes_any]:
        raise AgentError(
            f"agent {name!r}: it has no parameter {unknown[0]!r}; allowed are {', '.join(known) or 'none'}"
        )
    if FILE in known and FILE not in parameters and known[FILE].default is inspect.Parameter.empty:
        raise AgentError(f"agent {name!r}: it needs a file, {name.partition(':')[0]}:FILE")
    return maker(**parameters)


def _parameters(name: str, text: str) -> dict[str, Any]:
    pairs = [part.partition("=") for part in text.split(",")] if text else []
    if any(not key or not equals for key, equals, _ in pairs):
        raise AgentError(f"agent {name!r}: parameters are written name=value, with commas between them")
    return {key: _value(written) for key, _, written in pairs}


def _value(written: str) -> Any:
    """A number, true, false or none if it reads as one, else the text."""
    if written.lower() in WORDS:
        return WORDS[written.lower()]
    for number in (int, float):
        try:
            return number(written)
        except ValueError:
            continue
    return written


# --- luck -----------------------------------------------------------------------------------------------------------


def luck_of(*what: object) -> int:
    """A number that is as good as random, but always the same for the same words."""
    digest = hashlib.sha256(" ".join(map(str, what)).encode()).digest()
    return int.from_bytes(digest[:8], "little") >> (64 - SEED_BITS)


def agents_seed(game_seed: int) -> int:
    """What agents get as their seed: it depends on the game's, but does not tell it, for that would tell the future."""
    return luck_of("agents", game_seed)


# --- the simplest ---------------------------------------------------------------------------------------------------


@register_agent("random")
class RandomAgent:
    """Chooses a legal action at random, each with the same probability."""

    def __init__(self) -> None:
        self._luck, self._choices = random.Random(0), 0

    def reset(self, seed: int, seat: int) -> None:
        self._luck, self._choices = random.Random(f"{seed} {seat}"), 0

    def act(self, view: Game) -> int:
        legal = view.legal_actions()
        self._choices = len(legal)
        return int(self._luck.choice(legal))

    def explain(self) -> str:
        return f"at random, one of {self._choices}" if self._choices else ""
