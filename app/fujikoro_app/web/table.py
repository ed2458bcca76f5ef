"""One game that is played on the server, and the pages that are connected to it."""

import asyncio
import hmac
import secrets
import sys
from dataclasses import dataclass, field
from typing import Any, Final, Protocol

from fujikoro_app.web.frames import Frame
from fujikoro_app.web.games import web_game
from fujikoro_app.web.lobby import Seat, called
from fujikoro_app.web.storage import GameFiles, Placed, StorageError
from fujikoro_app.web.thinking import Task, Thinkers, ThinkingError, Thought, as_data
from fujikoro_env.kernel.declared import THIS_GAME
from fujikoro_env.kernel.game import IllegalActionError
from fujikoro_env.kernel.record.events import OPEN, SPECTATOR
from fujikoro_env.kernel.session import Session, SessionError

HOST: Final = -3  # role of the person who started a game of agents
USUAL_SPEED: Final = 4.0  # decisions of agents per second
FASTEST: Final = 50.0
LONGEST_LOG: Final = 400  # lines that a page gets at once
MOST_RECENT: Final = 40  # lines about what happened since a person's last turn
SUBSTITUTE: Final = "random"
NEXT_TRY: Final = 5.0  # seconds until an agent is asked again whose answer could not be saved


class RefusedError(Exception):
    """A request that can't be carried out now; the message is one line for the person."""


class Page(Protocol):
    """A connected page. `wake` tells it that the game has changed; it then asks for `Table.news_for(page)`."""

    role: int  # a seat, SPECTATOR or HOST
    sent: "Sent | None"

    def wake(self) -> None:
        """Note that the game has changed."""


@dataclass
class Sent:
    """What a page has got so far."""

    frame: Frame
    audience: int
    undos: int
    lines: int
    points: int


class RemoteAgent:
    """Stands for an agent that thinks in another process, so that the session knows whose decisions are whose."""

    def reset(self, seed: int, seat: int) -> None:
        """Do nothing: the agent is reset in its own process."""

    def act(self, view: Any) -> int:
        """Never called, because the table asks the agent itself."""
        raise NotImplementedError

    def explain(self) -> str:
        """No reason: the agent is in another process."""
        return ""


@dataclass
class UndoRequest:
    """A person's request to take a decision back, for which the other people are asked."""

    seat: int
    position: int
    missing: set[int] = field(default_factory=set)  # seats of people who have not agreed yet


class Table:
    """A game with its people, agents and spectators. `begin` and `resume` make one; `run` plays it."""

    def __init__(self, number: str, session: Session, placed: Placed, files: GameFiles, thinkers: Thinkers) -> None:
        self.number, self.session, self.placed = number, session, placed
        self.kind = web_game(placed.game)
        self._files, self._thinkers = files, thinkers
        self.seats = list(placed.seats)
        self.pages: set[Page] = set()
        self.speed, self.paused = USUAL_SPEED, False
        self._undo: UndoRequest | None = None
        self._woken = asyncio.Event()
        self._frames: dict[tuple[int, int | None], Frame] = {}  # of the current position, by audience and seat
        self._changes = [0] * len(placed.seats)  # how often each seat changed hands
        self._first = session.steps  # a branch can't go back beyond its start
        self._actors: list[int] = []  # who decided, from `_first` on
        self.points = [list(session.game.scores)]  # VP at `_first` and after each step
        self.log: list[tuple[int, str]] = []  # steps done, and what happened
        self._why = ""  # reason of the last decision of an agent
        for seat, who in enumerate(placed.seats):
            self._sit(seat, who)
        self._take_notes()

    @classmethod
    def begin(
        cls,
        session: Session,
        seats: tuple[Seat, ...],
        files: GameFiles,
        thinkers: Thinkers,
        agents_seed: int | None = None,
        game: str = THIS_GAME,
    ) -> "Table":
        """A new table; its first files are written."""
        tokens = tuple("" if seat.agent else secrets.token_urlsafe(24) for seat in seats)
        placed = Placed(seats, tokens, secrets.token_urlsafe(24), agents_seed or secrets.randbits(48), game)
        files.begin(placed, session.recording())
        return cls(files.folder.name, session, placed, files, thinkers)

    @classmethod
    def resume(cls, files: GameFiles, thinkers: Thinkers) -> "Table":
        """The table that stored files describe. Raises `StorageError`."""
        placed, session, moves = files.read()
        table = cls(files.folder.name, session, placed, files, thinkers)
        try:
            for move in moves:
                table._repeat(move)
        except (IllegalActionError, SessionError, ValueError, KeyError, TypeError, IndexError) as error:
            raise StorageError(f"{files.folder}: {' '.join(str(error).split())}") from None
        return table

    def _repeat(self, move: dict[str, Any]) -> None:
        if "action" in move:
            self._step(int(move["action"]))
        elif "undo_to" in move:
            self._go_back(int(move["undo_to"]))
        else:
            self._sit(int(move["seat"]), Seat(str(move["name"]), str(move["agent"])))

    # players

    def _sit(self, seat: int, who: Seat) -> None:
        self.seats[seat] = who
        self._changes[seat] += 1
        self.session.bind(seat, RemoteAgent() if who.agent else None, who.name)

    @property
    def people(self) -> list[int]:
        """Seats of people."""
        return [seat for seat, who in enumerate(self.seats) if not who.agent]

    @property
    def had_people(self) -> bool:
        """Whether a person has ever played in this game: if so, it is private until it is over."""
        return any(not seat.agent for seat in self.placed.seats)

    def role_of(self, token: str) -> int | None:
        """The role that a token gives: a seat, or HOST. None if the token is wrong."""
        for seat, expected in enumerate(self.placed.tokens):
            if expected and hmac.compare_digest(expected.encode(), token.encode()):
                return seat
        return HOST if hmac.compare_digest(self.placed.host.encode(), token.encode()) else None

    # playing

    async def run(self) -> None:
        """Let agents play whenever they are asked, until the game is over."""
        while not self.session.over:
            self._woken.clear()
            if self.session.actor in self.people or self.paused:
                await self._woken.wait()
                continue
            try:
                await self._ask_agent()
            except StorageError as error:  # the disk is full: go on when there is room again
                print(f"fujikoro: {error}", file=sys.stderr)
                await asyncio.sleep(NEXT_TRY)

    async def _ask_agent(self) -> None:
        """Ask the agent whose turn it is. Meanwhile the game may change: then its answer is dropped."""
        session, seat, loop = self.session, self.session.actor, asyncio.get_running_loop()
        who, digest, begun = self.seats[seat], session.game.digest(), loop.time()
        action, why = session.known_answer(), ""
        if action is None:
            key = f"{self.number} {seat} {self._changes[seat]}"
            task = Task(who.agent, self.placed.agents_seed, seat, session.view(seat).to_bytes(), key, self.placed.game)
            try:
                thought = await self._thinkers.think(task)
            except ThinkingError as error:
                self._forfeit(seat, str(error))
                return
            action, why = thought.action, self._reason(seat, thought)
        await asyncio.sleep(max(0.0, begun + self._interval - loop.time()))
        if session.game.digest() == digest and self.seats[seat] == who and not self.paused:
            self._why = why
            self._do(action)

    def _reason(self, seat: int, thought: Thought) -> str:
        """The reason of an agent's decision, with its name and the decision; "" if it gives none."""
        return f"{self.seats[seat].name}, {self._words(thought.action)}: {thought.why}" if thought.why else ""

    def _words(self, action: int) -> str:
        """An action of the current position in words."""
        return self.kind.words(self.session.game, action, self.session.names)

    @property
    def _interval(self) -> float:
        """Seconds between decisions of agents."""
        return 0.0 if self.speed >= FASTEST else 1 / self.speed

    def _forfeit(self, seat: int, reason: str) -> None:
        who = self.seats[seat]
        if who.agent == SUBSTITUTE:
            raise RuntimeError(reason)
        self._tell(f"{reason}; a {SUBSTITUTE} agent plays on for it")
        self._change_seat(seat, Seat(f"{who.name} (forfeited)", SUBSTITUTE))

    def _change_seat(self, seat: int, who: Seat) -> None:
        self._files.add(seat=seat, name=who.name, agent=who.agent)
        self._sit(seat, who)
        self._notify()

    def _do(self, action: int) -> None:
        """Carry out a legal action, and write it down."""
        if not self.session.game.legal_mask()[action]:
            raise RefusedError("this is not possible now")
        self._files.add(action=action)
        self._step(action)
        self._notify()

    def _step(self, action: int) -> None:
        before = self.session.game.clone()
        self.session.submit(action)
        after = self.session.game
        self._tell(self._notes.saw(before, action, after))
        if after.over:
            self._tell(self._notes.end(after))
        self._actors.append(before.actor)
        self.points.append(list(after.scores))

    def _notify(self) -> None:
        """Let agents and pages know that something has changed."""
        self._frames.clear()
        self._woken.set()
        for page in self.pages:
            page.wake()

    # the log

    def _take_notes(self) -> None:
        """Begin to take notes in the current position."""
        self._notes = self.kind.notes(self.session.game, self.session.names)

    def _tell(self, line: str) -> None:
        if line:
            self.log.append((self.session.steps, line.replace("_", " ")))

    # requests of people

    def act(self, role: int, action: int, step: int) -> None:
        """Answer the current question. `step`: the number of steps that the person saw, so that a late click does
        nothing."""
        if role != self.session.actor or role not in self.people:
            raise RefusedError("you are not asked now")
        if step != self.session.steps:
            raise RefusedError("the game has gone on meanwhile")
        if not 0 <= action < len(self.session.game.legal_mask()):
            raise RefusedError("there is no such action")
        self._undo = None
        self._do(action)

    def ask_undo(self, seat: int) -> None:
        """Go back to the last decision of a person, if all other people agree."""
        if seat not in self.people or self.session.over:
            raise RefusedError("there is nothing to take back")
        own = [k for k, actor in enumerate(self._actors) if actor == seat]
        if not own:
            raise RefusedError("there is nothing to take back")
        others = set(self.people) - {seat}
        self._undo = UndoRequest(seat, self._first + own[-1], others)
        self._finish_undo()

    def agree(self, seat: int, agrees: bool) -> None:
        """Answer a request to take a decision back."""
        if self._undo is None or seat not in self._undo.missing:
            raise RefusedError("nobody asks you to take something back")
        if agrees:
            self._undo.missing.discard(seat)
        else:
            self._undo = None
        self._finish_undo()

    def _finish_undo(self) -> None:
        if self._undo is not None and not self._undo.missing:
            position, self._undo = self._undo.position, None
            self._files.add(undo_to=position)
            self._go_back(position)
        self._notify()

    def _go_back(self, position: int) -> None:
        if position < self._first:
            raise SessionError(f"can't go back to step {position}: this game began at step {self._first}")
        self.session.undo_to(position)
        self.log = [(step, line) for step, line in self.log if step <= position]
        del self.points[position - self._first + 1 :], self._actors[position - self._first :]
        self._take_notes()

    def resign(self, seat: int, agent: str) -> None:
        """Let an agent play on for a person."""
        if seat not in self.people or self.session.over:
            raise RefusedError("this seat is not yours to give")
        self._tell(f"{self.seats[seat].name} leaves the game, and {called(agent)} plays on")
        self._change_seat(seat, Seat(called(agent), agent))

    def set_speed(self, role: int, speed: float) -> None:
        """Set the number of decisions of agents per second."""
        self._check_control(role)
        self.speed = min(FASTEST, max(0.2, speed))
        self._notify()

    def pause(self, role: int, on: bool) -> None:
        """Stop the agents, or let them go on."""
        self._check_control(role)
        self.paused = on
        self._notify()

    def _check_control(self, role: int) -> None:
        if role == SPECTATOR:
            raise RefusedError("only players and the host can do this")

    async def hint(self, seat: int) -> dict[str, Any]:
        """What the adviser would do for a person, why, and what it thinks of other actions."""
        if seat != self.session.actor or seat not in self.people:
            raise RefusedError("you are not asked now")
        name, step = self.kind.adviser(self.session.game.rules), self.session.steps
        view, names = self.session.view(seat), self.session.names
        try:
            thought = await self._thinkers.think(Task(name, 0, seat, view.to_bytes(), game=self.placed.game))
        except ThinkingError as error:
            raise RefusedError(str(error)) from None
        return {"by": name, "step": step, **as_data(thought, lambda action: self.kind.words(view, action, names))}

    def explain(self, role: int, about: str) -> str:
        """Explain an element of the picture."""
        return self.kind.explained(self.session.view(self.audience_of(role)), about, self.session.names)

    # what pages see

    def audience_of(self, role: int) -> int:
        """The audience that a role belongs to. Games of agents have nothing to hide, nor have finished ones."""
        if self.session.over or not self.had_people:
            return OPEN
        return role if role >= 0 else SPECTATOR

    def news_for(self, page: Page) -> dict[str, Any]:
        """Everything that has changed for a page since the last time."""
        audience, session = self.audience_of(page.role), self.session
        seat = page.role if page.role in self.people else None
        frame, before = self._frame(audience, seat), page.sent
        again = before is None or before.undos != session.undos or before.audience != audience
        lines, points = (0, 0) if before is None or again else (before.lines, before.points)
        page.sent = Sent(frame, audience, session.undos, len(self.log), len(self.points))
        return {
            **frame.since(before.frame if before else None),
            **self._facts(page.role),
            "log": [line for _, line in self.log[lines:][-LONGEST_LOG:]],
            "recent": self._recent(seat) if seat is not None and seat == session.actor else [],
            "points": self.points[points:],
            "again": again,
        }

    def _recent(self, seat: int) -> list[str]:
        """What happened between the last turn of a person and the one that it takes now. The deed of another player
        that is not over yet is the last line."""
        here = len(self._actors)
        begun = self._back(here, seat, own=True)  # its first decision of this turn
        last = self._back(begun, seat, own=False)  # after its last one of the turn before
        delay = self._notes.delay
        lines = [line for step, line in self.log if last + delay < step - self._first <= begun + delay]
        now = self._notes.so_far(self.session.game).replace("_", " ") if here == begun else ""
        return [*lines, *filter(None, [now])][-MOST_RECENT:]

    def _back(self, step: int, seat: int, own: bool) -> int:
        """The first of the steps before this one that all were decided by a player, or all by others."""
        while step and (self._actors[step - 1] == seat) == own:
            step -= 1
        return step

    def _frame(self, audience: int, seat: int | None) -> Frame:
        key = audience, seat
        if key not in self._frames:
            view = self.session.view(audience)
            self._frames[key] = self.kind.frame(view, self.session.names, self._notes.rolls(), seat)
        return self._frames[key]

    def _facts(self, role: int) -> dict[str, Any]:
        session, asked = self.session, self._undo
        return {
            "game": self.placed.game,
            "can_look_up": self.kind.can_look_up,
            "step": session.steps,
            "you": role,
            "people": self.people,
            "can_control": role != SPECTATOR,
            "speed": self.speed,
            "paused": self.paused,
            "open": not self.had_people or session.over,
            "why": "" if self.had_people else self._why,
            "undo": None if asked is None else {"seat": asked.seat, "missing": sorted(asked.missing)},
        }
