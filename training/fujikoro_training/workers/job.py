"""Jobs: work that is done task by task, in whatever process. The same task gives the same result everywhere."""

from collections.abc import Callable, Iterator, Sequence
from contextlib import AbstractContextManager, contextmanager
from dataclasses import dataclass
from math import inf
from types import TracebackType
from typing import Any, Final, Generic, Protocol, Self, TypeVar

from fujikoro_env.kernel.text import one_line

T = TypeVar("T")
R = TypeVar("R")
TaskT = TypeVar("TaskT", contravariant=True)
ResultT = TypeVar("ResultT", covariant=True)

NOWHERE: Final = -1  # in place of a place: no code of others is running
FALLS: Final = 3  # processes that a plain task may end before it is given up
Mark = Callable[[int, int], None]


class WorkerError(RuntimeError):
    """Raised when workers end through no fault of an agent, or can't be used. The message is one line."""


@dataclass(frozen=True)
class Fall:
    """The end of a process in the middle of a task."""

    place: int  # what the process had marked: in games, the seat of the agent that was running, or `NOWHERE`
    step: int  # and its decision
    status: int | None  # exit status
    overstayed: bool  # whether the process was killed because it took too long


Falls = tuple[Fall, ...]


class Job(Protocol[TaskT, ResultT]):
    """Work of one kind. Jobs can be pickled and compared; equal jobs share their processes."""

    @property
    def watched(self) -> bool:
        """Whether tasks run code that may never return or end its process."""

    def begin(self, mark: Mark, skip: frozenset[int]) -> AbstractContextManager[Callable[[TaskT, Falls], ResultT]]:
        """Get ready in a process; give the function that does a task. `mark` is told which place and step is running.
        `skip`: places whose preparation ended a process before."""

    def limit(self, place: int, step: int) -> float:
        """Seconds after which a process that is still at this place and step is killed."""

    def check(self, task: TaskT, falls: Falls) -> None:
        """Raise `WorkerError` if the task must be given up."""

    def code(self) -> str:
        """Digest of the code of agents that are no part of this package. It must be the same on all machines."""


@dataclass(frozen=True)
class Calls(Generic[T, R]):
    """The job of calling a function of this package, once for each task."""

    function: Callable[[T], R]
    code_here: Callable[[], str] = str  # digest of the agents' code on this machine
    watched: bool = False

    @contextmanager
    def begin(self, mark: Mark, skip: frozenset[int]) -> Iterator[Callable[[T, Falls], R]]:
        """Nothing has to be prepared."""
        yield lambda task, _: self.function(task)

    def limit(self, place: int, step: int) -> float:
        """There is no limit."""
        return inf

    def check(self, task: T, falls: Falls) -> None:
        """A process may end by accident, but not again and again."""
        if len(falls) >= FALLS:
            raise WorkerError(f"a task ended {FALLS} workers, exit status {falls[-1].status}")

    def code(self) -> str:
        """Digest of the agents' code."""
        return self.code_here()


class Workers(Protocol):
    """Processes that do jobs; a context manager."""

    def run(self, job: Job[T, R], tasks: Sequence[T]) -> Iterator[tuple[T, R]]:
        """Do all tasks; yield each with its result, in the order in which they end. A task whose process ends is done
        again."""

    def __enter__(self) -> Self: ...

    def __exit__(self, kind: type | None, error: BaseException | None, trace: TracebackType | None) -> None: ...


@dataclass(frozen=True)
class Failure:
    """An exception of a task, on its way to the process that asked for it."""

    error: Exception

    @staticmethod
    def of(error: Exception) -> "Failure":
        """Keep the exception, without what may not be sent."""
        try:
            rebuilt = type(error)(*error.args)
        except Exception:  # an exception class with arguments of its own
            rebuilt = WorkerError(one_line(f"{type(error).__name__}: {error}"))
        return Failure(rebuilt)


def given(answer: Any) -> Any:
    """The result of a task; raises its exception."""
    if isinstance(answer, Failure):
        raise answer.error
    return answer
