"""`MatchJob`: playing matches in worker processes. An agent that never returns or ends its process forfeits."""

from collections import Counter
from collections.abc import Callable, Iterator
from contextlib import closing, contextmanager, suppress
from dataclasses import dataclass
from functools import partial
from typing import Final

from fujikoro_env.kernel import jit
from fujikoro_env.settings import Rules
from fujikoro_training.tournament.entrants import agent_digest, digests
from fujikoro_training.tournament.failures import (
    CRASHED,
    CRASHES,
    GRACE,
    RESETTING,
    TIME,
    FailureError,
    Forfeit,
    Forfeits,
    ended,
    time_for,
    too_slow,
)
from fujikoro_training.tournament.isolated import isolated_digest
from fujikoro_training.tournament.match import NOBODY, MatchRunner, Result
from fujikoro_training.tournament.schedule import Match
from fujikoro_training.workers.job import Falls, Mark, WorkerError

LONGEST_PAUSE: Final = 600.0  # seconds between two decisions


@dataclass(frozen=True)
class MatchJob:
    """What a process needs to know to play matches."""

    names: list[str]
    rules: Rules
    move_seconds: float
    salt: str = ""  # keeps the seeds of agents secret
    isolate: bool = False  # each agent plays in a process of its own

    @property
    def watched(self) -> bool:
        """Agents may do anything."""
        return True

    @contextmanager
    def begin(self, mark: Mark, skip: frozenset[int]) -> Iterator[Callable[[Match, Falls], Result]]:
        """Make all agents and load all compiled code, so that no move has to wait for it."""
        table = MatchRunner(self.names, self.rules, self.move_seconds, mark, self.salt, self.isolate)
        with closing(table):
            for number in range(len(self.names)):
                if number not in skip:
                    with suppress(FailureError):  # the agent will forfeit its games
                        table.watched(number, RESETTING, partial(table.agent, number, 0))
            if not jit.INTERPRETED:
                jit.compile_entries()
                table.compile()
            yield lambda match, falls: table.play(match, doomed(falls, self.move_seconds))

    def limit(self, place: int, step: int) -> float:
        """Twice the time of a decision plus a second: agents that come back earlier, but late, forfeit in the
        process."""
        return LONGEST_PAUSE if place == NOBODY else 2 * time_for(step, self.move_seconds) + GRACE

    def check(self, task: Match, falls: Falls) -> None:
        """Give up if processes keep ending while no agent is running."""
        crashes = [fall for fall in falls if fall.place == NOBODY]
        if len(crashes) >= CRASHES:
            status = crashes[-1].status
            raise WorkerError(f"game {task.game} (seed {task.seed}) ended {CRASHES} workers, exit status {status}")

    def code(self) -> str:
        """Digest of the agents' code."""
        return digests(self.names, partial(isolated_digest, rules=self.rules) if self.isolate else agent_digest)


def doomed(falls: Falls, move_seconds: float) -> Forfeits:
    """Agents that forfeit because of earlier attempts at a game. The first crash of a seat may be an accident."""
    found: Forfeits = {}
    crashes: Counter[int] = Counter()
    for fall in falls:
        if fall.overstayed and fall.place != NOBODY:
            found[fall.place] = Forfeit(fall.step, TIME, too_slow(time_for(fall.step, move_seconds)))
            continue
        crashes[fall.place] += 1
        if fall.place != NOBODY and crashes[fall.place] >= CRASHES:
            found[fall.place] = Forfeit(fall.step, CRASHED, ended(fall.status))
    return found
