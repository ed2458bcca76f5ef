"""Typed access to the records of a game from Python: whole arrays, fields by name, and look-ups that readers and
writers share.

For type checkers, arrays in records (`Ints`, `Records`) only return single members, because rules need no more.
Positions also need whole arrays. At run time the fields are NumPy arrays, and the functions here type them as such.
"""

from typing import Any, Final, TypeVar, cast

import numpy as np
from numpy.typing import NDArray

from fujikoro_env.kernel.records import Ints, Records
from fujikoro_env.rules.base.counters import Counts
from fujikoro_env.rules.base.names import Character, Gear, Spot
from fujikoro_env.rules.base.state import CARD_SLOTS, Card, Fight, Fighter, Frame, Player
from fujikoro_env.rules.characters.boards import BOARDS, Board
from fujikoro_env.rules.map.geometry import FIRST_TILE_SPACE

R = TypeVar("R")
IntArray = NDArray[np.integer[Any]]  # of any width: fields have 8, 16 or 64 bits

CELLS_OF_TILE: Final = 7


# --- arrays and fields ----------------------------------------------------------------------------------------------


def array_of(field: Ints) -> IntArray:
    """The array itself, not a copy."""
    return cast(IntArray, field)


def numbers_in(field: Ints) -> list[int]:
    """The members of an array as Python integers."""
    numbers: list[int] = array_of(field).tolist()
    return numbers


def rows_of(records: Records[R], count: int | None = None) -> list[R]:
    """The records of an array, or the first `count` of them. They share memory with the array."""
    return [records[k] for k in range(len(records) if count is None else count)]


def column_of(records: Records[R], *path: str) -> IntArray:
    """One field of all records of an array: `column_of(s.players, "gear", "magic")`."""
    column: Any = records  # NumPy has no types for the fields of structured arrays
    for name in path:
        column = column[name]
    return cast(IntArray, column)


def code_in(record: Frame | Fight | Fighter | Counts, field: str) -> Any:
    """The value of a field by name: an integer or a list of integers. The type is `Any` because only the field's kind
    knows which."""
    return cast(Any, record)[field].tolist()


def write_code(record: Frame | Fight | Fighter | Counts, field: str, code: int | list[int]) -> None:
    """Set a field by name. A list may be shorter than the array; it fills the beginning."""
    fields: Any = record  # NumPy has no types for the fields of records
    if isinstance(code, list):
        fields[field][: len(code)] = code
    else:
        fields[field] = code


def is_touched(record: Fight) -> bool:
    """Whether any byte is not zero."""
    return bool(cast("np.void", record).tobytes().strip(b"\0"))


# --- look-ups -------------------------------------------------------------------------------------------------------


def spaces_of_place(place: int) -> range:
    """The spaces of a place."""
    first = FIRST_TILE_SPACE + CELLS_OF_TILE * place
    return range(first, first + CELLS_OF_TILE)


def board_of(me: Player) -> Board:
    """The board of a player's character."""
    return BOARDS[Character(int(me.character))]


def open_cells(me: Player, gear: int) -> int:
    """The cells of a gear that are open. The right part of the weapon grid needs the weapon monk, or a character's
    board (CRAFT-6, WEAP-3)."""
    return board_of(me).cells(gear, bool(me.monks[Spot.WEAPON]))


def has_weapon_card(me: Player) -> bool:
    """Whether the player's weapon card lies under an action."""
    return Gear.WEAPON + 1 in numbers_in(me.card_on)


def slots_at(cards: Records[Card], where: int) -> list[int]:
    """Slots of the cards that lie there. Hidden cards have a slot too (SCEN-12)."""
    return [slot for slot, place in enumerate(column_of(cards, "where").tolist()) if place == where]


def gear_of_slot(slot: int) -> int:
    """The gear type of a card slot."""
    return slot // CARD_SLOTS
