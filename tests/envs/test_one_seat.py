"""One learning seat in each of many games: the core, and the Gymnasium and SB3 vector environments based on it."""

import subprocess
import sys
from importlib import import_module
from typing import Any

import gymnasium
import numpy as np
import pytest

from fujikoro_env import Game, IllegalActionError, Rules
from fujikoro_env.envs.one_seat import OneSeatGames
from fujikoro_env.envs.vector import FujiKoroVector
from fujikoro_env.kernel.jit import INTERPRETED
from fujikoro_env.player import RandomAgent
from fujikoro_env.rules.base.actions import ACTIONS

pytestmark = pytest.mark.skipif(INTERPRETED, reason="plain Python plays too slowly")
SHORT: dict[str, Any] = {"players": 3, "max_rounds": 3}


def learners(n=6, seed=1, **options):
    known = {name: options.pop(name) for name in ("opponents", "seat", "observation", "reward") if name in options}
    return OneSeatGames(Rules(**{**SHORT, **options}), n, seed, **known)


class Chooser:
    """Chooses random legal actions for the learner."""

    def __init__(self, seed=1):
        self.luck = np.random.default_rng(seed)

    def __call__(self, masks):
        return (masks * (1 + self.luck.random(masks.shape))).argmax(axis=1)


class FirstLegal:
    """An agent without any state."""

    def __init__(self):
        self.games = 0
        self.seat = None

    def reset(self, seed, seat):
        self.seat, self.games = seat, self.games + 1

    def act(self, view):
        assert view.actor == self.seat
        with pytest.raises(TypeError):  # it is a view
            view.step(0)
        return int(view.legal_actions()[0])

    def explain(self):
        return ""


def first_legal(games, which):
    return games.masks[which].argmax(axis=1)


MODES = {
    "three": SHORT,
    "six with characters": {"players": 6, "max_rounds": 2, "characters": "random"},
    "coop": {"players": 2, "mode": "coop"},
    "solo": {"mode": "solo"},
    "scenario": {"scenario": "ronin"},
}


@pytest.mark.parametrize("rules", MODES.values(), ids=MODES)
@pytest.mark.parametrize("observation", ["compact", "tensor"])
def test_only_the_learner_is_asked(rules, observation):
    choose = Chooser()
    games = OneSeatGames(Rules(**rules), 5, seed=1, seat="random", observation=observation)
    seen = games.reset()
    for step in range(40):
        assert (games.games.actors == games.seats).all()
        assert games.masks.any(axis=1).all()
        if step % 10 == 0:
            one = games.games.game(2).observe(int(games.seats[2]), observation)
            mine = seen[2] if observation == "compact" else {name: array[2] for name, array in seen.items()}
            np.testing.assert_equal(mine, one)
        seen, rewards, dones = games.step(choose(games.masks))
        assert rewards.shape == dones.shape == (5,)
        assert set(games.ends) == set(np.flatnonzero(dones))


@pytest.mark.parametrize("reward", ["rank", "vp", "shaped"])
@pytest.mark.parametrize("opponents", ["random", first_legal], ids=["random", "function"])
def test_an_episode_is_paid_what_its_game_pays_the_learner(opponents, reward):
    choose, ends = Chooser(), 0
    games = learners(reward=reward, seat=1, opponents=opponents)
    games.reset()
    paid_before = games.games._worths[:, 1].copy()  # before the first decision: not the learner's doing
    totals = np.zeros(games.n)
    while ends < 10:
        _, rewards, dones = games.step(choose(games.masks))
        totals += rewards
        for game, end in games.ends.items():
            ends += 1
            rank, score = end.outcome.ranking[1], end.outcome.scores[1]
            tied = end.outcome.ranking.count(rank)
            whole = score if reward == "vp" else 2 - rank - (tied - 1) / 2
            assert totals[game] == pytest.approx(end.total)
            assert end.total == pytest.approx(whole - paid_before[game], abs=1e-5)
            assert end.seat == 1
        totals[dones] = 0
        paid_before[dones] = games.games._worths[dones, 1]


def test_agents_by_name_and_object_have_a_copy_for_each_seat():
    agent = FirstLegal()
    games = learners(n=2, opponents=["random", agent])
    games.reset()
    copies = list(games._policies[1].agents.values())
    assert len({id(one) for one in [agent, *copies]}) == 3
    assert [(one.games, one.seat) for one in copies] == [(1, 2), (1, 2)]
    named = learners(n=2, opponents=RandomAgent())
    named.reset()
    named.step(named.masks.argmax(axis=1))


def test_the_fixed_seat_games_of_a_policy_and_of_agents_are_the_same():
    found = []
    for opponents in (first_legal, FirstLegal(), [FirstLegal(), first_legal]):
        choose, games = Chooser(), learners(n=3, seat=1, opponents=opponents, max_rounds=2)
        games.reset()
        for _ in range(60):
            games.step(choose(games.masks))
        found.append(games.games.states.tobytes())
    assert found[0] == found[1] == found[2]


def test_the_same_seed_gives_the_same_episodes():
    def play(seed, again=None):
        choose, games = Chooser(), learners(seed=seed, seat="random")
        games.reset(again)
        for _ in range(50):
            games.step(choose(games.masks))
        return games.games.states.tobytes(), games.seats.tolist()

    assert play(1) == play(1)
    assert play(1, 7) == play(2, 7)
    assert play(1, 7) != play(1, 8)


def test_a_game_that_ends_before_the_learner_is_asked_counts_nowhere():
    games = learners(n=4, seat=2)
    games.reset()
    games.dones[:] = True  # as if the episodes had ended in this step, and new games are on their way
    games.games.dones[:] = False
    before = dict(games.ends)
    while not games.games.dones.any():  # one of them ends, too
        games.games.step(games.games.random_actions())
        games._take_in()
    assert games.ends == before
    assert not games.rewards.any()


@pytest.mark.parametrize(
    ("says", "options"),
    [
        ("seat=3: allowed are 0 to 2, 'random'", {"seat": 3}),
        ("give one for all, or one for each of the 2 other seats", {"opponents": ["random"]}),
        ("opponent 7: allowed are", {"opponents": 7}),
        ("agent 'nobody' is not known", {"opponents": "nobody"}),
        ("observation 'smell'", {"observation": "smell"}),
        ("reward='fame'", {"reward": "fame"}),
    ],
)
def test_bad_input_is_explained(says, options):
    with pytest.raises(ValueError, match=says):
        learners(**options)


def test_an_illegal_action_changes_nothing():
    games = learners()
    games.reset()
    before = games.games.states.tobytes()
    with pytest.raises(IllegalActionError, match="game 0: "):
        games.step(np.full(games.n, ACTIONS - 1))
    assert games.games.states.tobytes() == before
    assert not games._lengths.any()


# Gymnasium


def vector(n=4, **options):
    return FujiKoroVector(n, **{"seat": "random", **SHORT, **options})


@pytest.mark.parametrize("observation", ["compact", "tensor"])
def test_a_vector_of_gymnasium(observation):
    envs, choose, ends = vector(observation=observation), Chooser(), 0
    seen, infos = envs.reset(seed=7)
    for _ in range(150):
        assert seen in envs.observation_space
        assert (infos["action_mask"] == envs.action_masks()).all()
        assert infos["_action_mask"].all()
        seats = infos["seat"]
        actions = choose(envs.action_masks())
        assert actions in envs.action_space
        seen, rewards, terminations, truncations, infos = envs.step(actions)
        assert rewards.dtype == np.float64
        assert not truncations.any()
        assert ("final_obs" in infos) == terminations.any()
        for game in np.flatnonzero(terminations):
            ends += 1
            assert infos["_final_obs"][game]
            assert infos["final_obs"][game] in envs.single_observation_space
            assert infos["final_info"]["seat"][game] == seats[game]
            assert infos["final_info"]["rank"][game] in (1, 2, 3)
            assert not infos["final_info"]["action_mask"][game].any()
            assert (rewards[game] == 1) <= (infos["final_info"]["rank"][game] == 1)
    assert ends > 5
    envs.close()


def test_a_vector_by_name():
    for mode in (None, "vector_entry_point"):
        envs: Any = gymnasium.make_vec("FujiKoro-v0", num_envs=8, vectorization_mode=mode, **SHORT)
        assert isinstance(envs.unwrapped, FujiKoroVector)
        assert envs.num_envs == 8
        envs.reset(seed=1)
        envs.step(envs.unwrapped.action_masks().argmax(axis=1))
        envs.close()
    single = gymnasium.make_vec("FujiKoro-v0", num_envs=2, vectorization_mode="sync", **SHORT)
    assert not isinstance(single.unwrapped, FujiKoroVector)
    single.close()


def test_statistics_of_gymnasium_are_ours():
    envs: Any = gymnasium.wrappers.vector.RecordEpisodeStatistics(vector(n=6, reward="vp"))
    core = envs.unwrapped.learners
    choose, ends = Chooser(), 0
    envs.reset(seed=3)
    while ends < 10:
        *_, infos = envs.step(choose(envs.unwrapped.action_masks()))
        for game, end in core.ends.items():
            ends += 1
            assert infos["_episode"][game]
            assert infos["episode"]["r"][game] == pytest.approx(end.total)
            assert infos["episode"]["l"][game] == end.length
    envs.close()


def test_resetting_a_vector():
    envs = vector()
    first, _ = envs.reset(seed=7)
    going_on, _ = envs.reset()
    again, _ = envs.reset(seed=7)
    assert (first == again).all()
    assert (first != going_on).any()
    with pytest.raises(ValueError, match="unknown option 'seat' of reset"):
        envs.reset(options={"seat": 1})
    with pytest.raises(ValueError, match="vector environments can't render"):
        vector(render_mode="ansi")
    assert (vector().reset()[0] != vector().reset()[0]).any()  # without a seed: any games


# Stable-Baselines3


def vec_env(n=8, **options):
    pytest.importorskip("stable_baselines3", reason="training is not installed: pip install -e '.[train]'")
    from fujikoro_env.envs.sb3 import FujiKoroVecEnv

    return FujiKoroVecEnv(n, **{**SHORT, **options})


@pytest.mark.parametrize(("observation", "policy"), [("compact", "MlpPolicy"), ("tensor", "MultiInputPolicy")])
def test_maskable_ppo_learns_as_it_is(observation, policy):
    contrib = pytest.importorskip("sb3_contrib", reason="training is not installed: pip install -e '.[train]'")
    env = vec_env(observation=observation)
    small = {"net_arch": [16]}
    model = contrib.MaskablePPO(policy, env, n_steps=32, batch_size=128, n_epochs=1, policy_kwargs=small, seed=1)
    model.learn(512)
    assert model.num_timesteps == 512
    assert len(model.ep_info_buffer) > 0
    env.close()


def test_evaluation_and_monitors_of_sb3(tmp_path):
    contrib = pytest.importorskip("sb3_contrib", reason="training is not installed: pip install -e '.[train]'")
    from sb3_contrib.common.maskable.callbacks import MaskableEvalCallback
    from sb3_contrib.common.maskable.evaluation import evaluate_policy
    from stable_baselines3.common.vec_env import VecMonitor

    env = VecMonitor(vec_env(reward="vp"))
    model = contrib.MaskablePPO(
        "MlpPolicy", env, n_steps=16, batch_size=64, n_epochs=1, policy_kwargs={"net_arch": [8]}
    )
    watch = MaskableEvalCallback(VecMonitor(vec_env(4)), n_eval_episodes=4, eval_freq=16, verbose=0)
    model.learn(256, callback=watch)
    found: Any = evaluate_policy(model, VecMonitor(vec_env(4)), 6, return_episode_rewards=True)
    returns, lengths = found
    assert len(returns) == len(lengths) == 6
    assert set(np.abs(returns)) <= {0.0, 0.5, 1.0}


def test_infos_of_sb3_only_when_done():
    env, choose, ends = vec_env(reward="vp", seed=3), Chooser(), 0
    env.reset()
    total = np.zeros(env.num_envs)
    while ends < 8:
        seen, rewards, dones, infos = env.step(choose(env.action_masks()))
        total += rewards
        assert [bool(info) for info in infos] == dones.tolist()
        for game in np.flatnonzero(dones):
            ends += 1
            assert infos[game]["episode"]["r"] == pytest.approx(total[game])
            assert (infos[game]["terminal_observation"] != seen[game]).any()
        total[dones] = 0
    assert (env.env_method("action_masks") == env.games.masks).all()
    assert env.has_attr("action_masks")
    assert env.get_attr("render_mode") == [None] * 8
    assert env.env_is_wrapped(object) == [False] * 8


def test_without_sb3_one_line_says_what_to_install(monkeypatch):
    monkeypatch.setitem(sys.modules, "stable_baselines3.common.vec_env", None)
    monkeypatch.delitem(sys.modules, "fujikoro_env.envs.sb3", raising=False)
    with pytest.raises(ImportError, match=r"needs Stable-Baselines3: pip install 'fujikoro_env\[train\]'"):
        import_module("fujikoro_env.envs.sb3")


def test_seeds_of_sb3():
    env = vec_env(seed=5)
    first = env.reset()
    going_on = env.reset()
    env.seed(5)
    assert (env.reset() == first).all()
    assert (going_on != first).any()


def test_what_imports_what():
    """The core and its batches import neither PyTorch nor Gymnasium."""
    code = "import sys, fujikoro_env.envs.one_seat; print(*sys.modules)"
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert not {"torch", "gymnasium", "pettingzoo", "stable_baselines3"} & set(done.stdout.split())


def test_views_of_the_batch_are_copies():
    games = learners(n=2)
    games.reset()
    copy = games.games.game(1)
    assert isinstance(copy, Game)
    before = games.games.states.tobytes()
    copy.step(copy.legal_actions()[0])
    assert games.games.states.tobytes() == before
