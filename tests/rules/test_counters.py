"""Counters of what each player did: the events that increase them, and where they can be read."""

import json

import numpy as np
import pytest

from fujikoro_env import BatchedGames, Game, Rules
from fujikoro_env.content.model import COLOURS
from fujikoro_env.kernel.records import dtype_of
from fujikoro_env.position import PositionError
from fujikoro_env.rules.base.counters import COUNTERS, VP_SOURCES, VpSource, without_zeros
from fujikoro_env.rules.base.names import Outside, Supply
from fujikoro_env.rules.base.phases import Phase
from fujikoro_env.rules.base.state import State
from tests.helpers import ledger
from tests.helpers.coop_tables import coop_table
from tests.helpers.endgame import BESIDE, ROPE, final_table, make_magic, number, pass_turn, send_out
from tests.helpers.fights import LAIR, enter, enter_with, hurt, lair, load, roll
from tests.helpers.gear import blow, call_duel, lose, meeting, put_card, win
from tests.helpers.invariants import check
from tests.helpers.tables import (
    choosing_a_first_scroll,
    colour,
    do,
    explore,
    fresh,
    lay_plain,
    play,
    put,
    put_dragon,
    put_gear,
    put_monks,
    put_pack,
    put_scrolls,
    put_vp,
    robbing_a_samurai,
    space,
    table,
)

KILL = "T1 T1 T1"  # a blue dragon's roll
FIRST = ["WWMMM"]  # before any blue dragon


def counted(game, player, *names):
    """The given counters of a player, or all that are not 0."""
    found = without_zeros(game.counts[player])
    return {name: found[name] for name in found if name in names or not names}


def sources(game, player=0):
    """VP of a player by source; checks that they add up."""
    found = counted(game, player).get("vp", {})
    assert sum(found.values()) == game.scores[player]
    return found


# The table


def test_the_table_names_every_counter_and_label_once():
    for counter in COUNTERS.values():
        assert counter.doc
        assert len(set(counter.labels)) == len(counter.labels)
    assert set(VP_SOURCES) == set(VpSource)
    assert {source.name.lower() for source in VpSource} == {"unknown", *ledger.REASONS}


def test_nothing_is_counted_when_a_game_begins():
    game = fresh(4)
    assert [counted(game, player) for player in range(4)] == [{}] * 4


# VP by source


def test_vp_for_tiles_and_by_the_storyteller():
    game = table()
    put(game, 0, "temple0")
    put_scrolls(game, 0, "storyteller")
    explore(game, "ring2.0", "basalt_stairs")
    assert sources(game) == {"tiles": 1, "storyteller": 1}
    assert counted(game, 0, "tiles_explored") == {"tiles_explored": {"ring2": 1}}
    assert counted(game, 1) == {}


def test_tiles_of_the_first_ring_are_counted_though_they_give_no_vp():
    game = table()
    explore(game, "ring1.0", "mossy_gate")
    assert counted(game, 0) == {"tiles_explored": {"ring1": 1}}


def test_vp_of_a_weapon_card():
    game = table()
    put_card(game, 0, "weapon", "move")
    do(game, "move", "bonus")
    assert sources(game) == {"weapon_card": 1}


def test_vp_of_a_scroll_that_is_gathered():
    game = table()
    lay_plain(game, "ring1.0")
    put(game, 0, BESIDE)
    colour(game, 0, "green")
    game.state.scroll[space(BESIDE)] = COLOURS.index("green") + 1
    game.state.scroll_tokens[COLOURS.index("green")] -= 1
    do(game, "gather", "find(scroll)", "scroll(deck)")
    assert sources(game) == {"scrolls_gathered": 3}


def test_vp_of_the_scroll_that_is_dealt():
    game = choosing_a_first_scroll()
    player = game.actor
    game.step(game.legal_actions()[0])
    assert sources(game, player) == {"scroll_dealt": 3}


def test_vp_of_a_scroll_that_is_won_in_a_duel():
    game = meeting()
    put_scrolls(game, 1, "seer")
    win(game)
    do(game, "item(scroll 1)", "slot(1)")
    assert sources(game) == {"scrolls_won": 3}


def test_vp_of_a_scroll_that_is_stolen_in_passing():
    game = robbing_a_samurai()
    thief = game.actor
    game.step(game.legal_actions()[0])
    assert sources(game, thief)["scrolls_stolen"] == 3


def test_vp_claimed_in_the_palace_and_at_the_foot():
    game = final_table(ROPE, players=3, starter=0)
    for player, way in ((1, Outside.PALACE), (2, Outside.FOOT)):
        make_magic(game, player, "helmet")
        put_monks(game, player, "pool")
        put_pack(game, player, tooth=1)
        send_out(game, player, way)
    pass_turn(game)
    do(game, "claim(tooth)", "claim(monk)")
    pass_turn(game)
    do(game, "claim(monk)", "claim(helmet)")
    pass_turn(game)
    do(game, "claim(helmet)")
    palace = {name: values[0] for name, values in game.rules.pack.palace.items()}
    by_kind = {"palace_teeth": palace["tooth"], "palace_monks": palace["monk"], "palace_gear": palace["helmet"]}
    assert sources(game, 1) == by_kind
    assert sources(game, 2) == {"foot_monks": 5, "foot_gear": 5}


def test_vp_for_what_was_not_claimed():
    game = final_table(entered=7, starter=1)
    put_monks(game, 0, "pool", "pack")
    send_out(game, 0)
    pass_turn(game)
    assert game.over
    assert sources(game) == {"unclaimed": 2}


def test_vp_of_status_markers():
    game = final_table(entered=7, scenario=1, starter=1)
    game.state.players[0].status = 2
    game.state.supply[Supply.STATUS] -= 2
    pass_turn(game)
    assert sources(game) == {"status_markers": 10}


def test_vp_of_trophies_and_their_sets():
    game = final_table(entered=7, scenario=2, starter=1)
    kept = [k for k, dragon in enumerate(game.rules.pack.dragons) if dragon.colour == "blue"][:3]
    kept += [next(k for k, d in enumerate(game.rules.pack.dragons) if d.colour == other) for other in ("green", "red")]
    for dragon in kept:
        game.state.players[0].trophies |= 1 << dragon
        game.state.dragons_beaten |= 1 << dragon
        game.state.dragons_left &= ~(1 << dragon)
    pass_turn(game)
    assert sources(game) == {"trophies": 3 * 2 + 3 + 5, "one_colour_sets": 7, "mixed_sets": 10}


@pytest.mark.parametrize(("before", "lost"), [(12, -5), (3, -3), (0, 0)])
def test_vp_lost_to_a_monk_are_below_0(before, lost):
    game = beside_a_monk()
    put_vp(game, before)
    load(game, "W1 W0 W0 W0")
    do(game, "move", f"step({BESIDE})")
    assert sources(game) == {name: vp for name, vp in (("unknown", before), ("monk_defeats", lost)) if vp}
    assert counted(game, 0, "knock_outs", "monk_fights") == {"knock_outs": {"monk": 1}, "monk_fights": {"fought": 1}}


# Fights


def beside_a_monk():
    game = table(scenario=4)
    lay_plain(game, "ring1.0", "ring1.1")
    game.state.monk[space(BESIDE)] = 1
    game.state.supply[Supply.MONK] -= 1
    return game


def test_a_fight_with_a_monk_that_is_won():
    game = beside_a_monk()
    load(game, "W0 W0 W0 W0")
    do(game, "move", f"step({BESIDE})")
    roll(game, "W1 W1 M1 M1")
    assert counted(game, 0) == {"monk_fights": {"fought": 1, "won": 1}}


def test_dragon_fights_begun_joined_and_won_by_colour():
    game = lair(players=3, weapon=FIRST)
    hurt(game, 5)
    enter_with(game, 1)
    roll(game, "W1 W1 M0 M0 M0")
    assert counted(game, 0) == {"vp": {"dragons": 5}, "fights_begun": {"blue": 1}, "fights_won": {"blue": 1}}
    assert counted(game, 1) == {"vp": {"dragons": 5}, "fights_joined": {"blue": 1}, "fights_won": {"blue": 1}}
    assert counted(game, 2) == {}


def test_fights_with_a_green_dragon_are_counted_as_green():
    game = lair("moss_fang", players=3)
    enter_with(game, 1)
    assert counted(game, 0)["fights_begun"] == {"green": 1}
    assert counted(game, 1)["fights_joined"] == {"green": 1}


def test_a_player_who_declines_to_join_is_not_counted():
    game = lair()
    put(game, 1, "start")
    enter(game)
    do(game, "no")
    assert counted(game, 1) == {}


def test_a_player_who_is_knocked_out_by_a_dragon_has_not_won():
    game = lair()
    enter(game, KILL)
    assert counted(game, 0) == {"fights_begun": {"blue": 1}, "knock_outs": {"dragon": 1}}


def test_a_dragon_that_comes_is_defended_against():
    game = table(scenario=2)
    lay_plain(game, "ring1.0", LAIR)
    put_dragon(game, LAIR, "rain_whelp")
    put(game, 0, BESIDE)
    put(game, 1, "temple0")
    put_gear(game, 0, weapon=FIRST)
    game.state.first_player = 1
    do(game, "move", "done", "move", "done", f"place({LAIR})", "place(ring1.0)")
    assert counted(game, 0) == {"fights_defended": {"blue": 1}}


def test_monks_that_are_sent_by_the_spot_they_came_from():
    game = lair()
    put_monks(game, 0, "pool", "weapon")
    enter(game)
    do(game, "monk(weapon)")
    assert counted(game, 0) == {"fights_begun": {"blue": 1}, "monks_sent": {"weapon": 1}}


def test_no_monk_is_counted_that_is_not_sent():
    game = lair()
    put_monks(game, 0, "pool")
    enter(game)
    load(game, "T0 T0 T0")
    do(game, "no")
    assert "monks_sent" not in counted(game, 0)


@pytest.mark.parametrize(("fight", "winner"), [(win, 0), (lose, 1)])
def test_duels_won_and_lost(fight, winner):
    game = meeting()
    fight(game)
    begun = {0: "begun", 1: "defended"}
    assert counted(game, winner) == {"duels": {begun[winner]: 1, "won": 1}}
    loser = 1 - winner
    assert counted(game, loser) == {"duels": {begun[loser]: 1, "lost": 1}, "knock_outs": {"duel": 1}}


def test_duels_given_up():
    game = meeting(weapons=("WWMM", ""))
    call_duel(game)
    blow(game, "W0", "W0", "M0", "M0")
    put_gear(game, 1, helmet=["TT"])
    do(game, "retreat")
    assert counted(game, 0) == {"duels": {"begun": 1, "won": 1}}
    assert counted(game, 1) == {"duels": {"defended": 1, "given_up": 1}}


def test_an_undecided_duel_is_neither_won_nor_lost():
    game = meeting(weapons=("WWM", "M"))
    put_gear(game, 1, helmet=["MM"])
    call_duel(game)
    blow(game, "W1*", "W0", "M0")
    do(game, "cell(weapon[0,0])", "cell(helmet[0,0])")
    assert game.phase == Phase.ACTION
    assert counted(game, 0) == {"duels": {"begun": 1}}
    assert counted(game, 1) == {"duels": {"defended": 1}}


def test_deaths_in_lava():
    game = final_table()
    number(game, 1, BESIDE)
    put(game, 0, BESIDE)
    pass_turn(game)
    assert game.phase == Phase.REBIRTH
    assert counted(game, 0) == {"knock_outs": {"lava": 1}}


def test_knock_outs_in_coop():
    game = coop_table(1)
    lay_plain(game, "ring1.0", LAIR)
    put_dragon(game, LAIR, "rain_whelp")
    put(game, 0, BESIDE)
    put_gear(game, 0, weapon=["W"], helmet=[])
    enter(game, KILL)
    assert game.state.players[0].lives_lost == 1
    assert counted(game, 0) == {"fights_begun": {"blue": 1}, "knock_outs": {"dragon": 1}}


# Crafts


def test_crafts_are_counted_by_gear():
    game = table()
    put_pack(game, 0, wood=2)
    do(game, "move", "done", "rest", "craft(weapon)", "add", "done")
    assert counted(game, 0) == {"crafts": {"weapon": 1}}


def test_crafts_are_counted_when_they_are_done():
    game = table()
    put_pack(game, 0, wood=2)
    do(game, "move", "done", "rest", "craft(helmet)", "add", "lay(wood, helmet[0,0])")
    assert counted(game, 0) == {}
    do(game, "done")
    assert counted(game, 0) == {"crafts": {"helmet": 1}}


# Leaving


def test_the_outcome_says_how_and_when_the_players_left():
    game = final_table(ROPE, players=3)
    game.state.round_number = 4
    put(game, 0, "start")
    pass_turn(game)
    assert game.state.players[0].left_round == 4
    while not game.over:
        pass_turn(game)
    assert game.outcome is not None
    first, *others = game.outcome.players
    assert (first.left, first.left_order, first.left_round) == ("palace", 1, 4)
    assert [(other.left, other.left_order, other.left_round) for other in others] == [(None, 0, 0)] * 2


# Where they can be read


def finished(seed=3, **rules):
    *_, last = play(Game(Rules(players=3, **rules), seed), seed)
    return last


def test_the_outcome_has_the_counters_of_the_game():
    game = finished()
    assert game.outcome is not None
    assert tuple(player.counts for player in game.outcome.players) == game.counts
    for player, vp in zip(game.outcome.players, game.outcome.scores, strict=True):
        assert sum(player.counts["vp"].values()) == vp
        assert player.counts.keys() == COUNTERS.keys()
    assert hash(game.outcome) == hash(game.clone().outcome)


def test_a_batch_tells_the_same_outcome():
    luck = np.random.default_rng(5)
    with BatchedGames(Rules(players=2, max_rounds=4), n=2, seed=5) as games:
        while not games.dones[0]:
            games.step([luck.choice(np.flatnonzero(mask)) for mask in games.masks])
        outcome, last = games.outcome(0), games.ended[0]
        crafts = last["counts"]["crafts"].sum(axis=1).tolist()
    assert outcome is not None
    assert [sum(player.counts["crafts"].values()) for player in outcome.players] == crafts[:2]


def test_they_lie_behind_all_that_steps_read():
    """Counters are at the end of the record, so that the data that a step reads stay close together."""
    assert (dtype_of(State).names or ())[-1:] == ("counts",)


def test_views_and_other_deals_keep_the_counters():
    game = finished()
    assert game.view(0).counts == game.view(2).counts == game.determinize(1, 7).counts == game.counts


def test_observations_do_not_show_them():
    game = finished()
    before = {name: values.copy() for name, values in game.observe(0).items()}, game.observe(0, "compact").copy()
    game.compiled.games["counts"]["crafts"] += 7
    after = game.observe(0), game.observe(0, "compact")
    assert all((before[0][name] == after[0][name]).all() for name in before[0])
    assert (before[1] == after[1]).all()


# Positions


def position(**player):
    return json.dumps({"version": 1, "players": [player, {}]})


def test_a_position_has_those_that_are_not_0_and_gives_them_back():
    game = finished()
    for player, written in enumerate(json.loads(game.to_json())["players"]):
        assert written["counts"] == counted(game, player)
    assert Game.from_json(game.to_json()).to_bytes() == game.to_bytes()
    assert "counts" not in fresh().to_json()


def test_vp_of_a_position_by_hand_are_of_an_unknown_source():
    game = Game.from_json(position(vp=4))
    assert sources(game) == {"unknown": 4}
    check(game)
    assert sources(Game.from_json(position(vp=4, counts={"crafts": {"helmet": 2}}))) == {"unknown": 4}


@pytest.mark.parametrize(
    ("player", "fault"),
    [
        ({"vp": 4, "counts": {"vp": {"tiles": 3}}}, "players[0].counts.vp: the sources add up to 3 VP, not to 4"),
        ({"counts": {"vp": {"tiles": 3}}}, "players[0].counts.vp: the sources add up to 3 VP, not to 0"),
        ({"vp": 1, "counts": {"vp": {"luck": 1}}}, "players[0].counts.vp: 'luck' is not one of unknown, tiles, "),
        ({"counts": {"luck": {}}}, "players[0].counts.luck: unknown key; there are vp, fights_begun, "),
        ({"counts": {"crafts": {"helmet": -1}}}, "players[0].counts.crafts: -1 is below 0"),
        ({"counts": {"crafts": {"helmet": "one"}}}, "players[0].counts.crafts: 'one' is not a whole number"),
        ({"counts": {"crafts": 3}}, "players[0].counts.crafts: 3 is not an object"),
        (
            {"vp": 2, "counts": {"vp": {"monk_defeats": 2}}},
            "players[0].counts.vp.monk_defeats: 2 is above 0, but VP are lost there (SCEN-42)",
        ),
        ({"left_round": 1}, "players[0].left_round: the player has not left by then (END-1)"),
    ],
)
def test_counters_that_do_not_fit_are_refused(player, fault):
    with pytest.raises(PositionError) as refused:
        Game.from_json(position(**player))
    assert refused.value.faults[0].startswith(fault)


def test_there_are_no_sources_of_vp_in_coop():
    text = '{"version": 1, "rules": {"players": 1, "mode": "coop"}, "players": [{"counts": {"vp": {"tiles": 1}}}]}'
    with pytest.raises(PositionError, match=r"players\[0\].counts.vp: there are no VP in co-op \(COOP-3\)"):
        Game.from_json(text)
