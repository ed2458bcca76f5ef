"""One game of a tournament. Whoever fails in it forfeits: its seat comes last, and is played on at random so that the
others can finish."""

import operator
import signal
import time
from collections.abc import Callable
from dataclasses import dataclass, field
from functools import partial
from traceback import format_exception_only
from typing import Any, Final

from fujikoro_env.game import IllegalActionError
from fujikoro_env.player import Agent, RandomAgent, agents_seed, make_agent
from fujikoro_env.rules.base.actions import ACTIONS
from fujikoro_env.rules.base.names import Character
from fujikoro_env.session import Session
from fujikoro_env.settings import Rules
from fujikoro_training.tournament.schedule import Match

RAISED, ILLEGAL, TIME, CRASHED = "raised", "illegal", "time", "crashed"  # why an agent forfeits
NOBODY: Final = -1  # as a seat: no agent is at work
RESETTING: Final = -1  # as a decision: before the first
GET_READY: Final = 60.0  # seconds to be made and reset in, if a move has less: models are loaded, code is compiled
GRACE: Final = 1.0  # seconds, and as long again as a move may take: who has not returned by then is ended by force
LONGEST_DETAIL: Final = 200
LOST: Final = 2  # as everybody's rank in co-op: behind the volcano


@dataclass(frozen=True)
class Forfeit:
    decision: int  # of its seat, from 0
    reason: str
    detail: str  # one line


Forfeits = dict[int, Forfeit]  # by seat


@dataclass(frozen=True)
class Result:
    """How a game ended; lists are by seat."""

    game: int
    reason: str
    rounds: int
    ranks: list[int]  # 1 for the first; those who tie share a rank; who forfeits comes after all others
    vp: list[int]
    characters: list[str]
    decisions: list[int]
    seconds: list[float]  # of thinking
    forfeits: Forfeits = field(default_factory=dict)


class FailureError(Exception):
    """What an agent did that makes it forfeit."""

    def __init__(self, reason: str, detail: str) -> None:
        self.reason, self.detail = reason, " ".join(detail.split())[:LONGEST_DETAIL]
        super().__init__(reason)


class MatchRunner:
    """Where one process plays its games. Agents stay from game to game, and are reset for each."""

    def __init__(
        self, names: list[str], rules: Rules, move_seconds: float, mark: Callable[[int, int], None] = lambda *_: None
    ) -> None:
        """`mark` is told which seat is at its which decision, so that others know who was at work when the worst came
        to the worst."""
        self.names, self.rules, self.move_seconds, self._mark = names, rules, move_seconds, mark
        self._agents: dict[tuple[int, int], Agent] = {}  # by number, and by how many of its kind sit there before it

    def play(self, match: Match, doomed: Forfeits | None = None) -> Result:
        """`doomed`: who will forfeit, because that brought down the process that played this game before."""
        return _Sitting(self, match, doomed or {}).play()

    def agent(self, number: int, copy: int) -> Agent:
        if (number, copy) not in self._agents:
            self._agents[number, copy] = make_agent(self.names[number])
        return self._agents[number, copy]

    def dismiss(self, number: int, copy: int) -> None:
        """Who failed is made anew for the next game."""
        self._agents.pop((number, copy), None)

    def watched(self, seat: int, decision: int, work: Callable[[], Any]) -> tuple[Any, float]:
        """What an agent gives, and the seconds that it took; `FailureError` if it raises or takes too long."""
        limit = time_for(decision, self.move_seconds)
        self._mark(seat, decision)
        signal.setitimer(signal.ITIMER_REAL, 2 * limit + GRACE)
        began = time.perf_counter()
        try:
            given = work()
        except BaseException as error:  # SystemExit, too: nothing that an agent raises ends the tournament
            raise FailureError(RAISED, format_exception_only(error)[-1]) from None
        finally:
            seconds = time.perf_counter() - began
            signal.setitimer(signal.ITIMER_REAL, 0)
            self._mark(NOBODY, 0)
        if seconds > limit:
            raise FailureError(TIME, too_slow(limit))
        return given, seconds


def time_for(decision: int, move_seconds: float) -> float:
    return max(move_seconds, GET_READY) if decision == RESETTING else move_seconds


def too_slow(limit: float) -> str:
    return f"took longer than {limit:g} s"


class _Sitting:
    """A game while it is played."""

    def __init__(self, table: MatchRunner, match: Match, doomed: Forfeits) -> None:
        self.table, self.match, self.doomed = table, match, doomed
        self.session = Session(table.rules, match.seed, keep_history=False)
        self.decisions, self.seconds = [0] * len(match.seats), [0.0] * len(match.seats)
        self.forfeits: Forfeits = {}
        self.luck = agents_seed(match.seed)

    def play(self) -> Result:
        for seat in range(len(self.match.seats)):
            self._guarded(seat, RESETTING, partial(self._seat, seat))
        while not self.session.over:
            self._decide(self.session.actor)
        return self._result()

    def _seat(self, seat: int) -> None:
        agent = self.table.agent(*self._who(seat))
        agent.reset(self.luck, seat)
        self.session.bind(seat, agent)

    def _who(self, seat: int) -> tuple[int, int]:
        number = self.match.seats[seat]
        return number, self.match.seats[:seat].count(number)

    def _decide(self, seat: int) -> None:
        decision = self.decisions[seat]
        self.decisions[seat] += 1
        if seat not in self.forfeits:
            agent, view = self.session.agent(seat), self.session.view(seat)
            assert agent is not None
            given = self._guarded(seat, decision, lambda: agent.act(view))
            if seat not in self.forfeits and self._stepped(seat, decision, given):
                return
        self.session.advance()  # the substitute plays

    def _guarded(self, seat: int, decision: int, work: Callable[[], Any]) -> Any:
        """What the agent gives; None if it forfeits."""
        if seat in self.doomed and decision >= self.doomed[seat].decision:
            return self._forfeit(seat, self.doomed[seat])
        try:
            given, seconds = self.table.watched(seat, decision, work)
            self.seconds[seat] += seconds
        except FailureError as failure:
            return self._forfeit(seat, Forfeit(decision, failure.reason, failure.detail))
        return given

    def _stepped(self, seat: int, decision: int, given: Any) -> bool:
        try:
            self.session.submit(_action(given))
        except IllegalActionError as error:
            detail = f"{error.name} in {error.phase}"
        except FailureError as failure:
            detail = failure.detail
        else:
            return True
        self._forfeit(seat, Forfeit(decision, ILLEGAL, FailureError(ILLEGAL, detail).detail))
        return False

    def _forfeit(self, seat: int, forfeit: Forfeit) -> None:
        self.forfeits[seat] = forfeit
        self.table.dismiss(*self._who(seat))
        substitute = RandomAgent()
        substitute.reset(self.luck, seat)
        self.session.bind(seat, substitute)

    def _result(self) -> Result:
        outcome, state, rules = self.session.outcome, self.session.game.state, self.session.game.rules
        assert outcome is not None
        return Result(
            game=self.match.game,
            reason=outcome.reason,
            rounds=int(state.round_number),
            ranks=final_ranks(outcome.ranking, self.forfeits, rules.is_coop),
            vp=list(outcome.scores),
            characters=[Character(int(state.players[p].character)).name.lower() for p in range(len(self.decisions))],
            decisions=self.decisions,
            seconds=[round(seconds, 6) for seconds in self.seconds],
            forfeits=self.forfeits,
        )


def _action(given: Any) -> int:
    try:
        action = operator.index(given)
    except Exception:
        raise FailureError(ILLEGAL, f"gave something of type {type(given).__name__}, which is no action") from None
    if not 0 <= action < ACTIONS:
        raise FailureError(ILLEGAL, f"gave {action}, which is no action")
    return action


def final_ranks(ranking: tuple[int, ...], forfeits: Forfeits, together: bool = False) -> list[int]:
    """Whoever forfeits comes after all others, and shares the last rank with all who do. Where all win or lose together
    a game with a forfeit is lost."""
    if together:
        return [LOST] * len(ranking) if forfeits else list(ranking)
    fair = [rank for seat, rank in enumerate(ranking) if seat not in forfeits]
    return [
        len(fair) + 1 if seat in forfeits else 1 + sum(other < rank for other in fair)
        for seat, rank in enumerate(ranking)
    ]
