"""`ValueRecipe`: all settings of a run of `fujikoro train value`, read from a TOML file and checked."""

from collections.abc import Mapping
from dataclasses import asdict, dataclass, field
from typing import Any, Final

from fujikoro_agents.policy import PolicyError
from fujikoro_agents.values.file import SHIPPED, known_value
from fujikoro_agents.values.network import MOST_UNITS
from fujikoro_training.learning.recipe import (
    USUAL_OPPONENTS,
    GameKind,
    RecipeError,
    check_names,
    checked,
    checked_section,
    game_kind,
    number,
    opponent_names,
    setting,
    whole,
)

LEARNER: Final = "value"  # as `learner` in a recipe
DECISIONS_OF_GAME: Final = 700  # roughly, of all players together


def two_layers(given: Any) -> tuple[int, int]:
    """A field for the widths of the two hidden layers."""
    if not isinstance(given, list | tuple) or len(given) != 2:
        raise ValueError("allowed are lists of 2 widths")
    first, second = (whole(1, MOST_UNITS)(width) for width in given)
    return first, second


def network_name(given: Any) -> str:
    """A field for the file of a value network, or the name of the shipped one."""
    if not isinstance(given, str):
        raise ValueError(f"allowed are files of value networks, and {SHIPPED!r}")
    if given:
        try:
            known_value(given)
        except PolicyError as error:
            raise ValueError(str(error)) from None
    return given


@dataclass(frozen=True)
class Scouts:
    """The first games, played by scripts, or by a network that is there already."""

    games: int = setting(whole(1), 4000, "number of games")
    network: str = setting(network_name, "", "file of the network that plays them, or `sensei`; empty: scripts play")


@dataclass(frozen=True)
class SelfPlay:
    """Rounds of games that the network plays."""

    rounds: int = setting(whole(0, 1000), 4, "number of rounds")
    games: int = setting(whole(1), 2000, "games of a round")
    quick: float = setting(number(0, 1), 0.5, "share of the games with fast estimates of fights")


@dataclass(frozen=True)
class Learning:
    """Settings of the fits."""

    layers: tuple[int, int] = setting(two_layers, (96, 32), "widths of the two hidden layers")
    networks: int = setting(whole(1, 8), 1, "networks that are fitted side by side; the result is their mean")
    trace: float = setting(number(0, 1), 0.8, "lambda of the TD targets")
    epochs: int = setting(whole(1, 1000), 4, "passes over all turn ends in a fit")
    batch: int = setting(whole(2), 512, "turn ends in a minibatch")
    learning_rate: float = setting(number(1e-6, 1), 2e-3, "learning rate of Adam")
    margin: float = setting(number(0, 100), 1.5, "VP by which an option must beat the script's, in play")


@dataclass(frozen=True)
class Evaluation:
    """Matches after each round: the network in one seat, fixed opponents in the others, on the same seeds every time.
    They are played in the first kind of games, and after the last round in all kinds."""

    opponents: tuple[str, ...] = setting(opponent_names, ("shogun",), "agents, one match against each")
    games: int = setting(whole(1), 100, "games of a match")
    final_games: int = setting(whole(1), 400, "games of a match after the last round")
    seed: int = setting(whole(0, 1 << 60), 12_345, "first seed of the matches")


SECTIONS: Final[dict[str, type[Any]]] = {
    "scouts": Scouts,
    "selfplay": SelfPlay,
    "learning": Learning,
    "evaluation": Evaluation,
}
TOP: Final = ("learner", "seed", "games", *SECTIONS)


@dataclass(frozen=True)
class ValueRecipe:
    """All settings of a run."""

    name: str
    seed: int
    games: tuple[GameKind, ...]
    scouts: Scouts = field(default_factory=Scouts)
    selfplay: SelfPlay = field(default_factory=SelfPlay)
    learning: Learning = field(default_factory=Learning)
    evaluation: Evaluation = field(default_factory=Evaluation)

    @property
    def decisions(self) -> int:
        """Number of decisions of the whole run, roughly."""
        return DECISIONS_OF_GAME * (self.scouts.games + self.selfplay.rounds * self.selfplay.games)

    def to_json(self) -> dict[str, Any]:
        """The recipe as it can be read again by `value_recipe_of`."""
        said = asdict(self)
        said["games"] = [{**kind.rules, "share": kind.share} for kind in self.games]
        return {"learner": LEARNER, **{name: value for name, value in said.items() if name != "name"}}


def value_recipe_of(name: str, said: Mapping[str, Any]) -> ValueRecipe:
    """Check the settings and fill in defaults."""
    try:
        check_names("", said, TOP)
        sections = {
            section: checked_section(section, kind, said.get(section, {})) for section, kind in SECTIONS.items()
        }
        games = competitive_games(said)
        _check_width(sections["learning"])
        return ValueRecipe(name, checked("seed", whole(0, 1 << 31), said.get("seed", 0)), games, **sections)
    except ValueError as error:
        raise RecipeError(f"recipe {name}: {error}") from None


def _check_width(learning: Learning) -> None:
    widest = max(learning.layers)
    if learning.networks * widest > MOST_UNITS:
        raise ValueError(
            f"learning: {learning.networks} networks with layers of {widest} units make a layer of "
            f"{learning.networks * widest}; at most {MOST_UNITS} are allowed"
        )


def competitive_games(said: Mapping[str, Any]) -> tuple[GameKind, ...]:
    """The kinds of games of a recipe whose network plays all seats."""
    kinds = said.get("games", [{"players": 4}])
    if not isinstance(kinds, list) or not kinds or not all(isinstance(kind, Mapping) for kind in kinds):
        raise ValueError("games: write one [[games]] for each kind of games")
    return tuple(_competitive(kind) for kind in kinds)


def _competitive(said: Mapping[str, Any]) -> GameKind:
    if "opponents" in said:
        raise ValueError("games.opponents: the network plays all seats; allowed are the arguments of Rules, and share")
    kind = game_kind(said, USUAL_OPPONENTS)
    rules = kind.make_rules()
    if rules.mode != "competitive":
        raise ValueError(f"games: mode={rules.mode!r}: values are learned for competitive games")
    return kind
