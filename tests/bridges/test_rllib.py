"""The environment for Ray's RLlib: `make test-bridges`."""

import math
from typing import Any

import numpy as np
import pytest

pytest.importorskip("ray.rllib", reason="RLlib is not installed: make test-bridges")

import ray
from ray.rllib.utils.pre_checks.env import check_multiagent_environments

from fujikoro_env import fujikoro_v0
from fujikoro_env.envs import rllib
from fujikoro_env.envs.rllib import EVERYBODY, FujiKoroMultiAgentEnv
from fujikoro_env.rules.base.actions import ACTIONS
from tests.bridges.documented import example

SEED = 7
TABLES: list[dict[str, Any]] = [
    {"players": 3, "max_rounds": 12, "reward": "shaped"},  # long enough to be paid in mid-game
    {"players": 4, "max_rounds": 3, "observation": "tensor"},
    {"players": 2, "max_rounds": 3, "mode": "coop", "reward": "shaped"},
    {"max_rounds": 3, "mode": "solo"},
]
tables = pytest.mark.parametrize("config", TABLES, ids=lambda config: "-".join(map(str, config.values())))


def same(one, other):
    if isinstance(one, dict):
        return one.keys() == other.keys() and all(same(one[key], other[key]) for key in one)
    return np.array_equal(one, other)


def random_legal(seen, luck):
    return int(luck.choice(np.flatnonzero(seen["action_mask"])))


def played(env):
    """Steps of a random game, each with the actions that led to it."""
    luck = np.random.default_rng(1)
    seen, _ = env.reset(seed=SEED)
    over = False
    while not over:
        actions = {agent: random_legal(view, luck) for agent, view in seen.items()}
        step = env.step(actions)
        seen, over = step[0], step[2][EVERYBODY]
        yield actions, step


@tables
def test_the_acting_player_gets_the_same_as_in_pettingzoo(config):
    """Rewards of an agent are summed up until its next decision or the end of the game."""
    table: Any = fujikoro_v0.env(**{"observation": "compact", **config})
    table.reset(SEED)
    asked = set()
    for actions, (seen, rewards, terminated, truncated, infos) in played(FujiKoroMultiAgentEnv(config)):
        asked |= actions.keys()
        assert list(actions) == [table.agent_selection]
        table.step(actions[table.agent_selection])
        over = all(table.terminations.values())
        assert terminated == {EVERYBODY: over, **dict.fromkeys(seen, over)}
        assert truncated == {EVERYBODY: False, **dict.fromkeys(seen, False)}
        assert seen.keys() == rewards.keys() == infos.keys() == (asked if over else {table.agent_selection})
        for _ in seen:
            agent = table.agent_selection
            view, reward, *_ = table.last()
            assert same(seen[agent], {"observations": view["observation"], "action_mask": view["action_mask"]})
            assert rewards[agent] == pytest.approx(reward)
            if over:
                table.step(None)


@tables
def test_observations_are_in_their_spaces(config):
    env = FujiKoroMultiAgentEnv(config)
    first, infos = env.reset(seed=SEED)
    assert infos == {agent: {} for agent in first}
    for views in (first, *(step[0] for _, step in played(env))):
        assert all(env.get_observation_space(agent).contains(view) for agent, view in views.items())
    assert env.game.over


def test_an_agent_that_was_never_asked_is_not_told_of_the_end():
    env = FujiKoroMultiAgentEnv({"players": 2, "illegal": "terminate"})
    (asked,), _ = env.reset(seed=SEED)
    seen, rewards, terminated, _, infos = env.step({asked: ACTIONS - 1})
    assert terminated == {EVERYBODY: True, asked: True}
    assert list(seen) == [asked]
    assert rewards == {asked: -1}
    assert "illegal_action" in infos[asked]


def test_only_the_acting_player_may_act():
    env = FujiKoroMultiAgentEnv({"players": 2})
    (asked,), _ = env.reset(seed=SEED)
    (other,) = set(env.agents) - {asked}
    for actions in ({other: 0}, {asked: 0, other: 0}, {}):
        with pytest.raises(ValueError, match=f"only {asked} is asked"):
            env.step(actions)


def test_nobody_acts_after_the_end():
    env = FujiKoroMultiAgentEnv(TABLES[0])
    *_, (actions, _) = played(env)
    with pytest.raises(RuntimeError, match="reset"):
        env.step(actions)


def test_the_same_seed_deals_the_same_games():
    def two_games():
        env = FujiKoroMultiAgentEnv(TABLES[0])
        env.reset(seed=SEED)
        first = env.game.digest()
        env.reset()
        return first, env.game.digest()

    assert two_games() == two_games()
    assert len(set(two_games())) == 2


def test_it_passes_the_check_of_rllib():
    check_multiagent_environments(FujiKoroMultiAgentEnv({"players": 3, "illegal": "terminate"}))


@pytest.fixture
def local_ray():
    ray.init(num_cpus=1, include_dashboard=False, log_to_driver=False)
    yield
    ray.shutdown()


@pytest.mark.slow
@pytest.mark.usefixtures("local_ray")
def test_the_example_of_the_page_trains_with_masks():
    """An illegal action would raise an error."""
    names: dict[str, Any] = {}
    exec(example(rllib.__doc__ or "", "rllib"), names)
    found = names["results"]
    games = found["env_runners"]
    assert games["num_episodes"] >= 1
    assert sum(games["agent_episode_returns_mean"].values()) == pytest.approx(0)
    learner = found["learners"]["samurai"]
    assert learner["num_module_steps_trained"] >= 256
    assert math.isfinite(learner["total_loss"])
    assert 0 < learner["entropy"] < math.log(ACTIONS)
