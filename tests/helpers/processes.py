"""Runs Python in another process."""

import os
import subprocess
import sys
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
COMPILED = {"NUMBA_DISABLE_JIT": "0", "FUJIKORO_CHECKED": "0"}  # whatever the mode of the tests themselves
SOURCES = ("", "agents", "training", "app")  # folders of a checkout that contain packages


def search_path(root: Path = ROOT) -> str:
    """The PYTHONPATH with which Python finds the packages of a checkout."""
    return os.pathsep.join(str(root / source) for source in SOURCES)


def run(*arguments: str, cwd: Path = ROOT, **environment: str) -> str:
    """Run Python in another process and return what it prints."""
    command = [sys.executable, *arguments]
    everything = {
        **os.environ,
        **COMPILED,
        "PYTHONPATH": search_path(cwd),
        "PYTHONDONTWRITEBYTECODE": "1",
        **environment,
    }
    done = subprocess.run(command, cwd=cwd, env=everything, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr
    return done.stdout
