"""Names in the JSON and the codes that records use for them: fixed names (spaces, gear, actions), and ids of content
packs."""

from functools import lru_cache
from typing import Final

from fujikoro_env.content import Pack
from fujikoro_env.content.model import (
    ADVENTURE_POWERS,
    COLOURS,
    GEAR,
    LEVELS,
    MAX_CARDS_PER_TYPE,
    MAX_PRINTED,
    MAX_TILES_PER_LEVEL,
    MAX_TOKENS_PER_SHAPE,
    PALACE_TRACKS,
    RESOURCES,
    SCROLL_POWERS,
    TOKEN_SHAPES,
    Card,
)
from fujikoro_env.game import DICE_LETTERS
from fujikoro_env.kernel.position.kinds import (
    Json,
    Kind,
    bits,
    codes_of,
    counts,
    fit_in,
    listed,
    number,
    numbered,
    said_number,
    whole,
    word,
)
from fujikoro_env.rules.base.counters import COUNTERS, MOST_COUNTED
from fujikoro_env.rules.base.names import Character, Disc, Gear, Marker, Outside, Reason, Spot
from fujikoro_env.rules.base.phases import Phase
from fujikoro_env.rules.base.state import CARD_SLOTS, DRAGONS_TURN, FIRST_PARTNER, MOST_DISCS, PLAYERS
from fujikoro_env.rules.base.tables import cards_of_type, tiles_of_level
from fujikoro_env.rules.gear.weapon import LEFT, RIGHT, WORN
from fujikoro_env.rules.map.geometry import PLACES, geometry
from fujikoro_env.settings import CHARACTERS
from fujikoro_env.vocabulary import hidden_name

VERSION: Final = 1
RULES_KEYS: Final = (
    "players",
    "mode",
    "scenario",
    "adventure_tokens",
    "peaceful",
    "final_at",
    "max_rounds",
    "ask_forced",
)
DRAGON: Final = "dragon"  # entry in the order of a fight; also used for a monk
MONK_SOURCES: Final = {"map": 0, "supply": 1, "pack": 2}
MAGIC_WORDS: Final = {  # by gear and code
    (Gear.HELMET, 1): "helmet",
    (Gear.WEAPON, 1): "weapon",
    (Gear.WEAPON, 2): "right weapon",
    (Gear.SANDALS, 1): "sandals",
}

SPACE: Final = word(numbered(geometry().space_names), "space")
PLACE: Final = word(numbered(geometry().place_names[:PLACES]), "place")
LAIR: Final = word(numbered(geometry().place_names), "place")  # a dragon may be on the start tile (SCEN-61)
PLAYER: Final = number(0, PLAYERS - 1)
SEAT: Final = said_number(0, PLAYERS - 1)
GEAR_WORD: Final = word(numbered(GEAR), "gear")
FIELD: Final = word(codes_of(Disc), "action")
SPOT: Final = word(codes_of(Spot), "monk spot")
BOARD_SPOT: Final = word(codes_of(spot for spot in Spot if spot != Spot.CARRIED), "monk spot")
COLOUR: Final = word(numbered(COLOURS, 1), "colour")
ADVENTURE: Final = word(numbered(ADVENTURE_POWERS, 1), "adventure token")
SPOILS: Final = bits(word({"tooth": 0, "status": 1}, "part of the spoils"))
FACE: Final = word({"down": 0, "up": 1}, "face")
SIDE: Final = word({"left": LEFT, "right": RIGHT, "sandals": WORN}, "weapon")
CHARACTER: Final = word({name: int(Character[name.upper()]) for name in CHARACTERS}, "character")
MAGIC: Final = word(numbered(MAGIC_WORDS.values()), "gear that can be magic")
CARD_BONUS: Final = word({"score": 0, "look": 1}, "bonus")
OUTSIDE: Final = word(codes_of((Outside.PALACE, Outside.FOOT)), "way out")
MARKER: Final = word(codes_of((Marker.AWAKE, Marker.ASLEEP)), "marker")
OVER: Final = word(codes_of(reason for reason in Reason if reason), "end of a game")
PHASE: Final = word({phase.name: int(phase) for phase in Phase if phase}, "phase")
_SWAPS: Final = {f"swap with {player}": FIRST_PARTNER + player for player in range(PLAYERS)}
USED_POWERS: Final = bits(word({**numbered(SCROLL_POWERS), **_SWAPS}, "power"))

RESOURCE_COUNTS: Final = counts(RESOURCES, MAX_PRINTED)
DISC_COUNTS: Final = counts(("pool", *codes_of(Disc)), MOST_DISCS)
PACK_COUNTS: Final = counts((*RESOURCES, "monks"), 99)
ADVENTURE_COUNTS: Final = counts(ADVENTURE_POWERS, 99)
CLAIM_COUNTS: Final = counts(PALACE_TRACKS, 99)
COLOUR_COUNTS: Final = counts(COLOURS, 99)
COUNTER_KINDS: Final = {name: counts(each.labels, MOST_COUNTED, -MOST_COUNTED) for name, each in COUNTERS.items()}


def _read_player_or_none(value: Json) -> int:
    return whole(value, 0, PLAYERS - 1) + 1


# A player; the record stores player + 1, so that 0 is nobody.
PLAYER_OR_NONE: Final[Kind[int, int]] = Kind(lambda code: int(code) - 1, _read_player_or_none, nothing=0)

SPACE_OR_NONE: Final[Kind[int, str]] = Kind(
    lambda code: SPACE.show(int(code) - 1), lambda name: SPACE.read(name) + 1, nothing=0
)


def _show_order(codes: list[int]) -> list[int | str]:
    return [DRAGON if code == DRAGONS_TURN else PLAYER_OR_NONE.show(code) for code in codes if code]


def _read_order(value: Json) -> list[int]:
    turns = fit_in(listed(value), PLAYERS + 1)
    return [DRAGONS_TURN if who == DRAGON else _read_player_or_none(who) for who in turns]


# The order of turns in a fight.
ORDER: Final[Kind[list[int], list[int | str]]] = Kind(_show_order, _read_order, nothing=[])


# --- ids of a content pack, and the codes that records use ----------------------------------------------------------

FIRST_BACK: Final = 1000  # codes of hidden blueprints start here, by slot; they are beyond those of all cards (SCEN-12)
NAMES_KEPT: Final = 64  # number of packs, the most recently used ones


class Names:
    """Codes by id for one content pack, and the kinds of values made from them."""

    def __init__(self, pack: Pack) -> None:
        self.tiles = _tile_codes(pack)
        self.tokens = _token_codes(pack)
        self.dragons = numbered((dragon.id for dragon in pack.dragons), 1)
        self.scrolls = numbered((scroll.id for scroll in pack.scrolls), 1)
        self.gear_cards = _card_codes(pack.gear_cards)
        self.blueprints = _card_codes(pack.blueprints)
        # Decks by the names that `load_draws` uses, with their pieces numbered from 1.
        self.decks = {
            **{f"tiles{level}": _part_of(self.tiles, level - 1, MAX_TILES_PER_LEVEL) for level in LEVELS},
            "squares": _part_of(self.tokens, 0, MAX_TOKENS_PER_SHAPE),
            "hexes": _part_of(self.tokens, 1, MAX_TOKENS_PER_SHAPE),
            "dragons": self.dragons,
            "adventures": numbered(ADVENTURE_POWERS, 1),
            "scrolls": self.scrolls,
            "blueprints": numbered(self.blueprints, 1),
        }
        self.tile = word(self.tiles, "tile")
        self.token = word(self.tokens, "resource token")
        self.dragon = word(self.dragons, "dragon")
        self.dragon_bit = word(numbered(self.dragons), "dragon")
        self.scroll = word(self.scrolls, "scroll")
        self.gear_card = word(self.gear_cards, "gear card")
        self.blueprint = word(self.blueprints, "blueprint")
        self.backs = {hidden_name(slot): FIRST_BACK + slot for slot in range(len(GEAR) * CARD_SLOTS)}
        self.blueprint_or_back = word({**self.blueprints, **self.backs}, "blueprint")
        self.die = _die(pack)

    def tile_of_level(self, level: int) -> Kind[int, str]:
        """Kind of a tile of one level."""
        return word(self.decks[f"tiles{level}"], "tile of this level")

    def in_deck(self, deck: str) -> Kind[int, str]:
        """Kind of a piece of one deck."""
        return word(self.decks[deck], "member of the deck")


@lru_cache(NAMES_KEPT)
def names_of(pack: Pack) -> Names:
    """The names of a pack. Packs compare equal by digest, so equal packs share one object."""
    return Names(pack)


def _tile_codes(pack: Pack) -> dict[str, int]:
    return {
        tile.id: (level - 1) * MAX_TILES_PER_LEVEL + index + 1
        for level in LEVELS
        for index, tile in enumerate(tiles_of_level(pack, level))
    }


def _token_codes(pack: Pack) -> dict[str, int]:
    return {
        token.id: shape * MAX_TOKENS_PER_SHAPE + index + 1
        for shape, name in enumerate(TOKEN_SHAPES)
        for index, token in enumerate(token for token in pack.tokens if token.shape == name)
    }


def _card_codes(cards: tuple[Card, ...]) -> dict[str, int]:
    return {
        card.id: gear * MAX_CARDS_PER_TYPE + index + 1
        for gear in range(len(GEAR))
        for index, card in enumerate(cards_of_type(cards, gear))
    }


def _part_of(codes: dict[str, int], part: int, size: int) -> dict[str, int]:
    """The codes of one of several parts with `size` codes each, counted from 1."""
    first = part * size
    return {id: code - first for id, code in codes.items() if first < code <= first + size}


def _die(pack: Pack) -> Kind[int, str]:
    """A face of a die, as in `load_dice`. Equal faces are read as the first of them."""

    def name(code: int) -> str:
        kind, face = divmod(code - 1, 8)
        shown = pack.dice[kind].faces[face]
        return f"{DICE_LETTERS[kind]}{shown.hits}{'*' if shown.breaks else ''}"

    codes = [kind * 8 + face + 1 for kind, die in enumerate(pack.dice) for face in range(len(die.faces))]
    firsts = {name(code): code for code in reversed(codes)}
    return Kind(name, word(firsts, "face of a die").read)
