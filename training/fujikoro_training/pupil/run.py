"""A run of `fujikoro train pupil`: `train_pupil(recipe, folder)`, and `resume_pupil(folder)` after a break.

The teacher plays the games of round 0, and the pupil those of the rounds after it; the teacher says at every question
what it expects of the choices. After each round the pupil is fitted anew to the questions of all rounds.

The folder of a run has `recipe.json`, `games/` (questions, a file for each part of a round), `rounds/` (the teacher,
and the network after each round), `curve.jsonl` and `policy.safetensors` (plays as `policy:FILE`). Every file is
written as a whole, so a run goes on after a break from what is there, and gives the same curve as without a break.
"""

import json
import time
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Any, Final

import numpy as np
from numpy.typing import NDArray
from safetensors import SafetensorError
from safetensors.numpy import load_file, save_file

from fujikoro_agents.plans.player import Chooser, PlanPolicy
from fujikoro_agents.policy import load_policy, new_head, save_policy
from fujikoro_agents.policy.digests import PLANS, observation_digest
from fujikoro_agents.values.file import Value, known_value, load_value, save_value
from fujikoro_training.evaluation_games import keeper_of
from fujikoro_training.learning.checkpoint import CheckpointError
from fujikoro_training.learning.opponents import counts
from fujikoro_training.learning.recipe import RecipeError
from fujikoro_training.learning.run import CURVE, POLICY, Row, Show, Status, Trained
from fujikoro_training.matches import play_match
from fujikoro_training.pupil.fit import Fit, chooser, fitted, mean_gain
from fujikoro_training.pupil.lessons import Questions, joined, play_lessons
from fujikoro_training.pupil.recipe import LEARNER, PupilRecipe, pupil_recipe_of
from fujikoro_training.timing import Stopwatch
from fujikoro_training.values.run import read_curve, write_curve

RECIPE: Final = "recipe.json"
TEACHER: Final = "teacher.safetensors"
GAMES_OF_PART: Final = 60
SEEDS_OF_PART: Final = 1000  # distance between the first seeds of two parts
SEEDS_OF_RUN: Final = 1_000_000_000  # between those of two runs with different seeds
Weights = dict[str, NDArray[np.float32]]


@dataclass(frozen=True)
class Part:
    """Some games of a round, of one kind."""

    round: int
    number: int  # within the run
    kind: int
    games: int


def train_pupil(recipe: PupilRecipe, folder: Path, show: Show = lambda status: None) -> Trained:
    """Train a network by a recipe, in a new folder."""
    if (folder / RECIPE).exists():
        raise CheckpointError(f"{folder} has a run already: resume it, or choose another folder")
    folder.mkdir(parents=True, exist_ok=True)
    said = {"name": recipe.name, "plans_digest": observation_digest(PLANS), **recipe.to_json()}
    (folder / RECIPE).write_text(json.dumps(said, indent=1))
    return PupilRun(recipe, folder, show).run()


def resume_pupil(folder: Path, show: Show = lambda status: None) -> Trained:
    """Go on with the run in a folder."""
    path = folder / RECIPE
    try:
        said = json.loads(path.read_text())
        name, digest = str(said.pop("name")), said.pop("plans_digest")
        recipe = pupil_recipe_of(name, said)
    except (OSError, ValueError, KeyError, AttributeError, RecipeError) as error:
        raise CheckpointError(f"{path}: not the recipe of a run ({' '.join(str(error).split())[:200]})") from None
    if digest != observation_digest(PLANS):
        raise CheckpointError(f"{path}: the run learns from another table of plans")
    return PupilRun(recipe, folder, show).run()


def is_pupil_run(folder: Path) -> bool:
    """Whether a folder has a run of this kind."""
    try:
        said = json.loads((folder / RECIPE).read_text())
    except (OSError, ValueError):
        return False
    return isinstance(said, dict) and said.get("learner") == LEARNER


class PupilRun:
    """A run and what it has so far."""

    def __init__(self, recipe: PupilRecipe, folder: Path, show: Show) -> None:
        self.recipe, self.folder, self.show = recipe, folder, show
        self.watch = Stopwatch()
        self.curve = read_curve(folder / CURVE)
        self.decisions = 0
        self._before = float(self.curve[-1]["seconds"]) if self.curve else 0.0  # seconds of earlier sessions
        self._began = time.monotonic()
        for name in ("games", "rounds"):
            (folder / name).mkdir(exist_ok=True)
        self._teacher = self._kept_teacher()
        learning = recipe.learning
        sizes = learning.layers, learning.epochs, learning.batch, learning.learning_rate, learning.temperature
        self._fit = Fit(*sizes, recipe.seed)

    @property
    def seconds(self) -> float:
        """Seconds of the run so far, breaks excluded."""
        return self._before + time.monotonic() - self._began

    def run(self) -> Trained:
        """Do all rounds that are left. An interrupt ends the run; what is in its files stays."""
        finished = False
        try:
            lessons: list[Questions] = []
            weights: Weights | None = None
            for number in range(self.recipe.lessons.rounds + 1):
                weights = self._round(number, weights, lessons)
            finished = True
        except KeyboardInterrupt:
            pass
        return Trained(self.curve, self.watch.shares(), self.seconds, finished)

    def _kept_teacher(self) -> Value:
        """The teacher's value network, of which the run keeps a copy."""
        path = self.folder / "rounds" / TEACHER
        if not path.exists():
            save_value(path, known_value(self.recipe.lessons.teacher))
        return load_value(path)

    def _round(self, number: int, before: Weights | None, lessons: list[Questions]) -> Weights:
        """Do a round, unless it has been done: games, fit, evaluation. `lessons`: questions so far, by part."""
        new = self._games(number, before)
        path = self.folder / "rounds" / f"policy-{number}.safetensors"
        lessons += new
        if not path.exists():
            with self.watch("update"):
                found = fitted(_joined(lessons), self._fit)
            self._save(path, found, number, {} if before is None else {"gain": self._gain(before, new)})
        policy = load_policy(path)
        weights = {name: np.asarray(array) for name, array in policy.weights.items()}
        if len(self.curve) <= number:
            self._evaluate(number, weights, policy.head.training)
        self._save(self.folder / POLICY, weights, number, dict(policy.head.training))
        return weights

    def _gain(self, weights: Weights, new: list[Questions]) -> float:
        """Mean gain of the network's choices in games that it has not learned from."""
        return round(mean_gain(weights, self._fit.network, _joined(new)), 4)

    def _save(self, path: Path, weights: Weights, number: int, facts: dict[str, Any]) -> None:
        recipe = self.recipe
        training = {"recipe": recipe.name, "settings": recipe.to_json(), "round": number, "decisions": self.decisions}
        head = new_head(self._fit.network, recipe.games[0].make_rules().pack, PLANS, {**training, **facts})
        save_policy(path, weights, head)

    # --- games

    def _games(self, number: int, weights: Weights | None) -> list[Questions]:
        """Questions of all games of a round; parts that have been played are read."""
        found = []
        pupil = None if weights is None else chooser(weights, self._fit.network)
        for part in self._parts(number):
            path = self.folder / "games" / f"{part.number}.safetensors"
            with self.watch("games"):
                questions = _read_questions(path) if path.exists() else self._play(part, pupil, path)
            self.decisions += int(questions.decisions.sum())
            found.append(questions)
            self.show(Status(self.recipe, self.decisions))
        return found

    def _parts(self, number: int) -> list[Part]:
        """All parts of a round. They are numbered through all rounds."""
        parts: list[Part] = []
        for each in range(number + 1):
            games = self.recipe.lessons.games_of_round if each else self.recipe.lessons.games
            for kind, of_kind in enumerate(counts([kind.share for kind in self.recipe.games], games)):
                for first in range(0, of_kind, GAMES_OF_PART):
                    parts.append(Part(each, len(parts), kind, min(GAMES_OF_PART, of_kind - first)))
        return [part for part in parts if part.round == number]

    def _play(self, part: Part, pupil: Chooser | None, path: Path) -> Questions:
        lessons, rules = self.recipe.lessons, self.recipe.games[part.kind].make_rules()
        first = self.recipe.seed * SEEDS_OF_RUN + part.number * SEEDS_OF_PART
        seeds = first + np.arange(part.games)
        questions = play_lessons(rules, seeds, self._teacher, lessons.margin, lessons.stray, pupil)
        beside = path.with_name(f".{path.name}")
        save_file({name: np.ascontiguousarray(array) for name, array in questions.arrays().items()}, beside)
        beside.replace(path)
        return questions

    # --- evaluation

    def _evaluate(self, number: int, weights: Weights, training: Any) -> None:
        """Play the matches of a round and add a row to the curve. Only the last round is evaluated in all kinds of
        games."""
        recipe, is_last = self.recipe, number == self.recipe.lessons.rounds
        games = recipe.evaluation.final_games if is_last else recipe.evaluation.games
        facts = {name: training[name] for name in ("gain",) if name in training}
        row: Row = {"decisions": self.decisions, "seconds": 0.0, "round": number, **facts, "matches": []}
        with self.watch("evaluation"):
            for kind in recipe.games if is_last else recipe.games[:1]:
                for opponent in recipe.evaluation.opponents:
                    policy = PlanPolicy(chooser(weights, self._fit.network))
                    rules = kind.make_rules()
                    keep = keeper_of(self.folder, self.decisions, opponent, kind.label, rules)
                    match = play_match(policy, opponent, rules, games, recipe.evaluation.seed, keep=keep)
                    row["matches"].append({"games of": kind.label, **asdict(match)})
        row["seconds"] = round(self.seconds, 1)
        if is_last:
            row["games"] = "final"
        self.curve.append(row)
        write_curve(self.folder / CURVE, self.curve)
        self.show(Status(recipe, self.decisions, row=row))


def _joined(parts: list[Questions]) -> Questions:
    if not sum(len(part.counts) for part in parts):
        raise RecipeError("the games are too few or too short: there is no question to learn from")
    return joined(parts)


def _read_questions(path: Path) -> Questions:
    try:
        return Questions(**load_file(path))
    except (OSError, SafetensorError, TypeError) as error:
        raise CheckpointError(f"{path}: not games of a run ({' '.join(str(error).split())[:200]})") from None
