"""`fujikoro train pupil`: lessons, fits, and runs that go on with the same curve."""

import json
from typing import Any

import numpy as np
import pytest

pytest.importorskip("sb3_contrib", reason="training is not installed: pip install -e '.[train]'")

import torch

from fujikoro_agents.plans.level import Plans
from fujikoro_agents.plans.tables import CHOICES, SUMMARY_WIDTH, USUAL, WIDTH
from fujikoro_agents.policy import Pupil, load_policy
from fujikoro_agents.policy.networks import Choices
from fujikoro_agents.values.file import shipped_value
from fujikoro_app.cli import main
from fujikoro_env import Game, Rules
from fujikoro_env.envs.levels import MAKERS
from fujikoro_env.kernel.jit import INTERPRETED
from fujikoro_env.player import make_agent, make_agents, register_agent
from fujikoro_training.evaluation_games import read_evaluation_games
from fujikoro_training.learners import read_any_recipe
from fujikoro_training.learning.checkpoint import CheckpointError
from fujikoro_training.learning.recipe import RecipeError
from fujikoro_training.networks import PlanScores, PlanValue
from fujikoro_training.pupil.fit import Fit, fitted, mean_gain
from fujikoro_training.pupil.lessons import Questions, play_lessons
from fujikoro_training.pupil.recipe import PupilRecipe, pupil_recipe_of
from fujikoro_training.pupil.run import resume_pupil, train_pupil

compiled = pytest.mark.skipif(INTERPRETED, reason="plain Python plays too slowly")
TINY: dict[str, Any] = {
    "learner": "pupil",
    "games": [{"players": 2, "max_rounds": 5}],
    "lessons": {"games": 3, "games_of_round": 2},
    "learning": {"layers": [8, 8, 4], "epochs": 1, "batch": 16},
    "evaluation": {"opponents": ["random"], "games": 2, "final_games": 2},
}


@pytest.fixture(autouse=True)
def _registered(monkeypatch):
    """The level is there without an installation of this checkout."""
    monkeypatch.setitem(MAKERS, "plans", Plans)


def made_up(count: int = 3000) -> Questions:
    """Questions with three choices, of which the one with the largest first feature gains most."""
    luck = np.random.default_rng(0)
    choices = luck.random((count, CHOICES, WIDTH)).astype(np.float16)
    choices[:, :, USUAL] = 0
    gains = np.full((count, CHOICES), np.nan, np.float32)
    gains[:, :3] = 4 * (choices[:, :3, 1] - choices[:, :1, 1])
    summaries = luck.random((count, SUMMARY_WIDTH)).astype(np.float16)
    return Questions(choices, summaries, gains, np.full(count, 3, np.int8), np.array([count]))


def curve_of(folder):
    rows = [json.loads(line) for line in (folder / "curve.jsonl").read_text().splitlines()]
    return [{name: value for name, value in row.items() if name != "seconds"} for row in rows]


def test_the_shipped_recipe_can_be_read_again():
    recipe = read_any_recipe("pupil")
    assert isinstance(recipe, PupilRecipe)
    assert pupil_recipe_of("pupil", json.loads(json.dumps(recipe.to_json()))) == recipe


@pytest.mark.parametrize(
    ("says", "change"),
    [
        ("'lesons' is not known, perhaps 'lessons' is meant; allowed are learner, seed,", "lesons.games=1"),
        ("learning.layers=.*allowed are lists of 2 to 8 widths", "learning.layers=[4]"),
        ("lessons.teacher=.*nowhere.safetensors", 'lessons.teacher="nowhere.safetensors"'),
        ("values are learned for competitive games", 'games=[{players=2, mode="coop"}]'),
    ],
)
def test_bad_recipes_get_one_line(says, change):
    with pytest.raises(RecipeError, match=says) as error:
        read_any_recipe("pupil", [change])
    assert "\n" not in str(error.value)


def test_a_fit_finds_the_better_choices():
    fit, questions = Fit((16, 16, 8), 6, 64, 1e-2, 0.5, 0), made_up()
    gain = mean_gain(fitted(questions, fit), fit.network, questions)
    best = float(np.nanmax(questions.gains, axis=1).mean())
    assert 0.8 * best < gain <= best


def test_networks_with_further_layers_are_the_same_in_both_libraries():
    torch.manual_seed(1)
    layers = (8, 6, 5, 4)
    scores, value = PlanScores(layers, 1.5, torch.relu), PlanValue(layers)
    torch.nn.init.normal_(scores.score.weight)
    weights = {name: part.numpy() for each in (scores, value) for name, part in each.state_dict().items()}
    network = Choices(layers, "relu")
    assert {name: part.shape for name, part in weights.items()} == network.shapes("plans")
    luck, shapes = np.random.default_rng(1), {"choices": (5, CHOICES, WIDTH), "summary": (5, SUMMARY_WIDTH)}
    seen = {name: luck.random(shape, np.float32) for name, shape in shapes.items()}
    found, _ = network.judge(weights, seen)
    wanted = scores.scores(torch.from_numpy(seen["choices"]), torch.from_numpy(seen["summary"]))
    assert found == pytest.approx(wanted.detach().numpy(), abs=1e-5)


def test_many_questions_are_judged_as_each_of_them():
    network, chance = Choices((8, 8, 4), "relu"), np.random.default_rng(3)
    weights = {name: chance.normal(size=shape).astype(np.float32) for name, shape in network.shapes("plans").items()}
    seen = {
        "choices": chance.random((40, CHOICES, WIDTH), np.float32),
        "summary": chance.random((40, SUMMARY_WIDTH), np.float32),
    }
    logits, values = network.judge(weights, seen)
    for k in (0, 17, 39):
        one = network.judge(weights, {name: part[k : k + 1] for name, part in seen.items()})
        np.testing.assert_allclose(logits[k], one[0][0], rtol=1e-4, atol=1e-4)
        np.testing.assert_allclose(values[k], one[1][0], rtol=1e-4, atol=1e-4)


@compiled
def test_lessons_say_what_choices_gain():
    questions = play_lessons(Rules(players=2, max_rounds=6), np.arange(3), shipped_value(), 1.0, 0.1)
    known = ~np.isnan(questions.gains)
    legal = np.arange(CHOICES) < questions.counts[:, None]
    assert len(questions.counts) > 10
    assert (questions.gains[:, 0] == 0).all()
    assert not (known & ~legal).any()
    assert known[:, 1:].sum() > len(questions.counts)
    again = play_lessons(Rules(players=2, max_rounds=6), np.arange(3), shipped_value(), 1.0, 0.1)
    assert all(np.array_equal(part, again.arrays()[name], equal_nan=True) for name, part in questions.arrays().items())


@compiled
def test_a_run_goes_on_with_the_same_curve(tmp_path):
    recipe = pupil_recipe_of("tiny", TINY)
    whole = train_pupil(recipe, tmp_path / "whole")
    assert whole.finished
    assert [row["round"] for row in whole.curve] == [0, 1]

    def interrupt(status):
        if status.row is None and status.decisions > whole.curve[0]["decisions"]:
            raise KeyboardInterrupt

    assert not train_pupil(recipe, tmp_path / "broken", interrupt).finished
    assert resume_pupil(tmp_path / "broken").finished
    assert curve_of(tmp_path / "broken") == curve_of(tmp_path / "whole")
    games = read_evaluation_games(tmp_path / "whole")
    assert games
    assert read_evaluation_games(tmp_path / "broken") == games
    one, other = (load_policy(tmp_path / name / "policy.safetensors").weights for name in ("whole", "broken"))
    assert all((one[name] == other[name]).all() for name in one)
    with pytest.raises(CheckpointError, match="has a run already"):
        train_pupil(recipe, tmp_path / "whole")


@compiled
def test_the_command_trains_resumes_and_plays(tmp_path, capsys):
    written = tmp_path / "tiny.toml"
    written.write_text('learner = "pupil"\n[[games]]\nplayers = 2\nmax_rounds = 5\n[lessons]\ngames = 2\nrounds = 0\n')
    sets = ["evaluation.final_games=2", 'evaluation.opponents=["random"]', "learning.layers=[4, 4]"]
    given = [each for one in sets for each in ("--set", one)]
    assert main(["train", str(written), "--out", str(tmp_path / "run"), *given]) == 0
    assert "plays as policy:" in capsys.readouterr().out
    assert main(["train", "--resume", str(tmp_path / "run")]) == 0
    game = Game(Rules(players=2), seed=1)
    (agent,) = make_agents([f"policy:{tmp_path / 'run' / 'policy.safetensors'}:greedy=true"], 3)
    assert agent.act(game.view(0)) in game.legal_actions()
    assert "expected return" not in agent.explain()
    (tmp_path / "run" / "recipe.json").write_text('{"learner": "pupil"}')
    assert main(["train", "--resume", str(tmp_path / "run")]) == 2
    said = capsys.readouterr().err
    assert "not the recipe of a run" in said
    assert "Traceback" not in said


# the shipped network


@compiled
def test_the_shipped_pupil_plays_and_explains():
    register_agent("pupil")(Pupil)
    agent: Any = make_agent("pupil")
    game = Game(Rules(players=4), seed=1)
    agent.reset(3, 0)
    said: list[str] = []
    while not game.over and len(said) < 3:
        action = agent.act(game.view(game.actor)) if game.actor == 0 else int(game.legal_actions()[0])
        if game.actor == 0 and agent.explain().startswith("most likely plans: "):
            said.append(agent.explain())
        game.step(action)
    assert said
    assert all("runner" in text or "gather" in text or "explore" in text or "rest" in text for text in said)
    assert agent.value() is None
