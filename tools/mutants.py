"""Thirty small faults, drawn by a seed and put into the rules one at a time: which do the tests not notice?

    python tools/mutants.py [--seed 1] [--count 30] [CHAPTER ...]

CHAPTER is a folder of fujikoro_env/rules, or a file without its ending (all chapters if none is named). Each mutant
changes one line of a rule: a comparison, a number, a sign, `and` for `or`, a result, or a statement left out. The tests
marked `rule` run on it as plain Python, in a copy, until the first that fails. Exit status 1 if a mutant survives.
"""

import argparse
import ast
import os
import random
import re
import shutil
import subprocess
import sys
import tempfile
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
RULES = Path("fujikoro_env") / "rules"
COPIED = (
    "fujikoro_env",
    "agents",
    "training",
    "app",
    "tests",
    "tools",
    "docs",
    "pyproject.toml",
    "README.md",
    "constraints.txt",
)
NO_CHAPTERS = ("base", "engine")  # folders
OTHER_COMPARISON = {"==": "!=", "!=": "==", "<": "<=", "<=": "<", ">": ">=", ">=": ">"}
OTHER_SIGN = {"+": "-", "-": "+", "+=": "-=", "-=": "+=", "|=": "=", "&=": "="}
# Seconds of CPU time, about three times what all tests take: a mutant that hangs is noticed too, and a busy machine
# does not look like one.
TIME_LIMIT = 900
RULE_ID = re.compile(r"\b[A-Z]+-\d+\b")


@dataclass(frozen=True)
class Mutant:
    file: Path
    line: int
    start: int  # columns of the text that is replaced
    end: int
    new: str

    def put_into(self, root: Path) -> None:
        path = root / self.file
        lines = path.read_text().splitlines(keepends=True)
        lines[self.line - 1] = self.changed(lines[self.line - 1])
        path.write_text("".join(lines))

    def changed(self, line: str) -> str:
        return line[: self.start] + self.new + line[self.end :]

    def __str__(self) -> str:
        old = (ROOT / self.file).read_text().splitlines()[self.line - 1]
        return f"{self.file.name}:{self.line}\n    - {old.strip()}\n    + {self.changed(old).strip()}"


def mutants_of(file: Path) -> list[Mutant]:
    source = (ROOT / file).read_text()
    lines = source.splitlines()
    found: list[Mutant] = []
    for function in ast.parse(source).body:
        if isinstance(function, ast.FunctionDef) and function.decorator_list:
            for node in ast.walk(function):
                found += _mutants_at(file, lines, node)
    return sorted(set(found), key=lambda mutant: (mutant.line, mutant.start, mutant.new))


def _mutants_at(file: Path, lines: list[str], node: ast.AST) -> Iterator[Mutant]:
    if isinstance(node, ast.Compare) and len(node.ops) == 1:
        yield from _swapped(file, lines, node.left, node.comparators[0], OTHER_COMPARISON)
    elif isinstance(node, ast.BoolOp):
        yield from _swapped(file, lines, node.values[0], node.values[1], {"and": "or", "or": "and"})
    elif isinstance(node, ast.BinOp):
        yield from _swapped(file, lines, node.left, node.right, OTHER_SIGN)
    elif isinstance(node, ast.AugAssign):
        yield from _swapped(file, lines, node.target, node.value, OTHER_SIGN)
    elif isinstance(node, ast.UnaryOp) and isinstance(node.op, ast.Not):
        yield Mutant(file, node.lineno, node.col_offset, node.operand.col_offset, "")
    elif isinstance(node, ast.Constant) and isinstance(node.value, bool | int):
        new = str(not node.value) if isinstance(node.value, bool) else str(node.value + 1)
        yield Mutant(file, node.lineno, node.col_offset, node.end_col_offset or 0, new)
    if (
        isinstance(node, ast.Assign | ast.AugAssign | ast.Expr)
        and not _is_text(node)
        and node.lineno == node.end_lineno
    ):
        yield Mutant(file, node.lineno, node.col_offset, node.end_col_offset or 0, "pass")


def _is_text(node: ast.Assign | ast.AugAssign | ast.Expr) -> bool:
    return isinstance(node.value, ast.Constant) and isinstance(node.value.value, str)


def _swapped(file: Path, lines: list[str], left: ast.expr, right: ast.expr, others: dict[str, str]) -> Iterator[Mutant]:
    """The operator between two expressions that stand on one line, replaced by its counterpart."""
    if left.end_lineno != right.lineno or left.end_col_offset is None:
        return
    between = lines[right.lineno - 1][left.end_col_offset : right.col_offset]
    operator = between.strip(" ()")
    if operator in others:
        start = left.end_col_offset + between.index(operator)
        yield Mutant(file, right.lineno, start, start + len(operator), others[operator])


def draw(chapters: list[str], count: int, seed: int) -> list[Mutant]:
    files = [RULES / f"{chapter}.py" for chapter in chapters]
    found = [mutant for file in files for mutant in mutants_of(file)]
    return random.Random(seed).sample(found, min(count, len(found)))


def is_noticed(mutant: Mutant) -> bool:
    with tempfile.TemporaryDirectory() as folder:
        root = Path(folder)
        for name in COPIED:
            source = ROOT / name
            (shutil.copytree if source.is_dir() else shutil.copy)(source, root / name)
        mutant.put_into(root)
        return not _tests_pass(root, files_by_rules(mutant.file))


def files_by_rules(chapter: Path) -> list[str]:
    """All files of tests, those first that name most of the rules that the chapter names: so most faults show soon."""
    rules = set(RULE_ID.findall((ROOT / chapter).read_text(encoding="utf-8")))
    files = sorted(path.relative_to(ROOT) for path in (ROOT / "tests").rglob("test_*.py"))
    texts = {str(file): (ROOT / file).read_text(encoding="utf-8") for file in files}
    named = {file: sum(rule in rules for rule in RULE_ID.findall(text)) for file, text in texts.items()}
    return sorted(named, key=lambda file: -named[file])


def _tests_pass(root: Path, files: list[str]) -> bool:
    path = os.pathsep.join(str(root / source) for source in ("", "agents", "training", "app"))
    environment = {**os.environ, "NUMBA_DISABLE_JIT": "1", "PYTHONPATH": path, "PYTHONDONTWRITEBYTECODE": "1"}
    pytest = [sys.executable, "-m", "pytest", "-x", "-q", "-m", "rule and not slow", "-p", "no:cacheprovider", *files]
    command = ["sh", "-c", f'ulimit -t {TIME_LIMIT}; exec "$@"', "sh", *pytest]
    done = subprocess.run(command, cwd=root, env=environment, capture_output=True, check=False)
    return done.returncode == 0


def chapters_named(names: list[str]) -> list[str]:
    """`craft` is gear/craft, and `gear` all that lies in that folder."""
    folder = ROOT / RULES
    files = [path.relative_to(folder).with_suffix("") for path in folder.rglob("*.py") if path.stem != "__init__"]
    known = sorted(file for file in files if file.parts[0] not in NO_CHAPTERS)
    if unknown := [name for name in names if not any(name in file.parts for file in known)]:
        words = sorted({part for file in known for part in file.parts})
        sys.exit(f"mutants: no chapter is called {unknown[0]!r}: there are {', '.join(words)}")
    return [str(file) for file in known if not names or not set(names).isdisjoint(file.parts)]


def main() -> int:
    parser = argparse.ArgumentParser(
        description="Put small faults into the rules and see which the tests do not notice."
    )
    parser.add_argument("chapters", nargs="*", metavar="CHAPTER")
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--count", type=int, default=30)
    parser.add_argument("--workers", type=int, default=os.cpu_count() or 1)
    given = parser.parse_args()
    drawn = draw(chapters_named(given.chapters), given.count, given.seed)
    survivors = 0
    with ThreadPoolExecutor(given.workers) as pool:
        for mutant, noticed in zip(drawn, pool.map(is_noticed, drawn), strict=True):
            survivors += not noticed
            print(f"{'noticed ' if noticed else 'SURVIVED'}  {mutant}", flush=True)
    print(f"{len(drawn) - survivors} noticed, {survivors} survived (seed {given.seed})")
    return 1 if survivors else 0


if __name__ == "__main__":
    sys.exit(main())
