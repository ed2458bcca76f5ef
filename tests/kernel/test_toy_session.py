"""The toy game in sessions, in recordings and at the keyboard, with the kernel's classes for small games."""

import json

import pytest

from fujikoro_app.cli import main
from fujikoro_env.kernel.agents import RandomAgent
from fujikoro_env.kernel.record import OPEN, SPECTATOR, RecordError, Replay
from fujikoro_env.kernel.record.simple import SimpleRecorded
from tests.kernel.toy_game.game import Game, Recorder, Recording, Rules, Session


def played(steps=10**6):
    agents = [RandomAgent(), RandomAgent()]
    for seat, agent in enumerate(agents):
        agent.reset(3, seat)
    session = Session(Rules(players=2, goal=20), 7, agents=agents)
    while not session.over and session.steps < steps:
        session.advance()
    return session


def test_agents_play_and_the_game_is_recorded_and_replayed():
    session = played()
    assert session.outcome.winners == tuple(p for p in range(2) if session.game.scores[p] >= 20)
    text = session.recording().to_json()
    replay = Replay(Recording.from_json(text))
    assert replay.game_at(replay.last).digest() == session.game.digest()
    assert Session.from_replay(replay).history == session.history


def test_sources_of_the_rules_must_exist():
    recorded = SimpleRecorded("pig", "tests.kernel.toy_game", ("rule.py",), Game, Rules)
    with pytest.raises(FileNotFoundError, match=r"rule\.py: the game says that its rules are here"):
        _ = recorded.engine_digest


def test_undo_forks_and_events():
    session = played(12)
    digest = session.game_at(5).digest()
    branch = session.fork(5)
    session.undo_to(5)
    assert session.game.digest() == branch.game.digest() == digest
    assert [event.name for event in session.events_since(0, SPECTATOR)] == [
        event.name for event in session.events_since(0, OPEN)
    ]


def test_a_recording_may_begin_in_a_position():
    game = played(5).game
    recorder = Recorder(game, ["a", "b"])
    recorder.step(int(game.legal_actions()[0]))
    replay = Replay(Recording.from_json(recorder.recording().to_json()))
    assert replay.game_at(1).digest() == game.digest()


@pytest.mark.parametrize(
    ("key", "value", "told"),
    [
        ("pig", "x", "file: not a recorded game of tests.kernel.toy_game"),
        ("rules", {"players": 9}, "rules: players=9"),
        ("rules", {"hat": 9}, "rules: "),
        ("rules", 3, "rules: 3 is not an object"),
        ("outcome", {"scores": 1}, "outcome: ranking is missing"),
        ("start", {"position": {"saved": "x"}, "digest": ""}, "start.position: saved: "),
        ("start", {"position": {}, "digest": ""}, "start.position: saved: "),
    ],
)
def test_an_altered_recording_gets_one_line(key, value, told):
    whole = json.loads(played().recording().to_json())
    whole[key] = value
    with pytest.raises(RecordError) as error:
        Replay(Recording.from_json(json.dumps(whole)))
    assert str(error.value).startswith(told)
    assert "\n" not in str(error.value)


def test_people_play_watch_and_replay(monkeypatch, capsys, tmp_path):
    file = str(tmp_path / "game.json")
    assert main(["watch", "--game", "pig", "--by", "random", "--players", "2", "--save", file]) == 0
    assert main(["replay", file, "--check"]) == 0
    said = capsys.readouterr().out
    assert "Pig, seed 0" in said
    assert "it replays to the same digest" in said
    answers = iter(["?", "table", "mine", "hint", "undo"])
    monkeypatch.setattr("builtins.input", lambda _prompt="": next(answers, "quit"))
    assert main(["play", "--game", "pig", "--players", "2", "--seed", "1"]) == 0
    assert "You left the game" in capsys.readouterr().out


def test_a_running_game_has_no_outcome():
    assert Game(Rules(), 1).outcome is None
