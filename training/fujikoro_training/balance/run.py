"""Runs an experiment: all shards on all cores, with a progress bar and the result so far."""

import sys
import time
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from functools import partial
from pathlib import Path
from typing import Any, Final

import pandas as pd
from rich import progress
from rich.console import Console

from fujikoro_training.balance.analysis import FIRST, WIN, effects_of
from fujikoro_training.balance.cells import Cell
from fujikoro_training.balance.playing import play_cell
from fujikoro_training.balance.store import AnySettings, Store, shard_files
from fujikoro_training.balance.team import TeamCell, TeamSettings
from fujikoro_training.balance.team_games import WITH, play_team_cell, team_agent_digest, team_effects
from fujikoro_training.tournament.entrants import agent_digest, digests
from fujikoro_training.workers.chosen import opened
from fujikoro_training.workers.job import Calls, Workers

SECONDS_BETWEEN_RESULTS: Final = 10.0
WAVES: Final = 10  # with a target precision: cells are looked at after each tenth of their games
Say = Callable[[str], None]


@dataclass(frozen=True)
class Task:
    """A shard: some blocks of one cell."""

    cell: int
    shard: int
    seeds: range


AnyCell = Cell | TeamCell
Shards = Calls[tuple[Task, Any, bool], dict[str, bytes]]


def run(settings: AnySettings, folder: Path, jobs: int | Workers, say: Say = lambda _: None) -> pd.DataFrame:
    """Play what is missing in the folder, write the effects there and return them. `jobs`: a number of processes, or
    who plays the games."""
    cells, store = settings.cells(), Store(folder)
    with store.opened(settings, cells), opened(jobs) as workers:
        names = sorted({name for cell in cells for name in cell.agents})
        digest = partial(team_agent_digest, settings.game) if isinstance(settings, TeamSettings) else agent_digest
        job = Shards(make_shard, partial(digests, names, digest))
        waves = _waves(settings, cells)
        total = sum(len(task.seeds) * cells[task.cell].rotations for wave in waves for task in wave)
        say(f"{settings.experiment}: {len(cells)} cells, {'at most ' if settings.precision else ''}{total:,} games")
        with _bar(total) as bar:
            task_id = bar.add_task("", total=total)
            told = 0.0
            done: set[int] = set()  # cells that are precise enough
            for wave in waves:
                left = [task for task in wave if task.cell not in done]
                for task in _played(settings, cells, store, left, workers, job):
                    bar.advance(task_id, len(task.seeds) * cells[task.cell].rotations)
                    if time.monotonic() - told > SECONDS_BETWEEN_RESULTS and not bar.disable:
                        bar.update(task_id, description=brief(analysed(settings, store)))
                        told = time.monotonic()
                if settings.precision:
                    done |= _precise(settings, cells, store)
        effects = analysed(settings, store)
        store.write_effects(effects)
    return effects


def analysed(settings: AnySettings, store: Store) -> pd.DataFrame:
    """The effects in all rows that are there."""
    games, players = store.table("games"), store.table("players")
    assert games is not None
    if isinstance(settings, TeamSettings):
        return team_effects(settings, games)
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


def _waves(settings: AnySettings, cells: list[Any]) -> list[list[Task]]:
    """All shards: those that are played whatever the results are, in one wave, or in several with a precision."""
    tasks = [list(_shards(settings, number, cell)) for number, cell in enumerate(cells)]
    if not settings.precision:
        return [[task for of_cell in tasks for task in of_cell]]
    size = [max(1, -(-len(of_cell) // WAVES)) for of_cell in tasks]
    return [
        [task for of_cell, step in zip(tasks, size, strict=True) for task in of_cell[wave * step : (wave + 1) * step]]
        for wave in range(WAVES)
    ]


def _shards(settings: AnySettings, number: int, cell: Any) -> Iterator[Task]:
    blocks = settings.blocks(cell)
    size = max(1, settings.shard_games // cell.rotations)
    for shard, first in enumerate(range(0, blocks, size)):
        start = settings.seed + first
        yield Task(number, shard, range(start, settings.seed + min(first + size, blocks)))


def _precise(settings: AnySettings, cells: list[Any], store: Store) -> set[int]:
    """Cells whose intervals of win shares are all narrow enough."""
    effects = analysed(settings, store)
    shares = effects[effects["measure"].isin([WIN, FIRST, WITH])]
    found = set()
    for number, cell in enumerate(cells):
        own = shares[(shares["agent"] == cell.agent) & (shares["players"] == cell.players)]
        own = own[own["level"] == cell.label] if cell.label in set(own["level"]) else own
        if len(own) and ((own["high"] - own["low"]) / 2).max() <= settings.precision:
            found.add(number)
    return found


def _played(
    settings: AnySettings, cells: list[Any], store: Store, tasks: list[Task], workers: Workers, job: Shards
) -> Iterator[Task]:
    """Play shards; yield each when it is written. Those that are there already come first."""
    yield from (task for task in tasks if store.has(task.cell, task.shard))
    missing = [(task, cells[task.cell], settings.decisions) for task in tasks if not store.has(task.cell, task.shard)]
    for (task, *_), files in workers.run(job, missing):
        store.write(task.cell, task.shard, files)
        yield task


def make_shard(wanted: tuple[Task, AnyCell, bool]) -> dict[str, bytes]:
    """Play some blocks of a cell; return the content of the files of the shard."""
    task, cell, keep_decisions = wanted
    if isinstance(cell, TeamCell):
        return shard_files(play_team_cell(cell, task.seeds))
    return shard_files(play_cell(cell, task.seeds, keep_decisions))


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
