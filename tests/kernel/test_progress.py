"""The progress bar that is shown while rules are compiled."""

import time
from types import SimpleNamespace
from typing import Any

import pytest

from fujikoro_env.kernel import progress
from fujikoro_env.kernel.progress import Progress

STEPS, LOOKS, RULE = (SimpleNamespace(py_func=SimpleNamespace(__name__=name)) for name in ("steps", "looks", "a_rule"))


@pytest.fixture
def impatient(monkeypatch):
    monkeypatch.setattr(progress, "PATIENCE", -1.0)


def compiled(shown: Progress, on_the_way: Any = lambda: None) -> None:
    """Compile two entries, of which the first calls a rule."""
    with shown.batch([STEPS, LOOKS]):
        with shown.compiling(STEPS):
            with shown.compiling(RULE):
                on_the_way()
            shown.optimising()
        with shown.compiling(LOOKS):
            pass


def test_a_terminal_shows_which_entry_and_what_is_left(impatient, monkeypatch, capsys):
    monkeypatch.setattr("sys.stderr.isatty", lambda: True)
    monkeypatch.setenv("TERM", "xterm")
    monkeypatch.setenv("COLUMNS", "120")
    monkeypatch.setenv("FORCE_COLOR", "1")  # so that rich takes what is captured for a terminal
    monkeypatch.setenv("NO_COLOR", "1")
    shown = Progress(lambda entries: 10 * len(entries))
    compiled(shown, lambda: time.sleep(0.6))  # longer than between two refreshes of the bar
    said = capsys.readouterr().err
    assert "compiling steps (entry 1 of 2)" in said
    assert "0 of 20 functions" in said
    assert said.splitlines()[-1].endswith("fujikoro: compiled 3 functions in 1 s; later starts take a second")
    assert shown.done == 3


def test_elsewhere_one_plain_line_is_enough(impatient, capsys):
    shown = Progress(lambda _entries: 0)
    compiled(shown)
    compiled(shown)
    assert capsys.readouterr().err == "fujikoro: compiling the rules, once; later starts take a second\n"


def test_what_comes_from_the_cache_is_not_worth_a_word(monkeypatch, capsys):
    monkeypatch.setattr("sys.stderr.isatty", lambda: True)
    compiled(Progress(lambda _entries: 0))
    assert capsys.readouterr().err == ""


def test_an_interrupt_leaves_the_terminal_as_it_was(impatient, monkeypatch, capsys):
    def interrupt() -> None:
        raise KeyboardInterrupt

    monkeypatch.setattr("sys.stderr.isatty", lambda: True)
    monkeypatch.setenv("TERM", "xterm")
    monkeypatch.setenv("FORCE_COLOR", "1")
    shown = Progress(lambda _entries: 5)
    with pytest.raises(KeyboardInterrupt):
        compiled(shown, interrupt)
    said = capsys.readouterr().err
    assert said.count("\033[?25l") == said.count("\033[?25h") == 1  # the cursor was hidden, and is shown again
    compiled(shown)
    assert shown.done == 3
