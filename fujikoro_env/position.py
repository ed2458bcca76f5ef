"""Positions as JSON that a person can read, write and edit: docs/positions.md describes the form.

Whatever can be worked out is left out: the supply, stacks and decks are what the content pack has and the position does
not show elsewhere. Reading checks a position against the rules and collects all its faults; `Kind` is how one value is
written and read, and tables of kinds describe the records, so that both directions come from the same lines.
"""

import json
import reprlib
from collections import Counter
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass
from functools import cache
from typing import Any, Final

import numpy as np

from fujikoro_env.content import Pack
from fujikoro_env.content.model import (
    ADVENTURE_POWERS,
    COLOURS,
    FOOT_SPOTS,
    GEAR,
    LEVELS,
    MAX_CARDS_PER_TYPE,
    MAX_PRINTED,
    MAX_TILES_PER_LEVEL,
    MAX_TOKENS_PER_SHAPE,
    PALACE_TRACKS,
    RESOURCES,
    SCROLL_POWERS,
    SUPPLY,
    TOKEN_SHAPES,
    Card,
    TileSpace,
)
from fujikoro_env.game import DICE_LETTERS, SEED_BITS, Game
from fujikoro_env.rules import actions as act
from fujikoro_env.rules.engine import ONLY_LEGAL
from fujikoro_env.rules.gearcells import HELMET_CELLS, LEFT_PART, RIGHT_PART, SANDALS_CELLS
from fujikoro_env.rules.geometry import FIRST_BRIDGE, FIRST_TEMPLE, FIRST_TILE_SPACE, PLACES, START, TEMPLES, geometry
from fujikoro_env.rules.hidden import deal_hidden
from fujikoro_env.rules.names import (
    Adventure,
    Cube,
    Deck,
    Disc,
    Fault,
    Gear,
    Outside,
    Reason,
    ScrollPower,
    Spot,
    Stream,
    Supply,
    Terrain,
    Where,
)
from fujikoro_env.rules.phases import FIRST_AUTOMATIC, Phase
from fujikoro_env.rules.records import zeros
from fujikoro_env.rules.state import (
    CARD_SLOTS,
    DRAGONS_TURN,
    FRAMES,
    GEAR_HEIGHT,
    GEAR_WIDTH,
    LOADED_DICE,
    LOADED_DRAWS,
    PATH,
    PLAYERS,
    SCROLL_DISPLAY,
    SCROLL_SLOTS,
    State,
)
from fujikoro_env.rules.tables import cards_of_type, tiles_of_level
from fujikoro_env.settings import OPTIONS, Rules, RulesError, is_whole_number, pack_and_tables

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


class UnfitError(Exception):
    """Why a value can't be read."""


@dataclass(frozen=True)
class Kind:
    """How a code of the record is shown, and read back; `nothing` is the code that is left out, if any is."""

    show: Callable[[Any], Any]
    read: Callable[[Any], Any]
    nothing: Any = None


def _whole(value: Any, low: int, high: int) -> int:
    if not is_whole_number(value) or not low <= value <= high:
        raise UnfitError(f"{_short(value)} is not a whole number from {low} to {high}")
    return int(value)


def _listed(value: Any) -> list[Any]:
    if not isinstance(value, list):
        raise UnfitError(f"{_short(value)} is not a list")
    return value


def _mapped(value: Any) -> dict[str, Any]:
    if not isinstance(value, dict):
        raise UnfitError(f"{_short(value)} is not an object")
    return value


def number(low: int, high: int) -> Kind:
    return Kind(int, lambda value: _whole(value, low, high), nothing=0)


def _read_flag(value: Any) -> int:
    if not isinstance(value, bool):
        raise UnfitError(f"{_short(value)} is not true or false")
    return int(value)


FLAG = Kind(bool, _read_flag, nothing=0)


def word(codes: dict[str, int], what: str = "name") -> Kind:
    """One of some names. A code 0 among them means something, so it is not left out."""
    names = {code: name for name, code in codes.items()}

    def read(value: Any) -> int:
        if not isinstance(value, str) or value not in codes:
            known = list(codes)
            allowed = ", ".join(known[:12]) + (", ..." if len(known) > 12 else "")
            raise UnfitError(f"{_short(value)} is no {what}: there are {allowed or 'none'}")
        return codes[value]

    return Kind(lambda code: names[int(code)], read, nothing=None if 0 in names else 0)


def series(of: Kind, most: int) -> Kind:
    """A list of things."""

    def read(value: Any) -> list[Any]:
        items = [of.read(item) for item in _listed(value)]
        if len(items) > most:
            raise UnfitError(f"{len(items)} things, there is room for {most}")
        return items

    return Kind(lambda codes: [of.show(code) for code in codes], read, nothing=[])


def bits(of: Kind) -> Kind:
    """A set, kept as bits: a list of different things."""

    def read(value: Any) -> int:
        codes = [of.read(item) for item in _listed(value)]
        if len(set(codes)) < len(codes):
            raise UnfitError(f"{_short(value)} names something twice")
        return sum(1 << code for code in codes)

    return Kind(lambda members: [of.show(k) for k in _members(members)], read, nothing=0)


def counts(names: tuple[str, ...], most: int) -> Kind:
    """How many of each: an object."""

    def read(value: Any) -> list[int]:
        given = _mapped(value)
        if unknown := [name for name in given if name not in names]:
            raise UnfitError(f"{_short(unknown[0])} is not one of {', '.join(names)}")
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
            raise UnfitError(f"{_short(line)} is no row of the letters {', '.join(letters)} and {EMPTY}")
        for column, letter in enumerate(line):
            if letter != EMPTY:
                if row >= GEAR_HEIGHT[gear] or column >= GEAR_WIDTH[gear]:
                    raise UnfitError(f"row {row}, column {column} is outside the grid of the {GEAR[gear]} (CRAFT-6)")
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
BOARD_SPOT = word(_enum(spot for spot in Spot if spot != Spot.CARRIED), "monk spot")
COLOUR = word(_numbered(COLOURS, 1), "colour")
ADVENTURE = word(_numbered(ADVENTURE_POWERS, 1), "adventure token")
FACE = word({"down": 0, "up": 1}, "face")
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
        raise UnfitError(f"{len(value)} things, there is room for {most}")
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
        self.tile = word(self.tiles, "tile")
        self.token = word(self.tokens, "resource token")
        self.dragon = word(self.dragons, "dragon")
        self.scroll = word(self.scrolls, "scroll")
        self.gear_card = word(self.gear_cards, "gear card")
        self.blueprint = word(self.blueprints, "blueprint")
        self.frame_fields = _frame_fields(self)
        self.fight_fields = {
            "dragon": ("dragon", self.dragon),
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


@cache
def _names(content: str) -> Names:
    return Names(pack_and_tables(content)[0])


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
    "came_from": ("came_from", Kind(SPACE.show, SPACE.read, nothing=START)),
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
        Phase.EXPLORE_TURN: {**place, "tile": ("thing", names.tile)},
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
        Phase.SCROLL_SLOT: {"card": ("thing", names.scroll), "token": ("marks", COLOUR)},
        Phase.REST: {"crafted": ("chosen", bits(GEAR_WORD)), "by_token": ("stage", FLAG)},
        Phase.CRAFT_WAY: gear,
        Phase.CRAFT_LAY: {**gear, **offer},
        Phase.WASTE: {**gear, **offer},
        Phase.PLACE_CARD: {"card": ("thing", names.gear_card)},
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
        Phase.DRAGON_FIGHT: {"dragon": ("thing", names.dragon), **stage, **asked},
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
    s, names = game.state, _names(str(game.rules.content))
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
    final = {"started_by": int(s.final_player) - 1, "countdown": int(s.countdown)}
    return {**final, "called": _members(s.called), "rope": bool(s.rope)}


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
    lying = zip(cards["card"].tolist(), cards["where"].tolist(), strict=True)
    return [slot for slot, (card, place) in enumerate(lying) if card and place == where]


def _lying(cards: Any, codes: dict[str, int], where: int) -> list[str]:
    ids = _inverted(codes)
    return [ids[int(cards[slot].card)] for slot in _slots(cards, where)]


def _cards_in_play(cards: Any, codes: dict[str, int]) -> list[str]:
    ids = _inverted(codes)
    return [ids[card] for card in cards["card"].tolist() if card]


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
    if phase == Phase.PLACE_CARD:  # the frame keeps its slot
        shown = {"card": _inverted(names.gear_cards)[int(s.gear_cards[int(frame.thing)].card)]}
    else:
        shown = _shown(frame, _fields_of(phase, int(frame.stage), int(frame.thing), names))
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
    if not _is_touched(s.fight):
        return {}
    fighters = [_shown(s.fight.fighters[p], FIGHTER_FIELDS) for p in range(int(s.settings.players))]
    return {**_shown(s.fight, names.fight_fields), "fighters": fighters}


def _is_touched(record: Any) -> bool:
    """Whether anything but zeros is there."""
    return bool(record.tobytes().strip(b"\0"))


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


# --- reading --------------------------------------------------------------------------------------------------------


class _Faults:
    """All that is wrong with a position, a line each."""

    def __init__(self) -> None:
        self.lines: list[str] = []

    def add(self, where: str, what: str, rule: str = "") -> None:
        self.lines.append(f"{where}: {what}" + (f" ({rule})" if rule else ""))

    def stop(self) -> None:
        """What follows could not be understood with the faults so far."""
        if self.lines:
            raise PositionError(self.lines)


class _Part:
    """An object of the JSON. Whatever is asked of it, it gives something fit, and notes a fault if it was not there."""

    def __init__(self, value: Any, where: str, faults: _Faults) -> None:
        self.where, self.faults = where, faults
        if not isinstance(value, dict):
            faults.add(where or "position", f"{_short(value)} is not an object")
            value = {}
        self.fields: dict[str, Any] = value

    def at(self, key: str) -> str:
        return f"{self.where}.{key}" if self.where else key

    def fault(self, key: str, what: str, rule: str = "") -> None:
        self.faults.add(self.at(key), what, rule)

    def only(self, *known: str) -> None:
        for key in self.fields:
            if key not in known:
                self.fault(key, f"unknown key; there are {', '.join(known)}")

    def get(self, key: str, kind: Kind, default: Any = None) -> Any:
        """The code of a value; without a default it must be there, unless its kind has a code for nothing."""
        fallback = kind.nothing if default is None else default
        if key not in self.fields:
            if fallback is None:
                self.fault(key, "is missing")
            return fallback
        try:
            return kind.read(self.fields[key])
        except UnfitError as error:
            self.fault(key, str(error))
            return fallback

    def part(self, key: str) -> "_Part":
        return _Part(self.fields.get(key, {}), self.at(key), self.faults)

    def parts(self, key: str) -> list["_Part"]:
        values = self.fields.get(key, [])
        if not isinstance(values, list):
            self.fault(key, f"{_short(values)} is not a list")
            return []
        return [_Part(value, f"{self.at(key)}[{k}]", self.faults) for k, value in enumerate(values)]

    def named(self, key: str, kind: Kind) -> Iterator[tuple[int, "_Part"]]:
        """The objects of an object whose keys are names."""
        inner = self.part(key)
        for name, value in inner.fields.items():
            try:
                code = kind.read(name)
            except UnfitError as error:
                inner.fault(name, str(error))
                continue
            yield code, _Part(value, name if kind in (SPACE, PLACE) else inner.at(name), self.faults)


TOP_KEYS: Final = (
    *("version", "rules", "viewer", *TURN_FIELDS, "over", "final", "places", "spaces", "dragons", "players"),
    *("gear_cards", "blueprints", "temples", "scrolls", "gone", "tops", "asked", "path", "fight"),
    *("streams", "seed", "loaded_dice", "loaded_draws"),
)
PLAYER_KEYS: Final = (
    *("colour", "space", "outside", "left", "unconscious", "vp", "discs", "monks", "pack", "scrolls", "gear", "magic"),
    *("cards", "weapon_card", "blueprints", "adventures", "claims"),
)
OUTSIDE: Final = word({"palace": int(Outside.PALACE), "foot": int(Outside.FOOT)}, "way out")
OVER: Final = word({reason.name.lower(): int(reason) for reason in Reason if reason}, "end of a game")
PHASES: Final = {phase.name: int(phase) for phase in Phase if phase}
HOLDS_CUBES: Final = (Phase.CRAFT_LAY, Phase.WASTE)


class _Reader:
    """Turns the JSON into a record, then has it judged."""

    def __init__(self, value: Any, content: str | None) -> None:
        self.faults = _Faults()
        self.top = _Part(value, "", self.faults)
        self._check_version()
        self.faults.stop()
        self.rules = self._read_rules(content)
        self.games = zeros(State, 1)
        self.s = self.games[0]
        self.names, self.n = _names(str(self.rules.content)), self.rules.players
        self.places_of_pieces: dict[tuple[str, str], str] = {}
        self.icons: dict[int, TileSpace] = {}  # by space: what is printed there
        self.lying: dict[str, dict[str, int]] = {"gear_cards": {}, "blueprints": {}}

    def game(self) -> Game:
        self._read()
        self.faults.stop()
        _Judge(self.s, self.rules, self.faults, self.icons).judge()
        self.faults.stop()
        game = Game.__new__(Game)
        game.rules = self.rules
        game._hold(self.games, np.zeros((1, act.WORDS), np.uint32), self.rules.tables)
        game._viewer = self.viewer
        game._luck_is_loaded = bool(self.s.loaded_dice[0] != 0 or self.s.loaded_draws[:, 0].any())
        fault = game._run(ONLY_LEGAL)
        if fault != Fault.NONE or (not game.over and not game.legal_actions().size):
            raise PositionError([f"asked: {game.phase.name} does not fit: nothing can be answered"])
        return game

    def _check_version(self) -> None:
        version = self.top.fields.get("version")
        if version != VERSION or isinstance(version, bool):
            self.faults.add("version", f"{_short(version)} is not known; this is version {VERSION} of the form")

    def _read_rules(self, content: str | None) -> Rules:
        part = self.top.part("rules")
        settings = dict(part.fields)
        digest, named = settings.pop("digest", None), settings.pop("content", "base")
        people = self.top.fields.get("players")
        if isinstance(people, list):
            settings.setdefault("players", len(people))
        known = (*RULES_KEYS, *OPTIONS, "content", "digest")
        part.only(*known)
        if not isinstance(named, str) or not named:
            part.fault("content", f"{_short(named)} is no name of a content pack")
        self.faults.stop()
        try:
            rules = Rules(content=content or named, **settings)
        except (RulesError, ValueError, OSError) as error:
            part.faults.add("rules", str(error))
            self.faults.stop()
        if digest is not None and digest != rules.pack.digest:
            part.fault("digest", f"content {rules.content} is {rules.pack.digest}, not {_short(digest)}")
        if isinstance(people, list) and len(people) != rules.players:
            self.faults.add("players", f"{len(people)} of them in a game of {rules.players}", "SETUP-1")
        self.faults.stop()
        return rules

    def _read(self) -> None:
        s, top = self.s, self.top
        top.only(*TOP_KEYS)
        self.rules.write_settings(s.settings)
        self.viewer = top.fields.get("viewer")
        if self.viewer is not None:
            self.viewer = top.get("viewer", number(0, self.n - 1))
        self._read_streams()
        s.round_number = top.get("round", number(1, self.rules.max_rounds), 1)
        s.first_player = top.get("first_player", number(0, self.n - 1))
        s.active = top.get("active", number(0, self.n - 1), int(s.first_player))
        s.stock_taken = top.get("stock_taken", FLAG)
        s.used_powers = top.get("used_powers", TURN_FIELDS["used_powers"][1])
        s.reason = top.get("over", OVER, 0)
        self._read_final()
        self._read_map()
        self._read_dragons()
        self._read_players()
        self._read_frames()
        self._read_gear_cards()
        self._read_blueprints()
        self._read_scrolls()
        self._read_gone()
        self._read_tops()
        self._read_path()
        self._read_fight()
        self._read_loaded_luck()
        self._work_out_the_rest()

    def _take(self, kind: str, id: str, where: str) -> None:
        """A piece that there is once."""
        first = self.places_of_pieces.setdefault((kind, id), where)
        if first != where:
            self.faults.add(where, f"the {kind} {id} is also at {first}", "SETUP-10")

    # luck

    def _read_streams(self) -> None:
        seed = self.top.get("seed", number(0, (1 << SEED_BITS) - 1))
        deal_hidden(self.games, 0, 0, seed)  # nothing is dealt yet, so this seeds the streams and does no more
        part = self.top.part("streams")
        part.only(*_enum(Stream))
        for name, code in _enum(Stream).items():
            if name in part.fields:
                self.s.streams[code] = part.get(name, HEX_WORDS)

    def _read_loaded_luck(self) -> None:
        dice = {_die_name(code, self.rules.pack): code for code in _die_codes(self.rules.pack)}
        loaded = self.top.get("loaded_dice", series(word(dice, "face of a die"), LOADED_DICE))
        self.s.loaded_dice[: len(loaded)] = loaded
        part = self.top.part("loaded_draws")
        part.only(*_enum(Deck))
        for deck, code in _enum(Deck).items():
            drawn = part.get(deck, series(word(self.names.decks[deck], "member of the deck"), LOADED_DRAWS))
            self.s.loaded_draws[code, : len(drawn)] = drawn

    # the final chapter

    def _read_final(self) -> None:
        if "final" not in self.top.fields:
            return
        s, part, calls = self.s, self.top.part("final"), self.rules.pack.countdown
        part.only("started_by", "countdown", "called", "rope")
        s.final_player = part.get("started_by", Kind(int, number(0, self.n - 1).read), 0) + 1
        s.countdown = part.get("countdown", number(0, len(calls) - (0 if s.reason else 1)))
        entered = calls[: int(s.countdown)]
        called = sum(1 << int(call[-1]) for call in entered if call.startswith("lava"))
        s.called = part.get("called", bits(Kind(int, number(1, 4).read)), called)
        s.rope = part.get("rope", FLAG, int("rope" in entered))
        if s.called != called or bool(s.rope) != ("rope" in entered):
            part.fault("countdown", f"after {len(entered)} spaces these are called: {', '.join(entered)}", "FINAL-3")

    # the map

    def _read_map(self) -> None:
        s = self.s
        s.terrain[START] = Terrain.GROUND
        s.terrain[FIRST_BRIDGE:] = Terrain.GROUND
        for place, part in self.top.named("places", PLACE):
            self._read_place(place, part)
        for space, part in self.top.named("spaces", SPACE):
            self._read_space(space, part)

    def _read_place(self, place: int, part: _Part) -> None:
        part.only("tile", "turn")
        code, turn = part.get("tile", self.names.tile), part.get("turn", number(0, 5))
        if not code:
            return part.fault("tile", "is missing") if "tile" not in part.fields else None
        level, index = divmod(code - 1, MAX_TILES_PER_LEVEL)
        tile, ring = tiles_of_level(self.rules.pack, level + 1)[index], int(geometry().place_ring[place])
        self._take("tile", tile.id, part.where)
        if tile.level != ring:
            part.fault("tile", f"{tile.id} has level {tile.level}, the place is in ring {ring}", "MAP-1")
        self.s.tile[place], self.s.tile_turn[place] = code, turn
        terrain, eruption = self.s.terrain, self.s.eruption
        for cell in range(CELLS_OF_TILE):
            printed = tile.spaces[(cell - 1 - turn) % 6 + 1 if cell else 0]
            space = FIRST_TILE_SPACE + CELLS_OF_TILE * place + cell
            self.icons[space] = printed
            terrain[space] = Terrain.LAVA if printed.lava else Terrain.GROUND
            eruption[space] = printed.eruption
            if printed.item == "exit":
                self.s.secret_exit = space

    def _read_space(self, space: int, part: _Part) -> None:
        part.only("resources", "face", "monk", "scroll", "adventure", "lava_tile")
        if space not in self.icons:
            self.faults.add(part.where, "nothing lies there: it is not on an explored tile", "MAP-10")
            return
        s, icon = self.s, self.icons[space]
        monk, scroll, adventure = part.get("monk", FLAG), part.get("scroll", COLOUR), part.get("adventure", ADVENTURE)
        if monk and icon.item not in ("monk", "hex"):
            part.fault("monk", "the tile shows no monk there", "EXPL-7")
        if scroll and icon.item != f"scroll {COLOURS[scroll - 1]}":
            part.fault("scroll", "the tile shows no scroll of this colour there", "EXPL-5")
        if adventure and (icon.item != "adventure" or not self.rules.adventure_tokens):
            part.fault("adventure", "no adventure token belongs there", "EXPL-7")
        s.monk[space], s.scroll[space], s.adventure[space] = monk, scroll, adventure
        self._read_token(space, part)
        if part.get("lava_tile", FLAG):
            self._lay_lava(space, part)

    def _read_token(self, space: int, part: _Part) -> None:
        code = part.get("resources", self.names.token)
        face = part.get("face", FACE, 1)
        if not code:
            return
        id = _inverted(self.names.tokens)[code]
        token = next(token for token in self.rules.pack.tokens if token.id == id)
        self._take("resource token", id, part.where)
        ring = int(geometry().place_ring[geometry().place_of[space]])
        fits = self.icons[space].item == token.shape and token.level == ring and not token.monk
        if not fits or (token.shape == "hex" and self.n < CROWDED):
            part.fault("resources", f"{id} does not belong there", "EXPL-3" if token.shape == "square" else "EXPL-4")
        self.s.token[space], self.s.face_up[space] = code, face

    def _lay_lava(self, space: int, part: _Part) -> None:
        s = self.s
        if s.terrain[space] != Terrain.GROUND or not int(s.called) >> int(s.eruption[space]) & 1:
            part.fault("lava_tile", "its eruption number was not called", "FINAL-3")
        s.terrain[space] = Terrain.LAVA_TILE

    def _read_dragons(self) -> None:
        for code, part in self.top.named("dragons", self.names.dragon):
            part.only("place", "damage", "beaten")
            if part.get("beaten", FLAG):
                self.s.dragons_beaten |= 1 << (code - 1)
                if "place" in part.fields or "damage" in part.fields:
                    part.fault("beaten", "a beaten dragon is nowhere", "DRAG-6")
            else:
                self._place_dragon(code, part)

    def _place_dragon(self, code: int, part: _Part) -> None:
        s, place, printed = self.s, part.get("place", PLACE), self.rules.pack.dragons[code - 1]
        if place is None:
            return
        if s.dragon_at[place]:
            part.fault("place", "two dragons on a tile", "MAP-8")
            return
        items = [self.icons[space].item for space in _spaces_of_place(place) if space in self.icons]
        if f"dragon {printed.colour}" not in items:
            part.fault("place", f"no tile with a {printed.colour} dragon lies there", "EXPL-6")
        health = printed.health[1 if self.n == 2 else 0]  # DRAG-8
        damage = part.get("damage", number(0, MAX_PRINTED))
        if damage >= health:
            part.fault("damage", f"{damage} of {health} health: 1 must be left", "DRAG-9")
        s.dragons[code - 1].place, s.dragons[code - 1].damage = place + 1, damage
        s.dragon_at[place] = code

    # people

    def _read_players(self) -> None:
        parts = self.top.parts("players")
        if len(parts) != self.n:
            self.faults.add("players", "is missing")
        free = [name for name in COLOURS if name not in [part.fields.get("colour") for part in parts]]
        for p, part in enumerate(parts[: self.n]):
            part.only(*PLAYER_KEYS)
            me = self.s.players[p]
            me.colour = part.get("colour", COLOUR, COLOURS.index(free[0]) + 1) if free else part.get("colour", COLOUR)
            if "colour" not in part.fields and free:
                free.pop(0)
            self._read_whereabouts(me, part)
            me.vp = part.get("vp", number(0, MOST_VP))
            self._read_board(me, part)
            self._read_owned_scrolls(me, part)
            self._read_gear(me, part)
            self._read_owned_cards(p, part)
            me.adventures[:] = part.get("adventures", ADVENTURE_COUNTS)
            me.claimed[:] = part.get("claims", CLAIM_COUNTS)

    def _read_whereabouts(self, me: Any, part: _Part) -> None:
        me.outside = part.get("outside", OUTSIDE, 0)
        me.left_volcano = part.get("left", number(0, PLAYERS))
        me.at = part.get("space", SPACE, START)
        me.unconscious = part.get("unconscious", FLAG)
        if me.outside and ("space" in part.fields or me.unconscious):
            part.fault("outside", "who has left the volcano is on no space, and conscious", "ESC-2")

    def _read_board(self, me: Any, part: _Part) -> None:
        spots = part.get("monks", bits(BOARD_SPOT))
        me.monks[:] = [spots >> spot & 1 for spot in range(len(me.monks))]
        discs = part.get("discs", DISC_COUNTS, [FIRST_DISCS + int(me.monks[Spot.POOL]), 0, 0, 0])
        me.pool, me.fields[:] = discs[0], discs[1:]
        pack = part.get("pack", PACK_COUNTS)
        me.pack[:], me.pack_monks = pack[:-1], pack[-1]

    def _read_owned_scrolls(self, me: Any, part: _Part) -> None:
        values = part.fields.get("scrolls", [])
        if not isinstance(values, list) or len(values) > SCROLL_SLOTS:
            part.fault("scrolls", f"{_short(values)} is not a list of at most {SCROLL_SLOTS} cards", "MONK-2")
            return
        for slot, value in enumerate(values):
            if value is None:
                continue
            pair = _Part(value, f"{part.at('scrolls')}[{slot}]", self.faults)
            pair.only("card", "token")
            if ("card" in pair.fields) != ("token" in pair.fields) or not pair.fields:
                self.faults.add(pair.where, "a card and its token go together", "SCROLL-4")
            me.scrolls[slot] = self._scroll_card(pair)
            me.scroll_colours[slot] = pair.get("token", COLOUR)

    def _scroll_card(self, part: _Part) -> int:
        code = int(part.get("card", self.names.scroll))
        if code:
            self._take("scroll card", _inverted(self.names.scrolls)[code], part.where)
        return code

    def _read_gear(self, me: Any, part: _Part) -> None:
        grids = part.part("gear")
        grids.only(*GEAR)
        for gear, name in enumerate(GEAR):
            me.gear[gear].cubes[:] = grids.get(name, layout(gear))
        magic = part.get("magic", series(word(_numbered(MAGIC_WORDS.values()), "gear that can be magic"), len(GEAR)))
        for gear, where in (list(MAGIC_WORDS)[code] for code in magic):
            if me.gear[gear].magic:
                part.fault("magic", f"two magic cubes on the {GEAR[gear]}", "MAGIC-7")
            me.gear[gear].magic = where

    def _read_owned_cards(self, p: int, part: _Part) -> None:
        cards = part.part("cards")
        cards.only(*_enum(Disc))
        for field, name in enumerate(_enum(Disc)):
            code = cards.get(name, self.names.gear_card)
            if code:
                self.s.players[p].card_on[field] = (code - 1) // MAX_CARDS_PER_TYPE + 1
                self._own("gear_cards", code, p, cards.at(name))
        self.s.players[p].looks = part.get("weapon_card", word({"score": 0, "look": 1}, "bonus"), 0)
        for code in part.get("blueprints", series(self.names.blueprint, len(GEAR) * CARD_SLOTS)):
            self._own("blueprints", code, p, part.at("blueprints"))

    def _own(self, family: str, code: int, p: int, where: str) -> None:
        id = _inverted(getattr(self.names, family))[code]
        self._lie(family, id, Where.OWNED + p, where)

    def _lie(self, family: str, id: str, place: int, where: str) -> None:
        if id in self.lying[family]:
            self.faults.add(where, f"the card {id} lies at two places", "SETUP-10")
        self.lying[family][id] = place

    # cards

    def _read_gear_cards(self) -> None:
        """Those that nobody has are in the display."""
        for id, slot in self._deal("gear_cards", "SETUP-3").items():
            self.s.gear_cards[slot].where = self.lying["gear_cards"].get(id, Where.DISPLAY)
        for frame in self.s.stack[: int(self.s.depth)]:
            if frame.phase == Phase.PLACE_CARD:  # it keeps the slot, not the card
                codes = [int(card.card) for card in self.s.gear_cards]
                frame.thing = codes.index(int(frame.thing)) if int(frame.thing) in codes else 0

    def _read_blueprints(self) -> None:
        """Those that lie in no temple and that nobody has are lost; without word of the temples they are dealt."""
        temples = self.top.fields.get("temples")
        kind = series(series(self.names.blueprint, len(GEAR) * CARD_SLOTS), TEMPLES)
        ids = _inverted(self.names.blueprints)
        for temple, codes in enumerate(self.top.get("temples", kind)):
            for code in codes:
                self._lie("blueprints", ids[code], Where.TEMPLE + temple, f"temples[{temple}]")
        for dealt, (id, slot) in enumerate(self._deal("blueprints", "SETUP-5").items()):
            left = Where.TEMPLE + dealt % TEMPLES if temples is None else Where.GONE
            self.s.blueprints[slot].where = self.lying["blueprints"].get(id, left)

    def _deal(self, family: str, rule: str) -> dict[str, int]:
        """The cards in play, in their slots: as many of each type as players, by id the slot of each."""
        codes = getattr(self.names, family)
        ids, lying = _inverted(codes), self.lying[family]
        given = self.top.get(family, series(word(codes, "card"), len(GEAR) * CARD_SLOTS))
        order = [ids[code] for code in given] if family in self.top.fields else [*lying, *codes]
        slots: dict[str, int] = {}
        for gear in range(len(GEAR)):
            of_type = [id for id in order if (codes[id] - 1) // MAX_CARDS_PER_TYPE == gear]
            if family not in self.top.fields:
                of_type = list(dict.fromkeys(of_type))[: self.n]
            if len(of_type) != self.n or len(set(of_type)) != self.n:
                self.faults.add(family, f"{self.n} different cards for the {GEAR[gear]} are needed: {of_type}", rule)
            for index, id in enumerate(of_type[: self.n]):
                slots[id] = gear * CARD_SLOTS + index
                getattr(self.s, family)[slots[id]].card = codes[id]
        for id in lying:
            if id not in slots:
                self.faults.add(family, f"{id} lies on the table, but is not in play", rule)
        return slots

    def _read_scrolls(self) -> None:
        part = self.top.part("scrolls")
        part.only("display", "discards")
        codes, ids = self.names.scrolls, _inverted(self.names.scrolls)
        card = Kind(None.__class__, lambda value: 0 if value is None else word(codes, "scroll").read(value))
        for code in part.get("discards", bits_of_cards(codes)):
            self._take("scroll card", ids[code], part.at("discards"))
            self.s.scroll_discards |= 1 << (code - 1)
        free = [code for id, code in codes.items() if ("scroll card", id) not in self.places_of_pieces]
        display = part.get("display", series(card, SCROLL_DISPLAY), free[:SCROLL_DISPLAY])
        for slot, code in enumerate(display):
            self.s.scroll_display[slot] = code
            if code:
                self._take("scroll card", ids[code], f"{part.at('display')}[{slot}]")

    def _read_gone(self) -> None:
        part, s = self.top.part("gone"), self.s
        part.only("tiles", "hexes", "adventures", "scroll_tokens")
        tiles, hexes = _inverted(self.names.tiles), _inverted(self.names.decks["hexes"])
        for code in part.get("tiles", bits_of_cards(self.names.tiles)):
            self._take("tile", tiles[code], part.at("tiles"))
            s.tiles_gone[(code - 1) // MAX_TILES_PER_LEVEL] |= 1 << (code - 1) % MAX_TILES_PER_LEVEL
        monks = {token.id for token in self.rules.pack.tokens if token.monk}
        for code in part.get("hexes", bits_of_cards(self.names.decks["hexes"])):
            self._take("resource token", hexes[code], part.at("hexes"))
            s.hexes_gone |= 1 << (code - 1)
            if hexes[code] not in monks:
                part.fault("hexes", f"{hexes[code]} shows no monk", "EXPL-4")
        s.adventures_gone[:] = part.get("adventures", ADVENTURE_COUNTS)
        s.scroll_tokens_gone[:] = part.get("scroll_tokens", COLOUR_COUNTS)

    def _read_tops(self) -> None:
        for level, part in self.top.named("tops", word({str(level): level for level in LEVELS}, "level")):
            part.only("tile", "seen_by")
            seen = part.get("seen_by", bits(Kind(int, number(0, self.n - 1).read)))
            unknown = part.fields.get("tile", "") is None
            tile = 0 if unknown else part.get("tile", word(self.names.decks[f"tiles{level}"], "tile of this level"))
            if unknown and (self.viewer is None or seen >> self.viewer & 1):
                part.fault("tile", "whoever looked knows the tile", "GEAR-5")
            if not seen or (not tile and not unknown):
                part.fault("seen_by", "a known tile, and somebody who has seen it, are needed", "GEAR-5")
            self.s.top[level - 1], self.s.top_seen[level - 1] = tile, seen

    # what is asked

    def _read_frames(self) -> None:
        s = self.s
        usual = [{"phase": "TURN", "stage": 2}, {"phase": "ACTION", "player": int(s.active)}]
        parts = self.top.parts("asked") if "asked" in self.top.fields else self._usual_frames(usual)
        if not 1 <= len(parts) <= FRAMES - 4:
            self.faults.add("asked", f"{len(parts)} frames: from 1 to {FRAMES - 4} are possible")
            return
        s.depth = len(parts)
        for frame, part in zip(s.stack, parts, strict=False):
            self._read_frame(frame, part)

    def _usual_frames(self, frames: list[dict[str, Any]]) -> list[_Part]:
        """Without word of what is asked, it is the active player's first action."""
        return [_Part(frame, f"asked[{k}]", self.faults) for k, frame in enumerate(frames)]

    def _read_frame(self, frame: Any, part: _Part) -> None:
        code = part.get("phase", word(PHASES, "phase"))
        if not code:
            if "phase" not in part.fields:
                part.fault("phase", "is missing")
            return
        phase = Phase(code)
        frame.phase = code
        if phase not in NOBODYS:
            frame.actor = part.get("player", Kind(int, number(0, self.n - 1).read), None) or 0
        keys = ["phase"] if phase in NOBODYS else ["phase", "player"]
        fields = self.names.frame_fields.get(phase, {})
        self._fill(frame, part, fields, NEEDED)
        more = _fields_of(phase, int(frame.stage), int(frame.thing), self.names)
        self._fill(frame, part, {name: field for name, field in more.items() if name not in fields})
        part.only(*keys, *more)
        if phase == Phase.SCROLL_SLOT and frame.thing:
            self._take("scroll card", _inverted(self.names.scrolls)[int(frame.thing)], part.where)
        if phase == Phase.EXPLORE_TURN and frame.thing:
            self._take("tile", _inverted(self.names.tiles)[int(frame.thing)], part.where)
        if phase == Phase.PLACE_CARD and frame.thing:
            self._own("gear_cards", int(frame.thing), int(frame.actor), part.at("card"))

    def _fill(self, record: Any, part: _Part, fields: Fields, needed: tuple[str, ...] = ()) -> None:
        for name, (field, kind) in fields.items():
            code = part.get(name, kind)
            if isinstance(code, list):
                record[field][: len(code)] = code
            elif code is not None:
                if (kind is SEAT or kind is PLAYER) and code >= self.n:
                    part.fault(name, f"there is no player {code}", "SETUP-1")
                if name in needed and name not in part.fields:
                    part.fault(name, "is missing")
                record[field] = code

    def _read_path(self) -> None:
        path = self.top.get("path", series(SPACE, PATH))
        self.s.path[: len(path)] = path
        self.s.path_length = len(path)

    def _read_fight(self) -> None:
        if "fight" not in self.top.fields:
            return
        part, fight = self.top.part("fight"), self.s.fight
        part.only(*self.names.fight_fields, "fighters")
        self._fill(fight, part, self.names.fight_fields)
        fighters = part.parts("fighters")
        if len(fighters) != self.n:
            part.fault("fighters", f"one entry is needed for each of the {self.n} players")
        for fighter, inner in zip(fight.fighters, fighters, strict=False):
            inner.only(*FIGHTER_FIELDS)
            for name, (field, kind) in FIGHTER_FIELDS.items():
                fighter[field] = inner.get(name, kind, 0)

    # what can be worked out

    def _work_out_the_rest(self) -> None:
        self._work_out_turn()
        self._work_out_claims()
        self._work_out_supply()
        self._work_out_stacks()

    def _work_out_turn(self) -> None:
        s = self.s
        s.escaped = sum(bool(s.players[p].outside) for p in range(self.n))
        fighting = np.isin(s.stack["phase"], (Phase.DRAGON_FIGHT, Phase.DUEL)).any()
        s.turn_over = fighting and bool(s.players[int(s.active)].unconscious)

    def _work_out_claims(self) -> None:
        """SHOG-2, SHOG-3: which values are taken follows from who has claimed what, and where."""
        s, people = self.s, [self.s.players[p] for p in range(self.n)]
        for track, name in enumerate(PALACE_TRACKS):
            taken = sum(int(me.claimed[track]) for me in people if me.outside == Outside.PALACE)
            s.palace[track] = min(taken, len(self.rules.pack.palace[name]) - 1)
            at_foot = sum(int(me.claimed[track]) for me in people if me.outside == Outside.FOOT)
            if at_foot > (name in FOOT_SPOTS):
                self.faults.add("players", f"{at_foot} claims of {name} at the foot of the mountain", "SHOG-3")
            elif name in FOOT_SPOTS:
                s.foot[track] = at_foot

    def _work_out_supply(self) -> None:
        s, people, used = self.s, self.s.players[: self.n], [0] * len(SUPPLY)
        holding = np.isin(s.stack["phase"], HOLDS_CUBES)
        for kind in range(len(RESOURCES)):
            on_gear = int(np.bitwise_count(people["gear"]["cubes"][:, :, kind]).sum())
            in_hand = int(s.stack["offer"][holding, kind].sum())
            used[kind] = on_gear + in_hand + int(people["pack"][:, kind].sum())
        used[Supply.MAGIC] = int(np.count_nonzero(people["gear"]["magic"]))
        on_boards = int(people["monks"].sum() + people["pack_monks"].sum())
        used[Supply.MONK] = on_boards + int(np.count_nonzero(s.monk))
        used[Supply.LAVA] = int(np.count_nonzero(s.terrain == Terrain.LAVA_TILE))
        used[Supply.DAMAGE] = int(s.dragons["damage"].sum())
        for piece, name in enumerate(SUPPLY):
            s.supply[piece] = self._rest(name, self.rules.pack.supply[name], used[piece])

    def _rest(self, name: str, all_pieces: int, used: int) -> int:
        if used > all_pieces:
            self.faults.add("position", f"{used} pieces of {name}, there are {all_pieces}", "SETUP-10")
        return max(0, all_pieces - used)

    def _work_out_stacks(self) -> None:
        s, names = self.s, self.names
        left = {kind: {id for id in ids if (kind, id) not in self.places_of_pieces} for kind, ids in self._unique()}
        for level in LEVELS:
            s.tiles_left[level - 1] = _bits_of(names.decks[f"tiles{level}"], left["tile"])
            if s.top[level - 1] and not int(s.tiles_left[level - 1]) >> int(s.top[level - 1] - 1) & 1:
                self.faults.add(f"tops.{level}", "the tile is not in its stack", "SETUP-10")
            if s.top_seen[level - 1] and not s.tiles_left[level - 1]:
                self.faults.add(f"tops.{level}", "the stack is empty", "SETUP-10")
        s.squares_left = _bits_of(names.decks["squares"], left["resource token"])
        s.hexes_left = _bits_of(names.decks["hexes"], left["resource token"])
        s.scroll_deck = _bits_of(names.scrolls, left["scroll card"])
        placed = sum(1 << (int(code) - 1) for code in s.dragon_at if code)
        s.dragons_left = _bits_of(names.dragons, set(names.dragons)) & ~placed & ~int(s.dragons_beaten)
        self._work_out_tokens()

    def _unique(self) -> list[tuple[str, dict[str, int]]]:
        names = self.names
        return [("tile", names.tiles), ("resource token", names.tokens), ("scroll card", names.scrolls)]

    def _work_out_tokens(self) -> None:
        s, people = self.s, self.s.players[: self.n]
        held = [int(frame.marks) for frame in s.stack if frame.phase == Phase.SCROLL_SLOT]
        colours = Counter([*s.scroll[s.scroll > 0].tolist(), *people["scroll_colours"].ravel().tolist(), *held])
        for colour, name in enumerate(COLOURS):
            used = colours[colour + 1] + int(s.scroll_tokens_gone[colour])
            s.scroll_tokens[colour] = self._rest(f"{name} scroll tokens", self.rules.pack.scroll_tokens, used)
        on_map = Counter(s.adventure[s.adventure > 0].tolist())
        for kind, token in enumerate(self.rules.pack.adventures):
            used = on_map[kind + 1] + int(s.adventures_gone[kind]) + int(people["adventures"][:, kind].sum())
            s.adventures_left[kind] = self._rest(token.power, token.copies, used)


# Frames say these even where the code could be left out.
NEEDED: Final = ("tile", "card", "token", "dragon")


def _read_hex_words(value: Any) -> list[int]:
    words = value.split() if isinstance(value, str) else []
    try:
        numbers = [int(text, 16) for text in words]
    except ValueError:
        numbers = []
    if len(numbers) != 4 or not all(0 <= n < 1 << 32 for n in numbers):
        raise UnfitError(f"{_short(value)} is not four hexadecimal words of 32 bits")
    return numbers


HEX_WORDS: Final = Kind(_hex_words, _read_hex_words, nothing=[0, 0, 0, 0])


def bits_of_cards(codes: dict[str, int]) -> Kind:
    """A list of different cards, as codes."""
    one = word(codes)

    def read(value: Any) -> list[int]:
        found = [one.read(item) for item in _listed(value)]
        if len(set(found)) < len(found):
            raise UnfitError(f"{_short(value)} names something twice (SETUP-10)")
        return found

    return Kind(lambda members: [one.show(code) for code in members], read, nothing=[])


def _bits_of(codes: dict[str, int], ids: set[str]) -> int:
    return sum(1 << (code - 1) for id, code in codes.items() if id in ids)


def _die_codes(pack: Pack) -> list[int]:
    """Of every face that differs; of equal faces the first."""
    codes = [kind * 8 + face + 1 for kind, die in enumerate(pack.dice) for face in range(len(die.faces))]
    return list({_die_name(code, pack): code for code in reversed(codes)}.values())


def _spaces_of_place(place: int) -> range:
    first = FIRST_TILE_SPACE + CELLS_OF_TILE * place
    return range(first, first + CELLS_OF_TILE)


# --- judging --------------------------------------------------------------------------------------------------------

# Frames of magic go by what they lie on: the end of an action, of an eruption, of a token's craft or of a fight.
AFTER_ACTION, AFTER_ERUPTION, AFTER_TOKEN, AFTER_FIGHT = "action", "eruption", "token", "fight"
ERUPTING: Final = 6  # stage of a turn
ACTION_FRAMES: Final = (AFTER_ACTION, Phase.HALVES)
CRAFTING: Final = (Phase.REST_END, Phase.REST, AFTER_TOKEN)

# What a frame may lie on.
LIES_ON: Final[dict[Phase, tuple[Any, ...]]] = {
    **dict.fromkeys((Phase.SETUP, Phase.ACTION, Phase.CLAIM), (Phase.TURN,)),
    Phase.MAGIC_REFRESH: (Phase.TURN, Phase.ACTION, *ACTION_FRAMES),
    Phase.MAGIC_WEAPON: (AFTER_ACTION, AFTER_ERUPTION, AFTER_TOKEN, AFTER_FIGHT),
    Phase.LOOK: (Phase.TURN, Phase.HALVES),
    Phase.SETUP_CUBES: (Phase.SETUP,),
    Phase.MONK_SPOT: (Phase.SETUP_CUBES, Phase.MONK_SPOT, *ACTION_FRAMES, Phase.DUEL),
    Phase.HALVES: (AFTER_ACTION,),
    Phase.REST_END: (AFTER_ACTION,),
    Phase.ERUPTION: (AFTER_ERUPTION,),
    **dict.fromkeys((Phase.MOVE, Phase.EXPLORE_PLACE, Phase.EXPLORE_MORE, Phase.FIND_SPACE, Phase.FIND), ACTION_FRAMES),
    **dict.fromkeys((Phase.BLUEPRINTS, Phase.SCROLL_CARD, Phase.DRAGON_FIGHT, Phase.DUEL), ACTION_FRAMES),
    Phase.EXPLORE_TURN: (*ACTION_FRAMES, Phase.EXPLORE_MORE),
    Phase.TAKE: (*ACTION_FRAMES, Phase.ACTION, Phase.DRAGON_FIGHT, Phase.DRAGON_ATTACK),
    Phase.SCROLL_SLOT: (*ACTION_FRAMES, Phase.DUEL),
    Phase.PAY: (
        *(*ACTION_FRAMES, Phase.DRAGON_FIGHT, Phase.DUEL, Phase.ERUPTION),
        *(Phase.DRAGON_ATTACK, Phase.ATTACK, Phase.SMOKE),
    ),
    Phase.CALL_DUEL: (Phase.MOVE,),
    Phase.REST: (Phase.REST_END, AFTER_TOKEN),
    **dict.fromkeys((Phase.CRAFT_WAY, Phase.CRAFT_LAY, Phase.WASTE), CRAFTING),
    **dict.fromkeys((Phase.CLAIM_CARD, Phase.PLACE_CARD, Phase.CARD_BONUS), (Phase.REST_END,)),
    **dict.fromkeys((Phase.DRAGON_TARGET, Phase.BANNER, Phase.RAIN), (Phase.ACTION,)),
    **dict.fromkeys((Phase.MOVE_OTHER, Phase.CONSENT), (Phase.BANNER,)),
    **dict.fromkeys((Phase.FLEE, Phase.REBIRTH), (Phase.ERUPTION,)),
    **dict.fromkeys((Phase.JOIN, Phase.SEND_MONK, Phase.MONK_THROW, Phase.SURPLUS), (Phase.DRAGON_FIGHT,)),
    Phase.DRAGON_ATTACK: (Phase.DRAGON_FIGHT,),
    Phase.ATTACK: (Phase.DRAGON_FIGHT, Phase.DUEL),
    **dict.fromkeys((Phase.WEAPON, Phase.DICE, Phase.REROLL, Phase.AFTER_ROLL, Phase.RETREAT), (Phase.ATTACK,)),
    Phase.MEND: (Phase.AFTER_ROLL, Phase.DRAGON_FIGHT),
    **dict.fromkeys((Phase.BREAK, Phase.REPAIR), (Phase.MEND,)),
    Phase.GRIP: (Phase.BREAK,),
    Phase.GUNBAI: (Phase.AFTER_ROLL, Phase.DRAGON_ATTACK),
    Phase.ASK_GUNBAI: (Phase.GUNBAI,),
    Phase.SMOKE: (Phase.DRAGON_FIGHT, Phase.ATTACK),
    Phase.ASK_SMOKE: (Phase.SMOKE,),
    **dict.fromkeys((Phase.LAY_LOSER, Phase.STEAL), (Phase.DUEL,)),
    Phase.LOSE_ITEM: (Phase.SURPLUS,),
}
# In which stages a frame can be while another lies on it.
STAGES: Final[dict[Phase, dict[Phase, tuple[int, ...]]]] = {
    Phase.TURN: {
        Phase.SETUP: (0,),
        Phase.LOOK: (1,),
        Phase.ACTION: (2, 3),
        Phase.MAGIC_REFRESH: (2, 3, ERUPTING),
        Phase.CLAIM: (5,),
    },
    Phase.DRAGON_FIGHT: {
        Phase.PAY: (0,),
        Phase.JOIN: (1,),
        **dict.fromkeys((Phase.SEND_MONK, Phase.MONK_THROW, Phase.MEND, Phase.SURPLUS), (2,)),
        **dict.fromkeys((Phase.ATTACK, Phase.DRAGON_ATTACK, Phase.SMOKE), (4,)),
        Phase.TAKE: (5,),
    },
    Phase.DUEL: {
        Phase.PAY: (0,),
        Phase.ATTACK: (1,),
        Phase.LAY_LOSER: (3,),
        **dict.fromkeys((Phase.STEAL, Phase.SCROLL_SLOT, Phase.MONK_SPOT), (4,)),
    },
    Phase.MEND: {Phase.BREAK: (0,), Phase.REPAIR: (1,)},
    Phase.DRAGON_ATTACK: {Phase.GUNBAI: (1,), Phase.TAKE: (1,), Phase.PAY: (2,)},
    Phase.AFTER_ROLL: {Phase.MEND: (0,), Phase.GUNBAI: (1,)},
    Phase.ATTACK: {
        Phase.RETREAT: (1,),
        **dict.fromkeys((Phase.WEAPON, Phase.DICE, Phase.REROLL, Phase.AFTER_ROLL, Phase.SMOKE, Phase.PAY), (0,)),
    },
    Phase.ERUPTION: {Phase.PAY: (1,), Phase.FLEE: (0,), Phase.REBIRTH: (0,)},
}
FIGHTS: Final = (Phase.DRAGON_FIGHT, Phase.DUEL)
BEGIN, ROUNDS_OF_DRAGON, SPOILS = 0, 4, 5  # stages of fights
# Whose frame it is: of the active player, of the same as the frame below, of who is next in player order.
OF_THE_ACTIVE: Final = (
    *(Phase.ACTION, Phase.MOVE, Phase.EXPLORE_PLACE, Phase.EXPLORE_TURN, Phase.EXPLORE_MORE, Phase.FIND, Phase.HALVES),
    *(Phase.FIND_SPACE, Phase.BLUEPRINTS, Phase.SCROLL_CARD, Phase.REST, Phase.REST_END, Phase.CRAFT_WAY, Phase.LOOK),
    *(Phase.CRAFT_LAY, Phase.WASTE, Phase.CLAIM_CARD, Phase.PLACE_CARD, Phase.CARD_BONUS, Phase.DRAGON_FIGHT),
    *(Phase.DUEL, Phase.MAGIC_REFRESH, Phase.BANNER, Phase.MOVE_OTHER, Phase.RAIN, Phase.CLAIM, Phase.DRAGON_TARGET),
    Phase.ERUPTION,
)
OF_THE_SAME: Final = (
    *(Phase.WEAPON, Phase.DICE, Phase.REROLL, Phase.RETREAT, Phase.AFTER_ROLL),
    *(Phase.BREAK, Phase.GRIP, Phase.REPAIR, Phase.LOSE_ITEM),
)
OF_THE_NEXT: Final = (Phase.DRAGON_FIGHT, Phase.DRAGON_ATTACK, Phase.GUNBAI, Phase.SMOKE)  # what they lie on
MAY_BE_UNCONSCIOUS: Final = (Phase.REBIRTH, Phase.MAGIC_WEAPON)


class _Judge:
    """Whether a record is a legal position. Plain Python by the letter of the rules, apart from the compiled ones."""

    def __init__(self, s: Any, rules: Rules, faults: _Faults, icons: dict[int, TileSpace]) -> None:
        self.s, self.rules, self.faults, self.icons, self.n = s, rules, faults, icons, rules.players
        self.people = [s.players[p] for p in range(self.n)]
        self.frames = [s.stack[k] for k in range(int(s.depth))]
        self.phases = [Phase(int(frame.phase)) for frame in self.frames]
        self.fight_at = next((k for k, phase in enumerate(self.phases) if phase in FIGHTS), None)

    def judge(self) -> None:
        self._judge_order_of_frames()
        self.faults.stop()  # what follows trusts that the frames belong together
        self._judge_table()
        for p in range(self.n):
            self._judge_board(p)
            self._judge_pack(p)
            self._judge_gear(p)
            self._judge_samurai(p)
        self._judge_fight()
        self._judge_path()
        if not self.s.reason:
            self._judge_frames()

    def want(self, where: str, holds: Any, what: str, rule: str = "") -> None:
        if not holds:
            self.faults.add(where, what, rule)

    # frames among each other

    def _role(self, k: int) -> Any:
        """The phase of a frame, or what a frame of magic lies on."""
        if self.phases[k] != Phase.MAGIC_REFRESH:
            return self.phases[k]
        if self.phases[k - 1] == Phase.TURN:
            return AFTER_ERUPTION if self.frames[k - 1].stage == ERUPTING else AFTER_ACTION
        return AFTER_TOKEN if self.phases[k - 1] == Phase.ACTION else AFTER_FIGHT

    def _judge_order_of_frames(self) -> None:
        self.want("asked[0]", self.phases[0] == Phase.TURN, "the lowest frame is not TURN")
        if self.s.reason:
            self.want("asked", len(self.frames) == 1, "the game is over, so nothing is asked")
            return
        self.want("asked", self.phases[-1] < FIRST_AUTOMATIC, f"{self.phases[-1].name} asks nothing")
        for k in range(1, len(self.frames)):
            above, below = self.phases[k], self.phases[k - 1]
            fits = self._role(k - 1) in LIES_ON.get(above, ())
            self.want(f"asked[{k}]", fits, f"{above.name} does not fit: it can't lie on {below.name}")
            stages = STAGES.get(below, {}).get(above)
            fits = stages is None or int(self.frames[k - 1].stage) in stages
            self.want(f"asked[{k - 1}].stage", fits, f"does not fit {above.name}, which lies on it")
            self.want(f"asked[{k}].player", self._actor_fits(k), f"{above.name} does not ask this player")

    def _actor_fits(self, k: int) -> bool:
        phase, actor, below = self.phases[k], int(self.frames[k].actor), self.frames[k - 1]
        ground = self.phases[k - 1]
        active = int(self.s.active)
        if phase in OF_THE_ACTIVE:
            return actor == active
        if phase in OF_THE_SAME or (phase == Phase.MEND and ground == Phase.AFTER_ROLL):
            return actor == int(below.actor)
        if ground == Phase.ERUPTION:
            return actor == (active + int(below.left)) % self.n
        if phase in (Phase.ATTACK, *NOBODYS) or ground in (Phase.SETUP, Phase.SETUP_CUBES, Phase.MONK_SPOT):
            return True  # looked at elsewhere
        if phase == Phase.PAY and ground in (Phase.ATTACK, Phase.SMOKE):
            attackers = [int(frame.actor) for frame, phase in self._frames_below(k) if phase == Phase.ATTACK]
            return actor in self._duellists() and [actor] != attackers != []
        if phase == Phase.PAY and ground in FIGHTS:
            return actor == active
        if ground in OF_THE_NEXT:
            joins = phase == Phase.JOIN
            inside = bool(self.s.fight.fighters[actor].inside)
            return actor == self._in_order(int(below.left) - 1) and inside != joins
        if ground == Phase.DUEL:
            return actor in self._duellists() and actor + 1 != int(self.s.fight.loser)
        if phase == Phase.CALL_DUEL:
            return (actor == int(self.frames[k].thing)) if self.frames[k].stage else actor == active
        if phase == Phase.CONSENT:
            return actor == int(self.frames[k].thing)
        return phase == Phase.MAGIC_WEAPON or actor == active

    def _frames_below(self, k: int) -> list[tuple[Any, Phase]]:
        return list(zip(self.frames[:k], self.phases[:k], strict=True))

    def _in_order(self, k: int) -> int:
        return (int(self.s.fight.active) + k) % self.n

    def _in_duel(self) -> bool:
        return self.fight_at is not None and self.phases[self.fight_at] == Phase.DUEL

    def _duellists(self) -> tuple[int, ...]:
        if self.fight_at is None or not self._in_duel():
            return ()
        return int(self.frames[self.fight_at].actor), int(self.frames[self.fight_at].thing)

    def _has_frame(self, p: int, *phases: Phase) -> bool:
        return any(phase in phases and frame.actor == p for frame, phase in zip(self.frames, self.phases, strict=True))

    # the table

    def _judge_table(self) -> None:
        s, colours = self.s, [int(me.colour) for me in self.people]
        self.want("players", len(set(colours)) == self.n and 0 not in colours, "each has its own colour", "SETUP-12")
        for space in np.flatnonzero(s.scroll):
            name = geometry().space_names[space]
            self.want(f"{name}.scroll", int(s.scroll[space]) in colours, "this colour does not play", "EXPL-5")
        best = max(int(me.vp) for me in self.people)
        fits = bool(s.final_player) == (best >= self.rules.final_at)
        self.want(
            "final", fits, f"begins with {self.rules.final_at} VP, the most that anybody has are {best}", "FINAL-1"
        )
        outside = [int(me.left_volcano) for me in self.people if me.outside]
        self.want("players", not outside or s.final_player, "nobody leaves before the final chapter", "ESC-1")
        fits = sorted(outside) == list(range(1, len(outside) + 1))
        fits = fits and not any(me.left_volcano for me in self.people if not me.outside)
        self.want("players", fits, "`left` numbers those outside as they left: 1, 2, ...", "END-1")

    # people

    def _judge_board(self, p: int) -> None:
        me, where = self.people[p], f"players[{p}]"
        discs, wanted = int(me.pool + me.fields.sum()), FIRST_DISCS + int(me.monks[Spot.POOL])
        self.want(f"{where}.discs", discs == wanted, f"{discs} of them, it has {wanted}", "MONK-2")
        second = me.monks[Spot.SCROLL] or not me.scrolls[1]
        self.want(f"{where}.scrolls", second, "the second slot needs the scroll monk", "MONK-2")
        cards = [int(gear) for gear in me.card_on if gear]
        owned = [_gear_of(slot) + 1 for slot in _slots(self.s.gear_cards, Where.OWNED + p)]
        self.want(f"{where}.cards", len(set(owned)) == len(owned), "two gear cards of a type", "GEAR-2")
        looks = not me.looks or Gear.WEAPON + 1 in cards
        self.want(f"{where}.weapon_card", looks, "no weapon card lies under an action", "GEAR-5")
        adventures = self.rules.adventure_tokens or not me.adventures.any()
        self.want(f"{where}.adventures", adventures, "this game has no adventure tokens", "SETUP-11")
        self._judge_claims(me, where)

    def _judge_claims(self, me: Any, where: str) -> None:
        teeth = int(me.pack[Cube.TOOTH]) + sum(int(grid.cubes[Cube.TOOTH]).bit_count() for grid in me.gear)
        has = [*(int(grid.magic != 0) for grid in me.gear), int(me.monks.sum() + me.pack_monks), teeth]
        for track, (claimed, most) in enumerate(zip(me.claimed.tolist(), has, strict=True)):
            fits = claimed <= (most if me.outside else 0)
            self.want(f"{where}.claims", fits, f"{claimed} claims of {PALACE_TRACKS[track]} are too many", "SHOG-1")

    def _blueprints_of(self, p: int) -> list[int]:
        return [_gear_of(slot) for slot in _slots(self.s.blueprints, Where.OWNED + p)]

    def _free_slots(self, p: int) -> int:
        me = self.people[p]
        room = FIRST_PACK + (SECOND_PACK if me.monks[Spot.PACK] else 0)
        scrolls = int(np.count_nonzero(me.scrolls))
        return room - int(me.pack.sum() + me.pack_monks) - scrolls - len(self._blueprints_of(p))

    def _judge_pack(self, p: int) -> None:
        where, owned = f"players[{p}]", self._blueprints_of(p)
        self.want(f"{where}.blueprints", len(set(owned)) == len(owned), "two blueprints of a type", "GATH-8")
        fits = self._free_slots(p) >= 0 or self._has_frame(p, Phase.SURPLUS)
        self.want(f"{where}.pack", fits, f"{-self._free_slots(p)} more things than it has slots for", "PACK-1")

    def _judge_gear(self, p: int) -> None:
        me, where = self.people[p], f"players[{p}]"
        for gear, name in enumerate(GEAR):
            outside = _filled(me.gear[gear]) & ~_open_cells(me, gear)
            rule = "WEAP-3" if gear == Gear.WEAPON and not outside & ~RIGHT_PART else "CRAFT-6"
            self.want(f"{where}.gear.{name}", not outside, "cubes outside the open grid", rule)
            self._judge_magic(p, gear)
        if not self._has_frame(p, Phase.MEND) and (fault := _weapon_fault(_filled(me.gear[Gear.WEAPON]))):
            self.faults.add(f"{where}.gear.weapon", *fault)

    def _judge_magic(self, p: int, gear: int) -> None:
        """It may lie on nothing for a moment, while cubes go or are laid anew."""
        grid = self.people[p].gear[gear]
        if not grid.magic or self._has_frame(p, Phase.PAY, Phase.MEND, Phase.CRAFT_LAY, Phase.WASTE):
            return
        slots = [_is_right(piece) for piece in _pieces(_filled(grid))] if gear == Gear.WEAPON else [_filled(grid) == 0]
        fits = (grid.magic == 2) in slots
        self.want(f"players[{p}].magic", fits, f"no such {GEAR[gear]} for the magic to lie on", "MAGIC-1")

    def _judge_samurai(self, p: int) -> None:
        s, me, where = self.s, self.people[p], f"players[{p}].space"
        if me.outside:
            return
        at, name = int(me.at), geometry().space_names[int(me.at)]
        self.want(where, s.terrain[at] != Terrain.UNEXPLORED, f"{name} is unexplored", "MAP-10")
        on_lava = s.terrain[at] >= Terrain.LAVA and not self._has_frame(p, Phase.MOVE) and not self._waits_for_lava(p)
        self.want(where, not on_lava, f"{name} is lava", "MOVE-3")
        crowd = sum(other.at == at and not other.outside for other in self.people)
        self.want(where, crowd <= 2 or self._is_safe(at), f"{crowd} samurai on {name}", "MAP-6")
        entering = self._has_frame(p, Phase.DRAGON_FIGHT) and not self._fight_has_begun()
        fighting = entering or s.fight.fighters[p].inside
        self.want(where, fighting or not self._dragon_on(at), f"{name} is on a dragon's tile", "MAP-11")

    def _waits_for_lava(self, p: int) -> bool:
        """An eruption has not come to this samurai yet."""
        for frame, phase in zip(self.frames, self.phases, strict=True):
            if phase == Phase.ERUPTION:
                return (p - int(self.s.active)) % self.n >= int(frame.left)
        return False

    def _is_safe(self, space: int) -> bool:
        return space == START or space >= FIRST_BRIDGE

    def _dragon_on(self, space: int) -> int:
        place = int(geometry().place_of[space])
        return int(self.s.dragon_at[place]) if place >= 0 else 0

    def _may_be_laid_on(self, p: int, space: int) -> bool:
        """MAP-11."""
        others = sum(q != p and other.at == space and not other.outside for q, other in enumerate(self.people))
        full = others >= 2 and not self._is_safe(space)
        return self.s.terrain[space] == Terrain.GROUND and not full and not self._dragon_on(space)

    # fights and moves

    def _fight_has_begun(self) -> bool:
        return self.fight_at is not None and self.frames[self.fight_at].stage != BEGIN

    def _judge_fight(self) -> None:
        s, fight = self.s, self.s.fight
        if not self._fight_has_begun():
            self.want("fight", not _is_touched(fight), "nobody fights")
            return
        frame = self.frames[self.fight_at or 0]
        self.want("fight.active", fight.active == s.active, "not the active player")
        self.want("fight.break_hits", fight.break_hits <= fight.hits, "more than all hits")
        order = [int(who) for who in fight.order if who]
        self.want("fight.order", len(set(order)) == len(order), "somebody has two turns", "INIT-2")
        seats = all(who == DRAGONS_TURN or who <= self.n for who in order)
        self.want("fight.order", seats, "there is no such player", "INIT-2")
        for p, me in enumerate(self.people):
            awake = not fight.fighters[p].inside or not (me.unconscious or me.outside)
            self.want(f"fight.fighters[{p}]", awake or self._in_duel(), "unconscious or outside", "TURN-5")
        if self._in_duel():
            self._judge_duel(frame, order)
        else:
            self._judge_dragon_fight(frame, order)
        attack = next((int(f.actor) for f, p in zip(self.frames, self.phases, strict=True) if p == Phase.ATTACK), None)
        turn = order[int(fight.turn) - 1] if 1 <= fight.turn <= len(order) else 0
        self.want("fight.turn", attack is None or turn == attack + 1, "it is not the attacker's", "INIT-2")

    def _judge_duel(self, frame: Any, order: list[int]) -> None:
        fight, (attacker, defender) = self.s.fight, self._duellists()
        self.want("fight.defender", fight.defender == defender != attacker, "not whom the duel is with", "DUEL-1")
        self.want("fight.dragon", not fight.dragon, "no dragon is in a duel", "DUEL-1")
        self.want("fight.order", sorted(order) == sorted({attacker + 1, defender + 1}), "not the two", "DUEL-1")
        self.want("fight.turn", fight.turn <= 2, "a duel has two turns a round", "DUEL-1")
        inside = [p for p in range(self.n) if fight.fighters[p].inside]
        self.want("fight.fighters", inside == sorted({attacker, defender}), "not the two", "DUEL-1")
        loser = int(fight.loser) - 1
        decided = frame.stage > 1
        fits = loser in (attacker, defender) if decided else loser < 0
        self.want("fight.loser", fits, "does not fit the stage of the duel", "DUEL-4")
        same = self.people[attacker].at == self.people[defender].at
        self.want("fight", same or decided, "the two are not on one space", "MOVE-6")
        safe = self._is_safe(int(self.people[attacker].at)) or self.rules.peaceful
        self.want("fight", not safe or decided, "no duels here", "DUEL-9")

    def _judge_dragon_fight(self, frame: Any, order: list[int]) -> None:
        s, fight, dragon = self.s, self.s.fight, int(frame.thing)
        self.want("fight.dragon", fight.dragon == dragon, "not the one that is fought", "DRAG-1")
        for key in ("defender", "loser", "gave_up"):
            self.want(f"fight.{key}", not fight[key], "belongs to duels", "DUEL-1")
        place = int(s.dragons[dragon - 1].place)
        beaten = int(s.dragons_beaten) >> (dragon - 1) & 1
        self.want("fight.dragon", bool(beaten) == (frame.stage == SPOILS), "is beaten, or is not", "DRAG-6")
        self.want("fight.dragon", place or frame.stage == SPOILS, "is not on the map", "DRAG-1")
        ordered = DRAGONS_TURN in order if frame.stage >= ROUNDS_OF_DRAGON else not order and not fight.turn
        self.want("fight.order", ordered or frame.stage == SPOILS, "does not fit the stage of the fight", "INIT-2")
        self.want("fight.turn", fight.turn <= len(order), "beyond the last", "INIT-2")
        for p, me in enumerate(self.people):
            there = int(geometry().place_of[int(me.at)]) + 1 == place
            fits = not fight.fighters[p].inside or there or frame.stage == SPOILS
            self.want(f"fight.fighters[{p}]", fits, "not on the dragon's tile", "DRAG-3")

    def _judge_path(self) -> None:
        """A move under way, or one that a fight ended."""
        s, path = self.s, [int(space) for space in self.s.path[: int(self.s.path_length)]]
        frame = next((k for k, phase in enumerate(self.phases) if phase in (Phase.MOVE, *FIGHTS)), None)
        if frame is None:
            self.want("path", not path, "nobody moves", "MOVE-1")
            return
        fewest = 1 if self.phases[frame] == Phase.MOVE else 2
        self.want("path", len(path) >= fewest, f"at least {fewest} spaces are needed", "MOVE-1")
        self.want("path", all(s.terrain[space] for space in path), "goes over unexplored places", "MAP-10")
        moving = self.phases[frame] == Phase.MOVE or self.frames[frame].stage == BEGIN
        ends_here = not moving or (path and path[-1] == self.people[int(s.active)].at)
        self.want("path", ends_here, "does not end where the samurai stands", "MOVE-1")
        if self.phases[frame] == Phase.MOVE:
            fits = len(path) + int(self.frames[frame].left) <= PATH
            self.want("path", fits, "is too long", "MOVE-1")
        elif self.frames[frame].stage == BEGIN and self.phases[frame] == Phase.DRAGON_FIGHT:
            here = self._dragon_on(int(self.people[int(s.active)].at)) == self.frames[frame].thing
            self.want(f"asked[{frame}].dragon", here, "is not on this tile", "MOVE-5")

    # frame by frame

    def _judge_frames(self) -> None:
        for k, phase in enumerate(self.phases):
            if phase in FRAME_JUDGES:
                FRAME_JUDGES[phase](self, k, self.frames[k])
        actor = int(self.frames[-1].actor)
        awake = self.phases[-1] in MAY_BE_UNCONSCIOUS or not self.people[actor].unconscious
        self.want("asked", awake, f"player {actor} is unconscious", "TURN-5")
        outside = self.phases[-1] not in (Phase.CLAIM, Phase.MAGIC_WEAPON) and self.people[actor].outside
        self.want("asked", not outside, f"player {actor} has left the volcano", "SHOG-1")

    def fits(self, k: int, holds: Any, what: str, rule: str = "") -> None:
        self.want(f"asked[{k}]", holds, f"{self.phases[k].name} does not fit: {what}", rule)

    def judge_claim(self, k: int, frame: Any) -> None:
        self.fits(k, self.people[int(frame.actor)].outside, "the player is inside the volcano", "SHOG-1")

    def judge_setup(self, k: int, frame: Any) -> None:
        """SETUP-6 to SETUP-9: until all have laid their first monks and cubes, nothing else has happened."""
        s, stage = self.s, int(frame.stage)
        self.fits(k, 1 <= stage <= self.n, "so many players can't have been asked", "SETUP-8")
        fresh = not s.tile.any() and not s.final_player and s.active == s.first_player
        self.fits(k, fresh, "the game is on", "SETUP-8")
        monks, asking = (2 if self.n == PLAYERS else 1), self.phases.count(Phase.MONK_SPOT)
        actor = (int(s.first_player) + stage - 1) % self.n
        for p, me in enumerate(self.people):
            turn = (p - int(s.first_player)) % self.n
            bare = me.at == START and not me.vp and not me.pack.any() and not me.pack_monks and not me.fields.any()
            bare = bare and not me.scrolls.any() and not me.card_on.any() and not self._blueprints_of(p)
            bare = bare and not any(me.gear[gear].cubes.any() for gear in (Gear.HELMET, Gear.SANDALS))
            bare = bare and not me.unconscious and not any(grid.magic for grid in me.gear)
            has_monks = 0 if turn >= stage else monks - (asking if p == actor else 0)
            fits = bare and int(me.monks.sum()) == has_monks and self._has_first_cubes(p, turn, stage)
            self.fits(k, fits, f"player {p} has not what it should have by now", "SETUP-8")
        self.fits(k, all(int(f.actor) == actor for f in self.frames[k + 1 :]), "another player's turn", "SETUP-8")

    def _has_first_cubes(self, p: int, turn: int, stage: int) -> bool:
        laid = [int(cells).bit_count() for cells in self.people[p].gear[Gear.WEAPON].cubes]
        if turn >= stage:
            return not any(laid)
        offered = [0, 0, 0]
        if turn == stage - 1:
            cubes = next((f for f, phase in self._frames_below(len(self.frames)) if phase == Phase.SETUP_CUBES), None)
            offered = [0, 0, 0] if cubes is None else [int(n) for n in cubes.offer]
            if cubes is None or cubes.thing != Gear.WEAPON or not any(offered):
                return False
            if self.phases.count(Phase.MONK_SPOT) and any(laid):
                return False
        return [a + b for a, b in zip(laid, offered, strict=True)] == list(FIRST_CUBES)

    def judge_monk_spot(self, k: int, frame: Any) -> None:
        source, below = int(frame.stage), self.phases[k - 1]
        if below in (Phase.SETUP_CUBES, Phase.MONK_SPOT):
            fits = source == MONK_SOURCES["supply"] and self.s.supply[Supply.MONK] >= self.phases.count(Phase.MONK_SPOT)
            self.fits(k, fits and self.phases[1] == Phase.SETUP, "the first monks come from the supply", "SETUP-8")
        elif below == Phase.DUEL:
            robbed = source == MONK_SOURCES["pack"] and frame.at == self.s.fight.loser - 1
            robbed = robbed and frame.at < self.n and self.people[int(frame.at)].pack_monks > 0
            self.fits(k, robbed, "the loser's pack has no monk", "DUEL-6")
        else:
            there = source == MONK_SOURCES["map"] and self.s.monk[int(frame.at)] and self._is_in_reach(k)
            self.fits(k, there, "no monk lies there", "GATH-6")

    def _is_in_reach(self, k: int) -> bool:
        """GATH-1: the space of a frame is where the samurai stands; with far_reach an adjacent one, too."""
        here, there = int(self.people[int(self.frames[k].actor)].at), int(self.frames[k].at)
        if here == there:
            return True
        powers = [self.rules.pack.scrolls[card - 1].power for card in self._scrolls(int(self.frames[k].actor))]
        return "far_reach" in powers and _touch(here, there) and not self._is_safe(there)

    def _scrolls(self, p: int) -> list[int]:
        return [int(card) for card in self.people[p].scrolls if card]

    def judge_find(self, k: int, frame: Any) -> None:
        self.fits(k, self._is_in_reach(k), "the space is out of reach", "GATH-1")

    def judge_scroll_card(self, k: int, frame: Any) -> None:
        mine = self.s.scroll[int(frame.at)] == self.people[int(frame.actor)].colour
        self.fits(k, mine and self._is_in_reach(k), "no scroll token of this player lies there", "GATH-5")

    def judge_blueprints(self, k: int, frame: Any) -> None:
        at_temple = self.people[int(frame.actor)].at >= FIRST_TEMPLE
        fits = at_temple and frame.left + frame.marks <= 2
        self.fits(k, fits, "blueprints are taken in temples, two at most", "GATH-7")

    def judge_move(self, k: int, frame: Any) -> None:
        sandals = self.people[int(frame.actor)].gear[Gear.SANDALS]
        paid = LAVA_COST * int(frame.marks) <= _strength(sandals)
        self.fits(k, paid, "the sandals can't pay for so much lava", "MOVE-3")

    def judge_call_duel(self, k: int, frame: Any) -> None:
        other, mover = int(frame.thing), int(self.s.active)
        met = other < self.n and other != mover and self.people[other].at == self.people[mover].at
        met = met and not self.people[other].outside and not self.people[other].unconscious
        legal = met and not self.rules.peaceful and not self._is_safe(int(self.people[mover].at))
        self.fits(k, legal, "there is nobody to fight", "MOVE-6")

    def judge_duel(self, k: int, frame: Any) -> None:
        other = int(frame.thing)
        met = other < self.n and other != self.s.active and not self.people[other].outside
        together = met and (frame.stage != BEGIN or self.people[other].at == self.people[int(self.s.active)].at)
        self.fits(k, together, "there is nobody to fight", "MOVE-6")

    def judge_pay(self, k: int, frame: Any) -> None:
        """Hits come off the helmet, lava off the sandals."""
        by_helmet = self.phases[k - 1] in (Phase.DRAGON_ATTACK, Phase.ATTACK, Phase.SMOKE)
        gear = Gear.HELMET if by_helmet else Gear.SANDALS
        self.fits(k, frame.thing == gear, f"not the {GEAR[int(frame.thing)]} pays here", "DMG-1")
        has = _strength(self.people[int(frame.actor)].gear[int(frame.thing)])
        self.fits(k, 0 < frame.left < has, f"{frame.left} hits on gear that absorbs {has} leave no choice", "DMG-1")

    def judge_explore_turn(self, k: int, frame: Any) -> None:
        place, level = int(frame.at), (int(frame.thing) - 1) // MAX_TILES_PER_LEVEL + 1
        self.fits(k, not self.s.tile[place], "the place has a tile", "EXPL-1")
        self.fits(k, level == int(geometry().place_ring[place]), "a tile of another level", "MAP-1")
        if self.phases[k - 1] == Phase.EXPLORE_MORE:
            first = int(self.frames[k - 1].at)
            beside = place == first or place in geometry().place_neighbours[first]
        else:
            beside = place in geometry().touched_places[int(self.people[int(frame.actor)].at)]
        self.fits(k, beside, "the place is not beside the samurai's space", "EXPL-1")

    def judge_scroll_slot(self, k: int, frame: Any) -> None:
        plays = int(frame.marks) in [int(me.colour) for me in self.people]
        self.fits(k, plays and frame.thing, "a card and its token are needed", "SCROLL-4")

    def judge_rest(self, k: int, frame: Any) -> None:
        by_token = self._role(k - 1) == AFTER_TOKEN
        self.fits(k, bool(frame.stage) == by_token, "a whetstone makes the difference", "REST-1")
        self.fits(k, k == len(self.frames) - 1 or frame.chosen, "nothing was crafted yet", "REST-1")

    def judge_crafting(self, k: int, frame: Any) -> None:
        """What lay on the gear before can't have lain outside its grid."""
        before = int(frame.cubes[0] | frame.cubes[1] | frame.cubes[2])
        open_now = _open_cells(self.people[int(frame.actor)], int(frame.thing))
        self.fits(k, not before & ~open_now, "cubes outside the open grid", "CRAFT-6")

    def judge_waste(self, k: int, frame: Any) -> None:
        self.fits(k, frame.offer.any(), "no cubes come off the gear", "CRAFT-2")

    def judge_place_card(self, k: int, frame: Any) -> None:
        card = self.s.gear_cards[int(frame.thing)]
        self.fits(k, card.card and card.where == Where.OWNED + frame.actor, "the card is not its own", "GEAR-2")

    def judge_card_bonus(self, k: int, frame: Any) -> None:
        placed = Gear.WEAPON + 1 in self.people[int(frame.actor)].card_on
        self.fits(k, placed, "no weapon card lies under an action", "GEAR-5")

    def judge_halves(self, k: int, frame: Any) -> None:
        placed = self.people[int(frame.actor)].card_on[int(frame.thing)]
        self.fits(k, placed, "no gear card lies there", "GEAR-3")
        self.fits(k, frame.marks or k == len(self.frames) - 1, "a half is under way, but none is done", "GEAR-3")

    def judge_look(self, k: int, frame: Any) -> None:
        fits = bool(frame.stage) == (self.phases[k - 1] == Phase.TURN)
        self.fits(k, fits, "only the seer's look may be skipped", "GEAR-5")

    def judge_magic_weapon(self, k: int, frame: Any) -> None:
        grid = self.people[int(frame.actor)].gear[Gear.WEAPON]
        two = len(_pieces(_filled(grid))) == 2 and not grid.magic
        self.fits(k, two and self.s.supply[Supply.MAGIC] > 0, "two weapons without magic are needed", "MAGIC-1")

    def judge_monk_throw(self, k: int, frame: Any) -> None:
        me, spot = self.people[int(frame.actor)], int(frame.thing)
        has = me.pack_monks if spot == Spot.CARRIED else me.monks[spot]
        self.fits(k, has, "the monk is not there", "HERO-2")

    def judge_dice(self, k: int, frame: Any) -> None:
        me = self.people[int(frame.actor)]
        pieces = [piece for piece in _pieces(_filled(me.gear[Gear.WEAPON])) if _is_right(piece) == bool(frame.at)]
        self.fits(k, pieces == [int(frame.chosen)], "these are not the cells of the weapon", "ATK-1")
        cubes = [(int(cells) & int(frame.chosen)).bit_count() for cells in me.gear[Gear.WEAPON].cubes]
        magic = int(me.gear[Gear.WEAPON].magic == frame.at + 1)
        rolling = self.phases[k] == Phase.REROLL
        chosen = [*(int(n) for n in frame.offer), int(frame.left)]
        few = all(n <= most for n, most in zip(chosen, [*cubes, magic], strict=True))
        early = not any(chosen[min(int(frame.stage), 4) :])
        self.fits(k, few and early, "more dice than the weapon has", "ATK-1")
        self.fits(k, (frame.stage == len(Cube)) == rolling, "no such kind of dice", "ATK-1")
        needed = 2 if _is_one_handed(int(frame.chosen)) else 3
        self.fits(k, cubes[Cube.WOOD] >= needed, "the weapon is not usable", "WEAP-5")
        if rolling:
            few = all(breaks <= n for breaks, n in zip(self.s.fight.breaks, frame.offer, strict=True))
            self.fits(k, few and any(chosen), "more dice break than were rolled", "ATK-3")

    def judge_break(self, k: int, frame: Any) -> None:
        weapon = self.people[int(frame.actor)].gear[Gear.WEAPON]
        lying = [(int(cells) & int(frame.chosen)).bit_count() for cells in weapon.cubes]
        few = all(n <= most for n, most in zip(frame.offer, lying, strict=True))
        self.fits(k, few and frame.offer.any(), "not so many cubes can break", "ATK-3")

    def judge_grip(self, k: int, frame: Any) -> None:
        breaking, kept = self.s.fight.breaks, self.frames[k - 1].offer
        fits = (breaking == kept).all() and np.count_nonzero(kept) > 1
        self.fits(k, fits, "there is no choice of breaking dice", "ATK-3")

    def judge_repair(self, k: int, frame: Any) -> None:
        cells = _filled(self.people[int(frame.actor)].gear[Gear.WEAPON])
        self.fits(k, _weapon_fault(cells), "the weapon is legal", "WEAP-6")

    def judge_against_loser(self, k: int, frame: Any) -> None:
        loser = int(self.s.fight.loser) - 1
        self.fits(k, frame.thing == loser, "not the loser of the duel", "DUEL-4")

    def judge_surplus(self, k: int, frame: Any) -> None:
        self.fits(k, self._free_slots(int(frame.actor)) < 0, "the pack is not too small", "HERO-5")

    def judge_gunbai(self, k: int, frame: Any) -> None:
        """Against the dragon's roll, or the attacker's in a duel."""
        if self.phases[k - 1] == Phase.DRAGON_ATTACK:
            fits = not frame.thing
        else:
            fits = self._in_duel() and frame.thing == self.frames[k - 1].actor + 1
        self.fits(k, fits, "not the roller's number", "ADV-2")

    def judge_token_question(self, k: int, frame: Any) -> None:
        kind = Adventure.GUNBAI if self.phases[k] == Phase.ASK_GUNBAI else Adventure.SMOKE_BOMB
        self.fits(k, self.people[int(frame.actor)].adventures[kind], "the player has no such token", "ADV-1")

    def judge_move_other(self, k: int, frame: Any) -> None:
        banner, other = self.frames[k - 1], int(frame.thing)
        turn = other == (int(banner.actor) + int(banner.left) - 1) % self.n and other != banner.actor
        awake = turn and not self.people[other].unconscious and not self.people[other].outside
        self.fits(k, awake, "not the samurai whose turn it is", "ADV-2")
        if awake and self.phases[k] == Phase.CONSENT:
            free = _touch(int(self.people[other].at), int(frame.at)) and self._may_be_laid_on(other, int(frame.at))
            self.fits(k, free, "the samurai can't be moved there", "MAP-11")

    def judge_banner(self, k: int, frame: Any) -> None:
        self.fits(k, 2 <= frame.left <= self.n, "so many can't have been asked", "ADV-2")

    def judge_eruption(self, k: int, frame: Any) -> None:
        self.fits(k, frame.left < self.n, "so many can't have been asked", "LAVA-1")
        p = (int(self.s.active) + int(frame.left)) % self.n
        me = self.people[p]
        burns = not me.outside and self.s.terrain[int(me.at)] >= Terrain.LAVA
        self.fits(k, burns and self.s.final_player == self.s.active + 1, f"player {p} is not on lava", "LAVA-1")

    def judge_asking(self, k: int, frame: Any) -> None:
        self.fits(k, frame.left <= self.n, "so many can't have been asked", "INIT-2")


FRAME_JUDGES: Final[dict[Phase, Callable[[_Judge, int, Any], None]]] = {
    Phase.CLAIM: _Judge.judge_claim,
    Phase.SETUP: _Judge.judge_setup,
    Phase.MONK_SPOT: _Judge.judge_monk_spot,
    Phase.FIND: _Judge.judge_find,
    Phase.SCROLL_CARD: _Judge.judge_scroll_card,
    Phase.BLUEPRINTS: _Judge.judge_blueprints,
    Phase.MOVE: _Judge.judge_move,
    Phase.CALL_DUEL: _Judge.judge_call_duel,
    Phase.DUEL: _Judge.judge_duel,
    Phase.PAY: _Judge.judge_pay,
    Phase.EXPLORE_TURN: _Judge.judge_explore_turn,
    Phase.SCROLL_SLOT: _Judge.judge_scroll_slot,
    Phase.REST: _Judge.judge_rest,
    Phase.CRAFT_LAY: _Judge.judge_crafting,
    Phase.WASTE: _Judge.judge_waste,
    Phase.PLACE_CARD: _Judge.judge_place_card,
    Phase.CARD_BONUS: _Judge.judge_card_bonus,
    Phase.HALVES: _Judge.judge_halves,
    Phase.LOOK: _Judge.judge_look,
    Phase.MAGIC_WEAPON: _Judge.judge_magic_weapon,
    Phase.MONK_THROW: _Judge.judge_monk_throw,
    Phase.DICE: _Judge.judge_dice,
    Phase.REROLL: _Judge.judge_dice,
    Phase.BREAK: _Judge.judge_break,
    Phase.GRIP: _Judge.judge_grip,
    Phase.REPAIR: _Judge.judge_repair,
    Phase.LAY_LOSER: _Judge.judge_against_loser,
    Phase.STEAL: _Judge.judge_against_loser,
    Phase.SURPLUS: _Judge.judge_surplus,
    Phase.GUNBAI: _Judge.judge_gunbai,
    Phase.ASK_GUNBAI: _Judge.judge_token_question,
    Phase.ASK_SMOKE: _Judge.judge_token_question,
    Phase.MOVE_OTHER: _Judge.judge_move_other,
    Phase.CONSENT: _Judge.judge_move_other,
    Phase.BANNER: _Judge.judge_banner,
    Phase.ERUPTION: _Judge.judge_eruption,
    Phase.DRAGON_FIGHT: _Judge.judge_asking,
    Phase.DRAGON_ATTACK: _Judge.judge_asking,
    Phase.SMOKE: _Judge.judge_asking,
}


def _touch(a: int, b: int) -> bool:
    return int(geometry().distance[a, b]) == 1


def _filled(grid: Any) -> int:
    return int(grid.cubes[0]) | int(grid.cubes[1]) | int(grid.cubes[2])


def _strength(grid: Any) -> int:
    """DMG-1: wood absorbs 1, metal 2, tooth 3, magic 4."""
    return sum((kind + 1) * int(cells).bit_count() for kind, cells in enumerate(grid.cubes)) + 4 * bool(grid.magic)


def _pieces(cells: int) -> list[int]:
    """The groups of cells of the weapon grid that hang together side by side (WEAP-1), as bit sets."""
    todo, found = {divmod(cell, GEAR_WIDTH[Gear.WEAPON]) for cell in _members(cells)}, []
    while todo:
        piece, edge = set[Cell](), [todo.pop()]
        while edge:
            row, column = edge.pop()
            piece.add((row, column))
            beside = {(row - 1, column), (row + 1, column), (row, column - 1), (row, column + 1)} & todo
            todo -= beside
            edge += beside
        found.append(sum(1 << row * GEAR_WIDTH[Gear.WEAPON] + column for row, column in piece))
    return found


def _is_right(piece: int) -> bool:
    return not piece & LEFT_PART


def _is_one_handed(piece: int) -> bool:
    return _is_right(piece) or not piece & ~LEFT_PART


def _weapon_fault(cells: int) -> tuple[str, str] | None:
    """What is wrong with a layout, and by which rule."""
    pieces = _pieces(cells)
    for piece in pieces:
        if _is_one_handed(piece) and piece.bit_count() > ONE_HANDED_MOST:
            return f"{piece.bit_count()} cubes in a one-handed weapon, at most {ONE_HANDED_MOST}", "WEAP-2"
        if piece.bit_count() > TWO_HANDED_MOST:
            return f"{piece.bit_count()} cubes in a two-handed weapon, at most {TWO_HANDED_MOST}", "WEAP-4"
    if len(pieces) > 2:
        return f"{len(pieces)} weapons, at most two", "WEAP-6"
    if len(pieces) == 2 and not all(_is_one_handed(piece) for piece in pieces):
        return "one- and two-handed weapons together", "WEAP-6"
    if len(pieces) == 2 and _is_right(pieces[0]) == _is_right(pieces[1]):
        return "two weapons in one part", "WEAP-6"
    return None
