"""SCEN-51 to SCEN-53: survival of the fittest."""

import json

import pytest

from fujikoro_env import Game
from fujikoro_env.rules.base.names import Marker, Outside, Reason
from fujikoro_env.rules.base.phases import Phase
from tests.helpers.coop_tables import bare, coop_table, open_exit
from tests.helpers.endgame import final_table, make_magic, own_blueprint, pass_turn, send_out, start_final
from tests.helpers.tables import do, explore, legal, put, put_dragon, put_vp, refresh, space, table, where

EXIT = "ring1.0/petal0"


def final(players=2):
    """The final chapter with the rope down, a secret exit, no dragon, and player 0 on the start tile."""
    game = table(players, scenario=5)
    bare(game, "ring1.0")
    start_final(game)
    game.state.rope, game.state.secret_exit = 1, space(EXIT)
    put(game, 0, "start")
    return game


def tile_left(game, item):
    """A tile of level 1 that is still in the stack and shows this item; without a dragon if the item is empty."""
    tiles = [tile for tile in game.rules.pack.tiles if tile.level == 1]
    left = [tile for k, tile in enumerate(tiles) if int(game.state.tiles_left[0]) >> k & 1]
    fits = [tile for tile in left if item in items_of(tile)] if item else [t for t in left if not has_dragon(t)]
    return fits[0].id


def items_of(tile):
    return [str(cell.item) for cell in tile.spaces]


def has_dragon(tile):
    return any(item.startswith("dragon") for item in items_of(tile))


def outside(game):
    return [int(me.outside) for me in game.state.players[: game.rules.players]]


@pytest.mark.rule("SCEN-51")
@pytest.mark.parametrize("way", ["start", EXIT])
@pytest.mark.parametrize("barred", [True, False])
def test_nobody_escapes_while_a_dragon_that_was_found_lives(way, barred):
    game = final()
    put(game, 0, way)
    if barred:
        put_dragon(game, "ring1.1")
    pass_turn(game)
    assert bool(outside(game)[0]) != barred


@pytest.mark.rule("SCEN-51")
def test_without_the_scenario_dragons_bar_nobody():
    game = final_table()
    game.state.rope = 1
    put(game, 0, "start")
    put_dragon(game, "ring1.1")
    pass_turn(game)
    assert outside(game)[0] == Outside.PALACE


@pytest.mark.rule("SCEN-52")
def test_those_outside_come_back_the_way_they_went_when_another_is_found():
    game = final(4)
    for player, way in ((1, Outside.PALACE), (2, Outside.PALACE), (3, Outside.FOOT)):
        send_out(game, player, way)
    game.state.players[1].claimed[3] = 1
    explore(game, "ring1.2", tile_left(game, "dragon blue"))
    assert outside(game) == [0, 0, 0, 0]
    assert [where(game, player) for player in (1, 2, 3)] == ["start", "start", EXIT]
    assert game.state.players[1].claimed[3] == 1  # what was scored stays
    assert (int(game.state.escaped), max(int(me.left_volcano) for me in game.state.players)) == (0, 0)
    assert not game.state.players["left_round"].any()
    pass_turn(game)
    assert (game.actor, "move" in legal(game)) == (1, True)  # and they have turns again


@pytest.mark.rule("SCEN-52", "MAP-11")
def test_without_room_at_the_secret_exit_they_come_back_to_the_start():
    game = final(4)
    for player in (1, 2, 3):
        send_out(game, player, Outside.FOOT)
    explore(game, "ring1.2", tile_left(game, "dragon blue"))
    assert [where(game, player) for player in (1, 2, 3)] == [EXIT, EXIT, "start"]


@pytest.mark.rule("SCEN-52")
def test_a_tile_without_a_dragon_brings_nobody_back():
    game = final()
    send_out(game, 1)
    explore(game, "ring1.2", tile_left(game, ""))
    assert outside(game) == [0, Outside.PALACE]


def ready_to_leave(players=1):
    """In co-op, with all gear, on the open exit."""
    game = coop_table(players, scenario=5)
    bare(game, "ring1.0")
    open_exit(game, "temple0")
    for gear in ("helmet", "weapon", "sandals"):
        own_blueprint(game, 0, gear)
    make_magic(game, 0, "helmet", "weapon", "sandals")
    refresh(game)
    return game


@pytest.mark.rule("SCEN-53", "COOP-1")
def test_in_coop_the_exit_opens_when_all_dragons_that_were_found_are_beaten():
    game = ready_to_leave()
    put_dragon(game, "ring1.0")
    game.state.dragons[0].marker = Marker.ASLEEP
    do(game, "move", "done", "move", "done")
    assert game.phase == Phase.ACTION  # of the next round
    game.state.dragon_at[:] = 0
    game.state.dragons[0].place = game.state.dragons[0].marker = 0
    do(game, "move", "done", "rest", "done")
    assert game.phase == Phase.LEAVE
    do(game, "yes")
    assert game.state.reason == Reason.WON


@pytest.mark.rule("SCEN-53", "COOP-21")
def test_in_coop_it_does_not_open_while_the_legendary_dragon_is_not_even_found():
    game = ready_to_leave()
    game.state.dragons_beaten = 0
    do(game, "move", "done", "move", "done")
    assert game.phase == Phase.ACTION


@pytest.mark.rule("SCEN-52")
def test_in_coop_too_those_outside_come_back():
    game = ready_to_leave(2)
    put(game, 1, "start")
    do(game, "move", "done", "move", "done", "yes")
    assert outside(game) == [Outside.FOOT, 0]
    explore(game, "ring1.2", tile_left(game, "dragon blue"))
    assert (outside(game), where(game, 0)) == ([0, 0], "temple0")


def test_positions_know_that_nobody_is_outside_then():
    game = table(2, scenario=5)
    put_vp(game, 30)
    game.state.final_player = 1
    send_out(game, 1)
    refresh(game)
    position = json.loads(game.to_json())
    assert Game.from_json(json.dumps(position)).to_bytes() == game.to_bytes()
    position["places"] = {"ring1.0": {"tile": tile_left(game, "dragon blue"), "turn": 0}}
    position["dragons"] = {"rain_whelp": {"place": "ring1.0"}}
    with pytest.raises(ValueError, match=r"nobody is outside while a dragon that was found lives \(SCEN-51\)"):
        Game.from_json(json.dumps(position))
