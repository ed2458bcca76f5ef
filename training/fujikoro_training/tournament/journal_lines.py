"""Lines of a journal: results of games as JSON, checked one by one when they are read."""

import json
from collections.abc import Callable
from dataclasses import asdict, fields
from math import isfinite
from typing import Any, Final

from fujikoro_env.kernel.text import one_line, quoted
from fujikoro_training.tournament.failures import REASONS, RESETTING, Forfeit, Forfeits
from fujikoro_training.tournament.match import LOST, Result

MOST_SEATS: Final = 6
NUMBERS: Final = 2**31 - 1  # games and decisions, as the Parquet file can hold them
SMALL_NUMBERS: Final = 2**15 - 1  # rounds and VP


class LineError(ValueError):
    """A line that is no result of a game; the message says why."""


def line_of(whole: dict[str, Any]) -> bytes:
    """A line of the journal."""
    return json.dumps(whole).encode() + b"\n"


def parsed(line: bytes) -> Any:
    """The JSON value of a line."""
    try:
        return json.loads(line)
    except (ValueError, RecursionError):
        raise LineError(f"it is damaged; it begins {quoted(line[:40].decode(errors='replace'))}") from None


def result_of(line: bytes) -> Result:
    """The result that a line holds."""
    whole = parsed(line)
    if not isinstance(whole, dict) or set(whole) != {field.name for field in fields(Result)}:
        raise LineError(f"it is not a result of a game; it begins {quoted(line[:40].decode(errors='replace'))}")
    seats = len(whole["ranks"]) if isinstance(whole["ranks"], list) else 0
    if not 1 <= seats <= MOST_SEATS:
        raise _wrong("ranks", whole["ranks"], f"a list of 1 to {MOST_SEATS} ranks")
    _check(whole, "game", _from_to(0, NUMBERS), f"a number from 0 to {NUMBERS}")
    _check(whole, "reason", _is_text, "a text")
    _check(whole, "rounds", _from_to(0, SMALL_NUMBERS), f"a number from 0 to {SMALL_NUMBERS}")
    _check_each(whole, "vp", seats, _from_to(-SMALL_NUMBERS, SMALL_NUMBERS), "a number of VP")
    _check_each(whole, "characters", seats, _is_text, "a name")
    _check_each(whole, "decisions", seats, _from_to(0, NUMBERS), "a number from 0")
    _check_each(whole, "seconds", seats, _is_time, "a number of seconds")
    _check_each(whole, "ranks", seats, _from_to(1, MOST_SEATS), "a rank")
    forfeits = _forfeits(whole["forfeits"], seats)
    _check_ranks(whole["ranks"], forfeits)
    return Result(**{**whole, "forfeits": forfeits})


def _wrong(name: str, value: object, allowed: str) -> LineError:
    return LineError(f"{name} is {quoted(value, 60)}, not {allowed}")


def _check(whole: dict[str, Any], name: str, is_right: Callable[[object], bool], allowed: str) -> None:
    if not is_right(whole[name]):
        raise _wrong(name, whole[name], allowed)


def _check_each(whole: dict[str, Any], name: str, seats: int, is_right: Callable[[object], bool], one: str) -> None:
    values = whole[name]
    if not isinstance(values, list) or len(values) != seats or not all(map(is_right, values)):
        raise _wrong(name, values, f"{one} for each of {seats} seats")


def _from_to(low: int, high: int) -> Callable[[object], bool]:
    return lambda value: type(value) is int and low <= value <= high


def _is_text(value: object) -> bool:
    return isinstance(value, str) and one_line(value) == value


def _is_time(value: object) -> bool:
    return type(value) in (int, float) and isfinite(value) and value >= 0  # type: ignore[arg-type, operator]


def _check_ranks(ranks: list[int], forfeits: Forfeits) -> None:
    """A rank is one more than the number of seats ahead; in co-op all seats may be behind the volcano. Forfeits are
    last."""
    if ranks == [LOST] * len(ranks):
        return
    if any(rank != 1 + sum(other < rank for other in ranks) for rank in ranks):
        raise LineError(f"ranks are {ranks}, which is no finishing order")
    if any(ranks[seat] != max(ranks) for seat in forfeits):
        raise LineError(f"ranks are {ranks}, but the seats that forfeited ({_listed(forfeits)}) are not last")


def _listed(forfeits: Forfeits) -> str:
    return ", ".join(map(str, sorted(forfeits)))


def _forfeits(given: object, seats: int) -> Forfeits:
    allowed = {str(seat): seat for seat in range(seats)}
    if not isinstance(given, dict) or not set(given) <= set(allowed):
        raise _wrong("forfeits", given, f"forfeits by seat, 0 to {seats - 1}")
    return {allowed[seat]: _forfeit(one) for seat, one in given.items()}


def _forfeit(given: object) -> Forfeit:
    if not isinstance(given, dict) or set(given) != {field.name for field in fields(Forfeit)}:
        raise _wrong("a forfeit", given, "one with decision, reason and detail")
    _check(given, "decision", _from_to(RESETTING, NUMBERS), f"a number from {RESETTING}")
    _check(given, "reason", lambda value: value in REASONS, f"one of {', '.join(REASONS)}")
    _check(given, "detail", _is_text, "a line of text")
    return Forfeit(**given)


def as_line(result: Result) -> bytes:
    """The line of a result."""
    return line_of(asdict(result))
