"""The commands `fujikoro balance` and `fujikoro compare`."""

import json

import pytest

pytest.importorskip("statsmodels", reason="the extra balance is not installed")

from fujikoro_app.cli import main
from fujikoro_app.commands.balance import EXPERIMENTS
from fujikoro_training.balance import settings


@pytest.fixture(scope="module")
def finished(tmp_path_factory):
    """The folder of a small run."""
    folder = tmp_path_factory.mktemp("runs") / "seats"
    typed = ["balance", "seats", "--agents", "runner", "--players", "2", "--games", "4", "--jobs", "1"]
    assert main([*typed, "--out", str(folder)]) == 0
    return folder


def test_the_command_names_all_experiments():
    assert list(EXPERIMENTS) == list(settings.EXPERIMENTS)


def test_a_run_is_told_and_written(finished, capsys):
    typed = ["balance", "seats", "--settings", str(finished / "settings.toml"), "--jobs", "1", "--out", str(finished)]
    assert main(typed) == 0
    told = capsys.readouterr().out
    assert "1. in turn (runner, 2 players)" in told
    assert "fair 50.0%" in told
    assert main([*typed, "--json"]) == 0
    assert {row["measure"] for row in json.loads(capsys.readouterr().out)} == {"win share"}


def test_a_run_becomes_a_page(finished, tmp_path, capsys):
    page = tmp_path / "page.html"
    assert main(["balance", "report", str(finished), "--out", str(page)]) == 0
    text = page.read_text()
    assert "Seats: Does the place in the turn order matter?" in text
    assert "1. in turn" in text
    assert "http://" not in text.replace("http://www.w3.org", "")
    assert main(["balance", "report", str(finished), "--out", str(page)]) == 2  # never over another file


def test_an_evaluation_becomes_a_page(tmp_path):
    series = {
        "name": "random-4",
        "games": 8,
        "wins": [0.5, 0.2, 0.8],
        "fair": 0.25,
        "vp_lead": [3, 1, 5],
        "rounds": [20, 19, 21],
    }
    result = {"agent": "runner", "protocol": "v0", "games": 8, "is_result": True, "series": [series]}
    (tmp_path / "result.json").write_text(json.dumps(result))
    assert main(["report", str(tmp_path), "--out", str(tmp_path / "page.html")]) == 0
    assert "Evaluation of runner" in (tmp_path / "page.html").read_text()


def test_two_sides_are_compared_in_one_line(capsys):
    assert main(["compare", "final_at=10", "base", "--games", "4", "--players", "2"]) == 0
    told = capsys.readouterr().out
    assert told.startswith("final_at=10 and base: rounds ")
    assert told.count("\n") == 1


@pytest.mark.parametrize(
    ("typed", "lines", "says"),
    [
        (["balance", "seats", "--agents", "ninja"], 1, "ninja"),
        (["balance", "seats", "--players", "9"], 1, "from 2 to 6"),
        (["balance", "seats", "--settings", "none.toml"], 1, "No such file"),
        (["balance", "seats", "--games", "1", "--within", "3"], 2, "allowed are"),
        (["balance", "characters", "--agents", "mcts:iterations=4"], 1, "only scripted agents"),
        (["balance", "report", "nowhere"], 1, "nowhere"),
        (["balance", "tune", "--target", "fair", "--change", "characters.*.vp=0..3"], 1, "characters within N points"),
        (["balance", "tune", "--target", "characters within 3 points", "--change", "x"], 1, "PATH=LOW..HIGH"),
        (["compare", "ninja", "base"], 1, "neither an agent"),
        (["compare", "runner", "base"], 1, "both must be alike"),
    ],
)
def test_bad_input_gets_one_line_for_each_fault(typed, lines, says, capsys, tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    assert main(typed) == 2
    told = capsys.readouterr()
    assert told.err.count("\n") == lines
    assert says in told.err
    assert told.out == ""
    assert not list(tmp_path.iterdir())
