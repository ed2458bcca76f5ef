"""SCEN-61 and SCEN-62: tame the beast."""

import json

import pytest

from fujikoro_env import Game, Rules
from fujikoro_env.rules.base.names import Marker, Reason
from fujikoro_env.rules.base.phases import Phase
from fujikoro_env.rules.map.geometry import START_PLACE
from tests.helpers.coop_tables import bare, coop_table, finish_round
from tests.helpers.fights import load
from tests.helpers.tables import (
    do,
    legal,
    neighbours,
    put,
    put_dragon,
    put_gear,
    put_lava,
    put_monks,
    put_scrolls,
    refresh,
    space,
    where,
)

HERE, FAR = "ring1.0/petal3", "ring1.0/petal0"  # beside the start, and not
BEAST = "lord_of_fuji"


def hunt(players=2, at="start", dragon_on="ring1.0", health=60, dragon=BEAST, **rules):
    """A dragon (the legendary one, with this health left) on a bare tile beside the start, or on the start tile."""
    game = coop_table(players, scenario=6, **rules)
    bare(game, "ring1.0", "ring1.1")
    put_dragon(game, dragon_on, dragon)
    number = [each.id for each in game.rules.pack.dragons].index(dragon)
    full = game.rules.pack.dragons[number].health[{1: 2, 2: 1}.get(players, 0)]
    game.state.dragons[number].damage = max(0, full - health)
    for player in range(players):
        put(game, player, at)
        put_gear(game, player, weapon=["WWMM"], helmet=["TTTT", "TTTT"])
    refresh(game)
    return game


def on_start(game):
    return int(game.state.dragon_at[START_PLACE])


def go_home(game):
    """All rest, and the dragon goes to the start tile."""
    finish_round(game)
    do(game, "place(ring1.0)", "place(start)")


@pytest.mark.rule("SCEN-61")
@pytest.mark.parametrize(("players", "full"), [(1, 14), (2, 10), (6, 10)])
@pytest.mark.parametrize("tokens", [True, False])
def test_the_countdown_begins_at_ten_or_fourteen(players, full, tokens):
    rules = Rules(players=players, scenario=6, adventure_tokens=tokens)
    assert (rules.full_rounds, rules.max_rounds) == (full, full + 8)
    game = coop_table(players, scenario=6, adventure_tokens=tokens)
    for _ in range(full):
        assert game.state.countdown == 0
        finish_round(game)
    assert game.state.countdown == 1


@pytest.mark.rule("SCEN-61")
def test_the_start_tile_is_not_safe():
    game = hunt()
    go_home(game)
    assert on_start(game)
    assert game.phase in (Phase.WEAPON, Phase.DICE, Phase.JOIN, Phase.PAY)
    assert game.state.fight.came == 1
    assert [int(fighter.inside) for fighter in game.state.fight.fighters[:2]] == [1, 1]


@pytest.mark.rule("SCEN-61")
def test_without_the_scenario_it_is():
    game = coop_table(2)
    bare(game, "ring1.0", "ring1.1")
    put_dragon(game, "ring1.0")
    finish_round(game)
    assert game.phase == Phase.ACTION  # nobody is visible, nobody moves
    assert not on_start(game)


@pytest.mark.rule("SCEN-61")
def test_temples_and_bridges_stay_safe():
    game = hunt(at="temple0")
    finish_round(game)
    assert game.phase == Phase.ACTION


@pytest.mark.rule("SCEN-61", "MAP-8")
def test_a_player_who_steps_onto_the_start_tile_fights_the_dragon_there():
    game = hunt(at=HERE, dragon_on="start")
    do(game, "move")
    assert "step(start)" in legal(game)
    do(game, "step(start)")
    assert game.state.fight.dragon == on_start(game)


@pytest.mark.rule("SCEN-61", "MAP-11")
def test_a_fallen_samurai_goes_to_a_temple_if_the_dragon_holds_the_start_tile():
    game = hunt(players=1, at=HERE, dragon_on="start", dragon="rain_whelp")
    put_gear(game, 0, weapon=["WWMM"], helmet=[])
    load(game, "T2 T2")
    do(game, "move", "step(start)")
    while game.phase not in (Phase.REBIRTH, Phase.ACTION):
        do(game, "roll" if "roll" in legal(game) else sorted(legal(game))[0])
    assert game.phase == Phase.REBIRTH
    assert legal(game) == {f"step(temple{k})" for k in range(3)}
    do(game, "step(temple1)")
    assert (where(game, 0), int(game.state.players[0].lives_lost)) == ("temple1", 1)


@pytest.mark.rule("SCEN-61")
def test_a_defender_retreats_from_the_start_tile_to_a_space_beside_it():
    game = hunt(players=1, dragon="rain_whelp")
    put_gear(game, 0, weapon=[], helmet=["TTTT", "TTTT"])
    go_home(game)
    while game.phase != Phase.RETREAT:
        do(game, sorted(legal(game))[0])
    do(game, "retreat")
    assert game.phase == Phase.RETREAT_TO
    beside = {name for name in neighbours("start") if name.startswith(("ring1.0", "ring1.1"))}
    assert legal(game) == {f"step({name})" for name in beside}


@pytest.mark.rule("SCEN-61")
def test_a_dragon_on_the_start_tile_goes_on():
    game = hunt(players=1, at=FAR, dragon_on="start", dragon="rain_whelp")
    finish_round(game)
    assert legal(game) == {"place(start)"}
    do(game, "place(start)", "place(ring1.0)")
    assert not on_start(game)
    assert game.state.fight.came == 1


@pytest.mark.rule("SCEN-61")
def test_powers_reach_a_dragon_on_the_start_tile():
    game = hunt(players=1, at=HERE, dragon_on="start")
    put_scrolls(game, 0, "dragon_bane")
    refresh(game)
    do(game, "use(dragon_bane)")
    if game.phase == Phase.DRAGON_TARGET:
        do(game, "place(start)")
    number = on_start(game) - 1
    assert game.state.dragons[number].damage > 0


def strike(game, dice):
    """The samurai's next roll."""
    while game.phase not in (Phase.WEAPON, Phase.DICE):
        do(game, sorted(legal(game))[0])
    load(game, dice)
    if game.phase == Phase.WEAPON:
        do(game, "weapon(left)")
    do(game, "roll")


@pytest.mark.rule("SCEN-62")
@pytest.mark.parametrize(("health", "reason"), [(12, Reason.WON), (13, Reason.PLAYING)])
def test_ten_health_or_less_on_the_start_tile_wins(health, reason):
    game = hunt(players=1, at=HERE, dragon_on="start", health=health)
    put_gear(game, 0, weapon=["WWMM"], helmet=["TTTT", "TTTT"])
    load(game, " ".join(["T1"] * 4))
    do(game, "move", "step(start)")
    strike(game, "W1 W1 M0 M0")
    assert game.state.reason == reason


@pytest.mark.rule("SCEN-62")
def test_it_is_tamed_by_the_roll_and_no_second_weapon_goes_on():
    game = hunt(players=1, at=HERE, dragon_on="start", health=12)
    put_monks(game, 0, "weapon")
    put_gear(game, 0, weapon=["WWM...WWM."], helmet=["TTTT", "TTTT"])
    load(game, "T0 T0 T0 T0")
    do(game, "move", "step(start)")
    strike(game, "W1 W1 M0")
    assert game.state.reason == Reason.WON


@pytest.mark.rule("SCEN-62")
def test_one_that_has_ten_health_is_tame_when_its_fight_on_the_start_tile_begins():
    game = hunt(players=1, at=HERE, dragon_on="start", health=10)
    do(game, "move", "step(start)")
    assert game.state.reason == Reason.WON


@pytest.mark.rule("SCEN-61", "MAP-11")
def test_a_player_who_has_no_way_back_but_a_start_tile_that_a_dragon_holds_goes_to_a_temple():
    game = hunt(players=1, at=HERE, dragon_on="start")
    put_dragon(game, "ring1.1", "rain_whelp")
    put_gear(game, 0, weapon=[], helmet=["TTTT", "TTTT"])
    beside = next(name for name in neighbours(HERE) if name.startswith("ring1.1"))
    do(game, "move", f"step({beside})")
    put_lava(game, HERE)  # so that it can't go back there
    while game.phase != Phase.RETREAT:
        do(game, min(legal(game)))
    do(game, "retreat")
    assert (game.phase, legal(game)) == (Phase.REBIRTH, {f"step(temple{k})" for k in range(3)})
    do(game, "step(temple2)")
    assert where(game, 0) == "temple2"


@pytest.mark.rule("SCEN-61", "DRAG-7")
def test_after_30_rounds_a_defender_without_a_free_space_goes_to_a_temple():
    game = hunt(players=1, dragon="rain_whelp")
    put_gear(game, 0, weapon=["WW"], helmet=["TTTT", "TTTT"])
    go_home(game)
    for name in neighbours("start"):
        game.state.terrain[space(name)] = 0
    game.state.fight.rounds = 29
    while game.phase != Phase.REBIRTH:
        if game.phase == Phase.DICE:
            load(game, "W0 W0")
            do(game, "roll")
            load(game, "T0 T0")
        else:
            do(game, min(legal(game)))
    assert legal(game) == {f"step(temple{k})" for k in range(3)}


@pytest.mark.rule("SCEN-61", "MAP-8")
def test_no_second_dragon_comes_to_the_start_tile():
    game = hunt(players=1, at=FAR, dragon_on="start", dragon="rain_whelp")
    put(game, 0, "temple0")
    bare(game, "ring1.2")
    put_dragon(game, "ring1.2", "tide_whelp")
    put(game, 0, FAR)
    finish_round(game)
    do(game, "place(ring1.2)")
    assert "place(start)" not in legal(game)


@pytest.mark.rule("SCEN-62")
def test_elsewhere_it_does_not():
    game = hunt(players=1, at="start", dragon_on="ring1.0", health=11)
    do(game, "move", f"step({HERE})")
    strike(game, "W1 W1 M0 M0")
    assert game.state.reason == Reason.PLAYING


@pytest.mark.rule("SCEN-62")
@pytest.mark.parametrize("dragon_on", ["start", "ring1.0"])
def test_killing_it_loses(dragon_on):
    game = hunt(players=1, at=HERE if dragon_on == "start" else "start", dragon_on=dragon_on, health=11)
    put_gear(game, 0, weapon=["WWWWM", "MMMMM"], helmet=["TTTT", "TTTT"])
    load(game, "T0 T0 T0 T0")
    do(game, "move", f"step({'start' if dragon_on == 'start' else HERE})")
    strike(game, "W1 W1 W1 W1 M2 M2 M2 M2 M2 M2")
    assert game.state.reason == Reason.LOST


@pytest.mark.rule("SCEN-62")
def test_other_dragons_are_beaten_as_usual():
    game = hunt(players=1, at=HERE, dragon_on="start", dragon="rain_whelp", health=2)
    do(game, "move", "step(start)")
    strike(game, "W1 W1 M0 M0")
    assert (game.state.reason, on_start(game)) == (Reason.PLAYING, 0)


def test_text_and_picture_show_a_dragon_on_the_start_tile():
    game = hunt(players=2, at=HERE, dragon_on="start")
    assert "=   Dw  =" in str(game)
    assert "lord_of_fuji" in game._repr_svg_()
    assert ">start</text>" not in game._repr_svg_()


def test_positions_know_a_dragon_on_the_start_tile():
    game = hunt(players=2, at=HERE, dragon_on="start", dragon="rain_whelp")
    game.state.dragons[0].marker = Marker.ASLEEP
    refresh(game)
    position = json.loads(game.to_json())
    assert position["dragons"]["rain_whelp"]["place"] == "start"
    position["rules"].pop("scenario")
    with pytest.raises(ValueError, match=r"the start tile is safe \(COOP-10\)"):
        Game.from_json(json.dumps(position))
