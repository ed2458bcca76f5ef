"""The tensor observation, and properties of both encodings: bounds, seats, nothing hidden, everything public."""

import copy
from collections.abc import Iterator
from typing import Any

import numpy as np
import pytest

from fujikoro_env import Game, Rules, fujikoro_v0
from fujikoro_env.kernel.jit import INTERPRETED
from fujikoro_env.observation import (
    FIELDS,
    OBSERVATIONS,
    TensorArrays,
    columns,
    global_state,
    observation_space,
    observe_tensors,
    state_space,
)
from fujikoro_env.observation.numbers import ALL_NUMBERS
from fujikoro_env.observation.tensor import observe_tensor
from fujikoro_env.rules.base import actions as act
from fujikoro_env.rules.base.phases import Phase
from fujikoro_env.rules.base.state import PLAYERS
from tests.helpers.decoded import Decoder, differences, on_spaces
from tests.helpers.midgame import midgame
from tests.helpers.tables import ASKED, integers, one_of_each_phase

KINDS_OF_GAME: dict[str, dict[str, Any]] = {
    **{f"{n} players": {"players": n} for n in range(2, 7)},
    **{f"{n} in co-op": {"players": n, "mode": "coop"} for n in (1, 2, 4, 6)},
    "characters": {"players": 4, "characters": "random"},
    "characters in co-op": {"players": 3, "mode": "coop", "characters": "random"},
    "no tokens, asked all": {"players": 3, "adventure_tokens": False, "peaceful": True, "ask_forced": True},
    **{f"scenario {n}": {"scenario": n} for n in range(1, 9)},
    "scenario 3 in co-op": {"scenario": 3, "mode": "coop", "players": 2},
}
kinds_of_game = pytest.mark.parametrize("settings", KINDS_OF_GAME.values(), ids=KINDS_OF_GAME)
STARTS = 1 if INTERPRETED else 4
DECISIONS = 40 if INTERPRETED else 300


def positions(settings: dict[str, Any], every: int) -> Iterator[tuple[Game, int]]:
    """Positions of games that start from mid-game, each with an observing player."""
    rules = Rules(**settings)
    for seed in range(STARTS):
        luck = np.random.default_rng(seed)
        game = Game(rules, seed) if seed == 0 else midgame(rules, seed)
        for decision in range(DECISIONS):
            if decision % every == 0 or game.over:
                yield game, decision % rules.players
            if game.over:
                break
            game.step(int(luck.choice(game.legal_actions())))


def equal(one: Any, other: Any) -> bool:
    if isinstance(one, dict):
        return one.keys() == other.keys() and all(np.array_equal(one[name], other[name]) for name in one)
    return np.array_equal(one, other)


# --- what must hold in every game -------------------------------------------------------------------------------------


@kinds_of_game
def test_observations_lie_in_their_spaces(settings):
    spaces: dict[str, Any] = {kind: observation_space(kind) for kind in OBSERVATIONS}
    everything = state_space()
    for game, player in positions(settings, every=3):
        seen = game.observe(player)
        assert spaces["tensor"].contains(seen), [n for n in seen if not spaces["tensor"][n].contains(seen[n])]
        assert spaces["compact"].contains(game.observe(player, "compact"))
        assert everything.contains(game.global_state())


@kinds_of_game
def test_everything_public_can_be_read_back(settings):
    for game, player in positions(settings, every=9):
        assert not differences(game, player), game.phase


@pytest.mark.parametrize("phase", ASKED, ids=lambda phase: phase.name)
def test_everything_public_can_be_read_back_in_every_phase(phase):
    game = one_of_each_phase()[phase]
    for player in range(game.rules.players):
        assert not differences(game, player)


def peeked(game: Game, player: int) -> Game:
    """The game as if the player had looked at the top tile of the second stack, with dice and draws loaded."""
    copy = game.clone()
    copy.state.top[1], copy.state.top_seen[1] = int(copy.state.tiles_left[1]).bit_length(), 1 << player
    copy.load_dice(["W1"])
    copy.load_draws("tiles1", [0])
    return copy


@kinds_of_game
@pytest.mark.parametrize("kind", OBSERVATIONS)
def test_nothing_hidden_shows(settings, kind):
    for game, looker in positions(settings, every=29):
        if game.rules.is_coop or game.state.tiles_left[1] == 0:
            position = game  # in co-op all see what one looks at
        else:
            position = peeked(game, looker)
        for player in range(game.rules.players):
            seen = position.observe(player, kind)
            assert equal(seen, position.view(player).observe(player, kind))
            for seed in (1, 2):
                assert equal(seen, position.determinize(player, seed).observe(player, kind))


@pytest.mark.parametrize("players", [2, 3, 5])
def test_seats_are_relative_to_the_observer(players):
    game = midgame(Rules(players=players), seed=players)
    others = game.observe(0)
    for observer in range(players):
        seen = game.observe(observer)
        order = [(observer + seat) % players for seat in range(players)]
        for name in ("players", "gear", "fighters"):
            assert np.array_equal(seen[name][:players], others[name][order])
            assert not seen[name][players:].any()
        samurai = columns("map")["samurai"]
        assert np.array_equal(seen["map"][samurai][:players], others["map"][samurai][order])


# --- the table --------------------------------------------------------------------------------------------------------


def test_names_are_unique():
    assert len({field.name for field in FIELDS}) == len(FIELDS)
    for field in FIELDS:
        assert len(field.slices) == len(field.columns)


def test_writers_write_as_much_as_the_table_says():
    for settings in KINDS_OF_GAME.values():
        game = Game(Rules(**settings), seed=1)
        held = TensorArrays.empty(1)
        who, compiled = integers([0]), game.compiled
        written = observe_tensor(compiled.games, compiled.tables, who, 0, 1, False, held.rows)
        assert written == ALL_NUMBERS


def test_sizes_do_not_depend_on_the_game():
    shapes = [
        {name: (array.shape, array.dtype) for name, array in Game(Rules(**settings)).observe(0).items()}
        for settings in KINDS_OF_GAME.values()
    ]
    assert all(shape == shapes[0] for shape in shapes)
    assert shapes[0]["players"][0][0] == PLAYERS


def test_an_unknown_kind_gets_one_line():
    with pytest.raises(ValueError, match=r"observation 'flat': allowed are 'tensor', 'compact'"):
        Game(Rules(2)).observe(0, "flat")


# --- many games, given arrays -----------------------------------------------------------------------------------------


def test_given_arrays_are_written_into():
    game = midgame(Rules(players=3), seed=1)
    held = TensorArrays.empty(1)
    arrays = held.arrays
    seen = observe_tensors(game.compiled.games, game.compiled.tables, np.array([2]), held)
    assert all(np.shares_memory(arrays[name], seen[name]) for name in seen)
    assert all(np.array_equal(arrays[name][0], array) for name, array in game.observe(2).items())


def test_the_environment_sees_what_the_game_shows():
    """The environment reuses parts of the observation that seldom change."""
    env = fujikoro_v0.raw_env(players=3, adventure_tokens=True)
    copied = env
    for seed in (1, 2):
        env.reset(seed=seed)
        for decision in range(20 if INTERPRETED else 500):
            env.step(int(np.random.default_rng(decision).choice(env.game.legal_actions())))
            assert_env_shows_the_game(env, env.possible_agents[decision % 3])
            if decision % 100 == 10:
                copied = copy.deepcopy(env)
                copied.game.state.eruption[7] += 1
                assert_env_shows_the_game(copied, "samurai_0")
    copied.game.state.settings.players = 2  # the health of dragons follows
    assert_env_shows_the_game(copied, "samurai_0")


def assert_env_shows_the_game(env, agent):
    seen, shown = env.observe(agent), env.game.observe(env.possible_agents.index(agent))
    assert seen["observation"].keys() == shown.keys()
    assert [name for name in shown if not np.array_equal(seen["observation"][name], shown[name])] == []
    assert seen["action_mask"].any() == (agent == env.agent_selection)


def test_nobody_sees_zeros():
    game = midgame(Rules(players=3), seed=1)
    seen = observe_tensors(game.compiled.games, game.compiled.tables, np.array([-1]))
    assert not any(array.any() for array in seen.values())


def test_arrays_that_do_not_fit_get_one_line():
    game = Game(Rules(2))
    with pytest.raises(ValueError, match="room for 1 games is needed, but it has room for 2"):
        observe_tensors(game.compiled.games, game.compiled.tables, np.zeros(1, np.int64), TensorArrays.empty(2))
    with pytest.raises(ValueError, match=r"planes: a contiguous uint8 array of shape \(2, \d+\) is needed"):
        TensorArrays(np.zeros((2, 5), np.uint8), TensorArrays.empty(2).numbers)


def test_an_observation_is_a_copy():
    game = Game(Rules(players=2), seed=1)
    before = game.digest()
    for array in game.observe(0).values():
        array[...] = 1
    assert game.digest() == before


# --- what it says -----------------------------------------------------------------------------------------------------


def test_the_top_of_a_stack_is_shown_to_players_who_have_looked():
    game = peeked(Game(Rules(players=3), seed=1), 2)
    seen = [game.observe(player) for player in range(3)]
    tops = [one["tiles"][1:, columns("tiles")["tile"]].ravel().tolist() for one in seen]
    assert tops == [[0, 0, 0], [0, 0, 0], [0, 16 + int(game.state.top[1]), 0]]
    lookers = [one["stacks"][1, columns("stacks")["seen"]].tolist() for one in seen]
    assert lookers == [[0, 0, 1, 0, 0, 0], [0, 1, 0, 0, 0, 0], [1, 0, 0, 0, 0, 0]]


def test_the_global_state_knows_what_anybody_has_looked_at():
    game = peeked(Game(Rules(players=3), seed=1), 2)
    flat = {field.name: field.width for field in FIELDS}
    state, start = game.global_state(), 0
    seen = {}
    for field in FIELDS:
        seen[field.name] = state[start : start + flat[field.name]].reshape(field.shape)
        start += flat[field.name]
    assert start == len(state)
    assert Decoder(seen, 0).s.top.tolist() == game.state.top.tolist()
    assert np.array_equal(state, global_state(game.compiled.games, game.compiled.tables))


def test_a_player_sees_who_is_asked_what():
    game = midgame(Rules(players=3), seed=1)
    while not game.over and game.state.round_number < 12:
        turn = game.observe(1)["turn"]
        assert turn[columns("turn")["phase"]].nonzero()[0].tolist() == [game.phase]
        assert turn[columns("turn")["actor"]].item() == (game.actor - 1) % 3 + 1
        assert turn[columns("turn")["active"]].item() == (game.state.active - 1) % 3
        game.step(int(game.legal_actions()[-1]))


def test_a_player_sees_scores_and_places():
    game = Game(Rules(players=4), seed=1)
    seen = game.observe(0)
    assert seen["players"][:4, columns("players")["vp"]].ravel().tolist() == list(game.scores)
    assert seen["players"][:, columns("players")["plays"]].ravel().tolist() == [1, 1, 1, 1, 0, 0]
    standing = on_spaces(seen, "samurai")
    assert standing.sum(axis=0).tolist() == [1, 1, 1, 1, 0, 0]
    assert [int(np.flatnonzero(standing[:, seat])[0]) for seat in range(4)] == [p.at for p in game.state.players[:4]]


def test_cells_and_spaces_are_where_the_actions_say():
    game = Game(Rules(players=2), seed=1)
    while game.phase != Phase.SETUP_CUBES:
        game.step(game.legal_actions()[0])
    player = game.actor
    game.step(game.parse_action("lay(metal, weapon[2,3])"))
    cubes = game.observe(player)["gear"][0, columns("gear")["cubes"]]
    helmet_rows = 3
    assert np.argwhere(cubes).tolist() == [[1, helmet_rows + 2, 3]]
    temple = game.parse_action("step(temple1)") - act.STEP
    game.state.players[player].at = temple
    assert on_spaces(game.observe(player), "samurai")[temple, 0] == 1


def test_owners_of_cards_are_seats():
    game = Game(Rules(players=3), seed=1)
    game.state.blueprints[0].where = 6 + 2
    first_blueprint = act.TABLE["card"].size
    owners = [game.observe(player)["cards"][first_blueprint, columns("cards")["owner"]].item() for player in range(3)]
    assert owners == [3, 2, 1]
