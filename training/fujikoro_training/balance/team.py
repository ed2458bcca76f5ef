"""Experiments with games whose players win or lose together, by what the game declares: how often teams win them.

    experiment = "parameters"
    game = "fuji"
    rules = { level = 4 }
    parameters = [{ name = "talk", rule = "talk", values = ["none", "words", "open"] }]

Without `parameters`, every setting and option of the game takes all values that it declares, one after the other.
"""

from collections.abc import Callable, Iterator, Mapping
from dataclasses import asdict, dataclass, field, fields
from typing import Any, Final

from fujikoro_env.kernel.agents import AgentError
from fujikoro_env.kernel.declared import THIS_GAME, DeclaredGame, UnknownGameError, find_game
from fujikoro_env.kernel.text import quoted
from fujikoro_training.balance.cells import BASE
from fujikoro_training.balance.checks import checked, number, one_of, several, whole
from fujikoro_training.balance.settings import LARGEST_SEED, Settings, SettingsError, plain, read_said, settings_of
from fujikoro_training.balance.toml_text import toml_value
from fujikoro_training.teams import no_team

EXPERIMENTS: Final = {
    "characters": "win share by what is dealt to the players",
    "parameters": "response of the game to its settings and options",
}
GIVEN_OTHERWISE: Final = ("players", "content")  # settings of a game that are no parameters


@dataclass(frozen=True)
class TeamCell:
    """A condition: one agent plays all seats of a game."""

    label: str
    game: str
    agents: tuple[str, ...]  # the same agent in each seat
    rules: Mapping[str, Any] = field(default_factory=dict)  # arguments of the game's rules beside the players
    rotations: int = 1

    @property
    def players(self) -> int:
        """Number of players."""
        return len(self.agents)

    @property
    def agent(self) -> str:
        """The agent of all seats."""
        return self.agents[0]

    @property
    def pack(self) -> Any:
        """The content of these games."""
        return self.make_rules().pack

    def make_rules(self) -> Any:
        """The rules of these games."""
        return find_game(self.game).make_rules(players=self.players, **self.rules)

    def to_json(self) -> dict[str, Any]:
        """The cell as plain data, with the digest of its content."""
        return {**asdict(self), "digest": self.pack.digest}


@dataclass(frozen=True)
class TeamSettings:
    """Everything that determines the games of an experiment."""

    experiment: str
    game: str
    agents: tuple[str, ...] = ()  # none: the game's first adviser
    players: tuple[int, ...] = (4,)
    games: int = 1000  # of each cell; with a precision: at most
    precision: float = 0.0  # half width of the intervals at which a cell is complete; 0: all games are played
    seed: int = 0  # of the first game
    content: str = "base"
    rules: Mapping[str, Any] = field(default_factory=dict)  # settings of all games
    within: float = 0.02  # largest difference that still counts as equal
    shard_games: int = 250
    decisions: bool = False  # decisions are not kept
    parameters: tuple[Mapping[str, Any], ...] = ()  # none: all that the game declares

    def to_json(self) -> dict[str, Any]:
        """The settings as plain data, which `team_settings_of` reads again."""
        return {one.name: plain(getattr(self, one.name)) for one in fields(self)}

    def to_toml(self) -> str:
        """The settings as a TOML file."""
        return "".join(f"{name} = {toml_value(value)}\n" for name, value in self.to_json().items())

    def blocks(self, _cell: TeamCell) -> int:
        """Number of games of a cell; each has a seed of its own."""
        return self.games

    def cells(self) -> list[TeamCell]:
        """All conditions of the experiment."""
        return [cell for players in self.players for agent in self.named_agents for cell in self._cells(players, agent)]

    @property
    def named_agents(self) -> tuple[str, ...]:
        """The agents that play."""
        return self.agents or find_game(self.game).advisers[:1]

    @property
    def _content(self) -> dict[str, str]:
        """The content pack as an argument of the rules; small games have none."""
        is_usual = self.content == TeamSettings.content
        return {} if is_usual and not _has_content(find_game(self.game)) else {"content": self.content}

    def _cells(self, players: int, agent: str) -> Iterator[TeamCell]:
        rules = {**self._content, **self.rules}
        agents = (agent,) * players
        yield TeamCell(BASE, self.game, agents, rules)
        if self.experiment != "parameters":
            return
        for parameter in self.parameters or declared_parameters(find_game(self.game)):
            for value in parameter["values"]:
                label = f"{parameter['name']} = {value}"
                cell = TeamCell(label, self.game, agents, {**rules, parameter["rule"]: value})
                if self.parameters or _is_playable(cell):
                    yield cell


def _has_content(game: DeclaredGame) -> bool:
    return any(setting.name == "content" for setting in game.settings)


def declared_parameters(game: DeclaredGame) -> list[dict[str, Any]]:
    """The settings and options of a game with all values that it declares."""
    found = {setting.name: setting.allowed for setting in game.settings if setting.name not in GIVEN_OTHERWISE}
    found |= {name: allowed for name, (_, allowed) in game.options.items()}
    return [{"name": name, "rule": name, "values": list(values)} for name, values in found.items() if values]


def _is_playable(cell: TeamCell) -> bool:
    """Whether a declared value goes with the other settings; variants for two players don't go with three."""
    try:
        cell.make_rules()
    except find_game(cell.game).rules_errors:
        return False
    return True


# --- reading --------------------------------------------------------------------------------------------------------


def read_any_settings(path: str | None, typed: Mapping[str, Any]) -> Settings | TeamSettings:
    """Read a TOML file, if there is one, and replace what was typed; for this game or another one."""
    return any_settings_of(read_said(path, typed))


def any_settings_of(said: Mapping[str, Any]) -> Settings | TeamSettings:
    """Check settings of this game or another one; `SettingsError` lists all faults."""
    if said.get("game", THIS_GAME) != THIS_GAME:
        return team_settings_of(said)
    return settings_of({name: value for name, value in said.items() if name != "game"})


def team_settings_of(said: Mapping[str, Any]) -> TeamSettings:
    """Check settings and fill in the usual ones; `SettingsError` lists all faults."""
    try:
        game = find_game(str(said["game"]))
    except UnknownGameError as error:
        raise SettingsError([str(error)]) from None
    found, faults = checked(said, _checks(game))
    if "experiment" not in said:
        faults.append(f"experiment is missing; allowed are {', '.join(EXPERIMENTS)}")
    if not faults:
        faults = list(_faults_of(TeamSettings(**found), game))
    if faults:
        raise SettingsError(faults)
    return TeamSettings(**found)


def _faults_of(settings: TeamSettings, game: DeclaredGame) -> Iterator[str]:
    """Faults that only show when the games are prepared."""
    wrong: tuple[type[Exception], ...] = (*game.rules_errors, TypeError)
    try:
        cells = settings.cells()
        is_team = all(game.is_team(cell.make_rules()) for cell in cells)
    except wrong as error:
        yield str(error)
        return
    if not is_team:
        yield no_team(game)
    labels = [(cell.label, cell.agent, cell.players) for cell in cells]
    if len(set(labels)) < len(labels):
        yield "agents, players or parameters: something is there twice"


def _checks(game: DeclaredGame) -> dict[str, Callable[[Any], Any]]:
    return {
        "experiment": one_of(EXPERIMENTS),
        "game": str,
        "agents": _none_or(several(_agent_of(game))),
        "players": several(whole(1, 99)),
        "games": whole(2, 10_000_000),
        "precision": number(0, 0.5),
        "seed": whole(0, LARGEST_SEED),
        "content": str,
        "rules": _rules_of(game),
        "within": number(0.0001, 0.5),
        "shard_games": whole(1, 100_000),
        "decisions": _false,
        "parameters": _none_or(several(_parameter_of(game))),
    }


def _false(given: Any) -> bool:
    if given is not False:
        raise ValueError("decisions are kept of the game fujikoro alone")
    return False


def _none_or(check: Callable[[Any], Any]) -> Callable[[Any], Any]:
    return lambda given: () if given in ([], ()) else check(given)


def _agent_of(game: DeclaredGame) -> Callable[[Any], str]:
    def check(given: Any) -> str:
        try:
            game.agents.make(str(given))
        except AgentError as error:
            raise ValueError(str(error)) from None
        return str(given)

    return check


def _rules_of(game: DeclaredGame) -> Callable[[Any], dict[str, Any]]:
    def check(given: Any) -> dict[str, Any]:
        if not isinstance(given, Mapping):
            raise ValueError("a table of settings is needed, such as { level = 2 }")
        for name in given:
            _known_setting(game, name)
        return dict(given)

    return check


def _parameter_of(game: DeclaredGame) -> Callable[[Any], dict[str, Any]]:
    def check(given: Any) -> dict[str, Any]:
        is_table = isinstance(given, Mapping) and set(given) == {"name", "rule", "values"}
        if not is_table or not isinstance(given["values"], list | tuple) or not given["values"]:
            raise ValueError('allowed are { name = "...", rule = "level", values = [...] }')
        _known_setting(game, given["rule"])
        return {**given, "values": list(given["values"])}

    return check


def _known_setting(game: DeclaredGame, name: str) -> None:
    known = sorted(({setting.name for setting in game.settings} | set(game.options)) - {*GIVEN_OTHERWISE})
    if name not in known:
        raise ValueError(f"{game.title} has no setting {quoted(name)}: there are {', '.join(known)}")
