"""JSON as text, laid out for people, and parsed with all faults of the text found."""

import json
from collections import Counter
from typing import Final

from fujikoro_env.kernel.position.errors import PositionError
from fujikoro_env.kernel.position.kinds import Json, short

LINE: Final = 110  # a value that fits in this many characters is written on one line
STEP: Final = 2


def laid_out(value: Json, indent: int = 0) -> str:
    """JSON with one item per line, except that small values stay on one line."""
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


def parsed(text: str, what: str = "position") -> Json:
    """Parse JSON. Invalid text and duplicate keys raise `PositionError`; `what` names the text in messages."""
    doubled: list[str] = []

    def without_doubles(pairs: list[tuple[str, Json]]) -> dict[str, Json]:
        doubled.extend(key for key, number in Counter(key for key, _ in pairs).items() if number > 1)
        return dict(pairs)

    try:
        value: Json = json.loads(text, object_pairs_hook=without_doubles)
    except json.JSONDecodeError as error:
        raise PositionError([f"line {error.lineno}, column {error.colno}: not JSON: {error.msg}"]) from None
    except (RecursionError, ValueError, TypeError) as error:
        raise PositionError([f"{what}: not JSON: {error}"]) from None
    if doubled:
        raise PositionError([f"{what}: the key {short(key)} appears twice in one object" for key in doubled])
    return value
