"""The Gymnasium environment with one learner and opponents inside it, and the registration of all environments."""

import copy
import pickle
import re
import subprocess
import sys
from typing import Any

import gymnasium
import numpy as np
import pytest
from gymnasium.utils.env_checker import check_env

from fujikoro_env import Game, IllegalActionError, Rules
from fujikoro_env.envs import gym as gym_page
from fujikoro_env.envs.gym import FujiKoro
from fujikoro_env.envs.rewards import RewardTracker
from fujikoro_env.player import MAKERS, AgentError, RandomAgent, agent_names, make_agent, register_agent
from fujikoro_env.rules.base import actions as act

SHORT = 6  # rounds
SAMPLE: list[dict[str, Any]] = [
    {"players": 2},
    {"players": 3, "observation": "tensor", "seat": "random"},
    {"players": 4, "characters": "random", "reward": "shaped"},
    {"players": 6, "reward": "vp", "seat": 5},
    {"players": 3, "scenario": 2, "reward": "win"},
    {"players": 5, "mode": "coop", "reward": "shaped", "seat": "random"},
    {"mode": "solo"},
    {"mode": "solo", "scenario": 8, "reward": "vp", "observation": "tensor"},
]


def name_of(arguments: dict[str, Any]) -> str:
    return " ".join(f"{name}={value}" for name, value in arguments.items())


def made(**arguments: Any) -> FujiKoro:
    env: Any = gymnasium.make("FujiKoro-v0", max_rounds=SHORT, **arguments).unwrapped
    assert isinstance(env, FujiKoro)
    return env


def random_legal(env: FujiKoro, luck: Any) -> int:
    return int(luck.choice(np.flatnonzero(env.action_masks())))


def episode(env: Any, seed: int | None = 1) -> list[Any]:
    """Steps of a random episode."""
    env.reset(seed=seed)
    luck, steps = np.random.default_rng(seed), list[Any]()
    while not steps or not steps[-1][2]:
        steps.append(env.step(random_legal(env.unwrapped, luck)))
    return steps


# --- Gymnasium's own tests ------------------------------------------------------------------------------------------


@pytest.mark.parametrize("arguments", SAMPLE, ids=name_of)
def test_it_passes_the_checker(arguments):
    check_env(made(render_mode="ansi", **arguments), skip_render_check=True)


def test_it_passes_the_checker_of_every_render_mode(monkeypatch):
    monkeypatch.setenv("SDL_VIDEODRIVER", "dummy")  # a window that nobody sees, for there may be no display
    check_env(made(render_mode="ansi", players=2))


@pytest.mark.parametrize("arguments", SAMPLE, ids=name_of)
def test_it_plays_whole_episodes_inside_the_usual_wrappers(arguments):
    """One of the wrappers is Gymnasium's PassiveEnvChecker, which checks every step."""
    env: Any = gymnasium.make("FujiKoro-v0", max_rounds=SHORT, **arguments)
    *steps, last = episode(env)
    assert not any(terminated or truncated for _, _, terminated, truncated, _ in steps)
    assert env.observation_space.contains(last[0])
    assert not last[4]["action_mask"].any()
    assert env.unwrapped.game.over
    env.close()


# --- one learner ----------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("arguments", SAMPLE, ids=name_of)
def test_the_learner_is_paid_all_that_came_since_its_decision(arguments):
    """The rewards equal those of a tracker that is read after every action of every player."""
    rewards: list[list[float] | None] = []

    class Told(RandomAgent):
        def act(self, view: Game) -> int:
            if tracker:
                rewards.append(tracker.pay(env.game))
            return super().act(view)

    tracker: RewardTracker | None = None
    env = made(opponents=Told(), **arguments)
    env.reset(seed=3)
    tracker = RewardTracker(env.game, env.rules.reward_kind(arguments.get("reward", "rank")))
    luck, over = np.random.default_rng(3), False
    while not over:
        _, reward, over, _, info = env.step(random_legal(env, luck))
        rewards.append(tracker.pay(env.game))
        assert reward == pytest.approx(sum(paid[info["seat"]] for paid in rewards if paid), abs=1e-6)
        rewards.clear()


@pytest.mark.parametrize("players", [2, 4])
def test_only_the_learner_is_asked(players):
    env, luck = made(players=players, seat=1), np.random.default_rng(0)
    _, info = env.reset(seed=1)
    over = False
    while not over:
        assert env.game.actor == env.seat == info["seat"] == 1
        assert (env.action_masks() == env.game.legal_mask()).all()
        assert (info["action_mask"] == env.action_masks()).all()
        *_, over, _, info = env.step(random_legal(env, luck))


def test_the_seat_is_drawn_for_every_episode():
    env = made(players=3, seat="random")
    env.reset(seed=1)
    seats = [env.reset()[1]["seat"] for _ in range(30)]
    assert set(seats) == {0, 1, 2}
    env.reset(seed=1)
    assert seats == [env.reset()[1]["seat"] for _ in range(30)]
    assert env.reset(options={"seat": 2})[1]["seat"] == 2


def test_the_seed_is_that_of_the_game():
    env = made(players=3)
    env.reset(seed=7)
    assert env.game.digest() == Game(Rules(3, max_rounds=SHORT), 7).digest()
    env.reset()
    assert env.game.digest() != Game(Rules(3, max_rounds=SHORT), 7).digest()


def test_the_same_seed_and_actions_give_the_same_episodes():
    one, other = made(players=3, seat="random"), made(players=3, seat="random")
    for first, second in zip(episode(one, 5), episode(other, 5), strict=True):
        assert np.array_equal(first[0], second[0])
        assert first[1:4] == second[1:4]
    assert one.game.digest() == other.game.digest()
    assert np.array_equal(one.reset()[0], other.reset()[0])


@pytest.mark.parametrize("copied", [copy.deepcopy, lambda env: pickle.loads(pickle.dumps(env))])
def test_a_copy_in_mid_game_goes_on_identically(copied):
    env, luck = made(players=3, seat="random"), np.random.default_rng(1)
    env.reset(seed=1)
    for _ in range(10):
        env.step(random_legal(env, luck))
    twin, over = copied(env), False
    while not over:
        action = random_legal(env, luck)
        seen, reward, over, _, _ = env.step(action)
        twin_seen, twin_reward, twin_over, _, _ = twin.step(action)
        assert (reward, over) == (twin_reward, twin_over)
        assert np.array_equal(seen, twin_seen)
    assert env.game.digest() == twin.game.digest()
    assert np.array_equal(env.reset()[0], twin.reset()[0])


def test_a_game_that_ends_before_the_learner_is_asked_is_dealt_again(monkeypatch):
    env = made(players=2, seat=1)
    deal, deals = FujiKoro._deal, []

    def over_at_first(self: FujiKoro, seed: int | None) -> None:
        deal(self, seed)
        deals.append(seed)
        if len(deals) < 3:
            self._table.terminations = dict.fromkeys(self._table.agents, True)

    monkeypatch.setattr(FujiKoro, "_deal", over_at_first)
    env.reset(seed=4)
    assert deals == [4, None, None]
    assert env.action_masks().any()


# --- opponents ------------------------------------------------------------------------------------------------------


class Noted(RandomAgent):
    """An agent that keeps the arguments of its calls."""

    def __init__(self) -> None:
        super().__init__()
        self.resets: list[tuple[int, int]] = []
        self.seen: set[tuple[int | None, int]] = set()

    def reset(self, seed: int, seat: int) -> None:
        super().reset(seed, seat)
        self.resets.append((seed, seat))

    def act(self, view: Game) -> int:
        self.seen.add((view.viewer, view.actor))
        return super().act(view)


def test_opponents_sit_after_the_learner_and_see_their_own_view():
    agents = [Noted(), Noted(), Noted()]
    env = made(players=4, opponents=agents, seat=2)
    episode(env)
    assert [agent.seen for agent in agents] == [{(3, 3)}, {(0, 0)}, {(1, 1)}]
    assert [agent.resets[0][1] for agent in agents] == [3, 0, 1]
    assert len({agent.resets[0][0] for agent in agents} | {1}) == 4, "seeds of their own, and not that of the game"


def test_one_agent_may_play_all_other_seats():
    agent = Noted()
    episode(made(players=3, opponents=agent))
    assert agent.seen == {(1, 1), (2, 2)}


def test_names_make_an_agent_for_each_seat():
    first, second = made(players=3, opponents="random")._opponents
    assert isinstance(first, RandomAgent)
    assert first is not second


def test_an_opponent_that_breaks_the_rules_is_not_forgiven():
    class Cheat(RandomAgent):
        def act(self, view: Game) -> int:
            return act.YES

    env = made(players=2, opponents=Cheat())
    with pytest.raises(IllegalActionError, match="yes is not legal"):
        episode(env)


# --- illegal actions, bad input -------------------------------------------------------------------------------------


@pytest.mark.parametrize(("reward", "least"), [("rank", -1), ("win", -1 / 3), ("vp", 0), ("shaped", -1)])
def test_an_illegal_action_ends_the_episode(reward, least):
    env, luck, total = made(players=3, reward=reward), np.random.default_rng(2), 0.0
    env.reset(seed=2)
    for _ in range(30):
        total += env.step(random_legal(env, luck))[1]
    seen, paid, terminated, truncated, info = env.step(int(np.flatnonzero(~env.action_masks())[0]))
    assert terminated
    assert not truncated
    assert total + paid == pytest.approx(least, abs=1e-5)
    assert "is not legal in" in info["illegal_action"]
    assert not env.action_masks().any()
    assert env.observation_space.contains(seen)
    with pytest.raises(RuntimeError, match=r"call reset\(\)"):
        env.step(0)
    env.reset()
    assert env.action_masks().any()


def test_an_illegal_action_can_raise_and_change_nothing():
    env = made(players=2, illegal="raise")
    env.reset(seed=1)
    before = env.game.digest()
    with pytest.raises(IllegalActionError, match="yes is not legal in MONK_SPOT"):
        env.step(act.YES)
    assert env.game.digest() == before
    env.step(env.game.legal_actions()[0])


@pytest.mark.parametrize(
    ("arguments", "line"),
    [
        ({"seat": 4}, "seat=4: allowed are 0 to 3, 'random'"),
        ({"seat": True}, "seat=True: allowed are 0 to 3, 'random'"),
        (
            {"opponents": ["random"]},
            "opponents=['random']: give one for all, or one for each of the 3 other seats",
        ),
        ({"opponents": 7}, "opponents=7: give one for all, or one for each of the 3 other seats"),
        (
            {"opponents": "hero"},
            f"agent 'hero' is not known: there are {', '.join(agent_names())}, python:module.Class",
        ),
        ({"observation": "smell"}, "observation='smell': allowed are 'tensor', 'compact'"),
        ({"reward": "fame"}, "reward='fame': allowed are 'rank', 'win', 'vp', 'shaped'"),
        ({"illegal": "shrug"}, "illegal='shrug': allowed are 'raise', 'terminate'"),
        ({"players": 7}, "players=7: allowed are the numbers 2 to 6 (SETUP-1)"),
    ],
)
def test_a_bad_argument_gets_one_line(arguments, line):
    with pytest.raises(ValueError, match=f"^{re.escape(line)}"):
        FujiKoro(**arguments)


def test_a_bad_option_of_reset_gets_one_line():
    with pytest.raises(ValueError, match=r"^unknown option 'chair' of reset: allowed is 'seat'$"):
        made().reset(options={"chair": 1})


# --- agents by name -------------------------------------------------------------------------------------------------


class Tuned(RandomAgent):
    def __init__(self, depth: int = 1, speed: float = 1.0, name: str = "", careful: bool = False) -> None:
        super().__init__()
        self.tuning = (depth, speed, name, careful)


def test_a_name_may_bring_parameters(monkeypatch):
    monkeypatch.setattr("fujikoro_env.player.AGENTS.registered", dict(MAKERS))
    assert register_agent("tuned")(Tuned) is Tuned
    assert {"policy", "random", "tuned"} <= set(agent_names())
    tuned: Any = make_agent("tuned:depth=3,speed=0.5,name=a=b,careful=true")
    assert tuned.tuning == (3, 0.5, "a=b", True)


def test_an_agent_may_be_any_class(monkeypatch):
    monkeypatch.setitem(sys.modules, "my_module", sys.modules[__name__])
    tuned: Any = make_agent("python:my_module.Tuned:depth=7")
    assert tuned.tuning[0] == 7


@pytest.mark.parametrize(
    ("name", "line"),
    [
        ("shinobi", f"agent 'shinobi' is not known: there are {', '.join(agent_names())}, python:module.Class"),
        ("random:depth=3", "agent 'random:depth=3': it has no parameter 'depth'; allowed are none"),
        ("random:3", "agent 'random:3': parameters are written name=value, separated by commas"),
        ("python:Tuned", "agent 'python:Tuned': a class is written python:module.Class"),
        ("python:no_such.Tuned", "agent 'python:no_such.Tuned': there is no module 'no_such'"),
        ("python:json.Tuned", "agent 'python:json.Tuned': module 'json' has no 'Tuned'"),
        (
            "python:decimal.Decimal",
            "agent 'python:decimal.Decimal' is not an agent: it needs the methods reset, act and explain",
        ),
    ],
)
def test_a_name_that_no_agent_goes_by_gets_one_line(name, line):
    with pytest.raises(AgentError, match=f"^{re.escape(line)}$"):
        make_agent(name)


@pytest.mark.parametrize("name", ["", "a:b", "python"])
def test_some_names_can_not_be_given(name):
    with pytest.raises(AgentError, match="without a colon"):
        register_agent(name)


# --- registries, documentation --------------------------------------------------------------------------------------


def printed(code: str) -> list[str]:
    done = subprocess.run([sys.executable, "-W", "error", "-c", code], capture_output=True, text=True, check=True)
    return done.stdout.splitlines()


@pytest.mark.parametrize("imports", ["fujikoro_env, gymnasium, pettingzoo", "gymnasium, pettingzoo, fujikoro_env"])
def test_the_environments_are_known_by_name_in_any_order_of_imports(imports):
    """PettingZoo before 1.27 has no registry."""
    code = f"""
import {imports}
print(gymnasium.spec("FujiKoro-v0").entry_point)
if hasattr(pettingzoo, "make"):
    print(pettingzoo.make("aec", "fujikoro/fujikoro_v0", players=2).possible_agents)
else:
    print(["samurai_0", "samurai_1"])
"""
    assert printed(code) == ["fujikoro_env.envs.gym:FujiKoro", "['samurai_0', 'samurai_1']"]


def test_the_name_alone_imports_what_it_needs():
    code = 'import gymnasium; print(gymnasium.make("fujikoro_env:FujiKoro-v0", players=2).unwrapped.rules.players)'
    assert printed(code) == ["2"]


def test_an_import_brings_nothing_heavy():
    code = """
import sys, fujikoro_env
print(*(name for name in ("numpy", "numba", "gymnasium", "pettingzoo", "torch") if name in sys.modules))
import fujikoro_env.envs.gym, fujikoro_env.fujikoro_v0
print(*(name for name in ("torch", "stable_baselines3", "pygame") if name in sys.modules))
"""
    assert printed(code) == ["", ""]


def test_a_pettingzoo_without_a_registry_is_left_alone():
    code = """
import sys, types
sys.modules["pettingzoo"] = types.ModuleType("pettingzoo")
import fujikoro_env
print(fujikoro_env.Rules(players=2).players)
"""
    assert printed(code) == ["2"]


def test_the_example_of_the_page_runs():
    (example,) = re.findall(r"```python\n(.*?)```", gym_page.__doc__ or "", re.DOTALL)
    exec(compile(example, "gym", "exec"), {})


# --- sb3-contrib ----------------------------------------------------------------------------------------------------


@pytest.mark.slow
def test_it_passes_the_checker_of_stable_baselines():
    checker = pytest.importorskip("stable_baselines3.common.env_checker", reason="it comes with fujikoro_env[train]")
    checker.check_env(made(players=3))


@pytest.mark.slow
@pytest.mark.parametrize(("observation", "policy"), [("compact", "MlpPolicy"), ("tensor", "MultiInputPolicy")])
def test_maskable_ppo_learns_and_is_evaluated_with_masks(observation, policy, tmp_path):
    """With illegal="raise", an action that the mask forbids would be an error."""
    sb3 = pytest.importorskip("sb3_contrib", reason="sb3-contrib comes with fujikoro_env[train]")
    from sb3_contrib.common.maskable.callbacks import MaskableEvalCallback
    from sb3_contrib.common.maskable.evaluation import evaluate_policy
    from stable_baselines3.common.monitor import Monitor

    def monitored() -> Any:
        arguments = {"players": 2, "max_rounds": 3, "observation": observation, "seat": "random", "illegal": "raise"}
        return Monitor(gymnasium.make("FujiKoro-v0", **arguments))

    model = sb3.MaskablePPO(policy, monitored(), n_steps=128, batch_size=64, n_epochs=1, seed=1, device="cpu")
    callback = MaskableEvalCallback(monitored(), n_eval_episodes=2, eval_freq=128, log_path=str(tmp_path), verbose=0)
    model.learn(256, callback=callback)
    assert -1 <= callback.last_mean_reward <= 1
    mean, _ = evaluate_policy(model, monitored(), n_eval_episodes=4, use_masking=True)
    assert isinstance(mean, float)  # a list only if it is asked for
    assert -1 <= mean <= 1
