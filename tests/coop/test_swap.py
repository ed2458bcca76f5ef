"""COOP-17: two samurai on one space swap items of their packs."""

import numpy as np
import pytest

from fujikoro_env import Game
from fujikoro_env.rules.base.names import Mode, Where
from fujikoro_env.rules.base.phases import Phase
from fujikoro_env.rules.base.state import CARD_SLOTS
from fujikoro_env.rules.map.geometry import START
from tests.helpers.tables import (
    do,
    legal,
    pack_of,
    play,
    put,
    put_monks,
    put_pack,
    put_scrolls,
    refresh,
    scrolls_of,
    table,
)

pytestmark = pytest.mark.rule("COOP-17")
OPEN = "player(1)"


def band(players: int = 3, consent: bool = True) -> Game:
    """A game with all players on the start tile and player 0 to act."""
    game = table(players=players)
    game.state.settings.mode = Mode.COOP
    game.state.settings.swap_consent = consent
    refresh(game)
    return game


def swapping(consent: bool = True, mine: dict[str, int] | None = None, theirs: dict[str, int] | None = None) -> Game:
    """A game in which player 0 has opened a swap with player 1."""
    game = band(consent=consent)
    put_pack(game, 0, **(mine if mine is not None else {"wood": 2}))
    put_pack(game, 1, **(theirs if theirs is not None else {"metal": 2}))
    do(game, OPEN)
    return game


def own_blueprint(game: Game, player: int, slot: int) -> str:
    game.state.blueprints[slot].where = Where.OWNED + player
    return f"blueprint({game.vocabulary.blueprint(slot)})"


# Conditions for a swap


def test_a_swap_is_opened_at_an_action_choice_and_is_no_action():
    game = swapping()
    assert (game.phase, game.actor) == (Phase.SWAP_GIVE, 0)
    discs = int(game.state.players[0].pool)
    do(game, "item(wood)", "item(metal)", "done", "yes")
    assert (game.phase, game.actor) == (Phase.ACTION, 0)
    assert game.state.players[0].pool == discs
    assert {"move", "gather"} <= legal(game)


def test_players_are_named_by_number_and_counted_from_the_acting_player():
    game = band()
    put_pack(game, 0, wood=1)
    assert legal(game, "player") == {"player(1)", "player(2)"}
    assert game.parse_action("player(2)") - game.parse_action("player(1)") == 1
    game.state.stack[game.state.depth - 1].actor = game.state.active = 2
    put_pack(game, 2, wood=1)
    assert legal(game, "player") == {"player(0)", "player(1)"}
    assert game.parse_action("player(1)") - game.parse_action("player(0)") == 1


@pytest.mark.parametrize("apart", ["elsewhere", "unconscious", "outside", "nothing to swap"])
def test_the_partner_is_conscious_and_on_the_same_space(apart):
    game = band(players=2)
    put_pack(game, 0, wood=1)
    assert OPEN in legal(game)
    other = game.state.players[1]
    if apart == "elsewhere":
        put(game, 1, "temple0")
    elif apart == "unconscious":
        other.unconscious = 1
    elif apart == "outside":
        other.outside = 2
    else:
        put_pack(game, 0)
    assert OPEN not in legal(game)


def test_full_packs_swap_one_kind_for_another():
    game = band(players=2)
    put_pack(game, 0, metal=6)
    put_pack(game, 1, wood=6)
    assert OPEN in legal(game)
    put_pack(game, 1, metal=6)
    assert OPEN not in legal(game)


def test_no_swaps_in_competitive_games():
    game = band()
    put_pack(game, 0, wood=1)
    game.state.settings.mode = Mode.COMPETITIVE
    assert not legal(game, "player")


def test_once_per_partner_and_turn():
    game = swapping()
    do(game, "done")
    assert legal(game, "player") == {"player(2)"}
    do(game, "player(2)", "done")
    assert not legal(game, "player")


def test_the_next_turn_may_open_a_swap_again():
    game = swapping()
    do(game, "done", "move", "done", "move", "done")
    assert game.actor == 1
    assert legal(game, "player") == {"player(0)", "player(2)"}


# Steps


def test_a_finished_step_leaves_no_trace_of_what_was_given_in_it():
    """Equal positions must have equal bytes, and items given earlier do not matter for the next step."""
    game = swapping()
    do(game, "item(wood)")
    assert game.state.stack[game.state.depth - 1].marks != 0
    do(game, "item(metal)")
    assert (game.phase, int(game.state.stack[game.state.depth - 1].marks)) == (Phase.SWAP_GIVE, 0)


def test_a_step_gives_one_item_and_takes_one():
    game = swapping()
    do(game, "item(wood)", "item(metal)", "done", "yes")
    assert pack_of(game, 0) == {"wood": 1, "metal": 1}
    assert pack_of(game, 1) == {"wood": 1, "metal": 1}


def test_one_may_give_without_taking():
    game = swapping()
    do(game, "item(wood)", "no", "done", "yes")
    assert pack_of(game, 0) == {"wood": 1}
    assert pack_of(game, 1) == {"wood": 1, "metal": 2}


def test_one_may_take_without_giving():
    game = swapping()
    do(game, "no", "item(metal)", "done", "yes")
    assert pack_of(game, 0) == {"wood": 2, "metal": 1}
    assert pack_of(game, 1) == {"metal": 1}


def test_a_step_is_not_nothing_for_nothing():
    game = swapping()
    do(game, "no")
    assert legal(game) == {"item(metal)"}


def test_at_most_six_steps():
    game = swapping(mine={"wood": 6}, theirs={"metal": 6})
    for _ in range(5):
        do(game, "item(wood)", "item(metal)")
    assert game.phase == Phase.SWAP_GIVE
    do(game, "item(wood)", "item(metal)")
    assert (game.phase, game.actor) == (Phase.SWAP_CONSENT, 1)


def test_resources_and_monks_do_not_go_back_in_the_same_swap():
    game = swapping(mine={"wood": 2, "monks": 1}, theirs={"wood": 1, "metal": 1})
    do(game, "item(wood)")
    assert legal(game) == {"no", "item(metal)"}  # not wood for wood
    do(game, "item(metal)", "item(monk)", "no")
    assert legal(game) == {"done", "item(wood)"}  # the metal stays, and there is nothing else to be had
    do(game, "item(wood)")
    assert legal(game) == {"no"}


def test_nothing_taken_is_given_again():
    game = swapping(mine={"metal": 1}, theirs={"metal": 1, "wood": 1})
    do(game, "no", "item(metal)")
    assert "item(metal)" not in legal(game)


def test_scrolls_and_blueprints_do_not_go_back_in_the_same_swap():
    game = band()
    put_scrolls(game, 0, "seer")
    card = own_blueprint(game, 1, 0)
    do(game, OPEN, "item(scroll 1)", card)
    assert legal(game) == {"done"}


# Cards


def test_scroll_cards_move_with_their_tokens_and_without_vp():
    game = band()
    put_scrolls(game, 0, "seer")
    put_pack(game, 1, wood=1)
    colour = int(game.state.players[0].scroll_colours[0])
    do(game, OPEN, "item(scroll 1)", "item(wood)", "done", "yes")
    assert (scrolls_of(game, 0), scrolls_of(game, 1)) == (["", ""], ["seer", ""])
    assert game.state.players[1].scroll_colours[0] == colour
    assert game.scores == (0, 0, 0)


def test_scroll_for_scroll_needs_no_free_slot():
    game = band()
    put_scrolls(game, 0, "seer")
    put_scrolls(game, 1, "pilgrim")
    do(game, OPEN)
    assert legal(game) == {"done", "item(scroll 1)"}  # taking pilgrim alone would need a second slot
    do(game, "item(scroll 1)")
    assert legal(game) == {"item(scroll 1)"}
    do(game, "item(scroll 1)", "done", "yes")
    assert (scrolls_of(game, 0), scrolls_of(game, 1)) == (["pilgrim", ""], ["seer", ""])


def test_a_second_scroll_needs_the_second_slot():
    game = band()
    put_scrolls(game, 0, "seer")
    put_scrolls(game, 1, "pilgrim")
    put_monks(game, 1, "scroll")
    do(game, OPEN, "item(scroll 1)", "no", "done", "yes")
    assert scrolls_of(game, 1) == ["pilgrim", "seer"]


def test_a_scroll_for_another_item_needs_a_slot_too():
    game = band()
    put_scrolls(game, 0, "seer")
    put_scrolls(game, 1, "pilgrim")
    put_pack(game, 0, wood=1)
    put_pack(game, 1, metal=1)
    do(game, OPEN, "item(scroll 1)")
    assert legal(game) == {"item(scroll 1)"}
    do(game, "item(scroll 1)", "item(wood)")
    assert legal(game) == {"no", "item(metal)"}  # seer is there now, but does not go back


def test_blueprints_move_with_their_markers():
    game = band()
    card = own_blueprint(game, 0, 2)
    do(game, OPEN, card, "no", "done", "yes")
    assert game.state.blueprints[2].where == Where.OWNED + 1


def test_several_blueprints_of_a_type_may_be_taken():
    game = band()
    mine, theirs = own_blueprint(game, 0, 0), own_blueprint(game, 1, 1)
    assert CARD_SLOTS > 1  # slots 0 and 1 are of one type
    do(game, OPEN)
    assert mine in legal(game)
    do(game, "no", theirs, "done", "yes")
    assert (game.state.blueprints["where"][:2] == Where.OWNED).all()


# Room


def test_a_full_pack_takes_only_in_exchange():
    game = swapping(mine={"wood": 6}, theirs={"metal": 2})
    assert legal(game) == {"done", "item(wood)"}
    do(game, "item(wood)")
    assert legal(game) == {"no", "item(metal)"}


def test_a_full_partner_gets_only_in_exchange():
    game = swapping(mine={"wood": 1}, theirs={"metal": 6})
    do(game, "item(wood)")
    assert legal(game) == {"item(metal)"}


def test_two_full_packs_with_the_same_kind_have_nothing_to_swap():
    game = band(players=2)
    put_pack(game, 0, wood=6)
    put_pack(game, 1, wood=6)
    assert OPEN not in legal(game)


# Consent


def test_the_partner_accepts_or_refuses_the_whole():
    game = swapping()
    do(game, "item(wood)", "item(metal)", "item(wood)", "no", "done")
    assert (game.phase, game.actor, legal(game)) == (Phase.SWAP_CONSENT, 1, {"yes", "no"})
    do(game, "no")
    assert pack_of(game, 0) == {"wood": 2}
    assert pack_of(game, 1) == {"metal": 2}
    assert (game.phase, game.actor) == (Phase.ACTION, 0)


def test_a_refusal_gives_everything_back_as_it_was():
    game = band()
    put_monks(game, 1, "scroll")
    put_scrolls(game, 0, "seer")
    put_scrolls(game, 1, "pilgrim", "far_reach")
    put_pack(game, 0, wood=2, monks=1)
    put_pack(game, 1, metal=1)
    mine, theirs = own_blueprint(game, 0, 0), own_blueprint(game, 1, 7)
    before = game.state.players.tobytes(), game.state.blueprints.tobytes()
    do(game, OPEN, "item(scroll 1)", "item(scroll 2)", mine, theirs, "item(monk)", "item(metal)", "item(wood)", "no")
    assert before != (game.state.players.tobytes(), game.state.blueprints.tobytes())
    do(game, "done", "no")
    assert before == (game.state.players.tobytes(), game.state.blueprints.tobytes())


def test_nobody_is_asked_about_a_swap_of_nothing():
    game = swapping()
    do(game, "done")
    assert (game.phase, game.actor) == (Phase.ACTION, 0)


def test_without_the_option_nobody_is_asked():
    game = swapping(consent=False)
    do(game, "item(wood)", "item(metal)", "done")
    assert (game.phase, game.actor) == (Phase.ACTION, 0)
    assert pack_of(game, 1) == {"wood": 1, "metal": 1}


# Invariants


@pytest.mark.parametrize("seed", range(8))
def test_items_are_kept_and_packs_fit_in_random_swaps(seed):
    game = band()
    luck = np.random.default_rng(seed)
    put_monks(game, 0, "scroll")
    put_scrolls(game, 0, "seer", "far_reach")
    put_scrolls(game, 1, "pilgrim")
    own_blueprint(game, 0, 0)
    own_blueprint(game, 1, 8)
    put_pack(game, 0, wood=int(luck.integers(3)), monks=int(luck.integers(2)))
    put_pack(game, 1, metal=int(luck.integers(4)), tooth=1)
    players = game.state.players[:2]
    total = players["pack"].sum(axis=0), players["pack_monks"].sum(), np.sort(players["scrolls"].ravel())
    do(game, OPEN)
    for swap in play(game, seed):
        if swap.phase not in (Phase.SWAP_GIVE, Phase.SWAP_TAKE, Phase.SWAP_CONSENT):
            break
        now = swap.state.players[:2]
        assert (now["pack"].sum(axis=0) == total[0]).all()
        assert now["pack_monks"].sum() == total[1]
        assert (np.sort(now["scrolls"].ravel()) == total[2]).all()
        assert (now["pack"] >= 0).all()
        assert ((now["scrolls"] != 0) == (now["scroll_colours"] != 0)).all()
        used = now["pack"].sum(axis=1) + now["pack_monks"] + np.count_nonzero(now["scrolls"], axis=1)
        owned = [np.count_nonzero(swap.state.blueprints["where"] == Where.OWNED + p) for p in range(2)]
        assert (used + owned <= 6).all()
        assert now["scrolls"][1, 1] == 0  # player 1 has no second slot
    assert game.state.players[0].at == START
