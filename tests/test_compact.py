"""The compact observation: within bounds, seat-relative, nothing hidden, the same compiled as in plain Python."""

import os
import subprocess
import sys
from pathlib import Path

import numpy as np
import pytest

from fujikoro_env import BatchedGames, Rules
from fujikoro_env.observation import compact_columns, observe_compactly
from fujikoro_env.observation.compact import DIVISORS, PARTS, STARTS, WIDTH
from fujikoro_env.rules.jit import INTERPRETED
from fujikoro_env.rules.phases import QUESTIONS, Phase
from tests.compact_sample import digests, seen_by
from tests.helpers import ASKED, do, lay, one_of_each_phase, put, put_gear, put_pack, space, table
from tests.test_random_games import every, random_game

ROOT = Path(__file__).parent.parent
STEPS = 30 if INTERPRETED else 1500
NAMES = [f"{p.name}.{c.name}" for p in PARTS for _ in range(p.rows) for c in p.columns for _ in range(c.width)]
LOWS = np.array([c.low for p in PARTS for _ in range(p.rows) for c in p.columns for _ in range(c.width)])


def column(vector, part, name):
    """(rows, width) of one column, or (width,) where the part has one row."""
    found = vector[compact_columns(part)[name]]
    return found[0] if len(found) == 1 else found


def assert_within_bounds(vectors):
    outside = ~((vectors >= LOWS) & (vectors <= 1))  # also what is no number
    assert not outside.any(), {NAMES[index] for index in np.nonzero(outside)[-1]}


# The table


def test_the_width_is_that_of_the_table():
    assert sum(part.width for part in PARTS) == WIDTH == len(DIVISORS) == len(LOWS) <= 1500
    assert (DIVISORS > 0).all()
    assert all(len(c.highs) == c.width for part in PARTS for c in part.columns)
    assert len({part.name for part in PARTS}) == len(PARTS)


def test_columns_cover_the_vector_once():
    found = np.concatenate([where.ravel() for part in PARTS for where in compact_columns(part.name).values()])
    assert sorted(found) == list(range(WIDTH))
    assert compact_columns("map")["ground"][0, 0] == STARTS["map"]


def test_phases_that_ask_are_numbered_without_gaps():
    assert sorted(QUESTIONS) == list(range(1, len(QUESTIONS) + 1))


# Bounds


@pytest.mark.parametrize("players", [2, 3, 4, 5, 6])
def test_bounds_hold_in_random_games(players):
    games = BatchedGames(Rules(players, max_rounds=40), n=4 if INTERPRETED else 24, seed=players)
    out = np.full((games.n, games.width), np.nan, np.float32)
    for step in range(STEPS):
        if step % 10 == 0:
            out[:] = np.nan
            assert_within_bounds(games.observe(out=out, observers=np.full(games.n, step // 10 % players)))
        games.step(games.random_actions())


@pytest.mark.parametrize("phase", ASKED, ids=lambda phase: phase.name)
def test_bounds_hold_in_every_phase(phase):
    game = one_of_each_phase()[phase]
    for player in range(game.rules.players):
        seen = seen_by(game, player)
        assert_within_bounds(seen)
        assert column(seen, "question", "phase").nonzero()[0].tolist() == [phase]
        assert column(seen, "turn", "my_question")[0] == (player == game.actor)


def test_a_game_that_is_over_can_be_observed():
    *_, game = random_game(3, seed=2)
    assert game.over
    seen = seen_by(game, 0)
    assert_within_bounds(seen)
    assert column(seen, "question", "phase").nonzero()[0].tolist() == [Phase.NONE]


# Nothing hidden


@pytest.mark.parametrize("players", [2, 4, 6])
def test_what_a_player_can_not_see_changes_nothing(players):
    for k, game in every(11, random_game(players, seed=players)):
        player = k % players
        seen = seen_by(game, player).tobytes()
        assert seen_by(game.view(player), player).tobytes() == seen
        assert seen_by(game.determinize(player, seed=k), player).tobytes() == seen


def test_observing_changes_nothing():
    game = table()
    before = game.digest()
    seen_by(game, 1)
    assert game.digest() == before


# Compiled or not


def test_plain_python_sees_the_same():
    environment = {**os.environ, "NUMBA_DISABLE_JIT": "1", "PYTHONPATH": str(ROOT)}
    command = [sys.executable, "-m", "tests.compact_sample"]
    done = subprocess.run(command, cwd=ROOT, env=environment, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr
    assert done.stdout.split() == digests()


# What it says


def test_the_observer_is_seat_0():
    game = table(players=3)
    game.state.players["vp"][:3] = 4, 8, 12
    for player, order in enumerate(([4, 8, 12], [8, 12, 4], [12, 4, 8])):
        seen = seen_by(game, player)
        assert column(seen, "players", "vp")[:, 0] == pytest.approx([vp / 40 for vp in order] + [0, 0, 0])
        assert column(seen, "players", "plays")[:, 0].tolist() == [1, 1, 1, 0, 0, 0]


def test_more_than_a_lot_is_cut_off():
    game = table()
    game.state.players[0].vp = 200
    assert column(seen_by(game, 0), "players", "vp")[0, 0] == 1


def test_loot_fades_with_the_way():
    game = table()
    lay(game, "ring1.0", "mossy_gate")
    loot = column(seen_by(game, 0), "map", "loot")[:, 0]
    tokens = np.flatnonzero((game.state.token != 0) & (game.state.face_up != 0))
    assert len(tokens) > 0
    assert loot[tokens].min() >= 0.2
    ground = np.flatnonzero(game.state.terrain[1:8] == 1) + 1
    assert (loot[ground] > 0).all()
    assert loot[space("ring2.0/centre")] == 0


def test_the_frontier_is_where_tiles_can_be_laid():
    game = table()
    frontier = column(seen_by(game, 0), "map", "frontier")[:, 0]
    assert frontier[space("start")] == pytest.approx(0.3)
    assert frontier[space("ring1.0/centre")] == 0


def test_the_way_to_a_dragon():
    game = table()
    lay(game, "ring1.1", "azure_burrow")
    seen = seen_by(game, 0)
    ways = column(seen, "map", "dragon")[:, 0]
    assert ways[space("ring1.1/centre")] == 1
    assert ways[space("start")] == pytest.approx(0.75)
    assert column(seen, "places", "dragon")[:, 0].nonzero()[0].tolist() == [1]


def test_cards_say_what_is_missing():
    game = table()
    put_gear(game, 0, helmet=[], weapon=[], sandals=[])
    put_pack(game, 0)
    seen = seen_by(game, 0)
    slot = 0
    needs = game.rules.tables[0].gear_cards[game.state.gear_cards[slot].card - 1].needs
    assert column(seen, "cards", "owner")[slot, 0] == 0.5
    assert column(seen, "cards", "missing")[slot] == pytest.approx(np.minimum(1, needs / 8))
    put_pack(game, 0, wood=3, metal=2, tooth=1)
    rest = np.maximum(0, needs - [3, 2, 1])
    assert column(seen_by(game, 0), "cards", "missing")[slot] == pytest.approx(np.minimum(1, rest / 8))


def test_the_tile_in_hand_is_shown_while_it_is_turned():
    game = table()
    do(game, "explore")
    assert not column(seen_by(game, 0), "tile", "ground").any()
    do(game, "place(ring1.0)")
    tile = game.rules.tables[0].tiles[game.state.stack[game.state.depth - 1].thing - 1]
    codes = np.where(tile.lava, 8, tile.eruption) / 8
    assert column(seen_by(game, 0), "tile", "ground")[:, 0] == pytest.approx(codes)


def test_where_a_samurai_stands():
    game = table()
    lay(game, "ring1.0", "mossy_gate")
    put(game, 0, "ring1.0/centre")
    assert column(seen_by(game, 1), "players", "place")[1] == pytest.approx([0.2, 0.1])


def test_an_array_to_write_into_must_fit():
    game = table()
    with pytest.raises(ValueError, match=f"shape \\(1, {WIDTH}\\)"):
        observe_compactly(game._games, game._tables, np.zeros(1, np.int64), np.zeros((1, 5), np.float32))
