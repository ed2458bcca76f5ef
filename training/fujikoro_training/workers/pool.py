"""`ProcessPool`: does tasks in processes of this machine. A task that never returns or ends its process costs only
itself: the process is replaced, and the job says what becomes of the task.

The parent process watches the time: a process writes to shared memory what is running, and is killed if that does not
change for too long. This needs no signals or timers of one operating system, and no agent can switch it off.
"""

import multiprocessing
import os
import sys
import time
from collections import deque
from collections.abc import Callable, Iterator, Sequence
from contextlib import suppress
from multiprocessing.connection import Connection, wait
from types import TracebackType
from typing import Any

from fujikoro_training.workers.job import NOWHERE, Failure, Fall, Falls, Job, R, T, WorkerError, given
from fujikoro_training.workers.orphans import begin_worker

SPAWN = multiprocessing.get_context("spawn")  # not fork: threads of compiled code and of PyTorch don't survive it
SECONDS_TO_END = 5.0
SECONDS_BETWEEN_LOOKS = 0.1  # at the workers' marks

Attempt = tuple[Any, Falls]  # a task, and what became of earlier attempts
AnyJob = Job[Any, Any]


# In a worker


def work(job: AnyJob, pipe: Connection, at_work: Any, skip: frozenset[int]) -> None:
    """Do tasks received through the pipe until it is closed. `at_work`: current place and step and the number of
    changes, in shared memory."""
    begin_worker()
    os.dup2(sys.stderr.fileno(), sys.stdout.fileno())  # output of agents must not mix with results
    del sys.argv[1:]  # the seed may be in it, and no agent needs to know that

    def mark(place: int, step: int) -> None:
        at_work[0], at_work[1] = place, step
        at_work[2] += 1

    with job.begin(mark, skip) as do:
        pipe.send(None)
        while True:
            try:
                pipe.send(_answer(job, do, pipe.recv()))
            except (EOFError, BrokenPipeError):
                return


def _answer(job: AnyJob, do: Callable[[Any, Falls], Any], attempt: Attempt) -> Any:
    """The result of a task. In a watched job an exception ends the process, like everything that must not happen."""
    try:
        return do(*attempt)
    except Exception as error:
        if job.watched:
            raise
        return Failure.of(error)


# In the parent process


class Worker:
    """Handle of a worker process."""

    def __init__(self, job: AnyJob, skip: frozenset[int] = frozenset()) -> None:
        self.job = job
        self.at_work: Any = SPAWN.RawArray("q", [NOWHERE, 0, 0])
        self.pipe, theirs = SPAWN.Pipe()
        self.process = SPAWN.Process(target=work, args=(job, theirs, self.at_work, skip))
        self.process.start()
        theirs.close()  # so that the pipe closes when the process ends
        self.attempt: Attempt | None = None
        self.skip = skip
        self.overstayed: tuple[int, int] | None = None  # place and step for which the process was killed
        self._seen, self._since = 0, time.monotonic()

    def give(self, attempt: Attempt) -> None:
        """Send a task to the worker."""
        self.attempt, self._since = attempt, time.monotonic()
        with suppress(BrokenPipeError):  # the worker has ended; `take` will notice
            self.pipe.send(attempt)

    def take(self) -> Any:
        """Receive an answer, or None from a worker that is ready. Raises `EOFError` if the worker has ended."""
        try:
            answer = self.pipe.recv()
        except ConnectionResetError:
            raise EOFError from None
        self.attempt = None
        return answer

    def end_if_overstaying(self) -> None:
        """Kill the process if what is running in it has been running for too long. A process that stands still between
        steps is killed, too: an agent may have left a thread behind that holds it up."""
        place, step, changes = self.at_work
        is_compiling = place == NOWHERE and self.attempt is None
        if changes != self._seen or is_compiling:
            self._seen, self._since = changes, time.monotonic()
        elif time.monotonic() - self._since > self.job.limit(place, step):
            self.overstayed = (place, step)
            self.process.kill()  # no process can ignore this

    def fall(self) -> Fall:
        """Wait for the process to end, and say how it did."""
        status, (place, step) = self.end(), self.overstayed or tuple(self.at_work[:2])
        return Fall(place, step, status, self.overstayed is not None)

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


class ProcessPool:
    """Pool of worker processes; a context manager. Workers are kept for the next tasks of an equal job."""

    def __init__(self, size: int) -> None:
        self.size = size
        self._job: AnyJob | None = None
        self._workers: list[Worker] = []
        self._not_made: frozenset[int] = frozenset()  # places whose preparation ended a worker

    def __enter__(self) -> "ProcessPool":
        return self

    def __exit__(self, _kind: type | None, _error: BaseException | None, _trace: TracebackType | None) -> None:
        self._end_workers()

    def run(self, job: Job[T, R], tasks: Sequence[T]) -> Iterator[tuple[T, R]]:
        """Do all tasks; yield each with its result, in the order in which they end. A single plain task, or those of a
        pool of one, are done in this process."""
        if not job.watched and (self.size == 1 or len(tasks) < 2):
            with job.begin(lambda *_: None, frozenset()) as do:
                yield from ((task, do(task, ())) for task in tasks)
        elif tasks:
            yield from self._shared_out(job, tasks)

    def _shared_out(self, job: AnyJob, tasks: Sequence[Any]) -> Iterator[tuple[Any, Any]]:
        waiting: deque[Attempt] = deque((task, ()) for task in tasks)
        self._start(job, min(self.size, len(waiting)))
        for worker in self._workers:
            self._hand_out(worker, waiting)
        while busy := [worker for worker in self._workers if worker.attempt]:
            for worker in self._heard_from(busy):
                assert worker.attempt is not None
                task, _ = worker.attempt
                try:
                    answer = worker.take()
                except EOFError:
                    waiting.appendleft(self._after_a_fall(worker))
                    self._hand_out(self._workers[-1], waiting)
                else:
                    yield task, given(answer)
                    self._hand_out(worker, waiting)

    def _heard_from(self, workers: list[Worker]) -> list[Worker]:
        """Wait briefly for workers that have sent something or ended; kill those that overstay."""
        for worker in workers:
            worker.end_if_overstaying()
        spoke = wait([worker.pipe for worker in workers], SECONDS_BETWEEN_LOOKS)
        return [worker for worker in workers if worker.pipe in spoke]

    def _hand_out(self, worker: Worker, waiting: deque[Attempt]) -> None:
        if waiting:
            worker.give(waiting.popleft())

    def _start(self, job: AnyJob, number: int) -> None:
        """Start workers: the first one alone, because it may compile code that the others then load from the cache.
        Workers that are busy with tasks nobody waits for any more are ended."""
        if job != self._job or any(worker.attempt for worker in self._workers):
            self._end_workers()
            self._job, self._not_made = job, frozenset()
        if not self._workers:
            self._workers += self._ready([self._new()])
        self._workers += self._ready([self._new() for _ in range(number - len(self._workers))])

    def _end_workers(self) -> None:
        for worker in self._workers:
            worker.kill()
        self._workers = []

    def _new(self) -> Worker:
        assert self._job is not None
        return Worker(self._job, self._not_made)

    def _ready(self, starting: list[Worker]) -> list[Worker]:
        """Wait until workers are ready. If preparing a place ended a worker, it is started again without that: the
        place will be prepared in its first task, and fall there."""
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
        status, place = fallen.end(), fallen.at_work[0]
        if place == NOWHERE or place in fallen.skip:
            raise WorkerError(f"a worker process ended at startup, exit status {status}")
        self._not_made |= {place}
        return self._new()

    def _after_a_fall(self, fallen: Worker) -> Attempt:
        """Replace a worker that has ended; return its task for another attempt."""
        assert fallen.attempt is not None
        assert self._job is not None
        task, falls = fallen.attempt
        falls = (*falls, fallen.fall())
        self._workers.remove(fallen)
        self._job.check(task, falls)
        self._workers += self._ready([self._new()])
        return task, falls
