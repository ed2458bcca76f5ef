"""Reads what a report is made of: folders of training runs, tournaments, evaluations and balance experiments, and
recorded games."""

import json
import math
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Final, TypeVar

from fujikoro_env.kernel.declared import THIS_GAME
from fujikoro_env.record import RecordError, Recording, Replay
from fujikoro_training.team_runs import FILE as TEAMS
from fujikoro_training.team_runs import TeamRun, read_teams
from fujikoro_training.teams import TeamError

CURVE, RECIPE, POLICY, SUMMARY = "curve.jsonl", "recipe.json", "policy.safetensors", "summary.json"
RESULT, EFFECTS = "result.json", "effects.parquet"
ITSELF: Final = "self"  # as an opponent: the network plays all seats
MOST_BYTES: Final = 64 << 20
Estimate = tuple[float, float, float]  # value, low, high
T = TypeVar("T")


class ReportError(ValueError):
    """Something that can't be reported; the message says why in one line."""


@dataclass(frozen=True)
class MatchRow:
    """An evaluation match of a training run."""

    opponent: str
    games_of: str
    games: int
    share: Estimate


@dataclass(frozen=True)
class CurveRow:
    """An evaluation of a training run."""

    decisions: int
    seconds: float
    entropy: float | None
    kl: float | None
    matches: tuple[MatchRow, ...]
    round: int | None = None  # of a run that is planned in rounds


@dataclass(frozen=True)
class Training:
    """A training run."""

    folder: Path
    recipe: str
    decisions: int | None  # planned; None if the recipe plans rounds
    rounds: int | None  # planned, after the first games
    fair: float | None  # share of the wins of equal players, if it is the same in all games
    curve: tuple[CurveRow, ...]

    @property
    def agent(self) -> str:
        """Name by which the trained network plays."""
        return f"policy:{self.folder / POLICY}"


@dataclass(frozen=True)
class Standing:
    """An agent in a tournament. Co-op games have no ratings, ranks and VP."""

    agent: str
    games: int
    wins: Estimate
    fair: float | None
    rating: Estimate | None
    vp: Estimate | None
    milliseconds: float


@dataclass(frozen=True)
class Tournament:
    """A tournament."""

    folder: Path
    games: int
    blocks: int
    standings: tuple[Standing, ...]
    pairs: dict[str, dict[str, Estimate]]  # how often an agent finishes ahead of another; empty in co-op


@dataclass(frozen=True)
class SeriesRow:
    """One series of an evaluation."""

    name: str
    games: int
    wins: Estimate
    fair: float | None
    lead: Estimate | None
    rounds: Estimate


@dataclass(frozen=True)
class Evaluation:
    """An evaluation by a benchmark protocol."""

    folder: Path
    agent: str
    protocol: str
    games: int
    is_result: bool
    series: tuple[SeriesRow, ...]


@dataclass(frozen=True)
class Effect:
    """A line of a balance experiment."""

    agent: str
    players: int
    measure: str
    level: str
    games: int
    estimate: Estimate
    reference: float | None
    finding: str
    equivalent: bool


@dataclass(frozen=True)
class Balance:
    """A balance experiment."""

    folder: Path
    game: str
    experiment: str
    games: int
    content: str
    within: float
    effects: tuple[Effect, ...]


@dataclass(frozen=True)
class Teams:
    """Results of teams: a tournament or an evaluation in another game."""

    folder: Path
    run: TeamRun


Source = Training | Tournament | Evaluation | Balance | Teams | Replay


def read_source(name: str) -> Source:
    """Read a folder of `fujikoro train`, `tournament`, `evaluate` or `balance`, or a recorded game."""
    path = Path(name)
    try:
        path.stat()
    except OSError as error:
        raise ReportError(f"{name}: {error.strerror}") from None
    if (path / CURVE).is_file():
        return _read(path / CURVE, "curve", lambda text: _training(path, text))
    if (path / SUMMARY).is_file():
        return _read(path / SUMMARY, "summary of a tournament", lambda text: _tournament(path, json.loads(text)))
    if (path / RESULT).is_file():
        return _read(path / RESULT, "result of an evaluation", lambda text: _evaluation(path, json.loads(text)))
    if (path / EFFECTS).is_file():
        return _balance(path)
    if (path / TEAMS).is_file():
        return _teams(path)
    if path.is_dir():
        files = (
            f"{CURVE} of `fujikoro train`, {SUMMARY} of `tournament`, {RESULT} of `evaluate`, {EFFECTS} of `balance`, "
            f"{TEAMS} of other games"
        )
        raise ReportError(f"{name}: has none of {files}")
    return _read(path, "recorded game", lambda text: Replay(Recording.from_json(text)))


def _read(path: Path, what: str, parse: Callable[[str], T]) -> T:
    try:
        if path.stat().st_size > MOST_BYTES:
            raise ReportError(f"{path}: larger than {MOST_BYTES >> 20} MB")
        return parse(path.read_text(encoding="utf-8"))
    except ReportError:
        raise
    except OSError as error:
        raise ReportError(f"{error.filename or path}: {error.strerror}") from None
    except RecordError as error:
        raise ReportError(f"{path}: {error}") from None
    except (ValueError, KeyError, TypeError, AttributeError, ArithmeticError, RecursionError):
        raise ReportError(f"{path}: not a {what}") from None


def _training(folder: Path, curve: str) -> Training:
    said = _read(folder / RECIPE, "recipe", lambda text: json.loads(text))
    kinds = [(int(kind.get("players") or 4), str(kind.get("mode", ""))) for kind in said["games"]]
    competitive = len(set(kinds)) == 1 and kinds[0][1] in ("", "competitive") and not _is_of_teams(said)
    rows = tuple(_curve_row(json.loads(line)) for line in curve.splitlines())
    planned = {**said.get("selfplay", {}), **said.get("lessons", {})}  # of `train value` and `train pupil`
    return Training(
        folder=folder,
        recipe=str(said["name"]),
        decisions=int(said["decisions"]) if "decisions" in said else None,
        rounds=int(planned["rounds"]) if "rounds" in planned else None,
        fair=1 / kinds[0][0] if competitive else None,
        curve=rows,
    )


def _is_of_teams(said: dict[str, Any]) -> bool:
    """Whether a recipe is for another game, whose players win or lose together."""
    return str(said.get("game", THIS_GAME)) != THIS_GAME


def _curve_row(row: dict[str, Any]) -> CurveRow:
    matches = tuple(
        MatchRow(
            str(match["opponent"]),
            str(match["games of"]),
            int(match["games"]),
            _share((match["share"], match["low"], match["high"])),
        )
        for match in row["matches"]
    )
    learned = _maybe(row, "entropy"), _maybe(row, "kl")
    number = int(row["round"]) if "round" in row else None
    return CurveRow(int(row["decisions"]), _number(row["seconds"]), *learned, matches, number)


def _tournament(folder: Path, summary: dict[str, Any]) -> Tournament:
    standings = tuple(
        Standing(
            agent=str(row["agent"]),
            games=int(row["games"]),
            wins=_share(row["win_rate"]),
            fair=_maybe(row, "fair_share"),
            rating=_estimate(row["rating"]) if "rating" in row else None,
            vp=_estimate(row["vp"]) if "vp" in row else None,
            milliseconds=_number(row["milliseconds_a_decision"]),
        )
        for row in summary["agents"]
    )
    pairs = {
        str(agent): {str(other): _share(met) for other, met in row.items() if met is not None}
        for agent, row in summary.get("head_to_head", {}).items()
    }
    return Tournament(folder, int(summary["games"]), int(summary["blocks"]), standings, pairs)


def _evaluation(folder: Path, result: dict[str, Any]) -> Evaluation:
    series = tuple(
        SeriesRow(
            name=str(row["name"]),
            games=int(row["games"]),
            wins=_share(row["wins"]),
            fair=_maybe(row, "fair"),
            lead=_estimate(row["vp_lead"]) if row.get("vp_lead") else None,
            rounds=_estimate(row["rounds"]),
        )
        for row in result["series"]
    )
    return Evaluation(
        folder, str(result["agent"]), str(result["protocol"]), int(result["games"]), bool(result["is_result"]), series
    )


def _teams(folder: Path) -> Teams:
    try:
        return Teams(folder, read_teams(folder))
    except TeamError as error:
        raise ReportError(str(error)) from None


def _balance(folder: Path) -> Balance:
    try:
        from fujikoro_training.balance.store import RunError, Store
    except ModuleNotFoundError as error:
        raise ReportError(f"{folder}: reading it needs {error.name}: pip install 'fujikoro_env[balance]'") from None
    store = Store(folder)
    try:
        settings, rows = store.settings(), store.effects().to_dict("records")
        effects = tuple(_effect(row) for row in rows)
    except RunError as error:
        raise ReportError(str(error)) from None
    except (KeyError, TypeError, ValueError):
        raise ReportError(f"{folder / EFFECTS}: not a table of effects") from None
    game = getattr(settings, "game", THIS_GAME)
    return Balance(folder, game, settings.experiment, store.games(), settings.content, settings.within, effects)


def _effect(row: dict[str, Any]) -> Effect:
    low, high = (float(row[name]) for name in ("low", "high"))
    reference = float(row["reference"])
    return Effect(
        agent=str(row["agent"]),
        players=int(row["players"]),
        measure=str(row["measure"]),
        level=str(row["level"]),
        games=int(row["games"]),
        estimate=(
            _number(row["value"]),
            low if math.isfinite(low) else -math.inf,
            high if math.isfinite(high) else math.inf,
        ),
        reference=reference if math.isfinite(reference) else None,
        finding=str(row["finding"]),
        equivalent=bool(row["equivalent"]),
    )


def _maybe(row: dict[str, Any], name: str) -> float | None:
    return _number(row[name]) if row.get(name) is not None else None


def _number(given: Any) -> float:
    found = float(given)
    if not math.isfinite(found):
        raise ValueError("not a finite number")
    return found


def _estimate(given: Sequence[Any]) -> Estimate:
    """A value with its interval. Where there is no interval, both ends are infinite."""
    value, low, high = given
    return _number(value), -math.inf if low is None else _number(low), math.inf if high is None else _number(high)


def _share(given: Sequence[Any]) -> Estimate:
    value, low, high = _estimate(given)
    if not 0 <= value <= 1:
        raise ValueError("not a share")
    return value, max(0.0, low), min(1.0, high)
