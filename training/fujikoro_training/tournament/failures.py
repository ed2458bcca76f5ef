"""Failures of agents, for which they forfeit, and the limits that they have to keep."""

import operator
from dataclasses import dataclass
from typing import Any, Final

from fujikoro_env.kernel.text import one_line
from fujikoro_env.rules.base.actions import ACTIONS

REASONS = RAISED, ILLEGAL, TIME, CRASHED = "raised", "illegal", "time", "crashed"  # for a forfeit
RESETTING: Final = -1  # in place of a decision: before the first one
GET_READY: Final = 60.0  # minimum time in seconds to make and reset an agent: models are loaded, code is compiled
GRACE: Final = 1.0  # seconds: the process of an agent is killed after twice the time of a move plus this
CRASHES: Final = 2  # crashes of the same seat in the same game before it forfeits: the first may be an accident
LONGEST_NUMBER: Final = 40  # digits; Python refuses to write numbers of more than 4300


@dataclass(frozen=True)
class Forfeit:
    """Failure of an agent that loses it the game."""

    decision: int  # number of the seat's decision, from 0
    reason: str  # one of `REASONS`
    detail: str  # one line


Forfeits = dict[int, Forfeit]  # by seat


class FailureError(Exception):
    """A failure that makes an agent forfeit."""

    def __init__(self, reason: str, detail: str) -> None:
        self.reason, self.detail = reason, one_line(detail)
        super().__init__(reason)


def time_for(decision: int, move_seconds: float) -> float:
    """Time limit of a decision in seconds."""
    return max(move_seconds, GET_READY) if decision == RESETTING else move_seconds


def too_slow(limit: float) -> str:
    """Detail of a forfeit on time."""
    return f"took longer than {limit:g} s"


def ended(status: int | None) -> str:
    """Detail of the forfeit of an agent that ended its process."""
    return f"ended its process, exit status {status}"


def as_action(given: Any) -> int | str:
    """What an agent returned, as the number of an action, or else the reason why it is none. This runs the agent's
    code if the result has its own `__index__`."""
    try:
        action = operator.index(given)
    except TypeError:
        return f"returned a {type(given).__name__}, which is not an action"
    return action if 0 <= action < ACTIONS else f"returned {_digits(action)}, which is not an action"


def _digits(number: int) -> str:
    return str(number) if abs(number) < 10**LONGEST_NUMBER else "a huge number"
