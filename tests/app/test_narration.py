"""Sentences about what players do."""

from fujikoro_app.narration import Narrator, Step, labels, told_of
from fujikoro_app.terminal import wrapped
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


def test_an_exploration_without_a_choice_of_the_place_is_named():
    game = table(2)
    before = look(game)
    game.state.players[0].vp = 1
    assert told_of(0, [Step("ACTION", "explore")], before, look(game)) == " explores: +1 VP"
    assert told_of(0, [Step("ACTION", "explore"), Step("EXPLORE", "place(ring1.2)")], before, before) == (
        " explores ring1.2"
    )


def test_what_happens_to_others_alone_is_told_without_the_actor():
    game = table(2)
    narrator = Narrator(game, labels(["shogun", "hunter"]))
    other = game.clone()
    other.state.players[1].unconscious = 1
    narrator.saw(game, game.parse_action("gather"), other)
    assert narrator.tell(other) == "round 1 · shogun (player 0) gathers: hunter (player 1) is knocked out"
    assert told_of(0, [], look(game), look(other)) == "player 1 is knocked out"


def test_losses_of_another_player_follow_its_name():
    game = table(2)
    put_pack(game, 1, wood=2)
    before = look(game)
    put_pack(game, 1, metal=1)
    put_pack(game, 0, wood=1)
    assert told_of(0, [], before, look(game)) == ": +1 wood; player 1: +1 metal, -2 wood"


def test_lines_do_not_break_within_the_name_of_a_player():
    assert wrapped("then shogun (player 0) rests", 20, others="  ") == "then\n  shogun (player 0)\n  rests"
