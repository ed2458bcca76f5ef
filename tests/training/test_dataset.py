"""Datasets of games: what is recorded, the same bytes after a kill, reading, Minari, the command."""

import json
import os
import signal
import subprocess
import sys
import time
from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np
import pytest

pytest.importorskip("pyarrow", reason="datasets are not installed: pip install -e '.[data]'")

import pyarrow.parquet as pq
from filelock import FileLock

from fujikoro_app.cli import main
from fujikoro_env import Game, Rules
from fujikoro_env.kernel.jit import INTERPRETED
from fujikoro_env.player import make_agents
from fujikoro_training.dataset.minari import DATASET_ID, write_minari
from fujikoro_training.dataset.play import DatasetError, LineUp, RecordedGames
from fujikoro_training.dataset.read import decisions, episodes
from fujikoro_training.dataset.schema import DECISIONS, EPISODES, arrow_schema
from fujikoro_training.dataset.store import LOCK, MANIFEST, UNFINISHED, Plan, write_dataset
from tests.helpers.processes import ROOT, search_path

pytestmark = pytest.mark.skipif(INTERPRETED, reason="plain Python plays too slowly")
SHORT = Rules(3, max_rounds=4)
LINE_UP = LineUp(("hunter", "random", "wanderer"), SHORT, seed=70, reward="vp", explanations=False)
PLAN = Plan(LINE_UP, games=5, shard_games=2)


def files_of(folder: Path) -> dict[str, bytes]:
    return {path.name: path.read_bytes() for path in folder.iterdir() if path.is_file()}


def joined(parts: Any) -> dict[str, Any]:
    parts = list(parts)
    return {name: np.concatenate([np.asarray(part[name]) for part in parts]) for name in parts[0]}


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    place = tmp_path_factory.mktemp("dataset") / "games"
    write_dataset(PLAN, place, jobs=1)
    return place


# What is recorded


def test_decisions_replay_to_the_same_games(folder):
    """Observations, masks, phases, seats and results are those of the games played anew, action by action."""
    rows, results = joined(decisions(folder)), joined(episodes(folder))
    for number in range(PLAN.games):
        game = Game(SHORT, seed=LINE_UP.seed + number)
        here = np.flatnonzero(rows["game"] == number)
        assert rows["decision"][here].tolist() == list(range(len(here)))
        for row in here:
            assert game.actor == rows["seat"][row]
            assert game.phase == rows["phase"][row]
            assert (game.legal_mask() == rows["mask"][row]).all()
            assert (game.observe(game.actor, "compact") == rows["observation"][row]).all()
            game.step(int(rows["action"][row]))
        assert game.over
        seats = results["game"] == number
        assert game.outcome is not None
        assert results["vp"][seats].tolist() == list(game.scores)
        assert results["rank"][seats].tolist() == list(game.outcome.ranking)
        assert set(results["reason"][seats]) == {game.outcome.reason}
        for seat, seen in enumerate(results["final_observation"][seats]):
            assert (game.observe(seat, "compact") == seen).all()


def test_rewards_add_up_to_returns(folder):
    """With the reward `vp` the return is the VP. No seat of these games is paid before its first decision."""
    rows, results = joined(decisions(folder)), joined(episodes(folder))
    for game, seat, paid, vp, count in zip(
        *(results[name] for name in ("game", "seat", "return", "vp", "decisions")), strict=True
    ):
        mine = (rows["game"] == game) & (rows["seat"] == seat)
        assert rows["reward"][mine].sum() == pytest.approx(paid)
        assert paid == vp
        assert mine.sum() == count
        assert rows["last"][mine].tolist() == [False] * (count - 1) + [True]


def test_the_end_is_paid_to_the_last_decision_of_each_seat():
    games = RecordedGames(replace(LINE_UP, reward="rank"), range(2))
    games.play()
    rows = games.decisions().to_pydict()
    assert {last for last, reward in zip(rows["last"], rows["reward"], strict=True) if reward} == {True}
    returns = games.episodes().to_pydict()["return"]
    assert np.allclose(np.reshape(returns, (2, 3)).sum(axis=1), 0)


def test_agents_move_on_by_one_seat_from_game_to_game(folder):
    agents = joined(episodes(folder))["agent"].reshape(-1, 3).tolist()
    assert agents[:3] == [
        ["hunter", "random", "wanderer"],
        ["wanderer", "hunter", "random"],
        ["random", "wanderer", "hunter"],
    ]


def test_with_explanations_the_same_games_have_reasons_and_values():
    line_up = LineUp(("shogun",) * 2, Rules(2, max_rounds=3), seed=3, reward="rank", explanations=False)
    plain, told = (RecordedGames(replace(line_up, explanations=asked), range(2)) for asked in (False, True))
    plain.play()
    told.play()
    silent, spoken = plain.decisions().to_pydict(), told.decisions().to_pydict()
    assert spoken["action"] == silent["action"]
    assert set(silent["value"]) == set(silent["explanation"]) == {None}
    assert all(spoken["explanation"])
    valued = [k for k, value in enumerate(spoken["value"]) if value is not None]
    assert valued
    assert all(f"worth {spoken['value'][k]:.1f}" in spoken["explanation"][k] for k in valued)


def test_a_search_gives_its_expected_share_of_the_win():
    (agent,) = make_agents(["mcts:iterations=16"], seed=1)[:1]
    game = Game(Rules(2), seed=5)
    agent.act(game.view(game.actor))
    assert f"share of the win {agent.value():.2f}" in agent.explain()  # type: ignore[attr-defined]


# Files


def test_files_have_the_declared_columns(folder):
    assert pq.read_schema(folder / "decisions-00000.parquet").equals(arrow_schema(DECISIONS))
    assert pq.read_schema(folder / "episodes-00002.parquet").equals(arrow_schema(EPISODES))


def test_a_dataset_that_was_cut_off_goes_on_and_has_the_same_bytes(folder, tmp_path):
    """Whatever is missing: a whole shard, one file of a shard, and a file that was being written."""
    there = files_of(folder)
    manifest = json.loads(there[MANIFEST])
    there[MANIFEST] = json.dumps({**manifest, "complete": False, "shards": []}).encode()
    for name in ("decisions-00001.parquet", "decisions-00002.parquet", "episodes-00002.parquet"):
        there[f"{name}.123{UNFINISHED}"] = there.pop(name)[:100]
    for name, text in there.items():
        (tmp_path / name).write_bytes(text)
    said: list[str] = []
    write_dataset(PLAN, tmp_path, jobs=1, say=said.append)
    assert said[0].startswith("5 games in 3 shards, 1 of them written before")
    assert len(said) == 3
    assert files_of(tmp_path) == files_of(folder)


@pytest.mark.slow
def test_a_killed_dataset_goes_on_and_has_the_same_bytes(folder, tmp_path):
    """Two processes play, are killed after the first shard, and end with their parent. Starting them takes some
    seconds."""
    out = tmp_path / "games"
    command = [sys.executable, "-m", "fujikoro_app.cli", "dataset", "--by", "hunter,random,wanderer", "--players", "3"]
    command += ["--max-rounds", "4", "--seed", "70", "--reward", "vp", "--games", "5", "--shard-games", "2"]
    command += ["--jobs", "2", "--out", str(out)]
    environment = {**os.environ, "PYTHONPATH": search_path(ROOT)}
    first = subprocess.Popen(command, env=environment, stderr=subprocess.DEVNULL, stdout=subprocess.DEVNULL)
    while first.poll() is None and not list(out.glob("decisions-*.parquet")):
        time.sleep(0.005)
    first.send_signal(signal.SIGKILL)
    first.wait()
    subprocess.run(command, env=environment, check=True, capture_output=True)
    assert files_of(out) == files_of(folder)


@pytest.mark.parametrize(
    ("plan", "told"),
    [
        (Plan(replace(LINE_UP, seed=71), 5, 2), "the dataset there has seed 70, not 71"),
        (Plan(LINE_UP, 6, 2), "the dataset there has games 5, not 6"),
    ],
)
def test_a_dataset_with_other_settings_is_not_continued(plan, told, folder):
    before = files_of(folder)
    with pytest.raises(DatasetError, match=told):
        write_dataset(plan, folder, jobs=1)
    assert files_of(folder) == before


def test_two_processes_do_not_write_the_same_dataset(tmp_path, capsys):
    (tmp_path / "new").mkdir()
    with FileLock(tmp_path / "new" / LOCK, timeout=0):
        assert main(["dataset", "--by", "random", "--games", "1", "--out", str(tmp_path / "new")]) == 2
    assert capsys.readouterr().err.endswith("new: another process is writing a dataset there\n")


# Minari


def test_minari_reads_what_is_written(folder, tmp_path, monkeypatch):
    minari = pytest.importorskip("minari", reason="of the extra `data`")
    rows, results = joined(decisions(folder)), joined(episodes(folder))
    place = tmp_path / "games"
    place.mkdir()
    for name, text in files_of(folder).items():
        (place / name).write_bytes(text)
    monkeypatch.setenv("MINARI_DATASETS_PATH", str(write_minari(place)))
    dataset = minari.load_dataset(DATASET_ID)
    assert dataset.total_episodes == len(results["game"])
    assert dataset.total_steps == len(rows["game"])
    for number, episode in enumerate(dataset.iterate_episodes()):
        mine = (rows["game"] == results["game"][number]) & (rows["seat"] == results["seat"][number])
        assert (episode.observations["observation"][:-1] == rows["observation"][mine]).all()
        assert (episode.observations["observation"][-1] == results["final_observation"][number]).all()
        assert (episode.observations["action_mask"][:-1] == rows["mask"][mine]).all()
        assert (episode.actions == rows["action"][mine]).all()
        assert (episode.rewards == rows["reward"][mine]).all()
        assert episode.terminations.tolist() == rows["last"][mine].tolist()
        assert not episode.truncations.any()
        assert (episode.infos["phase"][:-1] == rows["phase"][mine]).all()
        assert dataset.action_space.contains(episode.actions[0])
        first = {name: part[0] for name, part in episode.observations.items()}
        assert dataset.observation_space.contains(first)
    told = list(dataset.storage.get_episode_metadata(range(dataset.total_episodes)))
    assert [one["agent"] for one in told] == results["agent"].tolist()
    assert [one["seed"] for one in told] == results["seed"].tolist()


# The command


def test_the_command_prints_the_manifest(tmp_path, capsys):
    command = ["dataset", "--by", "random", "--players", "2", "--max-rounds", "2", "--games", "2", "--jobs", "1"]
    command += ["--out", str(tmp_path / "games"), "--minari"]
    assert main(command) == 0
    assert "MINARI_DATASETS_PATH=" in capsys.readouterr().out
    assert main([*command, "--json"]) == 0
    manifest = json.loads(capsys.readouterr().out)
    assert manifest == json.loads((tmp_path / "games" / MANIFEST).read_text())
    assert manifest["complete"]
    assert manifest["settings"]["agents"] == ["random", "random"]
    assert manifest["settings"]["actions"]
    assert manifest["settings"]["observations"]


@pytest.mark.parametrize(
    ("arguments", "told"),
    [
        (["--by", "random"], "required: --out"),
        (["--by", "shinobi", "--out", "NEW"], "agent 'shinobi' is not known: there are "),
        (["--by", "random,random", "--out", "NEW"], "--by: 2 agents are named; allowed is one, or one for each of 4"),
        (["--by", "random", "--reward", "fame", "--out", "NEW"], "fame"),
        (["--by", "random", "--out", "/dev/null/there"], "/dev/null/there: Not a directory"),
        (["--by", "random", "--out", str(ROOT / "docs")], "contains other files but no dataset"),
        (["--by", "python:tests.helpers.bots.Raises", "--games", "1", "--jobs", "1", "--out", "NEW"], "failed: "),
    ],
)
def test_bad_input_gets_one_line(arguments, told, tmp_path, capsys):
    arguments = [str(tmp_path / "new") if argument == "NEW" else argument for argument in arguments]
    assert main(["dataset", *arguments]) == 2
    said = capsys.readouterr()
    assert told in said.err.splitlines()[-1]
    assert said.err.splitlines()[-1].startswith("fujikoro: ")
    assert said.out == ""
