"""`Session`: plays one game step by step, among agents, people and spectators. docs/session.md explains it.

>>> from fujikoro_env import Rules, Session
>>> from fujikoro_env.player import make_agents
>>> agents = make_agents(["random", "random"], seed=1)
>>> session = Session(Rules(players=2), seed=7, agents={1: agents[1]})  # nobody is bound to seat 0: a person
>>> session.play()  # asks agents until a person is asked
Asked(seat=0, phase=<Phase.MONK_SPOT: 1>, question='Where does the monk go?')
>>> session.submit("monk(pool)")
>>> [event.name for event in session.events_since(0, audience=1)]
['monk(pool)']
>>> session.undo()
>>> session.history
()
"""

from typing import ClassVar

from fujikoro_env.game import Game, Outcome
from fujikoro_env.kernel import session as kernel
from fujikoro_env.kernel.record import OPEN, SPECTATOR, Event
from fujikoro_env.kernel.record import Recorder as AnyRecorder
from fujikoro_env.kernel.session import Asked, SessionError
from fujikoro_env.record import Recorder, Recording

__all__ = ["OPEN", "SPECTATOR", "Asked", "Event", "Session", "SessionError"]


class Session(kernel.Session):
    """One game and its players. Agents answer when `advance` or `play` asks them. All other seats belong to people,
    whose actions the caller submits."""

    recorders: ClassVar[type[AnyRecorder]] = Recorder
    game: Game

    @property
    def outcome(self) -> Outcome | None:
        """The result of the game; None while it is still running."""
        return self.game.outcome

    def game_at(self, position: int) -> Game:
        """A copy of the game after `position` steps."""
        game: Game = super().game_at(position)
        return game

    def view(self, audience: int) -> Game:
        """The current game as `audience` may see it: a seat, `SPECTATOR` or `OPEN`."""
        view: Game = super().view(audience)
        return view

    def recording(self) -> Recording:
        """The game so far as a `Recording`, which can be written as JSON (docs/recordings.md)."""
        recording = super().recording()
        assert isinstance(recording, Recording)
        return recording
