"""INIT and ATK: the order of a fight, the dice that are rolled, and what they hit and break."""

import pytest

from fujikoro_env.rules.base.names import Supply
from fujikoro_env.rules.base.phases import Phase
from tests.helpers.fights import (
    BESIDE,
    LAIR,
    dice_left,
    enter,
    enter_with,
    fighting,
    is_over,
    lair,
    load,
    order_of,
    roll,
)
from tests.helpers.gear import lying, magic_of, put_blueprint, put_magic
from tests.helpers.tables import (
    asked,
    do,
    gear_of,
    give_turn,
    legal,
    pack_of,
    put,
    put_gear,
    put_monks,
    put_pack,
)

MISS = "T0 T0 T0"  # a blue dragon's roll
PAIR = ["WWMMM.WW"]  # a left weapon that is longer than the initiative of rain_whelp, and a right one


def armed(*weapon, magic=0, dragon="rain_whelp", right_part=True):
    """Player 0 has entered the lair with this weapon and sends no monk. The dragon's first roll, if it comes first,
    misses."""
    game = lair(dragon, weapon=list(weapon))
    if right_part:
        put_monks(game, 0, "weapon")
    if magic:
        put_magic(game, 0, "weapon", magic)
    enter(game)
    load(game, " ".join(["T0"] * 6))
    if right_part:
        do(game, "no")
    load(game, "")
    return game


def initiative(game, player=0):
    return int(game.state.fight.fighters[player].initiative)


# Initiative


@pytest.mark.rule("INIT-1")
@pytest.mark.parametrize(
    ("weapon", "length"),
    [
        (["WW"], 2),
        (["WWMM"], 4),
        ([".WWM"], 3),
        (["W", "W", "M", "M", "M"], 5),  # rows, if more
        (["WWMM", "...M", "...M"], 4),
        (["WW", ".M", ".M", ".M"], 4),
        (["WWWMMMMM"], 8),
        (["...WWW"], 3),
    ],
)
def test_a_weapons_length_is_the_columns_that_it_spans_or_the_rows_if_more(weapon, length):
    assert initiative(armed(*weapon)) == length


@pytest.mark.rule("INIT-1", "WEAP-5")
@pytest.mark.parametrize(
    ("weapon", "length"),
    [
        (["WWM..WWM", "......M", "......M", "......M"], 4),  # the right one is longer
        (["WWMMM.WW"], 5),
        (["WMMMM.WW"], 5),  # the longer one is not usable
        (["WMMMM"], 5),
        (["...WWMMM"], 5),  # two-handed with 2 wood
        ([], 0),
    ],
)
def test_the_longest_weapon_counts_usable_or_not(weapon, length):
    assert initiative(armed(*weapon)) == length


@pytest.mark.rule("INIT-1", "MAGIC-4")
@pytest.mark.parametrize(
    ("weapon", "magic", "total"),
    [
        (["WWMM"], 1, 8),
        (["WWMMM.WW"], 1, 9),
        (["WWMMM.WW"], 2, 5),  # magic on the shorter one
        (["WMMMM.WW"], 1, 9),  # magic on what is not usable
        (["WWMMM.WM"], 2, 5),
        (["WWM..WWM"], 1, 7),  # equally long: the magic one counts, left
        (["WWM..WWM"], 2, 7),  # or right
    ],
)
def test_magic_adds_four_to_the_weapon_that_it_lies_on(weapon, magic, total):
    assert initiative(armed(*weapon, magic=magic)) == total


@pytest.mark.rule("INIT-2")
@pytest.mark.parametrize(
    ("dragon", "order"),
    [
        ("rain_whelp", [2, 1, "dragon", 0]),  # 4 between 5 and 3
        ("moss_fang", [2, "dragon", 1, 0]),  # 5, and the attacker loses ties
        ("bamboo_fang", ["dragon", 2, 1, 0]),  # 9
    ],
)
def test_all_come_by_initiative(dragon, order):
    game = lair(dragon, players=3, weapon=["WWM"])
    put_gear(game, 1, weapon=["WWMMM"])
    put_gear(game, 2, weapon=["WWWMMMM"])
    put_monks(game, 2, "weapon")
    enter_with(game, 1, 2)
    load(game, "T0 T0 T0 T0 T0")
    do(game, "no")
    assert order_of(game) == order


@pytest.mark.rule("INIT-2")
def test_the_order_stays_for_the_whole_fight():
    game = lair(players=2, weapon=["WWWMM"])
    enter_with(game, 1)
    assert order_of(game) == [0, "dragon", 1]
    roll(game, "W1* W0 W0 M0 M0 T0 T0 T0")
    do(game, "cell(weapon[0,0])")  # now as long as the other's, and no longer than the dragon's initiative
    roll(game, "W0 W0 M0 M0")
    assert (asked(game), order_of(game)) == ((Phase.WEAPON, 0), [0, "dragon", 1])


@pytest.mark.rule("INIT-3")
@pytest.mark.parametrize(("came", "order"), [(0, ["dragon", 0]), (1, [0, "dragon"])])
def test_the_defender_wins_ties(came, order):
    """The dragon defends itself when samurai come to it, and samurai when it comes to them."""
    game = lair(weapon=["WWMM"])
    put_monks(game, 0, "pool")
    enter(game)
    game.state.fight.came = came  # only in co-op games
    load(game, MISS)
    do(game, "no")
    assert order_of(game) == order
    roll(game, "W1 W1 M2 M2")
    do(game, "done")
    assert is_over(game)


@pytest.mark.rule("INIT-3")
@pytest.mark.parametrize("active", [0, 1, 2])
def test_ties_among_samurai_go_by_player_order_from_the_active_player(active):
    game = lair(players=3)
    give_turn(game, active)
    for p in range(3):
        put(game, p, BESIDE if p == active else "start")
        put_gear(game, p, weapon=["WWM"])
    enter(game)
    do(game, f"step({LAIR}/petal4)")
    load(game, MISS)
    do(game, f"step({LAIR}/petal4)")
    assert order_of(game) == ["dragon", *((active + k) % 3 for k in range(3))]


@pytest.mark.rule("INIT-3")
def test_ties_among_monk_senders_too():
    game = lair(players=3)
    for p in range(3):
        put_monks(game, p, "pool")
    enter_with(game, 1, 2)
    do(game, "monk(pool)", "monk(pool)", "monk(pool)")
    assert order_of(game) == [0, 1, 2, "dragon"]


# Weapons


@pytest.mark.rule("ATK-1")
@pytest.mark.parametrize(("one", "other"), [("left", "right"), ("right", "left")])
def test_a_samurai_rolls_once_with_each_weapon_in_its_owners_order(one, other):
    game = armed(*PAIR)
    dice = {"left": "W0 W0 M0 M0 M0", "right": "W0 W0"}
    assert legal(game) == {"weapon(left)", "weapon(right)"}
    roll(game, dice[one], one)
    assert (asked(game), legal(game)) == ((Phase.WEAPON, 0), {f"weapon({other})"})
    roll(game, f"{dice[other]} {MISS}", other)
    assert (legal(game), dice_left(game)) == ({"weapon(left)", "weapon(right)"}, 0)  # the next round


@pytest.mark.rule("ATK-1", "WEAP-5")
@pytest.mark.parametrize(
    ("weapon", "usable"),
    [("WWMMM.WM", {"weapon(left)"}), ("WMMMM.WW", {"weapon(right)"}), ("WWWMMMMM", {"weapon(left)"})],
)
def test_only_usable_weapons_are_rolled(weapon, usable):
    assert legal(armed(weapon)) == usable


@pytest.mark.rule("ATK-1")
def test_the_second_weapon_rests_once_the_dragon_is_beaten():
    game = armed(*PAIR)
    roll(game, "W1 W1 M2 M2 M0")
    assert (asked(game), game.scores) == ((Phase.TAKE, 0), (5, 0))


@pytest.mark.rule("ATK-1")
@pytest.mark.parametrize(
    ("weapon", "wood", "after"),
    [("....MWWW", 3, {"weapon(right)"}), ("..WWMWW", 4, {"weapon(left)", "weapon(right)"})],
)
def test_what_is_left_of_a_two_handed_weapon_has_rolled_with_it(weapon, wood, after):
    game = armed(weapon)
    roll(game, f"{'W0 ' * wood} M2* {MISS}")
    do(game, "cell(weapon[0,4])")
    assert (legal(game), dice_left(game)) == (after, 0)  # the dragon has rolled: this is the next round


@pytest.mark.rule("ATK-1")
def test_the_hits_of_both_weapons_count():
    game = armed(*PAIR)
    roll(game, "W1 W0 M1 M0 M0")
    assert game.state.fight.health == 4
    roll(game, f"W1 W0 {MISS}", "right")
    assert game.state.fight.health == 3


# Dice


@pytest.mark.rule("ATK-1")
def test_all_dice_may_be_rolled_at_once():
    game = armed("WWMMT")
    do(game, "weapon(left)")
    assert legal(game) == {"roll", "number(0)", "number(1)", "number(2)"}
    load(game, f"W1 W0 M1 M0 T2 {MISS}")
    do(game, "roll")
    assert (dice_left(game), game.state.fight.health) == (0, 2)


@pytest.mark.rule("ATK-1")
def test_or_so_many_of_each_kind_that_the_weapon_has():
    game = armed("WWMMM", "....T", "....T")
    do(game, "weapon(left)", "number(1)")
    assert legal(game) == {f"number({k})" for k in range(4)}
    do(game, "number(2)")
    assert legal(game) == {f"number({k})" for k in range(3)}
    load(game, f"W1 M1 M1 T1 {MISS}")
    do(game, "number(1)")
    assert (dice_left(game), game.state.fight.health) == (0, 2)


@pytest.mark.rule("ATK-1")
def test_kinds_that_the_weapon_has_not_are_not_asked_for():
    game = armed("WWT", "..T", "..T", "..T", "..T")
    do(game, "weapon(left)", "number(0)")
    assert legal(game) == {f"number({k})" for k in range(1, 6)}
    load(game, f"T2 T2 {MISS}")
    do(game, "number(2)")
    assert (asked(game), game.state.fight.health) == ((Phase.WEAPON, 0), 2)


@pytest.mark.rule("ATK-1")
def test_at_least_one_die_is_rolled():
    game = armed("WWMMT")
    do(game, "weapon(left)", "number(0)")
    assert "number(0)" in legal(game)  # there is a tooth yet
    do(game, "number(0)")
    assert legal(game) == {"number(1)"}


@pytest.mark.rule("ATK-1", "MAGIC-4")
@pytest.mark.parametrize(
    ("chosen", "dice"),
    [((1, 0, 0), "W1"), ((0, 1, 0), "M1"), ((0, 0, 1), "T1"), ((1, 1, 0), "W0 M1"), ((0, 1, 1), "M0 T1")],
)
def test_with_a_die_chosen_none_of_the_kinds_that_follow_need_be(chosen, dice):
    game = armed("WWMMT", magic=1)
    load(game, f"{dice} {MISS}")
    do(game, "weapon(left)", *(f"number({number})" for number in chosen), "number(0)")
    assert (dice_left(game), game.state.fight.health) == (0, 5)


@pytest.mark.rule("ATK-1")
def test_a_weapon_of_wood_alone_is_asked_for_at_least_one():
    game = armed("W", "W", "W", "W", "W")
    do(game, "weapon(left)")
    assert legal(game) == {"roll", *(f"number({k})" for k in range(1, 6))}


@pytest.mark.rule("ATK-1")
def test_only_the_dice_of_the_chosen_weapon_are_rolled():
    game = armed("WWMMM.WW", "......W", "......T")
    do(game, "weapon(right)")
    assert legal(game) == {"roll", *(f"number({k})" for k in range(4))}
    load(game, "W1 W0 W0 T1")
    do(game, "roll")
    assert (dice_left(game), legal(game)) == (0, {"weapon(left)"})


@pytest.mark.rule("ATK-1", "MAGIC-4")
def test_a_magic_weapon_has_a_green_die_more():
    game = armed(*PAIR, magic=2)
    do(game, "weapon(right)", "number(0)")
    assert legal(game) == {"number(1)"}  # the one magic die
    load(game, "G4")
    do(game, "number(1)")
    assert (game.state.fight.health, dice_left(game)) == (2, 0)
    do(game, "weapon(left)", "number(0)")
    assert "number(3)" in legal(game)
    do(game, "number(1)")
    assert game.phase != Phase.DICE  # the other weapon has none


@pytest.mark.rule("ATK-1", "MAGIC-4")
def test_the_green_die_is_among_all_dice_and_may_be_left_out():
    game = armed("WWMMM", magic=1, right_part=False)
    put_blueprint(game, 0, "cloud_cutter")
    roll(game, f"W1 W0 M0 M0 M0 G2 {MISS}")
    assert (game.state.fight.health, dice_left(game)) == (3, 0)
    do(game, "weapon(left)", "number(1)", "number(0)")
    assert legal(game) == {"number(0)", "number(1)"}
    load(game, f"W0 {MISS}")
    do(game, "number(0)")
    assert dice_left(game) == 0


@pytest.mark.rule("ATK-2")
@pytest.mark.parametrize(
    ("kind", "most", "mean", "breaking"), [("W", 1, 2 / 3, 1), ("M", 2, 1, 1), ("T", 3, 3 / 2, 1), ("G", 4, 2, 0)]
)
def test_dice_hit_and_break_by_their_faces(kind, most, mean, breaking):
    faces = lair().rules.pack.dice["WMTG".index(kind)].faces
    hits = [face.hits for face in faces]
    assert (max(hits), sum(hits) / len(faces), sum(face.breaks for face in faces)) == (most, mean, breaking)
    for face in faces:
        game = armed("WWM", "WMT", magic=1)  # hangs together without any one of its cubes
        load(game, f"{kind}{face.hits}{'*' * face.breaks} {MISS}")
        do(game, "weapon(left)", *(f"number({int(kind == other)})" for other in "WMTG"))
        assert (game.phase == Phase.BREAK) == face.breaks
        if face.breaks:
            do(game, max(legal(game)))
        assert game.state.fight.health == 6 - face.hits


# Breakage


@pytest.mark.rule("ATK-3")
def test_each_breaking_die_takes_a_cube_of_its_kind_off_that_weapon():
    game = armed("WWMMM.WW", "......M", dragon="rain_whelp")
    before = game.state.supply[:3].tolist()
    roll(game, "W1* W0 M2* M0 M0")
    cells = {f"cell(weapon[0,{column}])" for column in range(5)}
    assert (asked(game), legal(game)) == ((Phase.BREAK, 0), cells)
    do(game, "cell(weapon[0,0])")
    assert legal(game) == {f"cell(weapon[0,{column}])" for column in (2, 3, 4)}  # the wood is done
    do(game, "cell(weapon[0,4])")
    assert gear_of(game, 0, "weapon") == [".WMM..WW", "......M"]
    assert game.state.supply[:3].tolist() == [before[0] + 1, before[1] + 1, before[2]]
    assert game.state.fight.health == 3  # a breaking die hits all the same


@pytest.mark.rule("ATK-3")
def test_of_a_right_weapon_too_and_two_of_a_kind():
    game = armed("WWMMM.WW", "......TT", "......T")
    roll(game, "W0 W0 T3* T3* T0", "right")
    teeth = {f"cell(weapon[{cell}])" for cell in ("1,6", "1,7", "2,6")}
    assert legal(game) == teeth
    do(game, "cell(weapon[2,6])")
    assert legal(game) == teeth - {"cell(weapon[2,6])"}
    do(game, "cell(weapon[1,7])")
    assert gear_of(game, 0, "weapon") == ["WWMMM.WW", "......T"]


@pytest.mark.rule("ATK-3")
def test_breakage_comes_before_the_hits_and_before_the_spoils():
    game = armed("WWMMM")
    roll(game, "W1* W1 M2 M2 M2")
    assert (asked(game), game.state.fight.health, game.scores) == ((Phase.BREAK, 0), 6, (0, 0))
    do(game, "cell(weapon[0,0])")
    assert (asked(game), game.scores) == ((Phase.TAKE, 0), (5, 0))


@pytest.mark.rule("ATK-3", "WEAP-6")
def test_all_breakage_comes_first_and_then_the_weapon_is_made_legal():
    """In between the weapon need not be legal: here it is in three pieces, of which the second break leaves two."""
    game = armed("WMWMW")
    roll(game, "W0 W0 W0 M2* M2*")
    do(game, "cell(weapon[0,1])")
    assert (asked(game), legal(game)) == ((Phase.BREAK, 0), {"cell(weapon[0,3])"})
    do(game, "cell(weapon[0,3])")
    assert asked(game) == (Phase.REPAIR, 0)
    assert legal(game) == {f"cell(weapon[0,{column}])" for column in (0, 2, 4)}
    do(game, "cell(weapon[0,0])", "cell(weapon[0,4])")
    assert (asked(game), gear_of(game, 0, "weapon")) == ((Phase.RETREAT, 0), ["..W"])


@pytest.mark.rule("ATK-3", "MAGIC-2")
@pytest.mark.parametrize(("lost", "magic"), [("cell(weapon[1,1])", {}), ("cell(weapon[1,4])", {"weapon": 1})])
def test_then_the_magic_goes_if_the_weapon_no_longer_matches(lost, magic):
    game = armed("WWMMM", ".M..M", magic=1)
    put_blueprint(game, 0, "cloud_cutter")
    roll(game, f"W0 W0 M2* M0 M0 M0 M0 G0 {MISS}")
    do(game, lost)
    assert (asked(game), magic_of(game, 0)) == ((Phase.WEAPON, 0), magic)


@pytest.mark.rule("ATK-3")
def test_without_a_breaking_die_nothing_is_asked():
    game = armed("WWMMM")
    roll(game, f"W1 W1 M2 M0 M0 {MISS}")
    assert (asked(game), gear_of(game, 0, "weapon")) == ((Phase.WEAPON, 0), ["WWMMM"])


# The dragon


@pytest.mark.rule("ATK-4")
@pytest.mark.parametrize(
    ("dragon", "dice"), [("rain_whelp", 3), ("moss_fang", 4), ("cinder_wing", 5), ("lord_of_fuji", 6)]
)
def test_a_dragon_rolls_tooth_dice_by_its_colour(dragon, dice):
    game = lair(dragon, weapon=["WW"])  # all dragons come before it
    put_gear(game, 0, helmet=["MMMM", "MMMM"])
    enter(game, " ".join(["T1"] * 8))
    assert 8 - dice_left(game) == dice
    assert (asked(game), game.state.fight.hits) == ((Phase.PAY, 0), dice)


@pytest.mark.rule("ATK-4", "DMG-1", "DMG-2")
def test_its_hits_hit_every_samurai_in_the_fight():
    """The first helmet absorbs more than the 3 hits, the second exactly 3, the third fewer."""
    game = lair(players=4)
    put_gear(game, 0, helmet=["MMM"])
    put_gear(game, 1, helmet=["WM"])
    put_gear(game, 2, helmet=["M"])
    put_gear(game, 3, helmet=["W"])
    enter_with(game, 1, 2, dice="T2 T1 T0")
    assert (asked(game), legal(game)) == ((Phase.PAY, 0), {f"cell(helmet[0,{k}])" for k in range(3)})
    do(game, "cell(helmet[0,0])", "cell(helmet[0,2])")
    assert [gear_of(game, p, "helmet") for p in range(4)] == [[".M"], [], [], ["W"]]
    assert (lying(game), fighting(game)) == ([2], [0, 1])


@pytest.mark.rule("ATK-4")
def test_a_dragon_that_misses_costs_nothing():
    game = lair()
    put_gear(game, 0, helmet=["W"])
    enter(game, MISS)
    assert (asked(game), gear_of(game, 0, "helmet")) == ((Phase.WEAPON, 0), ["W"])


@pytest.mark.rule("ATK-4")
def test_the_hits_of_one_roll_are_gone_in_the_next():
    game = lair()
    put_gear(game, 0, helmet=["W"])
    enter(game, "T1 T0 T0")
    roll(game, f"W1 W0 M0 M0 {MISS}")
    assert (asked(game), lying(game), game.state.fight.health) == ((Phase.WEAPON, 0), [], 5)
    roll(game, f"W1 W0 M0 M0 {MISS}")
    assert game.state.fight.health == 4


@pytest.mark.rule("ATK-5")
def test_each_breaking_dragon_die_gives_every_samurai_in_the_fight_a_tooth():
    game = lair(players=3, weapon=["WWM"])
    for p in range(3):
        put_gear(game, p, helmet=["MMMM"])
    enter_with(game, 1, dice="T3* T3* T0")
    for p in (0, 1):
        assert (asked(game), legal(game)) == ((Phase.TAKE, p), {"take(tooth)", "take(all)", "done"})
        do(game, "take(all)")
    assert [pack_of(game, p) for p in range(3)] == [{"tooth": 2}, {"tooth": 2}, {}]
    assert asked(game) == (Phase.PAY, 0)


@pytest.mark.rule("ATK-5", "DRAG-4")
def test_teeth_come_before_the_hits_so_knocked_out_players_get_them_too():
    game = lair()
    enter(game, "T3* T0 T0")
    assert (asked(game), lying(game)) == ((Phase.TAKE, 0), [])
    do(game, "take(tooth)")
    assert (lying(game), pack_of(game, 0)) == ([0], {"tooth": 1})


@pytest.mark.rule("ATK-5")
def test_a_tooth_may_be_left_and_without_a_breaking_die_there_is_none():
    game = lair()
    put_gear(game, 0, helmet=["MMMM"])
    enter(game, "T3* T0 T0")
    do(game, "done", "cell(helmet[0,0])", "cell(helmet[0,1])")
    roll(game, "W0 W0 M0 M0 T2 T0 T0")
    assert (asked(game), pack_of(game, 0)) == ((Phase.PAY, 0), {})


@pytest.mark.rule("ATK-5", "PACK-2", "PACK-4")
@pytest.mark.parametrize(
    ("pack", "choices"),
    [({"wood": 6}, {"throw(wood)", "done"}), ({"wood": 5}, {"take(tooth)", "done"}), ({"monks": 6}, None)],
)
def test_a_tooth_needs_room(pack, choices):
    game = lair("lord_of_fuji")  # against which no monk is sent
    put_pack(game, 0, **pack)
    put_gear(game, 0, helmet=["MMMM"])
    enter(game, "T3* T0 T0 T0 T0 T0")
    assert (legal(game) if game.phase == Phase.TAKE else None) == choices


@pytest.mark.rule("ATK-5", "SETUP-10")
def test_teeth_that_the_supply_lacks_are_not_taken():
    game = lair(players=2)
    for p in range(2):
        put_gear(game, p, helmet=["MMMM"])
    game.state.supply[Supply.TOOTH] = 1
    enter_with(game, 1, dice="T3* T3* T0")
    assert (asked(game), legal(game)) == ((Phase.TAKE, 0), {"take(tooth)", "done"})
    do(game, "take(tooth)")
    assert asked(game) == (Phase.PAY, 0)
