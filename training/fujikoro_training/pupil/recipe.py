"""`PupilRecipe`: all settings of a run of `fujikoro train pupil`, read from a TOML file and checked."""

from collections.abc import Mapping
from dataclasses import asdict, dataclass, field
from typing import Any, Final

from fujikoro_training.learning.recipe import (
    GameKind,
    RecipeError,
    check_names,
    checked,
    checked_section,
    layers,
    number,
    setting,
    whole,
)
from fujikoro_training.values.recipe import Evaluation, competitive_games, network_name

LEARNER: Final = "pupil"  # as `learner` in a recipe
QUESTIONS_OF_GAME: Final = 130  # roughly, of all players together


def two_layers_or_more(given: Any) -> tuple[int, ...]:
    """A field for the widths of a network that scores plans."""
    widths = layers(given)
    if len(widths) < 2:
        raise ValueError("allowed are lists of 2 to 8 widths")
    return widths


@dataclass(frozen=True)
class Lessons:
    """The games that are learned from. The teacher plays the first ones, the pupil the others."""

    teacher: str = setting(network_name, "sensei", "value network of the lookahead: a file, or `sensei`")
    games: int = setting(whole(1), 2400, "games that the teacher plays")
    rounds: int = setting(whole(0, 1000), 1, "further rounds of games, which the pupil plays")
    games_of_round: int = setting(whole(1), 1800, "games of such a round")
    margin: float = setting(
        number(0, 100), 1.0, "VP by which a choice must beat the script's to be played by the teacher"
    )
    stray: float = setting(number(0, 1), 0.12, "share of the questions at which a random choice is played")


@dataclass(frozen=True)
class Learning:
    """Settings of the fits."""

    layers: tuple[int, ...] = setting(two_layers_or_more, (128, 128, 64), "widths of the layers")
    epochs: int = setting(whole(1, 1000), 8, "passes over all questions in a fit")
    batch: int = setting(whole(2), 256, "questions in a minibatch")
    learning_rate: float = setting(number(1e-6, 1), 3e-3, "learning rate of Adam")
    temperature: float = setting(number(1e-3, 100), 0.5, "VP by which scores are divided for probabilities of choices")


SECTIONS: Final[dict[str, type[Any]]] = {"lessons": Lessons, "learning": Learning, "evaluation": Evaluation}
TOP: Final = ("learner", "seed", "games", *SECTIONS)


@dataclass(frozen=True)
class PupilRecipe:
    """All settings of a run."""

    name: str
    seed: int
    games: tuple[GameKind, ...]
    lessons: Lessons = field(default_factory=Lessons)
    learning: Learning = field(default_factory=Learning)
    evaluation: Evaluation = field(default_factory=Evaluation)

    @property
    def decisions(self) -> int:
        """Number of decisions of the whole run, roughly."""
        return QUESTIONS_OF_GAME * (self.lessons.games + self.lessons.rounds * self.lessons.games_of_round)

    def to_json(self) -> dict[str, Any]:
        """The recipe as it can be read again by `pupil_recipe_of`."""
        said = asdict(self)
        said["games"] = [{**kind.rules, "share": kind.share} for kind in self.games]
        return {"learner": LEARNER, **{name: value for name, value in said.items() if name != "name"}}


def pupil_recipe_of(name: str, said: Mapping[str, Any]) -> PupilRecipe:
    """Check the settings and fill in usual ones."""
    try:
        check_names("", said, TOP)
        sections = {
            section: checked_section(section, kind, said.get(section, {})) for section, kind in SECTIONS.items()
        }
        seed = checked("seed", whole(0, 1 << 31), said.get("seed", 0))
        return PupilRecipe(name, seed, competitive_games(said), **sections)
    except ValueError as error:
        raise RecipeError(f"recipe {name}: {error}") from None
