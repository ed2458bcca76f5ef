"""Checks of the values in a recording that is read: each function returns a value of its kind, or raises `RecordError`
with the place of the value in the file."""

from collections.abc import Callable
from typing import Any

from fujikoro_env.kernel.game import is_whole_number
from fujikoro_env.kernel.position.kinds import short
from fujikoro_env.kernel.record.errors import RecordError


def object_in(value: Any, where: str, needed: tuple[str, ...], also: tuple[str, ...] = ()) -> dict[str, Any]:
    """An object with the keys that are needed, and no others but those in `also`."""
    part = dict_in(value, where)
    if unknown := [key for key in part if key not in (*needed, *also)]:
        raise RecordError(f"{where}: unknown key {short(unknown[0])}; there are {', '.join((*needed, *also))}")
    if missing := [key for key in needed if key not in part]:
        raise RecordError(f"{where}: {missing[0]} is missing")
    return part


def fit_in(is_fit: Callable[[Any], bool], what: str, value: Any, where: str) -> Any:
    """A value that passes a test. `what`: what it has to be, for the message."""
    if not is_fit(value):
        raise RecordError(f"{where}: {short(value)} is not {what}")
    return value


def dict_in(value: Any, where: str) -> dict[str, Any]:
    """An object."""
    found: dict[str, Any] = fit_in(lambda v: isinstance(v, dict), "an object", value, where)
    return found


def list_in(value: Any, where: str) -> list[Any]:
    """A list."""
    found: list[Any] = fit_in(lambda v: isinstance(v, list), "a list", value, where)
    return found


def text_in(value: Any, where: str) -> str:
    """A text."""
    return str(fit_in(lambda v: isinstance(v, str), "a text", value, where))


def number_in(value: Any, where: str, most: int) -> int:
    """A whole number from 0 to `most`."""
    return int(
        fit_in(lambda v: is_whole_number(v) and 0 <= v <= most, f"a whole number from 0 to {most}", value, where)
    )
