"""WEAPON for very many layouts: the bit operations of the rules against slow implementations, and all repairs."""

from functools import cache

import numpy as np
import pytest

from fujikoro_env.kernel.jit import INTERPRETED
from fujikoro_env.rules.base.names import Gear, Spot
from fujikoro_env.rules.base.phases import Phase
from tests.helpers.invariants import COLUMNS, ROWS, WIDTH, check, is_weapon, is_weapon_of_bits, members, pieces
from tests.helpers.layouts import (
    bits_of,
    judged,
    mend,
    players_with,
    random_weapons,
    reach_weapons,
    read_weapons,
    rows_of,
)
from tests.helpers.tables import integers, put_gear, put_monks, table

AT_ONCE = 20_000
BOARD = np.zeros((ROWS, WIDTH), bool)
BOARD[:, :COLUMNS] = True
# Whether the right part is open, rows, columns: grids across the parts, with room for weapons of 8 and of 12 cubes.
REACHED_GRIDS = [
    (False, 3, (1, 6)),
    (True, 3, (2, 7)),
    pytest.param(True, 4, (2, 7), marks=pytest.mark.long),  # a million layouts
]


def weapons_of(players):
    """Cells of each player's weapons, as bits."""
    return np.bitwise_or.reduce(players["gear"]["cubes"][:, Gear.WEAPON], axis=1)


def test_the_fast_reading_of_the_rules_agrees_with_the_slow_one():
    """This validates the implementation that the next test compares with."""
    players = random_weapons(np.random.default_rng(1), 5000)
    verdicts = read_weapons(players)
    for layout, right_part, verdict in zip(
        weapons_of(players).tolist(), players["monks"][:, Spot.WEAPON], verdicts, strict=True
    ):
        cells = {divmod(cell, WIDTH) for cell in members(layout)}
        assert verdict.legal == is_weapon(cells, bool(right_part))
        assert verdict.pieces == len(pieces(cells))


@pytest.mark.rule("WEAP-1", "WEAP-2", "WEAP-3", "WEAP-4", "WEAP-5", "WEAP-6", "INIT-1")
@pytest.mark.parametrize("number", [200_000, pytest.param(1_000_000, marks=pytest.mark.long)])
def test_very_many_layouts_are_judged_as_by_a_slower_reading(number):
    """Compares pieces and legality; for legal layouts also the weapons, their usability and length, and initiative."""
    luck = np.random.default_rng(2)
    for size in [300] if INTERPRETED else [AT_ONCE] * (number // AT_ONCE):
        players = random_weapons(luck, size)
        found, wanted = judged(players), read_weapons(players)
        assert 0.3 < wanted["legal"].mean() < 0.5
        for name in wanted.dtype.names:
            wrong = np.flatnonzero((found[name] != wanted[name]).reshape(size, -1).any(axis=1))
            assert not len(wrong), f"{name} of {rows_of(weapons_of(players)[wrong[0]])}"


@pytest.mark.rule("CRAFT-1", "WEAP-6")
@pytest.mark.parametrize(("right_part", "rows", "columns"), REACHED_GRIDS)
def test_cube_by_cube_from_nothing_all_legal_layouts_are_reached_and_no_others(right_part, rows, columns):
    """All layouts on a small grid across the parts."""
    if INTERPRETED:
        rows, columns = 2, (3, 7)
    cells = [row * WIDTH + column for row in range(rows) for column in range(*columns)]
    sets = np.arange(1 << len(cells))
    layouts = np.bitwise_or.reduce([(sets >> k & 1) << cell for k, cell in enumerate(cells)])
    reached = integers(sets * 0)
    reach_weapons(players_with(layouts[:1], right_part=right_part), integers(cells), reached)
    for some in np.array_split(sets, 1 + len(sets) // AT_ONCE):
        legal = read_weapons(players_with(layouts[some], right_part=right_part))["legal"]
        assert (reached[some] == legal).all()


# Repair


def remainders(game):
    """All possible results of a repair, as bits of cells, found by trying every decision."""
    todo, met, left = [game], set(), set()
    while todo:
        game = todo.pop()
        for action in game.legal_actions():
            after = game.clone()
            after.step(action)
            cells = int(weapons_of(after.compiled.games["players"][0, :1])[0])
            if after.phase != Phase.REPAIR:
                left.add(cells)
            elif cells not in met:
                met.add(cells)
                todo.append(after)
    check(after)  # what was taken off is in the supply
    return left


@cache
def first_legal(cells):
    """Legal layouts that some order of removals reaches first."""
    if is_weapon_of_bits(cells, True):
        return frozenset({cells})
    return frozenset().union(*(first_legal(cells & ~(1 << cell)) for cell in members(cells)))


def illegal_layouts(number, most_cubes):
    layouts = weapons_of(random_weapons(np.random.default_rng(3), 100 * number)) & bits_of(BOARD[None])[0]
    small = [cells for cells in layouts.tolist() if cells.bit_count() <= most_cubes]
    return [cells for cells in small if not is_weapon_of_bits(cells, True)][:number]


@pytest.mark.rule("WEAP-6")
def test_a_repair_leaves_just_what_some_order_of_removals_meets_as_its_first_legal_layout():
    for cells in illegal_layouts(4, 5) if INTERPRETED else illegal_layouts(40, 9):
        game = table()
        put_monks(game, 0, "weapon")
        put_gear(game, 0, weapon=rows_of(cells))
        mend(game)
        assert game.phase == Phase.REPAIR
        assert remainders(game) == first_legal(cells), rows_of(cells)
