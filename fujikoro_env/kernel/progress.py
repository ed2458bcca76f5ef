"""Shows on standard error what is being compiled: a first run takes minutes, and silence is frightening.

On a terminal this is one progress bar: which entry, how many functions are left, how long it has taken. Elsewhere it is
one plain line.
"""

import contextlib
import sys
import time
from collections.abc import Callable, Iterator, Sequence
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from rich.progress import Progress as Bar

PATIENCE = 1.0  # seconds; code that comes from the cache is there sooner
Function = Any  # a dispatcher of numba, which has no types


class Progress:
    """Counts the functions that are compiled, and shows the count once it takes longer than `PATIENCE`."""

    def __init__(self, reached_by: Callable[[Sequence[Function]], int]) -> None:
        """`reached_by`: the number of functions that are still to be compiled for some entries."""
        self._reached_by = reached_by
        self.done = 0  # functions compiled in this process
        self._depth = 0  # of functions under way: each waits for those that it calls
        self._began = 0.0
        self._first = 0  # `done` when this began
        self._entries: list[Function] = []
        self._entry = 0  # which of them is under way
        self._total = 0  # functions to compile, since this began
        self._bar: Bar | None = None
        self._said = False

    @contextlib.contextmanager
    def batch(self, entries: Sequence[Function]) -> Iterator[None]:
        """Show one bar for all of these entries, which are compiled inside the `with`."""
        self._begin(entries)
        with self._one_deeper():
            yield

    @contextlib.contextmanager
    def compiling(self, function: Function) -> Iterator[None]:
        """One function is compiled inside the `with`."""
        if self._depth == 0:
            self._begin([function])
        elif function in self._entries:
            self._entry, self._total = self._entries.index(function), 0
        if time.monotonic() - self._began > PATIENCE:
            self._show(self._what("compiling"))
        with self._one_deeper():
            yield
            self.done += 1

    def optimising(self) -> None:
        """All functions of the entry are there, and are made into one piece of machine code, which may take long."""
        if self._bar:
            self._show(self._what("optimising"))

    def _begin(self, entries: Sequence[Function]) -> None:
        self._began, self._first = time.monotonic(), self.done
        self._entries, self._entry, self._total = list(entries), 0, 0

    @contextlib.contextmanager
    def _one_deeper(self) -> Iterator[None]:
        self._depth += 1
        try:
            yield
        finally:  # an interrupt must leave the terminal as it was
            self._depth -= 1
            if self._depth == 0:
                self._end()

    def _what(self, verb: str) -> str:
        name, entries = self._entries[self._entry].py_func.__name__, len(self._entries)
        return f"{verb} {name} (entry {self._entry + 1} of {entries})" if entries > 1 else f"{verb} {name}"

    def _show(self, what: str) -> None:
        if not sys.stderr.isatty():
            if not self._said:  # one line is enough, however many entries are compiled
                print("fujikoro: compiling the rules, once; later starts take a second", file=sys.stderr, flush=True)
            self._said = True
            return
        if self._bar is None:
            self._bar = _new_bar()
            self._bar.add_task(what)
            self._bar.start()
        done = self.done - self._first
        self._total = self._total or done + self._reached_by(self._entries[self._entry :])
        self._bar.update(self._bar.task_ids[0], description=what, completed=done, total=self._total)

    def _end(self) -> None:
        if self._bar is None:
            return
        self._bar.stop()
        self._bar = None
        done, seconds = self.done - self._first, time.monotonic() - self._began
        print(f"fujikoro: compiled {done} functions in {seconds:.0f} s; later starts take a second", file=sys.stderr)


def _new_bar() -> "Bar":
    """A bar that goes away when it is done. Its clock runs in a thread, while the compiler is busy."""
    from rich import progress
    from rich.console import Console

    return progress.Progress(
        progress.SpinnerColumn(),
        progress.TextColumn("{task.description}"),
        progress.BarColumn(),
        progress.TextColumn("{task.completed:.0f} of {task.total:.0f} functions"),
        progress.TimeElapsedColumn(),
        console=Console(stderr=True),
        refresh_per_second=4,
        transient=True,
    )
