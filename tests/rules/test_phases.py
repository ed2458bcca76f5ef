"""The table of phases is complete, and everything generated from it is up to date."""

import re
from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from fujikoro_env import Rules
from fujikoro_env.kernel.commands import NO_ACTION
from fujikoro_env.kernel.dispatching import Function
from fujikoro_env.kernel.records import zeros
from fujikoro_env.observation import columns
from fujikoro_env.position.fields import frame_fields, more_frame_fields
from fujikoro_env.position.judging import IS_ASKED
from fujikoro_env.position.words import names_of
from fujikoro_env.rules.base.names import Fault
from fujikoro_env.rules.base.phase_entry import Holds, Keeps, PhaseEntry, Whom, on
from fujikoro_env.rules.base.phases import Phase, frames_with, grounds, slot_of
from fujikoro_env.rules.base.state import State
from fujikoro_env.rules.engine.engine import step_games
from fujikoro_env.rules.monk import FROM_MAP, FROM_PACK
from tests.helpers.tables import integers, one_of_each_phase, play_batch, table, words
from tools import make_phases
from tools.make_phases import DISPATCH, SLOTS, TABLE, dispatch_source, faults, find_functions

ROOT = Path(__file__).resolve().parents[2]
# A phase for tests, complete except for its functions.
SING = PhaseEntry(60, question="Sing what?", rules=("TURN-1",), whom=Whom.ACTIVE, lies_on=on("TURN"))
ECHO = PhaseEntry(84, step="comes back", rules=("TURN-1",), lies_on=on("TURN"))
HOME = "fujikoro_env.rules.songs"
LEGAL_SING = Function("legal_sing", HOME, ("s", "mask"))
DO_SING = Function("do_sing", HOME, ("s", "t", "action"))
GO_ECHO = Function("go_echo", HOME, ("s",))


# The table


def test_every_phase_is_complete():
    assert faults(TABLE, find_functions()) == []


def test_the_rules_of_every_phase_are_in_the_rulebook():
    known = set(re.findall(r"\b[A-Z]+-[0-9]+\b", (ROOT / "docs" / "rules.md").read_text(encoding="utf-8")))
    assert {rule for phase in Phase for rule in phase.entry.rules} <= known


def test_phases_are_found_by_number_and_by_name():
    assert Phase(4) is Phase["MOVE"] is Phase.MOVE
    assert Phase.MOVE == Phase.MOVE.value == Phase.MOVE.entry.number == 4


def test_a_complete_phase_needs_an_entry_and_its_functions_alone():
    functions = [*find_functions(), LEGAL_SING, DO_SING, GO_ECHO]
    with_songs = {**TABLE, "SING": SING, "ECHO": ECHO}
    assert faults(with_songs, functions) == []
    source = dispatch_source(with_songs, functions)
    assert f"from {HOME} import do_sing, go_echo, legal_sing\n" in source
    for case in ("SING:\n            legal_sing(s, mask)", "SING:\n            do_sing(s, t, action)"):
        assert f"        case Phase.{case}\n" in source
    assert "        case Phase.ECHO:\n            go_echo(s)\n" in source
    compile(source, "dispatch.py", "exec")


# One-line errors for missing or wrong entries


@pytest.mark.parametrize(
    ("name", "entry", "line"),
    [
        ("SING", replace(SING, question=""), "SING asks (its number is below 64), so it needs a question, no step"),
        ("SING", replace(SING, whom=Whom.NOBODY), "SING asks, so it must say whom"),
        ("SING", replace(SING, rules=()), "SING names no rule"),
        ("SING", replace(SING, lies_on=()), "SING does not say what it may lie on; only TURN lies on nothing"),
        ("SING", replace(SING, lies_on=on("CHOIR")), "SING may lie on CHOIR, which is no phase"),
        ("SING", replace(SING, lies_on=on("TURN", "TURN")), "SING names a frame twice that it may lie on"),
        (
            "ECHO",
            replace(ECHO, step=""),
            "ECHO goes on by itself (its number is 84), so it needs a step, no question",
        ),
        ("ECHO", replace(ECHO, number=65), "two phases have the same number"),
    ],
)
def test_an_incomplete_entry_is_named(name, entry, line):
    complete = {**TABLE, "SING": SING, "ECHO": ECHO}
    assert faults({**complete, name: entry}, [*find_functions(), LEGAL_SING, DO_SING, GO_ECHO]) == [line]


def test_a_gap_in_the_numbers_is_named():
    (line,) = faults({**TABLE, "SING": replace(SING, number=61)}, [*find_functions(), LEGAL_SING, DO_SING])
    assert line.startswith("phases that ask must be numbered from 1 without gaps, and are 1, 2, 3,")


@pytest.mark.parametrize(
    ("fields", "line"),
    [
        (
            [Keeps("tune", "tone", Holds.FLAG, "a tune")],
            "SING.tune is kept in tone, but frames have stage, left, at, thing, marks, offer, chosen, cubes",
        ),
        ([Keeps("tune", "at", Holds.FLAG, "")], "SING.tune does not say what it means"),
        ([Keeps("tune", "at", Holds.NUMBER, "a tune")], "SING.tune needs its greatest number"),
        (
            [Keeps("singer", "left", Holds.PLAYER, "who sings")],
            "SING.singer holds a player, so its slot must be `thing`, in all stages, or `at`, in one stage",
        ),
        (
            [Keeps("singer", "thing", Holds.PLAYER_OR_NONE, "who sings")],
            "SING.singer holds a player or none, so its slot must be `thing`, of a phase that goes on by itself",
        ),
        ([Keeps("a", "at", Holds.FLAG, "a"), Keeps("b", "at", Holds.FLAG, "b")], "SING keeps two things in one slot"),
        (
            [Keeps("a", "at", Holds.FLAG, "a"), Keeps("a", "left", Holds.FLAG, "b")],
            "SING has two fields called a",
        ),
    ],
)
def test_a_wrong_field_is_named(fields, line):
    wrong = replace(SING, keeps=tuple(fields))
    assert faults({**TABLE, "SING": wrong}, [*find_functions(), LEGAL_SING, DO_SING]) == [line]


def test_a_second_phase_with_a_player_in_at_is_named():
    singer = Keeps("singer", "at", Holds.PLAYER, "who sings", stage=1)
    wrong = replace(SING, keeps=(singer,))
    (line,) = faults({**TABLE, "SING": wrong}, [*find_functions(), LEGAL_SING, DO_SING])
    assert line == "exactly one phase may hold a player in `at`, and these do: MONK_SPOT, SING"


@pytest.mark.parametrize(
    ("functions", "lines"),
    [
        ([], ["SING has no function legal_sing in the rules", "SING has no function do_sing in the rules"]),
        ([LEGAL_SING], ["SING has no function do_sing in the rules"]),
        (
            [LEGAL_SING, DO_SING, Function("go_home", HOME, ("s",))],
            [f"go_home in {HOME} belongs to no phase"],
        ),
        (
            [LEGAL_SING, DO_SING, Function("do_sing", "fujikoro_env.rules.move", ("s", "action"))],
            [f"do_sing is in {HOME} and in fujikoro_env.rules.move"],
        ),
        (
            [LEGAL_SING, Function("do_sing", HOME, ("t", "s", "action"))],
            ["do_sing takes (t, s, action), but may take (s, t, action) in this order"],
        ),
        (
            [Function("legal_sing", HOME, ("s", "t")), DO_SING],
            ["legal_sing takes (s, t), but may take (s, t, mask) in this order"],
        ),
    ],
)
def test_a_missing_or_wrong_function_is_named(functions, lines):
    assert faults({**TABLE, "SING": SING}, [*find_functions(), *functions]) == lines


def test_functions_are_found_in_the_chapters_by_name(tmp_path):
    (tmp_path / "songs").mkdir()
    source = "@rule\ndef legal_sing(s: State, mask: Words) -> None: ...\n\ndef sing(s: State) -> None: ...\n"
    (tmp_path / "songs" / "solo.py").write_text(source)
    assert find_functions(tmp_path) == [Function("legal_sing", "fujikoro_env.rules.songs.solo", ("s", "mask"))]


def test_the_tool_writes_nothing_while_a_function_is_missing(monkeypatch):
    left = [function for function in find_functions() if function.name != "go_turn"]
    before = DISPATCH.read_text(encoding="utf-8")
    monkeypatch.setattr(make_phases, "find_functions", lambda: left)
    with pytest.raises(SystemExit) as stopped:
        make_phases.main()
    assert stopped.value.code == "TURN has no function go_turn in the rules"
    assert DISPATCH.read_text(encoding="utf-8") == before


# The engine


def test_the_dispatch_is_up_to_date():
    written = DISPATCH.read_text(encoding="utf-8")
    assert written == dispatch_source(TABLE, find_functions()), "run python tools/make_phases.py"


@pytest.mark.parametrize("number", [max(Phase) + 1, 0])
def test_a_number_that_is_no_phase_is_a_fault_and_hangs_nothing(number):
    game = table()
    games: Any = zeros(State, 1)
    games[0] = game.state
    games[0].stack[games[0].depth - 1].phase = number
    assert step_games(games, game.rules.tables, 0, 1, integers([NO_ACTION]), words(1)) == Fault.NO_LEGAL_ACTION


# Frames


@pytest.mark.parametrize(
    "rules",
    [
        Rules(players=5, monk_to_pack=True, scroll_replace_anytime=True),
        Rules(players=3, characters=("mitsuhide", "daisuke", "masako")),
        Rules(players=4, mode="coop"),
        Rules(players=4, scenario=2),
        Rules(players=3, scenario=4),
        Rules(scenario=7),
    ],
    ids=["five", "characters", "coop", "scenario2", "scenario4", "scenario7"],
)
def test_frames_keep_only_what_their_phase_declares(rules):
    for games, _ in play_batch(rules, 24):
        check_frames(games)


def test_frames_of_rare_questions_keep_only_what_their_phase_declares():
    for game in one_of_each_phase().values():
        check_frames(np.asarray(game.state).reshape(1))


def check_frames(games: Any) -> None:
    """Every field of a frame that is not 0 is declared for its phase, and numbers are within their bounds."""
    frames = games["stack"][np.arange(games["stack"].shape[1]) < games["depth"][:, None]]
    for number in np.unique(frames["phase"]):
        mine, phase = frames[frames["phase"] == number], Phase(int(number))
        used = {slot for slot in SLOTS if np.any(mine[slot])}
        assert used <= {field.slot for field in phase.entry.keeps}, phase.name
        for field in phase.entry.keeps:
            if field.holds == Holds.NUMBER:
                values = mine[field.slot]
                assert field.least <= values.min() <= values.max() <= field.most, (phase.name, field.name)


def test_stages_of_the_table_are_those_of_the_rules():
    assert {field.name: field.stage for field in Phase.MONK_SPOT.entry.keeps if field.slot == "at"} == {
        "space": FROM_MAP,
        "other": FROM_PACK,
    }


# Users of the table


@pytest.mark.parametrize(
    ("phase", "field"),
    [
        pytest.param(phase, field, id=f"{phase.name}.{field.name}")
        for phase in Phase
        for field in phase.entry.keeps
        if field.holds in (Holds.PLAYER, Holds.PLAYER_OR_NONE)
    ],
)
def test_observations_show_players_that_a_frame_holds_as_seats(phase, field):
    game, held = table(players=3), 2
    stack = game.state.stack
    stack[2] = stack[1]  # the question stays on top
    stack[1] = np.zeros((), stack.dtype)
    stack[1]["phase"], stack[1]["stage"], game.state.depth = phase, field.stage or 0, 3
    stack[1][field.slot] = held + (field.holds == Holds.PLAYER_OR_NONE)
    for observer in range(3):
        seen, where = game.observe(observer)["frames"][1], columns("frames")
        assert seen[where["phase"]] == phase
        assert seen[where["other"]] == (held - observer) % 3 + 1
        assert seen[where[field.slot]] == 0


def test_the_players_that_frames_hold_are_those_of_the_rules():
    """The expected slots are repeated here, because a player declared as something else would be shown as an absolute
    number."""
    other = [
        "CALL_DUEL",
        "LAY_LOSER",
        "STEAL",
        "MOVE_OTHER",
        "CONSENT",
        "THEFT",
        "SWAP_GIVE",
        "SWAP_TAKE",
        "SWAP_CONSENT",
        "DUEL",
    ]
    assert [phase.name for phase, _ in frames_with(Holds.PLAYER, "thing")] == other
    assert frames_with(Holds.PLAYER, "at") == [(Phase.MONK_SPOT, FROM_PACK)]
    assert frames_with(Holds.PLAYER_OR_NONE, "thing") == [(Phase.GUNBAI, None)]


def test_positions_know_every_kind_of_field_and_whom_every_phase_asks():
    names, frame = names_of(Rules().pack), zeros(State, 1)[0].stack[0]
    for phase in Phase:
        known = {**frame_fields(phase, names), **more_frame_fields(phase, names, frame)}
        in_this_stage = [field for field in phase.entry.keeps if field.stage in (None, 0)]
        assert {name: slot for name, (slot, _) in known.items()} == {each.name: each.slot for each in in_this_stage}
    assert set(IS_ASKED) == set(Whom)
    assert {field.holds for phase in Phase for field in phase.entry.keeps} == set(Holds), "a kind that nothing holds"


def test_what_a_phase_may_lie_on_is_found_by_phase():
    assert grounds(Phase.STEAL)[Phase.DUEL].stages == (4,)
    assert slot_of(Phase.STEAL, "other") == "thing"
