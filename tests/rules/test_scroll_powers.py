"""SCROLL-5: the powers of the 16 scrolls, each with and without the card."""

import pytest

from fujikoro_env.content.model import COLOURS
from fujikoro_env.rules.base.names import Supply
from fujikoro_env.rules.base.phases import Phase
from fujikoro_env.rules.base.state import DRAGONS_TURN
from tests.helpers.endgame import (
    BESIDE,
    BEYOND,
    MISS,
    STEP_APART,
    attack_dragon,
    dragon_damage,
    in_duel,
    pass_turn,
    steps,
    strike,
)
from tests.helpers.fights import lair
from tests.helpers.gear import meeting, put_card
from tests.helpers.powers import AROUND, mapping, on_plain_tiles, one_tile_laid, over_lava, with_and_without
from tests.helpers.tables import (
    do,
    end_turn,
    explore,
    explored,
    gear_of,
    lay,
    lay_plain,
    legal,
    pack_of,
    put,
    put_dragon,
    put_gear,
    put_lava,
    put_monks,
    put_pack,
    put_scrolls,
    show_scrolls,
    space,
    table,
    where,
)

pytestmark = pytest.mark.rule("SCROLL-5")


def length_of_move(game):
    """Number of steps of a move back and forth."""
    do(game, "move")
    count = 0
    while steps(game):
        do(game, "step(start)" if where(game, 0) != "start" else f"step({BESIDE})")
        count += 1
    do(game, "done")
    return count


# Holding a scroll


@pytest.mark.parametrize("cards", [("wind_walker", "seer"), ("storyteller", "wind_walker")])
def test_the_cards_of_both_slots_have_their_power(cards):
    assert length_of_move(on_plain_tiles(*cards)) == 3


def test_another_players_scroll_has_no_power_for_me():
    game = on_plain_tiles()
    put_scrolls(game, 1, "wind_walker")
    assert length_of_move(game) == 2


def test_the_power_of_a_discarded_scroll_is_lost_and_the_new_ones_gained():
    game = on_plain_tiles("wind_walker", "pilgrim", at=BESIDE)
    show_scrolls(game, "storyteller", "iron_grip", "ember_path")
    game.state.scroll[space(BESIDE)] = game.state.players[0].colour
    do(game, "gather", "find(scroll)", "scroll(ember_path)", "slot(1)")
    put_lava(game, "ring1.0/petal4")
    do(game, "move")
    assert "ring1.0/petal4" in steps(game)
    do(game, "step(start)", f"step({BESIDE})")
    assert steps(game) == set()


# ember_path


@with_and_without("ember_path")
def test_ember_path_one_lava_step_needs_no_sandals(cards):
    game = over_lava(*cards)
    do(game, "move")
    assert ("ring1.0/petal3" in steps(game)) == bool(cards)


def test_ember_path_the_free_step_costs_no_sandals():
    game = over_lava("ember_path", sandals="MT")
    do(game, "move", f"step({BESIDE})", "step(ring1.0/centre)", "done")
    assert gear_of(game, 0, "sandals") == ["MT"]


def test_ember_path_once_per_move():
    game = over_lava("ember_path")
    do(game, "move", f"step({BESIDE})", "step(start)", "done", "move")
    assert BESIDE in steps(game)  # a move later
    do(game, f"step({BESIDE})")
    assert "ring1.0/petal2" not in steps(game)


@with_and_without("ember_path")
def test_ember_path_the_second_lava_step_is_paid_for(cards):
    game = over_lava(*cards, sandals="MMW")  # worth one lava space, and a third step
    do(game, "move", f"step({BESIDE})")
    assert ("ring1.0/petal2" in steps(game)) == bool(cards)
    if cards:
        do(game, "step(ring1.0/petal2)", "step(ring1.0/centre)", "done")
        assert gear_of(game, 0, "sandals") == []


def test_ember_path_not_on_the_step_of_a_sandals_card():
    game = over_lava("ember_path")
    put_card(game, 0, "sandals", "move")
    do(game, "move", "bonus")
    assert steps(game) == {"ring1.0/petal4"}


# cartographer


@with_and_without("cartographer")
def test_cartographer_lays_up_to_two_more_tiles_next_to_the_first(cards):
    game = one_tile_laid(*cards)
    if not cards:
        assert game.phase == Phase.ACTION
        return
    assert legal(game) == {"done", *(f"place({name})" for name in AROUND)}
    do(game, "place(ring3.1)", "turn(0)")
    assert legal(game, "place") == {f"place({name})" for name in AROUND - {"ring3.1"}}  # not next to the second
    do(game, "place(ring1.0)", "turn(0)")
    assert legal(game) == {"done"}
    do(game, "done")
    assert game.phase == Phase.ACTION
    assert explored(game) == {"ring2.0", "ring3.1", "ring1.0"}


def test_cartographer_each_tile_gives_its_vp_and_refreshes_its_neighbours():
    game = mapping()
    lay(game, "ring2.1", "basalt_stairs", squares=["fallen_cedar"])
    put_scrolls(game, 0, "cartographer")
    explore(game, "ring2.0", "hidden_stair")
    game.state.face_up[:] = 0
    do(game, "place(ring3.1)", "turn(0)")
    assert game.state.face_up[space("ring2.1/centre")] == 1
    do(game, "place(ring2.11)", "turn(0)", "done")
    assert game.scores == (1 + 2 + 1, 0)


def test_cartographer_may_stop_at_once():
    game = one_tile_laid("cartographer")
    do(game, "done")
    assert game.phase == Phase.ACTION
    assert explored(game) == {"ring2.0"}


def test_cartographer_needs_tiles_in_the_stacks():
    game = one_tile_laid("cartographer")
    game.state.tiles_left[1] = 0
    assert legal(game, "place") == {f"place({name})" for name in ("ring1.0", "ring3.1", "ring3.17")}
    game.state.tiles_left[:] = 0
    assert legal(game) == {"done"}


# wind_walker


@with_and_without("wind_walker")
@pytest.mark.parametrize(("sandals", "length"), [("", 2), ("WWW", 3)])
def test_wind_walker_every_move_has_one_step_more(cards, sandals, length):
    game = on_plain_tiles(*cards)
    put_gear(game, 0, sandals=[sandals])
    assert length_of_move(game) == length + len(cards)


def test_wind_walker_main_move_only():
    game = on_plain_tiles("wind_walker")
    put_card(game, 0, "sandals", "move")
    do(game, "move", "bonus", f"step({BESIDE})")
    assert steps(game) == set()


# pilgrim


@with_and_without("pilgrim")
def test_pilgrim_other_temples_are_one_step_away(cards):
    game = on_plain_tiles(*cards, at="temple1")
    do(game, "move")
    assert steps(game) == ({"temple0", "temple2"} if cards else set())
    if cards:
        do(game, "step(temple2)", "step(temple0)")
        assert steps(game) == set()  # each is a step
        do(game, "done")
        assert where(game, 0) == "temple0"


def test_pilgrim_from_a_temple_only():
    game = on_plain_tiles("pilgrim", at="bridge0/a")
    do(game, "move")
    assert steps(game) == {"bridge0/b"}


def test_pilgrim_also_on_the_step_of_a_sandals_card():
    game = on_plain_tiles("pilgrim", at="temple0")
    put_card(game, 0, "sandals", "move")
    do(game, "move", "bonus")
    assert steps(game) == {"temple1", "temple2"}


# deep_pockets, prospector


def at_token(*cards, token="iron_sand"):
    game = table()
    lay(game, "ring1.0", "mossy_gate", squares=[token])
    put_scrolls(game, 0, *cards)
    put(game, 0, "ring1.0/petal0")
    return game


@with_and_without("deep_pockets")
def test_deep_pockets_a_resource_token_gives_a_wood_more(cards):
    game = at_token(*cards)
    do(game, "gather", "find(resources)", "take(all)")
    assert pack_of(game, 0) == ({"wood": 1, "metal": 2} if cards else {"metal": 2})


@with_and_without("deep_pockets")
def test_deep_pockets_the_wood_alone_is_worth_a_gather(cards):
    game = at_token(*cards)
    game.state.supply[Supply.METAL] = 0
    assert ("gather" in legal(game)) == bool(cards)
    game.state.supply[Supply.WOOD] = 0
    assert "gather" not in legal(game)


@pytest.mark.parametrize("name", ["start", "temple1"])
@pytest.mark.parametrize(("cards", "metal"), [(("prospector",), 2), (("deep_pockets",), 1), ((), 1)])
def test_prospector_the_stock_gives_a_metal_more(name, cards, metal):
    game = on_plain_tiles(*cards, at=name)
    do(game, "gather", "find(stock)", "take(all)")
    assert pack_of(game, 0) == {"wood": 1, "metal": metal}


def test_prospector_no_more_from_tokens():
    game = at_token("prospector")
    do(game, "gather", "find(resources)", "take(all)")
    assert pack_of(game, 0) == {"metal": 2}


# far_reach


def reaching(*cards, monk_on):
    """Player 0 stands beside the start, with a monk on one space."""
    game = on_plain_tiles(*cards, at=BESIDE, places=("ring1.0", "ring1.1"))
    game.state.monk[space(monk_on)] = 1
    return game


@with_and_without("far_reach")
@pytest.mark.parametrize("monk_on", ["ring1.0/petal4", BEYOND])
def test_far_reach_gathers_from_an_adjacent_space(cards, monk_on):
    game = reaching(*cards, monk_on=monk_on)
    assert ("gather" in legal(game)) == bool(cards)
    if cards:
        do(game, "gather")
        assert legal(game) == {f"step({monk_on})"}  # not the stock of the start tile: it is safe
        do(game, f"step({monk_on})", "find(monk)", "monk(pool)")
        assert game.state.monk[space(monk_on)] == 0
        assert where(game, 0) == BESIDE


def test_far_reach_asks_for_a_space_first_ones_own_too():
    game = reaching("far_reach", monk_on=BESIDE)
    game.state.monk[space("ring1.0/centre")] = 1
    do(game, "gather")
    assert steps(game) == {BESIDE, "ring1.0/centre"}
    do(game, f"step({BESIDE})", "find(monk)", "monk(pool)")
    assert (game.state.monk[space(BESIDE)], game.state.monk[space("ring1.0/centre")]) == (0, 1)


def test_far_reach_no_farther_than_adjacent():
    assert "gather" not in legal(reaching("far_reach", monk_on="ring1.0/petal0"))


def test_far_reach_not_onto_a_dragons_tile():
    game = reaching("far_reach", monk_on=BEYOND)
    put_dragon(game, "ring1.1")
    assert "gather" not in legal(game)


def test_far_reach_not_onto_lava():
    game = reaching("far_reach", monk_on=BEYOND)
    put_lava(game, BEYOND)
    assert "gather" not in legal(game)


def test_far_reach_takes_scrolls_and_tokens_too():
    game = reaching("far_reach", monk_on="ring1.0/petal0")
    beside = space("ring1.0/centre")
    game.state.scroll[beside] = game.state.players[0].colour
    game.state.adventure[beside] = 1
    do(game, "gather", "step(ring1.0/centre)")
    assert legal(game) == {"find(scroll)", "find(adventure)"}
    do(game, "find(scroll)")
    do(game, min(legal(game, "scroll")))
    do(game, "slot(2)")
    assert game.state.scroll[beside] == 0
    assert game.scores == (3, 0)


@pytest.mark.rule("GATH-5")
def test_far_reach_only_what_could_be_gathered_there():
    game = reaching("far_reach", monk_on="ring1.0/petal0")
    game.state.scroll[space("ring1.0/centre")] = game.state.players[0].colour % len(COLOURS) + 1
    assert "gather" not in legal(game)


# master_smith, twin_forge


def resting(*cards, **pack):
    game = on_plain_tiles(*cards)
    put_pack(game, 0, **pack)
    do(game, "move", "done", "rest")
    return game


@with_and_without("master_smith")
def test_master_smith_crafting_makes_no_waste(cards):
    game = resting(*cards)
    do(game, "craft(weapon)", "rebuild", "done")
    if not cards:
        assert game.phase == Phase.WASTE
        do(game, "throw(wood)")
    assert pack_of(game, 0) == {"wood": 1 + len(cards), "metal": 2}
    assert (game.actor, game.phase) == (1, Phase.ACTION)


@with_and_without("twin_forge")
def test_twin_forge_a_rest_may_craft_two_types_of_gear(cards):
    game = resting(*cards, wood=3)
    do(game, "craft(helmet)", "add", "lay(wood, helmet[0,0])", "done")
    if not cards:
        assert game.actor == 1
        return
    assert legal(game) == {"craft(weapon)", "craft(sandals)", "done"}  # another type
    do(game, "craft(sandals)", "add", "lay(wood, sandals[0,0])", "done")
    assert game.actor == 1  # and no third
    assert (gear_of(game, 0, "helmet"), gear_of(game, 0, "sandals")) == (["W"], ["W"])


@pytest.mark.parametrize("crafts", [0, 1])
def test_twin_forge_fewer_are_enough(crafts):
    game = resting("twin_forge", wood=1)
    if crafts:
        do(game, "craft(helmet)", "add", "lay(wood, helmet[0,0])", "done")
    do(game, "done")
    assert game.actor == 1


# iron_grip, steady_hand

NO_METAL = ("M0", "M0", "M0")
NO_HIT = ("W0", "W0", *NO_METAL)


def fighting(*cards, dice, weapon="WWMMM", dragon="rain_whelp"):
    """Player 0, who comes before a dragon of initiative 4, is about to roll."""
    game = lair(dragon)
    put_scrolls(game, 0, *cards)
    put_gear(game, 0, weapon=[weapon])
    attack_dragon(game, *dice)
    return game


def weapon_cubes(game, player=0):
    return "".join(sorted("".join(gear_of(game, player, "weapon")).replace(".", "")))


@with_and_without("iron_grip")
def test_iron_grip_one_breaking_die_breaks_nothing(cards):
    game = fighting(*cards, dice=["W1*", "W1", *NO_METAL])
    strike(game)
    assert (game.phase == Phase.BREAK) == (not cards)
    if cards:
        assert weapon_cubes(game) == "MMMWW"
        assert game.state.fight.health == 6 - 2  # its hits count


@with_and_without("iron_grip")
def test_iron_grip_of_several_of_one_kind_one_breaks_nothing(cards):
    game = fighting(*cards, dice=["W0", "W0", "M2*", "M2*", "M0"])
    strike(game)
    do(game, "cell(weapon[0,4])")
    if not cards:
        do(game, "cell(weapon[0,3])")
    assert weapon_cubes(game) == ("MMWW" if cards else "MWW")
    assert game.phase == Phase.WEAPON


@pytest.mark.parametrize(("kind", "cell"), [("wood", "weapon[0,4]"), ("metal", "weapon[0,0]")])
def test_iron_grip_chooses_the_kind_if_several_broke(kind, cell):
    game = fighting("iron_grip", dice=["W1*", "W0", "M2*", "M0", "M0"])
    strike(game)
    assert legal(game) == {"item(wood)", "item(metal)"}
    do(game, f"item({kind})")
    assert f"cell({cell})" in legal(game)
    do(game, f"cell({cell})")
    assert weapon_cubes(game) == {"wood": "MMWW", "metal": "MMMW"}[kind]


def test_iron_grip_in_each_roll():
    game = fighting("iron_grip", dice=["W0", "W1*", *NO_METAL, *MISS, "W1*", "W0", *NO_METAL])
    strike(game)
    strike(game)
    assert weapon_cubes(game) == "MMMWW"
    assert game.state.fight.health == 6 - 2


@with_and_without("steady_hand")
def test_steady_hand_rolls_one_weapons_dice_again(cards):
    game = fighting(*cards, dice=["W1*", "W0", *NO_METAL, "W1", "W1", "M1", "M0", "M0"])
    strike(game)
    if not cards:
        assert game.phase == Phase.BREAK
        return
    assert legal(game) == {"yes", "no"}  # before breakage
    do(game, "yes")
    assert weapon_cubes(game) == "MMMWW"  # the first roll is gone, its breakage with it
    assert game.state.fight.health == 6 - 3


def test_steady_hand_the_second_roll_stands():
    game = fighting("steady_hand", dice=["W1", "W1", "M2", "M1", "M0", "W1*", "W0", *NO_METAL])
    strike(game)
    do(game, "yes")
    assert game.phase == Phase.BREAK


def test_steady_hand_the_same_dice_again():
    game = fighting("steady_hand", dice=["W0", "M0", "W1", "M2"])
    do(game, "weapon(left)", "number(1)", "number(1)", "yes")
    assert game.state.fight.health == 6 - 3


def test_steady_hand_once_per_fight():
    game = fighting("steady_hand", dice=[*NO_HIT, *MISS, *NO_HIT, *NO_HIT, *MISS, *NO_HIT])
    strike(game)
    do(game, "no")  # kept for later
    strike(game)
    assert game.phase == Phase.REROLL
    do(game, "yes")
    strike(game)
    assert game.phase != Phase.REROLL


def test_steady_hand_anew_in_the_next_fight():
    hits = ["W1", "W1", "M2", "M2", "M2"]
    game = fighting("steady_hand", dice=[*hits, *hits])
    strike(game)
    do(game, "yes", "done")
    put_dragon(game, "ring1.0", "tide_whelp")
    game.load_dice(hits)
    do(game, "move", "step(ring1.0/petal2)")
    strike(game)
    assert game.phase == Phase.REROLL


# falling_petal, lightning_draw


@with_and_without("falling_petal")
@pytest.mark.parametrize(("roll", "hits"), [(("T1", "T2", "T1"), 4), (("T1", "T0", "T0"), 1), (("T0", "T0", "T0"), 0)])
def test_falling_petal_the_first_hit_of_a_dragons_roll_does_no_harm(cards, roll, hits):
    game = fighting(*cards, dice=[*NO_HIT, *roll])
    put_gear(game, 0, helmet=["WWWW", "WW"])
    strike(game)
    harm = max(0, hits - len(cards))
    for k in range(harm):
        assert game.phase == Phase.PAY
        do(game, f"cell(helmet[0,{k}])")
    assert game.phase == Phase.WEAPON


def test_falling_petal_each_roll():
    game = fighting("falling_petal", dice=[*NO_HIT, "T1", "T0", "T0", *NO_HIT, "T1", "T0", "T0"])
    strike(game)
    strike(game)
    assert game.phase == Phase.WEAPON


def test_falling_petal_not_in_duels():
    game = meeting(at=STEP_APART)
    put_scrolls(game, 0, "falling_petal")
    put_gear(game, 0, helmet=["WW"])
    in_duel("W1", "W0", "M0", "M0", game=game)
    strike(game)
    assert (game.phase, game.actor) == (Phase.PAY, 0)


@pytest.mark.parametrize(
    ("cards", "dragon", "first"),
    [
        ((), "tide_whelp", False),  # 3, and the attacker loses ties
        (("lightning_draw",), "moss_fang", True),  # 5
        (("lightning_draw",), "jade_fang", False),  # 7
    ],
)
def test_lightning_draw_3_more_initiative(cards, dragon, first):
    game = fighting(*cards, weapon="WWM", dragon=dragon, dice=["T0"] * 5)
    assert (game.state.fight.order[0] == DRAGONS_TURN) == (not first)


@with_and_without("lightning_draw")
@pytest.mark.parametrize(("length", "defenders"), [(2, 0), (3, 1)])
def test_lightning_draw_in_duels_even_unarmed(cards, length, defenders):
    game = meeting(at=STEP_APART)
    put_scrolls(game, 0, *cards)
    put_gear(game, 0, weapon=[])
    put_gear(game, 1, weapon=["WWM"[:length]])
    in_duel(game=game)
    assert game.state.fight.order[0] - 1 == (defenders if cards else 1)


# dragon_bane


@with_and_without("dragon_bane")
def test_dragon_bane_puts_one_permanent_damage_on_a_dragon_nearby(cards):
    game = lair()
    put_scrolls(game, 0, *cards)
    assert (legal(game, "use") == {"use(dragon_bane)"}) == bool(cards)
    if cards:
        tokens = game.state.supply[Supply.DAMAGE]
        do(game, "use(dragon_bane)")
        assert legal(game) == {"place(ring1.1)"}
        do(game, "place(ring1.1)")
        assert dragon_damage(game) == 1
        assert game.state.supply[Supply.DAMAGE] == tokens - 1
        assert (game.phase, game.state.players[0].pool) == (Phase.ACTION, 3)  # no action


def bane():
    game = lair()
    put_scrolls(game, 0, "dragon_bane")
    return game


def test_dragon_bane_once_per_turn_and_at_either_action():
    game = bane()
    do(game, "move", "done", "use(dragon_bane)", "place(ring1.1)")
    assert legal(game, "use") == set()
    pass_turn(game)
    end_turn(game)
    assert legal(game, "use") == {"use(dragon_bane)"}
    do(game, "use(dragon_bane)", "place(ring1.1)")
    assert legal(game, "use") == set()
    do(game, "move", "done")
    assert (game.actor, legal(game, "use")) == (0, set())
    assert dragon_damage(game) == 2


@pytest.mark.parametrize(
    ("name", "may"), [("start", True), ("ring1.0/petal2", True), ("ring1.0/centre", False), ("temple0", False)]
)
def test_dragon_bane_next_to_the_dragons_tile(name, may):
    game = bane()
    put(game, 0, name)
    assert (legal(game, "use") != set()) == may


def test_dragon_bane_chooses_among_dragons():
    game = bane()
    lay_plain(game, "ring1.5")
    put_dragon(game, "ring1.5", "tide_whelp")
    put(game, 0, "start")
    do(game, "use(dragon_bane)")
    assert legal(game) == {"place(ring1.1)", "place(ring1.5)"}
    do(game, "place(ring1.5)")
    assert (dragon_damage(game), dragon_damage(game, "tide_whelp")) == (0, 1)


@pytest.mark.rule("DRAG-9")
def test_dragon_bane_leaves_a_dragon_1_health_and_needs_a_token():
    game = bane()
    game.state.dragons[0].damage = 4
    assert legal(game, "use") != set()
    game.state.supply[Supply.DAMAGE] = 0
    assert legal(game, "use") == set()
    game.state.supply[Supply.DAMAGE] = 1
    do(game, "use(dragon_bane)", "place(ring1.1)")
    end_turn(game)
    end_turn(game)
    game.state.supply[Supply.DAMAGE] = 5
    assert (dragon_damage(game), legal(game, "use")) == (5, set())


# seer


def before_my_turn(*cards):
    """Player 1 is about to act; then comes player 0."""
    game = on_plain_tiles(*cards)
    end_turn(game)
    return game


@with_and_without("seer")
def test_seer_looks_at_the_top_of_a_stack_when_its_turn_starts(cards):
    game = before_my_turn(*cards)
    game.load_draws("tiles2", ["hidden_stair"])
    end_turn(game)
    assert (game.actor, game.phase) == (0, Phase.LOOK if cards else Phase.ACTION)
    if cards:
        assert legal(game) == {"stack(1)", "stack(2)", "stack(3)", "done"}
        do(game, "stack(2)")
        assert game.state.top_seen.tolist() == [0, 1, 0]
        assert game.phase == Phase.ACTION
        put(game, 0, "temple0")
        do(game, "explore", "place(ring2.0)", "turn(0)")
        assert game.state.secret_exit == space("ring2.0/petal0")  # what was seen


def test_seer_may_skip():
    game = before_my_turn("seer")
    end_turn(game)
    do(game, "done")
    assert game.phase == Phase.ACTION
    assert not game.state.top_seen.any()


def test_seer_not_on_others_turns_nor_twice_in_one():
    game = before_my_turn("seer")
    assert (game.actor, game.phase) == (1, Phase.ACTION)
    end_turn(game)
    do(game, "done", "move", "done")
    assert (game.actor, game.phase) == (0, Phase.ACTION)


def test_seer_only_stacks_that_have_a_tile():
    game = before_my_turn("seer")
    game.state.tiles_left[1:] = 0
    end_turn(game)
    assert legal(game) == {"stack(1)", "done"}
    do(game, "done")
    end_turn(game)
    game.state.tiles_left[0] = 0
    end_turn(game)
    assert (game.actor, game.phase) == (0, Phase.ACTION)


# storyteller


@with_and_without("storyteller")
@pytest.mark.parametrize(
    ("name", "at", "vp"), [("ring1.1", "start", 0), ("ring2.0", "temple0", 1), ("ring3.1", "temple0", 2)]
)
def test_storyteller_one_vp_more_for_level_two_and_three(cards, name, at, vp):
    game = mapping(*cards, at=at)
    tile = {"1": "mossy_gate", "2": "basalt_stairs", "3": "cloud_piercer"}[name[4]]
    explore(game, name, tile)
    assert game.scores == (vp + (len(cards) if vp else 0), 0)


def test_storyteller_for_each_tile_of_a_cartographer():
    game = table()
    put_monks(game, 0, "scroll")
    put_scrolls(game, 0, "storyteller", "cartographer")
    put(game, 0, "temple0")
    explore(game, "ring2.0", "basalt_stairs")
    do(game, "place(ring3.1)", "turn(0)", "place(ring1.0)", "turn(0)", "done")
    assert game.scores == ((1 + 1) + (2 + 1) + 0, 0)
