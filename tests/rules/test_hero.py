"""HERO: monks that run ahead into a dragon fight, and what is lost with them."""

import pytest

from fujikoro_env.rules.base.names import Supply, Where
from fujikoro_env.rules.base.phases import Phase
from tests.helpers.fights import (
    AWAY,
    BESIDE,
    LAIR,
    dice_left,
    dragon_in,
    enter,
    enter_with,
    fighting,
    is_over,
    lair,
    load,
    order_of,
    roll,
)
from tests.helpers.gear import magic_of, put_blueprint, put_magic
from tests.helpers.tables import (
    asked,
    do,
    gear_of,
    give_turn,
    legal,
    monks_of,
    pack_of,
    put,
    put_gear,
    put_monks,
    put_pack,
    put_scrolls,
    scrolls_of,
)

MISS = "T0 T0 T0"  # a blue dragon's roll
HELD_BY_THE_RIGHT_PART = ["...WWW", ".....W", "...MMM"]  # without it, two weapons in the left part
KINDS = {"W": "wood", "M": "metal", "T": "tooth"}
PIECES = {"wood": Supply.WOOD, "metal": Supply.METAL, "tooth": Supply.TOOTH, "monk": Supply.MONK}


def supply(game, *kinds):
    return [int(game.state.supply[PIECES[kind]]) for kind in kinds]


def with_monks(*spots, dragon="rain_whelp", players=2, carried=0, **pack):
    """Player 0, with these monks and things in its pack, is about to go to the dragon."""
    game = lair(dragon, players)
    put_monks(game, 0, *spots)
    put_pack(game, 0, monks=carried, **pack)
    return game


# Sending monks


@pytest.mark.rule("HERO-1")
def test_a_monk_is_sent_from_the_board_or_the_pack():
    game = with_monks("pool", "weapon", carried=1)
    enter(game)
    assert (asked(game), legal(game)) == ((Phase.SEND_MONK, 0), {"no", "monk(pool)", "monk(weapon)", "monk(carried)"})


@pytest.mark.rule("HERO-1")
@pytest.mark.parametrize("spot", ["pool", "scroll", "weapon", "pack", "carried"])
def test_each_spot_may_send_its_monk(spot):
    game = with_monks(carried=1) if spot == "carried" else with_monks(spot)
    enter(game)
    assert legal(game) == {"no", f"monk({spot})"}


@pytest.mark.rule("HERO-1")
def test_a_player_who_has_no_monk_is_not_asked():
    game = with_monks()
    enter(game, MISS)
    assert asked(game) == (Phase.WEAPON, 0)


@pytest.mark.rule("HERO-1")
def test_none_need_be_sent():
    game = with_monks("pool", wood=1)
    enter(game)
    load(game, MISS)
    do(game, "no")
    assert (asked(game), monks_of(game, 0), pack_of(game, 0)) == ((Phase.WEAPON, 0), {"pool"}, {"wood": 1})
    assert order_of(game) == ["dragon", 0]


@pytest.mark.rule("HERO-1")
def test_one_monk_only_is_sent():
    game = with_monks("pool", "scroll")
    enter(game)
    do(game, "monk(pool)")
    assert (asked(game), monks_of(game, 0)) == ((Phase.WEAPON, 0), {"scroll"})


@pytest.mark.rule("HERO-1")
def test_fighters_are_asked_in_player_order_from_the_active_player():
    game = lair(players=4)
    give_turn(game, 2)
    put(game, 2, BESIDE)
    for p in range(4):
        put_monks(game, p, "pool")
    for p in (1, 3):
        put(game, p, "start")
    put(game, 0, AWAY)  # it is not there, so it is not asked
    enter(game)
    do(game, f"step({LAIR}/petal4)", f"step({LAIR}/petal4)")
    for p in (2, 3, 1):
        assert asked(game) == (Phase.SEND_MONK, p)
        do(game, "monk(pool)")
    assert asked(game) == (Phase.WEAPON, 2)


@pytest.mark.rule("HERO-1")
@pytest.mark.parametrize(
    ("dragon", "is_asked"), [("rain_whelp", True), ("moss_fang", True), ("magma_wing", True), ("lord_of_fuji", False)]
)
def test_no_monk_goes_against_the_legendary_dragon(dragon, is_asked):
    game = with_monks("pool", dragon=dragon)
    enter(game, " ".join(["T0"] * 6))
    assert (game.phase == Phase.SEND_MONK) == is_asked


@pytest.mark.rule("HERO-1", "HERO-7", "INIT-2")
def test_initiative_is_taken_after_all_monks_are_sent():
    game = lair(players=2, weapon=["WWWMMMMM"])
    put_monks(game, 0, "weapon")
    put_monks(game, 1, "pool", "weapon")
    put_gear(game, 1, weapon=["WWWMMM"])
    enter_with(game, 1)
    do(game, "monk(weapon)", "monk(pool)")
    assert [game.state.fight.fighters[p].initiative for p in (0, 1)] == [5, 6]
    assert order_of(game) == [1, 0, "dragon"]


# What a monk throws


@pytest.mark.rule("HERO-2")
def test_the_monk_throws_one_resource_of_the_players_choice():
    game = with_monks("pool", wood=1, tooth=2)
    before = supply(game, "wood", "tooth")
    enter(game)
    do(game, "monk(pool)")
    assert (asked(game), legal(game)) == ((Phase.MONK_THROW, 0), {"throw(wood)", "throw(tooth)"})
    load(game, "T2")
    do(game, "throw(tooth)")
    assert (pack_of(game, 0), supply(game, "wood", "tooth")) == ({"wood": 1, "tooth": 1}, [before[0], before[1] + 1])
    assert (game.state.fight.health, dice_left(game)) == (4, 0)


@pytest.mark.rule("HERO-2")
@pytest.mark.parametrize(
    ("kind", "die", "hits"), [("wood", "W0", 0), ("wood", "W1", 1), ("metal", "M2", 2), ("tooth", "T2", 2)]
)
def test_the_die_of_its_kind_hurts_the_dragon(kind, die, hits):
    game = with_monks("pool", **{kind: 1})
    enter(game)
    load(game, die)
    do(game, "monk(pool)", f"throw({kind})")
    assert (game.state.fight.health, asked(game)) == (6 - hits, (Phase.WEAPON, 0))


@pytest.mark.rule("HERO-2")
@pytest.mark.parametrize(("kind", "die", "hits"), [("wood", "W1*", 1), ("metal", "M2*", 2), ("tooth", "T3*", 3)])
def test_the_breakage_of_what_is_thrown_is_ignored(kind, die, hits):
    game = with_monks("pool", **{kind: 1})
    enter(game)
    load(game, die)
    do(game, "monk(pool)", f"throw({kind})")
    assert (game.state.fight.health, gear_of(game, 0, "weapon")) == (6 - hits, ["WWMM"])
    assert (asked(game), pack_of(game, 0)) == ((Phase.WEAPON, 0), {})


@pytest.mark.rule("HERO-2", "HERO-3")
def test_without_a_resource_nothing_is_thrown_but_the_sender_comes_first():
    game = with_monks("pool")
    enter(game)
    do(game, "monk(pool)")
    assert (asked(game), game.state.fight.health, order_of(game)) == ((Phase.WEAPON, 0), 6, [0, "dragon"])


@pytest.mark.rule("HERO-2", "DRAG-6")
def test_a_monk_may_beat_the_dragon_before_others_are_asked():
    game = lair(players=2)
    for p in (0, 1):
        put_monks(game, p, "pool")
        put_pack(game, p, metal=1)
    enter_with(game, 1)
    game.state.fight.health = 2
    load(game, "M2")
    do(game, "monk(pool)", "throw(metal)", "done", "done")
    assert (game.scores, monks_of(game, 1), dragon_in(game)) == ((5, 5), {"pool"}, "")
    assert (asked(game), is_over(game)) == ((Phase.ACTION, 0), True)


@pytest.mark.rule("HERO-2", "DRAG-6")
def test_the_last_monk_may_beat_the_dragon():
    game = with_monks("pool", metal=1)
    enter(game)
    game.state.fight.health = 2
    load(game, "M2")
    do(game, "monk(pool)", "throw(metal)")
    assert (asked(game), game.scores) == ((Phase.TAKE, 0), (5, 0))


# Going first


@pytest.mark.rule("HERO-3", "INIT-2")
def test_senders_go_before_the_dragon_and_before_all_who_sent_none():
    game = lair(players=4, weapon=["WWMMM"])  # initiative 5, more than the dragon's 4 and all others'
    put_gear(game, 1, weapon=["WW"])
    put_gear(game, 2, weapon=["WWM"])
    put_gear(game, 3, weapon=["W"])
    put(game, 3, "ring1.0/petal2")
    for p in (1, 2):
        put(game, p, "start")
    for p in (1, 2, 3):
        put_monks(game, p, "pool")
    enter(game)
    do(game, f"step({LAIR}/petal4)", f"step({LAIR}/petal4)", f"step({LAIR}/petal0)")
    do(game, "monk(pool)", "monk(pool)", "monk(pool)")
    assert order_of(game) == [2, 1, 3, 0, "dragon"]


# Losses when a monk leaves


@pytest.mark.rule("HERO-4")
@pytest.mark.parametrize("spot", ["pool", "scroll", "weapon", "pack", "carried"])
def test_the_monk_is_gone_at_once(spot):
    game = with_monks("pool", "scroll", "weapon", "pack", carried=2)
    before = supply(game, "monk")
    enter(game)
    do(game, f"monk({spot})")
    left = {"pool", "scroll", "weapon", "pack"} - {spot}
    assert (monks_of(game, 0), pack_of(game, 0)) == (left, {"monks": 2 - (spot == "carried")})
    assert supply(game, "monk") == [before[0] + 1]
    assert asked(game) == (Phase.WEAPON, 0)


@pytest.mark.rule("HERO-4", "HERO-7", "WEAP-6")
def test_what_goes_with_a_monk_goes_before_the_fight_goes_on():
    """The next fighter is asked only when the first has mended its weapon."""
    game = lair(players=2, weapon=HELD_BY_THE_RIGHT_PART)
    put_monks(game, 0, "weapon")
    put_monks(game, 1, "pool")
    enter_with(game, 1)
    do(game, "monk(weapon)")
    assert asked(game) == (Phase.REPAIR, 0)
    do(game, "cell(weapon[2,3])", "cell(weapon[2,4])")
    assert asked(game) == (Phase.SEND_MONK, 1)


# HERO-5: the second pack


@pytest.mark.rule("HERO-5", "PACK-5", "CRAFT-3")
@pytest.mark.parametrize(
    ("pack", "thrown", "kept"),
    [
        ({"wood": 2, "metal": 3, "tooth": 2}, "M0", {"wood": 2, "metal": 2, "tooth": 2}),
        ({"wood": 4, "metal": 3, "tooth": 3}, "T0", {"wood": 1, "metal": 3, "tooth": 2}),
        ({"wood": 2, "metal": 7, "tooth": 2}, "W0", {"metal": 4, "tooth": 2}),
        ({"wood": 2, "metal": 1, "tooth": 8}, "W0", {"tooth": 6}),
        ({"tooth": 5, "carried": 5}, "T0", {"tooth": 1, "monks": 5}),
        ({"tooth": 3, "carried": 8}, "T0", {"monks": 6}),
    ],
)
def test_with_the_second_pack_all_beyond_the_sixth_slot_goes_the_least_precious_first(pack, thrown, kept):
    game = with_monks("pack", **pack)
    before = supply(game, "monk")[0]
    enter(game)
    load(game, thrown)
    do(game, "monk(pack)", f"throw({KINDS[thrown[0]]})")
    assert pack_of(game, 0) == kept
    assert supply(game, "monk") == [before + 1 + pack.get("carried", 0) - kept.get("monks", 0)]
    assert asked(game) == (Phase.WEAPON, 0)


@pytest.mark.rule("HERO-5")
def test_with_another_monk_the_second_pack_stays():
    game = with_monks("pool", "pack", carried=9)
    enter(game)
    do(game, "monk(pool)")
    assert pack_of(game, 0) == {"monks": 9}


def own_blueprints(game, player, number):
    """Give the player so many blueprints that a pack of 6 may be too small. Only co-op games allow two of a type."""
    game.state.blueprints["where"][:number] = Where.OWNED + player


@pytest.mark.rule("HERO-5", "SCROLL-6")
def test_a_player_who_loses_one_of_two_scrolls_chooses_the_card():
    game = with_monks("scroll", "pack", players=6, carried=1)
    put_scrolls(game, 0, "seer", "pilgrim")
    own_blueprints(game, 0, 5)
    gone = int(game.state.scroll_tokens_gone.sum())
    enter(game)
    do(game, "monk(pack)")
    assert (asked(game), legal(game)) == ((Phase.LOSE_ITEM, 0), {"slot(1)", "slot(2)"})
    do(game, "slot(1)")
    assert (scrolls_of(game, 0), pack_of(game, 0)) == (["", "pilgrim"], {})
    assert int(game.state.scroll_tokens_gone.sum()) == gone + 1
    assert asked(game) == (Phase.WEAPON, 0)


@pytest.mark.rule("HERO-5", "SCROLL-6", "PACK-5")
def test_blueprints_go_last_and_leave_the_game():
    game = lair(players=6)
    put_monks(game, 1, "pack")
    put_scrolls(game, 1, "seer")
    own_blueprints(game, 0, 6)
    own_blueprints(game, 1, 5)  # so the last of them stays another's
    game.state.blueprints["where"][[12, 13]] = Where.OWNED + 1
    enter_with(game, 1)
    do(game, "monk(pack)")
    assert legal(game) == {"slot(1)"}
    do(game, "slot(1)")
    mine = [0, 1, 2, 3, 4, 12, 13]
    assert legal(game) == {f"blueprint({game.vocabulary.blueprint(slot)})" for slot in mine}
    do(game, f"blueprint({game.vocabulary.blueprint(13)})")
    assert (game.state.blueprints[13].where, asked(game)) == (Where.GONE, (Phase.WEAPON, 1))


# HERO-6 to HERO-8: the other spots


@pytest.mark.rule("HERO-6", "SCROLL-6")
def test_with_the_scroll_monk_the_second_card_and_its_token_go_and_no_vp():
    game = with_monks("scroll")
    put_scrolls(game, 0, "seer", "pilgrim")
    game.state.players[0].vp = 6
    colour = game.state.players[0].colour - 1
    enter(game)
    do(game, "monk(scroll)")
    assert (scrolls_of(game, 0), game.scores) == (["seer", ""], (6, 0))
    assert game.state.players[0].scroll_colours.tolist() == [colour + 1, 0]
    assert game.state.scroll_tokens_gone[colour] == 1
    assert game.state.scroll_discards == 1 << game.vocabulary.deck_ids("scrolls").index("pilgrim")


@pytest.mark.rule("HERO-6")
def test_with_the_scroll_monk_a_single_card_stays():
    game = with_monks("scroll")
    put_scrolls(game, 0, "seer")
    enter(game)
    do(game, "monk(scroll)")
    assert (scrolls_of(game, 0), game.state.scroll_discards) == (["seer", ""], 0)


@pytest.mark.rule("HERO-7")
def test_with_the_weapon_monk_all_cubes_of_the_right_part_go():
    game = with_monks("weapon")
    put_gear(game, 0, weapon=["WWM..WWM", "......T"])
    before = supply(game, "wood", "metal", "tooth")
    enter(game)
    do(game, "monk(weapon)")
    assert gear_of(game, 0, "weapon") == ["WWM"]
    assert supply(game, "wood", "metal", "tooth") == [before[0] + 2, before[1] + 1, before[2] + 1]
    assert asked(game) == (Phase.WEAPON, 0)


@pytest.mark.rule("HERO-7", "WEAP-6")
def test_what_the_weapon_monk_leaves_is_made_legal():
    game = with_monks("weapon")
    put_gear(game, 0, weapon=HELD_BY_THE_RIGHT_PART)
    enter(game)
    do(game, "monk(weapon)")
    left = {f"cell(weapon[{cell}])" for cell in ("0,3", "0,4", "2,3", "2,4")}
    assert (asked(game), legal(game)) == ((Phase.REPAIR, 0), left)
    do(game, "cell(weapon[2,4])", "cell(weapon[2,3])")
    assert (asked(game), gear_of(game, 0, "weapon")) == ((Phase.WEAPON, 0), ["...WW"])


@pytest.mark.rule("HERO-7", "MAGIC-2", "INIT-1")
def test_magic_goes_with_the_weapon_that_it_was_for():
    game = with_monks("weapon")
    put_gear(game, 0, weapon=["WWWMMT"])
    put_blueprint(game, 0, "moon_reaper")
    put_magic(game, 0, "weapon")
    enter(game)
    do(game, "monk(weapon)")
    assert (gear_of(game, 0, "weapon"), magic_of(game, 0)) == (["WWWMM"], {})
    assert game.state.fight.fighters[0].initiative == 5


@pytest.mark.rule("HERO-7")
def test_another_monk_leaves_the_right_part_alone():
    game = with_monks("pool", "weapon")
    put_gear(game, 0, weapon=["WWM..WWM"])
    enter(game)
    do(game, "monk(pool)")
    assert gear_of(game, 0, "weapon") == ["WWM..WWM"]


@pytest.mark.rule("HERO-8")
@pytest.mark.parametrize(
    ("pool", "fields", "after"),
    [
        (4, (0, 0, 0), (3, [0, 0, 0])),
        (3, (1, 0, 0), (3, [0, 0, 0])),
        (2, (0, 2, 0), (2, [0, 1, 0])),
        (3, (0, 0, 1), (3, [0, 0, 0])),
        (0, (0, 1, 3), (0, [0, 0, 3])),
    ],
)
def test_with_the_pool_monk_a_disc_goes_from_a_field_if_one_lies_there(pool, fields, after):
    game = lair(players=2)
    put_monks(game, 1, "pool")
    joiner = game.state.players[1]
    joiner.pool, joiner.fields[:] = pool, fields
    enter_with(game, 1)
    do(game, "monk(pool)")
    assert (int(joiner.pool), joiner.fields.tolist()) == after


@pytest.mark.rule("HERO-8")
def test_another_monk_takes_no_disc():
    game = with_monks("scroll", "pool")
    enter(game)
    do(game, "monk(scroll)")
    me = game.state.players[0]
    assert (int(me.pool), me.fields.tolist(), fighting(game)) == (3, [1, 0, 0], [0])


@pytest.mark.rule("HERO-4", "HERO-8")
def test_a_carried_monk_has_no_power_to_lose():
    game = with_monks("pool", "weapon", "scroll", "pack", carried=2)
    put_gear(game, 0, weapon=["WWM..WWM"])
    put_scrolls(game, 0, "seer", "pilgrim")
    enter(game)
    do(game, "monk(carried)")
    me = game.state.players[0]
    assert (int(me.pool), me.fields.tolist()) == (3, [1, 0, 0])
    assert (gear_of(game, 0, "weapon"), scrolls_of(game, 0)) == (["WWM..WWM"], ["seer", "pilgrim"])


@pytest.mark.rule("HERO-3")
def test_a_sender_is_still_hit_when_its_turn_is_over():
    game = with_monks("pool")
    put_gear(game, 0, helmet=["W"])
    enter(game)
    do(game, "monk(pool)")
    roll(game, "W0 W0 M0 M0 T1 T0 T0")
    assert (asked(game), gear_of(game, 0, "helmet")) == ((Phase.WEAPON, 0), [])
