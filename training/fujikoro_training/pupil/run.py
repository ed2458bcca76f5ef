"""A run of `fujikoro train pupil`: `train_pupil(recipe, folder)`, and `resume_pupil(folder)` after a break.

The teacher plays the games of round 0, and the pupil those of the rounds after it; the teacher says at every question
what it expects of the choices. After each round the pupil is fitted anew to the questions of all rounds.

The folder of a run has `recipe.json`, `games/` (questions, a file for each part of a round), `rounds/` (the teacher,
and the network after each round), `curve.jsonl` and `policy.safetensors` (plays as `policy:FILE`). Every file is
written as a whole, so a run goes on after a break from what is there, and gives the same curve as without a break.
"""

from dataclasses import dataclass
from pathlib import Path
from typing import Any, Final

import numpy as np
from numpy.typing import NDArray

from fujikoro_agents.plans.player import Chooser, PlanPolicy
from fujikoro_agents.policy import load_policy, new_head, save_policy
from fujikoro_agents.policy.digests import PLANS, observation_digest
from fujikoro_agents.values.file import Value, known_value, load_value, save_value
from fujikoro_training.learning.opponents import counts
from fujikoro_training.learning.recipe import RecipeError
from fujikoro_training.learning.run import POLICY, Show
from fujikoro_training.pupil.fit import Fit, chooser, fitted, mean_gain
from fujikoro_training.pupil.lessons import Questions, joined, play_lessons
from fujikoro_training.pupil.recipe import LEARNER, PupilRecipe, pupil_recipe_of
from fujikoro_training.rounds import KindOfRun, RunInRounds

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

    @property
    def file(self) -> str:
        """Name of its file."""
        return f"{self.number}.safetensors"


def _plans_digest() -> str:
    return observation_digest(PLANS)


class PupilRun(RunInRounds[PupilRecipe]):
    """A run and what it has so far."""

    kind = KindOfRun(LEARNER, "plans", "plans_digest", _plans_digest, pupil_recipe_of)

    def __init__(self, recipe: PupilRecipe, folder: Path, show: Show) -> None:
        super().__init__(recipe, folder, show)
        self._teacher = self._kept_teacher()
        learning = recipe.learning
        sizes = learning.layers, learning.epochs, learning.batch, learning.learning_rate, learning.temperature
        self._fit = Fit(*sizes, recipe.seed)

    def _do_rounds(self) -> None:
        lessons: list[Questions] = []
        weights: Weights | None = None
        for number in range(self.recipe.lessons.rounds + 1):
            weights = self._round(number, weights, lessons)

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
        pupil = None if weights is None else chooser(weights, self._fit.network)
        return self._games_of(self._parts(number), Questions, lambda part: self._play(part, pupil))

    def _parts(self, number: int) -> list[Part]:
        """All parts of a round. They are numbered through all rounds."""
        parts: list[Part] = []
        for each in range(number + 1):
            games = self.recipe.lessons.games_of_round if each else self.recipe.lessons.games
            for kind, of_kind in enumerate(counts([kind.share for kind in self.recipe.games], games)):
                for first in range(0, of_kind, GAMES_OF_PART):
                    parts.append(Part(each, len(parts), kind, min(GAMES_OF_PART, of_kind - first)))
        return [part for part in parts if part.round == number]

    def _play(self, part: Part, pupil: Chooser | None) -> Questions:
        lessons, rules = self.recipe.lessons, self.recipe.games[part.kind].make_rules()
        first = self.recipe.seed * SEEDS_OF_RUN + part.number * SEEDS_OF_PART
        seeds = first + np.arange(part.games)
        return play_lessons(rules, seeds, self._teacher, lessons.margin, lessons.stray, pupil)

    # --- evaluation

    def _evaluate(self, number: int, weights: Weights, training: Any) -> None:
        """Evaluate a round, and add a row to the curve."""
        facts = {name: training[name] for name in ("gain",) if name in training}
        is_last = number == self.recipe.lessons.rounds
        self._add_row(number, is_last, lambda: PlanPolicy(chooser(weights, self._fit.network)), facts)


train_pupil, resume_pupil, is_pupil_run = PupilRun.train, PupilRun.resume, PupilRun.kind.is_in


def _joined(parts: list[Questions]) -> Questions:
    if not sum(len(part.counts) for part in parts):
        raise RecipeError("the games are too few or too short: there is no question to learn from")
    return joined(parts)
