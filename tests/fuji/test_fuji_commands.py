"""`fujikoro play`, `watch` and `replay` with Fuji."""

import json
from typing import Any

import pytest

from fuji_env import Game
from fujikoro_app.bench_any import Effort, as_table, measured
from fujikoro_app.cli import main
from fujikoro_env.kernel.declared import find_game

GAME = ["--game", "fuji", "--players", "3"]


@pytest.fixture
def typed(monkeypatch):
    """Answers of a person, one after the other, and then the end of the input."""

    def set_answers(*lines: str) -> None:
        left = iter(lines)

        def read(_prompt: str = "") -> str:
            try:
                return next(left)
            except StopIteration:
                raise EOFError from None

        monkeypatch.setattr("builtins.input", read)

    return set_answers


def bad(capsys, *arguments: str) -> str:
    """The one line that a command with bad input prints."""
    assert main(list(arguments)) == 2
    told = capsys.readouterr()
    assert not told.out
    assert told.err.count("\n") == 1
    return str(told.err)


def test_a_person_plays_with_agents(typed, capsys):
    typed("?", "conditions", "figures", "mine", "map", "table", "help", "hint", "d3", "st", "undo", "c4", "quit")
    assert main(["play", *GAME, "--seed", "11", "--opponents", "guide"]) == 0
    said = capsys.readouterr().out
    assert "Fuji, seed 11" in said
    assert "counts " in said
    assert "guide would choose" in said
    assert "Traceback" not in said
    assert said.rstrip().endswith("You left the game in round 1.")


def test_a_person_sees_only_its_own_dice(typed, capsys):
    typed("figures", "quit")
    assert main(["play", *GAME, "--seed", "11", "--option", "skills=buddy+scout+gatherer"]) == 0
    lines = [line for line in capsys.readouterr().out.splitlines() if line.startswith("figure ")]
    assert lines
    assert all(("?" in line.rpartition("dice")[2]) == (not line.startswith("figure 0")) for line in lines)


def test_a_saved_game_goes_on(typed, capsys, tmp_path):
    file = str(tmp_path / "game.json")
    typed(f"save {file}", "quit")
    assert main(["play", *GAME, "--seed", "11"]) == 0
    assert f"fujikoro play --game fuji --position {file}" in " ".join(capsys.readouterr().out.split())
    saved = Game.from_json((tmp_path / "game.json").read_text(encoding="utf-8"))
    assert saved.actor == 0
    typed("quit")
    assert main(["play", "--game", "fuji", "--position", file]) == 0
    capsys.readouterr()
    (tmp_path / "wrong.json").write_text('{"version": 3}', encoding="utf-8")
    told = bad(capsys, "play", "--game", "fuji", "--position", str(tmp_path / "wrong.json"))
    assert "version: 3 is not known" in told


def test_a_game_is_watched_saved_and_replayed(typed, capsys, tmp_path):
    file = str(tmp_path / "game.json")
    assert main(["watch", *GAME, "--by", "guide", "--seed", "3", "--save", file, "--every", "2"]) == 0
    said = capsys.readouterr().out
    assert "The game is won in round" in said
    assert "reroll: hidden" in said
    assert main(["replay", file, "--check"]) == 0
    assert "it replays to the same digest" in capsys.readouterr().out
    assert main(["replay", file, "--json"]) == 0
    assert json.loads(capsys.readouterr().out)["outcome"]["won"]
    typed("", "next 3", "round 2", "back 6", "next 6", "table", "last", "quit")
    assert main(["replay", file]) == 0
    said = capsys.readouterr().out
    assert "answers NEXT with figure(" in said
    assert " rolls " in said
    assert "The game is won" in said


def test_an_agent_that_fails_forfeits(capsys):
    name = "python:tests.helpers.agents_that_fail.Raises"
    assert main(["watch", *GAME, "--by", f"{name},random,random", "--seed", "3"]) == 1
    assert "forfeits, and a random agent plays on for it" in capsys.readouterr().out


def test_batches_are_compared_with_those_of_fuji_koro():
    found = measured(find_game("fuji"), 1, Effort(games=8, observed_games=4, steps=3, observed_steps=3, spread=5))
    assert set(found["decisions_per_second"]) == {"fujikoro", "fuji"}
    assert all(each["ratio"] > 0 for each in found["ratios"].values())
    assert "times as fast; target 0.8" in as_table(find_game("fuji"), found)


WRONG: list[tuple[list[str], str]] = [
    (["play", "--game", "chess"], "game 'chess' is not known"),
    (["play", *GAME, "--seat", "5"], "--seat 5: allowed are 0 to 2"),
    (["play", *GAME, "--opponents", "shogun"], "agent 'shogun' is not known"),
    (["play", *GAME, "--option", "level=9"], "level=9: allowed are the numbers 1 to 4"),
    (["play", *GAME, "--option", "hurry=1"], "Fuji has no setting 'hurry'"),
    (["play", *GAME, "--final-at", "9"], "--final-at does not go with --game fuji"),
    (["bench", "--game", "fuji", "--cold"], "--cold does not go with --game fuji"),
    (["watch", *GAME, "--by", "guide,guide"], "2 agents are named; allowed is one, or one for each of 3 seats"),
]


@pytest.mark.parametrize(("arguments", "told"), WRONG)
def test_bad_input_gets_one_line(arguments: list[str], told: str, capsys: Any):
    assert told in bad(capsys, *arguments)


def test_a_damaged_recording_gets_one_line(capsys, tmp_path):
    for text, told in (("{", "not JSON"), ("{}", "not a recorded game"), ('{"go": "recorded game"}', "game 'go'")):
        (tmp_path / "game.json").write_text(text, encoding="utf-8")
        assert told in bad(capsys, "replay", str(tmp_path / "game.json"))
