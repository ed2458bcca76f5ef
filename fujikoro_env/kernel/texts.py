"""`Texts`: how a game is shown to people as text, and `Choices`: the legal actions of the player who is asked. What is
here does for any game; a game's own classes say more."""

from abc import ABC, abstractmethod
from collections import Counter
from collections.abc import Hashable, Mapping, Sequence
from itertools import groupby
from pathlib import PurePath
from typing import Any, ClassVar, Final

from fujikoro_env.kernel.action_table import ActionTable, Block

WIDTH: Final = 118  # columns


def label(name: str, seat: int) -> str:
    """Readable name of a player: `shogun (player 1)`."""
    return f"{short_name(name)} (player {seat})" if name else f"player {seat}"


def short_name(name: str) -> str:
    """The name of an agent, with a short word for its file: `policy:a` for `policy:runs/a/policy.safetensors`."""
    kind, _, given = name.partition(":")
    file, colon, settings = given.partition(":")
    path = PurePath(file)
    if "=" in file or path.name == file:
        return name
    return f"{kind}:{path.parent.name if path.stem == kind else path.stem}{colon}{settings}"


def short_names(names: Sequence[str]) -> dict[str, str]:
    """Short names of agents, by name. Agents whose short names are the same keep their full names."""
    short = {name: short_name(name) for name in names}
    count = Counter(short.values())
    return {name: found if count[found] == 1 else name for name, found in short.items()}


def labels(names: Sequence[str]) -> list[str]:
    """Readable names of all players."""
    return [label(name, seat) for seat, name in enumerate(names)]


class Choices:
    """The legal actions of the player who is asked, with a note for each and a short name for some."""

    def __init__(self, view: Any, table: ActionTable) -> None:
        """`table`: all actions of the game."""
        self.view = view
        self.actions = [int(action) for action in view.legal_actions()]
        self._actions = table

    def block_of(self, action: int) -> Block:
        """The block of an action."""
        return self._actions.block_of(action)

    def by_block(self) -> list[tuple[Block, list[int]]]:
        """The actions of each block."""
        return [(block, list(actions)) for block, actions in groupby(self.actions, key=self.block_of)]

    def note(self, _action: int) -> str:
        """Describes an action in a few words, or "" if its name says it all."""
        return ""

    def short_names(self) -> dict[int, str]:
        """Short names of some actions."""
        return {}

    def first(self) -> list[int]:
        """Actions that are listed before all others."""
        return []

    def question(self, _width: int) -> list[str]:
        """The question and its subject."""
        return [f"player {self.view.actor} is asked: {self.view.question}"]


class Texts(ABC):
    """How a game is shown to people as text. `names` are the players' names by seat, or empty."""

    title: str  # of the game
    parts: ClassVar[Mapping[str, str]] = {}  # names of parts of the table that can be shown alone, and what they are
    mine: str = "show what you have"  # what `board` does
    switch: str = ""  # what follows a command to choose this game: " --game fuji"
    example: str = ""  # of the names of actions, for the help at the keyboard: ", such as `roll(1+4)`"
    examples: str = ""  # how they may be shortened: ": `roll 1+4`, `1+4`"
    explains: ClassVar[Mapping[str, str]] = {}  # names of commands that explain something, and how they are typed

    @abstractmethod
    def table(self, game: Any, width: int = WIDTH, names: Sequence[str] = ()) -> str:
        """The whole table."""

    @abstractmethod
    def outcome(self, game: Any, who: Sequence[str] = ()) -> str:
        """The end of a game, in a few lines. `who`: readable names of the players."""

    @abstractmethod
    def choices(self, view: Any) -> Choices:
        """The choices of the player who is asked."""

    def short_table(self, game: Any, _seat: int, width: int = WIDTH, names: Sequence[str] = ()) -> str:
        """What most decisions of a seat need of the table, for small screens."""
        return self.table(game, width, names)

    def part(self, _name: str, game: Any, width: int = WIDTH, names: Sequence[str] = ()) -> str:
        """One of the parts."""
        return self.table(game, width, names)

    def board(self, game: Any, _seat: int, names: Sequence[str] = ()) -> str:
        """What one player has."""
        return self.table(game, names=names)

    def explained(self, _command: str, _argument: str, _game: Any) -> str:
        """The answer to one of the commands in `explains`."""
        return ""

    def turn(self, view: Any) -> Hashable:
        """The turn: a person sees the table again when it has changed."""
        return int(view.state.round_number)

    def is_turn_of(self, _view: Any, _seat: int) -> bool:
        """Whether a new turn is shown to this seat."""
        return True

    def when(self, game: Any) -> str:
        """The time, as it stands before what is told."""
        return f"round {game.state.round_number}"

    def standing(self, _game: Any) -> str:
        """How the game stands for somebody who leaves it; may be empty."""
        return ""


class SimpleTexts(Texts):
    """A small game as text: the table is `str` of the game, and at the end it tells the scores."""

    def __init__(self, name: str, title: str, actions: ActionTable) -> None:
        """`name`: of the game in the registry."""
        self.title, self.switch, self._actions = title, f" --game {name}", actions

    def table(self, game: Any, width: int = WIDTH, names: Sequence[str] = ()) -> str:
        return str(game)

    def outcome(self, game: Any, who: Sequence[str] = ()) -> str:
        called = who or labels([""] * game.rules.players)
        return "\n".join(f"{name}: {score}" for name, score in zip(called, game.scores, strict=True))

    def choices(self, view: Any) -> Choices:
        return Choices(view, self._actions)

    def turn(self, view: Any) -> Hashable:
        return int(view.actor)

    def is_turn_of(self, view: Any, seat: int) -> bool:
        return bool(view.actor == seat)

    def when(self, game: Any) -> str:
        return f"turn of player {game.actor}"
