"""Sentences about what players do."""

from fujikoro_app.narration import Step, told_of
from fujikoro_env.render.look import look
from tests.helpers.tables import put_pack, table


def test_a_rest_that_was_not_asked_for_is_part_of_the_deed():
    game = table(2)
    game.state.players[0].fields[:] = 1
    before = look(game)
    game.state.players[0].fields[:] = 0
    assert told_of(0, [], before, look(game)) == " rests"
    put_pack(game, 0, wood=1)
    assert told_of(0, [Step("ACTION", "gather")], before, look(game)) == " gathers and rests: +1 wood"


def test_a_rest_that_another_player_was_not_asked_for_comes_last():
    game = table(2)
    game.state.players[1].fields[:] = 1
    before = look(game)
    game.state.players[1].fields[:] = 0
    assert told_of(0, [], before, look(game)) == " ends its turn; then player 1 rests"
    put_pack(game, 0, wood=1)
    assert told_of(0, [Step("ACTION", "gather")], before, look(game)) == " gathers: +1 wood; then player 1 rests"
