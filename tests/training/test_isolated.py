"""Isolated agents: each plays in a process of its own, which gets only its views and whose answers are checked."""

import io
import json
import os
import random
import re
import signal
import subprocess
import sys
import threading
import time
from collections import Counter
from contextlib import closing
from dataclasses import replace
from pathlib import Path

import pytest

pytest.importorskip("pyarrow", reason="tournaments are not installed: pip install -e '.[tournament]'")

from fujikoro_app.cli import main
from fujikoro_env import Game, Rules
from fujikoro_env.kernel.jit import INTERPRETED
from fujikoro_env.player import AgentError
from fujikoro_env.rules.base.actions import ACTIONS
from fujikoro_training.tournament.entrants import agent_digest
from fujikoro_training.tournament.failures import FailureError, Forfeit
from fujikoro_training.tournament.frames import (
    LONGEST_ANSWER,
    FrameError,
    read_frame,
    view_bytes,
    view_of,
    view_size,
    write_frame,
)
from fujikoro_training.tournament.isolated import IsolatedAgent, isolated_digest
from fujikoro_training.tournament.match import MatchRunner
from fujikoro_training.tournament.run import Plan
from fujikoro_training.tournament.schedule import Match
from fujikoro_training.tournament.store import JOURNAL
from tests.helpers.hostile import HOSTILE_INPUTS
from tests.helpers.processes import ROOT

pytestmark = pytest.mark.skipif(INTERPRETED, reason="plain Python plays too slowly")
RULES = Rules(2, max_rounds=4, characters="random")
MATCH = Match(0, 0, 0, 5, (0, 1))


def bot(name: str) -> str:
    return f"python:tests.helpers.bots.{name}"


def isolated(*names: str, move_seconds: float = 60) -> "closing[MatchRunner]":
    return closing(MatchRunner(list(names), RULES, move_seconds, salt="pepper", isolate=True))


# Messages


def test_a_view_arrives_as_it_was_and_a_game_is_never_sent():
    game = Game(Rules(3), seed=4)
    for _ in range(200):
        view = game.view(game.actor)
        there = view_of(view_bytes(view), game.actor, game.rules)
        assert there.digest() == view.digest()
        assert there.legal_actions().tolist() == view.legal_actions().tolist()
        assert there.viewer == game.actor
        assert len(view_bytes(view)) == view_size()
        game.step(int(game.legal_actions()[-1]))
    with pytest.raises(ValueError, match="this is a game, not a player's view"):
        view_bytes(game)


def test_what_is_sent_does_not_depend_on_what_is_hidden():
    game = Game(Rules(3), seed=4)
    for seed in range(20):
        assert view_bytes(game.determinize(game.actor, seed).view(game.actor)) == view_bytes(game.view(game.actor))


@pytest.mark.parametrize(
    ("sent", "told"),
    [
        (b"", None),
        (b"\x05\x00\x00", None),
        (b"\x05\x00\x00\x00\x00\x00\x00\x00{", None),
        (b"\xff" * 100, "it is too long"),
        ((LONGEST_ANSWER + 1).to_bytes(8, "little"), "it is too long"),
        (b"\x01\x00\x00\x00\x01\x00\x00\x001x", "it is too long"),  # answers have no body
        (b"\x04\x00\x00\x00\x00\x00\x00\x00nope", "it is not JSON"),
        ((4000).to_bytes(8, "little") + b"[" * 4000, "it is not JSON"),
        ((4).to_bytes(8, "little") + b"\xff\xfe\xfd\xfc", "it is not JSON"),
    ],
)
def test_damaged_messages_are_refused(sent, told):
    if told is None:
        with pytest.raises(EOFError):
            read_frame(io.BytesIO(sent), LONGEST_ANSWER, 0)
    else:
        with pytest.raises(FrameError, match=told):
            read_frame(io.BytesIO(sent), LONGEST_ANSWER, 0)


# One process for all answers: what a process sends is checked without starting one for each answer.


class Pipe(io.BytesIO):
    """Stays open, so that it can be used again."""

    def close(self) -> None:
        pass


class FakeProcess:
    """In place of the agent's process: answers what the test says."""

    pid, returncode = 2**30, 9

    def __init__(self, *_command: object, **_settings: object) -> None:
        self.stdin, self.stdout = Pipe(), Pipe()
        self.answer(b'{"request": 1, "given": null}')

    def answer(self, head: bytes) -> None:
        self.stdout = Pipe(len(head).to_bytes(8, "little") + head)

    def kill(self) -> None:
        pass

    def wait(self, timeout: float = 0.0) -> int:
        return self.returncode


ANSWERS = [
    "",
    "null",
    "7",
    "[]",
    "{}",
    '"0"',
    '{"request": 2}',
    '{"given": 0}',
    '{"request": 1, "given": 0}',
    '{"request": 3, "given": 0}',
    '{"request": "2", "given": 0}',
    '{"request": 2, "given": 0, "more": 0}',
    '{"request": 2, "raised": 0}',
    '{"request": 2, "given": null}',
    '{"request": 2, "given": true}',
    '{"request": 2, "given": 0.0}',
    '{"request": 2, "given": NaN}',
    '{"request": 2, "given": -1}',
    '{"request": 2, "given": 100000}',
    '{"request": 2, "given": [0]}',
    '{"request": 2, "given": 1' + "0" * 4000 + "}",
    '{"request": 2, "given": ' + "[" * 3000 + "]" * 1000,
]


@pytest.mark.parametrize("sent", ANSWERS, ids=range(len(ANSWERS)))
def test_an_answer_of_another_form_forfeits(sent, monkeypatch, record_property):
    monkeypatch.setattr(subprocess, "Popen", FakeProcess)
    agent = IsolatedAgent("random", RULES, 60)
    agent._process.answer(sent.encode())  # type: ignore[attr-defined]
    with pytest.raises(FailureError) as failed:
        agent.act(Game(RULES, 1).view(0))
    assert failed.value.reason == "illegal"
    assert failed.value.detail.startswith("its process sent something else than an answer: ")
    record_property(HOSTILE_INPUTS, 1)


@pytest.mark.long
def test_damaged_answers_are_actions_or_forfeits(monkeypatch, record_property):
    monkeypatch.setattr(subprocess, "Popen", FakeProcess)
    monkeypatch.setattr(threading, "Timer", NoTimer)
    luck, view, tries = random.Random(1), Game(RULES, 1).view(0), 20_000
    outcomes = Counter(answered(damaged(luck), view) for _ in range(tries))
    assert set(outcomes) == {"action", "illegal", "raised"}
    record_property(HOSTILE_INPUTS, tries)


class NoTimer:
    """In place of a timer: fake processes answer at once."""

    def __init__(self, *_arguments: object) -> None:
        pass

    def start(self) -> None:
        pass

    cancel = start


DAMAGES = (b"", b"9", b"-", b'"', b"[", b"null")


def damaged(luck: random.Random) -> bytes:
    """An answer with some bytes replaced, inserted or removed."""
    found = bytearray(luck.choice([b'{"request": 2, "given": 17}', b'{"request": 2, "raised": "ValueError"}']))
    for _ in range(luck.randrange(4)):
        where = luck.randrange(len(found))
        found[where : where + luck.randrange(3)] = luck.choice([*DAMAGES, luck.randbytes(2)])
    return bytes(found)


def answered(sent: bytes, view: Game) -> str:
    agent = IsolatedAgent("random", RULES, 60)
    agent._process.answer(sent)  # type: ignore[attr-defined]
    try:
        assert 0 <= agent.act(view) < ACTIONS
    except FailureError as failure:
        return failure.reason if failure.detail.isprintable() else "unprintable"
    return "action"


def test_reasons_of_a_process_are_one_printable_line(monkeypatch):
    monkeypatch.setattr(subprocess, "Popen", FakeProcess)
    agent = IsolatedAgent("random", RULES, 60)
    agent._process.answer(json.dumps({"request": 2, "raised": "\x1b[2J\n\x00" + "x" * 1000}).encode())  # type: ignore[attr-defined]
    with pytest.raises(FailureError) as failed:
        agent.act(Game(RULES, 1).view(0))
    assert re.fullmatch(r"\\x1b\[2J \\x00x{150,}…", failed.value.detail)


def test_requests_can_be_read_again():
    file = io.BytesIO()
    write_frame(file, {"do": "act"}, b"body")
    file.seek(0)
    assert read_frame(file, 100, 4) == ({"do": "act"}, b"body")


# Real processes


def test_isolated_agents_play_the_same_games():
    names = ["random", bot("Dicey"), "hunter", bot("Talkative")]
    rules = Rules(4, max_rounds=4, characters="random")
    matches = [Match(game, 0, 0, 5 + game, (0, 1, 2, 3)) for game in range(2)]
    ordinary = MatchRunner([*names[:3], bot("First")], rules, 60, salt="pepper")
    with closing(MatchRunner(names, rules, 60, salt="pepper", isolate=True)) as table:
        for match in matches:
            assert replace(table.play(match), seconds=[]) == replace(ordinary.play(match), seconds=[])


@pytest.mark.parametrize(
    ("names", "expected"),
    [
        (("Raises", "Leaves"), [("raised", "ValueError: no idea"), ("raised", "SystemExit: 1")]),
        (("Dies", "Shrugs"), [("crashed", "ended its process, exit status 7"), ("illegal", "returned a NoneType, .*")]),
        (("HangsInC", "Floods"), [("time", "took longer than 2 s"), ("illegal", ".* answer: it is too long")]),
        (("SendsRubbish", "SendsNesting"), [("illegal", ".* it is not JSON"), ("illegal", ".* it is not JSON")]),
        (
            ("SendsAnotherAnswer", "SendsFraction"),
            [("illegal", ".* is not an answer"), ("illegal", ".* has no action")],
        ),
    ],
)
def test_a_process_that_ends_hangs_floods_or_sends_rubbish_forfeits(names, expected, record_property):
    with isolated(*map(bot, names), move_seconds=2) as table:
        result = table.play(MATCH)
    for seat, (reason, detail) in enumerate(expected):
        assert result.forfeits[seat].reason == reason
        assert re.fullmatch(detail, result.forfeits[seat].detail)
        assert result.forfeits[seat].decision > 0
    assert result.ranks == [1, 1]
    record_property(HOSTILE_INPUTS, 2)


def test_an_agent_that_ends_its_process_when_it_is_made_forfeits_and_costs_no_other_process():
    with isolated(bot("ExitsWhenIsolated"), "random") as table:
        result = table.play(MATCH)
    assert result.forfeits == {0: Forfeit(-1, "crashed", "ended its process, exit status 3")}


def test_a_process_knows_its_agent_and_its_views_alone(tmp_path, monkeypatch):
    monkeypatch.setenv("SECRET_OF_THE_USER", "swordfish")
    notes = tmp_path / "notes.json"
    with isolated(f"{bot('Spies')}:notes={notes}", "random") as table:
        assert not table.play(MATCH).forfeits
    arguments, environment, saw_hidden, whole_games = json.loads(notes.read_text())
    assert (arguments, saw_hidden, whole_games) == ([], False, 0)
    assert "PATH" in environment
    assert "SECRET_OF_THE_USER" not in environment


def test_the_process_of_an_agent_ends_with_the_one_that_started_it():
    code = "from tests.helpers.orphans import start_isolated; start_isolated()"
    parent = subprocess.Popen([sys.executable, "-c", code], cwd=ROOT, stdout=subprocess.PIPE, text=True)
    assert parent.stdout is not None
    child = int(parent.stdout.readline())
    parent.kill()
    parent.communicate()
    deadline = time.monotonic() + 20
    while is_running(child):
        if time.monotonic() > deadline:
            os.kill(child, signal.SIGKILL)
            pytest.fail("the process is still there")
        time.sleep(0.05)


def is_running(process: int) -> bool:
    """Whether a process is running; one that nobody waited for does not count."""
    try:
        os.kill(process, 0)
    except ProcessLookupError:
        return False
    state = Path(f"/proc/{process}/stat")
    return not state.exists() or state.read_text().rpartition(")")[2].split()[0] != "Z"


def test_names_are_checked_and_code_is_identified_without_running_it_here():
    assert isolated_digest("hunter", RULES) == agent_digest("hunter")
    with pytest.raises(AgentError, match=r"^agent 'shinobi' is not known: there are "):
        Plan(["random", "shinobi"], RULES, isolate=True)
    with pytest.raises(AgentError, match="can't be made: ended its process, exit status 3"):
        Plan([bot("ExitsWhenIsolated"), "random"], RULES, isolate=True)


def test_the_command_isolates_and_its_journal_says_so(tmp_path, capsys):
    out = tmp_path / "cup"
    command = ["tournament", "--players", f"random,{bot('Dies')}", "--seats", "2", "--max-rounds", "3", "--games", "2"]
    assert main([*command, "--workers", "1", "--out", str(out), "--isolate", "--json"]) == 0
    found = json.loads(capsys.readouterr().out)
    assert {forfeit["reason"] for forfeit in found["forfeits"]} == {"crashed"}
    assert found["settings"]["isolate"] is True
    assert json.loads((out / JOURNAL).read_text().splitlines()[0])["isolate"] is True
    assert main([*command, "--out", str(out)]) == 2
    assert "has isolate true, not false" in capsys.readouterr().err
