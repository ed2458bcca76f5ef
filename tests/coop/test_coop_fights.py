"""COOP-13 to COOP-16, COOP-18: lives, shared teeth, and any number of blueprints."""

import pytest

from fujikoro_env.rules.base.names import Reason, Supply, Where
from fujikoro_env.rules.base.phases import Phase
from tests.helpers.coop_tables import bare, coop_table, dragon_comes, finish_round, set_round
from tests.helpers.endgame import make_magic, number
from tests.helpers.fights import fighting, is_over, load
from tests.helpers.tables import (
    blueprints_at,
    do,
    legal,
    pack_of,
    put,
    put_dragon,
    put_gear,
    put_monks,
    put_pack,
    where,
)

HERE, LAIR = "ring1.0/petal3", "ring1.1/petal5"
STRONG = ["TTTT", "TTTT"]


def lair(players=2, dragon="rain_whelp", **rules):
    """A game in which player 0 is about to act beside a dragon's tile; the others are too far away to join."""
    game = coop_table(players, **rules)
    bare(game, "ring1.0", "ring1.1")
    put_dragon(game, "ring1.1", dragon)
    put(game, 0, HERE)
    for player in range(1, players):
        put(game, player, "temple0")
    return game


def lives_lost(game):
    return game.state.players["lives_lost"][: game.rules.players].tolist()


# Lives


@pytest.mark.rule("COOP-13")
def test_knocked_out_is_a_life_lost_and_back_on_the_start_tile():
    game = lair()
    load(game, "T3* T0 T0")
    do(game, "move", f"step({LAIR})")
    assert (where(game, 0), lives_lost(game), game.state.players[0].unconscious) == ("start", [1, 0], 0)
    assert game.actor == 1  # its turn has ended, with an action still due
    assert is_over(game)


@pytest.mark.rule("COOP-13")
def test_a_player_who_is_not_active_goes_on_with_its_own_turn():
    game = lair()
    put_gear(game, 0, helmet=STRONG)
    put(game, 1, "start")
    load(game, "T3* T0 T0")
    do(game, "move", f"step({LAIR})", "step(ring1.1/petal4)")
    assert game.phase == Phase.PAY
    do(game, "cell(helmet[0,0])")
    assert (where(game, 1), lives_lost(game)) == ("start", [0, 1])
    assert fighting(game) == [0]


@pytest.mark.rule("COOP-13")
def test_a_life_lost_at_the_start_of_a_round_ends_no_turn():
    game = coop_table(2)
    bare(game, "ring1.0", "ring1.1")
    put(game, 0, HERE)
    put(game, 1, "temple0")
    put_gear(game, 0, weapon=[])
    load(game, "T2 T2 T2")
    dragon_comes(game)
    assert lives_lost(game) == [1, 0]
    assert (game.phase, game.actor) == (Phase.ACTION, 0)
    do(game, "move", "done")
    assert game.actor == 0  # two actions, as always


@pytest.mark.rule("COOP-14", "LAVA-3")
def test_dead_in_lava_is_a_life_lost_and_then_a_rebirth():
    game = coop_table(2, adventure_tokens=False)
    bare(game, "ring1.0")
    number(game, 1, HERE)
    put(game, 1, HERE)
    set_round(game, 20)
    finish_round(game)
    assert (game.phase, game.actor, lives_lost(game)) == (Phase.REBIRTH, 1, [0, 1])
    do(game, "step(temple2)")
    assert where(game, 1) == "temple2"


@pytest.mark.rule("COOP-15")
def test_the_second_lost_life_of_one_samurai_loses_the_game():
    game = lair()
    game.state.players[0].lives_lost = 1
    game.state.players[1].lives_lost = 1
    load(game, "T3* T0 T0")
    do(game, "move", f"step({LAIR})")
    assert game.over
    assert (game.outcome.reason, game.outcome.winners, game.outcome.ranking) == ("lost", (), (2, 2))
    assert is_over(game)
    assert game.state.depth == 1


@pytest.mark.rule("COOP-15")
def test_lives_of_different_samurai_do_not_add_up():
    game = lair()
    game.state.players[1].lives_lost = 1
    load(game, "T3* T0 T0")
    do(game, "move", f"step({LAIR})")
    assert not game.over


@pytest.mark.rule("COOP-15")
def test_by_option_the_third_life_is_the_last():
    game = lair(coop_lives=3)
    game.state.players[0].lives_lost = 1
    load(game, "T3* T0 T0")
    do(game, "move", f"step({LAIR})")
    assert (lives_lost(game), game.over) == ([2, 0], False)


@pytest.mark.rule("COOP-14", "COOP-15")
def test_the_last_life_may_be_lost_in_lava():
    game = coop_table(2, adventure_tokens=False)
    bare(game, "ring1.0")
    number(game, 1, HERE)
    put(game, 1, HERE)
    game.state.players[1].lives_lost = 1
    set_round(game, 20)
    finish_round(game)
    assert game.state.reason == Reason.LOST


# Teeth


def two_fighters(dice):
    """A fight of players 0 and 1, with strong helmets, against a blue dragon that first rolls the given dice."""
    game = lair()
    for player in range(2):
        put_gear(game, player, helmet=STRONG)
    put(game, 1, "start")
    load(game, dice)
    do(game, "move", f"step({LAIR})", "step(ring1.1/petal4)")
    return game


@pytest.mark.rule("COOP-16")
def test_one_tooth_for_each_breaking_die_in_all_after_the_hits():
    game = two_fighters("T3* T3* T0")
    assert game.phase == Phase.PAY  # the hits first
    do(game, "cell(helmet[0,0])", "cell(helmet[0,1])", "cell(helmet[0,0])", "cell(helmet[0,1])")
    assert (game.phase, game.actor, legal(game)) == (Phase.SHARE_TOOTH, 0, {"player(0)", "player(1)"})
    do(game, "player(1)", "player(0)")
    assert (pack_of(game, 0), pack_of(game, 1)) == ({"tooth": 1}, {"tooth": 1})
    assert game.phase == Phase.WEAPON


@pytest.mark.rule("COOP-16")
def test_a_player_who_falls_gets_no_tooth():
    game = lair()
    put_gear(game, 1, helmet=STRONG)
    put(game, 1, "start")
    load(game, "T3* T0 T0")
    do(game, "move", f"step({LAIR})", "step(ring1.1/petal4)", "cell(helmet[0,0])")
    assert (game.phase, game.actor, legal(game)) == (Phase.SHARE_TOOTH, 1, {"player(1)"})


@pytest.mark.rule("COOP-16")
@pytest.mark.parametrize(("dragon", "teeth"), [("rain_whelp", 1), ("jade_fang", 2)])
def test_the_teeth_of_a_beaten_dragon_are_shared_out(dragon, teeth):
    game = lair(dragon=dragon)
    put_monks(game, 0, "weapon")
    put_gear(game, 0, weapon=["WWWMMMMM"], helmet=STRONG)
    put_gear(game, 1, helmet=STRONG)
    put(game, 1, "start")
    load(game, " ".join(["T0"] * 4))
    do(game, "move", f"step({LAIR})", "step(ring1.1/petal4)", "no")
    game.state.fight.health = 1
    while game.phase != Phase.SHARE_TOOTH:
        game.load_dice([])
        if game.phase == Phase.WEAPON:
            load(game, "W1 W1 W1 M2 M2 M2 M2 M2")
        do(game, "roll" if "roll" in legal(game) else min(legal(game)))
    for _ in range(teeth):
        assert (game.phase, legal(game)) == (Phase.SHARE_TOOTH, {"player(0)", "player(1)"})
        do(game, "player(1)")
    assert pack_of(game, 1) == {"tooth": teeth}
    assert pack_of(game, 0) == {}
    assert is_over(game)
    assert game.scores == (0, 0)


@pytest.mark.rule("COOP-16", "PACK-2")
def test_a_player_who_has_no_room_may_throw_something_away_or_let_the_tooth_go():
    game = two_fighters("T3* T0 T0")
    put_pack(game, 1, wood=6)
    do(game, "cell(helmet[0,0])", "cell(helmet[0,0])", "player(1)")
    assert (game.phase, game.actor, legal(game)) == (Phase.TAKE, 1, {"throw(wood)", "done"})
    do(game, "throw(wood)", "take(tooth)")
    assert pack_of(game, 1) == {"wood": 5, "tooth": 1}


@pytest.mark.rule("COOP-16")
def test_a_player_who_can_not_make_room_gets_none():
    game = two_fighters("T3* T0 T0")
    put_pack(game, 1, monks=6)
    do(game, "cell(helmet[0,0])", "cell(helmet[0,0])")
    assert legal(game) == {"player(0)"}


@pytest.mark.rule("COOP-16", "SETUP-10")
def test_without_teeth_in_the_supply_there_is_nothing_to_share():
    game = two_fighters("T3* T0 T0")
    game.state.supply[Supply.TOOTH] = 0
    do(game, "cell(helmet[0,0])")
    game.state.supply[Supply.TOOTH] = 0  # the helmet's tooth went there
    game.state.players[1].gear[0].cubes[1] = game.state.players[1].gear[0].cubes[2]
    game.state.players[1].gear[0].cubes[2] = 0
    do(game, "cell(helmet[0,0])", "cell(helmet[0,1])")
    assert game.phase == Phase.WEAPON


# Blueprints


@pytest.mark.rule("COOP-18", "GATH-8")
def test_any_number_of_blueprints_of_a_type():
    game = coop_table(4)
    put(game, 0, "temple0")
    slots = [k for k in range(18) if game.state.blueprints[k].card]
    for slot in slots[:4]:
        game.state.blueprints[slot].where = Where.TEMPLE  # four of one type in one temple
    for slot in slots[4:]:
        game.state.blueprints[slot].where = Where.TEMPLE + 1
    wanted = {f"blueprint({name})" for name in blueprints_at(game, Where.TEMPLE)}
    do(game, "gather", "find(blueprint)")
    assert legal(game) == wanted
    first = sorted(wanted)
    do(game, first[0], first[1], "gather", "find(blueprint)", first[2], first[3])
    assert len(blueprints_at(game, Where.OWNED)) == 4


@pytest.mark.rule("COOP-18", "PACK-1")
def test_each_blueprint_has_its_marker_in_the_pack():
    game = coop_table(6)
    put(game, 0, "temple0")
    for slot in range(6):
        game.state.blueprints[slot].where = Where.OWNED
    assert "gather" not in legal(game)  # six markers fill the pack


@pytest.mark.rule("COOP-18", "HERO-5")
def test_a_lost_second_pack_may_cost_blueprints_of_the_owners_choice():
    game = lair(6)
    put_monks(game, 0, "pack")
    for slot in range(7):
        game.state.blueprints[slot].where = Where.OWNED
    put_gear(game, 0, helmet=STRONG)
    load(game, "T0 T0 T0")
    do(game, "move", f"step({LAIR})", "monk(pack)")
    assert game.phase == Phase.LOSE_ITEM
    assert legal(game) == {f"blueprint({name})" for name in blueprints_at(game, Where.OWNED)}
    do(game, min(legal(game)))
    assert game.phase != Phase.LOSE_ITEM
    assert len(blueprints_at(game, Where.OWNED)) == 6


@pytest.mark.rule("COOP-18", "MAGIC-3")
def test_magic_stays_without_its_blueprint_though_another_of_the_type_is_held():
    game = coop_table(2)
    make_magic(game, 0, "helmet")
    lost = next(k for k in range(6) if game.state.blueprints[k].where == Where.OWNED)
    game.state.blueprints[lost].where = Where.GONE
    other = next(k for k in range(6) if game.state.blueprints[k].card and k != lost)
    game.state.blueprints[other].where = Where.OWNED
    put_pack(game, 0, wood=1)
    do(game, "move", "done", "rest", "craft(helmet)", "add", "lay(wood, helmet[0,1])", "done")
    assert game.state.players[0].gear[0].magic == 1  # nothing was lost or moved
