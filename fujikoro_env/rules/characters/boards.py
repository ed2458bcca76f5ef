"""CHAR: the table of player boards, and small functions by which other chapters query it.

Powers that are not numbers on a board are in the chapters where they act: craft.py (Yoshihiro, Masako), jump.py
(Mitsuhide), weapon.py and attack.py (Takeko, Tomoe), sneak.py, dragon_fight.py and reactions.py (Daisuke).
"""

from dataclasses import dataclass
from typing import Final

from fujikoro_env.content.model import COLOURS
from fujikoro_env.kernel.jit import rule
from fujikoro_env.rules.base.names import GEARS, SPOTS, Character, Gear, Spot
from fujikoro_env.rules.base.state import GEAR_WIDTH, SCROLL_SLOTS, Player

Cubes = tuple[int, int, int]  # wood, metal, teeth

LEFT_COLUMNS: Final = 5
WEAPON_ROWS: Final = 5
NO_CUBES: Final[Cubes] = (0, 0, 0)


@dataclass(frozen=True)
class Board:
    """A player's board. The defaults are those of the symmetric board."""

    colour: str = ""  # colour of its scroll tokens; any on the symmetric board, none for Daisuke (SETUP-12)
    discs: int = 3
    steps: int = 2  # steps of a move
    helmet: tuple[int, int] = (2, 4)  # rows and columns
    right_columns: int = 3  # columns of the weapon grid to the right of the left 5
    right_part_open: bool = False  # usable without a monk
    sandals: int = 3  # columns
    one_handed: int = 8  # most cubes of a one-handed weapon; 0: every weapon counts as two-handed
    two_handed: int = 12  # most cubes of a two-handed weapon; 0: not allowed
    pack: int = 6  # slots
    second_pack: int = 5  # additional slots with a monk
    scroll_slots: int = 1  # slots usable without a monk
    pool_room: int = 1  # monks that fit in the pool
    # starting pieces; those of the weapon and the pack are content
    pool_monks: int = 0
    first_helmet: Cubes = NO_CUBES

    def room(self, spot: int) -> int:
        """Return how many monks fit on a spot. An ability that is available without a monk has no monk spot
        (CHAR-1)."""
        rooms = {
            Spot.POOL: self.pool_room,
            Spot.SCROLL: SCROLL_SLOTS - self.scroll_slots,
            Spot.WEAPON: int(not self.right_part_open),
            Spot.PACK: int(self.second_pack > 0),
        }
        return rooms[Spot(spot)]

    @property
    def right_part(self) -> int:
        """Cells of the right part of the weapon grid, as bits."""
        return rectangle(Gear.WEAPON, WEAPON_ROWS, LEFT_COLUMNS, self.right_columns)

    def cells(self, gear: int, weapon_monk: bool = True) -> int:
        """Return the usable cells of a gear grid, as bits (CRAFT-6, WEAP-3)."""
        if gear == Gear.HELMET:
            return rectangle(Gear.HELMET, self.helmet[0], 0, self.helmet[1])
        if gear == Gear.SANDALS:
            return rectangle(Gear.SANDALS, 1, 0, self.sandals)
        return LEFT_PART | (self.right_part if weapon_monk or self.right_part_open else 0)


def rectangle(gear: Gear, rows: int, first_column: int, columns: int) -> int:
    """Return a rectangle of cells of a gear grid, as bits."""
    width = GEAR_WIDTH[gear]
    cells = [row * width + first_column + column for row in range(rows) for column in range(columns)]
    return sum(1 << cell for cell in cells)


LEFT_PART: Final = rectangle(Gear.WEAPON, WEAPON_ROWS, 0, LEFT_COLUMNS)

BOARDS: Final[dict[Character, Board]] = {
    Character.SYMMETRIC: Board(),
    Character.YOSHIHIRO: Board("red", discs=4),  # CHAR-11
    Character.MASAKO: Board(  # CHAR-21, CHAR-22
        "pink", steps=3, sandals=5, right_columns=5, right_part_open=True
    ),
    Character.MASATSURA: Board(  # CHAR-31, CHAR-32
        "green", helmet=(3, 4), pack=15, second_pack=0, first_helmet=(2, 2, 0)
    ),
    Character.MITSUHIDE: Board("blue", scroll_slots=2),  # CHAR-41, CHAR-42
    Character.TAKEKO: Board(  # CHAR-51, CHAR-52
        "purple", right_part_open=True, one_handed=0, two_handed=16
    ),
    Character.TOMOE: Board(  # CHAR-61, CHAR-62
        "black", discs=2, pool_room=2, pool_monks=1, right_part_open=True, two_handed=0
    ),
    Character.DAISUKE: Board("", steps=3, helmet=(1, 3)),  # CHAR-71
}
PLAYABLE: Final = tuple(character for character in Character if character != Character.SYMMETRIC)
ANY_CHARACTER: Final = len(Character)  # in the settings: a character dealt at random

# The boards as tuples of numbers by character, which compiled code can index. Indexing a tuple with a number that is
# unknown at compile time is slow, so the most frequent queries take a shortcut for the symmetric board.
_EACH = tuple(BOARDS[character] for character in Character)
_DISCS = tuple(board.discs for board in _EACH)
_STEPS = tuple(board.steps for board in _EACH)
_SANDALS = tuple(board.sandals for board in _EACH)
_CELLS = tuple(board.cells(gear, weapon_monk=False) for board in _EACH for gear in range(GEARS))
SYMMETRIC_WEAPON = _CELLS[Gear.WEAPON]
_RIGHT_PART = tuple(board.right_part for board in _EACH)
_ONE_HANDED = tuple(board.one_handed for board in _EACH)
_TWO_HANDED = tuple(board.two_handed for board in _EACH)
_PACK = tuple(board.pack for board in _EACH)
_SECOND_PACK = tuple(board.second_pack for board in _EACH)
_SCROLL_SLOTS = tuple(board.scroll_slots for board in _EACH)
_ROOM = tuple(board.room(spot) for board in _EACH for spot in range(SPOTS))
_POOL_MONKS = tuple(board.pool_monks for board in _EACH)
_FIRST_HELMET = tuple(number for board in _EACH for number in board.first_helmet)
_COLOUR = tuple(COLOURS.index(board.colour) + 1 if board.colour else 0 for board in _EACH)


@rule
def discs_of(me: Player) -> int:
    """Return the number of discs at the start, without those that monks bring (SETUP-6, CHAR-11, CHAR-62)."""
    return _DISCS[me.character]


@rule
def steps_of_board(me: Player) -> int:
    """Return the basic number of steps of a move (MOVE-1, CHAR-22, CHAR-71)."""
    return _STEPS[me.character]


@rule
def completed_sandals(me: Player) -> int:
    """Return the number of cubes that complete the sandals (CRAFT-5, CHAR-22)."""
    return _SANDALS[me.character]


@rule
def open_cells(me: Player, gear: int) -> int:
    """Return the usable cells of a gear grid (CRAFT-6). The right part of the weapon grid needs the weapon monk on most
    boards (WEAP-3)."""
    if gear == Gear.WEAPON and me.character == Character.SYMMETRIC:
        return SYMMETRIC_WEAPON | _RIGHT_PART[0] if me.monks[Spot.WEAPON] > 0 else SYMMETRIC_WEAPON
    cells = _CELLS[me.character * GEARS + gear]
    if gear == Gear.WEAPON and me.monks[Spot.WEAPON] > 0:
        cells |= _RIGHT_PART[me.character]
    return cells


@rule
def most_one_handed(me: Player) -> int:
    """Return the most cubes of a one-handed weapon (WEAP-2); 0 for Takeko, whose weapons all count as two-handed
    (CHAR-52)."""
    return _ONE_HANDED[0] if me.character == Character.SYMMETRIC else _ONE_HANDED[me.character]


@rule
def most_two_handed(me: Player) -> int:
    """Return the most cubes of a two-handed weapon (WEAP-4, CHAR-51); 0 for Tomoe, whose board allows none
    (CHAR-61)."""
    return _TWO_HANDED[0] if me.character == Character.SYMMETRIC else _TWO_HANDED[me.character]


@rule
def capacity(me: Player) -> int:
    """Return the number of pack slots: 6, plus 5 with a monk on the second pack (PACK-1); 15 for Masatsura
    (CHAR-32)."""
    if me.character == Character.SYMMETRIC:
        return _PACK[0] + _SECOND_PACK[0] if me.monks[Spot.PACK] > 0 else _PACK[0]
    if me.monks[Spot.PACK] > 0:
        return _PACK[me.character] + _SECOND_PACK[me.character]
    return _PACK[me.character]


@rule
def scroll_slots_of(me: Player) -> int:
    """Return the number of usable scroll slots. The second one needs the scroll monk (MONK-2), except for Mitsuhide
    (CHAR-42)."""
    return _SCROLL_SLOTS[me.character] + me.monks[Spot.SCROLL]


@rule
def room_for_monks(me: Player, spot: int) -> int:
    """Return how many monks fit on a spot (MONK-2, CHAR-1, CHAR-62)."""
    return _ROOM[me.character * SPOTS + spot]


@rule
def first_pool_monks(me: Player) -> int:
    """Return the number of monks in the pool at the start."""
    return _POOL_MONKS[me.character]


@rule
def first_helmet_cubes(me: Player, kind: int) -> int:
    """Return the number of starting cubes of a kind for the helmet."""
    return _FIRST_HELMET[me.character * 3 + kind]


@rule
def colour_of(me: Player) -> int:
    """Return the colour + 1 of a character, or 0 for none (SETUP-12)."""
    return _COLOUR[me.character]
