"""Progress bar with the standings so far, on a terminal only."""

import sys
import time
from collections.abc import Sequence
from types import TracebackType
from typing import Final

import numpy as np
from rich import progress
from rich.console import Console
from rich.table import Column

from fujikoro_training.tournament.match import Result
from fujikoro_training.tournament.schedule import Match

SECONDS_BETWEEN_STANDINGS: Final = 1.0
NAMED: Final = 5
LONGEST_NAME: Final = 18


class Bar:
    """Progress bar; a context manager."""

    def __init__(self, games: int, labels: list[str], there: Sequence[tuple[Match, Result]]) -> None:
        """`there`: games that were played before."""
        self._labels = labels
        self._wins, self._games = np.zeros(len(labels)), np.zeros(len(labels))
        self._told = 0.0
        for match, result in there:
            self._count(match, result)
        self._bar = progress.Progress(
            progress.BarColumn(bar_width=None, table_column=Column(min_width=10, max_width=40, ratio=1)),
            progress.TextColumn("{task.completed:.0f} of {task.total:.0f} games in", table_column=_whole()),
            progress.TimeElapsedColumn(table_column=_whole()),
            progress.TextColumn("·", table_column=Column(no_wrap=True)),
            progress.TimeRemainingColumn(table_column=_whole()),
            progress.TextColumn("left", table_column=_whole()),
            progress.TextColumn("{task.description}", table_column=Column(no_wrap=True, overflow="ellipsis", ratio=3)),
            expand=True,
            console=Console(stderr=True),
            disable=not sys.stderr.isatty(),
        )
        self._task = self._bar.add_task("", total=games, completed=len(there))

    def __enter__(self) -> "Bar":
        self._bar.start()
        return self

    def __exit__(self, _kind: type | None, _error: BaseException | None, _trace: TracebackType | None) -> None:
        self._bar.stop()

    def add(self, match: Match, result: Result) -> None:
        """Count a finished game."""
        self._count(match, result)
        if time.monotonic() - self._told > SECONDS_BETWEEN_STANDINGS:
            self._told = time.monotonic()
            self._bar.update(self._task, description=f"· wins: {self.standings()}")
        self._bar.advance(self._task)

    def _count(self, match: Match, result: Result) -> None:
        first = [seat for seat, rank in enumerate(result.ranks) if rank == 1]
        for seat in first:
            self._wins[match.seats[seat]] += 1 / len(first)
        self._games[list(set(match.seats))] += 1

    def standings(self) -> str:
        """Win rates so far, best first."""
        rates = self._wins / np.maximum(1, self._games)
        best = np.argsort(-rates, kind="stable")[:NAMED]
        return ", ".join(f"{_short(self._labels[agent])} {rates[agent]:.0%}" for agent in best)


def _whole() -> Column:
    """A column that keeps its width on a narrow terminal."""
    return Column(no_wrap=True, min_width=4)


def _short(label: str) -> str:
    return label if len(label) <= LONGEST_NAME else f"…{label[1 - LONGEST_NAME :]}"
