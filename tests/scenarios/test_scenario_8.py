"""SCEN-81 and SCEN-82: ronin."""

import json

import pytest

from fujikoro_env import Game
from fujikoro_env.rules.base.actions import plain_name
from fujikoro_env.rules.base.names import Marker, Outside, Reason
from fujikoro_env.rules.base.phases import Phase
from fujikoro_env.rules.map.geometry import geometry
from tests.helpers.coop_tables import bare, coop_table, finish_round
from tests.helpers.endgame import lava_tiles, number, own_blueprint, send_out, start_final
from tests.helpers.fights import load
from tests.helpers.gear import put_card
from tests.helpers.tables import (
    do,
    fresh,
    legal,
    put,
    put_dragon,
    put_gear,
    put_monks,
    put_scrolls,
    put_vp,
    refresh,
    space,
    where,
)

HERE = "ring1.0/petal3"
NEAR = [f"ring1.{k}/petal{petal}" for k in (0, 1) for petal in range(6)]


def touched(name):
    shape = geometry()
    return {shape.place_names[k] for k in shape.touched_places[space(name)] if k >= 0}


def ronin(vp=0, **rules):
    game = coop_table(1, scenario=8, **rules)
    put_vp(game, vp)
    return game


def score(game):
    do(game, "move", "bonus", "done")


def scoring(vp):
    game = ronin(vp)
    put_card(game, 0, "weapon", "move")
    refresh(game)
    return game


@pytest.mark.rule("SCEN-81")
def test_a_ronin_has_points_as_in_competition():
    game = ronin()
    assert game.scores == (0,)
    game = scoring(3)
    score(game)
    assert game.state.players[0].vp == 4
    assert game.scores == (4,)


@pytest.mark.rule("SCEN-81", "GEAR-5")
def test_the_weapon_card_gives_a_point_or_a_look():
    game = fresh(1, scenario=8)
    weapon = next(action for action in game.legal_actions() if plain_name(int(action)).startswith("card(weapon"))
    game.step(int(weapon))
    do(game, "move")
    assert (game.phase, legal(game)) == (Phase.CARD_BONUS, {"score", "look"})


@pytest.mark.rule("SCEN-81")
def test_the_rest_is_as_in_coop():
    game = ronin()
    assert game.rules.is_coop
    bare(game, "ring1.0", "ring1.1")
    put_dragon(game, "ring1.1")
    put(game, 0, HERE)
    finish_round(game)
    assert game.phase == Phase.DRAGON_ORDER  # COOP-8
    game = ronin()
    bare(game, "ring1.0")
    put_dragon(game, "ring1.0")
    game.state.dragons[0].marker = Marker.ASLEEP
    put_gear(game, 0, weapon=["WWMM"], helmet=[])
    load(game, "T2 T2")
    do(game, "move", f"step({HERE})")
    while game.phase in (Phase.WEAPON, Phase.DICE, Phase.BREAK, Phase.SEND_MONK):
        do(game, "roll" if "roll" in legal(game) else sorted(legal(game))[0])
    assert (where(game, 0), int(game.state.players[0].lives_lost)) == ("start", 1)  # COOP-13


@pytest.mark.rule("SCEN-81")
def test_its_only_clocks_are_the_final_chapter_and_the_round_cap():
    game = ronin(max_rounds=30)
    while not game.over:
        finish_round(game)
        assert (game.state.countdown, game.state.called) == (0, 0)
    assert (int(game.state.round_number), game.state.reason) == (30, Reason.LOST)


@pytest.mark.rule("SCEN-81")
def test_twenty_points_start_the_final_chapter_with_its_rope():
    game = scoring(18)
    bare(game, "ring1.0")
    number(game, 1, HERE)
    score(game)
    assert game.state.final_player == 0
    score(game)
    assert (int(game.state.final_player), int(game.state.countdown)) == (1, 1)
    assert lava_tiles(game) == {HERE}
    calls = game.rules.pack.countdown
    game.state.players[0].card_on[:] = 0
    put(game, 0, "temple0")
    refresh(game)
    while game.state.countdown <= calls.index("rope"):
        finish_round(game)
    assert game.state.rope


@pytest.mark.rule("SCEN-81", "COOP-14")
def test_dead_in_lava_costs_a_life():
    game = scoring(19)
    bare(game, "ring1.0")
    number(game, 1, HERE)
    put(game, 0, HERE)
    refresh(game)
    score(game)
    do(game, "rest", "done")
    assert game.phase == Phase.REBIRTH
    assert int(game.state.players[0].lives_lost) == 1


@pytest.mark.rule("SCEN-81", "ESC-1")
@pytest.mark.parametrize("always_open", [False, True])
def test_the_secret_exit_opens_with_the_final_chapter_or_by_option_is_always_open(always_open):
    game = ronin(5, exit_always_open=always_open)
    game.state.secret_exit = space("temple0")
    put(game, 0, "temple0")
    refresh(game)
    without = game.clone()
    without.state.secret_exit = 0
    assert (game.observe(0, "compact") != without.observe(0, "compact")).any() == always_open
    finish_round(game)
    assert game.state.players[0].outside == (Outside.FOOT if always_open else Outside.INSIDE)


def last_turn(vp, at="start", **out):
    """A game that ends with this turn, with the rope down."""
    game = ronin(vp)
    start_final(game, len(game.rules.pack.countdown) - 1)
    put(game, 0, at)
    if out:
        send_out(game, 0, **out)
    refresh(game)
    return game


@pytest.mark.rule("SCEN-82")
@pytest.mark.parametrize(("vp", "at", "reason"), [(50, "start", "won"), (49, "start", "lost"), (60, "temple0", "lost")])
def test_it_wins_with_fifty_points_and_an_escape_by_the_rope(vp, at, reason):
    game = last_turn(vp, at)
    put_monks(game, 0)
    refresh(game)
    finish_round(game)
    while not game.over:
        do(game, sorted(legal(game))[0])
    assert game.outcome is not None
    assert (game.outcome.reason, game.outcome.scores) == (reason, (vp,))
    assert game.outcome.winners == ((0,) if reason == "won" else ())


@pytest.mark.rule("SCEN-82", "SHOG-4")
def test_what_is_still_to_be_claimed_counts():
    game = last_turn(49)
    put_monks(game, 0, "pool")
    refresh(game)
    finish_round(game)
    while not game.over:
        do(game, "done")
    assert game.state.reason == Reason.WON


@pytest.mark.rule("SCEN-82")
def test_the_foot_of_the_mountain_is_not_the_rope():
    game = last_turn(60, "temple0")
    game.state.secret_exit = space("temple0")
    finish_round(game)
    while not game.over:
        do(game, "done")
    assert (game.state.players[0].outside, game.state.reason) == (Outside.FOOT, Reason.LOST)


@pytest.mark.rule("SCEN-81", "SHOG-1")
def test_outside_it_claims_a_bonus_each_turn():
    game = ronin(30)
    start_final(game, 5)
    game.state.rope = 1
    own_blueprint(game, 0, "helmet")
    put_monks(game, 0, "pool", "pack")
    put(game, 0, "start")
    refresh(game)
    finish_round(game)
    assert (game.phase, "claim(monk)" in legal(game)) == (Phase.CLAIM, True)
    do(game, "claim(monk)")
    assert game.phase == Phase.CLAIM  # its next turn


@pytest.mark.rule("SCEN-81")
def test_storytellers_tell_of_their_points_and_not_of_the_next_tile():
    game = ronin()
    bare(game, "ring1.0", "ring1.1")
    put_scrolls(game, 0, "storyteller")
    put(game, 0, next(name for name in NEAR if "ring2.0" in touched(name)))
    refresh(game)
    do(game, "explore", "place(ring2.0)", "turn(0)")
    assert int(game.state.players[0].vp) == 2
    assert list(game.state.top) == [0, 0, 0]


def test_positions_have_points_and_a_final_chapter():
    game = ronin(21)
    start_final(game, 1)
    refresh(game)
    position = json.loads(game.to_json())
    assert position["final"]["started_by"] == 0
    assert position["players"][0]["vp"] == 21
    position["players"][0]["vp"] = 3
    with pytest.raises(ValueError, match=r"FINAL-1"):
        Game.from_json(json.dumps(position))


def test_the_table_shows_points_and_lives():
    assert "7 VP, 2 lives" in str(ronin(7))
    assert "scenario 8: Ronin" in str(ronin(7))
    assert "final chapter at 20 VP" in str(ronin())
