"""Results of teams in a folder: what `fujikoro tournament` and `evaluate` find out about games other than Fuji Koro.

`teams.json` has the game, how many results are planned, and the results so far: an agent, the settings, and for each
game its seed, whether it was won, the score and the rounds. It is written again after each result.
"""

import json
from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Any, Final

from fujikoro_env.kernel.text import one_line
from fujikoro_training.intervals import wilson
from fujikoro_training.teams import TeamError, TeamResult

FILE: Final = "teams.json"
FORMAT: Final = 1
MOST_BYTES: Final = 64 << 20


@dataclass(frozen=True)
class StoredTeam:
    """The result of one team under one set of settings. Lists are by game; the first game has the seed `seed`."""

    agent: str
    settings: dict[str, Any]
    seed: int
    won: list[bool]
    scores: list[float]
    rounds: list[int]
    reasons: list[str]

    @property
    def games(self) -> int:
        """Number of games."""
        return len(self.won)

    @property
    def wins(self) -> tuple[float, float, float]:
        """Share of the games that were won, with its 95 % interval."""
        share = sum(self.won) / self.games
        return (share, *wilson(share, self.games))

    @property
    def lost(self) -> dict[str, int]:
        """Numbers of lost games, by reason."""
        lost = Counter(reason for reason, won in zip(self.reasons, self.won, strict=True) if not won)
        return dict(sorted(lost.items()))


@dataclass(frozen=True)
class TeamRun:
    """All results of a command."""

    game: str
    what: str  # "tournament" or "evaluation"
    planned: int  # results
    teams: tuple[StoredTeam, ...]


def stored(result: TeamResult, seed: int) -> StoredTeam:
    """A result as it is stored."""
    return StoredTeam(
        agent=result.agent,
        settings=dict(result.settings),
        seed=seed,
        won=[bool(won) for won in result.won],
        scores=[float(score) for score in result.scores],
        rounds=[int(rounds) for rounds in result.rounds],
        reasons=list(result.reasons),
    )


def told_setting(value: Any) -> str:
    """The value of a setting in words."""
    return "+".join(map(str, value)) if isinstance(value, list | tuple) else str(value)


def begin_teams(folder: Path) -> None:
    """Make a folder for results. Raises `TeamError` if it has some already."""
    try:
        folder.mkdir(parents=True, exist_ok=True)
    except OSError as error:
        raise TeamError(f"{folder}: {error.strerror}") from None
    if (folder / FILE).exists():
        raise TeamError(f"{folder}: has results already, which are left as they are; choose another folder")


def write_teams(folder: Path, run: TeamRun) -> None:
    """Write all results so far."""
    part = folder / f"{FILE}.part"
    try:
        part.write_text(json.dumps({"format": FORMAT, **asdict(run)}), encoding="utf-8")
        part.replace(folder / FILE)
    except OSError as error:
        raise TeamError(f"{folder}: {error.strerror}") from None


def read_teams(folder: Path) -> TeamRun:
    """The results in a folder. Raises `TeamError` if they can't be read."""
    path = folder / FILE
    try:
        if path.stat().st_size > MOST_BYTES:
            raise TeamError(f"{path}: larger than {MOST_BYTES >> 20} MB")
        said = json.loads(path.read_text(encoding="utf-8"))
        teams = tuple(_team(each) for each in said["teams"])
        return TeamRun(str(said["game"]), str(said["what"]), int(said["planned"]), teams)
    except OSError as error:
        raise TeamError(f"{path}: {error.strerror}") from None
    except TeamError:
        raise
    except (ValueError, KeyError, TypeError, AttributeError, ArithmeticError, RecursionError):
        raise TeamError(f"{path}: not results of teams") from None


def _team(said: Mapping[str, Any]) -> StoredTeam:
    games = len(said["won"])
    if not games or {len(said[name]) for name in ("scores", "rounds", "reasons")} != {games}:
        raise ValueError("lists of different lengths")
    return StoredTeam(
        agent=one_line(str(said["agent"])),
        settings=dict(said["settings"]),
        seed=int(said["seed"]),
        won=_all(bool, said["won"]),
        scores=_all(float, said["scores"]),
        rounds=_all(int, said["rounds"]),
        reasons=_all(str, said["reasons"]),
    )


def _all(kind: type, given: Sequence[Any]) -> list[Any]:
    if any(type(each) is not kind for each in given):
        raise ValueError(f"not all are of type {kind.__name__}")
    return list(given)
