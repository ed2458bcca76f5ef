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

import operator
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from fujikoro_env.game import Game, IllegalActionError, Outcome
from fujikoro_env.player import Agent, AgentError
from fujikoro_env.record import Recorder, Recording, Replay
from fujikoro_env.record.events import OPEN, SPECTATOR, Event, Looks, event_of, view_for
from fujikoro_env.record.history import History
from fujikoro_env.rules.base.actions import ACTIONS
from fujikoro_env.rules.base.phases import Phase
from fujikoro_env.settings import Rules

__all__ = ["OPEN", "SPECTATOR", "Asked", "Event", "Session", "SessionError"]

PERSON = "person"  # name of a seat to which no agent is bound


class SessionError(ValueError):
    """A request that does not fit the session as it stands: one line that says why. Nothing has changed."""


@dataclass(frozen=True)
class Asked:
    """The decision at which a game stands."""

    seat: int
    phase: Phase
    question: str


class Session:
    """One game and its players. Agents answer when `advance` or `play` asks them. All other seats are people, whose
    actions the caller submits."""

    def __init__(
        self,
        game: Game | Rules | None = None,
        seed: int | None = None,
        *,
        agents: Mapping[int, Agent] | Sequence[Agent | None] = (),
        names: Sequence[str] | None = None,
        keep_history: bool = True,
    ) -> None:
        """`game`: a game, which the session steps from now on, or rules by which one is dealt with `seed` (0).
        `agents`: already reset, by seat; a list has None for people. `names`: of the players by seat, for recordings.
        Without `keep_history` there is no undo, fork, event or recording, and hardly any cost over a bare loop."""
        if isinstance(game, Game):
            if seed is not None:
                raise SessionError(f"seed={seed}: this game is dealt already; to deal one give its rules and the seed")
            if game._viewer is not None:
                raise SessionError(f"this is what player {game._viewer} sees, not a game: give the game")
            self._hold(game, None, History(game) if keep_history else None)
        else:
            dealt = Game(game, seed or 0)
            self._hold(dealt, seed or 0, History(dealt) if keep_history else None)
        for seat, agent in _by_seat(agents, self.game.rules.players).items():
            self.bind(seat, agent)
        if names is not None:
            self._names = _one_each("names", names, self.game.rules.players)

    def _hold(self, game: Game, seed: int | None, history: History | None) -> None:
        self.game, self._seed, self._history = game, seed, history
        self._agents: dict[int, Agent] = {}
        self._names = [PERSON] * game.rules.players
        self._loaded: set[int] = set()  # positions after the start in which luck was loaded
        self._answered: set[int] = set()  # positions in which an agent answered
        self._taken_back: dict[tuple[int, str], int] = {}  # agents' answers, by seat and position's digest
        self._events: dict[tuple[int, int], Event] = {}  # those asked for so far, by number and audience
        self._looks = Looks()
        self.undos = 0  # how often steps were taken back: a caller who has seen events compares it

    @classmethod
    def from_replay(cls, replay: Replay) -> "Session":
        """A recorded game, standing at its last step; `fork` branches off at any other."""
        recording = replay.recording
        session = cls.__new__(cls)
        session._hold(replay.game_at(replay.last), recording.start.seed, replay.history.until(replay.last))
        session._names = list(recording.names)
        return session

    # who plays

    @property
    def names(self) -> tuple[str, ...]:
        """The names of the players, by seat."""
        return tuple(self._names)

    def agent(self, seat: int) -> Agent | None:
        """The agent bound to a seat; None for a person."""
        return self._agents.get(seat)

    def bind(self, seat: int, agent: Agent | None, name: str | None = None) -> None:
        """Let an agent, which has been reset, play a seat from now on; None leaves it to a person."""
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
        return self.game.over

    @property
    def outcome(self) -> Outcome | None:
        """None while the game goes on."""
        return self.game.outcome

    @property
    def actor(self) -> int:
        """The seat that is asked; -1 when the game is over."""
        return self.game.actor

    @property
    def asked(self) -> Asked | None:
        """Who is asked what; None when the game is over."""
        game = self.game
        return None if game.over else Asked(game.actor, game.phase, game.question)

    def submit(self, action: int | str, seat: int | None = None) -> None:
        """Answer for the player who is asked, by number or name. `seat`: who answers, to refuse all others. An illegal
        action raises `IllegalActionError` and changes nothing. In a seat with an agent it counts as the agent's."""
        if seat is not None and seat != self.game.actor:
            raise SessionError(f"player {seat} is not asked: {self._who_is_asked()}")
        self._step(self.game.parse_action(action) if isinstance(action, str) else _as_action(action))

    def advance(self) -> int:
        """Ask the agent whose decision it is, submit its action and return it. `AgentError` if it fails."""
        game, seat = self.game, self.game.actor
        agent = self._agents.get(seat)
        if agent is None:
            raise SessionError(f"no agent is asked: {self._who_is_asked()}")
        action = self.known_answer() if self._taken_back else None
        if action is None:
            action = _answer(agent, seat, game.view(seat))
        try:
            self._step(action)
        except IllegalActionError:
            raise _illegal(agent, seat, action) from None
        return action

    def known_answer(self) -> int | None:
        """What the agent whose decision it is has answered in this very position before an undo; None if it was not
        asked. `advance` takes it; whoever asks agents elsewhere and submits should take it, too."""
        return self._taken_back.get((self.game.actor, self.game.digest()))

    def play(self) -> Asked | None:
        """Let agents play until a person is asked; None when the game is over."""
        while self.game.actor in self._agents:  # nobody is asked when it is over
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
        return "the game is over" if self.over else f"player {self.actor} is ({self.game.phase.name})"

    # loaded luck

    def load_dice(self, faces: Sequence[str]) -> None:
        """As `Game.load_dice`. The dice belong to this position: after an undo to it they are loaded still."""
        self.game.load_dice(faces)
        self._keep_loaded()

    def load_draws(self, deck: str, ids: Sequence[str | int]) -> None:
        """As `Game.load_draws`; they belong to this position as loaded dice do."""
        self.game.load_draws(deck, ids)
        self._keep_loaded()

    def _keep_loaded(self) -> None:
        if self._history is None:
            return
        self._history.keep(self.game)
        if self._history.last:
            self._loaded.add(self._history.last)
        else:
            self._seed = None  # alone it does not deal this game any more

    # what happened

    @property
    def history(self) -> tuple[int, ...]:
        """The actions so far."""
        return tuple(self._kept().actions)

    @property
    def steps(self) -> int:
        """The number of actions so far, which is the position in the game; 0 is the start."""
        return self._kept().last

    def game_at(self, position: int) -> Game:
        """The game after so many steps, as a game of its own."""
        return self._kept().game_at(position)

    def view(self, audience: int) -> Game:
        """The game as a seat, `SPECTATOR` or `OPEN` may see it now."""
        return view_for(self.game, audience)

    def event(self, number: int, audience: int) -> Event:
        """What a step did, counted from 1, as a seat, `SPECTATOR` or `OPEN` may see it."""
        history, key = self._kept(), (number, audience)
        if not 1 <= number <= history.last:
            raise IndexError(f"step {number}: there are 1 to {history.last}")
        if key not in self._events:
            before, action = history.game_at(number - 1), history.actions[number - 1]
            after = before.clone()
            after.step(action)
            self._events[key] = event_of(number, before, action, after, audience, self._looks)
        return self._events[key]

    def events_since(self, position: int, audience: int) -> list[Event]:
        """What happened after so many steps, in order. If `undos` has grown, what was seen before may not be true."""
        last = self._kept().last
        if not 0 <= position <= last:
            raise IndexError(f"position {position}: there are 0 to {last}")
        return [self.event(number, audience) for number in range(position + 1, last + 1)]

    # going back, branching, keeping

    @property
    def last_by_person(self) -> int | None:
        """The latest position in which a person decided, not an agent; None if there is none."""
        return next((k for k in reversed(range(self._kept().last)) if k not in self._answered), None)

    def undo(self, steps: int = 1) -> None:
        """Take back the last actions. Their luck comes again, and so do the answers of agents in the same positions."""
        self.undo_to(self._kept().last - steps)

    def undo_to(self, position: int) -> None:
        """Go back to where the game was after so many steps."""
        history = self._unchanged()
        if not 0 <= position <= history.last:
            raise SessionError(f"there is no way back to step {position}: allowed are 0 to {history.last}")
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

    def fork(self, position: int | None = None) -> "Session":
        """A session of its own that branches off here, or after so many steps, with the same luck. Agents are not
        copied: all its seats are left to people until others are bound."""
        history = self._unchanged()
        at = history.last if position is None else position
        branch = Session.__new__(Session)
        branch._hold(history.game_at(at), self._seed, history.until(at))
        branch._names = list(self._names)
        branch._loaded = {k for k in self._loaded if k <= at}
        return branch

    def recording(self) -> Recording:
        """The game so far, to be written as JSON (docs/recordings.md)."""
        history = self._unchanged()
        if self._loaded:
            last = max(self._loaded)
            raise SessionError(
                f"luck was loaded after step {last}, which recordings can't say: begin a session with game_at({last})"
            )
        recorder = Recorder(history.game_at(0), self._names, self._seed)
        for action in history.actions:
            recorder.step(action)
        return recorder.recording()

    def _kept(self) -> History:
        if self._history is None:
            raise SessionError("this session keeps no history: make it with keep_history=True")
        return self._history

    def _unchanged(self) -> History:
        """The history, if the game still is what it says."""
        history = self._kept()
        if history.game_at(history.last).digest() != self.game.digest():
            raise SessionError("the game was changed behind its session: step it and load luck by the session alone")
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
        raise SessionError(f"seat {seat!r}: allowed are 0 to {players - 1}")


def _as_action(given: Any) -> int:
    try:
        action = operator.index(given)
    except TypeError:
        action = -1
    if not 0 <= action < ACTIONS:
        raise SessionError(f"action {given!r}: allowed are the numbers from 0 to {ACTIONS - 1}, and names")
    return action


def _answer(agent: Agent, seat: int, view: Game) -> int:
    try:
        action = operator.index(agent.act(view))
    except Exception as error:  # whatever an agent's own code does
        raise AgentError(f"{_who(agent, seat)} can't go on: {type(error).__name__}: {error}") from error
    if not 0 <= action < ACTIONS:
        raise _illegal(agent, seat, action)
    return action


def _illegal(agent: Agent, seat: int, action: int) -> AgentError:
    return AgentError(f"{_who(agent, seat)} can't go on: {action} is no legal action")


def _who(agent: Agent, seat: int) -> str:
    return f"player {seat} ({type(agent).__name__})"
