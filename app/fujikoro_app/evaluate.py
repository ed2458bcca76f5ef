"""The command `fujikoro evaluate`."""

import argparse
import json
import sys
from pathlib import Path

from fujikoro_env.kernel.thread_pool import cores
from fujikoro_env.player import AgentError
from fujikoro_training.benchmark.protocol import Protocol, ProtocolError, Series, protocol_named
from fujikoro_training.benchmark.report import as_text, write_result
from fujikoro_training.benchmark.result import result_of
from fujikoro_training.benchmark.run import Plan, Played, play
from fujikoro_training.tournament.store import StoreError
from fujikoro_training.workers.chosen import workers_at
from fujikoro_training.workers.job import WorkerError, Workers


class EvaluateError(ValueError):
    """An evaluation that can't be made; the message says why in one line."""


def evaluated(args: argparse.Namespace) -> str:
    """Evaluate an agent as typed; return the text to print."""
    try:
        protocol = protocol_named(args.protocol)
        protocol = protocol.trial() if args.quick else protocol
        chosen = _chosen(protocol, args.series)
        plan = Plan(args.agent, protocol)
        folder = Path(args.out) if args.out else plan.usual_folder
        with workers_at(args.cluster, args.jobs or cores()) as workers:
            result = result_of(_played(plan, chosen, folder, workers))
        write_result(result, folder)
    except (AgentError, ProtocolError, StoreError, WorkerError) as error:
        raise EvaluateError(str(error)) from None
    return json.dumps(result) if args.json else f"{as_text(result)}\n\nwritten to {folder}: result.json, result.md"


def _chosen(protocol: Protocol, typed: str | None) -> list[Series]:
    if typed is None:
        return list(protocol.series)
    return protocol.named([name.strip() for name in typed.split(",")])


def _played(plan: Plan, chosen: list[Series], folder: Path, workers: Workers) -> Played:
    def say(text: str) -> None:
        print(text, file=sys.stderr, flush=True)  # what is printed on the other side may be JSON

    try:
        return play(plan, chosen, folder, workers, say)
    except KeyboardInterrupt:
        say(f"fujikoro: interrupted; the games so far are in {folder}; repeat the command to continue")
        raise
