"""`Session`: plays one game step by step, among agents, people and spectators, for any game.

A game's own class sets `recorders`, its class of recorders, by which sessions know the game. docs/session.md explains
sessions.
"""

import operator
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from enum import IntEnum
from typing import Any, ClassVar, Self

from fujikoro_env.kernel.agents import Agent, AgentError, failure_text
from fujikoro_env.kernel.game import IllegalActionError
from fujikoro_env.kernel.record.events import Event
from fujikoro_env.kernel.record.form import Recording
from fujikoro_env.kernel.record.game import Looks, RecordedGame
from fujikoro_env.kernel.record.history import History
from fujikoro_env.kernel.record.recorder import Recorder
from fujikoro_env.kernel.record.replay import Replay
from fujikoro_env.kernel.text import quoted

PERSON = "person"  # name of a seat without an agent
LONGEST_NUMBER = 128  # bits of a wrong answer that messages repeat


class SessionError(ValueError):
    """Raised when a request does not fit the state of the session. The message is one line; nothing has changed."""


@dataclass(frozen=True)
class Asked:
    """The current decision: the seat that is asked, the phase, and the question in words."""

    seat: int
    phase: IntEnum
    question: str


class Session:
    """One game and its players. Agents answer when `advance` or `play` asks them. All other seats belong to people,
    whose actions the caller submits."""

    recorders: ClassVar[type[Recorder]]

    def __init__(
        self,
        game: Any = None,
        seed: int | None = None,
        *,
        agents: Mapping[int, Agent] | Sequence[Agent | None] = (),
        names: Sequence[str] | None = None,
        keep_history: bool = True,
    ) -> None:
        """`game`: a game, which the session steps from now on, or the rules of a new game, dealt with `seed` (0 by
        default). `agents`: agents by seat, already reset; a list has None for people. `names`: names of the players by
        seat, for recordings. With `keep_history=False` there is no undo, fork, event or recording, and hardly any
        overhead over a bare loop."""
        if isinstance(game, self._told().game_class):
            if seed is not None:
                raise SessionError(f"seed={seed}: this game is already dealt; to deal a new one, give rules and a seed")
            if game.viewer is not None:
                raise SessionError(f"this is player {game.viewer}'s view, not a game: give the game itself")
            self._hold(game, None, History(game) if keep_history else None)
        else:
            dealt = self._told().game_class(game, seed or 0)
            self._hold(dealt, seed or 0, History(dealt) if keep_history else None)
        for seat, agent in _by_seat(agents, self.game.rules.players).items():
            self.bind(seat, agent)
        if names is not None:
            self._names = _one_each("names", names, self.game.rules.players)

    @classmethod
    def _told(cls) -> RecordedGame:
        return cls.recorders.recordings.game

    def _hold(self, game: Any, seed: int | None, history: History | None) -> None:
        self.game, self._seed, self._history = game, seed, history
        self._agents: dict[int, Agent] = {}
        self._names = [PERSON] * game.rules.players
        self._loaded: set[int] = set()  # positions after the start in which dice or draws were loaded
        self._answered: set[int] = set()  # positions in which an agent decided
        self._taken_back: dict[tuple[int, str], int] = {}  # agents' answers before undos, by seat and digest
        self._events: dict[tuple[int, int], Event] = {}  # events computed so far, by number and audience
        self._looks = Looks(self._told().look)
        self.undos = 0  # number of undos; if it has grown, events that a caller has seen may be outdated

    @classmethod
    def from_replay(cls, replay: Replay) -> Self:
        """A session of a recorded game, at its last step. Use `fork` to branch off at an earlier one."""
        recording = replay.recording
        session = cls.__new__(cls)
        session._hold(replay.game_at(replay.last), recording.start.seed, replay.history.until(replay.last))
        session._names = list(recording.names)
        return session

    # players

    @property
    def names(self) -> tuple[str, ...]:
        """Names of the players, by seat."""
        return tuple(self._names)

    def agent(self, seat: int) -> Agent | None:
        """The agent bound to a seat; None for a person."""
        return self._agents.get(seat)

    def bind(self, seat: int, agent: Agent | None, name: str | None = None) -> None:
        """Let an agent, already reset, play a seat from now on; None leaves the seat to a person."""
        _checked_seat(seat, self.game.rules.players)
        self._taken_back = {key: action for key, action in self._taken_back.items() if key[0] != seat}
        if agent is None:
            self._agents.pop(seat, None)
        else:
            self._agents[seat] = agent
        self._names[seat] = name or (PERSON if agent is None else type(agent).__name__)

    # playing

    @property
    def over(self) -> bool:
        """Whether the game has ended."""
        return bool(self.game.over)

    @property
    def outcome(self) -> Any:
        """The result of the game; None while it is still running."""
        return self.game.outcome

    @property
    def actor(self) -> int:
        """The seat that must decide; -1 when the game is over."""
        return int(self.game.actor)

    @property
    def asked(self) -> Asked | None:
        """The current decision; None when the game is over."""
        game = self.game
        return None if game.over else Asked(game.actor, game.phase, game.question)

    def submit(self, action: int | str, seat: int | None = None) -> None:
        """Answer for the player who is asked, with the number or name of an action. `seat`: the seat that answers; any
        seat but the one that is asked is refused. An illegal action raises `IllegalActionError` and changes nothing. In
        a seat with an agent, the action counts as the agent's."""
        if seat is not None and seat != self.game.actor:
            raise SessionError(f"player {seat} is not asked: {self._who_is_asked()}")
        self._step(
            self.game.parse_action(action) if isinstance(action, str) else _as_action(action, self._told().actions)
        )

    def advance(self) -> int:
        """Ask the agent that must decide, submit its action and return it. Raises `AgentError` if the agent fails."""
        game, seat = self.game, self.game.actor
        agent = self._agents.get(seat)
        if agent is None:
            raise SessionError(f"it is not an agent's decision: {self._who_is_asked()}")
        action = self.known_answer() if self._taken_back else None
        if action is None:
            action = _answer(agent, seat, game.view(seat), self._told().actions)
        try:
            self._step(action)
        except IllegalActionError:
            raise _illegal(agent, seat, action) from None
        return action

    def known_answer(self) -> int | None:
        """The answer that the agent gave in this same position before an undo; None if it was not asked. `advance` uses
        it. Code that asks agents itself and then submits should use it too."""
        return self._taken_back.get((self.game.actor, self.game.digest()))

    def play(self) -> Asked | None:
        """Let agents play until a person must decide. Returns that decision; None when the game is over."""
        while self.game.actor in self._agents:  # the actor is -1 when the game is over
            self.advance()
        return self.asked

    def _step(self, action: int) -> None:
        game, history = self.game, self._history
        if history is None:
            game.step(action)
            return
        by_agent = game.actor in self._agents
        game.step(action)
        if by_agent:
            self._answered.add(history.last)
        history.append(action, game)

    def _who_is_asked(self) -> str:
        return "the game is over" if self.over else f"player {self.actor} is asked ({self.game.phase.name})"

    # loaded dice and draws

    def load_dice(self, *given: Any) -> None:
        """Same as `load_dice` of the game. The dice belong to this position: an undo to it loads them again."""
        self.game.load_dice(*given)
        self._keep_loaded()

    def load_draws(self, *given: Any) -> None:
        """Same as `load_draws` of the game. The draws belong to this position, as with `load_dice`."""
        self.game.load_draws(*given)
        self._keep_loaded()

    def _keep_loaded(self) -> None:
        if self._history is None:
            return
        self._history.keep(self.game)
        if self._history.last:
            self._loaded.add(self._history.last)
        else:
            self._seed = None  # the seed alone no longer reproduces this game

    # history and events

    @property
    def history(self) -> tuple[int, ...]:
        """The actions so far, by number."""
        return tuple(self._kept().actions)

    @property
    def steps(self) -> int:
        """Number of actions so far, which is also the current position; 0 is the start."""
        return self._kept().last

    def game_at(self, position: int) -> Any:
        """A copy of the game after `position` steps."""
        return self._kept().game_at(position)

    def view(self, audience: int) -> Any:
        """The current game as `audience` may see it: a seat, `SPECTATOR` or `OPEN`."""
        return self._told().view_for(self.game, audience)

    def event(self, number: int, audience: int) -> Event:
        """The event of one step, counted from 1, as `audience` may see it: a seat, `SPECTATOR` or `OPEN`."""
        history, key = self._kept(), (number, audience)
        if not 1 <= number <= history.last:
            raise IndexError(f"step {number}: there are 1 to {history.last}")
        if key not in self._events:
            before, action = history.game_at(number - 1), history.actions[number - 1]
            after = before.clone()
            after.step(action)
            self._events[key] = self._told().event_of(number, before, action, after, audience, self._looks)
        return self._events[key]

    def events_since(self, position: int, audience: int) -> list[Event]:
        """All events after `position`, in order. If `undos` has grown, events seen earlier may be outdated."""
        last = self._kept().last
        if not 0 <= position <= last:
            raise IndexError(f"position {position}: there are 0 to {last}")
        return [self.event(number, audience) for number in range(position + 1, last + 1)]

    # undo, forks, recordings

    @property
    def last_by_person(self) -> int | None:
        """The latest position in which a person decided, not an agent; None if there is none."""
        return next((k for k in reversed(range(self._kept().last)) if k not in self._answered), None)

    def undo(self, steps: int = 1) -> None:
        """Take back the last `steps` actions. Repeating them gives the same luck, and agents repeat their answers in
        the same positions."""
        self.undo_to(self._kept().last - steps)

    def undo_to(self, position: int) -> None:
        """Go back to an earlier position, counted in steps from the start."""
        history = self._unchanged()
        if not 0 <= position <= history.last:
            raise SessionError(f"can't go back to step {position}: allowed are 0 to {history.last}")
        if position == history.last:
            return
        for k in self._answered & set(range(position, history.last)):
            before = history.game_at(k)
            self._taken_back[before.actor, before.digest()] = history.actions[k]
        self.game = history.game_at(position)
        history.cut(position)
        self._answered = {k for k in self._answered if k < position}
        self._events = {key: event for key, event in self._events.items() if key[0] <= position}
        self._loaded = {k for k in self._loaded if k <= position}
        self.undos += 1

    def fork(self, position: int | None = None) -> Self:
        """A new session that branches off at this position, or at `position`, with the same luck. Agents are not
        copied: all seats belong to people until agents are bound."""
        history = self._unchanged()
        at = history.last if position is None else position
        branch = type(self).__new__(type(self))
        branch._hold(history.game_at(at), self._seed, history.until(at))
        branch._names = list(self._names)
        branch._loaded = {k for k in self._loaded if k <= at}
        return branch

    def recording(self) -> Recording:
        """The game so far as a `Recording`, which can be written as JSON (docs/recordings.md)."""
        history = self._unchanged()
        if self._loaded:
            last = max(self._loaded)
            raise SessionError(
                f"luck was loaded after step {last}, which recordings can't store: begin a session with game_at({last})"
            )
        recorder = self.recorders(history.game_at(0), self._names, self._seed)
        for action in history.actions:
            recorder.step(action)
        return recorder.recording()

    def _kept(self) -> History:
        if self._history is None:
            raise SessionError("this session keeps no history: make it with keep_history=True")
        return self._history

    def _unchanged(self) -> History:
        """The history, after checking that the game was not changed outside the session."""
        history = self._kept()
        if history.game_at(history.last).digest() != self.game.digest():
            raise SessionError("the game was changed outside its session: step it and load luck through the session")
        return history


def _by_seat(agents: Mapping[int, Agent] | Sequence[Agent | None], players: int) -> dict[int, Agent]:
    if isinstance(agents, Mapping):
        return dict(agents)
    given = _one_each("agents", agents, players) if agents else []
    return {seat: agent for seat, agent in enumerate(given) if agent is not None}


def _one_each(what: str, given: Sequence[Any], players: int) -> list[Any]:
    if len(given) != players:
        raise SessionError(f"{len(given)} {what} in a game of {players}: give one for each seat")
    return list(given)


def _checked_seat(seat: int, players: int) -> None:
    if seat not in range(players):
        raise SessionError(f"seat {quoted(seat)}: allowed are 0 to {players - 1}")


def _as_action(given: Any, actions: int) -> int:
    try:
        action = operator.index(given)
    except TypeError:
        action = -1
    if not 0 <= action < actions:
        raise SessionError(f"action {quoted(given)}: allowed are the numbers from 0 to {actions - 1}, and names")
    return action


def _answer(agent: Agent, seat: int, view: Any, actions: int) -> int:
    sent = _contents(view)
    try:
        action = operator.index(agent.act(view))
    except KeyboardInterrupt:  # the user's
        raise
    except BaseException as error:  # an agent's own code may raise anything, SystemExit too
        raise AgentError(f"{_who(agent, seat)} failed: {failure_text(error)}") from error
    if _contents(view) != sent:
        raise AgentError(f"{_who(agent, seat)} failed: it changed its view, which is for reading only")
    if not 0 <= action < actions:
        raise _illegal(agent, seat, action)
    return action


def _contents(view: Any) -> bytes:
    contents: bytes = view.state.tobytes() + view.legal_mask().tobytes()
    return contents


def _illegal(agent: Agent, seat: int, action: int) -> AgentError:
    number = action if abs(action) < 1 << LONGEST_NUMBER else "a huge number"  # Python refuses to write very long ones
    return AgentError(f"{_who(agent, seat)} failed: {number} is not a legal action")


def _who(agent: Agent, seat: int) -> str:
    return f"player {seat} ({type(agent).__name__})"
