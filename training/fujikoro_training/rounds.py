"""Runs that learn in rounds: what `fujikoro train value` and `fujikoro train pupil` have in common.

A round plays games, learns from those of all rounds, and evaluates what it has learned. The folder of a run has
`recipe.json`, `games/` (a file for each part of a round), `rounds/` (what each round has learned) and `curve.jsonl`.
Every file is written as a whole, so a run goes on after a break from what is there, and gives the same curve as without
a break.
"""

import json
import time
from collections.abc import Callable, Iterable, Mapping
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Any, ClassVar, Generic, Protocol, TypeVar

import numpy as np
from numpy.typing import NDArray
from safetensors import SafetensorError
from safetensors.numpy import load_file, save_file

from fujikoro_training.evaluation_games import keeper_of
from fujikoro_training.learning.checkpoint import CheckpointError
from fujikoro_training.learning.folder import RECIPE, locked, new_folder, write_recipe
from fujikoro_training.learning.progress import Row, curve_of
from fujikoro_training.learning.recipe import RecipeError
from fujikoro_training.learning.run import CURVE, Show, Status, Trained
from fujikoro_training.matches import play_match
from fujikoro_training.timing import Stopwatch

R = TypeVar("R")  # class of recipes
K = TypeVar("K", bound="Kept")
P = TypeVar("P", bound="Part")


@dataclass(frozen=True)
class KindOfRun(Generic[R]):
    """A kind of run, by its recipes: how they are kept in the folder of a run."""

    learner: str
    learns_from: str  # "features": a run goes on only with the table of them that it began with
    key: str  # in the file: the digest of that table
    digest: Callable[[], str]
    read: Callable[[str, Any], R]  # name, settings

    def begin(self, recipe: Any, folder: Path) -> None:
        """Begin a new run in a folder."""
        said = {"name": recipe.name, self.key: self.digest(), **recipe.to_json()}
        write_recipe(folder, json.dumps(said, indent=1))

    def refuse_known(self, folder: Path) -> None:
        """Refuse a folder that has a run already."""
        if (folder / RECIPE).exists():
            raise CheckpointError(f"{folder} has a run already: resume it, or choose another folder")

    def recipe_in(self, folder: Path) -> R:
        """The recipe of the run in a folder."""
        path = folder / RECIPE
        try:
            said = json.loads(path.read_text())
            name, digest = str(said.pop("name")), said.pop(self.key)
            recipe = self.read(name, said)
        except (OSError, ValueError, KeyError, TypeError, AttributeError, RecursionError, RecipeError) as error:
            raise CheckpointError(f"{path}: not the recipe of a run ({' '.join(str(error).split())[:200]})") from None
        if digest != self.digest():
            raise CheckpointError(f"{path}: the run learns from another table of {self.learns_from}")
        return recipe

    def is_in(self, folder: Path) -> bool:
        """Whether a folder has a run of this kind."""
        try:
            said = json.loads((folder / RECIPE).read_text())
        except (OSError, ValueError, RecursionError):
            return False
        return isinstance(said, dict) and said.get("learner") == self.learner


class Kept(Protocol):
    """What is kept of some games to learn from."""

    @property
    def decisions(self) -> NDArray[np.int64]:
        """Numbers of decisions; their sum is that of all these games."""

    def arrays(self) -> dict[str, NDArray[Any]]:
        """Everything by name."""


class Part(Protocol):
    """Some games of a round, with a file of their own."""

    @property
    def file(self) -> str:
        """Name of the file."""


class RunInRounds(Generic[R]):
    """A run and what it has so far."""

    kind: ClassVar[KindOfRun[Any]]

    def __init__(self, recipe: R, folder: Path, show: Show) -> None:
        self.recipe, self.folder, self.show = recipe, folder, show
        self.watch = Stopwatch()
        self.curve = read_curve(folder / CURVE)
        self.decisions = 0
        self._before = float(self.curve[-1]["seconds"]) if self.curve else 0.0  # seconds of earlier sessions
        self._began = time.monotonic()
        for name in ("games", "rounds"):
            (folder / name).mkdir(exist_ok=True)

    @classmethod
    def train(cls, recipe: R, folder: Path, show: Show = lambda status: None) -> Trained:
        """Train a network by a recipe, in a new folder."""
        cls.kind.refuse_known(folder)
        with new_folder(folder):
            cls.kind.begin(recipe, folder)
            return cls(recipe, folder, show).run()

    @classmethod
    def resume(cls, folder: Path, show: Show = lambda status: None) -> Trained:
        """Go on with the run in a folder."""
        recipe = cls.kind.recipe_in(folder)
        with locked(folder):
            return cls(recipe, folder, show).run()

    @property
    def seconds(self) -> float:
        """Seconds of the run so far, breaks excluded."""
        return self._before + time.monotonic() - self._began

    def run(self) -> Trained:
        """Do all rounds that are left. An interrupt ends the run; what is in its files stays."""
        finished = False
        try:
            self._do_rounds()
            finished = True
        except KeyboardInterrupt:
            pass
        finally:
            self._close()
        return Trained(self.curve, self.watch.shares(), self.seconds, finished)

    def _do_rounds(self) -> None:
        raise NotImplementedError

    def _close(self) -> None:
        """Called at the end."""

    def _games_of(self, parts: Iterable[P], kind: Callable[..., K], play: Callable[[P], K]) -> list[K]:
        """What is kept of all games of a round. Parts that have been played before are read."""
        found = []
        for part in parts:
            path = self.folder / "games" / part.file
            with self.watch("games"):
                games = read_games(path, kind) if path.exists() else save_games(path, play(part))
            self.decisions += int(games.decisions.sum())
            found.append(games)
            recipe: Any = self.recipe
            self.show(Status(recipe, self.decisions))
        return found

    def _match(self, kind: Any, opponent: str, policy: Any, games: int, evaluation: Any) -> Any:
        """Play a match in one kind of games."""
        rules = kind.make_rules()
        keep = keeper_of(self.folder, self.decisions, opponent, kind.label, rules)
        return play_match(policy, opponent, rules, games, evaluation.seed, keep=keep)

    def _add_row(self, number: int, is_last: bool, policy: Callable[[], Any], facts: Mapping[str, Any]) -> Row:
        """Play the matches of a round and add a row to the curve. Only the last round is evaluated in all kinds of
        games. `policy` makes the player to be evaluated, for each match."""
        recipe: Any = self.recipe
        games = recipe.evaluation.final_games if is_last else recipe.evaluation.games
        row: Row = {"decisions": self.decisions, "seconds": 0.0, "round": number, **facts, "matches": []}
        with self.watch("evaluation"):
            for kind in recipe.games if is_last else recipe.games[:1]:
                for opponent in recipe.evaluation.opponents:
                    match = self._match(kind, opponent, policy(), games, recipe.evaluation)
                    row["matches"].append({"games of": kind.label, **asdict(match)})
        row["seconds"] = round(self.seconds, 1)
        if is_last:
            row["games"] = "final"
        self.curve.append(row)
        write_curve(self.folder / CURVE, self.curve)
        self.show(Status(recipe, self.decisions, row=row))
        return row


def save_games(path: Path, games: K) -> K:
    """Write what is kept of games as a whole, and return it."""
    beside = path.with_name(f".{path.name}")
    save_file({name: np.ascontiguousarray(array) for name, array in games.arrays().items()}, beside)
    beside.replace(path)
    return games


def read_games(path: Path, kind: Callable[..., K]) -> K:
    """Read what is kept of games."""
    try:
        return kind(**load_file(path))
    except (OSError, SafetensorError, TypeError) as error:
        raise CheckpointError(f"{path}: not games of a run ({' '.join(str(error).split())[:200]})") from None


def read_curve(path: Path) -> list[Row]:
    """The curve of a run so far."""
    try:
        return curve_of([json.loads(line) for line in path.read_text().splitlines()]) if path.exists() else []
    except (ValueError, RecursionError) as error:
        raise CheckpointError(f"{path}: not a curve ({error})") from None


def write_curve(path: Path, curve: list[Row]) -> None:
    """Write a curve as a whole."""
    beside = path.with_name(f".{path.name}")
    beside.write_text("".join(json.dumps(row) + "\n" for row in curve))
    beside.replace(path)
