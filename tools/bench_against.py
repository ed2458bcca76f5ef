"""Compares the speed of the working tree with another commit: `make bench-against REF=main`.

Each repeat starts one process for each tree (`bench_probe.py`) with an empty cache, measures how long it compiles, and
then lets the two take turns, a second or less at a time. The best turn of each counts, because interference from other
processes can only make a turn slower. A figure counts as slower if the median of the repeats is more than 5 % slower.
"""

import argparse
import json
import os
import subprocess
import sys
import tempfile
from collections.abc import Iterable, Iterator, Sequence
from contextlib import ExitStack, contextmanager
from pathlib import Path
from statistics import median
from typing import NoReturn, TypeVar

from rich.console import Console
from rich.progress import track

ROOT = Path(__file__).resolve().parent.parent
PROBE = Path(__file__).with_name("bench_probe.py")
TURNS = 5
TOLERANCE = 0.05
COMPILE = "compile"
LABELS = {
    COMPILE: "compiling all (CPU seconds)",
    "batch": "1,024 games in a batch",
    "compact": "256 with compact observations",
    "tensor": "256 with tensor observations",
    "game": "one game through Game",
    "shogun": "decisions of shogun",
    "mcts": "iterations of mcts",
}
SOURCES = ("", "agents", "training", "app")  # folders of a tree that may contain packages
Figures = dict[str, float]
T = TypeVar("T")


def shown(things: Sequence[T], what: str) -> Iterable[T]:
    """Iterate with a progress bar if standard error is a terminal."""
    console = Console(stderr=True)
    return track(things, what, console=console, transient=True, disable=not console.is_terminal)


class BenchError(Exception):
    """An error that is reported in one line."""


class Parser(argparse.ArgumentParser):
    """Reports wrong arguments in one line."""

    def error(self, message: str) -> NoReturn:
        raise BenchError(f"{message}; {self.format_usage().strip()}")


def main(arguments: list[str]) -> int:
    """Run the comparison. Returns the exit status."""
    parser = Parser(prog="bench_against.py", description="Compare the speed of this tree with another commit.")
    parser.add_argument("ref", metavar="REF", help="the commit to compare with")
    parser.add_argument("--repeats", type=int, default=3, metavar="N", help="how often all is measured (3)")
    try:
        given = parser.parse_args(arguments)
        if given.repeats < 1:
            raise BenchError(f"--repeats {given.repeats}: allowed is 1 or more")
        return compare(commit_of(given.ref), given.ref, given.repeats)
    except BenchError as error:
        print(f"bench_against: {error}", file=sys.stderr)
        return 2
    except KeyboardInterrupt:
        return 130


def commit_of(ref: str) -> str:
    """The full hash of a commit; raises `BenchError` if there is none."""
    found = git("rev-parse", "--verify", "--quiet", "--end-of-options", f"{ref}^{{commit}}")
    if found.returncode != 0:
        raise BenchError(f"there is no commit {ref!r}")
    return found.stdout.strip()


def compare(commit: str, ref: str, repeats: int) -> int:
    """Print the figures of both trees and their ratios. Returns 1 if something is slower here."""
    with tempfile.TemporaryDirectory() as folder, worktree(commit, Path(folder) / "tree") as other:
        found = [measured(ROOT, other, swap=bool(number % 2)) for number in range(repeats)]
    slower = False
    for figure, label in LABELS.items():
        pairs = [(here[figure], there[figure]) for here, there in found]
        slower |= is_slower(figure, pairs)
        print(row(figure, label, ref, pairs))
    return 1 if slower else 0


def row(figure: str, label: str, ref: str, pairs: list[tuple[float, float]]) -> str:
    """One line of the report: the medians of both trees, and the ratio of each repeat."""
    here, there = (median(values) for values in zip(*pairs, strict=True))
    ratios = " ".join(f"{mine / theirs:.3f}" for mine, theirs in pairs)
    verdict = "   SLOWER" if is_slower(figure, pairs) else ""
    return f"{label:<30} here {here:>11,.1f}   {ref} {there:>11,.1f}   here / {ref}: {ratios}{verdict}"


def is_slower(figure: str, pairs: list[tuple[float, float]]) -> bool:
    """Whether the working tree is slower than the tolerance allows. All figures are speeds except the compile time."""
    gain = median(theirs / mine if figure == COMPILE else mine / theirs for mine, theirs in pairs)
    return gain < 1 - TOLERANCE


@contextmanager
def worktree(commit: str, folder: Path) -> Iterator[Path]:
    """Check out a commit into a folder, and remove it again whatever happens."""
    try:
        made = git("worktree", "add", "--detach", str(folder), commit)
        if made.returncode != 0:
            raise BenchError(" ".join(made.stderr.split()))
        yield folder
    finally:
        git("worktree", "remove", "--force", str(folder))


def git(*arguments: str) -> subprocess.CompletedProcess[str]:
    """Run git in the working tree."""
    return subprocess.run(["git", *arguments], cwd=ROOT, capture_output=True, text=True, check=False)


def measured(here: Path, there: Path, swap: bool) -> tuple[Figures, Figures]:
    """Run one repeat and return the figures of both trees. `swap`: the second tree goes first."""
    trees = (there, here) if swap else (here, there)
    with ExitStack() as stack:
        probes = [stack.enter_context(probe(tree)) for tree in trees]
        figures = [{COMPILE: one.ask(COMPILE)} for one in shown(probes, COMPILE)]
        for figure in shown([name for name in LABELS if name != COMPILE], "measuring"):
            turns = [[one.ask(figure) for one in probes] for _ in range(TURNS + 1)][1:]  # the first warms up
            for kept, best in zip(figures, map(max, zip(*turns, strict=True)), strict=True):
                kept[figure] = best
    first, second = figures
    return (second, first) if swap else (first, second)


class Probe:
    """A running `bench_probe.py` that measures one tree."""

    def __init__(self, tree: Path, process: "subprocess.Popen[str]") -> None:
        self._tree, self._process = tree, process
        if not Path(str(self._answer())).is_relative_to(tree):
            raise BenchError(f"{tree} has no fujikoro_env to measure")

    def ask(self, figure: str) -> float:
        """Measure one figure."""
        assert self._process.stdin
        self._process.stdin.write(f"{figure}\n")
        self._process.stdin.flush()
        return float(self._answer())

    def _answer(self) -> float | str:
        assert self._process.stdout
        line = self._process.stdout.readline()
        if not line:
            raise BenchError(f"measuring {self._tree} failed: see its output above")
        answer: float | str = json.loads(line)
        return answer


@contextmanager
def probe(tree: Path) -> Iterator[Probe]:
    """Start a process that measures a tree, with its own cache that is empty at first."""
    with tempfile.TemporaryDirectory() as cache:
        path = os.pathsep.join(str(tree / source) for source in SOURCES)
        environment = {**os.environ, "PYTHONPATH": path, "FUJIKORO_CACHE": cache}
        command = [sys.executable, "-P", str(PROBE)]  # -P: modules in tools/ must not be importable
        process = subprocess.Popen(
            command, cwd=tree, env=environment, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True
        )
        try:
            yield Probe(tree, process)
        finally:
            process.kill()
            process.communicate()


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
