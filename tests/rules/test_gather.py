"""GATHER: one kind of thing from the space where the samurai stands."""

import pytest

from fujikoro_env.content.model import COLOURS
from fujikoro_env.rules.base.names import Where
from fujikoro_env.rules.base.phases import Phase
from fujikoro_env.rules.base.state import CARD_SLOTS
from tests.helpers.tables import (
    blueprints_at,
    colour,
    do,
    end_turn,
    lay,
    lay_plain,
    legal,
    monks_of,
    pack_of,
    put,
    put_monks,
    put_pack,
    space,
    table,
)

TOKEN_SPACE = "ring1.0/petal0"


def at_token(token, **pack):
    """Player 0 stands on a face-up token, with these things in its pack."""
    game = table()
    lay(game, "ring1.0", "mossy_gate", squares=[token])
    put(game, 0, TOKEN_SPACE)
    put_pack(game, 0, **pack)
    return game


def at_level_three_token(token, **pack):
    game = table()
    lay(game, "ring3.1", "cloud_piercer", squares=[token])
    put(game, 0, "ring3.1/centre")
    put_pack(game, 0, **pack)
    return game


def at_temple(players=6):
    """In temple 0, which holds 2 helmets, 2 weapons and 2 sandals of the 18 that six players have."""
    game = table(players=players)
    put(game, 0, "temple0")
    return game


def of_type(gear, temple=0):
    """First slot of a type that was dealt to temple 0, which gets every third card of the row."""
    return {"helmet": 0, "weapon": CARD_SLOTS, "sandals": 2 * CARD_SLOTS}[gear] + temple


def blueprint(game, gear, number=0):
    """The action that takes the first or second blueprint of a type from temple 0."""
    return f"blueprint({game.vocabulary.blueprint(of_type(gear) + 3 * number)})"


def owned(game, player=0):
    return blueprints_at(game, Where.OWNED + player)


@pytest.mark.rule("GATH-1")
def test_one_kind_of_thing_per_gather_action():
    game = at_token("driftwood")
    game.state.monk[space(TOKEN_SPACE)] = 1
    do(game, "gather")
    assert legal(game) == {"find(resources)", "find(monk)"}
    do(game, "find(resources)", "take(all)")
    assert game.phase == Phase.ACTION
    assert game.state.monk[space(TOKEN_SPACE)] == 1


@pytest.mark.rule("GATH-1")
def test_only_what_lies_on_the_samurais_own_space():
    game = at_token("driftwood")
    assert "gather" in legal(game)
    put(game, 0, "ring1.0/petal1")
    assert "gather" not in legal(game)


@pytest.mark.rule("GATH-2")
def test_a_token_gives_what_it_shows_and_turns_face_down():
    game = at_level_three_token("slayers_camp")
    do(game, "gather", "find(resources)", "take(all)")
    assert pack_of(game, 0) == {"wood": 1, "metal": 2, "tooth": 1}
    here = space("ring3.1/centre")
    assert (game.state.token[here] != 0, game.state.face_up[here]) == (True, 0)


@pytest.mark.rule("GATH-2")
def test_a_face_down_token_gives_nothing():
    game = at_token("driftwood")
    do(game, "gather", "find(resources)", "take(all)")
    assert "gather" not in legal(game)


@pytest.mark.rule("GATH-3")
def test_less_than_shown_may_be_taken_but_at_least_one_cube():
    game = at_token("broken_cart")
    do(game, "gather", "find(resources)")
    assert legal(game) == {"take(wood)", "take(metal)", "take(all)"}
    do(game, "take(metal)")
    assert legal(game) == {"take(wood)", "done"}
    do(game, "done")
    assert pack_of(game, 0) == {"metal": 1}
    assert game.state.face_up[space(TOKEN_SPACE)] == 0
    assert game.phase == Phase.ACTION


@pytest.mark.rule("GATH-3")
def test_no_more_than_shown():
    game = at_token("driftwood")
    do(game, "gather", "find(resources)", "take(wood)", "take(wood)")
    assert pack_of(game, 0) == {"wood": 2}
    assert game.phase == Phase.ACTION


@pytest.mark.rule("GATH-3", "PACK-2")
def test_pack_resources_may_be_thrown_away_to_make_room():
    game = at_token("iron_sand", wood=4, tooth=2)
    supply = game.state.supply[:3].tolist()
    do(game, "gather", "find(resources)")
    assert legal(game) == {"throw(wood)", "throw(tooth)"}
    do(game, "throw(wood)")
    assert legal(game) == {"take(metal)"}
    do(game, "take(metal)")
    assert legal(game) == {"throw(wood)", "throw(metal)", "throw(tooth)", "done"}
    do(game, "throw(tooth)", "take(metal)")
    assert pack_of(game, 0) == {"wood": 3, "metal": 2, "tooth": 1}
    assert game.state.supply[:3].tolist() == [supply[0] + 1, supply[1] - 2, supply[2] + 1]


@pytest.mark.rule("GATH-3", "PACK-2")
@pytest.mark.parametrize("carried", [0, 4])
def test_nothing_is_thrown_away_while_there_is_room(carried):
    game = at_token("driftwood", metal=carried)
    do(game, "gather", "find(resources)")
    assert legal(game, "throw") == set()


@pytest.mark.rule("GATH-3")
def test_all_is_offered_only_where_all_fits():
    game = at_token("driftwood", metal=5)
    do(game, "gather", "find(resources)")
    assert legal(game) == {"take(wood)"}


@pytest.mark.rule("GATH-4")
@pytest.mark.parametrize("name", ["start", "temple0", "temple2"])
def test_the_start_tile_and_temples_give_a_wood_and_a_metal(name):
    game = table()
    put(game, 0, name)
    do(game, "gather", "find(stock)")
    assert legal(game) == {"take(wood)", "take(metal)", "take(all)"}
    do(game, "take(all)")
    assert pack_of(game, 0) == {"wood": 1, "metal": 1}


@pytest.mark.rule("GATH-4")
def test_bridges_and_tiles_give_no_stock():
    game = table()
    lay_plain(game, "ring1.0")
    for name in ("bridge0/a", "bridge2/b", "ring1.0/centre"):
        put(game, 0, name)
        assert "gather" not in legal(game)


@pytest.mark.rule("GATH-4")
def test_stock_is_given_once_per_turn_in_all_places_together():
    game = table()
    do(game, "gather", "find(stock)", "take(wood)", "done")
    assert "gather" not in legal(game)
    put(game, 0, "temple1")
    do(game, "gather")
    assert "find(stock)" not in legal(game)
    do(game, "find(blueprint)")
    do(game, min(legal(game, "blueprint")), "done")
    end_turn(game)
    assert game.actor == 0
    put(game, 0, "start")
    assert "gather" in legal(game)


@pytest.mark.rule("GATH-4")
def test_every_player_may_take_stock_on_its_turn():
    game = table()
    do(game, "gather", "find(stock)", "take(all)", "move", "done")
    do(game, "gather", "find(stock)", "take(all)")
    assert pack_of(game, 0) == pack_of(game, 1) == {"wood": 1, "metal": 1}


@pytest.mark.rule("GATH-5")
@pytest.mark.parametrize(("mine", "may"), [("green", True), ("red", False)])
def test_only_a_scroll_of_ones_own_colour(mine, may):
    game = table()
    lay_plain(game, "ring1.0")
    colour(game, 0, mine)
    put(game, 0, "ring1.0/petal1")
    game.state.scroll[space("ring1.0/petal1")] = COLOURS.index("green") + 1
    assert ("gather" in legal(game)) == may
    if may:
        do(game, "gather", "find(scroll)")
        assert game.phase == Phase.SCROLL_CARD


@pytest.mark.rule("GATH-6")
def test_a_monk_is_taken_from_its_space():
    game = table()
    lay(game, "ring1.0", "mossy_gate")
    put(game, 0, "ring1.0/petal4")
    do(game, "gather", "find(monk)", "monk(scroll)")
    assert monks_of(game, 0) == {"scroll"}
    assert not game.state.monk.any()
    assert "gather" not in legal(game)


@pytest.mark.rule("GATH-7")
def test_one_or_two_blueprints_of_the_temple():
    game = at_temple()
    shown = {f"blueprint({name})" for name in blueprints_at(game, Where.TEMPLE)}
    helmet, weapon = blueprint(game, "helmet"), blueprint(game, "weapon")
    do(game, "gather", "find(blueprint)")
    assert legal(game) == shown
    do(game, helmet)
    assert "done" in legal(game)
    do(game, weapon)
    assert {f"blueprint({name})" for name in owned(game)} == {helmet, weapon}
    assert len(blueprints_at(game, Where.TEMPLE)) == 4
    assert game.phase == Phase.ACTION


@pytest.mark.rule("GATH-7")
def test_one_blueprint_is_enough():
    game = at_temple()
    do(game, "gather", "find(blueprint)", blueprint(game, "helmet"), "done")
    assert len(owned(game)) == 1
    assert game.phase == Phase.ACTION


@pytest.mark.rule("GATH-7")
def test_blueprints_of_other_temples_are_not_to_be_had():
    game = at_temple()
    put(game, 0, "temple1")
    do(game, "gather", "find(blueprint)")
    assert legal(game) == {f"blueprint({name})" for name in blueprints_at(game, Where.TEMPLE + 1)}


@pytest.mark.rule("GATH-7", "PACK-1", "PACK-2")
def test_their_markers_go_into_the_pack():
    game = at_temple()
    put_pack(game, 0, wood=5)
    do(game, "gather", "find(blueprint)", blueprint(game, "helmet"))
    assert legal(game) == {"throw(wood)", "done"}
    do(game, "throw(wood)", blueprint(game, "weapon"))
    assert len(owned(game)) == 2
    assert pack_of(game, 0) == {"wood": 4}


@pytest.mark.rule("GATH-7", "PACK-4")
def test_no_blueprint_without_room_for_its_marker():
    game = at_temple()
    put_pack(game, 0, monks=6)
    game.state.stock_taken = 1
    assert "gather" not in legal(game)
    put_pack(game, 0, monks=5)
    do(game, "gather", "find(blueprint)", blueprint(game, "helmet"))
    assert legal(game) == {"done"}


@pytest.mark.rule("GATH-8")
def test_only_one_blueprint_of_each_type():
    game = at_temple()
    do(game, "gather", "find(blueprint)", blueprint(game, "helmet"))
    assert blueprint(game, "helmet", 1) not in legal(game)
    do(game, blueprint(game, "weapon"), "gather", "find(blueprint)")
    assert legal(game) == {blueprint(game, "sandals"), blueprint(game, "sandals", 1)}


@pytest.mark.rule("GATH-8")
def test_a_temple_without_a_type_that_one_lacks_has_nothing_to_take():
    game = at_temple()
    put_monks(game, 0, "pack")
    for gear in ("helmet", "weapon", "sandals"):
        game.state.blueprints[of_type(gear, 1)].where = Where.OWNED
    game.state.stock_taken = 1
    assert "gather" not in legal(game)


@pytest.mark.rule("GATH-8")
def test_others_may_own_a_blueprint_of_the_same_type():
    game = at_temple()
    game.state.blueprints[of_type("helmet")].where = Where.OWNED + 1
    do(game, "gather", "find(blueprint)")
    assert blueprint(game, "helmet", 1) in legal(game)


@pytest.mark.rule("GATH-9")
def test_blueprints_may_be_gathered_twice_in_a_turn():
    game = at_temple()
    do(game, "gather", "find(blueprint)", blueprint(game, "helmet"), "done")
    do(game, "gather", "find(blueprint)", blueprint(game, "weapon"), "done")
    assert len(owned(game)) == 2


@pytest.mark.rule("GATH-9")
@pytest.mark.parametrize("stock_first", [True, False])
def test_blueprints_may_be_gathered_beside_the_temples_resources(stock_first):
    game = at_temple()
    gathers = [("find(stock)", "take(all)"), ("find(blueprint)", blueprint(game, "helmet"), "done")]
    for names in gathers if stock_first else reversed(gathers):
        do(game, "gather", *names)
    assert pack_of(game, 0) == {"wood": 1, "metal": 1}
    assert len(owned(game)) == 1
