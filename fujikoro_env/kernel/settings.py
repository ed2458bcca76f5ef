"""What the rules of all games have in common: their facts, the error for settings that don't fit, and checks of
settings and options.

The options of a game are a table by name: the rule, and the allowed values, of which the first is the default. Numbers
and flags are stored in a record as they are, words by their index among the allowed values.
"""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from typing import Any

from fujikoro_env.kernel.game import is_whole_number
from fujikoro_env.kernel.text import quoted

Options = Mapping[str, tuple[str, tuple[Any, ...]]]


class RulesError(ValueError):
    """Raised for settings that do not fit: one line that says what is wrong and what is allowed."""


@dataclass(frozen=True)
class Facts:
    """Facts about every game under given rules.

    * `players`: number of players
    * `actions`: size of the action space
    * `max_rounds`: rounds after which a game ends at the latest
    * `max_decisions`: upper bound of the decisions in a game
    * `reward_bounds`: by kind of reward, least and greatest sum that one player can get in a game
    """

    players: int
    actions: int
    max_rounds: int
    max_decisions: int
    reward_bounds: dict[str, tuple[float, float]]


def checked_number(name: str, value: Any, low: int, high: int, rule: str = "") -> int:
    """Return a whole number of a setting if it is within its bounds. `rule`: the id of the rule that sets them."""
    if not is_whole_number(value) or not low <= value <= high:
        why = f" ({rule})" if rule else ""
        raise RulesError(f"{name}={quoted(value)}: allowed are the numbers {low} to {high}{why}")
    return int(value)


def checked_flag(name: str, value: Any) -> bool:
    """Return a setting that is on or off."""
    if not isinstance(value, bool):
        raise RulesError(f"{name}={quoted(value)}: allowed are True and False")
    return value


def checked_options(options: Options, given: Mapping[str, Any], settings: Iterable[str] = ()) -> dict[str, Any]:
    """Return the values of all options, those that are not given by default. `settings`: names of the other arguments,
    one of which may have been meant by an unknown name."""
    for name, value in given.items():
        if name not in options:
            others = f"; settings are {', '.join(settings)}" if settings else ""
            raise RulesError(f"unknown option {quoted(name)}: there are {', '.join(sorted(options))}{others}")
        rule, allowed = options[name]
        if not any(type(value) is type(choice) and value == choice for choice in allowed):
            raise RulesError(f"{name}={quoted(value)}: allowed are {', '.join(map(repr, allowed))} ({rule})")
    return {name: given.get(name, allowed[0]) for name, (_, allowed) in options.items()}


def write_options(options: Options, values: Mapping[str, Any], settings: Any) -> None:
    """Write the values of options into the settings of a record."""
    for name, value in values.items():
        settings[name] = options[name][1].index(value) if isinstance(value, str) else value


def read_options(options: Options, settings: Any) -> dict[str, Any]:
    """Return the values of the options in the settings of a record."""
    return {name: _value_of(allowed, int(settings[name])) for name, (_, allowed) in options.items()}


def _value_of(allowed: tuple[Any, ...], code: int) -> Any:
    usual = allowed[0]
    return allowed[code] if isinstance(usual, str) else type(usual)(code)
