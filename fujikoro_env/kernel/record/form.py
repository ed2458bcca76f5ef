"""A recorded game as an object and as JSON; docs/recordings.md describes the format."""

import json
from dataclasses import asdict, dataclass, field
from pathlib import Path
from typing import Any, ClassVar, Final, Self

from fujikoro_env.kernel.game import SEED_BITS, is_whole_number
from fujikoro_env.kernel.position.errors import PositionError
from fujikoro_env.kernel.position.kinds import short
from fujikoro_env.kernel.position.text import laid_out, parsed
from fujikoro_env.kernel.record.errors import RecordError
from fujikoro_env.kernel.record.game import RecordedGame
from fujikoro_env.kernel.record.reading import dict_in, list_in, number_in, object_in, text_in

MARK: Final = "recorded game"
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

    game: ClassVar[RecordedGame]

    engine: str
    rules: Any
    names: tuple[str, ...]
    start: Start
    steps: tuple[Step, ...]
    outcome: Any

    def to_json(self) -> str:
        """The recording as JSON, with one step on each line."""
        whole = {
            self.game.name: MARK,
            "version": self.game.version,
            "engine": self.engine,
            "rules": self.game.rules_as_data(self.rules),
            "names": list(self.names),
            "start": _without_nothing(asdict(self.start)),
            "steps": [_without_nothing(asdict(step)) for step in self.steps],
            "outcome": self.game.outcome_as_data(self.outcome) if self.outcome else None,
        }
        lines = [f"{json.dumps(key)}: {_laid_out(key, value)}" for key, value in whole.items()]
        inner = ",\n".join(" " * INDENT + line for line in lines)
        return f"{{\n{inner}\n}}\n"

    @classmethod
    def from_json(cls, text: str, content: str | Path | None = None) -> Self:
        """Read a recording and check its format; `Replay` checks that the game can be played. `content`: the current
        path of the content pack, if it has moved."""
        try:
            return cls(*_read(cls.game, parsed(text, "file"), content))
        except PositionError as error:
            raise RecordError(str(error)) from None


def game_named_in(text: str) -> str:
    """The name of the game that a recording is of, and that its mark gives; raises `RecordError`."""
    try:
        whole = parsed(text, "file")
    except PositionError as error:
        raise RecordError(str(error)) from None
    marks = [key for key, value in whole.items() if value == MARK] if isinstance(whole, dict) else []
    if len(marks) != 1:
        raise RecordError(f'file: not a recorded game of fujikoro_env, because it lacks "fujikoro": "{MARK}"')
    return str(marks[0])


# writing


def _without_nothing(shown: dict[str, Any]) -> dict[str, Any]:
    """The entries that are not empty. The digest comes last, because it summarises the others."""
    said = {key: value for key, value in shown.items() if value not in (None, [], {})}
    said["digest"] = said.pop("digest")
    return said


def _laid_out(key: str, value: Any) -> str:
    if key != "steps" or not value:
        return laid_out(value, INDENT)
    inner = ",\n".join(" " * 2 * INDENT + json.dumps(step) for step in value)
    return f"[\n{inner}\n{' ' * INDENT}]"


# reading


def _read(game: RecordedGame, whole: Any, content: str | Path | None) -> tuple[Any, ...]:
    if not isinstance(whole, dict) or whole.get(game.name) != MARK:
        raise RecordError(f'file: not a recorded game of {game.package}, because it lacks "{game.name}": "{MARK}"')
    _check_version(game, whole.get("version"))
    part = object_in(whole, "file", (game.name, "version", "engine", "rules", "names", "start", "steps", "outcome"))
    rules = game.read_rules(part["rules"], content)
    return (
        text_in(part["engine"], "engine"),
        rules,
        _read_names(part["names"], rules.players),
        _read_start(part["start"]),
        tuple(_read_step(game, step, f"step {n}") for n, step in enumerate(list_in(part["steps"], "steps"), 1)),
        None if part["outcome"] is None else game.read_outcome(part["outcome"]),
    )


def _check_version(game: RecordedGame, version: Any) -> None:
    known, package = game.version, game.package
    if not is_whole_number(version):
        raise RecordError(f"version: {short(version)} is not a version; this {package} reads version {known}")
    if version < known:
        raise RecordError(f"version: {short(version)} is older than {known}: an older {package} reads it")
    if version > known:
        raise RecordError(f"version: {short(version)} is newer than {known}: a newer {package} reads it")


def _read_names(value: Any, players: int) -> tuple[str, ...]:
    names = tuple(text_in(name, f"names[{seat}]") for seat, name in enumerate(list_in(value, "names")))
    if len(names) != players:
        raise RecordError(f"names: {len(names)} entries in a game of {players}")
    return names


def _read_start(value: Any) -> Start:
    if isinstance(value, dict) and "position" in value:
        part = object_in(value, "start", ("position", "digest"))
        return Start(text_in(part["digest"], "start.digest"), position=dict_in(part["position"], "start.position"))
    part = object_in(value, "start", ("seed", "digest"), ("dealt",))
    seed = number_in(part["seed"], "start.seed", (1 << SEED_BITS) - 1)
    return Start(text_in(part["digest"], "start.digest"), seed, dict_in(part.get("dealt", {}), "start.dealt"))


def _read_step(game: RecordedGame, value: Any, where: str) -> Step:
    part = object_in(value, where, ("player", "asked", "action", "name", "digest"), ("rolls", "draws"))
    return Step(
        player=number_in(part["player"], f"{where}: player", 1 << 30),
        asked=text_in(part["asked"], f"{where}: asked"),
        action=number_in(part["action"], f"{where}: action", game.actions - 1),
        name=text_in(part["name"], f"{where}: name"),
        digest=text_in(part["digest"], f"{where}: digest"),
        rolls=list_in(part.get("rolls", []), f"{where}: rolls"),
        draws=dict_in(part.get("draws", {}), f"{where}: draws"),
    )
