"""The recipes in examples/bridges train on small numbers, and their networks play: `make test-bridges`."""

import os
import re
import subprocess
import sys
from pathlib import Path

import pytest

from tests.helpers.processes import search_path

ROOT = Path(__file__).parents[2]
FOLDER = ROOT / "examples" / "bridges"
RUNS = {  # library, arguments, and what the output must have
    "torchrl_ppo.py": (
        "torchrl",
        ["--decisions", "600", "--steps", "300", "--max-rounds", "3", "--evaluation-games", "6"],
        r"600 decisions: entropy \d\.\d+, loss [+-]\d+\.\d+\nwins \d+\.\d% \(.*\) against random\n",
    ),
    "rllib_ppo.py": (
        "ray.rllib",
        ["--iterations", "2", "--decisions", "300", "--max-rounds", "3", "--evaluation-games", "6"],
        r"iteration 2: entropy \d\.\d+, loss [+-]\d+\.\d+\nwins \d+\.\d% \(.*\) against random\n",
    ),
}


def test_every_recipe_is_run_and_on_the_page():
    assert sorted(RUNS) == sorted(path.name for path in FOLDER.glob("*.py"))
    page = (ROOT / "docs" / "bridges.md").read_text()
    assert [name for name in RUNS if f"(../examples/bridges/{name})" not in page] == []


@pytest.mark.slow
@pytest.mark.parametrize("name", RUNS)
def test_recipe_trains_and_plays(name, tmp_path):
    library, arguments, shown = RUNS[name]
    pytest.importorskip(library, reason=f"{library} is not installed: make test-bridges")
    command = [sys.executable, FOLDER / name, *arguments]
    env = {**os.environ, "PYTHONUTF8": "1", "PYTHONPATH": search_path()}
    done = subprocess.run(command, capture_output=True, text=True, env=env, cwd=tmp_path, check=False)
    assert done.returncode == 0, done.stderr
    assert re.search(shown, done.stdout), done.stdout
