"""Tournaments: schedules, forfeits, workers, the journal, reports, and the command."""

import json
import os
import random
import re
import signal
import subprocess
import sys
import time
from collections import Counter
from dataclasses import asdict, replace
from math import comb
from pathlib import Path
from typing import Any, ClassVar

import numpy as np
import pytest

pytest.importorskip("scipy", reason="tournaments are not installed: pip install -e '.[tournament]'")
pytest.importorskip("pyarrow", reason="tournaments are not installed: pip install -e '.[tournament]'")

import pyarrow.parquet as pq

from fujikoro_app.cli import main
from fujikoro_env import Game, Rules
from fujikoro_env.kernel.jit import INTERPRETED
from fujikoro_env.player import AgentError, agents_seed, luck_of, split_names
from fujikoro_training.tournament import run as run_module
from fujikoro_training.tournament.entrants import agent_digest, labels
from fujikoro_training.tournament.failures import Forfeit
from fujikoro_training.tournament.games import Games
from fujikoro_training.tournament.journal_lines import LineError, as_line, result_of
from fujikoro_training.tournament.match import MatchRunner, Result, final_ranks
from fujikoro_training.tournament.match_job import MatchJob, doomed
from fujikoro_training.tournament.progress import Bar
from fujikoro_training.tournament.report import _renamed
from fujikoro_training.tournament.run import Plan, TournamentError, play
from fujikoro_training.tournament.schedule import Match, balanced_order, blocks_for, equal_games, line_ups
from fujikoro_training.tournament.shares import win_rate
from fujikoro_training.tournament.store import (
    JOURNAL,
    LOCK,
    METADATA,
    PARQUET,
    SCHEMA,
    Journal,
    StoreError,
    write_parquet,
)
from fujikoro_training.tournament.summary import summary
from fujikoro_training.workers import pool as pool_module
from fujikoro_training.workers.job import WorkerError
from fujikoro_training.workers.pool import ProcessPool
from tests.helpers import bots
from tests.helpers.hostile import HOSTILE_INPUTS

pytestmark = pytest.mark.skipif(INTERPRETED, reason="plain Python plays too slowly")
FIRST, DICEY = "python:tests.helpers.bots.First", "python:tests.helpers.bots.Dicey"
SHORT = Rules(3, max_rounds=4)
ROOT = Path(__file__).resolve().parents[2]
LINUX_ONLY = pytest.mark.skipif(sys.platform != "linux", reason="other systems don't end a process with its parent")


def bot(name: str) -> str:
    return f"python:tests.helpers.bots.{name}"


# Names


def test_commas_between_names_and_inside_them():
    assert split_names("shogun,mcts:iterations=400,depth=3, random") == [
        "shogun",
        "mcts:iterations=400,depth=3",
        "random",
    ]
    assert split_names("policy:runs/lr=1/m.zip:greedy=true,random") == ["policy:runs/lr=1/m.zip:greedy=true", "random"]
    for wrong in ("", "a,,b", "depth=3,a", "random,depth=3"):
        with pytest.raises(AgentError):
            split_names(wrong)


def test_agents_with_the_same_name_get_numbers():
    assert labels(["a", "b", "a", "a"]) == ["a", "b", "a#2", "a#3"]


# The schedule


@pytest.mark.parametrize(("agents", "seats"), [(2, 2), (4, 4), (5, 3), (6, 4), (2, 4), (3, 4), (2, 5), (4, 6)])
def test_every_agent_has_every_seat_equally_often_with_every_seed(agents, seats):
    every = line_ups(agents, seats)
    assert len(every) == (comb(agents, seats) if agents >= seats else comb(agents, seats % agents))
    blocks = blocks_for(len(every) * seats * 2, agents, seats, seed=3)
    for block in blocks:
        assert len({match.seed for match in block}) == len({match.block for match in block}) == 1
        assert len({match.seats for match in block}) == len(block)  # no game twice
        for agent in set(block[0].seats):
            by_seat = [sum(match.seats[seat] == agent for match in block) for seat in range(seats)]
            assert len(set(by_seat)) == 1
    assert len({block[0].seed for block in blocks}) == len(blocks)
    assert [match.game for block in blocks for match in block] == list(range(sum(map(len, blocks))))


@pytest.mark.parametrize(("agents", "seats"), [(5, 3), (6, 4), (8, 4), (3, 4)])
def test_any_beginning_is_nearly_balanced(agents, seats):
    order = list(balanced_order(agents, seats))
    assert sorted(order) == sorted(line_ups(agents, seats))
    for end in range(1, len(order) + 1):
        played = Counter(agent for line_up in order[:end] for agent in line_up)
        counts = [played[agent] for agent in range(agents)]
        assert max(counts) - min(counts) <= 2
    assert len(set(counts)) == 1


def test_abab_has_two_rotations_and_aabb_four():
    blocks = blocks_for(40, 2, 4, seed=0)
    assert {len(block) for block in blocks} == {2, 4}
    for block in blocks:
        seats = block[0].seats
        assert len(block) == (2 if seats[:2] == seats[2:] else 4)


def test_games_are_rounded_up_to_whole_blocks():
    assert sum(map(len, blocks_for(9, 4, 4, 0))) == 12
    assert sum(map(len, blocks_for(8, 4, 4, 0))) == 8


@pytest.mark.parametrize(("agents", "seats"), [(8, 4), (7, 4), (20, 6)])
def test_everybody_plays_however_few_games_are_asked_for(agents, seats):
    played = {agent for block in blocks_for(1, agents, seats, 0) for agent in block[0].seats}
    assert played == set(range(agents))


def test_a_longer_tournament_begins_with_the_same_games():
    assert blocks_for(200, 6, 4, 1)[:10] == blocks_for(40, 6, 4, 1)
    assert blocks_for(40, 6, 4, 2) != blocks_for(40, 6, 4, 1)


# One game


def match_of(*seats: int, seed: int = 5) -> Match:
    return Match(0, 0, 0, seed, seats)


@pytest.mark.parametrize("name", ["random", DICEY])
@pytest.mark.parametrize("characters", [None, "random"])
def test_an_agent_against_itself_scores_exactly_its_share(name, characters):
    table = MatchRunner([name] * 3, Rules(3, max_rounds=6, characters=characters), 60)
    blocks = blocks_for(9, 3, 3, seed=1)
    matches = [match for block in blocks for match in block]
    results = [table.play(match) for match in matches]
    games = Games(labels([name] * 3), matches, results)
    for agent in range(3):
        assert win_rate(games.finishes, agent).value == pytest.approx(1 / 3, abs=1e-12)
    for block in blocks:  # the same luck for the same agents: the same game
        assert len({str(replace(results[match.game], game=0, seconds=[])) for match in block}) == 1
    assert len({str(result.vp) for result in results}) > 1


def test_agents_know_the_luck_of_their_seat_but_not_the_game():
    table = MatchRunner([FIRST] * 3, SHORT, 60)
    table.play(match_of(0, 1, 2, seed=77))
    made: Any = [table.agent(number, 0) for number in range(3)]
    assert [agent.seat for agent in made] == [0, 1, 2]
    assert {agent.seed for agent in made} == {agents_seed(77)}
    assert agents_seed(77) != 77
    assert agents_seed(77) != agents_seed(78)


def test_agents_see_their_views_alone(monkeypatch):
    seen: list[Game] = []

    class Looking(bots.First):
        def act(self, view: Game) -> int:
            seen.append(view)
            return super().act(view)

    monkeypatch.setattr(bots, "First", Looking)
    MatchRunner([FIRST, "random"], Rules(2, max_rounds=3), 60).play(match_of(0, 1))
    assert seen
    assert not any(view.state.streams["words"].any() for view in seen)
    with pytest.raises(TypeError, match="this is player 0's view"):
        seen[0].step(int(seen[0].legal_actions()[0]))


@pytest.mark.parametrize(
    ("name", "reason", "detail"),
    [
        ("Raises", "raised", r"ValueError: no idea"),
        ("Leaves", "raised", r"SystemExit: 1"),
        ("Cheats", "illegal", r"\S+ in [A-Z_]+"),
        ("Shrugs", "illegal", r"returned a NoneType, which is not an action"),
        ("Exaggerates", "illegal", r"returned 1000000000000000000000000000000, which is not an action"),
        ("Interrupts", "raised", r"KeyboardInterrupt"),
        ("Mumbles", "raised", r"tests\.helpers\.bots\.UnprintableError: <exception str\(\) failed>"),
        ("Dawdles", "time", r"took longer than 0\.2 s"),
        ("ReturnsSlowIndex", "time", r"took longer than 0\.2 s"),
        ("ReturnsLeavingIndex", "raised", r"SystemExit: 1"),
        ("Escapes", "raised", r"ValueError: \\x1b\[2J\\x00\\u202ex{160,}…"),
        ("NeverReady", "raised", r"OSError: no paper"),
        ("NeverMade", "raised", r".*AgentError: agent .* can't be made: RuntimeError: no wood"),
    ],
)
def test_an_agent_that_fails_forfeits_and_the_game_goes_on(name, reason, detail):
    table = MatchRunner(["random", bot(name), FIRST], SHORT, 0.2)
    for game in range(2):  # and is back in the next
        result = table.play(replace(match_of(0, 1, 2), game=game))
        assert list(result.forfeits) == [1]
        assert result.forfeits[1].reason == reason
        assert re.fullmatch(detail, result.forfeits[1].detail)
        assert (result.forfeits[1].decision == -1) == name.startswith("Never")
        assert result.ranks[1] == 3
        assert sorted(result.ranks[::2]) in ([1, 2], [1, 1])
        assert result.rounds == 4
        assert all(decisions > 5 for decisions in result.decisions)


def test_forfeits_rank_last_and_share_that():
    failed = Forfeit(0, "raised", "")
    assert final_ranks((1, 2, 3, 4), {}) == [1, 2, 3, 4]
    assert final_ranks((1, 2, 3, 4), {0: failed}) == [4, 1, 2, 3]
    assert final_ranks((1, 2, 2, 4), {0: failed}) == [4, 1, 1, 3]
    assert final_ranks((1, 2, 3, 4), {0: failed, 2: failed}) == [3, 1, 3, 2]
    assert final_ranks((2, 1), {0: failed, 1: failed}) == [1, 1]


# Co-op


COOP = Rules(2, mode="coop", max_rounds=3)


def test_in_coop_each_agent_plays_every_seed_with_itself():
    blocks = blocks_for(7, 3, 2, seed=1, together=True)
    assert [len(block) for block in blocks] == [3, 3, 3]
    for block in blocks:
        assert [match.seats for match in block] == [(0, 0), (1, 1), (2, 2)]
        assert len({match.seed for match in block}) == 1
    assert len({block[0].seed for block in blocks}) == 3
    assert [match.game for block in blocks for match in block] == list(range(9))


def test_in_coop_a_game_with_a_forfeit_is_lost():
    failed = Forfeit(0, "raised", "")
    assert final_ranks((1, 1, 1), {}, together=True) == [1, 1, 1]
    assert final_ranks((1, 1, 1), {1: failed}, together=True) == [2, 2, 2]
    result = MatchRunner([bot("Raises")], COOP, 60).play(match_of(0, 0))
    assert sorted(result.forfeits) == [0, 1]
    assert (result.reason, result.ranks) == ("lost", [2, 2])


def test_the_command_tells_who_wins_more_in_coop(made_up, tmp_path, capsys):
    out = tmp_path / "team"
    command = ["tournament", "--players", f"random,{FIRST}", "--mode", "coop", "--seats", "3", "--games", "60"]
    assert main([*command, "--out", str(out)]) == 0
    said = capsys.readouterr()
    assert "60 games in 30 blocks, each one seed played by each agent with itself" in said.err
    assert "games won" in said.out
    assert (out / "report.png").read_bytes().startswith(b"\x89PNG")
    assert main([*command, "--out", str(out), "--json"]) == 0
    found = json.loads(capsys.readouterr().out)
    best, other = found["agents"]
    won = {row["agent"]: row["win_rate"][0] for row in (best, other)}
    rows = pq.read_table(out / PARQUET).to_pylist()
    for name, share in won.items():
        assert sum(row["win"] for row in rows if row["agent"] == name) == pytest.approx(30 * share)
        assert 0 < share < 1
    more, low, high = found["ahead"][best["agent"]][other["agent"]]
    assert more == pytest.approx(won[best["agent"]] - won[other["agent"]])
    assert low < more < high


def test_one_agent_alone_can_be_measured_in_solo(made_up, tmp_path, capsys):
    command = ["tournament", "--players", "random", "--mode", "solo", "--games", "20", "--out", str(tmp_path / "solo")]
    assert main(command) == 0
    assert "20 games in 20 blocks" in capsys.readouterr().out


# Workers


def test_an_agent_that_never_returns_or_ends_its_process_forfeits():
    names = [bot("Hangs"), bot("Dies"), "random"]
    with ProcessPool(1) as pool:
        ((_, result),) = pool.run(MatchJob(names, SHORT, 0.2), [match_of(0, 1, 2)])
    assert {seat: forfeit.reason for seat, forfeit in result.forfeits.items()} == {0: "time", 1: "crashed"}
    assert result.forfeits[1].detail == "ended its process, exit status 7"
    assert result.ranks == [2, 2, 1]
    assert result.forfeits[0].decision > 0
    straight = MatchRunner([FIRST, FIRST, "random"], SHORT, 60).play(match_of(0, 1, 2))
    assert result.rounds == straight.rounds


@pytest.mark.parametrize("name", ["ReturnsEndlessIndex", "HangsInC", "IgnoresSignals"])
def test_whatever_an_agent_does_its_worker_is_ended_in_time(name):
    began = time.monotonic()
    with ProcessPool(1) as pool:
        ((_, result),) = pool.run(MatchJob([bot(name), "random"], Rules(2, max_rounds=4), 0.1), [match_of(0, 1)])
    assert result.forfeits == {0: Forfeit(result.forfeits[0].decision, "time", "took longer than 0.1 s")}
    assert result.ranks == [2, 1]
    assert time.monotonic() - began < 30


def test_an_agent_that_ends_its_process_when_it_is_made_forfeits():
    job = MatchJob([bot("LeavesWhenMade"), "random"], Rules(2, max_rounds=4), 60)
    with ProcessPool(1) as pool:
        ((_, result),) = pool.run(job, [match_of(0, 1)])
    assert result.forfeits == {0: Forfeit(-1, "crashed", "ended its process, exit status 3")}


@pytest.mark.parametrize("name", ["sleep", "loop", pytest.param("loop_in_c", marks=LINUX_ONLY)])
def test_workers_end_with_their_parent_even_if_it_is_killed(name):
    """A loop in C never lets another thread run: only the kernel can end that one."""
    code = "from tests.helpers.orphans import main; main()"
    parent = subprocess.Popen([sys.executable, "-c", code, name], cwd=ROOT, stdout=subprocess.PIPE, text=True)
    assert parent.stdout is not None
    child = int(parent.stdout.readline())
    parent.kill()
    try:
        parent.communicate(timeout=20)  # returns when the child, too, has ended: it holds the other end of the pipe
    except subprocess.TimeoutExpired:
        os.kill(child, signal.SIGKILL)
        raise


MOVE_SECONDS = 3.0
OVERSTAYED = -100  # in place of an exit status: the parent ended the worker


class FallingWorker(pool_module.Worker):
    """A fake worker that ends like a process, as the next entry of `falls` says (seat, decision, exit status)."""

    falls: ClassVar[list[tuple[int, int, int] | None]] = []
    started = 0

    def __init__(self, job: MatchJob, skip: frozenset[int] = frozenset()) -> None:
        FallingWorker.started += 1
        self.job = job
        self.pipe, self._theirs = pool_module.SPAWN.Pipe()
        self._theirs.send(None)
        self.attempt, self.at_work, self._status = None, [-1, 0, 0], 0
        self.skip, self.overstayed = skip, None

    def give(self, attempt: pool_module.Attempt) -> None:
        self.attempt = attempt
        fall = self.falls.pop(0) if self.falls else None
        if fall is None:
            match, falls = attempt
            self._theirs.send(a_result(match, [1, 2], forfeits=doomed(falls, MOVE_SECONDS)))
        else:
            *self.at_work[:2], self._status = fall
            if self._status == OVERSTAYED:
                self.overstayed = fall[:2]
            self._theirs.close()

    def end_if_overstaying(self) -> None:
        pass

    def end(self) -> int:
        return self._status

    def kill(self) -> None:
        pass


@pytest.fixture
def falling(monkeypatch):
    monkeypatch.setattr(pool_module, "Worker", FallingWorker)
    monkeypatch.setattr(FallingWorker, "falls", [])
    monkeypatch.setattr(FallingWorker, "started", 0)

    def play_after(*falls: tuple[int, int, int] | None, workers: int = 1) -> list[Result]:
        FallingWorker.falls = list(falls)
        with ProcessPool(workers) as pool:
            results = [result for _, result in pool.run(MatchJob(["random", "random"], SHORT, MOVE_SECONDS), MATCHES)]
        return sorted(results, key=lambda result: result.game)

    return play_after


@pytest.mark.parametrize("workers", [1, 3])
def test_a_worker_that_ends_once_is_an_accident(falling, workers):
    results = falling(None, (1, 7, -signal.SIGKILL), None, (-1, 0, 1), workers=workers)
    assert [result.game for result in results] == [match.game for match in MATCHES]  # none lost, none twice
    assert not any(result.forfeits for result in results)
    assert FallingWorker.started == workers + 2


def test_a_worker_that_ends_twice_at_the_same_seat_is_the_fault_of_that_seat(falling):
    first, *others = falling((1, 7, -signal.SIGSEGV), (1, 7, -signal.SIGSEGV))
    assert first.forfeits == {1: Forfeit(7, "crashed", f"ended its process, exit status {-signal.SIGSEGV}")}
    assert not any(result.forfeits for result in others)


def test_a_worker_that_overstays_is_the_fault_of_who_was_at_work(falling):
    first, *_ = falling((0, 4, OVERSTAYED), (1, -1, OVERSTAYED))
    assert first.forfeits[0] == Forfeit(4, "time", "took longer than 3 s")
    assert first.forfeits[1] == Forfeit(-1, "time", "took longer than 60 s")  # to get ready


def test_workers_that_end_when_no_agent_is_at_work_are_nobodys_fault(falling):
    with pytest.raises(WorkerError, match=r"game 0 .* ended 2 workers, exit status 1"):
        falling((-1, 0, 1), (-1, 0, 1))


def test_workers_that_end_at_their_start_get_one_line(monkeypatch, tmp_path, capsys):
    class Stillborn(FallingWorker):
        def __init__(self, job: MatchJob, skip: frozenset[int] = frozenset()) -> None:
            super().__init__(job, skip)
            self.pipe, theirs = pool_module.SPAWN.Pipe()
            theirs.close()

    monkeypatch.setattr(pool_module, "Worker", Stillborn)
    assert main(["tournament", "--players", "random,random", "--out", str(tmp_path / "cup")]) == 2
    assert capsys.readouterr().err.endswith("fujikoro: a worker process ended at startup, exit status 0\n")


# The journal


def a_result(match: Match, ranks: list[int], **others: Any) -> Result:
    seats = len(match.seats)
    usual: dict[str, Any] = {
        "reason": "countdown",
        "rounds": 30,
        "vp": [10 - rank for rank in ranks],
        "characters": ["symmetric"] * seats,
        "decisions": [100] * seats,
        "seconds": [0.01] * seats,
    }
    return Result(match.game, ranks=ranks, **usual | others)


MATCHES = [match for block in blocks_for(8, 2, 2, 0) for match in block]
SETTINGS = {"agents": ["a", "b"], "seed": 0, "rules": {"final_at": 30}}
FAILED = {1: Forfeit(3, "raised", "ValueError: no idea")}


def a_journal(folder: Path) -> Path:
    with Journal(folder, SETTINGS) as journal:
        for match in MATCHES:
            journal.add(a_result(match, [1, 2], forfeits=FAILED))
    return folder / JOURNAL


def test_a_journal_gives_back_what_was_written(tmp_path):
    a_journal(tmp_path / "cup")
    with Journal(tmp_path / "cup", SETTINGS) as journal:
        assert journal.results == {match.game: a_result(match, [1, 2], forfeits=FAILED) for match in MATCHES}


@pytest.mark.parametrize("tries", [200, pytest.param(20_000, marks=pytest.mark.long)])
def test_damaged_lines_are_results_or_faults(tries, record_property):
    luck = random.Random(1)
    outcomes: Counter[str] = Counter()
    for _ in range(tries):
        line = bytearray(as_line(a_result(MATCHES[0], [1, 2], forfeits=FAILED)).rstrip())
        for _ in range(luck.randrange(1, 4)):
            where = luck.randrange(len(line))
            line[where : where + luck.randrange(3)] = luck.choice([b"", b"9", b"-", b'"', b"[", luck.randbytes(2)])
        try:
            outcomes[type(result_of(bytes(line))).__name__] += 1
        except LineError as error:
            outcomes["fault" if str(error).isprintable() else "unprintable"] += 1
    assert set(outcomes) == {"Result", "fault"}
    record_property(HOSTILE_INPUTS, tries)


@pytest.mark.parametrize("cut", [1, 10, 150])
def test_a_line_that_a_kill_cut_short_is_dropped(tmp_path, cut):
    file = a_journal(tmp_path)
    whole = file.read_bytes()
    file.write_bytes(whole[:-cut])
    with Journal(tmp_path, SETTINGS) as journal:
        assert list(journal.results) == list(range(len(MATCHES) - 1))
        journal.add(a_result(MATCHES[-1], [1, 2], forfeits=FAILED))
    assert file.read_bytes() == whole


def test_a_journal_of_half_a_first_line_begins_anew(tmp_path):
    file = a_journal(tmp_path)
    file.write_bytes(file.read_bytes()[:20])
    with Journal(tmp_path, SETTINGS) as journal:
        assert journal.results == {}


@pytest.mark.parametrize(
    ("settings", "told"),
    [
        ({**SETTINGS, "seed": 1}, "the tournament there has seed 0, not 1"),
        ({**SETTINGS, "rules": {"final_at": 20}}, "the tournament there has rules.final_at 30, not 20"),
        ({**SETTINGS, "agents": ["a"]}, 'the tournament there has agents ["a", "b"], not ["a"]'),
        ({**SETTINGS, "more": True}, "the tournament there has more null, not true"),
    ],
)
def test_other_settings_are_refused_and_nothing_is_changed(tmp_path, settings, told):
    file = a_journal(tmp_path)
    before = file.read_bytes()[:-5]  # a kill cut it short
    file.write_bytes(before)
    with pytest.raises(StoreError, match=re.escape(told)), Journal(tmp_path, settings):
        pass
    assert file.read_bytes() == before


def test_a_folder_with_other_things_is_refused(tmp_path):
    (tmp_path / "precious").write_text("x")
    with pytest.raises(StoreError, match="other files but no tournament"), Journal(tmp_path, SETTINGS):
        pass
    with pytest.raises(StoreError, match=r"Not a directory|File exists"), Journal(tmp_path / "precious", SETTINGS):
        pass
    assert [path.name for path in tmp_path.iterdir()] == ["precious"]


@pytest.mark.parametrize("theirs", [b'{"mine": 1}', b'{"mine": 1}\n{"mine": 2}', b"1,2\n3,4"])
def test_a_file_of_others_is_left_as_it_is(tmp_path, theirs):
    (tmp_path / JOURNAL).write_bytes(theirs)
    with pytest.raises(StoreError, match=r"not a tournament journal|is damaged"), Journal(tmp_path, SETTINGS):
        pass
    assert (tmp_path / JOURNAL).read_bytes() == theirs


def test_a_damaged_line_is_refused(tmp_path):
    file = a_journal(tmp_path)
    for wrong in (b"rubbish\n", b'{"game": 7}\n', b"7\n"):
        file.write_bytes(file.read_bytes() + wrong)
        with pytest.raises(StoreError, match=r"line \d+: it is"), Journal(tmp_path, SETTINGS):
            pass
    file.write_bytes(b"[]\n")
    with pytest.raises(StoreError, match="not a tournament journal"), Journal(tmp_path, SETTINGS):
        pass


LINE = json.loads(json.dumps(asdict(a_result(MATCHES[0], [1, 2], forfeits=FAILED))))


@pytest.mark.parametrize(
    ("change", "told"),
    [
        ({"game": -1}, "game is -1, not a number from 0"),
        ({"game": 1.5}, "game is 1.5"),
        ({"game": True}, "game is True"),
        ({"game": 3}, "game 3 is there twice"),
        ({"ranks": [1, 3]}, "ranks are [1, 3], which is no finishing order"),
        ({"ranks": [2, 1]}, "the seats that forfeited (1) are not last"),
        ({"ranks": [1, "2"]}, "a rank for each of 2 seats"),
        ({"ranks": []}, "ranks is []"),
        ({"ranks": [1, 2, 3]}, "vp is [9, 8], not a number of VP for each of 3 seats"),
        ({"vp": [9, 10**9]}, "vp is"),
        ({"seconds": [0.1, float("nan")]}, "seconds is"),
        ({"characters": ["a", "\x1b[2J"]}, "characters is"),
        ({"reason": "x" * 1000}, "reason is"),
        ({"forfeits": {"2": {}}}, "forfeits is"),
        ({"forfeits": {"1": {"decision": 0, "reason": "bored", "detail": ""}}}, "reason is 'bored', not one of raised"),
        ({"more": 1}, "it is not a result of a game"),
    ],
)
def test_every_line_of_a_journal_is_checked(tmp_path, change, told):
    file = a_journal(tmp_path)
    file.write_bytes(file.read_bytes() + json.dumps({**LINE, "game": 100, **change}).encode() + b"\n")
    before = file.read_bytes()
    with pytest.raises(StoreError) as caught, Journal(tmp_path, SETTINGS):
        pass
    assert told in str(caught.value)
    assert f"line {len(MATCHES) + 2}: " in str(caught.value)
    assert str(caught.value).isprintable()
    assert len(str(caught.value)) < 400 + len(str(tmp_path))
    assert file.read_bytes() == before


@pytest.mark.parametrize("line", [1, 5])
def test_deep_nesting_in_a_journal_is_one_line(tmp_path, line):
    file = a_journal(tmp_path)
    lines = file.read_bytes().split(b"\n")
    lines[line - 1] = b"[" * 100_000
    file.write_bytes(b"\n".join(lines))
    with pytest.raises(StoreError, match=f"line {line}: it is damaged"), Journal(tmp_path, SETTINGS):
        pass


def test_a_full_disk_gets_one_line_and_the_journal_goes_on(tmp_path):
    resource = pytest.importorskip("resource", reason="limits of file sizes are for Unix")
    file = a_journal(tmp_path)
    before, more = file.read_bytes(), replace(a_result(MATCHES[0], [1, 2]), game=8)
    limits = resource.getrlimit(resource.RLIMIT_FSIZE)
    with Journal(tmp_path, SETTINGS) as journal:
        resource.setrlimit(resource.RLIMIT_FSIZE, (len(before) + 20, limits[1]))  # room for part of a line
        try:
            with pytest.raises(StoreError, match=r"8 games are saved: make room, then repeat the command to continue"):
                journal.add(more)
        finally:
            resource.setrlimit(resource.RLIMIT_FSIZE, limits)
    assert file.read_bytes() == before
    with Journal(tmp_path, SETTINGS) as journal:
        journal.add(more)
        assert len(journal.results) == 9


def test_a_salt_is_drawn_for_each_tournament_and_kept_with_it(made_up, tmp_path):
    first, second = (play(PLAN, 6, tmp_path / name, 1) for name in "ab")
    assert len({first.settings["salt"], second.settings["salt"]}) == 2
    assert {match.seed for match in first.games.matches}.isdisjoint(match.seed for match in second.games.matches)
    assert play(PLAN, 9, tmp_path / "a", 1).settings["salt"] == first.settings["salt"]
    again = play(replace(PLAN, salt=first.settings["salt"]), 6, tmp_path / "c", 1)
    assert again.games.matches == first.games.matches
    with pytest.raises(StoreError, match="the tournament there has salt"):
        play(replace(PLAN, salt="other"), 9, tmp_path / "a", 1)
    for wrong in ("", "x" * 65, "\x1b", "é"):
        with pytest.raises(TournamentError, match="printable ASCII"):
            replace(PLAN, salt=wrong)


def test_a_first_line_that_was_cut_off_within_its_salt_begins_anew(tmp_path):
    settings = {**SETTINGS, "salt": None}
    with Journal(tmp_path, settings) as journal:
        salt = journal.settings["salt"]
    file = tmp_path / JOURNAL
    file.write_bytes(file.read_bytes()[:-10])
    with Journal(tmp_path, settings) as journal:
        assert journal.settings["salt"] not in (None, salt)


def test_without_the_salt_seeds_tell_nothing():
    enumerable = {agents_seed(seed) for seed in range(1000)} | {luck_of("game", 0, block) for block in range(1000)}
    salted = {agents_seed(seed, "pepper") for seed in range(1000)}
    games = {match.seed for block in blocks_for(40, 2, 2, 0, salt="pepper") for match in block}
    assert enumerable.isdisjoint(salted | games)


def test_two_at_once_are_one_too_many(tmp_path):
    with (
        Journal(tmp_path, SETTINGS),
        pytest.raises(StoreError, match="is playing a tournament there"),
        Journal(tmp_path, SETTINGS),
    ):
        pass


def test_parquet_has_a_row_for_each_game_and_seat(tmp_path):
    games = Games(["a", "b"], MATCHES, [a_result(match, [1, 2], forfeits=FAILED) for match in MATCHES])
    table = pq.read_table(write_parquet(tmp_path, games, SETTINGS))
    assert table.schema.names == SCHEMA.names
    assert {field.name: field.type for field in table.schema} == {field.name: field.type for field in SCHEMA}
    assert json.loads(table.schema.metadata[METADATA]) == {"format": 2, **SETTINGS}
    rows = table.to_pylist()
    assert [(row["game"], row["seat"]) for row in rows] == [(game, seat) for game in range(8) for seat in range(2)]
    assert (rows[1]["forfeit"], rows[1]["forfeit_decision"]) == ("raised", 3)
    assert rows[0]["forfeit"] is None
    assert [row["win"] for row in rows[:2]] == [1, 0]
    assert [path.name for path in tmp_path.iterdir()] == [PARQUET]


def test_the_report_on_the_terminal_has_short_names():
    full = "policy:runs/first/policy.safetensors"
    found = {"agents": [{"agent": full}], "head_to_head": {"a": {full: [0.5, 0, 1]}}}
    short = {"agents": [{"agent": "policy:first"}], "head_to_head": {"a": {"policy:first": [0.5, 0, 1]}}}
    assert _renamed(found, {full: "policy:first"}) == short


# Whole tournaments with made-up games, except for the last one


def test_the_bar_has_the_standings(monkeypatch, capsys):
    monkeypatch.setattr(sys.stderr, "isatty", lambda: True)
    with Bar(8, ["a", "an agent with a long name"], [(MATCHES[0], a_result(MATCHES[0], [1, 1]))]) as bar:
        for match in MATCHES[1:5]:
            bar.add(match, a_result(match, [1 + seat for seat in match.seats]))
        assert bar.standings() == "a 90%, … with a long name 10%"
    said = capsys.readouterr().err
    assert "5 of 8 games" in said
    assert "a 75%" in said  # after the first that was added


class MadeUpGames:
    """Replaces the pool of workers: agents finish in the order of their numbers, or at random."""

    luck = 0.0
    played = 0
    names: tuple[str, ...] = ()

    def __init__(self, workers: int) -> None:
        pass

    def __enter__(self) -> "MadeUpGames":
        return self

    def __exit__(self, *_error: object) -> None:
        pass

    def run(self, job, matches):
        MadeUpGames.names = tuple(job.names)
        for match in matches:
            yield match, self.result(match)

    def result(self, match):
        MadeUpGames.played += 1
        luck = np.random.default_rng(match.game)
        if len(set(match.seats)) == 1:
            return a_result(match, [int(luck.integers(1, 3))] * len(match.seats))
        powers = np.array(match.seats) * (1 - self.luck) + luck.gumbel(size=len(match.seats)) * self.luck
        ranks = [int(rank) + 1 for rank in powers.argsort().argsort()]
        failed = {ranks.index(max(ranks)): FAILED[1]} if match.game == 3 else {}
        characters = [f"hero{int(seat)}" for seat in luck.permutation(len(match.seats))]
        return a_result(match, ranks, forfeits=failed, characters=characters)


@pytest.fixture
def made_up(monkeypatch):
    monkeypatch.setattr(run_module, "opened", MadeUpGames)
    monkeypatch.setattr(MadeUpGames, "luck", 0.5)
    monkeypatch.setattr(MadeUpGames, "played", 0)


PLAN = Plan(["random", FIRST, DICEY], SHORT)


def test_finished_games_are_not_played_again(made_up, tmp_path):
    first = play(PLAN, 6, tmp_path, 1)
    assert (len(first.games.matches), first.were_there, MadeUpGames.played) == (6, 0, 6)
    more = play(PLAN, 20, tmp_path, 1)  # with the salt that is there
    assert (len(more.games.matches), more.were_there, MadeUpGames.played) == (21, 6, 21)
    whole = play(PLAN, 21, tmp_path / "other", 1)
    assert whole.games.results == more.games.results
    with pytest.raises(TournamentError, match="already has 21 games, more than 6"):
        play(PLAN, 6, tmp_path, 1)


def test_of_equal_games_one_is_played_and_counts_for_all(tmp_path, monkeypatch):
    """Rotating two agents with the same name would repeat a game."""
    handed_out: list[Match] = []
    play_in_workers = ProcessPool.run

    def counted(self, job, matches):
        handed_out.extend(matches)
        return play_in_workers(self, job, matches)

    monkeypatch.setattr(ProcessPool, "run", counted)
    plan = Plan(["random", "random"], Rules(4, max_rounds=2), salt="pepper")
    played = play(plan, 12, tmp_path, 1)
    matches, results = played.games.matches, played.games.results
    groups = equal_games(matches, plan.names)
    assert len(handed_out) == len(groups) == summary(played)["distinct_games"] < len(matches)
    table = MatchRunner(plan.names, plan.rules, 60, salt="pepper")
    for match, result in zip(matches, results, strict=True):
        assert replace(table.play(match), seconds=[]) == replace(result, seconds=[])
    assert win_rate(played.games.finishes, 0).value == pytest.approx(1 / 2, abs=1e-12)


def test_equal_games_have_the_same_seed_and_the_same_names_in_every_seat():
    games = [Match(0, 0, 0, 5, (0, 1)), Match(1, 0, 1, 5, (1, 0)), Match(2, 1, 0, 6, (0, 1)), Match(3, 1, 1, 6, (2, 1))]
    assert equal_games(games, ["a", "a", "b"]) == [games[:2], games[2:3], games[3:]]


def test_a_journal_that_lacks_equal_games_is_completed_without_playing_them(made_up, tmp_path):
    plan = Plan(["random", "random"], Rules(2, max_rounds=2))
    play(plan, 8, tmp_path, 1)
    lines = (tmp_path / JOURNAL).read_text().splitlines(keepends=True)
    (tmp_path / JOURNAL).write_text("".join(line for line in lines if '"game": 1,' not in line))
    before = MadeUpGames.played
    again = play(plan, 8, tmp_path, 1)
    assert MadeUpGames.played == before
    assert len(again.games.results) == 8


def test_it_stops_when_the_order_is_settled(made_up, monkeypatch, tmp_path):
    clear = play(PLAN, 3000, tmp_path / "clear", 1, until_settled=True)
    assert 60 <= len(clear.games.matches) < 300
    assert summary(clear)["settled"] is True
    before = MadeUpGames.played
    again = play(PLAN, 3000, tmp_path / "clear", 1, until_settled=True)
    assert again.games.results == clear.games.results
    assert MadeUpGames.played == before
    monkeypatch.setattr(MadeUpGames, "luck", 1.0)
    open_still = play(PLAN, 300, tmp_path / "open", 1, until_settled=True, equal_within=1)
    assert len(open_still.games.matches) == 300
    assert summary(open_still)["settled"] is False
    equal = play(PLAN, 3000, tmp_path / "equal", 1, until_settled=True, equal_within=200)
    assert summary(equal)["settled"] is True


def test_one_block_can_be_told_of_too(made_up, tmp_path, capsys):
    out = str(tmp_path / "cup")
    assert main(["tournament", "--players", "random,random", "--seats", "2", "--games", "1", "--out", out]) == 0
    assert "2 games (1 distinct) in 1 blocks" in capsys.readouterr().out
    assert json.loads((tmp_path / "cup" / "summary.json").read_text())["agents"][0]["rating"][1:] == [None, None]


def test_plans_that_can_not_be_played_get_one_line():
    for wrong, told in (
        (lambda: Plan(["random"], SHORT), "two agents or more"),
        (lambda: Plan(["random"] * 21, SHORT), "21 agents: at most 20"),
        (lambda: Plan(["random", "shinobi"], SHORT), "agent 'shinobi' is not known: there are "),
        (lambda: Plan(["random", bot("NeverMade")], SHORT), "can't be made: RuntimeError: no wood"),
    ):
        with pytest.raises(ValueError, match=told):
            wrong()


def test_other_code_is_another_tournament(tmp_path, monkeypatch):
    monkeypatch.syspath_prepend(str(tmp_path))
    file = tmp_path / "changing_bot.py"
    file.write_text("from tests.helpers.bots import First\nclass Bot(First): pass\n")
    before = agent_digest("python:changing_bot.Bot")
    assert agent_digest("python:changing_bot.Bot") == before
    file.write_text("from tests.helpers.bots import First\nclass Bot(First): x = 1\n")
    assert agent_digest("python:changing_bot.Bot") != before
    assert agent_digest("random") != before


def test_another_shipped_network_is_another_agent(monkeypatch):
    before = agent_digest("runner")
    read = Path.read_bytes
    monkeypatch.setattr(
        Path, "read_bytes", lambda path: read(path) + (b" " if path.name == "sensei.safetensors" else b"")
    )
    assert agent_digest("runner") != before


def test_the_command_tells_and_writes_what_came_of_it(made_up, tmp_path, capsys):
    out = tmp_path / "cup"
    names = f"random,{FIRST},random,{DICEY}"
    command = ["tournament", "--players", names, "--seats", "3", "--games", "50", "--out", str(out)]
    assert main(command) == 0
    said = capsys.readouterr()
    assert "4 agents at tables of 3: 51 games (50 asked, rounded up to whole blocks) in 17 blocks" in said.err
    assert said.err.count("\n") == 1  # no progress bar where there is no terminal
    for told in ("1.  random", "random#2", "% before", "seat  win rate", "hero0", "Alpha-rank", "ValueError: no idea"):
        assert told in said.out
    assert {path.name for path in out.iterdir()} == {JOURNAL, LOCK, PARQUET, "report.md", "report.png", "summary.json"}
    report = (out / "report.md").read_text()
    assert "| 1. | random |" in report
    assert "(report.png)" in report
    assert (out / "report.png").read_bytes().startswith(b"\x89PNG")
    assert main([*command, "--json"]) == 0
    found = json.loads(capsys.readouterr().out)
    assert [agent["place"] for agent in found["agents"]] == [1, 2, 3, 4]
    assert found["agents"][0]["agent"] == "random"
    assert found["played_before"] == found["games"] == 51
    assert len(found["seats"]) == 3
    assert {forfeit["game"] for forfeit in found["forfeits"]} == {3}
    assert found["settings"]["rules"]["digest"]
    assert found["settings"]["engine"]
    assert len(found["characters"]) == 3


@pytest.mark.parametrize(
    ("arguments", "told"),
    [
        ([], "required: --players"),
        (["--players", "random"], "two agents or more"),
        (["--players", "random,shinobi"], "agent 'shinobi' is not known: there are "),
        (["--players", "random,,random"], "a name is missing"),
        (["--players", "random,random", "--games", "0"], "at least 1"),
        (["--players", "random,random", "--move-seconds", "0"], "'0' is not a number above 0"),
        (["--players", "random,random", "--move-seconds", "nan"], "'nan' is not a number above 0"),
        (["--players", "random", "--mode", "coop", "--until-settled"], "--until-settled is for competitive games"),
        (["--players", "random,random", "--seats", "7"], "players=7: allowed are the numbers 2 to 6"),
        (["--players", "random,random", "--out", str(ROOT / "docs")], "other files but no tournament"),
    ],
)
def test_bad_input_gets_one_line(arguments, told, capsys):
    assert main(["tournament", *arguments]) == 2
    said = capsys.readouterr()
    (line,) = said.err.splitlines()
    assert told in line
    assert said.out == ""


def test_without_what_it_needs_one_line_says_what_to_install(monkeypatch, capsys):
    for name in [name for name in sys.modules if name.startswith("fujikoro_training.tournament")]:
        monkeypatch.delitem(sys.modules, name)
    monkeypatch.setitem(sys.modules, "pyarrow", None)
    assert main(["tournament", "--players", "random,random"]) == 2
    (line,) = capsys.readouterr().err.splitlines()
    assert line == "fujikoro: tournament needs pyarrow: pip install 'fujikoro_env[tournament]'"


# Real games


def rows_without_time(folder: Path) -> list[dict[str, Any]]:
    rows = pq.read_table(folder / PARQUET).to_pylist()
    return [{name: value for name, value in row.items() if name != "seconds"} for row in rows]


def games_in(file: Path) -> int:
    return max(0, file.read_bytes().count(b"\n") - 1) if file.exists() else 0


def test_a_killed_tournament_goes_on_and_ends_like_one_that_was_not(tmp_path):
    """The results are also the same with two workers and in this process."""
    names = f"random,{DICEY},{FIRST}"
    rules = ["--seats", "2", "--max-rounds", "12", "--characters", "random"]
    out = tmp_path / "cup"
    command = [sys.executable, "-m", "fujikoro_app.cli", "tournament", "--players", names, *rules]
    command += ["--games", "60", "--workers", "2", "--out", str(out), "--seed", "4", "--salt", "pepper"]
    started = subprocess.Popen(command, cwd=ROOT, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
    while games_in(out / JOURNAL) < 5:
        assert started.poll() is None
        time.sleep(0.01)
    os.kill(started.pid, signal.SIGKILL)
    started.wait()
    kept = (out / JOURNAL).read_bytes()
    assert not (out / PARQUET).exists()
    assert 5 <= games_in(out / JOURNAL) < 60
    (out / JOURNAL).write_bytes(kept[:-30])  # as if it had come in the middle of a line

    done = subprocess.run(command, cwd=ROOT, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr
    assert "of them played before" in done.stderr
    assert (out / JOURNAL).read_bytes().startswith(kept[: kept[:-30].rfind(b"\n") + 1])
    assert games_in(out / JOURNAL) == 60

    plan = Plan(names.split(","), Rules(2, max_rounds=12, characters="random"), seed=4, salt="pepper")
    table = MatchRunner(plan.names, plan.rules, plan.move_seconds, salt="pepper")
    matches = [match for block in blocks_for(60, 3, 2, 4, salt="pepper") for match in block]
    straight = Games(plan.labels, matches, [table.play(match) for match in matches])
    write_parquet(tmp_path, straight, plan.settings)
    assert rows_without_time(out) == rows_without_time(tmp_path)
    stored = [pq.read_schema(folder / PARQUET).metadata[METADATA] for folder in (out, tmp_path)]
    assert stored[0] == stored[1]
