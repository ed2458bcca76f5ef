"""SCEN-21 to SCEN-23: dragons on the move."""

import json
from dataclasses import replace
from itertools import permutations

import pytest

from fujikoro_env import Game, Rules
from fujikoro_env.kernel.commands import NO_ACTION
from fujikoro_env.observation import columns
from fujikoro_env.position import PositionError
from fujikoro_env.render.look import look
from fujikoro_env.render.news import news
from fujikoro_env.rules.base.names import Marker, Outside
from fujikoro_env.rules.base.phases import Phase
from tests.helpers.coop_tables import bare, dragon_comes, finish_round, marker_of, reason
from tests.helpers.decoded import on_spaces
from tests.helpers.endgame import BESIDE, BEYOND, final_table, pass_turn, send_out
from tests.helpers.fights import (
    INSIDE,
    LAIR,
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
from tests.helpers.invariants import check
from tests.helpers.scenario_games import biased_games, changed
from tests.helpers.tables import (
    asked,
    do,
    explore,
    fresh,
    give_turn,
    lay,
    lay_plain,
    legal,
    pack_of,
    place,
    play,
    put,
    put_dragon,
    put_gear,
    put_monks,
    put_pack,
    space,
    table,
    where,
)

BOTH = pytest.mark.parametrize("scenario", [None, 2])
FIRST = ["WWMMM"]  # longer than the initiative of rain_whelp, so its owner comes first
MISS, KILL = "T0 T0 T0", "T2 T2 T2"  # a blue dragon's rolls
TEMPLES = {"step(temple0)", "step(temple1)", "step(temple2)"}
WIN = "W1 W1 M2 M2 M0"  # as much as rain_whelp's health


def unconscious(game):
    return [p for p in range(game.rules.players) if game.state.players[p].unconscious]


def roaming(players=2, scenario=2, **rules):
    """A game with two bare tiles; player 0 stands on the first, the others in a temple."""
    game = table(players, scenario=scenario, **rules)
    bare(game, "ring1.0", LAIR)
    put(game, 0, BESIDE)
    for p in range(1, players):
        put(game, p, "temple0")
    return game


# SCEN-21


@pytest.mark.rule("SCEN-21", "COOP-9", "COOP-10")
@BOTH
def test_dragons_move_at_the_end_of_each_round(scenario):
    game = roaming(scenario=scenario)
    bare(game, "ring1.2", "ring1.3")
    put_dragon(game, "ring1.3")
    pass_turn(game)
    assert asked(game) == (Phase.ACTION, 1)  # not between the turns of a round
    finish_round(game)
    if scenario is None:
        assert asked(game) == (Phase.ACTION, 0)
        return
    assert (asked(game), legal(game)) == ((Phase.DRAGON_ORDER, 0), {"place(ring1.3)"})
    do(game, "place(ring1.3)", "place(ring1.2)")
    assert (dragon_in(game, "ring1.2"), dragon_in(game, "ring1.3")) == ("rain_whelp", "")
    assert asked(game) == (Phase.ACTION, 0)


@pytest.mark.rule("SCEN-21")
def test_a_dragon_moves_in_the_round_in_which_it_was_found():
    game = table(scenario=2)
    lay(game, "ring1.0", "mossy_gate")
    lay(game, LAIR, "azure_burrow")
    put(game, 0, BESIDE)
    finish_round(game)
    assert game.phase == Phase.DRAGON_ORDER
    assert not game.state.dragons["marker"].any()
    check(game)


def with_dragon_found(finder, sleeps, players=3):
    """A player has found a dragon beside player 0 in its turn of a round that player 0 began."""
    game = table(players, scenario=2, last_turn_dragon_sleeps=sleeps)
    lay(game, "ring1.0", "mossy_gate")
    for player in range(players):
        put(game, player, "temple0" if player else BESIDE)
    for player in range(finder):
        pass_turn(game)
        assert game.actor == player + 1
    put(game, finder, "start")
    explore(game, "ring1.5", "azure_burrow")
    put(game, finder, "temple0" if finder else BESIDE)
    return game


@pytest.mark.rule("SCEN-21")
@pytest.mark.parametrize(("first", "sleeps"), [(0, True), (2, False)])
def test_the_last_turn_of_a_round_depends_on_who_began_it(first, sleeps):
    """Player 2 of three has the last turn of a round that player 0 began, and the first turn of one it began itself."""
    game = table(3, scenario=2, last_turn_dragon_sleeps=True)
    lay(game, "ring1.0", "mossy_gate")
    give_turn(game, 2)
    game.state.first_player = first
    put(game, 2, "start")
    explore(game, "ring1.5", "azure_burrow")
    assert marker_of(game, "ring1.5") == (Marker.ASLEEP if sleeps else Marker.NONE)


@pytest.mark.rule("SCEN-21", "COOP-8")
@pytest.mark.parametrize("finder", [0, 1, 2])
@pytest.mark.parametrize("sleeps", [False, True])
def test_by_option_a_dragon_found_in_the_last_turn_of_a_round_sleeps(finder, sleeps):
    game = with_dragon_found(finder, sleeps)
    stays = sleeps and finder == 2
    assert marker_of(game, "ring1.5") == (Marker.ASLEEP if stays else Marker.NONE)
    check(game)
    finish_round(game)
    if not stays:
        assert (game.phase, legal(game)) == (Phase.DRAGON_ORDER, {"place(ring1.5)"})
        return
    assert (asked(game), marker_of(game, "ring1.5")) == ((Phase.ACTION, 0), Marker.AWAKE)
    finish_round(game)  # it first moves when the next round ends
    assert (game.phase, marker_of(game, "ring1.5")) == (Phase.DRAGON_ORDER, Marker.NONE)


@pytest.mark.rule("SCEN-21", "COOP-11")
def test_the_first_player_still_inside_chooses_the_order_and_the_way():
    game = roaming(3)
    bare(game, "ring1.2", "ring1.3", "ring1.4", "ring1.5")
    put_dragon(game, "ring1.3")
    put_dragon(game, "ring1.2", "tide_whelp")
    put(game, 1, BESIDE)
    send_out(game, 0)
    game.state.final_player = 3  # so that somebody may be outside
    give_turn(game, 1)
    game.state.first_player, game.state.active = 0, 1
    finish_round(game)
    assert (asked(game), legal(game)) == ((Phase.DRAGON_ORDER, 1), {"place(ring1.2)", "place(ring1.3)"})
    do(game, "place(ring1.3)")
    assert asked(game) == (Phase.DRAGON_WAY, 1)


@pytest.mark.rule("SCEN-21", "COOP-9")
@pytest.mark.parametrize("out", [False, True])
def test_dragons_stay_if_no_player_is_visible(out):
    game = roaming()
    put_dragon(game, LAIR)
    if out:
        game.state.final_player = 1
        send_out(game, 0)
        send_out(game, 1)
        do_nothing_until_the_next_round(game)
    else:
        put(game, 0, "start")
        finish_round(game)
    assert dragon_in(game, LAIR)
    assert game.phase != Phase.DRAGON_ORDER


def do_nothing_until_the_next_round(game):
    """With everybody outside and nothing to claim, whole rounds pass without a question until the game ends."""
    game.state.stack[1:]["phase"] = 0
    game.state.stack[1:]["actor"] = 0
    game.state.depth, game.state.stack[0].stage = 1, 0
    game._run(NO_ACTION)
    assert reason(game) == "countdown"


@pytest.mark.rule("SCEN-21", "COOP-12", "INIT-3")
def test_a_dragon_that_comes_fights_those_on_the_tile():
    game = roaming()
    put_gear(game, 0, weapon=["WWMM"])  # as long as the dragon's initiative, and the samurai wins ties
    dragon_comes(game)
    assert (asked(game), fighting(game), order_of(game)) == ((Phase.WEAPON, 0), [0], [0, "dragon"])
    assert where(game, 0) == BESIDE


@pytest.mark.rule("SCEN-21", "DRAG-2", "DRAG-3")
def test_others_may_join_against_it():
    game = roaming(3)
    put(game, 1, "start")
    dragon_comes(game)
    assert asked(game) == (Phase.JOIN, 1)
    do(game, "step(ring1.0/petal4)")
    assert fighting(game) == [0, 1]
    assert game.phase == Phase.WEAPON


@pytest.mark.rule("SCEN-21", "DRAG-6", "ATK-5")
def test_beating_it_gives_everybody_vp_and_a_tooth_of_its_own():
    game = roaming(3)
    put_gear(game, 0, weapon=FIRST)
    put(game, 1, "start")
    dragon_comes(game)
    do(game, "step(ring1.0/petal4)")
    roll(game, WIN)
    assert asked(game) == (Phase.TAKE, 0)
    do(game, "take(tooth)", "take(tooth)")
    assert game.scores == (5, 5, 0)
    assert (pack_of(game, 0), pack_of(game, 1)) == ({"tooth": 1}, {"tooth": 1})
    assert (asked(game), is_over(game)) == ((Phase.ACTION, 0), True)


@pytest.mark.rule("SCEN-21", "TURN-6")
@pytest.mark.parametrize("player", [0, 1])
def test_a_player_knocked_out_by_it_loses_no_turn(player):
    """The first player wakes at once: its turn is next."""
    game = roaming()
    put(game, 0, "temple0")
    put(game, player, BESIDE)
    put_gear(game, player, weapon=[])
    load(game, KILL)
    dragon_comes(game)
    assert asked(game) == (Phase.REBIRTH, player)
    do(game, "step(temple1)")
    assert (asked(game), where(game, player)) == ((Phase.ACTION, 0), "temple1")
    assert unconscious(game) == ([1] if player == 1 else [])
    do(game, "move", "done")
    assert asked(game) == (Phase.ACTION, 0)  # two actions


@pytest.mark.rule("SCEN-21", "DRAG-5", "COOP-12")
def test_a_defender_retreats_to_a_free_space_beside_the_tile():
    game = roaming()
    put_gear(game, 0, weapon=[])
    load(game, MISS)
    dragon_comes(game)
    assert asked(game) == (Phase.RETREAT, 0)
    do(game, "retreat")
    assert asked(game) == (Phase.RETREAT_TO, 0)
    assert "step(start)" in legal(game)
    do(game, "step(start)")
    assert (asked(game), where(game, 0)) == ((Phase.ACTION, 0), "start")


@pytest.mark.rule("SCEN-21")
def test_the_next_dragon_moves_when_the_fight_is_over():
    game = roaming(3)
    bare(game, "ring1.2")
    put_dragon(game, "ring1.2", "tide_whelp")
    put_gear(game, 0, weapon=FIRST)
    dragon_comes(game)
    roll(game, WIN)
    do(game, "done")
    assert (asked(game), legal(game)) == ((Phase.DRAGON_ORDER, 0), {"place(ring1.2)"})


@pytest.mark.rule("SCEN-21", "END-2")
def test_the_round_cap_comes_before_they_move():
    game = roaming(max_rounds=2)
    game.state.round_number = 2
    put_dragon(game, LAIR)
    finish_round(game)
    assert reason(game) == "round_cap"
    assert dragon_in(game, LAIR)


@pytest.mark.rule("SCEN-21", "SCEN-22", "COOP-9")
def test_no_dragon_comes_to_a_player_in_a_temple():
    """SCEN-22 lays unconscious samurai in temples, so dragons never come to them."""
    game = roaming()
    put_dragon(game, LAIR)
    pass_turn(game)
    put(game, 0, "temple2")
    game.state.players[0].unconscious = 1
    finish_round(game)
    assert dragon_in(game, LAIR)
    assert (asked(game), unconscious(game)) == ((Phase.ACTION, 0), [])


# SCEN-22


@pytest.mark.rule("SCEN-22", "DRAG-4")
@BOTH
def test_a_player_knocked_out_by_a_dragon_lies_in_a_temple_of_its_choice(scenario):
    game = lair(scenario=scenario)
    enter(game, KILL)
    if scenario is None:
        assert (where(game, 0), asked(game)) == (BESIDE, (Phase.ACTION, 1))
        return
    assert (asked(game), legal(game)) == ((Phase.REBIRTH, 0), TEMPLES)
    do(game, "step(temple2)")
    assert (where(game, 0), unconscious(game), asked(game)) == ("temple2", [0], (Phase.ACTION, 1))  # TURN-6
    assert is_over(game)
    pass_turn(game)
    if game.phase == Phase.DRAGON_ORDER:
        do(game, min(legal(game)))
    assert (asked(game), unconscious(game)) == ((Phase.ACTION, 0), [])  # TURN-5


@pytest.mark.rule("SCEN-22")
def test_all_who_are_knocked_out_at_once_are_asked_in_player_order():
    game = lair(players=3, scenario=2)
    put(game, 2, "start")
    enter(game)
    load(game, KILL)
    do(game, f"step({LAIR}/petal4)")
    assert asked(game) == (Phase.REBIRTH, 0)
    do(game, "step(temple1)")
    assert (asked(game), fighting(game)) == ((Phase.REBIRTH, 2), [2])
    do(game, "step(temple1)")
    assert (unconscious(game), asked(game)) == ([0, 2], (Phase.ACTION, 1))
    assert [where(game, p) for p in (0, 2)] == ["temple1", "temple1"]


@pytest.mark.rule("SCEN-22", "DRAG-5")
def test_a_player_who_retreats_goes_back_as_usual():
    game = lair(scenario=2, weapon=[])
    enter(game, MISS)
    do(game, "retreat")
    assert (where(game, 0), unconscious(game)) == (BESIDE, [])


@pytest.mark.rule("SCEN-22", "DUEL-4")
@BOTH
@pytest.mark.parametrize("loser", [0, 1])
def test_a_player_who_loses_a_duel_lies_in_a_temple_of_its_choice(scenario, loser):
    game = table(scenario=scenario)
    lay_plain(game, "ring1.0", "ring1.1")
    put(game, 0, BESIDE)
    put(game, 1, BEYOND)
    put_gear(game, 1 - loser, weapon=["WWMMM"])
    put_pack(game, loser, wood=1)
    do(game, "move", f"step({BEYOND})", "yes")
    assert asked(game) == (Phase.WEAPON, 1 - loser)
    load(game, "W1 W1 M2 M2 M2")
    do(game, "weapon(left)", "roll")
    if scenario is None:
        assert asked(game) == (Phase.LAY_LOSER, 1 - loser)
        return
    assert (asked(game), legal(game)) == ((Phase.REBIRTH, loser), TEMPLES)
    do(game, "step(temple0)")
    assert (where(game, loser), unconscious(game)) == ("temple0", [loser])
    assert asked(game) == (Phase.STEAL, 1 - loser)  # DUEL-5
    do(game, "item(wood)")
    assert pack_of(game, 1 - loser) == {"wood": 1}
    assert asked(game) == (Phase.ACTION, 0 if loser == 1 else 1)


@pytest.mark.rule("SCEN-22", "DUEL-2")
def test_a_player_who_gives_up_stays_where_it_is():
    game = table(scenario=2)
    lay_plain(game, "ring1.0", "ring1.1")
    put(game, 0, BESIDE)
    put(game, 1, BEYOND)
    put_gear(game, 0, weapon=[])
    put_gear(game, 1, helmet=["W"])
    put_gear(game, 0, helmet=["WWWW", "WWWW"])
    do(game, "move", f"step({BEYOND})", "yes")
    load(game, "W0 W0 M0 M0")
    do(game, "weapon(left)", "roll")
    assert asked(game) == (Phase.RETREAT, 0)
    do(game, "retreat", "done")
    assert (where(game, 0), unconscious(game)) == (BEYOND, [])


@pytest.mark.rule("SCEN-22", "LAVA-3")
def test_a_player_who_dies_in_lava_is_conscious_in_the_temple():
    game = final_table(scenario=2)
    game.state.eruption[game.state.players[0].at] = 0
    put(game, 0, BESIDE)
    game.state.eruption[game.state.players[0].at] = 1
    pass_turn(game)
    assert asked(game) == (Phase.REBIRTH, 0)
    do(game, "step(temple2)")
    assert unconscious(game) == []


# SCEN-23


def trophies(game):
    ids = [dragon.id for dragon in game.rules.pack.dragons]
    kept = [int(me.trophies) for me in game.state.players[: game.rules.players]]
    return [[id for k, id in enumerate(ids) if bits >> k & 1] for bits in kept]


@pytest.mark.rule("SCEN-23")
@BOTH
def test_a_player_who_lands_the_last_blow_keeps_the_dragon(scenario):
    game = lair(scenario=scenario, weapon=FIRST)
    enter(game)
    roll(game, WIN)
    do(game, "done")
    assert trophies(game) == ([["rain_whelp"], []] if scenario else [[], []])
    assert game.scores == (5, 0)


@pytest.mark.rule("SCEN-23")
@pytest.mark.parametrize("last", [0, 1])
def test_a_player_who_only_helped_does_not_keep_it(last):
    game = lair(scenario=2, weapon=FIRST)
    put_gear(game, 1, weapon=FIRST)
    enter_with(game, 1)
    assert order_of(game) == [0, 1, "dragon"]
    roll(game, WIN if last == 0 else "W0 W0 M0 M0 M0")
    if last == 1:
        roll(game, WIN)
    do(game, "done", "done")
    assert trophies(game) == ([["rain_whelp"], []] if last == 0 else [[], ["rain_whelp"]])
    assert game.scores == (5, 5)


@pytest.mark.rule("SCEN-23", "HERO-2")
@pytest.mark.parametrize("sender", [0, 1])
def test_a_heroic_monk_may_land_it(sender):
    game = lair(scenario=2, weapon=FIRST)
    game.state.dragons[0].damage = 5  # 1 health is left
    for p in (0, 1):
        put_monks(game, p, "pool")
        put_pack(game, p, wood=1)
    enter_with(game, 1)
    if sender == 1:
        do(game, "no")
    assert asked(game) == (Phase.SEND_MONK, sender)
    load(game, "W1")
    do(game, "monk(pool)", "throw(wood)", "done", "done")
    assert trophies(game) == ([["rain_whelp"], []] if sender == 0 else [[], ["rain_whelp"]])


@pytest.mark.rule("SCEN-23", "SCEN-21")
def test_a_dragon_that_came_is_kept_too():
    game = roaming()
    put_gear(game, 0, weapon=FIRST)
    dragon_comes(game)
    roll(game, WIN)
    do(game, "done")
    assert trophies(game) == [["rain_whelp"], []]


def points_at_the_end(colours, way="countdown", outside=Outside.INSIDE):
    """Final VP of a player who kept dragons of these colours."""
    game = final_table(7, starter=1, scenario=2, max_rounds=3)
    if way == "round_cap":
        game.state.countdown, game.state.round_number = 4, 3
    give_turn(game, 1)
    game.state.first_player = 0
    if outside:
        send_out(game, 0, outside)
    left = [(k, dragon.colour) for k, dragon in enumerate(game.rules.pack.dragons)]
    for colour in colours.split():
        dragon = next(entry for entry in left if entry[1].startswith(colour))
        left.remove(dragon)
        game.state.players[0].trophies |= 1 << dragon[0]
        game.state.dragons_beaten |= 1 << dragon[0]
        game.state.dragons_left &= ~(1 << dragon[0])
    pass_turn(game)
    assert reason(game) == way
    assert game.scores[1] == 0
    return game.scores[0]


@pytest.mark.rule("SCEN-23")
@pytest.mark.parametrize(
    ("colours", "points"),
    [
        ("", 0),
        ("b", 2),
        ("g", 3),
        ("r", 5),
        ("w", 7),
        ("b b", 4),
        ("b b b", 6 + 7),
        ("b b b b", 8 + 7),
        ("b g r", 10 + 10),
        ("b g w", 12 + 10),
        ("b g", 5),
        ("b b g", 7),
        ("b b g g", 10),
        ("b b g g r", 15 + 10),  # one of each, and nothing is left for a second set
        ("b b g g r w", 22 + 20),  # b g r and b g w
        ("b b g g r r", 20 + 20),
        ("b b b g r", 14 + 7 + 10),  # a dragon counts in one set of each sort
        ("b b b g g g r r r", 30 + 21 + 30),
        ("b b b g g r w", 24 + 7 + 20),  # of b b b g g r w two sets
    ],
)
def test_dragons_are_worth_vp_at_the_end_and_sets_more(colours, points):
    assert points_at_the_end(colours) == points


@pytest.mark.rule("SCEN-23")
@pytest.mark.parametrize("way", ["countdown", "round_cap"])
@pytest.mark.parametrize("outside", [Outside.INSIDE, Outside.PALACE, Outside.FOOT])
def test_for_everyone_however_the_game_ends(way, outside):
    assert points_at_the_end("b g", way, outside) == 5


@pytest.mark.rule("SCEN-23")
def test_the_most_sets_of_different_colours_are_found():
    """On all small collections, the result equals that of trying all ways to form sets."""
    for counts in [(2, 2, 2, 1), (3, 1, 1, 1), (2, 1, 1, 0), (3, 3, 1, 1), (3, 2, 1, 0), (1, 1, 1, 1)]:
        colours = " ".join(letter for letter, n in zip("bgrw", counts, strict=True) for _ in range(n))
        base = sum(vp * n + 7 * (n // 3) for vp, n in zip((2, 3, 5, 7), counts, strict=True))
        assert points_at_the_end(colours) == base + 10 * most_sets(counts)


def most_sets(counts):
    best = 0
    for three in {tuple(sorted(order[:3])) for order in permutations(range(4))}:
        if all(counts[k] for k in three):
            best = max(best, 1 + most_sets(tuple(n - (k in three) for k, n in enumerate(counts))))
    return best


@pytest.mark.rule("SCEN-21")
def test_entering_a_dragons_tile_is_as_usual():
    game = lair(scenario=2, weapon=FIRST)
    enter(game)
    assert (asked(game), where(game, 0), game.state.fight.came) == ((Phase.WEAPON, 0), INSIDE, 0)


# Positions

POSITION = {
    "version": 1,
    "rules": {"scenario": "dragons_on_the_move", "players": 2, "ask_forced": True},
    "round": 4,
    "places": {"ring1.0": {"tile": "mossy_gate"}, "ring1.1": {"tile": "azure_burrow"}},
    "dragons": {"rain_whelp": {"beaten": True}, "tide_whelp": {"place": "ring1.1"}},
    "players": [{"trophies": ["rain_whelp"], "space": "ring1.0/petal3"}, {"space": "temple1", "unconscious": True}],
}
MOVING = [{"phase": "TURN"}, {"phase": "ROUND", "stage": 2, "dragons": ["tide_whelp"]}]


def test_a_position_of_the_scenario_is_read():
    game = Game.from_json(changed(POSITION, {"asked": [*MOVING, {"phase": "DRAGON_ORDER", "player": 0}]}))
    assert (trophies(game), legal(game)) == ([["rain_whelp"], []], {"place(ring1.1)"})
    check(game)
    assert Game.from_json(game.to_json()).to_bytes() == game.to_bytes()


@pytest.mark.rule("SCEN-21")
def test_a_sleeping_dragon_is_read_shown_and_written():
    changes = {"rules:last_turn_dragon_sleeps": True, "dragons:tide_whelp:marker": "asleep"}
    game = Game.from_json(changed(POSITION, changes))
    assert "asleep" in str(game)
    assert on_spaces(game.observe(0), "marker")[space("ring1.1/centre")] == Marker.ASLEEP
    assert Game.from_json(game.to_json()).to_bytes() == game.to_bytes()


def test_a_dragon_may_be_on_any_tile():
    game = Game.from_json(changed(POSITION, {"dragons:tide_whelp:place": "ring1.0", "players:0:space": "start"}))
    assert dragon_in(game, "ring1.0") == "tide_whelp"


def test_an_unconscious_first_player_chooses_too():
    players = [{"unconscious": True, "space": "temple0"}, {"space": "ring1.0/petal3", "trophies": ["rain_whelp"]}]
    asked = [*MOVING, {"phase": "DRAGON_ORDER", "player": 0}]
    assert Game.from_json(changed(POSITION, {"players": players, "asked": asked})).actor == 0


@pytest.mark.parametrize(
    ("changes", "fault"),
    [
        ({"players:0:trophies": []}, "SCEN-23"),
        ({"players:1:trophies": ["rain_whelp"]}, "SCEN-23"),
        ({"players:0:trophies": ["rain_whelp", "tide_whelp"]}, "SCEN-23"),
        ({"players:0:unconscious": True, "active": 1}, "SCEN-22"),
        ({"players:0:status": 1}, "SCEN-18"),
        ({"dragons:tide_whelp:place": "ring2.0"}, "COOP-10"),
        ({"dragons:tide_whelp:marker": "asleep"}, "marker"),
        ({"asked": [{"phase": "TURN"}, {"phase": "ROUND"}, {"phase": "DRAGON_ORDER", "player": 0}]}, "COOP"),
        ({"asked": [*MOVING, {"phase": "DRAGON_ORDER", "player": 1}]}, "COOP-11"),
        ({"round": 1, "asked": [*MOVING, {"phase": "DRAGON_ORDER", "player": 0}]}, "COOP-8"),
        ({"turn_over": True}, "TURN-6"),
    ],
)
def test_what_does_not_fit_is_refused_by_its_rule(changes, fault):
    with pytest.raises(PositionError, match=fault):
        Game.from_json(changed(POSITION, changes))


@pytest.mark.parametrize(
    ("changes", "fault"),
    [
        ({"players:0:trophies": ["rain_whelp"], "dragons": {"rain_whelp": {"beaten": True}}}, "SCEN-23"),
        ({"round": 3, "asked": [{"phase": "TURN"}, {"phase": "ROUND", "stage": 2}]}, "COOP"),
    ],
)
def test_other_games_have_nothing_of_it(changes, fault):
    with pytest.raises(PositionError, match=fault):
        Game.from_json(changed({"version": 1, "players": [{}, {}]}, changes))


def fallen(came):
    """A game, played by the rules on real tiles, at the question where the loser of a dragon fight is laid."""
    game = table(scenario=2)
    lay(game, "ring1.0", "mossy_gate")
    lay(game, LAIR, "azure_burrow", dragons=["rain_whelp"])
    put(game, 0, BESIDE)
    put(game, 1, "temple0")
    put_gear(game, 0, weapon=[])
    if came:
        load(game, KILL)
        finish_round(game)
        do(game, f"place({LAIR})", "place(ring1.0)")
    else:
        enter(game, KILL)
    assert asked(game) == (Phase.REBIRTH, 0)
    return game


@pytest.mark.parametrize("came", [False, True])
def test_the_question_where_to_lie_comes_back(came):
    game = fallen(came)
    check(game)
    assert Game.from_json(game.to_json()).to_bytes() == game.to_bytes()
    assert game.state.turn_over == (not came)


@pytest.mark.parametrize("change", [("asked", -1, "unconscious"), ("players", 0, "unconscious")])
def test_a_fallen_samurai_is_unconscious(change):
    data = json.loads(fallen(False).to_json())
    part, key, name = change
    data[part][key][name] = False
    with pytest.raises(PositionError, match="SCEN-22"):
        Game.from_json(json.dumps(data))


# What is seen


def test_trophies_are_seen():
    game = Game.from_json(json.dumps(POSITION))
    assert "trophies    rain_whelp" in str(game)
    assert "rain whelp" in game._repr_svg_()
    kept = game.observe(1)["players"][:2, columns("players")["trophies"]]
    assert kept[:, 0].tolist() == [0, 1]
    assert kept.sum() == 1


def test_the_news_tell_of_trophies_and_moves():
    game = roaming()
    put_gear(game, 0, weapon=FIRST)
    before = look(game)
    dragon_comes(game)
    assert "rain_whelp goes to ring1.0" in news(look_with_dragon(before, game), look(game))
    roll(game, WIN)
    assert any("+1 trophy rain_whelp" in line for line in news(before, look(game)))


def look_with_dragon(before, game):
    """The look `before`, with the dragon of the game on its first tile."""
    here = [replace(dragon, place=place(LAIR)) for dragon in look(game).dragons]
    return replace(before, dragons=tuple(here))


def test_a_round_may_ask_as_much_as_in_coop():
    assert Rules(scenario=2).facts.max_decisions > Rules().facts.max_decisions


# Whole games


@pytest.mark.slow
@pytest.mark.parametrize("players", [2, 5])
def test_everything_holds_in_biased_games(players):
    sleeps = players % 2 == 1
    hits = biased_games(2, players, characters="random" if sleeps else None, last_turn_dragon_sleeps=sleeps)
    assert hits.awards["trophies"]
    assert hits.phases["DRAGON_WAY"]
    assert not hits.phases["LAY_LOSER"]


def test_positions_of_a_random_game_come_back_from_json():
    for k, game in enumerate(play(fresh(3, 5, scenario=2, max_rounds=3), 5)):
        if k % 7 == 0:
            assert Game.from_json(game.to_json()).to_bytes() == game.to_bytes()
