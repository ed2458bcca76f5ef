"""The PettingZoo environment and its observations, from set-up to the last reward."""

import copy
import itertools
import pickle
import re
import subprocess
import sys
from collections.abc import Callable, Iterator
from functools import partial
from importlib import import_module
from itertools import pairwise
from types import SimpleNamespace
from typing import Any

import numpy as np
import pytest
from pettingzoo.test.api_test import api_test
from pettingzoo.test.render_test import render_test
from pettingzoo.test.seed_test import seed_test
from pettingzoo.test.state_test import state_test
from pettingzoo.utils.conversions import turn_based_aec_to_parallel
from pettingzoo.utils.wrappers import TerminateIllegalWrapper

from fujikoro_env import Game, IllegalActionError, Rules, RulesError, fujikoro_v0
from fujikoro_env.render.layers import Painter
from fujikoro_env.render.picture import Picture
from fujikoro_env.rules.base import actions as act
from fujikoro_env.settings import OPTIONS
from tests.helpers.rewardbook import rank_rewards
from tools import make_docs

PLAYER_COUNTS = range(2, 7)
SHORT = 12  # rounds: enough to find, gather and craft
# Warnings that PettingZoo's test gives for every environment with a masked dictionary, unless it knows it by name.
ORDINARY_WARNINGS = {
    "Observation is not a NumPy array": "it is a dictionary with a mask",
    "Observation space for each agent probably should be": "so is the space",
}
ordinary_warnings = pytest.mark.filterwarnings(*(f"ignore:{message}" for message in ORDINARY_WARNINGS))


def seeded(make: Callable[..., Any] = fujikoro_v0.env, **kwargs: Any) -> Any:
    """An environment in which the actions drawn from the action spaces are the same in every run."""
    env = make(**kwargs)
    for seat, agent in enumerate(env.possible_agents):
        env.action_space(agent).seed(seat)
    return env


def random_play(env: Any, decisions: int = 1 << 30) -> Iterator[tuple[str, dict[str, Any]]]:
    """Play random legal actions for all agents. Yields each acting agent with its observation."""
    for agent in env.agent_iter(decisions):
        observation, _, termination, _, _ = env.last()
        if termination:
            return
        yield agent, observation
        env.step(env.action_space(agent).sample(observation["action_mask"]))


def equal(one: dict[str, Any], other: dict[str, Any]) -> bool:
    return one.keys() == other.keys() and all(np.array_equal(one[name], other[name]) for name in one)


# --- PettingZoo's own tests -----------------------------------------------------------------------------------------

# Every mode with every number of players, every scenario, characters, and all kinds of rewards and observations.
SAMPLE: list[dict[str, Any]] = [
    *({"players": players, "max_rounds": 5} for players in PLAYER_COUNTS),
    *({"players": players, "mode": "coop", "max_rounds": 5} for players in range(1, 7)),
    {"mode": "solo", "max_rounds": 5},
    {"players": 2, "scenario": 1, "max_rounds": 5, "reward": "shaped"},
    {"players": 3, "scenario": 2, "max_rounds": 5, "reward": "vp", "characters": "random"},
    {"players": 4, "scenario": 3, "max_rounds": 5, "reward": "win", "observation": "compact"},
    {"players": 5, "scenario": 4, "max_rounds": 4, "reward": "vp", "observation": "compact"},
    {"players": 6, "scenario": 5, "max_rounds": 3, "reward": "shaped", "characters": "random"},
    {"players": 2, "mode": "coop", "scenario": 3, "max_rounds": 5, "reward": "shaped"},
    {"players": 3, "mode": "coop", "scenario": 5, "max_rounds": 5, "reward": "win", "characters": "random"},
    {"players": 4, "mode": "coop", "scenario": 6, "max_rounds": 5, "reward": "shaped", "observation": "compact"},
    {"mode": "solo", "scenario": 7, "max_rounds": 5, "reward": "shaped"},
    {"mode": "solo", "scenario": 8, "max_rounds": 5, "reward": "vp", "observation": "compact"},
]


def name_of(arguments: dict[str, Any]) -> str:
    return " ".join(f"{name}={value}" for name, value in arguments.items() if name != "max_rounds")


sampled = pytest.mark.parametrize("arguments", SAMPLE, ids=name_of)


@ordinary_warnings
@sampled
def test_it_passes_the_api_test(arguments):
    api_test(seeded(**arguments), num_cycles=300)


@sampled
def test_it_passes_the_seed_test(arguments):
    seed_test(lambda: fujikoro_v0.env(**arguments), num_cycles=60)


@sampled
def test_it_passes_the_state_test(arguments):
    """PettingZoo's test draws actions without a mask, so nearly every game ends with its first action; therefore a
    whole game of legal actions follows. PettingZoo makes the parallel environment from the turn-based one."""
    env = seeded(illegal="terminate", **arguments)
    state_test(env, turn_based_aec_to_parallel(fujikoro_v0.env(**arguments)))
    env.reset(seed=1)
    for _ in random_play(env):
        assert env.state_space.contains(env.state())
    assert env.state_space.contains(env.state())


def blank_picture(_painter: Painter, _picture: Picture, width: int, height: int) -> Any:
    return np.zeros((height, width, 3), np.uint8)


@sampled
def test_it_passes_the_render_test(arguments, monkeypatch):
    """Every table is drawn, but only the first as pixels, because that is slow. tests/render/test_raster.py does it for
    all kinds of games."""
    monkeypatch.setenv("SDL_VIDEODRIVER", "dummy")
    if arguments is not SAMPLE[0]:
        monkeypatch.setattr(Painter, "paint", blank_picture)
    make: Any = partial(fujikoro_v0.env, **arguments)
    render_test(make)


@pytest.mark.parametrize("arguments", [SAMPLE[2], SAMPLE[5]], ids=name_of)
def test_the_performance_benchmark_runs(arguments, monkeypatch, capsys):
    """The benchmark would take five seconds, so its clock is replaced."""
    benchmark = import_module("pettingzoo.test.performance_benchmark")
    seconds = itertools.count(0, 0.1)
    monkeypatch.setattr(benchmark, "time", SimpleNamespace(time=lambda: next(seconds)))
    benchmark.performance_benchmark(fujikoro_v0.env(**arguments))
    assert "turns per second" in capsys.readouterr().out


@ordinary_warnings
def test_the_raw_environment_passes_too():
    api_test(fujikoro_v0.raw_env(players=3, max_rounds=SHORT), num_cycles=1000)


# --- playing --------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("players", PLAYER_COUNTS)
def test_random_play_goes_from_set_up_to_rewards(players):
    env = seeded(players=players)
    env.reset(seed=players)
    actors = [agent for agent, _ in random_play(env)]
    assert set(actors) == set(env.possible_agents) == {f"samurai_{k}" for k in range(players)}
    assert any(one == following for one, following in pairwise(actors)), "an agent may act several times in a row"
    assert env.game.over
    assert all(env.terminations.values())
    assert not any(env.truncations.values())
    assert list(env.rewards.values()) == pytest.approx(rank_rewards(env.game.outcome))


def test_every_agent_is_told_its_reward_and_leaves():
    env = seeded(players=3, max_rounds=SHORT)
    env.reset(seed=1)
    for _ in random_play(env):
        assert not any(env.rewards.values())
    told = {}
    while env.agents:
        _, told[env.agent_selection], termination, _, _ = env.last()
        assert termination
        env.step(None)
    assert told == dict(zip(env.possible_agents, rank_rewards(env.game.outcome), strict=True))


def test_only_the_acting_player_has_legal_actions():
    env = seeded(players=4, max_rounds=SHORT)
    env.reset(seed=1)
    for agent, observation in random_play(env):
        assert np.flatnonzero(observation["action_mask"]).tolist() == env.game.legal_actions().tolist()
        others = [other for other in env.agents if other != agent]
        assert not any(env.observe(other)["action_mask"].any() for other in others)
    assert not any(env.observe(agent)["action_mask"].any() for agent in env.agents)


def test_an_illegal_action_changes_nothing():
    env = fujikoro_v0.env(players=2)
    env.reset(seed=1)
    before = env.game.digest(), env.agent_selection
    with pytest.raises(IllegalActionError, match="yes is not legal in MONK_SPOT; legal: monk"):
        env.step(act.YES)
    assert (env.game.digest(), env.agent_selection) == before
    env.step(env.game.legal_actions()[0])
    assert env.game.digest() != before[0]


def first_illegal(env: Any) -> int:
    return int(np.flatnonzero(~env.game.legal_mask())[0])


@pytest.mark.parametrize("make", [fujikoro_v0.env, fujikoro_v0.raw_env])
def test_an_illegal_action_can_end_the_game_as_in_pettingzoo(make):
    """The option gives the same results as PettingZoo's wrapper, except in the infos."""
    ours = seeded(make, players=3, illegal="terminate")
    theirs: Any = TerminateIllegalWrapper(seeded(players=3), illegal_reward=-1)
    for env in (ours, theirs):
        env.reset(seed=1)
        for _ in random_play(env, decisions=20):
            pass
        offender = env.agent_selection
        env.step(first_illegal(env))
    line = "is not legal in"
    assert all(info["offender"] == offender and line in info["illegal_action"] for info in ours.infos.values())
    while ours.agents:
        assert (ours.agents, ours.agent_selection) == (theirs.agents, theirs.agent_selection)
        assert ours.rewards == theirs.rewards
        one, other = ours.last(), theirs.last()
        assert one[1:4] == other[1:4] == (-1 if ours.agent_selection == offender else 0, True, True)
        assert not one[0]["action_mask"].any()
        ours.step(None)
        theirs.step(None)
    assert not theirs.agents
    ours.reset(seed=1)
    assert ours.observe(ours.agent_selection)["action_mask"].any()


@pytest.mark.parametrize(("reward", "least"), [("rank", -1), ("win", -1 / 3), ("vp", 0), ("shaped", -1)])
def test_a_player_who_ends_a_game_by_an_illegal_action_gets_the_lowest_return(reward, least):
    env = seeded(players=3, illegal="terminate", reward=reward)
    assert env.illegal_reward == least
    env.reset(seed=1)
    sums = dict.fromkeys(env.agents, 0.0)
    for _ in random_play(env, decisions=300):
        sums = {agent: total + env.rewards[agent] for agent, total in sums.items()}
    sums = {agent: total + env.rewards[agent] for agent, total in sums.items()}
    offender, before = env.agent_selection, dict(sums)
    env.step(first_illegal(env))
    assert sums[offender] + env.rewards[offender] == pytest.approx(least, abs=1e-5)
    assert not any(paid for agent, paid in env.rewards.items() if agent != offender)
    assert reward in ("rank", "win") or any(before.values()), "something was paid before"


@pytest.mark.parametrize("reward", ["vp", "shaped"])
def test_rewards_on_the_way_are_told_once(reward):
    """`last` returns the sum of all rewards since the agent's previous decision."""
    env = seeded(players=3, max_rounds=SHORT, reward=reward)
    env.reset(seed=1)
    owed = dict.fromkeys(env.agents, 0.0)
    told = dict.fromkeys(env.agents, 0.0)
    while env.agents:
        agent = env.agent_selection
        observation, paid, termination, _, _ = env.last()
        assert paid == pytest.approx(owed[agent], abs=1e-6)
        told[agent] += paid
        owed[agent] = 0.0
        env.step(None if termination else env.action_space(agent).sample(observation["action_mask"]))
        if not termination:
            owed = {each: due + env.rewards[each] for each, due in owed.items()}
    outcome = env.game.outcome
    assert list(told.values()) == pytest.approx(outcome.scores if reward == "vp" else rank_rewards(outcome), abs=1e-4)


def test_an_action_out_of_the_space_is_illegal():
    env = fujikoro_v0.env(players=2)
    env.reset(seed=1)
    with pytest.raises(IllegalActionError, match="action 713 is not legal in MONK_SPOT; legal: "):
        env.step(act.ACTIONS)


# --- seeds, copies --------------------------------------------------------------------------------------------------


def test_the_seed_is_that_of_the_game():
    env = fujikoro_v0.env(players=3, adventure_tokens=False, monk_to_pack=True)
    env.reset(seed=7)
    assert env.game.digest() == Game(Rules(players=3, adventure_tokens=False, monk_to_pack=True), 7).digest()


def row_of_games(seed: int) -> list[str]:
    """Digests of the games that are dealt after a reset with a seed."""
    env = fujikoro_v0.env()
    env.reset(seed=seed)
    digests = []
    for _ in range(3):
        env.reset()
        digests.append(env.game.digest())
    return digests


def test_games_without_a_seed_follow_from_the_last_seed():
    assert row_of_games(7) == row_of_games(7)
    assert len({*row_of_games(7), *row_of_games(8)}) == 6


def test_games_without_any_seed_differ():
    env, other = fujikoro_v0.env(), fujikoro_v0.env()
    env.reset()
    other.reset()
    assert env.game.digest() != other.game.digest()


@pytest.mark.parametrize("make", [fujikoro_v0.env, fujikoro_v0.raw_env])
@pytest.mark.parametrize("copied", [copy.deepcopy, lambda env: pickle.loads(pickle.dumps(env))])
@pytest.mark.parametrize("arguments", [{}, {"reward": "shaped"}, {"mode": "coop", "reward": "shaped"}], ids=name_of)
def test_a_copy_in_mid_game_goes_on_identically(arguments, copied, make):
    env = seeded(make, players=3, max_rounds=SHORT, **arguments)
    env.reset(seed=3)
    for _ in random_play(env, decisions=40):
        pass
    twin = copied(env)
    for (agent, seen), (twin_agent, twin_seen) in zip(random_play(env), random_play(twin), strict=True):
        assert agent == twin_agent
        assert env.rewards == twin.rewards
        assert equal(seen["observation"], twin_seen["observation"])
    assert env.game.over
    assert env.rewards == twin.rewards
    assert env.game.digest() == twin.game.digest()
    env.reset()
    twin.reset()
    assert env.game.digest() == twin.game.digest()


def test_a_copy_is_on_its_own():
    env = fujikoro_v0.env(players=2)
    env.reset(seed=3)
    twin, before = copy.deepcopy(env), env.game.digest()
    twin.step(twin.game.legal_actions()[0])
    assert env.game.digest() == before


# --- arguments, rendering -------------------------------------------------------------------------------------------


SETTINGS = (
    "settings are players, mode, characters, scenario, adventure_tokens, peaceful, content, final_at, max_rounds, "
    "ask_forced"
)


@pytest.mark.parametrize(
    ("arguments", "error", "line"),
    [
        ({"players": 7}, RulesError, "players=7: allowed are the numbers 2 to 6 (SETUP-1)"),
        ({"lava": 1}, RulesError, f"unknown option 'lava': there are {', '.join(sorted(OPTIONS))}; {SETTINGS}"),
        ({"reward": "fame"}, ValueError, "reward='fame': allowed are 'rank', 'win', 'vp', 'shaped'"),
        ({"render_mode": "film"}, ValueError, "render_mode='film': allowed are None, 'ansi', 'rgb_array', 'human'"),
    ],
)
def test_a_bad_argument_gets_one_line(arguments, error, line):
    with pytest.raises(error, match=f"^{re.escape(line)}$"):
        fujikoro_v0.env(**arguments)


def test_a_bad_seed_gets_one_line_and_changes_nothing():
    env = fujikoro_v0.env()
    env.reset(seed=1)
    before = env.game.digest()
    with pytest.raises(ValueError, match=r"^seed=-1: allowed are the whole numbers from 0 to"):
        env.reset(seed=-1)
    assert env.game.digest() == before


def test_there_is_no_game_before_reset():
    with pytest.raises(AttributeError, match="call reset"):
        _ = fujikoro_v0.raw_env().game


def test_it_renders_the_table_as_text():
    env = fujikoro_v0.env(render_mode="ansi")
    env.reset(seed=1)
    assert env.render() == str(env.game)
    assert str(env) == "fujikoro_v0"


def test_rendering_without_a_mode_says_how_to_choose_one():
    env = fujikoro_v0.env()
    env.reset(seed=1)
    with pytest.warns(UserWarning, match='render_mode="ansi"'):
        assert env.render() is None


# --- documentation, imports -----------------------------------------------------------------------------------------


@pytest.mark.parametrize("path", make_docs.pages(), ids=lambda path: path.name)
def test_generated_files_are_up_to_date(path):
    assert path.read_text() == make_docs.pages()[path], "run: make tables"


def test_the_docstring_has_the_tables_and_a_version():
    page = fujikoro_v0.__doc__ or ""
    assert make_docs.field_table() in page
    assert make_docs.block_table() in page
    assert f"Discrete({act.ACTIONS})" in page
    assert f"* {fujikoro_v0.raw_env.metadata['name'].removeprefix('fujikoro_')}:" in page


def test_the_example_of_the_docstring_runs(capsys):
    example, _ = re.findall(r"```python\n(.*?)```", fujikoro_v0.__doc__ or "", re.DOTALL)  # the other one makes a film
    exec(compile(example, "fujikoro_v0", "exec"), {})
    assert "Outcome(reason=" in capsys.readouterr().out


def test_playing_does_not_import_environments():
    code = """
import sys
from fujikoro_env import Game
Game().observe(0)
print(*(name for name in ("gymnasium", "pettingzoo", "fujikoro_env.fujikoro_v0") if name in sys.modules))
import fujikoro_env
print(fujikoro_env.fujikoro_v0.__name__)
"""
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert done.stdout.splitlines() == ["", "fujikoro_env.fujikoro_v0"]
