"""TURN: two actions a turn, discs, and when an action may be chosen."""

import pytest

from fujikoro_env.rules.base.phases import Phase
from tests.helpers.gear import HERE, blow, break_off, call_duel, lose, lying, meeting, put_card, win
from tests.helpers.tables import do, end_turn, explore, lay_plain, legal, put, put_gear, put_pack, space, table, where

ACTIONS = {"move", "explore", "gather", "rest"}


def discs(game, player=0):
    """Number of discs in the pool, and on move, explore and gather."""
    me = game.state.players[player]
    return int(me.pool), me.fields.tolist()


def stand_on_bare_ground(game):
    """Put the player where there is nothing to gather, beside an unexplored place."""
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


@pytest.mark.rule("TURN-6")
@pytest.mark.parametrize("action", [1, 2])
def test_the_turn_of_an_active_samurai_that_is_knocked_out_ends_at_once(action):
    game = meeting()
    if action == 2:
        do(game, "gather", "find(stock)", "take(all)")
    lose(game)
    assert (game.phase, game.actor) == (Phase.STEAL, 1)  # once the fight is over
    do(game, "done")
    assert (game.phase, game.actor, lying(game), game.state.turn_over) == (Phase.ACTION, 1, [0], 0)


@pytest.mark.rule("TURN-6")
def test_one_that_is_knocked_out_loses_the_other_half_of_its_action_too():
    game = meeting(weapons=("WW", "WWM"))
    put_card(game, 0, "bokken", "move")
    do(game, "move", "main", f"step({HERE})", "yes")
    blow(game, "W1", "W0", "M0")
    do(game, "step(start)", "done")
    assert (game.phase, game.actor, game.scores) == (Phase.ACTION, 1, (0, 0))


@pytest.mark.rule("TURN-6")
@pytest.mark.parametrize(("first", "second"), [("main", "bonus"), ("bonus", "main")])
def test_a_survivor_goes_on_with_the_other_half_and_then_the_second_action(first, second):
    game = meeting(weapons=("WWM", "WW"))
    put_card(game, 0, "straw_waraji", "move")
    do(game, "move", first, f"step({HERE})", "yes")
    blow(game, "W1", "W0", "M0")
    do(game, "step(start)", "done")
    assert (game.phase, game.actor, legal(game)) == (Phase.HALVES, 0, {"done", second})
    do(game, second, "done", "done")
    assert (game.phase, game.actor) == (Phase.ACTION, 0)
    do(game, "rest", "done")
    assert game.actor == 1


@pytest.mark.rule("TURN-6", "DUEL-2")
def test_one_that_gave_up_goes_on_with_its_second_action():
    game = meeting(weapons=("WWM", "WW"))
    put_gear(game, 1, helmet=["MM"])
    call_duel(game)
    blow(game, "W1*", "W0", "M0")
    break_off(game, "0,0")
    do(game, "cell(helmet[0,0])", "retreat", "done")
    assert (game.phase, game.actor, where(game, 0)) == (Phase.ACTION, 0, HERE)
    end_turn(game)
    assert game.actor == 1


@pytest.mark.rule("TURN-6")
def test_the_turn_goes_on_when_another_is_knocked_out():
    game = meeting()
    win(game)
    do(game, "done")
    assert (game.phase, game.actor, lying(game)) == (Phase.ACTION, 0, [1])


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


@pytest.mark.rule("TURN-7", "GEAR-3")
@pytest.mark.parametrize("action", ["explore", "gather"])
@pytest.mark.parametrize("card", ["reed_hat", "bokken", "straw_waraji"])
def test_a_gear_card_makes_its_action_available_for_its_bonus_alone(action, card):
    game = table()
    stand_on_bare_ground(game)
    put(game, 0, "ring1.0/centre")  # nothing to explore here either
    assert legal(game) == {"move"}
    put_card(game, 0, card, action)
    assert legal(game) == {"move", action}
    do(game, action)
    assert legal(game) == {"bonus"}


@pytest.mark.rule("TURN-7", "GEAR-4")
def test_a_helmet_card_makes_an_action_available_only_if_its_resource_can_be_taken():
    game = table()
    stand_on_bare_ground(game)
    put_card(game, 0, "reed_hat", "gather")
    put_pack(game, 0, monks=6)
    assert "gather" not in legal(game)
    put_pack(game, 0, monks=5, wood=1)
    game.state.supply[1] = 1
    assert "gather" in legal(game)
    game.state.supply[1] = 0
    assert "gather" not in legal(game)


@pytest.mark.rule("TURN-7", "GEAR-5")
@pytest.mark.parametrize("stack", [None, 0, 1, 2])
def test_a_card_that_gives_a_look_makes_an_action_available_only_if_a_stack_is_left(stack):
    game = table()
    stand_on_bare_ground(game)
    put_card(game, 0, "bokken", "gather", looks=True)
    left = int(game.state.tiles_left[1])
    game.state.tiles_left[:] = 0
    if stack is not None:
        game.state.tiles_left[stack] = left
    assert ("gather" in legal(game)) == (stack is not None)
    game.state.players[0].looks = 0
    assert "gather" in legal(game)
