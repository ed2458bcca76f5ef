"""DRAGON FIGHT: joining, knock-outs and retreats, spoils, permanent damage."""

import pytest

from fujikoro_env.rules.base.names import Adventure, Outside, Supply
from fujikoro_env.rules.base.phases import Phase
from tests.helpers.fights import (
    AWAY,
    BESIDE,
    INSIDE,
    LAIR,
    dragon_in,
    enter,
    enter_with,
    fighting,
    hurt,
    is_over,
    lair,
    load,
    order_of,
    roll,
)
from tests.helpers.gear import lying, magic_of, put_blueprint, put_card, put_magic
from tests.helpers.tables import (
    asked,
    do,
    end_turn,
    gear_of,
    give_turn,
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
    spaces_of,
    where,
)

FIRST = ["WWMMM"]  # longer than the initiative of rain_whelp, so its owner comes first
MISS = "T0 T0 T0"  # a blue dragon's roll
HIT = "T1 T0 T0"


# Beginning, joining


@pytest.mark.rule("DRAG-1", "MOVE-5", "MOVE-7")
@pytest.mark.parametrize("space", [f"{LAIR}/petal4", f"{LAIR}/petal5"])
def test_entering_any_space_of_a_dragons_tile_ends_the_move_and_starts_a_fight(space):
    game = lair(weapon=FIRST)
    put(game, 0, "start")
    enter(game, at=space)
    assert (asked(game), where(game, 0), fighting(game)) == ((Phase.WEAPON, 0), space, [0])
    roll(game, "W1 W1 M2 M2 M0")
    do(game, "done")
    assert asked(game) == (Phase.ACTION, 0)  # no step more, though one was left
    assert is_over(game)


@pytest.mark.rule("DRAG-2")
def test_others_are_asked_to_join_in_player_order_from_the_active_players_left():
    game = lair(players=4)
    give_turn(game, 1)
    put(game, 1, BESIDE)
    put_gear(game, 1, weapon=FIRST)
    for p in (0, 2, 3):
        put(game, p, "start")
    enter(game)
    for p in (2, 3, 0):
        assert asked(game) == (Phase.JOIN, p)
        do(game, "no")
    assert (asked(game), fighting(game)) == ((Phase.WEAPON, 1), [1])


@pytest.mark.rule("DRAG-2")
def test_only_conscious_samurai_beside_the_tile_may_join():
    game = lair(players=5, weapon=FIRST)
    put(game, 1, "ring1.0/petal4")  # one step too far
    put(game, 2, "ring1.0/petal2")
    put(game, 3, "start")
    put(game, 4, "start")
    game.state.players[3].unconscious = 1
    game.state.players[4].outside = Outside.PALACE  # no longer on the map
    enter(game)
    assert asked(game) == (Phase.JOIN, 2)
    do(game, "no")
    assert asked(game) == (Phase.WEAPON, 0)


@pytest.mark.rule("DRAG-3")
def test_a_joiner_steps_onto_an_adjacent_space_of_the_tile():
    game = lair(players=2, weapon=FIRST)
    put(game, 1, "ring1.0/petal2")
    enter(game)
    assert legal(game) == {"no", f"step({LAIR}/petal0)", f"step({LAIR}/petal5)"}
    do(game, f"step({LAIR}/petal0)")
    assert (where(game, 1), fighting(game)) == (f"{LAIR}/petal0", [0, 1])


@pytest.mark.rule("DRAG-2")
def test_a_player_who_does_not_join_stays_where_it_is():
    game = lair(players=2, weapon=FIRST)
    put(game, 1, "start")
    enter(game)
    do(game, "no")
    assert (where(game, 1), fighting(game)) == ("start", [0])


@pytest.mark.rule("DRAG-3")
def test_nobody_joins_on_the_tile_of_another_dragon():
    game = lair(weapon=FIRST)
    put_dragon(game, "ring1.0", "tide_whelp")
    put(game, 0, "start")
    put(game, 1, "start")
    enter(game)
    assert legal(game, "step") == {f"step({LAIR}/petal4)", f"step({LAIR}/petal5)"}


@pytest.mark.rule("DRAG-3", "MAP-6")
def test_a_joiner_needs_a_free_space_without_lava():
    game = lair(players=4, weapon=FIRST)
    for p in (1, 2, 3):
        put(game, p, "start")
    put_lava(game, f"{LAIR}/petal4")
    enter(game)
    assert legal(game) == {"no", f"step({INSIDE})"}
    do(game, f"step({INSIDE})")  # two are there now: the others are not even asked
    assert asked(game) == (Phase.WEAPON, 0)


@pytest.mark.rule("DRAG-3", "MOVE-6")
def test_samurai_in_one_dragon_fight_do_not_fight_each_other():
    game = lair(players=2, weapon=FIRST)
    put(game, 1, "start")
    enter(game)
    do(game, f"step({INSIDE})")
    assert (where(game, 0), where(game, 1)) == (INSIDE, INSIDE)
    assert asked(game) == (Phase.WEAPON, 0)


@pytest.mark.rule("DRAG-2")
def test_a_joiner_fights_with_its_own_weapon_in_its_place():
    game = lair(players=2, weapon=FIRST)
    enter_with(game, 1)
    assert order_of(game) == [0, "dragon", 1]
    roll(game, f"W1 W0 M0 M0 M0 {MISS}")
    assert (asked(game), game.state.fight.health) == ((Phase.WEAPON, 1), 5)
    roll(game, "W1 W1 M1 M1")
    assert (asked(game), game.state.fight.health) == ((Phase.WEAPON, 0), 1)


@pytest.mark.rule("DRAG-2", "DRAG-4", "TURN-6")
def test_six_may_fight_and_all_be_knocked_out():
    game = lair(players=6)
    for p in range(1, 6):
        put(game, p, "start" if p < 4 else "ring1.0/petal2")
    enter(game, HIT)
    for space in ("petal4", "petal4", "petal5", "petal0", "petal0"):
        do(game, f"step({LAIR}/{space})")
    assert (lying(game), asked(game), is_over(game)) == ([0, 2, 3, 4, 5], (Phase.ACTION, 1), True)  # 1 has woken


# Knocked out, laid down


@pytest.mark.rule("DRAG-4", "TURN-5", "DRAG-7")
def test_a_knocked_out_samurai_lies_where_it_came_from_until_its_next_turn():
    game = lair()
    enter(game, HIT)
    assert (where(game, 0), lying(game)) == (BESIDE, [0])
    assert (dragon_in(game), is_over(game)) == ("rain_whelp", True)
    end_turn(game)
    assert (asked(game), lying(game)) == ((Phase.ACTION, 0), [])


@pytest.mark.rule("DRAG-4")
def test_a_knocked_out_joiner_lies_where_it_came_from_and_is_out_of_the_fight():
    game = lair(players=3)
    put_gear(game, 0, helmet=["M"])
    enter_with(game, 1, 2, dice=HIT)
    do(game, "cell(helmet[0,0])")
    assert (where(game, 1), where(game, 2), lying(game), fighting(game)) == ("start", "start", [1, 2], [0])
    roll(game, f"W0 W0 M0 M0 {MISS}")
    assert asked(game) == (Phase.WEAPON, 0)  # nobody else has a turn, or is hit


@pytest.mark.rule("TURN-6", "DRAG-4")
def test_when_the_active_samurai_is_knocked_out_the_fight_goes_on_and_then_its_turn_ends():
    game = lair(players=3)
    put_gear(game, 2, helmet=["M"])
    enter_with(game, 2, dice=HIT)
    do(game, "cell(helmet[0,0])")
    assert (asked(game), fighting(game), lying(game)) == ((Phase.WEAPON, 2), [2], [0])
    roll(game, "W1 W1 M2 M2")
    do(game, "done")
    assert (asked(game), game.scores) == ((Phase.ACTION, 1), (0, 0, 5))
    assert is_over(game)
    assert lying(game) == [0]


@pytest.mark.rule("TURN-6")
def test_a_joiner_that_is_knocked_out_ends_nobodys_turn():
    game = lair(players=2, weapon=["W"])
    put_gear(game, 0, helmet=["M"])
    enter_with(game, 1, dice=HIT)
    do(game, "cell(helmet[0,0])", "retreat")
    assert (asked(game), lying(game)) == ((Phase.ACTION, 0), [1])


@pytest.mark.rule("TURN-6")
def test_a_survivor_goes_on_with_its_second_action():
    game = lair(weapon=["W"])
    enter(game, MISS)
    do(game, "retreat")
    assert asked(game) == (Phase.ACTION, 0)
    do(game, "move", "done")
    assert asked(game) == (Phase.ACTION, 1)


def with_card(card, under, weapon=None):
    game = lair(weapon=weapon)
    put_card(game, 0, card, under)
    do(game, "move")
    return game


@pytest.mark.rule("TURN-6", "GEAR-3")
def test_a_survivor_goes_on_with_the_other_half_of_its_action():
    game = with_card("bokken", "move", FIRST)
    do(game, "main", f"step({INSIDE})")
    roll(game, "W1 W1 M2 M2 M2")
    do(game, "done")
    assert (asked(game), legal(game)) == ((Phase.HALVES, 0), {"bonus", "done"})
    do(game, "bonus", "done")
    assert (asked(game), game.scores) == ((Phase.ACTION, 0), (6, 0))


@pytest.mark.rule("TURN-6", "GEAR-6", "DRAG-4")
def test_the_step_of_a_sandals_card_may_start_a_fight_and_a_knock_out_ends_the_turn():
    game = with_card("straw_waraji", "move")
    load(game, HIT)
    do(game, "bonus", f"step({INSIDE})")
    assert (asked(game), lying(game), where(game, 0)) == ((Phase.ACTION, 1), [0], BESIDE)
    assert is_over(game)


def walk(game, *spaces, dice=HIT):
    """Player 0 goes this way into the lair, pays for lava, and is knocked out."""
    load(game, dice)
    do(game, "move", *(f"step({name})" for name in (*spaces, INSIDE)))
    while game.phase == Phase.PAY:
        do(game, min(legal(game)))
    assert lying(game) == [0]
    return where(game, 0)


def sandals(game):
    put_gear(game, 0, sandals=["MMM"])
    return game


@pytest.mark.rule("DRAG-4", "MAP-11", "MOVE-4")
def test_nobody_is_laid_on_lava_but_on_the_last_allowed_space_of_its_path():
    game = sandals(lair())
    put(game, 0, "ring1.0/petal0")
    put_lava(game, BESIDE)
    assert walk(game, "ring1.0/centre", BESIDE) == "ring1.0/centre"
    assert is_over(game)


@pytest.mark.rule("DRAG-4", "MAP-11")
def test_nobody_is_laid_on_a_full_space():
    game = sandals(lair(players=3))
    for p in range(3):  # one more than the space holds: whoever leaves finds it full
        put(game, p, "ring1.0/centre")
    put_lava(game, BESIDE)
    assert walk(game, BESIDE) == "start"


@pytest.mark.rule("DRAG-4", "MAP-11")
def test_the_first_space_of_a_path_counts_too():
    game = sandals(lair())
    put(game, 0, "ring1.0/centre")
    put_lava(game, BESIDE)
    assert walk(game, BESIDE) == "ring1.0/centre"


@pytest.mark.rule("DRAG-4", "MAP-11")
def test_nobody_is_laid_on_a_dragons_tile():
    game = lair()
    put_dragon(game, "ring1.0", "tide_whelp")  # as if it had come to the samurai there
    assert walk(game) == "start"


@pytest.mark.rule("DRAG-4", "MAP-11")
def test_a_joiner_that_can_not_lie_where_it_came_from_is_laid_on_the_start_tile():
    """The joiner's path is a single step; the path of the active player does not matter for it."""
    game = lair(players=2)
    put(game, 0, "ring1.0/centre")
    put(game, 1, "ring1.0/petal2")
    do(game, "move", f"step({BESIDE})", f"step({INSIDE})")
    put_lava(game, "ring1.0/petal2")
    load(game, HIT)
    do(game, f"step({LAIR}/petal0)")
    assert (where(game, 0), where(game, 1)) == (BESIDE, "start")


# Retreat


@pytest.mark.rule("DRAG-5")
def test_a_samurai_whose_weapon_broke_may_retreat_after_its_roll():
    game = lair(weapon=["WWMMM"])
    enter(game)
    roll(game, "W1* W0 M0 M0 M0")
    do(game, "cell(weapon[0,0])")
    assert (asked(game), legal(game)) == ((Phase.RETREAT, 0), {"retreat", "no"})
    do(game, "retreat")
    assert (asked(game), where(game, 0), lying(game)) == ((Phase.ACTION, 0), BESIDE, [])
    assert (dragon_in(game), is_over(game)) == ("rain_whelp", True)


@pytest.mark.rule("DRAG-5")
def test_with_a_usable_weapon_nobody_may_retreat():
    game = lair(weapon=["WWWMM"])
    enter(game)
    roll(game, f"W1* W0 W0 M0 M0 {MISS}")
    do(game, "cell(weapon[0,0])")
    assert asked(game) == (Phase.WEAPON, 0)


@pytest.mark.rule("DRAG-5", "ATK-1")
def test_a_retreat_comes_after_the_last_roll_and_only_when_no_weapon_is_usable():
    game = lair(weapon=["WWMMM.WW"])
    put_monks(game, 0, "weapon")
    enter(game)
    do(game, "no")
    roll(game, "W1* W0 M0 M0 M0")
    do(game, "cell(weapon[0,0])")
    assert legal(game) == {"weapon(right)"}
    roll(game, f"W0 W0 {MISS}", "right")
    assert legal(game) == {"weapon(right)"}  # the next round: there was no question
    roll(game, "W1* W0", "right")
    do(game, "cell(weapon[0,6])")
    assert asked(game) == (Phase.RETREAT, 0)


@pytest.mark.rule("DRAG-5")
def test_one_without_a_usable_weapon_may_retreat_at_its_place_in_the_order_of_every_round():
    game = lair(players=2, weapon=["WMM"])
    enter_with(game, 1, dice=MISS)
    assert order_of(game) == ["dragon", 1, 0]
    roll(game, "W0 W0 M0 M0")
    assert asked(game) == (Phase.RETREAT, 0)
    load(game, MISS)
    do(game, "no")
    assert fighting(game) == [0, 1]
    roll(game, "W0 W0 M0 M0")
    load(game, HIT)  # does not hurt the samurai that has left
    put_gear(game, 1, helmet=["W"])
    do(game, "retreat")
    assert (asked(game), fighting(game), where(game, 0)) == ((Phase.WEAPON, 1), [1], BESIDE)
    assert (lying(game), gear_of(game, 1, "helmet")) == ([], [])


@pytest.mark.rule("DRAG-5", "MAP-11", "MOVE-4")
def test_a_retreat_goes_where_a_knocked_out_samurai_would_be_laid():
    game = sandals(lair(weapon=["W"]))
    put(game, 0, "ring1.0/centre")
    put_lava(game, BESIDE)
    do(game, "move", f"step({BESIDE})", f"step({INSIDE})")
    load(game, MISS)
    do(game, *(f"cell(sandals[0,{k}])" for k in range(3)), "retreat")
    assert where(game, 0) == "ring1.0/centre"


# Spoils


@pytest.mark.rule("DRAG-6")
@pytest.mark.parametrize(
    ("dragon", "vp"), [("rain_whelp", 5), ("bamboo_fang", 7), ("cinder_wing", 10), ("lord_of_fuji", 15)]
)
def test_a_beaten_dragon_gives_vp_by_its_colour(dragon, vp):
    game = lair(dragon)
    put_gear(game, 0, helmet=["MMMM", "MMMM"])
    enter(game, " ".join(["T0"] * 6))
    game.state.fight.health = 2
    roll(game, "W1 W1 M0 M0")
    assert game.scores == (vp, 0)


@pytest.mark.rule("DRAG-6")
def test_every_samurai_still_in_the_fight_gets_the_full_vp_and_a_tooth():
    game = lair(players=4, weapon=["W"])
    put_gear(game, 0, helmet=["M"])
    put_gear(game, 2, helmet=["M"])
    enter_with(game, 1, 2, dice=HIT)
    do(game, "cell(helmet[0,0])", "cell(helmet[0,0])")
    assert fighting(game) == [0, 2]  # player 1 is knocked out, 3 was never there
    roll(game, "W1 W1 M2 M2")
    for p in (0, 2):
        assert (asked(game), legal(game)) == ((Phase.TAKE, p), {"take(tooth)", "done"})
        do(game, "take(tooth)")
    assert game.scores == (5, 0, 5, 0)
    assert [pack_of(game, p) for p in range(4)] == [{"tooth": 1}, {}, {"tooth": 1}, {}]
    assert is_over(game)


@pytest.mark.rule("DRAG-6")
def test_the_spoils_go_round_from_the_active_player():
    game = lair(players=3, weapon=FIRST)
    give_turn(game, 1)
    put(game, 1, BESIDE)
    put(game, 0, "start")
    put_gear(game, 1, weapon=FIRST)
    game.state.supply[Supply.TOOTH] = 1  # SETUP-10: what the supply lacks is not taken
    enter(game)
    do(game, f"step({LAIR}/petal4)")
    roll(game, "W1 W1 M2 M2 M0")
    assert asked(game) == (Phase.TAKE, 1)
    do(game, "take(tooth)")
    assert (asked(game), game.scores, is_over(game)) == ((Phase.ACTION, 1), (5, 5, 0), True)


def beat(game):
    """Player 0, who comes first, beats the dragon with its first roll."""
    enter(game)
    roll(game, "W1 W1 M2 M2 M0")


@pytest.mark.rule("DRAG-6", "PACK-2")
def test_room_may_be_made_for_the_tooth():
    game = lair(weapon=FIRST)
    put_pack(game, 0, wood=6)
    beat(game)
    assert legal(game) == {"throw(wood)", "done"}
    do(game, "throw(wood)", "take(tooth)")
    assert pack_of(game, 0) == {"wood": 5, "tooth": 1}


@pytest.mark.rule("DRAG-6", "PACK-4")
def test_a_pack_without_room_gets_no_tooth():
    game = lair("lord_of_fuji", weapon=["W"])  # nobody is asked for monks
    put_pack(game, 0, monks=6)
    put_gear(game, 0, helmet=["MMMM"], weapon=["WW"])
    enter(game, " ".join(["T0"] * 6))
    game.state.fight.health = 1
    roll(game, "W1 W1")
    assert (asked(game), game.scores) == ((Phase.ACTION, 0), (15, 0))


@pytest.mark.rule("DRAG-6")
def test_a_beaten_dragon_is_removed_and_its_damage_tokens_go_back():
    game = lair(weapon=FIRST)
    hurt(game, 2)
    assert game.state.supply[Supply.DAMAGE] == 10
    beat(game)
    do(game, "done")
    dragon = game.state.dragons[0]
    assert (dragon_in(game), dragon.place, dragon.damage, game.state.dragons_beaten) == ("", 0, 0, 1)
    assert game.state.supply[Supply.DAMAGE] == 12
    put(game, 0, BESIDE)
    do(game, "move", f"step({INSIDE})")  # nobody is there any more
    assert asked(game) == (Phase.MOVE, 0)


@pytest.mark.rule("DRAG-6", "ATK-1")
def test_a_dragon_at_zero_is_beaten_at_once():
    game = lair(players=2, weapon=FIRST)
    enter_with(game, 1)
    roll(game, "W1 W1 M2 M2 M0")  # just its 6: neither it nor player 1 has a turn
    assert (asked(game), game.scores) == ((Phase.TAKE, 0), (5, 5))


# How long a fight goes on


@pytest.mark.rule("DRAG-7")
def test_an_unbeaten_dragon_has_full_health_in_its_next_fight_less_permanent_damage():
    game = lair(weapon=["WWMMM"])
    hurt(game, 1)
    enter(game)
    assert game.state.fight.health == 5
    roll(game, "W1* W1 M1 M0 M0")
    do(game, "cell(weapon[0,0])")
    assert game.state.fight.health == 2
    do(game, "retreat")
    put_gear(game, 0, weapon=FIRST)
    enter(game)
    assert (game.state.fight.health, game.state.dragons[0].damage) == (5, 1)


@pytest.mark.rule("DRAG-7")
def test_after_thirty_rounds_all_fighters_retreat():
    game = lair(players=3)
    for p in range(3):
        put_gear(game, p, weapon=[])
    enter_with(game, 1, 2, dice=MISS)
    asks = 0
    while game.phase == Phase.RETREAT:
        load(game, MISS)
        do(game, "no")
        asks += 1
    assert asks == 30 * 3
    assert (asked(game), lying(game), is_over(game)) == ((Phase.ACTION, 0), [], True)
    assert [where(game, p) for p in range(3)] == [BESIDE, "start", "start"]


@pytest.mark.rule("DRAG-8")
@pytest.mark.parametrize(
    ("dragon", "players", "health"),
    [
        ("rain_whelp", 2, 6),
        ("rain_whelp", 3, 6),
        ("cinder_wing", 1, 18),
        ("cinder_wing", 2, 20),
        ("cinder_wing", 3, 20),
        ("cinder_wing", 6, 20),
        ("lord_of_fuji", 2, 30),
        ("lord_of_fuji", 3, 60),
        ("lord_of_fuji", 6, 60),
    ],
)
def test_health_depends_on_the_number_of_players(dragon, players, health):
    game = lair(dragon, max(2, players))
    game.state.settings.players = players  # games of one player exist in co-op only
    enter(game, " ".join(["T0"] * 6))
    assert game.state.fight.health == health


# Permanent damage


def beside_dragon(scroll="dragon_bane", harpoons=0, dragon="rain_whelp"):
    game = lair(dragon)
    if scroll:
        put_scrolls(game, 0, scroll)
    game.state.players[0].adventures[Adventure.HARPOON] = harpoons
    game.state.adventures_left[Adventure.HARPOON] -= harpoons
    return game


def damage_on(game, number=0):
    return int(game.state.dragons[number].damage)


@pytest.mark.rule("DRAG-9", "DRAG-7", "SCROLL-5")
def test_dragon_bane_deals_one_permanent_damage_once_per_turn():
    game = beside_dragon()
    assert legal(game) == {"move", "use(dragon_bane)"}
    do(game, "use(dragon_bane)")
    assert legal(game) == {f"place({LAIR})"}
    do(game, f"place({LAIR})")
    assert (damage_on(game), game.state.supply[Supply.DAMAGE]) == (1, 11)
    assert (asked(game), legal(game)) == ((Phase.ACTION, 0), {"move"})  # no action was used up
    do(game, "move", "done")
    assert "use(dragon_bane)" not in legal(game)
    end_turn(game)
    end_turn(game)
    assert "use(dragon_bane)" in legal(game)
    enter(game, MISS)
    assert game.state.fight.health == 5


@pytest.mark.rule("DRAG-9", "SCROLL-5")
@pytest.mark.parametrize("scroll", ["", "seer"])
def test_only_the_owner_of_a_power_may_use_it(scroll):
    assert not legal(beside_dragon(scroll), "use")


@pytest.mark.rule("DRAG-9")
def test_dragon_bane_works_in_the_second_slot_too():
    game = beside_dragon("")
    put_monks(game, 0, "scroll")
    put_scrolls(game, 0, "seer", "dragon_bane")
    assert legal(game, "use") == {"use(dragon_bane)"}


@pytest.mark.rule("DRAG-9")
def test_a_harpoon_deals_two_permanent_damage_and_is_gone():
    game = beside_dragon("", harpoons=2)
    do(game, "use(harpoon)", f"place({LAIR})")
    assert (damage_on(game), game.state.supply[Supply.DAMAGE]) == (2, 10)
    assert game.state.adventures_gone[Adventure.HARPOON] == 1
    do(game, "use(harpoon)", f"place({LAIR})")  # once for each token
    assert (damage_on(game), game.state.players[0].adventures[Adventure.HARPOON]) == (4, 0)
    assert not legal(game, "use")


@pytest.mark.rule("DRAG-9")
@pytest.mark.parametrize(
    ("at", "bane", "harpoon"),
    [
        (BESIDE, True, True),
        ("start", True, True),
        ("ring1.0/centre", False, True),  # the tiles touch, the space does not
        ("ring1.0/petal4", False, True),
        (AWAY, False, False),
        ("ring1.3/petal0", False, False),  # two tiles away
    ],
)
def test_dragon_bane_needs_a_space_beside_the_tile_and_a_harpoon_a_tile_beside_it(at, bane, harpoon):
    game = beside_dragon(harpoons=1)
    lay_plain(game, "ring1.3")
    put(game, 0, at)
    assert ("use(dragon_bane)" in legal(game)) == bane
    assert ("use(harpoon)" in legal(game)) == harpoon


@pytest.mark.rule("DRAG-9")
@pytest.mark.parametrize(("scroll", "harpoons", "power"), [("dragon_bane", 0, "dragon_bane"), ("", 1, "harpoon")])
def test_the_player_names_one_of_the_dragons_in_reach(scroll, harpoons, power):
    game = beside_dragon(scroll, harpoons)
    lay_plain(game, "ring1.3", "ring2.0")
    put_dragon(game, "ring1.3", "tide_whelp")
    put_dragon(game, "ring2.0", "frost_whelp")  # out of reach
    put(game, 0, "start")
    do(game, f"use({power})")
    assert legal(game) == {f"place({LAIR})", "place(ring1.3)"}
    do(game, "place(ring1.3)")
    assert (damage_on(game, 0), damage_on(game, 1) > 0) == (0, True)


@pytest.mark.rule("DRAG-9")
def test_permanent_damage_never_brings_a_dragon_below_one_health():
    game = beside_dragon(harpoons=1)
    hurt(game, 4)
    do(game, "use(harpoon)", f"place({LAIR})")
    assert (damage_on(game), game.state.supply[Supply.DAMAGE]) == (5, 7)
    assert not legal(game, "use")
    enter(game, MISS)
    assert game.state.fight.health == 1


@pytest.mark.rule("DRAG-9")
def test_a_dragon_that_can_not_be_damaged_is_no_target():
    game = beside_dragon()
    hurt(game, 5)
    lay_plain(game, "ring1.3")
    put_dragon(game, "ring1.3", "tide_whelp")
    put(game, 0, "start")
    do(game, "use(dragon_bane)")
    assert legal(game) == {"place(ring1.3)"}


@pytest.mark.rule("DRAG-9")
def test_without_tokens_no_damage_can_be_dealt():
    game = beside_dragon(harpoons=1)
    game.state.supply[Supply.DAMAGE] = 1
    do(game, "use(harpoon)", f"place({LAIR})")
    assert (damage_on(game), game.state.supply[Supply.DAMAGE]) == (1, 0)
    assert not legal(game, "use")


# The example of the rulebook


@pytest.mark.rule("DRAG-10", "HERO-3", "ATK-3", "ATK-5", "MAGIC-5", "DMG-1")
def test_the_example_of_the_rulebook():
    game = lair("bamboo_fang", weapon=["WWWMMMTT"])
    put_gear(game, 0, helmet=["WMWM", "M.M"])
    put_gear(game, 1, weapon=["WWWMMMMM"], helmet=["MMMM"])
    put_monks(game, 0, "pool", "weapon")
    put_monks(game, 1, "weapon")
    put_blueprint(game, 0, "sun_kabuto")
    put_magic(game, 0, "helmet")
    put_pack(game, 0, wood=1)
    enter_with(game, 1)
    state = game.state
    assert (state.fight.health, asked(game)) == (12, (Phase.SEND_MONK, 0))
    load(game, "W0")
    do(game, "monk(pool)", "throw(wood)", "no")  # the other sends none
    assert [state.fight.fighters[p].initiative for p in (0, 1)] == [8, 8]
    assert (order_of(game), state.fight.health) == ([0, "dragon", 1], 12)

    load(game, "T3*")  # 3 hits, and a tooth breaks
    do(game, "weapon(left)", "number(0)", "number(0)", "number(1)")
    load(game, "T3* T2 T1 T0")  # the dragon: 6 hits and a break
    do(game, "cell(weapon[0,7])")
    assert (state.fight.health, gear_of(game, 0, "weapon")) == (9, ["WWWMMMT"])
    for p in (0, 1):
        assert asked(game) == (Phase.TAKE, p)
        do(game, "take(tooth)")
    do(game, "magic(helmet)", "cell(helmet[0,3])")
    do(game, "cell(helmet[0,0])", "cell(helmet[0,1])", "cell(helmet[0,2])")
    assert magic_of(game, 0) == {}
    assert (gear_of(game, 0, "helmet"), gear_of(game, 1, "helmet")) == (["WMW", "M.M"], ["...M"])

    assert asked(game) == (Phase.WEAPON, 1)
    roll(game, "W1* W1* W0 M2* M2 M2 M0 M0")
    do(game, "cell(weapon[0,0])", "cell(weapon[0,1])", "cell(weapon[0,7])")
    assert (state.fight.health, gear_of(game, 1, "weapon")) == (1, ["..WMMMM"])
    assert asked(game) == (Phase.RETREAT, 1)  # its weapon is no longer usable
    do(game, "no")

    load(game, "M2 M2")
    do(game, "weapon(left)", "number(0)", "number(2)", "number(0)")
    do(game, "take(tooth)", "take(tooth)")
    assert game.scores == (7, 7)
    assert (pack_of(game, 0), pack_of(game, 1)) == ({"tooth": 2}, {"tooth": 2})
    assert magic_of(game, 0) == {"helmet": 1}
    assert (asked(game), is_over(game), dragon_in(game)) == ((Phase.ACTION, 0), True, "")
    assert state.players[0].at in spaces_of(LAIR)
