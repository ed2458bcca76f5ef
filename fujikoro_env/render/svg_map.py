"""The map of the volcano as SVG: terrain, tiles, and everything on them."""

from collections.abc import Iterable
from dataclasses import dataclass
from functools import cache, lru_cache
from typing import cast

from fujikoro_env.kernel.drawing.elements import (
    Point,
    circle,
    group,
    hexagon,
    hexagon_corner,
    middle_words,
    moved,
    path,
    tooltip,
)
from fujikoro_env.render import shapes
from fujikoro_env.render.look import SpaceLook, TableLook, centre_of
from fujikoro_env.rules.base.names import Terrain
from fujikoro_env.rules.map.geometry import CELLS, FIRST_BRIDGE, FIRST_TEMPLE, PETALS, PLACES, START, Hex, add, geometry

GROUND_SHADES = {  # by ring: green slopes, ochre cliffs, ashen heights
    1: ("#86a65f", "#7d9d58", "#8fae68"),
    2: ("#b59a68", "#ac9160", "#bda372"),
    3: ("#8d8390", "#857b88", "#968c99"),
}
UNEXPLORED = {1: "#2c3027", 2: "#352d25", 3: "#2e2b31"}  # by ring: a shade of what may come
UNEXPLORED_EDGE, UNEXPLORED_INK = "#433a3a", "#a59a90"
START_FILL, BRIDGE_FILL, TEMPLE_FILL = "#e9d8a6", "#a9763f", "#c4533c"
TILE_EDGE, LAVA_EDGE = "#211816", "#ffb347"
HINT = "#ffffff"
RIM = ((30, 0.05), (23, 0.07), (17, 0.12), (12, 0.3), (9, 0.8))  # width and strength of the glow, from its edge inwards
SQRT3 = 3**0.5

DEFINITIONS = """
<radialGradient id="lava"><stop offset="0" stop-color="#ff9a3d"/><stop offset="0.6" stop-color="#dd4416"/>
<stop offset="1" stop-color="#8f1d0c"/></radialGradient>
<radialGradient id="eruption"><stop offset="0" stop-color="#fff3a8"/><stop offset="0.55" stop-color="#ffb52e"/>
<stop offset="1" stop-color="#f0581a"/></radialGradient>
<radialGradient id="crater"><stop offset="0" stop-color="#ff6a1a" stop-opacity="0.55"/>
<stop offset="0.75" stop-color="#c2300f" stop-opacity="0.35"/><stop offset="1" stop-color="#c2300f" stop-opacity="0"/>
</radialGradient>
"""


@dataclass(frozen=True)
class MapFrame:
    """Position and scale of the lattice of small hexagons in the picture."""

    x: float
    y: float
    size: float  # radius of a small hexagon, from its centre to a corner

    def at(self, small: Hex) -> Point:
        q, r = small
        return self.x + SQRT3 * self.size * (q + r / 2), self.y + 1.5 * self.size * r

    def outline(self, smalls: Iterable[Hex], **attributes: object) -> str:
        """Border of a group of hexagons: all sides that no two of them share."""
        return path(_outline(self, tuple(sorted(set(smalls)))), fill="none", stroke_linejoin="round", **attributes)

    def side(self, small: Hex, k: int) -> tuple[str, str]:
        """Ends of a side, clockwise."""
        ends = (hexagon_corner(*self.at(small), self.size, corner) for corner in (k, k + 1))
        return cast(tuple[str, str], tuple(f"{x:.1f} {y:.1f}" for x, y in ends))


@cache
def _outline(frame: MapFrame, smalls: tuple[Hex, ...]) -> str:
    """Closed loops: each corner of a border leads to the next one."""
    inside = set(smalls)
    sides = [(small, k) for small in smalls for k, petal in enumerate(PETALS) if add(small, petal) not in inside]
    follows = dict(frame.side(small, k) for small, k in sides)
    loops = []
    while follows:
        corner = next(iter(follows))
        loop = []
        while corner in follows:
            loop.append(corner)
            corner = follows.pop(corner)
        loops.append(f"M{'L'.join(loop)}Z")
    return "".join(loops)


def place_hexes(place: int) -> list[Hex]:
    return [add(geometry().place_centres[place], cell) for cell in CELLS]


def is_safe(number: int) -> bool:
    """Whether a space is safe (MAP-5): the start, a bridge or a temple."""
    return number == START or number >= FIRST_BRIDGE


def is_bridge(number: int) -> bool:
    return FIRST_BRIDGE <= number < FIRST_TEMPLE


def label_hex(number: int) -> Hex:
    """Hexagon on which the name of a space is written: its central one, or one half of a bridge."""
    smalls = geometry().hexes[number]
    return smalls[1 + (number - FIRST_BRIDGE) % 2] if is_bridge(number) else smalls[0]


def safe_fill(number: int) -> str:
    if number == START:
        return START_FILL
    return TEMPLE_FILL if number >= FIRST_TEMPLE else BRIDGE_FILL


# the map of a game


@dataclass(frozen=True)
class Piece:
    """A drawing on the map, and a square that contains it, in units of the map."""

    svg: str
    x: float
    y: float
    reach: float


def draw_ground(table: TableLook, frame: MapFrame) -> list[Piece]:
    """The ground, from the bottom up: spaces, tiles and their names."""
    spaces = table.spaces
    unexplored = [place for place in range(PLACES) if not spaces[centre_of(place)].tile]
    return [
        *(_ground(space.number, space.terrain, space.tile, frame) for space in spaces),
        *(_tile_edge(place, frame) for place in range(PLACES)),
        *(_place_label(place, frame) for place in unexplored),
        *(_safe_label(space.number, frame) for space in spaces if space.safe and not space.dragon),
        *(_lair(dragon.colour, dragon.place, frame) for dragon in table.dragons),
    ]


def draw_pieces(table: TableLook, frame: MapFrame) -> list[Piece]:
    """Everything on the ground, from the bottom up. Spaces that the acting player may choose are marked."""
    spaces = table.spaces
    return [
        *(_hinted_space(number, frame) for number in table.open_spaces),
        *(_hinted_place(place, frame) for place in table.open_places),
        *(_light(space, table.actor, frame) for space in spaces if table.actor in space.samurai),
        *(_items(space, frame) for space in spaces if _has_items(space)),
        *(piece for space in spaces if space.samurai for piece in _samurai(space, table, frame)),
        *(_eruption_number(space, frame) for space in spaces if space.eruption),
    ]


@cache
def draw_crater(frame: MapFrame) -> str:
    """The glow under the mountain and its burning rim, the same in every game."""
    everything = [small for smalls in geometry().hexes for small in smalls]
    glow = circle(frame.x, frame.y, 19 * frame.size, fill="url(#crater)")
    rim = [
        frame.outline(everything, stroke="#ff7a1a", stroke_width=width, stroke_opacity=strength)
        for width, strength in RIM
    ]
    return glow + "".join(rim) + frame.outline(everything, stroke="#1b1112", stroke_width=6)


def _over_space(number: int, frame: MapFrame, svg: str) -> Piece:
    return _over(geometry().hexes[number], frame, svg)


def _over(smalls: Iterable[Hex], frame: MapFrame, svg: str) -> Piece:
    """A piece that stays inside the square around these hexagons, or a little outside of it."""
    points = [frame.at(small) for small in smalls]
    (left, right), (top, bottom) = ((min(axis), max(axis)) for axis in zip(*points, strict=True))
    reach = max(right - left, bottom - top) / 2 + frame.size + 2
    return Piece(svg, (left + right) / 2, (top + bottom) / 2, reach)


@cache
def _ground(number: int, terrain: Terrain, tile: str, frame: MapFrame) -> Piece:
    smalls, name = geometry().hexes[number], geometry().space_names[number]
    if is_safe(number):
        fill = safe_fill(number)
        shapes_of_space = [hexagon(*frame.at(small), frame.size, fill=fill, stroke=fill) for small in smalls]
        edge = frame.outline(smalls, stroke=TILE_EDGE, stroke_width=2)
        drawn = [tooltip(name), *shapes_of_space, edge]
    else:
        ground = _terrain(number, terrain, *frame.at(smalls[0]), frame.size)
        drawn = [tooltip(f"{name}: {tile or 'unexplored'}"), ground]
    return _over_space(number, frame, group(*drawn, id=f"space-{number}", class_="space", data_info=f"space {number}"))


def _terrain(number: int, terrain: Terrain, x: float, y: float, size: float) -> str:
    ring = int(geometry().place_ring[geometry().place_of[number]])
    if terrain == Terrain.UNEXPLORED:
        return hexagon(x, y, size, fill=UNEXPLORED[ring], stroke=UNEXPLORED_EDGE, stroke_width=0.8)
    if terrain == Terrain.GROUND:
        return hexagon(x, y, size, fill=GROUND_SHADES[ring][number % 3], stroke="#5b4b3c", stroke_width=0.8)
    lava = hexagon(x, y, size, fill="url(#lava)", stroke="#6d150a", stroke_width=1)
    if terrain == Terrain.LAVA:
        return lava + _waves(x, y)
    return lava + hexagon(x, y, size * 0.8, fill="url(#eruption)", stroke="#fff0b0", stroke_width=2)


def _waves(x: float, y: float) -> str:
    rows = [f"M{x - 11:.1f} {y + dy:.1f} q5.5 -6 11 0 t11 0" for dy in (-5, 5)]
    return path(" ".join(rows), fill="none", stroke="#ffc46b", stroke_width=2, stroke_linecap="round")


def _eruption_number(space: SpaceLook, frame: MapFrame) -> Piece:
    """An eruption number at the lower tip of its hexagon, on top of any piece there. If a dragon's numbers need the
    tip, it is drawn beside the dragon's head."""
    x, y = frame.at(geometry().hexes[space.number][0])
    dx, dy = (-16.0, -21.0) if space.dragon else (0.0, 0.72 * frame.size)
    return Piece(moved(x + dx, y + dy, shapes.eruption_number(str(space.eruption))), x + dx, y + dy, 10)


@cache
def _tile_edge(place: int, frame: MapFrame) -> Piece:
    edge = frame.outline(place_hexes(place), stroke=TILE_EDGE, stroke_width=2.4)
    return _over(place_hexes(place), frame, edge)


@cache
def _place_label(place: int, frame: MapFrame) -> Piece:
    centre = geometry().place_centres[place]
    x, y = frame.at(centre)
    label = middle_words(x, y, geometry().place_names[place].removeprefix("ring"), 17, fill=UNEXPLORED_INK)
    return _over([centre], frame, label)


@cache
def _safe_label(number: int, frame: MapFrame) -> Piece:
    x, y = frame.at(label_hex(number))
    name = geometry().space_names[number]
    letters = shapes.MAP_LETTERS
    if is_bridge(number):
        bridge, half = name.split("/")
        lines = ((y - 8, "bridge"), (y + 9, f"{bridge.removeprefix('bridge')}/{half}"))
        label = "".join(middle_words(x, line, text, letters, fill=shapes.PAPER) for line, text in lines)
    elif number == START:
        label = middle_words(x, y, "start", 18, fill=shapes.INK, font_weight="bold")
    else:
        label = _torii(x, y - 6) + middle_words(x, y + 15, name, letters, fill=shapes.PAPER)
    return _over_space(number, frame, label)


def _torii(x: float, y: float) -> str:
    gate = "M-13 -9 Q0 -5 13 -9 M-10 -3 H10 M-7 -7 V8 M7 -7 V8"
    return moved(x, y, path(gate, fill="none", stroke="#fff1d6", stroke_width=2.6, stroke_linecap="round"))


@cache
def _lair(colour: str, place: int, frame: MapFrame) -> Piece:
    """Marks the tile of a dragon, because it holds the whole tile (MAP-8)."""
    edge = frame.outline(place_hexes(place), stroke=shapes.DRAGON_COLOUR[colour], stroke_width=2.6)
    return _over(place_hexes(place), frame, edge)


@cache
def _hinted_space(number: int, frame: MapFrame) -> Piece:
    return _over_space(number, frame, _hint(geometry().hexes[number], frame))


@cache
def _hinted_place(place: int, frame: MapFrame) -> Piece:
    return _over(place_hexes(place), frame, _hint(place_hexes(place), frame))


def _hint(smalls: Iterable[Hex], frame: MapFrame) -> str:
    return frame.outline(smalls, stroke=HINT, stroke_width=3, stroke_dasharray="5 5", stroke_linecap="round")


# what lies and stands on a space


@lru_cache(2048)
def _items(space: SpaceLook, frame: MapFrame) -> Piece:
    """Items in the middle of a space, or further up and smaller if somebody stands there."""
    x, y = frame.at(geometry().hexes[space.number][0])
    crowd = 0 if space.safe else len(space.samurai)  # on the start tile there is room around a dragon
    aside = {0: "translate(0 -3)", 1: "translate(-7 -11)"}.get(crowd, "translate(0 -14)")
    if space.dragon:
        aside = "translate(0 0)"
    pieces = [moved(x, y, tooltip(name), group(piece, transform=aside)) for name, piece in _pieces(space).items()]
    return Piece("".join(pieces), x, y, 36 if space.dragon else 28)


def _has_items(space: SpaceLook) -> bool:
    if space.safe:
        return space.dragon is not None
    things = (space.token, space.monk, space.scroll, space.adventure, space.secret_exit, space.dragon, space.spoils)
    return any(things)


def _pieces(space: SpaceLook) -> dict[str, str]:
    """Pieces on a space, by the text of their tooltip."""
    pieces = {}
    if space.token:
        pieces[space.token.id] = shapes.resource_token(space.token, space.face_up)
    if space.monk:
        pieces["monk"] = shapes.monk()
    if space.scroll:
        pieces[f"{space.scroll} scroll"] = shapes.scroll_token(space.scroll)
    if space.adventure:
        pieces[space.adventure] = shapes.adventure_token(space.adventure)
    if space.secret_exit:
        pieces["secret exit"] = shapes.secret_exit()
    if space.spoils and not space.dragon:  # beside a dragon there is no room to draw them
        pieces[" and ".join(space.spoils)] = shapes.spoils(space.spoils)
    if space.dragon:
        found = space.dragon
        name = ", ".join(filter(None, (found.id, found.marker, *space.spoils)))
        pieces[name] = shapes.dragon(found.colour, found.health, found.damage, found.initiative, found.marker)
    return pieces


def _samurai(space: SpaceLook, table: TableLook, frame: MapFrame) -> list[Piece]:
    spots = _standing_spots(space, frame)
    drawn = []
    for (x, y), seat in zip(spots, space.samurai, strict=True):
        me = table.players[seat]
        name = f"{me.name}{'' if me.is_enemy else f' ({me.colour})'} on {space.name}"
        figure = moved(x, y, tooltip(name), shapes.samurai(me.mark, me.colour, me.unconscious), class_="samurai")
        drawn.append(Piece(figure, x, y, 20))
    return drawn


def _light(space: SpaceLook, actor: int, frame: MapFrame) -> Piece:
    """A light under the samurai of the acting player."""
    x, y = _standing_spots(space, frame)[space.samurai.index(actor)]
    ring = {"fill": "#ffcf4d", "fill_opacity": 0.45, "stroke": "#ffcf4d", "stroke_width": 2.4}
    return Piece(circle(x, y - 1, 20, **ring), x, y - 1, 22)


def _standing_spots(space: SpaceLook, frame: MapFrame) -> list[Point]:
    """Positions of samurai: around the name on a big space, side by side on a small one."""
    smalls, seats = geometry().hexes[space.number], space.samurai
    if not space.safe:
        beside_item = 9 if any(_pieces(space)) and len(seats) == 1 else 0
        x, y = frame.at(smalls[0])
        return [(x + beside_item + dx, y + 1) for dx in _side_by_side(len(seats))]
    around = [small for small in smalls if small != label_hex(space.number)]
    crowds = [(frame.at(small), len(seats[k :: len(around)])) for k, small in enumerate(around)]
    return [(x + dx, y + 2) for (x, y), crowd in crowds for dx in _side_by_side(crowd)]


def _side_by_side(count: int) -> list[float]:
    return [20 * (k - (count - 1) / 2) for k in range(count)]


# the bare geometry


def draw_geometry(frame: MapFrame, table: TableLook | None = None) -> str:
    """The bare map: every space with its number and name, coloured by the terrain of a game if one is given."""
    numbers = range(len(geometry().hexes))
    if table:
        grounds = [_ground(space.number, space.terrain, space.tile, frame).svg for space in table.spaces]
    else:
        grounds = [_bare(number, frame) for number in numbers]
    edges = [_tile_edge(place, frame).svg for place in range(PLACES)]
    return group(*grounds, *edges, *(_number_and_name(number, frame) for number in numbers))


def _bare(number: int, frame: MapFrame) -> str:
    place = int(geometry().place_of[number])
    on_tile = 0 <= place < PLACES
    fill = GROUND_SHADES[int(geometry().place_ring[place])][0] if on_tile else safe_fill(number)
    if on_tile and number == centre_of(place):
        fill = shapes.PARCHMENT
    smalls = geometry().hexes[number]
    filled = [hexagon(*frame.at(small), frame.size, fill=fill, stroke=TILE_EDGE, stroke_width=0.4) for small in smalls]
    return group(*filled, frame.outline(smalls, stroke=TILE_EDGE, stroke_width=1.2))


def _number_and_name(number: int, frame: MapFrame) -> str:
    x, y = frame.at(label_hex(number))
    name = geometry().space_names[number].replace("ring", "").replace("petal", "p").replace("centre", "c")
    halo = {"stroke": shapes.PAPER, "stroke_width": 2.5, "paint_order": "stroke"}  # readable on any ground
    return middle_words(x, y - 4, str(number), 11, font_weight="bold", **halo) + middle_words(x, y + 8, name, 8, **halo)
