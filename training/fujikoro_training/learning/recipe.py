"""`Recipe`: all settings of a training run, read from a TOML file or a shipped one, and checked.

A value that changes during a run is a pair: its first and its last value; a single number stays the same.
"""

import tomllib
from collections.abc import Callable, Mapping, Sequence
from dataclasses import asdict, dataclass, field, fields, replace
from difflib import get_close_matches
from importlib.resources import files
from pathlib import Path
from typing import Any, Final

from fujikoro_agents.policy.digests import PLANS
from fujikoro_env.kernel.declared import THIS_GAME, find_game
from fujikoro_env.player import AgentError, make_agent
from fujikoro_training.matches import ITSELF
from fujikoro_training.network_kinds import NETWORKS

PAST: Final = "past"  # as an opponent: networks of earlier in the same run
REWARDS: Final = ("win", "rank")
LARGEST: Final = 1 << 40
Pair = tuple[float, float]
# Settings to search, by section and key: a range {low, high, log} of numbers, or a list of values.
Space = Mapping[str, Any]


class RecipeError(ValueError):
    """Raised for a recipe that can't be used. The message is one line that says what is wrong and what is allowed."""


# --- checks ---------------------------------------------------------------------------------------------------------


def whole(least: int, most: int = LARGEST) -> Any:
    """A field for a whole number."""

    def check(given: Any) -> int:
        if not isinstance(given, int) or isinstance(given, bool) or not least <= given <= most:
            raise ValueError(f"allowed are whole numbers from {least}{f' to {most}' if most < LARGEST else ''}")
        return given

    return check


def number(least: float, most: float) -> Any:
    """A field for a number."""

    def check(given: Any) -> float:
        if not isinstance(given, int | float) or isinstance(given, bool) or not least <= given <= most:
            raise ValueError(f"allowed are numbers from {least:g} to {most:g}")
        return float(given)

    return check


def pair(least: float, most: float) -> Any:
    """A field for a number that may change during the run."""
    one = number(least, most)

    def check(given: Any) -> Pair:
        both = given if isinstance(given, list | tuple) else (given, given)
        if len(both) != 2:
            raise ValueError("allowed are a number, or a list of its first and last value")
        return one(both[0]), one(both[1])

    return check


def one_of(*names: str) -> Any:
    """A field for one of some names."""

    def check(given: Any) -> str:
        if given not in names:
            raise ValueError(f"allowed are {', '.join(names)}")
        return str(given)

    return check


def text(given: Any) -> str:
    """A field for text."""
    if not isinstance(given, str):
        raise ValueError("allowed is text in quotes")
    return given


def layers(given: Any) -> tuple[int, ...]:
    """A field for the widths of dense layers."""
    if not isinstance(given, list | tuple) or not 1 <= len(given) <= 8:
        raise ValueError("allowed are lists of 1 to 8 widths")
    return tuple(whole(1, 4096)(width) for width in given)


def opponent_names(given: Any) -> tuple[str, ...]:
    """A field for a list of fixed opponents."""
    if not isinstance(given, list | tuple) or not all(isinstance(name, str) for name in given):
        raise ValueError('allowed are lists of names of agents, for example ["random", "hunter"]')
    for name in given:
        try:
            make_agent(name)
        except AgentError as error:
            raise ValueError(str(error)) from None
    return tuple(given)


def shares(given: Any) -> dict[str, float]:
    """A field for shares of the games by opponent."""
    if not isinstance(given, Mapping):
        raise ValueError("allowed are shares by opponent, for example self = 0.5")
    found = {str(name): number(0, LARGEST)(share) for name, share in given.items()}
    for name in found:
        if name not in (ITSELF, PAST):
            try:
                make_agent(name)
            except AgentError as error:
                raise ValueError(f"{error}; also {ITSELF} and {PAST}") from None
    if sum(found.values()) <= 0:
        raise ValueError("at least one share must be above 0")
    return found


def agent_of(game: str) -> Callable[[Any], str]:
    """A check of the name of an agent of a game."""

    def check(given: Any) -> str:
        try:
            find_game(game).agents.make(str(given))
        except AgentError as error:
            raise ValueError(str(error)) from None
        return str(given)

    return check


def space_of_settings(given: Any) -> dict[str, Any]:
    """A field for settings to search. Whether the values are allowed is checked with the whole recipe."""
    if not isinstance(given, Mapping):
        raise ValueError('allowed are ranges and lists by setting, for example "learning.epochs" = [1, 2, 4]')
    return {key: _searched_values(key, values) for key, values in _flattened(given).items()}


def _flattened(given: Mapping[str, Any], path: str = "") -> dict[str, Any]:
    """Settings by their dotted names; in TOML they may also be nested tables."""
    found: dict[str, Any] = {}
    for key, values in given.items():
        if isinstance(values, Mapping) and "low" not in values and "high" not in values:
            found |= _flattened(values, f"{path}{key}.")
        else:
            found[f"{path}{key}"] = values
    return found


def _searched_values(key: str, values: Any) -> Any:
    if isinstance(values, list | tuple) and len(values) >= 2:
        return list(values)
    allowed = "a list of at least 2 values, or a range such as {low = 0.001, high = 0.1, log = true}"
    if not isinstance(values, Mapping) or not {"low", "high"} <= set(values) <= {"low", "high", "log"}:
        raise ValueError(f"{key}: allowed is {allowed}")
    low, high, log = values["low"], values["high"], values.get("log", False)
    if not all(type(end) in (int, float) for end in (low, high)) or type(log) is not bool:
        raise ValueError(f"{key}: allowed is {allowed}")
    if not low < high or (log and low <= 0):
        raise ValueError(f"{key}: low must be below high{', and above 0 with log' if log else ''}")
    return {"low": low, "high": high, "log": log}


def setting(check: Callable[[Any], Any], default: Any, doc: str) -> Any:
    """A field of a section with its check, its usual value, and one line for docs/recipes.md."""
    return field(default=default, metadata={"check": check, "doc": doc})


def changing(least: float, most: float, default: Pair, doc: str) -> Any:
    """A field for a number that may change during the run, with its usual first and last value."""
    return field(default=default, metadata={"check": pair(least, most), "doc": doc})


# --- sections -------------------------------------------------------------------------------------------------------


@dataclass(frozen=True)
class League:
    """Networks of earlier in the run, as opponents."""

    size: int = setting(whole(1, 64), 4, "networks that play at the same time; the newest replaces the oldest")
    every: int = setting(whole(1), 100_000, "decisions between two of them")


@dataclass(frozen=True)
class NetworkSettings:
    """The network that learns."""

    kind: str = setting(one_of(*NETWORKS), "compact", f"kind of network: {', '.join(NETWORKS)} (training.md)")
    layers: tuple[int, ...] = setting(layers, (256, 256), "widths of the dense layers")
    usual: float = setting(number(-20, 20), 4.0, "kind `plans`: logit of the script's choice at the beginning")
    start: str = setting(text, "", "policy file whose weights the run begins with; empty: random weights")

    @property
    def observation(self) -> str:
        """Kind of observation that it reads."""
        return NETWORKS[self.kind]


@dataclass(frozen=True)
class Learning:
    """Settings of PPO. A step is one decision in each of the games."""

    games: int = setting(whole(1, 1 << 16), 256, "games played side by side")
    steps: int = setting(whole(1, 1 << 16), 64, "decisions in each game between two updates")
    batch: int = setting(whole(2), 1024, "decisions in a minibatch")
    epochs: int = setting(whole(1, 100), 2, "passes over the collected decisions in an update")
    learning_rate: tuple[float, float] = changing(0, 1, (5e-4, 0.0), "learning rate of Adam")
    entropy: tuple[float, float] = changing(0, 1, (0.02, 0.005), "weight of the entropy bonus")
    reward: str = setting(one_of(*REWARDS), "win", "reward at the end of a game: `win` or `rank` (environment.md)")
    shaping: tuple[float, float] = changing(
        0, 100, (1.0, 0.25), "weight of the reward for changes of the lead in VP, in co-op of the progress"
    )
    gamma: float = setting(number(0, 1), 0.999, "discount from one decision of a seat to its next")
    gae_lambda: float = setting(number(0, 1), 0.95, "lambda of generalized advantage estimation")
    clip: float = setting(number(0.001, 1), 0.2, "clip range of PPO")
    target_kl: float = setting(number(0.0001, 10), 0.03, "an update ends early at 1.5 times this KL divergence")


@dataclass(frozen=True)
class Imitation:
    """The first part of a run, in which the network learns to choose as an agent would."""

    agent: str = setting(text, "runner", "name of the agent that is imitated")
    decisions: int = setting(whole(0), 0, "decisions that are imitated, part of all decisions of the run; 0: none")
    own: float = setting(number(0, 1), 0.5, "share of the games in which the network's own actions are played")
    learning_rate: tuple[float, float] = changing(0, 1, (1e-3, 1e-3), "learning rate during imitation")

    def learning_rate_after(self, decisions: int) -> float:
        """The learning rate when so many decisions have been imitated."""
        first, last = self.learning_rate
        return last + max(0.0, 1 - decisions / max(1, self.decisions)) * (first - last)


@dataclass(frozen=True)
class Evaluation:
    """Matches against fixed opponents during the run, on the same seeds every time."""

    opponents: tuple[str, ...] = setting(opponent_names, ("random",), "agents, one match against each")
    games: int = setting(whole(1), 100, "games of a match")
    final_games: int = setting(whole(1), 400, "games of a match after the last decision")
    every: int = setting(whole(1), 200_000, "decisions between two evaluations")
    seed: int = setting(whole(0, 1 << 60), 12_345, "first seed of the matches")


@dataclass(frozen=True)
class Checkpoints:
    """When the run is written to its folder."""

    every: int = setting(whole(1), 200_000, "decisions between two checkpoints")


@dataclass(frozen=True)
class Tuning:
    """The search for better settings, `fujikoro train --tune`."""

    trials: int = setting(whole(1, 100_000), 20, "number of trials")
    objective: str = setting(
        one_of("wins", "lead"),
        "wins",
        "what is best, as the mean of all matches: `wins`, or `lead` in VP",
    )
    space: Mapping[str, Any] = field(
        default_factory=dict,
        metadata={"check": space_of_settings, "doc": "settings to search and their values; empty: the usual ones"},
    )

    @property
    def searched(self) -> Space:
        """The settings that are searched."""
        return self.space or USUAL_SPACE


USUAL_SPACE: Final[Space] = {
    "learning.learning_rate": {"low": 1e-4, "high": 2e-3, "log": True},
    "learning.entropy": {"low": 0.003, "high": 0.05, "log": True},
    "learning.shaping": {"low": 0.25, "high": 2.0},
    "learning.gae_lambda": {"low": 0.85, "high": 0.99},
    "learning.epochs": [1, 2, 4],
    "learning.batch": [512, 1024, 2048, 4096],
    "network.layers": [[128, 128], [256, 256], [512, 256]],
}


@dataclass(frozen=True)
class GameKind:
    """One kind of games: the arguments of `Rules`, the share of all games, and the opponents."""

    rules: Mapping[str, Any]
    share: float
    opponents: Mapping[str, float]
    game: str = THIS_GAME

    def make_rules(self) -> Any:
        """The rules of these games."""
        return find_game(self.game).make_rules(**self.rules)

    @property
    def is_team(self) -> bool:
        """Whether all players win or lose together."""
        return find_game(self.game).is_team(self.make_rules())

    @property
    def label(self) -> str:
        """A short name: `4 players`, or with what else was chosen."""
        rules = self.make_rules()
        others = {name: value for name, value in self.rules.items() if name != "players"}
        played = [] if self.game == THIS_GAME else [self.game]
        return ", ".join([*played, f"{rules.players} players", *(f"{name} {value}" for name, value in others.items())])


@dataclass(frozen=True)
class Recipe:
    """All settings of a run."""

    name: str
    decisions: int
    seed: int
    games: tuple[GameKind, ...]
    league: League = field(default_factory=League)
    network: NetworkSettings = field(default_factory=NetworkSettings)
    learning: Learning = field(default_factory=Learning)
    imitation: Imitation = field(default_factory=Imitation)
    evaluation: Evaluation = field(default_factory=Evaluation)
    checkpoints: Checkpoints = field(default_factory=Checkpoints)
    tune: Tuning = field(default_factory=Tuning)
    game: str = THIS_GAME

    def improvement_left(self, decisions: int) -> float:
        """Share of the decisions after imitation that is left. Values that change during the run follow it."""
        left = (self.decisions - decisions) / max(1, self.decisions - self.imitation.decisions)
        return min(1.0, max(0.0, left))

    def to_json(self) -> dict[str, Any]:
        """The recipe as it can be read again by `recipe_of`."""
        said = asdict(self)
        said["games"] = [{**kind.rules, "share": kind.share, "opponents": dict(kind.opponents)} for kind in self.games]
        return {name: value for name, value in said.items() if name != "name"}


SECTIONS: Final[dict[str, type[Any]]] = {
    "league": League,
    "network": NetworkSettings,
    "learning": Learning,
    "imitation": Imitation,
    "evaluation": Evaluation,
    "checkpoints": Checkpoints,
    "tune": Tuning,
}
TOP: Final = ("decisions", "seed", "games", "opponents", *SECTIONS, "game")
USUAL_OPPONENTS: Final = {ITSELF: 1.0}


# --- reading --------------------------------------------------------------------------------------------------------


def shipped_recipes() -> list[str]:
    """Names of the recipes that are part of the package."""
    folder = files("fujikoro_training.learning") / "recipes"
    return sorted(found.name.removesuffix(".toml") for found in folder.iterdir() if found.name.endswith(".toml"))


def read_recipe(name: str, changes: Sequence[str] = ()) -> Recipe:
    """Read a shipped recipe or a TOML file, and apply changes of the form `section.key=value`."""
    return recipe_of(Path(name).stem, read_settings(name, changes))


def read_settings(name: str, changes: Sequence[str] = ()) -> dict[str, Any]:
    """Read the settings of a recipe without checking them."""
    said = _parsed(name)
    for change in changes:
        _apply(said, change)
    return said


def _parsed(name: str) -> dict[str, Any]:
    if name in shipped_recipes():
        text = (files("fujikoro_training.learning") / "recipes" / f"{name}.toml").read_text(encoding="utf-8")
        return tomllib.loads(text)
    try:
        return tomllib.loads(Path(name).read_text(encoding="utf-8"))
    except OSError as error:
        allowed = f"a TOML file or {', '.join(shipped_recipes())}"
        raise RecipeError(f"recipe {name!r}: {error.strerror}; allowed is {allowed}") from None
    except (tomllib.TOMLDecodeError, UnicodeDecodeError, RecursionError) as error:
        raise RecipeError(f"recipe {name!r}: not a TOML file: {error}") from None


def _apply(said: dict[str, Any], change: str) -> None:
    path, equals, written = change.partition("=")
    *sections, key = path.strip().split(".")
    if not equals or not key:
        raise RecipeError(f"--set {change!r}: write KEY=VALUE or SECTION.KEY=VALUE")
    try:
        value = tomllib.loads(f"value = {written}")["value"]
    except tomllib.TOMLDecodeError:
        value = written.strip()  # a word without quotes
    except RecursionError:
        raise RecipeError(f"--set {path.strip()}: the value is nested too deeply") from None
    for section in sections:
        said = said.setdefault(section, {})
        if not isinstance(said, dict):
            raise RecipeError(f"--set {change!r}: {_no_section(section, said)}")
    said[key] = value


def _no_section(name: str, found: Any) -> str:
    """Why settings can't be set one by one below a name."""
    if name == "games" and isinstance(found, list):
        return "games is a list; replace it as a whole, for example --set 'games=[{players = 3}]'"
    return f"{name} has no keys"


def recipe_of(name: str, said: Mapping[str, Any]) -> Recipe:
    """Check the settings and fill in usual ones."""
    try:
        check_names("", said, TOP)
        sections = {
            section: checked_section(section, kind, said.get(section, {})) for section, kind in SECTIONS.items()
        }
        opponents = checked("opponents", shares, said.get("opponents", USUAL_OPPONENTS))
        kinds = said.get("games", [{"players": 4}])
        if not isinstance(kinds, list) or not kinds or not all(isinstance(kind, Mapping) for kind in kinds):
            raise ValueError("games: write one [[games]] for each kind of games")
        game = checked("game", game_name, said.get("game", THIS_GAME))
        if game == THIS_GAME or sections["imitation"].decisions:
            checked("imitation.agent", agent_of(game), sections["imitation"].agent)
        games = tuple(game_kind(kind, opponents, game) for kind in kinds)
        decisions = checked("decisions", whole(1), said.get("decisions", 1_000_000))
        seed = checked("seed", whole(0, 1 << 31), said.get("seed", 0))
        if sections["learning"].games < len(games):
            raise ValueError(f"learning.games={sections['learning'].games}: there are {len(games)} kinds of games")
        if (copied := sections["imitation"].decisions) > decisions:
            raise ValueError(f"imitation.decisions={copied}: allowed are at most all {decisions} decisions of the run")
        if sections["network"].kind == PLANS:
            _check_plans(sections)
        if game != THIS_GAME:
            _check_other_game(game, sections, games)
        recipe = Recipe(name, decisions, seed, games, **sections, game=game)
        if sections["tune"].space:
            _check_space(recipe)
        return recipe
    except ValueError as error:  # an unknown game, too
        raise RecipeError(f"recipe {name}: {error}") from None


def recipe_with(recipe: Recipe, changes: Mapping[str, Any], name: str | None = None) -> Recipe:
    """The recipe with other settings, by their dotted names. A single number for a value that changes during the run
    replaces its first value."""
    said = recipe.to_json()
    for key, value in changes.items():
        *sections, last = key.split(".")
        part = said
        for section in sections:
            part = part.setdefault(section, {})
            if not isinstance(part, dict):
                raise RecipeError(f"recipe {recipe.name}: {key}: {section} has no keys")
        old: Any = part.get(last)
        is_pair = isinstance(old, tuple) and len(old) == 2 and isinstance(old[0], float)
        part[last] = [value, old[1]] if is_pair and isinstance(value, int | float) else value
    return recipe_of(name or recipe.name, said)


def _check_space(recipe: Recipe) -> None:
    """Check that every end of a range and every value of a list gives a recipe."""
    bare = replace(recipe, tune=replace(recipe.tune, space={}))
    for key, values in recipe.tune.space.items():
        if key.split(".")[0] in ("tune", "games", "evaluation"):  # evaluations must be the same in all trials
            raise ValueError(f"tune.space.{key}: {key.split('.')[0]} can't be searched")
        for value in values if isinstance(values, list) else (values["low"], values["high"]):
            try:
                recipe_with(bare, {key: value})
            except RecipeError as error:
                raise ValueError(f"tune.space: {str(error).removeprefix(f'recipe {recipe.name}: ')}") from None


def _check_plans(sections: Mapping[str, Any]) -> None:
    if len(sections["network"].layers) < 2:
        raise ValueError(
            f"network.layers={list(sections['network'].layers)}: a network of kind plans has at least two layers"
        )
    if sections["imitation"].decisions:
        raise ValueError("imitation.decisions: a network of kind plans begins as the script, so nothing is imitated")


def checked_section(name: str, kind: type[Any], said: Any) -> Any:
    """Check the settings of a section, and fill in usual ones."""
    if not isinstance(said, Mapping):
        raise ValueError(f"{name}: write a section [{name}]")
    known = {one.name: one.metadata["check"] for one in fields(kind)}
    check_names(f"{name}: ", said, tuple(known))
    return kind(**{key: checked(f"{name}.{key}", known[key], value) for key, value in said.items()})


def _check_other_game(game: str, sections: Mapping[str, Any], games: Sequence[GameKind]) -> None:
    if sections["network"].kind != "compact":
        raise ValueError(f"network.kind={sections['network'].kind!r}: allowed with the game {game} is 'compact'")
    if not all(kind.is_team and set(kind.opponents) == {ITSELF} for kind in games):
        raise ValueError(f"game={game!r}: learned are games of a team that is one network")


def game_name(given: Any) -> str:
    """A field for the name of a game."""
    if not isinstance(given, str):
        raise ValueError("allowed is the name of a game")
    return find_game(given).name


def game_kind(said: Mapping[str, Any], opponents: Mapping[str, float], game: str = THIS_GAME) -> GameKind:
    """Check a kind of games. `opponents`: the usual ones of competitive games."""
    own = {key: value for key, value in said.items() if key not in ("share", "opponents")}
    declared = find_game(game)
    refused: tuple[type[Exception], ...] = (*declared.rules_errors, TypeError)
    try:
        rules = declared.make_rules(**own)
    except refused as error:
        raise ValueError(f"games: {error}") from None
    usual = USUAL_OPPONENTS if declared.is_team(rules) else opponents  # opponents are rivals, partners play otherwise
    theirs = checked("games.opponents", shares, said.get("opponents", usual))
    return GameKind(own, checked("games.share", number(0.001, 1000), said.get("share", 1.0)), theirs, game)


def check_names(where: str, said: Mapping[str, Any], known: Sequence[str]) -> None:
    """Refuse settings that are not known. `where`: begins the message."""
    if unknown := [name for name in said if name not in known]:
        meant = get_close_matches(unknown[0], known, 1)
        perhaps = f", perhaps {meant[0]!r} is meant" if meant else ""
        raise ValueError(f"{where}{unknown[0]!r} is not known{perhaps}; allowed are {', '.join(known)}")


def checked(name: str, check: Callable[[Any], Any], given: Any) -> Any:
    """Check one setting; an error names it."""
    try:
        return check(given)
    except ValueError as error:
        raise ValueError(f"{name}={given!r}: {error}") from None
