"""Many layouts of gear at once: compiled loops over rules that Python can't call, random weapons, and an independent
NumPy version of the rules of weapons (WEAP), without bits and fast enough for a million layouts."""

from functools import cache
from typing import Any

import numpy as np

from fujikoro_env import Game, Rules
from fujikoro_env.content.model import MAX_CARDS_PER_TYPE, Card
from fujikoro_env.kernel.commands import NO_ACTION
from fujikoro_env.kernel.jit import IntArray, entry, rule
from fujikoro_env.kernel.masks import bit, has
from fujikoro_env.kernel.records import Ints, Records, i16, i16s, i64, i64s, record, zeros
from fujikoro_env.rules.base.names import RESOURCE_KINDS, Character, Gear, Spot
from fujikoro_env.rules.base.phases import Phase
from fujikoro_env.rules.base.state import GEAR_WIDTH, Frame, Player
from fujikoro_env.rules.base.tables import LETTERS, CardTable, cards_of_type
from fujikoro_env.rules.gear.cells import filled_cells
from fujikoro_env.rules.gear.craft import cells_to_lay
from fujikoro_env.rules.gear.match import matching
from fujikoro_env.rules.gear.placement import NOWHERE, find_placement, pattern_cells
from fujikoro_env.rules.gear.weapon import (
    WEAPONS,
    first_piece,
    initiative_of,
    is_legal_weapon,
    is_usable,
    length_of,
    weapon_in,
)
from tests.helpers.invariants import COLUMNS, LEFT_COLUMNS, MASAKOS_COLUMNS, RIGHT_PART_OPEN, ROWS, WIDTH

CELLS = ROWS * WIDTH
LEFT_AREA = (0, LEFT_COLUMNS)  # first column, and the one after the last


@record
class Verdict:
    """What the rules say about the cubes on a weapon grid; for illegal ones only the first three fields."""

    pieces: int = i16()  # number of connected pieces
    first: int = i64()  # cells of the piece that has the lowest cell
    legal: int = i16()
    weapons: Ints = i64s(WEAPONS)  # cells by slot
    usable: Ints = i16s(WEAPONS)
    length: Ints = i16s(WEAPONS)
    initiative: int = i16()


@record
class Placed:
    """The best placement of a pattern."""

    found: int = i16()
    cubes: Ints = i64s(RESOURCE_KINDS)  # cells of the pattern


# The rules


@rule
def judge(me: Player, verdict: Verdict) -> None:
    """Write what the rules say about one player's weapons."""
    cells = filled_cells(me.gear[Gear.WEAPON])
    verdict.legal = is_legal_weapon(me, cells)
    verdict.first = first_piece(cells)
    while cells != 0:
        verdict.pieces += 1
        cells &= ~first_piece(cells)
    if verdict.legal == 0:
        return
    for slot in range(WEAPONS):
        piece = weapon_in(me, slot)
        verdict.weapons[slot] = piece
        verdict.usable[slot] = is_usable(me, piece)
        verdict.length[slot] = length_of(piece)
    verdict.initiative = initiative_of(me)


@entry
def judge_weapons(players: Records[Player], verdicts: Records[Verdict]) -> None:
    for k in range(len(players)):
        judge(players[k], verdicts[k])


@entry
def reach_weapons(players: Records[Player], cells: IntArray, reached: IntArray) -> None:
    """Mark the sets of these cells that can be laid cube by cube from nothing: set n contains cells[k] if n has bit
    k."""
    me = players[0]
    weapon = me.gear[Gear.WEAPON]
    reached[0] = 1
    for number in range(len(reached)):
        if reached[number] == 0:
            continue
        weapon.cubes[0] = 0
        for k in range(len(cells)):
            if has(number, k):
                weapon.cubes[0] |= bit(cells[k])
        allowed = cells_to_lay(me, Gear.WEAPON)
        for k in range(len(cells)):
            if has(allowed, cells[k]):
                reached[number | bit(k)] = 1


@entry
def match_gear(players: Records[Player], gear: int, cards: Records[CardTable], found: IntArray) -> None:
    """Match each player's gear against all cards."""
    for k in range(len(players)):
        for c in range(len(cards)):
            found[k * len(cards) + c] = matching(players[k], gear, cards[c])


@entry
def place_patterns(
    players: Records[Player], frames: Records[Frame], cards: Records[CardTable], placed: Records[Placed]
) -> None:
    """Place all cards on each player's gear, with the cubes of its pack and its frame at hand."""
    for k in range(len(players)):
        for c in range(len(cards)):
            place_pattern(players[k], frames[k], cards[c], placed[k * len(cards) + c])


@rule
def place_pattern(me: Player, frame: Frame, card: CardTable, placed: Placed) -> None:
    placement = find_placement(me, frame, card)
    if placement != NOWHERE:
        placed.found = 1
        for kind in range(RESOURCE_KINDS):
            placed.cubes[kind] = pattern_cells(card, placement, kind)


def judged(players: Any) -> Any:
    verdicts = zeros(Verdict, len(players))
    judge_weapons(players, verdicts)
    return verdicts


# Cards


@cache
def all_cards(gear: int) -> tuple[Card, ...]:
    """All gear cards of a type, then all blueprints."""
    pack = Rules().pack
    return (*cards_of_type(pack.gear_cards, gear), *cards_of_type(pack.blueprints, gear))


@cache
def card_tables(gear: int) -> Any:
    """The same cards as the rules' tables."""
    tables, first = Rules().tables[0], gear * MAX_CARDS_PER_TYPE
    rows = [
        kind[first + k]
        for kind, count in zip((tables.gear_cards, tables.blueprints), tables.card_count[:, gear], strict=True)
        for k in range(count)
    ]
    batch = zeros(CardTable, len(rows))
    for k, row in enumerate(rows):
        batch[k] = row
    return batch


# Layouts as bits of a record, as grids of bools (row, column), and as dictionaries of letters by cell


def grids_of(bits: Any) -> Any:
    return (bits[:, None] >> np.arange(CELLS) & 1).astype(bool).reshape(-1, ROWS, WIDTH)


def bits_of(grids: Any) -> Any:
    return grids.reshape(len(grids), CELLS) @ (1 << np.arange(CELLS))


def rows_of(cells: int) -> list[str]:
    """The cells of a weapon grid as rows of letters, with all three kinds."""
    letters = "".join(LETTERS[cell % 3] if cells >> cell & 1 else "." for cell in range(CELLS))
    return [letters[first : first + WIDTH] for first in range(0, CELLS, WIDTH)]


def players_with(weapons: Any, wood: Any = 0, right_part: Any = True, magic: Any = 0, character: int = 0) -> Any:
    """Players with these cells of the weapon grid filled: wood on the cells of `wood`, metal on the others."""
    players = zeros(Player, len(weapons))
    players["character"] = character
    players["gear"]["cubes"][:, Gear.WEAPON, 0] = weapons & wood
    players["gear"]["cubes"][:, Gear.WEAPON, 1] = weapons & ~np.asarray(wood)
    players["gear"]["magic"][:, Gear.WEAPON] = magic
    players["monks"][:, Spot.WEAPON] = right_part if not RIGHT_PART_OPEN[character] else 0
    return players


def write_gear(player: Any, gear: int, cubes: dict[tuple[int, int], str]) -> None:
    for kind, letter in enumerate(LETTERS):
        cells = [row * GEAR_WIDTH[gear] + column for (row, column), cube in cubes.items() if cube == letter]
        player.gear[gear].cubes[kind] = sum(1 << cell for cell in cells)


def mend(game: Game, player: int = 0) -> None:
    """Ask the owner of an illegal weapon to repair it (WEAP-6), as after a loss."""
    frame = game.state.stack[game.state.depth]
    frame.phase, frame.actor = Phase.MEND, player
    game.state.depth += 1
    game._run(NO_ACTION)


# Random weapons, among which legal and nearly legal ones are frequent


def random_weapons(luck: Any, number: int, character: int = Character.SYMMETRIC) -> Any:
    """Players with a random weapon each, some with the right part, some with magic."""
    some, last = number // 5, columns_of(character)
    board, right_area = (0, last), (LEFT_COLUMNS, last)
    grids = np.concatenate(
        [
            scattered(luck, some),
            grown(luck, some, LEFT_AREA),
            grown(luck, some, board),
            grown(luck, some, LEFT_AREA) | grown(luck, some, right_area),
            grown(luck, number - 4 * some, board) | grown(luck, number - 4 * some, board),
        ]
    )
    layouts = bits_of(grids)
    flipped = 1 << luck.integers(CELLS, size=number)
    layouts ^= np.where(luck.random(number) < 0.3, flipped, 0)
    wood = luck.integers(1 << CELLS, size=number) & luck.integers(1 << CELLS, size=number)
    return players_with(layouts, wood, luck.random(number) < 0.8, luck.integers(3, size=number), character)


def columns_of(character: int) -> int:
    return MASAKOS_COLUMNS if character == Character.MASAKO else COLUMNS


def scattered(luck: Any, number: int) -> Any:
    return luck.random((number, ROWS, WIDTH)) < luck.random((number, 1, 1)) * 0.5


def grown(luck: Any, number: int, area: tuple[int, int]) -> Any:
    """One connected piece each, grown from a cell within these columns by some of its neighbours, once or several
    times."""
    inside = np.zeros((ROWS, WIDTH), bool)
    inside[:, slice(*area)] = True
    grids = np.zeros((number, ROWS, WIDTH), bool)
    grids[np.arange(number), luck.integers(ROWS, size=number), luck.integers(*area, size=number)] = True
    times = luck.integers(1, 7, size=(number, 1, 1))
    for k in range(6):
        chosen = luck.random(grids.shape, dtype=np.float32) < 0.3
        grids |= beside(grids) & inside & chosen & (times > k)
    return grids


def beside(grids: Any) -> Any:
    """The cells with a neighbour in the grid, above, below, left or right."""
    result = np.zeros_like(grids)
    result[:, 1:] |= grids[:, :-1]
    result[:, :-1] |= grids[:, 1:]
    result[:, :, 1:] |= grids[:, :, :-1]
    result[:, :, :-1] |= grids[:, :, 1:]
    return result


# WEAP and INIT-1 by the letter, over arrays of grids


def read_weapons(players: Any) -> Any:
    """What the rules should say. All players must have the same character."""
    verdicts, character = zeros(Verdict, len(players)), int(players["character"][0])
    cubes = players["gear"]["cubes"][:, Gear.WEAPON]
    filled, wood = grids_of(np.bitwise_or.reduce(cubes, axis=1)), grids_of(cubes[:, 0])
    names = names_of_pieces(filled)
    verdicts["pieces"] = count(names == own_names())
    verdicts["first"] = bits_of(filled & (names == names_of_first_cells(filled, names)))
    left = filled & (names == names[:, :, :LEFT_COLUMNS].max(axis=(1, 2), keepdims=True))
    right = filled & ~left
    two_handed = left[:, :, LEFT_COLUMNS:].any(axis=(1, 2))
    if character == Character.TAKEKO:  # CHAR-52
        two_handed[:] = True
    most_two_handed = {Character.TAKEKO: 16, Character.TOMOE: 0}.get(Character(character), 12)
    open_right = (players["monks"][:, Spot.WEAPON] > 0) | bool(RIGHT_PART_OPEN[character])
    one_of_takeko = (character != Character.TAKEKO) | (verdicts["pieces"] <= 1)
    verdicts["legal"] = legal = (
        within_open_columns(filled, open_right, columns_of(character))
        & one_of_takeko
        & ~right[:, :, :LEFT_COLUMNS].any(axis=(1, 2))  # otherwise a second weapon in the left part
        & (verdicts["pieces"] == 1 * left.any(axis=(1, 2)) + right.any(axis=(1, 2)))  # or in the right part
        & ~(two_handed & left.any(axis=(1, 2)) & right.any(axis=(1, 2)))
        & (count(left) <= np.where(two_handed, most_two_handed, 8))
        & (count(right) <= np.where(two_handed, most_two_handed, 8))
    )
    for slot, weapon in enumerate((left, right)):
        needed = np.where(two_handed, 3, 2)
        verdicts["weapons"][:, slot] = bits_of(weapon) * legal
        verdicts["usable"][:, slot] = (count(weapon & wood) >= needed) & legal
        verdicts["length"][:, slot] = np.maximum(span(weapon, 1), span(weapon, 2)) * legal
    magic = players["gear"]["magic"][:, Gear.WEAPON, None] == [1, 2]
    longest = verdicts["length"].max(axis=1)
    magic_is_longest = ((verdicts["length"] == longest[:, None]) & magic & (longest[:, None] > 0)).any(axis=1)
    verdicts["initiative"] = longest + 4 * magic_is_longest
    return verdicts


def count(grids: Any) -> Any:
    return np.count_nonzero(grids, axis=(1, 2))


def own_names() -> Any:
    return np.arange(1, CELLS + 1, dtype=np.int8).reshape(ROWS, WIDTH)


def names_of_pieces(filled: Any) -> Any:
    """Label the pieces: each filled cell takes the highest name in its piece, from neighbour to neighbour until nothing
    changes."""
    names = own_names() * filled
    while True:
        heard = names.copy()
        for axis in (1, 2):
            here, there = np.moveaxis(heard, axis, 1), np.moveaxis(names, axis, 1)
            np.maximum(here[:, 1:], there[:, :-1], out=here[:, 1:])
            np.maximum(here[:, :-1], there[:, 1:], out=here[:, :-1])
        heard *= filled
        if (heard == names).all():
            return names
        names = heard


def names_of_first_cells(filled: Any, names: Any) -> Any:
    first = filled.reshape(len(filled), CELLS).argmax(axis=1)
    return names.reshape(len(names), CELLS)[np.arange(len(names)), first].reshape(-1, 1, 1)


def within_open_columns(filled: Any, right_part: Any, columns: int) -> Any:
    last = np.where(right_part, columns, LEFT_COLUMNS)
    return ~(filled & (np.arange(WIDTH) >= last[:, None])[:, None]).any(axis=(1, 2))


def span(grids: Any, across: int) -> Any:
    """Number of rows (across 2) or columns (across 1) from the first to the last that has a cube."""
    lines = grids.any(axis=across)
    last = lines.shape[1] - lines[:, ::-1].argmax(axis=1)
    return (last - lines.argmax(axis=1)) * lines.any(axis=1)
