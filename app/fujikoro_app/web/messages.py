"""Messages of pages: read, checked and limited."""

import json
import time
from dataclasses import dataclass, field
from typing import Any, Final

from fujikoro_app.web.limits import Limits

LONGEST_TEXT: Final = 300
# What a page may ask for, with the type of each further key.
REQUESTS: Final[dict[str, dict[str, type]]] = {
    "act": {"action": int, "step": int},
    "undo": {},
    "agree": {"yes": bool},
    "hint": {},
    "resign": {"agent": str},
    "explain": {"about": str},
    "speed": {"value": float},
    "pause": {"on": bool},
}


class MessageError(ValueError):
    """Raised for an invalid message. The text says in one line what is wrong."""


def read_message(text: str, limits: Limits) -> dict[str, Any]:
    """A request as a dictionary with exactly the keys that it needs, each of the right type."""
    if len(text) > limits.message:
        raise MessageError(f"the message is longer than {limits.message} characters")
    try:
        found = json.loads(text)
    except (ValueError, RecursionError):
        raise MessageError("the message is not JSON") from None
    wanted = REQUESTS.get(found.get("do", "")) if isinstance(found, dict) and isinstance(found.get("do"), str) else None
    if wanted is None:
        raise MessageError(f'the message is not an object with "do": one of {", ".join(REQUESTS)}')
    if set(found) != {"do", *wanted}:
        raise MessageError(f"{found['do']} needs {', '.join(wanted) or 'nothing else'}")
    return {"do": found["do"], **{key: _checked(key, found[key], kind) for key, kind in wanted.items()}}


def _checked(key: str, value: Any, kind: type) -> Any:
    if kind is float and type(value) is int:
        value = float(min(max(value, -1000), 1000))
    if type(value) is not kind or value != value:  # NaN is not equal to itself
        raise MessageError(f"{key} is not of type {kind.__name__}")
    if isinstance(value, str) and len(value) > LONGEST_TEXT:
        raise MessageError(f"{key} is longer than {LONGEST_TEXT} characters")
    return value


@dataclass
class Meter:
    """Counts the messages of one socket, which are limited to a burst and then to a rate per second, and its faults."""

    limits: Limits
    left: float = field(init=False)
    faults: int = 0
    _last: float = field(default_factory=time.monotonic)

    def __post_init__(self) -> None:
        self.left = float(self.limits.burst)

    def has_room(self) -> bool:
        """Count a message. False if there were too many."""
        now = time.monotonic()
        self.left = min(self.limits.burst, self.left + (now - self._last) * self.limits.messages_a_second)
        self._last = now
        self.left -= 1
        return self.left >= 0

    def bears_fault(self) -> bool:
        """Count a refused message. False if there were too many."""
        self.faults += 1
        return self.faults <= self.limits.faults
