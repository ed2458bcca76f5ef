"""The compact observation: within bounds, seat-relative, nothing hidden, the same compiled as in plain Python."""

import os
import subprocess
import sys

import numpy as np
import pytest

from fujikoro_env import BatchedGames, Rules
from fujikoro_env.envs.batch import WAITS
from fujikoro_env.kernel.jit import INTERPRETED
from fujikoro_env.observation import compact_columns, observe_compactly
from fujikoro_env.observation.compact import BYTE, COUNTED, PARTS, SCALES, STARTS, WAYS_TO, WIDTH
from fujikoro_env.observation.reach import FRONTIER_TIERS, FULL, LEVELS, STOCK_TIER, TOKEN_TIERS, VALUES
from fujikoro_env.rules.base.names import Where
from fujikoro_env.rules.base.phases import QUESTIONS, Phase
from fujikoro_env.rules.map.geometry import FIRST_TEMPLE, SPACES, START, TEMPLES, geometry
from tests.games.test_random_games import every, random_game
from tests.helpers.compact_sample import digests, seen_by
from tests.helpers.processes import ROOT, search_path
from tests.helpers.tables import ASKED, do, lay, one_of_each_phase, put, put_gear, put_pack, space, table

WALKING = (Phase.ACTION, Phase.MOVE, Phase.FLEE, Phase.JUMP, Phase.RETREAT_TO)
STEPS = 30 if INTERPRETED else 1500
NAMES = [f"{p.name}.{c.name}" for p in PARTS for _ in range(p.rows) for c in p.columns for _ in range(c.width)]
LOWS = np.array([c.low for p in PARTS for _ in range(p.rows) for c in p.columns for _ in range(c.width)])


def space_name(number):
    return geometry().space_names[number]


def column(vector, part, name):
    """Values of one column, (rows, width), or (width,) if the part has one row."""
    found = vector[compact_columns(part)[name]]
    return found[0] if len(found) == 1 else found


def way(vector, name):
    return column(vector, name, "value")[:, 0]


def assert_within_bounds(vectors):
    outside = ~((vectors >= LOWS) & (vectors <= 1))  # also what is no number
    assert not outside.any(), {NAMES[index] for index in np.nonzero(outside)[-1]}


# The table


def test_the_width_is_that_of_the_table():
    assert sum(part.width for part in PARTS) == WIDTH == len(SCALES) == len(LOWS) <= 1500
    assert (SCALES > 0).all()
    assert all(len(c.highs) == c.width for part in PARTS for c in part.columns)
    assert len({part.name for part in PARTS}) == len(PARTS)


def test_columns_cover_the_vector_once():
    found = np.concatenate([where.ravel() for part in PARTS for where in compact_columns(part.name).values()])
    assert sorted(found) == list(range(WIDTH))
    assert compact_columns("ground")["code"][0, 0] == STARTS["ground"]


def test_cells_are_written_by_eights_within_the_counts():
    """Values written beyond the last cell of a gear are overwritten later, because enough other counts follow."""
    assert compact_columns("cells")["cube"].max() + BYTE < COUNTED


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


# Updated rows

FOLLOWED = {
    "two": Rules(2, max_rounds=6),
    "three, asked also when forced": Rules(3, max_rounds=4, ask_forced=True),
    "five with characters": Rules(5, max_rounds=6, characters="random"),
    "six": Rules(6, max_rounds=6),
    "soon over, all options": Rules(4, final_at=8, monk_to_pack=True, scroll_replace_anytime=True, rope_catches=True),
    "coop": Rules(3, mode="coop"),
    "solo": Rules(mode="solo"),
    **{f"scenario {number}": Rules(scenario=number) for number in range(1, 9)},
}


def assert_up_to_date(games):
    """Updated rows must equal newly written ones."""
    written = games.observe("compact")
    differ = np.flatnonzero((games.observations.view(np.uint32) != written.view(np.uint32)).any(axis=0))
    assert not len(differ), {NAMES[index] for index in differ}


@pytest.mark.parametrize("name", FOLLOWED)
def test_rows_brought_up_to_date_are_those_written_anew(name):
    games = BatchedGames(FOLLOWED[name], n=2 if INTERPRETED else 16, seed=4, observation="compact")
    games.play_at_random(np.linspace(0, 2 if INTERPRETED else 2000, games.n).astype(np.int64))
    ends = 0
    for _ in range(5 if INTERPRETED else 800):
        games.step(games.random_actions())
        assert_up_to_date(games)
        ends += games.dones.sum()
    assert ends > 0 or INTERPRETED


def test_rows_are_up_to_date_after_waiting_jumps_and_new_deals():
    games = BatchedGames(Rules(3, max_rounds=9, characters="random"), n=6, seed=5, observation="compact")
    luck = np.random.default_rng(1)
    for _ in range(2 if INTERPRETED else 40):
        for _ in range(5):
            games.step(np.where(luck.random(games.n) < 0.5, WAITS, games.random_actions()))
            assert_up_to_date(games)
        games.play_at_random(luck.integers(0, 60, games.n))
        assert_up_to_date(games)
        if luck.random() < 0.3:
            games.restart()
            assert_up_to_date(games)


def test_what_a_given_array_held_before_does_not_matter():
    given = np.full((4, WIDTH), np.nan, np.float32)
    games = BatchedGames(Rules(2), n=4, seed=1, observation="compact", arrays={"observations": given})
    assert_up_to_date(games)
    assert games.observations is given


def test_rows_that_others_wrote_into_are_written_anew():
    games = BatchedGames(Rules(2), n=4, seed=1, observation="compact")
    games.observe("compact", out=games.observations, observers=1 - games.actors)
    games.step(games.random_actions())
    assert_up_to_date(games)
    games.observations[:] = np.nan
    games.restart()
    assert_up_to_date(games)


# Compiled or not


def test_plain_python_sees_the_same():
    environment = {**os.environ, "NUMBA_DISABLE_JIT": "1", "PYTHONPATH": search_path(ROOT)}
    command = [sys.executable, "-m", "tests.helpers.compact_sample"]
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


def plain_ways(game, player, sources):
    """Value of the best thing in reach of each space, computed step by step."""
    s, shape = game.state, geometry()
    dragons = [shape.place_of[k] >= 0 and s.dragon_at[shape.place_of[k]] != 0 for k in range(SPACES)]
    free = [s.terrain[k] == 1 and not dragons[k] for k in range(SPACES)]
    free[s.players[player].at] = True
    levels = dict(sources)
    for _ in range(LEVELS):
        for here, level in list(levels.items()):
            for there in shape.neighbours[here, : shape.neighbour_count[here]]:
                if free[there] and level + 1 < levels.get(there, LEVELS):
                    levels[there] = level + 1
    return levels


def sources_of_dragons(game):
    s, shape = game.state, geometry()
    held = [k for k in range(SPACES) if shape.place_of[k] >= 0 and s.dragon_at[shape.place_of[k]] and s.terrain[k] == 1]
    return dict.fromkeys(held, 0)


def sources_of_frontier(game, player):
    s, t, shape = game.state, game.rules.tables[0], geometry()
    dragons = sources_of_dragons(game)
    tiers = {}
    for k in range(SPACES):
        places = [p for p in shape.touched_places[k] if p >= 0 and s.tile[p] == 0 and s.tiles_left[t.place_ring[p] - 1]]
        stands = k == s.players[player].at or (s.terrain[k] == 1 and k not in dragons)
        if stands and places:
            tiers[k] = min(FRONTIER_TIERS[t.place_ring[p] - 1] for p in places)
    return tiers


def sources_of_loot(game, player):
    """Tiers of the spaces where something can be gathered, in games without adventures, for a player with room."""
    s, shape = game.state, geometry()
    tiers = dict.fromkeys([START, *range(FIRST_TEMPLE, FIRST_TEMPLE + TEMPLES)], STOCK_TIER)
    for k in range(SPACES):
        if s.token[k] and s.face_up[k] and s.terrain[k] == 1 and not s.dragon_at[shape.place_of[k]]:
            tiers[k] = TOKEN_TIERS[shape.place_ring[shape.place_of[k]] - 1]
    return tiers


@pytest.mark.parametrize("players", [2, 4, 6])
def test_ways_are_those_of_a_slow_search(players):
    compared = 0
    for _, game in every(13, random_game(players, seed=players)):
        if game.over or game.phase not in WALKING:
            continue
        player = game.actor
        seen = seen_by(game, player)
        assert_ways(game, player, way(seen, "frontier"), sources_of_frontier(game, player))
        assert_ways(game, player, way(seen, "dragons"), sources_of_dragons(game))
        compared += 1
    assert compared > 20


def assert_ways(game, player, found, sources):
    shape, here = geometry(), int(game.state.players[player].at)
    beside = [here, *shape.neighbours[here, : shape.neighbour_count[here]].tolist()]
    levels = plain_ways(game, player, sources)
    expected = [VALUES[levels.get(space, LEVELS)] / FULL for space in beside]
    if here in levels:
        assert found[beside] == pytest.approx(expected, abs=1e-6), here
    else:
        assert not found.any()
    assert not np.delete(found, beside).any()


def test_ways_to_tokens_and_stock_are_those_of_a_slow_search():
    compared = 0
    for _, game in every(13, random_game(3, seed=5)):
        s = game.state
        if game.over or game.phase not in WALKING or s.rope:
            continue
        s.monk[:] = s.scroll[:] = s.adventure[:] = s.secret_exit = 0
        s.blueprints["where"] = Where.OWNED
        s.players["pack"][game.actor] = 1, 0, 0  # what can be thrown away makes room
        found = way(seen_by(game, game.actor), "loot")
        assert_ways(game, game.actor, found, sources_of_loot(game, game.actor))
        compared += 1
    assert compared > 20


@pytest.mark.parametrize("phase", ASKED, ids=lambda phase: phase.name)
def test_ways_are_for_those_who_are_asked_where_to_go_or_what_to_do(phase):
    game = one_of_each_phase()[phase]
    for player in range(game.rules.players):
        seen = seen_by(game, player)
        here = int(game.state.players[player].at)
        assert any(way(seen, name).any() for name, _ in WAYS_TO) == (player == game.actor and phase in WALKING)
        assert column(seen, "here", "values").tolist() == [way(seen, name)[here] for name, _ in WAYS_TO]


def test_loot_fades_with_the_way():
    game = table()
    lay(game, "ring1.0", "mossy_gate")
    token = int(np.flatnonzero((game.state.token != 0) & (game.state.face_up != 0))[0])
    put(game, 0, space_name(token))
    on_it = way(seen_by(game, 0), "loot")
    assert on_it[token] >= 0.2
    beside = geometry().neighbours[token, : geometry().neighbour_count[token]]
    ground = [k for k in beside if game.state.terrain[k] == 1]
    assert all(on_it[k] >= on_it[token] * 0.74 for k in ground)
    put(game, 0, space_name(ground[0]))
    assert way(seen_by(game, 0), "loot")[token] == pytest.approx(on_it[token])


def test_the_frontier_is_where_tiles_can_be_laid():
    game = table()
    frontier = way(seen_by(game, 0), "frontier")
    assert frontier[space("start")] == pytest.approx(0.316)
    assert frontier[space("ring1.0/centre")] == 0


def test_the_way_to_a_dragon():
    game = table()
    lay(game, "ring1.1", "azure_burrow")
    put(game, 0, "start")
    seen = seen_by(game, 0)
    ways = way(seen, "dragons")
    on_its_tile = range(space("ring1.1/centre"), space("ring1.1/centre") + 7)
    assert max(ways[k] for k in on_its_tile) == 1
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
        observe_compactly(
            game.compiled.games, game.compiled.tables, np.zeros(1, np.int64), np.zeros((1, 5), np.float32)
        )
