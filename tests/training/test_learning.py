"""`fujikoro train`: recipes, seats, runs of a few steps, checkpoints that go on with the same curve, the command."""

import json
import os
import signal
import subprocess
import sys
import time
from pathlib import Path
from typing import Any

import numpy as np
import pytest

pytest.importorskip("sb3_contrib", reason="training is not installed: pip install -e '.[train]'")

from sb3_contrib import MaskablePPO

from fujikoro_agents.policy import Heads, new_head, policy_of_model, random_weights, save_policy
from fujikoro_app.cli import main
from fujikoro_env.envs.sb3 import FujiKoroVecEnv
from fujikoro_env.envs.seats import LEARNER
from fujikoro_env.kernel.jit import INTERPRETED
from fujikoro_env.player import make_agent
from fujikoro_env.settings import Rules
from fujikoro_training.evaluation_games import read_evaluation_games
from fujikoro_training.learning import checkpoint
from fujikoro_training.learning.callbacks import MatchCallback
from fujikoro_training.learning.checkpoint import CheckpointError, read_checkpoint
from fujikoro_training.learning.opponents import Seats, counts
from fujikoro_training.learning.recipe import RecipeError, read_recipe, recipe_of, shipped_recipes
from fujikoro_training.learning.rollouts import (
    LocalCollector,
    PastSelves,
    recipe_of_collector,
    shares_of,
    weights_of,
)
from fujikoro_training.learning.run import make_parts, resume, start_from_file, train
from fujikoro_training.matches import ITSELF, play_match
from fujikoro_training.networks import policy_arguments
from fujikoro_training.timing import Stopwatch
from tests.helpers.processes import search_path

compiled = pytest.mark.skipif(INTERPRETED, reason="plain Python plays too slowly")
TINY = {
    "decisions": 600,
    "games": [{"players": 3, "max_rounds": 2}, {"players": 2, "mode": "coop", "share": 0.5}],
    "opponents": {"self": 1, "past": 1, "gatherer": 1},
    "league": {"size": 2, "every": 150},
    "network": {"layers": [8]},
    "learning": {"games": 9, "steps": 10, "batch": 32},
    "evaluation": {"opponents": ["random"], "games": 3, "final_games": 3, "every": 200},
    "checkpoints": {"every": 1},
}


def tiny(**changes):
    return recipe_of("tiny", {**TINY, **changes})


def curve_of(folder):
    rows = [json.loads(line) for line in (folder / "curve.jsonl").read_text().splitlines()]
    return [{name: value for name, value in row.items() if name != "seconds"} for row in rows]


# recipes


@pytest.mark.parametrize("name", sorted({*shipped_recipes()} - {"pupil", "value"}))  # they have tests of their own
def test_shipped_recipes_are_valid_and_can_be_read_again(name):
    recipe = read_recipe(name)
    assert recipe_of(name, json.loads(json.dumps(recipe.to_json()))).to_json() == recipe.to_json()


def test_settings_can_be_changed():
    recipe = read_recipe(
        "small", ["decisions=7", "learning.entropy=0.5", "network.kind=heads", "network.layers=[4, 5]"]
    )
    assert (recipe.decisions, recipe.learning.entropy) == (7, (0.5, 0.5))
    assert (recipe.network.kind, recipe.network.layers) == ("heads", (4, 5))


@pytest.mark.parametrize(
    ("says", "changes"),
    [
        ("small: 'lerning' is not known, perhaps 'learning' is meant; allowed are decisions,", ["lerning.rate=1"]),
        ("learning: 'rate' is not known; allowed are games, steps,", ["learning.rate=1"]),
        ("decisions=0: allowed are whole numbers from 1", ["decisions=0"]),
        ("learning.gamma=2: allowed are numbers from 0 to 1", ["learning.gamma=2"]),
        (r"learning.entropy=\[1, 2, 3\]: allowed are a number, or a list", ["learning.entropy=[1, 2, 3]"]),
        ("network.kind='deep': allowed are compact, heads, tensor", ["network.kind=deep"]),
        ("opponents=.*agent 'nobody' is not known", ["opponents.nobody=1"]),
        ("games: .*players", ["games=[{players=9}]"]),
        ("games: unknown option 'playrs'.*; settings are players, mode,", ["games=[{playrs=3}]"]),
        ("games is a list; replace it as a whole, for example", ["games.players=3"]),
        ("agent 'self' is not known: there are [^;]*$", ['evaluation.opponents=["self"]']),
        ("write KEY=VALUE", ["decisions"]),
        ("at least one share must be above 0", ["opponents={self=0}"]),
    ],
)
def test_bad_recipes_get_one_line(says, changes):
    with pytest.raises(RecipeError, match=says) as error:
        read_recipe("small", changes)
    assert "\n" not in str(error.value)


def test_unknown_recipes_list_the_shipped_ones():
    with pytest.raises(RecipeError, match="allowed is a TOML file or fuji, plans, ppo, pupil, small"):
        read_recipe("large")


def test_the_recipe_of_the_documentation_can_be_read(tmp_path):
    page = (Path(__file__).parents[2] / "docs" / "recipes.md").read_text()
    (tmp_path / "mine.toml").write_text(page.split("```toml\n")[1].split("```")[0])
    recipe = read_recipe(str(tmp_path / "mine.toml"))
    assert [kind.label for kind in recipe.games][-1] == "3 players, mode coop"
    assert recipe.games[2].opponents == {ITSELF: 1.0}


@compiled
def test_the_league_of_the_documentation_runs():
    page = (Path(__file__).parents[2] / "docs" / "training.md").read_text()
    (code,) = [block.split("```")[0] for block in page.split("```python\n") if "SeatedGames(" in block.split("```")[0]]
    done: dict[str, Any] = {}
    exec(code, done)
    assert len(done["seen"]) == len(done["masks"]) == len(done["actions"])
    assert done["paid"].shape == (64, 6)


# seats


def test_games_are_divided_by_shares():
    assert counts([0.5, 0.25, 0.25], 8) == [4, 2, 2]
    assert counts([1, 1, 1], 10) in ([4, 3, 3], [3, 4, 3], [3, 3, 4])
    assert counts([1000, 1], 5) == [4, 1]


@compiled
def test_learners_have_all_seats_or_one():
    recipe = tiny()
    parts = make_parts(recipe, Stopwatch())
    seats = Seats(recipe.games[0], 6, parts.pool)
    rows = seats(np.arange(6), np.random.default_rng(1))
    learners = (rows == LEARNER).sum(axis=1)
    assert learners.tolist() == [3, 3, 1, 1, 1, 1]
    assert [seats.policies[int(row.max())] in parts.pool.policies for row in rows[2:]] == [True, True, False, False]
    assert set(rows[4].tolist()) == {LEARNER, 0}
    parts.games.close()


# runs


@compiled
def test_a_run_leaves_a_policy_that_plays(tmp_path):
    found = train(tiny(), tmp_path)
    assert found.finished
    assert found.curve[0]["decisions"] == 0
    assert found.curve[-1]["decisions"] >= 600
    assert [match["opponent"] for match in found.curve[-1]["matches"]] == ["random", "self"]
    assert {"update", "forward pass", "opponents", "stepping", "observing", "evaluation"} <= set(found.shares)
    assert sum(found.shares.values()) == pytest.approx(1, abs=1e-6)
    assert list((tmp_path / "tensorboard").iterdir())
    make_agent(f"policy:{tmp_path / 'policy.safetensors'}")
    with pytest.raises(CheckpointError, match="has a checkpoint already"):
        train(tiny(), tmp_path)


@compiled
@pytest.mark.parametrize("network", ["compact", "tensor"])
def test_one_network_learns_and_plays_all_player_counts_and_modes(network, tmp_path):
    counts_of_players = [{"players": players, "max_rounds": 2} for players in (2, 3, 4, 5, 6)]
    kinds = [*counts_of_players, {"players": 3, "mode": "coop", "max_rounds": 2}, {"mode": "solo", "max_rounds": 2}]
    once = {"every": 10_000}  # at the end
    recipe = tiny(decisions=100, games=kinds, network={"kind": network, "layers": [8]}, checkpoints=once)
    found = train(recipe, tmp_path)
    assert found.finished
    assert [match["games of"].split(",")[0] for match in found.curve[-1]["matches"]] == [
        *(f"{players} players" for players in (2, 3, 4, 5, 6, 3, 1))
    ]
    name = f"policy:{tmp_path / 'policy.safetensors'}"
    for kind in recipe.games:
        rules = kind.make_rules()
        opponent = "self" if rules.is_coop else "random"
        match = play_match(name, opponent, rules, 1, 7)
        assert (match.games, match.opponent) == (1 if rules.is_coop else rules.players, opponent)


@compiled
def test_a_killed_run_goes_on_with_the_same_curve(tmp_path, monkeypatch):
    """A kill leaves the last checkpoint and a longer curve behind."""
    train(tiny(), tmp_path / "whole")

    class Killed(BaseException):
        pass

    def show(status):
        if status.decisions > 300:
            raise Killed

    with pytest.raises(Killed):
        train(tiny(), tmp_path / "killed", show)
    assert read_checkpoint(tmp_path / "killed").said["decisions"] < 600
    assert resume(tmp_path / "killed").finished
    assert curve_of(tmp_path / "killed") == curve_of(tmp_path / "whole")
    games = read_evaluation_games(tmp_path / "whole")
    assert games
    assert read_evaluation_games(tmp_path / "killed") == games
    weights = [read_checkpoint(tmp_path / name).arrays for name in ("killed", "whole")]
    assert all((weights[0][name] == weights[1][name]).all() for name in weights[1])


@compiled
@pytest.mark.long
def test_a_run_goes_on_after_kill_9(tmp_path):
    """The same with a process that is really killed while it trains."""
    (tmp_path / "tiny.json").write_text(json.dumps(tiny(decisions=1500).to_json()))
    program = (
        "import json, sys; from pathlib import Path; from fujikoro_training.learning.recipe import recipe_of;"
        "from fujikoro_training.learning.run import train; folder = Path(sys.argv[1]);"
        "train(recipe_of('tiny', json.loads((folder / 'tiny.json').read_text())), folder / 'killed')"
    )
    env = {**os.environ, "PYTHONPATH": search_path()}
    with subprocess.Popen([sys.executable, "-c", program, str(tmp_path)], env=env) as process:
        while not (tmp_path / "killed" / checkpoint.FILE).exists() and process.poll() is None:
            time.sleep(0.05)
        process.kill()
    assert process.returncode == -signal.SIGKILL
    assert read_checkpoint(tmp_path / "killed").said["decisions"] < 1500
    assert resume(tmp_path / "killed").finished
    train(tiny(decisions=1500), tmp_path / "whole")
    assert curve_of(tmp_path / "killed") == curve_of(tmp_path / "whole")


@compiled
def test_checkpoints_of_other_tables_are_refused_and_other_content_is_told(tmp_path, monkeypatch):
    train(tiny(decisions=50), tmp_path)
    said: list[str] = []
    with monkeypatch.context() as patch:
        patch.setattr(checkpoint, "content_digests", lambda recipe: ["other"])
        resume(tmp_path, warn=said.append)
    assert said == ["the content has changed since the checkpoint; its games are dealt anew"]
    monkeypatch.setattr(checkpoint, "action_digest", lambda: "other")
    with pytest.raises(CheckpointError, match=r"trained on another table of actions \(\w+, here other\)"):
        resume(tmp_path)
    (tmp_path / "checkpoint.safetensors").write_bytes(b"nonsense")
    with pytest.raises(CheckpointError, match="not a checkpoint"):
        resume(tmp_path)


@compiled
def test_a_collector_plays_a_part_of_the_games_for_a_learner_elsewhere():
    """What it sends is what a learner in the same process would have seen."""
    recipe = tiny(opponents={"self": 1, "past": 1})
    parts = make_parts(recipe, Stopwatch())
    weights, past = weights_of(parts.model, 7, 0.5), PastSelves(parts.pool.added, parts.pool.snapshot())
    own = recipe_of_collector(recipe, 0, 0, shares_of(recipe, 2)[0])
    collector = LocalCollector(own, lambda given: make_parts(given, Stopwatch()))
    rollout = collector.collect(weights, past)
    buffer, theirs = parts.model.rollout_buffer, collector.parts.model.rollout_buffer
    buffer.reset()
    buffer.take([rollout.columns, rollout.columns])
    assert rollout.version == 7
    assert buffer.rows == 2 * theirs.rows > 0
    assert collector.parts.games.num_envs == 5
    for name, column in buffer.columns().items():
        assert (column[theirs.rows :] == theirs.columns()[name]).all(), name
    with pytest.raises(RecipeError, match="10 rollout actors need at least one game of each kind, 20 in all"):
        shares_of(recipe, 10)
    parts.games.close()
    collector.parts.games.close()


# callbacks


@compiled
def test_callbacks_evaluate_a_learner_without_changing_it(tmp_path):
    rules = Rules(players=3, max_rounds=2)
    told: list[int] = []
    callback = MatchCallback(rules, ["random"], games=3, every=300, report=lambda decisions, _: told.append(decisions))
    train(tiny(decisions=400), tmp_path / "watched", callbacks=[callback])
    train(tiny(decisions=400), tmp_path / "alone")
    assert curve_of(tmp_path / "watched") == curve_of(tmp_path / "alone")
    assert told == [decisions for decisions, _ in callback.results]
    assert told[0] == 0
    assert 300 <= told[1] < 400
    assert [(match.opponent, match.games) for _, matches in callback.results for match in matches] == [
        ("random", 3)
    ] * 2


@compiled
def test_callbacks_evaluate_other_learners():
    env = FujiKoroVecEnv(n=4, players=2, max_rounds=1)
    model = MaskablePPO(env=env, n_steps=8, batch_size=32, **policy_arguments("compact", (8,)))
    callback = MatchCallback(Rules(players=2, max_rounds=1), ["random", "gatherer"], games=2, every=32)
    model.learn(64, callback=callback)
    assert [decisions for decisions, _ in callback.results] == [0, 32]
    assert [match.opponent for match in callback.results[-1][1]] == ["random", "gatherer"]


def test_callbacks_in_coop_have_no_opponents():
    with pytest.raises(ValueError, match=r"in co-op there are none, so allowed is \['self'\]"):
        MatchCallback(Rules(players=2, mode="coop"), ["random"])


# the command


@compiled
def test_the_command(tmp_path, capsys):
    recipe = tmp_path / "mine.toml"
    recipe.write_text("decisions = 60\n[[games]]\nplayers = 2\nmax_rounds = 2\n[network]\nlayers = [8]\n")
    sets = ["learning.games=4", "learning.steps=8", "evaluation.games=2", "evaluation.final_games=2"]
    out = str(tmp_path / "run")
    changes = [part for change in sets for part in ("--set", change)]
    assert main(["train", str(recipe), "--out", out, "--profile", *changes]) == 0
    shown = capsys.readouterr()
    assert "outside the learner (update, forward pass)" in shown.out
    assert f"plays as policy:{Path(out) / 'policy.safetensors'}" in shown.out
    assert "against random (2 players, max_rounds 2)" in shown.err
    assert main(["train", "--resume", out]) == 0
    assert capsys.readouterr().err == f"{out}: this run has reached its end; nothing is left to learn\n"


@pytest.mark.parametrize(
    ("says", "typed"),
    [
        ("give a RECIPE", []),
        ("leave out RECIPE", ["small", "--resume", "x"]),
        ("leave out --set, --out and --tune", ["--resume", "x", "--set", "a=1"]),
        ("learner='valu': allowed are value, pupil; without a learner, PPO", ["small", "--set", "learner=valu"]),
        ("there is no checkpoint.safetensors", ["--resume", "nowhere"]),
        ("allowed is a TOML file or fuji, plans, ppo, pupil, small", ["nothing"]),
    ],
)
def test_bad_input_of_the_command_gets_one_line(says, typed, capsys):
    assert main(["train", *typed]) == 2
    shown = capsys.readouterr().err
    assert says in shown
    assert shown.count("\n") == 1


# imitation


def imitating(**changes):
    settings = {"agent": "gatherer", "decisions": 300, **changes}
    return tiny(games=[{"players": 3, "max_rounds": 2}], imitation=settings)


def test_imitation_is_a_part_of_the_run():
    with pytest.raises(RecipeError, match=r"imitation\.decisions=601: allowed are at most all 600 decisions"):
        imitating(decisions=601)
    with pytest.raises(RecipeError, match=r"imitation\.agent='nobody': agent 'nobody' is not known"):
        imitating(agent="nobody")
    assert [imitating().improvement_left(decisions) for decisions in (0, 300, 450, 600)] == [1, 1, 0.5, 0]


def test_the_learning_rate_of_imitation_changes_evenly():
    settings = imitating(learning_rate=[1e-3, 1e-4]).imitation
    assert [settings.learning_rate_after(decisions) for decisions in (0, 150, 300, 400)] == pytest.approx(
        [1e-3, 5.5e-4, 1e-4, 1e-4]
    )


@compiled
def test_a_run_that_begins_with_imitation_goes_on_with_the_same_curve(tmp_path):
    def interrupt(status):
        if status.decisions >= 150:
            raise KeyboardInterrupt

    train(imitating(), tmp_path / "whole")
    with pytest.raises(KeyboardInterrupt):
        train(imitating(), tmp_path / "broken", interrupt)
    resume(tmp_path / "broken")
    assert curve_of(tmp_path / "broken") == curve_of(tmp_path / "whole")


@compiled
def test_a_network_comes_to_choose_as_its_teacher():
    recipe = tiny(
        decisions=4000,
        games=[{"players": 3, "max_rounds": 4}],
        learning={"games": 16, "steps": 20, "batch": 64, "epochs": 4},
        imitation={"agent": "runner", "decisions": 4000, "own": 0.3, "learning_rate": 0.003},
    )
    parts = make_parts(recipe, Stopwatch())
    losses = []
    for _ in range(10):
        parts.model.learn(300, reset_num_timesteps=False)
        losses.append(parts.model.logger.name_to_value["train/imitation_loss"])
    parts.games.close()
    assert sum(losses[-3:]) / 3 < 0.85 * losses[0]


# beginning with the weights of a file


@pytest.mark.parametrize("kind", ["compact", "heads"])
def test_a_run_can_begin_with_the_weights_of_a_policy_file(kind, tmp_path):
    network = {"kind": kind, "layers": [8]}
    first = make_parts(tiny(seed=1, network=network), Stopwatch())
    file = tmp_path / "first.safetensors"
    found = policy_of_model(first.model, Rules().pack)
    save_policy(file, found.weights, found.head)
    recipe = tiny(seed=2, network={**network, "start": str(file)})
    parts = make_parts(recipe, Stopwatch())
    start_from_file(recipe, parts)
    wanted = first.model.policy.state_dict()
    for policy in (parts.model.policy, *(past.network for past in parts.pool.policies)):
        weights = policy.state_dict()
        assert all((weights[name] == wanted[name]).all() for name in wanted)
    for made in (first, parts):
        made.games.close()


def test_a_policy_file_of_another_network_is_refused_in_one_line(tmp_path, capsys):
    head = new_head(Heads((8,)), Rules().pack)
    file = tmp_path / "other.safetensors"
    save_policy(file, random_weights(head, seed=1), head)
    starts = [f"network.start='{file}'", "network.layers=[8]", "learning.games=4"]
    for start, says in ((starts, "its network is {'kind': 'heads'"), (["network.start=nowhere"], "No such file")):
        sets = [part for change in start for part in ("--set", change)]
        assert main(["train", "small", *sets, "--out", str(tmp_path / says[:2])]) == 2
        shown = capsys.readouterr().err
        assert says in shown
        assert shown.count("\n") == 1
