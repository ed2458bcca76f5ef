"""`RecordedGame`: what sessions, events and recordings need of a game."""

import hashlib
from abc import ABC, abstractmethod
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from functools import cached_property
from importlib import resources
from importlib.resources.abc import Traversable
from pathlib import Path
from typing import Any, Final

from fujikoro_env.kernel.record.events import HIDDEN, OPEN, SPECTATOR, Draws, Event

KERNEL: Final = "fujikoro_env"  # package in which the kernel is
KEPT_LOOKS: Final = 8


@dataclass(frozen=True)
class Passage:
    """A step between two positions of a game, and the same positions as an audience sees them."""

    before: Any
    action: int
    after: Any
    old: Any
    new: Any


class RecordedGame(ABC):
    """What sessions, events and recordings need of a game. Games are those of the game's own class."""

    name: str  # in the registry of games; it marks the game's files
    package: str  # import package of the game
    sources: tuple[str, ...]  # files and folders of the package that hold its rules
    version: int  # of the format of recordings
    game_class: type[Any]
    actions: int  # number of actions

    # rules, positions and outcomes as plain data, ready for JSON

    @abstractmethod
    def rules_as_data(self, rules: Any) -> dict[str, Any]:
        """The rules, with what identifies their content."""

    @abstractmethod
    def read_rules(self, value: Any, content: str | Path | None) -> Any:
        """Read rules; raises `PositionError`. `content`: the current path of the content pack, if it has moved."""

    @abstractmethod
    def position_of(self, game: Any) -> dict[str, Any]:
        """The position of a game."""

    @abstractmethod
    def read_position(self, position: dict[str, Any], rules: Any) -> Any:
        """Read a game from its position; raises `PositionError`."""

    @abstractmethod
    def outcome_as_data(self, outcome: Any) -> dict[str, Any]:
        """The outcome of a game."""

    @abstractmethod
    def read_outcome(self, value: Any) -> Any:
        """Read an outcome; raises `RecordError`."""

    # results of chance

    @abstractmethod
    def deal_of(self, game: Any) -> dict[str, Any]:
        """What set-up dealt at random, in a game that was just dealt. Empty values are left out."""

    @abstractmethod
    def chance_in(self, before: Any, action: int, after: Any) -> tuple[list[dict[str, Any]], Draws]:
        """The dice rolled in a step, in order, with who rolled them; and the pieces drawn, by deck."""

    # what an audience sees

    @abstractmethod
    def spectator_view(self, game: Any) -> Any:
        """The game as somebody sees it who sees only what all players see."""

    @abstractmethod
    def chance_seen(self, passage: Passage) -> tuple[list[dict[str, Any]], Draws]:
        """The same as `chance_in`, as an audience sees it."""

    @abstractmethod
    def news(self, passage: Passage, looks: "Looks") -> Sequence[str]:
        """What a step changed, in words, as an audience sees it."""

    def hides_action(self, _passage: Passage) -> bool:
        """Whether the audience can't see which action was chosen."""
        return False

    def round_of(self, game: Any) -> int:
        """Number of the round."""
        return int(game.state.round_number)

    def look(self, game: Any) -> Any:
        """A description of the table, from which news are made."""
        return game

    def view_for(self, game: Any, audience: int) -> Any:
        """A copy of the game as an audience sees it."""
        if audience == OPEN:
            return game.clone()
        return self.spectator_view(game) if audience == SPECTATOR else game.view(audience)

    def event_of(
        self, number: int, before: Any, action: int, after: Any, audience: int, looks: "Looks | None" = None
    ) -> Event:
        """The event of a step between two positions of a game."""
        passage = Passage(before, action, after, self.view_for(before, audience), self.view_for(after, audience))
        hidden = audience != OPEN and self.hides_action(passage)
        rolls, draws = self.chance_seen(passage)
        return Event(
            number=number,
            seat=before.actor,
            asked=before.phase.name,
            action=HIDDEN if hidden else action,
            name="hidden" if hidden else passage.old.action_name(action),
            rolls=rolls,
            draws=draws,
            news=tuple(self.news(passage, looks or Looks(self.look))),
        )

    @cached_property
    def engine_digest(self) -> str:
        """Hash of the rules' source. Games under equal digests are equal; under different ones they may differ."""
        kernel, package = resources.files(KERNEL) / "kernel", resources.files(self.package)
        files = [file for file in kernel.iterdir() if file.name.endswith(".py")]
        files += [file for name in self.sources for file in _sources(package / name)]
        texts = sorted(file.name + file.read_text(encoding="utf-8") for file in files)
        return hashlib.sha256("\0".join(texts).encode()).hexdigest()[:16]


def _sources(place: Traversable) -> Iterator[Traversable]:
    """A Python file, or all Python files of a folder and its subfolders."""
    if not (place.is_dir() or place.is_file()):
        raise FileNotFoundError(f"{place}: the game says that its rules are here, but nothing is")
    if place.is_dir():
        for each in place.iterdir():
            yield from _sources(each)
    elif place.name.endswith(".py"):
        yield place


class Looks:
    """Cache of the last descriptions of tables. Describing a table can take far longer than the rest of an event. Most
    audiences see the same, and what they see after one step is what they see before the next."""

    def __init__(self, look: Callable[[Any], Any]) -> None:
        self._look = look
        self._known: dict[str, Any] = {}

    def __call__(self, game: Any) -> Any:
        digest = game.digest()
        if digest not in self._known:
            if len(self._known) == KEPT_LOOKS:
                del self._known[next(iter(self._known))]  # the oldest
            self._known[digest] = self._look(game)
        return self._known[digest]
