"""`Settings`: what an experiment plays, read from a TOML file or typed, and checked. Every fault gets one line."""

import tomllib
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, field, fields, replace
from pathlib import Path
from typing import Any, Final

from fujikoro_env.content import ContentError
from fujikoro_env.content.carried import pack_at
from fujikoro_env.kernel.text import quoted
from fujikoro_env.player import AgentError, make_agent
from fujikoro_env.settings import Rules, RulesError
from fujikoro_training.balance.cells import BASE, EVERYTHING, Cell, components_of
from fujikoro_training.balance.checks import checked, flag, number, one_of, several, whole
from fujikoro_training.balance.playing import FACTORS, is_scripted
from fujikoro_training.balance.restrictions import RESTRICTIONS
from fujikoro_training.balance.toml_text import toml_value

EXPERIMENTS: Final = {
    "seats": "win share by place in the turn order",
    "characters": "win share by character and pair of characters, from random assignments",
    "components": "effect of removing or doubling one card, scroll, token, tile or dragon",
    "parameters": "response of the game to rule settings and content values",
    "restricted": "what an option is worth: one player may not use it",
    "luck": "share of the variance of the result by source, and a ladder of skill",
    "pace": "length, choices, lead changes, and which actions are used",
}
WITHOUT_WIN_SHARES: Final = ("components", "pace")  # experiments that no precision of a win share can stop
COUNTS: Final = (2, 6)  # fewest and most players
LARGEST_SEED: Final = 1 << 31
COMPONENT_KINDS: Final = ("gear card", "blueprint", "scroll", "adventure", "token", "tile", "dragon")
USUAL_PARAMETERS: Final = (
    {"name": "VP that start the final chapter", "rule": "final_at", "values": [20, 25, 30, 35, 40]},
    {"name": "health of red dragons", "path": "dragons.red.health", "values": [14, 18, 22, 26]},
    {"name": "VP of blue dragons", "path": "dragon_kinds.blue.vp", "values": [3, 4, 5, 6, 7]},
    {"name": "hits of the wood die's last face", "path": "dice.wood.faces.5", "values": ["1*", "2*", "3*"]},
    {"name": "best bonus for a weapon", "path": "palace.weapon", "values": [[6, 5, 4, 3], [9, 7, 5, 3], [12, 9, 6, 3]]},
    {
        "name": "best bonus for monks",
        "path": "palace.monk",
        "values": [[3, 3, 2, 2, 1, 1], [6, 5, 4, 3, 2, 1], [9, 7, 5, 3, 2, 1]],
    },
)


class SettingsError(ValueError):
    """Settings that can't be used: `faults` has a line for each thing that is wrong."""

    def __init__(self, faults: list[str]) -> None:
        super().__init__("\n".join(faults))
        self.faults = faults


@dataclass(frozen=True)
class Settings:
    """Everything that determines the games of an experiment."""

    experiment: str
    agents: tuple[str, ...] = ("gatherer", "runner", "shogun")
    players: tuple[int, ...] = (4,)
    games: int = 1000  # of each cell, rounded up to whole blocks; with a precision: at most
    slow_games: int = 0  # of cells with agents that look ahead or search; 0: the same number
    precision: float = 0.0  # half width of the intervals at which a cell is complete; 0: all games are played
    seed: int = 0  # of the first block
    content: str = "base"
    rules: Mapping[str, Any] = field(default_factory=dict)  # further arguments of `Rules`
    characters: bool = False
    within: float = 0.02  # largest difference that still counts as fair
    shard_games: int = 500
    decisions: bool = False  # whether every decision is kept
    # of single experiments
    components: tuple[str, ...] = COMPONENT_KINDS
    copies: tuple[int, ...] = (0, 2)
    parameters: tuple[Mapping[str, Any], ...] = USUAL_PARAMETERS
    restrictions: tuple[str, ...] = tuple(RESTRICTIONS)
    ladder: tuple[str, ...] = ("gatherer", "smith", "hunter", "runner", "shogun")

    def to_json(self) -> dict[str, Any]:
        """The settings as plain data, which `settings_of` reads again."""
        return {one.name: plain(getattr(self, one.name)) for one in fields(self)}

    def to_toml(self) -> str:
        """The settings as a TOML file."""
        return "".join(f"{name} = {toml_value(value)}\n" for name, value in self.to_json().items())

    def cells(self) -> list[Cell]:
        """All conditions of the experiment."""
        return list(_CELLS[self.experiment](self))

    def blocks(self, cell: Cell) -> int:
        """Number of blocks of a cell."""
        games = self.slow_games if self.slow_games and is_slow(cell) else self.games
        return -(-games // cell.rotations)


def is_slow(cell: Cell) -> bool:
    """Whether games of a cell take much longer than those of plain scripted agents."""
    return not is_scripted(cell) or "shogun" in cell.agents


def plain(value: Any) -> Any:
    """A setting as plain data: lists in place of tuples."""
    if isinstance(value, Mapping):
        return {key: plain(item) for key, item in value.items()}
    return [plain(item) for item in value] if isinstance(value, tuple | list) else value


# --- the conditions of each experiment ------------------------------------------------------------------------------


def _cell(settings: Settings, label: str, agents: tuple[str, ...], **more: Any) -> Cell:
    usual: dict[str, Any] = {
        "content": settings.content,
        "rules": dict(settings.rules),
        "characters": settings.characters,
    }
    return Cell(label, agents, **{**usual, **more})


def _seats(settings: Settings) -> Iterator[Cell]:
    for players in settings.players:
        for agent in settings.agents:
            yield _cell(settings, f"{agent} x {players}", (agent,) * players)


def _characters(settings: Settings) -> Iterator[Cell]:
    for players in settings.players:
        for agent in settings.agents:
            yield _cell(settings, f"{agent} x {players}", (agent,) * players, characters=True, rotations=players)


def _components(settings: Settings) -> Iterator[Cell]:
    for players in settings.players:
        for agent in settings.agents:
            agents = (agent,) * players
            yield _cell(settings, BASE, agents)
            for label, path in components_of(pack_at(settings.content)):
                kind = next(kind for kind in COMPONENT_KINDS if label.startswith(kind))
                if kind not in settings.components and label not in settings.components:
                    continue
                for copies in settings.copies:
                    cell = _cell(settings, f"{label} x {copies}", agents, changes={path: copies})
                    if _is_playable(cell):
                        yield cell


def _is_playable(cell: Cell) -> bool:
    """Whether the pack without the component can be played: some are needed, such as the only legendary dragon."""
    try:
        cell.make_rules()
    except (ContentError, RulesError):
        return False
    return True


def _parameters(settings: Settings) -> Iterator[Cell]:
    for players in settings.players:
        for agent in settings.agents:
            agents = (agent,) * players
            yield _cell(settings, BASE, agents)
            for parameter in settings.parameters:
                for value in parameter["values"]:
                    label = f"{parameter['name']} = {value}"
                    if "rule" in parameter:
                        rules = {**settings.rules, parameter["rule"]: value}
                        yield _cell(settings, label, agents, rules=rules)
                    else:
                        yield _cell(settings, label, agents, changes={parameter["path"]: value})


def _restricted(settings: Settings) -> Iterator[Cell]:
    for players in settings.players:
        for agent in settings.agents:
            for name in settings.restrictions:
                yield _cell(settings, name, (agent,) * players, restriction=name, rotations=players)


def _luck(settings: Settings) -> Iterator[Cell]:
    for players in settings.players:
        agents = tuple(settings.agents[k % len(settings.agents)] for k in range(players))
        for factor in ("nothing", EVERYTHING, *FACTORS):
            yield _cell(settings, factor, agents, reseeded=factor, characters=True)
        for lower, higher in zip(settings.ladder, settings.ladder[1:], strict=False):
            label = f"{higher} against {lower}"
            yield _cell(settings, label, (higher, *[lower] * (players - 1)), rotations=players, characters=False)


def _pace(settings: Settings) -> Iterator[Cell]:
    for players in settings.players:
        for agent in settings.agents:
            yield _cell(settings, f"{agent} x {players}", (agent,) * players, watched=True, forced=True)


_CELLS: Final[dict[str, Callable[[Settings], Iterator[Cell]]]] = {
    "seats": _seats,
    "characters": _characters,
    "components": _components,
    "parameters": _parameters,
    "restricted": _restricted,
    "luck": _luck,
    "pace": _pace,
}


# --- reading --------------------------------------------------------------------------------------------------------


def read_settings(path: str | None, typed: Mapping[str, Any]) -> Settings:
    """Read a TOML file, if there is one, and replace what was typed."""
    return settings_of(read_said(path, typed))


def read_said(path: str | None, typed: Mapping[str, Any]) -> dict[str, Any]:
    """What a TOML file says, if there is one, with what was typed in its place."""
    said: dict[str, Any] = {}
    if path is not None:
        try:
            said = tomllib.loads(Path(path).read_text(encoding="utf-8"))
        except OSError as error:
            raise SettingsError([f"settings {path}: {error.strerror}"]) from None
        except (tomllib.TOMLDecodeError, UnicodeDecodeError) as error:
            raise SettingsError([f"settings {path}: not a TOML file: {error}"]) from None
    experiment = typed.get("experiment")
    if experiment and said.get("experiment", experiment) != experiment:
        raise SettingsError(
            [f"settings {path}: they are for the experiment {said['experiment']!r}, not {experiment!r}"]
        )
    return {**said, **{name: value for name, value in typed.items() if value is not None}}


def settings_of(said: Mapping[str, Any]) -> Settings:
    """Check settings and fill in the usual ones; `SettingsError` lists all faults."""
    found, faults = checked(said, _CHECKS)
    if "experiment" not in said:
        faults.append(f"experiment is missing; allowed are {', '.join(EXPERIMENTS)}")
    if faults:
        raise SettingsError(faults)
    settings = Settings(**found)
    if faults := list(_faults_of(settings)):
        raise SettingsError(faults)
    return settings


def _faults_of(settings: Settings) -> Iterator[str]:
    """Faults that only show when the games are prepared."""
    if settings.precision and settings.experiment in WITHOUT_WIN_SHARES:
        yield f"precision: the experiment {settings.experiment!r} has no win shares that could become so precise"
    if settings.experiment == "components":
        known = {*COMPONENT_KINDS, *(label for label, _ in components_of(pack_at(settings.content)))}
        for name in settings.components:
            if name not in known:
                yield f"components: the pack has no {quoted(name)}; write a kind and a name, such as 'scroll seer'"
                return
    try:
        cells = settings.cells()
        for cell in cells:
            cell.make_rules()
    except (ContentError, RulesError, TypeError, OSError) as error:
        yield str(error)
        return
    labels = [(cell.label, cell.agent, cell.players) for cell in cells]
    if len(set(labels)) < len(labels):
        yield "agents, players or parameters: something is there twice"
    for cell in cells:
        special = cell.characters or cell.restriction or cell.reseeded or cell.watched
        if special and not is_scripted(cell):
            yield f"agents = {cell.agent!r}: only scripted agents can play in the experiment {settings.experiment!r}"
            return


def _agent(given: Any) -> str:
    try:
        make_agent(str(given))
    except AgentError as error:
        raise ValueError(str(error)) from None
    return str(given)


def _pack(given: Any) -> str:
    try:
        pack_at(str(given))
    except (ContentError, OSError) as error:
        raise ValueError(str(error)) from None
    return str(given)


def _rules(given: Any) -> dict[str, Any]:
    if not isinstance(given, Mapping):
        raise ValueError("a table of rule settings is needed, such as { final_at = 25 }")
    try:
        Rules(**given)
    except (RulesError, TypeError) as error:
        raise ValueError(str(error)) from None
    return dict(given)


def _parameter(given: Any) -> dict[str, Any]:
    wanted = 'allowed are { name = "...", path = "dragons.red.health", values = [...] }, or rule = "final_at"'
    if not isinstance(given, Mapping) or set(given) not in ({"name", "path", "values"}, {"name", "rule", "values"}):
        raise ValueError(wanted)
    if not isinstance(given["values"], list | tuple) or not given["values"]:
        raise ValueError(wanted)
    return {**given, "values": list(given["values"])}


def _component(given: Any) -> str:
    if not any(str(given).startswith(kind) for kind in COMPONENT_KINDS):
        raise ValueError(f"allowed are {', '.join(COMPONENT_KINDS)}, and single ones such as 'scroll seer'")
    return str(given)


_CHECKS: Final[dict[str, Callable[[Any], Any]]] = {
    "experiment": one_of(EXPERIMENTS),
    "agents": several(_agent),
    "players": several(whole(*COUNTS)),
    "games": whole(2, 10_000_000),
    "slow_games": whole(0, 10_000_000),
    "precision": number(0, 0.5),
    "seed": whole(0, LARGEST_SEED),
    "content": _pack,
    "rules": _rules,
    "characters": flag,
    "within": number(0.0001, 0.5),
    "shard_games": whole(1, 100_000),
    "decisions": flag,
    "components": several(_component),
    "copies": several(whole(0, 4)),
    "parameters": several(_parameter),
    "restrictions": several(one_of(RESTRICTIONS)),
    "ladder": several(_agent),
}


def with_changes(settings: Settings, **changes: Any) -> Settings:
    """The settings with some of them replaced, checked again."""
    return settings_of(replace(settings, **changes).to_json())
