"""A recorded game as an object and as JSON; docs/recordings.md describes the format."""

import json
from collections.abc import Callable
from dataclasses import asdict, dataclass, field
from pathlib import Path
from typing import Any, Final

from fujikoro_env.game import SEED_BITS, Outcome, PlayerOutcome
from fujikoro_env.position import PositionError
from fujikoro_env.position.convert import laid_out, parsed
from fujikoro_env.position.draft import JsonObject
from fujikoro_env.position.errors import Faults
from fujikoro_env.position.kinds import UnfitError, short
from fujikoro_env.position.reading import read_rules
from fujikoro_env.position.words import COUNTER_KINDS
from fujikoro_env.position.writing import rules_of
from fujikoro_env.record.errors import RecordError
from fujikoro_env.rules.base.actions import ACTIONS
from fujikoro_env.rules.base.counters import COUNTERS, CounterValues, without_zeros
from fujikoro_env.settings import Rules, is_whole_number

MARK: Final = "recorded game"
VERSION: Final = 2
INDENT: Final = 2


@dataclass(frozen=True)
class Start:
    """The start of a recorded game: a seed or a position.

    * `digest`: digest of the game before the first step
    * `seed`, `dealt`: the seed, and the results of chance in set-up
    * `position`: the position, instead of a seed; see docs/positions.md
    """

    digest: str
    seed: int | None = None
    dealt: dict[str, Any] = field(default_factory=dict)
    position: dict[str, Any] | None = None


@dataclass(frozen=True)
class Step:
    """One step of a recorded game.

    * `player`, `asked`: the player who was asked, and the phase
    * `action`, `name`: the action, as a number and as a name
    * `digest`: digest of the game after the step
    * `rolls`: who rolled which dice, in order
    * `draws`: what was drawn, by deck, as `Game.load_draws` names it
    """

    player: int
    asked: str
    action: int
    name: str
    digest: str
    rolls: list[dict[str, Any]] = field(default_factory=list)
    draws: dict[str, list[str]] = field(default_factory=dict)


@dataclass(frozen=True)
class Recording:
    """A recorded game.

    * `engine`: hash of the source of the rules that it was recorded with
    * `rules`: the rules of the game
    * `names`: names of the players, by seat
    * `start`, `steps`: how the game began, and all its steps
    * `outcome`: how it ended; None if it was not played to its end
    """

    engine: str
    rules: Rules
    names: tuple[str, ...]
    start: Start
    steps: tuple[Step, ...]
    outcome: Outcome | None

    def to_json(self) -> str:
        """The recording as JSON, with one step on each line."""
        whole = {
            "fujikoro": MARK,
            "version": VERSION,
            "engine": self.engine,
            "rules": rules_of(self.rules),
            "names": list(self.names),
            "start": _without_nothing(asdict(self.start)),
            "steps": [_without_nothing(asdict(step)) for step in self.steps],
            "outcome": outcome_as_data(self.outcome) if self.outcome else None,
        }
        lines = [f"{json.dumps(key)}: {_laid_out(key, value)}" for key, value in whole.items()]
        inner = ",\n".join(" " * INDENT + line for line in lines)
        return f"{{\n{inner}\n}}\n"

    @classmethod
    def from_json(cls, text: str, content: str | Path | None = None) -> "Recording":
        """Read a recording and check its format; `Replay` checks that the game can be played. `content`: the current
        path of the content pack, if it has moved."""
        try:
            return _read(parsed(text, "file"), content)
        except PositionError as error:
            raise RecordError(str(error)) from None


# writing


def _without_nothing(shown: dict[str, Any]) -> dict[str, Any]:
    """The entries that are not empty. The digest comes last, because it summarises the others."""
    said = {key: value for key, value in shown.items() if value not in (None, [], {})}
    said["digest"] = said.pop("digest")
    return said


def outcome_as_data(outcome: Outcome) -> dict[str, Any]:
    """An outcome, ready for JSON; counters that are 0 are left out."""
    players = [{**vars(player), "counts": without_zeros(player.counts)} for player in outcome.players]
    return {**vars(outcome), "players": players}


def _laid_out(key: str, value: Any) -> str:
    if key != "steps" or not value:
        return laid_out(value, INDENT)
    inner = ",\n".join(" " * 2 * INDENT + json.dumps(step) for step in value)
    return f"[\n{inner}\n{' ' * INDENT}]"


# reading


def _read(whole: Any, content: str | Path | None) -> Recording:
    if not isinstance(whole, dict) or whole.get("fujikoro") != MARK:
        raise RecordError(f'file: not a recorded game of fujikoro_env, because it lacks "fujikoro": "{MARK}"')
    _check_version(whole.get("version"))
    keys = ("fujikoro", "version", "engine", "rules", "names", "start", "steps", "outcome")
    part = _object(whole, "file", keys)
    rules = _read_rules(part["rules"], content)
    return Recording(
        engine=_text(part["engine"], "engine"),
        rules=rules,
        names=_read_names(part["names"], rules.players),
        start=_read_start(part["start"]),
        steps=tuple(_read_step(step, f"step {n}") for n, step in enumerate(_list(part["steps"], "steps"), 1)),
        outcome=None if part["outcome"] is None else _read_outcome(part["outcome"]),
    )


def _check_version(version: Any) -> None:
    if not is_whole_number(version):
        raise RecordError(f"version: {short(version)} is not a version; this fujikoro_env reads version {VERSION}")
    if version < VERSION:
        raise RecordError(f"version: {short(version)} is older than {VERSION}: an older fujikoro_env reads it")
    if version > VERSION:
        raise RecordError(f"version: {short(version)} is newer than {VERSION}: a newer fujikoro_env reads it")


def _read_rules(value: Any, content: str | Path | None) -> Rules:
    return read_rules(JsonObject({"rules": value}, "", Faults()), content)


def _read_names(value: Any, players: int) -> tuple[str, ...]:
    names = tuple(_text(name, f"names[{seat}]") for seat, name in enumerate(_list(value, "names")))
    if len(names) != players:
        raise RecordError(f"names: {len(names)} entries in a game of {players}")
    return names


def _read_start(value: Any) -> Start:
    if isinstance(value, dict) and "position" in value:
        part = _object(value, "start", ("position", "digest"))
        return Start(_text(part["digest"], "start.digest"), position=_dict(part["position"], "start.position"))
    part = _object(value, "start", ("seed", "dealt", "digest"))
    seed = _number(part["seed"], "start.seed", (1 << SEED_BITS) - 1)
    return Start(_text(part["digest"], "start.digest"), seed, _dict(part["dealt"], "start.dealt"))


def _read_step(value: Any, where: str) -> Step:
    part = _object(value, where, ("player", "asked", "action", "name", "digest"), ("rolls", "draws"))
    return Step(
        player=_number(part["player"], f"{where}: player", 1 << 30),
        asked=_text(part["asked"], f"{where}: asked"),
        action=_number(part["action"], f"{where}: action", ACTIONS - 1),
        name=_text(part["name"], f"{where}: name"),
        digest=_text(part["digest"], f"{where}: digest"),
        rolls=_list(part.get("rolls", []), f"{where}: rolls"),
        draws=_dict(part.get("draws", {}), f"{where}: draws"),
    )


def _read_outcome(value: Any) -> Outcome:
    part = _object(value, "outcome", ("reason", "ranking", "scores", "winners", "players"))
    numbers = {
        key: tuple(_number(n, f"outcome.{key}", 1 << 30) for n in _list(part[key], f"outcome.{key}"))
        for key in ("ranking", "scores", "winners")
    }
    players = [
        _read_player(player, f"outcome.players[{p}]")
        for p, player in enumerate(_list(part["players"], "outcome.players"))
    ]
    return Outcome(_text(part["reason"], "outcome.reason"), **numbers, players=tuple(players))


def _read_player(value: Any, where: str) -> PlayerOutcome:
    part = _object(value, where, ("left", "left_order", "left_round", "counts"))
    return PlayerOutcome(
        left=None if part["left"] is None else _text(part["left"], f"{where}.left"),
        left_order=_number(part["left_order"], f"{where}.left_order", 1 << 30),
        left_round=_number(part["left_round"], f"{where}.left_round", 1 << 30),
        counts=_read_counts(part["counts"], f"{where}.counts"),
    )


def _read_counts(value: Any, where: str) -> CounterValues:
    part = _object(value, where, (), tuple(COUNTERS))
    try:
        numbers = {name: kind.read(part.get(name, {})) for name, kind in COUNTER_KINDS.items()}
    except UnfitError as error:
        raise RecordError(f"{where}: {error}") from None
    return {name: dict(zip(COUNTERS[name].labels, numbers[name], strict=True)) for name in COUNTERS}


def _object(value: Any, where: str, needed: tuple[str, ...], also: tuple[str, ...] = ()) -> dict[str, Any]:
    part = _dict(value, where)
    if unknown := [key for key in part if key not in (*needed, *also)]:
        raise RecordError(f"{where}: unknown key {short(unknown[0])}; there are {', '.join((*needed, *also))}")
    if missing := [key for key in needed if key not in part]:
        raise RecordError(f"{where}: {missing[0]} is missing")
    return part


def _fit(is_fit: Callable[[Any], bool], what: str, value: Any, where: str) -> Any:
    if not is_fit(value):
        raise RecordError(f"{where}: {short(value)} is not {what}")
    return value


def _dict(value: Any, where: str) -> dict[str, Any]:
    found: dict[str, Any] = _fit(lambda v: isinstance(v, dict), "an object", value, where)
    return found


def _list(value: Any, where: str) -> list[Any]:
    found: list[Any] = _fit(lambda v: isinstance(v, list), "a list", value, where)
    return found


def _text(value: Any, where: str) -> str:
    return str(_fit(lambda v: isinstance(v, str), "a text", value, where))


def _number(value: Any, where: str, most: int) -> int:
    return int(_fit(lambda v: is_whole_number(v) and 0 <= v <= most, f"a whole number from 0 to {most}", value, where))
