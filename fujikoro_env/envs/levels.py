"""Decision levels: other ways to ask a player than action by action, found by name.

A level groups the questions of the game into fewer, larger ones. It has a fixed number of choices, a table of features
that describe each choice, and compiled functions that list the choices of a position and carry one out. Everything that
is not a question of the level is answered by the level itself.

`make_level("plans")` finds a level by name: it comes from `register_level`, or from an entry point of the group
"fujikoro.decisions" in another package. A name can carry parameters, `plans:phases=join+retreat`. The environments take
such a name as `decisions`; the name "primitive" means no level, so that every action is a decision.
"""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from importlib.metadata import entry_points
from typing import Any, Final, Protocol, TypeVar, runtime_checkable

import numpy as np
from numpy.typing import NDArray

from fujikoro_env.game import Game
from fujikoro_env.kernel.text import one_line, quoted
from fujikoro_env.player import AgentError, parameters_of
from fujikoro_env.rules.base.arrays import GameArrays

ENTRY_POINTS: Final = "fujikoro.decisions"
PRIMITIVE: Final = "primitive"
Which = Sequence[int] | NDArray[np.int64]  # numbers of games


class LevelError(ValueError):
    """Raised for an unknown level or parameter. The message is one line that says what is allowed."""


@dataclass(frozen=True)
class Feature:
    """One number of a description: its name, what it means, and its bounds."""

    name: str
    doc: str
    low: float = 0.0
    high: float = 1.0


class LevelTable(Protocol):
    """What a level knows of `n` games: its memory of each seat, and the choices of the current positions.

    * `counts` (n,) int64: number of choices. They are numbered from 0; a count of 1 is no question, and choice 0 is
      what the level does by itself
    * `features` (n, choices, features) float32: descriptions of the choices, zeros beyond the count
    * `summaries` (n, summary) float32: descriptions of the positions, as seen by the acting players
    """

    counts: NDArray[np.int64]
    features: NDArray[np.float32]
    summaries: NDArray[np.float32]

    def begin(self, which: Which, seeds: NDArray[np.int64]) -> None:
        """Forget the games `which` and start new ones from these seeds."""

    def list_choices(self, at: GameArrays, which: Which) -> None:
        """List the choices of the games `which`. It changes nothing but the arrays, so it can be repeated."""

    def carry_out(self, at: GameArrays, which: Which, choices: NDArray[np.int64]) -> NDArray[np.int64]:
        """Return the action that begins each choice, and remember what was chosen. Choices must be below the count."""

    def summarise(self, at: GameArrays, which: Which, observers: NDArray[np.int64]) -> NDArray[np.float32]:
        """Descriptions of the games `which`, as seen by these players, whoever must decide."""

    def describe(self, game: Game, index: int = 0) -> list[str]:
        """The choices listed last for the game with this index, in words."""

    def snapshot(self) -> dict[str, NDArray[Any]]:
        """The memory, as arrays."""

    def restore(self, snapshot: Mapping[str, NDArray[Any]]) -> None:
        """Go on from a snapshot; choices have to be listed again."""


@runtime_checkable
class Level(Protocol):
    """A decision level."""

    name: str  # with parameters, as `make_level` takes it
    choices: int
    features: tuple[Feature, ...]  # of each choice
    summary: tuple[Feature, ...]  # of the position

    def table(self, n: int) -> LevelTable:
        """Make the tables for n games."""


Maker = Callable[..., Level]
M = TypeVar("M", bound=Maker)
MAKERS: dict[str, Maker] = {}


def register_level(name: str) -> Callable[[M], M]:
    """Register a class or function that makes a level, for the current process."""
    if not name or ":" in name or name == PRIMITIVE:
        raise LevelError(f"name {quoted(name)}: allowed is any name without a colon except {PRIMITIVE!r}")

    def keep(maker: M) -> M:
        MAKERS[name] = maker
        return maker

    return keep


def level_names() -> list[str]:
    """Names of all levels, including those of entry points."""
    return [PRIMITIVE, *sorted({*MAKERS, *entry_points(group=ENTRY_POINTS).names})]


def make_level(name: Any) -> Level | None:
    """Make a level by name; None for "primitive"."""
    if name == PRIMITIVE:
        return None
    kind, _, written = name.partition(":") if isinstance(name, str) else ("", "", "")
    try:
        return _maker(kind, name)(**parameters_of(f"decisions={quoted(name)}", written))
    except (AgentError, TypeError) as error:
        raise LevelError(one_line(str(error))) from None


def _maker(kind: str, name: Any) -> Maker:
    if kind in MAKERS:
        return MAKERS[kind]
    for found in entry_points(group=ENTRY_POINTS, name=kind):
        try:
            maker: Maker = found.load()
        except (ImportError, AttributeError) as error:
            raise LevelError(f"decisions={quoted(name)} can't be loaded: {one_line(str(error))}") from None
        return maker
    raise LevelError(f"decisions={quoted(name)}: allowed are {', '.join(map(repr, level_names()))}")


def bounds(features: tuple[Feature, ...]) -> tuple[NDArray[np.float32], NDArray[np.float32]]:
    """Lower and upper bounds of a row of features."""
    return np.array([one.low for one in features], np.float32), np.array([one.high for one in features], np.float32)
