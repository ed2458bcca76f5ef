"""WEAPON: decides which layouts of cubes are weapons, by bit operations on the grid.

A cell is the bit row * 10 + column. The left part is columns 0 to 4, the right part the rest (CRAFT-6). A player has at
most two weapons, in the slots LEFT (also for a two-handed one) and RIGHT. In fights Tomoe's sandals are a third one, in
the slot WORN (CHAR-63).

REPAIR asks for cubes to be taken off until the weapon is legal.
"""

from fujikoro_env.kernel.jit import Words, rule
from fujikoro_env.kernel.masks import allow, count_bits, has
from fujikoro_env.rules.base.actions import CELL, FIRST_CELL
from fujikoro_env.rules.base.frames import pop, push, top
from fujikoro_env.rules.base.names import Character, Cube, Gear
from fujikoro_env.rules.base.phases import Phase
from fujikoro_env.rules.base.state import GEAR_CELLS, GEAR_HEIGHT, GEAR_WIDTH, Player, State
from fujikoro_env.rules.characters.boards import LEFT_PART, most_one_handed, most_two_handed, open_cells
from fujikoro_env.rules.gear.cells import filled_cells, kind_on, take_off

WIDTH = GEAR_WIDTH[Gear.WEAPON]
HEIGHT = GEAR_HEIGHT[Gear.WEAPON]
WEAPON_CELLS = GEAR_CELLS[Gear.WEAPON]
FIRST_WEAPON_CELL = FIRST_CELL[Gear.WEAPON]
ALL_CELLS = (1 << WEAPON_CELLS) - 1
FIRST_ROW = (1 << WIDTH) - 1
FIRST_COLUMN = sum(1 << (row * WIDTH) for row in range(HEIGHT))
NOT_FIRST_COLUMN = ALL_CELLS & ~FIRST_COLUMN
NOT_LAST_COLUMN = ALL_CELLS & ~(FIRST_COLUMN << (WIDTH - 1))
ONE_HANDED_WOOD = 2
TWO_HANDED_WOOD = 3
LEFT, RIGHT, WORN = 0, 1, 2
WEAPONS = 2  # slots on the weapon grid
ARMS = 3  # slots that can fight
MAGIC_INITIATIVE = 4


@rule
def spread(cells: int) -> int:
    """Return the cells and all cells that share a side with them."""
    sideways = ((cells & NOT_LAST_COLUMN) << 1) | ((cells & NOT_FIRST_COLUMN) >> 1)
    return (cells | sideways | (cells << WIDTH) | (cells >> WIDTH)) & ALL_CELLS


@rule
def first_piece(cells: int) -> int:
    """Return all cells connected to the lowest one (WEAP-1)."""
    piece = cells & -cells
    grown = spread(piece) & cells
    while grown != piece:
        piece = grown
        grown = spread(piece) & cells
    return piece


@rule
def is_one_handed(me: Player, piece: int) -> bool:
    """Whether a weapon is one-handed, that is, within one part (WEAP-2). Takeko's weapons are always two-handed
    (CHAR-52)."""
    return (piece & LEFT_PART == 0 or piece & ~LEFT_PART == 0) and most_one_handed(me) > 0


@rule
def is_legal_piece(me: Player, piece: int) -> bool:
    """Whether a weapon has at most 8 cubes in one part, or at most 12 across both (WEAP-2, WEAP-4); characters have
    their own limits."""
    if is_one_handed(me, piece):
        return count_bits(piece) <= most_one_handed(me)
    return count_bits(piece) <= most_two_handed(me)


@rule
def is_legal_weapon(me: Player, cells: int) -> bool:
    """Whether the cells are legal: nothing, one weapon, or two one-handed ones in different parts (WEAP-1 to
    WEAP-6)."""
    if cells & ~open_cells(me, Gear.WEAPON) != 0:
        return False
    if cells == 0:
        return True
    one = first_piece(cells)
    if not is_legal_piece(me, one):
        return False
    if one == cells:
        return True
    other = first_piece(cells & ~one)
    if one | other != cells or not is_legal_piece(me, other):
        return False
    return is_one_handed(me, one) and is_one_handed(me, other) and slot_of(one) != slot_of(other)


@rule
def cells_for_new_weapon(me: Player, cells: int) -> int:
    """Return the cells where a cube that touches no other may start a weapon: those of the free part (WEAP-4)."""
    if cells == 0:
        return ALL_CELLS
    if most_one_handed(me) == 0:
        return 0
    if cells & LEFT_PART == 0:
        return LEFT_PART
    return ALL_CELLS & ~LEFT_PART if cells & ~LEFT_PART == 0 else 0


@rule
def slot_of(piece: int) -> int:
    """Return the slot of a weapon."""
    return RIGHT if piece & LEFT_PART == 0 else LEFT


@rule
def weapon_in(me: Player, slot: int) -> int:
    """Return the cells of the weapon in a slot, or 0."""
    cells = filled_cells(me.gear[Gear.WEAPON])
    while cells != 0:
        piece = first_piece(cells)
        if slot_of(piece) == slot:
            return piece
        cells &= ~piece
    return 0


@rule
def is_usable(me: Player, piece: int) -> bool:
    """Whether a weapon is usable: one-handed with at least 2 wood, two-handed with at least 3 (WEAP-5)."""
    if piece == 0:
        return False
    needed = ONE_HANDED_WOOD if is_one_handed(me, piece) else TWO_HANDED_WOOD
    return count_bits(me.gear[Gear.WEAPON].cubes[Cube.WOOD] & piece) >= needed


@rule
def may_fight_with(me: Player, slot: int) -> bool:
    """Whether a slot can fight (WEAP-5). Tomoe's sandals can with 2 wood, connected or not (CHAR-63)."""
    if slot == WORN:
        wood = count_bits(me.gear[Gear.SANDALS].cubes[Cube.WOOD])
        return me.character == Character.TOMOE and wood >= ONE_HANDED_WOOD
    return is_usable(me, weapon_in(me, slot))


@rule
def has_usable_weapon(me: Player) -> bool:
    """Whether the player can fight with anything."""
    return may_fight_with(me, LEFT) or may_fight_with(me, RIGHT) or may_fight_with(me, WORN)


@rule
def gear_of_arm(slot: int) -> int:
    """Return the gear that a slot belongs to."""
    return Gear.SANDALS + 0 if slot == WORN else Gear.WEAPON + 0


@rule
def cells_of_arm(me: Player, slot: int) -> int:
    """Return the cells of a slot in its gear."""
    return filled_cells(me.gear[Gear.SANDALS]) if slot == WORN else weapon_in(me, slot)


@rule
def has_magic(me: Player, slot: int) -> bool:
    """Whether the magic cube is on the weapon in this slot."""
    return me.gear[Gear.WEAPON].magic == slot + 1


@rule
def length_of(piece: int) -> int:
    """Return the number of columns that a weapon spans, or of rows if greater (INIT-1)."""
    rows, columns = 0, 0
    for row in range(HEIGHT):
        if piece & (FIRST_ROW << (row * WIDTH)) != 0:
            rows += 1
    for column in range(WIDTH):
        if piece & (FIRST_COLUMN << column) != 0:
            columns += 1
    return max(rows, columns)


@rule
def initiative_of(me: Player) -> int:
    """Return the length of the longest weapon, usable or not, plus 4 if that weapon is magic; 0 without one
    (INIT-1)."""
    return initiative_with(me, weapon_in(me, LEFT), weapon_in(me, RIGHT))


@rule
def initiative_with(me: Player, left: int, right: int) -> int:
    """Return the initiative, given the cells of both weapons (0 for none)."""
    longest = length_of_sandals(me) if may_fight_with(me, WORN) else 0  # CHAR-63: their magic has no effect in fights
    initiative = longest
    for slot in range(WEAPONS):
        length = length_of(left if slot == LEFT else right)
        with_magic = length + (MAGIC_INITIATIVE if length > 0 and has_magic(me, slot) else 0)
        if length > longest or (length == longest and with_magic > initiative):  # equally long: the magic one counts
            longest, initiative = length, with_magic
    return initiative


@rule
def length_of_sandals(me: Player) -> int:
    """Return the number of columns that the sandals span, including gaps (INIT-1)."""
    cells, length = filled_cells(me.gear[Gear.SANDALS]), 0
    while cells != 0 and cells & 1 == 0:
        cells >>= 1
    while cells != 0:
        cells >>= 1
        length += 1
    return length


@rule
def ask_repair(s: State, p: int) -> None:
    """Ask for cubes to be taken off if the weapon is illegal (WEAP-6)."""
    me = s.players[p]
    if not is_legal_weapon(me, filled_cells(me.gear[Gear.WEAPON])):
        push(s, Phase.REPAIR, p)


@rule
def legal_repair(s: State, mask: Words) -> None:
    """Allow each cube of the weapon grid."""
    cells = filled_cells(s.players[top(s).actor].gear[Gear.WEAPON])
    for cell in range(WEAPON_CELLS):
        if has(cells, cell):
            allow(mask, CELL + FIRST_WEAPON_CELL + cell)


@rule
def do_repair(s: State, action: int) -> None:
    """Take cubes off one by one, without moving any, just until the weapon is legal."""
    me = s.players[top(s).actor]
    weapon = me.gear[Gear.WEAPON]
    cell = action - CELL - FIRST_WEAPON_CELL
    take_off(s, weapon, kind_on(weapon, cell), cell)
    if is_legal_weapon(me, filled_cells(weapon)):
        pop(s)
