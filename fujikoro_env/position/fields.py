"""Tables of fields: the name in the JSON, the field of the record, and its kind."""

from functools import cache
from typing import Any, Final, TypeAlias

from fujikoro_env.content.model import MAX_PRINTED, RESOURCES, SCROLL_POWERS
from fujikoro_env.position.kinds import (
    FLAG,
    WEAPON_MARKS,
    Json,
    Kind,
    bits,
    counts,
    fit_in,
    layout,
    listed,
    number,
    word,
)
from fujikoro_env.position.lookup import code_in
from fujikoro_env.position.words import (
    COLOUR,
    FIELD,
    GEAR_WORD,
    MONK_SOURCES,
    ORDER,
    PLACE,
    PLAYER,
    PLAYER_OR_NONE,
    RESOURCE_COUNTS,
    SEAT,
    SIDE,
    SPACE,
    SPACE_OR_NONE,
    SPOT,
    Names,
)
from fujikoro_env.rules.base.actions import BLUEPRINT, ITEM, TABLE
from fujikoro_env.rules.base.names import Adventure, Cube, ScrollPower
from fujikoro_env.rules.base.phases import SWAP_STEPS, Phase
from fujikoro_env.rules.base.state import PATH, PLAYERS, SCROLL_SLOTS, Fight, Fighter, Frame
from fujikoro_env.rules.coop.swap import CARD_BITS, FIRST_BLUEPRINT, FIRST_SCROLL, FIRST_TAKEN, ITEMS, PACK_ITEMS
from fujikoro_env.rules.gear.craft import AFTER_ACTION, BY_TOKEN, SANDALS_TOO
from fujikoro_env.rules.gear.weapon import LEFT
from fujikoro_env.rules.map.geometry import START

# A field of a record is an integer or an array of them. Which of both, NumPy's types don't say, hence `Any`.
FieldKind: TypeAlias = Kind[Any, Json]
Fields: TypeAlias = dict[str, tuple[str, FieldKind]]


def show_fields(record: Frame | Fight | Fighter, fields: Fields) -> dict[str, Json]:
    """The fields of a record that are not nothing."""
    found: dict[str, Json] = {}
    for name, (field, kind) in fields.items():
        code = code_in(record, field)
        if code == kind.nothing or (kind.nothing == [] and not any(code)):
            continue
        found[name] = kind.show(code)
    return found


# --- fights ---------------------------------------------------------------------------------------------------------

FIGHTER_FIELDS: Final[Fields] = {
    "inside": ("inside", FLAG),
    "came_from": ("came_from", Kind(SPACE.show, SPACE.read, nothing=START)),
    "initiative": ("initiative", number(0, MAX_PRINTED)),
    "monk": ("monk", FLAG),
    "rolled": ("rolled", bits(SIDE)),
    "rerolled": ("rerolled", FLAG),
}


@cache
def fight_fields(names: Names) -> Fields:
    kinds: dict[str, FieldKind] = {
        "dragon": names.dragon,
        "monk": SPACE_OR_NONE,
        "health": number(-MAX_PRINTED, MAX_PRINTED),
        "rounds": number(0, 30),
        "came": FLAG,
        "active": PLAYER,
        "defender": PLAYER,
        "loser": PLAYER_OR_NONE,
        "gave_up": FLAG,
        "order": ORDER,
        "turn": number(0, PLAYERS + 1),
        "hits": number(0, 1000),
        "break_hits": number(0, 1000),
        "breaks": RESOURCE_COUNTS,
    }
    return {name: (name, kind) for name, kind in kinds.items()}


# --- frames ---------------------------------------------------------------------------------------------------------

NOBODYS: Final = (  # nobody's in particular
    *(Phase.TURN, Phase.SETUP, Phase.DRAGON_ATTACK, Phase.GUNBAI, Phase.SMOKE, Phase.ROUND, Phase.SHARING),
    Phase.MONKS,
)
SWAPPING: Final = (Phase.SWAP_GIVE, Phase.SWAP_TAKE, Phase.SWAP_CONSENT)
NEEDED: Final = ("tile", "card", "token", "dragon")  # frames say these even where the code could be left out

_GEAR: Final[Fields] = {"gear": ("thing", GEAR_WORD)}
_OFFER: Final[Fields] = {"offer": ("offer", RESOURCE_COUNTS)}
_ASKED: Final[Fields] = {"asked": ("left", number(0, PLAYERS))}  # how many in player order have had their turn
_OTHER: Final[Fields] = {"other": ("thing", SEAT)}
_PLACE: Final[Fields] = {"place": ("at", PLACE)}
_SPACE: Final[Fields] = {"space": ("at", SPACE)}
_STAGE: Final[Fields] = {"stage": ("stage", number(0, 6))}
_DICE: Final[Fields] = {
    "weapon": ("at", SIDE),
    "cells": ("chosen", WEAPON_MARKS),
    "kind": ("stage", number(0, len(Cube))),
    "dice": ("offer", RESOURCE_COUNTS),
    "magic_dice": ("left", number(0, 1)),
}
_AIMED_POWERS: Final = {
    "dragon_bane": int(ScrollPower.DRAGON_BANE),
    "harpoon": len(SCROLL_POWERS) + Adventure.HARPOON,
}
_MOVE_MARKS: Final = {"on_card": 0, "jumped": 1, "stolen": 2, "sneak": 3, "sneaking": 4}  # bits of ON_CARD and so on
_CRAFTS: Final = {"by_token": BY_TOKEN, "after_action": AFTER_ACTION, "sandals_too": SANDALS_TOO}
_SIDE: Final[Fields] = {"weapon": ("at", Kind(SIDE.show, SIDE.read, nothing=LEFT))}
_TURN_FRAMES: Final[dict[Phase, Fields]] = {
    Phase.TURN: _STAGE,
    Phase.ACTION: {"extra": ("stage", FLAG)},
    Phase.REBIRTH: {"unconscious": ("stage", FLAG)},
    Phase.SETUP: _STAGE,
    Phase.SETUP_CUBES: {**_GEAR, **_OFFER},
    Phase.ERUPTION: {**_ASKED, "paid": ("stage", FLAG)},
}
_MAP_FRAMES: Final[dict[Phase, Fields]] = {
    Phase.MOVE: {
        "left": ("left", number(0, 6)),
        "lava": ("marks", number(0, PATH)),
        "free_lava": ("thing", number(0, 32)),
        "so_far": ("stage", bits(word(_MOVE_MARKS, "mark of a move"))),
    },
    Phase.PAY: {**_GEAR, "left": ("left", number(1, MAX_PRINTED))},
    Phase.EXPLORE_MORE: {**_PLACE, "left": ("left", number(0, 2)), "may_go_on": ("stage", FLAG)},
    Phase.FIND: _SPACE,
    Phase.TAKE: {
        **_OFFER,
        "left": ("left", number(0, MAX_PRINTED)),
        "taken": ("marks", number(0, MAX_PRINTED)),
        "optional": ("stage", FLAG),
    },
    Phase.MONK_SPOT: {"from": ("stage", word(MONK_SOURCES, "source"))},
    Phase.BLUEPRINTS: {"left": ("left", number(1, 2)), "taken": ("marks", number(0, 1))},
    Phase.SCROLL_CARD: _SPACE,
}
_GEAR_FRAMES: Final[dict[Phase, Fields]] = {
    Phase.REST: {"crafted": ("chosen", bits(GEAR_WORD)), "craft": ("stage", word(_CRAFTS, "craft outside a rest"))},
    Phase.CRAFT_WAY: _GEAR,
    Phase.CRAFT_LAY: {**_GEAR, **_OFFER},
    Phase.WASTE: {**_GEAR, **_OFFER},
    Phase.HALVES: {
        "action": ("thing", FIELD),
        "done": ("marks", bits(word({"main": 0, "bonus": 1}, "half"))),
    },
    Phase.LOOK: {"may_skip": ("stage", FLAG)},
}
_FIGHT_FRAMES: Final[dict[Phase, Fields]] = {
    Phase.CALL_DUEL: {**_OTHER, "other_asked": ("stage", FLAG)},
    Phase.DUEL: {**_OTHER, **_STAGE},
    Phase.ATTACK: _STAGE,
    Phase.DICE: _DICE,
    Phase.REROLL: _DICE,
    Phase.AFTER_ROLL: _STAGE,
    Phase.MEND: {**_STAGE, **_SIDE},
    Phase.BREAK: {"cells": ("chosen", WEAPON_MARKS), **_SIDE, **_OFFER},
    Phase.DRAGON_ATTACK: {**_STAGE, **_ASKED},
    Phase.MONK_FIGHT: {"space": ("thing", SPACE_OR_NONE), "came_from": ("at", SPACE), **_STAGE},
    Phase.MONK_ATTACK: _STAGE,
    Phase.MONK_THROW: {"monk": ("thing", SPOT)},
    Phase.LAY_LOSER: _OTHER,
    Phase.STEAL: _OTHER,
    Phase.SHARING: {"left": ("left", number(0, MAX_PRINTED))},
    Phase.THEFT: _OTHER,
}
_POWER_FRAMES: Final[dict[Phase, Fields]] = {
    Phase.DRAGON_TARGET: {"power": ("thing", word(_AIMED_POWERS, "power"))},
    Phase.GUNBAI: {"roller": ("thing", number(0, PLAYERS)), **_ASKED},
    Phase.SMOKE: _ASKED,
    Phase.BANNER: _ASKED,
    Phase.MOVE_OTHER: _OTHER,
    Phase.CONSENT: {**_OTHER, **_SPACE},
}
_MONK_FIELDS: Final[dict[int, Fields]] = {
    MONK_SOURCES["map"]: {"space": ("at", SPACE)},
    MONK_SOURCES["supply"]: {},
    MONK_SOURCES["pack"]: {"other": ("at", SEAT)},
}


@cache
def frame_fields(names: Names) -> dict[Phase, Fields]:
    """What the frame of each phase keeps; a phase that is not here keeps nothing."""
    return {
        **_TURN_FRAMES,
        **_MAP_FRAMES,
        **_GEAR_FRAMES,
        **_FIGHT_FRAMES,
        **_POWER_FRAMES,
        **dict.fromkeys(SWAPPING, swap_fields(names)),
        Phase.EXPLORE_TURN: {**_PLACE, "tile": ("thing", names.tile)},
        Phase.SCROLL_SLOT: {"card": ("thing", names.scroll), "token": ("marks", COLOUR)},
        Phase.PLACE_CARD: {"card": ("thing", names.gear_card)},
        Phase.DRAGON_FIGHT: {"dragon": ("thing", names.dragon), **_STAGE, **_ASKED},
        Phase.ROUND: {**_STAGE, "dragons": ("chosen", bits(names.dragon_bit))},
        Phase.DRAGON_WAY: {"dragon": ("thing", names.dragon)},
    }


def more_frame_fields(phase: Phase, stage: int, thing: int) -> Fields:
    """A monk that is stolen comes from a player, others from a space; a craft keeps the layout of its own gear."""
    if phase == Phase.MONK_SPOT:
        return _MONK_FIELDS[stage]
    if phase == Phase.CRAFT_LAY:
        return {"before": ("cubes", layout(thing))}
    return {}


# --- swaps (COOP-17) ------------------------------------------------------------------------------------------------

FUNGIBLE: Final = (*RESOURCES, "monk")
BLUEPRINT_SLOTS: Final = range(ITEMS - PACK_ITEMS)
GIVEN: Final = {  # as the action that names it + 1
    **{name: ITEM + k + 1 for k, name in enumerate(TABLE["item"].arguments)},
    **{f"blueprint {slot}": BLUEPRINT + slot + 1 for slot in BLUEPRINT_SLOTS},
}
OWED: Final = counts(RESOURCES, SWAP_STEPS)


def swap_fields(names: Names) -> Fields:
    return {
        "other": ("thing", SEAT),
        "left": ("left", number(0, SWAP_STEPS)),
        "given": ("marks", word(GIVEN, "item")),
        "moved": ("chosen", bits(word(_moved(names), "item of a swap"))),
        "owed": ("offer", OWED),
        "owed_monks": ("stage", number(0, SWAP_STEPS)),
        "scrolls_before": ("cubes", _both_slots(names)),
    }


def _moved(names: Names) -> dict[str, int]:
    return {
        **{f"{name} given": k for k, name in enumerate(FUNGIBLE)},
        **{f"{name} taken": FIRST_TAKEN + k for k, name in enumerate(FUNGIBLE)},
        **{f"scroll {name}": FIRST_SCROLL + card - 1 for name, card in names.scrolls.items()},
        **{f"blueprint {slot}": FIRST_BLUEPRINT + slot for slot in BLUEPRINT_SLOTS},
    }


def _both_slots(names: Names) -> Kind[list[int], list[list[list[str] | None]]]:
    """The scrolls of both as they were before, each as a list of pairs of card and colour, null for an empty slot."""
    mask = (1 << CARD_BITS) - 1

    def show_slot(code: int) -> list[str] | None:
        return [names.scroll.show(code & mask), COLOUR.show(code >> CARD_BITS)] if code else None

    def show(codes: list[int]) -> list[list[list[str] | None]]:
        return [[show_slot(code) for code in codes_of_slots(number)] for number in codes[:2]]

    def read_slot(value: Json) -> int:
        if value is None:
            return 0
        card, colour = (*fit_in(listed(value), 2), None, None)[:2]
        return names.scroll.read(card) | COLOUR.read(colour) << CARD_BITS

    def read(value: Json) -> list[int]:
        boards = [fit_in(listed(board), SCROLL_SLOTS) for board in fit_in(listed(value), 2)]
        numbers = [_number_of_slots([read_slot(slot) for slot in board]) for board in boards]
        return [*numbers, *[0] * (3 - len(numbers))]

    return Kind(show, read, nothing=[0, 0, 0])


def codes_of_slots(number: int) -> list[int]:
    """Card + 1 and colour + 1 of each slot, as `rules.swap` writes them, from its number."""
    width = 2 * CARD_BITS
    return [int(number) >> width * (SCROLL_SLOTS - 1 - slot) & ((1 << width) - 1) for slot in range(SCROLL_SLOTS)]


def _number_of_slots(codes: list[int]) -> int:
    number = 0
    for code in (*codes, *[0] * (SCROLL_SLOTS - len(codes))):
        number = number << 2 * CARD_BITS | code
    return number
