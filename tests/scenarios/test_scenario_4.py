"""Scenario 4, "Who is worthy enough?": monks that are fought, and that come for the samurai."""

import json
import re
from typing import Any

import pytest

from fujikoro_env import Game, Rules
from fujikoro_env.kernel.jit import INTERPRETED
from fujikoro_env.observation import columns
from fujikoro_env.position import PositionError
from fujikoro_env.render.rolls import rolls
from fujikoro_env.rules.base.names import Adventure, Supply
from fujikoro_env.rules.base.phases import Phase
from fujikoro_env.rules.map.geometry import geometry
from tests.helpers.decoded import on_spaces
from tests.helpers.fights import dice_left, fighting, is_over, load, order_of, roll
from tests.helpers.invariants import check_games
from tests.helpers.ledger import Ledger
from tests.helpers.tables import (
    asked,
    do,
    end_turn,
    gear_of,
    give_turn,
    lay,
    lay_plain,
    legal,
    monks_of,
    pack_of,
    play,
    play_with_actions,
    put,
    put_dragon,
    put_gear,
    put_lava,
    put_monks,
    put_pack,
    put_scrolls,
    space,
    table,
    where,
)

HERE = "ring1.0/petal3"  # the monk's space, beside the start and ring1.1
CENTRE = "ring1.0/centre"
FAR_SIDE = "ring1.0/petal0"  # across the tile from HERE
MISS = "W0 W0 W0 W0"
HIT = "W1 W0 W0 W0"
LONG = ["WWMMM"]


def monastery(players=2, monk=HERE, **rules):
    """A game with all players on the start tile and a monk on the tile beside it."""
    game = table(players, scenario=4, **rules)
    lay_plain(game, "ring1.0", "ring1.1")
    if monk:
        put_monk(game, monk)
    return game


def put_monk(game, name):
    game.state.monk[space(name)] = 1
    game.state.supply[Supply.MONK] -= 1


def monks_on(game):
    return {geometry().space_names[k]: int(game.state.monk[k]) for k in range(220) if game.state.monk[k]}


def meet(game, dice=MISS):
    """The active samurai steps onto the monk's space; the monk rolls first."""
    load(game, dice)
    do(game, "move", f"step({HERE})")


def end_round(game, dice=""):
    """End the active player's turn and with it the round, after which the monks walk."""
    load(game, dice)
    game.state.first_player = (game.state.active + 1) % game.rules.players
    end_turn(game)


# Meeting a monk


@pytest.mark.rule("SCEN-41", "MOVE-7")
def test_a_step_onto_a_monks_space_ends_the_move_and_starts_the_fight():
    game = monastery()
    meet(game)
    assert (asked(game), fighting(game)) == ((Phase.WEAPON, 0), [0])
    assert (game.state.fight.monk, game.state.fight.health) == (space(HERE) + 1, 4)
    assert dice_left(game) == 0  # 4 wood dice, before the samurai's
    roll(game, "W1 W1 M1 M1")
    do(game, "monk(scroll)")
    assert (asked(game), where(game, 0), monks_of(game, 0)) == ((Phase.ACTION, 0), HERE, {"scroll"})
    assert monks_on(game) == {}
    assert is_over(game)


@pytest.mark.rule("SCEN-41")
def test_without_the_scenario_monks_are_met_in_peace_and_gathered():
    game = table()
    lay_plain(game, "ring1.0")
    put_monk(game, HERE)
    do(game, "move", f"step({HERE})", "done")
    do(game, "gather")
    assert "find(monk)" in legal(game)


@pytest.mark.rule("SCEN-41")
@pytest.mark.parametrize("reach", [False, True])
def test_monks_are_not_gathered(reach):
    game = monastery()
    put(game, 0, HERE if not reach else CENTRE)
    game.state.token[space(HERE)] = 0
    if reach:
        put_scrolls(game, 0, "far_reach")
    assert "gather" not in legal(game)


@pytest.mark.rule("SCEN-41")
def test_nobody_joins_and_no_monk_is_sent():
    game = monastery(3)
    put_monks(game, 0, "pool")
    meet(game)
    assert asked(game) == (Phase.WEAPON, 0)
    roll(game, f"W1 W1 M1 M0 {MISS}")
    assert (asked(game), game.state.fight.health) == ((Phase.WEAPON, 0), 1)


@pytest.mark.rule("SCEN-41")
def test_the_monk_strikes_first_whatever_the_initiative():
    game = monastery()
    put_gear(game, 0, weapon=LONG)
    meet(game)
    assert order_of(game) == ["dragon", 0]


@pytest.mark.rule("SCEN-41", "INIT-3")
@pytest.mark.parametrize(
    ("weapon", "order"), [(["WWM"], ["dragon", 0]), (["WWMM"], ["dragon", 0]), (LONG, [0, "dragon"])]
)
def test_by_option_its_initiative_is_4_and_it_wins_ties_as_the_defender(weapon, order):
    game = monastery(monk_initiative="four")
    put_gear(game, 0, weapon=weapon)
    load(game, MISS if order[0] == "dragon" else "")
    do(game, "move", f"step({HERE})")
    assert order_of(game) == order


@pytest.mark.rule("SCEN-41", "INIT-3")
@pytest.mark.parametrize(("weapon", "order"), [(["WWM"], ["dragon", 0]), (["WWMM"], [0, "dragon"])])
def test_by_option_a_samurai_that_was_reached_wins_ties(weapon, order):
    game = monastery(monk=CENTRE, monk_initiative="four")
    give_turn(game, 1)
    put(game, 0, HERE)
    put_gear(game, 0, weapon=weapon)
    end_round(game, MISS if order[0] == "dragon" else "")
    assert order_of(game) == order


@pytest.mark.rule("SCEN-41")
def test_each_breaking_die_of_the_monk_offers_a_wood_before_the_hits():
    game = monastery()
    put_gear(game, 0, helmet=["WM"])
    meet(game, "W1* W1* W0 W0")
    assert asked(game) == (Phase.TAKE, 0)
    assert legal(game) == {"take(wood)", "take(all)", "done"}
    do(game, "take(all)")
    assert pack_of(game, 0) == {"wood": 2}
    assert asked(game) == (Phase.PAY, 0)
    do(game, "cell(helmet[0,1])")
    assert (gear_of(game, 0, "helmet"), asked(game)) == (["W"], (Phase.WEAPON, 0))


@pytest.mark.rule("SCEN-41")
def test_no_wood_is_offered_that_is_not_there():
    game = monastery()
    put_gear(game, 0, helmet=["MM"])
    game.state.supply[Supply.WOOD] = 0
    meet(game, "W1* W0 W0 W0")
    assert game.phase == Phase.PAY


@pytest.mark.rule("SCEN-41")
def test_a_gunbai_works_against_a_monk_and_falling_petal_does_not():
    game = monastery()
    put_scrolls(game, 0, "falling_petal")
    put_gear(game, 0, helmet=["WW"])
    game.state.players[0].adventures[Adventure.GUNBAI] += 1
    meet(game, "W1* W1 W0 W0")
    assert asked(game) == (Phase.ASK_GUNBAI, 0)
    do(game, "use(gunbai)", "done")
    assert (game.phase, int(game.state.stack[game.state.depth - 1].left)) == (Phase.PAY, 1)


@pytest.mark.rule("SCEN-41")
def test_a_smoke_bomb_leads_out_of_a_fight_with_a_monk():
    game = monastery()
    game.state.players[0].adventures[Adventure.SMOKE_BOMB] += 1
    meet(game)
    do(game, "use(smoke_bomb)")
    assert (asked(game), where(game, 0)) == ((Phase.ACTION, 0), "start")
    assert monks_on(game) == {HERE: 1}
    assert is_over(game)


def lair_of_monks(players=2):
    """A game with a dragon and a monk on the tile that player 0 is about to enter; player 0 strikes first."""
    game = monastery(players)
    put_dragon(game, "ring1.0")
    put_gear(game, 0, weapon=LONG)
    for p in range(1, players):
        put(game, p, "temple0")
    return game


@pytest.mark.rule("SCEN-41")
def test_a_dragon_on_the_tile_comes_first():
    game = lair_of_monks()
    do(game, "move", f"step({HERE})")
    assert game.state.fight.dragon != 0
    assert game.state.fight.monk == 0
    roll(game, "W1 W1 M2 M2 M2")
    load(game, HIT)
    do(game, "done")  # no tooth; then the monk's one hit
    assert (where(game, 0), asked(game)) == ("start", (Phase.ACTION, 1))
    assert (game.state.players[0].unconscious, monks_on(game)) == (1, {HERE: 1})
    assert is_over(game)


@pytest.mark.rule("SCEN-41")
def test_after_a_dragon_fight_those_who_joined_fight_monks_first():
    game = lair_of_monks(3)
    put(game, 1, "start")
    put_monk(game, "ring1.0/petal4")
    do(game, "move", f"step({HERE})", "step(ring1.0/petal4)")
    roll(game, "W1 W1 M2 M2 M2")
    load(game, MISS)
    do(game, "done", "done")  # no teeth
    assert (asked(game), fighting(game), where(game, 1)) == ((Phase.WEAPON, 1), [1], "ring1.0/petal4")
    roll(game, "W1 W1 M1 M1")
    load(game, MISS)
    do(game, "monk(scroll)")
    assert (asked(game), fighting(game), where(game, 0)) == ((Phase.WEAPON, 0), [0], HERE)
    roll(game, "W1 W1 M1 M1 M0")
    do(game, "monk(scroll)")
    assert asked(game) == (Phase.ACTION, 0)
    assert is_over(game)


@pytest.mark.rule("SCEN-41")
def test_several_who_joined_fight_monks_in_player_order():
    game = lair_of_monks(4)
    put(game, 1, "start")
    put(game, 2, "start")
    shared = "ring1.0/petal4"
    put_monk(game, shared)
    do(game, "move", f"step({HERE})", f"step({shared})", f"step({shared})")
    roll(game, "W1 W1 M2 M2 M2")
    load(game, MISS)
    while game.phase == Phase.TAKE:
        do(game, "done")
    assert asked(game) == (Phase.WEAPON, 1)


@pytest.mark.rule("SCEN-41", "DRAG-4")
def test_after_a_dragon_fight_the_way_back_is_that_of_the_whole_move():
    game = monastery(2, monk=None)
    put(game, 1, "temple0")
    put(game, 0, "ring1.0/petal4")
    put_lava(game, "ring1.0/petal3")
    put_dragon(game, "ring1.1")
    put_monk(game, "ring1.1/petal5")
    put_gear(game, 0, weapon=LONG, sandals=["TTT"])
    do(game, "move", "step(ring1.0/petal3)", "step(ring1.1/petal5)")
    while game.phase == Phase.PAY:
        do(game, min(legal(game)))
    roll(game, "W1 W1 M2 M2 M2")
    load(game, HIT)
    do(game, "done")
    assert where(game, 0) == "ring1.0/petal4"  # it came over lava, where nobody is laid


@pytest.mark.rule("SCEN-41")
def test_of_two_on_one_space_the_second_finds_no_monk_to_fight():
    game = lair_of_monks(3)
    put(game, 1, "start")
    do(game, "move", f"step({HERE})", f"step({HERE})")
    roll(game, "W1 W1 M2 M2 M2")
    load(game, MISS)
    do(game, "done", "done")
    assert fighting(game) == [1]
    roll(game, "W1 W1 M1 M1")
    do(game, "monk(scroll)")
    assert asked(game) == (Phase.ACTION, 0)
    assert is_over(game)


@pytest.mark.rule("SCEN-41", "TURN-6")
def test_monks_are_fought_also_if_the_active_samurai_was_knocked_out_by_the_dragon():
    game = lair_of_monks(3)
    put(game, 1, "start")
    put_gear(game, 1, helmet=["TTTT"])
    put_monk(game, "ring1.0/petal4")
    put_gear(game, 0, weapon=["WWMM"])
    load(game, "T1 T0 T0")
    do(game, "move", f"step({HERE})", "step(ring1.0/petal4)")
    do(game, "cell(helmet[0,0])")
    assert (fighting(game), game.state.turn_over) == ([1], 1)
    roll(game, "W1 W1 M2 M2")
    load(game, MISS)
    do(game, "done")
    assert (asked(game), fighting(game)) == ((Phase.WEAPON, 1), [1])
    roll(game, "W1 W1 M1 M1")
    do(game, "monk(scroll)")
    assert asked(game) == (Phase.ACTION, 1)
    assert is_over(game)


@pytest.mark.rule("SCEN-41")
def test_the_monk_comes_before_a_duel_and_there_is_none_after_it():
    game = monastery()
    put(game, 1, HERE)
    meet(game)
    roll(game, "W1 W1 M1 M1")
    do(game, "monk(scroll)")
    assert (asked(game), where(game, 0)) == ((Phase.ACTION, 0), HERE)


@pytest.mark.rule("SCEN-41")
def test_monks_are_passed_on_lava():
    game = monastery()
    put_lava(game, HERE)
    put_gear(game, 0, sandals=["MMM"])
    do(game, "move", f"step({HERE})")
    assert game.phase == Phase.MOVE


@pytest.mark.rule("SCEN-41", "CHAR-72")
def test_a_quiet_step_passes_a_monk():
    game = monastery(characters=("daisuke", "takeko"))
    put(game, 1, HERE)
    do(game, "move", "use(sneak)", f"step({HERE})")
    assert (asked(game), where(game, 0)) == ((Phase.MOVE, 0), HERE)


# How it ends


@pytest.mark.rule("SCEN-42")
def test_a_monk_is_left_there_if_nothing_can_make_room_for_it():
    game = monastery()
    put_monks(game, 0, "pool", "scroll", "weapon", "pack")
    put_pack(game, 0, monks=11)
    meet(game)
    roll(game, "W1 W1 M1 M1")
    assert (asked(game), monks_on(game)) == ((Phase.ACTION, 0), {HERE: 1})


@pytest.mark.rule("SCEN-42", "DRAG-4", "TURN-6")
@pytest.mark.parametrize(("before", "after"), [(12, 7), (5, 0), (3, 0)])
def test_losing_costs_5_vp_and_the_turn_and_lays_the_samurai_where_it_came_from(before, after):
    game = monastery()
    game.state.players[0].vp = before
    meet(game, HIT)
    me = game.state.players[0]
    assert (me.vp, me.unconscious, where(game, 0)) == (after, 1, "start")
    assert (asked(game), monks_on(game)) == ((Phase.ACTION, 1), {HERE: 1})
    assert is_over(game)


@pytest.mark.rule("SCEN-42")
def test_a_final_chapter_that_has_begun_goes_on_when_points_are_lost():
    game = monastery()
    game.state.players[0].vp = 30
    game.state.final_player = 1
    meet(game, HIT)
    assert (game.state.players[0].vp, game.state.final_player) == (25, 1)


@pytest.mark.rule("SCEN-42", "DRAG-5")
def test_a_player_who_has_no_usable_weapon_may_retreat_to_where_it_came_from():
    game = monastery()
    put_gear(game, 0, weapon=[])
    meet(game)
    assert legal(game) == {"retreat", "no"}
    do(game, "retreat")
    assert (asked(game), where(game, 0), game.state.players[0].unconscious) == ((Phase.ACTION, 0), "start", 0)


@pytest.mark.rule("SCEN-42", "DRAG-7")
def test_after_30_rounds_the_samurai_retreats():
    game = monastery()
    meet(game)
    for k in range(30):
        roll(game, f"W0 W0 M0 M0 {MISS if k < 29 else ''}")
    assert (asked(game), where(game, 0)) == ((Phase.ACTION, 0), "start")
    assert is_over(game)


# Monks that walk


@pytest.mark.rule("SCEN-43")
def test_at_the_end_of_a_round_monks_go_two_spaces_toward_the_nearest_samurai():
    game = monastery(monk=FAR_SIDE)
    lay_plain(game, "ring1.2")
    give_turn(game, 1)
    put(game, 0, "ring1.1/petal3")
    end_turn(game)
    assert monks_on(game) == {FAR_SIDE: 1}  # player 0 has still to come in this round
    put(game, 0, "ring1.1/petal3")
    end_turn(game)
    (there,) = monks_on(game)
    assert hexes(there, "ring1.1/petal3") == hexes(FAR_SIDE, "ring1.1/petal3") - 2
    assert monks_on(game)[there] == 1


def hexes(a, b):
    (one,), (other,) = geometry().hexes[space(a)], geometry().hexes[space(b)]
    q, r = one[0] - other[0], one[1] - other[1]
    return max(abs(q), abs(r), abs(q + r))


@pytest.mark.rule("SCEN-43", "END-2")
def test_after_the_last_round_no_monk_walks():
    game = monastery(monk=FAR_SIDE, max_rounds=1)
    put(game, 0, CENTRE)
    game.state.first_player = 1
    end_turn(game)
    assert game.over
    assert monks_on(game) == {FAR_SIDE: 1}


@pytest.mark.rule("SCEN-43")
def test_a_monk_passes_an_unconscious_samurai_on_its_way():
    game = monastery(3, monk="ring1.0/petal1")
    give_turn(game, 2)
    put(game, 0, CENTRE)
    put(game, 1, "ring1.0/petal4")
    game.state.players[0].unconscious = 1
    end_round(game, MISS)
    assert (fighting(game), monks_on(game)) == ([1], {"ring1.0/petal4": 2})


@pytest.mark.rule("SCEN-43")
def test_a_monk_that_reaches_a_samurai_fights_it_at_once():
    game = monastery(monk=FAR_SIDE)
    give_turn(game, 1)
    put(game, 0, CENTRE)
    end_round(game, MISS)
    assert (asked(game), fighting(game), game.state.fight.came) == ((Phase.WEAPON, 0), [0], 1)
    assert monks_on(game) == {CENTRE: 2}
    roll(game, "W1 W1 M1 M1")
    do(game, "monk(scroll)")
    assert (asked(game), monks_on(game)) == ((Phase.ACTION, 0), {})
    assert is_over(game)


@pytest.mark.rule("SCEN-43", "SCEN-42")
def test_a_player_who_was_reached_and_loses_lies_where_it_is_and_wakes_on_its_turn():
    game = monastery(monk=FAR_SIDE)
    give_turn(game, 1)
    put(game, 0, CENTRE)
    game.state.players[0].vp = 8
    end_round(game, HIT)
    me = game.state.players[0]
    assert (me.vp, where(game, 0), asked(game)) == (3, CENTRE, (Phase.ACTION, 0))
    assert (me.unconscious, monks_on(game)) == (0, {CENTRE: 1})  # its turn has begun, none was lost
    end_turn(game)
    end_round(game, MISS)
    assert (asked(game), fighting(game)) == ((Phase.WEAPON, 0), [0])  # it need not walk


@pytest.mark.rule("SCEN-43", "SCEN-42")
def test_a_player_who_was_reached_retreats_to_a_free_space_beside_it():
    game = monastery(monk=FAR_SIDE)
    give_turn(game, 1)
    put(game, 0, CENTRE)
    put_lava(game, "ring1.0/petal1")
    put_gear(game, 0, weapon=[])
    end_round(game, MISS)
    do(game, "retreat")
    assert legal(game) == {f"step(ring1.0/petal{k})" for k in (0, 2, 3, 4, 5)}
    do(game, "step(ring1.0/petal4)")
    assert (asked(game), where(game, 0)) == ((Phase.ACTION, 0), "ring1.0/petal4")


@pytest.mark.rule("SCEN-43")
def test_a_player_who_was_reached_and_finds_no_free_space_fights_on():
    game = monastery(monk=FAR_SIDE)
    give_turn(game, 1)
    put(game, 0, CENTRE)
    put_lava(game, *(f"ring1.0/petal{k}" for k in range(1, 6)))
    put_dragon(game, "ring1.1")
    game.state.terrain[space(FAR_SIDE)] = 2  # erupted under the monk
    put_gear(game, 0, weapon=[])
    end_round(game, f"{MISS} {HIT}")
    assert game.state.players[0].at == space(CENTRE)
    assert asked(game) == (Phase.ACTION, 0)  # beaten in the second round, without a question


@pytest.mark.rule("SCEN-43")
@pytest.mark.parametrize("spot", ["start", "unconscious", "outside"])
def test_a_player_who_is_safe_or_unconscious_or_gone_is_no_target(spot):
    game = monastery(monk=FAR_SIDE)
    give_turn(game, 1)
    put(game, 0, CENTRE if spot != "start" else "start")
    game.state.players[0].unconscious = spot == "unconscious"
    game.state.players[0].outside = spot == "outside"
    end_round(game)
    assert monks_on(game) == {FAR_SIDE: 1}


@pytest.mark.rule("SCEN-43")
def test_a_monk_stays_if_two_samurai_are_equally_near():
    game = monastery(monk=CENTRE)
    give_turn(game, 1)
    put(game, 0, "ring1.0/petal1")
    put(game, 1, "ring1.0/petal4")
    end_round(game)
    assert monks_on(game) == {CENTRE: 1}


@pytest.mark.rule("SCEN-43")
def test_a_monk_does_not_come_near_a_samurai_with_another_that_is_unconscious():
    game = monastery(2, monk="ring1.1/petal2")
    for player in (0, 1):
        put(game, player, FAR_SIDE)
    game.state.players[1].unconscious = 1
    end_round(game)
    assert monks_on(game) == {"ring1.1/petal2": 1}


@pytest.mark.rule("SCEN-43", "LAVA-4")
def test_a_monk_on_lava_stays_there():
    game = monastery(2, monk=FAR_SIDE)
    put_lava(game, FAR_SIDE)
    put(game, 0, HERE)
    put(game, 1, "temple0")
    end_round(game)
    assert monks_on(game) == {FAR_SIDE: 1}


@pytest.mark.rule("SCEN-43")
def test_a_monk_does_not_go_toward_a_space_with_two_samurai():
    game = monastery(3, monk=FAR_SIDE)
    give_turn(game, 2)
    put(game, 0, CENTRE)
    put(game, 1, CENTRE)
    game.state.players[1].unconscious = 1
    put(game, 2, "ring1.1/petal0")
    end_round(game)
    assert monks_on(game) == {FAR_SIDE: 1}


@pytest.mark.rule("SCEN-43")
@pytest.mark.parametrize(("distance", "walks"), [("spaces", True), ("tiles", False)])
def test_by_option_the_nearest_is_counted_in_tiles(distance, walks):
    """Both samurai are on the monk's tile: equally near in tiles, but in spaces one is nearer."""
    game = monastery(monk=FAR_SIDE, monk_distance=distance)
    give_turn(game, 1)
    put(game, 0, "ring1.0/petal1")
    put(game, 1, "ring1.0/petal3")
    end_round(game, MISS if walks else "")
    assert fighting(game) == ([0] if walks else [])
    assert monks_on(game) == ({"ring1.0/petal1": 2} if walks else {FAR_SIDE: 1})


@pytest.mark.rule("SCEN-43")
@pytest.mark.parametrize("obstacle", ["lava", "monk"])
def test_monks_go_round_lava_and_other_monks_only_where_it_is_nearer(obstacle):
    game = monastery(monk="ring1.0/petal1")
    give_turn(game, 1)
    put(game, 0, "ring1.0/petal4")  # straight across: the centre is the one nearer space
    if obstacle == "lava":
        put_lava(game, CENTRE)
    else:
        put_monk(game, CENTRE)
        game.state.monk[space(CENTRE)] = 2  # has walked
    end_round(game)
    assert "ring1.0/petal1" in monks_on(game)


@pytest.mark.rule("SCEN-43")
def test_monks_walk_over_dragons_tiles_and_from_the_lowest_space_on():
    game = monastery(monk=FAR_SIDE)
    put_dragon(game, "ring1.0")
    give_turn(game, 1)
    put(game, 0, "ring1.1/petal3")
    put_monk(game, CENTRE)
    end_round(game)
    before = sorted(hexes(name, "ring1.1/petal3") for name in (FAR_SIDE, CENTRE))
    after = sorted(hexes(name, "ring1.1/petal3") for name in monks_on(game))
    assert sum(before) - sum(after) == 4  # the centre's goes first, and is out of the way
    assert set(monks_on(game).values()) == {1}


# Positions, pictures, observations


def reached(**rules):
    """A monk has come to player 0, whose helmet absorbs all hits, and who now chooses a weapon."""
    game = monastery(monk=FAR_SIDE, **rules)
    give_turn(game, 1)
    put(game, 0, CENTRE)
    end_round(game, MISS)
    return game


def real_fight():
    """A fight of player 0 against the monk it attacked, on a tile as printed, so that it can be written as JSON."""
    game = table(scenario=4)
    lay(game, "ring1.0", "mossy_gate")
    put_monk(game, HERE)
    meet(game)
    return game


def real_walk():
    game = table(scenario=4)
    lay(game, "ring1.0", "mossy_gate")
    put_monk(game, FAR_SIDE)
    game.state.round_number = 2
    give_turn(game, 1)
    put(game, 0, CENTRE)
    end_round(game, MISS)
    return game


@pytest.mark.rule("SCEN-41", "SCEN-43")
@pytest.mark.parametrize("position", [real_fight, real_walk])
def test_fights_with_monks_can_be_written_down(position):
    game = position()
    assert Game.from_json(game.to_json()).to_bytes() == game.to_bytes()


def without_scenario(value):
    value["rules"] = {"players": 2}
    for here in value["spaces"].values():
        here.pop("monk", None), here.pop("walked", None)


@pytest.mark.parametrize(
    ("position", "change", "says"),
    [
        (real_fight, lambda it: it["fight"].update(monk=CENTRE), r"fight.monk: not the one that is fought \(SCEN-41\)"),
        (real_fight, lambda it: it["fight"].update(health=5), r"fight.health: a monk has at most 4 \(SCEN-41\)"),
        (real_fight, lambda it: it["fight"].update(health=0), r"fight.health: the monk is beaten \(SCEN-42\)"),
        (
            real_fight,
            lambda it: it["fight"].update(came=True),
            r"fight.came: monks come at the end of a round \(SCEN-43\)",
        ),
        (real_fight, lambda it: it["fight"].update(order=[0, 1]), r"not just the samurai and the monk \(SCEN-41\)"),
        (real_fight, lambda it: it["fight"]["fighters"][1].update(inside=True), r"nobody joins \(SCEN-41\)"),
        (real_fight, lambda it: it["fight"]["fighters"][0].update(came_from=CENTRE), r"came from elsewhere \(DRAG-4\)"),
        (real_fight, lambda it: it["fight"].update(turn=3), r"two turns a round \(SCEN-41\)"),
        (real_fight, lambda it: it["fight"].update(dragon="rain_whelp"), r"no dragon and no duel \(SCEN-41\)"),
        (real_fight, lambda it: it["spaces"][HERE].pop("monk"), r"there is no monk to fight \(SCEN-41\)"),
        (real_fight, lambda it: it["spaces"][HERE].update(walked=True), r"no monk walks now \(SCEN-43\)"),
        (real_fight, lambda it: it["players"][0].update(space=CENTRE), r"the samurai is not on the monk's space"),
        (real_fight, lambda it: it.update(path=["start", CENTRE]), r"path: does not lead to the monk \(SCEN-41\)"),
        (real_fight, lambda it: without_scenario(it), r"monks fight only in scenario 4 \(SCEN-41\)"),
        (real_walk, lambda it: without_scenario(it), r"monks walk only in scenario 4 \(SCEN-43\)"),
        (real_walk, lambda it: it.update(first_player=1), r"no round has ended now \(SCEN-43\)"),
        (real_walk, lambda it: it["asked"][2].update(came_from="start"), r"the monk came to the samurai \(SCEN-43\)"),
    ],
)
def test_what_does_not_fit_a_fight_with_a_monk_is_refused(position, change, says):
    value = json.loads(position().to_json())
    change(value)
    with pytest.raises(PositionError) as wrong:
        Game.from_json(json.dumps(value))
    assert re.search(says, "\n".join(wrong.value.faults))


def test_monks_stand_where_the_tiles_show_none_once_they_have_walked():
    value = json.loads(real_walk().to_json())
    assert value["spaces"][CENTRE]["monk"]
    assert value["spaces"][CENTRE]["walked"]
    plain = {"version": 1, "players": [{}, {}], "places": value["places"], "spaces": {CENTRE: {"monk": True}}}
    with pytest.raises(PositionError, match=r"the tile shows no monk there \(EXPL-7\)"):
        Game.from_json(json.dumps(plain))
    assert Game.from_json(json.dumps(plain | {"rules": {"players": 2, "scenario": 4}})).state.monk[space(CENTRE)] == 1


@pytest.mark.parametrize(("initiative", "shown"), [("infinite", "the monk (first)"), ("four", "the monk (4)")])
def test_the_table_shows_the_monk_that_is_fought(initiative, shown):
    game = monastery(monk_initiative=initiative)
    put_gear(game, 0, weapon=["WWM"])
    meet(game)
    assert "the monk, health left 4" in str(game)
    assert shown in str(game)


def test_news_tell_of_monks():
    game = real_fight()
    before = game.clone()
    game.state.loaded_dice[:] = 0
    do(game, "weapon(left)")
    before = game.clone()
    game.step(game.parse_action("roll"))
    told = rolls(before, before.parse_action("roll"), game)
    assert told[0].startswith("player 0 rolls wood")
    assert told[1].startswith("a monk rolls wood")


def test_the_observation_shows_monks_that_have_walked_and_the_one_that_is_fought():
    game = reached()
    seen = game.observe(0)
    assert on_spaces(seen, "monk")[space(CENTRE)] == 2
    assert seen["fight"][columns("fight")["monk"]] == space(CENTRE) + 1


# Whole games


@pytest.mark.parametrize("players", [2, 5])
def test_invariants_and_the_book_of_vp_hold_in_random_games(players):
    number, rounds = (1, 4) if INTERPRETED else (10, 120 // players)
    options: dict[str, Any] = {"monk_initiative": "four", "monk_distance": "tiles"} if players % 2 else {}
    characters = "random" if players > 3 else None
    rules = Rules(players, scenario=4, characters=characters, max_rounds=rounds, ask_forced=True, **options)
    ledger, before = None, None
    for games, masks, actions in play_with_actions(rules, number):
        check_games(rules, games, masks)
        if ledger is None:
            ledger = Ledger(rules, games)
        else:
            ledger.write(before, actions, games)
        before = games.copy()


def test_random_games_can_be_written_down_at_every_decision():
    game = Game(Rules(3, scenario=4, max_rounds=3 if INTERPRETED else 25), 5)
    for position in play(game, 5):
        assert Game.from_json(position.to_json()).to_bytes() == position.to_bytes()
