"""Content and geometry as one compiled record, passed beside the state to the rules that need it.

Compiled code freezes global arrays, so content must be an argument: then two packs in one process share one
compilation.
"""

from typing import Any

from fujikoro_env.content.model import (
    ADVENTURE_POWERS,
    CHARACTERS,
    COLOURS,
    COUNTDOWN_CALLS,
    CUBES,
    DIE_FACES,
    DRAGON_COLOURS,
    GEAR,
    LEVELS,
    MAX_CARDS_PER_TYPE,
    MAX_COUNTDOWN,
    MAX_DRAGONS,
    MAX_SCROLLS,
    MAX_TILES_PER_LEVEL,
    MAX_TOKENS_PER_SHAPE,
    MAX_TRACK,
    PALACE_TRACKS,
    RESOURCES,
    SCROLL_POWERS,
    SUPPLY,
    Card,
    Pack,
    Tile,
    TileSpace,
)
from fujikoro_env.kernel.records import Ints, Records, i16, i16s, i64s, many, record, zeros
from fujikoro_env.rules.base.state import GEAR_HEIGHT, GEAR_WIDTH
from fujikoro_env.rules.map.geometry import MAX_NEIGHBOURS, PLACES, SPACES, geometry

CELLS_OF_TILE = 7
PATTERN_PARTS = 2
ROTATIONS = 4
TOO_HIGH = 100
LETTERS = "WMT"
SPECIAL_ITEMS = ("exit", "dragon white")
GEOMETRY_FIELDS = (
    "neighbours",
    "neighbour_count",
    "place_of",
    "touched_places",
    "place_neighbours",
    "place_ring",
    "place_distance",
    "hex_of",
)


@record
class TileTable:
    """What is printed on a tile, by cell: the centre, then petals 0 to 5."""

    lava: Ints = i16s(CELLS_OF_TILE)
    eruption: Ints = i16s(CELLS_OF_TILE)
    square: Ints = i16s(CELLS_OF_TILE)
    hexagon: Ints = i16s(CELLS_OF_TILE)
    monk: Ints = i16s(CELLS_OF_TILE)
    adventure: Ints = i16s(CELLS_OF_TILE)
    secret_exit: Ints = i16s(CELLS_OF_TILE)
    scroll: Ints = i16s(CELLS_OF_TILE)  # colour + 1
    dragon: Ints = i16s(CELLS_OF_TILE)  # dragon colour + 1


@record
class CardTable:
    """A gear card or blueprint: each part of its pattern in each of the 4 rotations, as bit sets of cells in the upper
    left corner of the gear's grid. A rotation that does not fit the grid has the height TOO_HIGH."""

    parts: int = i16()  # 1, or 2 for a pair of one-handed weapons; 0 for no card
    resource: int = i16()  # bonus of a helmet gear card, as Cube + 1
    needs: Ints = i16s(len(RESOURCES))  # number of cubes of all parts together
    height: Ints = i16s(PATTERN_PARTS, ROTATIONS)
    width: Ints = i16s(PATTERN_PARTS, ROTATIONS)
    cells: Ints = i64s(PATTERN_PARTS, ROTATIONS, len(RESOURCES))


@record
class Tables:
    """Geometry of the map and content of a pack."""

    # geometry
    neighbours: Ints = i16s(SPACES, MAX_NEIGHBOURS)
    neighbour_count: Ints = i16s(SPACES)
    place_of: Ints = i16s(SPACES)
    touched_places: Ints = i16s(SPACES, 6)
    place_neighbours: Ints = i16s(PLACES + 1, 6)
    place_ring: Ints = i16s(PLACES)
    place_distance: Ints = i16s(SPACES, PLACES + 1)
    hex_of: Ints = i16s(SPACES, 2)
    # content
    tile_count: Ints = i16s(3)
    tiles: Records[TileTable] = many(TileTable, 3 * MAX_TILES_PER_LEVEL)  # level by level
    token_level: Ints = i16s(2 * MAX_TOKENS_PER_SHAPE)  # 1 to 3, 0 for no token; squares, then hexes
    token_shows: Ints = i16s(2 * MAX_TOKENS_PER_SHAPE, len(RESOURCES))
    token_monk: Ints = i16s(2 * MAX_TOKENS_PER_SHAPE)
    tokens_of_level: Ints = i64s(2, 3)  # by shape and level: bit set
    dragons_of_colour: Ints = i64s(len(DRAGON_COLOURS))  # bit set
    dragon_colour: Ints = i16s(MAX_DRAGONS)
    dragon_initiative: Ints = i16s(MAX_DRAGONS)
    dragon_health: Ints = i16s(MAX_DRAGONS, 3)  # with 3 to 6 players, with 2, solo
    colour_dice: Ints = i16s(len(DRAGON_COLOURS))
    colour_vp: Ints = i16s(len(DRAGON_COLOURS))
    colour_teeth: Ints = i16s(len(DRAGON_COLOURS))
    die_hits: Ints = i16s(len(CUBES), DIE_FACES)
    die_breaks: Ints = i16s(len(CUBES), DIE_FACES)
    card_count: Ints = i16s(2, len(GEAR))  # number of gear cards, then of blueprints
    gear_cards: Records[CardTable] = many(CardTable, 3 * MAX_CARDS_PER_TYPE)  # by gear type
    blueprints: Records[CardTable] = many(CardTable, 3 * MAX_CARDS_PER_TYPE)
    scroll_count: int = i16()
    scroll_power: Ints = i16s(MAX_SCROLLS)
    adventure_copies: Ints = i16s(len(ADVENTURE_POWERS))
    countdown: Ints = i16s(2, MAX_COUNTDOWN)  # Call of each space: competitive, then co-op
    countdown_length: Ints = i16s(2)
    palace: Ints = i16s(len(PALACE_TRACKS), MAX_TRACK)
    palace_length: Ints = i16s(len(PALACE_TRACKS))
    foot: Ints = i16s(4)
    supply: Ints = i16s(len(SUPPLY))
    scroll_tokens: int = i16()
    first_vp: Ints = i16s(len(CHARACTERS))
    first_weapon: Ints = i16s(len(CHARACTERS), len(RESOURCES))
    first_pack: Ints = i16s(len(CHARACTERS), len(RESOURCES))
    exit_tiles: Ints = i64s(3)  # by level: bit set of tiles with the secret exit
    special_tiles: Ints = i64s(3)  # by level: bit set of tiles with the secret exit or the legendary dragon (COOP-5)


def make_tables(pack: Pack) -> Any:
    """Return the tables of a pack, as a batch of one record."""
    batch = zeros(Tables, 1)
    table = batch[0]
    _fill_geometry(table)
    _fill_tiles(table, pack)
    _fill_tokens(table, pack)
    _fill_dragons(table, pack)
    _fill_cards(table, pack)
    _fill_tracks(table, pack)
    _fill_characters(table, pack)
    return batch


def _fill_geometry(table: Any) -> None:
    shape = geometry()
    for name in GEOMETRY_FIELDS:
        table[name][...] = getattr(shape, name)


def tiles_of_level(pack: Pack, level: int) -> list[Tile]:
    """Return the tiles of a level, in the order of the pack."""
    return [tile for tile in pack.tiles if tile.level == level]


def _fill_tiles(table: Any, pack: Pack) -> None:
    for level in LEVELS:
        tiles = tiles_of_level(pack, level)
        table.tile_count[level - 1] = len(tiles)
        for index, tile in enumerate(tiles):
            row = table.tiles[(level - 1) * MAX_TILES_PER_LEVEL + index]
            for cell, space in enumerate(tile.spaces):
                _fill_cell(row, cell, space)
                if space.item == "exit":
                    table.exit_tiles[level - 1] |= 1 << index
                if space.item in SPECIAL_ITEMS:
                    table.special_tiles[level - 1] |= 1 << index


def _fill_cell(row: Any, cell: int, space: TileSpace) -> None:
    item, _, colour = space.item.partition(" ")
    row["lava"][cell] = space.lava
    row["eruption"][cell] = space.eruption
    row["square"][cell] = item == "square"
    row["hexagon"][cell] = item == "hex"
    row["monk"][cell] = item == "monk"
    row["adventure"][cell] = item == "adventure"
    row["secret_exit"][cell] = item == "exit"
    row["scroll"][cell] = COLOURS.index(colour) + 1 if item == "scroll" else 0
    row["dragon"][cell] = DRAGON_COLOURS.index(colour) + 1 if item == "dragon" else 0


def _fill_tokens(table: Any, pack: Pack) -> None:
    for shape_index, shape in enumerate(("square", "hex")):
        for index, token in enumerate(t for t in pack.tokens if t.shape == shape):
            number = shape_index * MAX_TOKENS_PER_SHAPE + index
            table.token_level[number] = token.level
            table.token_shows[number] = token.shows
            table.token_monk[number] = token.monk
            table.tokens_of_level[shape_index, token.level - 1] |= 1 << index


def _fill_dragons(table: Any, pack: Pack) -> None:
    for index, dragon in enumerate(pack.dragons):
        colour = DRAGON_COLOURS.index(dragon.colour)
        table.dragons_of_colour[colour] |= 1 << index
        table.dragon_colour[index] = colour
        table.dragon_initiative[index] = dragon.initiative
        table.dragon_health[index] = dragon.health
    for colour, kind in enumerate(pack.dragon_kinds):
        table.colour_dice[colour], table.colour_vp[colour], table.colour_teeth[colour] = kind.dice, kind.vp, kind.teeth
    for cube, die in enumerate(pack.dice):
        table.die_hits[cube] = [face.hits for face in die.faces]
        table.die_breaks[cube] = [face.breaks for face in die.faces]


def cards_of_type(cards: tuple[Card, ...], gear: int) -> list[Card]:
    """Return the cards of a gear type, in the order of the pack."""
    return [card for card in cards if card.gear == GEAR[gear]]


def _fill_cards(table: Any, pack: Pack) -> None:
    for family, (cards, rows) in enumerate(((pack.gear_cards, table.gear_cards), (pack.blueprints, table.blueprints))):
        for gear in range(len(GEAR)):
            of_type = cards_of_type(cards, gear)
            table.card_count[family, gear] = len(of_type)
            for index, card in enumerate(of_type):
                _fill_card(rows[gear * MAX_CARDS_PER_TYPE + index], card)
    table.scroll_count = len(pack.scrolls)
    for index, scroll in enumerate(pack.scrolls):
        table.scroll_power[index] = SCROLL_POWERS.index(scroll.power)


def _fill_card(row: Any, card: Card) -> None:
    gear = GEAR.index(card.gear)
    row["parts"] = len(card.patterns)
    row["resource"] = RESOURCES.index(card.resource) + 1 if card.resource else 0
    letters = "".join(line for pattern in card.patterns for line in pattern)
    row["needs"][:] = [letters.count(letter) for letter in LETTERS]
    for part, pattern in enumerate(card.patterns):
        for rotation in range(ROTATIONS):
            _fill_pattern(row, part, rotation, gear, _rotated(pattern, rotation))


def _rotated(pattern: tuple[str, ...], quarters: int) -> tuple[str, ...]:
    for _ in range(quarters):
        pattern = tuple("".join(column) for column in zip(*pattern[::-1], strict=True))
    return pattern


def _fill_pattern(row: Any, part: int, rotation: int, gear: int, pattern: tuple[str, ...]) -> None:
    height, width = len(pattern), len(pattern[0])
    fits = height <= GEAR_HEIGHT[gear] and width <= GEAR_WIDTH[gear]
    row["height"][part, rotation] = height if fits else TOO_HIGH
    row["width"][part, rotation] = width
    if fits:
        for kind, letter in enumerate(LETTERS):
            cells = [r * GEAR_WIDTH[gear] + c for r in range(height) for c in range(width) if pattern[r][c] == letter]
            row["cells"][part, rotation, kind] = sum(1 << cell for cell in cells)


def _fill_tracks(table: Any, pack: Pack) -> None:
    for mode, calls in enumerate((pack.countdown, pack.coop_countdown)):
        table.countdown_length[mode] = len(calls)
        table.countdown[mode, : len(calls)] = [COUNTDOWN_CALLS.index(call) for call in calls]
    for track, name in enumerate(PALACE_TRACKS):
        table.palace_length[track] = len(pack.palace[name])
        table.palace[track, : len(pack.palace[name])] = pack.palace[name]
    table.foot[:] = [pack.foot[name] for name in (*GEAR, "monk")]
    table.supply[:] = [pack.supply[name] for name in SUPPLY]
    table.adventure_copies[:] = [kind.copies for kind in pack.adventures]
    table.scroll_tokens = pack.scroll_tokens


def _fill_characters(table: Any, pack: Pack) -> None:
    for index, start in enumerate(pack.characters):
        table.first_vp[index] = start.vp
        table.first_weapon[index], table.first_pack[index] = start.weapon, start.pack
