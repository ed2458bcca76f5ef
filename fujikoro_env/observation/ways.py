"""Ways for small networks: how good it is for the observer to stand here, or to take a step, to reach something.

A network that is small and sees each space of the map as a number of its own has a hard time finding ways, so the
compact observation spells them out. Things on the map have values: what can be gathered, places to explore, dragons. A
value fades by a quarter with each step that it takes to walk there, and a space is worth the best that can be reached
from it.

Sets of hexagons are rows of bits over the lattice, so a step in all directions at once is a few shifts of rows. Values
come in tiers of a quarter each: what is worth less joins the flood as many steps later. The flood ends when it reaches
the observer: a space beside it that it can walk on is then at most one step nearer or farther.
"""

from collections.abc import Iterable
from typing import Final

import numpy as np
from numpy.typing import NDArray

from fujikoro_env.rules.board import is_lava
from fujikoro_env.rules.coop import exit_is_open
from fujikoro_env.rules.damage import worth
from fujikoro_env.rules.explore import may_explore
from fujikoro_env.rules.gather import can_take_blueprint_at
from fujikoro_env.rules.geometry import (
    FIRST_BRIDGE,
    FIRST_TEMPLE,
    FIRST_TILE_SPACE,
    LATTICE,
    LATTICE_MIDDLE,
    PLACES,
    SPACES,
    START,
    START_PLACE,
    TEMPLES,
    geometry,
)
from fujikoro_env.rules.jit import Floats, Words, rule
from fujikoro_env.rules.masks import has
from fujikoro_env.rules.monk import can_take_monk
from fujikoro_env.rules.names import RESOURCE_KINDS, Mode, Terrain
from fujikoro_env.rules.pack import can_make_room
from fujikoro_env.rules.scroll import can_take_scroll
from fujikoro_env.rules.state import State
from fujikoro_env.rules.tables import CELLS_OF_TILE, Tables
from fujikoro_env.rules.terms import Term, holds

LAVA: Final = 8  # beside the eruption numbers, as a code of ground
MAP_COLUMNS: Final = 4
GROUND, LOOT, FRONTIER, DRAGON = range(MAP_COLUMNS)

FULL: Final = 1000  # the best value of a space
LEVELS: Final = 14  # less than the last is not passed on
VALUES: Final = (*(int(FULL * 0.75**level) for level in range(LEVELS)), 0)
TOO_FAR: Final = LEVELS  # its value is 0

# What things are worth, as a tier: 1000, 750, 562, 421, 316, 237, 177, 133.
EXIT_TIER, SCROLL_TIER, MONK_TIER, BLUEPRINT_TIER, ADVENTURE_TIER, STOCK_TIER = 0, 1, 2, 2, 3, 7
RICH_TOKENS: Final = (9, 6, 5, 4)  # worth of cubes from which a token is in tier 1, 2, 3, 4; a poorer one is in tier 5
FRONTIER_TIERS: Final = (4, 2, 0)  # by level of the tiles
DRAGON_TIER: Final = 0
NO_TIER: Final = 8

# Sets of hexagons in the room to work in: a row of bits for each row of the lattice. There is an empty row on either
# side, and as many more below as make the rows in between a multiple of four: machines take four of them at once.
LAST_ROW: Final = LATTICE + -LATTICE % 4
ROWS: Final = LAST_ROW + 2
LOOT_SETS: Final = 0  # one for each tier
FRONTIER_SETS: Final = LOOT_SETS + NO_TIER
DRAGON_SETS: Final = FRONTIER_SETS + FRONTIER_TIERS[0] + 1
FREE: Final = DRAGON_SETS + 1  # can be walked on; dragons' tiles can't be walked through
LATEST, NEXT, SEEN = FREE + 1, FREE + 2, FREE + 3
SETS: Final = FREE + 4
TIERS: Final = SETS * ROWS  # then a word for each column: bits of the tiers that there are
SCRATCH: Final = TIERS + MAP_COLUMNS
NO_HEXAGON: Final = -1
NO_COLOUR: Final = -1


def _rows_and_bits() -> tuple[NDArray[np.int64], NDArray[np.uint32]]:
    """(SPACES, 7) each: the row of the lattice and the bit of each hexagon of a space; NO_HEXAGON after the last."""
    rows = np.full((SPACES, CELLS_OF_TILE), NO_HEXAGON, np.int64)
    bits = np.zeros((SPACES, CELLS_OF_TILE), np.uint32)
    for space, hexes in enumerate(geometry().hexes):
        for k, (q, r) in enumerate(hexes):
            rows[space, k], bits[space, k] = r + LATTICE_MIDDLE + 1, 1 << (q + LATTICE_MIDDLE)
    return rows, bits


# Geometry never changes, so compiled code may freeze it.
ROW_OF, BIT_OF = _rows_and_bits()
WIDE_SPACES: Final = (START, *range(FIRST_BRIDGE, SPACES))  # of more than one hexagon


def _rows_of(spaces: Iterable[int]) -> NDArray[np.uint32]:
    """The set of some spaces, as rows of bits."""
    rows = np.zeros(ROWS, np.uint32)
    for space in spaces:
        for row, bit in zip(ROW_OF[space], BIT_OF[space], strict=True):
            if row != NO_HEXAGON:
                rows[row] |= bit
    return rows


WIDE_ROWS: Final = _rows_of(WIDE_SPACES)
WIDE_FIRST_ROW: Final = np.array([_rows_of([space]).nonzero()[0][0] for space in WIDE_SPACES], np.int64)
WIDE_BITS: Final = np.array([_rows_of([s])[row : row + 3] for s, row in zip(WIDE_SPACES, WIDE_FIRST_ROW, strict=True)])


@rule
def write_map(s: State, t: Tables, p: int, raw: Floats, at: int, scratch: Words) -> int:
    """Ground of all spaces; the value of ways for the observer's space and those beside it."""
    for k in range(SPACES * MAP_COLUMNS):
        raw[at + k] = 0
    for k in range(SCRATCH):
        scratch[k] = 0
    here = s.players[p].at
    add_wide(scratch, FREE, here)  # wherever it stands, it can walk from there
    survey(s, t, p, raw, at, scratch)
    write_ways(t, here, LOOT, flood(scratch, LOOT, LOOT_SETS, here), raw, at, scratch)
    write_ways(t, here, FRONTIER, flood(scratch, FRONTIER, FRONTIER_SETS, here), raw, at, scratch)
    write_ways(t, here, DRAGON, flood(scratch, DRAGON, DRAGON_SETS, here), raw, at, scratch)
    return at + SPACES * MAP_COLUMNS


# What lies where


@rule
def survey(s: State, t: Tables, p: int, raw: Floats, at: int, scratch: Words) -> None:
    """Ground, and the sets of what can be walked on and of what is worth going to."""
    room = can_make_room(s, p)
    my_scroll = s.players[p].colour if can_take_scroll(s, p) else NO_COLOUR
    my_monks = can_take_monk(s, p) and not holds(s, Term.MONKS_FIGHT)
    for place in range(PLACES):
        first = FIRST_TILE_SPACE + place * CELLS_OF_TILE
        if s.tile[place] == 0:
            for space in range(first, first + CELLS_OF_TILE):
                raw[at + space * MAP_COLUMNS] = -LAVA
            continue
        if s.dragon_at[place] != 0:
            survey_tile(s, first, DRAGON_SETS + DRAGON_TIER, raw, at, scratch)
            scratch[TIERS + DRAGON] |= 1 << DRAGON_TIER
        else:
            survey_tile(s, first, FREE, raw, at, scratch)
            for space in range(first, first + CELLS_OF_TILE):
                if (s.token[space] | s.adventure[space] | s.monk[space] | s.scroll[space]) != 0:
                    mark_loot(s, t, space, room, my_scroll, my_monks, scratch)
    survey_wide_spaces(s, t, p, scratch)
    survey_frontier(s, t, scratch)


@rule
def survey_tile(s: State, first: int, chosen: int, raw: Floats, at: int, scratch: Words) -> None:
    """Its ground, and what of it is no lava into a set. The hexagons of a tile lie on three rows, as petals turn."""
    row, bit = chosen * ROWS + ROW_OF[first, 0], BIT_OF[first, 0]
    centre = survey_space(s, first, raw, at, bit)
    right = survey_space(s, first + 1, raw, at, bit << 1)
    lower_right = survey_space(s, first + 2, raw, at, bit)
    lower_left = survey_space(s, first + 3, raw, at, bit >> 1)
    left = survey_space(s, first + 4, raw, at, bit >> 1)
    upper_left = survey_space(s, first + 5, raw, at, bit)
    upper_right = survey_space(s, first + 6, raw, at, bit << 1)
    scratch[row - 1] |= upper_left | upper_right
    scratch[row] |= left | centre | right
    scratch[row + 1] |= lower_left | lower_right


@rule
def survey_space(s: State, space: int, raw: Floats, at: int, bit: int) -> int:
    """Its ground; gives its bit unless it is lava."""
    if s.terrain[space] >= Terrain.LAVA:
        raw[at + space * MAP_COLUMNS] = LAVA
        return 0
    raw[at + space * MAP_COLUMNS] = s.eruption[space]
    return bit


@rule
def survey_wide_spaces(s: State, t: Tables, p: int, scratch: Words) -> None:
    """Start, bridges and temples, where no lava can be; and the secret exit."""
    for row in range(1, LAST_ROW + 1):
        scratch[FREE * ROWS + row] |= WIDE_ROWS[row]
    if s.dragon_at[START_PLACE] != 0:
        bar_start(scratch)
    mark_wide(scratch, LOOT, LOOT_SETS, EXIT_TIER if s.rope != 0 else STOCK_TIER, START)
    for temple in range(TEMPLES):
        has_blueprint = can_take_blueprint_at(s, p, temple)
        mark_wide(scratch, LOOT, LOOT_SETS, BLUEPRINT_TIER if has_blueprint else STOCK_TIER, FIRST_TEMPLE + temple)
    if s.secret_exit != 0 and is_way_out(s, t):
        mark(scratch, LOOT, LOOT_SETS, EXIT_TIER, s.secret_exit)


@rule
def bar_start(scratch: Words) -> None:
    """SCEN-61: a dragon holds the start tile."""
    for k in range(CELLS_OF_TILE):
        scratch[FREE * ROWS + ROW_OF[START, k]] &= ~BIT_OF[START, k]
    mark_wide(scratch, DRAGON, DRAGON_SETS, DRAGON_TIER, START)


@rule
def is_way_out(s: State, t: Tables) -> bool:
    """ESC-1, COOP-21: the secret exit."""
    return exit_is_open(s, t) if s.settings.mode == Mode.COOP else s.final_player != 0


@rule
def survey_frontier(s: State, t: Tables, scratch: Words) -> None:
    """What can be walked on beside places that can be explored."""
    for place in range(PLACES):
        if may_explore(s, t, place):
            tier = FRONTIER_TIERS[t.place_ring[place] - 1]
            first = FIRST_TILE_SPACE + place * CELLS_OF_TILE
            row, bit = (FRONTIER_SETS + tier) * ROWS + ROW_OF[first, 0], BIT_OF[first, 0]
            scratch[row - 1] |= bit | (bit << 1)
            scratch[row] |= (bit >> 1) | bit | (bit << 1)
            scratch[row + 1] |= (bit >> 1) | bit
            scratch[TIERS + FRONTIER] |= 1 << tier
    for tier in FRONTIER_TIERS:
        step_onto_ground(scratch, FRONTIER_SETS + tier)


@rule
def step_onto_ground(scratch: Words, chosen: int) -> None:
    """From a set to what can be walked on beside it."""
    for row in range(1, LAST_ROW + 1):
        scratch[LATEST * ROWS + row] = scratch[chosen * ROWS + row]
    advance(scratch)
    for row in range(1, LAST_ROW + 1):
        scratch[chosen * ROWS + row] = scratch[NEXT * ROWS + row]


@rule
def mark(scratch: Words, column: int, first: int, tier: int, space: int) -> None:
    """Put a space of a tile into the set of a tier."""
    scratch[(first + tier) * ROWS + ROW_OF[space, 0]] |= BIT_OF[space, 0]
    scratch[TIERS + column] |= 1 << tier


@rule
def mark_wide(scratch: Words, column: int, first: int, tier: int, space: int) -> None:
    """The same, for a space of any number of hexagons."""
    add_wide(scratch, first + tier, space)
    scratch[TIERS + column] |= 1 << tier


@rule
def add_wide(scratch: Words, chosen: int, space: int) -> None:
    for k in range(CELLS_OF_TILE):
        row = ROW_OF[space, k]
        if row == NO_HEXAGON:
            break
        scratch[chosen * ROWS + row] |= BIT_OF[space, k]


@rule
def is_in(scratch: Words, chosen: int, space: int) -> bool:
    held: int = scratch[chosen * ROWS + ROW_OF[space, 0]] & BIT_OF[space, 0]
    return held != 0


@rule
def mark_loot(s: State, t: Tables, space: int, room: bool, my_scroll: int, my_monks: bool, scratch: Words) -> None:
    """The best that the observer can gather from a space of a tile."""
    best = NO_TIER
    if s.token[space] != 0 and s.face_up[space] != 0 and room:
        best = tier_of_token(t, s.token[space] - 1)
    if s.adventure[space] != 0:
        best = min(best, ADVENTURE_TIER)
    if s.monk[space] != 0 and my_monks:
        best = min(best, MONK_TIER)
    if s.scroll[space] != 0 and s.scroll[space] == my_scroll:
        best = SCROLL_TIER
    if best != NO_TIER and not is_lava(s, space):
        mark(scratch, LOOT, LOOT_SETS, best, space)


@rule
def tier_of_token(t: Tables, token: int) -> int:
    total = 0
    for kind in range(RESOURCE_KINDS):
        total += worth(kind) * t.token_shows[token, kind]
    tier = 1
    for least in RICH_TOKENS:
        if total >= least:
            break
        tier += 1
    return tier


# The flood


@rule
def flood(scratch: Words, column: int, first: int, here: int) -> int:
    """Steps until the flood from the tiers of a column comes here, or TOO_FAR. SEEN is all that it took, LATEST what
    its last step did."""
    tiers = scratch[TIERS + column] + 0
    for row in range(ROWS):
        scratch[LATEST * ROWS + row] = 0
        scratch[SEEN * ROWS + row] = 0
    for level in range(LEVELS):
        advance(scratch)
        if has(tiers, level):
            join(scratch, first + level)
        if not take(scratch) and tiers >> level <= 1:
            return TOO_FAR
        if is_in(scratch, LATEST, here):
            return level
    return TOO_FAR


@rule
def advance(scratch: Words) -> None:
    """One step from LATEST in all directions, over what can be walked on, into NEXT. Simple loops over rows, one for
    each thing: the compiler makes them work on many rows at once."""
    for row in range(1, LAST_ROW + 1):
        this = scratch[LATEST * ROWS + row]
        above = scratch[LATEST * ROWS + row - 1]
        below = scratch[LATEST * ROWS + row + 1]
        reached = (this << 1) | (this >> 1) | above | (above >> 1) | below | (below << 1)
        scratch[NEXT * ROWS + row] = reached & scratch[FREE * ROWS + row]


@rule
def join(scratch: Words, source: int) -> None:
    for row in range(1, LAST_ROW + 1):
        scratch[NEXT * ROWS + row] |= scratch[source * ROWS + row]


@rule
def take(scratch: Words) -> bool:
    """NEXT becomes LATEST, without what was taken before. Gives whether there is anything."""
    taken, wide = 0, 0
    for row in range(1, LAST_ROW + 1):
        fresh = scratch[NEXT * ROWS + row] & ~scratch[SEEN * ROWS + row]
        scratch[LATEST * ROWS + row] = fresh
        scratch[SEEN * ROWS + row] |= fresh
        taken |= fresh
        wide |= fresh & WIDE_ROWS[row]
    if wide != 0:
        fill_wide_spaces(scratch)
    return taken != 0


@rule
def fill_wide_spaces(scratch: Words) -> None:
    """A space of several hexagons is taken as a whole."""
    for k in range(len(WIDE_SPACES)):
        row = LATEST * ROWS + WIDE_FIRST_ROW[k]
        taken = scratch[row] & WIDE_BITS[k, 0] | scratch[row + 1] & WIDE_BITS[k, 1] | scratch[row + 2] & WIDE_BITS[k, 2]
        if taken != 0:
            add_wide(scratch, LATEST, WIDE_SPACES[k])
            add_wide(scratch, SEEN, WIDE_SPACES[k])


@rule
def write_ways(t: Tables, here: int, column: int, level: int, raw: Floats, at: int, scratch: Words) -> None:
    if level == TOO_FAR:
        return
    raw[at + here * MAP_COLUMNS + column] = VALUES[level]
    for k in range(t.neighbour_count[here]):
        beside = t.neighbours[here, k]
        raw[at + beside * MAP_COLUMNS + column] = VALUES[level_beside(scratch, beside, level)]


@rule
def level_beside(scratch: Words, beside: int, level: int) -> int:
    """Of a space beside the one that was reached at this level."""
    if is_in(scratch, LATEST, beside):
        return level
    if is_in(scratch, SEEN, beside):
        return level - 1
    return level + 1 if is_in(scratch, FREE, beside) else TOO_FAR
