"""WEAPON: which layouts of cubes are weapons, by crafting and against a slow reading of the rules."""

import numpy as np
import pytest

from fujikoro_env.rules.jit import IntArray, entry
from fujikoro_env.rules.names import Spot
from fujikoro_env.rules.records import Records, zeros
from fujikoro_env.rules.state import Player
from fujikoro_env.rules.weapon import is_legal_weapon
from tests.helpers import do, integers, legal, letter_cells, put_gear, put_monks, put_pack, table
from tests.invariants import COLUMNS, ROWS, WIDTH, is_weapon, is_weapon_of_bits


@entry
def judge(players: Records[Player], layouts: IntArray, verdicts: IntArray) -> None:
    """The rules' opinion of many layouts for the first player."""
    for k in range(len(layouts)):
        verdicts[k] = is_legal_weapon(players[0], layouts[k])


def is_legal(layouts, right_part=True):
    players, verdicts = zeros(Player, 1), integers([0] * len(layouts))
    players[0].monks[Spot.WEAPON] = right_part
    judge(players, integers(layouts), verdicts)
    return verdicts != 0


def layout(*rows):
    """Rows in which | stands between the left part and the right part."""
    return sum(1 << cell for cell in letter_cells([row.replace("|", "") for row in rows], "W", WIDTH))


def lay_targets(*rows, right_part=True):
    """Cells on which one more cube may be laid, when a weapon of these rows is crafted with wood in the pack."""
    game = table()
    put_monks(game, 0, *(["weapon"] if right_part else []))
    put_pack(game, 0, wood=2)
    put_gear(game, 0, weapon=[row.replace("|", "") for row in rows])
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
    """Whatever may be laid on a legal weapon leaves a legal one, and all that does may be laid."""
    rows = ["WWW..|.WW", "..W..|..."]
    cells = {(0, 0), (0, 1), (0, 2), (1, 2), (0, 6), (0, 7)}
    empty = {(row, column) for row in range(ROWS) for column in range(COLUMNS)} - cells
    allowed = {f"[{row},{column}]" for row, column in empty if is_weapon(cells | {(row, column)}, True)}
    assert lay_targets(*rows) == allowed
    assert "[0,3]" in allowed
    assert "[2,0]" not in allowed


@pytest.mark.rule("WEAP-6")
@pytest.mark.parametrize(
    ("rows", "may"),
    [
        (["WWWWW|WWW", "WWWWW"], False),
        (["WWWWW|..W", "WWWW."], False),
        (["WWWWW|...", "WWW..|...", ".....|...", "....W|WWW"], False),
        (["WWWWW|...", "..WWW|...", "....W|WWW"], True),
        (["WWWWW|WWW", "WWW"], True),
    ],
)
def test_examples_of_the_rulebook(rows, may):
    assert is_legal([layout(*rows)])[0] == may


def grown(random, columns):
    """A layout of one to three pieces, each grown cube by cube, so that legal ones are frequent."""
    cells = set()
    for _ in range(random.integers(1, 4)):
        piece = {(int(random.integers(ROWS)), int(random.integers(columns)))}
        for _ in range(random.integers(0, 13)):
            row, column = sorted(piece)[random.integers(len(piece))]
            down, right = ((0, 1), (1, 0), (0, -1), (-1, 0))[random.integers(4)]
            if 0 <= row + down < ROWS and 0 <= column + right < columns:
                piece.add((row + down, column + right))
        cells |= piece
    return cells


@pytest.mark.rule("WEAP-1", "WEAP-2", "WEAP-3", "WEAP-4", "WEAP-6")
@pytest.mark.parametrize("right_part", [False, True])
def test_layouts_are_judged_as_by_a_slow_reading_of_the_rules(right_part):
    random = np.random.default_rng(right_part)
    layouts = [sum(1 << (row * WIDTH + column) for row, column in grown(random, COLUMNS)) for _ in range(3000)]
    expected = [is_weapon_of_bits(cells, right_part) for cells in layouts]
    assert 300 < sum(expected) < 2700
    assert is_legal(layouts, right_part).tolist() == expected


@pytest.mark.rule("WEAP-1", "WEAP-2", "WEAP-4", "WEAP-6")
def test_all_layouts_of_two_rows_by_four_across_the_parts():
    """Every one of the 256, around the border of the parts: columns 3 to 6."""
    cells = [(row, column) for row in range(2) for column in range(3, 7)]
    sets = [{cell for k, cell in enumerate(cells) if number >> k & 1} for number in range(256)]
    layouts = [sum(1 << (row * WIDTH + column) for row, column in chosen) for chosen in sets]
    assert is_legal(layouts).tolist() == [is_weapon(chosen, True) for chosen in sets]
