"""The progress of a run, as it is read from a file: its curve, a row for each evaluation, and when what is due."""

from collections.abc import Mapping
from typing import Any, Final

Row = dict[str, Any]
TEXTS: Final = ("games of", "opponent")  # of a match
NUMBERS: Final = ("games", "share", "low", "high", "lead")


def checked_progress(given: Any) -> dict[str, Any]:
    """The progress in a checkpoint, or a `ValueError`."""
    given = _table(given, "progress")
    due = {name: _number(value, f"next.{name}") for name, value in _table(given.get("next"), "next").items()}
    seconds = _number(given.get("seconds"), "seconds")
    return {"curve": curve_of(given.get("curve")), "next": due, "seconds": seconds}


def curve_of(given: Any) -> list[Row]:
    """The curve of a run, or a `ValueError`."""
    return [_row(row) for row in _list(given, "curve")]


def _row(given: Any) -> Row:
    row = _table(given, "row")
    for name in ("decisions", "seconds"):
        _number(row.get(name), name)
    for name in ("entropy", "kl"):
        _number(row.get(name, 0), name)
    for match in _list(row.get("matches"), "matches"):
        _check_match(_table(match, "match"))
    return row


def _check_match(match: Mapping[str, Any]) -> None:
    for name in TEXTS:
        if not isinstance(match.get(name), str):
            raise ValueError(f"{name} is not a text")
    for name in NUMBERS:
        _number(match.get(name), name)


def _table(given: Any, name: str) -> dict[str, Any]:
    if not isinstance(given, dict):
        raise ValueError(f"{name} is not a table")
    return given


def _list(given: Any, name: str) -> list[Any]:
    if not isinstance(given, list):
        raise ValueError(f"{name} is not a list")
    return given


def _number(given: Any, name: str) -> float:
    if isinstance(given, bool) or not isinstance(given, int | float) or not abs(given) < 1e18:
        raise ValueError(f"{name} is not a number")
    return given
