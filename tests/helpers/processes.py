"""Python in another process."""

import os
import subprocess
import sys
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
COMPILED = {"NUMBA_DISABLE_JIT": "0", "FUJIKORO_CHECKED": "0"}  # however the tests themselves run
SOURCES = ("", "agents", "training", "app")  # folders of a checkout in which packages lie


def search_path(root: Path = ROOT) -> str:
    """What PYTHONPATH has to be for Python to find the packages of a checkout."""
    return os.pathsep.join(str(root / source) for source in SOURCES)


def run(*arguments: str, cwd: Path = ROOT, **environment: str) -> str:
    """What Python prints in another process."""
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
