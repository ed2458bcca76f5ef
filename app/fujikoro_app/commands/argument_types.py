"""Types of arguments: each reads what was typed, or says what is allowed."""

import argparse
from typing import Any, Final

from fujikoro_env.kernel.text import quoted

MOST_DIGITS: Final = 20  # of a typed number


def at_least_one(text: str) -> int:
    number = _whole_number(text)
    if number is None or number < 1:
        raise argparse.ArgumentTypeError(f"{quoted(text)} is not a whole number of at least 1")
    return number


def above_zero(text: str) -> float:
    try:
        number = float(text)
    except ValueError:
        number = 0.0
    if not 0 < number < float("inf"):
        raise argparse.ArgumentTypeError(f"{quoted(text)} is not a number above 0")
    return number


def not_below_zero(text: str) -> float:
    return 0.0 if text in ("0", "0.0") else above_zero(text)


def seed_number(text: str) -> int:
    number = _whole_number(text)
    if number is None or number >= 1 << 62:
        raise argparse.ArgumentTypeError(f"{quoted(text)} is not a whole number from 0 to 2**62 - 1")
    return number


def port_number(text: str) -> int:
    if not text.isdecimal() or int(text) > 65535:
        raise argparse.ArgumentTypeError(f"{text!r}: allowed are 0 to 65535")
    return int(text)


def table_size(text: str) -> int:
    if text not in ("2", "3", "4", "5", "6"):
        raise argparse.ArgumentTypeError(f"{text!r} is not a number of players from 2 to 6")
    return int(text)


def table_sizes(text: str) -> list[int]:
    return [table_size(part.strip()) for part in text.split(",")]


def agent_names(text: str) -> list[str]:
    from fujikoro_env.player import AgentError, split_names

    try:
        return split_names(text)
    except AgentError as error:
        raise argparse.ArgumentTypeError(str(error)) from None


def character_names(text: str) -> str | list[str]:
    return text if text == "random" else [name.strip() for name in text.split(",")]


def option_pair(text: str) -> tuple[str, Any]:
    name, equals, value = text.partition("=")
    if not name or not equals:
        raise argparse.ArgumentTypeError(f"{quoted(text)}: write NAME=VALUE")
    return name, _option_value(value)


def _option_value(text: str) -> bool | int | str:
    if text.lower() in ("true", "false"):
        return text.lower() == "true"
    number = _whole_number(text)
    return text if number is None else number


def _whole_number(text: str) -> int | None:
    """Return a number typed in digits; None if it is none, or too long for any use."""
    return int(text) if text.isascii() and text.isdigit() and len(text) <= MOST_DIGITS else None
