"""Ground, and ways for small networks: how good it is for the observer to stand here, or to take a step, to reach
something.

A network that is small and sees each space of the map as a number of its own has a hard time finding ways, so the
compact observation spells them out. Things on the map have values: what can be gathered, places to explore, dragons. A
value fades by a quarter with each step that it takes to walk there, and a space is worth the best that can be reached
from it.

Values come in tiers of a quarter each: what is worth less joins a flood as many steps later. When the flood comes to a
space is kept for the whole map, as long as nothing changes that it depends on: who walks meets the same ways at every
step. Ways are written for the observer's space and for those beside it.

This is the dearest part of the observation, so it is laid out for the machine. A set of hexagons is a bit for each, in
a number for each row of the lattice. Three sets fit into one number, a lane each, so all three ways are flooded at
once, and a step in all directions is a few shifts. Games differ, so a branch on what lies on a space is a coin toss,
and costs more than all that it would skip: things are chosen and marked without one.
"""

from collections.abc import Iterable
from typing import Final, NamedTuple

import numpy as np
from numpy.typing import NDArray

from fujikoro_env.kernel.jit import Bytes, Floats, IntArray, rule, unsigned
from fujikoro_env.kernel.masks import bit, has
from fujikoro_env.observation.kept import CIRCUMSTANCES, COPIED, SHOWN
from fujikoro_env.rules.base.frames import top
from fujikoro_env.rules.base.names import GEARS, Mode, Reason, Terrain, Where
from fujikoro_env.rules.base.phases import Phase
from fujikoro_env.rules.base.state import CARD_SLOTS, PLAYERS, State
from fujikoro_env.rules.base.tables import CELLS_OF_TILE, Tables
from fujikoro_env.rules.coop.coop import exit_is_open
from fujikoro_env.rules.final.final import secret_exit_is_open
from fujikoro_env.rules.final.score import has_vp
from fujikoro_env.rules.map.geometry import (
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
from fujikoro_env.rules.monk import can_take_monk
from fujikoro_env.rules.pack import can_make_room
from fujikoro_env.rules.scenarios.terms import Term, holds
from fujikoro_env.rules.scroll import can_take_scroll

LAVA: Final = 8  # beside the eruption numbers, as a code of ground
GROUND_SCALE, ALL_LAVA, UNEXPLORED = np.float32(1 / LAVA), np.float32(1), np.float32(-1)

WAYS: Final = 3
LOOT, FRONTIER, DRAGONS = range(WAYS)
FULL: Final = 1000  # the best value of a space
LEVELS: Final = 10  # less than the last is not passed on
VALUES: Final = (*(int(FULL * 0.75**level) for level in range(LEVELS)), 0)
SCALED_VALUES: Final = np.array((0, *VALUES), np.float32) / np.float32(FULL)  # by level + 1; 0: too far
PLANES: Final = LEVELS.bit_length()  # bits of a level + 1
ALL_PLANES: Final = (1 << PLANES) - 1

# What things are worth, as a tier: 1000, 750, 562, 421, 316, 237, 177, 133.
EXIT_TIER, FIND_TIER, STOCK_TIER = 0, 1, 7  # a find: a scroll, monk, adventure or blueprint
TOKEN_TIERS: Final = (4, 3, 2)  # resources, by level of the tile
FRONTIER_TIERS: Final = (4, 2, 0)  # by level of the tiles to come
DRAGON_TIER: Final = 0
TIERS: Final = 8
RINGS: Final = 3

# A lane has a bit for each column of the lattice.
LANE: Final = (1 << LATTICE) - 1
SECOND, THIRD = LATTICE, 2 * LATTICE  # where the other lanes begin
SPREAD: Final = 1 | 1 << SECOND | 1 << THIRD  # times this, a set is in all lanes
NOT_FIRST, NOT_LAST = (LANE & ~1) * SPREAD, (LANE >> 1) * SPREAD  # all columns but one
TOPS: Final = (1 << LATTICE - 1) * SPREAD

# The a workspace: a number for each row of each set. There is an empty row on either side, and as many more below
# as make the rows in between a multiple of four: machines take four of them at once.
LAST_ROW: Final = LATTICE + -LATTICE % 4
ROWS: Final = LAST_ROW + 2
SEEDS: Final = 0  # one for each tier, and none; the lanes are the ways
FREE: Final = SEEDS + TIERS + 1  # can be walked on, in all lanes; dragons' tiles can't be walked through
FOUND: Final = FREE + 1  # on tiles; its lanes are ground, resources and finds on ground
HELD: Final = FREE + 2  # the same on dragons' tiles
TILES: Final = FREE + 3  # all hexagons of tiles, in the first lane
LATEST, NEXT, SEEN = FREE + 4, FREE + 5, FREE + 6
LIST: Final = (FREE + 7) * ROWS  # of places, and one to write beyond the last
SCRATCH: Final = LIST + PLACES + 1

GROUND, TOKEN, FIND = 1, 2, 4  # flags of what lies on a space
LANES_OF: Final = np.array([sum((flags >> k & 1) << k * LATTICE for k in range(3)) for flags in range(8)])
NO_COLOUR: Final = -1
ALL_TEMPLES: Final = (1 << TEMPLES) - 1

# What ways depend on beside the map, in one number: flags and codes, and where each begins. The first is always there.
ROOM, MONKS, ROPE, EXIT, COLOUR, RINGS_LEFT, PLANS, OWN_GROUND = 1, 2, 3, 4, 5, 8, 11, 14
HEIGHT: Final = 3  # rows of the highest space


def _rows_and_bits() -> tuple[NDArray[np.uint32], NDArray[np.int64]]:
    """By space: the first row of the lattice that it lies on, and its bits there and in the next two."""
    first_rows = np.zeros(SPACES, np.int64)
    bits = np.zeros((SPACES, HEIGHT), np.int64)
    for space, hexes in enumerate(geometry().hexes):
        first_rows[space] = min(r for _, r in hexes) + LATTICE_MIDDLE + 1
        for q, r in hexes:
            bits[space, r + LATTICE_MIDDLE + 1 - first_rows[space]] |= 1 << (q + LATTICE_MIDDLE)
    return first_rows.astype(np.uint32), bits


def _rows_of(spaces: Iterable[int]) -> NDArray[np.int64]:
    """The set of some spaces."""
    rows = np.zeros(ROWS, np.int64)
    for space in spaces:
        rows[ROW_OF[space] : ROW_OF[space] + HEIGHT] |= BITS_OF[space]
    return rows


def _rows_of_ring(ring: int) -> NDArray[np.int64]:
    places = np.flatnonzero(geometry().place_ring == ring)
    return _rows_of(FIRST_TILE_SPACE + int(p) * CELLS_OF_TILE + k for p in places for k in range(CELLS_OF_TILE))


# Geometry never changes, so compiled code may freeze it.
ROW_OF, BITS_OF = _rows_and_bits()  # rows are unsigned: of other indices compiled code asks whether they are below 0
FIRST_BIT: Final = BITS_OF[:, 0].copy()  # a space of a tile has no other
COLUMN_OF: Final = np.array([(int(bits) & -int(bits)).bit_length() - 1 for bits in FIRST_BIT], np.int64)  # of that bit
WIDE_SPACES: Final = (START, *range(FIRST_BRIDGE, SPACES))  # of more than one hexagon
WIDE_ROWS: Final = _rows_of(WIDE_SPACES)
WIDE_LANES: Final = WIDE_ROWS * SPREAD
WIDE_ROW, WIDE_BITS = ROW_OF[list(WIDE_SPACES)], BITS_OF[list(WIDE_SPACES)] * SPREAD  # of each of them, in all lanes
RING_ROWS: Final = np.array([_rows_of_ring(ring) for ring in range(1, RINGS + 1)])


@rule
def write_ground(s: State, out: Floats, at: int) -> int:
    """Scaled already: it is no count."""
    for space in range(SPACES):
        ground = np.float32(s.eruption[space]) * GROUND_SCALE
        ground = ALL_LAVA if s.terrain[space] >= Terrain.LAVA else ground
        out[unsigned(at + space)] = float(UNEXPLORED if s.terrain[space] == Terrain.UNEXPLORED else ground)
    return at + SPACES


class WaysWorkspace(NamedTuple):
    """Arrays to find ways in. They are 0 at first."""

    flags: Bytes  # (SPACES,)
    rows: IntArray  # (SCRATCH,)


@rule
def write_ways(s: State, t: Tables, p: int, out: Floats, at: int, kept: IntArray, workspace: WaysWorkspace) -> int:
    """For the observer's space and those beside it, one way after the other; then once more for its own space. There
    are zeros elsewhere, for what was written before is known."""
    here, shown = s.players[unsigned(p)].at, kept[SHOWN] - 1
    walks = is_about_walking(s, p)
    if shown >= 0 and not (walks and shown == here):
        hide_ways(t, shown, out, at)
    if walks:
        find_ways(s, t, p, kept, workspace)
        show_ways(t, here, kept, planes_of(p), out, at)
    kept[SHOWN] = here + 1 if walks else 0
    return at + WAYS * SPACES + WAYS


@rule
def find_ways(s: State, t: Tables, p: int, kept: IntArray, workspace: WaysWorkspace) -> None:
    """Unless they are known already."""
    found = circumstances(s, t, p)
    if kept[unsigned(CIRCUMSTANCES + p)] != found:
        survey(s, p, found, workspace.flags, workspace.rows)
        flood(workspace.rows, kept, planes_of(p))
        kept[unsigned(CIRCUMSTANCES + p)] = found


@rule
def forget_ways(kept: IntArray) -> None:
    """Of all players: the map has changed."""
    for p in range(PLAYERS):
        kept[CIRCUMSTANCES + p] = 0


@rule
def planes_of(p: int) -> int:
    """Where a player's ways are kept."""
    return COPIED + p * PLANES * ROWS


@rule
def is_about_walking(s: State, p: int) -> bool:
    """Whether the observer is asked where to go, or what to do next."""
    if s.reason != Reason.PLAYING or top(s).actor != p:
        return False
    phase = top(s).phase
    return phase in (Phase.ACTION, Phase.MOVE) or phase in (Phase.FLEE, Phase.JUMP, Phase.RETREAT_TO)


# What lies where


@rule
def circumstances(s: State, t: Tables, p: int) -> int:
    """All that the ways depend on beside the map."""
    room, colour, at = can_make_room(s, p), s.players[p].colour, s.players[p].at
    found = 1 | flag(room) << ROOM | flag(can_take_monk(s, p) and not holds(s, Term.MONKS_FIGHT)) << MONKS
    found |= flag(s.rope != 0) << ROPE | flag(is_way_out(s, t)) << EXIT
    found |= (int(colour) if can_take_scroll(s, p) else 0) << COLOUR
    for ring in range(RINGS):
        found |= flag(s.tiles_left[ring] != 0) << RINGS_LEFT + ring
    found |= (temples_with_blueprints(s, p) if room else 0) << PLANS
    return found | (0 if is_free(s, at) else int(at) + 1) << OWN_GROUND


@rule
def temples_with_blueprints(s: State, p: int) -> int:
    """A set: those where the player may take one (GATH-8, COOP-18)."""
    temples = 0
    for gear in range(GEARS):
        lie = 0
        for slot in range(gear * CARD_SLOTS, (gear + 1) * CARD_SLOTS):
            lie |= bit(s.blueprints[slot].where)
        wanted = s.settings.mode == Mode.COOP or not has(lie, Where.OWNED + p)
        temples |= lie >> Where.TEMPLE & ALL_TEMPLES if wanted else 0
    return temples


@rule
def flag(holds_true: bool) -> int:
    return 1 if holds_true else 0


@rule
def is_free(s: State, space: int) -> bool:
    """Whether anybody can walk there: ground that no dragon holds."""
    if space == START:
        return s.dragon_at[START_PLACE] == 0  # SCEN-61: a dragon holds the start tile
    if space >= FIRST_BRIDGE:
        return True
    return s.terrain[space] == Terrain.GROUND and s.dragon_at[(space - FIRST_TILE_SPACE) // CELLS_OF_TILE] == 0


@rule
def survey(s: State, p: int, found: int, flags: Bytes, rows: IntArray) -> None:
    """What can be walked on, and the seeds of the floods, under the circumstances found."""
    flag_spaces(s, found, flags)
    gather_tiles(s, flags, rows)
    find_free(s, s.players[p].at, rows)
    find_frontier(found, rows)
    sow(rows)
    sow_wide_spaces(s, found, rows)


@rule
def flag_spaces(s: State, found: int, flags: Bytes) -> None:
    """What the observer can walk on, and gather there. Simple loops: the compiler makes them work on many spaces."""
    colour = found >> COLOUR & 7
    my_scroll = colour if colour != 0 else NO_COLOUR
    room, my_monks = has(found, ROOM), has(found, MONKS)
    for space in range(FIRST_TILE_SPACE, FIRST_BRIDGE):
        token = (s.token[space] != 0) & (s.face_up[space] != 0) & room
        flags[space] = TOKEN if token else 0
    for space in range(FIRST_TILE_SPACE, FIRST_BRIDGE):
        find = (s.adventure[space] != 0) | ((s.monk[space] != 0) & my_monks) | (s.scroll[space] == my_scroll)
        flags[space] |= FIND if find else 0
    for space in range(FIRST_TILE_SPACE, FIRST_BRIDGE):
        flags[space] = flags[space] | GROUND if s.terrain[space] == Terrain.GROUND else 0


@rule
def gather_tiles(s: State, flags: Bytes, rows: IntArray) -> None:
    for row in range(1, LAST_ROW + 1):
        rows[FOUND * ROWS + row] = 0
        rows[HELD * ROWS + row] = 0
        rows[TILES * ROWS + row] = 0
    for k in range(list_tiles(s, rows)):
        place = rows[LIST + k]
        add_tile(place, HELD if s.dragon_at[place] != 0 else FOUND, flags, rows)


@rule
def list_tiles(s: State, rows: IntArray) -> int:
    """The places of tiles, into LIST; gives how many there are."""
    count = 0
    for place in range(PLACES):
        rows[LIST + count] = place
        count += 1 if s.tile[place] != 0 else 0
    return count


@rule
def add_tile(place: int, chosen: int, flags: Bytes, rows: IntArray) -> None:
    """The seven spaces of a tile lie on three rows, as petals turn."""
    first = FIRST_TILE_SPACE + place * CELLS_OF_TILE
    row, column = ROW_OF[first], COLUMN_OF[first]
    centre, right, left = LANES_OF[flags[first]], LANES_OF[flags[first + 1]], LANES_OF[flags[first + 4]]
    lower_right, lower_left = LANES_OF[flags[first + 2]], LANES_OF[flags[first + 3]]
    upper_left, upper_right = LANES_OF[flags[first + 5]], LANES_OF[flags[first + 6]]
    here = chosen * ROWS + row
    rows[here - 1] |= (upper_left | upper_right << 1) << column
    rows[here] |= (left | centre << 1 | right << 2) << column - 1
    rows[here + 1] |= (lower_left | lower_right << 1) << column - 1
    here = TILES * ROWS + row
    rows[here - 1] |= 3 << column
    rows[here] |= 7 << column - 1
    rows[here + 1] |= 3 << column - 1


@rule
def find_free(s: State, at: int, rows: IntArray) -> None:
    for row in range(1, LAST_ROW + 1):
        rows[FREE * ROWS + row] = rows[FOUND * ROWS + row] & LANE | WIDE_ROWS[row]
    if s.dragon_at[START_PLACE] != 0:  # SCEN-61: a dragon holds the start tile
        for k in range(HEIGHT):
            rows[FREE * ROWS + ROW_OF[START] + k] &= ~BITS_OF[START, k]
    add(rows, FREE, 1, at)  # wherever it stands, it can walk from there
    for row in range(1, LAST_ROW + 1):
        rows[FREE * ROWS + row] *= SPREAD


@rule
def find_frontier(found: int, rows: IntArray) -> None:
    """NEXT: what can be walked on beside places that can be explored (EXPL-1), those without a tile in rings for which
    there are tiles. A lane for each ring."""
    first, second, third = tiles_for(found, 0), tiles_for(found, 1), tiles_for(found, 2)
    for row in range(1, LAST_ROW + 1):
        places = RING_ROWS[0, row] & first | (RING_ROWS[1, row] & second) << SECOND
        places |= (RING_ROWS[2, row] & third) << THIRD
        rows[LATEST * ROWS + row] = places & ~(rows[TILES * ROWS + row] * SPREAD)
    for row in range(1, LAST_ROW + 1):
        rows[NEXT * ROWS + row] = reached(rows, row)


@rule
def tiles_for(found: int, ring: int) -> int:
    """As a set: all or nothing."""
    return LANE if has(found, RINGS_LEFT + ring) else 0


@rule
def sow(rows: IntArray) -> None:
    """The seeds of what lies on tiles."""
    for row in range(1, LAST_ROW + 1):
        found, frontier = rows[FOUND * ROWS + row], rows[NEXT * ROWS + row]
        tokens = found >> SECOND & LANE
        rows[(SEEDS + FIND_TIER) * ROWS + row] = found >> THIRD
        rows[(SEEDS + TOKEN_TIERS[1]) * ROWS + row] = tokens & RING_ROWS[1, row]
        rows[(SEEDS + TOKEN_TIERS[0]) * ROWS + row] = tokens & RING_ROWS[0, row] | (frontier & LANE) << SECOND
        rows[(SEEDS + TOKEN_TIERS[2]) * ROWS + row] = tokens & RING_ROWS[2, row] | frontier & LANE << SECOND
        dragons = (rows[HELD * ROWS + row] & LANE) << THIRD
        rows[(SEEDS + DRAGON_TIER) * ROWS + row] = dragons | frontier >> THIRD << SECOND
        rows[(SEEDS + STOCK_TIER) * ROWS + row] = 0


@rule
def sow_wide_spaces(s: State, found: int, rows: IntArray) -> None:
    """Start and temples, where no lava can be; and the secret exit."""
    add(rows, SEEDS + (EXIT_TIER if has(found, ROPE) else STOCK_TIER), 1, START)
    for temple in range(TEMPLES):
        tier = FIND_TIER if has(found, PLANS + temple) else STOCK_TIER
        add(rows, SEEDS + tier, 1, FIRST_TEMPLE + temple)
    if has(found, EXIT):
        add(rows, SEEDS + EXIT_TIER, 1, s.secret_exit)
    if s.dragon_at[START_PLACE] != 0:
        add(rows, SEEDS + DRAGON_TIER, 1 << THIRD, START)


@rule
def is_way_out(s: State, t: Tables) -> bool:
    """ESC-1, COOP-21: the secret exit."""
    return secret_exit_is_open(s) if has_vp(s) else exit_is_open(s, t)


@rule
def add(rows: IntArray, chosen: int, lanes: int, space: int) -> None:
    """A space to a set. `lanes`: the first bit of each lane that it goes to."""
    for k in range(HEIGHT):
        rows[chosen * ROWS + ROW_OF[space] + k] |= BITS_OF[space, k] * lanes


# The flood


@rule
def flood(rows: IntArray, kept: IntArray, planes: int) -> None:
    """From the seeds of all tiers, each a step later than the one before. When it comes to a hexagon is kept: of its
    level + 1 each bit goes to a set of its own."""
    for row in range(1, LAST_ROW + 1):
        rows[LATEST * ROWS + row] = 0
        rows[SEEN * ROWS + row] = 0
    for k in range(PLANES * ROWS):
        kept[unsigned(planes + k)] = 0
    for level in range(LEVELS):
        rise(rows, SEEDS + min(level, TIERS))
        for plane in range(PLANES):
            if has(level + 1, plane):
                keep_level(rows, kept, planes + plane * ROWS)


@rule
def keep_level(rows: IntArray, kept: IntArray, plane: int) -> None:
    for row in range(1, LAST_ROW + 1):
        kept[unsigned(plane + row)] |= rows[LATEST * ROWS + row]


@rule
def rise(rows: IntArray, seeds: int) -> None:
    """One step of the flood: LATEST becomes what it reaches and what joins it, without what was SEEN before."""
    wide = 0
    for row in range(1, LAST_ROW + 1):
        fresh = (reached(rows, row) | rows[unsigned(seeds * ROWS + row)]) & ~rows[SEEN * ROWS + row]
        rows[NEXT * ROWS + row] = fresh
        rows[SEEN * ROWS + row] |= fresh
        wide |= fresh & WIDE_LANES[row]
    for row in range(1, LAST_ROW + 1):
        rows[LATEST * ROWS + row] = rows[NEXT * ROWS + row]
    if wide != 0:
        fill_wide_spaces(rows)


@rule
def reached(rows: IntArray, row: int) -> int:
    """In a row, by one step from LATEST in all directions over what can be walked on. Loops over it are simple enough
    for the compiler to work on several rows at once."""
    this = rows[LATEST * ROWS + row]
    above = rows[LATEST * ROWS + row - 1]
    below = rows[LATEST * ROWS + row + 1]
    beside = above | below | ((this | below) & NOT_LAST) << 1 | ((this | above) & NOT_FIRST) >> 1
    return beside & rows[FREE * ROWS + row]


@rule
def fill_wide_spaces(rows: IntArray) -> None:
    """A space of several hexagons is taken as a whole."""
    for k in range(len(WIDE_SPACES)):
        row = LATEST * ROWS + WIDE_ROW[k]
        one, two, three = WIDE_BITS[k, 0], WIDE_BITS[k, 1], WIDE_BITS[k, 2]
        found = rows[row] & one | rows[row + 1] & two | rows[row + 2] & three
        if found != 0:
            taken = whole_lanes(found)
            fill(rows, row, one & taken, two & taken, three & taken)
            fill(rows, row + (SEEN - LATEST) * ROWS, one & taken, two & taken, three & taken)


@rule
def whole_lanes(bits: int) -> int:
    """All bits of every lane that has one. A lane with any but its top bit carries into that by the addition; then the
    lowest bit of a lane, taken from its top bit, leaves all between."""
    tops = ((bits & ~TOPS) + (LANE >> 1) * SPREAD | bits) & TOPS
    return tops | tops - (tops >> LATTICE - 1)


@rule
def fill(rows: IntArray, row: int, one: int, two: int, three: int) -> None:
    rows[row] |= one
    rows[row + 1] |= two
    rows[row + 2] |= three


# What is written


@rule
def show_ways(t: Tables, here: int, kept: IntArray, planes: int, out: Floats, at: int) -> None:
    """Those that come here."""
    levels = levels_at(kept, planes, here)
    come = (levels | levels >> 1 | levels >> 2 | levels >> 3) & SPREAD
    shown = come * ALL_PLANES
    put_ways(out, at + here, SPACES, levels)
    put_ways(out, at + WAYS * SPACES, 1, levels)
    for k in range(t.neighbour_count[unsigned(here)]):
        beside = t.neighbours[unsigned(here), k]
        put_ways(out, at + beside, SPACES, levels_at(kept, planes, beside) & shown)


@rule
def hide_ways(t: Tables, here: int, out: Floats, at: int) -> None:
    put_ways(out, at + here, SPACES, 0)
    put_ways(out, at + WAYS * SPACES, 1, 0)
    for k in range(t.neighbour_count[unsigned(here)]):
        put_ways(out, at + t.neighbours[unsigned(here), k], SPACES, 0)


@rule
def levels_at(kept: IntArray, planes: int, space: int) -> int:
    """Of a space: the level + 1 of each way, at the beginning of its lane; 0 where it does not come."""
    row, column = ROW_OF[unsigned(space)], COLUMN_OF[unsigned(space)]
    levels = 0
    for plane in range(PLANES):
        levels |= (kept[unsigned(planes + plane * ROWS + row)] >> column & SPREAD) << plane
    return levels


@rule
def put_ways(out: Floats, at: int, apart: int, levels: int) -> None:
    """One value for each way, so far apart."""
    out[unsigned(at)] = SCALED_VALUES[levels & ALL_PLANES]
    out[unsigned(at + apart)] = SCALED_VALUES[levels >> SECOND & ALL_PLANES]
    out[unsigned(at + 2 * apart)] = SCALED_VALUES[levels >> THIRD & ALL_PLANES]
