"""REST, and the crafting that belongs to it."""

import pytest

from fujikoro_env.rules.base.phases import Phase
from tests.helpers.gear import put_blueprint, show_cards
from tests.helpers.tables import do, gear_of, legal, pack_of, put_gear, put_pack, put_scrolls, table

CARD, HELMET = "ferrymans_geta", "iron_brow"
BUILD = f"build(card {CARD})"


def resting(**pack):
    """Player 0 rests with these things in its pack and two of its discs on one field."""
    game = table()
    put_pack(game, 0, **pack)
    game.state.players[0].pool = 1
    game.state.players[0].fields[2] = 2
    do(game, "rest")
    return game


@pytest.mark.rule("REST-1")
def test_all_discs_return_to_the_pool():
    game = resting()
    assert (game.state.players[0].pool, game.state.players[0].fields.tolist()) == (3, [0, 0, 0])


@pytest.mark.rule("REST-1")
def test_then_the_player_may_craft():
    game = resting(wood=1)
    assert legal(game) == {"done", "craft(helmet)", "craft(weapon)", "craft(sandals)"}
    do(game, "done")
    assert (game.phase, game.actor) == (Phase.ACTION, 0)


@pytest.mark.rule("REST-1")
@pytest.mark.parametrize("gear", ["helmet", "weapon", "sandals"])
def test_one_type_of_gear_is_crafted(gear):
    game = resting(wood=4)
    do(game, f"craft({gear})", "add")
    assert {name.partition(", ")[2].partition("[")[0] for name in legal(game, "lay")} == {gear}
    cell = "[1,0]" if gear == "weapon" else "[0,0]"
    do(game, f"lay(wood, {gear}{cell})", "done")
    assert (game.phase, game.actor) == (Phase.ACTION, 0)
    assert pack_of(game, 0) == {"wood": 3}


@pytest.mark.rule("REST-1")
def test_with_nothing_to_lift_and_nothing_to_lay_there_is_nothing_to_craft():
    game = resting()
    assert legal(game) == {"done", "craft(weapon)"}
    put_gear(game, 0, weapon=[])
    assert legal(game) == {"done"}


@pytest.mark.rule("CRAFT-2")
def test_gear_may_be_laid_anew_and_one_cube_that_goes_to_the_pack_is_waste():
    game = resting()
    wood, metal = game.state.supply[:2].tolist()
    do(game, "craft(weapon)", "rebuild")
    assert gear_of(game, 0, "weapon") == []
    do(game, "lay(metal, weapon[1,1])", "done")
    assert legal(game) == {"throw(wood)", "throw(metal)"}
    do(game, "throw(wood)")
    assert (gear_of(game, 0, "weapon"), pack_of(game, 0)) == (["", ".M"], {"wood": 1, "metal": 1})
    assert game.state.supply[:2].tolist() == [wood + 1, metal]


@pytest.mark.rule("CRAFT-2")
def test_a_cube_that_is_lifted_and_laid_again_was_never_in_the_pack():
    game = resting(wood=2)
    do(game, "craft(weapon)", "rebuild")
    do(game, *(f"lay({kind}, weapon[{k},0])" for k, kind in enumerate(("wood", "wood", "metal", "metal"))), "done")
    assert pack_of(game, 0) == {"wood": 2}
    assert game.phase == Phase.ACTION


@pytest.mark.rule("CRAFT-3")
@pytest.mark.parametrize(
    ("carried", "kept"),
    [(2, {"wood": 1, "metal": 2, "tooth": 1}), (3, {"metal": 2, "tooth": 1}), (5, {"tooth": 1}), (6, {})],
)
def test_what_does_not_fit_in_the_pack_goes_to_the_supply_wood_then_metal_then_teeth(carried, kept):
    game = resting(monks=carried)
    put_gear(game, 0, weapon=["WWMMT"])
    do(game, "craft(weapon)", "rebuild", "done", "throw(wood)")
    assert pack_of(game, 0) == {**kept, "monks": carried}


@pytest.mark.rule("CRAFT-4", "CRAFT-5", "CRAFT-6")
@pytest.mark.parametrize(("gear", "rows", "columns"), [("helmet", 2, 4), ("sandals", 1, 3)])
def test_helmet_and_sandals_take_any_shape_of_their_grid(gear, rows, columns):
    game = resting(tooth=2)
    do(game, f"craft({gear})", "add")
    cells = {f"lay(tooth, {gear}[{row},{column}])" for row in range(rows) for column in range(columns)}
    assert legal(game, "lay") == cells
    do(game, f"lay(tooth, {gear}[0,0])")
    assert legal(game, "lay") == cells - {f"lay(tooth, {gear}[0,0])"}


# build(card) at a rest


def resting_with(sandals, **pack):
    """A rest with one gear card in the display, of sandals WMW, and these sandals."""
    game = resting(**pack)
    show_cards(game, CARD)
    put_gear(game, 0, sandals=sandals)
    return game


@pytest.mark.rule("REST-1", "CRAFT-1")
def test_a_pattern_can_be_built_at_a_rest_by_adding_to_what_lies_there():
    game = resting_with(["W"], wood=1, metal=1)
    do(game, BUILD)
    assert game.phase == Phase.CRAFT_LAY
    assert (gear_of(game, 0, "sandals"), pack_of(game, 0)) == (["WMW"], {})
    do(game, "done")
    assert game.phase == Phase.CLAIM_CARD  # it is claimed when the rest ends (GEAR-1)


@pytest.mark.rule("REST-1", "CRAFT-1", "CRAFT-2")
def test_a_pattern_is_built_from_lifted_cubes_if_it_can_not_be_added():
    game = resting_with(["MWM"], wood=1)
    do(game, BUILD)
    assert gear_of(game, 0, "sandals") == ["WMW"]
    assert pack_of(game, 0) == {}
    do(game, "done")
    assert pack_of(game, 0) == {}  # the one metal that is left over is waste


@pytest.mark.rule("REST-1")
def test_after_a_build_single_cubes_may_follow():
    game = resting_with([], wood=2, metal=1, tooth=1)
    show_cards(game, CARD)
    put_gear(game, 0, sandals=[])
    do(game, BUILD)
    assert legal(game) == {"done"}  # sandals are full
    game = resting(wood=3, metal=3)
    show_cards(game, HELMET)
    do(game, f"build(card {HELMET})")
    assert legal(game, "lay")


@pytest.mark.rule("REST-1")
@pytest.mark.parametrize(
    ("sandals", "pack"),
    [
        ([], {"wood": 2}),  # too few cubes
        (["WMW"], {"wood": 3, "metal": 2}),  # it lies there already
    ],
)
def test_a_build_at_a_rest_is_offered_only_if_it_does_something(sandals, pack):
    assert BUILD not in legal(resting_with(sandals, **pack))


@pytest.mark.rule("REST-1")
def test_looking_for_builds_leaves_no_trace():
    game = resting_with(["MWM"], wood=1)
    before = game.to_bytes()
    assert BUILD in legal(game)
    assert game.to_bytes() == before


@pytest.mark.rule("REST-1")
def test_a_blueprint_can_be_built_at_a_rest():
    game = resting(metal=3)
    put_blueprint(game, 0, "steps_of_the_mountain")
    do(game, "build(blueprint steps_of_the_mountain)")
    assert gear_of(game, 0, "sandals") == ["MMM"]


@pytest.mark.rule("REST-1")
def test_a_build_is_the_craft_of_its_gear():
    """With twin_forge, another type of gear may follow, but not the same again."""
    game = resting_with([], wood=2, metal=1)
    put_scrolls(game, 0, "twin_forge")
    do(game, BUILD, "done")
    assert "craft(sandals)" not in legal(game)
    assert "craft(weapon)" in legal(game)
