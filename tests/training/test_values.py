"""`fujikoro train value`: recipes, targets, fits, and runs that continue with the same curve."""

import json
from typing import Any

import numpy as np
import pytest

pytest.importorskip("sb3_contrib", reason="training is not installed: pip install -e '.[train]'")

from fujikoro_agents.values.features import BLOCK, TABLE
from fujikoro_agents.values.file import Value, load_value, mean_of, random_value, save_value
from fujikoro_agents.values.network import INPUTS, OUTPUTS, outputs_of_rows
from fujikoro_app.cli import main
from fujikoro_env.kernel.jit import INTERPRETED
from fujikoro_training.evaluation_games import read_evaluation_games
from fujikoro_training.learners import read_any_recipe
from fujikoro_training.learning.checkpoint import CheckpointError
from fujikoro_training.learning.recipe import RecipeError
from fujikoro_training.values.fit import Fit, Lesson, Network, fitted, inputs_for, values_for
from fujikoro_training.values.recipe import ValueRecipe, value_recipe_of
from fujikoro_training.values.run import resume_value, train_value
from fujikoro_training.values.targets import lambda_returns
from fujikoro_training.values.turn_ends import TurnEnds, joined

compiled = pytest.mark.skipif(INTERPRETED, reason="plain Python plays too slowly")
TINY: dict[str, Any] = {
    "learner": "value",
    "games": [{"players": 2, "max_rounds": 8}, {"players": 3, "max_rounds": 8, "share": 0.5}],
    "scouts": {"games": 9},
    "selfplay": {"rounds": 1, "games": 9},
    "learning": {"layers": [8, 4], "epochs": 1, "batch": 16},
    "evaluation": {"opponents": ["random"], "games": 2, "final_games": 2},
}


def made_up(games: int = 3, ends: int = 40, players: int = 3, seed: int = 0) -> TurnEnds:
    luck = np.random.default_rng(seed)
    leads = luck.normal(0, 10, (games, players)).astype(np.float32)
    return TurnEnds(
        luck.random((ends, players, BLOCK)).astype(np.float16),
        luck.random((ends, TABLE)).astype(np.float16),
        luck.integers(0, games, ends).astype(np.int32),
        luck.integers(0, players, ends).astype(np.int8),
        leads,
        np.eye(players, dtype=np.float32)[leads.argmax(axis=1)],
        np.array([ends]),
    )


def curve_of(folder):
    rows = [json.loads(line) for line in (folder / "curve.jsonl").read_text().splitlines()]
    return [{name: value for name, value in row.items() if name != "seconds"} for row in rows]


# recipes


def test_the_shipped_recipe_can_be_read_again():
    recipe = read_any_recipe("value")
    assert isinstance(recipe, ValueRecipe)
    assert value_recipe_of("value", json.loads(json.dumps(recipe.to_json()))) == recipe


@pytest.mark.parametrize(
    ("says", "change"),
    [
        ("'lerning' is not known, perhaps 'learning' is meant; allowed are learner, seed,", "lerning.rate=1"),
        ("learning.layers=.*allowed are lists of 2 widths", "learning.layers=[4]"),
        ("allowed are whole numbers from 1 to 256", "learning.layers=[4, 1000]"),
        ("learning: 4 networks with layers of 96 units", "learning.networks=4"),
        ("scouts.network=.*missing.safetensors", 'scouts.network="missing.safetensors"'),
        ("learning.trace=2: allowed are numbers from 0 to 1", "learning.trace=2"),
        ("values are learned for competitive games", 'games=[{players=2, mode="coop"}]'),
        ("the network plays all seats", "games=[{players=2, opponents={random=1}}]"),
        ("agent 'nobody' is not known", 'evaluation.opponents=["nobody"]'),
    ],
)
def test_bad_recipes_get_one_line(says, change):
    with pytest.raises(RecipeError, match=says) as error:
        read_any_recipe("value", [change])
    assert "\n" not in str(error.value)


# targets and fits


def test_lambda_returns_follow_their_definition():
    ends = made_up()
    values = np.random.default_rng(1).normal(0, 1, (40, 3)).astype(np.float32)
    found = lambda_returns(ends, values, ends.leads, 0.8)
    for game in range(3):
        rows = np.flatnonzero(ends.games == game)
        for k, row in enumerate(rows):
            later = [values[after] for after in rows[k + 1 :]] + [ends.leads[game]]
            weights = [0.2 * 0.8**n for n in range(len(later) - 1)] + [0.8 ** (len(later) - 1)]
            expected = sum(weight * value for weight, value in zip(weights, later, strict=True))
            assert found[row] == pytest.approx(expected, abs=1e-4)


def test_parts_are_joined_with_their_own_games():
    one, other = made_up(seed=1), made_up(games=2, ends=10, seed=2)
    both = joined([one, other])
    assert (both.leads[both.games] == np.concatenate([one.leads[one.games], other.leads[other.games]])).all()


def test_a_fit_learns_and_its_export_gives_the_same_values():
    import torch

    ends = made_up(games=200, ends=2000)
    leads = (20 * ends.blocks[:, :, 0].astype(np.float32) - 10).astype(np.float32)
    lesson = Lesson(ends, leads, np.full_like(leads, 1 / 3))
    weights, _ = fitted([lesson], Fit((16, 8), 8, 64, 5e-3, 0))
    value = Value((16, 8), weights)
    found, wins = values_for(ends, value)
    assert 1 - ((found - leads) ** 2).mean() / leads.var() > 0.8
    assert wins.sum(axis=1) == pytest.approx(1)
    again = Network(
        (16, 8), torch.full((weights["0.weight"].shape[1],), 0.3), torch.full((weights["0.weight"].shape[1],), 2.0)
    )
    again.take(value)
    rows: Any = np.arange(100)
    seen = torch.from_numpy(inputs_for(ends, rows, np.zeros(100, np.int64)))
    assert 10 * again(seen)[:, 0].detach().numpy() == pytest.approx(found[:100, 0], abs=1e-2)


def test_a_fit_can_begin_with_another_network():
    ends = made_up()
    lesson = Lesson(ends, ends.leads[ends.games], ends.wins[ends.games])
    before = random_value((8, 4), seed=1)
    weights, _ = fitted([lesson], Fit((8, 4), 1, 40, 1e-6, 0), before)
    assert weights["1.weight"] == pytest.approx(before.weights["1.weight"], abs=1e-4)


def test_a_mean_of_networks_computes_the_mean():
    first, second = random_value((8, 4), seed=1), random_value((8, 4), seed=2)
    layers, weights = mean_of([first.weights, second.weights])
    both = Value(layers, weights)
    assert both.layers == (16, 8)
    inputs: Any = np.random.default_rng(0).random((5, INPUTS), np.float32)
    found = []
    for value in (first, second, both):
        outputs: Any = np.zeros((5, OUTPUTS), np.float32)
        network: Any = value.compiled()
        outputs_of_rows(inputs, 5, network, outputs)
        found.append(outputs)
    assert found[2] == pytest.approx((found[0] + found[1]) / 2, abs=1e-5)


# runs


@compiled
def test_a_run_may_begin_with_a_network_and_fit_several(tmp_path):
    save_value(tmp_path / "first.safetensors", random_value((6, 4), seed=1))
    scouts = {**TINY["scouts"], "network": str(tmp_path / "first.safetensors")}
    recipe = value_recipe_of("tiny", {**TINY, "scouts": scouts, "learning": {**TINY["learning"], "networks": 2}})
    assert train_value(recipe, tmp_path / "run").finished
    assert load_value(tmp_path / "run" / "value.safetensors").layers == (16, 8)


@compiled
def test_a_run_goes_on_with_the_same_curve(tmp_path):
    recipe = value_recipe_of("tiny", TINY)
    whole = train_value(recipe, tmp_path / "whole")
    assert whole.finished
    assert [row["round"] for row in whole.curve] == [0, 1]
    assert len(whole.curve[1]["matches"]) == 2

    def interrupt(status):
        if status.row is None and status.decisions > whole.curve[0]["decisions"]:
            raise KeyboardInterrupt

    broken = train_value(recipe, tmp_path / "broken", interrupt)
    assert not broken.finished
    resumed = resume_value(tmp_path / "broken")
    assert resumed.finished
    assert curve_of(tmp_path / "broken") == curve_of(tmp_path / "whole")
    games = read_evaluation_games(tmp_path / "whole")
    assert games
    assert read_evaluation_games(tmp_path / "broken") == games
    one, other = (load_value(tmp_path / name / "value.safetensors").compiled() for name in ("whole", "broken"))
    assert (one == other).all()
    with pytest.raises(CheckpointError, match="has a run already"):
        train_value(recipe, tmp_path / "whole")


@compiled
def test_the_command_trains_and_resumes(tmp_path, capsys):
    written = tmp_path / "tiny.toml"
    written.write_text('learner = "value"\n[[games]]\nplayers = 2\nmax_rounds = 9\n[scouts]\ngames = 8\n')
    sets = [
        "selfplay.rounds=0",
        "evaluation.final_games=2",
        'evaluation.opponents=["random"]',
        "learning.layers=[4, 4]",
    ]
    given = [each for one in sets for each in ("--set", one)]
    assert main(["train", str(written), "--out", str(tmp_path / "run"), *given]) == 0
    assert "plays as value:" in capsys.readouterr().out
    assert main(["train", "--resume", str(tmp_path / "run")]) == 0
    (tmp_path / "run" / "recipe.json").write_text('{"learner": "value"}')
    assert main(["train", "--resume", str(tmp_path / "run")]) == 2
    said = capsys.readouterr().err
    assert "not the recipe of a run" in said
    assert "Traceback" not in said


@compiled
def test_games_without_turn_ends_get_one_line(tmp_path):
    recipe = value_recipe_of("short", {**TINY, "games": [{"players": 2, "max_rounds": 1}], "scouts": {"games": 1}})
    with pytest.raises(RecipeError, match="too few or too short"):
        train_value(recipe, tmp_path / "run")
