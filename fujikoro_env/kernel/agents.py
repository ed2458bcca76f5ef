"""Agents by name, for any game: the interface of everything that plays a seat, and registries of agents.

Each game has a registry of its own (`AgentRegistry`), filled by `register` and by the entry points of a group. A name
can carry parameters, `mcts:iterations=400,depth=3`, and for some agents a file,
`policy:path/to/model.safetensors:greedy=true`. A class of anybody is `python:my_module.MyAgent`.
"""

import hashlib
import inspect
import random
import re
from collections.abc import Callable, Sequence
from importlib import import_module
from traceback import format_exception_only
from typing import Any, Final, Protocol, runtime_checkable

from fujikoro_env.kernel.game import SEED_BITS
from fujikoro_env.kernel.registry import Registry
from fujikoro_env.kernel.text import one_line, quoted

OWN_CLASS: Final = "python"
FILE: Final = "path"  # parameter of makers that take a file
PARAMETER: Final = re.compile(r"[A-Za-z_]\w*=")
WORDS: Final = {"true": True, "false": False, "none": None}


@runtime_checkable
class Agent(Protocol):
    """Plays one seat of a game. Any object with these three methods is an agent."""

    def reset(self, seed: int, seat: int) -> None:
        """Start a new game. `seed` is for the agent's own random choices; it is not the seed of the game."""

    def act(self, view: Any) -> int:
        """Choose a legal action. `view` is the game as this seat sees it, at one of its decisions."""

    def explain(self) -> str:
        """The reason for the last action, in words and numbers; may be empty."""


Maker = Callable[..., Agent]  # a class or function, called with the parameters given in the name


class AgentError(ValueError):
    """Raised for an unknown agent name, or when an agent fails. The message is one line that says what is wrong."""


def failure_text(error: BaseException) -> str:
    """What an agent's code raised, as one printable line. It never fails, whatever the exception's own code does."""
    try:
        return one_line(format_exception_only(error)[-1])
    except BaseException:
        return "an exception that can't be shown"


# --- names ----------------------------------------------------------------------------------------------------------


class AgentRegistry(Registry[Maker]):
    """The agents of one game, by name. `group`: the entry points at which packages offer agents."""

    def __init__(self, group: str) -> None:
        super().__init__(group, AgentError, reserved=OWN_CLASS)

    def make(self, name: str) -> Agent:
        """Make a new agent by name."""
        try:
            return self._made(name)
        except AgentError:
            raise
        except KeyboardInterrupt:
            raise
        except BaseException as error:  # an agent's own code may raise anything, SystemExit too
            raise AgentError(f"agent {quoted(name)} can't be made: {failure_text(error)}") from error

    def make_all(self, names: Sequence[str], seed: int) -> list[Agent]:
        """Make one agent for each seat and reset it for a game. `seed` is for the agents' own random choices."""
        agents = [self.make(name) for name in names]
        for seat, agent in enumerate(agents):
            agent.reset(seed, seat)
        return agents

    def _made(self, name: str) -> Agent:
        kind, _, rest = name.partition(":")
        if kind == OWN_CLASS:
            path, _, parameters = rest.partition(":")
            maker, file = _own_class(name, path), ""
        else:
            maker = self._known(name, kind)
            file, parameters = _file(maker, rest)
        given = parameters_of(f"agent {quoted(name)}", parameters)
        agent = _called(name, maker, {FILE: file, **given} if file else given)
        if not isinstance(agent, Agent):
            raise AgentError(f"agent {quoted(name)} is not an agent: it needs the methods reset, act and explain")
        return agent

    def _known(self, name: str, kind: str) -> Maker:
        maker = self.find(kind, f"agent {quoted(name)}")
        if maker is None:
            known = ", ".join(self.names())
            raise AgentError(f"agent {quoted(name)} is not known: there are {known}, {OWN_CLASS}:module.Class")
        return maker


def split_names(text: str) -> list[str]:
    """Split a typed list of agent names. Commas separate names as well as parameters: a part that starts with `word=`
    belongs to the name before it.

    >>> split_names("shogun,mcts:iterations=400,depth=3,random")
    ['shogun', 'mcts:iterations=400,depth=3', 'random']
    """
    names: list[str] = []
    for part in (part.strip() for part in text.split(",")):
        if not part:
            raise AgentError(f"{quoted(text)}: a name is missing; write NAME,NAME:PARAMETER=VALUE,...")
        if not PARAMETER.match(part):
            names.append(part)
        elif names and ":" in names[-1]:
            names[-1] += f",{part}"
        else:
            raise AgentError(f"parameter {quoted(part)} belongs to no name: write NAME:{one_line(part, 60)}")
    return names


def _own_class(name: str, path: str) -> Maker:
    module, _, attribute = path.rpartition(".")
    if not module:
        raise AgentError(f"agent {quoted(name)}: a class is written {OWN_CLASS}:module.Class")
    try:
        found: Maker = getattr(import_module(module), attribute)
    except ModuleNotFoundError as error:
        raise AgentError(f"agent {quoted(name)}: there is no module {quoted(error.name, 60)}") from None
    except AttributeError:
        raise AgentError(f"agent {quoted(name)}: module {quoted(module, 60)} has no {quoted(attribute, 60)}") from None
    return found


def _file(maker: Maker, rest: str) -> tuple[str, str]:
    """Split off the file, if the maker takes one and it is given, from the parameters after it."""
    if FILE not in inspect.signature(maker).parameters or PARAMETER.match(rest):
        return "", rest
    path, colon, parameters = rest.rpartition(":")
    return (path, parameters) if colon and PARAMETER.match(parameters) else (rest, "")


def _called(name: str, maker: Maker, parameters: dict[str, Any]) -> Any:
    known = inspect.signature(maker).parameters
    takes_any = any(parameter.kind == parameter.VAR_KEYWORD for parameter in known.values())
    if unknown := [each for each in parameters if each not in known and not takes_any]:
        allowed = ", ".join(known) or "none"
        raise AgentError(f"agent {quoted(name)}: it has no parameter {quoted(unknown[0], 60)}; allowed are {allowed}")
    if FILE in known and FILE not in parameters and known[FILE].default is inspect.Parameter.empty:
        raise AgentError(f"agent {quoted(name)}: it needs a file, {one_line(name.partition(':')[0], 60)}:FILE")
    return maker(**parameters)


def parameters_of(whose: str, text: str) -> dict[str, Any]:
    """Read parameters as they are written after a name: `iterations=400,depth=3`. `whose` begins the message if that
    fails."""
    pairs = [part.partition("=") for part in text.split(",")] if text else []
    if any(not key or not equals for key, equals, _ in pairs):
        raise AgentError(f"{whose}: parameters are written name=value, separated by commas")
    return {key: _value(written) for key, _, written in pairs}


def _value(written: str) -> Any:
    """Parse a number, true, false or none; anything else stays text."""
    if written.lower() in WORDS:
        return WORDS[written.lower()]
    for number in (int, float):
        try:
            return number(written)
        except ValueError:
            continue
    return written


# --- seeds ----------------------------------------------------------------------------------------------------------


def luck_of(*what: object) -> int:
    """A pseudo-random number that depends only on the arguments."""
    digest = hashlib.sha256(" ".join(map(str, what)).encode()).digest()
    return int.from_bytes(digest[:8], "little") >> (64 - SEED_BITS)


def secret_luck_of(salt: str, *what: object) -> int:
    """Same as `luck_of`, but nobody can compute it without the salt, a text of at most 64 bytes."""
    if not salt:
        return luck_of(*what)
    digest = hashlib.blake2b(" ".join(map(str, what)).encode(), key=salt.encode(), digest_size=8).digest()
    return int.from_bytes(digest, "little") >> (64 - SEED_BITS)


def agents_seed(game_seed: int, salt: str = "") -> int:
    """Seed for the agents of a game, derived from the game's seed. The game's seed would reveal all chance events to
    come. Without a salt, an agent can find a game seed that is easy to guess (0, 1, 2 ...) by trying; tournaments use a
    secret salt."""
    return secret_luck_of(salt, "agents", game_seed)


# --- the random agent -----------------------------------------------------------------------------------------------


class RandomAgent:
    """Chooses a legal action at random, each with the same probability."""

    def __init__(self) -> None:
        self._luck, self._choices = random.Random(0), 0

    def reset(self, seed: int, seat: int) -> None:
        self._luck, self._choices = random.Random(f"{seed} {seat}"), 0

    def act(self, view: Any) -> int:
        legal = view.legal_actions()
        self._choices = len(legal)
        return int(self._luck.choice(legal))

    def explain(self) -> str:
        return f"at random, one of {self._choices}" if self._choices else ""
