"""EXPLORE: a place, a tile, a turn, and what the tile brings."""

import numpy as np
import pytest

from fujikoro_env import ChanceError
from fujikoro_env.content.model import COLOURS
from fujikoro_env.rules.base.phases import Phase
from tests.helpers.tables import colour, do, explore, explored, lay, legal, place, put, space, spaces_of, table, where


def lying(game, field, place_name="ring1.0"):
    """Values of a map field on the 7 spaces of a place."""
    return game.state[field][list(spaces_of(place_name))].tolist()


def token(game, name):
    """The name of the resource token on a space, or ""."""
    number = int(game.state.token[space(name)])
    return game.vocabulary.token(number) if number else ""


def many_explored(tile):
    """Tiles explored at ring1.0, in games with different seeds."""
    for seed in range(20):
        game = table(seed=seed)
        explore(game, "ring1.0", tile)
        yield game


@pytest.mark.rule("EXPL-1")
def test_the_place_is_named_from_a_space_that_touches_it():
    game = table()
    do(game, "explore")
    assert legal(game) == {f"place(ring1.{k})" for k in range(6)}
    put(game, 0, "temple0")
    assert legal(game) == {"place(ring2.0)", "place(ring3.1)", "place(ring3.17)"}


@pytest.mark.rule("EXPL-1")
def test_first_the_place_then_the_tile_then_its_turn():
    game = table()
    game.load_draws("tiles1", ["bamboo_hollow"])
    do(game, "explore")
    assert int(game.state.tiles_left[0]).bit_count() == 7
    do(game, "place(ring1.2)")
    assert int(game.state.tiles_left[0]).bit_count() == 6
    assert explored(game) == set()
    assert legal(game) == {f"turn({k})" for k in range(6)}
    do(game, "turn(5)")
    assert explored(game) == {"ring1.2"}
    assert game.state.tile_turn[place("ring1.2")] == 5
    assert game.phase == Phase.ACTION


@pytest.mark.rule("EXPL-1")
@pytest.mark.parametrize(
    ("stand", "where_to", "tile"),
    [("start", "ring1.0", "mossy_gate"), ("temple0", "ring2.0", "fern_chasm"), ("temple0", "ring3.1", "crater_rim")],
)
def test_the_tile_comes_from_the_stack_of_the_ring(stand, where_to, tile):
    game = table()
    put(game, 0, stand)
    explore(game, where_to, tile)
    level = int(where_to[4])
    number = game.vocabulary.deck_ids(f"tiles{level}").index(tile)
    assert not int(game.state.tiles_left[level - 1]) >> number & 1
    assert [int(left).bit_count() for left in game.state.tiles_left].count(13) == (2 if level == 1 else 1)


@pytest.mark.rule("EXPL-2")
@pytest.mark.parametrize(("where_to", "vp"), [("ring1.0", 0), ("ring2.0", 1), ("ring3.1", 2)])
def test_vp_for_tiles_of_level_two_and_three(where_to, vp):
    game = table()
    put(game, 0, "start" if vp == 0 else "temple0")
    tile = {0: "mossy_gate", 1: "hidden_stair", 2: "crater_rim"}[vp]
    explore(game, where_to, tile)
    assert game.scores == (vp, 0)


@pytest.mark.rule("EXPL-3")
def test_a_square_icon_gets_a_face_up_square_token():
    game = table()
    explore(game, "ring1.0", "mossy_gate", squares=["broken_cart"])
    assert token(game, "ring1.0/petal0") == "broken_cart"
    assert lying(game, "face_up") == [0, 1, 0, 0, 0, 0, 0]
    assert np.count_nonzero(game.state.token) == 1


@pytest.mark.rule("EXPL-3")
@pytest.mark.parametrize(("where_to", "tile"), [("ring2.0", "basalt_stairs"), ("ring3.1", "cloud_piercer")])
def test_a_square_token_is_of_the_tiles_level(where_to, tile):
    game = table()
    put(game, 0, "temple0")
    with pytest.raises(ChanceError, match="not left in the deck"):
        explore(game, where_to, tile, squares=["driftwood"])  # of level I
    assert game.phase == Phase.EXPLORE_TURN
    fitting = {"ring2.0": "ore_vein", "ring3.1": "shed_fangs"}[where_to]
    game.load_draws("squares", [fitting])
    do(game, "turn(0)")
    assert token(game, f"{where_to}/centre") == fitting


@pytest.mark.rule("EXPL-3")
def test_a_square_token_is_random():
    found = {token(game, "ring1.0/petal0") for game in many_explored("mossy_gate")}
    assert found == {"driftwood", "iron_sand", "broken_cart", "bamboo_bundle", "rusty_ploughshare"}


@pytest.mark.rule("EXPL-4")
@pytest.mark.parametrize(("players", "found"), [(4, ""), (5, "lost_nail"), (6, "lost_nail")])
def test_a_hex_icon_gets_a_hex_token_with_five_or_six_players(players, found):
    game = table(players=players)
    explore(game, "ring1.0", "bamboo_hollow", hexes=["lost_nail"])
    assert token(game, "ring1.0/petal1") == found
    assert lying(game, "face_up")[2] == (players >= 5)


@pytest.mark.rule("EXPL-4")
def test_a_hex_token_that_shows_a_monk_is_a_monk():
    game = table(players=5)
    monks = game.state.supply[4]
    explore(game, "ring1.0", "bamboo_hollow", hexes=["wandering_novice"])
    assert token(game, "ring1.0/petal1") == ""
    assert lying(game, "monk") == [0, 0, 1, 0, 0, 0, 0]
    assert game.state.supply[4] == monks - 1


@pytest.mark.rule("EXPL-4")
def test_a_hex_token_is_of_the_tiles_level():
    game = table(players=5)
    put(game, 0, "temple0")
    with pytest.raises(ChanceError, match="not left in the deck"):
        explore(game, "ring3.1", "crater_rim", hexes=["kindling"])


@pytest.mark.rule("EXPL-5")
def test_a_scroll_icon_gets_a_token_of_a_colour_that_plays():
    game = table()
    colour(game, 0, "red")
    colour(game, 1, "black")
    left = game.state.scroll_tokens.tolist()
    put(game, 0, "temple0")
    explore(game, "ring2.0", "jade_serpent_lair")  # red on petal 1, blue on petal 5
    assert lying(game, "scroll", "ring2.0") == [0, 0, COLOURS.index("red") + 1, 0, 0, 0, 0]
    assert game.state.scroll_tokens.tolist() == [left[0] - 1, *left[1:]]


@pytest.mark.rule("EXPL-5")
def test_a_scroll_icon_gets_nothing_when_none_is_left_of_its_colour():
    game = table()
    colour(game, 0, "pink")
    game.state.scroll_tokens[COLOURS.index("pink")] = 0
    explore(game, "ring1.0", "mossy_gate")
    assert not game.state.scroll.any()


@pytest.mark.rule("EXPL-6", "MAP-8")
def test_a_dragon_icon_gets_a_dragon_of_its_colour_and_no_fight():
    game = table()
    put(game, 0, "temple0")
    explore(game, "ring2.0", "fern_chasm", dragons=["jade_fang"])
    number = game.vocabulary.deck_ids("dragons").index("jade_fang")
    assert game.state.dragon_at[place("ring2.0")] == number + 1
    assert game.state.dragons[number].place == place("ring2.0") + 1
    assert (game.phase, game.actor, where(game, 0)) == (Phase.ACTION, 0, "temple0")


@pytest.mark.rule("EXPL-6")
@pytest.mark.parametrize("dragon", ["rain_whelp", "cinder_wing", "lord_of_fuji"])
def test_no_dragon_of_another_colour(dragon):
    game = table()
    put(game, 0, "temple0")
    with pytest.raises(ChanceError, match="not left in the deck"):
        explore(game, "ring2.0", "fern_chasm", dragons=[dragon])


@pytest.mark.rule("EXPL-6")
def test_the_dragon_is_random():
    found = {int(game.state.dragon_at[place("ring1.0")]) for game in many_explored("azure_burrow")}
    assert found == {1, 2, 3, 4}  # the blue ones


@pytest.mark.rule("EXPL-7")
def test_a_monk_icon_gets_a_monk():
    game = table()
    monks = game.state.supply[4]
    explore(game, "ring1.0", "mossy_gate")
    assert lying(game, "monk") == [0, 0, 0, 0, 0, 1, 0]
    assert game.state.supply[4] == monks - 1


@pytest.mark.rule("EXPL-7")
def test_an_adventure_token_is_random_and_taken_from_those_left():
    game = table()
    powers = game.vocabulary.deck_ids("adventures")
    explore(game, "ring1.0", "bamboo_hollow", adventures=["harpoon"])
    assert game.state.adventures_left[powers.index("harpoon")] == 1
    game.state.adventures_left[:] = 0
    game.state.adventures_left[powers.index("gunbai")] = 1
    lay(game, "ring1.1", "ashen_orchard")
    assert game.state.adventure[space("ring1.1/petal4")] == powers.index("gunbai") + 1
    lay(game, "ring1.2", "whelp_hollow")
    assert not any(lying(game, "adventure", "ring1.2"))


@pytest.mark.rule("EXPL-9")
def test_face_down_tokens_on_tiles_next_to_the_new_one_turn_face_up():
    game = table()
    lay(game, "ring1.0", "mossy_gate")  # tokens on petal 0 of each
    lay(game, "ring1.2", "pilgrims_ledge", 2)
    lay(game, "ring1.4", "azure_burrow")
    game.state.face_up[:] = 0
    explore(game, "ring1.1", "steaming_springs")
    assert any(lying(game, "face_up", "ring1.0"))
    assert any(lying(game, "face_up", "ring1.2"))
    assert not any(lying(game, "face_up", "ring1.4"))


@pytest.mark.rule("EXPL-9")
def test_without_a_token_nothing_turns_face_up():
    game = table()
    lay(game, "ring1.0", "mossy_gate")
    game.state.face_up[:] = 0
    explore(game, "ring1.1", "steaming_springs")
    assert lying(game, "face_up") == [0, 1, 0, 0, 0, 0, 0]
