"""Process pool that plays games on all cores. Each worker is a separate process: an agent that never returns or kills
its process costs only its own game. The worker is restarted, and the agent forfeits."""

import multiprocessing
import os
import signal
import sys
from collections import Counter, deque
from collections.abc import Iterable, Iterator
from contextlib import suppress
from dataclasses import dataclass
from multiprocessing.connection import Connection, wait
from types import TracebackType
from typing import Any

from fujikoro_env.kernel import jit
from fujikoro_env.settings import Rules
from fujikoro_training.tournament.match import (
    CRASHED,
    NOBODY,
    TIME,
    Forfeit,
    Forfeits,
    MatchRunner,
    Result,
    time_for,
    too_slow,
)
from fujikoro_training.tournament.schedule import Match

SPAWN = multiprocessing.get_context("spawn")  # not fork: threads of compiled code and of PyTorch don't survive it
CRASHES = 2  # crashes of the same seat in the same game before it forfeits: the first may be an accident
SECONDS_TO_END = 5.0


class PoolError(RuntimeError):
    """Workers end through no agent's fault."""


@dataclass(frozen=True)
class Setting:
    """Settings that every worker needs."""

    names: list[str]
    rules: Rules
    move_seconds: float


Task = tuple[Match, Forfeits]


# In a worker


def work(setting: Setting, pipe: Connection, at_work: Any) -> None:
    """Play games received through the pipe until it is closed. `at_work`: current seat and decision, in shared
    memory."""
    signal.signal(signal.SIGINT, signal.SIG_IGN)  # the parent process gets it too, and ends the workers
    signal.signal(signal.SIGALRM, signal.SIG_DFL)  # the default action ends the process, whatever the agent is doing
    os.dup2(sys.stderr.fileno(), sys.stdout.fileno())  # output of agents must not mix with results

    def mark(seat: int, decision: int) -> None:
        at_work[0], at_work[1] = seat, decision

    table = MatchRunner(setting.names, setting.rules, setting.move_seconds, mark)
    _get_ready(table)
    pipe.send(None)
    while True:
        try:
            match, doomed = pipe.recv()
            pipe.send(table.play(match, doomed))
        except (EOFError, BrokenPipeError):
            return


def _get_ready(table: MatchRunner) -> None:
    """Make all agents and load all compiled code, so that no move has to wait for it."""
    for number in range(len(table.names)):
        with suppress(Exception):  # the agent will forfeit its games
            table.agent(number, 0)
    if not jit.INTERPRETED:
        jit.compile_entries()


# In the parent process


class Worker:
    """Handle of a worker process."""

    def __init__(self, setting: Setting) -> None:
        self.at_work: Any = SPAWN.RawArray("q", [NOBODY, 0])
        self.pipe, theirs = SPAWN.Pipe()
        self.process = SPAWN.Process(target=work, args=(setting, theirs, self.at_work))
        self.process.start()
        theirs.close()  # so that the pipe closes when the process ends
        self.task: Task | None = None

    def give(self, task: Task) -> None:
        """Send a task to the worker."""
        self.task = task
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


class Pool:
    """Pool of worker processes; a context manager."""

    def __init__(self, setting: Setting, workers: int) -> None:
        self.setting, self.size = setting, workers
        self._workers: list[Worker] = []
        self._crashes: Counter[tuple[int, int]] = Counter()  # by game and seat

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
            for pipe in wait([worker.pipe for worker in busy]):
                worker = next(worker for worker in busy if worker.pipe is pipe)
                try:
                    result = worker.take()
                except EOFError:
                    waiting.appendleft(self._after_a_fall(worker))
                    worker = self._workers[-1]
                else:
                    assert result is not None
                    yield result
                self._hand_out(worker, waiting)

    def _hand_out(self, worker: Worker, waiting: deque[Task]) -> None:
        if waiting:
            worker.give(waiting.popleft())

    def _start(self, number: int) -> None:
        """Start workers: the first one alone, because it compiles code that the others then load from the cache."""
        if not self._workers:
            self._workers.append(_ready(Worker(self.setting)))
        more = [Worker(self.setting) for _ in range(number - len(self._workers))]
        self._workers += [_ready(worker) for worker in more]

    def _after_a_fall(self, fallen: Worker) -> Task:
        """Replace a worker that has ended, and decide what happens to its game."""
        assert fallen.task is not None
        match, doomed = fallen.task
        status, (seat, decision) = fallen.end(), fallen.at_work
        self._workers.remove(fallen)
        self._workers.append(_ready(Worker(self.setting)))
        if seat != NOBODY and status == -signal.SIGALRM:
            limit = time_for(decision, self.setting.move_seconds)
            return match, {**doomed, seat: Forfeit(decision, TIME, too_slow(limit))}
        self._crashes[match.game, seat] += 1
        if self._crashes[match.game, seat] < CRASHES:
            return match, doomed
        if seat == NOBODY:
            raise PoolError(f"game {match.game} (seed {match.seed}) ended {CRASHES} workers, exit status {status}")
        return match, {**doomed, seat: Forfeit(decision, CRASHED, f"ended its process, exit status {status}")}


def _ready(worker: Worker) -> Worker:
    try:
        worker.take()
    except EOFError:
        raise PoolError(f"a worker process ended at startup, exit status {worker.end()}") from None
    return worker
