"""COOP-2, COOP-8 to COOP-12, COOP-20: rounds, and dragons that move."""

import numpy as np
import pytest

from fujikoro_env.kernel.jit import INTERPRETED
from fujikoro_env.rules.base.names import Marker, Outside
from fujikoro_env.rules.base.phases import Phase
from fujikoro_env.rules.map.geometry import PLACES, geometry, tile_distance
from tests.helpers.coop_tables import bare, coop_table, dragon_comes, finish_round, marker_of, reason, set_round
from tests.helpers.endgame import lava_tiles, number, send_out
from tests.helpers.fights import dragon_in, fighting, load, order_of
from tests.helpers.invariants import check
from tests.helpers.tables import do, lay, legal, place, put, put_dragon, put_gear, put_lava, refresh, space, where

TAMING = "tame_the_beast"  # there the start tile is not safe
HERE, THERE = "ring1.0/petal3", "ring1.1/petal5"  # beside the start and each other


# Rounds


@pytest.mark.rule("COOP-2", "COOP-20")
def test_after_the_full_rounds_each_round_enters_a_final_space():
    game = coop_table(2, adventure_tokens=False)
    bare(game, "ring1.0")
    number(game, 1, HERE)
    set_round(game, 19)
    finish_round(game)
    assert (game.state.round_number, game.state.countdown, game.state.called) == (20, 0, 0)
    finish_round(game)
    assert (game.state.round_number, game.state.countdown, game.state.called) == (21, 1, 0b10)
    assert lava_tiles(game) == {HERE}
    finish_round(game)
    assert (game.state.countdown, game.state.called) == (2, 0b10)  # a space that calls nothing


@pytest.mark.rule("COOP-2")
@pytest.mark.parametrize(("players", "tokens", "full"), [(1, False, 25), (1, True, 23), (3, False, 20), (3, True, 18)])
def test_the_first_final_round_comes_after_the_full_ones(players, tokens, full):
    game = coop_table(players, adventure_tokens=tokens)
    set_round(game, full - 1)
    finish_round(game)
    assert (game.state.round_number, game.state.countdown) == (full, 0)
    finish_round(game)
    assert (game.state.round_number, game.state.countdown) == (full + 1, 1)


@pytest.mark.rule("COOP-2")
def test_the_countdown_does_not_move_before_the_first_round():
    assert coop_table(2).state.countdown == 0


@pytest.mark.rule("COOP-2")
@pytest.mark.parametrize(("players", "tokens", "full"), [(1, False, 25), (1, True, 23), (3, False, 20), (3, True, 18)])
def test_the_game_is_lost_when_the_eighth_final_round_ends(players, tokens, full):
    game = coop_table(players, adventure_tokens=tokens)
    set_round(game, full + 7)
    finish_round(game)
    assert game.state.countdown == 8
    assert not game.over  # the eighth final round is played
    finish_round(game)
    assert reason(game) == "lost"
    assert game.state.round_number == full + 8
    check(game)


@pytest.mark.rule("END-2")
def test_the_round_cap_loses():
    game = coop_table(2, max_rounds=3)
    set_round(game, 3)
    finish_round(game)
    assert reason(game) == "lost"


@pytest.mark.rule("COOP-20", "LAVA-1")
def test_eruptions_are_those_of_the_final_chapter():
    game = coop_table(2, adventure_tokens=False)
    bare(game, "ring1.0")
    number(game, 1, HERE)
    put(game, 1, HERE)
    put_gear(game, 1, sandals=["MMM"])
    set_round(game, 20)
    finish_round(game)
    assert (game.phase, game.actor) == (Phase.PAY, 1)
    do(game, "cell(sandals[0,0])", "cell(sandals[0,1])", "cell(sandals[0,2])", "step(start)")
    assert game.state.players[1].lives_lost == 0


# Waking


@pytest.mark.rule("COOP-8")
def test_a_dragon_first_moves_two_rounds_after_it_was_found():
    game = coop_table(2)
    lay(game, "ring1.1", "azure_burrow")
    bare(game, "ring1.0", "ring1.2")
    put(game, 0, HERE)
    assert marker_of(game, "ring1.1") == Marker.ASLEEP
    finish_round(game)
    assert marker_of(game, "ring1.1") == Marker.AWAKE
    assert game.phase == Phase.ACTION
    finish_round(game)
    assert marker_of(game, "ring1.1") == Marker.NONE
    assert (game.phase, legal(game)) == (Phase.DRAGON_ORDER, {"place(ring1.1)"})


@pytest.mark.rule("COOP-8")
def test_a_dragon_without_a_marker_moves_every_round():
    game = coop_table(2)
    bare(game, "ring1.0", "ring1.1", "ring1.2", "ring1.3", "ring1.4")
    put_dragon(game, "ring1.4")
    put(game, 0, HERE)
    for there in ("ring1.3", "ring1.2"):
        finish_round(game)
        do(game, f"place({there[:-1]}{int(there[-1]) + 1})", f"place({there})")
        assert dragon_in(game, there)


# Targets and ways


@pytest.mark.rule("COOP-9")
def test_safe_samurai_are_invisible():
    game = coop_table(2)
    bare(game, "ring1.0", "ring1.1")
    put_dragon(game, "ring1.1")
    finish_round(game)  # both on the start tile
    assert game.phase == Phase.ACTION
    assert dragon_in(game, "ring1.1")


@pytest.mark.rule("COOP-9", "COOP-21")
def test_a_player_who_has_left_is_no_target():
    game = coop_table(2)
    bare(game, "ring1.0", "ring1.1")
    put_dragon(game, "ring1.1")
    send_out(game, 1, Outside.FOOT)
    game.state.players[1].at = space(HERE)
    finish_round(game)
    assert game.phase == Phase.ACTION


@pytest.mark.rule("COOP-9")
def test_the_nearest_samurai_is_nearest_as_the_crow_flies():
    """As the crow flies, player 1 is 2 tiles away and player 0 is 3. So the dragon approaches player 1, although the
    way there is longer."""
    game = coop_table(2)
    bare(game, "ring1.0", "ring1.1", "ring1.2", "ring1.3", "ring1.4", "ring1.5", "ring2.6")
    put_dragon(game, "ring1.0")
    put(game, 0, "ring2.6/centre")  # beyond ring1.3, opposite the dragon
    put(game, 1, "ring1.2/centre")
    finish_round(game)
    do(game, "place(ring1.0)")
    assert legal(game) == {"place(ring1.1)"}


@pytest.mark.rule("COOP-10")
def test_it_goes_around_safe_tiles_and_other_dragons():
    game = coop_table(2)
    bare(game, "ring1.0", "ring1.1", "ring1.2", "ring1.3", "ring1.4", "ring1.5")
    put_dragon(game, "ring1.0")
    put_dragon(game, "ring1.1", "tide_whelp")
    game.state.dragons[1].marker = Marker.ASLEEP
    put(game, 0, "ring1.2/centre")
    finish_round(game)
    do(game, "place(ring1.0)")
    assert legal(game) == {"place(ring1.5)"}


@pytest.mark.rule("COOP-10")
def test_without_a_way_it_steps_nearer_as_the_crow_flies():
    game = coop_table(2)
    bare(game, "ring1.0", "ring1.1", "ring2.0", "ring2.1", "ring1.3")
    put_dragon(game, "ring2.1")
    put(game, 0, "ring1.3/centre")  # beyond the start; ring1.2 and ring1.4 are not explored
    finish_round(game)
    do(game, "place(ring2.1)")
    assert legal(game) == {"place(ring1.0)", "place(ring1.1)"}


@pytest.mark.rule("COOP-10")
def test_it_stays_if_no_step_is_nearer():
    game = coop_table(2)
    bare(game, "ring1.0", "ring1.1", "ring1.3")
    put_dragon(game, "ring1.1")
    put(game, 0, "ring1.3/centre")  # ring1.0 is farther than ring1.1
    finish_round(game)
    do(game, "place(ring1.1)")
    assert game.phase == Phase.ACTION
    assert dragon_in(game, "ring1.1")


def random_map(luck, scenario=None):
    """A random table of tiles, dragons and samurai at the moment when a dragon is chosen."""
    players = int(luck.integers(1, 7))
    game = coop_table(players, scenario=scenario)
    state = game.state
    explored = luck.random(PLACES) < luck.uniform(0.3, 1.0)
    state.tile[:] = explored
    state.terrain[1:211] = np.repeat(explored, 7)
    tiles = np.flatnonzero(explored)
    if len(tiles) < 3:
        return random_map(luck, scenario)
    if game.rules.scenario == TAMING:
        tiles = np.append(tiles, PLACES)
    lairs = luck.permutation(tiles)[: luck.integers(1, min(len(tiles) - 1, 8))]
    for dragon, lair in enumerate(lairs):
        state.dragons[dragon].place, state.dragon_at[lair] = lair + 1, dragon + 1
    free = [k for k in range(220) if state.terrain[k] == 1 and not dragon_of(state, k)]
    for player in range(players):
        state.players[player].at = luck.choice(free)
    first = 0 if game.rules.scenario == TAMING else 1
    if not any(first <= state.players[p].at < 211 for p in range(players)):
        return random_map(luck, scenario)
    state.stack[1].phase, state.stack[1].stage, state.stack[1].chosen = Phase.ROUND, 2, 1
    state.stack[1].actor, state.stack[2].phase, state.stack[2].actor = 0, Phase.DRAGON_ORDER, 0
    state.depth = 3
    refresh(game)
    return game


def dragon_of(state, space_number):
    lair = int(geometry().place_of[space_number])
    return lair >= 0 and state.dragon_at[lair]


def slow_ways(game):
    """Moves of a dragon by the letter of COOP-9, COOP-10 and SCEN-61: tries all ways, slowly."""
    state, centres = game.state, geometry().place_centres
    tiles = {k for k in range(PLACES) if state.tile[k]} | ({PLACES} if game.rules.scenario == TAMING else set())
    on_map = set(tiles)
    tiles = {k for k in tiles if not state.dragon_at[k] or state.dragon_at[k] == 1}
    lair = int(state.dragons[0].place) - 1

    def apart(a, b):
        return tile_distance(centres[a], centres[b])

    def distance_over_tiles(a, b):
        seen, edge, steps = {a}, {a}, 0
        while edge and b not in edge:
            edge = {k for k in tiles - seen for other in edge if apart(k, other) == 1}
            seen |= edge
            steps += 1
        return steps if edge else None

    standing = [int(geometry().place_of[me.at]) for me in state.players[: game.rules.players]]
    targets = {k for k in standing if k in on_map}
    nearest = min(apart(lair, k) for k in targets)
    steps = [k for k in tiles if apart(lair, k) == 1]
    found = set()
    for target in targets:
        if apart(lair, target) != nearest:
            continue
        whole = distance_over_tiles(lair, target)
        if whole is not None:
            found |= {k for k in steps if distance_over_tiles(k, target) == whole - 1}
        else:
            found |= {k for k in steps if apart(k, target) < nearest}
    return found


@pytest.mark.rule("COOP-9", "COOP-10", "COOP-11", "SCEN-61")
@pytest.mark.parametrize("scenario", [None, TAMING])
def test_ways_are_those_of_a_slow_search_on_random_maps(scenario):
    luck, moved, forks = np.random.default_rng(7), 0, 0
    maps = 40 if INTERPRETED else 150
    for _ in range(maps):
        game = random_map(luck, scenario)
        lair = geometry().place_names[int(game.state.dragons[0].place) - 1]
        wanted = {f"place({geometry().place_names[k]})" for k in slow_ways(game)}
        assert legal(game) == {f"place({lair})"}
        do(game, f"place({lair})")
        found = legal(game) if game.phase == Phase.DRAGON_WAY else set()
        assert found == wanted
        moved += bool(wanted)
        forks += len(wanted) > 1
    assert 0 < forks < moved < maps


@pytest.mark.rule("COOP-11")
def test_the_first_player_still_inside_chooses_for_the_group():
    game = coop_table(3)
    bare(game, "ring1.0", "ring1.1", "ring1.2", "ring1.3")
    put_dragon(game, "ring1.2")
    put_dragon(game, "ring1.3", "tide_whelp")
    put(game, 2, HERE)
    finish = game.clone()
    finish_round(finish)
    assert (finish.phase, finish.actor, legal(finish)) == (Phase.DRAGON_ORDER, 0, {"place(ring1.2)", "place(ring1.3)"})
    send_out(game, 0, Outside.FOOT)
    game.state.active = game.state.stack[1].actor = 1
    finish_round(game)
    assert (game.phase, game.actor) == (Phase.DRAGON_ORDER, 1)
    do(game, "place(ring1.2)")
    assert (game.phase, game.actor) == (Phase.DRAGON_WAY, 1)


@pytest.mark.rule("COOP-11")
def test_the_order_of_dragons_matters():
    """The second dragon can follow only when the first has moved away."""
    game = coop_table(2)
    bare(game, "ring2.0", "ring1.0", "ring1.1", "ring1.2", "ring1.3")
    put_dragon(game, "ring1.0")
    put_dragon(game, "ring2.0", "tide_whelp")
    put(game, 0, "ring1.3/centre")
    late = game.clone()
    finish_round(game)
    do(game, "place(ring1.0)", "place(ring1.1)", "place(ring2.0)", "place(ring1.0)")
    assert (dragon_in(game, "ring1.1"), dragon_in(game, "ring1.0")) == ("rain_whelp", "tide_whelp")
    finish_round(late)
    do(late, "place(ring2.0)", "place(ring1.0)", "place(ring1.1)")
    assert (dragon_in(late, "ring1.1"), dragon_in(late, "ring2.0")) == ("rain_whelp", "tide_whelp")


# A dragon that comes


def attacked(players=2, **rules):
    """A game in which a blue dragon has just moved to player 0's tile; the other players are in a temple."""
    game = coop_table(players, **rules)
    bare(game, "ring1.0", "ring1.1")
    put(game, 0, HERE)
    for player in range(1, players):
        put(game, player, "temple0")
    return game


@pytest.mark.rule("COOP-12", "DRAG-1")
def test_a_dragon_that_comes_fights_all_on_the_tile():
    game = attacked(4)
    put(game, 1, HERE)
    put(game, 2, "ring1.0/centre")
    dragon_comes(game)
    assert fighting(game) == [0, 1, 2]
    assert dragon_in(game, "ring1.0") == "rain_whelp"
    assert game.state.fight.came == 1


@pytest.mark.rule("COOP-12", "INIT-3")
def test_the_samurai_win_initiative_ties():
    game = attacked()
    dragon_comes(game)  # both have initiative 4
    assert order_of(game) == [0, "dragon"]
    assert game.phase == Phase.WEAPON


@pytest.mark.rule("COOP-12", "DRAG-2")
def test_others_may_join_the_first_player_too():
    game = attacked(3)
    put(game, 0, "start")
    put(game, 1, HERE)
    put(game, 2, "start")
    dragon_comes(game)
    assert (game.phase, game.actor) == (Phase.JOIN, 0)
    do(game, "step(ring1.0/petal4)")
    assert (game.phase, game.actor) == (Phase.JOIN, 2)
    do(game, "no")
    assert fighting(game) == [0, 1]


def unarmed_and_attacked(players=2):
    game = attacked(players)
    put_gear(game, 0, weapon=[], helmet=["TTTT", "TTTT"])
    load(game, "T0 T0 T0")
    dragon_comes(game)
    return game


@pytest.mark.rule("COOP-12", "DRAG-5")
def test_a_defender_retreats_to_a_free_space_beside_the_tile_of_its_choice():
    game = unarmed_and_attacked()
    assert game.phase == Phase.RETREAT
    do(game, "retreat")
    assert game.phase == Phase.RETREAT_TO
    spaces = geometry().space_names
    beside = {
        f"step({spaces[k]})"
        for k in range(220)
        if place("ring1.0") in geometry().touched_places[k] and game.state.terrain[k] == 1
    }
    assert legal(game) == beside
    assert {"step(start)", "step(ring1.1/petal5)"} <= beside
    do(game, f"step({THERE})")
    assert where(game, 0) == THERE
    assert not game.state.fight.dragon
    assert game.phase == Phase.ACTION


@pytest.mark.rule("COOP-12")
def test_a_defender_without_a_free_space_can_not_retreat():
    """The tile of ring II is surrounded by lava."""
    game = coop_table(2)
    bare(game, "ring1.0", "ring1.1", "ring2.0")
    put(game, 0, "ring2.0/centre")
    put(game, 1, "temple1")
    put_gear(game, 0, weapon=[], helmet=["TTTT", "TTTT"])
    beside = [k for k in range(220) if place("ring2.0") in geometry().touched_places[k]]
    put_lava(game, *(geometry().space_names[k] for k in beside if game.state.terrain[k] == 1))
    load(game, "T0 T0 T0 T2 T2 T2 T2 T2 T2 T2 T2 T2 T2 T2 T2")
    dragon_comes(game, "ring1.0", "ring2.0")
    assert game.phase == Phase.PAY  # it is not asked: it is hit again and again
    game.state.terrain[space("temple0")] = 1
    while game.phase == Phase.PAY:
        do(game, min(legal(game)))
    assert game.phase == Phase.RETREAT


@pytest.mark.rule("COOP-12", "DRAG-4")
def test_a_player_who_joined_goes_back_to_where_it_came_from():
    game = attacked()
    put(game, 1, "start")
    put_gear(game, 1, weapon=[], helmet=["TTTT", "TTTT"])
    put_gear(game, 0, helmet=["TTTT", "TTTT"])
    dragon_comes(game)
    do(game, "step(ring1.0/petal4)")
    load(game, "W0 W0 M0 M0 T0 T0 T0")
    do(game, "weapon(left)", "roll")
    assert (game.phase, game.actor) == (Phase.RETREAT, 1)
    do(game, "retreat")
    assert where(game, 1) == "start"


@pytest.mark.rule("COOP-12", "DRAG-7")
def test_after_thirty_rounds_defenders_choose_where_they_retreat():
    game = attacked()
    put_gear(game, 0, helmet=["TTTT", "TTTT"])
    dragon_comes(game)
    game.state.fight.rounds = 29
    load(game, "W0 W0 M0 M0 T0 T0 T0")
    do(game, "weapon(left)", "roll")
    assert (game.phase, game.actor) == (Phase.RETREAT_TO, 0)
    do(game, "step(start)")
    assert game.phase == Phase.ACTION
    assert dragon_in(game, "ring1.0")


@pytest.mark.rule("COOP-12")
def test_the_round_goes_on_after_the_fight():
    game = unarmed_and_attacked()
    put_dragon(game, "ring1.1", "tide_whelp")
    game.state.stack[1].chosen |= 1 << 1  # it has still to move
    do(game, "retreat", "step(start)")
    assert game.phase == Phase.ACTION  # nobody is visible any more
    assert game.actor == game.state.first_player
