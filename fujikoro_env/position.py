"""Positions as JSON that a person can read, write and edit: docs/positions.md describes the form.

Whatever can be worked out is left out: the supply, stacks and decks are what the content pack has and the position does
not show elsewhere. Reading checks a position against the rules and collects all its faults; `Kind` is how one value is
written and read, and tables of kinds describe the records, so that both directions come from the same lines.
"""

import json
import reprlib
from collections import Counter
from collections.abc import Callable, Iterable
from dataclasses import dataclass
from typing import Any, Final

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
from fujikoro_env.game import DICE_LETTERS, Game
from fujikoro_env.rules.gearcells import HELMET_CELLS, LEFT_PART, RIGHT_PART, SANDALS_CELLS
from fujikoro_env.rules.geometry import PLACES, TEMPLES, geometry
from fujikoro_env.rules.names import (
    Adventure,
    Cube,
    Deck,
    Disc,
    Gear,
    Outside,
    Reason,
    ScrollPower,
    Spot,
    Stream,
    Terrain,
    Where,
)
from fujikoro_env.rules.phases import Phase
from fujikoro_env.rules.state import (
    CARD_SLOTS,
    DRAGONS_TURN,
    GEAR_HEIGHT,
    GEAR_WIDTH,
    PATH,
    PLAYERS,
)
from fujikoro_env.rules.tables import cards_of_type, tiles_of_level
from fujikoro_env.settings import Rules, is_whole_number

VERSION: Final = 1
LINE: Final = 110  # what fits in so many characters is written on one line
EMPTY, CUBE_LETTERS, MARK = ".", "WMT", "x"
RULES_KEYS = ("players", "mode", "adventure_tokens", "peaceful", "final_at", "max_rounds", "ask_forced")
MOST_VP = 9999
FIRST_DISCS = 3  # SETUP-6
FIRST_CUBES = (2, 2, 0)  # SETUP-7
FIRST_PACK, SECOND_PACK = 6, 5  # PACK-1
ONE_HANDED_MOST, TWO_HANDED_MOST = 8, 12  # WEAP-2, WEAP-4
LEFT_COLUMNS = 5  # of the weapon grid: its left part (CRAFT-6)
LAVA_COST = 5
CROWDED = 5  # from so many players on hex tokens are used (EXPL-4)
CELLS_OF_TILE = 7

Cell = tuple[int, int]


class PositionError(ValueError):
    """A position that is not legal, or can't be read. `faults` holds a line for everything that is wrong with it."""

    def __init__(self, faults: Iterable[str]) -> None:
        self.faults = list(faults)
        super().__init__(self.faults)

    def __str__(self) -> str:
        more = len(self.faults) - 1
        return self.faults[0] + (f" (and {more} more)" if more else "")


def to_json(game: Game) -> str:
    return _laid_out(position_of(game)) + "\n"


def from_json(text: str, content: str | None = None) -> Game:
    """The game that stands in this position. `content`: where the content pack is now, if it has moved."""
    return _Reader(_parsed(text), content).game()


# --- the text -------------------------------------------------------------------------------------------------------


def _laid_out(value: Any, indent: int = 0) -> str:
    """JSON with one thing to a line, but small things whole."""
    whole = json.dumps(value)
    if (indent > 0 and len(whole) + indent <= LINE) or not isinstance(value, dict | list) or not value:
        return whole
    deeper = indent + 2
    if isinstance(value, dict):
        lines = [f"{json.dumps(key)}: {_laid_out(item, deeper)}" for key, item in value.items()]
    else:
        lines = [_laid_out(item, deeper) for item in value]
    inner = (",\n" + " " * deeper).join(lines)
    left, right = "{}" if isinstance(value, dict) else "[]"
    return f"{left}\n{' ' * deeper}{inner}\n{' ' * indent}{right}"


def _parsed(text: str) -> Any:
    doubled: list[str] = []

    def without_doubles(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
        doubled.extend(key for key, number in Counter(key for key, _ in pairs).items() if number > 1)
        return dict(pairs)

    try:
        value = json.loads(text, object_pairs_hook=without_doubles)
    except json.JSONDecodeError as error:
        raise PositionError([f"line {error.lineno}, column {error.colno}: not JSON: {error.msg}"]) from None
    except (RecursionError, ValueError, TypeError) as error:
        raise PositionError([f"position: not JSON: {error}"]) from None
    if doubled:
        raise PositionError([f"position: the key {_short(key)} stands twice in one object" for key in doubled])
    return value


def _short(value: Any) -> str:
    return reprlib.repr(value)


# --- kinds of values ------------------------------------------------------------------------------------------------


class Unfit(Exception):
    """Why a value can't be read."""


@dataclass(frozen=True)
class Kind:
    """How a code of the record is shown, and read back; `nothing` is the code that is left out, if any is."""

    show: Callable[[Any], Any]
    read: Callable[[Any], Any]
    nothing: Any = None


def _whole(value: Any, low: int, high: int) -> int:
    if not is_whole_number(value) or not low <= value <= high:
        raise Unfit(f"{_short(value)} is not a whole number from {low} to {high}")
    return int(value)


def _listed(value: Any) -> list[Any]:
    if not isinstance(value, list):
        raise Unfit(f"{_short(value)} is not a list")
    return value


def _mapped(value: Any) -> dict[str, Any]:
    if not isinstance(value, dict):
        raise Unfit(f"{_short(value)} is not an object")
    return value


def number(low: int, high: int) -> Kind:
    return Kind(int, lambda value: _whole(value, low, high), nothing=0)


def _read_flag(value: Any) -> int:
    if not isinstance(value, bool):
        raise Unfit(f"{_short(value)} is not true or false")
    return int(value)


FLAG = Kind(bool, _read_flag, nothing=0)


def word(codes: dict[str, int], what: str = "name") -> Kind:
    """One of some names. A code 0 among them means something, so it is not left out."""
    names = {code: name for name, code in codes.items()}

    def read(value: Any) -> int:
        if not isinstance(value, str) or value not in codes:
            known = list(codes)
            allowed = ", ".join(known[:12]) + (", ..." if len(known) > 12 else "")
            raise Unfit(f"{_short(value)} is no {what}: there are {allowed or 'none'}")
        return codes[value]

    return Kind(lambda code: names[int(code)], read, nothing=None if 0 in names else 0)


def series(of: Kind, most: int) -> Kind:
    """A list of things."""

    def read(value: Any) -> list[Any]:
        items = [of.read(item) for item in _listed(value)]
        if len(items) > most:
            raise Unfit(f"{len(items)} things, there is room for {most}")
        return items

    return Kind(lambda codes: [of.show(code) for code in codes], read, nothing=[])


def bits(of: Kind) -> Kind:
    """A set, kept as bits: a list of different things."""

    def read(value: Any) -> int:
        codes = [of.read(item) for item in _listed(value)]
        if len(set(codes)) < len(codes):
            raise Unfit(f"{_short(value)} names something twice")
        return sum(1 << code for code in codes)

    return Kind(lambda members: [of.show(k) for k in _members(members)], read, nothing=0)


def counts(names: tuple[str, ...], most: int) -> Kind:
    """How many of each: an object."""

    def read(value: Any) -> list[int]:
        given = _mapped(value)
        if unknown := [name for name in given if name not in names]:
            raise Unfit(f"{_short(unknown[0])} is not one of {', '.join(names)}")
        return [_whole(given.get(name, 0), 0, most) for name in names]

    def show(numbers: Any) -> dict[str, int]:
        return {name: int(n) for name, n in zip(names, numbers, strict=True) if n}

    return Kind(show, read, nothing=[0] * len(names))


def _members(members: int) -> list[int]:
    return [k for k in range(int(members).bit_length()) if int(members) >> k & 1]


def _read_rows(value: Any, gear: int, letters: str) -> list[int]:
    """Rows of letters as one bit set for each letter; rows may be short, and rows below may be left out."""
    found = [0] * len(letters)
    for row, line in enumerate(_listed(value)):
        if not isinstance(line, str) or set(line) - {*letters, EMPTY}:
            raise Unfit(f"{_short(line)} is no row of the letters {', '.join(letters)} and {EMPTY}")
        for column, letter in enumerate(line):
            if letter != EMPTY:
                if row >= GEAR_HEIGHT[gear] or column >= GEAR_WIDTH[gear]:
                    raise Unfit(f"row {row}, column {column} is outside the grid of the {GEAR[gear]} (CRAFT-6)")
                found[letters.index(letter)] |= 1 << row * GEAR_WIDTH[gear] + column
    return found


def _show_rows(sets: list[int], gear: int, letters: str, within: int) -> list[str]:
    """Only the rows and columns of the grid `within`, and of what lies outside it."""
    width, shown = GEAR_WIDTH[gear], within | sum(sets)
    columns = max(cell % width for cell in _members(shown)) + 1
    cells = ["".join(_letter(sets, letters, row * width + k) for k in range(columns)) for row in range(5)]
    return cells[: max(_members(shown)) // width + 1]


def _letter(sets: list[int], letters: str, cell: int) -> str:
    return next((letter for letter, cells in zip(letters, sets, strict=True) if cells >> cell & 1), EMPTY)


WEAPON_MARKS = Kind(  # some cells of the weapon grid
    lambda cells: _show_rows([int(cells)], Gear.WEAPON, MARK, LEFT_PART),
    lambda value: _read_rows(value, Gear.WEAPON, MARK)[0],
    nothing=0,
)


def layout(gear: int) -> Kind:
    """Cubes on a gear."""
    return Kind(
        lambda sets: _show_rows([int(cells) for cells in sets], gear, CUBE_LETTERS, 1),
        lambda value: _read_rows(value, gear, CUBE_LETTERS),
        nothing=[0, 0, 0],
    )


def _numbered(names: Iterable[str], first: int = 0) -> dict[str, int]:
    return {name: code for code, name in enumerate(names, first)}


def _enum(kinds: Iterable[Any]) -> dict[str, int]:
    return {kind.name.lower(): int(kind) for kind in kinds}


SPACE = word(_numbered(geometry().space_names), "space")
PLACE = word(_numbered(geometry().place_names[:PLACES]), "place")
PLAYER = number(0, PLAYERS - 1)
SEAT = Kind(int, PLAYER.read)  # as PLAYER, but never left out
GEAR_WORD = word(_numbered(GEAR), "gear")
FIELD = word(_enum(Disc), "action")
SPOT = word(_enum(Spot), "monk spot")
COLOUR = word(_numbered(COLOURS, 1), "colour")
RESOURCE_COUNTS = counts(RESOURCES, MAX_PRINTED)
ORDER = Kind(  # whose turn it is in a fight, one after the other
    lambda codes: ["dragon" if code == DRAGONS_TURN else int(code) - 1 for code in codes if code],
    lambda value: [
        DRAGONS_TURN if who == "dragon" else _whole(who, 0, PLAYERS - 1) + 1 for who in _room_for(value, PLAYERS + 1)
    ],
    nothing=[],
)


def _room_for(value: Any, most: int) -> list[Any]:
    if len(_listed(value)) > most:
        raise Unfit(f"{len(value)} things, there is room for {most}")
    return _listed(value)


class Names:
    """Ids of a content pack with the codes that records keep."""

    def __init__(self, pack: Pack) -> None:
        self.tiles = {
            tile.id: (level - 1) * MAX_TILES_PER_LEVEL + index + 1
            for level in LEVELS
            for index, tile in enumerate(tiles_of_level(pack, level))
        }
        self.tokens = {
            token.id: shape * MAX_TOKENS_PER_SHAPE + index + 1
            for shape, name in enumerate(TOKEN_SHAPES)
            for index, token in enumerate(token for token in pack.tokens if token.shape == name)
        }
        self.dragons = _numbered((dragon.id for dragon in pack.dragons), 1)
        self.scrolls = _numbered((scroll.id for scroll in pack.scrolls), 1)
        self.gear_cards = _card_codes(pack.gear_cards)
        self.blueprints = _card_codes(pack.blueprints)
        self.frame_fields = _frame_fields(self)
        self.fight_fields = {
            "dragon": ("dragon", word(self.dragons, "dragon")),
            **{name: (name, kind) for name, kind in FIGHT_NUMBERS.items()},
        }
        # Decks as `load_draws` knows them: what lies in them, numbered from 1.
        self.decks = {f"tiles{level}": self._tiles_of(level) for level in LEVELS}
        self.decks |= {"squares": self._tokens_of(0), "hexes": self._tokens_of(1), "dragons": self.dragons}
        self.decks |= {"adventures": _numbered(ADVENTURE_POWERS, 1), "scrolls": self.scrolls}

    def _tiles_of(self, level: int) -> dict[str, int]:
        first = (level - 1) * MAX_TILES_PER_LEVEL
        return {id: code - first for id, code in self.tiles.items() if first < code <= first + MAX_TILES_PER_LEVEL}

    def _tokens_of(self, shape: int) -> dict[str, int]:
        first = shape * MAX_TOKENS_PER_SHAPE
        return {id: code - first for id, code in self.tokens.items() if first < code <= first + MAX_TOKENS_PER_SHAPE}


def _card_codes(cards: tuple[Card, ...]) -> dict[str, int]:
    return {
        card.id: gear * MAX_CARDS_PER_TYPE + index + 1
        for gear in range(len(GEAR))
        for index, card in enumerate(cards_of_type(cards, gear))
    }


def _inverted(codes: dict[str, int]) -> dict[int, str]:
    return {code: name for name, code in codes.items()}


# --- tables of fields: name in the JSON, field of the record, kind --------------------------------------------------

Fields = dict[str, tuple[str, Kind]]

TURN_FIELDS: Final[Fields] = {
    "round": ("round_number", number(1, 1000)),
    "first_player": ("first_player", PLAYER),
    "active": ("active", PLAYER),
    "stock_taken": ("stock_taken", FLAG),
    "used_powers": ("used_powers", bits(word(_numbered(SCROLL_POWERS), "scroll power"))),
}
FIGHT_NUMBERS: Final = {
    "health": number(-MAX_PRINTED, MAX_PRINTED),
    "rounds": number(0, 29),
    "active": PLAYER,
    "defender": PLAYER,
    "loser": Kind(lambda code: int(code) - 1, lambda value: _whole(value, 0, PLAYERS - 1) + 1, nothing=0),
    "gave_up": FLAG,
    "order": ORDER,
    "turn": number(0, PLAYERS + 1),
    "hits": number(0, 1000),
    "break_hits": number(0, 1000),
    "breaks": RESOURCE_COUNTS,
}
FIGHTER_FIELDS: Final[Fields] = {
    "inside": ("inside", FLAG),
    "came_from": ("came_from", SPACE),
    "initiative": ("initiative", number(0, MAX_PRINTED)),
    "monk": ("monk", FLAG),
    "rolled": ("rolled", bits(word({"left": 0, "right": 1}, "weapon"))),
    "rerolled": ("rerolled", FLAG),
}
# Frames that ask or act for nobody in particular.
NOBODYS: Final = (Phase.TURN, Phase.SETUP, Phase.DRAGON_ATTACK, Phase.GUNBAI, Phase.SMOKE)


def _frame_fields(names: Names) -> dict[Phase, Fields]:
    """What the frame of each phase keeps; a phase that is not here keeps nothing."""
    gear: Fields = {"gear": ("thing", GEAR_WORD)}
    offer: Fields = {"offer": ("offer", RESOURCE_COUNTS)}
    asked: Fields = {"asked": ("left", number(0, PLAYERS))}  # how many in player order have had their turn
    of_player: Fields = {"other": ("thing", SEAT)}
    place: Fields = {"place": ("at", PLACE)}
    space: Fields = {"space": ("at", SPACE)}
    stage: Fields = {"stage": ("stage", number(0, 6))}
    dice: Fields = {
        "weapon": ("at", word({"left": 0, "right": 1}, "weapon")),
        "cells": ("chosen", WEAPON_MARKS),
        "kind": ("stage", number(0, len(Cube))),
        "dice": ("offer", RESOURCE_COUNTS),
        "magic_dice": ("left", number(0, 1)),
    }
    powers = {"dragon_bane": int(ScrollPower.DRAGON_BANE), "harpoon": len(SCROLL_POWERS) + Adventure.HARPOON}
    return {
        Phase.TURN: stage,
        Phase.SETUP: stage,
        Phase.MONK_SPOT: {"from": ("stage", word(MONK_SOURCES, "source"))},
        Phase.SETUP_CUBES: {**gear, **offer},
        Phase.MOVE: {
            "left": ("left", number(0, 4)),
            "lava": ("marks", number(0, PATH)),
            "free_lava": ("thing", number(0, 32)),
            "on_card": ("stage", FLAG),
        },
        Phase.PAY: {**gear, "left": ("left", number(1, MAX_PRINTED))},
        Phase.EXPLORE_TURN: {**place, "tile": ("thing", word(names.tiles, "tile"))},
        Phase.EXPLORE_MORE: {**place, "left": ("left", number(0, 2)), "may_go_on": ("stage", FLAG)},
        Phase.FIND: space,
        Phase.TAKE: {
            **offer,
            "left": ("left", number(0, MAX_PRINTED)),
            "taken": ("marks", number(0, MAX_PRINTED)),
            "optional": ("stage", FLAG),
        },
        Phase.BLUEPRINTS: {"left": ("left", number(1, 2)), "taken": ("marks", number(0, 1))},
        Phase.SCROLL_CARD: space,
        Phase.SCROLL_SLOT: {"card": ("thing", word(names.scrolls, "scroll")), "token": ("marks", COLOUR)},
        Phase.REST: {"crafted": ("chosen", bits(GEAR_WORD)), "by_token": ("stage", FLAG)},
        Phase.CRAFT_WAY: gear,
        Phase.CRAFT_LAY: {**gear, **offer},
        Phase.WASTE: {**gear, **offer},
        Phase.PLACE_CARD: {"card": ("thing", word(names.gear_cards, "gear card"))},
        Phase.HALVES: {
            "action": ("thing", FIELD),
            "done": ("marks", bits(word({"main": 0, "bonus": 1}, "half"))),
        },
        Phase.LOOK: {"may_skip": ("stage", FLAG)},
        Phase.CALL_DUEL: {**of_player, "other_asked": ("stage", FLAG)},
        Phase.MONK_THROW: {"monk": ("thing", SPOT)},
        Phase.DICE: dice,
        Phase.REROLL: dice,
        Phase.BREAK: {"cells": ("chosen", WEAPON_MARKS), **offer},
        Phase.LAY_LOSER: of_player,
        Phase.STEAL: of_player,
        Phase.DRAGON_TARGET: {"power": ("thing", word(powers, "power"))},
        Phase.MOVE_OTHER: of_player,
        Phase.CONSENT: {**of_player, **space},
        Phase.DRAGON_FIGHT: {"dragon": ("thing", word(names.dragons, "dragon")), **stage, **asked},
        Phase.DUEL: {**of_player, **stage},
        Phase.ATTACK: stage,
        Phase.AFTER_ROLL: stage,
        Phase.DRAGON_ATTACK: {**stage, **asked},
        Phase.MEND: stage,
        Phase.GUNBAI: {"roller": ("thing", number(0, PLAYERS)), **asked},
        Phase.SMOKE: asked,
        Phase.BANNER: asked,
        Phase.ERUPTION: {**asked, "paid": ("stage", FLAG)},
    }


MONK_SOURCES: Final = {"map": 0, "supply": 1, "pack": 2}
MONK_FIELDS: Final[tuple[Fields, ...]] = ({"space": ("at", SPACE)}, {}, {"other": ("at", SEAT)})  # by source


def _shown(record: Any, fields: Fields) -> dict[str, Any]:
    """The fields of a record that are not nothing."""
    found = {}
    for name, (field, kind) in fields.items():
        code = record[field].tolist()
        if code == kind.nothing or (kind.nothing == [] and not any(code)):
            continue
        found[name] = kind.show(code)
    return found


# --- writing --------------------------------------------------------------------------------------------------------


def position_of(game: Game) -> dict[str, Any]:
    """The position as plain data, ready for JSON."""
    s, names = game.state, Names(game.rules.pack)
    whole = {
        "version": VERSION,
        "rules": _rules_of(game.rules),
        "viewer": game._viewer,
        "round": int(s.round_number),
        "first_player": int(s.first_player),
        "active": int(s.active),
        **_shown(s, TURN_FIELDS),
        "over": Reason(int(s.reason)).name.lower() if s.reason else None,
        "final": _final_of(s),
        "places": _places_of(s, names),
        "spaces": _spaces_of(s, names),
        "dragons": _dragons_of(s, names),
        "players": [_player_of(game, p, names) for p in range(game.rules.players)],
        "gear_cards": _cards_in_play(s.gear_cards, names.gear_cards),
        "blueprints": _cards_in_play(s.blueprints, names.blueprints),
        "temples": [_lying(s.blueprints, names.blueprints, Where.TEMPLE + k) for k in range(TEMPLES)],
        "scrolls": _scrolls_of(s, names),
        "gone": _gone_of(s, names),
        "tops": _tops_of(s, names),
        "asked": [_frame_of(s, s.stack[k], names) for k in range(int(s.depth))],
        "path": [SPACE.show(space) for space in s.path[: int(s.path_length)]],
        "fight": _fight_of(s, names),
        "streams": {name: _hex_words(s.streams[code]) for name, code in _enum(Stream).items()},
        **_loaded_luck(s, game.rules.pack, names),
    }
    needed = ("places", "temples", "asked")
    return {key: value for key, value in whole.items() if key in needed or value not in (None, [], {})}


def _rules_of(rules: Rules) -> dict[str, Any]:
    settings = {key: getattr(rules, key) for key in RULES_KEYS}
    return {**settings, **rules.options, "content": str(rules.content), "digest": rules.pack.digest}


def _final_of(s: Any) -> dict[str, Any]:
    if not s.final_player:
        return {}
    called = [number for number in _members(s.called)]
    final = {"started_by": int(s.final_player) - 1, "countdown": int(s.countdown), "called": called}
    return {**final, "rope": bool(s.rope)}


def _places_of(s: Any, names: Names) -> dict[str, Any]:
    ids = _inverted(names.tiles)
    laid = [(place, code) for place, code in enumerate(s.tile.tolist()) if code]
    return {PLACE.show(place): {"tile": ids[code], "turn": int(s.tile_turn[place])} for place, code in laid}


def _spaces_of(s: Any, names: Names) -> dict[str, Any]:
    tokens, spaces = _inverted(names.tokens), {}
    columns = [s[name].tolist() for name in ("token", "face_up", "monk", "scroll", "adventure", "terrain")]
    for space, (token, face_up, monk, scroll, adventure, terrain) in enumerate(zip(*columns, strict=True)):
        here: dict[str, Any] = {}
        if token:
            here |= {"resources": tokens[token], "face": "up" if face_up else "down"}
        if monk:
            here["monk"] = True
        if scroll:
            here["scroll"] = COLOUR.show(scroll)
        if adventure:
            here["adventure"] = ADVENTURE_POWERS[adventure - 1]
        if terrain == Terrain.LAVA_TILE:
            here["lava_tile"] = True
        if here:
            spaces[SPACE.show(space)] = here
    return spaces


def _dragons_of(s: Any, names: Names) -> dict[str, Any]:
    found: dict[str, Any] = {}
    for id, code in names.dragons.items():
        dragon = s.dragons[code - 1]
        if int(s.dragons_beaten) >> (code - 1) & 1:
            found[id] = {"beaten": True}
        elif dragon.place:
            damage = {"damage": int(dragon.damage)} if dragon.damage else {}
            found[id] = {"place": PLACE.show(dragon.place - 1), **damage}
    return found


def _player_of(game: Game, p: int, names: Names) -> dict[str, Any]:
    s, me = game.state, game.state.players[p]
    inside = me.outside == Outside.INSIDE
    shown = {
        "colour": COLOUR.show(me.colour) if me.colour else None,
        "space": SPACE.show(me.at) if inside else None,
        "outside": None if inside else Outside(int(me.outside)).name.lower(),
        "left": int(me.left_volcano) or None,
        "unconscious": bool(me.unconscious) or None,
        "vp": int(me.vp),
        "discs": DISC_COUNTS.show([me.pool, *me.fields]),
        "monks": [SPOT.show(spot) for spot, n in enumerate(me.monks) if n],
        "pack": PACK_COUNTS.show([*me.pack, me.pack_monks]),
        "scrolls": _owned_scrolls(me, names),
        "gear": {name: _gear_rows(me, gear) for gear, name in enumerate(GEAR) if any(me.gear[gear].cubes)},
        "magic": [MAGIC_WORDS[gear, int(me.gear[gear].magic)] for gear in Gear if me.gear[gear].magic],
        "cards": _laid_cards(s, p, names),
        "weapon_card": "look" if me.looks else None,
        "blueprints": _lying(s.blueprints, names.blueprints, Where.OWNED + p),
        "adventures": ADVENTURE_COUNTS.show(me.adventures),
        "claims": CLAIM_COUNTS.show(me.claimed),
    }
    return {key: value for key, value in shown.items() if value not in (None, [], {})}


DISC_COUNTS: Final = counts(("pool", *_enum(Disc)), FIRST_DISCS + 1)
PACK_COUNTS: Final = counts((*RESOURCES, "monks"), 99)
ADVENTURE_COUNTS: Final = counts(ADVENTURE_POWERS, 99)
CLAIM_COUNTS: Final = counts(PALACE_TRACKS, 99)
COLOUR_COUNTS: Final = counts(COLOURS, 99)
MAGIC_WORDS: Final = {
    (Gear.HELMET, 1): "helmet",
    (Gear.WEAPON, 1): "weapon",
    (Gear.WEAPON, 2): "right weapon",
    (Gear.SANDALS, 1): "sandals",
}


def _owned_scrolls(me: Any, names: Names) -> list[Any]:
    ids = _inverted(names.scrolls)
    pairs = list(zip(me.scrolls.tolist(), me.scroll_colours.tolist(), strict=True))
    shown = [{"card": ids[card], "token": COLOUR.show(colour)} if card else None for card, colour in pairs]
    while shown and shown[-1] is None:
        shown.pop()
    return shown


def _gear_rows(me: Any, gear: int) -> list[str]:
    return _show_rows([int(cells) for cells in me.gear[gear].cubes], gear, CUBE_LETTERS, _open_cells(me, gear))


def _open_cells(me: Any, gear: int) -> int:
    """CRAFT-6, WEAP-3: the right part of the weapon grid needs the weapon monk."""
    if gear == Gear.WEAPON:
        return LEFT_PART | (RIGHT_PART if me.monks[Spot.WEAPON] else 0)
    return HELMET_CELLS if gear == Gear.HELMET else SANDALS_CELLS


def _laid_cards(s: Any, p: int, names: Names) -> dict[str, str]:
    mine = {_gear_of(slot): slot for slot in _slots(s.gear_cards, Where.OWNED + p)}
    laid = {FIELD.show(field): code - 1 for field, code in enumerate(s.players[p].card_on.tolist()) if code}
    ids = _inverted(names.gear_cards)
    return {field: ids[int(s.gear_cards[mine[gear]].card)] for field, gear in laid.items()}


def _gear_of(slot: int) -> int:
    return slot // CARD_SLOTS


def _slots(cards: Any, where: int) -> list[int]:
    """Slots of the cards that lie there."""
    return [slot for slot in range(len(GEAR) * CARD_SLOTS) if cards[slot].card and cards[slot].where == where]


def _lying(cards: Any, codes: dict[str, int], where: int) -> list[str]:
    ids = _inverted(codes)
    return [ids[int(cards[slot].card)] for slot in _slots(cards, where)]


def _cards_in_play(cards: Any, codes: dict[str, int]) -> list[str]:
    ids = _inverted(codes)
    return [ids[int(cards[slot].card)] for slot in range(len(GEAR) * CARD_SLOTS) if cards[slot].card]


def _scrolls_of(s: Any, names: Names) -> dict[str, Any]:
    ids = _inverted(names.scrolls)
    display = [ids.get(card) for card in s.scroll_display.tolist()]
    discards = [ids[card + 1] for card in _members(s.scroll_discards)]
    return {"display": display, **({"discards": discards} if discards else {})}


def _gone_of(s: Any, names: Names) -> dict[str, Any]:
    """What has left the game; lost blueprints are in play, but lie nowhere."""
    hexes, tiles = _inverted(names.decks["hexes"]), []
    for level in LEVELS:
        ids = _inverted(names.decks[f"tiles{level}"])
        tiles += [ids[tile + 1] for tile in _members(s.tiles_gone[level - 1])]
    gone = {
        "tiles": tiles,
        "hexes": [hexes[token + 1] for token in _members(s.hexes_gone)],
        "adventures": ADVENTURE_COUNTS.show(s.adventures_gone),
        "scroll_tokens": COLOUR_COUNTS.show(s.scroll_tokens_gone),
    }
    return {key: value for key, value in gone.items() if value}


def _tops_of(s: Any, names: Names) -> dict[str, Any]:
    tops = {}
    for level in LEVELS:
        top, seen = int(s.top[level - 1]), _members(s.top_seen[level - 1])
        if seen:
            tops[str(level)] = {"tile": _inverted(names.decks[f"tiles{level}"]).get(top), "seen_by": seen}
    return tops


def _frame_of(s: Any, frame: Any, names: Names) -> dict[str, Any]:
    phase = Phase(int(frame.phase))
    whose = {} if phase in NOBODYS else {"player": int(frame.actor)}
    shown = _shown(frame, _fields_of(phase, int(frame.stage), int(frame.thing), names))
    if phase == Phase.PLACE_CARD:  # the frame keeps its slot
        shown = {"card": _inverted(names.gear_cards)[int(s.gear_cards[int(frame.thing)].card)]}
    return {"phase": phase.name, **whose, **shown}


def _fields_of(phase: Phase, stage: int, thing: int, names: Names) -> Fields:
    """A monk that is stolen comes from a player, others from a space; a craft keeps the layout of its own gear."""
    fields = names.frame_fields.get(phase, {})
    if phase == Phase.MONK_SPOT:
        return {**fields, **MONK_FIELDS[stage]}
    if phase == Phase.CRAFT_LAY:
        return {**fields, "before": ("cubes", layout(thing))}
    return fields


def _fight_of(s: Any, names: Names) -> dict[str, Any]:
    if not any(s.fight.fighters[p].inside or s.fight.fighters[p].initiative for p in range(PLAYERS)):
        if not s.fight.dragon and not s.fight.order[0]:
            return {}
    fighters = [_shown(s.fight.fighters[p], FIGHTER_FIELDS) for p in range(int(s.settings.players))]
    return {**_shown(s.fight, names.fight_fields), "fighters": fighters}


def _hex_words(words: Any) -> str:
    return " ".join(f"{int(value):08x}" for value in words)


def _loaded_luck(s: Any, pack: Pack, names: Names) -> dict[str, Any]:
    dice = [_die_name(code, pack) for code in s.loaded_dice.tolist() if code]
    draws = {}
    for deck, code in _enum(Deck).items():
        ids = _inverted(names.decks[deck])
        if drawn := [ids[member] for member in s.loaded_draws[code].tolist() if member]:
            draws[deck] = drawn
    return {"loaded_dice": dice, "loaded_draws": draws}


def _die_name(code: int, pack: Pack) -> str:
    kind, face = divmod(code - 1, 8)
    shown = pack.dice[kind].faces[face]
    return f"{DICE_LETTERS[kind]}{shown.hits}{'*' if shown.breaks else ''}"
