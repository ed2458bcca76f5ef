"""SCROLL: tokens of one's colour, cards of the display and the deck, and the slots."""

import pytest

from fujikoro_env.content.model import COLOURS
from fujikoro_env.rules.base.phases import Phase
from tests.helpers.tables import (
    colour,
    do,
    lay_plain,
    legal,
    open_scrolls,
    pack_of,
    put,
    put_monks,
    put_pack,
    put_scrolls,
    scrolls_of,
    show_scrolls,
    space,
    table,
)

HERE = "ring1.0/petal1"


def at_scroll(*owned, spots=(), **rules):
    """Player 0, green, stands on a green scroll token and owns these cards; seer, pilgrim and ember_path are open."""
    game = table(**rules)
    lay_plain(game, "ring1.0")
    put_monks(game, 0, *spots)
    put(game, 0, HERE)
    colour(game, 0, "green")
    show_scrolls(game, "seer", "pilgrim", "ember_path")
    put_scrolls(game, 0, *owned)
    lay_token(game)
    return game


def lay_token(game):
    game.state.scroll[space(HERE)] = COLOURS.index("green") + 1
    game.state.scroll_tokens[COLOURS.index("green")] -= 1


def gather(game, card):
    do(game, "gather", "find(scroll)", f"scroll({card})")


def cards_in(game, field):
    names = game.vocabulary.deck_ids("scrolls")
    return {name for k, name in enumerate(names) if int(game.state[field]) >> k & 1}


def tokens_gone(game):
    return int(game.state.scroll_tokens_gone[COLOURS.index("green")])


@pytest.mark.rule("SCROLL-1")
def test_one_of_the_open_cards_or_the_top_of_the_deck():
    game = at_scroll()
    do(game, "gather", "find(scroll)")
    assert legal(game) == {"scroll(seer)", "scroll(pilgrim)", "scroll(ember_path)", "scroll(deck)"}


@pytest.mark.rule("SCROLL-1")
def test_three_vp_at_once_and_the_display_is_refilled():
    game = at_scroll()
    game.load_draws("scrolls", ["iron_grip"])
    gather(game, "pilgrim")
    assert game.scores == (3, 0)
    assert open_scrolls(game) == ["seer", "iron_grip", "ember_path"]
    assert "iron_grip" not in cards_in(game, "scroll_deck")
    do(game, "slot(1)")
    assert scrolls_of(game, 0) == ["pilgrim", ""]
    assert game.scores == (3, 0)


@pytest.mark.rule("SCROLL-1")
def test_the_top_of_the_deck_leaves_the_display_as_it_is():
    game = at_scroll()
    game.load_draws("scrolls", ["storyteller"])
    gather(game, "deck")
    do(game, "slot(1)")
    assert scrolls_of(game, 0) == ["storyteller", ""]
    assert open_scrolls(game) == ["seer", "pilgrim", "ember_path"]
    assert len(cards_in(game, "scroll_deck")) == 12


@pytest.mark.rule("SCROLL-2")
def test_the_card_goes_to_a_free_slot_and_the_token_to_the_pack():
    game = at_scroll()
    put_pack(game, 0, wood=5)
    gather(game, "seer")
    do(game, "slot(1)")
    assert game.state.players[0].scroll_colours.tolist() == [COLOURS.index("green") + 1, 0]
    assert game.state.scroll[space(HERE)] == 0
    put(game, 0, "start")
    do(game, "gather", "find(stock)")  # the pack is full: 5 wood and the token
    assert legal(game) == {"throw(wood)"}


@pytest.mark.rule("SCROLL-2", "PACK-2")
def test_room_for_the_token_is_made_before_a_card_is_chosen():
    game = at_scroll()
    put_pack(game, 0, wood=6)
    do(game, "gather", "find(scroll)")
    assert legal(game) == {"throw(wood)"}
    do(game, "throw(wood)", "scroll(seer)", "slot(1)")
    assert (scrolls_of(game, 0), pack_of(game, 0)) == (["seer", ""], {"wood": 5})


@pytest.mark.rule("SCROLL-2", "PACK-4")
def test_without_room_for_the_token_no_scroll_can_be_gathered():
    game = at_scroll()
    put_pack(game, 0, monks=6)
    assert "gather" not in legal(game)


@pytest.mark.rule("SCROLL-3", "SCROLL-4")
@pytest.mark.parametrize(("owned", "spots"), [(("wind_walker",), ()), (("wind_walker", "iron_grip"), ("scroll",))])
def test_without_a_free_slot_an_owned_scroll_is_discarded_for_the_new_one(owned, spots):
    game = at_scroll(*owned, spots=spots)
    gather(game, "seer")
    assert legal(game) == {f"slot({k + 1})" for k in range(len(owned))}
    do(game, f"slot({len(owned)})")
    assert [name for name in scrolls_of(game, 0) if name] == [*owned[:-1], "seer"]
    assert cards_in(game, "scroll_discards") == {owned[-1]}
    assert (tokens_gone(game), game.state.scroll[space(HERE)], game.scores) == (1, 0, (3, 0))


@pytest.mark.rule("SCROLL-3", "PACK-4")
def test_replacing_needs_no_room():
    game = at_scroll("wind_walker")
    put_pack(game, 0, monks=5)
    gather(game, "seer")
    do(game, "slot(1)")
    assert scrolls_of(game, 0) == ["seer", ""]


@pytest.mark.rule("SCROLL-3")
@pytest.mark.parametrize("anytime", [False, True])
def test_replacing_with_a_slot_free_is_an_option(anytime):
    game = at_scroll("wind_walker", spots=("scroll",), scroll_replace_anytime=anytime)
    gather(game, "seer")
    assert legal(game) == ({"slot(1)", "slot(2)"} if anytime else {"slot(2)"})
    do(game, min(legal(game)))
    assert scrolls_of(game, 0) == (["seer", ""] if anytime else ["wind_walker", "seer"])
    assert tokens_gone(game) == anytime
    assert game.scores == (3, 0)


@pytest.mark.rule("SCROLL-3")
def test_nothing_can_be_replaced_where_no_scroll_is_owned():
    game = at_scroll(spots=("scroll",), scroll_replace_anytime=True)
    gather(game, "seer")
    assert legal(game) == {"slot(1)"}


@pytest.mark.rule("SCROLL-3", "PACK-2")
def test_with_the_option_room_may_be_made_instead_of_replacing():
    game = at_scroll("wind_walker", spots=("scroll",), scroll_replace_anytime=True)
    put_pack(game, 0, wood=5)
    do(game, "gather", "find(scroll)")
    assert {"throw(wood)", "scroll(seer)"} <= legal(game)
    do(game, "throw(wood)", "scroll(seer)", "slot(2)")
    assert (scrolls_of(game, 0), pack_of(game, 0)) == (["wind_walker", "seer"], {"wood": 4})


@pytest.mark.rule("SCROLL-4")
@pytest.mark.parametrize("owned", [(), ("wind_walker",)])
def test_cards_owned_and_tokens_in_the_pack_are_as_many(owned):
    game = at_scroll(*owned)
    gather(game, "seer")
    do(game, "slot(1)")
    me = game.state.players[0]
    assert (me.scrolls != 0).tolist() == (me.scroll_colours != 0).tolist() == [True, False]


@pytest.mark.rule("SCROLL-6")
def test_the_first_card_lies_in_slot_one_the_next_in_slot_two():
    game = at_scroll(spots=("scroll",))
    gather(game, "seer")
    assert legal(game) == {"slot(1)"}
    do(game, "slot(1)")
    lay_token(game)
    gather(game, "pilgrim")
    assert legal(game) == {"slot(2)"}
    do(game, "slot(2)")
    assert scrolls_of(game, 0) == ["seer", "pilgrim"]


@pytest.mark.rule("SCROLL-6")
def test_nothing_moves_when_the_first_slot_is_empty():
    game = at_scroll("wind_walker", "iron_grip", spots=("scroll",))
    game.state.scroll_discards |= 1 << int(game.state.players[0].scrolls[0] - 1)
    game.state.players[0].scrolls[0] = game.state.players[0].scroll_colours[0] = 0
    gather(game, "seer")
    assert legal(game) == {"slot(1)"}
    do(game, "slot(1)")
    assert scrolls_of(game, 0) == ["seer", "iron_grip"]


def without_deck(game, discards):
    """Move all cards of the deck except the discards elsewhere."""
    names = game.vocabulary.deck_ids("scrolls")
    game.state.scroll_deck = 0
    game.state.scroll_discards = sum(1 << names.index(name) for name in discards)


@pytest.mark.rule("SCROLL-6")
def test_the_deck_is_made_anew_from_the_discards_when_empty():
    game = at_scroll()
    without_deck(game, ["iron_grip", "storyteller"])
    game.load_draws("scrolls", ["storyteller"])
    gather(game, "seer")
    assert open_scrolls(game) == ["storyteller", "pilgrim", "ember_path"]
    assert (cards_in(game, "scroll_deck"), cards_in(game, "scroll_discards")) == ({"iron_grip"}, set())


@pytest.mark.rule("SCROLL-6")
def test_the_discards_wait_until_the_deck_is_empty():
    game = at_scroll("wind_walker")
    gather(game, "seer")
    do(game, "slot(1)")
    assert cards_in(game, "scroll_discards") == {"wind_walker"}
    lay_token(game)
    gather(game, "pilgrim")
    assert cards_in(game, "scroll_discards") == {"wind_walker"}


@pytest.mark.rule("SCROLL-6")
def test_without_deck_and_discards_the_display_shrinks():
    game = at_scroll()
    without_deck(game, [])
    do(game, "gather", "find(scroll)")
    assert "scroll(deck)" not in legal(game)
    do(game, "scroll(pilgrim)")
    assert open_scrolls(game) == ["seer", "", "ember_path"]


@pytest.mark.rule("SCROLL-6")
def test_a_discarded_token_leaves_the_game():
    game = at_scroll("wind_walker")
    left = int(game.state.scroll_tokens[COLOURS.index("green")])
    gather(game, "seer")
    do(game, "slot(1)")
    assert game.state.scroll_tokens[COLOURS.index("green")] == left
    assert tokens_gone(game) == 1
    assert game.phase == Phase.ACTION
