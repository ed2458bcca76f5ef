"""`ThreadPool`: threads that share work whose compiled parts release the GIL. `one_thread`: methods that no two threads
may run at the same time."""

import os
import threading
import weakref
from collections.abc import Callable
from functools import wraps
from queue import SimpleQueue
from typing import Any, Concatenate, ParamSpec, Protocol, TypeVar

Work = Callable[[int], None]  # called with the number of its thread
P = ParamSpec("P")
R = TypeVar("R")


class Guard:
    """A lock that one thread may take several times and that refuses all others. A copy of its owner gets a new one."""

    __slots__ = ("release", "take", "what")

    def __init__(self, what: str) -> None:
        lock = threading.RLock()
        self.what, self.take, self.release = what, lock.acquire, lock.release

    def __reduce__(self) -> tuple[type["Guard"], tuple[str]]:
        return Guard, (self.what,)


class Guarded(Protocol):
    """An object with methods that are `one_thread`."""

    guard: Guard


Owner = TypeVar("Owner", bound=Guarded)


def one_thread(method: Callable[Concatenate[Owner, P], R]) -> Callable[Concatenate[Owner, P], R]:
    """Refuse calls while another thread is in a method of the same object that is marked so."""

    @wraps(method)
    def guarded(self: Owner, /, *args: P.args, **named: P.kwargs) -> R:
        if not self.guard.take(blocking=False):
            raise RuntimeError(f"another thread is using this {self.guard.what}: give each thread its own")
        try:
            return method(self, *args, **named)
        finally:
            self.guard.release()

    return guarded


class ThreadPool:
    """A fixed number of threads. The caller's thread is number 0; the others wait between calls of `run`."""

    def __init__(self, threads: int) -> None:
        self.threads = threads
        self._queues: list[SimpleQueue[Work | None]] = [SimpleQueue() for _ in range(threads - 1)]
        self._results: SimpleQueue[BaseException | None] = SimpleQueue()
        self._process = os.getpid()
        self._closed = False
        for number, queue in enumerate(self._queues, 1):
            name = f"fujikoro-{number}"
            threading.Thread(target=_serve, args=(number, queue, self._results), name=name, daemon=True).start()
        weakref.finalize(self, _stop, self._queues)

    def run(self, work: Work) -> None:
        """Run the work in every thread, wait for all of them, and raise the exception of one that failed."""
        if self._closed:
            raise RuntimeError("this batch of games is closed: make another one")
        if self._queues and self._process != os.getpid():
            raise RuntimeError("threads do not survive a fork: make the batch of games in the process that plays it")
        for queue in self._queues:
            queue.put(work)
        try:
            work(0)
        finally:
            errors = [self._results.get() for _ in self._queues]
        for error in errors:
            if error is not None:
                raise error

    def close(self) -> None:
        """Stop the threads; the pool can't be used afterwards."""
        if not self._closed:
            self._closed = True
            _stop(self._queues)


def _serve(number: int, queue: Any, results: Any) -> None:
    while (work := queue.get()) is not None:
        try:
            work(number)
            raised = None
        except BaseException as error:  # raised again by the waiting thread
            raised = error
        del work  # it refers to the batch, which could otherwise not be freed while this thread waits
        results.put(raised)
        del raised


def _stop(queues: "list[SimpleQueue[Work | None]]") -> None:
    for queue in queues:
        queue.put(None)


def cores() -> int:
    """Number of CPUs available to this process."""
    return len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count() or 1
