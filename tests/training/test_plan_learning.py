"""The recipe `plans`: a network that begins as the script, learns on plans, goes on after a break, and plays."""

import json
from typing import Any

import numpy as np
import pytest

pytest.importorskip("sb3_contrib", reason="training is not installed: pip install -e '.[train]'")

import torch

from fujikoro_agents.plans.level import Plans
from fujikoro_agents.plans.player import PlanPolicy
from fujikoro_agents.plans.tables import CHOICES
from fujikoro_agents.policy import PolicyError, load_policy, new_head, random_weights, save_policy
from fujikoro_agents.policy.networks import Choices
from fujikoro_env import BatchedGames, Game, Rules
from fujikoro_env.envs.levels import MAKERS
from fujikoro_env.envs.policies import batch_policy, begin_games
from fujikoro_env.kernel.jit import INTERPRETED
from fujikoro_env.player import agents_seed, make_agents
from fujikoro_training.learning.recipe import RecipeError, recipe_of
from fujikoro_training.learning.run import resume, train
from fujikoro_training.networks import make_network

pytestmark = pytest.mark.skipif(INTERPRETED, reason="plain Python plays too slowly")
TINY = {
    "decisions": 160,
    "games": [{"players": 3, "max_rounds": 3}],
    "opponents": {"self": 1, "past": 1, "gatherer": 1},
    "league": {"size": 2, "every": 50},
    "network": {"kind": "plans", "layers": [8, 8]},
    "learning": {"games": 9, "steps": 30, "batch": 32},
    "evaluation": {"opponents": ["random"], "games": 3, "final_games": 3, "every": 80},
    "checkpoints": {"every": 1},
}


@pytest.fixture(autouse=True)
def _registered(monkeypatch):
    """The level is there without an installation of this checkout."""
    monkeypatch.setitem(MAKERS, "plans", Plans)


def tiny(**changes):
    return recipe_of("tiny", {**TINY, **changes})


def curve_of(folder):
    rows = [json.loads(line) for line in (folder / "curve.jsonl").read_text().splitlines()]
    return [{name: value for name, value in row.items() if name != "seconds"} for row in rows]


def saved_policy(folder):
    """A file with a network of random weights."""
    head = new_head(Choices((8, 8)), Rules().pack, "plans")
    path = folder / "plans.safetensors"
    save_policy(path, random_weights(head, 1), head)
    return path


def test_a_run_leaves_a_policy_that_plays(tmp_path):
    both = [{"players": 3, "max_rounds": 2}, {"players": 2, "mode": "coop", "share": 0.5}]
    evaluation = {"opponents": ["random"], "games": 1, "final_games": 1, "every": 1000}
    assert train(tiny(games=both, decisions=40, evaluation=evaluation), tmp_path).finished
    file = tmp_path / "policy.safetensors"
    assert load_policy(file).head.observation == "plans"
    game = Game(Rules(players=2), seed=1)
    (agent,) = make_agents([f"policy:{file}"], 3)
    assert agent.act(game.view(0)) in game.legal_actions()


def test_games_that_ask_no_learner_leave_the_network_as_it_is(tmp_path):
    short = {"games": 3, "steps": 1, "batch": 32}  # the set-up of a game asks no plans
    assert train(tiny(decisions=8, learning=short), tmp_path).finished


def test_an_interrupted_run_goes_on_with_the_same_curve(tmp_path, monkeypatch):
    from fujikoro_training.learning.ppo import SeatPPO

    train(tiny(), tmp_path / "whole")
    step, stopped = SeatPPO.train, []

    def stop_after_two(model):
        step(model)
        stopped.append(1)
        model.stop = len(stopped) == 2

    with monkeypatch.context() as patch:
        patch.setattr(SeatPPO, "train", stop_after_two)
        assert not train(tiny(), tmp_path / "broken").finished
    assert resume(tmp_path / "broken").finished
    assert curve_of(tmp_path / "broken") == curve_of(tmp_path / "whole")


def test_an_untrained_network_takes_the_choice_of_the_script():
    network = make_network("plans", (8, 8), usual=12.0)
    seen = {"choices": torch.rand(5, CHOICES, len(Plans.features)), "summary": torch.rand(5, len(Plans.summary))}
    seen["choices"][:, :, 0] = 0
    seen["choices"][:, 0, 0] = 1
    found: Any = network.get_distribution(seen).distribution
    chances = found.probs
    assert (chances[:, 0] > 0.99).all()


def test_a_policy_on_plans_plays_in_batches_as_alone_and_explains(tmp_path):
    name = f"policy:{saved_policy(tmp_path)}:greedy=true"
    rules = Rules(players=2, max_rounds=4)
    game, agents, said = Game(rules, seed=9), make_agents([name] * 2, agents_seed(9)), []
    while not game.over:
        action = agents[game.actor].act(game.view(game.actor))
        said.append(agents[game.actor].explain())
        game.step(action)
    plans = [text for text in said if text.startswith("most likely plans: ")]
    assert plans
    assert all("expected return" in text for text in plans)
    assert "by the plan under way, or by the script" in said
    policy, games = batch_policy(name), BatchedGames(rules, n=1, stop=True)
    games.deal([9])
    for seat in range(2):
        begin_games(policy, games, [0], [seat])
    while not games.over[0]:
        games.step(policy.act(games, [0]))
    assert games.scores[0, :2].tolist() == list(game.scores)


def test_a_policy_that_always_takes_choice_0_is_the_script():
    policy = PlanPolicy(lambda seen, masks, which: np.zeros(len(which), np.int64))
    script, games = batch_policy("runner"), BatchedGames(Rules(players=3), n=4, seed=6)
    for seat in range(3):
        for one in (policy, script):
            begin_games(one, games, range(4), np.full(4, seat))
    for _ in range(150):
        actions = policy.act(games, np.arange(4))
        assert (actions == script.act(games, np.arange(4))).all()
        games.step(actions)


def test_a_snapshot_of_a_policy_on_plans(tmp_path):
    name = f"policy:{saved_policy(tmp_path)}"
    one, two, games = batch_policy(name), batch_policy(name), BatchedGames(Rules(players=2), n=3, seed=2)
    for seat in range(2):
        begin_games(one, games, range(3), np.full(3, seat))
    for _ in range(60):
        games.step(one.act(games, np.arange(3)))
    two.restore(one.snapshot())  # type: ignore[attr-defined]
    for _ in range(30):
        actions = one.act(games, np.arange(3))
        assert (actions == two.act(games, np.arange(3))).all()
        games.step(actions)


@pytest.mark.parametrize(
    ("said", "changes"),
    [
        ("has at least two layers", {"network": {"kind": "plans", "layers": [8]}}),
        ("nothing is imitated", {"imitation": {"decisions": 50}}),
        ("allowed are numbers from -20 to 20", {"network": {"kind": "plans", "layers": [8, 8], "usual": 99}}),
    ],
)
def test_bad_recipes_get_one_line(said, changes):
    with pytest.raises(RecipeError, match=said):
        tiny(**changes)


def test_a_policy_of_other_tables_is_refused(tmp_path):
    head = new_head(Choices((8, 8)), Rules().pack, "plans")
    with pytest.raises(PolicyError, match="network plans reads plans observations, not compact"):
        save_policy(tmp_path / "x", {}, new_head(Choices((8, 8)), Rules().pack, "compact"))
    other = type(head)(**{**vars(head), "observation_digest": "0"})
    with pytest.raises(PolicyError, match="trained on another table of the plans observation"):
        save_policy(tmp_path / "x", random_weights(head, 1), other)
