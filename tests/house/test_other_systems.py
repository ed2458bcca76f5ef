"""Other systems than Unix: everything that everybody uses works without modules and functions that only Unix has.

Python is started with a `sitecustomize` module that hides them, in worker processes, too.
"""

import json
import os
import subprocess
import sys

import pytest

from fujikoro_env.kernel.jit import INTERPRETED
from tests.helpers.processes import ROOT, search_path

MODULES = ("crypt", "curses", "fcntl", "grp", "pty", "pwd", "readline", "resource", "syslog", "termios", "tty")
SIGNALS = ("SIGALRM", "SIGHUP", "SIGPIPE", "SIGUSR1", "SIGUSR2", "ITIMER_REAL", "alarm", "setitimer")
FUNCTIONS = ("chown", "fork", "forkpty", "geteuid", "getpgid", "getuid", "killpg", "nice", "sched_getaffinity")
HIDE = f"""
import os, signal, sys
for name in {MODULES}:
    sys.modules[name] = None
for place, names in ((signal, {SIGNALS}), (os, {FUNCTIONS})):
    for name in names:
        if hasattr(place, name):
            delattr(place, name)
"""
IMPORT_ALL = """
import importlib, pkgutil, sys
import fujikoro_agents, fujikoro_app, fujikoro_env, fujikoro_training
hidden, found = sys.argv[1:], 0
sys.modules["ray"] = None  # as installed here, on Unix, it needs modules that are hidden
for package in (fujikoro_env, fujikoro_agents, fujikoro_training, fujikoro_app):
    for module in pkgutil.walk_packages(package.__path__, package.__name__ + "."):
        if module.name.endswith("__main__"):
            continue
        try:
            importlib.import_module(module.name)
            found += 1
        except ImportError as error:  # a library that is not installed, but nothing that is hidden
            assert error.name not in (None, *hidden), (module.name, error)
            assert not error.name.startswith("fujikoro"), (module.name, error)
print(found)
"""


@pytest.fixture
def without_unix(tmp_path):
    """Runs Python without what only Unix has, and returns what it prints."""
    hiding = tmp_path / "hiding"
    hiding.mkdir()
    (hiding / "sitecustomize.py").write_text(HIDE)

    def run(*arguments: str) -> str:
        environment = {**os.environ, "PYTHONPATH": os.pathsep.join([str(hiding), search_path()])}
        done = subprocess.run(
            [sys.executable, *arguments], cwd=ROOT, env=environment, capture_output=True, text=True, check=False
        )
        assert done.returncode == 0, done.stderr[-2000:]
        return done.stdout

    return run


def test_what_only_unix_has_is_hidden(without_unix):
    assert without_unix("-c", "import os; print(hasattr(os, 'fork'))") == "False\n"
    for name in ("fcntl", "termios"):
        with pytest.raises(AssertionError, match=f"import of {name} halted"):
            without_unix("-c", f"import {name}")


def test_all_modules_can_be_imported(without_unix):
    assert int(without_unix("-W", "ignore", "-c", IMPORT_ALL, *MODULES)) > 200


@pytest.mark.skipif(INTERPRETED, reason="plain Python plays too slowly")
def test_a_game_can_be_watched(without_unix):
    command = ["-m", "fujikoro_app.cli", "watch", "--players", "2", "--max-rounds", "2"]
    assert "The game is over in round 2" in without_unix(*command)


@pytest.mark.slow
@pytest.mark.skipif(INTERPRETED, reason="plain Python plays too slowly")
def test_a_tournament_can_be_played(without_unix, tmp_path):
    """With a worker, and agents in processes of their own, one of which never returns: time limits need no signals."""
    pytest.importorskip("scipy", reason="tournaments are not installed: pip install -e '.[tournament]'")
    players = "random,python:tests.helpers.bots.Hangs"
    command = ["-W", "ignore", "-m", "fujikoro_app.cli", "tournament", "--players", players, "--isolate", "--json"]
    rules = ["--seats", "2", "--max-rounds", "3", "--games", "1", "--move-seconds", "1"]
    found = json.loads(without_unix(*command, *rules, "--workers", "1", "--out", str(tmp_path / "cup")))
    assert {forfeit["reason"] for forfeit in found["forfeits"]} == {"time"}
    assert found["games"] == 2
