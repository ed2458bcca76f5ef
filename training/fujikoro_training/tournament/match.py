"""One game of a tournament. An agent that fails forfeits the game: its seat comes last, and a random agent plays on in
it so that the others can finish."""

import time
from collections import Counter
from collections.abc import Callable
from contextlib import suppress
from dataclasses import dataclass, field
from functools import partial
from typing import Any, Final

from fujikoro_env.game import IllegalActionError
from fujikoro_env.kernel.text import one_line
from fujikoro_env.player import Agent, RandomAgent, agents_seed, failure_text, make_agent
from fujikoro_env.rules.base.names import Character
from fujikoro_env.session import Session
from fujikoro_env.settings import Rules
from fujikoro_training.tournament.failures import (
    CRASHED,
    CRASHES,
    ILLEGAL,
    RAISED,
    RESETTING,
    TIME,
    FailureError,
    Forfeit,
    Forfeits,
    as_action,
    time_for,
    too_slow,
)
from fujikoro_training.tournament.isolated import IsolatedAgent
from fujikoro_training.tournament.schedule import Match

NOBODY: Final = -1  # in place of a seat: no agent is running
LOST: Final = 2  # rank of all players in a lost co-op game; rank 1 is a win


@dataclass(frozen=True)
class Result:
    """Result of a game; lists are by seat."""

    game: int
    reason: str
    rounds: int
    ranks: list[int]  # 1 is first; ties share a rank; forfeits come last
    vp: list[int]
    characters: list[str]
    decisions: list[int]
    seconds: list[float]  # thinking time
    forfeits: Forfeits = field(default_factory=dict)


class AccidentError(Exception):
    """Raised when the process of an isolated agent has ended for the first time in a game: the game starts again."""


class MatchRunner:
    """Plays games in one process. Agents are kept from game to game and reset for each."""

    def __init__(
        self,
        names: list[str],
        rules: Rules,
        move_seconds: float,
        mark: Callable[[int, int], None] = lambda *_: None,
        salt: str = "",
        isolate: bool = False,
    ) -> None:
        """`mark` is called with the seat and the decision index before an agent runs, so that it is known which agent
        was running if the process dies. `salt` keeps the seeds of agents secret. `isolate`: each agent gets its own
        process; call `close` at the end."""
        self.names, self.rules, self.move_seconds, self._mark = names, rules, move_seconds, mark
        self.salt, self.isolate = salt, isolate
        self._agents: dict[tuple[int, int], Agent] = {}  # by agent number and number of copies in earlier seats

    def play(self, match: Match, doomed: Forfeits | None = None) -> Result:
        """Play a game. `doomed`: agents that will forfeit, because they killed the process that played this game
        before. A game in which an isolated agent ends its process begins again; if it does so again, it forfeits."""
        crashes: Counter[int] = Counter()
        while True:
            with suppress(AccidentError):
                return _Sitting(self, match, doomed or {}, crashes).play()

    def agent(self, number: int, copy: int) -> Agent:
        """Return a copy of an agent, made when it is first needed."""
        if (number, copy) not in self._agents:
            name = self.names[number]
            made = IsolatedAgent(name, self.rules, self.move_seconds) if self.isolate else make_agent(name)
            self._agents[number, copy] = made
        return self._agents[number, copy]

    def compile(self) -> None:
        """Let the processes of isolated agents load all compiled code."""
        for who, agent in list(self._agents.items()):
            if isinstance(agent, IsolatedAgent):
                try:
                    agent.compile()
                except FailureError:  # it is made again for its first game
                    self.dismiss(*who)

    def dismiss(self, number: int, copy: int) -> None:
        """Drop an agent that failed, so that it is made again for the next game."""
        agent = self._agents.pop((number, copy), None)
        if isinstance(agent, IsolatedAgent):
            agent.close()

    def close(self) -> None:
        """Drop all agents and end their processes."""
        for who in list(self._agents):
            self.dismiss(*who)

    def watched(self, seat: int, decision: int, work: Callable[[], Any]) -> tuple[Any, float]:
        """Call an agent; return its result and the seconds it took. Raises `FailureError` if it raises or takes too
        long. All code of an agent runs in here, even that of its return value and its exceptions. An agent that never
        returns holds the process up until its parent ends it (`pool`)."""
        limit = time_for(decision, self.move_seconds)
        self._mark(seat, decision)
        began = time.perf_counter()
        try:
            given = work()
        except BaseException as error:  # including SystemExit: nothing that an agent raises ends the tournament
            if self.isolate and isinstance(error, FailureError):  # then no agent's code runs here
                raise
            raise FailureError(RAISED, failure_text(error)) from None
        finally:
            seconds = time.perf_counter() - began
            self._mark(NOBODY, 0)
        if seconds > limit:
            raise FailureError(TIME, too_slow(limit))
        return given, seconds


class _Sitting:
    """A running game."""

    def __init__(self, table: MatchRunner, match: Match, doomed: Forfeits, crashes: Counter[int]) -> None:
        self.table, self.match, self.doomed, self.crashes = table, match, doomed, crashes
        self.session = Session(table.rules, match.seed, keep_history=False)
        self.decisions, self.seconds = [0] * len(match.seats), [0.0] * len(match.seats)
        self.forfeits: Forfeits = {}
        self.luck = agents_seed(match.seed, table.salt)

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
            answer = self._guarded(seat, decision, lambda: as_action(agent.act(view)))
            if seat not in self.forfeits and self._stepped(seat, decision, answer):
                return
        self.session.advance()  # the substitute's move

    def _guarded(self, seat: int, decision: int, work: Callable[[], Any]) -> Any:
        """Return the agent's result, or None if it forfeits."""
        if seat in self.doomed and decision >= self.doomed[seat].decision:
            return self._forfeit(seat, self.doomed[seat])
        try:
            given, seconds = self.table.watched(seat, decision, work)
            self.seconds[seat] += seconds
        except FailureError as failure:
            self._check_crashes(seat, failure)
            return self._forfeit(seat, Forfeit(decision, failure.reason, failure.detail))
        return given

    def _check_crashes(self, seat: int, failure: FailureError) -> None:
        """Begin the game again if the agent has ended its process for the first time: that may be an accident."""
        if failure.reason == CRASHED:
            self.crashes[seat] += 1
            if self.crashes[seat] < CRASHES:
                self.table.dismiss(*self._who(seat))
                raise AccidentError

    def _stepped(self, seat: int, decision: int, answer: int | str) -> bool:
        """Carry out an action. If the answer is not a legal action, the agent forfeits."""
        if isinstance(answer, int):
            try:
                self.session.submit(answer)
            except IllegalActionError as error:
                answer = f"{error.name} in {error.phase}"
            else:
                return True
        self._forfeit(seat, Forfeit(decision, ILLEGAL, one_line(answer)))
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


def final_ranks(ranking: tuple[int, ...], forfeits: Forfeits, together: bool = False) -> list[int]:
    """Ranks with forfeits: agents that forfeit share the last rank, after all others. A co-op game with a forfeit is
    lost."""
    if together:
        return [LOST] * len(ranking) if forfeits else list(ranking)
    fair = [rank for seat, rank in enumerate(ranking) if seat not in forfeits]
    return [
        len(fair) + 1 if seat in forfeits else 1 + sum(other < rank for other in fair)
        for seat, rank in enumerate(ranking)
    ]
