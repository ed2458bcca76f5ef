"""Measures what work on a Ray cluster costs: `python tools/measure_cluster.py --cluster ADDRESS`.

Prints the cost of a Ray task, of a shard and of a line of the journal, and the time of one balance run in this process
and on the cluster. docs/cluster.md has our numbers.
"""

import argparse
import tempfile
import time
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path
from typing import Any

import ray

from fujikoro_training.balance.cells import Cell
from fujikoro_training.balance.playing import play_cell
from fujikoro_training.balance.run import run
from fujikoro_training.balance.settings import Settings
from fujikoro_training.balance.store import Store, shard_files
from fujikoro_training.tournament.match import Result
from fujikoro_training.tournament.store import Journal
from fujikoro_training.workers.cluster import Cluster, cpus_of_cluster, order_for, remote_tasks
from fujikoro_training.workers.job import Calls, Workers

RESULT = Result(0, "countdown", 30, [1, 2, 3, 4], [40, 30, 20, 10], ["symmetric"] * 4, [60] * 4, [0.5] * 4)


def nothing(_task: int) -> None:
    """A task without work."""


def seconds(work: Callable[[], Any]) -> float:
    """Seconds that a call takes."""
    began = time.perf_counter()
    work()
    return time.perf_counter() - began


def of_a_task(tasks: int) -> float:
    """Seconds for each empty Ray task, when all are handed out at once."""
    job = Calls(nothing)
    given = ray.put(order_for(job)), ray.put(job)
    ray.get([remote_tasks().remote(*given, [0]) for _ in range(4 * cpus_of_cluster())])  # starts the processes
    return seconds(lambda: ray.get([remote_tasks().remote(*given, [0]) for _ in range(tasks)])) / tasks


def of_a_shard(folder: Path, games: int) -> tuple[float, float, float]:
    """CPU seconds to play the games of a shard, to make its files, and to write them."""
    cell = Cell("runner x 4", ("runner",) * 4)
    play_cell(cell, range(8))  # loads compiled code
    began = time.process_time()
    rows = play_cell(cell, range(games))
    played = time.process_time()
    files = shard_files(rows)
    made = time.process_time()
    folder.mkdir()
    Store(folder).write(0, 0, files)
    return played - began, made - played, time.process_time() - made


def of_a_line(folder: Path, lines: int) -> float:
    """CPU seconds for each line of a journal."""
    with Journal(folder, {"agents": []}) as journal:
        began = time.process_time()
        for game in range(lines):
            journal.add(replace(RESULT, game=game))
        return (time.process_time() - began) / lines


def of_a_run(folder: Path, games: int, workers: int | Workers) -> float:
    """Seconds of a balance run."""
    settings = Settings("seats", agents=("runner",), games=games, shard_games=max(1, games // 16))
    return seconds(lambda: run(settings, folder, workers))


def main() -> None:
    """Measure, and print."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--cluster", metavar="ADDRESS", help="auto or HOST:PORT; without it only what needs none")
    parser.add_argument("--games", type=int, default=4000, help="of the balance run")
    given = parser.parse_args()
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        played, made, written = of_a_shard(folder / "shard", 500)
        print(
            f"shard of 500 games: {played:.2f} CPU s playing, {1e3 * made:.0f} ms files, {1e3 * written:.1f} ms writing"
        )
        print(f"line of a journal, CPU: {1e6 * of_a_line(folder / 'journal', 1000):.0f} us", flush=True)
        if given.cluster:
            measure_cluster(given.cluster, folder, given.games)


def measure_cluster(address: str, folder: Path, games: int) -> None:
    """What needs a cluster."""
    with Cluster(address) as cluster:
        print(f"{cpus_of_cluster()} CPUs in the cluster", flush=True)
        print(f"empty task: {1e3 * of_a_task(200):.1f} ms", flush=True)
        of_a_run(folder / "first", 64, cluster)  # processes load compiled code
        print(f"{games} games on the cluster: {of_a_run(folder / 'there', games, cluster):.1f} s", flush=True)
        print(f"{games} games here: {of_a_run(folder / 'here', games, 1):.1f} s", flush=True)


if __name__ == "__main__":
    main()
