"""Checks the counts of the rulebook, for packs with `edition = "rulebook"`.

Some numbers are printed in the rulebook and apply to every such pack. Others are reconstructed: they apply only to
entries that are reconstructed themselves, so that an owner of the game can enter what is really printed.
"""

from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from fractions import Fraction

from fujikoro_env.content import errors as files
from fujikoro_env.content import patterns
from fujikoro_env.content.model import (
    ADVENTURE_POWERS,
    COLOURS,
    DIE_FACES,
    FOOT_SPOTS,
    GEAR,
    LEVELS,
    PALACE_TRACKS,
    SCROLL_POWERS,
    Card,
    Die,
    Dragon,
    Pack,
    Tile,
    Token,
)
from fujikoro_env.kernel.toml_tables import Fault

EDITION = "edition 'rulebook'"
RECONSTRUCTED = "reconstructed"

TILES = {1: 7, 2: 13, 3: 13}
SPECIAL_ICONS = {"exit": {2: 1}, "dragon white": {3: 1}}
RECONSTRUCTED_ICONS = {  # by level
    "square": {1: 5, 2: 8, 3: 8},
    "hex": {1: 5, 2: 6, 3: 6},
    "scroll": {1: 6, 2: 18, 3: 18},
    "monk": {1: 4, 2: 7, 3: 7},
    "adventure": {1: 4, 2: 8, 3: 8},
    "dragon blue": {1: 2, 2: 2},
    "dragon green": {2: 4},
    "dragon red": {3: 2},
    "lava": {1: 4, 2: 6, 3: 8},
    "eruption number": {1: 9, 2: 20, 3: 22},
}
FIRST_CUBES = {  # weapon and pack at the start: wood, metal, teeth (SETUP-7, CHAR)
    "symmetric": ((2, 2, 0), (0, 0, 0)),
    "yoshihiro": ((2, 2, 0), (0, 3, 0)),
    "masako": ((3, 3, 0), (0, 0, 0)),
    "masatsura": ((2, 2, 0), (0, 0, 0)),
    "mitsuhide": ((2, 3, 0), (0, 0, 0)),
    "takeko": ((3, 4, 0), (0, 0, 0)),
    "tomoe": ((2, 2, 1), (0, 0, 0)),
    "daisuke": ((2, 2, 0), (0, 0, 0)),
}
TOKENS = {"square": 21, "hex": 17}
RECONSTRUCTED_TOKENS = {shape: RECONSTRUCTED_ICONS[shape] for shape in TOKENS}  # one token for each icon
RECONSTRUCTED_MONK_TOKENS = 5
DRAGONS = {"blue": 4, "green": 4, "red": 4, "white": 1}
DRAGON_DICE = {"blue": 3, "green": 4, "red": 5, "white": 6}
DRAGON_VP = {"blue": 5, "green": 7, "red": 10, "white": 15}
RED_SOLO_HEALTH = [18, 19, 20, 21]
LEGENDARY_HEALTH = 60  # with 3 to 6 players
LEGENDARY_SOLO_HEALTH = 25
KNOWN_GREEN = (9, 12)  # initiative, health
KNOWN_INITIATIVES = (8, 14)  # found in examples of the German and the Czech rulebook
DICE_MEANS = {"wood": Fraction(2, 3), "metal": Fraction(1), "tooth": Fraction(3, 2), "magic": Fraction(2)}
DICE_MAXIMA = {"wood": 1, "metal": 2, "tooth": 3, "magic": 4}
BREAKING_FACES = {"wood": 1, "metal": 1, "tooth": 1, "magic": 0}
CARDS_PER_TYPE = 8
GEAR_CARD_CUBES = {"helmet": (4, 5), "weapon": (5, 7), "sandals": (3, 3)}
BLUEPRINT_CUBES = {"helmet": (4, 5), "weapon": (4, 7), "sandals": (3, 3)}
PAIRS = 2
SANDALS_BLUEPRINT_WOOD = 1
ADVENTURE_COPIES = 2
COUNTDOWN_SPACES = 8  # FINAL-2, COOP-2
LOWEST_PALACE_VALUES = {"helmet": 3, "weapon": 3, "sandals": 3, "monk": 1, "tooth": 1}
FOOT_VP = 5
SUPPLY = {"wood": 60, "metal": 90, "tooth": 25, "magic": 20, "monk": 38, "lava": 51, "damage": 12, "status": 9}
SCROLL_TOKENS = 7
MARKERS = 6


def check_rulebook(pack: Pack) -> list[Fault]:
    """Return all differences between a pack and the rulebook's counts."""
    chapters = (_tiles, _tokens, _dragons, _dice, _cards, _scrolls, _adventures, _tracks, _supply, _characters)
    return [fault for chapter in chapters for fault in chapter(pack)]


def _tiles(pack: Pack) -> Iterator[Fault]:
    by_level = {level: [tile for tile in pack.tiles if tile.level == level] for level in LEVELS}
    wrong = [level for level in LEVELS if len(by_level[level]) != TILES[level]]
    for level in LEVELS:
        yield from _same(files.TILES, f"level {level}", "tiles", len(by_level[level]), TILES[level])
        if level not in wrong:  # with a wrong number of tiles, faults about icons would only repeat it
            yield from _icons(level, by_level[level])
    if not wrong and _any_reconstructed(pack.tiles):
        yield from _scroll_colours(pack.tiles)


def _icons(level: int, tiles: Sequence[Tile]) -> Iterator[Fault]:
    wanted = SPECIAL_ICONS | (RECONSTRUCTED_ICONS if _any_reconstructed(tiles) else {})
    found = _icon_counts(tiles)
    for icon, levels in wanted.items():
        yield from _same(files.TILES, f"level {level}", f"of icon '{icon}'", found[icon], levels.get(level, 0))


def _icon_counts(tiles: Iterable[Tile]) -> Counter[str]:
    spaces = [space for tile in tiles for space in tile.spaces]
    found = Counter("scroll" if space.item.startswith("scroll") else space.item for space in spaces)
    found["lava"] = sum(space.lava for space in spaces)
    found["eruption number"] = sum(space.eruption > 0 for space in spaces)
    return found


def _scroll_colours(tiles: Iterable[Tile]) -> Iterator[Fault]:
    found = Counter(space.item for tile in tiles for space in tile.spaces)
    for colour in COLOURS:
        item = f"scroll {colour}"
        yield from _same(files.TILES, "all levels", f"of icon '{item}'", found[item], SCROLL_TOKENS)


def _tokens(pack: Pack) -> Iterator[Fault]:
    for shape, number in TOKENS.items():
        tokens = [token for token in pack.tokens if token.shape == shape]
        yield from _same(files.TOKENS, f"{shape} tokens", "tokens", len(tokens), number)
        if len(tokens) == number and _any_reconstructed(tokens):
            yield from _token_levels(shape, tokens)


def _token_levels(shape: str, tokens: Sequence[Token]) -> Iterator[Fault]:
    levels = Counter(token.level for token in tokens)
    for level, number in RECONSTRUCTED_TOKENS[shape].items():
        yield from _same(files.TOKENS, f"{shape} tokens", f"of level {level}", levels[level], number)
    if shape == "hex":
        monks = sum(token.monk for token in tokens)
        yield from _same(files.TOKENS, "hex tokens", "monks", monks, RECONSTRUCTED_MONK_TOKENS)


def _dragons(pack: Pack) -> Iterator[Fault]:
    for kind in pack.dragon_kinds:
        entry = f"dragon kind {kind.colour}"
        yield from _same(files.DRAGONS, entry, "dice", kind.dice, DRAGON_DICE.get(kind.colour))
        yield from _same(files.DRAGONS, entry, "VP", kind.vp, DRAGON_VP.get(kind.colour))
    for colour, number in DRAGONS.items():
        dragons = [dragon for dragon in pack.dragons if dragon.colour == colour]
        yield from _same(files.DRAGONS, f"dragon kind {colour}", "dragons", len(dragons), number)
        if len(dragons) == number:
            yield from _known_dragons(colour, dragons)
    for initiative in KNOWN_INITIATIVES:
        if all(dragon.initiative != initiative for dragon in pack.dragons):
            yield Fault(files.DRAGONS, "", f"no dragon has initiative {initiative}; {EDITION} has one")


def _known_dragons(colour: str, dragons: Sequence[Dragon]) -> Iterator[Fault]:
    """Check what the rulebook says about single dragons."""
    entry = f"dragon kind {colour}"
    for dragon in dragons:
        many, two, _ = dragon.health
        if colour != "white" and two != many:
            yield Fault(files.DRAGONS, f"dragon {dragon.id}", "only the legendary dragon has a health for 2 players")
    if colour == "white":
        many, _, solo = dragons[0].health
        yield from _same(files.DRAGONS, f"dragon {dragons[0].id}", "health", many, LEGENDARY_HEALTH)
        yield from _same(files.DRAGONS, f"dragon {dragons[0].id}", "solo health", solo, LEGENDARY_SOLO_HEALTH)
    if colour == "red":
        healths = sorted(dragon.health[2] for dragon in dragons)
        yield from _same(files.DRAGONS, entry, "as solo health", healths, RED_SOLO_HEALTH)
    if colour == "green" and not any(_is_known_green(dragon) for dragon in dragons):
        initiative, health = KNOWN_GREEN
        yield Fault(files.DRAGONS, entry, f"none has initiative {initiative} and health {health}; {EDITION} has one")


def _is_known_green(dragon: Dragon) -> bool:
    return (dragon.initiative, *dragon.health) == (KNOWN_GREEN[0], *3 * KNOWN_GREEN[1:])


def _dice(pack: Pack) -> Iterator[Fault]:
    for die in pack.dice:
        if die.kind in DICE_MEANS and die.faces:
            yield from _die(die, f"die {die.kind}")


def _die(die: Die, entry: str) -> Iterator[Fault]:
    hits = [face.hits for face in die.faces]
    breaking = sum(face.breaks for face in die.faces)
    yield from _same(files.DICE, entry, "hits on average", Fraction(sum(hits), DIE_FACES), DICE_MEANS[die.kind])
    yield from _same(files.DICE, entry, "hits at most", max(hits), DICE_MAXIMA[die.kind])
    yield from _same(files.DICE, entry, "breaking faces", breaking, BREAKING_FACES[die.kind])


def _cards(pack: Pack) -> Iterator[Fault]:
    yield from _deck(files.GEAR_CARDS, "gear card", pack.gear_cards, GEAR_CARD_CUBES)
    yield from _deck(files.BLUEPRINTS, "blueprint", pack.blueprints, BLUEPRINT_CUBES)
    for card in pack.blueprints:
        if card.source == RECONSTRUCTED:
            yield from _blueprint_cubes(card, f"blueprint {card.id}")
    weapons = [card for card in pack.blueprints if card.gear == "weapon"]
    pairs = sum(len(card.patterns) == 2 for card in weapons)
    if pairs < PAIRS and _any_reconstructed(weapons):
        yield Fault(files.BLUEPRINTS, "weapon", f"{pairs} pairs of one-handed weapons; {EDITION} has at least {PAIRS}")


def _deck(file: str, label: str, cards: Iterable[Card], sizes: dict[str, tuple[int, int]]) -> Iterator[Fault]:
    numbers = Counter(card.gear for card in cards)
    for gear in GEAR:
        yield from _same(file, gear, f"{label}s", numbers[gear], CARDS_PER_TYPE)
    for card in cards:
        size = patterns.cubes(card.patterns)
        least, most = sizes.get(card.gear, (size, size))
        if card.source == RECONSTRUCTED and not least <= size <= most:
            allowed = f"{least}" if least == most else f"{least} to {most}"
            yield Fault(file, f"{label} {card.id}", f"{size} cubes; {EDITION} has {allowed}")
    yield from _equal_patterns(file, label, cards)


def _equal_patterns(file: str, label: str, cards: Iterable[Card]) -> Iterator[Fault]:
    owner: dict[tuple[str, tuple[patterns.Rows, ...]], str] = {}
    for card in cards:
        if patterns.is_readable(card.patterns):
            first = owner.setdefault((card.gear, patterns.canonical(card.patterns)), card.id)
            if first != card.id:
                yield Fault(file, f"{label} {card.id}", f"has the pattern of {first}; {EDITION} has each once")


def _blueprint_cubes(card: Card, entry: str) -> Iterator[Fault]:
    wood = patterns.count(card.patterns, "wood")
    if card.gear == "sandals" and wood > SANDALS_BLUEPRINT_WOOD:
        yield Fault(files.BLUEPRINTS, entry, f"{wood} wood; {EDITION} has at most {SANDALS_BLUEPRINT_WOOD}")


def _scrolls(pack: Pack) -> Iterator[Fault]:
    numbers = Counter(scroll.power for scroll in pack.scrolls)
    for power in SCROLL_POWERS:
        yield from _same(files.SCROLLS, f"scroll {power}", "cards", numbers[power], 1)


def _adventures(pack: Pack) -> Iterator[Fault]:
    numbers = {adventure.power: adventure.copies for adventure in pack.adventures}
    for power in ADVENTURE_POWERS:
        yield from _same(files.ADVENTURES, f"adventure {power}", "copies", numbers.get(power, 0), ADVENTURE_COPIES)


def _tracks(pack: Pack) -> Iterator[Fault]:
    yield from _same(files.TRACKS, "countdown", "spaces", len(pack.countdown), COUNTDOWN_SPACES)
    yield from _same(files.TRACKS, "coop_countdown", "spaces", len(pack.coop_countdown), COUNTDOWN_SPACES)
    for track in PALACE_TRACKS:
        lowest = min(pack.palace.get(track, ()), default=None)
        yield from _same(files.TRACKS, "palace", f"as lowest value for {track}", lowest, LOWEST_PALACE_VALUES[track])
    for spot in FOOT_SPOTS:
        yield from _same(files.TRACKS, "foot", f"VP for {spot}", pack.foot.get(spot), FOOT_VP)


def _supply(pack: Pack) -> Iterator[Fault]:
    for piece, number in SUPPLY.items():
        yield from _same(files.SUPPLY, "supply", f"of {piece}", pack.supply.get(piece), number)
    yield from _same(files.SUPPLY, "scroll_tokens", "of each colour", pack.scroll_tokens, SCROLL_TOKENS)
    yield from _same(files.SUPPLY, "markers", "of each gear", pack.markers, MARKERS)


def _characters(pack: Pack) -> Iterator[Fault]:
    for start in pack.characters:
        entry = f"character {start.id}"
        yield from _same(files.CHARACTERS, entry, "VP at the start", start.vp, 0)
        weapon, pack_cubes = FIRST_CUBES[start.id]
        yield from _same(files.CHARACTERS, entry, "as first weapon", start.weapon, weapon)
        yield from _same(files.CHARACTERS, entry, "as first pack", start.pack, pack_cubes)


def has_rulebook_characters(pack: Pack) -> bool:
    """Whether every character begins as in the rulebook."""
    known = [start.id for start in pack.characters] == list(FIRST_CUBES)
    return known and not list(_characters(pack))


def _any_reconstructed(entries: Iterable[Tile] | Iterable[Token] | Iterable[Card]) -> bool:
    return any(entry.source == RECONSTRUCTED for entry in entries)


def _same(file: str, entry: str, what: str, found: object, wanted: object) -> Iterator[Fault]:
    if found != wanted:
        yield Fault(file, entry, f"{found} {what}; {EDITION} has {wanted}")
