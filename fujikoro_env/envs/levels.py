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
from typing import TYPE_CHECKING, Any, Final, Protocol, TypeVar, runtime_checkable

import numpy as np
from numpy.typing import NDArray

from fujikoro_env.actions import InvalidActionError, whole_action
from fujikoro_env.game import Game, IllegalActionError
from fujikoro_env.kernel.registry import Registry
from fujikoro_env.kernel.text import one_line, quoted
from fujikoro_env.player import AgentError, parameters_of
from fujikoro_env.rules.base.arrays import GameArrays

if TYPE_CHECKING:
    from gymnasium.spaces import Space

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
    * `summaries` (n, summary) float32: descriptions of the positions with a question, as seen by the acting players
    """

    @property
    def counts(self) -> NDArray[np.int64]: ...

    @property
    def features(self) -> NDArray[np.float32]: ...

    @property
    def summaries(self) -> NDArray[np.float32]: ...

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
LEVELS: Final[Registry[Maker]] = Registry(ENTRY_POINTS, LevelError, reserved=PRIMITIVE)
MAKERS: Final = LEVELS.registered


def register_level(name: str) -> Callable[[M], M]:
    """Register a class or function that makes a level, for the current process."""
    return LEVELS.register(name)


def level_names() -> list[str]:
    """Names of all levels, including those of entry points."""
    return [PRIMITIVE, *LEVELS.names()]


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
    what = f"decisions={quoted(name)}"
    maker = LEVELS.find(kind, what)
    if maker is None:
        raise LevelError(f"{what}: allowed are {', '.join(map(repr, level_names()))}")
    return maker


def level_spaces(level: Level) -> "dict[str, Space[Any]]":
    """Spaces of what a level adds to an observation: `choices` and `summary`."""
    from gymnasium.spaces import Box

    low, high = _bounds(level.features)
    rows = (level.choices, len(level.features))
    lows = np.broadcast_to(np.minimum(low, 0), rows)  # rows without a choice are zeros
    choices = Box(lows, np.broadcast_to(np.maximum(high, 0), rows), rows, np.float32)
    return {"choices": choices, "summary": Box(*_bounds(level.summary), dtype=np.float32)}


def _bounds(features: tuple[Feature, ...]) -> tuple[NDArray[np.float32], NDArray[np.float32]]:
    return np.array([one.low for one in features], np.float32), np.array([one.high for one in features], np.float32)


# --- one game at a level --------------------------------------------------------------------------------------------

NO_QUESTION: Final = 1  # a count of choices: the level decides by itself
FIRST: Final = np.zeros(1, np.int64)  # the first choice, and the only game
Note = Callable[[int, Game], None]  # called with an action and the game after it


def _note_nothing(action: int, game: Game) -> None:
    pass


class LevelGame:
    """Asks players of one game at a level. `seats`: those that are asked at the level, or None for all; the others
    decide about single actions."""

    def __init__(self, level: Level, note: Note = _note_nothing) -> None:
        self.level, self._table, self._note = level, level.table(1), note
        self.seats: frozenset[int] | None = None

    def begin(self, game: Game, seed: int) -> None:
        """Start a new game, and play to the first question."""
        self._table.begin(FIRST, np.array([seed], np.int64))
        self.advance(game)

    def is_at_level(self, seat: int) -> bool:
        """Whether a seat is asked at the level."""
        return self.seats is None or seat in self.seats

    def asks(self, game: Game) -> bool:
        """Whether the acting player is asked at the level."""
        return not game.over and self.is_at_level(game.actor)

    def advance(self, game: Game) -> None:
        """List the choices, and play on as long as the level decides by itself."""
        while self.asks(game):
            self._table.list_choices(game.compiled, FIRST)
            if self._table.counts[0] > NO_QUESTION:
                return
            self._carry_out(game, 0)

    def step(self, game: Game, choice: Any) -> None:
        """Carry out a choice, or a single action of a seat that is not at the level, and play to the next question."""
        if self.asks(game):
            self._carry_out(game, self._checked(game, choice))
        else:
            game.step(choice)
            self._note(choice, game)
        self.advance(game)

    def _checked(self, game: Game, given: Any) -> int:
        try:
            choice = whole_action(given)
        except InvalidActionError:
            allowed = f"allowed are the whole numbers from 0 to {self.level.choices - 1}"
            raise InvalidActionError(f"choice {quoted(given)}: {allowed}") from None
        if not 0 <= choice < self._table.counts[0]:
            named = [f"{number} ({text})" for number, text in enumerate(self.describe(game))]
            raise IllegalActionError(f"choice {choice}", game.phase.name, named)
        return choice

    def _carry_out(self, game: Game, choice: int) -> None:
        (action,) = self._table.carry_out(game.compiled, FIRST, np.array([choice], np.int64))
        game.step(int(action))
        self._note(int(action), game)

    def mask(self, game: Game) -> NDArray[np.int8]:
        """Mask of the choices, int8; all zeros if nobody is asked at the level."""
        count = self._table.counts[0] if self.asks(game) else 0
        return (np.arange(self.level.choices) < count).astype(np.int8)

    def observe(self, game: Game, player: int) -> dict[str, NDArray[np.float32]]:
        """Descriptions of the choices, zeros for a player who is not asked, and of the position."""
        asked = self.asks(game) and player == game.actor
        choices = self._table.features[0] if asked else np.zeros_like(self._table.features[0])
        summary = self._table.summarise(game.compiled, FIRST, np.array([player], np.int64))[0]
        return {"choices": choices.copy(), "summary": summary}

    def describe(self, game: Game) -> list[str]:
        """The choices in words; empty if nobody is asked at the level."""
        return self._table.describe(game) if self.asks(game) else []
