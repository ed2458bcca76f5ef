"""`Event`: one step of a game as an audience sees it, in words and as data."""

from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Any, Final

import numpy as np

from fujikoro_env.game import Game
from fujikoro_env.record.chance import Draws, draws_in, rolls_in, was_asked
from fujikoro_env.render.look import TableLook, look
from fujikoro_env.render.news import news
from fujikoro_env.render.rolls import rolls

KEPT_LOOKS: Final = 8

# An audience is a seat, or one of these.
SPECTATOR: Final = -1  # sees only what all players see
OPEN: Final = -2  # sees everything; for recordings and for people who do not play


@dataclass(frozen=True)
class Event:
    """The effects of one step, without anything that is hidden from the audience."""

    number: int  # number of the step, from 1
    seat: int  # the player who acted
    asked: str  # name of the phase
    action: int
    name: str  # name of the action
    rolls: list[dict[str, Any]] = field(default_factory=list)  # dice rolled and by whom, as in a recording
    draws: Draws = field(default_factory=dict)  # pieces drawn, by deck
    news: tuple[str, ...] = ()  # in words: the dice rolled, then the changes on the table


def view_for(game: Game, audience: int) -> Game:
    """A copy of the game as an audience sees it."""
    if audience == OPEN:
        return game.clone()
    if audience == SPECTATOR:
        view = game.view(0)
        seen_by, everybody = np.asarray(view.state.top_seen), (1 << game.rules.players) - 1
        view.state.top[(seen_by != 0) & (seen_by != everybody)] = 0  # tiles that only some players have looked at
        return view
    return game.view(audience)


class Looks:
    """Cache of the last descriptions of tables. Describing a table takes far longer than the rest of an event. Most
    audiences see the same, and what they see after one step is what they see before the next."""

    def __init__(self) -> None:
        self._known: dict[str, TableLook] = {}

    def __call__(self, game: Game) -> TableLook:
        digest = game.digest()
        if digest not in self._known:
            if len(self._known) == KEPT_LOOKS:
                del self._known[next(iter(self._known))]  # the oldest
            self._known[digest] = look(game)
        return self._known[digest]


def event_of(
    number: int, before: Game, action: int, after: Game, audience: int, looks: Callable[[Game], TableLook] = look
) -> Event:
    """The event of a step between two positions of a game. Dice are visible to everybody."""
    old, new = view_for(before, audience), view_for(after, audience)
    return Event(
        number=number,
        seat=before.actor,
        asked=before.phase.name,
        action=action,
        name=old.action_name(action),
        rolls=rolls_in(before, action, after) if was_asked(before, after) else [],
        draws=draws_in(old, new),  # even without chance: a tile that another player knew may be new to this one
        news=(*rolls(before, action, after), *news(looks(old), looks(new))),
    )
