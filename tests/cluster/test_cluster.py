"""Games and training on a real Ray cluster of two nodes on this machine, with processes and nodes that are killed.

`make test-cluster` runs everything here, `make test` only what is not marked `cluster`.
"""

import hashlib
import json
import os
import signal
import socket
import subprocess
import sys
import tempfile
import time
from contextlib import contextmanager

import pyarrow.parquet as pq
import pytest

pytest.importorskip("ray", reason="Ray is not installed: pip install -e '.[cluster]'")
pytest.importorskip("psutil", reason="psutil is not installed: pip install -e '.[dev]'")

from fujikoro_app.cli import main
from fujikoro_env.kernel.jit import INTERPRETED
from tests.helpers.processes import search_path
from tests.helpers.ray_nodes import Nodes

pytestmark = pytest.mark.skipif(INTERPRETED, reason="plain Python plays too slowly")
LONGEST = 1800.0  # seconds for a command
GAMES = 96
ENTRANTS = (
    "tournament",
    "--players",
    "runner,hunter,smith,random",
    "--seed",
    "3",
    "--salt",
    "pepper",
    "--max-rounds",
    "10",
)
TOURNAMENT = [*ENTRANTS, "--games", str(GAMES)]
LONG_GAMES = 10 * GAMES  # of a tournament that is interrupted: many more than are under way at one time
BALANCE_SETTINGS = """
agents = ["gatherer", "runner"]
players = [3, 4]
games = 240
shard_games = 20
"""
RECIPE = """
decisions = 300_000
[[games]]
players = 2
max_rounds = 20
[opponents]
self = 1
past = 1
[league]
size = 2
every = 50_000
[network]
layers = [64]
[learning]
games = 64
steps = 32
batch = 256
[imitation]
agent = "runner"
decisions = 28_000
[evaluation]
opponents = ["random"]
games = 10
final_games = 100
every = 20_000
"""


@pytest.fixture(scope="module")
def nodes():
    with Nodes() as found:
        found.add()
        yield found


@pytest.fixture
def two(nodes):
    """The cluster, with two nodes that are alive."""
    for node in [node for node in nodes.others if node.process.poll() is not None]:
        nodes.others.remove(node)
    if not nodes.others:
        nodes.add()
    return nodes


@contextmanager
def started(nodes, *arguments):
    """A command in a process of its own, which is ended if the test fails."""
    env = {**nodes.env, "PYTHONPATH": search_path(), "OMP_NUM_THREADS": "1"}
    code = "import sys; from fujikoro_app.cli import main; sys.exit(main(sys.argv[1:]))"
    command = [sys.executable, "-c", code, *arguments, "--cluster", nodes.address]
    process = subprocess.Popen(command, env=env, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True)
    try:
        yield process
    finally:
        process.kill()
        process.wait()


def finished(process):
    """What a command printed, when it has come to its end."""
    said, _ = process.communicate(timeout=LONGEST)
    assert process.returncode == 0, said
    return said


def wait_for(process, is_true, what):
    last = time.monotonic() + LONGEST
    while not is_true():
        assert process.poll() is None, process.communicate()[0]
        assert time.monotonic() < last, what
        time.sleep(0.1)


def kill_a_worker(process, node, name):
    """Kill a process of a node that is doing a task, and return it."""
    wait_for(process, lambda: node.workers(name), f"no worker {name}")
    killed = node.workers(name)[0]
    killed.kill()
    return killed


def results_in(folder):
    """Results of the games of a journal, without the times of agents. No game may be there twice."""
    lines = [json.loads(line) for line in (folder / "games.jsonl").read_text().splitlines()[1:]]
    assert len({line["game"] for line in lines}) == len(lines)
    return {line["game"]: {**line, "seconds": None} for line in lines}


def number_of_lines(path):
    return path.read_text().count("\n") if path.exists() else 0


@pytest.mark.cluster
def test_a_tournament_loses_no_game_when_a_worker_and_a_node_are_killed(two, tmp_path):
    journal = tmp_path / "cluster" / "games.jsonl"
    with started(two, *TOURNAMENT, "--out", str(journal.parent)) as process:
        kill_a_worker(process, two.others[0], "do_tasks")
        wait_for(process, lambda: number_of_lines(journal) > GAMES // 6, "no games")
        kill_a_worker(process, two.others[0], "do_tasks")
        wait_for(process, lambda: number_of_lines(journal) > GAMES // 3, "no games")
        assert number_of_lines(journal) < GAMES
        two.others[0].kill()
        finished(process)
    assert main([*TOURNAMENT, "--out", str(tmp_path / "alone"), "--workers", "1"]) == 0
    assert results_in(journal.parent) == results_in(tmp_path / "alone")
    assert len(results_in(journal.parent)) == GAMES


def rows_in(folder):
    """All rows of a balance run."""
    return {
        path.name: pq.read_table(path) for path in sorted(folder.glob("*.parquet")) if path.name != "effects.parquet"
    }


@pytest.mark.cluster
def test_a_balance_run_loses_no_game_when_a_worker_and_a_node_are_killed(two, tmp_path):
    settings = tmp_path / "seats.toml"
    settings.write_text(BALANCE_SETTINGS)
    command = ["balance", "seats", "--settings", str(settings)]
    folder = tmp_path / "cluster"
    with started(two, *command, "--out", str(folder)) as process:
        kill_a_worker(process, two.others[0], "do_tasks")
        wait_for(process, lambda: list(folder.glob("games-*.parquet")), "no shards")
        two.others[0].kill()
        finished(process)
    assert main([*command, "--out", str(tmp_path / "alone"), "--jobs", "1"]) == 0
    found, alone = rows_in(folder), rows_in(tmp_path / "alone")
    assert found.keys() == alone.keys()
    assert all(found[name].equals(alone[name]) for name in alone)
    assert sum(table.num_rows for name, table in found.items() if name.startswith("games")) == 4 * 240


@pytest.mark.cluster
def test_datasets_and_evaluations_are_the_same(two, tmp_path):
    dataset = ["dataset", "--by", "runner,hunter", "--players", "2", "--games", "12", "--shard-games", "4"]
    evaluation = ["evaluate", "runner", "--quick", "--series", "runner-2,coop-2", "--json"]
    shards = {}
    for where in ("cluster", "alone"):
        folder = tmp_path / where
        for command, name in ((dataset, "data"), (evaluation, "evaluated")):
            typed = [*command, "--out", str(folder / name)]
            if where == "cluster":
                with started(two, *typed) as process:
                    finished(process)
            else:
                assert main([*typed, "--jobs", "1"]) == 0
        shards[where] = {
            path.name: hashlib.sha256(path.read_bytes()).hexdigest() for path in (folder / "data").glob("*.parquet")
        }
    assert shards["cluster"] == shards["alone"]
    assert len(shards["alone"]) == 6
    assert results_in(tmp_path / "cluster" / "evaluated") == results_in(tmp_path / "alone" / "evaluated")


def last_match(folder):
    """The match of the last evaluation."""
    rows = [json.loads(line) for line in (folder / "curve.jsonl").read_text().splitlines()]
    assert rows[-1]["games"] == "final"
    return rows[-1]["matches"][0]


def overlap(one, other):
    return one["low"] <= other["high"] and other["low"] <= one["high"]


@pytest.mark.cluster
def test_training_goes_on_when_an_actor_and_a_node_are_killed(two, tmp_path):
    recipe = tmp_path / "tiny.toml"
    recipe.write_text(RECIPE)
    folder = tmp_path / "both"
    with started(two, "train", str(recipe), "--out", str(folder), "--actors", "2") as process:
        wait_for(process, lambda: number_of_lines(folder / "curve.jsonl") >= 1, "no evaluation")
        lost = kill_a_worker(process, two.others[0], "RolloutActor")
        wait_for(process, lambda: set(two.others[0].workers("RolloutActor")) - {lost}, "no new actor")
        evaluated = number_of_lines(folder / "curve.jsonl")  # the new actor plays before the next evaluation is written
        wait_for(process, lambda: number_of_lines(folder / "curve.jsonl") > evaluated, "no second evaluation")
        two.others[0].kill()
        said = finished(process)
    assert said.count("a rollout actor was lost, and is replaced") >= 2
    with started(two, "train", str(recipe), "--out", str(tmp_path / "one"), "--actors", "1") as process:
        finished(process)
    assert main(["train", str(recipe), "--out", str(tmp_path / "alone")]) == 0
    matches = [last_match(tmp_path / name) for name in ("both", "one", "alone")]
    assert all(match["low"] > 0.5 for match in matches), matches  # it has learned something
    assert all(overlap(matches[0], match) for match in matches), matches


@pytest.mark.cluster
def test_other_code_on_a_machine_is_refused_in_one_line(two, tmp_path):
    """An agent that the head finds, and workers don't."""
    (tmp_path / "own_agent.py").write_text(
        "from fujikoro_env.player import RandomAgent\nclass Mine(RandomAgent): pass\n"
    )
    code = "import sys; from fujikoro_app.cli import main; sys.exit(main(sys.argv[1:]))"
    env = {**two.env, "PYTHONPATH": os.pathsep.join([str(tmp_path), search_path()])}
    command = [
        "tournament",
        "--players",
        "python:own_agent.Mine,random",
        "--games",
        "4",
        "--out",
        str(tmp_path / "cup"),
    ]
    found = subprocess.run(
        [sys.executable, "-c", code, *command, "--cluster", two.address], env=env, capture_output=True, text=True
    )
    assert found.returncode == 2
    assert "agents must be there on all machines" in found.stderr.splitlines()[-1]
    assert "Traceback" not in found.stderr


@pytest.mark.cluster
def test_an_interrupted_tournament_goes_on_elsewhere(two, tmp_path):
    """What was played on the cluster counts for a run on this machine."""
    journal = tmp_path / "games.jsonl"
    command = [*ENTRANTS, "--games", str(LONG_GAMES), "--out", str(tmp_path)]
    with started(two, *command) as process:
        wait_for(process, lambda: number_of_lines(journal) > 5, "no games")
        process.send_signal(signal.SIGINT)
        process.communicate(timeout=LONGEST)
    there = len(results_in(tmp_path))
    assert 0 < there < LONG_GAMES
    assert main([*command, "--workers", "1"]) == 0
    assert len(results_in(tmp_path)) == LONG_GAMES


# without a cluster of two nodes


NOT_STARTED = 77  # exit status
SMOKE = """
import sys
from pathlib import Path

import ray

from fujikoro_training.balance.run import run
from fujikoro_training.balance.settings import settings_of
from fujikoro_training.workers.cluster import Cluster

folder = Path(sys.argv[1])
settings = settings_of({"experiment": "seats", "agents": ["wanderer"], "players": [2], "games": 8, "shard_games": 4})
try:
    ray.init(address="local", num_cpus=1, include_dashboard=False, log_to_driver=False, logging_level="ERROR",
             _node_ip_address="127.0.0.2", _temp_dir=sys.argv[2], object_store_memory=100_000_000)
except Exception as error:
    print(error, file=sys.stderr)
    sys.exit(77)
with Cluster("auto") as workers:
    run(settings, folder / "cluster", workers)
ray.shutdown()
run(settings, folder / "alone", 1)
"""


def test_a_short_run_on_a_cluster_of_one_node(tmp_path):
    token = tmp_path / "token"
    token.write_text("0123456789abcdef" * 4)
    env = {
        **os.environ,
        "PYTHONPATH": search_path(),
        "RAY_AUTH_MODE": "token",
        "RAY_AUTH_TOKEN_PATH": str(token),
        "RAY_USAGE_STATS_ENABLED": "0",
        "RAY_worker_niceness": "0",
    }
    with tempfile.TemporaryDirectory(prefix="fk-ray-", ignore_cleanup_errors=True) as folder:  # for sockets
        code = [sys.executable, "-c", SMOKE, str(tmp_path), folder]
        found = subprocess.run(code, env=env, capture_output=True, text=True, timeout=LONGEST)
    if found.returncode == NOT_STARTED:
        pytest.skip(f"Ray did not start, which has a time limit of its own: {found.stderr.strip()[-200:]}")
    assert found.returncode == 0, found.stderr
    both = [rows_in(tmp_path / name) for name in ("cluster", "alone")]
    assert both[0].keys() == both[1].keys()
    assert all(both[0][name].equals(both[1][name]) for name in both[1])


@pytest.mark.parametrize(
    ("typed", "says"),
    [
        (["--cluster", "nowhere"], "allowed are auto, and HOST:PORT"),
        (["--cluster", "127.0.0.1:99999"], "allowed are auto, and HOST:PORT"),
        (["--cluster", "127.0.0.1:{free}"], "--cluster 127.0.0.1:{free}: Connection refused"),
        (["--cluster", "auto", "--workers", "2"], "not allowed with argument"),
    ],
)
def test_bad_addresses_get_one_line(typed, says, tmp_path, capsys):
    with socket.socket() as server:
        server.bind(("127.0.0.1", 0))
        free = str(server.getsockname()[1])
    typed = [word.replace("{free}", free) for word in typed]
    command = ["tournament", "--players", "random,random", "--games", "4", "--out", str(tmp_path / "cup"), *typed]
    assert main(command) == 2
    said = capsys.readouterr().err
    assert says.replace("{free}", free) in said
    assert said.count("\n") == 1


@pytest.mark.parametrize(
    ("typed", "says"),
    [
        (["small", "--actors", "2"], "--actors is for --cluster"),
        (["small", "--tune", "--cluster", "auto"], "--cluster is for single runs"),
    ],
)
def test_options_of_training_that_do_not_go_together_get_one_line(typed, says, capsys):
    assert main(["train", *typed]) == 2
    assert says in capsys.readouterr().err


def test_without_ray_the_option_gets_one_line(monkeypatch, capsys):
    monkeypatch.setattr("fujikoro_app.cli.find_spec", lambda name: None)
    assert main(["tournament", "--players", "random,random", "--cluster", "auto"]) == 2
    assert capsys.readouterr().err == "fujikoro: --cluster needs ray: pip install 'fujikoro_env[cluster]'\n"
