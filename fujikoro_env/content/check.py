"""Checks of a pack, at two levels.

`check_structure` applies to every pack: names, shapes and the capacity of the compiled tables. `check_rulebook` (in
`rulebook.py`) applies to packs with `edition = "rulebook"`: the counts of the rulebook.
"""

import re
from collections import Counter
from collections.abc import Collection, Iterator, Sequence

from fujikoro_env.content import errors as files
from fujikoro_env.content import patterns
from fujikoro_env.content.model import (
    ADVENTURE_POWERS,
    CHARACTERS,
    COUNTDOWN_CALLS,
    CUBES,
    DIE_FACES,
    DRAGON_COLOURS,
    ERUPTIONS,
    FOOT_SPOTS,
    GEAR,
    ITEMS,
    LEVELS,
    MAX_CARDS_PER_TYPE,
    MAX_COPIES,
    MAX_COUNTDOWN,
    MAX_DRAGONS,
    MAX_FIRST_CUBES,
    MAX_FIRST_PACK,
    MAX_FIRST_VP,
    MAX_FIRST_WEAPON,
    MAX_PRINTED,
    MAX_SCROLLS,
    MAX_SUPPLY,
    MAX_TILES_PER_LEVEL,
    MAX_TOKENS_PER_SHAPE,
    MAX_TRACK,
    PALACE_TRACKS,
    RESOURCES,
    RULEBOOK,
    SCROLL_POWERS,
    SOURCES,
    SUPPLY,
    TILE_SPACES,
    TOKEN_SHAPES,
    Card,
    Die,
    Dragon,
    DragonKind,
    Pack,
    Start,
    Tile,
    TileSpace,
    Token,
)
from fujikoro_env.content.rulebook import check_rulebook
from fujikoro_env.kernel.toml_tables import Fault

__all__ = ["check_rulebook", "check_structure"]

ID = re.compile(r"[a-z][a-z0-9_]*")
MIN_CARDS_PER_TYPE = 6  # one for each of 6 players (SETUP-3, SETUP-5)
MIN_SCROLLS = 3  # size of the display (SETUP-4)
EXIT_LEVEL = 2
LEGENDARY_LEVEL = 3
LEGENDARY = "dragon white"
STOCK_TABLES = ("supply", "scroll_tokens", "markers")  # tables of supply.toml; the others are in tracks.toml


def check_structure(pack: Pack) -> list[Fault]:
    """Return all faults that make a pack of any edition unplayable."""
    chapters = (
        _edition,
        _tiles,
        _tokens,
        _dragons,
        _dice,
        _cards,
        _scrolls,
        _adventures,
        _tracks,
        _supply,
        _characters,
    )
    return [fault for chapter in chapters for fault in chapter(pack)]


def _edition(pack: Pack) -> Iterator[Fault]:
    if not pack.name:
        yield Fault(files.PACK, "name", "is empty; give the pack a name")
    if not pack.edition:
        yield Fault(files.PACK, "edition", f"is empty; write '{RULEBOOK}' or the name of a variant")
    if pack.edition != RULEBOOK and not pack.changes.strip():
        yield Fault(files.PACK, "changes", f"is empty; edition '{pack.edition}' must say what it changes")
    for name, source in pack.sources.items():
        yield from _known(files.SUPPLY if name in STOCK_TABLES else files.TRACKS, name, "source", source, SOURCES)


def _tiles(pack: Pack) -> Iterator[Fault]:
    yield from _ids(files.TILES, "tile", [tile.id for tile in pack.tiles])
    for level in LEVELS:
        number = sum(tile.level == level for tile in pack.tiles)
        yield from _amount(files.TILES, f"level {level}", "tiles", number, 1, MAX_TILES_PER_LEVEL)
    for tile in pack.tiles:
        yield from _tile(tile)
    for item in ("exit", LEGENDARY):
        yield from _at_most_once(pack, item)


def _tile(tile: Tile) -> Iterator[Fault]:
    entry = f"tile {tile.id}"
    yield from _known(files.TILES, entry, "level", tile.level, LEVELS)
    yield from _known(files.TILES, entry, "source", tile.source, SOURCES)
    if len(tile.spaces) != TILE_SPACES:
        yield Fault(files.TILES, entry, f"{len(tile.spaces)} spaces; a tile has {TILE_SPACES}: centre and 6 petals")
        return
    for number, space in enumerate(tile.spaces):
        yield from _space(entry, number, space)
    if not _lava_free_spaces_hang_together(tile):
        yield Fault(files.TILES, entry, "lava splits the tile; its spaces without lava must be connected")
    yield from _special_tile(tile, entry)


def _space(entry: str, number: int, space: TileSpace) -> Iterator[Fault]:
    where = f"petal {number - 1}" if number else "the centre"
    if space.item:
        yield from _known(files.TILES, entry, f"on {where} the item", space.item, ITEMS)
    if space.eruption:
        yield from _known(files.TILES, entry, f"on {where} the eruption number", space.eruption, ERUPTIONS)
    if space.lava and (space.item or space.eruption):
        yield Fault(files.TILES, entry, f"{where} is lava and holds something; lava from the start holds nothing")
    if number and space.item.startswith("dragon"):
        yield Fault(files.TILES, entry, f"a dragon on {where}; a dragon's place is the centre")


def _lava_free_spaces_hang_together(tile: Tile) -> bool:
    """Whether the spaces without lava are connected. The centre touches all petals; if it is lava, the free petals must
    form one arc."""
    centre, *ring = (not space.lava for space in tile.spaces)
    arcs = sum(free and not ring[petal - 1] for petal, free in enumerate(ring))
    return centre or all(ring) or arcs == 1


def _special_tile(tile: Tile, entry: str) -> Iterator[Fault]:
    items = [space.item for space in tile.spaces]
    if LEGENDARY in items and tile.level != LEGENDARY_LEVEL:
        yield Fault(files.TILES, entry, f"a white dragon on level {tile.level}; allowed: level {LEGENDARY_LEVEL}")
    if "exit" not in items:
        return
    if tile.level != EXIT_LEVEL:
        yield Fault(files.TILES, entry, f"the exit on level {tile.level}; allowed: level {EXIT_LEVEL}")
    if any(item.startswith("dragon") for item in items):
        yield Fault(files.TILES, entry, "the exit and a dragon; the exit's tile has no dragon")
    if any(space.item == "exit" and space.eruption for space in tile.spaces):
        yield Fault(files.TILES, entry, "the exit erupts; the exit's space has no eruption number")


def _at_most_once(pack: Pack, item: str) -> Iterator[Fault]:
    showing = [tile.id for tile in pack.tiles for space in tile.spaces if space.item == item]
    for tile_id in showing[1:]:
        yield Fault(files.TILES, f"tile {tile_id}", f"shows '{item}', and so does {showing[0]}; at most one may")


def _tokens(pack: Pack) -> Iterator[Fault]:
    yield from _ids(files.TOKENS, "token", [token.id for token in pack.tokens])
    for shape in TOKEN_SHAPES:
        number = sum(token.shape == shape for token in pack.tokens)
        yield from _amount(files.TOKENS, f"{shape} tokens", "tokens", number, 0, MAX_TOKENS_PER_SHAPE)
    for token in pack.tokens:
        yield from _token(token, f"token {token.id}")
    stock = {(token.level, token.shape) for token in pack.tokens}
    for level, item in sorted({(tile.level, space.item) for tile in pack.tiles for space in tile.spaces}):
        if item in TOKEN_SHAPES and (level, item) not in stock:
            yield Fault(files.TOKENS, f"level {level}", f"no {item} token, but tiles of that level show one")


def _token(token: Token, entry: str) -> Iterator[Fault]:
    yield from _known(files.TOKENS, entry, "shape", token.shape, TOKEN_SHAPES)
    yield from _known(files.TOKENS, entry, "level", token.level, LEVELS)
    yield from _known(files.TOKENS, entry, "source", token.source, SOURCES)
    if token.monk and token.shape != "hex":
        yield Fault(files.TOKENS, entry, "shows a monk; only hex tokens may")
    if token.monk == any(token.shows):
        yield Fault(files.TOKENS, entry, "must show either a monk or at least one cube")
    yield from _amount(files.TOKENS, entry, "cubes", sum(token.shows), 0, MAX_PRINTED)


def _dragons(pack: Pack) -> Iterator[Fault]:
    yield from _one_each(files.DRAGONS, "dragon kind", [kind.colour for kind in pack.dragon_kinds], DRAGON_COLOURS)
    yield from _ids(files.DRAGONS, "dragon", [dragon.id for dragon in pack.dragons])
    yield from _amount(files.DRAGONS, "dragons", "dragons", len(pack.dragons), 0, MAX_DRAGONS)
    for kind in pack.dragon_kinds:
        yield from _dragon_kind(kind)
    for dragon in pack.dragons:
        yield from _dragon(dragon)
    yield from _dragons_of_tiles(pack)


def _dragon_kind(kind: DragonKind) -> Iterator[Fault]:
    entry = f"dragon kind {kind.colour}"
    yield from _known(files.DRAGONS, entry, "source", kind.source, SOURCES)
    yield from _amount(files.DRAGONS, entry, "dice", kind.dice, 1, MAX_PRINTED)
    yield from _amount(files.DRAGONS, entry, "VP", kind.vp, 0, MAX_PRINTED)
    yield from _amount(files.DRAGONS, entry, "teeth", kind.teeth, 0, MAX_PRINTED)


def _dragon(dragon: Dragon) -> Iterator[Fault]:
    entry = f"dragon {dragon.id}"
    yield from _known(files.DRAGONS, entry, "colour", dragon.colour, DRAGON_COLOURS)
    yield from _known(files.DRAGONS, entry, "source", dragon.source, SOURCES)
    yield from _amount(files.DRAGONS, entry, "initiative", dragon.initiative, 0, MAX_PRINTED)
    for health in dragon.health:
        yield from _amount(files.DRAGONS, entry, "health", health, 1, MAX_PRINTED)


def _dragons_of_tiles(pack: Pack) -> Iterator[Fault]:
    shown = {space.item for tile in pack.tiles for space in tile.spaces}
    lairs = Counter(dragon.colour for dragon in pack.dragons)
    for colour in DRAGON_COLOURS:
        if f"dragon {colour}" in shown and not lairs[colour]:
            yield Fault(files.DRAGONS, f"dragon kind {colour}", "no dragon of this colour, but a tile shows one")
    if lairs["white"] > 1:
        yield Fault(files.DRAGONS, "dragon kind white", f"{lairs['white']} dragons; at most one is legendary")


def _dice(pack: Pack) -> Iterator[Fault]:
    yield from _one_each(files.DICE, "die", [die.kind for die in pack.dice], CUBES)
    for die in pack.dice:
        yield from _die(die, f"die {die.kind}")


def _die(die: Die, entry: str) -> Iterator[Fault]:
    yield from _known(files.DICE, entry, "source", die.source, SOURCES)
    yield from _amount(files.DICE, entry, "faces", len(die.faces), DIE_FACES, DIE_FACES)
    for face in die.faces:
        yield from _amount(files.DICE, entry, "hits on a face", face.hits, 0, MAX_PRINTED)
    if die.kind == "magic" and any(face.breaks for face in die.faces):
        yield Fault(files.DICE, entry, "has a breaking face; magic never breaks")


def _cards(pack: Pack) -> Iterator[Fault]:
    gear_ids = [card.id for card in pack.gear_cards]
    yield from _ids(files.GEAR_CARDS, "gear card", gear_ids)
    yield from _ids(files.BLUEPRINTS, "blueprint", [card.id for card in pack.blueprints], taken=gear_ids)
    yield from _deck(files.GEAR_CARDS, "gear card", pack.gear_cards)
    yield from _deck(files.BLUEPRINTS, "blueprint", pack.blueprints)
    for card in pack.gear_cards:
        yield from _bonus(files.GEAR_CARDS, f"gear card {card.id}", card, shown=card.gear == "helmet")
    for card in pack.blueprints:
        yield from _bonus(files.BLUEPRINTS, f"blueprint {card.id}", card, shown=False)
    if not any(len(card.patterns) == 2 for card in pack.blueprints):
        yield Fault(files.BLUEPRINTS, "weapon", "no pair of one-handed weapons; Tomoe needs one (CHAR-64)")


def _deck(file: str, label: str, cards: Sequence[Card]) -> Iterator[Fault]:
    for gear in GEAR:
        number = sum(card.gear == gear for card in cards)
        yield from _amount(file, gear, f"{label}s", number, MIN_CARDS_PER_TYPE, MAX_CARDS_PER_TYPE)
    for card in cards:
        yield from _card(file, f"{label} {card.id}", card)


def _card(file: str, entry: str, card: Card) -> Iterator[Fault]:
    yield from _known(file, entry, "gear", card.gear, GEAR)
    yield from _known(file, entry, "source", card.source, SOURCES)
    if not patterns.is_readable(card.patterns):
        yield Fault(file, entry, "the pattern must be rows of W, M, T and . of one length, no outer line empty")
        return
    for problem in _board_problems(card):
        yield Fault(file, entry, problem)


def _board_problems(card: Card) -> Iterator[str]:
    """Yield reasons why the pattern can't be built or used on the symmetric board."""
    if card.gear != "weapon" and len(card.patterns) != 1:
        yield "has a pair of patterns; only weapons may"
    elif card.gear == "helmet" and not patterns.fits(card.patterns[0], patterns.HELMET_BOARD):
        yield "the pattern does not fit a helmet of 2 rows and 4 columns"
    elif card.gear == "sandals" and not patterns.fits(card.patterns[0], patterns.SANDALS_BOARD):
        yield "the pattern does not fit sandals of 1 row and 3 columns"
    elif card.gear == "weapon":
        yield from _weapon_problems(card)


def _weapon_problems(card: Card) -> Iterator[str]:
    if not all(patterns.hangs_together(patterns.cells(rows)) for rows in card.patterns):
        yield "the cubes of a weapon must be connected side by side (WEAP-1)"
    elif len(card.patterns) == 1:
        yield from _single_weapon_problems(card)
    elif len(card.patterns) == 2:
        yield from _pair_problems(card)
    else:
        yield f"{len(card.patterns)} weapons; write one, or a pair"


def _single_weapon_problems(card: Card) -> Iterator[str]:
    rows, wood = card.patterns[0], patterns.count(card.patterns, "wood")
    if patterns.is_one_handed(rows):
        if wood < patterns.ONE_HANDED_WOOD:
            yield f"{wood} wood; a one-handed weapon is usable with at least {patterns.ONE_HANDED_WOOD} (WEAP-5)"
    elif not patterns.is_two_handed(rows):
        yield "does not fit the weapon grid: up to 8 cubes in 5 x 5, or up to 12 across 5 x 8 (WEAP-2, WEAP-4)"
    elif wood < patterns.TWO_HANDED_WOOD:
        yield f"{wood} wood; it fits two-handed only, usable with at least {patterns.TWO_HANDED_WOOD} (WEAP-5)"


def _pair_problems(card: Card) -> Iterator[str]:
    one, other = card.patterns
    if not (patterns.is_one_handed(one) and patterns.is_one_handed(other) and patterns.pair_fits(one, other)):
        yield "the pair does not fit side by side: up to 8 cubes each, 5 x 5 left, 5 x 3 right, apart (WEAP-4)"
    for rows in card.patterns:
        wood = patterns.count((rows,), "wood")
        if wood < patterns.ONE_HANDED_WOOD:
            yield f"{wood} wood in one of the pair; each is usable with at least {patterns.ONE_HANDED_WOOD} (WEAP-5)"


def _bonus(file: str, entry: str, card: Card, shown: bool) -> Iterator[Fault]:
    if shown:
        yield from _known(file, entry, "resource", card.resource, RESOURCES)
    elif card.resource:
        yield Fault(file, entry, "shows a resource; only helmet gear cards may")


def _scrolls(pack: Pack) -> Iterator[Fault]:
    yield from _ids(files.SCROLLS, "scroll", [scroll.id for scroll in pack.scrolls])
    yield from _amount(files.SCROLLS, "scrolls", "scrolls", len(pack.scrolls), MIN_SCROLLS, MAX_SCROLLS)
    for scroll in pack.scrolls:
        yield from _known(files.SCROLLS, f"scroll {scroll.id}", "power", scroll.power, SCROLL_POWERS)
        yield from _known(files.SCROLLS, f"scroll {scroll.id}", "source", scroll.source, SOURCES)


def _adventures(pack: Pack) -> Iterator[Fault]:
    powers = [adventure.power for adventure in pack.adventures]
    yield from _one_each(files.ADVENTURES, "adventure", powers, ADVENTURE_POWERS)
    for adventure in pack.adventures:
        entry = f"adventure {adventure.power}"
        yield from _known(files.ADVENTURES, entry, "source", adventure.source, SOURCES)
        yield from _amount(files.ADVENTURES, entry, "copies", adventure.copies, 0, MAX_COPIES)


def _tracks(pack: Pack) -> Iterator[Fault]:
    yield from _countdown("countdown", pack.countdown)
    yield from _countdown("coop_countdown", pack.coop_countdown)
    if "rope" in pack.coop_countdown:
        yield Fault(files.TRACKS, "coop_countdown", "calls the rope; there is none in co-op (COOP-21)")
    for track in PALACE_TRACKS:
        yield from _palace_track(track, pack.palace.get(track, ()))
    for spot in FOOT_SPOTS:
        yield from _amount(files.TRACKS, "foot", f"VP for {spot}", pack.foot.get(spot, -1), 0, MAX_PRINTED)


def _countdown(entry: str, calls: Sequence[str]) -> Iterator[Fault]:
    yield from _amount(files.TRACKS, entry, "spaces", len(calls), 1, MAX_COUNTDOWN)
    for call in calls:
        yield from _known(files.TRACKS, entry, "call", call, COUNTDOWN_CALLS)
    if calls and (calls[-1] != "end" or "end" in calls[:-1]):
        yield Fault(files.TRACKS, entry, "'end' must be the last call and appear only there")


def _palace_track(track: str, values: Sequence[int]) -> Iterator[Fault]:
    yield from _amount(files.TRACKS, "palace", f"values for {track}", len(values), 1, MAX_TRACK)
    for value in values:
        yield from _amount(files.TRACKS, "palace", f"VP for {track}", value, 0, MAX_PRINTED)
    if list(values) != sorted(values, reverse=True):
        yield Fault(files.TRACKS, "palace", f"the values for {track} rise; write the best first")


def _supply(pack: Pack) -> Iterator[Fault]:
    for piece in SUPPLY:
        yield from _amount(files.SUPPLY, "supply", f"of {piece}", pack.supply.get(piece, -1), 0, MAX_SUPPLY)
    yield from _amount(files.SUPPLY, "scroll_tokens", "of each colour", pack.scroll_tokens, 0, MAX_SUPPLY)
    yield from _amount(files.SUPPLY, "markers", "of each gear", pack.markers, 0, MAX_SUPPLY)


def _characters(pack: Pack) -> Iterator[Fault]:
    yield from _one_each(files.CHARACTERS, "character", [start.id for start in pack.characters], CHARACTERS)
    for start in pack.characters:
        yield from _start(start, f"character {start.id}")


def _start(start: Start, entry: str) -> Iterator[Fault]:
    yield from _known(files.CHARACTERS, entry, "source", start.source, SOURCES)
    yield from _amount(files.CHARACTERS, entry, "VP", start.vp, 0, MAX_FIRST_VP)
    for where, cubes, most in (("weapon", start.weapon, MAX_FIRST_WEAPON), ("pack", start.pack, MAX_FIRST_PACK)):
        if len(cubes) != len(RESOURCES) or min(cubes) < 0:
            yield Fault(files.CHARACTERS, entry, f"{where} {list(cubes)}; write numbers of {', '.join(RESOURCES)}")
            return
        yield from _amount(files.CHARACTERS, entry, f"cubes in the {where}", sum(cubes), 0, most)
    for name, *numbers in zip(RESOURCES, start.weapon, start.pack, strict=True):
        yield from _amount(files.CHARACTERS, entry, f"{name} in all", sum(numbers), 0, MAX_FIRST_CUBES)


def _known(file: str, entry: str, what: str, name: object, names: Collection[object]) -> Iterator[Fault]:
    if name not in names:
        allowed = ", ".join(str(known) for known in names)
        yield Fault(file, entry, f"{what} {name!r} is unknown; allowed: {allowed}")


def _amount(file: str, entry: str, what: str, number: int, least: int, most: int) -> Iterator[Fault]:
    if not least <= number <= most:
        allowed = f"{least}" if least == most else f"{least} to {most}"
        yield Fault(file, entry, f"{number} {what}; allowed: {allowed}")


def _ids(file: str, label: str, ids: Sequence[str], taken: Sequence[str] = ()) -> Iterator[Fault]:
    for name, times in Counter(ids).items():
        if not ID.fullmatch(name):
            yield Fault(file, f"{label} {name}", "the id must be lower case letters, digits and _, a letter first")
        if times > 1 or name in taken:
            yield Fault(file, f"{label} {name}", "the id is taken; each needs its own")


def _one_each(file: str, label: str, names: Sequence[str], known: Sequence[str]) -> Iterator[Fault]:
    for name, times in Counter(names).items():
        yield from _known(file, f"{label} {name}", "the name", name, known)
        if times > 1:
            yield Fault(file, f"{label} {name}", f"appears {times} times; write one")
    for name in known:
        if name not in names:
            yield Fault(file, f"{label} {name}", "is missing; write one")
