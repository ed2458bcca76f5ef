"""TorchRL's wrapper of PettingZoo environments: `make test-bridges`."""

from pathlib import Path
from typing import Any

import pytest

pytest.importorskip("torchrl", reason="TorchRL is not installed: make test-bridges")

import torch
from torchrl.envs import MarlGroupMapType, PettingZooWrapper
from torchrl.envs.utils import check_env_specs

from fujikoro_env import Game, Rules, fujikoro_v0
from tests.bridges.documented import example

pytestmark = pytest.mark.filterwarnings("ignore:PettingZoo in TorchRL is tested using version:UserWarning")
PAGE = Path(__file__).parents[2] / "docs" / "bridges.md"
SEED = 7
TABLES: list[dict[str, Any]] = [
    {"players": 3, "max_rounds": 3},
    {"players": 2, "max_rounds": 3, "mode": "coop"},
    {"max_rounds": 3, "mode": "solo"},
]

tables = pytest.mark.parametrize("rules", TABLES, ids=lambda rules: rules.get("mode", "competitive"))
observations = pytest.mark.parametrize("observation", ["compact", "tensor"])


def wrapped(**arguments):
    """The wrapped environment, with all seats in the group "agents"."""
    env = fujikoro_v0.env(**arguments)
    return PettingZooWrapper(env=env, use_mask=True, group_map=MarlGroupMapType.ALL_IN_ONE_GROUP)


def played(env):
    """A whole random game with the seed SEED."""
    torch.manual_seed(1)
    return env.rollout(100_000, auto_reset=False, tensordict=env.reset(seed=SEED))


def chosen(game):
    """Actions of the acting agents, in order."""
    return game["agents", "action"][game["agents", "mask"]]


@tables
@observations
@pytest.mark.parametrize("categorical_actions", [True, False], ids=["categorical", "one-hot"])
def test_its_specs_are_what_it_gives(rules, observation, categorical_actions):
    env = fujikoro_v0.env(observation=observation, **rules)
    check_env_specs(PettingZooWrapper(env=env, use_mask=True, categorical_actions=categorical_actions))


@tables
@observations
def test_a_random_rollout_is_a_whole_legal_game(rules, observation):
    game = played(wrapped(observation=observation, **rules))
    assert game["next", "done"].flatten().tolist() == [False] * (len(game) - 1) + [True]
    asked = game["agents", "mask"]
    assert (asked.sum(dim=1) == 1).all()
    assert game["agents", "action_mask"][asked].gather(1, chosen(game)[:, None]).all()


@tables
@pytest.mark.parametrize("reward", ["rank", "shaped"])
def test_it_is_the_game_that_the_seed_deals_and_everybody_is_paid(rules, reward):
    game = played(wrapped(observation="compact", reward=reward, **rules))
    bare, env = Game(Rules(**rules), SEED), fujikoro_v0.raw_env(observation="compact", reward=reward, **rules)
    env.reset(SEED)
    for action, paid in zip(chosen(game).tolist(), game["next", "agents", "reward"], strict=True):
        bare.step(action)
        env.step(action)
        assert paid.flatten().tolist() == pytest.approx([env.rewards[agent] for agent in env.possible_agents])
    assert bare.over


def test_a_seed_settles_all_games_that_follow():
    def two_games():
        env = wrapped(observation="compact", **TABLES[0])
        env.set_seed(SEED)
        torch.manual_seed(1)
        return [chosen(env.rollout(100_000)).tolist() for _ in range(2)]

    first, second = two_games()
    assert first != second
    assert two_games() == [first, second]


def test_every_agent_can_be_a_group_of_its_own():
    env = PettingZooWrapper(env=fujikoro_v0.env(observation="compact", **TABLES[0]), use_mask=True)
    game = env.rollout(100_000)
    assert all(game[agent, "mask"].any() for agent in ("samurai_0", "samurai_1", "samurai_2"))
    assert game["next", "done"][-1].all()


def test_the_example_of_the_page_plays_legally_by_a_network():
    """An illegal action would raise an error."""
    names: dict[str, Any] = {}
    exec(example(PAGE.read_text(), PAGE.name), names)
    game = names["game"]
    assert game["next", "done"][-1].all()
    assert game["agents", "action_log_prob"][game["agents", "mask"]].isfinite().all()
