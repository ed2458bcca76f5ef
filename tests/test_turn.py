"""TURN: two actions a turn, discs, and when an action may be chosen."""

import pytest

from fujikoro_env.rules.phases import Phase
from tests.helpers import do, end_turn, explore, lay_plain, legal, put, put_pack, space, table, where

ACTIONS = {"move", "explore", "gather", "rest"}


def discs(game, player=0):
    """In the pool, and on the fields of move, explore and gather."""
    me = game.state.players[player]
    return int(me.pool), me.fields.tolist()


def stand_on_bare_ground(game):
    """Where there is nothing to gather; the place beside it is unexplored."""
    lay_plain(game, "ring1.0")
    put(game, 0, "ring1.0/petal3")


@pytest.mark.rule("TURN-1")
def test_a_turn_is_two_actions():
    game = table()
    do(game, "move", "done")
    assert (game.actor, game.phase) == (0, Phase.ACTION)
    do(game, "gather", "find(stock)", "take(all)")
    assert (game.actor, game.phase) == (1, Phase.ACTION)


@pytest.mark.rule("TURN-1")
def test_the_four_actions():
    game = table()
    assert legal(game) == ACTIONS - {"rest"}
    do(game, "move", "done")
    assert legal(game) == ACTIONS


@pytest.mark.rule("TURN-2")
def test_an_action_moves_one_disc_from_the_pool_to_its_field():
    game = table()
    do(game, "move", "done")
    assert discs(game) == (2, [1, 0, 0])
    explore(game, "ring1.0", "mossy_gate")
    assert discs(game) == (1, [1, 1, 0])
    end_turn(game)
    do(game, "gather", "find(stock)", "take(all)")
    assert discs(game) == (0, [1, 1, 1])


@pytest.mark.rule("TURN-2")
def test_the_same_action_may_be_taken_twice_and_a_field_holds_any_number():
    game = table()
    do(game, "move", "done", "move", "done")
    end_turn(game)
    do(game, "move", "done")
    assert discs(game) == (0, [3, 0, 0])


@pytest.mark.rule("TURN-3")
def test_with_an_empty_pool_the_player_must_rest():
    game = table()
    game.state.players[0].pool = 0
    game.state.players[0].fields[:] = 1
    assert legal(game) == {"rest"}


@pytest.mark.rule("TURN-4")
def test_rest_needs_a_disc_on_a_field():
    game = table()
    assert "rest" not in legal(game)
    do(game, "move", "done", "rest", "done")
    end_turn(game)
    assert "rest" not in legal(game)


@pytest.mark.rule("TURN-4")
@pytest.mark.parametrize("field", range(3))
def test_nobody_rests_twice_in_a_row(field):
    game = table()
    game.state.players[0].pool = 2
    game.state.players[0].fields[field] = 1
    do(game, "rest", "done")
    assert "rest" not in legal(game)


@pytest.mark.rule("TURN-5")
def test_an_unconscious_samurai_wakes_at_the_start_of_its_own_turn():
    game = table(players=3)
    game.state.players["unconscious"][1:3] = 1
    end_turn(game)
    assert game.actor == 1
    assert game.state.players["unconscious"][:3].tolist() == [0, 0, 1]


@pytest.mark.rule("TURN-7")
def test_explore_needs_an_unexplored_place_beside():
    game = table()
    lay_plain(game, "ring1.0")
    put(game, 0, "ring1.0/petal3")  # beside ring1.1
    assert "explore" in legal(game)
    put(game, 0, "ring1.0/centre")
    assert "explore" not in legal(game)
    lay_plain(game, "ring1.1")
    put(game, 0, "ring1.0/petal3")
    assert "explore" not in legal(game)


@pytest.mark.rule("TURN-7", "EXPL-1")
def test_explore_needs_a_tile_in_that_stack():
    game = table()
    stand_on_bare_ground(game)
    game.state.tiles_left[1:] = 0
    assert "explore" in legal(game)
    put(game, 0, "ring1.0/petal2")  # beside ring1.1 and ring2.1
    do(game, "explore")
    assert legal(game) == {"place(ring1.1)"}
    game.state.tiles_left[0] = 0
    assert legal(game) == set()


@pytest.mark.rule("TURN-7")
def test_gather_needs_something_that_can_be_taken():
    game = table()
    assert "gather" in legal(game)
    stand_on_bare_ground(game)
    assert "gather" not in legal(game)
    game.state.monk[space("ring1.0/petal3")] = 1
    assert "gather" in legal(game)


@pytest.mark.rule("TURN-7", "PACK-4")
def test_gather_needs_room_for_what_is_taken():
    game = table()
    put_pack(game, 0, monks=6)
    assert "gather" not in legal(game)
    put_pack(game, 0, monks=5)
    assert "gather" in legal(game)


@pytest.mark.rule("TURN-7")
def test_move_is_always_available_and_may_be_of_no_steps():
    game = table()
    stand_on_bare_ground(game)
    game.state.tiles_left[:] = 0
    assert legal(game) == {"move"}
    do(game, "move", "done")
    assert where(game, 0) == "ring1.0/petal3"
    assert game.phase == Phase.ACTION
