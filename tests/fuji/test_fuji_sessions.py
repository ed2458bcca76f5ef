"""Fuji in sessions and recordings: events as each audience sees them, undo, forks, files that are hostile."""

import json
import random
from functools import cache
from typing import Any

import numpy as np
import pytest

from fuji_env import Game, Rules, Session
from fuji_env.player import make_agents
from fuji_env.record import RECORDED, Recorder, Recording
from fuji_env.rules.base.phases import Phase
from fujikoro_env.kernel.game import IllegalActionError
from fujikoro_env.kernel.record import OPEN, SPECTATOR, RecordError, Replay
from fujikoro_env.kernel.session import SessionError
from tests.helpers.damaged_files import damaged
from tests.helpers.fuji import plan, table, to_moves
from tests.helpers.fuji_games import TABLES, choice, games, random_game
from tests.helpers.hostile import HOSTILE_INPUTS

DAMAGES = 200


def played(rules: dict[str, Any], seed: int, steps: int = 10_000) -> Session:
    """A session in which random actions were played."""
    session, luck = Session(Rules(**rules), seed), np.random.default_rng(seed)
    while not session.over and session.steps < steps:
        session.submit(choice(session.game, luck))
    return session


# --- sessions ---------------------------------------------------------------------------------------------------------


def test_agents_and_people_play_a_game():
    agents = make_agents(["guide"] * 3, seed=1)
    session = Session(Rules(players=3), 7, agents=[None, agents[1], agents[2]])
    while (asked := session.play()) is not None:
        assert asked.seat == 0
        view = session.view(0)
        session.submit(view.action_name(int(view.legal_actions()[0])), seat=0)
    assert session.outcome == session.game.outcome
    assert session.outcome.rounds > 1


def test_bad_input_gets_one_line_and_changes_nothing():
    session = Session(Rules(players=3, skills=("survivalist", "scout", "buddy")), 7)
    before = session.game.digest()
    for error, submit in (
        (SessionError, lambda: session.submit(0, seat=(session.actor + 1) % 3)),
        (SessionError, lambda: session.submit(999)),
        (IllegalActionError, lambda: session.submit("bars(3)")),
        (SessionError, lambda: Session(session.view(0))),
        (SessionError, session.advance),
    ):
        with pytest.raises(error) as caught:
            submit()
        assert "\n" not in str(caught.value)
    assert session.game.digest() == before


@pytest.mark.parametrize(("rules", "seed"), games(1))
def test_undo_and_forks_give_equal_bytes(rules, seed):
    session = played(rules, seed, steps=45)
    digests = [session.game_at(k).digest() for k in range(session.steps + 1)]
    branch = session.fork(10)
    for action in session.history[10:15]:
        branch.submit(action)
    assert branch.game.digest() == digests[15]
    for position in (44, 21, 20, 3, 0):
        if position <= session.steps:
            session.undo_to(position)
            assert session.game.digest() == digests[position]


def test_loaded_dice_belong_to_their_position():
    session = Session(table())
    session.load_dice([6] * 3)
    first = session.game.digest()
    session.submit(int(session.game.legal_actions()[0]))
    session.undo()
    assert session.game.digest() == first
    session.submit(int(session.game.legal_actions()[0]))
    session.game.load_dice([1])
    with pytest.raises(SessionError, match="the game was changed outside"):
        session.recording()


# --- what audiences see -----------------------------------------------------------------------------------------------


@pytest.mark.rule("fuji:REROLL-3")
def test_nobody_sees_the_rerolls_of_others():
    game = table(skills=("survivalist", "scout", "gatherer"))
    plan(game, "c2", "d2", "d3")
    assert game.phase == Phase.REROLL
    session = Session(game)
    who = session.actor
    session.submit("roll(1+2)")
    own, other, spectator, everything = (session.event(1, who) for who in (who, (who + 1) % 3, SPECTATOR, OPEN))
    assert own.name == everything.name == "roll(1+2)"
    assert own.rolls == everything.rolls
    assert own.rolls[0]["who"] == f"figure {who}"
    assert all(number != "?" for number in own.rolls[0]["dice"])
    assert other.name == spectator.name == "hidden"
    assert other.action == spectator.action == -1
    assert other.rolls == spectator.rolls == []


@pytest.mark.rule("fuji:SKILL-3")
def test_all_see_a_die_that_the_buddy_sets_aside():
    game = table(skills=("buddy", "scout", "gatherer"))
    plan(game, "c2", "d2", "d3")
    session = Session(game)
    session.submit("die(2)")
    assert session.event(1, 1).name == session.event(1, SPECTATOR).name == "die(2)"


def test_a_new_roll_shows_everybody_only_its_own_dice():
    game = table(skills=("survivalist", "scout", "gatherer"))
    to_moves(game, "c2", "d2", "d3")
    session = Session(game)
    while session.game.state.round_number == 1 and not session.over:
        session.submit(int(session.game.legal_actions()[0]))
    event, number = session.event(session.steps, 1), session.steps
    shown = {roll["who"]: set(roll["dice"]) for roll in event.rolls}
    assert shown["figure 0"] == shown["figure 2"] == {"?"}
    assert "?" not in shown["figure 1"]
    assert "round 2 begins" in event.news
    assert all(set(roll["dice"]) == {"?"} for roll in session.event(number, SPECTATOR).rolls)
    assert all("?" not in roll["dice"] for roll in session.event(number, OPEN).rolls)


@pytest.mark.parametrize(("rules", "seed"), games(1))
def test_events_are_the_same_whatever_is_hidden(rules, seed):
    """Dice that an audience does not see change none of its events."""
    session = played(rules, seed, steps=60)
    for number in range(1, session.steps + 1, 3):
        before, action = session.game_at(number - 1), session.history[number - 1]
        after = session.game_at(number)
        if not (before.state.screens and after.state.screens) or before.phase == Phase.RADIO:
            continue
        for seat in range(before.rules.players):
            others = [game.view(seat).determinize(seat, 5) for game in (before, after)]
            if before.actor == seat:
                continue
            said = RECORDED.event_of(number, others[0], action, others[1], seat)
            assert said == session.event(number, seat)


@pytest.mark.parametrize(("rules", "seed"), games(1))
def test_spectators_see_nothing_that_a_player_does_not_see(rules, seed):
    for number, game in enumerate(random_game(rules, seed)):
        if number % 7 == 0:
            view = RECORDED.view_for(game, SPECTATOR)
            for player in range(game.rules.players):
                seen = game.view(player).state.dice
                assert ((view.state.dice == 0) | (seen == view.state.dice)).all()
            assert not view.legal_actions().size or game.over


# --- recordings -------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(("rules", "seed"), games(1))
def test_a_game_is_read_as_it_was_written_and_replays_to_the_same_digests(rules, seed):
    session = played(rules, seed)
    recording = session.recording()
    again = Recording.from_json(recording.to_json())
    assert again == recording
    assert again.to_json() == recording.to_json()
    replay = Replay(again)
    for position in range(0, replay.last + 1, 9):
        assert replay.game_at(position).digest() == session.game_at(position).digest()
    assert Session.from_replay(replay).history == session.history


def test_a_recording_may_begin_in_a_position():
    game = table(skills=("survivalist", "scout", "gatherer"))
    to_moves(game, "c2", "d2", "d3")
    recorder = Recorder(game, ["a", "b", "c"])
    while not game.over:
        recorder.step(int(game.legal_actions()[0]))
    replay = Replay(Recording.from_json(recorder.recording().to_json()))
    assert replay.game_at(replay.last).digest() == game.digest()


@pytest.mark.parametrize(("rules", "seed"), games(1))
def test_all_that_chance_gave_is_recorded(rules, seed):
    """All dice on the table, and all cards that leave the piles, are in some step."""
    session = played(rules, seed)
    recording = session.recording()
    for number, step in enumerate(recording.steps, 1):
        before, after = session.game_at(number - 1).state, session.game_at(number).state
        rolled = sum(len(roll["dice"]) for roll in step.rolls)
        spent = (int(after.streams[2].words[3]) - int(before.streams[2].words[3])) & 0xFFFFFFFF
        assert rolled == spent
        drawn = (int(after.streams[1].words[3]) - int(before.streams[1].words[3])) & 0xFFFFFFFF
        assert len(step.draws.get("equipment", [])) == drawn


@cache
def short_text() -> str:
    return played(TABLES[2], 0).recording().to_json()


def line_of(text: str) -> str:
    """What is wrong with a recording; "" if nothing is."""
    try:
        Replay(Recording.from_json(text))
    except RecordError as error:
        return str(error)
    return ""


def altered(*path: Any, to: Any) -> str:
    whole = json.loads(short_text())
    inner = whole
    for key in path[:-1]:
        inner = inner[key]
    inner[path[-1]] = to
    return json.dumps(whole)


@pytest.mark.parametrize(
    ("path", "to", "told"),
    [
        (("fuji",), "a game", "file: not a recorded game of fuji_env"),
        (("version",), 9, "version: 9 is newer than 1"),
        (("rules", "players"), 9, "rules: players=9"),
        (("rules", "digest"), "x", "rules.digest: content base is"),
        (("names",), ["a"], "names: 1 entries in a game of 2"),
        (("start", "seed"), -1, "start.seed: -1 is not a whole number"),
        (("start", "seed"), 99, "start: chance dealt the"),
        (("start", "dealt", "lead"), 7, "start: chance dealt the lead"),
        (("steps", 0, "action"), 152, "step 1: the name of action 152"),
        (("steps", 0, "digest"), "x", "step 1: the digest of the game is"),
        (("steps", 0, "player"), 5, "step 1: the player who is asked is"),
        (("outcome", "won"), True, "outcome.won: it is False, not True"),
        (("outcome", "figures"), 3, "outcome.figures: 3 is not a list"),
        (("outcome",), None, "outcome: after step"),
    ],
)
def test_an_altered_recording_gets_one_line(path, to, told):
    line = line_of(altered(*path, to=to))
    assert line.startswith(told)
    assert "\n" not in line


def test_a_recording_of_the_other_game_is_refused():
    from fujikoro_env.record import Recording as OtherRecording

    with pytest.raises(RecordError, match="not a recorded game of fujikoro_env"):
        OtherRecording.from_json(short_text())


def test_damaged_recordings_get_one_line_or_are_the_same_game(record_property):
    luck, refused = random.Random(1), 0
    record_property(HOSTILE_INPUTS, DAMAGES)
    for _ in range(DAMAGES):
        told = line_of(damaged(short_text(), luck))
        refused += bool(told)
        assert "\n" not in told
    assert refused > DAMAGES // 4


def test_a_recorded_game_is_that_of_a_loop():
    game, luck = Game(Rules(**TABLES[0]), 3), np.random.default_rng(3)
    while not game.over:
        game.step(choice(game, luck))
    session = played(TABLES[0], 3)
    assert session.game.digest() == game.digest()
