"""The PettingZoo environment and its observations, from set-up to the last reward."""

import copy
import pickle
import re
import subprocess
import sys
from collections.abc import Iterator
from itertools import pairwise
from typing import Any

import numpy as np
import pytest
from pettingzoo.test.api_test import api_test
from pettingzoo.test.seed_test import seed_test

from fujikoro_env import Game, IllegalActionError, Outcome, Rules, RulesError, fujikoro_v0
from fujikoro_env.observation import FIELDS, columns, observation_space, observe
from fujikoro_env.rules import actions as act
from fujikoro_env.rules.names import Where
from fujikoro_env.rules.phases import Phase
from fujikoro_env.rules.state import PLAYERS
from fujikoro_env.settings import OPTIONS
from tools import make_docs

PLAYER_COUNTS = range(2, 7)
SHORT = 12  # rounds: enough to find, gather and craft
# What PettingZoo's test says of every environment with a masked dictionary that it does not know by name.
ORDINARY_WARNINGS = {
    "Observation is not a NumPy array": "it is a dictionary with a mask",
    "Observation space for each agent probably should be": "so is the space",
}
ordinary_warnings = pytest.mark.filterwarnings(*(f"ignore:{message}" for message in ORDINARY_WARNINGS))


def seeded(**kwargs: Any) -> Any:
    """An environment in which the actions drawn from the action spaces are the same in every run."""
    env = fujikoro_v0.env(**kwargs)
    for seat, agent in enumerate(env.possible_agents):
        env.action_space(agent).seed(seat)
    return env


def random_play(env: Any, decisions: int = 1 << 30) -> Iterator[tuple[str, dict[str, Any]]]:
    """Random legal actions for all agents: who acts and what it saw, until the game is over."""
    for agent in env.agent_iter(decisions):
        observation, _, termination, _, _ = env.last()
        if termination:
            return
        yield agent, observation
        env.step(env.action_space(agent).sample(observation["action_mask"]))


def random_games(players: int, max_rounds: int, games: int = 2) -> Iterator[Game]:
    """Every position of some random games, the final ones too."""
    for seed in range(games):
        game, luck = Game(Rules(players=players, max_rounds=max_rounds), seed), np.random.default_rng(seed)
        while not game.over:
            yield game
            game.step(luck.choice(game.legal_actions()))
        yield game


def equal(one: dict[str, Any], other: dict[str, Any]) -> bool:
    return one.keys() == other.keys() and all(np.array_equal(one[name], other[name]) for name in one)


# --- PettingZoo's own tests -----------------------------------------------------------------------------------------


@ordinary_warnings
@pytest.mark.parametrize("players", PLAYER_COUNTS)
def test_it_passes_the_api_test(players):
    api_test(seeded(players=players, max_rounds=SHORT), num_cycles=1000)


@pytest.mark.parametrize("players", PLAYER_COUNTS)
def test_it_passes_the_seed_test(players):
    seed_test(lambda: fujikoro_v0.env(players=players, max_rounds=SHORT), num_cycles=500)


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
    assert list(env.rewards.values()) == fujikoro_v0.rank_rewards(env.game.outcome)


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
    assert told == dict(zip(env.possible_agents, fujikoro_v0.rank_rewards(env.game.outcome), strict=True))


@pytest.mark.parametrize(
    ("ranking", "rewards"),
    [
        ((1, 2), [1, -1]),
        ((4, 1, 2, 3), [-1, 1, 1 / 3, -1 / 3]),
        ((1, 1, 3), [0.5, 0.5, -1]),
        ((2, 1, 2, 4), [0, 1, 0, -1]),
        ((1, 1, 1, 1), [0, 0, 0, 0]),
        ((1, 6, 2, 2, 2, 5), [1, -1, 0.2, 0.2, 0.2, -0.6]),
    ],
)
def test_rank_rewards_are_even_and_zero_sum(ranking, rewards):
    outcome = Outcome("round_cap", ranking, scores=(0,) * len(ranking), winners=())
    assert fujikoro_v0.rank_rewards(outcome) == pytest.approx(rewards)
    assert sum(fujikoro_v0.rank_rewards(outcome)) == pytest.approx(0, abs=1e-12)


def test_only_who_is_asked_has_legal_actions():
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


def test_an_action_out_of_the_space_is_caught_by_the_wrapper():
    env = fujikoro_v0.env(players=2)
    env.reset(seed=1)
    with pytest.raises(AssertionError, match="action is not in action space"):
        env.step(act.ACTIONS)


# --- seeds, copies --------------------------------------------------------------------------------------------------


def test_the_seed_is_that_of_the_game():
    env = fujikoro_v0.env(players=3, adventure_tokens=False, monk_to_pack=True)
    env.reset(seed=7)
    assert env.game.digest() == Game(Rules(players=3, adventure_tokens=False, monk_to_pack=True), 7).digest()


def row_of_games(seed: int) -> list[str]:
    """Digests of the games that follow one with a seed."""
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
def test_a_copy_in_mid_game_goes_on_identically(copied, make):
    env = make(players=3, max_rounds=SHORT)
    env.reset(seed=3)
    for _ in random_play(env, decisions=100):
        pass
    twin = copied(env)
    for (agent, seen), (twin_agent, twin_seen) in zip(random_play(env), random_play(twin), strict=True):
        assert agent == twin_agent
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


@pytest.mark.parametrize(
    ("arguments", "error", "line"),
    [
        ({"players": 7}, RulesError, "players=7: allowed are the numbers 2 to 6 (SETUP-1)"),
        ({"lava": 1}, RulesError, f"unknown option 'lava': there are {', '.join(sorted(OPTIONS))}"),
        ({"reward": "fame"}, ValueError, "reward='fame': allowed are 'rank'"),
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


# --- observations ---------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("players", PLAYER_COUNTS)
def test_observations_lie_in_their_space(players):
    space = observation_space()
    for number, game in enumerate(random_games(players, max_rounds=80, games=1)):
        seen = game.observe(number % players)
        assert space.contains(seen), [name for name in seen if not space[name].contains(seen[name])]


def test_names_are_unique():
    assert len({field.name for field in FIELDS}) == len(FIELDS)
    for field in FIELDS:
        assert len(field.slices) == len(field.columns)


def peeked(game: Game, player: int) -> None:
    """As if the player had looked at the top tile of the second stack, with dice and draws loaded."""
    game.state.top[1], game.state.top_seen[1] = 1 + int(game.state.tiles_left[1]).bit_length() - 1, 1 << player
    game.load_dice(["W1"])
    game.load_draws("tiles1", [0])


@pytest.mark.parametrize("players", [2, 6])
def test_observations_show_nothing_hidden(players):
    for number, game in enumerate(random_games(players, max_rounds=SHORT, games=1)):
        if number % 20 or game.state.tiles_left[1] == 0:
            continue
        position = game.clone()
        peeked(position, number % players)
        for player in range(players):
            seen = position.observe(player)
            assert equal(seen, position.view(player).observe(player))
            assert equal(seen, position.determinize(player, 1).observe(player))
            assert equal(seen, position.determinize(player, 2).observe(player))


def test_the_top_of_a_stack_is_shown_to_who_has_looked():
    game = Game(Rules(players=3), seed=1)
    peeked(game, 2)
    stacks = [game.observe(player)["stacks"] for player in range(3)]
    tops = [stack[:, columns("stacks")["known_top"]].ravel().tolist() for stack in stacks]
    assert tops == [[0, 0, 0], [0, 0, 0], [0, int(game.state.top[1]), 0]]
    lookers = [stack[1, columns("stacks")["seen"]].tolist() for stack in stacks]
    assert lookers == [[0, 0, 1, 0, 0, 0], [0, 1, 0, 0, 0, 0], [1, 0, 0, 0, 0, 0]]


@pytest.mark.parametrize("players", [2, 3, 5])
def test_seats_are_relative_to_the_observer(players):
    *_, game = random_games(players, max_rounds=SHORT, games=1)
    for observer in range(players):
        seen, others = game.observe(observer), game.observe(0)
        order = [(observer + seat) % players for seat in range(players)]
        for name in ("players", "gear"):
            assert np.array_equal(seen[name][:players], others[name][order])
            assert not seen[name][players:].any()
        samurai = columns("map")["samurai"]
        assert np.array_equal(seen["map"][:, samurai][:, :players], others["map"][:, samurai][:, order])


def test_a_player_sees_who_is_asked_what():
    for game in random_games(3, max_rounds=SHORT, games=1):
        turn = game.observe(1)["turn"]
        phase, actor, active = (turn[columns("turn")[name]].item() for name in ("phase", "actor", "active"))
        assert phase == (Phase.NONE if game.over else game.phase)
        assert actor == (0 if game.over else (game.actor - 1) % 3 + 1)
        assert active == (game.state.active - 1) % 3


def test_a_player_sees_scores_and_places():
    *_, game = random_games(4, max_rounds=SHORT, games=1)
    seen = game.observe(0)
    assert seen["players"][:4, columns("players")["vp"]].ravel().tolist() == list(game.scores)
    assert seen["players"][:, columns("players")["plays"]].ravel().tolist() == [1, 1, 1, 1, 0, 0]
    standing = seen["map"][:, columns("map")["samurai"]]
    assert standing.sum(axis=0).tolist() == [1, 1, 1, 1, 0, 0]
    assert [int(np.flatnonzero(standing[:, seat])[0]) for seat in range(4)] == [p.at for p in game.state.players[:4]]


def test_cells_and_spaces_are_numbered_as_in_the_actions():
    game = Game(Rules(players=2), seed=1)
    while game.phase != Phase.SETUP_CUBES:
        game.step(game.legal_actions()[0])
    player, lay = game.actor, game.parse_action("lay(metal, weapon[2,3])")
    game.step(lay)
    gear = game.observe(player)["gear"][0]
    cell = game.parse_action("cell(weapon[2,3])") - act.CELL
    assert gear[cell] == 2
    assert np.count_nonzero(gear) == 1
    temple = game.parse_action("step(temple1)") - act.STEP
    game.state.players[player].at = temple
    assert game.observe(player)["map"][temple, columns("map")["samurai"]][0] == 1


def test_owners_of_cards_are_seats():
    game = Game(Rules(players=3), seed=1)
    game.state.blueprints[0].where = Where.OWNED + 2
    first_blueprint = act.TABLE["card"].size
    where = [game.observe(player)["cards"][first_blueprint, columns("cards")["where"]].item() for player in range(3)]
    assert where == [Where.OWNED + 2, Where.OWNED + 1, Where.OWNED]


def test_an_observation_is_a_copy():
    game = Game(Rules(players=2), seed=1)
    before = game.digest()
    for array in observe(game.state, 0).values():
        array[...] = 1
    assert game.digest() == before


def test_sizes_do_not_depend_on_the_player_count():
    shapes = [{name: array.shape for name, array in Game(Rules(players=n)).observe(0).items()} for n in PLAYER_COUNTS]
    assert all(shape == shapes[0] for shape in shapes)
    assert shapes[0]["players"][0] == PLAYERS


# --- documentation, imports -----------------------------------------------------------------------------------------


@pytest.mark.parametrize("path", make_docs.pages(), ids=lambda path: path.name)
def test_what_is_made_from_tables_is_up_to_date(path):
    assert path.read_text() == make_docs.pages()[path], "run: python tools/make_docs.py"


def test_the_docstring_has_the_tables_and_a_version():
    page = fujikoro_v0.__doc__ or ""
    assert make_docs.field_table() in page
    assert make_docs.block_table() in page
    assert f"Discrete({act.ACTIONS})" in page
    assert f"* {fujikoro_v0.raw_env.metadata['name'].removeprefix('fujikoro_')}:" in page


def test_the_example_of_the_docstring_runs(capsys):
    (example,) = re.findall(r"```python\n(.*?)```", fujikoro_v0.__doc__ or "", re.DOTALL)
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
