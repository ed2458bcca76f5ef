"""Writes the pictures of the tensor observation: the table `PLANES` of fields.py, in its order.

Planes of a part lie one after the other, each a grid of bytes. A writer begins at a plane and gives the one after its
last; what it does not write is 0.
"""

from typing import Final

import numpy as np

from fujikoro_env.content.model import ADVENTURE_POWERS
from fujikoro_env.observation.fields import CARDS, GEAR_ROWS, PLANES
from fujikoro_env.observation.layout import starts_of
from fujikoro_env.observation.seats import player_at, seats_taken
from fujikoro_env.rules.board import dragon_on_tile_of, is_open, is_safe, stands_on
from fujikoro_env.rules.characters import open_cells
from fujikoro_env.rules.dragons import dragon_health
from fujikoro_env.rules.explore import may_explore
from fujikoro_env.rules.frames import top
from fujikoro_env.rules.geometry import LATTICE, LATTICE_MIDDLE, PLACES, SPACES, START, geometry
from fujikoro_env.rules.jit import Bytes, rule
from fujikoro_env.rules.masks import has
from fujikoro_env.rules.names import GEARS, RESOURCE_KINDS, Gear, Reason, Terrain
from fujikoro_env.rules.phases import Phase
from fujikoro_env.rules.state import CARD_SLOTS, GEAR_CELLS, GEAR_HEIGHT, GEAR_WIDTH, PLAYERS, State
from fujikoro_env.rules.tables import PATTERN_PARTS, CardTable, Tables
from fujikoro_env.rules.weapon import gear_of_arm, has_magic, weapon_in

KINDS_OF_ADVENTURE: Final = len(ADVENTURE_POWERS)
ALL_BYTES: Final = sum(part.width for part in PLANES)
STARTS: Final = starts_of(PLANES)
MAP_START: Final = STARTS["map"]
GEAR_START: Final = STARTS["gear"]
PATTERN_START: Final = STARTS["patterns"]
HEXAGONS: Final = LATTICE * LATTICE
GRID_WIDTH: Final = max(GEAR_WIDTH)
GEAR_GRID: Final = GEAR_ROWS * GRID_WIDTH
PATTERN_GRID: Final = max(GEAR_HEIGHT) * GRID_WIDTH
GEAR_PLANES: Final = next(part.row_width for part in PLANES if part.name == "gear")
FIRST_ROW: Final = (0, GEAR_HEIGHT[0], GEAR_HEIGHT[0] + GEAR_HEIGHT[1])  # of helmet, weapon, sandals
NO_HEXAGON: Final = -1


def _lattice_indices() -> np.ndarray[tuple[int, int], np.dtype[np.int64]]:
    """(SPACES, 7): where on the lattice the hexagons of a space are, row by row; NO_HEXAGON after the last."""
    found = np.full((SPACES, 7), NO_HEXAGON, np.int64)
    for space, hexes in enumerate(geometry().hexes):
        for k, (q, r) in enumerate(hexes):
            found[space, k] = (r + LATTICE_MIDDLE) * LATTICE + q + LATTICE_MIDDLE
    return found


HEXES_OF: Final = _lattice_indices()  # geometry never changes, so compiled code may freeze it


@rule
def show(out: Bytes, plane: int, space: int, value: int) -> int:
    """The value on all hexagons of a space."""
    if value != 0:
        for k in range(HEXES_OF.shape[1]):
            hexagon = HEXES_OF[space, k]
            if hexagon == NO_HEXAGON:
                break
            out[MAP_START + plane * HEXAGONS + hexagon] = value
    return plane + 1


@rule
def show_flag(out: Bytes, plane: int, space: int, flag: bool) -> int:
    return show(out, plane, space, 1 if flag else 0)


# The map


@rule
def write_map(s: State, t: Tables, observer: int, out: Bytes) -> int:
    planes = 0
    for space in range(SPACES):
        planes = write_ground(s, t, space, out, 0)
        planes = write_things(s, t, observer, space, out, planes)
        planes = write_dragon(s, t, space, out, planes)
        for seat in range(PLAYERS):
            planes = show(out, planes, space, samurai_on(s, observer, seat, space))
        planes = show(out, planes, space, place_in_path(s, space))
    return planes


@rule
def write_ground(s: State, t: Tables, space: int, out: Bytes, plane: int) -> int:
    place = t.place_of[space] if t.place_of[space] < PLACES else -1
    plane = show_flag(out, plane, space, True)
    plane = show_flag(out, plane, space, is_open(s, space))
    plane = show_flag(out, plane, space, s.terrain[space] == Terrain.LAVA)
    plane = show_flag(out, plane, space, s.terrain[space] == Terrain.LAVA_TILE)
    plane = show(out, plane, space, s.eruption[space])
    plane = show_flag(out, plane, space, is_safe(space))
    plane = show_flag(out, plane, space, place >= 0 and may_explore(s, t, place))
    plane = show(out, plane, space, s.tile[place] if place >= 0 else 0)
    return show(out, plane, space, s.tile_turn[place] if place >= 0 else 0)


@rule
def write_things(s: State, t: Tables, observer: int, space: int, out: Bytes, plane: int) -> int:
    token = s.token[space]
    plane = show(out, plane, space, token)
    for kind in range(RESOURCE_KINDS):
        plane = show(out, plane, space, t.token_shows[token - 1, kind] if token != 0 else 0)
    plane = show(out, plane, space, t.token_monk[token - 1] if token != 0 else 0)
    plane = show(out, plane, space, s.face_up[space])
    plane = show(out, plane, space, s.monk[space])
    plane = show(out, plane, space, s.scroll[space])
    plane = show_flag(out, plane, space, s.scroll[space] != 0 and s.scroll[space] == s.players[observer].colour)
    for kind in range(KINDS_OF_ADVENTURE):
        plane = show_flag(out, plane, space, s.adventure[space] == kind + 1)
    plane = show(out, plane, space, s.spoils[space])
    plane = show_flag(out, plane, space, space != START and s.secret_exit == space)
    return show_flag(out, plane, space, space == START and s.rope != 0)


@rule
def write_dragon(s: State, t: Tables, space: int, out: Bytes, plane: int) -> int:
    code = dragon_on_tile_of(s, t, space)
    if code == 0:
        return plane + 5
    dragon = code - 1
    plane = show(out, plane, space, code)
    plane = show(out, plane, space, dragon_health(s, t, dragon))
    plane = show(out, plane, space, t.dragon_initiative[dragon])
    plane = show(out, plane, space, t.colour_dice[t.dragon_colour[dragon]])
    return show(out, plane, space, s.dragons[dragon].marker)


@rule
def samurai_on(s: State, observer: int, seat: int, space: int) -> int:
    """1 if the samurai of the seat stands there, 2 if it lies there."""
    if seat >= seats_taken(s):
        return 0
    player = player_at(s, observer, seat)
    enemy_is_beaten = player >= s.settings.players and s.players[player].at == 0
    if enemy_is_beaten or not stands_on(s, player, space):
        return 0
    return 2 if s.players[player].unconscious != 0 else 1


@rule
def place_in_path(s: State, space: int) -> int:
    """The last time that the move under way came through."""
    for k in range(s.path_length, 0, -1):
        if s.path[k - 1] == space:
            return k
    return 0


# Gear


@rule
def show_cells(out: Bytes, start: int, gear: int, cells: int) -> None:
    """A set of cells of a gear's grid on a plane that begins at `start`."""
    width = GEAR_WIDTH[gear]
    for cell in range(GEAR_CELLS[gear]):
        if has(cells, cell):
            out[start + (FIRST_ROW[gear] + cell // width) * GRID_WIDTH + cell % width] = 1


@rule
def write_gear(s: State, observer: int, seat: int, out: Bytes) -> int:
    start, player = GEAR_START + seat * GEAR_PLANES * GEAR_GRID, player_at(s, observer, seat)
    me = s.players[player]
    for gear in range(GEARS):
        show_cells(out, start, gear, open_cells(me, gear))
        for kind in range(RESOURCE_KINDS):
            show_cells(out, start + (1 + kind) * GEAR_GRID, gear, me.gear[gear].cubes[kind])
    plane = 1 + RESOURCE_KINDS
    write_magic(s, player, start + plane * GEAR_GRID, out)
    write_marks(s, player, start + (plane + 1) * GEAR_GRID, out)
    return plane + 2


@rule
def write_magic(s: State, player: int, start: int, out: Bytes) -> None:
    me = s.players[player]
    for gear in range(GEARS):
        if me.gear[gear].magic != 0 and gear != Gear.WEAPON:
            show_cells(out, start, gear, open_cells(me, gear))
    for slot in range(2):
        if has_magic(me, slot):
            show_cells(out, start, Gear.WEAPON, weapon_in(me, slot))


@rule
def write_marks(s: State, player: int, start: int, out: Bytes) -> None:
    """Cubes whose dice are being rolled, or break."""
    if s.reason != Reason.PLAYING or top(s).actor != player:
        return
    frame = top(s)
    if frame.phase == Phase.DICE or frame.phase == Phase.REROLL or frame.phase == Phase.BREAK:
        show_cells(out, start, gear_of_arm(frame.at), frame.chosen)


# Cards


@rule
def write_patterns(s: State, t: Tables, out: Bytes) -> int:
    parts = 0
    for slot in range(CARDS):
        gear = slot // CARD_SLOTS
        card = s.gear_cards[slot].card
        if card != 0:
            parts = write_pattern(t.gear_cards[card - 1], gear, slot, out)
        card = s.blueprints[slot].card
        if card != 0:
            parts = write_pattern(t.blueprints[card - 1], gear, CARDS + slot, out)
    return parts


@rule
def write_pattern(card: CardTable, gear: int, row: int, out: Bytes) -> int:
    width = GEAR_WIDTH[gear]
    for part in range(PATTERN_PARTS):
        start = PATTERN_START + (row * PATTERN_PARTS + part) * PATTERN_GRID
        for kind in range(RESOURCE_KINDS):
            cells = card.cells[part, 0, kind]
            for cell in range(GEAR_CELLS[gear]):
                if has(cells, cell):
                    out[start + cell // width * GRID_WIDTH + cell % width] = kind + 1
    return PATTERN_PARTS


@rule
def write_planes(s: State, t: Tables, observer: int, out: Bytes) -> None:
    for k in range(ALL_BYTES):
        out[k] = 0
    write_map(s, t, observer, out)
    for seat in range(seats_taken(s)):
        write_gear(s, observer, seat, out)
    write_patterns(s, t, out)
