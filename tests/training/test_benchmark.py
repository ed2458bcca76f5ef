"""The frozen benchmark: its protocol, the same games in batches and in sessions, the journal, results, the command."""

import json
import re
from dataclasses import asdict, replace
from pathlib import Path
from typing import Any

import numpy as np
import pytest

pytest.importorskip("scipy", reason="tournaments are not installed: pip install -e '.[tournament]'")
pytest.importorskip("pyarrow", reason="tournaments are not installed: pip install -e '.[tournament]'")

from scipy.stats import t as student

from fujikoro_app.cli import main
from fujikoro_env.kernel.jit import INTERPRETED
from fujikoro_env.settings import Rules
from fujikoro_training.benchmark import run as run_module
from fujikoro_training.benchmark.batched import play_batched, plays_in_batches
from fujikoro_training.benchmark.fingerprint import results_digest, yardstick
from fujikoro_training.benchmark.protocol import (
    AGENT,
    FIRST_SEED,
    LAST_SEED,
    PROTOCOLS,
    Protocol,
    Series,
)
from fujikoro_training.benchmark.report import leaderboard, read_results
from fujikoro_training.benchmark.result import result_of
from fujikoro_training.benchmark.run import Plan, Played, play
from fujikoro_training.benchmark.scripted import name_in_session, play_scripted, skills_of
from fujikoro_training.tournament.games import Games
from fujikoro_training.tournament.match import MatchRunner, Result
from fujikoro_training.tournament.store import JOURNAL, StoreError
from tools import make_benchmark

ROOT = Path(__file__).resolve().parents[2]
V0 = PROTOCOLS["v0"]
TINY = Protocol(
    "tiny",
    (Series("duel", "competitive", 2, "hunter", 17, 3), Series("team", "coop", 2, None, 27, 2)),
    move_seconds=60.0,
)
compiled = pytest.mark.skipif(INTERPRETED, reason="plain Python plays too slowly")


# The protocol


@pytest.mark.parametrize(("name", "digest"), [("v0", "a323af0d0e83baab"), ("tables-v0", "8b2609b597c77b20")])
def test_published_protocols_are_frozen(name, digest):
    assert PROTOCOLS[name].digest == digest, "a published protocol never changes: undo this and make another"


def test_the_digest_of_a_protocol_covers_characters():
    plain, dealt = (replace(TINY, series=(replace(TINY.series[0], characters=c),)) for c in (None, "random"))
    assert plain.digest != dealt.digest
    assert dealt.series[0].rules == Rules(players=2, characters="random")


def test_every_seed_is_played_with_the_agent_in_every_seat():
    for series in V0.series:
        matches = V0.matches(series)
        assert len(matches) == series.games
        if series.opponent:
            seats = {(match.seed, match.seats.index(AGENT)) for match in matches}
            assert len(seats) == series.games == series.seeds * series.players
        else:
            assert {match.seats for match in matches} == {(AGENT,) * series.players}
            assert len({match.seed for match in matches}) == series.seeds


def test_games_are_numbered_through_the_protocol():
    numbers = [match.game for series in V0.series for match in V0.matches(series)]
    assert numbers == list(range(V0.games))


def test_no_seed_is_used_twice():
    """A quick trial must not show anybody the games of the protocol."""
    seeds = [
        seed
        for published in PROTOCOLS.values()
        for protocol in (published, published.trial())
        for series in protocol.series
        for seed in range(series.first_seed, series.first_seed + series.seeds)
    ]
    assert len(seeds) == len(set(seeds))
    assert FIRST_SEED <= min(seeds) <= max(seeds) <= LAST_SEED


def test_nothing_else_has_seeds_of_the_benchmark():
    number = re.compile(r"(?<![\w.])\d[\d_]{8,}(?![\w.])")
    here = {ROOT / "training/fujikoro_training/benchmark/protocol.py", Path(__file__)}
    folders = ("fujikoro_env", "agents", "training", "app", "tools", "examples", "tests")
    faults = [
        f"{path.relative_to(ROOT)}: {found[0]}"
        for folder in folders
        for path in (ROOT / folder).rglob("*.py")
        if path not in here
        for found in number.finditer(path.read_text(encoding="utf-8"))
        if FIRST_SEED <= int(found[0].replace("_", "")) <= LAST_SEED
    ]
    assert not faults, "seeds that are reserved for benchmarks:\n" + "\n".join(faults)


# Games


def without_time(result: Result) -> dict[str, Any]:
    return {name: value for name, value in asdict(result).items() if name != "seconds"}


@compiled
@pytest.mark.parametrize(
    ("agent", "opponent", "rules"),
    [
        ("runner", "random", Rules(3, max_rounds=5)),
        ("random", "hunter", Rules(2, max_rounds=5)),
        ("wanderer", "shogun", Rules(3, max_rounds=3)),
        ("band", None, Rules(2, mode="coop")),
    ],
)
def test_batches_and_sessions_play_the_same_games(agent, opponent, rules):
    series = Series("some", rules.mode, rules.players, opponent, 5, 2)
    names = [agent, opponent or agent]
    matches = list(series.matches(40))
    sessions = MatchRunner([name_in_session(name) for name in names], rules, move_seconds=60.0)
    batch = play_scripted(rules, matches, [skills_of(name) or 0 for name in names])
    assert [without_time(result) for result in batch] == [without_time(sessions.play(match)) for match in matches]


@compiled
@pytest.mark.parametrize(
    ("agent", "opponent", "rules"),
    [
        ("ppo", "random", Rules(2, max_rounds=4)),
        ("ppo:greedy=false", "hunter", Rules(3, max_rounds=4)),
        ("pupil", "shogun", Rules(3, max_rounds=4, characters="random")),
        ("sensei", "runner", Rules(2, max_rounds=4)),
        ("pupil", None, Rules(2, mode="coop", max_rounds=6)),
    ],
)
def test_trained_agents_play_the_same_games_in_batches_and_sessions(agent, opponent, rules):
    names = [agent, opponent or agent]
    matches = list(Series("some", rules.mode, rules.players, opponent, 5, 2).matches(40))
    sessions = MatchRunner([name_in_session(name) for name in names], rules, move_seconds=60.0)
    batch = play_batched(rules, matches, names)
    assert [without_time(result) for result in batch] == [without_time(sessions.play(match)) for match in matches]


def test_only_our_agents_play_in_batches():
    assert plays_in_batches("random")
    assert plays_in_batches("sensei:margin=1")
    assert plays_in_batches("pupil")
    assert not plays_in_batches("mcts:iterations=8")
    assert not plays_in_batches("python:tests.helpers.bots.First")


def test_only_shipped_scripts_play_in_batches_of_scripts():
    assert skills_of("random") == 0
    assert skills_of("shogun")
    assert skills_of("mcts:iterations=8") is None
    assert skills_of("python:tests.helpers.bots.First") is None


@compiled
def test_an_evaluation_that_was_cut_off_goes_on_and_ends_like_one_that_was_not(tmp_path, monkeypatch):
    plan = Plan("wanderer", TINY)
    whole = result_of(play(plan, TINY.series, tmp_path / "whole", jobs=1))
    journal = (tmp_path / "whole" / JOURNAL).read_bytes().splitlines(keepends=True)
    (tmp_path / "cut").mkdir()
    (tmp_path / "cut" / JOURNAL).write_bytes(b"".join(journal[:4]) + journal[4][:20])
    played: list[int] = []

    def counting(rules: Rules, matches: Any, skills: Any) -> list[Result]:
        played.extend(match.game for match in matches)
        return play_scripted(rules, matches, skills)

    monkeypatch.setattr(run_module, "play_scripted", counting)
    assert result_of(play(plan, TINY.series, tmp_path / "cut", jobs=1)) == whole
    assert played == [3, 4, 5, 6, 7]


@compiled
def test_series_can_be_played_one_after_the_other(tmp_path):
    plan = Plan("random", TINY)
    first = result_of(play(plan, TINY.series[1:], tmp_path, jobs=1))
    assert [series["name"] for series in first["series"]] == ["team"]
    assert not first["complete"]
    both = result_of(play(plan, TINY.series[:1], tmp_path, jobs=1))
    assert [series["name"] for series in both["series"]] == ["duel", "team"]
    assert both["complete"]


THREE_SEATS = {
    "ranks": [1, 2, 3],
    "vp": [3, 2, 1],
    "characters": ["symmetric"] * 3,
    "decisions": [9] * 3,
    "seconds": [0.1] * 3,
}


@compiled
@pytest.mark.parametrize(
    ("change", "told"),
    [
        ({"game": 99}, "has game 99, which the protocol does not have"),
        ({"ranks": [1, 2, 3]}, r"line 2: vp is .*, not a number of VP for each of 3 seats"),
        (THREE_SEATS, "game 0 of its journal does not have 2 players"),
    ],
)
def test_a_journal_with_other_games_is_refused(change, told, tmp_path):
    plan = Plan("random", TINY)
    play(plan, TINY.series[:1], tmp_path, jobs=1)
    lines = (tmp_path / JOURNAL).read_text().splitlines()
    lines[1] = json.dumps(json.loads(lines[1]) | change)
    (tmp_path / JOURNAL).write_text("\n".join(lines) + "\n")
    with pytest.raises(StoreError, match=told):
        play(plan, TINY.series, tmp_path, jobs=1)


@compiled
def test_a_journal_of_another_agent_is_refused(tmp_path):
    play(Plan("random", TINY), TINY.series[:1], tmp_path, jobs=1)
    with pytest.raises(StoreError, match='the benchmark there has agent "random", not "smith"'):
        play(Plan("smith", TINY), TINY.series[:1], tmp_path, jobs=1)


# Results


def a_result(game: int, vp: tuple[int, int], seconds: float = 0.0) -> Result:
    ranks = [1, 2] if vp[0] > vp[1] else [2, 1]
    return Result(game, "countdown", 20, ranks, list(vp), ["symmetric"] * 2, [9, 9], [seconds] * 2)


@compiled
def test_numbers_of_a_result_and_their_intervals():
    """VP of the agent less those of its opponent, by seed: 10 and 20, 5 and 15, -2 and 0."""
    series = TINY.series[0]
    vp = [(30, 20), (10, 30), (25, 20), (15, 30), (18, 20), (21, 21)]
    results = [a_result(game, pair) for game, pair in enumerate(vp)]
    games = Games(["agent", "opponents"], TINY.matches(series), results)
    (found,) = result_of(Played(Plan("smith", TINY), {series: games}, 0.0))["series"]
    leads = np.array([(10 + 20) / 2, (5 + 15) / 2, (-2 + 0) / 2])
    reach = student.ppf(0.975, 2) * leads.std(ddof=1) / np.sqrt(3)
    assert found["vp_lead"] == pytest.approx([leads.mean(), leads.mean() - reach, leads.mean() + reach], abs=1e-3)
    assert found["games"] == 6
    assert found["fair"] == 0.5


def test_the_digest_of_results_ignores_time_alone():
    results = [a_result(0, (3, 2)), a_result(1, (5, 9))]
    assert results_digest(results) == results_digest([a_result(1, (5, 9), 1.5), a_result(0, (3, 2), 0.5)])
    assert results_digest(results) != results_digest([a_result(0, (3, 2)), a_result(1, (5, 8))])
    assert results_digest(results) != results_digest([replace(results[0], rounds=21), results[1]])


@compiled
def test_the_yardstick_changes_with_the_opponents(monkeypatch):
    other = Protocol("tiny", (replace(TINY.series[0], opponent="random"), TINY.series[1]), 60.0)
    assert yardstick(TINY) != yardstick(other)


# The leaderboard


def stored(agent: str, share: float, comparable: str = "same", is_result: bool = True) -> dict[str, Any]:
    series = {"name": "duel", "opponent": "hunter", "wins": [share, share / 2, 1.0]}
    fingerprint = {"comparable": comparable, "results": "12ab"}
    return {"format": 1, "agent": agent, "is_result": is_result, "series": [series], "fingerprint": fingerprint}


def test_the_leaderboard_is_ordered_and_shows_what_is_missing():
    alone = {**stored("alone", 1.0), "series": []}
    lines = leaderboard([alone, stored("weak", 0.1), stored("strong", 0.9)], TINY, {"strong": 5.71}).splitlines()
    assert lines[0] == "| agent | ms | duel | team | results |"
    assert lines[2:] == [
        "| `strong` | 5.7 | 90.0% (45.0 to 100.0) | - | `12ab` |",
        "| `weak` | - | 10.0% (5.0 to 100.0) | - | `12ab` |",
        "| `alone` | - | - | - | `12ab` |",
    ]


@pytest.mark.parametrize(
    ("second", "told"),
    [
        (stored("b", 0.5, is_result=False), "not a result of a protocol"),
        (stored("b", 0.5, comparable="other"), "the results of a and b were measured with different"),
        ({"format": 1}, "not a result of `fujikoro evaluate`"),
    ],
)
def test_what_does_not_belong_in_the_leaderboard_is_refused(second, told, tmp_path):
    (tmp_path / "1.json").write_text(json.dumps(stored("a", 0.5)))
    (tmp_path / "2.json").write_text(json.dumps(second))
    with pytest.raises(StoreError, match=told):
        read_results(tmp_path)


def test_the_page_shows_the_stored_results():
    assert make_benchmark.PAGE.read_text() == make_benchmark.page(), "run: make tables"


@pytest.mark.parametrize("protocol", PROTOCOLS.values(), ids=PROTOCOLS)
def test_stored_results_are_of_their_protocol(protocol):
    results = read_results(make_benchmark.RESULTS / protocol.name)
    assert results
    assert {result["fingerprint"]["protocol"] for result in results} == {protocol.digest}
    assert all(series["games"] == protocol.named([series["name"]])[0].games for r in results for series in r["series"])


# The command


@compiled
def test_the_command_writes_a_marked_trial(tmp_path, capsys):
    command = ["evaluate", "gatherer", "--quick", "--series", "coop-2,random-4", "--jobs", "1", "--out", str(tmp_path)]
    assert main(command) == 0
    said = capsys.readouterr()
    assert "NOT a result of the protocol" in said.out
    assert "no result of the protocol" in said.err
    assert "NOT a result" in (tmp_path / "result.md").read_text()
    assert main([*command, "--json"]) == 0
    found = json.loads(capsys.readouterr().out)
    assert found == json.loads((tmp_path / "result.json").read_text())
    assert [series["name"] for series in found["series"]] == ["random-4", "coop-2"]
    assert (found["is_result"], found["complete"], found["games"]) == (False, False, 10)
    assert found["fingerprint"]["agent"] == "gatherer"


@compiled
def test_an_agent_of_your_own_is_evaluated_in_worker_processes(tmp_path, capsys):
    agent = "python:tests.helpers.bots.First"
    command = ["evaluate", agent, "--quick", "--series", "runner-2", "--jobs", "1", "--out", str(tmp_path), "--json"]
    assert main(command) == 0
    (series,) = json.loads(capsys.readouterr().out)["series"]
    assert (series["games"], series["forfeits"]) == (4, 0)
    assert series["milliseconds_a_decision"] > 0


@compiled
@pytest.mark.parametrize(
    ("arguments", "told"),
    [
        ([], "required: AGENT"),
        (["shinobi"], "agent 'shinobi' is not known: there are "),
        (["runner", "--protocol", "v9"], "unknown protocol 'v9': there are v0, tables-v0"),
        (["runner", "--series", "runner-3"], "unknown series 'runner-3': protocol v0 has random-4, "),
        (["runner", "--jobs", "0"], "at least 1"),
        (["runner", "--out", "/dev/null/there"], "/dev/null/there: Not a directory"),
        (["runner", "--out", str(ROOT / "docs")], "other files but no benchmark"),
    ],
)
def test_bad_input_gets_one_line(arguments, told, capsys):
    assert main(["evaluate", *arguments]) == 2
    said = capsys.readouterr()
    (line,) = said.err.splitlines()
    assert told in line
    assert said.out == ""
