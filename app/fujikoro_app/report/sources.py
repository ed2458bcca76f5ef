"""Reads what a report is made of: folders of training runs and tournaments, and recorded games."""

import json
import math
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Final, TypeVar

from fujikoro_env.record import RecordError, Recording, Replay

CURVE, RECIPE, POLICY, SUMMARY = "curve.jsonl", "recipe.json", "policy.safetensors", "summary.json"
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


@dataclass(frozen=True)
class Training:
    """A training run."""

    folder: Path
    recipe: str
    decisions: int  # planned
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


Source = Training | Tournament | Replay


def read_source(name: str) -> Source:
    """Read a folder of `fujikoro train` or `fujikoro tournament`, or a recorded game."""
    path = Path(name)
    try:
        path.stat()
    except OSError as error:
        raise ReportError(f"{name}: {error.strerror}") from None
    if (path / CURVE).is_file():
        return _read(path / CURVE, "curve", lambda text: _training(path, text))
    if (path / SUMMARY).is_file():
        return _read(path / SUMMARY, "summary of a tournament", lambda text: _tournament(path, json.loads(text)))
    if path.is_dir():
        raise ReportError(f"{name}: has neither {CURVE} of `fujikoro train` nor {SUMMARY} of `fujikoro tournament`")
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
    competitive = len(set(kinds)) == 1 and kinds[0][1] in ("", "competitive")
    rows = tuple(_curve_row(json.loads(line)) for line in curve.splitlines())
    return Training(folder, str(said["name"]), int(said["decisions"]), 1 / kinds[0][0] if competitive else None, rows)


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
    return CurveRow(int(row["decisions"]), _number(row["seconds"]), _maybe(row, "entropy"), _maybe(row, "kl"), matches)


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
    return Tournament(folder, int(summary["games"]), int(summary["blocks"]), standings)


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
