"""Batches and environments of Fuji."""

import copy
import pickle
from typing import Any

import gymnasium
import numpy as np
import pytest
from gymnasium.utils.env_checker import check_env
from pettingzoo.test.api_test import api_test
from pettingzoo.test.seed_test import seed_test

from fuji_env import BatchedGames, Game, IllegalActionError, InvalidActionError, Rules, SavedGameError, fuji_v0
from fuji_env.observation import OBSERVATIONS, WIDTH
from fuji_env.rules.base.actions import ACTIONS
from fujikoro_env.kernel.batch import WAITS

KINDS = [{"players": 3}, {"players": 2, "level": 4, "scenario": 2}, {"players": 2, "variant": "B", "talk": "none"}]


# --- batches ----------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("rules", KINDS)
@pytest.mark.parametrize("kind", OBSERVATIONS)
def test_a_batch_plays_the_same_games_as_single_ones(rules, kind):
    rules = Rules(**rules)
    batch = BatchedGames(rules, n=5, seed=3, observation=kind)
    singles: list[Any] = [Game(rules, int(seed)) for seed in batch.seeds]
    for _ in range(150):
        for k, game in enumerate(singles):
            assert batch.actors[k] == game.actor
            assert batch.phases[k] == game.phase
            assert (batch.masks[k] == game.legal_mask()).all()
            seen = game.observe(game.actor, kind)
            if kind == "compact":
                assert (batch.observations[k] == seen).all()
            else:
                assert all((batch.observations[name][k] == seen[name]).all() for name in seen)
        actions = batch.random_actions()
        batch.step(actions)
        for k, action in enumerate(actions.tolist()):
            singles[k].step(action)
            assert batch.dones[k] == singles[k].over
            if singles[k].over:
                assert batch.outcome(k) == singles[k].outcome
                assert tuple(batch.ranks[k, : rules.players]) == singles[k].outcome.ranking
                assert tuple(batch.scores[k, : rules.players]) == singles[k].scores
                singles[k] = Game(rules, int(batch.seeds[k]))
            else:
                assert batch.outcome(k) is None
            assert batch.game(k).digest() == singles[k].digest()


@pytest.mark.parametrize("reward", ["win", "score", "shaped"])
def test_rewards_are_common_and_sum_to_the_result(reward):
    batch = BatchedGames(Rules(players=3), n=64, seed=1, reward=reward, stop=True)
    sums = np.zeros(64)
    while not batch.over.all():
        batch.step(batch.random_actions())
        assert (batch.rewards[:, :3] == batch.rewards[:, :1]).all()
        assert not batch.rewards[:, 3:].any()
        sums += batch.rewards[:, 0]
    won = batch.ranks[:, 0] == 1
    low, high = batch.rules.facts.reward_bounds[reward]
    assert np.allclose(sums[~won], -1, atol=1e-5)
    assert (sums >= low - 1e-5).all()
    assert (sums <= high + 1e-5).all()


def test_the_number_of_threads_makes_no_difference():
    rules = Rules(players=4)
    seen = []
    for threads in (1, 3):
        with BatchedGames(rules, n=40, seed=5, threads=threads, observation="compact") as batch:
            batch.play_at_random(60)
            seen.append((batch.states.tobytes(), batch.observations.tobytes()))
    assert seen[0] == seen[1]


def test_a_snapshot_goes_on_with_the_same_games():
    batch = BatchedGames(Rules(players=3), n=8, seed=1, observation="compact")
    batch.play_at_random(30)
    kept, other = batch.snapshot(), BatchedGames(Rules(players=3), n=8, seed=2, observation="compact")
    other.restore(kept)
    assert (other.masks == batch.masks).all()
    assert (other.observations == batch.observations).all()
    for _ in range(60):
        actions = batch.random_actions()
        assert (other.random_actions() == actions).all()
        batch.step(actions)
        other.step(actions)
        assert (other.rewards == batch.rewards).all()
    assert other.states.tobytes() == batch.states.tobytes()
    kept["bytes"][0, 0] = 99
    with pytest.raises(SavedGameError):
        other.restore(kept)


def test_wrong_actions_change_nothing():
    batch = BatchedGames(Rules(players=3), n=4, seed=1)
    before = batch.states.tobytes()
    legal = batch.random_actions()
    illegal = legal.copy()
    illegal[2] = int(np.flatnonzero(~batch.masks[2])[0])
    with pytest.raises(IllegalActionError, match="game 2: done is not legal in"):
        batch.step(illegal)
    with pytest.raises(InvalidActionError):
        batch.step(legal.astype(float))
    with pytest.raises(InvalidActionError):
        batch.step(legal[:3])
    assert batch.states.tobytes() == before
    batch.step(np.full(4, WAITS))
    assert batch.states.tobytes() == before


def test_stopped_games_wait_and_deals_start_them_again():
    batch = BatchedGames(Rules(players=2), n=6, seed=1, stop=True)
    while not batch.over.all():
        batch.step(batch.random_actions())
    assert (batch.actors == -1).all()
    assert (batch.random_actions() == WAITS).all()
    batch.deal([7, 7], which=[0, 3])
    assert batch.over.tolist() == [False, True, True, False, True, True]
    assert batch.game(0).digest() == batch.game(3).digest() == Game(Rules(players=2), 7).digest()


def test_observers_and_arrays_of_the_caller():
    arrays = {"observations": np.zeros((4, WIDTH), np.float32), "masks": np.zeros((4, ACTIONS), np.bool_)}
    batch = BatchedGames(Rules(players=3), n=4, seed=1, observation="compact", arrays=arrays)
    assert batch.observations is arrays["observations"]
    assert arrays["masks"].any()
    other = batch.observe("compact", observers=(batch.actors + 1) % 3)
    assert all((other[k] == batch.game(k).observe((int(batch.actors[k]) + 1) % 3, "compact")).all() for k in range(4))
    assert (batch.observe_some([2, 1]) == batch.observations[[2, 1]]).all()
    assert not batch.observe("tensor", observers=np.full(4, -1))["figures"].any()
    with pytest.raises(ValueError, match="arrays: 'dice' is not known"):
        BatchedGames(Rules(), n=4, arrays={"dice": np.zeros(4)})
    with pytest.raises(ValueError, match="masks: a writable C-contiguous bool array"):
        BatchedGames(Rules(), n=4, arrays={"masks": np.zeros(4)})


# --- PettingZoo -------------------------------------------------------------------------------------------------------


@pytest.mark.filterwarnings("ignore:Observation is not:UserWarning")  # it is a dictionary of arrays, with a mask
@pytest.mark.filterwarnings("ignore:Observation space for each agent:UserWarning")
@pytest.mark.parametrize("observation", OBSERVATIONS)
def test_pettingzoos_own_checks(observation):
    api_test(fuji_v0.env(players=3, observation=observation), num_cycles=200)


def test_pettingzoos_check_of_seeds():
    seed_test(lambda: fuji_v0.env(players=2), num_cycles=100)


def play(env, seed):
    """Play one game at random; returns the sums of rewards by agent."""
    env.reset(seed=seed)
    luck, sums = np.random.default_rng(seed), dict.fromkeys(env.possible_agents, 0.0)
    for agent in env.agent_iter():
        observation, reward, termination, truncation, _ = env.last()
        sums[agent] += reward
        over = termination or truncation
        action = None if over else int(luck.choice(np.flatnonzero(observation["action_mask"])))
        env.step(action)
    return sums


@pytest.mark.parametrize("reward", ["win", "score", "shaped"])
def test_all_agents_get_the_same_sum(reward):
    env = fuji_v0.env(players=3, reward=reward)
    for seed in range(3):
        sums = play(env, seed)
        first = sums["hiker_0"]
        assert np.allclose(list(sums.values()), first if env.game.outcome.won else -1, atol=1e-5)


def test_masks_are_empty_for_agents_that_are_not_asked():
    env = fuji_v0.raw_env(players=3)
    env.reset(seed=1)
    masks = {agent: env.observe(agent)["action_mask"] for agent in env.agents}
    assert [agent for agent in env.agents if masks[agent].any()] == [env.agent_selection]


def test_illegal_actions_raise_or_end_the_game():
    env = fuji_v0.raw_env(players=3)
    env.reset(seed=1)
    with pytest.raises(IllegalActionError):
        env.step(ACTIONS - 1)
    env = fuji_v0.raw_env(players=3, illegal="terminate")
    env.reset(seed=1)
    offender = env.agent_selection
    env.step(ACTIONS - 1)
    assert env.rewards == {agent: -1.0 if agent == offender else 0.0 for agent in env.agents}
    assert all(env.terminations.values())
    assert env.infos[offender]["offender"] == offender


def test_copies_and_pickles_keep_the_game():
    env = fuji_v0.raw_env(players=3)
    env.reset(seed=1)
    env.step(int(np.flatnonzero(env.observe(env.agent_selection)["action_mask"])[0]))
    assert copy.deepcopy(env).game.digest() == env.game.digest()
    assert pickle.loads(pickle.dumps(env.game)).digest() == env.game.digest()


def test_arguments_that_do_not_fit():
    for given in ({"reward": "vp"}, {"observation": "all"}, {"illegal": "pass"}, {"render_mode": "human"}, {"cats": 3}):
        with pytest.raises(ValueError, match=r"allowed are|there are"):
            fuji_v0.env(**given)
    env: Any = fuji_v0.env(render_mode="ansi", players=2)
    env.reset(seed=1)
    assert "Fuji, 2 players, variant A" in env.render()
    assert env.state().shape == env.state_space.shape


# --- Gymnasium --------------------------------------------------------------------------------------------------------


def test_gymnasiums_own_checks():
    env = gymnasium.make("Fuji-v0", players=3)
    check_env(env.unwrapped, skip_render_check=True)


def test_one_seat_plays_to_the_end_with_partners():
    made = gymnasium.make("fuji_env:Fuji-v0", players=3, seat="random", opponents=["random", "random"])
    env: Any = made.unwrapped
    luck, seats = np.random.default_rng(1), set()
    for seed in range(4):
        _, info = env.reset(seed=seed)
        seats.add(info["seat"])
        total, terminated = 0.0, False
        while not terminated:
            assert env.game.actor == env.seat
            assert (env.action_masks() == info["action_mask"]).all()
            action = int(luck.choice(np.flatnonzero(env.action_masks())))
            _, reward, terminated, truncated, info = env.step(action)
            total += reward
            assert not truncated
        assert total == (1 if env.game.outcome.won else -1)
    assert len(seats) > 1
    with pytest.raises(RuntimeError, match="the episode is over"):
        env.step(0)


def test_seats_and_opponents_that_do_not_fit():
    for given in ({"seat": 3}, {"opponents": ["random"]}, {"opponents": 7}, {"opponents": ["random", 7]}):
        with pytest.raises(ValueError, match=r"allowed are|give one for all"):
            gymnasium.make("Fuji-v0", players=3, **given)
