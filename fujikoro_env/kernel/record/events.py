"""`Event`: one step of a game as an audience sees it, in words and as data."""

from dataclasses import dataclass, field
from typing import Any, Final

# An audience is a seat, or one of these.
SPECTATOR: Final = -1  # sees only what all players see
OPEN: Final = -2  # sees everything; for recordings and for people who do not play

HIDDEN: Final = -1  # the action of an event whose audience can't see it
Draws = dict[str, list[str]]  # pieces drawn, by deck


@dataclass(frozen=True)
class Event:
    """The effects of one step, without anything that is hidden from the audience."""

    number: int  # number of the step, from 1
    seat: int  # the player who acted
    asked: str  # name of the phase
    action: int  # HIDDEN if the audience can't see it
    name: str  # name of the action; "hidden" if the audience can't see it
    rolls: list[dict[str, Any]] = field(default_factory=list)  # dice rolled and by whom, as in a recording
    draws: Draws = field(default_factory=dict)
    news: tuple[str, ...] = ()  # in words: the dice rolled, then the changes on the table
