"""A parent process with one child, for tests of what becomes of the child when the parent is killed."""

import multiprocessing
import sys
import time
from itertools import repeat
from multiprocessing.connection import Connection

from fujikoro_env.settings import Rules
from fujikoro_training.tournament.isolated import IsolatedAgent
from fujikoro_training.workers.orphans import end_with_parent


def child(what: str, pipe: Connection) -> None:
    if what != "loop_in_c":
        sys.platform = "other"  # without the kernel's help
    end_with_parent()
    pipe.send(multiprocessing.current_process().pid)
    if what == "sleep":
        time.sleep(60)
    elif what == "loop_in_c":
        sum(repeat(0))
    while True:
        pass


def main() -> None:
    """Start a child that does what the first argument says, print its process id, and wait."""
    ours, theirs = multiprocessing.Pipe()
    context = multiprocessing.get_context("spawn")
    context.Process(target=child, args=(sys.argv[1], theirs)).start()
    print(ours.recv(), flush=True)
    time.sleep(60)


def start_isolated() -> None:
    """Start an isolated agent that never returns, print the id of its process, and wait for it."""
    agent = IsolatedAgent("python:tests.helpers.bots.HangsWhenReset", Rules(2), 60)
    print(agent.process_id, flush=True)
    agent.reset(0, 0)
