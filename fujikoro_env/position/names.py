"""Ids of a content pack with the codes that records keep."""

from functools import lru_cache
from typing import Final

from fujikoro_env.content import Pack
from fujikoro_env.content.model import (
    ADVENTURE_POWERS,
    GEAR,
    LEVELS,
    MAX_CARDS_PER_TYPE,
    MAX_TILES_PER_LEVEL,
    MAX_TOKENS_PER_SHAPE,
    TOKEN_SHAPES,
    Card,
)
from fujikoro_env.game import DICE_LETTERS
from fujikoro_env.position.kinds import Kind, numbered, word
from fujikoro_env.rules.base.state import CARD_SLOTS
from fujikoro_env.rules.base.tables import cards_of_type, tiles_of_level
from fujikoro_env.vocabulary import hidden_name

FIRST_BACK: Final = 1000  # codes of hidden blueprints, by slot: beyond those of all cards (SCEN-12)
NAMES_KEPT: Final = 64  # of the packs used last


class Names:
    """Codes by id, and the kinds of values that are such ids."""

    def __init__(self, pack: Pack) -> None:
        self.tiles = _tile_codes(pack)
        self.tokens = _token_codes(pack)
        self.dragons = numbered((dragon.id for dragon in pack.dragons), 1)
        self.scrolls = numbered((scroll.id for scroll in pack.scrolls), 1)
        self.gear_cards = _card_codes(pack.gear_cards)
        self.blueprints = _card_codes(pack.blueprints)
        # Decks as `load_draws` knows them: what lies in them, numbered from 1.
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

    def tile_of_level(self, level: int) -> Kind:
        return word(self.decks[f"tiles{level}"], "tile of this level")

    def in_deck(self, deck: str) -> Kind:
        return word(self.decks[deck], "member of the deck")


@lru_cache(NAMES_KEPT)
def names_of(pack: Pack) -> Names:
    """Packs are equal by their digest, so those that play alike share their names."""
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
    """The codes of one part of several with `size` each, counted from 1."""
    first = part * size
    return {id: code - first for id, code in codes.items() if first < code <= first + size}


def _die(pack: Pack) -> Kind:
    """A face of a die, as `load_dice` knows them; of equal faces the first is meant."""

    def name(code: int) -> str:
        kind, face = divmod(code - 1, 8)
        shown = pack.dice[kind].faces[face]
        return f"{DICE_LETTERS[kind]}{shown.hits}{'*' if shown.breaks else ''}"

    codes = [kind * 8 + face + 1 for kind, die in enumerate(pack.dice) for face in range(len(die.faces))]
    firsts = {name(code): code for code in reversed(codes)}
    return Kind(name, word(firsts, "face of a die").read)
