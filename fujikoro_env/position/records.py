"""Looking things up in the record of a game."""

from typing import Any, Final

from fujikoro_env.rules.base.names import Character, Spot
from fujikoro_env.rules.base.state import CARD_SLOTS
from fujikoro_env.rules.characters.boards import BOARDS, Board
from fujikoro_env.rules.map.geometry import FIRST_TILE_SPACE

CELLS_OF_TILE: Final = 7


def spaces_of_place(place: int) -> range:
    first = FIRST_TILE_SPACE + CELLS_OF_TILE * place
    return range(first, first + CELLS_OF_TILE)


def board_of(me: Any) -> Board:
    return BOARDS[Character(int(me.character))]


def open_cells(me: Any, gear: int) -> int:
    """CRAFT-6, WEAP-3: the right part of the weapon grid needs the weapon monk, or a character's board."""
    return board_of(me).cells(gear, bool(me.monks[Spot.WEAPON]))


def slots_at(cards: Any, where: int) -> list[int]:
    """Slots of the cards that lie there; hidden ones have a slot, too (SCEN-12)."""
    return [slot for slot, place in enumerate(cards["where"].tolist()) if place == where]


def gear_of_slot(slot: int) -> int:
    return slot // CARD_SLOTS


def is_touched(record: Any) -> bool:
    """Whether anything but zeros is there."""
    return bool(record.tobytes().strip(b"\0"))
