"""Process pool that plays games on all cores. Each worker is a separate process: an agent that never returns or kills
its process costs only its own game. The worker is restarted, and the agent forfeits.

The parent process watches the time: a worker writes to shared memory which agent is running, and is killed if that does
not change for too long. This needs no signals or timers of one operating system, and no agent can switch it off.
"""

import multiprocessing
import os
import signal
import sys
import time
from collections import Counter, deque
from collections.abc import Iterable, Iterator
from contextlib import closing, suppress
from dataclasses import dataclass
from functools import partial
from multiprocessing.connection import Connection, wait
from types import TracebackType
from typing import Any

from fujikoro_env.kernel import jit
from fujikoro_env.settings import Rules
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
from fujikoro_training.tournament.match import NOBODY, MatchRunner, Result
from fujikoro_training.tournament.orphans import end_with_parent
from fujikoro_training.tournament.schedule import Match

SPAWN = multiprocessing.get_context("spawn")  # not fork: threads of compiled code and of PyTorch don't survive it
SECONDS_TO_END = 5.0
SECONDS_BETWEEN_LOOKS = 0.1  # at the workers' marks
LONGEST_PAUSE = 600.0  # seconds between two decisions


class PoolError(RuntimeError):
    """Raised when workers end through no fault of an agent."""


@dataclass(frozen=True)
class Setting:
    """Settings that every worker needs."""

    names: list[str]
    rules: Rules
    move_seconds: float
    salt: str = ""  # keeps the seeds of agents secret
    isolate: bool = False  # each agent plays in a process of its own


Task = tuple[Match, Forfeits]


# In a worker


def work(setting: Setting, pipe: Connection, at_work: Any, skip: frozenset[int]) -> None:
    """Play games received through the pipe until it is closed. `at_work`: current seat and decision and the number of
    changes, in shared memory. `skip`: agents that are not made in advance, because that ended a worker before."""
    end_with_parent()
    signal.signal(signal.SIGINT, signal.SIG_IGN)  # the parent process gets it too, and ends the workers
    os.dup2(sys.stderr.fileno(), sys.stdout.fileno())  # output of agents must not mix with results
    del sys.argv[1:]  # the seed may be in it, and no agent needs to know that

    def mark(seat: int, decision: int) -> None:
        at_work[0], at_work[1] = seat, decision
        at_work[2] += 1

    table = MatchRunner(setting.names, setting.rules, setting.move_seconds, mark, setting.salt, setting.isolate)
    with closing(table):
        _get_ready(table, skip)
        pipe.send(None)
        while True:
            try:
                match, doomed = pipe.recv()
                pipe.send(table.play(match, doomed))
            except (EOFError, BrokenPipeError):
                return


def _get_ready(table: MatchRunner, skip: frozenset[int]) -> None:
    """Make all agents and load all compiled code, so that no move has to wait for it."""
    for number in range(len(table.names)):
        if number not in skip:
            with suppress(FailureError):  # the agent will forfeit its games
                table.watched(number, RESETTING, partial(table.agent, number, 0))
    if not jit.INTERPRETED:
        jit.compile_entries()
        table.compile()


# In the parent process


class Worker:
    """Handle of a worker process."""

    def __init__(self, setting: Setting, skip: frozenset[int] = frozenset()) -> None:
        self.at_work: Any = SPAWN.RawArray("q", [NOBODY, 0, 0])
        self.pipe, theirs = SPAWN.Pipe()
        self.process = SPAWN.Process(target=work, args=(setting, theirs, self.at_work, skip))
        self.process.start()
        theirs.close()  # so that the pipe closes when the process ends
        self.task: Task | None = None
        self.skip = skip
        self.overstayed: tuple[int, int] | None = None  # seat and decision for which the process was killed
        self._seen, self._since = 0, time.monotonic()

    def give(self, task: Task) -> None:
        """Send a task to the worker."""
        self.task, self._since = task, time.monotonic()
        with suppress(BrokenPipeError):  # the worker has ended; `take` will notice
            self.pipe.send(task)

    def take(self) -> Result | None:
        """Receive a result, or None from a worker that is ready. Raises `EOFError` if the worker has ended."""
        try:
            result: Result | None = self.pipe.recv()
        except ConnectionResetError:
            raise EOFError from None
        self.task = None
        return result

    def end_if_overstaying(self, move_seconds: float) -> None:
        """Kill the process if an agent in it has been running for twice its time plus a second. Agents that come back
        earlier, but late, forfeit in the worker. A process that stands still between decisions is killed, too: an agent
        may have left a thread behind that holds it up."""
        seat, decision, changes = self.at_work
        is_compiling = seat == NOBODY and self.task is None
        if changes != self._seen or is_compiling:
            self._seen, self._since = changes, time.monotonic()
        elif time.monotonic() - self._since > _longest(seat, decision, move_seconds):
            self.overstayed = (seat, decision)
            self.process.kill()  # no process can ignore this

    def end(self) -> int | None:
        """Wait for the process to end; return its exit status."""
        self.pipe.close()
        self.process.join(SECONDS_TO_END)
        return self.process.exitcode

    def kill(self) -> None:
        """End the process at once."""
        self.pipe.close()
        self.process.kill()
        self.process.join()


def _longest(seat: int, decision: int, move_seconds: float) -> float:
    """Seconds after which a worker is killed."""
    return LONGEST_PAUSE if seat == NOBODY else 2 * time_for(decision, move_seconds) + GRACE


class Pool:
    """Pool of worker processes; a context manager."""

    def __init__(self, setting: Setting, workers: int) -> None:
        self.setting, self.size = setting, workers
        self._workers: list[Worker] = []
        self._crashes: Counter[tuple[int, int]] = Counter()  # by game and seat
        self._not_made: frozenset[int] = frozenset()  # agents whose constructor ended a worker

    def __enter__(self) -> "Pool":
        return self

    def __exit__(self, _kind: type | None, _error: BaseException | None, _trace: TracebackType | None) -> None:
        for worker in self._workers:
            worker.kill()
        self._workers = []

    def play(self, matches: Iterable[Match]) -> Iterator[Result]:
        """Play all matches; yield results in the order in which the games end."""
        waiting: deque[Task] = deque((match, {}) for match in matches)
        if not waiting:
            return
        self._start(min(self.size, len(waiting)))
        for worker in self._workers:
            self._hand_out(worker, waiting)
        while busy := [worker for worker in self._workers if worker.task]:
            for worker in self._heard_from(busy):
                try:
                    result = worker.take()
                except EOFError:
                    waiting.appendleft(self._after_a_fall(worker))
                    self._hand_out(self._workers[-1], waiting)
                else:
                    assert result is not None
                    yield result
                    self._hand_out(worker, waiting)

    def _heard_from(self, workers: list[Worker]) -> list[Worker]:
        """Wait briefly for workers that have sent something or ended; kill those that overstay."""
        for worker in workers:
            worker.end_if_overstaying(self.setting.move_seconds)
        spoke = wait([worker.pipe for worker in workers], SECONDS_BETWEEN_LOOKS)
        return [worker for worker in workers if worker.pipe in spoke]

    def _hand_out(self, worker: Worker, waiting: deque[Task]) -> None:
        if waiting:
            worker.give(waiting.popleft())

    def _start(self, number: int) -> None:
        """Start workers: the first one alone, because it compiles code that the others then load from the cache."""
        if not self._workers:
            self._workers += self._ready([self._new()])
        self._workers += self._ready([self._new() for _ in range(number - len(self._workers))])

    def _new(self) -> Worker:
        return Worker(self.setting, self._not_made)

    def _ready(self, starting: list[Worker]) -> list[Worker]:
        """Wait until workers are ready. A worker that an agent's constructor ended is started again without making that
        agent; it will be made in its first game, and forfeit."""
        ready: list[Worker] = []
        try:
            while starting:
                for worker in self._heard_from(starting):
                    starting.remove(worker)
                    try:
                        worker.take()
                    except EOFError:
                        starting.append(self._started_again(worker))
                    else:
                        ready.append(worker)
        except BaseException:
            for worker in starting + ready:
                worker.kill()
            raise
        return ready

    def _started_again(self, fallen: Worker) -> Worker:
        status, number = fallen.end(), fallen.at_work[0]
        if number == NOBODY or number in fallen.skip:
            raise PoolError(f"a worker process ended at startup, exit status {status}")
        self._not_made |= {number}
        return self._new()

    def _after_a_fall(self, fallen: Worker) -> Task:
        """Replace a worker that has ended, and decide what happens to its game."""
        assert fallen.task is not None
        match, doomed = fallen.task
        status, (seat, decision) = fallen.end(), fallen.overstayed or fallen.at_work[:2]
        self._workers.remove(fallen)
        self._workers += self._ready([self._new()])
        if fallen.overstayed and seat != NOBODY:
            limit = time_for(decision, self.setting.move_seconds)
            return match, {**doomed, seat: Forfeit(decision, TIME, too_slow(limit))}
        self._crashes[match.game, seat] += 1
        if self._crashes[match.game, seat] < CRASHES:
            return match, doomed
        if seat == NOBODY:
            raise PoolError(f"game {match.game} (seed {match.seed}) ended {CRASHES} workers, exit status {status}")
        return match, {**doomed, seat: Forfeit(decision, CRASHED, ended(status))}
