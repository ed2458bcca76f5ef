"""MATCH: patterns of cards in gear, and where `build(card)` lays them, compared with slow implementations.

The slow implementations store gear as letters by (row, column), and an area as its rows, first column and columns.
"""

from collections import Counter
from functools import cache
from itertools import product

import numpy as np
import pytest

from fujikoro_env.content.model import GEAR
from fujikoro_env.kernel.jit import INTERPRETED
from fujikoro_env.kernel.records import zeros
from fujikoro_env.rules.base.names import Character, Spot
from fujikoro_env.rules.base.state import GEAR_WIDTH, Frame, Player
from fujikoro_env.rules.base.tables import LETTERS
from tests.helpers.invariants import (
    COLUMNS,
    LEFT_COLUMNS,
    MASAKOS_COLUMNS,
    RIGHT_PART_OPEN,
    ROWS,
    Cell,
    is_weapon,
    part_of,
    pieces,
    side_by_side,
)
from tests.helpers.layouts import Placed, all_cards, card_tables, match_gear, place_patterns, write_gear
from tests.helpers.tables import integers

GRIDS = {"helmet": (2, 0, 4), "weapon": (ROWS, 0, COLUMNS), "sandals": (1, 0, 3)}
LARGEST = {"helmet": (3, 0, 4), "weapon": (ROWS, 0, MASAKOS_COLUMNS), "sandals": (1, 0, 5)}
LEFT = (ROWS, 0, LEFT_COLUMNS)
SYMMETRIC = Character.SYMMETRIC


def grid_of(gear, character):
    """Rows, first column, columns (CRAFT-6, CHAR)."""
    others = {
        Character.MASAKO: {"weapon": LARGEST["weapon"], "sandals": LARGEST["sandals"]},
        Character.MASATSURA: {"helmet": LARGEST["helmet"]},
        Character.DAISUKE: {"helmet": (1, 0, 3)},
    }
    return others.get(character, {}).get(gear, GRIDS[gear])


def right_of(character):
    rows, _, columns = grid_of("weapon", character)
    return rows, LEFT_COLUMNS, columns - LEFT_COLUMNS


def players_with(gear, layouts, right_part=True, character=SYMMETRIC):
    players = zeros(Player, len(layouts))
    players["character"] = character
    players["monks"][:, Spot.WEAPON] = right_part if not RIGHT_PART_OPEN[character] else 0
    for player, cubes in zip(players, layouts, strict=True):
        write_gear(player, GEAR.index(gear), cubes)
    return players


def matching(gear, layouts):
    """Matches by layout and card: 1 for a match; for weapons 1 left or two-handed, 2 right, 3 both."""
    cards = card_tables(GEAR.index(gear))
    found = integers([0] * len(layouts) * len(cards))
    match_gear(players_with(gear, layouts), GEAR.index(gear), cards, found)
    return found.reshape(len(layouts), len(cards))


def match(name, *rows):
    """Result of the rules for one card and gear given as rows, in which | separates the parts of a weapon."""
    gear = next(kind for kind in GEAR if name in card_names(kind))
    return matching(gear, [cubes_of(row.replace("|", "") for row in rows)])[0, card_names(gear).index(name)]


def card_names(gear):
    return [card.id for card in all_cards(GEAR.index(gear))]


def cubes_of(rows):
    return {(r, c): letter for r, row in enumerate(rows) for c, letter in enumerate(row) if letter != "."}


# Examples


@pytest.mark.rule("MATCH-1")
@pytest.mark.parametrize(
    "rows",
    [
        ["WWWM", "...M"],
        [".....", ".....", "M", "MWWW"],
        ["....M", "...MM", "...W.", "...W.", "...W."],
        ["..T.W", "..T.W", "..T.W", "..TMM"],
        ["TTTTT", ".WWWM", "....M"],
        ["...WW|WM", ".....|.M"],
        [".....|..W", ".....|..W", ".....|..W", ".....|.MM"],
    ],
)
def test_a_pattern_occurs_turned_anywhere_among_other_cubes(rows):
    on_the_right = rows[0].startswith(".....|")
    assert match("kama", *rows) == (2 if on_the_right else 1)


@pytest.mark.rule("MATCH-1")
@pytest.mark.parametrize(
    ("name", "rows"),
    [
        ("kama", ["...M", "WWWM"]),
        ("kama", ["M", "MWWW"][::-1]),
        ("kama", ["W", "W", "W", "MM"]),
        ("boar_helm", ["WMMW", "..M."]),
        ("boar_helm", [".M..", "WMMW"]),
    ],
)
def test_mirror_images_are_no_match(name, rows):
    assert match(name, *rows) == 0
    assert match(name, *(row.ljust(4, ".")[::-1] for row in rows)) == 1


@pytest.mark.rule("MATCH-1")
def test_kinds_are_right_cell_by_cell():
    assert match("wind_geta", "WMT") == match("wind_geta", "TMW") == 1
    assert [match("wind_geta", row) for row in ("WTM", "MWT", "WMM", "WM.", "W.T", "WWT")] == [0] * 6


@pytest.mark.rule("MATCH-2")
@pytest.mark.parametrize(
    "rows",
    [
        ["WWMM.|WWM"],
        ["MMWW.|MWW"],
        ["WWM..|.W", ".....|.W", ".....|.M", ".....|.M"],  # the other way round
        ["W....|M..", "W....|W..", "M....|W..", "M....|..."],  # each part turned on its own
        ["TWWMM|...", ".....|WWM", ".....|T.."],  # corners may touch
    ],
)
def test_the_parts_of_a_pair_are_in_the_two_weapons(rows):
    assert match("daisho_of_dusk", *rows) == 3


@pytest.mark.rule("MATCH-2")
@pytest.mark.parametrize(
    "rows",
    [
        ["WWMM.|...", "WWM"],  # both in one weapon
        ["WWMM.|MMM", "WWM"],
        ["WWMM.|WWT"],
        ["WWM..|WWM"],
        [".WWMM|WWM"],  # a two-handed weapon
        ["....W|W..", "....W|W..", "....M|M..", "....M|..."],
    ],
)
def test_a_pair_needs_one_part_in_each_weapon(rows):
    assert match("daisho_of_dusk", *rows) == 0


# The slow implementation


@cache
def placements(pattern, area):
    """All ways to lay a pattern on an area of a grid: by quarter turns, then by rows, then by columns."""
    return [
        {(r + row, c + column): letter for (r, c), letter in turned.items()}
        for turned in turns(cubes_of(pattern))
        for row in range(area[0] - max(r for r, _ in turned))
        for column in range(area[1], area[1] + area[2] - max(c for _, c in turned))
    ]


def turns(cubes):
    """Rotations by 0, 90, 180 and 270 degrees, each in the upper left corner."""
    for _ in range(4):
        top, left = min(r for r, _ in cubes), min(c for _, c in cubes)
        yield {(r - top, c - left): letter for (r, c), letter in cubes.items()}
        cubes = {(c, -r): letter for (r, c), letter in cubes.items()}


def occurs(pattern, cubes, gear):
    """Whether a pattern occurs in an area of the gear (MATCH-1)."""
    return any(
        all(cubes.get(cell) == letter for cell, letter in placed.items())
        for placed in placements(pattern, LARGEST[gear])
    )


def reading(card, cubes):
    """Expected result of `matching`."""
    if card.gear != "weapon":
        return int(occurs(card.patterns[0], cubes, card.gear))
    weapons = {part_of(piece): {cell: cubes[cell] for cell in piece} for piece in pieces(set(cubes))}
    if len(card.patterns) == 1:
        matched = {part for part, weapon in weapons.items() if occurs(card.patterns[0], weapon, "weapon")}
        return 2 * ("right" in matched) + bool(matched - {"right"})
    one, other = card.patterns
    hands = [weapons.get("left", {}), weapons.get("right", {})]
    return 3 * any(occurs(one, a, "weapon") and occurs(other, b, "weapon") for a, b in (hands, hands[::-1]))


def is_gear(gear, cubes, right_part=True, character=SYMMETRIC):
    return gear != "weapon" or is_weapon(set(cubes), right_part, character)


def random_gear(luck, gear, kept=1.0, character=SYMMETRIC):
    """Legal gear with much of the pattern of some card, or its mirror image, and other cubes."""
    while True:
        card = all_cards(GEAR.index(gear))[luck.integers(len(card_names(gear)))]
        areas = [grid_of(gear, character)]
        if len(card.patterns) == 2:
            areas = luck.permutation([LEFT, right_of(character)]).tolist()
        cubes: dict[Cell, str] = {}
        for pattern, area in zip(card.patterns, areas, strict=True):
            shape = pattern if luck.random() < 0.7 else tuple(row[::-1] for row in pattern)
            if choices := placements(shape, tuple(area)):
                cubes |= choices[luck.integers(len(choices))]
        cubes = {cell: letter for cell, letter in cubes.items() if luck.random() < kept}
        for _ in range(luck.integers(4)):
            cubes |= random_cube(luck, gear, cubes, character)
        if is_gear(gear, cubes, character=character):
            return cubes


def random_cube(luck, gear, cubes, character):
    """A random cube on or beside one of the cubes, or anywhere if there are none."""
    rows, first, columns = grid_of(gear, character)
    cells = list(product(range(rows), range(first, first + columns)))
    near = [cell for cell in cells if cell in cubes or any(side_by_side(cell, other) for other in cubes)]
    return {(near or cells)[luck.integers(len(near or cells))]: LETTERS[luck.integers(3)]}


@pytest.mark.rule("MATCH-1", "MATCH-2")
@pytest.mark.parametrize("number", [600, pytest.param(2000, marks=pytest.mark.long)])
@pytest.mark.parametrize("gear", GEAR)
def test_random_gear_matches_all_cards_as_by_a_slow_reading(gear, number):
    luck = np.random.default_rng(GEAR.index(gear))
    layouts = [random_gear(luck, gear) for _ in range(50 if INTERPRETED else number)]
    wanted = np.array([[reading(card, cubes) for card in all_cards(GEAR.index(gear))] for cubes in layouts])
    assert (matching(gear, layouts) == wanted).all()
    assert INTERPRETED or ((wanted > 0).sum(axis=0) > number // 100).all()  # every card is matched now and then


# Where a pattern is laid


def ways_to_lay(card, right_part, character):
    """All placements of a pattern in scan order. Pairs are first tried with their first part on the left."""
    if len(card.patterns) == 1:
        area = grid_of(card.gear, character) if right_part or card.gear != "weapon" else LEFT
        return placements(card.patterns[0], area)
    return pair_placements(card.patterns, character) if right_part else []


@cache
def pair_placements(patterns, character):
    return [
        a | b
        for left, right in (patterns, patterns[::-1])
        for a, b in product(placements(left, LEFT), placements(right, right_of(character)))
    ]


def best_way(card, cubes, hand, right_part, character=SYMMETRIC):
    """First placement that keeps most cubes, among those that the cubes at hand allow and that give matching gear."""
    best, most = {}, -1
    for way in ways_to_lay(card, right_part, character):
        kept = sum(cell in cubes for cell in way)
        if not most < kept < len(way) or any(cubes.get(cell, letter) != letter for cell, letter in way.items()):
            continue
        missing = Counter(letter for cell, letter in way.items() if cell not in cubes)
        laid = cubes | way
        if missing <= hand and is_gear(card.gear, laid, right_part, character) and reading(card, laid):
            best, most = way, kept
    return best


def placed_by_rules(gear, players, frames):
    """Best placement found by the rules, for each player and card, as cells; empty if there is none."""
    cards = card_tables(GEAR.index(gear))
    placed = zeros(Placed, len(players) * len(cards))
    place_patterns(players, frames, cards, placed)
    return [placed_cubes(gear, one) for one in placed]


def placed_cubes(gear, placed):
    width = GEAR_WIDTH[GEAR.index(gear)]
    return {
        divmod(cell, width): letter
        for letter, cells in zip(LETTERS, placed.cubes.tolist(), strict=True)
        for cell in range(50)
        if cells >> cell & 1
    }


@pytest.mark.rule("MATCH-1", "MATCH-2")
@pytest.mark.parametrize("number", [50, pytest.param(200, marks=pytest.mark.long)])
@pytest.mark.parametrize("gear", GEAR)
def test_a_pattern_is_laid_at_the_best_of_all_placements_by_brute_force(gear, number):
    luck = np.random.default_rng(10 + GEAR.index(gear))
    layouts = [random_gear(luck, gear, kept=luck.random()) for _ in range(5 if INTERPRETED else number)]
    right_part = [max((c for _, c in cubes), default=0) >= LEFT_COLUMNS or luck.random() < 0.7 for cubes in layouts]
    players, frames = players_with(gear, layouts, right_part), zeros(Frame, len(layouts))
    players["pack"], frames["offer"] = luck.integers(4, size=(2, len(layouts), 3))
    frames["thing"] = GEAR.index(gear)
    hands = [Counter(dict(zip(LETTERS, hand.tolist(), strict=True))) for hand in players["pack"] + frames["offer"]]
    wanted = [
        best_way(card, *given)
        for given in zip(layouts, hands, right_part, strict=True)
        for card in all_cards(GEAR.index(gear))
    ]
    assert placed_by_rules(gear, players, frames) == wanted
    assert 0.2 < np.mean([bool(way) for way in wanted]) < 0.8


@pytest.mark.rule("CHAR-21", "CHAR-22", "CHAR-31", "CHAR-51", "CHAR-52", "CHAR-61", "CHAR-71")
@pytest.mark.parametrize(
    ("gear", "name"),
    [
        ("weapon", "masako"),
        ("weapon", "takeko"),
        ("weapon", "tomoe"),
        ("sandals", "masako"),
        ("helmet", "masatsura"),
        ("helmet", "daisuke"),
    ],
)
@pytest.mark.parametrize("number", [15, pytest.param(60, marks=pytest.mark.long)])
def test_a_pattern_is_laid_by_the_grid_and_the_limits_of_a_character(gear, name, number):
    luck, character = np.random.default_rng(20), Character[name.upper()]
    number = 3 if INTERPRETED else number
    layouts = [random_gear(luck, gear, luck.random(), character) for _ in range(number)]
    players, frames = players_with(gear, layouts, True, character), zeros(Frame, number)
    players["pack"], frames["offer"] = luck.integers(5, size=(2, number, 3))
    frames["thing"] = GEAR.index(gear)
    hands = [Counter(dict(zip(LETTERS, hand.tolist(), strict=True))) for hand in players["pack"] + frames["offer"]]
    wanted = [
        best_way(card, cubes, hand, True, character)
        for cubes, hand in zip(layouts, hands, strict=True)
        for card in all_cards(GEAR.index(gear))
    ]
    assert placed_by_rules(gear, players, frames) == wanted
    assert INTERPRETED or any(wanted) == (name != "daisuke")  # no pattern of a helmet fits his
