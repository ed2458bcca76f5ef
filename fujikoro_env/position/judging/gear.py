"""Gear: cubes on their grids, weapons, magic."""

from typing import Any

from fujikoro_env.content.model import GEAR
from fujikoro_env.position.judging.case import Case
from fujikoro_env.position.kinds import members
from fujikoro_env.position.lookup import board_of, open_cells
from fujikoro_env.rules.base.names import Gear
from fujikoro_env.rules.base.phases import Phase
from fujikoro_env.rules.base.state import GEAR_WIDTH
from fujikoro_env.rules.characters.boards import LEFT_PART

Cell = tuple[int, int]  # row, column


def judge_gear(case: Case, p: int) -> None:
    me, where = case.people[p], f"players[{p}]"
    for gear, name in enumerate(GEAR):
        outside = filled(me.gear[gear]) & ~open_cells(me, gear)
        rule = "WEAP-3" if gear == Gear.WEAPON and not outside & ~board_of(me).right_part else "CRAFT-6"
        case.want(f"{where}.gear.{name}", not outside, "cubes outside the open grid", rule)
        _judge_magic(case, p, gear)
    if not case.has_frame(p, Phase.MEND) and (fault := weapon_fault(me)):
        case.faults.add(f"{where}.gear.weapon", *fault)


def _judge_magic(case: Case, p: int, gear: int) -> None:
    """It may lie on nothing for a moment, while cubes go or are laid anew."""
    grid = case.people[p].gear[gear]
    if not grid.magic or case.has_frame(p, Phase.PAY, Phase.MEND, Phase.CRAFT_LAY, Phase.WASTE):
        return
    slots = [is_right(piece) for piece in weapons(filled(grid))] if gear == Gear.WEAPON else [filled(grid) == 0]
    fits = (grid.magic == 2) in slots
    case.want(f"players[{p}].magic", fits, f"no such {GEAR[gear]} for the magic to lie on", "MAGIC-1")


def filled(grid: Any) -> int:
    return int(grid.cubes[0]) | int(grid.cubes[1]) | int(grid.cubes[2])


def cubes_on(grid: Any, cells: int = -1) -> list[int]:
    """How many of each kind, on these cells alone."""
    return [(int(of_kind) & cells).bit_count() for of_kind in grid.cubes]


def strength(grid: Any) -> int:
    """DMG-1: wood absorbs 1, metal 2, tooth 3, magic 4."""
    return sum((kind + 1) * n for kind, n in enumerate(cubes_on(grid))) + 4 * bool(grid.magic)


# --- weapons --------------------------------------------------------------------------------------------------------


def weapons(cells: int) -> list[int]:
    """The groups of cells of the weapon grid that hang together side by side (WEAP-1), as bit sets."""
    width = GEAR_WIDTH[Gear.WEAPON]
    todo, found = {divmod(cell, width) for cell in members(cells)}, []
    while todo:
        piece, edge = set[Cell](), [todo.pop()]
        while edge:
            row, column = edge.pop()
            piece.add((row, column))
            beside = {(row - 1, column), (row + 1, column), (row, column - 1), (row, column + 1)} & todo
            todo -= beside
            edge += beside
        found.append(sum(1 << row * width + column for row, column in piece))
    return found


def is_right(weapon: int) -> bool:
    return not weapon & LEFT_PART


def is_one_handed(me: Any, weapon: int) -> bool:
    """CHAR-52: Takeko's weapons never are."""
    return (is_right(weapon) or not weapon & ~LEFT_PART) and board_of(me).one_handed > 0


def weapon_fault(me: Any) -> tuple[str, str] | None:
    """What is wrong with a player's weapons, and by which rule."""
    found, board = weapons(filled(me.gear[Gear.WEAPON])), board_of(me)
    for weapon in found:
        if fault := _size_fault(me, weapon):
            return fault
    if len(found) > 1 and not board.one_handed:
        return f"{len(found)} weapons of Takeko, at most one", "CHAR-52"
    if len(found) > 2:
        return f"{len(found)} weapons, at most two", "WEAP-6"
    if len(found) == 2 and not all(is_one_handed(me, weapon) for weapon in found):
        return "one- and two-handed weapons together", "WEAP-6"
    if len(found) == 2 and is_right(found[0]) == is_right(found[1]):
        return "two weapons in one part", "WEAP-6"
    return None


def _size_fault(me: Any, weapon: int) -> tuple[str, str] | None:
    size, board = weapon.bit_count(), board_of(me)
    if is_one_handed(me, weapon):
        too_large = f"{size} cubes in a one-handed weapon, at most {board.one_handed}"
        return (too_large, "WEAP-2") if size > board.one_handed else None
    if not board.two_handed:
        return "a two-handed weapon of Tomoe", "CHAR-61"
    too_large = f"{size} cubes in a two-handed weapon, at most {board.two_handed}"
    return (too_large, "WEAP-4") if size > board.two_handed else None
