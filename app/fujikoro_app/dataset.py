"""The command `fujikoro dataset`."""

import argparse
import json
import sys
from pathlib import Path

from fujikoro_env.kernel.thread_pool import cores
from fujikoro_env.player import AgentError
from fujikoro_env.settings import Rules
from fujikoro_training.dataset.minari import write_minari
from fujikoro_training.dataset.play import DatasetError, LineUp
from fujikoro_training.dataset.store import Plan, write_dataset
from fujikoro_training.workers.chosen import workers_at
from fujikoro_training.workers.job import WorkerError

__all__ = ["DatasetError", "written"]


def written(args: argparse.Namespace, rules: Rules, names: list[str]) -> str:
    """Write a dataset as typed; return the text to print."""
    folder = Path(args.out)
    line_up = LineUp(tuple(names), rules, args.seed, args.reward, args.explanations)
    try:
        plan = Plan(line_up, args.games, args.shard_games)
    except AgentError as error:
        raise DatasetError(str(error)) from None
    try:
        with workers_at(args.cluster, args.jobs or cores()) as workers:
            manifest = write_dataset(plan, folder, workers, _say)
        minari = write_minari(folder) if args.minari else None
    except WorkerError as error:
        raise DatasetError(str(error)) from None
    except KeyboardInterrupt:
        _say(f"fujikoro: interrupted; the shards so far are in {folder}; repeat the command to continue")
        raise
    if args.json:
        return json.dumps(manifest)
    decisions = sum(shard["decisions"] for shard in manifest["shards"])
    also = f"; for Minari: MINARI_DATASETS_PATH={minari}" if minari else ""
    return f"{decisions:,} decisions of {args.games} games, written to {folder}{also}"


def _say(text: str) -> None:
    print(text, file=sys.stderr, flush=True)  # what is printed on the other side may be JSON
