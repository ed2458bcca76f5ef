"""A run of `fujikoro train value`: `train_value(recipe, folder)`, and `resume_value(folder)` after a break.

Round 0 plays games of scouts and fits a network to their results, then to TD(lambda) targets; or it begins with a
network that is there already, which plays its games and makes its targets. Each further round plays games with the
network, makes targets for the games of all rounds with it, and fits it again.

The folder of a run has `recipe.json`, `games/` (turn ends, a file for each part of a round), `rounds/` (the network
after each round), `curve.jsonl`, `value.safetensors` (plays as `value:FILE`) and `tensorboard/`. Every file is written
as a whole, so a run goes on after a break from what is there, and gives the same curve as without a break.
"""

from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any, Final

import numpy as np
from torch.utils.tensorboard import SummaryWriter

from fujikoro_agents.scripted.batch_policy import ScriptedPolicy
from fujikoro_agents.scripted.skills import FAST_ESTIMATES, SENSEI, SHOGUN
from fujikoro_agents.values.file import Value, feature_digest, known_value, load_value, mean_of, save_value
from fujikoro_training.learning.opponents import counts
from fujikoro_training.learning.recipe import RecipeError
from fujikoro_training.learning.run import Show
from fujikoro_training.rounds import KindOfRun, RunInRounds
from fujikoro_training.values.fit import Fit, Lesson, fitted, values_for
from fujikoro_training.values.recipe import LEARNER, ValueRecipe, value_recipe_of
from fujikoro_training.values.targets import lambda_returns
from fujikoro_training.values.turn_ends import TurnEnds, joined, play_turn_ends

VALUE: Final = "value.safetensors"
START: Final = "start.safetensors"
GAMES_OF_PART: Final = 256
SEEDS_OF_ROUND: Final = 1_000_000  # distance between the first seeds of two rounds
SEEDS_OF_FIT: Final = 1_000_000  # between those of fits side by side
SEEDS_OF_RUN: Final = 1_000_000_000  # between those of two runs with different seeds


@dataclass(frozen=True)
class Part:
    """Some games of a round: of one kind, with or without fast estimates."""

    round: int
    number: int
    kind: int
    games: int
    quick: bool

    @property
    def file(self) -> str:
        """Name of its file."""
        return f"{self.round}-{self.number}.safetensors"


class ValueRun(RunInRounds[ValueRecipe]):
    """A run and what it has so far."""

    kind = KindOfRun(LEARNER, "features", "feature_digest", feature_digest, value_recipe_of)

    def __init__(self, recipe: ValueRecipe, folder: Path, show: Show) -> None:
        super().__init__(recipe, folder, show)
        self._board = SummaryWriter(str(folder / "tensorboard"))

    def _do_rounds(self) -> None:
        lessons: list[TurnEnds] = []
        value = self._start()
        for number in range(self.recipe.selfplay.rounds + 1):
            value = self._round(number, value, lessons)

    def _close(self) -> None:
        self._board.close()

    def _start(self) -> Value | None:
        """The network that plays the first games, if there is one. The run keeps a copy of it."""
        path = self.folder / "rounds" / START
        if not self.recipe.scouts.network:
            return None
        if not path.exists():
            save_value(path, replace(known_value(self.recipe.scouts.network), margin=self.recipe.learning.margin))
        return load_value(path)

    def _round(self, number: int, before: Value | None, lessons: list[TurnEnds]) -> Value:
        """Do a round, unless it has been done: games, fit, evaluation. `lessons`: turn ends so far, by part."""
        new = self._games(number, before)
        path = self.folder / "rounds" / f"value-{number}.safetensors"
        lessons += new
        if path.exists():
            value = load_value(path)
        else:
            with self.watch("update"):
                value, loss = self._learned(number, before, _by_players(lessons))
            facts = {"loss": round(loss, 5), "explained": round(self._explained(before or value, new), 4)}
            value = replace(value, training={**value.training, **facts})
            save_value(path, value)
        if len(self.curve) <= number:
            self._evaluate(number, value)
        save_value(self.folder / VALUE, value)
        return value

    # --- games

    def _games(self, number: int, value: Value | None) -> list[TurnEnds]:
        """Turn ends of all games of a round; parts that have been played are read."""
        return self._games_of(self._parts(number), TurnEnds, lambda part: self._play(part, value))

    def _parts(self, number: int) -> list[Part]:
        """All parts of a round."""
        recipe = self.recipe
        parts: list[Part] = []
        games = recipe.selfplay.games if number else recipe.scouts.games
        by_network = number > 0 or recipe.scouts.network
        for kind, of_kind in enumerate(counts([kind.share for kind in recipe.games], games)):
            quick_games = round(recipe.selfplay.quick * of_kind) if by_network else of_kind
            for is_quick, left in ((True, quick_games), (False, of_kind - quick_games)):
                for first in range(0, left, GAMES_OF_PART):
                    parts.append(Part(number, len(parts), kind, min(GAMES_OF_PART, left - first), is_quick))
        return parts

    def _play(self, part: Part, value: Value | None) -> TurnEnds:
        rules = self.recipe.games[part.kind].make_rules()
        first = self.recipe.seed * SEEDS_OF_RUN + part.round * SEEDS_OF_ROUND + part.number * GAMES_OF_PART
        skills = (SENSEI if value is not None else SHOGUN) | (FAST_ESTIMATES if part.quick else 0)
        network = None if value is None else value.compiled()
        return play_turn_ends(rules, first + np.arange(part.games), skills, network)

    # --- learning

    def _learned(self, number: int, before: Value | None, ends: list[TurnEnds]) -> tuple[Value, float]:
        """The network after a round, and its loss."""
        learning, first_seed = self.recipe.learning, self.recipe.seed + number
        seeds = [first_seed + SEEDS_OF_FIT * k for k in range(learning.networks)]
        fits = [Fit(learning.layers, learning.epochs, learning.batch, learning.learning_rate, seed) for seed in seeds]
        if before is None:
            results = [Lesson(each, each.leads[each.games], each.wins[each.games]) for each in ends]
            before = self._value([fitted(results, fit)[0] for fit in fits])
        lessons = [_lesson(each, before, learning.trace) for each in ends]
        goes_on = learning.networks == 1 and before.layers == learning.layers
        found = [fitted(lessons, fit, before if goes_on else None) for fit in fits]
        facts = {"recipe": self.recipe.name, "settings": self.recipe.to_json(), "round": number}
        value = replace(self._value([weights for weights, _ in found]), training=facts)
        return value, float(np.mean([loss for _, loss in found]))

    def _value(self, networks: list[dict[str, Any]]) -> Value:
        """The mean of some networks."""
        layers, weights = mean_of(networks)
        return Value(layers, weights, self.recipe.learning.margin)

    def _explained(self, value: Value, ends: list[TurnEnds]) -> float:
        """Share of the variance of the final leads that the network before the round explains in its new games."""
        errors, spread = 0.0, 0.0
        for each in _by_players(ends):
            results = each.leads[each.games]
            errors += float(((values_for(each, value)[0] - results) ** 2).sum())
            spread += float((results**2).sum())
        return 1 - errors / spread if spread else 0.0

    # --- evaluation

    def _evaluate(self, number: int, value: Value) -> None:
        """Evaluate a round: add a row to the curve, and what it says to the board."""
        facts = {name: value.training[name] for name in ("loss", "explained") if name in value.training}
        is_last = number == self.recipe.selfplay.rounds
        row = self._add_row(number, is_last, lambda: ScriptedPolicy(SENSEI, value.compiled()), facts)
        for match in row["matches"]:
            name = f"wins/{match['opponent']}, {match['games of']}"
            self._board.add_scalar(name, match["share"], self.decisions)
        for name, fact in facts.items():
            self._board.add_scalar(f"fit/{name}", fact, self.decisions)


train_value, resume_value, is_value_run = ValueRun.train, ValueRun.resume, ValueRun.kind.is_in


def _lesson(ends: TurnEnds, value: Value, trace: float) -> Lesson:
    leads, wins = values_for(ends, value)
    return Lesson(ends, lambda_returns(ends, leads, ends.leads, trace), lambda_returns(ends, wins, ends.wins, trace))


def _by_players(parts: list[TurnEnds]) -> list[TurnEnds]:
    """Parts with the same number of players, joined; those without turn ends are left out."""
    numbers = sorted({part.players for part in parts if len(part.games)})
    if not numbers:
        raise RecipeError("the games are too few or too short: none of their turn ends can be learned from")
    return [joined([part for part in parts if part.players == number]) for number in numbers]
