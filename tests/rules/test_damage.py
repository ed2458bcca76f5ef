"""DMG: damage absorbed by gear."""

import pytest

from fujikoro_env.rules.base.phases import Phase
from tests.helpers.gear import blow, call_duel, lying, magic_left, magic_of, meeting, put_magic, put_magic_gear
from tests.helpers.tables import do, gear_of, lay_plain, legal, put_gear, put_lava, table


def paying_for_lava(sandals, with_magic=False):
    """Player 0 has crossed one lava space and owes 5."""
    game = table()
    lay_plain(game, "ring1.0")
    put_lava(game, "ring1.0/petal3")
    put_gear(game, 0, sandals=[sandals])
    game.state.players[0].gear[2].magic = with_magic
    do(game, "move", "step(ring1.0/petal3)", "step(start)", "done")
    assert (game.phase, owed(game)) == (Phase.PAY, 5)
    return game


def owed(game):
    return int(game.state.stack[game.state.depth - 1].left)


@pytest.mark.rule("DMG-3")
@pytest.mark.parametrize(
    ("given", "worth"),
    [("cell(sandals[0,0])", 1), ("cell(sandals[0,1])", 2), ("cell(sandals[0,2])", 3), ("magic(sandals)", 4)],
)
def test_sandals_absorb_one_with_wood_two_with_metal_three_with_a_tooth_four_with_magic(given, worth):
    game = paying_for_lava("WMT", with_magic=True)
    do(game, given)
    assert owed(game) == 5 - worth


@pytest.mark.rule("DMG-3")
def test_no_cube_may_be_given_once_the_hits_are_covered():
    game = paying_for_lava("TMW")
    assert legal(game) == {f"cell(sandals[0,{k}])" for k in range(3)}
    do(game, "cell(sandals[0,0])", "cell(sandals[0,1])")
    assert game.phase == Phase.ACTION


HITS = {
    0: ("W0", "W0", "T0", "T0"),
    1: ("W1", "W0", "T0", "T0"),
    3: ("W1", "W0", "T2", "T0"),
    4: ("W0", "W0", "T2", "T2"),
    5: ("W1", "W0", "T2", "T2"),
    6: ("W1", "W1", "T2", "T2"),
}


def hit(hits, *helmet, with_magic=False, prepare=None):
    """Player 0 has rolled this many hits against player 1, who wears this helmet."""
    game = meeting(weapons=("WWTT", "WW"))
    put_gear(game, 1, helmet=list(helmet))
    if with_magic:
        put_magic(game, 1, "helmet")
    if prepare:
        prepare(game)
    call_duel(game)
    blow(game, *HITS[hits])
    return game


@pytest.mark.rule("DMG-1", "MAGIC-4")
@pytest.mark.parametrize(
    ("given", "worth"),
    [("cell(helmet[0,0])", 1), ("cell(helmet[0,1])", 2), ("cell(helmet[1,3])", 3), ("magic(helmet)", 4)],
)
def test_a_helmet_absorbs_one_with_wood_two_with_metal_three_with_a_tooth_four_with_magic(given, worth):
    game = hit(5, "WM", "...T", with_magic=True)
    assert (game.phase, game.actor) == (Phase.PAY, 1)
    assert legal(game) == {"cell(helmet[0,0])", "cell(helmet[0,1])", "cell(helmet[1,3])", "magic(helmet)"}
    do(game, given)
    assert owed(game) == 5 - worth


@pytest.mark.rule("DMG-1")
def test_cubes_are_given_until_the_hits_are_absorbed_and_what_is_overpaid_is_lost():
    game = hit(3, "WMT", "MW")
    left = game.state.supply[:3].tolist()
    do(game, "cell(helmet[0,1])")
    assert (game.phase, owed(game)) == (Phase.PAY, 1)
    do(game, "cell(helmet[0,2])")
    assert gear_of(game, 1, "helmet") == ["W", "MW"]
    assert game.state.supply[:3].tolist() == [left[0], left[1] + 1, left[2] + 1]
    assert (game.phase, game.actor) == (Phase.WEAPON, 1)  # no cube may be given beyond


@pytest.mark.rule("DMG-1")
def test_without_a_hit_nothing_is_given():
    for helmet in ("MM", ""):
        game = hit(0, helmet)
        assert (game.phase, game.actor, lying(game)) == (Phase.WEAPON, 1, [])
        assert gear_of(game, 1, "helmet") == [helmet] * bool(helmet)


@pytest.mark.rule("DMG-2")
@pytest.mark.parametrize(("helmet", "with_magic", "hits"), [("MM", False, 4), ("M", True, 6), ("W", False, 1)])
def test_just_as_many_hits_as_the_helmet_absorbs_leave_no_helmet_but_the_samurai_stands(helmet, with_magic, hits):
    game = hit(hits, helmet, with_magic=with_magic)
    assert (game.phase, game.actor, lying(game)) == (Phase.WEAPON, 1, [])
    assert (gear_of(game, 1, "helmet"), magic_of(game, 1), magic_left(game)) == ([], {}, 20)


@pytest.mark.rule("DMG-2")
@pytest.mark.parametrize(("helmet", "with_magic", "hits"), [("MM", False, 5), ("W", True, 6), ("", False, 1)])
def test_more_hits_than_the_helmet_absorbs_knock_the_samurai_out_and_the_helmet_is_gone(helmet, with_magic, hits):
    game = hit(hits, helmet, with_magic=with_magic)
    assert (game.phase, game.actor, lying(game)) == (Phase.LAY_LOSER, 0, [1])
    assert (gear_of(game, 1, "helmet"), magic_of(game, 1), magic_left(game)) == ([], {}, 20)


@pytest.mark.rule("DMG-4")
def test_the_match_is_checked_only_after_the_whole_payment():
    """The first metal spoils the pattern, but the magic may still be given with it."""
    game = hit(6, prepare=lambda game: put_magic_gear(game, 1, "helmet"))
    do(game, "cell(helmet[0,1])")
    assert (magic_of(game, 1), owed(game)) == ({"helmet": 1}, 4)
    do(game, "magic(helmet)")
    assert (game.phase, gear_of(game, 1, "helmet")) == (Phase.WEAPON, ["W.W", "M.M"])


@pytest.mark.rule("DMG-4", "DMG-3")
def test_the_match_is_checked_only_after_the_whole_payment_for_lava():
    game = table()
    lay_plain(game, "ring1.0")
    put_lava(game, "ring1.0/petal3")
    put_magic_gear(game, 0, "sandals")
    do(game, "move", "step(ring1.0/petal3)", "step(start)", "done", "cell(sandals[0,1])", "magic(sandals)")
    assert (game.phase, gear_of(game, 0, "sandals"), magic_left(game)) == (Phase.ACTION, ["M.M"], 20)
