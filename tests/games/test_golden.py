"""Whole games are played as before, line by line; and the signature of the benchmark is up to date."""

from itertools import zip_longest

import pytest

from fujikoro_app import bench
from fujikoro_env.kernel import jit
from tools import make_goldens

CONTEXT = 4  # lines shown before and after the first that differs
RENEW = f"if the rules were meant to change: {make_goldens.COMMAND} (docs/goldens.md)"


def first_difference(kept: list[str], played: list[str]) -> str:
    """The first different line with its context, or "" if there is none."""
    pairs = enumerate(zip_longest(kept, played))
    where = next((number for number, (old, new) in pairs if old != new), None)
    if where is None:
        return ""
    before = [f"      {line}" for line in kept[max(0, where - CONTEXT) : where]]
    return "\n".join([f"line {where + 1}:", *before, *_lines("kept", kept, where), *_lines("now", played, where)])


def _lines(label: str, lines: list[str], first: int) -> list[str]:
    shown = lines[first : first + CONTEXT] or ["(no line: it ends before)"]
    return [f"{label:>4}: {line}" for line in shown]


@pytest.mark.slow
@pytest.mark.parametrize("name", [*make_goldens.GAMES, *make_goldens.FUJI_GAMES])
def test_a_game_is_played_as_before(name):
    path = make_goldens.transcript_path(name)
    kept = path.read_text(encoding="utf-8").splitlines()
    difference = first_difference(kept, make_goldens.golden_game(name))
    assert not difference, f"{path.name} differs from {difference}\n{RENEW}"


def test_the_first_difference_is_shown_with_its_neighbours():
    kept = [f"line {number}" for number in range(20)]
    assert first_difference(kept, kept) == ""
    played = [*kept[:9], "another line", *kept[10:]]
    shown = first_difference(kept, played).splitlines()
    assert shown[0] == "line 10:"
    assert "kept: line 9" in shown
    assert " now: another line" in shown
    assert not any(far in text for far in ("line 4", "line 13") for text in shown)


@pytest.mark.parametrize("shorter", ["kept", "played"])
def test_a_game_that_ends_earlier_differs(shorter):
    lines = ["one", "two", "three"]
    kept, played = (lines[:2], lines) if shorter == "kept" else (lines, lines[:2])
    assert "(no line: it ends before)" in first_difference(kept, played)


@pytest.mark.skipif(jit.INTERPRETED, reason="a thousand games take too long as plain Python")
def test_the_signature_of_the_benchmark():
    assert bench.signature() == bench.SIGNATURE, RENEW
