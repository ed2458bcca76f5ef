"""SCEN-11 to SCEN-18: each for himself."""

import json
from itertools import product

import numpy as np
import pytest

from fujikoro_env import Game, Rules
from fujikoro_env.content.model import GEAR
from fujikoro_env.observation import columns
from fujikoro_env.position import PositionError
from fujikoro_env.render.choices import Choices
from fujikoro_env.render.look import look
from fujikoro_env.render.news import news
from fujikoro_env.rules.base.names import Outside, Supply, Where
from fujikoro_env.rules.base.phases import Phase
from fujikoro_env.rules.base.state import CARD_SLOTS
from fujikoro_env.rules.map.geometry import FIRST_BRIDGE, TEMPLES, geometry
from tests.helpers.coop_tables import reason
from tests.helpers.decoded import on_spaces
from tests.helpers.endgame import (
    BESIDE,
    BEYOND,
    ROPE,
    STEP_APART,
    final_table,
    give_tokens,
    number,
    pass_turn,
    put_lava_tile,
    send_out,
    steps,
)
from tests.helpers.fights import enter, is_over, lair, roll
from tests.helpers.gear import meeting, put_card
from tests.helpers.invariants import check, members
from tests.helpers.scenario_games import biased_games, changed
from tests.helpers.tables import (
    asked,
    blueprints_at,
    do,
    explore,
    fresh,
    gear_of,
    give_turn,
    lay,
    lay_plain,
    legal,
    neighbours,
    pack_of,
    play,
    put,
    put_dragon,
    put_gear,
    put_lava,
    put_pack,
    put_scrolls,
    space,
    table,
    where,
)

BOTH = pytest.mark.parametrize("scenario", [None, 1])
LAIR, NEST = "ring1.1", "ring1.1/centre"


def give_markers(game, player, count=1):
    game.state.players[player].status += count
    game.state.supply[Supply.STATUS] -= count


def markers(game, player=0):
    return int(game.state.players[player].status)


def left_in_supply(game):
    return int(game.state.supply[Supply.STATUS])


# SCEN-11


@pytest.mark.rule("SCEN-11")
@BOTH
def test_the_tile_with_the_secret_exit_is_not_used(scenario):
    game = fresh(4, scenario=scenario)
    level_2 = [tile.id for tile in game.rules.pack.tiles if tile.level == 2]
    left, gone = (
        [level_2[k] for k in members(int(tiles[1]))] for tiles in (game.state.tiles_left, game.state.tiles_gone)
    )
    assert gone == ([] if scenario is None else ["hidden_stair"])
    assert left == [id for id in level_2 if id not in gone]
    assert len(left) == 13 - len(gone)
    check(game)


@pytest.mark.rule("SCEN-11")
def test_the_tile_with_the_secret_exit_can_not_be_drawn():
    game = table(scenario=1)
    put(game, 0, "temple0")
    with pytest.raises(ValueError, match="not left in the deck"):
        explore(game, "ring2.0", "hidden_stair")


@pytest.mark.rule("SCEN-11")
def test_a_position_may_not_lay_the_tile_with_the_secret_exit():
    text = '{"version": 1, "rules": {"players": 2, "scenario": 1}, "players": [{}, {}], "places": PLACES}'
    game = Game.from_json(text.replace("PLACES", "{}"))
    assert int(game.state.tiles_gone[1]).bit_count() == 1
    with pytest.raises(PositionError, match=r"hidden_stair is not used in this scenario .*SCEN-11"):
        Game.from_json(text.replace("PLACES", '{"ring2.0": {"tile": "hidden_stair"}}'))


@pytest.mark.rule("SCEN-11")
@pytest.mark.parametrize(("scenario", "starts"), [(None, False), (1, True)])
def test_the_final_chapter_begins_at_20(scenario, starts):
    game = table(scenario=scenario)
    lay_plain(game, "ring1.0")
    game.state.players[0].vp = 19
    put(game, 0, "ring1.0/petal0")
    explore(game, "ring2.0", "basalt_stairs")
    assert game.state.players[0].vp == 20
    assert bool(game.state.final_player) == starts


# SCEN-12


@pytest.mark.rule("SCEN-12")
@pytest.mark.parametrize("players", [2, 3, 6])
def test_blueprints_lie_hidden_as_many_in_each_temple_and_of_random_types(players):
    dealt = set()
    for seed in range(12):
        game = fresh(players, seed, scenario=1)
        cards = game.state.blueprints
        assert not cards["card"].any()
        lying = [tuple(np.flatnonzero(cards["where"] == Where.TEMPLE + k)) for k in range(TEMPLES)]
        assert [len(slots) for slots in lying] == [players] * TEMPLES
        types = [len([slot for temple in lying for slot in temple if slot // CARD_SLOTS == gear]) for gear in range(3)]
        assert types == [players] * 3
        dealt.add(tuple(lying))
    assert len(dealt) > 6


def hidden_in(game, temple):
    """Actions that take a blueprint in a temple, by gear."""
    put(game, 0, f"temple{temple}")
    do(game, "gather", "find(blueprint)")
    return sorted(legal(game, "blueprint"))


def lay_hidden(game, **temples):
    """Place hidden blueprints: `helmet=0` puts the first helmet into temple 0, and the others into the next one."""
    for gear, temple in temples.items():
        first = GEAR.index(gear) * CARD_SLOTS
        game.state.blueprints["where"][first] = Where.TEMPLE + temple
        game.state.blueprints["where"][first + 1 : first + game.rules.players] = Where.TEMPLE + (temple + 1) % TEMPLES


@pytest.mark.rule("SCEN-12", "GATH-7")
def test_which_card_it_is_shows_when_it_is_taken():
    game = table(scenario=1)
    lay_hidden(game, helmet=0, weapon=0, sandals=1)
    assert hidden_in(game, 0) == ["blueprint(hidden helmet 0)", "blueprint(hidden weapon 0)"]
    game.load_draws("blueprints", ["cloud_cutter", "wave_kabuto"])
    do(game, "blueprint(hidden weapon 0)", "blueprint(hidden helmet 0)")
    assert blueprints_at(game, Where.OWNED) == ["wave_kabuto", "cloud_cutter"]
    check(game)


@pytest.mark.rule("SCEN-12")
def test_a_loaded_card_of_another_type_is_no_draw():
    game = table(scenario=1)
    lay_hidden(game, helmet=0, weapon=1, sandals=1)
    hidden_in(game, 0)
    game.load_draws("blueprints", ["cloud_cutter"])
    with pytest.raises(Exception, match="loaded"):
        do(game, "blueprint(hidden helmet 0)")


@pytest.mark.rule("SCEN-12", "GATH-8")
def test_the_type_shows_on_the_back_so_a_second_of_it_is_not_taken():
    game = table(scenario=1)
    game.state.blueprints["where"][:2] = Where.TEMPLE
    game.state.blueprints["where"][2:] *= game.state.blueprints["where"][2:] != Where.TEMPLE
    assert hidden_in(game, 0) == ["blueprint(hidden helmet 0)", "blueprint(hidden helmet 1)"]
    do(game, "blueprint(hidden helmet 1)")
    assert legal(game) == {"done"}


@pytest.mark.rule("SCEN-12")
def test_no_card_is_drawn_twice():
    """Both players take all that they can: the cards of a type differ."""
    for seed in range(8):
        game = table(3, seed, scenario=1)
        for p, temple in product(range(3), range(TEMPLES)):
            game.state.players[p].pool, game.state.stock_taken = 3, 0
            give_turn(game, p)
            put(game, p, f"temple{temple}")
            do(game, "gather")
            if "find(blueprint)" in legal(game):
                do(game, "find(blueprint)")
                while game.phase == Phase.BLUEPRINTS:
                    do(game, min(legal(game, "blueprint") or {"done"}))
            else:
                do(game, "find(stock)", "take(all)")
        drawn = game.state.blueprints["card"][game.state.blueprints["card"] > 0]
        assert len(drawn) > 3
        assert len(set(drawn.tolist())) == len(drawn)


@pytest.mark.rule("SCEN-12")
def test_nothing_of_a_hidden_blueprint_lies_about_to_be_read():
    """Every view has the same bytes, whatever is drawn later."""
    game, drawn = table(scenario=1), set()
    lay_hidden(game, helmet=0, weapon=1, sandals=1)
    hidden_in(game, 0)
    for seed in range(20):
        possible = game.determinize(1, seed)
        assert possible.view(1).digest() == game.view(1).digest()
        do(possible, "blueprint(hidden helmet 0)")
        drawn.add(possible.vocabulary.blueprint(0))
    assert len(drawn) > 2


# SCEN-13


@pytest.mark.rule("SCEN-13", "GATH-2")
@BOTH
def test_resource_tokens_never_turn_face_down(scenario):
    game = table(scenario=scenario)
    lay(game, "ring1.0", "mossy_gate", squares=["driftwood"])
    there = int(np.flatnonzero(game.state.token)[0])
    game.state.players[0].at = there
    do(game, "gather", "find(resources)", "take(wood)", "done")
    assert game.state.face_up[there] == (scenario is not None)


# SCEN-14


@pytest.mark.rule("SCEN-14", "DRAG-2")
@BOTH
def test_nobody_joins_a_dragon_fight(scenario):
    game = lair(players=3, weapon=["WWMMM"], scenario=scenario)
    put(game, 1, "start")
    put(game, 2, "start")
    enter(game)
    assert asked(game) == ((Phase.JOIN, 1) if scenario is None else (Phase.WEAPON, 0))


@pytest.mark.rule("SCEN-14", "DRAG-8")
@pytest.mark.parametrize("players", [2, 5])
def test_red_and_legendary_dragons_have_their_solo_health(players):
    for dragon in table(scenario=1).rules.pack.dragons:
        game = lair(dragon.id, players, weapon=["WWMMM"], scenario=1)
        enter(game, "T0 " * 6)
        assert game.phase == Phase.WEAPON
        assert game.state.fight.health == dragon.health[2]
    assert [dragon.health[2] for dragon in game.rules.pack.dragons if dragon.colour == "white"] == [25]


# SCEN-15


def step_apart(scenario=1, **rules):
    return meeting(at=STEP_APART, scenario=scenario, **rules)


@pytest.mark.rule("SCEN-15", "MOVE-6")
@BOTH
def test_samurai_that_meet_must_fight(scenario):
    game = step_apart(scenario)
    do(game, "move", f"step({BEYOND})")
    assert asked(game) == ((Phase.CALL_DUEL, 0) if scenario is None else (Phase.WEAPON, 1))


@pytest.mark.rule("SCEN-15", "MAP-5")
@pytest.mark.parametrize("safe", ["start", "temple0", geometry().space_names[FIRST_BRIDGE]])
def test_not_on_safe_spaces(safe):
    game = table(scenario=1)
    beside = min(name for name in neighbours(safe) if name.startswith("ring"))
    lay_plain(game, beside.partition("/")[0])
    put(game, 0, beside)
    put(game, 1, safe)
    do(game, "move", f"step({safe})")
    assert asked(game) == (Phase.MOVE, 0)


@pytest.mark.rule("SCEN-15", "DUEL-9")
def test_not_with_an_unconscious_samurai():
    game = step_apart()
    game.state.players[1].unconscious = 1
    do(game, "move", f"step({BEYOND})")
    assert asked(game) == (Phase.MOVE, 0)


@pytest.mark.rule("SCEN-15", "MOVE-6")
def test_not_if_neither_has_a_usable_weapon():
    game = step_apart()
    put_gear(game, 0, weapon=[])
    put_gear(game, 1, weapon=["WMM"])
    do(game, "move", f"step({BEYOND})")
    assert asked(game) == (Phase.MOVE, 0)
    do(game, "done")
    assert where(game, 0) == where(game, 1) == BEYOND


@pytest.mark.rule("SCEN-15", "MOVE-6")
def test_samurai_without_usable_weapons_may_pass_each_other():
    game = step_apart(unarmed_pass=True)
    for player in (0, 1):
        put_gear(game, player, weapon=[])
    do(game, "move", f"step({BEYOND})")
    assert f"step({BESIDE})" in legal(game)


@pytest.mark.rule("SCEN-15", "MOVE-6")
@pytest.mark.parametrize("unarmed", [0, 1])
def test_samurai_fight_if_one_of_them_has_a_usable_weapon(unarmed):
    game = step_apart(unarmed_pass=True)
    put_gear(game, unarmed, weapon=[])
    do(game, "move", f"step({BEYOND})")
    assert game.state.fight.order[0] != 0
    assert asked(game)[0] != Phase.MOVE


@pytest.mark.rule("SCEN-15", "DUEL-3", "MOVE-7")
def test_by_option_their_duel_ends_undecided_and_the_move_with_it():
    game = step_apart(unarmed_pass=False)
    for player in (0, 1):
        put_gear(game, player, weapon=[])
    put_pack(game, 1, wood=1)  # nothing is stolen
    do(game, "move", f"step({BEYOND})")
    assert (asked(game), is_over(game)) == ((Phase.ACTION, 0), True)
    assert where(game, 0) == where(game, 1) == BEYOND
    assert (pack_of(game, 1), game.state.players["unconscious"].any()) == ({"wood": 1}, False)
    do(game, "move", f"step({BESIDE})")  # MOVE-8: a samurai who is already there may move away
    assert where(game, 0) == BESIDE


@pytest.mark.rule("SCEN-15", "DUEL-9")
def test_the_option_changes_nothing_where_no_duel_may_be_called():
    game = step_apart(unarmed_pass=False)
    put_gear(game, 0, weapon=[])
    game.state.players[1].unconscious = 1
    do(game, "move", f"step({BEYOND})")
    assert asked(game) == (Phase.MOVE, 0)


@pytest.mark.rule("SCEN-15", "LAVA-1")
def test_fleeing_from_lava_starts_no_fight():
    game = final_table(scenario=1, players=2)
    number(game, 1, BESIDE)
    put(game, 0, BESIDE)
    put(game, 1, BEYOND)
    give_markers(game, 0)
    do(game, "move", "done", "move", "done", "done")
    assert asked(game) == (Phase.FLEE, 0)
    do(game, f"step({BEYOND})")
    assert asked(game) == (Phase.ACTION, 1)


# SCEN-16


def on_start_with_rope(scenario=1, **rules):
    game = final_table(ROPE, scenario=scenario, players=3, starter=2, **rules)
    give_turn(game, 0)
    put(game, 0, "start")
    return game


@pytest.mark.rule("SCEN-16", "ESC-2")
@BOTH
def test_a_player_who_ends_a_turn_on_the_rope_is_gone_at_the_start_of_the_next(scenario):
    game = on_start_with_rope(scenario)
    put_pack(game, 0, tooth=1)
    pass_turn(game)
    if scenario is None:
        assert asked(game) == (Phase.CLAIM, 0)  # at once
        return
    assert asked(game) == (Phase.ACTION, 1)
    assert (game.state.players[0].outside, game.state.players[0].on_rope) == (Outside.INSIDE, 1)
    pass_turn(game)
    pass_turn(game)
    assert asked(game) == (Phase.CLAIM, 0)  # SHOG-1: of that turn, in which it has no actions
    assert (game.state.players[0].outside, game.state.players[0].on_rope) == (Outside.PALACE, 0)


@pytest.mark.rule("SCEN-16")
def test_a_player_who_is_moved_off_the_rope_stays():
    game = on_start_with_rope()
    pass_turn(game)
    give_tokens(game, 1, "sashimono")
    do(game, "use(sashimono)", f"step({BESIDE})", "yes")
    assert (where(game, 0), game.state.players[0].on_rope) == (BESIDE, 0)
    pass_turn(game)
    pass_turn(game)
    assert asked(game) == (Phase.ACTION, 0)


@pytest.mark.rule("SCEN-16")
def test_passing_over_the_rope_is_not_ending_there():
    game = on_start_with_rope()
    do(game, "move", f"step({BESIDE})", "step(start)", "done")
    do(game, "move", f"step({BESIDE})", "done")
    assert game.state.players[0].on_rope == 0


@pytest.mark.rule("SCEN-16", "ESC-3")
@pytest.mark.parametrize("catches", [False, True])
def test_standing_there_when_the_rope_is_laid_counts_by_the_option(catches):
    game = final_table(ROPE - 1, scenario=1, players=3, starter=2, rope_catches=catches)
    put(game, 0, "start")
    put(game, 1, "start")
    game.state.players[1].unconscious = 1
    pass_turn(game)
    assert game.state.rope
    assert [int(me.on_rope) for me in game.state.players[:3]] == [0, 0, 0]
    assert game.state.players[0].outside == (Outside.PALACE if catches else Outside.INSIDE)


# SCEN-17


def with_lair(scenario=1):
    """A game in which a dragon has been found and player 0 stands beside its tile."""
    game = table(scenario=scenario)
    lay(game, "ring1.0", "mossy_gate")
    lay(game, LAIR, "azure_burrow", dragons=["rain_whelp"])
    put(game, 0, BESIDE)
    put(game, 1, "temple0")
    return game


@pytest.mark.rule("SCEN-17", "SETUP-10")
@pytest.mark.parametrize(("teeth", "status", "spoils"), [(25, 9, 3), (0, 9, 2), (25, 0, 1), (0, 0, 0)])
def test_a_found_dragon_has_a_tooth_and_a_marker_beside_it_while_they_last(teeth, status, spoils):
    game = table(scenario=1)
    game.state.supply[[Supply.TOOTH, Supply.STATUS]] = teeth, status
    lay(game, LAIR, "azure_burrow")
    assert game.state.spoils[space(NEST)] == spoils
    assert game.state.spoils.sum() == spoils
    assert game.state.supply[Supply.TOOTH] == max(0, teeth - 1)
    assert game.state.supply[Supply.STATUS] == max(0, status - 1)


@pytest.mark.rule("SCEN-17")
def test_not_in_other_games():
    game = table()
    lay(game, LAIR, "azure_burrow")
    assert not game.state.spoils.any()


@pytest.mark.rule("SCEN-17", "DRAG-6")
def test_beating_it_gives_vp_only():
    game = with_lair()
    put_gear(game, 0, weapon=["WWMMM"])
    enter(game)
    roll(game, "W1 W1 M2 M2 M0")
    assert asked(game) == (Phase.ACTION, 0)
    assert (game.state.players[0].vp, pack_of(game, 0), is_over(game)) == (5, {}, True)
    assert game.state.spoils[space(NEST)] == 3
    check(game)


@pytest.mark.rule("SCEN-17", "ATK-5")
def test_teeth_of_breaking_dragon_dice_are_still_there():
    game = with_lair()
    enter(game, "T3* T0 T0")
    assert asked(game) == (Phase.TAKE, 0)


def at_the_nest(spoils=3):
    """The dragon is gone, player 0 stands where it was."""
    game = with_lair()
    game.state.dragon_at[:] = 0
    game.state.dragons["place"] = 0
    game.state.dragons_beaten, game.state.dragons_left = 1, int(game.state.dragons_left) & ~1
    game.state.spoils[space(NEST)] = spoils
    put(game, 0, NEST)
    return game


@pytest.mark.rule("SCEN-17")
def test_both_are_gathered_in_one_action():
    game = at_the_nest()
    do(game, "gather", "find(spoils)", "take(tooth)")
    assert (asked(game), pack_of(game, 0), markers(game)) == ((Phase.ACTION, 0), {"tooth": 1}, 1)
    assert not game.state.spoils.any()
    check(game)


@pytest.mark.rule("SCEN-17", "TURN-7")
def test_they_lie_where_the_dragon_stood_and_only_there():
    game = at_the_nest()
    put(game, 0, f"{LAIR}/petal5")
    assert "gather" not in legal(game) or "find(spoils)" not in after(game, "gather")


def after(game, *names):
    copy = game.clone()
    do(copy, *names)
    return legal(copy)


@pytest.mark.rule("SCEN-17", "PACK-2")
def test_room_is_made_for_the_tooth():
    game = at_the_nest()
    put_pack(game, 0, wood=6)
    do(game, "gather", "find(spoils)")
    assert legal(game) == {"throw(wood)"}
    do(game, "throw(wood)", "take(tooth)")
    assert (pack_of(game, 0), markers(game)) == ({"wood": 5, "tooth": 1}, 1)
    check(game)


@pytest.mark.rule("SCEN-17", "PACK-4")
def test_without_any_room_the_marker_alone_is_taken():
    game = at_the_nest()
    put_pack(game, 0, monks=6)
    do(game, "gather", "find(spoils)")
    assert (asked(game), markers(game), game.state.spoils[space(NEST)]) == ((Phase.ACTION, 0), 1, 1)
    assert "gather" not in legal(game)  # the tooth stays
    check(game)


# SCEN-18: lava


def beside_lava(count=0, sandals="", *tokens, scrolls=()):
    """Player 0 stands beside two lava spaces in a row."""
    game = table(scenario=1)
    lay_plain(game, "ring1.0", "ring1.1")
    put_lava(game, BESIDE, "ring1.0/petal2")
    give_markers(game, 0, count)
    put_gear(game, 0, sandals=[sandals])
    give_tokens(game, 0, *tokens)
    put_scrolls(game, 0, *scrolls)
    return game


@pytest.mark.rule("SCEN-18", "MOVE-3")
def test_sandals_bear_no_lava_but_give_their_step():
    game = beside_lava(0, "TTT")
    do(game, "move")
    assert BESIDE not in steps(game)
    do(game, "step(ring1.0/petal4)", "step(ring1.0/centre)", "step(ring1.0/petal1)", "done")  # MOVE-2
    assert where(game, 0) == "ring1.0/petal1"


@pytest.mark.rule("SCEN-18", "MOVE-4")
def test_a_marker_for_each_lava_step():
    game = beside_lava(2, "TTT")
    do(game, "move", f"step({BESIDE})")
    assert "done" not in legal(game)
    do(game, "step(ring1.0/petal2)", "step(ring1.0/petal1)", "done")
    assert (markers(game), left_in_supply(game), gear_of(game, 0, "sandals")) == (0, 9, ["TTT"])


@pytest.mark.rule("SCEN-18", "MOVE-3")
def test_one_marker_is_one_step():
    game = beside_lava(1, "WWW")
    do(game, "move", f"step({BESIDE})")
    assert "ring1.0/petal2" not in steps(game)
    do(game, "step(ring1.0/centre)", "done")
    assert markers(game) == 0


@pytest.mark.rule("SCEN-18")
def test_nothing_else_leads_over_lava():
    game = beside_lava(0, "", "omamori_of_fire", scrolls=("ember_path",))
    do(game, "move")
    assert BESIDE not in steps(game)
    assert legal(game, "use") == set()
    game = beside_lava(1, "", "omamori_of_fire", scrolls=("ember_path",))
    do(game, "move", f"step({BESIDE})", "step(ring1.0/centre)", "done")
    assert markers(game) == 0


@pytest.mark.rule("SCEN-18", "MOVE-4")
def test_it_is_paid_before_a_fight_that_the_move_starts():
    game = beside_lava(1)
    put(game, 1, "ring1.0/centre")
    do(game, "move", f"step({BESIDE})", "step(ring1.0/centre)")
    assert (game.phase, markers(game), left_in_supply(game)) == (Phase.WEAPON, 0, 9)


def erupting(count, *lava):
    """Player 0's space erupts when its turn ends."""
    game = final_table(scenario=1)
    number(game, 1, BESIDE)
    put(game, 0, BESIDE)
    put_gear(game, 0, sandals=["TTT"])
    give_markers(game, 0, count)
    put_lava(game, *lava)
    do(game, "move", "done", "move", "done")
    if count:
        do(game, "done")  # no action for a marker
    return game


@pytest.mark.rule("SCEN-18", "LAVA-1")
def test_an_eruption_costs_a_marker():
    game = erupting(2)
    assert (asked(game), markers(game), left_in_supply(game)) == ((Phase.FLEE, 0), 1, 8)
    do(game, "step(start)")
    assert (markers(game), gear_of(game, 0, "sandals")) == (1, ["TTT"])


@pytest.mark.rule("SCEN-18", "LAVA-3")
def test_without_a_marker_it_is_death():
    game = erupting(0)
    assert asked(game) == (Phase.REBIRTH, 0)
    do(game, "step(temple2)")
    assert (where(game, 0), gear_of(game, 0, "sandals")) == ("temple2", ["TTT"])
    assert game.state.players[0].unconscious == 0


@pytest.mark.rule("SCEN-18", "LAVA-2")
@pytest.mark.parametrize("count", [1, 2])
def test_a_further_lava_space_costs_one_more(count):
    around = ("ring1.0/petal2", "ring1.0/petal4", "ring1.0/centre", "ring1.1/petal4", "ring1.1/petal5")
    game = erupting(count, *around)
    put_lava(game, "start")  # as if all around were lava
    do(game, "step(ring1.0/centre)")
    assert asked(game) == ((Phase.FLEE, 0) if count == 2 else (Phase.REBIRTH, 0))
    assert markers(game) == 0


# SCEN-18: one more action


@pytest.mark.rule("SCEN-18", "TURN-1")
def test_a_marker_may_be_traded_for_one_more_action():
    game = table(scenario=1)
    give_markers(game, 0, 2)
    do(game, "move", "done", "move", "done")
    assert asked(game) == (Phase.ACTION, 0)
    assert {"done", "move", "explore", "gather", "rest"} == legal(game)
    do(game, "move", "done")
    assert (markers(game), left_in_supply(game)) == (1, 8)
    assert asked(game) == (Phase.ACTION, 0)  # again
    assert legal(game) == {"done", "rest"}  # a disc is still needed
    do(game, "rest", "done")
    assert (asked(game), markers(game)) == ((Phase.ACTION, 1), 0)
    assert "done" not in legal(game)
    check(game)


@pytest.mark.rule("SCEN-18")
def test_done_keeps_the_marker_and_ends_the_turn():
    game = on_start_with_rope()
    give_markers(game, 0)
    do(game, "move", "done", "move", "done", "done")
    assert (asked(game), markers(game)) == ((Phase.ACTION, 1), 1)
    assert game.state.players[0].on_rope  # TURN-8: the turn's end comes after it


@pytest.mark.rule("SCEN-18")
def test_without_a_marker_nothing_is_asked():
    game = table(scenario=1)
    give_markers(game, 1)
    do(game, "move", "done", "move", "done")
    assert asked(game) == (Phase.ACTION, 1)
    assert "done" not in legal(game)


@pytest.mark.rule("SCEN-18", "TURN-6")
def test_a_player_who_is_knocked_out_trades_nothing():
    game = with_lair()
    give_markers(game, 0)
    enter(game, "T2 T2 T2")
    assert (asked(game), markers(game), game.state.players[0].unconscious) == ((Phase.ACTION, 1), 1, 1)


@pytest.mark.rule("SCEN-18")
def test_a_power_is_no_action_there_either():
    game = table(scenario=1)
    give_markers(game, 0)
    do(game, "move", "done", "move", "done")
    give_tokens(game, 0, "sake_gourd")
    do(game, "use(sake_gourd)")
    assert (markers(game), asked(game)) == (1, (Phase.ACTION, 0))
    do(game, "done")
    assert (markers(game), asked(game)) == (1, (Phase.ACTION, 1))


@pytest.mark.rule("SCEN-18")
def test_a_marker_that_was_just_gathered_can_be_traded():
    game = at_the_nest()
    do(game, "move", "done", "gather", "find(spoils)", "take(tooth)")
    assert "done" in legal(game)
    do(game, "move", "done")
    assert (markers(game), asked(game)) == (0, (Phase.ACTION, 1))


# SCEN-18: the end


@pytest.mark.rule("SCEN-18", "SHOG-4")
@pytest.mark.parametrize("way", ["countdown", "round_cap"])
def test_markers_are_worth_5_vp_each_inside_and_outside(way):
    game = final_table(7, players=3, starter=2, scenario=1, max_rounds=3)
    if way == "round_cap":
        game.state.countdown, game.state.round_number = 4, 3
    give_turn(game, 2)
    game.state.first_player = 0
    give_markers(game, 0, 2)
    give_markers(game, 1, 1)
    send_out(game, 1)
    pass_turn(game)
    assert reason(game) == way
    assert game.scores == (10, 5, 0)


def test_extra_actions_may_have_a_gear_cards_bonus():
    game = table(scenario=1)
    give_markers(game, 0)
    put_card(game, 0, "sandals", "move")
    do(game, "move", "main", "done", "done", "move", "main", "done", "done")
    assert asked(game) == (Phase.ACTION, 0)
    do(game, "move", "bonus", "done", "done")
    assert (markers(game), asked(game)) == (0, (Phase.ACTION, 1))


def test_a_lava_tile_that_rain_takes_off_needs_no_marker():
    game = table(scenario=1)
    lay_plain(game, "ring1.0")
    put_lava_tile(game, BESIDE)
    give_tokens(game, 0, "rain_jar")
    do(game, "use(rain_jar)", f"step({BESIDE})", "move", f"step({BESIDE})", "done")
    assert where(game, 0) == BESIDE


# Positions

POSITION = {
    "version": 1,
    "rules": {"scenario": "each_for_himself", "players": 2, "ask_forced": True},
    "places": {
        "ring1.0": {"tile": "mossy_gate"},
        "ring1.1": {"tile": "azure_burrow"},
        "ring2.0": {"tile": "basalt_stairs"},
    },
    "dragons": {"rain_whelp": {"beaten": True}},
    "spaces": {
        "ring1.1/centre": {"spoils": ["tooth", "status"]},
        "ring1.0/petal0": {"resources": "driftwood"},
    },
    "players": [{"status": 2, "space": "ring1.1/centre"}, {"space": "start"}],
    "final": {"started_by": 1, "countdown": 3},
}
EXTRA = [{"phase": "TURN", "stage": 3}, {"phase": "ACTION", "player": 0, "extra": True}]


def position(**changes):
    """`final` needs the VP that started it."""
    return changed(POSITION, {"players:1:vp": 20, **changes})


def test_a_position_of_the_scenario_is_read():
    game = Game.from_json(position(**{"players:1:on_rope": True, "asked": EXTRA}))
    assert (markers(game), left_in_supply(game), game.state.supply[Supply.TOOTH]) == (2, 6, 24)
    assert (game.state.secret_exit, game.state.players[1].on_rope) == (0, 1)
    assert "done" in legal(game)
    assert not game.state.blueprints["card"].any()
    check(game)
    assert Game.from_json(game.to_json()).to_bytes() == game.to_bytes()


@pytest.mark.parametrize(
    ("changes", "fault"),
    [
        ({"temples": [["sun_kabuto"], [], []]}, "SCEN-12"),
        ({"temples": [[], [], []]}, "SCEN-12"),
        ({"players:0:blueprints": ["hidden helmet 0"]}, "no blueprint"),
        ({"temples": [["hidden helmet 0"], ["hidden helmet 0"], []]}, "SETUP-10"),
        ({"spaces:ring1.0/petal0:face": "down"}, "SCEN-13"),
        ({"spaces:ring1.0/centre": {"spoils": ["tooth"]}}, "SCEN-17"),
        ({"spaces:ring1.1/centre:spoils": ["gold"]}, "tooth, status"),
        ({"players:0:status": 9}, "SETUP-10"),
        ({"players:0:on_rope": True}, "SCEN-16"),
        ({"players:1:on_rope": True, "active": 1}, "SCEN-16"),
        ({"players:1:on_rope": True, "players:1:unconscious": True}, "SCEN-16"),
        ({"players:0:trophies": ["rain_whelp"]}, "SCEN-23"),
        ({"asked": [{"phase": "TURN", "stage": 2}, EXTRA[1]]}, "SCEN-18"),
        ({"asked": EXTRA, "players:0:status": 0}, "SCEN-18"),
        (
            {
                "asked": [
                    {"phase": "TURN", "stage": 2},
                    {"phase": "MAGIC_REFRESH", "player": 0},
                    {"phase": "MOVE", "player": 0, "left": 1, "lava": 3},
                ],
                "path": ["ring1.1/centre"],
            },
            "SCEN-18",
        ),
        (
            {
                "asked": [
                    {"phase": "TURN", "stage": 2},
                    {"phase": "MAGIC_REFRESH", "player": 0},
                    {"phase": "MOVE", "player": 0, "left": 1},
                    {"phase": "CALL_DUEL", "player": 0, "other": 1},
                ],
                "path": ["ring1.1/centre"],
                "players:1:space": "ring1.1/centre",
            },
            "SCEN-15",
        ),
        ({"dragons:rain_whelp": {"place": "ring1.0"}}, "EXPL-6"),
    ],
)
def test_what_does_not_fit_is_refused_by_its_rule(changes, fault):
    with pytest.raises(PositionError, match=fault):
        Game.from_json(position(**changes))


@pytest.mark.parametrize(
    ("changes", "fault"),
    [
        ({"players:0:status": 1}, "SCEN-18"),
        ({"players:0:on_rope": True}, "SCEN-16"),
        (
            {"places": {"ring1.1": {"tile": "azure_burrow"}}, "spaces": {"ring1.1/centre": {"spoils": ["tooth"]}}},
            "SCEN-17",
        ),
        ({"asked": EXTRA}, "SCEN-18"),
        ({"temples": [["hidden helmet 0"], [], []]}, "no blueprint"),
    ],
)
def test_other_games_have_nothing_of_it(changes, fault):
    with pytest.raises(PositionError, match=fault):
        Game.from_json(changed({"version": 1, "players": [{}, {}]}, changes))


def test_a_join_question_is_refused():
    game = with_lair(scenario=None)
    put(game, 1, "start")
    enter(game)
    text = json.loads(game.to_json())
    text["rules"] |= {"scenario": "each_for_himself", "final_at": 20}
    for key in ("blueprints", "temples"):
        del text[key]
    with pytest.raises(PositionError, match="SCEN-14"):
        Game.from_json(json.dumps(text))


# What is seen


def test_the_text_shows_markers_spoils_the_rope_and_backs():
    game = Game.from_json(position(**{"players:1:on_rope": True, "asked": EXTRA}))
    shown = str(game)
    assert "spoils &    ring1.1/centre tooth and status marker" in shown
    assert "one more for a status marker" in shown
    assert "status      markers 2" in shown
    assert "(on the rope)" in shown
    assert "hidden helmet 0" in shown
    picture = game._repr_svg_()
    assert "tooth and status marker" in picture
    assert "on the rope" in picture


def test_the_dragons_health_is_that_of_one_player():
    game = lair("rain_whelp", 5, scenario=1)
    red = next(dragon for dragon in game.rules.pack.dragons if dragon.colour == "red")
    put_dragon(game, "ring1.0", red.id)
    assert red.health[2] != red.health[0]
    assert {dragon.health for dragon in look(game).dragons if dragon.id == red.id} == {red.health[2]}


def test_the_news_tell_of_markers():
    game = at_the_nest()
    before = look(game)
    do(game, "gather", "find(spoils)", "take(tooth)")
    assert any("+1 status marker" in line for line in news(before, look(game)))
    game = on_start_with_rope()
    before = look(game)
    pass_turn(game)
    assert "player 0 waits on the rope" in news(before, look(game))


def test_choices_say_what_the_spoils_are():
    game = at_the_nest()
    do(game, "gather")
    assert Choices(game).note(game.parse_action("find(spoils)")) == "tooth and status marker"


def test_observations_have_markers_spoils_and_the_rope():
    seen = Game.from_json(position(**{"players:1:on_rope": True})).observe(0)
    assert seen["players"][:2, columns("players")["status"]].ravel().tolist() == [2, 0]
    assert seen["players"][:2, columns("players")["on_rope"]].ravel().tolist() == [0, 1]
    assert on_spaces(seen, "spoils")[space(NEST)] == 3
    assert seen["rules"][columns("rules")["scenario"]].argmax() == 1


def test_a_turn_may_ask_more_than_in_other_games():
    assert Rules(scenario=1).facts.max_decisions > Rules().facts.max_decisions


# Whole games


@pytest.mark.slow
@pytest.mark.parametrize("players", [2, 5])
def test_everything_holds_in_biased_games(players):
    hits = biased_games(1, players, rope_catches=players % 2 == 0, unarmed_pass=players % 2 == 0)
    assert hits.awards["status_markers"]
    assert not hits.phases["JOIN"] + hits.phases["CALL_DUEL"]


def test_positions_of_a_random_game_come_back_from_json():
    game = fresh(3, 5, scenario=1, max_rounds=2)
    for k, each in enumerate(play(game, 5)):
        if k % 7 == 0:
            assert Game.from_json(each.to_json()).to_bytes() == each.to_bytes()
