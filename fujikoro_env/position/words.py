"""The values that are the same with every content pack: spaces, players, gear, actions and so on."""

from typing import Any, Final

from fujikoro_env.content.model import (
    ADVENTURE_POWERS,
    COLOURS,
    GEAR,
    MAX_PRINTED,
    PALACE_TRACKS,
    RESOURCES,
    SCROLL_POWERS,
)
from fujikoro_env.position.kinds import (
    Kind,
    UnfitError,
    bits,
    codes_of,
    counts,
    fit_in,
    listed,
    number,
    numbered,
    said_number,
    short,
    whole,
    word,
)
from fujikoro_env.rules.base.counters import COUNTERS
from fujikoro_env.rules.base.names import Character, Disc, Gear, Marker, Outside, Reason, Spot
from fujikoro_env.rules.base.phases import Phase
from fujikoro_env.rules.base.state import DRAGONS_TURN, PLAYERS
from fujikoro_env.rules.coop.swap import FIRST_PARTNER
from fujikoro_env.rules.gear.weapon import LEFT, RIGHT, WORN
from fujikoro_env.rules.map.geometry import PLACES, geometry
from fujikoro_env.settings import CHARACTERS

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
MOST_DISCS: Final = 5  # CHAR-11
MOST_COUNTED: Final = 9999
DRAGON: Final = "dragon"  # in the order of a fight; the monk that is fought stands there too
MONK_SOURCES: Final = {"map": 0, "supply": 1, "pack": 2}
MAGIC_WORDS: Final = {  # by the gear and the code that it keeps
    (Gear.HELMET, 1): "helmet",
    (Gear.WEAPON, 1): "weapon",
    (Gear.WEAPON, 2): "right weapon",
    (Gear.SANDALS, 1): "sandals",
}

SPACE: Final = word(numbered(geometry().space_names), "space")
PLACE: Final = word(numbered(geometry().place_names[:PLACES]), "place")
LAIR: Final = word(numbered(geometry().place_names), "place")  # of a dragon: the start tile too (SCEN-61)
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


def _read_player_or_none(value: Any) -> int:
    return whole(value, 0, PLAYERS - 1) + 1


# A player, counted from 1 in the record so that 0 is nobody.
PLAYER_OR_NONE: Final = Kind(lambda code: int(code) - 1, _read_player_or_none, nothing=0)

SPACE_OR_NONE: Final = Kind(lambda code: SPACE.show(int(code) - 1), lambda name: SPACE.read(name) + 1, nothing=0)


def _show_order(codes: Any) -> list[Any]:
    return [DRAGON if code == DRAGONS_TURN else PLAYER_OR_NONE.show(code) for code in codes if code]


def _read_order(value: Any) -> list[int]:
    turns = fit_in(listed(value), PLAYERS + 1)
    return [DRAGONS_TURN if who == DRAGON else _read_player_or_none(who) for who in turns]


ORDER: Final = Kind(_show_order, _read_order, nothing=[])  # whose turn it is in a fight, one after the other


def _show_hex_words(words: Any) -> str:
    return " ".join(f"{int(value):08x}" for value in words)


def _read_hex_words(value: Any) -> list[int]:
    words = value.split() if isinstance(value, str) else []
    try:
        numbers = [int(text, 16) for text in words]
    except ValueError:
        numbers = []
    if len(numbers) != 4 or not all(0 <= n < 1 << 32 for n in numbers):
        raise UnfitError(f"{short(value)} is not four hexadecimal words of 32 bits")
    return numbers


HEX_WORDS: Final = Kind(_show_hex_words, _read_hex_words, nothing=[0, 0, 0, 0])  # the state of a stream of luck
