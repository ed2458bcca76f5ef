"""FINAL and LAVA: the countdown, eruptions, and their results."""

import pytest

from fujikoro_env.rules.base.names import Supply, Terrain
from fujikoro_env.rules.base.phases import Phase
from tests.helpers.endgame import (
    BESIDE,
    BEYOND,
    ROPE,
    attack_dragon,
    final_table,
    lava_tiles,
    make_magic,
    number,
    own_blueprint,
    pass_turn,
    put_lava_tile,
    send_out,
    start_final,
    steps,
    strike,
)
from tests.helpers.fights import lair
from tests.helpers.gear import magic_of
from tests.helpers.tables import (
    do,
    explore,
    gear_of,
    give_turn,
    lay,
    legal,
    put,
    put_dragon,
    put_gear,
    put_lava,
    put_monks,
    put_scrolls,
    space,
    table,
    where,
)

TEMPLES = {"temple0", "temple1", "temple2"}


def final_player(game):
    return int(game.state.final_player) - 1


def erupting(*spaces, sandals="TTW", at=BESIDE, **setting):
    """A game in which number 1 is called when player 0, on the first of these spaces, ends its turn."""
    game = final_table(**setting)
    number(game, 1, at, *spaces)
    put(game, 0, at)
    put_gear(game, 0, sandals=[sandals])
    return game


def burnt(game):
    """End the turn of player 0 and pay as asked, two cubes of sandals at most."""
    pass_turn(game)
    while game.phase == Phase.PAY:
        do(game, min(legal(game)))


def won_fight(vp, active=0):
    """Players 0 and 1 beat a dragon together, which gives 5 VP each."""
    game = lair(players=3)
    game.state.players["vp"][:3] = vp
    other = 1 - active
    put(game, active, BESIDE)
    put(game, other, "start")
    put_gear(game, active, weapon=["WWMMM"])  # before the dragon
    game.state.dragons[0].damage = 5
    give_turn(game, active)
    attack_dragon(game, "W1", "W1", "M0", "M0", "M0")
    do(game, "step(ring1.1/petal4)")
    strike(game)
    while game.phase == Phase.TAKE:
        do(game, "done")
    return game


@pytest.mark.rule("FINAL-1")
@pytest.mark.parametrize(("vp", "starts"), [(28, False), (29, True), (40, True)])
def test_a_player_that_reaches_30_vp_starts_the_final_chapter(vp, starts):
    game = table()
    put(game, 0, "temple0")
    game.state.players[0].vp = vp
    assert final_player(game) == -1
    explore(game, "ring2.0", "basalt_stairs")
    assert final_player(game) == (0 if starts else -1)


@pytest.mark.rule("FINAL-1")
def test_the_mark_is_a_setting():
    game = table(final_at=2)
    put(game, 0, "temple0")
    explore(game, "ring3.1", "cloud_piercer")
    assert final_player(game) == 0


@pytest.mark.rule("FINAL-1")
def test_a_second_player_with_enough_vp_changes_nothing():
    game = final_table(starter=1)
    give_turn(game, 0)
    game.state.players[0].vp = 29
    put(game, 0, "temple0")
    explore(game, "ring2.0", "basalt_stairs")
    assert final_player(game) == 1


@pytest.mark.rule("FINAL-1")
@pytest.mark.parametrize("active", [0, 1])
def test_of_several_at_once_the_first_in_player_order_from_the_active(active):
    game = won_fight((27, 29, 0), active)
    assert game.scores == (32, 34, 0)
    assert final_player(game) == active


@pytest.mark.rule("FINAL-2")
def test_the_countdown_goes_on_whenever_its_player_ends_a_turn():
    game = table(players=3)
    game.state.players[0].vp = 29
    put(game, 0, "temple0")
    explore(game, "ring2.0", "basalt_stairs")
    entered = []
    for _ in range(7):
        entered.append(int(game.state.countdown))
        pass_turn(game)
    assert entered == [0, 1, 1, 1, 2, 2, 2]


@pytest.mark.rule("FINAL-2")
def test_it_goes_on_when_that_player_has_left():
    game = final_table(entered=4)
    send_out(game, 0)
    give_turn(game, 1)
    pass_turn(game)  # player 0 has nothing to claim, so its turn is over at once
    assert (game.actor, game.state.countdown) == (1, 5)


@pytest.mark.rule("FINAL-2")
def test_reached_on_anothers_turn_the_first_step_is_at_the_end_of_ones_own():
    game = won_fight((0, 25, 0))
    assert final_player(game) == 1
    pass_turn(game)
    assert (game.actor, game.state.countdown) == (1, 0)
    pass_turn(game)
    assert (game.actor, game.state.countdown) == (2, 1)


@pytest.mark.rule("FINAL-2")
def test_the_eighth_space_is_the_end():
    game = final_table(players=3)
    for entered in range(1, 8):
        for _ in range(3):
            pass_turn(game)
        assert (game.over, game.state.countdown) == (False, entered)
    pass_turn(game)
    assert game.outcome is not None
    assert game.outcome.reason == "countdown"
    assert game.state.countdown == 8


@pytest.mark.rule("FINAL-3")
def test_the_spaces_call_eruptions_the_rope_nothing_and_the_end():
    game = final_table()
    spaces = [f"ring1.0/petal{k}" for k in range(4)]
    for k, name in enumerate(spaces):
        number(game, k + 1, name)
    seen = []
    while not game.over:
        pass_turn(game)
        seen.append((len(lava_tiles(game)), int(game.state.rope)))
        pass_turn(game)
    assert seen == [(1, 0), (2, 0), (2, 1), (3, 1), (3, 1), (4, 1), (4, 1), (4, 1)]


@pytest.mark.rule("FINAL-3")
def test_all_spaces_with_the_number_turn_to_lava_and_no_others():
    game = final_table(entered=1)
    number(game, 2, BESIDE, "ring1.1/petal0")
    number(game, 1, "ring1.0/petal0")
    number(game, 3, "ring1.0/petal1")
    lava = game.state.supply[Supply.LAVA]
    pass_turn(game)
    assert lava_tiles(game) == {BESIDE, "ring1.1/petal0"}
    assert game.state.supply[Supply.LAVA] == lava - 2


@pytest.mark.rule("FINAL-3", "SETUP-10")
def test_without_lava_tiles_left_nothing_more_turns():
    game = final_table()
    number(game, 1, BESIDE, "ring1.1/petal0")
    game.state.supply[Supply.LAVA] = 1
    pass_turn(game)
    assert lava_tiles(game) == {BESIDE}
    assert game.state.supply[Supply.LAVA] == 0


@pytest.mark.rule("FINAL-3")
def test_a_space_that_is_lava_already_needs_no_tile():
    game = final_table()
    number(game, 1, BESIDE)
    put_lava(game, BESIDE)
    lava = game.state.supply[Supply.LAVA]
    pass_turn(game)
    assert (game.state.terrain[space(BESIDE)], game.state.supply[Supply.LAVA]) == (Terrain.LAVA, lava)


@pytest.mark.rule("GATH-4")
@pytest.mark.parametrize(("entered", "may"), [(ROPE - 1, True), (ROPE, False)])
def test_the_stock_of_the_start_tile_is_gone_once_the_rope_covers_it(entered, may):
    game = final_table(entered)
    put(game, 0, "start")
    assert ("gather" in legal(game)) == may
    put(game, 0, "temple0")
    do(game, "gather")
    assert "find(stock)" in legal(game)


@pytest.mark.rule("EXPL-8", "FINAL-3")
def test_numbers_stay_called():
    game = final_table()
    for _ in range(4):  # two eruptions
        pass_turn(game)
    put(game, 0, "start")
    explore(game, "ring1.2", "steaming_springs")
    assert lava_tiles(game) == {"ring1.2/petal2", "ring1.2/petal4"}


@pytest.mark.rule("EXPL-8")
def test_a_number_that_was_called_is_lava_at_once_on_a_new_tile():
    game = table()
    start_final(game, entered=1)
    lava = game.state.supply[Supply.LAVA]
    explore(game, "ring1.2", "steaming_springs")  # 1 on petal 4, 2 on petal 2
    assert lava_tiles(game) == {"ring1.2/petal4"}
    assert game.state.supply[Supply.LAVA] == lava - 1
    assert game.state.terrain[space("ring1.2/petal2")] == Terrain.GROUND


@pytest.mark.rule("LAVA-1")
def test_an_eruption_costs_5_damage_to_the_sandals():
    game = erupting()
    pass_turn(game)
    assert (game.phase, game.actor) == (Phase.PAY, 0)
    do(game, "cell(sandals[0,0])", "cell(sandals[0,1])")
    assert gear_of(game, 0, "sandals") == ["..W"]
    assert (game.phase, game.actor) == (Phase.FLEE, 0)


@pytest.mark.rule("LAVA-1")
@pytest.mark.parametrize(("sandals", "phase"), [("MT", Phase.FLEE), ("MM", Phase.REBIRTH), ("", Phase.REBIRTH)])
def test_sandals_of_5_bear_it_and_weaker_ones_do_not(sandals, phase):
    game = erupting(sandals=sandals)
    pass_turn(game)
    assert game.phase == phase


@pytest.mark.rule("LAVA-1")
def test_a_player_who_stands_elsewhere_pays_nothing():
    game = erupting()
    put(game, 0, "ring1.0/petal4")
    pass_turn(game)
    assert (game.actor, game.phase) == (1, Phase.ACTION)
    assert gear_of(game, 0, "sandals") == ["TTW"]


@pytest.mark.rule("LAVA-1")
def test_it_goes_to_an_adjacent_space_without_lava_of_its_choice():
    game = erupting()
    put_lava(game, "ring1.0/petal2")
    burnt(game)
    assert steps(game) == legal_names(game) == {"ring1.0/centre", "ring1.0/petal4", BEYOND, "start"}
    do(game, "step(ring1.0/petal4)")
    assert where(game, 0) == "ring1.0/petal4"
    assert (game.actor, game.phase) == (1, Phase.ACTION)


def legal_names(game):
    """Names of the legal actions, all of which must be steps, because nobody may stay."""
    return {name.removeprefix("step(").removesuffix(")") for name in legal(game)}


@pytest.mark.rule("LAVA-1")
def test_all_spaces_of_the_number_turn_before_anybody_goes():
    game = erupting("ring1.0/centre", "ring1.0/petal4")
    burnt(game)
    assert steps(game) == {"ring1.0/petal2", BEYOND, "start"}


@pytest.mark.rule("LAVA-1", "MAP-11")
def test_nobody_flees_to_a_full_space_a_dragons_tile_or_an_unexplored_place():
    game = erupting(players=3)
    put_dragon(game, "ring1.1")
    for p in (1, 2):
        put(game, p, "ring1.0/centre")
    burnt(game)
    assert steps(game) == {"ring1.0/petal2", "ring1.0/petal4", "start"}
    put(game, 2, "ring1.0/petal0")
    assert "ring1.0/centre" in steps(game)


@pytest.mark.rule("LAVA-1")
def test_there_is_no_duel_where_it_goes():
    game = erupting()
    put(game, 1, "ring1.0/centre")
    burnt(game)
    do(game, "step(ring1.0/centre)")
    assert (game.actor, game.phase) == (1, Phase.ACTION)


@pytest.mark.rule("LAVA-1")
def test_samurai_go_in_player_order_from_the_active():
    game = final_table(players=4, starter=2)
    number(game, 1, BESIDE, BEYOND)
    for p, name in ((0, BESIDE), (2, BESIDE), (3, BEYOND)):
        put(game, p, name)
        put_gear(game, p, sandals=["MT"])
    pass_turn(game)
    order = []
    while game.phase == Phase.FLEE:
        order.append(game.actor)
        do(game, "step(start)")
    assert order == [2, 3, 0]


@pytest.mark.rule("LAVA-1", "MAP-6")
def test_a_player_who_goes_later_finds_the_space_full():
    game = erupting(players=3, sandals="MT")
    for p in (1, 2):
        put(game, p, BESIDE)
        put_gear(game, p, sandals=["MT"])
    pass_turn(game)
    do(game, "step(ring1.0/centre)", "step(ring1.0/centre)")
    assert "ring1.0/centre" not in steps(game)
    do(game, "step(start)")
    assert [where(game, p) for p in range(3)] == ["ring1.0/centre", "ring1.0/centre", "start"]


@pytest.mark.rule("MAGIC-7")
def test_an_eruption_counts_as_an_actions_end():
    """A burnt magic cube goes to the supply, and from there to another player's matching gear."""
    game = erupting()
    make_magic(game, 0, "sandals")
    own_blueprint(game, 1, "helmet")
    put_gear(game, 1, helmet=["W.M.", "M.WM"])
    game.state.supply[Supply.MAGIC] = 0
    pass_turn(game)
    do(game, "magic(sandals)", "cell(sandals[0,0])")
    assert magic_of(game, 1) == {}
    do(game, "step(start)")
    assert (magic_of(game, 0), magic_of(game, 1)) == ({}, {"helmet": 1})


def ringed_by_lava():
    """Player 0 stands on a centre that erupts, with lava all around; its sandals bear 7, and 4 by magic."""
    game = erupting(at="ring1.0/centre")
    put_lava(game, *(f"ring1.0/petal{k}" for k in range(6)))
    make_magic(game, 0, "sandals")
    pass_turn(game)
    return game


@pytest.mark.rule("LAVA-2")
def test_with_lava_all_around_it_goes_over_lava_and_takes_5_more():
    game = ringed_by_lava()
    do(game, "magic(sandals)", "cell(sandals[0,0])")
    assert steps(game) == {f"ring1.0/petal{k}" for k in range(6)}
    do(game, f"step({BESIDE})")
    assert gear_of(game, 0, "sandals") == []
    assert steps(game) == {BEYOND, "start"}  # no lava while there is a space without


@pytest.mark.rule("LAVA-2", "LAVA-3")
def test_a_player_who_can_not_take_5_more_damage_dies_there_and_keeps_the_rest():
    game = ringed_by_lava()
    do(game, "cell(sandals[0,0])", "cell(sandals[0,1])", "step(ring1.0/petal0)")
    assert game.phase == Phase.REBIRTH
    do(game, "step(temple2)")
    assert gear_of(game, 0, "sandals") == ["..M"]


@pytest.mark.rule("LAVA-2", "MAP-6", "MAP-8")
def test_nobody_goes_over_lava_that_is_full_or_a_dragons():
    game = erupting(at="ring1.0/petal2", players=3)
    put_lava(game, *(f"ring1.0/{cell}" for cell in ("centre", "petal1", "petal3")), "ring1.1/petal0", BEYOND)
    put_dragon(game, "ring1.1")
    for p in (1, 2):
        put(game, p, "ring1.0/centre")
    burnt(game)
    assert steps(game) == {"ring1.0/petal1", "ring1.0/petal3"}


@pytest.mark.rule("LAVA-2")
def test_no_space_at_all_is_death():
    """A dragon has come to the tile: six samurai alone are too few to fill the spaces around one."""
    game = erupting(at="ring1.0/centre", sandals="MT")
    put_dragon(game, "ring1.0")
    pass_turn(game)
    assert (game.phase, game.actor) == (Phase.REBIRTH, 0)
    do(game, "step(temple0)")
    assert (game.actor, game.phase) == (1, Phase.ACTION)


@pytest.mark.rule("LAVA-3")
@pytest.mark.parametrize("temple", sorted(TEMPLES))
def test_a_player_who_dies_is_reborn_in_a_temple_of_its_choice_and_keeps_all_it_has(temple):
    game = erupting(sandals="MM")
    put_monks(game, 0, "pack")
    pass_turn(game)
    assert legal(game) == {f"step({name})" for name in TEMPLES}
    kept = game.clone().state.players[0]
    do(game, f"step({temple})")
    kept.at = space(temple)
    assert game.state.players[0].tobytes() == kept.tobytes()
    assert gear_of(game, 0, "sandals") == ["MM"]


@pytest.mark.rule("LAVA-3")
def test_a_player_who_was_unconscious_dies_and_is_reborn_conscious():
    game = final_table(players=3)
    number(game, 1, BESIDE)
    put(game, 2, BESIDE)
    put_gear(game, 2, sandals=["TTT"])
    game.state.players[2].unconscious = 1
    pass_turn(game)
    assert (game.phase, game.actor) == (Phase.REBIRTH, 2)
    do(game, "step(temple0)")
    assert (game.actor, game.state.players[2].unconscious) == (1, 0)
    assert gear_of(game, 2, "sandals") == ["TTT"]


@pytest.mark.rule("LAVA-4")
def test_what_lies_on_a_space_that_turns_to_lava_stays():
    game = final_table()
    lay(game, "ring1.2", "mossy_gate", squares=["driftwood"])
    kept = {name: game.state[name].tolist() for name in ("token", "face_up", "monk", "scroll", "adventure")}
    number(game, 1, *(f"ring1.2/petal{k}" for k in range(6)))
    pass_turn(game)
    assert len(lava_tiles(game)) == 6
    assert {name: game.state[name].tolist() for name in kept} == kept


@pytest.mark.rule("LAVA-4")
def test_what_lies_on_lava_can_be_reached_no_more_than_the_space():
    game = final_table()
    put(game, 0, "ring1.0/petal4")
    put_scrolls(game, 0, "far_reach")
    game.state.monk[space(BESIDE)] = 1
    assert "gather" in legal(game)
    put_lava_tile(game, BESIDE)
    assert "gather" not in legal(game)


@pytest.mark.rule("TURN-8")
def test_the_claim_comes_before_the_countdown():
    game = final_table(entered=4)
    put_monks(game, 0, "pack")
    send_out(game, 0)
    give_turn(game, 1)
    pass_turn(game)
    assert (game.phase, game.actor, game.state.countdown) == (Phase.CLAIM, 0, 4)
    do(game, "claim(monk)")
    assert (game.actor, game.state.countdown) == (1, 5)


@pytest.mark.rule("TURN-8")
def test_the_escape_comes_before_the_claim():
    game = final_table(entered=4)
    put_monks(game, 0, "pack")
    put(game, 0, "start")
    pass_turn(game)
    assert (game.phase, game.actor, game.state.countdown) == (Phase.CLAIM, 0, 4)


@pytest.mark.rule("TURN-8")
def test_the_escape_comes_before_the_countdown():
    """Therefore a rope that appears at the end of a turn takes nobody out in that turn."""
    game = final_table(entered=ROPE - 1)
    put(game, 0, "start")
    pass_turn(game)
    assert (game.state.rope, game.state.players[0].outside) == (1, 0)


@pytest.mark.rule("TURN-8", "FINAL-2")
def test_the_last_claim_is_made_before_the_end():
    game = final_table(entered=7)
    put_monks(game, 0, "pack")
    put(game, 0, "start")
    pass_turn(game)
    assert game.phase == Phase.CLAIM
    do(game, "claim(monk)")
    assert game.over
    assert game.scores == (6, 0)
