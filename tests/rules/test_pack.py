"""PACK: slots, things that need one, and making room."""

import pytest

from fujikoro_env.rules.base.names import Where
from fujikoro_env.rules.base.phases import Phase
from fujikoro_env.rules.base.state import CARD_SLOTS
from tests.helpers.tables import (
    do,
    legal,
    pack_of,
    put,
    put_monks,
    put_pack,
    put_scrolls,
    table,
)


def offered(game):
    """Gather the stock of the start tile, up to the offer of its wood and metal."""
    do(game, "gather", "find(stock)")
    return legal(game)


def free_slots(game):
    """Number of cubes of one kind that can be taken before one has to be thrown away."""
    copy = game.clone()
    do(copy, "gather", "find(stock)")
    copy.state.stack[copy.state.depth - 1].offer[:] = 20, 0, 0
    count = 0
    while "take(wood)" in legal(copy):
        do(copy, "take(wood)")
        count += 1
    return count


@pytest.mark.rule("PACK-1")
@pytest.mark.parametrize(("spots", "slots"), [((), 6), (("pack",), 11), (("pool", "scroll", "weapon"), 6)])
def test_six_slots_and_five_more_with_a_monk_at_the_second_pack(spots, slots):
    game = table()
    put_monks(game, 0, *spots)
    assert free_slots(game) == slots


@pytest.mark.rule("PACK-1", "CHAR-1")
@pytest.mark.parametrize(("spots", "slots"), [((), 6), (("pack",), 11)])
def test_characters_have_them_too(spots, slots):
    game = table(characters=("tomoe", "takeko"))
    put_pack(game, 0)
    put_monks(game, 0, *spots)
    assert free_slots(game) == slots


@pytest.mark.rule("PACK-1")
def test_a_slot_holds_one_cube_monk_scroll_token_or_blueprint_marker():
    game = table()
    put_pack(game, 0, wood=1, metal=1, monks=1)
    put_scrolls(game, 0, "seer")
    game.state.blueprints[0].where = Where.OWNED
    assert free_slots(game) == 1
    game.state.blueprints[CARD_SLOTS].where = Where.OWNED + 1  # another's
    assert free_slots(game) == 1
    put_pack(game, 0, wood=1, metal=1, tooth=1, monks=1)
    assert offered(game) == {"throw(wood)", "throw(metal)", "throw(tooth)"}


@pytest.mark.rule("PACK-1")
def test_gear_cards_need_no_slot():
    game = table()
    game.state.gear_cards[0].where = Where.OWNED
    game.state.players[0].card_on[0] = 1
    assert free_slots(game) == 6


@pytest.mark.rule("PACK-2")
def test_take_or_throw_one_of_a_kind_and_be_asked_again():
    game = table()
    put_pack(game, 0, wood=3, metal=3)
    supply = int(game.state.supply[0])
    assert offered(game) == {"throw(wood)", "throw(metal)"}
    do(game, "throw(wood)")
    assert game.phase == Phase.TAKE
    assert game.state.supply[0] == supply + 1
    do(game, "take(metal)")
    assert legal(game) == {"throw(wood)", "throw(metal)", "done"}
    do(game, "throw(metal)")
    assert legal(game) == {"take(wood)", "done"}
    do(game, "done")
    assert pack_of(game, 0) == {"wood": 2, "metal": 3}


@pytest.mark.rule("PACK-2")
def test_nothing_is_thrown_away_unless_an_item_is_offered():
    game = table()
    put_pack(game, 0, wood=6)
    assert legal(game, "throw") == set()
    do(game, "move")
    assert legal(game, "throw") == set()


@pytest.mark.rule("PACK-3")
def test_scrolls_blueprints_and_monks_are_never_thrown_away():
    game = table()
    put_pack(game, 0, tooth=1, monks=3)
    put_scrolls(game, 0, "seer")
    game.state.blueprints[0].where = Where.OWNED
    assert offered(game) == {"throw(tooth)"}


@pytest.mark.rule("PACK-4")
def test_without_room_a_new_item_cannot_be_taken():
    game = table()
    put(game, 0, "temple0")
    put_pack(game, 0, monks=5)
    put_scrolls(game, 0, "seer")
    assert "gather" not in legal(game)


@pytest.mark.rule("PACK-5")
def test_the_order_in_which_things_came_leaves_no_trace():
    one, other = table(), table()
    do(one, "gather", "find(stock)", "take(wood)", "take(metal)")
    do(other, "gather", "find(stock)", "take(metal)", "take(wood)")
    assert one.digest() == other.digest()
