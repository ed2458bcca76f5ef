"""The live view of a training."""

import io

import pytest

pytest.importorskip("sb3_contrib", reason="training is not installed: pip install -e '.[train]'")

from rich.console import Console

from fujikoro_app.train import PREPARING, View, duration, status_line
from fujikoro_env.kernel.jit import INTERPRETED
from fujikoro_training.learning.recipe import read_recipe, recipe_of
from fujikoro_training.learning.run import Status, train

RECIPE = read_recipe("ppo")


def row(decisions):
    matches = [
        {"opponent": name, "games of": "4 players", "games": 200, "share": 0.951, "low": 0.921, "high": 0.972}
        for name in ("random", "hunter", "runner")
    ]
    return {"decisions": decisions, "seconds": 12_345.6, "entropy": 1.234, "kl": 0.01234, "matches": matches}


def shown(width, *statuses):
    """Last screen of a terminal."""
    file = io.StringIO()
    with View(Console(file=file, force_terminal=True, width=width, color_system=None)) as view:
        began = file.getvalue()
        for status in statuses:
            view(status)
    return began, file.getvalue()


def test_the_table_of_the_longest_recipe_fits_80_columns():
    began, screen = shown(80, Status(RECIPE, 30_000_000, 4321.0, 1.234, 0.0123, row(30_000_000)))
    assert PREPARING in began
    assert "30,000,000    12346     1.23  0.0123  95.1 (92-97)  95.1 (92-97)  95.1 (92-97)" in screen
    assert "30,000,000 of 30,000,000 decisions, 4,321 per second, entropy 1.23, KL 0.0123" in screen


def test_the_rest_of_the_time_is_estimated():
    assert status_line(Status(RECIPE, 29_000_000, 1000.0)).endswith("1,000 per second, about 17 min left")
    assert [duration(seconds) for seconds in (42, 6300)] == ["42 s", "1.8 h"]


def test_an_evaluation_is_one_line_in_a_file():
    file = io.StringIO()
    with View(Console(file=file, width=40)) as view:
        view(Status(RECIPE, 100, row=row(100)))
    (line,) = file.getvalue().splitlines()
    assert line.startswith("100 decisions, 12346 s: won 95.1% (92.1% to 97.2%) against random (4 players); 95.1%")


def test_numbers_that_are_not_known_yet_are_left_out():
    assert status_line(Status(RECIPE)) == "0 of 30,000,000 decisions"


def test_only_the_last_evaluations_are_shown():
    _, screen = shown(80, *(Status(RECIPE, n, 1.0, 1.0, 0.1, row(n)) for n in range(101, 131)))
    last = screen.rpartition("% of games won")[2]
    assert [str(n) in last for n in (118, 119, 130)] == [False, True, True]


@pytest.mark.skipif(INTERPRETED, reason="plain Python plays too slowly")
def test_the_speed_is_that_of_learning(tmp_path):
    tiny = {
        "decisions": 60,
        "games": [{"players": 2, "max_rounds": 2}],
        "network": {"layers": [8]},
        "learning": {"games": 4, "steps": 8},
        "evaluation": {"every": 1, "games": 2, "final_games": 2},
    }
    found: list[Status] = []
    train(recipe_of("tiny", tiny), tmp_path, found.append)
    assert found[0].speed is None
    later = [status.speed for status in found if status.decisions]
    assert all(speed is not None and speed > 1 for speed in later)
