"""MOVE: steps, sandals, lava, and dragons in the way."""

import numpy as np
import pytest

from fujikoro_env.rules.base.phases import Phase
from fujikoro_env.rules.map.geometry import FIRST_BRIDGE, START, geometry
from tests.helpers.gear import HERE, blow, break_off, call_duel, meeting
from tests.helpers.tables import (
    do,
    gear_of,
    lay_plain,
    legal,
    neighbours,
    put,
    put_dragon,
    put_gear,
    put_lava,
    spaces_of,
    table,
    where,
)


def steps(game):
    """Names of the spaces that may be stepped to."""
    return {name[5:-1] for name in legal(game, "step")}


def magic(game, player=0, gear=2):
    """Put a magic cube from the supply on a gear, by default the sandals."""
    game.state.players[player].gear[gear].magic = 1
    game.state.supply[3] -= 1


def lava_table(*lava, sandals="MMM", places=("ring1.0",), players=2):
    game = table(players=players)
    lay_plain(game, *places)
    put_lava(game, *lava)
    put_gear(game, 0, sandals=[sandals])
    return game


@pytest.mark.rule("MOVE-1")
def test_up_to_two_steps_from_space_to_adjacent_space():
    game = table()
    lay_plain(game, "ring1.0")
    do(game, "move")
    assert legal(game) == {"done", "step(ring1.0/petal3)", "step(ring1.0/petal4)"}
    do(game, "step(ring1.0/petal3)")
    inside = {name for name in neighbours("ring1.0/petal3") if not name.startswith("ring1.1")}
    assert steps(game) == inside
    do(game, "step(ring1.0/centre)")
    assert legal(game) == {"done"}
    do(game, "done")
    assert where(game, 0) == "ring1.0/centre"


@pytest.mark.rule("MOVE-1")
def test_a_move_may_end_after_each_step():
    game = table()
    lay_plain(game, "ring1.0")
    do(game, "move", "step(ring1.0/petal3)", "done")
    assert (where(game, 0), game.phase) == ("ring1.0/petal3", Phase.ACTION)


@pytest.mark.rule("MOVE-1")
def test_moves_go_over_tiles_bridges_and_temples():
    game = table()
    lay_plain(game, "ring2.0", "ring3.1", "ring3.2")
    put(game, 0, "ring2.0/petal0")
    do(game, "move", "step(temple0)", "step(ring3.1/petal0)", "done")
    put(game, 0, "ring3.2/petal2")
    do(game, "move", "step(bridge0/b)", "step(bridge0/a)", "done")
    assert where(game, 0) == "bridge0/a"


@pytest.mark.rule("MOVE-2", "CRAFT-5")
@pytest.mark.parametrize(("sandals", "length"), [("", 2), ("M", 2), ("M.M", 2), ("WWW", 3), ("MTW", 3)])
def test_completed_sandals_give_one_step_more(sandals, length):
    game = table()
    lay_plain(game, "ring1.0")
    put_gear(game, 0, sandals=[sandals])
    do(game, "move", "step(ring1.0/petal3)", "step(ring1.0/petal4)")
    assert bool(steps(game)) == (length == 3)
    if length == 3:
        do(game, "step(ring1.0/centre)")
        assert legal(game) == {"done"}


@pytest.mark.rule("MOVE-2")
def test_sandals_are_counted_when_the_action_starts():
    game = table()
    lay_plain(game, "ring1.0")
    do(game, "move", "step(ring1.0/petal3)", "step(ring1.0/petal4)")
    put_gear(game, 0, sandals=["MMM"])
    assert legal(game) == {"done"}


@pytest.mark.rule("MOVE-3")
def test_a_move_never_ends_on_lava():
    game = lava_table("ring1.0/petal3")
    do(game, "move", "step(ring1.0/petal3)")
    assert "done" not in legal(game)
    do(game, "step(ring1.0/centre)")
    assert "done" in legal(game)


@pytest.mark.rule("MOVE-3")
@pytest.mark.parametrize(
    ("sandals", "with_magic", "lava_spaces"),
    [("MM", False, 0), ("W.T", False, 0), ("M.T", False, 1), ("TTT", False, 1), ("MMM", True, 2), ("W", True, 1)],
)
def test_sandals_must_be_able_to_pay_for_every_lava_space(sandals, with_magic, lava_spaces):
    game = lava_table("ring1.0/petal3", "ring1.0/petal2", sandals=sandals)
    if with_magic:
        magic(game)
    do(game, "move")
    assert ("ring1.0/petal3" in steps(game)) == (lava_spaces >= 1)
    if lava_spaces:
        do(game, "step(ring1.0/petal3)")
        assert ("ring1.0/petal2" in steps(game)) == (lava_spaces >= 2)


@pytest.mark.rule("MOVE-3")
def test_the_last_step_is_never_onto_lava():
    game = lava_table("ring1.0/centre", sandals="MT")
    do(game, "move")
    do(game, "step(ring1.0/petal3)")
    assert "ring1.0/centre" not in steps(game)


@pytest.mark.rule("MOVE-3")
def test_the_same_lava_space_counts_each_time():
    game = lava_table("ring1.0/petal3", sandals="TTT")
    do(game, "move", "step(ring1.0/petal3)", "step(start)")
    assert "ring1.0/petal3" not in steps(game)


def ready_to_leave_by_petal1(players=4):
    """On the lava of petal3, with one step over petal2 (lava) and one beyond; the only ground beyond is petal1."""
    game = lava_table("ring1.0/petal3", "ring1.0/petal2", "ring1.0/centre", players=players)
    magic(game)
    do(game, "move", "step(ring1.0/petal3)")
    return game


@pytest.mark.rule("MOVE-3", "MAP-6")
def test_the_way_out_of_the_lava_must_not_be_full():
    game = ready_to_leave_by_petal1()
    assert "ring1.0/petal2" in steps(game)
    put(game, 2, "ring1.0/petal1")
    assert "ring1.0/petal2" in steps(game)
    put(game, 3, "ring1.0/petal1")
    assert "ring1.0/petal2" not in steps(game)


@pytest.mark.rule("MOVE-3")
def test_the_way_out_of_the_lava_must_be_explored():
    game = ready_to_leave_by_petal1()
    put_lava(game, "ring1.0/petal1")
    assert "ring1.0/petal2" not in steps(game)


@pytest.mark.rule("MOVE-3", "MOVE-5")
def test_the_way_out_of_the_lava_may_be_ground_of_a_dragons_tile_but_not_its_lava():
    game = lava_table(
        *(f"ring1.0/petal{k}" for k in (1, 2, 3)), "ring1.0/centre", "ring1.1/petal0", places=("ring1.0", "ring1.1")
    )
    magic(game)
    put_dragon(game, "ring1.1")
    do(game, "move", "step(ring1.0/petal3)")
    assert "ring1.0/petal2" in steps(game)
    put_lava(game, "ring1.1/petal5")
    assert "ring1.0/petal2" not in steps(game)


def can_end(game, here, left, payable):
    """Whether a move that has reached `here` can end off the lava, by the letter of MOVE-3."""
    state, shape = game.state, geometry()
    if state.terrain[here] < 2:
        return True
    onward = shape.neighbours[here, : shape.neighbour_count[here]]
    return left > 0 and any(may_enter(game, int(there), left - 1, payable) for there in onward)


def may_enter(game, there, left, payable):
    state = game.state
    others = np.count_nonzero(state.players["at"][1 : game.rules.players] == there)
    safe = there == START or there >= FIRST_BRIDGE
    if state.terrain[there] == 0 or (others >= 2 and not safe):
        return False
    if state.terrain[there] < 2:
        return True
    dragon = state.dragon_at[(there - 1) // 7]
    return payable > 0 and dragon == 0 and can_end(game, there, left, payable - 1)


FAR_OUT = ("ring2.1", "ring3.1", "ring3.2")  # side by side, with little safe ground to end a move on


def shuffle_lava(game, random):
    """Randomize lava, samurai, a dragon, the remaining steps and the lava paid for. Moves are longer and sandals
    stronger than on a symmetric board, so that the search goes deep."""
    around = [k for name in FAR_OUT for k in spaces_of(name)]
    game.state.terrain[around] = random.choice([1, 2], len(around), p=[0.1, 0.9])
    game.state.players["at"][:] = random.choice(around, 6)
    game.state.dragon_at[:] = 0
    put_dragon(game, random.choice(FAR_OUT))
    frame = game.state.stack[game.state.depth - 1]
    frame.left, frame.marks = random.integers(1, 5), random.integers(3)


@pytest.mark.rule("MOVE-3")
def test_lava_steps_are_those_of_a_plain_search():
    game = lava_table(places=FAR_OUT, players=6)
    put_gear(game, 0, sandals=["TTTTT"])  # they pay for 3 lava spaces
    do(game, "move")
    random = np.random.default_rng(0)
    for _ in range(600):
        shuffle_lava(game, random)
        frame, here = game.state.stack[game.state.depth - 1], int(game.state.players[0].at)
        beside = geometry().neighbours[here, : geometry().neighbour_count[here]]
        allowed = [int(k) for k in beside if may_enter(game, int(k), frame.left - 1, 3 - frame.marks)]
        assert steps(game) == {geometry().space_names[k] for k in allowed}


@pytest.mark.rule("MOVE-4", "DMG-3")
def test_lava_is_paid_for_when_the_move_is_over():
    game = lava_table("ring1.0/petal3", sandals="MTM")
    supply = game.state.supply[:3].tolist()
    do(game, "move", "step(ring1.0/petal3)", "step(ring1.0/centre)", "step(ring1.0/petal0)")
    assert gear_of(game, 0, "sandals") == ["MTM"]
    do(game, "done")
    assert (game.phase, game.actor) == (Phase.PAY, 0)
    assert legal(game) == {f"cell(sandals[0,{k}])" for k in range(3)}
    do(game, "cell(sandals[0,1])", "cell(sandals[0,2])")
    assert gear_of(game, 0, "sandals") == ["M"]
    assert game.state.supply[:3].tolist() == [supply[0], supply[1] + 1, supply[2] + 1]
    assert game.phase == Phase.ACTION


@pytest.mark.rule("MOVE-4")
def test_what_is_overpaid_is_lost_and_nothing_is_given_beyond():
    game = lava_table("ring1.0/petal3", sandals="TTW")
    do(game, "move", "step(ring1.0/petal3)", "step(start)", "done")
    do(game, "cell(sandals[0,0])", "cell(sandals[0,1])")
    assert gear_of(game, 0, "sandals") == ["..W"]
    assert game.phase == Phase.ACTION


@pytest.mark.rule("MOVE-4")
def test_every_lava_space_crossed_is_paid_for_magic_included():
    game = lava_table("ring1.0/petal3", "ring1.0/petal2", sandals="TMT")
    magic(game)
    do(game, "move", "step(ring1.0/petal3)", "step(ring1.0/petal2)", "step(ring1.0/centre)", "done")
    do(game, "cell(sandals[0,2])", "magic(sandals)", "cell(sandals[0,0])")
    assert gear_of(game, 0, "sandals") == [".M"]
    assert (game.state.players[0].gear[2].magic, game.state.supply[3]) == (0, 20)
    assert game.phase == Phase.ACTION


@pytest.mark.rule("MOVE-4")
def test_a_move_without_lava_costs_nothing():
    game = lava_table()
    do(game, "move", "step(ring1.0/petal3)", "done")
    assert game.phase == Phase.ACTION


@pytest.mark.rule("MOVE-4")
def test_lava_is_paid_for_before_a_fight_that_the_last_step_starts():
    game = lava_table("ring1.0/petal3", sandals="MTT", places=("ring1.0", "ring1.1"))
    put_dragon(game, "ring1.1")
    put_gear(game, 0, weapon=["WWMMM"])  # longer than the dragon's initiative
    do(game, "move", "step(ring1.0/petal3)", "step(ring1.1/petal5)")
    assert (game.phase, where(game, 0)) == (Phase.PAY, "ring1.1/petal5")
    do(game, "cell(sandals[0,0])", "cell(sandals[0,1])", "no")  # player 1, on the start tile, does not join
    assert (game.phase, gear_of(game, 0, "sandals")) == (Phase.WEAPON, ["..T"])


@pytest.mark.rule("MOVE-5")
def test_a_dragons_tile_is_never_entered_on_lava():
    game = lava_table("ring1.0/petal3", sandals="TTT")
    put_dragon(game, "ring1.0")
    do(game, "move")
    assert steps(game) == {"ring1.0/petal4"}


@pytest.mark.rule("MOVE-6")
def test_first_the_mover_then_the_other_says_whether_to_fight():
    game = meeting(players=3)
    do(game, "move", f"step({HERE})")
    assert (game.phase, game.actor, legal(game)) == (Phase.CALL_DUEL, 0, {"yes", "no"})
    do(game, "no")
    assert (game.phase, game.actor, legal(game)) == (Phase.CALL_DUEL, 1, {"yes", "no"})


@pytest.mark.rule("MOVE-6")
@pytest.mark.parametrize("answers", [["yes"], ["no", "yes"]])
def test_if_either_says_yes_the_move_ends_and_a_duel_starts(answers):
    game = meeting()
    do(game, "move", f"step({HERE})", *answers)
    assert game.phase == Phase.WEAPON
    assert [p for p in range(6) if game.state.fight.fighters[p].inside] == [0, 1]


@pytest.mark.rule("MOVE-6")
def test_if_neither_does_the_move_may_go_on():
    game = meeting()
    do(game, "move", f"step({HERE})", "no", "no")
    assert (game.phase, game.actor) == (Phase.MOVE, 0)
    do(game, "step(ring1.0/centre)", "done")
    assert (game.phase, where(game, 0), where(game, 1)) == (Phase.ACTION, "ring1.0/centre", HERE)


@pytest.mark.rule("MOVE-6", "WEAP-5")
@pytest.mark.parametrize(
    ("weapons", "asked"), [(("WW", "W"), True), (("WM", "WW"), True), (("WMM", "W"), False), (("", ""), False)]
)
def test_a_duel_may_be_called_only_if_one_of_the_two_has_a_usable_weapon(weapons, asked):
    game = meeting(players=3, weapons=weapons)  # the third has one too, elsewhere
    do(game, "move", f"step({HERE})")
    assert (game.phase == Phase.CALL_DUEL) == asked


@pytest.mark.rule("MOVE-6")
def test_an_empty_space_starts_no_duel():
    game = meeting(players=3)
    put(game, 2, "ring1.0/centre")
    do(game, "move", "step(ring1.0/petal4)")
    assert game.phase == Phase.MOVE


@pytest.mark.rule("MOVE-7")
@pytest.mark.parametrize("end", ["won", "given up", "undecided"])
def test_a_fight_ends_the_move_however_it_ends(end):
    """The fight begins after one of two steps."""
    game = meeting(weapons=("WWM", "M" if end == "undecided" else "WW"))
    put_gear(game, 1, helmet=["" if end == "won" else "MM"])
    call_duel(game)
    blow(game, "W1*", "W0", "M0")
    break_off(game, "0,0")
    rest = {"won": ("step(start)", "done"), "given up": ("cell(helmet[0,0])", "retreat", "done")}
    do(game, *rest.get(end, ("cell(helmet[0,0])",)))
    assert (game.phase, game.actor, where(game, 0)) == (Phase.ACTION, 0, HERE)


@pytest.mark.rule("MOVE-8")
def test_a_turn_together_with_another_samurai_starts_without_a_fight():
    game = meeting()
    put(game, 0, HERE)
    assert game.phase == Phase.ACTION
    do(game, "move", "done")
    assert (game.phase, game.actor) == (Phase.ACTION, 0)


@pytest.mark.rule("MOVE-8")
def test_leaving_and_coming_back_may_start_a_fight():
    game = meeting()
    put(game, 0, HERE)
    do(game, "move", "step(start)", f"step({HERE})")
    assert game.phase == Phase.CALL_DUEL
