"""Runs an experiment: all shards on all cores, with a progress bar and the result so far."""

import sys
import time
from collections.abc import Callable, Iterator
from concurrent.futures import Future, ProcessPoolExecutor, as_completed
from dataclasses import dataclass
from multiprocessing import get_context
from pathlib import Path
from typing import Any, Final

import pandas as pd
from rich import progress
from rich.console import Console

from fujikoro_training.balance.analysis import WIN, effects_of
from fujikoro_training.balance.cells import Cell
from fujikoro_training.balance.playing import play_cell
from fujikoro_training.balance.settings import Settings
from fujikoro_training.balance.store import Store
from fujikoro_training.tournament.orphans import begin_worker

SECONDS_BETWEEN_RESULTS: Final = 10.0
WAVES: Final = 10  # with a target precision: cells are looked at after each tenth of their games
Say = Callable[[str], None]


@dataclass(frozen=True)
class Task:
    """A shard: some blocks of one cell."""

    cell: int
    shard: int
    seeds: range


def run(settings: Settings, folder: Path, jobs: int, say: Say = lambda _: None) -> pd.DataFrame:
    """Play what is missing in the folder, write the effects there and return them."""
    cells, store = settings.cells(), Store(folder)
    with store.opened(settings, cells):
        waves = _waves(settings, cells)
        total = sum(len(task.seeds) * cells[task.cell].rotations for wave in waves for task in wave)
        say(f"{settings.experiment}: {len(cells)} cells, {'at most ' if settings.precision else ''}{total:,} games")
        with _bar(total) as bar:
            task_id = bar.add_task("", total=total)
            told = 0.0
            done: set[int] = set()  # cells that are precise enough
            for wave in waves:
                left = [task for task in wave if task.cell not in done]
                for task in _played(settings, cells, store, left, jobs):
                    bar.advance(task_id, len(task.seeds) * cells[task.cell].rotations)
                    if time.monotonic() - told > SECONDS_BETWEEN_RESULTS and not bar.disable:
                        bar.update(task_id, description=brief(analysed(settings, store)))
                        told = time.monotonic()
                if settings.precision:
                    done |= _precise(settings, cells, store)
        effects = analysed(settings, store)
        store.write_effects(effects)
    return effects


def analysed(settings: Settings, store: Store) -> pd.DataFrame:
    """The effects in all rows that are there."""
    games, players = store.table("games"), store.table("players")
    assert games is not None
    assert players is not None
    return effects_of(settings, games, players, store.table("actions"))


def brief(effects: pd.DataFrame) -> str:
    """The largest differences so far, in a line."""
    found = effects.dropna(subset=["p"])
    gaps = (found["value"] - found["reference"]).abs() / found["reference"].abs().clip(lower=0.01)
    top = found.loc[gaps.sort_values(ascending=False).index[:3]]
    return ", ".join(f"{row.level}: {_shown(row.measure, row.value)}" for row in top.itertuples())


def _shown(measure: str, value: float) -> str:
    return f"{value:.1%}" if measure.startswith(("win", "share")) else f"{value:.1f}"


def _waves(settings: Settings, cells: list[Cell]) -> list[list[Task]]:
    """All shards: those that are played whatever the results are, in one wave, or in several with a precision."""
    tasks = [list(_shards(settings, number, cell)) for number, cell in enumerate(cells)]
    if not settings.precision:
        return [[task for of_cell in tasks for task in of_cell]]
    size = [max(1, -(-len(of_cell) // WAVES)) for of_cell in tasks]
    return [
        [task for of_cell, step in zip(tasks, size, strict=True) for task in of_cell[wave * step : (wave + 1) * step]]
        for wave in range(WAVES)
    ]


def _shards(settings: Settings, number: int, cell: Cell) -> Iterator[Task]:
    blocks = settings.blocks(cell)
    size = max(1, settings.shard_games // cell.rotations)
    for shard, first in enumerate(range(0, blocks, size)):
        start = settings.seed + first
        yield Task(number, shard, range(start, settings.seed + min(first + size, blocks)))


def _precise(settings: Settings, cells: list[Cell], store: Store) -> set[int]:
    """Cells whose intervals of win shares are all narrow enough."""
    effects = analysed(settings, store)
    shares = effects[effects["measure"] == WIN]
    found = set()
    for number, cell in enumerate(cells):
        own = shares[(shares["agent"] == cell.agent) & (shares["players"] == cell.players)]
        own = own[own["level"] == cell.label] if cell.label in set(own["level"]) else own
        if len(own) and ((own["high"] - own["low"]) / 2).max() <= settings.precision:
            found.add(number)
    return found


def _played(settings: Settings, cells: list[Cell], store: Store, tasks: list[Task], jobs: int) -> Iterator[Task]:
    """Play shards; yield each when it is written. Those that are there already come first."""
    missing = [task for task in tasks if not store.has(task.cell, task.shard)]
    yield from (task for task in tasks if store.has(task.cell, task.shard))
    if jobs == 1 or len(missing) < 2:
        for task in missing:
            yield _play(cells[task.cell], task, store, settings.decisions)
        return
    with ProcessPoolExecutor(min(jobs, len(missing)), get_context("spawn"), begin_worker) as pool:
        futures: list[Future[Task]] = [
            pool.submit(_play, cells[task.cell], task, store, settings.decisions) for task in missing
        ]
        try:
            for finished in as_completed(futures):
                yield finished.result()
        finally:
            for future in futures:
                future.cancel()


def _play(cell: Cell, task: Task, store: Store, keep_decisions: bool) -> Task:
    store.write(task.cell, task.shard, play_cell(cell, task.seeds, keep_decisions))
    return task


def _bar(total: int) -> Any:
    return progress.Progress(
        progress.BarColumn(),
        progress.TextColumn("{task.completed:.0f} of {task.total:.0f} games"),
        progress.TimeElapsedColumn(),
        progress.TextColumn("left"),
        progress.TimeRemainingColumn(),
        progress.TextColumn("{task.description}"),
        console=Console(stderr=True),
        disable=not sys.stderr.isatty(),
    )
