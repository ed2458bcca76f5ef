"""Checks of single settings: each takes what was said and returns the value, or raises `ValueError`."""

from collections.abc import Callable, Mapping
from typing import Any

from fujikoro_env.kernel.text import quoted

Check = Callable[[Any], Any]


def checked(said: Mapping[str, Any], checks: Mapping[str, Check]) -> tuple[dict[str, Any], list[str]]:
    """The values of the settings that were said, and a line for each fault."""
    faults = [
        f"{quoted(name)} is not a setting; allowed are {', '.join(checks)}" for name in said if name not in checks
    ]
    found: dict[str, Any] = {}
    for name, check in checks.items():
        if name in said:
            try:
                found[name] = check(said[name])
            except ValueError as error:
                faults.append(f"{name} = {quoted(said[name])}: {error}")
    return found, faults


def whole(least: int, most: int) -> Callable[[Any], int]:
    """A check for whole numbers."""

    def check(given: Any) -> int:
        if not isinstance(given, int) or isinstance(given, bool) or not least <= given <= most:
            raise ValueError(f"allowed are whole numbers from {least} to {most}")
        return given

    return check


def number(least: float, most: float) -> Callable[[Any], float]:
    """A check for numbers."""

    def check(given: Any) -> float:
        if not isinstance(given, int | float) or isinstance(given, bool) or not least <= given <= most:
            raise ValueError(f"allowed are numbers from {least:g} to {most:g}")
        return float(given)

    return check


def several(one: Callable[[Any], Any]) -> Callable[[Any], tuple[Any, ...]]:
    """A check for lists of at least one entry, each of which is checked."""

    def check(given: Any) -> tuple[Any, ...]:
        if not isinstance(given, list | tuple) or not given:
            raise ValueError("a list with at least one entry is needed")
        return tuple(one(item) for item in given)

    return check


def one_of(names: Any) -> Callable[[Any], str]:
    """A check for one of some names."""

    def check(given: Any) -> str:
        if given not in names:
            raise ValueError(f"allowed are {', '.join(names)}")
        return str(given)

    return check


def flag(given: Any) -> bool:
    """Check for true or false."""
    if not isinstance(given, bool):
        raise ValueError("allowed are true and false")
    return given
