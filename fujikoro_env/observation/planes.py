"""Writers for the pictures of the tensor observation: the table `PLANES` of fields.py, in its order.

The planes of a part lie one after the other, each a grid of bytes. All bytes are 0 at first, and a writer sets only the
others. It visits each hexagon, cell or piece once and writes all planes about it: most planes are nearly empty, and
visiting the whole map once for each plane takes ten times as long.
"""

from typing import Any, Final

import numpy as np
from numpy.typing import NDArray

from fujikoro_env.kernel.jit import Bytes, IntArray, rule
from fujikoro_env.kernel.layout import starts_of
from fujikoro_env.kernel.masks import has
from fujikoro_env.kernel.records import Ints, dtype_of, i64s, record, u8s
from fujikoro_env.observation.fields import CARDS, GEAR_ROWS, PLANES
from fujikoro_env.observation.seats import player_at, seats_taken
from fujikoro_env.rules.base.frames import top
from fujikoro_env.rules.base.names import GEARS, RESOURCE_KINDS, Gear, Reason, Terrain
from fujikoro_env.rules.base.phase_entry import Holds
from fujikoro_env.rules.base.phases import phase_bits
from fujikoro_env.rules.base.state import CARD_SLOTS, GEAR_HEIGHT, GEAR_WIDTH, State
from fujikoro_env.rules.base.tables import CELLS_OF_TILE, CardTable, Tables
from fujikoro_env.rules.characters.boards import open_cells
from fujikoro_env.rules.explore import may_explore
from fujikoro_env.rules.fights.dragons import dragon_health
from fujikoro_env.rules.gear.weapon import gear_of_arm, has_magic, weapon_in
from fujikoro_env.rules.map.board import is_open, stands_on
from fujikoro_env.rules.map.geometry import (
    FIRST_BRIDGE,
    FIRST_TILE_SPACE,
    LATTICE,
    LATTICE_MIDDLE,
    PLACES,
    SPACES,
    START,
    geometry,
)

ALL_BYTES: Final = sum(part.width for part in PLANES)
STARTS: Final = starts_of(PLANES)
QUESTIONS_ABOUT_CELLS: Final = phase_bits(Holds.CELLS, "chosen")
HEXAGONS: Final = LATTICE * LATTICE
GRID_WIDTH: Final = max(GEAR_WIDTH)
GEAR_GRID: Final = GEAR_ROWS * GRID_WIDTH
PATTERN_GRID: Final = max(GEAR_HEIGHT) * GRID_WIDTH
FIRST_ROW: Final = (0, GEAR_HEIGHT[0], GEAR_HEIGHT[0] + GEAR_HEIGHT[1])  # first grid row of helmet, weapon, sandals


def _plane(part: str, column: str) -> int:
    """Index at which the first plane of a column starts, in the first row of its part."""
    found = next(one for one in PLANES if one.name == part)
    planes_before: int = found.slices[column].start
    return STARTS[part] + planes_before * int(np.prod(found.grid))


ON_MAP: Final = _plane("map", "on_map")
EXPLORED: Final = _plane("map", "explored")
LAVA: Final = _plane("map", "lava")
LAVA_TILE: Final = _plane("map", "lava_tile")
ERUPTION: Final = _plane("map", "eruption")
SAFE: Final = _plane("map", "safe")
EXPLORABLE: Final = _plane("map", "explorable")
TILE: Final = _plane("map", "tile")
TURN: Final = _plane("map", "turn")
TOKEN: Final = _plane("map", "token")
SHOWS: Final = _plane("map", "shows")
SHOWS_MONK: Final = _plane("map", "shows_monk")
FACE_UP: Final = _plane("map", "face_up")
MONK: Final = _plane("map", "monk")
SCROLL: Final = _plane("map", "scroll")
MY_SCROLL: Final = _plane("map", "my_scroll")
ADVENTURE: Final = _plane("map", "adventure")
SPOILS: Final = _plane("map", "spoils")
EXIT: Final = _plane("map", "exit")
ROPE: Final = _plane("map", "rope")
DRAGON: Final = _plane("map", "dragon")
HEALTH: Final = _plane("map", "health")
INITIATIVE: Final = _plane("map", "initiative")
DICE: Final = _plane("map", "dice")
MARKER: Final = _plane("map", "marker")
SAMURAI: Final = _plane("map", "samurai")
PATH: Final = _plane("map", "path")

OPEN: Final = _plane("gear", "open")
CUBES: Final = _plane("gear", "cubes")
MAGIC: Final = _plane("gear", "magic")
MARKED: Final = _plane("gear", "marked")
GEAR_OF_SEAT: Final = next(part.row_width for part in PLANES if part.name == "gear") * GEAR_GRID

PATTERNS: Final = STARTS["patterns"]
PATTERNS_OF_CARD: Final = next(part.row_width for part in PLANES if part.name == "patterns") * PATTERN_GRID


# The geometry never changes, so compiled code may freeze tables derived from it. Indices are unsigned because compiled
# code checks signed ones for negative values at every access.


def _lattice_indices(space: int) -> list[int]:
    """Lattice indices of the hexagons of a space, row by row."""
    return [(r + LATTICE_MIDDLE) * LATTICE + q + LATTICE_MIDDLE for q, r in geometry().hexes[space]]


def _hexagons_of_places() -> NDArray[np.uint32]:
    """Lattice indices of the hexagons of each tile, (places and the start, 7)."""
    centres = [FIRST_TILE_SPACE + CELLS_OF_TILE * place for place in range(PLACES)]
    tiles = [[_lattice_indices(centre + cell)[0] for cell in range(CELLS_OF_TILE)] for centre in centres]
    return np.array([*tiles, _lattice_indices(START)], np.uint32)


def _plane_of_all_hexagons() -> NDArray[np.uint8]:
    plane = np.zeros(HEXAGONS, np.uint8)
    plane[_ALL_HEXAGONS] = 1
    return plane


_BY_SPACE: Final = [_lattice_indices(space) for space in range(SPACES)]
_ALL_HEXAGONS: Final = [hexagon for hexagons in _BY_SPACE for hexagon in hexagons]
OF_SPACES: Final = np.array(_ALL_HEXAGONS, np.uint32)  # lattice indices, space after space
FIRST_OF_SPACE: Final = np.cumsum([0, *map(len, _BY_SPACE)])  # start of each space in OF_SPACES, then the end
OF_PLACE: Final = _hexagons_of_places()
_SAFE_SPACES: Final = (START, *range(FIRST_BRIDGE, SPACES))  # MAP-5
OF_SAFE: Final = np.array([(hexagon, space) for space in _SAFE_SPACES for hexagon in _BY_SPACE[space]], np.uint32)
SAFE_HEXAGONS: Final = len(OF_SAFE)
ALL_ON_MAP: Final = _plane_of_all_hexagons()


# The map


@rule
def write_map(s: State, t: Tables, out: Bytes) -> None:
    """Write the planes of `map` that belong to the scenery."""
    for k in range(HEXAGONS):
        out[ON_MAP + k] = ALL_ON_MAP[k]
    for k in range(SAFE_HEXAGONS):
        write_space(s, t, OF_SAFE[k, 1], OF_SAFE[k, 0], out)
        out[SAFE + OF_SAFE[k, 0]] = 1
    for place in range(PLACES):
        if s.tile[place] != 0:
            write_tile(s, t, place, out)
        elif may_explore(s, t, place):  # without a tile there is nothing else here (MAP-10)
            show_on_tile(out, EXPLORABLE, place, 1)
    for place in range(PLACES + 1):
        if s.dragon_at[place] != 0:
            write_dragon(s, t, place, s.dragon_at[place] - 1, out)
    if s.secret_exit != START:
        show(out, EXIT, s.secret_exit, 1)


@rule
def write_movables(s: State, observer: int, out: Bytes) -> None:
    """Write what changes from decision to decision, or from observer to observer."""
    colour = s.players[observer].colour
    if colour != 0:
        for k in range(HEXAGONS):
            out[MY_SCROLL + k] = 1 if out[SCROLL + k] == colour else 0
    if s.rope != 0:
        show(out, ROPE, START, 1)
    write_samurai(s, observer, out)
    for k in range(s.path_length):
        show(out, PATH, s.path[k], k + 1)  # for a space that was entered twice, the last time is shown


@rule
def write_tile(s: State, t: Tables, place: int, out: Bytes) -> None:
    """Write a tile and what lies on it."""
    tile, turn = s.tile[place], s.tile_turn[place]
    for cell in range(CELLS_OF_TILE):
        hexagon = OF_PLACE[place, cell]
        write_space(s, t, FIRST_TILE_SPACE + CELLS_OF_TILE * place + cell, hexagon, out)
        out[TILE + hexagon] = tile
        out[TURN + hexagon] = turn


@rule
def write_space(s: State, t: Tables, space: int, hexagon: int, out: Bytes) -> None:
    """Write what lies on a space, on one of its hexagons."""
    write_ground(s, space, hexagon, out)
    if has_things(s, space):
        write_things(s, t, space, hexagon, out)


@rule
def write_ground(s: State, space: int, hexagon: int, out: Bytes) -> None:
    """Write the terrain of a space on one of its hexagons."""
    out[EXPLORED + hexagon] = 1 if is_open(s, space) else 0
    out[LAVA + hexagon] = 1 if s.terrain[space] == Terrain.LAVA else 0
    out[LAVA_TILE + hexagon] = 1 if s.terrain[space] == Terrain.LAVA_TILE else 0
    out[ERUPTION + hexagon] = s.eruption[space]


@rule
def has_things(s: State, space: int) -> bool:
    """Whether anything lies on a space. One combined test, because few spaces have anything and a mispredicted branch
    costs as much as writing ten numbers."""
    return s.token[space] | s.monk[space] | s.scroll[space] | s.adventure[space] | s.spoils[space] != 0


@rule
def write_things(s: State, t: Tables, space: int, hexagon: int, out: Bytes) -> None:
    """Write the pieces on a space on one of its hexagons."""
    token, scroll, adventure = s.token[space], s.scroll[space], s.adventure[space]
    if token != 0:
        out[TOKEN + hexagon] = token
        for kind in range(RESOURCE_KINDS):
            out[SHOWS + kind * HEXAGONS + hexagon] = t.token_shows[token - 1, kind]
        out[SHOWS_MONK + hexagon] = t.token_monk[token - 1]
        out[FACE_UP + hexagon] = s.face_up[space]
    out[MONK + hexagon] = s.monk[space]
    out[SCROLL + hexagon] = scroll
    if adventure != 0:
        out[ADVENTURE + (int(adventure) - 1) * HEXAGONS + hexagon] = 1
    out[SPOILS + hexagon] = s.spoils[space]


@rule
def write_dragon(s: State, t: Tables, place: int, dragon: int, out: Bytes) -> None:
    """Write a dragon on the tile that it holds."""
    show_on_tile(out, DRAGON, place, dragon + 1)
    show_on_tile(out, HEALTH, place, dragon_health(s, t, dragon))
    show_on_tile(out, INITIATIVE, place, t.dragon_initiative[dragon])
    show_on_tile(out, DICE, place, t.colour_dice[t.dragon_colour[dragon]])
    show_on_tile(out, MARKER, place, s.dragons[dragon].marker)


@rule
def show_on_tile(out: Bytes, plane: int, place: int, value: int) -> None:
    """Write a value on all hexagons of a tile."""
    for cell in range(CELLS_OF_TILE):
        out[plane + OF_PLACE[place, cell]] = value


@rule
def show(out: Bytes, plane: int, space: int, value: int) -> None:
    """Write a value on all hexagons of a space."""
    for k in range(FIRST_OF_SPACE[space], FIRST_OF_SPACE[space + 1]):
        out[plane + OF_SPACES[k]] = value


@rule
def write_samurai(s: State, observer: int, out: Bytes) -> None:
    """Write the samurai by seat: 1 where it stands, 2 where it lies."""
    for seat in range(seats_taken(s)):
        player = player_at(s, observer, seat)
        me = s.players[player]
        enemy_is_beaten = player >= s.settings.players and me.at == 0
        if stands_on(s, player, me.at) and not enemy_is_beaten:
            show(out, SAMURAI + seat * HEXAGONS, me.at, 2 if me.unconscious != 0 else 1)


# Gear


@rule
def show_cells(out: Bytes, plane: int, gear: int, cells: int) -> None:
    """Write a set of cells of a gear's grid. If it is not empty, all cells are written, which avoids branches."""
    if cells == 0:
        return
    width = GEAR_WIDTH[gear]
    for row in range(GEAR_HEIGHT[gear]):
        start = plane + (FIRST_ROW[gear] + row) * GRID_WIDTH
        for column in range(width):
            out[start + column] = int(cells) >> row * width + column & 1


@rule
def write_gear(s: State, observer: int, seat: int, out: Bytes) -> None:
    """Write the gear of one seat."""
    first, player = seat * GEAR_OF_SEAT, player_at(s, observer, seat)
    me = s.players[player]
    for gear in range(GEARS):
        show_cells(out, first + OPEN, gear, open_cells(me, gear))
        for kind in range(RESOURCE_KINDS):
            show_cells(out, first + CUBES + kind * GEAR_GRID, gear, me.gear[gear].cubes[kind])
    write_magic(s, player, first + MAGIC, out)
    write_marks(s, player, first + MARKED, out)


@rule
def write_magic(s: State, player: int, plane: int, out: Bytes) -> None:
    """Write the magic cells of a player's gear."""
    me = s.players[player]
    for gear in range(GEARS):
        if me.gear[gear].magic != 0 and gear != Gear.WEAPON:
            show_cells(out, plane, gear, open_cells(me, gear))
    weapons = 0
    for slot in range(2):
        if has_magic(me, slot):
            weapons |= weapon_in(me, slot)
    show_cells(out, plane, Gear.WEAPON, weapons)


@rule
def write_marks(s: State, player: int, plane: int, out: Bytes) -> None:
    """Mark the cubes whose dice are being rolled, or break."""
    if s.reason != Reason.PLAYING or top(s).actor != player:
        return
    frame = top(s)
    if has(QUESTIONS_ABOUT_CELLS, frame.phase):
        show_cells(out, plane, gear_of_arm(frame.at), frame.chosen)


# Cards


@rule
def write_patterns(s: State, t: Tables, out: Bytes) -> None:
    """Write the patterns of all cards in play."""
    for slot in range(CARDS):
        gear = slot // CARD_SLOTS
        card = s.gear_cards[slot].card
        if card != 0:
            write_pattern(t.gear_cards[card - 1], gear, PATTERNS + slot * PATTERNS_OF_CARD, out)
        card = s.blueprints[slot].card
        if card != 0:
            write_pattern(t.blueprints[card - 1], gear, PATTERNS + (CARDS + slot) * PATTERNS_OF_CARD, out)


@rule
def write_pattern(card: CardTable, gear: int, first: int, out: Bytes) -> None:
    """Write the pattern of one card."""
    for part in range(card.parts):
        if card.height[part, 0] <= GEAR_HEIGHT[gear]:  # otherwise it does not fit the grid as printed
            write_part(card, part, gear, first + part * PATTERN_GRID, out)


@rule
def write_part(card: CardTable, part: int, gear: int, start: int, out: Bytes) -> None:
    """Write one part of a pattern: the cells of each kind of cube."""
    wood, metal, teeth = card.cells[part, 0, 0], card.cells[part, 0, 1], card.cells[part, 0, 2]
    for row in range(card.height[part, 0]):
        for column in range(card.width[part, 0]):
            cell = row * GEAR_WIDTH[gear] + column  # in at most one of the three sets
            code = (wood >> cell & 1) + 2 * (metal >> cell & 1) + 3 * (teeth >> cell & 1)
            out[start + row * GRID_WIDTH + column] = code


@rule
def write_planes(s: State, t: Tables, observer: int, out: Bytes) -> None:
    """Write all planes of an observation."""
    write_scenery(s, t, out)
    write_rest(s, observer, out)


@rule
def write_scenery(s: State, t: Tables, out: Bytes) -> None:
    """Write the planes that are the same for all observers and seldom change, and zeros elsewhere."""
    for k in range(ALL_BYTES):
        out[k] = 0
    write_map(s, t, out)
    write_patterns(s, t, out)


@rule
def write_rest(s: State, observer: int, out: Bytes) -> None:
    """Write the planes that are not part of the scenery."""
    write_movables(s, observer, out)
    for seat in range(seats_taken(s)):
        write_gear(s, observer, seat, out)


# The scenery of a game is kept from decision to decision, with a copy of the words of the record it was drawn from.


def _byte_of(field: str) -> int:
    """Offset of a field in the record."""
    places: Any = dtype_of(State).fields
    return int(places[field][1])


WORD: Final = 8  # bytes
SETTINGS_END: Final = -(-_byte_of("first_player") // WORD)  # settings come first
SCENERY_BEGINS: Final = _byte_of("tiles_left") // WORD  # the table and the map; players follow
SCENERY_ENDS: Final = -(-_byte_of("players") // WORD)
SCENERY_WORDS: Final = SETTINGS_END + SCENERY_ENDS - SCENERY_BEGINS


@record
class Scenery:
    """The pictures of a game's scenery, and the words of the game that they were drawn from."""

    drawn_from: Ints = i64s(SCENERY_WORDS)
    pictures: Ints = u8s(ALL_BYTES)


@rule
def write_planes_from_scenery(
    s: State, t: Tables, observer: int, words: IntArray, scenery: Scenery, out: Bytes
) -> None:
    """Same as `write_planes`, but reuses the scenery if it has not changed. `words`: the record of the game as
    int64."""
    if differs(words, scenery):
        write_scenery(s, t, out)
        for k in range(ALL_BYTES):
            scenery.pictures[k] = out[k]
        for k in range(SETTINGS_END):
            scenery.drawn_from[k] = words[k]
        for k in range(SETTINGS_END, SCENERY_WORDS):
            scenery.drawn_from[k] = words[SCENERY_BEGINS - SETTINGS_END + k]
    else:
        for k in range(ALL_BYTES):
            out[k] = scenery.pictures[k]
    write_rest(s, observer, out)


@rule
def differs(words: IntArray, scenery: Scenery) -> bool:
    """Whether the scenery has changed since it was drawn."""
    difference = 0
    for k in range(SETTINGS_END):
        difference |= words[k] ^ scenery.drawn_from[k]
    for k in range(SETTINGS_END, SCENERY_WORDS):
        difference |= words[SCENERY_BEGINS - SETTINGS_END + k] ^ scenery.drawn_from[k]
    return difference != 0
