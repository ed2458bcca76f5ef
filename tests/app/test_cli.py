"""The command `fujikoro`, tried as a new user would."""

import io
import json
import os
import random
import re
import shutil
import signal
import subprocess
import sys
import tomllib
from pathlib import Path

import pytest
from rich.console import Console
from rich.text import Text

from fujikoro_agents.scripted.skills import RUNGS
from fujikoro_app import bench, bench_agents
from fujikoro_app.bench_games import RandomBatch
from fujikoro_app.cli import main
from fujikoro_app.narration import outcome_text
from fujikoro_app.terminal import painted
from fujikoro_env import Game, Rules, content
from fujikoro_env.scenarios import SCENARIOS
from tests.helpers.hostile import HOSTILE_INPUTS

BASE = Path(content.__file__).parent / "base"
COMMANDS = (
    ["balance"],
    ["balance", "seats"],
    ["balance", "tune"],
    ["balance", "report"],
    ["bench"],
    ["compare"],
    ["content"],
    ["content", "check"],
    ["dataset"],
    ["evaluate"],
    ["play"],
    ["policy"],
    ["policy", "convert"],
    ["policy", "show"],
    ["replay"],
    ["report"],
    ["tournament"],
    ["train"],
    ["warmup"],
    ["watch"],
)


@pytest.fixture
def pack(tmp_path: Path) -> Path:
    """A copy of the base pack."""
    return Path(shutil.copytree(BASE, tmp_path / "pack"))


def add_tiles(pack: Path, number: int) -> None:
    """More level II tiles; the base pack has 13."""
    tile = '\n[[tile]]\nid = "extra_{}"\nlevel = 2\nspaces = ["square", "+1", "-", "-", "-", "-", "-"]\n'
    with (pack / "tiles.toml").open("a", encoding="utf-8") as file:
        file.writelines(tile.format(n) + 'source = "reconstructed"\n' for n in range(number))


def make_variant(pack: Path) -> None:
    edition = (pack / "pack.toml").read_text().replace('edition = "rulebook"', 'edition = "wide"\nchanges = "tiles"')
    (pack / "pack.toml").write_text(edition)


def error_lines(capsys: pytest.CaptureFixture[str], *arguments: str | Path) -> list[str]:
    """Lines that a failing command prints on standard error; it must print nothing on standard output."""
    assert main([str(argument) for argument in arguments]) == 2
    said = capsys.readouterr()
    assert said.out == ""
    return said.err.splitlines()


def only_line(capsys: pytest.CaptureFixture[str], *arguments: str | Path) -> str:
    (line,) = error_lines(capsys, *arguments)
    assert line.startswith("fujikoro: ")
    return line


def contents(folder: Path) -> dict[str, bytes]:
    return {path.name: path.read_bytes() for path in folder.iterdir()}


# Help


@pytest.mark.parametrize("command", [[], *COMMANDS], ids=" ".join)
def test_help_has_an_example(command, capsys):
    with pytest.raises(SystemExit) as left:
        main([*command, "--help"])
    assert left.value.code == 0
    assert "example: fujikoro " + " ".join(command) in capsys.readouterr().out


def test_the_command_is_installed_under_its_name():
    scripts = tomllib.loads((Path(__file__).resolve().parents[2] / "pyproject.toml").read_text())["project"]["scripts"]
    assert scripts == {"fujikoro": "fujikoro_app.cli:main"}


# Bad input


@pytest.mark.parametrize(
    ("arguments", "told"),
    [
        ([], "required: COMMAND"),
        (["dance"], "'dance'"),
        (["content"], "required: COMMAND"),
        (["watch", "--frobnicate"], "--frobnicate (see fujikoro watch --help)"),
        (["balance", "seats", "--frobnicate"], "--frobnicate (see fujikoro balance seats --help)"),
        (["watch", "--see", "1"], "--see"),  # no abbreviations: they would change meaning with the next option
        (["watch", "--players", "many"], "'many'"),
        (["watch", "--players", "7"], "players=7: allowed are the numbers 2 to 6"),
        (["watch", "--max-rounds", "0"], "max_rounds=0"),
        (["watch", "--mode", "solo", "--players", "2"], "players=2: mode 'solo' is for 1 player"),
        (["watch", "--mode", "coop", "--final-at", "20"], "final_at=20 has no effect in mode 'coop'"),
        (["watch", "--scenario", "9"], "scenario='9' is not known: there are 1 each_for_himself, "),
        (["watch", "--scenario", "7", "--mode", "competitive"], "allowed is 'solo' (SCEN-71)"),
        (["watch", "--mode", "war"], "allowed are 'competitive', 'coop', 'solo'"),
        (["watch", "--seed=-1"], "'-1' is not a whole number from 0"),
        (["watch", "--seed", str(1 << 62)], "2**62 - 1"),
        (["watch", "--every", "0"], "at least 1"),
        (["watch", "--speed", "-1"], "--speed"),
        (["watch", "--speed", "fast"], "'fast' is not a number above 0"),
        (["watch", "--option", "monk_to_pack"], "NAME=VALUE"),
        (
            ["watch", "--option", "monks_fly=true"],
            "unknown option 'monks_fly': there are coop_",
        ),
        (["watch", "--option", "self=1"], "unknown option 'self'"),
        (["watch", "--option", "monk_to_pack=7"], "monk_to_pack=7: allowed are False, True (MONK-1)"),
        (["watch", "--option", "two\nlines=1"], r"'two\nlines=1': control characters are not allowed"),
        (["watch", "--content", "no/such/pack"], "no folder 'no/such/pack'; the shipped packs are: base, tuned"),
        (["watch", "--content", "two\nlines"], r"'two\nlines': control characters are not allowed"),
        (["content", "check", "no/such/pack"], "no folder 'no/such/pack'; the shipped packs are: base, tuned"),
        (["content", "check", "x" * 1000], "no folder 'xxx"),
        (["watch", "--content", "x" * 1000], "no folder 'xxx"),
        (["bench", "--runs", "0"], "at least 1"),
        (["watch", "--players", "2", "--characters", "tomoe,godzilla"], "no character is called 'godzilla'"),
        (["watch", "--players", "3", "--characters", "tomoe,masako"], "2 characters for 3 players"),
        (["bench", "--runs", "²"], "at least 1"),
    ],
)
def test_bad_input_gets_one_line(arguments, told, capsys):
    assert told in only_line(capsys, *arguments)


TAKE_A_NAME = (
    ["content", "check"],
    ["dataset", "--by", "random", "--out"],
    ["evaluate"],
    ["play", "--position"],
    ["policy", "show"],
    ["replay"],
    ["report"],
    ["tournament", "--players", "random,random", "--out"],
    ["watch"],
    ["watch", "--by"],
    ["watch", "--characters"],
    ["watch", "--content"],
    ["watch", "--option"],
    ["watch", "--save"],
    ["watch", "--scenario"],
    ["watch", "--seed"],
)


@pytest.mark.parametrize("command", TAKE_A_NAME, ids=" ".join)
@pytest.mark.parametrize("name", ["\x1b[31m", "a\0b", "\x9b2J", "a\rb"], ids=ascii)
def test_control_characters_in_arguments_are_refused(command, name, capsys, record_property):
    record_property(HOSTILE_INPUTS, 1)
    line = only_line(capsys, *command, name)
    assert line == f"fujikoro: argument {name!r}: control characters are not allowed"


@pytest.mark.parametrize("command", TAKE_A_NAME, ids=" ".join)
@pytest.mark.parametrize("name", ["x" * 5000, "9" * 5000], ids=["word", "number"])
def test_long_arguments_are_not_repeated_in_full(command, name, capsys, record_property):
    record_property(HOSTILE_INPUTS, 1)
    pytest.importorskip("scipy", reason="tournaments are not installed: pip install -e '.[tournament]'")
    line = only_line(capsys, *command, name)
    assert line.count(name[0]) < 220
    assert len(line) < 700


@pytest.mark.parametrize("name", ["\u202e.json", "\udc80.json"], ids=ascii)
def test_other_signs_that_do_not_print_are_escaped(name, capsys):
    assert only_line(capsys, "replay", name) == f"fujikoro: recording {ascii(name)[1:-1]}: No such file or directory"


@pytest.mark.parametrize("command", [["content", "check"], ["watch", "--content"]], ids=" ".join)
class TestPacks:
    def test_a_missing_file(self, command, pack, capsys):
        (pack / "dice.toml").unlink()
        assert "dice.toml: the file is missing" in only_line(capsys, *command, pack)

    def test_a_file_that_is_no_toml(self, command, pack, capsys):
        (pack / "dice.toml").write_text("[[die\n")
        assert "dice.toml: not readable as TOML" in only_line(capsys, *command, pack)

    def test_the_rulebook_has_13_tiles_of_level_2(self, command, pack, capsys):
        add_tiles(pack, 1)
        before = contents(pack)
        assert "level 2: 14 tiles; edition 'rulebook' has 13" in only_line(capsys, *command, pack)
        assert contents(pack) == before

    def test_no_pack_has_17(self, command, pack, capsys):
        make_variant(pack)
        add_tiles(pack, 4)
        assert "level 2: 17 tiles; allowed: 1 to 16" in only_line(capsys, *command, pack)


def test_every_fault_of_a_pack_has_its_line(pack, capsys):
    for name in ("dice.toml", "tokens.toml", "tracks.toml"):
        (pack / name).unlink()
    lines = error_lines(capsys, "content", "check", pack)
    assert len(lines) == 3
    assert all(line.startswith(f"fujikoro: content pack {pack}: ") for line in lines)


def test_faults_for_programs(pack, capsys):
    add_tiles(pack, 1)
    assert main(["content", "check", str(pack), "--json"]) == 2
    said = capsys.readouterr()
    assert said.err == ""
    (fault,) = json.loads(said.out)["faults"]
    assert (fault["file"], fault["entry"]) == ("tiles.toml", "level 2")


# Good input


def test_a_pack_without_faults(capsys):
    assert main(["content", "check"]) == 0
    assert capsys.readouterr().out == "content pack base: no faults\n"
    assert main(["content", "check", str(BASE), "--json"]) == 0
    assert json.loads(capsys.readouterr().out) == {"pack": str(BASE), "faults": []}


def test_a_variant_with_14_tiles_plays(pack, capsys):
    make_variant(pack)
    add_tiles(pack, 1)
    assert main(["content", "check", str(pack)]) == 0
    assert main(["watch", "--content", str(pack), "--players", "2", "--max-rounds", "3"]) == 0
    assert capsys.readouterr().out.endswith("\n")


def test_watching_shows_the_table_now_and_then_and_the_outcome(capsys):
    arguments = ["watch", "--players", "2", "--seed", "5", "--max-rounds", "4", "--every", "2"]
    assert main([*arguments, "--option", "monk_to_pack=true"]) == 0
    text = capsys.readouterr().out
    assert [n for n in range(1, 6) if f"round {n} of 4" in text] == [1, 3, 4]
    assert "The game is over in round 4: that was the last round." in text
    assert text.splitlines()[-1].startswith("2. random (player ") or text.count("\n1. random (player ") == 2


def test_watching_tells_each_deed_in_a_line_with_its_agent(capsys):
    assert main(["watch", "--players", "2", "--seed", "5", "--max-rounds", "4", "--by", "random"]) == 0
    heading, *lines, over, _, _ = capsys.readouterr().out.splitlines()
    assert heading == "Fuji Koro, seed 5: random (player 0), random (player 1)"
    assert over.startswith("The game is over in round 4")
    assert all(re.match(r"(set-up|round \d+) · random \(player [01]\)(:| \w)", line) for line in lines)
    assert any(re.search(r" explores ring1\.\d: \w+", line) for line in lines)


def test_the_end_of_a_game_lists_vp_by_source():
    game = Game(Rules(players=2, final_at=10, max_rounds=12), seed=2)
    luck = random.Random(2)
    while not game.over:
        game.step(luck.choice(game.legal_actions()))
    assert game.outcome is not None
    lines = outcome_text(game, ["ann (player 0)", "bob (player 1)"]).splitlines()[1:]
    assert [int(line.partition(".")[0]) for line in lines] == sorted(game.outcome.ranking)
    for seat, name in enumerate(("ann (player 0)", "bob (player 1)")):
        (line,) = [line for line in lines if name in line]
        assert f"with {game.scores[seat]} VP" in line
        sources = re.findall(r"-?\d+(?=,|$)", line.partition("VP: ")[2])
        assert sum(map(int, sources)) == game.scores[seat]


def test_the_speed_is_lines_per_second(monkeypatch, capsys):
    waits: list[float] = []
    monkeypatch.setattr("fujikoro_app.commands.watch.time.sleep", waits.append)
    assert main(["watch", "--players", "2", "--max-rounds", "1", "--speed", "4"]) == 0
    lines = capsys.readouterr().out.splitlines()
    assert waits == [0.25] * (len(lines) - 1)  # all but the heading
    waits.clear()
    assert main(["watch", "--players", "2", "--max-rounds", "1"]) == 0  # not on a terminal
    assert waits == []


def test_colour_is_for_terminals_that_have_it():
    line = "round 3 · shogun (player 1) explores ring2.4: mossy_gate, +2 VP"
    in_colour = Console(force_terminal=True, color_system="standard", no_color=False)
    assert "\033[" in painted(line, in_colour)
    assert Text.from_ansi(painted(line, in_colour)).plain == line
    assert painted(line, Console(force_terminal=True, color_system="standard", no_color=True)) == line
    assert painted(line, Console(file=io.StringIO())) == line


def test_no_color_is_respected(monkeypatch):
    monkeypatch.setenv("NO_COLOR", "1")
    monkeypatch.setenv("TERM", "xterm-256color")
    assert painted("+2 VP", Console(force_terminal=True)) == "+2 VP"


@pytest.mark.parametrize("scenario", SCENARIOS, ids=lambda scenario: scenario.name)
def test_every_scenario_can_be_watched(scenario, capsys):
    by_number = ["watch", "--scenario", str(scenario.number), "--seed", "3", "--max-rounds", "6"]
    assert main(by_number) == 0
    said = capsys.readouterr().out
    assert f"scenario {scenario.number}: {scenario.title}" in said
    assert main(["watch", "--scenario", scenario.name, "--seed", "3", "--max-rounds", "6"]) == 0
    assert capsys.readouterr().out == said


@pytest.mark.parametrize("arguments", [["--mode", "coop", "--players", "3"], ["--mode", "solo"]])
def test_coop_and_solo_games_can_be_watched(arguments, capsys):
    assert main(["watch", *arguments, "--seed", "5", "--max-rounds", "3", "--every", "1"]) == 0
    text = capsys.readouterr().out
    assert "2 lives" in text
    assert re.fullmatch(r"The game is over in round \d+: all have lost together.", text.splitlines()[-1])


def test_the_same_seed_shows_the_same_game(capsys):
    shown = []
    for seed in (5, 5, 6):
        assert main(["watch", "--players", "2", "--seed", str(seed), "--max-rounds", "2"]) == 0
        shown.append(capsys.readouterr().out)
    assert shown[0] == shown[1] != shown[2]


def test_warmup_says_where_compiled_code_is_kept(capsys):
    assert main(["warmup"]) == 0
    assert len(capsys.readouterr().out.splitlines()) == 1


# In a process of its own


def start(*arguments: str, **environment: str) -> "subprocess.Popen[str]":
    command = [sys.executable, "-m", "fujikoro_app.cli", *arguments]
    pipe = subprocess.PIPE
    return subprocess.Popen(command, stdout=pipe, stderr=pipe, text=True, env={**os.environ, **environment})


def test_a_fault_is_no_traceback_and_exits_with_2():
    process = start("watch", "--content", "no/such/pack")
    out, error = process.communicate(timeout=60)
    assert (process.returncode, out, error.count("\n")) == (2, "", 1)


def test_a_reader_that_stops_is_no_trouble():
    process = start("watch", "--every", "1")
    assert process.stdout
    assert process.stderr
    process.stdout.readline()
    process.stdout.close()
    assert "Traceback" not in process.stderr.read()
    assert process.wait(timeout=60) == 0
    process.stderr.close()


def test_a_terminal_without_the_signs_of_the_map():
    process = start("watch", "--players", "2", "--max-rounds", "1", PYTHONIOENCODING="ascii")
    out, error = process.communicate(timeout=60)
    assert process.returncode == 0, error
    assert "?" in out


def test_an_interrupt_is_quiet(monkeypatch, capsys):
    def interrupted(*_arguments, **_options):
        signal.raise_signal(signal.SIGINT)

    monkeypatch.setattr(bench, "measure", interrupted)
    handler = signal.signal(signal.SIGINT, signal.default_int_handler)  # jobs in the background begin without one
    try:
        assert main(["bench"]) == 130
    finally:
        signal.signal(signal.SIGINT, handler)
    assert capsys.readouterr() == ("", "")


# The benchmark: that it runs, not how fast


TINY = bench.Effort(
    games=4,
    steps=4,
    observed_games=2,
    spread=3,
    observed_steps=4,
    chunk=2,
    decisions=4,
    loop_decisions=1,
    yardstick_decisions=1,
)


@pytest.fixture
def tiny(monkeypatch):
    """A benchmark that measures next to nothing."""
    monkeypatch.setattr(bench, "FULL", TINY)
    monkeypatch.setattr(bench_agents, "FULL", bench_agents.PlayersEffort(1, 1, 4, 1))
    monkeypatch.setattr(bench, "signature", lambda: bench.SIGNATURE)  # tests/games/test_golden.py sees to it


def test_bench_for_programs(tiny, capsys):
    assert main(["bench", "--json", "--runs", "1"]) == 0
    figures = json.loads(capsys.readouterr().out)
    assert set(figures) == {
        "runs",
        "cores",
        "decisions_per_second",
        "targets",
        "threads",
        "ratios",
        "players",
        "shogun_to_runner",
        "mcts",
        "catanatron",
        "start_seconds",
        "compile_seconds",
        "signature",
    }
    assert set(figures["decisions_per_second"]) == set(bench.SPEEDS)
    assert all(speed > 0 for speed in figures["decisions_per_second"].values())
    assert set(figures["targets"]) == {"batch", "batch_compact", "game"}
    assert figures["threads"]["ratio"] > 0
    assert figures["threads"]["target"] == 1.7
    assert {name: ratio["target"] for name, ratio in figures["ratios"].items()} == {
        "chess_v6": 20,
        "connect_four_v3": 3,
    }
    assert all(ratio["aec_raw_env"] > 0 and ratio["aec_env"] > 0 for ratio in figures["ratios"].values())
    assert list(figures["players"]) == list(RUNGS)
    assert all(speed > 0 for rung in figures["players"].values() for speed in rung.values())
    assert 0 < figures["shogun_to_runner"] < 1
    assert set(figures["mcts"]) == {"quick", "scout"}
    assert all(speed > 0 for search in figures["mcts"].values() for speed in search.values())
    assert figures["catanatron"]["target"] == 40
    assert figures["start_seconds"]["warm_start"] > 0
    assert figures["start_seconds"]["cold_start"] is None
    assert figures["compile_seconds"] == {"found": None, "target": 150, "met": None}
    assert figures["signature"] == {"found": bench.SIGNATURE, "expected": bench.SIGNATURE, "as_expected": True}


def test_bench_for_people(tiny, capsys):
    assert main(["bench", "--runs", "1"]) == 0
    text = capsys.readouterr().out
    assert text.count("target ") == 7
    assert re.search(r"^  hunter +[\d,]+   [\d.,]+ games; [\d.]+ of the raw engine", text, re.MULTILINE)
    assert re.search(r"^  shogun / runner +0\.\d{4}   decisions in the same CPU time$", text, re.MULTILINE)
    assert "PettingZoo chess_v6.env()" in text
    assert "measured with --cold" in text
    assert text.splitlines()[-1].endswith(f"{bench.SIGNATURE}   as expected")


def test_bench_tells_when_the_games_are_others():
    nothing: bench.Best = dict.fromkeys(bench.FIGURES)
    last = bench.as_table(nothing, 1, found="0123456789abcdef").splitlines()[-1]
    assert f"0123456789abcdef   differs from {bench.SIGNATURE}" in last
    assert bench.as_json(nothing, 1, found="0123456789abcdef")["signature"]["as_expected"] is False


def test_a_yardstick_that_is_not_installed_is_named_and_skipped(tiny, capsys, monkeypatch):
    monkeypatch.setitem(sys.modules, "pettingzoo.classic.chess_v6", None)
    monkeypatch.setitem(sys.modules, "catanatron", None)
    monkeypatch.setattr(bench, "warm_start", lambda: 1.0)
    assert main(["bench", "--runs", "1"]) == 0
    lines = capsys.readouterr().out.splitlines()
    for name in ("chess_v6", "catanatron"):
        (line,) = [line for line in lines if name in line]
        assert "not installed" in line


def test_compiling_is_measured_once_and_when_asked_for(tiny, capsys, monkeypatch):
    monkeypatch.setattr(bench, "warm_start", lambda: 1.0)
    seconds = iter([60.0, 149.0])
    monkeypatch.setattr(bench, "_seconds_of", lambda code, environment: next(seconds))
    assert main(["bench", "--runs", "2", "--cold"]) == 0
    (line,) = [line for line in capsys.readouterr().out.splitlines() if "compile everything" in line]
    assert "149.00   at most; target 150: met" in line


@pytest.mark.parametrize("start", [bench.cold_start, bench.compile_everything])
def test_a_cold_start_has_a_cache_of_its_own(start, monkeypatch):
    caches: list[Path] = []

    def seconds_of(_code: str, environment: dict[str, str]) -> float:
        caches.append(Path(environment["FUJIKORO_CACHE"]))
        assert not any(caches[-1].iterdir())
        return 1.0

    monkeypatch.setattr(bench, "_seconds_of", seconds_of)
    assert start() == start() == 1.0
    assert caches[0] != caches[1]
    assert not caches[0].exists()


def test_the_batch_plays_on_when_games_end():
    batch = RandomBatch(Rules(players=2, max_rounds=1), 4)
    for _ in range(200):
        batch.step()
    assert not batch.ended.any()
    assert batch._dealt > 8


@pytest.mark.rule("CHAR-1")
@pytest.mark.parametrize("characters", ["random", "tomoe,daisuke", "masako, takeko"])
def test_watch_plays_characters(characters, capsys):
    assert main(["watch", "--players", "2", "--max-rounds", "1", "--characters", characters]) == 0
    shown = capsys.readouterr().out
    for name in characters.split(","):
        assert characters == "random" or f") as {name.strip()}" in shown
