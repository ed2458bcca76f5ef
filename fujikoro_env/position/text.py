"""The text of a position: JSON laid out for people, and read with care."""

import json
from collections import Counter
from typing import Any, Final

from fujikoro_env.position.errors import PositionError
from fujikoro_env.position.kinds import short

LINE: Final = 110  # what fits in so many characters is written on one line
STEP: Final = 2


def laid_out(value: Any, indent: int = 0) -> str:
    """JSON with one thing to a line, but small things whole."""
    whole = json.dumps(value)
    if (indent > 0 and len(whole) + indent <= LINE) or not isinstance(value, dict | list) or not value:
        return whole
    deeper = indent + STEP
    if isinstance(value, dict):
        lines = [f"{json.dumps(key)}: {laid_out(item, deeper)}" for key, item in value.items()]
    else:
        lines = [laid_out(item, deeper) for item in value]
    inner = (",\n" + " " * deeper).join(lines)
    left, right = "{}" if isinstance(value, dict) else "[]"
    return f"{left}\n{' ' * deeper}{inner}\n{' ' * indent}{right}"


def parsed(text: str, what: str = "position") -> Any:
    doubled: list[str] = []

    def without_doubles(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
        doubled.extend(key for key, number in Counter(key for key, _ in pairs).items() if number > 1)
        return dict(pairs)

    try:
        value = json.loads(text, object_pairs_hook=without_doubles)
    except json.JSONDecodeError as error:
        raise PositionError([f"line {error.lineno}, column {error.colno}: not JSON: {error.msg}"]) from None
    except (RecursionError, ValueError, TypeError) as error:
        raise PositionError([f"{what}: not JSON: {error}"]) from None
    if doubled:
        raise PositionError([f"{what}: the key {short(key)} stands twice in one object" for key in doubled])
    return value
