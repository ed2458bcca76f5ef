"""How fast the working tree is against another commit: `make bench-against REF=main`.

The two take turns, each in a process of its own, and the best run of each counts: whatever else the machine does can
only make a run slower. Each tree is measured by its own `fujikoro_env.bench`.
"""

import json
import os
import subprocess
import sys
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from tqdm import tqdm

ROOT = Path(__file__).resolve().parent.parent
RUNS = 5
LABELS = {"batch": "1,024 games in a batch", "game": "one game through Game"}
MEASURE = """
import json, fujikoro_env.bench as bench
print(json.dumps({"file": bench.__file__, **bench.speeds()}))
"""


class BenchError(Exception):
    """One line for whoever typed the commit."""


def main(arguments: list[str]) -> int:
    try:
        if len(arguments) != 1:
            raise BenchError("write one commit: python tools/bench_against.py REF")
        compare(commit_of(arguments[0]), arguments[0])
    except BenchError as error:
        print(f"bench_against: {error}", file=sys.stderr)
        return 2
    except KeyboardInterrupt:
        return 130
    return 0


def commit_of(ref: str) -> str:
    found = git("rev-parse", "--verify", "--quiet", "--end-of-options", f"{ref}^{{commit}}")
    if found.returncode != 0:
        raise BenchError(f"there is no commit {ref!r}")
    return found.stdout.strip()


def compare(commit: str, ref: str) -> None:
    with tempfile.TemporaryDirectory() as folder, worktree(commit, Path(folder) / "tree") as other:
        best = best_speeds({"here": ROOT, ref: other}, Path(folder))
    for name, label in LABELS.items():
        here, there = best["here"][name], best[ref][name]
        print(f"{label:<24} here {here:>11,.0f}/s   {ref} {there:>11,.0f}/s   here is {here / there:.3f} times as fast")


@contextmanager
def worktree(commit: str, folder: Path) -> Iterator[Path]:
    """The files of a commit in a folder, taken away again whatever happens."""
    try:
        made = git("worktree", "add", "--detach", str(folder), commit)
        if made.returncode != 0:
            raise BenchError(" ".join(made.stderr.split()))
        yield folder
    finally:
        git("worktree", "remove", "--force", str(folder))


def git(*arguments: str) -> subprocess.CompletedProcess[str]:
    return subprocess.run(["git", *arguments], cwd=ROOT, capture_output=True, text=True, check=False)


def best_speeds(trees: dict[str, Path], folder: Path) -> dict[str, dict[str, float]]:
    best = {name: dict.fromkeys(LABELS, 0.0) for name in trees}
    for _ in tqdm(range(RUNS), disable=None, leave=False):
        for number, (name, tree) in enumerate(trees.items()):
            for figure, speed in speeds_of(tree, folder / f"cache{number}").items():
                best[name][figure] = max(best[name][figure], speed)
    return best


def speeds_of(tree: Path, cache: Path) -> dict[str, float]:
    """One run. Compiled code is kept for the next, apart from that of the other tree."""
    environment = {**os.environ, "PYTHONPATH": str(tree), "FUJIKORO_CACHE": str(cache)}
    command = [sys.executable, "-c", MEASURE]
    done = subprocess.run(command, cwd=tree, env=environment, capture_output=True, text=True, check=False)
    if done.returncode != 0:
        raise BenchError(f"measuring {tree} failed: {(done.stderr.strip().splitlines() or ['no message'])[-1]}")
    measured = json.loads(done.stdout)
    if not Path(measured["file"]).is_relative_to(tree):
        raise BenchError(f"{tree} has no fujikoro_env.bench to measure with")
    return {figure: measured[figure] for figure in LABELS}


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
