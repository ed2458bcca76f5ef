"""DMG: what gear absorbs. Helmets come with the fights."""

import pytest

from fujikoro_env.rules.phases import Phase
from tests.helpers import do, lay_plain, legal, put_gear, put_lava, table


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
