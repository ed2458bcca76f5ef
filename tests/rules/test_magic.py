"""MAGIC: cubes laid on gear that matches a blueprint, their effects, and when they go and come back."""

import pytest

from fujikoro_env.rules.base.names import Where
from fujikoro_env.rules.base.phases import Phase
from tests.helpers.gear import (
    BLUEPRINTS,
    HERE,
    MATCHING,
    blow,
    break_off,
    call_duel,
    lose_blueprint,
    lying,
    magic_left,
    magic_of,
    meeting,
    put_blueprint,
    put_card,
    put_magic,
    put_magic_gear,
    show_cards,
    win,
)
from tests.helpers.tables import (
    do,
    gear_of,
    give_turn,
    lay_plain,
    legal,
    put,
    put_gear,
    put_lava,
    put_monks,
    put_pack,
    table,
    where,
)

ALL_MAGIC = 20
# Two weapons, | between the parts of the grid. The pattern of daisho_of_dusk is WWMM and WWM, that of cloud_cutter
# WWMMM with a metal under the second wood; it fits the right part on end.
DAISHO = ["WWMM.|WWM"]
CUTTER_LEFT = ["WWMMM|..W", ".M...|..W"]
CUTTER_RIGHT = ["W....|..W", "W....|.MW", ".....|..M", ".....|..M", ".....|..M"]
CUTTER_ON_BOTH = ["WWMMM|..W", ".M...|.MW", ".....|..M", ".....|..M", ".....|..M"]


def put_weapons(game, player, rows):
    put_monks(game, player, "weapon")
    put_gear(game, player, weapon=[row.replace("|", "") for row in rows])


def about_to_match(gear, player=0, **rules):
    """Gear that matches its owner's blueprint, but has no magic yet."""
    game = table(**rules)
    put_blueprint(game, player, BLUEPRINTS[gear])
    put_gear(game, player, **{gear: MATCHING[gear]})
    return game


def do_nothing(game):
    do(game, "move", "done")


def craft(game, gear, *actions):
    """Player 0 crafts in a rest."""
    do(game, "move", "done", "rest", f"craft({gear})", *actions, "done")


# MAGIC-1


@pytest.mark.rule("MAGIC-1")
@pytest.mark.parametrize("gear", ["helmet", "weapon", "sandals"])
def test_gear_that_matches_an_owned_blueprint_gets_one_magic_cube_when_an_action_ends(gear):
    game = about_to_match(gear)
    do(game, "move")
    assert magic_of(game, 0) == {}
    do(game, "done")
    assert (magic_of(game, 0), magic_left(game)) == ({gear: 1}, ALL_MAGIC - 1)


@pytest.mark.rule("MAGIC-1")
def test_gear_that_does_not_match_gets_none():
    game = about_to_match("helmet")
    put_gear(game, 0, helmet=["WMW", "M.W"])
    do_nothing(game)
    assert (magic_of(game, 0), magic_left(game)) == ({}, ALL_MAGIC)


@pytest.mark.rule("MAGIC-1")
def test_a_blueprint_that_is_not_owned_gives_none():
    game = about_to_match("helmet")
    lose_blueprint(game, 0, "helmet")
    put_blueprint(game, 1, BLUEPRINTS["sandals"])
    put_gear(game, 0, sandals=MATCHING["sandals"])
    do_nothing(game)
    assert (magic_of(game, 0), magic_of(game, 1)) == ({}, {})


@pytest.mark.rule("MAGIC-1")
def test_a_blueprint_works_for_gear_of_its_own_type_alone():
    game = about_to_match("sandals")
    put_gear(game, 0, helmet=["MMM"], weapon=["WWMMM"], sandals=[])
    do_nothing(game)
    assert magic_of(game, 0) == {}


@pytest.mark.rule("MAGIC-1")
def test_all_gear_of_all_players_is_looked_at():
    game = about_to_match("helmet", player=1, players=3)
    put_blueprint(game, 1, BLUEPRINTS["sandals"])
    put_gear(game, 1, sandals=MATCHING["sandals"])
    do_nothing(game)
    assert (magic_of(game, 1), magic_left(game)) == ({"helmet": 1, "sandals": 1}, ALL_MAGIC - 2)


@pytest.mark.rule("MAGIC-1", "GATH-7")
def test_a_blueprint_that_is_gathered_works_at_the_end_of_that_action():
    game = about_to_match("helmet")
    game.state.blueprints[0].where = Where.TEMPLE
    put(game, 0, "temple0")
    do(game, "gather", "find(blueprint)", f"blueprint({BLUEPRINTS['helmet']})", "done")
    assert magic_of(game, 0) == {"helmet": 1}


@pytest.mark.rule("MAGIC-1")
def test_magic_is_not_laid_between_the_halves_of_an_action():
    game = about_to_match("helmet")
    put_card(game, 0, "reed_hat", "move")
    do(game, "move", "main", "done")
    assert (game.phase, magic_of(game, 0)) == (Phase.HALVES, {})
    do(game, "done")
    assert magic_of(game, 0) == {"helmet": 1}


@pytest.mark.rule("MAGIC-1")
def test_magic_is_laid_when_a_fight_ends_though_the_action_goes_on():
    game = meeting()
    put_blueprint(game, 0, BLUEPRINTS["helmet"])
    put_gear(game, 0, helmet=MATCHING["helmet"])
    put_card(game, 0, "reed_hat", "move")
    put_gear(game, 0, weapon=["WWM"])
    put_gear(game, 1, weapon=["WW"])
    do(game, "move", "main", f"step({HERE})", "yes")
    blow(game, "W1", "W0", "M0")
    do(game, "step(start)")
    assert (game.phase, magic_of(game, 0)) == (Phase.STEAL, {})
    do(game, "done")
    assert (game.phase, magic_of(game, 0)) == (Phase.HALVES, {"helmet": 1})


@pytest.mark.rule("MAGIC-1")
@pytest.mark.parametrize(("weapon", "magic"), [("left", 1), ("right", 2)])
@pytest.mark.parametrize(("blueprint", "rows"), [("daisho_of_dusk", DAISHO), ("cloud_cutter", CUTTER_ON_BOTH)])
def test_of_two_weapons_that_match_its_owner_chooses_one(blueprint, rows, weapon, magic):
    game = table()
    put_blueprint(game, 1, blueprint)
    put_weapons(game, 1, rows)
    do_nothing(game)
    assert (game.phase, game.actor) == (Phase.MAGIC_WEAPON, 1)
    assert legal(game) == {"weapon(left)", "weapon(right)"}
    do(game, f"weapon({weapon})")
    assert (magic_of(game, 1), magic_left(game)) == ({"weapon": magic}, ALL_MAGIC - 1)
    assert (game.phase, game.actor) == (Phase.ACTION, 0)


@pytest.mark.rule("MAGIC-1")
@pytest.mark.parametrize(("rows", "magic"), [(CUTTER_LEFT, 1), (CUTTER_RIGHT, 2)])
def test_of_two_weapons_the_one_that_matches_gets_the_cube(rows, magic):
    game = table()
    put_blueprint(game, 0, "cloud_cutter")
    put_weapons(game, 0, rows)
    do_nothing(game)
    assert (game.phase, magic_of(game, 0)) == (Phase.ACTION, {"weapon": magic})


@pytest.mark.rule("SETUP-10", "MAGIC-1")
@pytest.mark.parametrize(("left", "served"), [(0, []), (1, [1]), (2, [1, 2]), (3, [0, 1, 2])])
def test_when_magic_runs_short_player_order_from_the_active_player_decides(left, served):
    game = about_to_match("helmet", players=3)
    for player in (1, 2):
        put_blueprint(game, player, ("moon_kabuto", "lotus_kabuto")[player - 1])
        put_gear(game, player, helmet=(["MWWM", "M..M"], [".MM.", "WMMW"])[player - 1])
    game.state.supply[3] = left
    give_turn(game, 1)
    do_nothing(game)
    assert [p for p in range(3) if magic_of(game, p)] == served
    assert magic_left(game) == 0


# MAGIC-2


@pytest.mark.rule("MAGIC-2", "ATK-3")
@pytest.mark.parametrize(("broken", "magic"), [("0,4", {}), ("1,2", {"weapon": 1})])
def test_weapon_magic_goes_with_the_first_breakage_after_which_the_weapon_does_not_match(broken, magic):
    game = meeting()
    put_magic_gear(game, 0, "weapon")
    put_gear(game, 0, weapon=["WWMMM", ".MM"])
    call_duel(game)
    blow(game, "W0", "W0", "M2*", "M0", "M0", "M0", "M0", "G0")
    assert magic_of(game, 0) == {"weapon": 1}
    break_off(game, broken)
    assert (magic_of(game, 0), magic_left(game)) == (magic, ALL_MAGIC - len(magic))
    assert game.phase == Phase.LAY_LOSER  # the hits come after


@pytest.mark.rule("MAGIC-2", "MAGIC-1")
def test_the_cube_goes_with_the_weapon_that_it_lies_on_and_comes_back_on_the_other():
    game = meeting()
    put_blueprint(game, 0, "cloud_cutter")
    put_weapons(game, 0, CUTTER_ON_BOTH)
    put_magic(game, 0, "weapon", where=1)
    put_gear(game, 1, helmet=["MMMM", "MMMM"])
    call_duel(game)
    blow(game, "W0", "W0", "M2*", "M0", "M0", "M0", "G0")
    break_off(game, "0,4")
    assert magic_of(game, 0) == {}
    do(game, "cell(helmet[0,0])")
    blow(game, "W0", "W0", "M0", "M0", "M0", "M0", weapon="right")  # and so has no green die in this fight
    blow(game, "W1", "W0", "M0", "M0")  # player 0 wears no helmet
    do(game, "step(start)", "done")
    assert magic_of(game, 0) == {"weapon": 2}


@pytest.mark.rule("MAGIC-2", "DMG-4")
def test_helmet_magic_goes_with_a_payment_after_which_the_helmet_does_not_match():
    game = meeting(weapons=("WWM", "WW"))
    put_magic_gear(game, 1, "helmet")
    call_duel(game)
    blow(game, "W1", "W0", "M1")
    do(game, "cell(helmet[0,1])")
    assert (magic_of(game, 1), magic_left(game)) == ({}, ALL_MAGIC)


@pytest.mark.rule("MAGIC-2")
@pytest.mark.parametrize("laid", [1, 3])
def test_a_craft_after_which_the_gear_does_not_match_takes_the_magic_off(laid):
    game = table()
    put_magic_gear(game, 0, "sandals")
    craft(game, "sandals", "rebuild", *(f"lay(metal, sandals[0,{k}])" for k in range(laid)))
    assert (magic_of(game, 0), magic_left(game)) == (({}, 20) if laid == 1 else ({"sandals": 1}, 19))


@pytest.mark.rule("MAGIC-2", "MAGIC-3")
@pytest.mark.parametrize(("cells", "magic"), [(["1,5"], 2), (["1,5", "1,4"], 1)])
@pytest.mark.parametrize("owned", [True, False])
def test_magic_stays_on_a_right_weapon_that_grows_and_one_that_becomes_two_handed(owned, cells, magic):
    game = table()
    put_blueprint(game, 0, "cloud_cutter")
    put_weapons(game, 0, [row.replace("W....", ".....") for row in CUTTER_RIGHT])
    put_magic(game, 0, "weapon", where=2)
    put_pack(game, 0, wood=3)
    if not owned:
        lose_blueprint(game, 0, "weapon")
    craft(game, "weapon", "add", *(f"lay(wood, weapon[{cell}])" for cell in cells))
    assert (magic_of(game, 0), magic_left(game)) == ({"weapon": magic}, ALL_MAGIC - 1)


@pytest.mark.rule("MAGIC-2")
def test_magic_stays_on_a_two_handed_weapon_of_which_the_right_part_is_left():
    game = meeting()
    put_blueprint(game, 0, "cloud_cutter")
    put_weapons(game, 0, [".....|.W", "....W|MW", ".....|.M", ".....|.M", ".....|.M"])
    put_magic(game, 0, "weapon")
    call_duel(game)
    blow(game, "W1*", "W0", "W0", "M0", "M0", "M0", "M0", "G0")
    break_off(game, "1,4")
    assert (magic_of(game, 0), magic_left(game)) == ({"weapon": 2}, ALL_MAGIC - 1)


# MAGIC-3


def without_blueprint(game, player, gear, owned):
    """Magic gear; unless `owned`, its blueprint is lost."""
    put_magic_gear(game, player, gear)
    if not owned:
        lose_blueprint(game, player, gear)


@pytest.mark.rule("MAGIC-3")
def test_losing_the_blueprint_does_not_take_the_magic_off():
    game = table()
    without_blueprint(game, 0, "helmet", owned=False)
    do_nothing(game)
    assert (magic_of(game, 0), magic_left(game)) == ({"helmet": 1}, ALL_MAGIC - 1)


@pytest.mark.rule("MAGIC-3")
@pytest.mark.parametrize("owned", [True, False])
def test_without_the_blueprint_the_first_lost_cube_takes_it_off_pattern_or_not(owned):
    game = meeting(weapons=("WWM", "WW"))
    without_blueprint(game, 1, "helmet", owned)
    put_gear(game, 1, helmet=["WMWW", "M.M"])
    call_duel(game)
    blow(game, "W1", "W0", "M0")
    do(game, "cell(helmet[0,3])")
    assert magic_of(game, 1) == ({"helmet": 1} if owned else {})
    blow(game, "W1", "W0")  # player 0 wears no helmet: the fight ends, the helmet still has its pattern
    do(game, "step(start)", "done")
    assert (lying(game), magic_of(game, 1)) == ([0], {"helmet": 1} if owned else {})


@pytest.mark.rule("MAGIC-3")
@pytest.mark.parametrize("owned", [True, False])
def test_without_the_blueprint_the_first_moved_cube_takes_it_off_pattern_or_not(owned):
    game = table()
    without_blueprint(game, 0, "helmet", owned)
    moved = {"wood": ("0,1", "0,3"), "metal": ("0,2", "1,1", "1,3")}
    craft(game, "helmet", "rebuild", *(f"lay({kind}, helmet[{cell}])" for kind in moved for cell in moved[kind]))
    assert gear_of(game, 0, "helmet") == [".WMW", ".M.M"]
    assert magic_of(game, 0) == ({"helmet": 1} if owned else {})


@pytest.mark.rule("MAGIC-3", "MAGIC-7")
def test_without_the_blueprint_cubes_that_are_added_or_laid_as_they_were_leave_the_magic():
    game = table()
    without_blueprint(game, 0, "sandals", owned=False)
    craft(game, "sandals", "rebuild", *(f"lay(metal, sandals[0,{k}])" for k in (2, 0, 1)))
    assert magic_of(game, 0) == {"sandals": 1}
    game = table()
    without_blueprint(game, 0, "helmet", owned=False)
    put_pack(game, 0, wood=1)
    craft(game, "helmet", "add", "lay(wood, helmet[1,3])")
    assert magic_of(game, 0) == {"helmet": 1}


@pytest.mark.rule("MAGIC-3", "MAGIC-5")
@pytest.mark.parametrize("owned", [True, False])
def test_without_the_blueprint_magic_that_is_used_up_can_not_come_back(owned):
    game = meeting()
    without_blueprint(game, 0, "helmet", owned)
    call_duel(game)
    blow(game, "W1", "W0", "M0", "M0")
    do(game, "magic(helmet)")
    blow(game, "W1", "W0", "M0", "M0")
    do(game, "step(start)", "done")
    assert gear_of(game, 0, "helmet") == MATCHING["helmet"]
    assert magic_of(game, 0) == ({"helmet": 1} if owned else {})


@pytest.mark.rule("MAGIC-3", "DUEL-5")
def test_a_stolen_blueprint_works_for_the_thief_when_the_fight_ends():
    game = meeting()
    put_blueprint(game, 1, BLUEPRINTS["sandals"])
    for player in (0, 1):
        put_gear(game, player, sandals=MATCHING["sandals"])
    put_magic(game, 1, "sandals")
    win(game)
    do(game, f"blueprint({BLUEPRINTS['sandals']})")
    assert (magic_of(game, 0), magic_of(game, 1)) == ({"sandals": 1}, {"sandals": 1})


# MAGIC-4


@pytest.mark.rule("MAGIC-4", "INIT-1")
@pytest.mark.parametrize(("weapon", "magic", "first"), [("WWMMM", True, 0), ("WWMM", True, 1), ("WWMMM", False, 1)])
def test_weapon_magic_adds_four_initiative(weapon, magic, first):
    """Against a weapon of length 8, whose owner wins ties."""
    game = meeting(weapons=(weapon, "WW"))
    put_weapons(game, 1, ["WWWMM|MMM"])
    if magic:
        put_magic(game, 0, "weapon")
    call_duel(game)
    assert (game.phase, game.actor) == (Phase.WEAPON, first)


@pytest.mark.rule("MAGIC-4", "ATK-2")
def test_weapon_magic_adds_a_green_die():
    game = meeting(weapons=("WW", "WW"))
    put_magic(game, 0, "weapon")
    put_gear(game, 1, helmet=["MMMM"])
    call_duel(game)
    blow(game, "W0", "W0", "G4")
    assert (game.phase, game.state.stack[game.state.depth - 1].left) == (Phase.PAY, 4)


@pytest.mark.rule("MAGIC-4", "ATK-1")
def test_the_green_die_need_not_be_rolled_and_may_be_rolled_alone():
    game = meeting(weapons=("WW", "WW"))
    put_magic(game, 0, "weapon")
    call_duel(game)
    do(game, "weapon(left)", "number(2)")
    assert legal(game) == {"number(0)", "number(1)"}
    game = meeting(weapons=("WW", "WW"))
    put_magic(game, 0, "weapon")
    call_duel(game)
    game.load_dice(["G1"])
    do(game, "weapon(left)", "number(0)", "number(1)")
    assert game.phase == Phase.LAY_LOSER


@pytest.mark.rule("MAGIC-4")
def test_of_two_weapons_only_the_one_with_the_cube_is_better():
    game = meeting()
    put_weapons(game, 0, ["WW...|WWM"])
    put_magic(game, 0, "weapon", where=2)
    put_gear(game, 1, weapon=["WWMMM"])
    call_duel(game)
    assert game.actor == 0  # 3 + 4 against 5
    game.load_dice(["W0", "W0"])
    do(game, "weapon(left)", "number(2)")  # and no question about a green die
    do(game, "weapon(right)", "number(2)", "number(1)")
    assert legal(game) == {"number(0)", "number(1)"}


# MAGIC-5 to MAGIC-8


@pytest.mark.rule("MAGIC-5")
@pytest.mark.parametrize(("given", "magic"), [(("magic(helmet)",), {"helmet": 1}), (("cell(helmet[0,1])",), {})])
def test_magic_comes_back_when_the_fight_ends_only_if_the_gear_still_matches(given, magic):
    game = meeting(weapons=("WWM", "WW"))
    put_magic_gear(game, 1, "helmet")
    call_duel(game)
    blow(game, "W1", "W1", "M0")
    do(game, *given)
    assert magic_of(game, 1) == {}
    blow(game, "W1", "W0")
    do(game, "step(start)", "done")
    assert magic_of(game, 1) == magic


@pytest.mark.rule("MAGIC-6", "GEAR-1")
def test_one_craft_may_claim_a_gear_card_and_go_magic():
    game = table()
    show_cards(game, "iron_tabi")
    put_blueprint(game, 0, BLUEPRINTS["sandals"])
    put_pack(game, 0, metal=3)
    craft(game, "sandals", "add", *(f"lay(metal, sandals[0,{k}])" for k in range(3)))
    assert legal(game) == {"card(iron_tabi)"}
    do(game, "card(iron_tabi)", "move")
    assert magic_of(game, 0) == {"sandals": 1}


@pytest.mark.rule("MAGIC-7")
def test_at_most_one_magic_cube_on_a_gear():
    game = about_to_match("helmet")
    do_nothing(game)
    do_nothing(game)
    assert (magic_of(game, 0), magic_left(game)) == ({"helmet": 1}, ALL_MAGIC - 1)


@pytest.mark.rule("MAGIC-7")
def test_magic_lies_in_no_cell_and_counts_in_no_size():
    game = table()
    put_magic_gear(game, 0, "weapon")
    put_gear(game, 0, weapon=["WWMMM", ".MM"])
    put_pack(game, 0, wood=1)
    craft(game, "weapon", "add", "lay(wood, weapon[1,3])")
    assert gear_of(game, 0, "weapon") == ["WWMMM", ".MMW"]  # 8 cubes, as many as a hand can hold
    assert (game.phase, magic_of(game, 0)) == (Phase.ACTION, {"weapon": 1})


@pytest.mark.rule("MAGIC-7")
def test_a_craft_is_judged_by_its_final_layout():
    game = table()
    put_magic_gear(game, 0, "sandals")
    do(game, "move", "done", "rest", "craft(sandals)", "rebuild")
    assert (gear_of(game, 0, "sandals"), magic_of(game, 0), magic_left(game)) == ([], {"sandals": 1}, ALL_MAGIC - 1)
    do(game, *(f"lay(metal, sandals[0,{k}])" for k in range(3)))
    assert magic_of(game, 0) == {"sandals": 1}


@pytest.mark.rule("MAGIC-8", "MAGIC-4", "MOVE-4")
def test_example_magic_sandals_of_three_metal_pay_for_two_lava_spaces_with_all_they_have():
    game = table()
    lay_plain(game, "ring1.0")
    put_lava(game, HERE, "ring1.0/petal2")
    put_magic_gear(game, 0, "sandals")
    do(game, "move", f"step({HERE})", "step(ring1.0/petal2)", "step(ring1.0/centre)", "done")
    assert (game.phase, where(game, 0)) == (Phase.ACTION, "ring1.0/centre")
    assert (gear_of(game, 0, "sandals"), magic_of(game, 0), magic_left(game)) == ([], {}, ALL_MAGIC)


@pytest.mark.rule("MAGIC-8", "MAGIC-5")
def test_example_two_damage_on_a_magic_helmet_taken_with_the_magic_cube_alone():
    game = meeting()
    put_magic_gear(game, 0, "helmet")
    call_duel(game)
    blow(game, "W1", "W1", "M0", "M0")
    do(game, "magic(helmet)")
    assert (game.phase, magic_of(game, 0), magic_left(game)) == (Phase.WEAPON, {}, ALL_MAGIC)
    blow(game, "W1", "W1", "M0", "M0")
    do(game, "step(start)", "done")
    assert (gear_of(game, 0, "helmet"), magic_of(game, 0)) == (MATCHING["helmet"], {"helmet": 1})
