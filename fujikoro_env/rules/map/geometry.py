"""Geometry of the map: one lattice of small hexagons, 37 places for tiles, 220 spaces (MAP-1 to MAP-4).

Spaces are numbered: the start, then 7 for each of the 30 places of volcano tiles (the centre, then petals 0 to 5), then
two halves for each of the 3 bridges, then the 3 temples. Places are numbered ring by ring, leaving out the corners of
ring III.
"""

from dataclasses import dataclass
from functools import cache

import numpy as np
from numpy.typing import NDArray

Hex = tuple[int, int]  # axial coordinates

PETALS: tuple[Hex, ...] = ((1, 0), (0, 1), (-1, 1), (-1, 0), (0, -1), (1, -1))
CELLS: tuple[Hex, ...] = ((0, 0), *PETALS)  # the 7 hexagons of a tile, centre first
RINGS = 3
PLACES = 30
START_PLACE = PLACES  # the start tile as a place, for scenarios that need it
BRIDGES = 3
TEMPLES = 3

START = 0
FIRST_TILE_SPACE = 1
FIRST_BRIDGE = FIRST_TILE_SPACE + 7 * PLACES
FIRST_TEMPLE = FIRST_BRIDGE + 2 * BRIDGES
SPACES = FIRST_TEMPLE + TEMPLES
MAX_NEIGHBOURS = 12  # the start has this many

LATTICE = 21  # rows and columns of an axial lattice large enough for the whole map
LATTICE_MIDDLE = LATTICE // 2


def add(a: Hex, b: Hex) -> Hex:
    """Return the sum of two hexagon coordinates."""
    return a[0] + b[0], a[1] + b[1]


def times(n: int, a: Hex) -> Hex:
    """Return a multiple of hexagon coordinates."""
    return n * a[0], n * a[1]


def turned(a: Hex, sixths: int) -> Hex:
    """Rotate coordinates about the origin, in the direction in which petals are numbered."""
    for _ in range(sixths % 6):
        a = (-a[1], a[0] + a[1])
    return a


TILE_DIRECTIONS: tuple[Hex, ...] = tuple(turned((2, 1), k) for k in range(6))


def ring_centre(ring: int, index: int) -> Hex:
    """Return the centre of a place. The places of a ring are numbered from corner 0 in the direction of the petals
    (MAP-4)."""
    corner, beyond = divmod(index, ring)
    return add(times(ring, TILE_DIRECTIONS[corner]), times(beyond, TILE_DIRECTIONS[(corner + 2) % 6]))


def is_corner_of_last_ring(ring: int, index: int) -> bool:
    """Whether a place of a ring is a corner of the outermost ring, where bridges and temples are."""
    return ring == RINGS and index % RINGS == 0


@dataclass(frozen=True)
class Geometry:
    """All facts about the empty map. Lists are padded with -1."""

    hexes: tuple[tuple[Hex, ...], ...]  # by space: its hexagons
    space_names: tuple[str, ...]
    place_names: tuple[str, ...]  # 30 places, then the start
    place_centres: tuple[Hex, ...]  # 30 places, then the start
    place_ring: NDArray[np.int16]  # (30,) 1 to 3
    neighbours: NDArray[np.int16]  # (220, 12) adjacent spaces, ascending
    neighbour_count: NDArray[np.int16]  # (220,)
    place_of: NDArray[np.int16]  # (220,) place of a space of a tile or the start, else -1
    touched_places: NDArray[np.int16]  # (220, 6) places that the space touches, except its own
    place_neighbours: NDArray[np.int16]  # (31, 6) places that share a side; the last row is the start's
    place_distance: NDArray[np.int16]  # (220, 31) from a space's tile to a place, in tiles as the crow flies
    hex_of: NDArray[np.int16]  # (220, 2) the first hexagon of a space; spaces of tiles have only one
    distance: NDArray[np.int16]  # (220, 220) steps between spaces on a map without obstacles


@cache
def geometry() -> Geometry:
    """Return the geometry of the map, computed once."""
    tiles = _tile_places()
    corners = [(k, ring_centre(RINGS, RINGS * k)) for k in range(6)]
    bridges = [_bridge_halves(k, centre) for k, centre in corners if k % 2 == 1]
    temples = [_tile_hexes(centre) for k, centre in corners if k % 2 == 0]
    hexes = [_tile_hexes((0, 0))]
    hexes += [(add(centre, cell),) for _, _, centre in tiles for cell in CELLS]
    hexes += [half for halves in bridges for half in halves] + temples
    centres = [centre for _, _, centre in tiles] + [(0, 0)]
    neighbours = _neighbours(hexes)
    tile_centres = _tile_centre_of_spaces(centres, corners)
    return Geometry(
        hexes=tuple(hexes),
        space_names=tuple(_space_names(tiles)),
        place_names=(*(f"ring{ring}.{index}" for ring, index, _ in tiles), "start"),
        place_centres=tuple(centres),
        place_ring=np.array([ring for ring, _, _ in tiles], np.int16),
        neighbours=_padded(neighbours, MAX_NEIGHBOURS),
        neighbour_count=np.array([len(row) for row in neighbours], np.int16),
        place_of=np.array([_place_of(space) for space in range(SPACES)], np.int16),
        touched_places=_padded([_touched(space, row) for space, row in enumerate(neighbours)], 6),
        place_neighbours=_padded([_side_by_side(centre, centres) for centre in centres], 6),
        place_distance=np.array([[tile_distance(a, b) for b in centres] for a in tile_centres], np.int16),
        hex_of=np.array([smalls[0] for smalls in hexes], np.int16),
        distance=_all_distances(neighbours),
    )


def _tile_places() -> list[tuple[int, int, Hex]]:
    rings = [(ring, index) for ring in range(1, RINGS + 1) for index in range(6 * ring)]
    return [(r, i, ring_centre(r, i)) for r, i in rings if not is_corner_of_last_ring(r, i)]


def _tile_hexes(centre: Hex) -> tuple[Hex, ...]:
    return tuple(add(centre, cell) for cell in CELLS)


def _bridge_halves(k: int, centre: Hex) -> tuple[tuple[Hex, ...], tuple[Hex, ...]]:
    def petal(n: int) -> Hex:
        return add(centre, PETALS[n % 6])

    return (petal(k + 1), petal(k + 2), petal(k + 3)), (centre, petal(k + 4), petal(k + 5), petal(k))


def _neighbours(hexes: list[tuple[Hex, ...]]) -> list[list[int]]:
    space_at = {small: space for space, smalls in enumerate(hexes) for small in smalls}

    def around(smalls: tuple[Hex, ...]) -> set[int]:
        touching = {add(small, petal) for small in smalls for petal in PETALS} - set(smalls)
        return {space_at[small] for small in touching if small in space_at}

    return [sorted(around(smalls)) for smalls in hexes]


def _place_of(space: int) -> int:
    if space == START:
        return START_PLACE
    return (space - FIRST_TILE_SPACE) // 7 if space < FIRST_BRIDGE else -1


def _touched(space: int, neighbours: list[int]) -> list[int]:
    return sorted({_place_of(other) for other in neighbours} - {-1, START_PLACE, _place_of(space)})


def _side_by_side(centre: Hex, centres: list[Hex]) -> list[int]:
    around = {add(centre, direction) for direction in TILE_DIRECTIONS}
    return [place for place, other in enumerate(centres) if other in around]


def _tile_centre_of_spaces(centres: list[Hex], corners: list[tuple[int, Hex]]) -> list[Hex]:
    """The centre of the tile, bridge or temple that each space belongs to."""
    bridges = [centre for k, centre in corners if k % 2 == 1]
    temples = [centre for k, centre in corners if k % 2 == 0]
    of_tiles = [centre for centre in centres[:PLACES] for _ in CELLS]
    return [(0, 0), *of_tiles, *(centre for centre in bridges for _ in range(2)), *temples]


def tile_distance(a: Hex, b: Hex) -> int:
    """Return the distance between two tiles in tiles, as the crow flies: (q, r) = i(2,1) + j(-1,3) solved for i and
    j."""
    q, r = b[0] - a[0], b[1] - a[1]
    i, j = (3 * q + r) // 7, (2 * r - q) // 7
    return max(abs(i), abs(j), abs(i + j))


def _all_distances(neighbours: list[list[int]]) -> NDArray[np.int16]:
    table = np.full((SPACES, SPACES), -1, np.int16)
    for origin in range(SPACES):
        table[origin, origin] = 0
        frontier = [origin]
        while frontier:
            reached = [(there, here) for here in frontier for there in neighbours[here] if table[origin, there] < 0]
            for there, here in reached:
                table[origin, there] = table[origin, here] + 1
            frontier = list(dict.fromkeys(there for there, _ in reached))
    return table


def _padded(rows: list[list[int]], width: int) -> NDArray[np.int16]:
    return np.array([row + [-1] * (width - len(row)) for row in rows], np.int16)


def _space_names(tiles: list[tuple[int, int, Hex]]) -> list[str]:
    cells = ["centre", *(f"petal{k}" for k in range(6))]
    of_tiles = [f"ring{ring}.{index}/{cell}" for ring, index, _ in tiles for cell in cells]
    of_bridges = [f"bridge{k}/{half}" for k in range(BRIDGES) for half in "ab"]
    return ["start", *of_tiles, *of_bridges, *(f"temple{k}" for k in range(TEMPLES))]
