"""WEAPON: legal layouts of cubes, tested by crafting and against a slow implementation."""

import numpy as np
import pytest

from fujikoro_env.rules.base.phases import Phase
from tests.helpers.invariants import COLUMNS, ROWS, WIDTH, is_weapon
from tests.helpers.layouts import judged, mend, players_with
from tests.helpers.tables import (
    do,
    gear_of,
    lay_plain,
    legal,
    letter_cells,
    put,
    put_dragon,
    put_gear,
    put_monks,
    put_pack,
    table,
)


def is_legal(layouts, right_part=True):
    return judged(players_with(np.array(layouts), right_part=right_part))["legal"] != 0


def judge(*rows, magic=0):
    """Properties of a legal weapon of wood and metal, by the rules."""
    verdict = judged(players_with(np.array([layout(*rows)]), layout(*rows, letters="W"), magic=magic))[0]
    assert verdict.legal
    return verdict


def unbarred(rows):
    """Rows in which | stands between the left part and the right part."""
    return [row.replace("|", "") for row in rows]


def layout(*rows, letters="WM"):
    return sum(1 << cell for letter in letters for cell in letter_cells(unbarred(rows), letter, WIDTH))


def lay_targets(*rows, right_part=True):
    """Cells on which one more cube may be laid, when a weapon of these rows is crafted with wood in the pack."""
    game = table()
    put_monks(game, 0, *(["weapon"] if right_part else []))
    put_pack(game, 0, wood=2)
    put_gear(game, 0, weapon=unbarred(rows))
    do(game, "move", "done", "rest", "craft(weapon)", "add")
    return {name.partition("weapon")[2][:-1] for name in legal(game, "lay")}


@pytest.mark.rule("WEAP-1")
def test_cubes_hang_together_side_by_side_not_by_corners():
    assert lay_targets("", "", "..W", right_part=False) == {"[1,2]", "[3,2]", "[2,1]", "[2,3]"}
    assert is_legal([layout("WW"), layout("W", ".W"), layout("W.W"), layout("W", "W")]).tolist() == [1, 0, 0, 1]


@pytest.mark.rule("WEAP-1")
def test_rows_do_not_run_into_each_other():
    """The last cell of a row and the first of the next are neighbours as bits, but not on the grid."""
    assert is_legal([layout("....W", "W")]).tolist() == [False]
    assert is_legal([layout("WWWW.|WWW", "WWWW.|WWW", "", "")]).tolist() == [True]  # 8 and 6, not 14


@pytest.mark.rule("WEAP-2")
def test_a_one_handed_weapon_has_at_most_eight_cubes_in_one_part():
    assert lay_targets("WWWWW", "WW", right_part=False) == {"[1,2]", "[1,3]", "[1,4]", "[2,0]", "[2,1]"}
    eight, nine = ("WWWWW", "WWW"), ("WWWWW", "WWWW")
    assert is_legal([layout(*eight), layout(*nine)]).tolist() == [True, False]
    right = [".....|WWW"] * 2
    assert is_legal([layout(*right, ".....|WW"), layout(*right, ".....|WWW")]).tolist() == [True, False]


@pytest.mark.rule("WEAP-3")
def test_the_right_part_needs_the_weapon_monk():
    assert "[0,5]" not in lay_targets("...WW", right_part=False)
    assert "[0,5]" in lay_targets("...WW")
    assert "[0,8]" not in lay_targets(".....|WWW")
    for cells in (layout("....W|W"), layout(".....|W")):
        assert (is_legal([cells], False)[0], is_legal([cells])[0]) == (False, True)


@pytest.mark.rule("WEAP-4")
def test_two_one_handed_weapons_one_in_each_part():
    pair = layout("WWWWW|.WW", "WWW..|.WW", ".....|.WW", ".....|.WW")
    assert is_legal([pair, pair | layout("", "...W"), pair | layout("", "", "", "", ".......W")]).tolist() == [1, 0, 0]
    assert is_legal([layout("....W", ".....|W")]).tolist() == [True]  # corners may touch


@pytest.mark.rule("WEAP-4")
def test_weapons_that_touch_side_by_side_are_one_two_handed_weapon():
    twelve = layout("WWWWW|WWW", "WWWW")
    assert is_legal([twelve, twelve | layout("", "....W")]).tolist() == [True, False]


@pytest.mark.rule("WEAP-4")
def test_a_pair_grows_together_only_within_twelve_cubes():
    two_of_six = ("WWWW.|WWW", "WW...|WWW")
    assert "[0,4]" not in lay_targets(*two_of_six)  # 13 cubes
    assert "[0,4]" in lay_targets("WWWW.|WWW", "W....|WWW")


@pytest.mark.rule("WEAP-6")
@pytest.mark.parametrize(
    ("why", "rows"),
    [
        ("13 cubes in two hands", ["WWWWW|WWW", "WWWWW"]),
        ("9 cubes in the left part", ["WWWWW|.W", "WWWW"]),
        ("two weapons in the left part", ["WW.WW"]),
        ("two weapons in the right part", [".....|W.W"]),
        ("a third weapon", ["W.W..|.W"]),
        ("one- and two-handed together", ["....W|W", "", "W"]),
        ("a cube of the right weapon in the left part", ["WWWW.|...", "WWWW.|...", "", "....W|WWW"]),
    ],
)
def test_illegal_weapons(why, rows):
    assert not is_legal([layout(*rows)])[0], why


@pytest.mark.rule("WEAP-6")
def test_an_illegal_weapon_is_never_built():
    """A cube may be laid on a legal weapon exactly if the result is legal."""
    rows = ["WWW..|.WW", "..W..|..."]
    cells = {(0, 0), (0, 1), (0, 2), (1, 2), (0, 6), (0, 7)}
    empty = {(row, column) for row in range(ROWS) for column in range(COLUMNS)} - cells
    allowed = {f"[{row},{column}]" for row, column in empty if is_weapon(cells | {(row, column)}, True)}
    assert lay_targets(*rows) == allowed
    assert "[0,3]" in allowed
    assert "[2,0]" not in allowed


@pytest.mark.rule("WEAP-5")
@pytest.mark.parametrize(
    ("rows", "usable"),
    [
        (["MMMMM", "WMM"], (False, False)),
        (["WMMMM", "MMW"], (True, False)),
        (["WMMM.|MWM", ".....|.W."], (False, True)),
        (["WW...|.WW"], (True, True)),
        (["...WW|MM"], (False, False)),
        (["...WM|WM", ".....|.W"], (True, False)),
    ],
)
def test_one_handed_weapons_need_two_wood_and_two_handed_ones_three_anywhere(rows, usable):
    assert tuple(judge(*rows).usable) == usable


@pytest.mark.rule("INIT-1")
@pytest.mark.parametrize(
    ("rows", "length"),
    [
        (["W"], 1),
        (["W", "W", "W", "W", "W"], 5),
        (["WMMM", "W", "W"], 4),
        (["WM", "W", "W"], 3),
        (["", "..W..|...", "..WWW|WWW"], 6),
        (["WWWWW|WWW", "W"], 8),
    ],
)
def test_the_length_of_a_weapon_is_the_larger_of_its_columns_and_rows(rows, length):
    assert judge(*rows).length[0] == length


@pytest.mark.rule("INIT-1")
@pytest.mark.parametrize(
    ("rows", "magic", "initiative"),
    [
        (["WMMM"], 0, 4),  # usable or not
        (["WMMM"], 1, 8),
        (["WWM"], 0, 3),
        (["WWM"], 1, 7),
        (["WWMMM|.WW"], 0, 5),
        (["WWMMM|.WW"], 1, 9),
        (["WWMMM|.WW"], 2, 5),  # the magic lies on the shorter one
        (["WMMMM|.WW"], 1, 9),  # on the longest, which is not usable
        (["WWM..|WW.", ".....|.M."], 1, 7),
        (["WWM..|.WM", ".....|.W.", ".....|.W."], 2, 7),  # equally long: the magic one counts
        (["WWM..|.WM", ".....|.W.", ".....|.W."], 1, 7),
        ([""], 0, 0),
    ],
)
def test_initiative_is_the_length_of_the_longest_weapon_and_four_more_if_that_one_is_magic(rows, magic, initiative):
    assert judge(*rows, magic=magic).initiative == initiative


def repairing(*rows):
    game = table()
    put_monks(game, 0, "weapon")
    put_gear(game, 0, weapon=unbarred(rows))
    mend(game)
    return game


@pytest.mark.rule("WEAP-6", "WEAP-7")
@pytest.mark.parametrize(
    "rows",
    [
        ["MMMMW|WWM", "MMMMM"],  # 13 cubes in two hands
        ["MMMWM|..W", "MMMM."],  # 9 cubes in the left part
        ["WWWWW|...", "WWW..|...", ".....|...", "....M|WWW"],  # one cube of the right weapon in the left part
    ],
)
def test_one_right_cube_makes_some_illegal_weapons_legal(rows):
    """Only a metal cube may be removed: without any other, the weapon is too big or in pieces."""
    metal = {f"cell(weapon[{k // WIDTH},{k % WIDTH}])" for k in letter_cells(unbarred(rows), "M", WIDTH)}
    enough = set()
    for name in legal(repairing(*rows)):
        game = repairing(*rows)
        do(game, name)
        enough |= {name} if game.phase == Phase.ACTION else set()
    assert enough == metal


@pytest.mark.rule("WEAP-7")
@pytest.mark.parametrize(
    ("rows", "usable"),
    [
        (["WWMMM|...", "..MMM|...", "....M|WMM"], True),  # 8 and 4 cubes, all connected
        (["MMMWW|MMM", "MMM"], False),  # 11 cubes with 2 wood
        (["MMWWW|MMM", "MMMM"], True),  # 12 with 3
    ],
)
def test_legal_two_handed_weapons_of_the_rulebook(rows, usable):
    verdict = judge(*rows)
    assert (verdict.pieces, verdict.weapons[1], bool(verdict.usable[0])) == (1, 0, usable)
    assert repairing(*rows).phase == Phase.ACTION  # nothing is asked


def losing_one_wood():
    """A two-handed weapon of 8 cubes with 3 wood has rolled its wood dice in a dragon fight, and one breaks."""
    game = table()
    lay_plain(game, "ring1.0")
    put_dragon(game, "ring1.0")
    put(game, 1, "temple0")
    put_monks(game, 0, "weapon")
    put_gear(game, 0, weapon=["MWWWMMMM"], helmet=["M"])
    do(game, "move", "step(ring1.0/petal3)", "no")  # no monk runs ahead
    game.load_dice(["W0", "W0", "W1*", *["T0"] * 3])  # the dragon misses
    do(game, "weapon(left)", "number(3)", "number(0)")
    assert game.phase == Phase.BREAK
    return game


@pytest.mark.rule("WEAP-8")
def test_a_split_weapon_becomes_two_when_the_cube_in_the_wrong_part_is_taken_off():
    game = losing_one_wood()
    do(game, "cell(weapon[0,3])", "cell(weapon[0,4])")
    assert gear_of(game, 0, "weapon") == ["MWW..MMM"]
    assert legal(game) == {"weapon(left)"}  # the fight goes on; the right one is not usable


@pytest.mark.rule("WEAP-8")
def test_or_the_owner_gives_the_leftmost_wood_and_keeps_a_two_handed_weapon():
    game = losing_one_wood()
    do(game, "cell(weapon[0,1])", "cell(weapon[0,0])")
    assert gear_of(game, 0, "weapon") == ["..WWMMMM"]
    assert legal(game) == {"retreat", "no"}  # it is not usable
