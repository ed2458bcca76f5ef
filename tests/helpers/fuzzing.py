"""What fuzzing has in common for all games: counting calls of rule functions in plain Python, repeating steps there,
and reporting what came up too rarely."""

import ast
import cProfile
import json
import os
import pstats
import subprocess
import sys
from collections import Counter
from collections.abc import Callable, Iterable, Mapping, Sequence
from pathlib import Path
from typing import Any


def rule_functions(files: Iterable[Path]) -> set[tuple[str, str]]:
    """File and name of every rule and entry."""
    return {
        (str(path), node.name)
        for path in files
        for node in ast.parse(path.read_text()).body
        if isinstance(node, ast.FunctionDef) and _is_rule(node)
    }


def _is_rule(node: ast.FunctionDef) -> bool:
    return any(isinstance(mark, ast.Name) and mark.id in ("rule", "entry") for mark in node.decorator_list)


def calls_of(profile: cProfile.Profile, files: Iterable[Path]) -> Counter[str]:
    """Calls by name of the rule function; 0 for those that were never called."""
    wanted = rule_functions(files)
    found = Counter({name: 0 for _, name in wanted})
    stats: dict[tuple[str, int, str], Any] = pstats.Stats(profile).stats  # type: ignore[attr-defined]
    for (path, _, name), (_, calls, *_) in stats.items():
        if (path, name) in wanted:
            found[name] += calls
    return found


def run_in_plain_python(commands: Iterable[Sequence[str]]) -> Counter[str]:
    """Run modules in other processes, side by side, because this one has compiled rules. Each prints the calls of rule
    functions as JSON; returns their sum."""
    calls: Counter[str] = Counter()
    environment = {**os.environ, "NUMBA_DISABLE_JIT": "1"}
    running = [
        subprocess.Popen([sys.executable, "-m", *command], env=environment, stdout=subprocess.PIPE, text=True)
        for command in commands
    ]
    for process in running:
        said, _ = process.communicate()
        assert process.returncode == 0, "a step gave another result as plain Python: see above"
        calls.update(json.loads(said))
    return calls


def too_rare(
    wanted: Mapping[str, tuple[Counter[str], Iterable[str]]], least: int, out_of_reach: Iterable[str]
) -> list[str]:
    """Everything that came up less often than it should have. `wanted`: counters by kind, with all their names."""
    return [
        f"{what} {name}: {counter[name]} times, {least} are wanted"
        for what, (counter, names) in wanted.items()
        for name in names
        if counter[name] < least and name not in out_of_reach
    ]


def report(missing: Sequence[str], decisions: str, least: int) -> int:
    """Print the end of the report. Returns the exit status. `missing`: what came up too rarely."""
    if missing:
        print("\nfuzz: too rare\n  " + "\n  ".join(missing))
        return 1
    print(f"\n{decisions}; everything came up at least {least} times")
    return 0


def repeat_in_plain_python(steps: int, repeat: Callable[[], Counter[str]]) -> Counter[str]:
    """Repeat steps as plain Python with `repeat`, and print the calls of each rule function, which it returns."""
    print(f"\n{steps:,} steps are repeated as plain Python ...", flush=True)
    functions = repeat()
    print("... with the same results")
    show({"functions": functions})
    return functions


def show(counters: Mapping[str, Counter[str]]) -> None:
    """Print all counters."""
    for what, counter in counters.items():
        if counter:
            print(f"\nhits by {what}")
            for name, times in counter.most_common():
                print(f"  {times:>12,}  {name}")
