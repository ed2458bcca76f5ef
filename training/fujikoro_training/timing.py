"""`Stopwatch`: how a program divides its time among named parts."""

import time
from collections import defaultdict
from collections.abc import Iterator
from contextlib import contextmanager


class Stopwatch:
    """Adds up the time spent inside `with stopwatch(name)`, by name. A part inside another counts for itself only."""

    def __init__(self) -> None:
        self.seconds: defaultdict[str, float] = defaultdict(float)
        self._began = self._since = time.perf_counter()
        self._inside: list[str] = []

    @contextmanager
    def __call__(self, name: str) -> Iterator[None]:
        self._book()
        self._inside.append(name)
        try:
            yield
        finally:
            self._book()
            self._inside.pop()

    def _book(self) -> None:
        now = time.perf_counter()
        if self._inside:
            self.seconds[self._inside[-1]] += now - self._since
        self._since = now

    def shares(self) -> dict[str, float]:
        """Share of each part in the time since the start, the largest first; `other` is the rest."""
        total = time.perf_counter() - self._began
        parts = dict(sorted(self.seconds.items(), key=lambda part: -part[1]))
        shares = {name: seconds / total for name, seconds in parts.items()}
        return {**shares, "other": max(0.0, 1 - sum(shares.values()))}
