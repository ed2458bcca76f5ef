"""MONK: the spots of monks and what they unlock."""

import pytest

from fujikoro_env.rules.base.phases import Phase
from tests.helpers.tables import (
    SPOTS,
    do,
    end_turn,
    lay,
    legal,
    monks_of,
    pack_of,
    put,
    put_monks,
    put_pack,
    put_scrolls,
    scrolls_of,
    space,
    table,
)

MONK_SPACE = "ring1.0/petal4"


def at_monk(*spots, **rules):
    """Player 0 stands on a monk and has others on these spots."""
    game = table(**rules)
    lay(game, "ring1.0", "mossy_gate")
    put(game, 0, MONK_SPACE)
    put_monks(game, 0, *spots)
    return game


def gather_monk(game):
    do(game, "gather", "find(monk)")
    return legal(game)


@pytest.mark.rule("MONK-1")
@pytest.mark.parametrize("taken", [(), ("pool",), ("scroll", "pack"), ("pool", "scroll", "pack")])
def test_a_monk_goes_to_a_free_spot_of_choice(taken):
    game = at_monk(*taken)
    free = [spot for spot in SPOTS if spot not in taken]
    assert gather_monk(game) == {f"monk({spot})" for spot in free}
    do(game, f"monk({free[-1]})")
    assert monks_of(game, 0) == {*taken, free[-1]}
    assert pack_of(game, 0) == {}


@pytest.mark.rule("MONK-1")
def test_with_all_spots_taken_it_goes_to_the_pack():
    game = at_monk(*SPOTS)
    assert gather_monk(game) == {"monk(carried)"}
    do(game, "monk(carried)")
    assert pack_of(game, 0) == {"monks": 1}
    assert not game.state.monk.any()


@pytest.mark.rule("MONK-1")
@pytest.mark.parametrize("at_will", [False, True])
def test_to_the_pack_at_will_is_an_option(at_will):
    game = at_monk("pool", monk_to_pack=at_will)
    assert ("monk(carried)" in gather_monk(game)) == at_will
    if at_will:
        do(game, "monk(carried)")
        assert (monks_of(game, 0), pack_of(game, 0)) == ({"pool"}, {"monks": 1})


@pytest.mark.rule("MONK-1", "PACK-2")
def test_room_for_a_carried_monk_is_made_by_throwing_a_resource_away():
    game = at_monk(*SPOTS)
    put_pack(game, 0, wood=11)
    assert gather_monk(game) == {"throw(wood)"}
    do(game, "throw(wood)", "monk(carried)")
    assert pack_of(game, 0) == {"wood": 10, "monks": 1}


@pytest.mark.rule("MONK-1", "PACK-2")
def test_at_will_room_may_be_made_though_a_spot_is_free():
    game = at_monk("pool", "scroll", "weapon", monk_to_pack=True)
    put_pack(game, 0, metal=6)
    assert gather_monk(game) == {"monk(pack)", "throw(metal)"}
    do(game, "throw(metal)")
    assert legal(game) == {"monk(pack)", "monk(carried)"}


@pytest.mark.rule("MONK-1", "PACK-4")
def test_without_a_spot_and_without_room_a_monk_cannot_be_gathered():
    game = at_monk(*SPOTS)
    put_pack(game, 0, monks=11)
    assert "gather" not in legal(game)


@pytest.mark.rule("MONK-2")
def test_a_monk_at_the_pool_brings_one_more_disc():
    game = at_monk()
    do(game, "gather", "find(monk)", "monk(pool)")
    assert (game.state.players[0].pool, game.state.players[0].fields.tolist()) == (3, [0, 0, 1])
    do(game, "rest", "done")
    assert game.state.players[0].pool == 4


@pytest.mark.rule("MONK-2")
@pytest.mark.parametrize("spot", ["scroll", "weapon", "pack"])
def test_other_monks_bring_no_disc(spot):
    game = at_monk()
    do(game, "gather", "find(monk)", f"monk({spot})")
    assert game.state.players[0].pool == 2


def gather_scroll(game):
    """Gather a scroll of player 0's colour: the first open card, into the first allowed slot."""
    game.state.scroll[space(MONK_SPACE)] = game.state.players[0].colour
    do(game, "gather", "find(scroll)")
    do(game, min(legal(game, "scroll")))
    return legal(game)


@pytest.mark.rule("MONK-2")
@pytest.mark.parametrize(("spots", "slot"), [((), "slot(1)"), (("scroll",), "slot(2)")])
def test_a_monk_at_the_scroll_opens_the_second_slot(spots, slot):
    game = at_monk(*spots)
    put_scrolls(game, 0, "seer")
    assert gather_scroll(game) == {slot}
    do(game, slot)
    assert (scrolls_of(game, 0)[1] != "") == bool(spots)


@pytest.mark.rule("MONK-2", "WEAP-3")
@pytest.mark.parametrize("spots", [(), ("weapon",)])
def test_a_monk_at_the_weapon_opens_the_right_part_of_the_grid(spots):
    game = at_monk(*spots)
    put_pack(game, 0, wood=1)
    do(game, "move", "done", "rest", "craft(weapon)", "rebuild")
    assert ("lay(wood, weapon[0,5])" in legal(game)) == bool(spots)


@pytest.mark.rule("MONK-2", "PACK-1")
def test_a_monk_at_the_second_pack_opens_it():
    game = table()
    put_pack(game, 0, wood=6)
    put_monks(game, 0, "pack")
    do(game, "gather", "find(stock)", "take(all)")
    assert pack_of(game, 0) == {"wood": 7, "metal": 1}


@pytest.mark.rule("MONK-3")
def test_a_monk_never_changes_its_spot_and_is_never_assigned_later():
    game = at_monk("pool", "scroll", monk_to_pack=True)
    put_pack(game, 0, monks=1)
    seen = set()
    for name in ("move", "done", "gather", "find(monk)", "monk(carried)"):
        seen |= legal(game, "monk") if game.phase != Phase.MONK_SPOT else set()
        do(game, name)
    end_turn(game)
    assert seen | legal(game, "monk") == set()
    assert (monks_of(game, 0), pack_of(game, 0)) == ({"pool", "scroll"}, {"monks": 2})


@pytest.mark.rule("MONK-3")
def test_a_gathered_monk_moves_no_other_monk():
    game = at_monk("pool")
    put_pack(game, 0, monks=2)
    do(game, "gather", "find(monk)", "monk(weapon)")
    assert (monks_of(game, 0), pack_of(game, 0)) == ({"pool", "weapon"}, {"monks": 2})
