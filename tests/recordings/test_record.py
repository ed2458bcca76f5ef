"""Recorded games: recording, writing, reading, replaying, and stepping through them at the keyboard."""

import doctest
import io
import json
import random
import re
import subprocess
import sys
from collections.abc import Callable
from dataclasses import replace
from functools import cache
from pathlib import Path
from typing import Any

import pytest

from fujikoro_app.cli import main
from fujikoro_app.human import Keyboard
from fujikoro_app.replay import COMMANDS, Stepper
from fujikoro_env import Game, IllegalActionError, Rules, record
from fujikoro_env.content import load_pack
from fujikoro_env.kernel.record.history import KEPT_EVERY
from fujikoro_env.position import position_of
from fujikoro_env.record import Recorder, RecordError, Recording, Replay, Start, engine_digest
from fujikoro_env.rules.base.names import Stream
from tests.helpers import mid_games
from tests.helpers.damaged_files import damaged

DOCS = Path(__file__).resolve().parents[2] / "docs"
GAMES: dict[str, dict[str, Any]] = {
    "two": {"players": 2},
    "six": {"players": 6, "monk_to_pack": True},
    "every question": {"players": 3, "ask_forced": True},
    "final chapter": {"players": 2, "final_at": 1, "max_rounds": 30},
    "characters": {"players": 3, "characters": ["tomoe", "daisuke", "mitsuhide"]},
    "random characters": {"players": 4, "characters": "random"},
    "coop": {"mode": "coop", "players": 3},
    "solo": {"mode": "solo"},
    **{f"scenario {number}": {"scenario": number} for number in range(1, 9)},
    "scenario 3, coop": {"scenario": 3, "mode": "coop", "players": 2},
}
DAMAGES = 300


def recorded(game: Game, seed: int | None, luck: int = 0, most: int = 1_000_000) -> Recorder:
    """Recording of a game of random players, or of its first steps."""
    recorder = Recorder(game, [f"random {seat}" for seat in range(game.rules.players)], seed)
    chooser = random.Random(luck)
    for _ in range(most):
        if game.over:
            break
        recorder.step(chooser.choice(game.legal_actions()))
    return recorder


@cache
def recording_of(name: str) -> Recording:
    rules = Rules(**{"max_rounds": 8, **GAMES[name]})
    return recorded(Game(rules, 5), 5).recording()


@cache
def from_position(name: str = "dragon_fight") -> Recording:
    return recorded(mid_games.load(name), None, most=60).recording()


@cache
def short_text() -> str:
    """A whole game of two rounds."""
    return recorded(Game(Rules(players=2, max_rounds=2), 7), 7, luck=7).recording().to_json()


def altered(change: Callable[[Any], Any], text: str | None = None) -> str:
    value = json.loads(text or short_text())
    change(value)
    return json.dumps(value)


def setting(*path: Any, to: Any) -> Callable[[Any], None]:
    """A function that changes the value at a path."""

    def change(whole: Any) -> None:
        for key in path[:-1]:
            whole = whole[key]
        whole[path[-1]] = to

    return change


def fault(text: str) -> str:
    """One-line error message about a faulty recording."""
    with pytest.raises(RecordError) as error:
        Replay(Recording.from_json(text))
    assert "\n" not in str(error.value)
    return str(error.value)


# Round trips


@pytest.mark.parametrize("name", GAMES)
def test_a_game_is_read_as_it_was_written_and_replays_to_the_same_digest(name):
    recording = recording_of(name)
    again = Recording.from_json(recording.to_json())
    assert again == recording
    replay = Replay(again)
    assert replay.game_at(replay.last).digest() == recording.steps[-1].digest
    assert replay.game_at(replay.last).outcome == recording.outcome


@pytest.mark.parametrize("name", mid_games.SITUATIONS)
def test_a_recording_may_begin_in_a_position(name):
    recording = from_position(name)
    assert recording.start.seed is None
    again = Recording.from_json(recording.to_json())
    assert again == recording
    assert Replay(again).game_at(0).digest() == mid_games.load(name).digest()


def test_every_position_can_be_gone_to():
    recording = recording_of("two")
    replay = Replay(recording)
    assert replay.last > 2 * KEPT_EVERY
    for position in random.Random(0).sample(range(1, replay.last + 1), 40):
        assert replay.game_at(position).digest() == recording.steps[position - 1].digest
    assert replay.game_at(0).digest() == recording.start.digest
    for outside in (-1, replay.last + 1):
        with pytest.raises(IndexError, match=f"there are 0 to {replay.last}"):
            replay.game_at(outside)


def test_what_is_gone_to_is_a_game_of_its_own():
    replay = Replay(recording_of("two"))
    game = replay.game_at(KEPT_EVERY)
    game.step(game.legal_actions()[-1])
    assert replay.game_at(KEPT_EVERY).digest() == replay.recording.steps[KEPT_EVERY - 1].digest


def test_rounds_begin_where_their_number_is_first_seen():
    replay = Replay(recording_of("two"))
    start = replay.start_of_round(3)
    assert start is not None
    assert (replay.round_at(start - 1), replay.round_at(start)) == (2, 3)
    assert replay.start_of_round(99) is None


def test_a_game_that_was_left_has_no_outcome():
    recording = recorded(Game(Rules(players=2), 1), 1, most=5).recording()
    assert recording.outcome is None
    assert Replay(Recording.from_json(recording.to_json())).last == 5


def test_a_game_without_steps():
    recording = Recorder(Game(Rules(players=2), 1), ["a", "b"], 1).recording()
    assert Recording.from_json(recording.to_json()) == recording
    assert Replay(recording).last == 0


# Recording


def test_an_action_that_is_refused_is_not_taken_down():
    recorder = Recorder(Game(Rules(players=2), 1), ["a", "b"], 1)
    with pytest.raises(IllegalActionError):
        recorder.step(0)
    assert recorder.recording().steps == ()


def test_a_game_that_is_stepped_behind_its_recorder():
    recorder = Recorder(Game(Rules(players=2), 1), ["a", "b"], 1)
    recorder.game.step(recorder.game.legal_actions()[0])
    with pytest.raises(ValueError, match="outside its recorder"):
        recorder.step(recorder.game.legal_actions()[0])


def test_a_seed_that_did_not_deal_the_game():
    with pytest.raises(ValueError, match="seed=2 does not deal this game"):
        Recorder(Game(Rules(players=2), 1), ["a", "b"], 2)


def test_names_for_every_seat():
    with pytest.raises(ValueError, match="1 names in a game of 2"):
        Recorder(Game(Rules(players=2), 1), ["a"], 1)


# Chance


@pytest.mark.parametrize("name", GAMES)
def test_all_that_chance_gave_is_recorded(name):
    """One result is recorded for each number drawn from the generators; a tile of a pile may need two (COOP-5)."""
    replay = Replay(recording_of(name))
    before = replay.game_at(0)
    for position, step in enumerate(replay.recording.steps, 1):
        after = replay.game_at(position)
        drawn = {s: int(after.state.streams[s].words[3]) - int(before.state.streams[s].words[3]) for s in Stream}
        told = {deck: len(names) for deck, names in step.draws.items()}
        assert drawn[Stream.DICE] == sum(len(roll["dice"]) for roll in step.rolls)
        assert drawn[Stream.SCROLLS] == told.get("scrolls", 0)
        assert drawn[Stream.SETUP] == told.get("blueprints", 0)
        assert drawn[Stream.TOKENS] == sum(told.get(deck, 0) for deck in ("squares", "hexes", "dragons", "adventures"))
        for level in (1, 2, 3):
            numbers, tiles = drawn[Stream(Stream.TILES1 + level - 1)], told.get(f"tiles{level}", 0)
            assert tiles <= numbers <= 2 * tiles
        before = after


def test_loaded_dice_and_draws_are_recorded_as_they_fell():
    game = Game(Rules(players=2), 7)
    chooser = random.Random(7)
    while game.phase.name != "EXPLORE_PLACE":
        game.step(chooser.choice(game.legal_actions()))
    game.load_draws("tiles1", ["whelp_hollow"])
    recorder = Recorder(game, ["a", "b"])
    recorder.step(game.legal_actions()[0])
    assert recorder.recording().steps[0].draws == {"tiles1": ["whelp_hollow"]}
    fight, chooser = mid_games.load("dragon_fight"), random.Random(12)
    while fight.phase.name != "DICE":
        fight.step(chooser.choice(fight.legal_actions()))
    fight.load_dice(["W1*", "W1*", "W1*"])
    recorder = Recorder(fight, [str(seat) for seat in range(fight.rules.players)])
    while not any(step.rolls for step in recorder.recording().steps):
        recorder.step(fight.parse_action("roll") if fight.phase.name == "DICE" else fight.legal_actions()[0])
    assert recorder.recording().steps[-1].rolls[0]["dice"][0] == "W1*"
    assert Replay(Recording.from_json(recorder.recording().to_json())).last


# Faulty recordings


@pytest.mark.parametrize(
    ("text", "told"),
    [
        ("", "line 1, column 1: not JSON"),
        ("{", "not JSON"),
        ("[" * 100_000, "not JSON"),
        ("[]", "file: not a recorded game of fujikoro_env"),
        ('{"version": 1, "players": []}', "file: not a recorded game"),
        ('{"fujikoro": 1, "fujikoro": 2}', "file: the key 'fujikoro' appears twice"),
    ],
)
def test_what_is_no_recording(text, told):
    assert told in fault(text)


@pytest.mark.parametrize(
    ("change", "told"),
    [
        (setting("version", to=1), "version: 1 is older than 2: an older fujikoro_env reads it"),
        (setting("version", to=True), "version: True is not a version; this fujikoro_env reads version 2"),
        (setting("version", to=3), "version: 3 is newer than 2: a newer fujikoro_env reads it"),
        (setting("colour", to=1), "file: unknown key 'colour'"),
        (lambda whole: whole.pop("steps"), "file: steps is missing"),
        (setting("rules", "players", to=9), "rules: players=9: allowed are the numbers 2 to 6"),
        (setting("rules", "peacefull", to=True), "rules.peacefull: unknown key"),
        (setting("rules", "content", to="no_such"), "rules: content pack no_such: no folder 'no_such'"),
        (setting("rules", "digest", to="0" * 16), "rules.digest: content base is "),
        (setting("rules", "max_rounds", to=3), "start: the digest of the game is "),
        (setting("names", to=["a"]), "names: 1 entries in a game of 2"),
        (setting("names", 0, to=7), "names[0]: 7 is not a text"),
        (setting("start", "seed", to=8), "start: chance dealt the "),
        (setting("start", "seed", to=-1), "start.seed: -1 is not a whole number from 0"),
        (setting("start", "dealt", "scrolls", 0, to="seer"), "start: chance dealt the scrolls ['deep_pockets', "),
        (setting("start", "digest", to="0" * 16), "start: the digest of the game is "),
        (setting("steps", 9, to=3), "step 10: 3 is not an object"),
        (setting("steps", 9, "action", to=10_000), "step 10: action: 10000 is not a whole number from 0 to"),
        (setting("steps", 9, "player", to=0), "step 10: the player who is asked is 1, not 0 as the file says: "),
        (setting("steps", 9, "asked", to="MOVE"), "step 10: the question is SETUP_CUBES, not MOVE as the file says"),
        (setting("steps", 9, "name", to="rest"), "step 10: the name of action 348 is lay(metal, weapon[0,3]), not "),
        (setting("steps", 9, "digest", to="0" * 16), "step 10: the digest of the game is "),
        (setting("steps", 9, "rolls", to=[{"who": "x"}]), "step 10: chance gave the rolls none, not [{'who': 'x'}]"),
        (
            setting("steps", 15, "draws", "tiles1", to=["x"]),
            "step 16: chance gave the draws {'tiles1': ['mossy_gate']}, not {'tiles1': ['x']} as the file says",
        ),
        (lambda whole: whole["steps"][9].update(action=6, name="rest"), "step 10: rest is not legal in SETUP_CUBES, "),
        (lambda whole: whole["steps"].pop(), "outcome: after step 30 the game is going on, not over as the file says"),
        (lambda whole: whole["steps"].append(whole["steps"][-1]), "step 32: the game was over before: the file was "),
        (setting("outcome", to=None), "outcome: after step 31 the game is over"),
        (setting("outcome", "winners", to=[0]), "outcome.winners: it is (0, 1), not (0,)"),
        (setting("outcome", "players", 0, "left", to="foot"), "outcome.players[0].left: it is None, not foot as the "),
        (
            setting("outcome", "players", 1, "counts", "crafts", to={"helmet": 9}),
            "outcome.players[1].counts.crafts.helmet: it is 0, not 9 as the file says",
        ),
        (setting("outcome", "players", 0, "counts", "vp", to={"luck": 1}), "outcome.players[0].counts: 'luck' is not "),
        (setting("outcome", "players", 0, "counts", "luck", to={}), "outcome.players[0].counts: unknown key 'luck'"),
    ],
)
def test_an_altered_recording_gets_one_line_with_its_place(change, told):
    assert told in fault(altered(change))


def test_another_version_of_the_rules_is_named():
    def change(whole: Any) -> None:
        whole["engine"] = "0123456789abcdef"
        whole["steps"][4]["digest"] = "0" * 16

    line, here = fault(altered(change)), engine_digest()
    assert line.startswith("step 5: ")
    assert line.endswith(f": recorded with other rules (0123456789abcdef, here {here}), or altered")


def test_other_rules_that_give_the_same_game_are_no_fault():
    assert Replay(Recording.from_json(altered(setting("engine", to="0123456789abcdef")))).last


def test_a_view_is_no_game():
    view = mid_games.load("dragon_fight").view(0)
    with pytest.raises(ValueError, match="this is player 0's view"):
        Recorder(view, ["x"] * view.rules.players)
    text = replace(from_position(), start=Start(view.digest(), position=position_of(view))).to_json()
    assert fault(text) == "start.position: this is player 0's view, not a game"


def test_a_position_with_other_rules():
    line = fault(altered(setting("start", "position", "rules", "max_rounds", to=50), from_position().to_json()))
    assert line == "start.position: its rules are not those of the recording"


@pytest.mark.parametrize("start", ["seed", "position"])
def test_a_damaged_file_gets_one_line_or_is_the_same_game(start):
    text = short_text() if start == "seed" else from_position().to_json()
    last = json.loads(text)["steps"][-1]["digest"]
    luck, refused = random.Random(start), 0
    for _ in range(DAMAGES if start == "seed" else DAMAGES // 3):
        replay = replay_or_line(damaged(text, luck))
        if isinstance(replay, str):
            refused += 1
            assert "\n" not in replay
        else:
            assert replay.game_at(replay.last).digest() == last
    assert refused > DAMAGES // 4


def replay_or_line(text: str) -> Replay | str:
    try:
        return Replay(Recording.from_json(text))
    except RecordError as error:
        return str(error)


# The format


def test_the_example_of_the_docs():
    game = Game(Rules(players=2, max_rounds=1), seed=7)
    recorder, luck = Recorder(game, ["random", "random"], seed=7), random.Random(7)
    while not game.over:
        recorder.step(luck.choice(game.legal_actions()))
    (example,) = re.findall(r"```json\n(.*?)```", (DOCS / "recordings.md").read_text(encoding="utf-8"), re.DOTALL)
    assert without_hashes(example) == without_hashes(recorder.recording().to_json())


def test_the_python_of_the_docs():
    (code,) = re.findall(r"```python\n(.*?)```", (DOCS / "recordings.md").read_text(encoding="utf-8"), re.DOTALL)
    exec(compile(code, "recordings.md", "exec"), {"__name__": "docs"})
    assert doctest.testmod(record).attempted > 0
    assert doctest.testmod(record).failed == 0


def without_hashes(text: str) -> list[str]:
    """A recording without its hashes, which change with the game's record and the source of the rules."""
    return re.sub(r'"[0-9a-f]{16}"', '"..."', text).splitlines()


# At the keyboard


class Person:
    """A person who types the given lines and keeps everything that is printed."""

    def __init__(self, *lines: str, width: int = 120, height: int = 0) -> None:
        self.lines, self.said, self.prompts = iter(lines), list[str](), list[str]()
        self.keyboard = Keyboard(self.read, self.said.append, lambda: (width, height))

    def read(self, prompt: str) -> str:
        self.prompts.append(prompt)
        try:
            return next(self.lines)
        except StopIteration:
            raise EOFError from None


@pytest.fixture(scope="module")
def shown() -> Replay:
    return Replay(Recording.from_json(short_text()))


def stepped(replay: Replay, *lines: str, at: int = 0, width: int = 120, height: int = 0) -> Person:
    person = Person(*lines, width=width, height=height)
    Stepper(replay, person.keyboard, at).run()
    return person


@pytest.mark.parametrize(
    ("typed", "at", "there"),
    [
        ("", 0, 1),
        ("next", 3, 4),
        ("n 10", 3, 13),
        ("NEXT 100", 3, 31),
        ("back", 3, 2),
        ("b 2", 3, 1),
        ("back 9", 3, 0),
        ("jump 12", 3, 12),
        ("12", 30, 12),
        ("0", 30, 0),
        ("round 2", 3, 20),
        ("r 1", 30, 0),
        ("first", 30, 0),
        ("l", 3, 31),
        ("table", 3, 3),
        ("?", 3, 3),
    ],
)
def test_commands_go_where_they_say(shown, typed, at, there):
    assert stepped(shown, typed, "quit", at=at).prompts == [f"step {at} of 31> ", f"step {there} of 31> "]


@pytest.mark.parametrize(
    ("typed", "at", "told"),
    [
        ("next", 31, "that was the last step"),
        ("back", 0, "this is the start"),
        ("32", 5, "jump where? There are the steps 0 to 31"),
        ("jump", 5, "jump where? There are the steps 0 to 31"),
        ("round", 5, "which round? There are 1 to 2"),
        ("round 3", 5, "which round? There are 1 to 2"),
        ("next 0", 5, "next takes a whole number from 1, not '0'"),
        ("next two", 5, "next takes a whole number from 1, not 'two'"),
        ("jump -1", 5, "jump takes a whole number from 0, not '-1'"),
        ("back 1 2", 5, "back takes a whole number from 1, not '1 2'"),
        ("9" * 5000, 5, "is not known: there are next, back, "),
        ("quit now", 5, "quit stands alone"),
        ("dance", 5, "'dance' is not known: there are next, back, jump, round, first, last, table, help, quit"),
    ],
)
def test_a_wrong_command_gets_one_line(shown, typed, at, told):
    person = stepped(shown, typed, at=at)
    assert person.prompts == [f"step {at} of 31> "] * 2
    assert told in person.said[-2]
    assert len(person.said[-2].splitlines()) == 1 or len(typed) > 1000


def test_what_happened_is_told(shown):
    person = stepped(shown, "16", "n 2", "last")
    assert "  16. random 1 (player 1) answers EXPLORE_PLACE with place(ring1.3) [drawn: mossy_gate]" in person.said
    turned = "turn(0) [drawn: broken_cart; mossy_gate is laid on ring1.3]"
    assert f"  17. random 1 (player 1) answers EXPLORE_TURN with {turned}" in person.said
    assert "  18. random 1 (player 1) answers ACTION with explore" in person.said
    assert any("The game is over." in text for text in person.said)


def test_the_last_step_lists_vp_by_source(shown):
    outcome, said = shown.recording.outcome, stepped(shown, "last").said
    assert outcome is not None
    for seat, score in enumerate(outcome.scores):
        assert any(f". random {seat} (player {seat}) with {score} VP" in text for text in said)
    assert not any("The game is over in round" in text for text in stepped(shown, "16").said)


def test_boards_have_the_names_of_agents(shown):
    assert any("Player 1 (random 1), " in text for text in stepped(shown, "16").said)


def test_many_steps_are_told_in_short(shown):
    person = stepped(shown, "next 31")
    assert "  ... 11 steps before" in person.said
    assert sum(bool(re.match(r"  \d+\. random \d \(player \d\) answers ", text)) for text in person.said) == 20


def test_the_end_of_a_recording_that_was_cut_short():
    replay = Replay(recorded(Game(Rules(players=2), 1), 1, most=5).recording())
    assert "  the recording ends here, before the end of the game" in stepped(replay, "last").said


def test_a_small_terminal_shows_less(shown):
    small = stepped(shown, at=20, width=79, height=40)
    assert all(len(line) <= 79 for text in small.said for line in text.splitlines())
    assert not any("temple0 " in text for text in small.said)
    assert any("temple0 " in text for text in stepped(shown, "table", at=20, width=79, height=40).said)


def test_each_command_begins_with_another_letter():
    assert len({command[0] for command in COMMANDS}) == len(COMMANDS)


@pytest.mark.parametrize("name", GAMES)
def test_all_kinds_of_games_can_be_shown(name):
    replay = Replay(recording_of(name))
    assert stepped(replay, "last", "b 7", "next 4").prompts[-1] == f"step {replay.last - 3} of {replay.last}> "


# The commands


def watched(tmp_path: Path, *rules: str) -> Path:
    file = tmp_path / "game.json"
    assert main(["watch", "--max-rounds", "2", *rules, "--save", str(file)]) == 0
    return file


@pytest.mark.parametrize(
    "rules",
    [
        ["--players", "2"],
        ["--mode", "coop", "--players", "3"],
        ["--mode", "solo"],
        ["--scenario", "7"],
        ["--players", "3", "--characters", "random", "--seed", "4"],
    ],
    ids=" ".join,
)
def test_what_is_watched_can_be_replayed(rules, tmp_path, capsys):
    file = watched(tmp_path, *rules)
    assert capsys.readouterr().out.splitlines()[-1] == f"recorded; to step through it: fujikoro replay {file}"
    assert main(["replay", str(file), "--check"]) == 0
    recording = Recording.from_json(file.read_text())
    assert capsys.readouterr().out.endswith(f"it replays to the same digest, {recording.steps[-1].digest}\n")
    assert set(recording.names) == {"random"}


def test_the_game_is_the_same_whether_it_is_recorded_or_not(tmp_path, capsys):
    watched(tmp_path, "--players", "2")
    recorded_one = capsys.readouterr().out
    assert main(["watch", "--max-rounds", "2", "--players", "2"]) == 0
    assert recorded_one.startswith(capsys.readouterr().out)


def test_never_over_another_file(tmp_path, capsys):
    file = tmp_path / "game.json"
    file.write_text("mine")
    assert main(["watch", "--save", str(file)]) == 2
    said = capsys.readouterr()
    assert (said.out, said.err) == ("", f"fujikoro: --save {file}: exists already, and is left as it is\n")
    assert file.read_text() == "mine"
    assert main(["watch", "--save", str(tmp_path / "no" / "folder")]) == 2
    assert capsys.readouterr().err == f"fujikoro: --save {tmp_path}/no/folder: No such file or directory\n"


def test_rules_that_do_not_fit_leave_no_file(tmp_path, capsys):
    assert main(["watch", "--players", "7", "--save", str(tmp_path / "game.json")]) == 2
    assert list(tmp_path.iterdir()) == []


def test_whoever_stops_watching_has_the_game_so_far(tmp_path, monkeypatch):
    def interrupt(*_given: object) -> str:
        raise KeyboardInterrupt

    monkeypatch.setattr("fujikoro_app.narration.Narrator.tell", interrupt)
    file = tmp_path / "game.json"
    assert main(["watch", "--players", "2", "--save", str(file)]) == 130
    assert Recording.from_json(file.read_text()).outcome is None


def test_whoever_has_seen_enough_has_the_whole_game(tmp_path):
    file = tmp_path / "game.json"
    command = [sys.executable, "-m", "fujikoro_app.cli", "watch", "--players", "2", "--max-rounds", "9"]
    command += ["--every", "1", "--save", str(file)]
    with subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.PIPE) as watching:
        assert watching.stdout is not None
        watching.stdout.close()
        assert watching.stderr is not None
        assert watching.stderr.read() == b""
    assert watching.returncode == 0
    assert Replay(Recording.from_json(file.read_text())).recording.outcome is not None


def test_replay_for_programs(tmp_path, capsys):
    file = watched(tmp_path, "--players", "2", "--seed", "7")
    capsys.readouterr()
    assert main(["replay", str(file), "--json"]) == 0
    found = json.loads(capsys.readouterr().out)
    recording = Recording.from_json(file.read_text())
    assert (found["steps"], found["digest"]) == (len(recording.steps), recording.steps[-1].digest)
    assert (found["seed"], found["rounds"], found["names"]) == (7, 2, ["random", "random"])
    assert found["outcome"]["reason"] == "round_cap"


def test_replay_reads_commands_from_standard_input(tmp_path, capsys, monkeypatch):
    file = watched(tmp_path, "--players", "2")
    capsys.readouterr()
    monkeypatch.setattr("sys.stdin", io.StringIO("next\nback\nx\n"))
    assert main(["replay", str(file), "--at", "3"]) == 0
    out = capsys.readouterr().out
    assert "> next\n" in out
    assert "> x\n  'x' is not known" in out
    assert re.search(r"^  4\. random \(player \d\) answers ", out, re.MULTILINE)


def test_a_content_pack_that_has_moved(tmp_path, capsys):
    file = watched(tmp_path, "--players", "2")
    text = file.read_text().replace('"content": "base"', '"content": "/no/such/pack"')
    moved = tmp_path / "moved.json"
    moved.write_text(text)
    capsys.readouterr()
    assert main(["replay", str(moved), "--check"]) == 2
    assert "no folder '/no/such/pack'" in capsys.readouterr().err
    assert main(["replay", str(moved), "--check", "--content", "base"]) == 0
    assert load_pack("base").digest in text


@pytest.mark.parametrize("arguments", [[], ["--check"], ["--json"]], ids=str)
def test_a_bad_file_gets_one_line_and_status_2(arguments, tmp_path, capsys):
    file = tmp_path / "game.json"
    for written, told in (
        (None, "No such file or directory"),
        (b"\xff\xfe", "can't decode byte"),
        (b"{}", "not a recorded game of fujikoro_env"),
        (altered(setting("steps", 2, "digest", to="0")).encode(), "step 3: the digest of the game is"),
    ):
        if written is not None:
            file.write_bytes(written)
        assert main(["replay", str(file), *arguments]) == 2
        said = capsys.readouterr()
        assert said.out == ""
        (line,) = said.err.splitlines()
        assert line.startswith(f"fujikoro: recording {file}: ")
        assert told in line


def test_a_step_that_there_is_not(tmp_path, capsys):
    file = watched(tmp_path, "--players", "2")
    capsys.readouterr()
    assert main(["replay", str(file), "--at", "9999"]) == 2
    assert re.fullmatch(r"fujikoro: --at 9999: allowed are 0 to \d+\n", capsys.readouterr().err)
