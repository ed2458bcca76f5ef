"""Tables of fields: the name in the JSON, the field of the record, and its kind."""

from functools import cache
from typing import Any, Final, TypeAlias

from fujikoro_env.content.model import MAX_PRINTED, RESOURCES, SCROLL_POWERS
from fujikoro_env.kernel.position.kinds import FLAG, Json, Kind, bits, counts, fit_in, listed, number, word
from fujikoro_env.position.kinds import WEAPON_MARKS, layout
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
from fujikoro_env.rules.base.names import Adventure, ScrollPower
from fujikoro_env.rules.base.phase_entry import Holds, Keeps
from fujikoro_env.rules.base.phases import Phase
from fujikoro_env.rules.base.state import PLAYERS, SCROLL_SLOTS, Fight, Fighter, Frame
from fujikoro_env.rules.coop.swap import CARD_BITS, FIRST_BLUEPRINT, FIRST_SCROLL, FIRST_TAKEN, ITEMS, PACK_ITEMS
from fujikoro_env.rules.gear.craft import AFTER_ACTION, BY_TOKEN, SANDALS_TOO
from fujikoro_env.rules.gear.weapon import LEFT
from fujikoro_env.rules.map.geometry import START

# A field of a record is an integer or an array of integers. NumPy's types don't tell which, hence `Any`.
FieldKind: TypeAlias = Kind[Any, Json]
Fields: TypeAlias = dict[str, tuple[str, FieldKind]]


def show_fields(record: Frame | Fight | Fighter, fields: Fields) -> dict[str, Json]:
    """The fields of a record, without those that hold the code for nothing."""
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
    """The fields of a fight."""
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

# Kinds of things that frames always state, even where the code could be left out.
NEEDED: Final = (Holds.TILE, Holds.SCROLL, Holds.COLOUR, Holds.GEAR_CARD, Holds.DRAGON)

_AIMED_POWERS: Final = {
    "dragon_bane": int(ScrollPower.DRAGON_BANE),
    "harpoon": len(SCROLL_POWERS) + Adventure.HARPOON,
}
_MOVE_MARKS: Final = {"on_card": 0, "jumped": 1, "stolen": 2, "sneak": 3, "sneaking": 4}  # bits of ON_CARD and so on
_CRAFTS: Final = {"by_token": BY_TOKEN, "after_action": AFTER_ACTION, "sandals_too": SANDALS_TOO}


@cache
def _kinds(names: Names) -> dict[Holds, FieldKind]:
    """How each kind of thing that a frame may hold is written, except for those that `_kind_of` makes for a single
    field."""
    return {
        Holds.FLAG: FLAG,
        Holds.PLAYER: SEAT,
        Holds.PLAYER_OR_NONE: number(0, PLAYERS),
        Holds.SPACE: SPACE,
        Holds.SPACE_OR_NONE: SPACE_OR_NONE,
        Holds.PLACE: PLACE,
        Holds.TILE: names.tile,
        Holds.DRAGON: names.dragon,
        Holds.DRAGONS: bits(names.dragon_bit),
        Holds.GEAR: GEAR_WORD,
        Holds.GEARS: bits(GEAR_WORD),
        Holds.GEAR_CARD: names.gear_card,
        Holds.SCROLL: names.scroll,
        Holds.COLOUR: COLOUR,
        Holds.CELLS: WEAPON_MARKS,
        Holds.WEAPON: SIDE,
        Holds.WEAPON_OR_LEFT: Kind(SIDE.show, SIDE.read, nothing=LEFT),
        Holds.DISC_FIELD: FIELD,
        Holds.HALVES: bits(word({"main": 0, "bonus": 1}, "half")),
        Holds.MOVE_MARKS: bits(word(_MOVE_MARKS, "mark of a move")),
        Holds.MONK_SOURCE: word(MONK_SOURCES, "source"),
        Holds.MONK_SPOT: SPOT,
        Holds.CRAFT: word(_CRAFTS, "craft outside a rest"),
        Holds.POWER: word(_AIMED_POWERS, "power"),
        Holds.SWAP_ITEM: word(GIVEN, "item"),
        Holds.SWAP_ITEMS: bits(word(_moved(names), "item of a swap")),
        Holds.SWAP_SCROLLS: _both_slots(names),
    }


def _kind_of(field: Keeps, names: Names, gear: int) -> FieldKind:
    """The kind of a field. `gear`: the gear that the frame is about, if any."""
    match field.holds:
        case Holds.NUMBER:
            return number(field.least, field.most)
        case Holds.RESOURCES:
            return counts(RESOURCES, field.most)
        case Holds.LAYOUT:
            return layout(gear)
        case _:
            return _kinds(names)[field.holds]


def _depends_on_frame(field: Keeps) -> bool:
    return field.stage is not None or field.holds == Holds.LAYOUT


@cache
def frame_fields(phase: Phase, names: Names) -> Fields:
    """Fields that every frame of the phase has."""
    fields = [field for field in phase.entry.keeps if not _depends_on_frame(field)]
    return {field.name: (field.slot, _kind_of(field, names, 0)) for field in fields}


def more_frame_fields(phase: Phase, names: Names, frame: Frame) -> Fields:
    """Fields that only this frame has: those of its stage, and the layout of its gear."""
    fields = [field for field in phase.entry.keeps if _depends_on_frame(field) and field.stage in (None, frame.stage)]
    return {field.name: (field.slot, _kind_of(field, names, int(frame.thing))) for field in fields}


# --- swaps (COOP-17) ------------------------------------------------------------------------------------------------

FUNGIBLE: Final = (*RESOURCES, "monk")
BLUEPRINT_SLOTS: Final = range(ITEMS - PACK_ITEMS)
GIVEN: Final = {  # code of the action that names the item, + 1
    **{name: ITEM + k + 1 for k, name in enumerate(TABLE["item"].arguments)},
    **{f"blueprint {slot}": BLUEPRINT + slot + 1 for slot in BLUEPRINT_SLOTS},
}


def _moved(names: Names) -> dict[str, int]:
    return {
        **{f"{name} given": k for k, name in enumerate(FUNGIBLE)},
        **{f"{name} taken": FIRST_TAKEN + k for k, name in enumerate(FUNGIBLE)},
        **{f"scroll {name}": FIRST_SCROLL + card - 1 for name, card in names.scrolls.items()},
        **{f"blueprint {slot}": FIRST_BLUEPRINT + slot for slot in BLUEPRINT_SLOTS},
    }


def _both_slots(names: Names) -> Kind[list[int], list[list[list[str] | None]]]:
    """Kind for the scrolls of both players before the swap: for each a list of pairs of card and colour, null for an
    empty slot."""
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
    """Card + 1 and colour + 1 of each slot, unpacked from the number that `rules.swap` writes."""
    width = 2 * CARD_BITS
    return [int(number) >> width * (SCROLL_SLOTS - 1 - slot) & ((1 << width) - 1) for slot in range(SCROLL_SLOTS)]


def _number_of_slots(codes: list[int]) -> int:
    number = 0
    for code in (*codes, *[0] * (SCROLL_SLOTS - len(codes))):
        number = number << 2 * CARD_BITS | code
    return number
