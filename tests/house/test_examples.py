"""The programs in examples/ run, on small numbers, and show what their docstrings promise."""

import os
import re
import subprocess
import sys
from pathlib import Path

import pytest

from tests.helpers.processes import search_path

ROOT = next(folder for folder in Path(__file__).resolve().parents if (folder / "pyproject.toml").is_file())
RUNS = {  # arguments, and what the output must have
    "random_play.py": (["--games", "2"], r"game 1: \w+, VP \(.*\n.*\nwhere the VP came from"),
    "own_agent_in_a_tournament.py": (["--games", "6", "--workers", "1"], r"own_agent_in_a_tournament\.Collector"),
    "imitation.py": (
        ["--games", "5", "--epochs", "1", "--width", "32"],
        r"epoch 1: loss \d\.\d+, \d+\.\d% of",
    ),
    "masked_ppo.py": (
        ["--decisions", "400", "--games", "8", "--steps", "8", "--evaluation-games", "4", "--out", "mine.safetensors"],
        r"wins \d+\.\d% \(.*\) against random\nplays as policy:mine.safetensors",
    ),
    "league.py": (
        ["--decisions", "400", "--games", "8", "--steps", "8", "--evaluation-games", "4", "--every", "150"],
        r"against random\nwins .* against policy:runs/league/past-0\.safetensors\n(wins .*\n)+",
    ),
    "content_variant.py": (["--games", "2"], r"VP of the winner +\d+\.\d+ +\d+\.\d+ +[+-]\d+\.\d+ ± \d+\.\d+"),
    "analyse_position.py": (["--rounds", "2", "--iterations", "16"], r"shogun chooses \w+(?s:.*)mcts:.* chooses \w+"),
}


def test_every_example_is_run():
    assert sorted(RUNS) == sorted(path.name for path in (ROOT / "examples").glob("*.py"))


@pytest.mark.slow
@pytest.mark.parametrize("name", RUNS)
def test_example_runs(name, tmp_path):
    arguments, shown = RUNS[name]
    command = [sys.executable, "-W", "error", ROOT / "examples" / name, *arguments]
    env = {**os.environ, "PYTHONUTF8": "1", "PYTHONPATH": search_path()}
    done = subprocess.run(command, capture_output=True, text=True, env=env, cwd=tmp_path, check=False)
    assert done.returncode == 0, done.stderr
    assert re.search(shown, done.stdout), done.stdout


def test_the_league_is_short():
    assert len((ROOT / "examples" / "league.py").read_text().splitlines()) < 100


def test_the_docs_show_every_example():
    page = (ROOT / "docs" / "examples.md").read_text()
    assert [name for name in RUNS if f"(../examples/{name})" not in page] == []
