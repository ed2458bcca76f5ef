"""The compact observation: one flat vector of numbers from -1 to 1, for small networks on a CPU.

One table, `PARTS`, says what lies where, and docs/compact.md is written from it. Each part has a writer below, in the same
order; a writer begins at a place in the vector and gives the place after its last number. The observer is seat 0 and
the others follow in playing order; the layout is the same for every player count, and what is not there is 0.

Numbers are counts divided by what is a lot of them (a count beyond that is cut off at 1), and flags. A network that is
small and sees each space of the map as a number of its own has a hard time finding ways, so ways are spelled out: three
columns of `map` say how good a space is to stand on for gathering, exploring and meeting dragons. They are greatest
where the thing is and fade with every step that it takes to walk there.

Nothing that the observer can't see is written: no source of luck, no loaded dice, no tile on top of a stack.
"""

from dataclasses import dataclass
from typing import Final

import numpy as np

from fujikoro_env.content.model import ADVENTURE_POWERS, SCROLL_POWERS
from fujikoro_env.rules.board import dragon_on_tile_of, is_lava, is_open, is_temple
from fujikoro_env.rules.damage import strength, worth
from fujikoro_env.rules.dragons import dragon_health
from fujikoro_env.rules.explore import TOUCHED, may_explore
from fujikoro_env.rules.fight import battle_initiative
from fujikoro_env.rules.frames import top
from fujikoro_env.rules.gather import can_find
from fujikoro_env.rules.gearcards import has_gear_card
from fujikoro_env.rules.gearcells import filled_cells, kind_on
from fujikoro_env.rules.geometry import LATTICE_MIDDLE, PLACES, SPACES, START, geometry
from fujikoro_env.rules.jit import Floats, FloatTable, IntArray, entry, rule
from fujikoro_env.rules.masks import count_bits, has
from fujikoro_env.rules.names import (
    CUBE_KINDS,
    DISC_FIELDS,
    GEARS,
    RESOURCE_KINDS,
    SPOTS,
    SUPPLIES,
    Cube,
    Find,
    Gear,
    Outside,
    Reason,
    Where,
)
from fujikoro_env.rules.pack import blueprints_of, capacity, free_slots, owns_blueprint_of, resources_in_pack, scrolls_of
from fujikoro_env.rules.phases import QUESTIONS, Phase
from fujikoro_env.rules.records import Records
from fujikoro_env.rules.stages import FIRST_ACTION
from fujikoro_env.rules.state import CARD_SLOTS, GEAR_CELLS, PLAYERS, SCROLL_DISPLAY, SCROLL_SLOTS, Card, Player, State
from fujikoro_env.rules.tables import CELLS_OF_TILE, CardTable, Tables
from fujikoro_env.rules.weapon import WEAPONS, has_magic, has_usable_weapon, is_usable, weapon_in


@dataclass(frozen=True)
class Column:
    """What a part tells of each of its rows: `width` numbers from `low` to 1."""

    name: str
    doc: str
    width: int = 1
    low: int = 0


@dataclass(frozen=True)
class Part:
    """A run of the vector: so many rows, one after the other, each with all columns."""

    name: str
    rows: int
    doc: str
    columns: tuple[Column, ...]

    @property
    def row_width(self) -> int:
        return sum(column.width for column in self.columns)

    @property
    def width(self) -> int:
        return self.rows * self.row_width


ASKED: Final = len(QUESTIONS) + 1  # phases that ask are numbered from 1 without gaps; 0 is none
POWERS: Final = len(SCROLL_POWERS)
TOKENS: Final = len(ADVENTURE_POWERS)
TRACKS: Final = 5  # shogun bonuses
FOOT: Final = 4
LEVELS: Final = 3
ERUPTIONS: Final = 4
CARDS: Final = GEARS * CARD_SLOTS

PARTS: Final = (
    Part(
        "turn",
        1,
        "where the game stands",
        (
            Column("players", "how many play / 6"),
            Column("round", "of the last round"),
            Column("rounds_left", "/ 20"),
            Column("to_final", "VP that the observer needs to start the final chapter / 30", low=-1),
            Column("final", "the final chapter has begun"),
            Column("final_mine", "the observer's turns count it down"),
            Column("countdown", "spaces entered / 8"),
            Column("rope", "it lies on the start tile"),
            Column("called", "eruption numbers 1 to 4", ERUPTIONS),
            Column("first", "seat of the first player / 6"),
            Column("my_turn", "it is the observer's turn"),
            Column("my_question", "the observer is asked"),
            Column("actions_begun", "in this turn / 2"),
            Column("stock_taken", "this turn"),
            Column("steps", "of the move under way / 4"),
            Column("peaceful", "no duels"),
        ),
    ),
    Part("question", 1, "what is asked", (Column("phase", "one flag for each phase, by number", ASKED),)),
    Part(
        "frame",
        1,
        "details of what is asked, by phase",
        (
            Column("stage", "/ 8"),
            Column("left", "steps, blueprints or hits left / 12"),
            Column("marks", "lava crossed, cubes or blueprints taken / 6"),
            Column("offer", "wood, metal, teeth offered or in hand / 6", RESOURCE_KINDS),
            Column("gear", "crafted or paying: helmet, weapon, sandals", GEARS),
        ),
    ),
    Part(
        "tile",
        CELLS_OF_TILE,
        "the tile that is being turned, as printed: the centre, then petals 0 to 5",
        (
            Column("ground", "1 lava, else its eruption number / 8"),
            Column("loot", "1 a scroll of the observer's, 0.7 a monk, 0.5 a resource, 0.4 an adventure"),
            Column("dragon", "1 if it brings one"),
        ),
    ),
    Part(
        "players",
        PLAYERS,
        "by seat",
        (
            Column("plays", "somebody sits here"),
            Column("vp", "/ 40"),
            Column("pool", "discs in the pool / 4"),
            Column("monks", "on spots / 4"),
            Column("resources", "in the pack / 11"),
            Column("scrolls", "/ 2"),
            Column("blueprints", "/ 3"),
            Column("gear_cards", "/ 3"),
            Column("helmet", "what it absorbs / 20"),
            Column("sandals", "what they absorb / 10"),
            Column("weapon", "hits to be expected of one roll with each usable weapon / 16"),
            Column("initiative", "/ 12"),
            Column("magic", "gear that is magic / 3"),
            Column("out", "1 unconscious, 0.5 has left the volcano"),
            Column("place", "on the lattice, two axes, from -1 to 1", 2, low=-1),
        ),
    ),
    Part(
        "self",
        1,
        "the observer's own board",
        (
            Column("fields", "discs on move, explore, gather / 4", DISC_FIELDS),
            Column("monks", "at pool, scroll, weapon, pack", SPOTS),
            Column("pack", "wood, metal, teeth / 6", RESOURCE_KINDS),
            Column("free", "slots of the pack / 11"),
            Column("pack_monks", "/ 3"),
            Column("cubes", "wood, metal, teeth on helmet, weapon, sandals / 8", GEARS * RESOURCE_KINDS),
            Column("magic", "on helmet, weapon, sandals", GEARS),
            Column("card_on", "by disc field: helmet, weapon or sandals card", DISC_FIELDS * GEARS),
            Column("looks", "the weapon card gives a look"),
            Column("armed", "a weapon is usable"),
            Column("claimed", "shogun bonuses by track / 4", TRACKS),
            Column("tokens", "adventure tokens by kind / 2", TOKENS),
            Column("powers", "scroll powers held", POWERS),
        ),
    ),
    Part("open", 1, "the scroll display", (Column("slot", "by power: slot + 1 of an open card / 3", POWERS),)),
    Part(
        "cells",
        sum(GEAR_CELLS),
        "the observer's gear, cell by cell in the order of the action `cell`",
        (Column("cube", "0 nothing, 1/3 wood, 2/3 metal, 1 tooth"),),
    ),
    Part(
        "map",
        SPACES,
        "by space, in the order of the action `step`",
        (
            Column("ground", "-1 unexplored, 1 lava, else its eruption number / 8", low=-1),
            Column("loot", "towards what the observer can gather; fades by a quarter with each step"),
            Column("frontier", "towards places that can be explored, by level 0.3, 0.6, 1; fades likewise"),
            Column("dragon", "towards dragons; fades likewise"),
        ),
    ),
    Part(
        "places",
        PLACES,
        "by place, in the order of the action `place`",
        (Column("tile", "1 if one lies there"), Column("dragon", "health of the dragon there / 40")),
    ),
    Part(
        "cards",
        2 * CARDS,
        "by slot, in the order of the action `build`: gear cards, then blueprints",
        (
            Column("owner", "1 the observer, 0.5 nobody and the observer may have it, else 0"),
            Column("missing", "wood, metal, teeth that gear, hand and pack lack for the pattern / 8", RESOURCE_KINDS),
        ),
    ),
    Part(
        "fight",
        1,
        "the fight that is on",
        (
            Column("dragon", "a dragon fight"),
            Column("duel", "a duel"),
            Column("inside", "the observer is in it"),
            Column("fighters", "samurai in it / 6"),
            Column("health", "of the dragon / 40"),
            Column("dice", "of the dragon / 6"),
            Column("initiative", "of the dragon / 12"),
            Column("vp", "for beating it / 15"),
            Column("rounds", "/ 10"),
            Column("hits", "on the table / 12"),
            Column("breaks", "breaking dice on the table, by resource / 4", RESOURCE_KINDS),
        ),
    ),
    Part(
        "table",
        1,
        "what else lies on the table",
        (
            Column("tiles", "left, by level / 12", LEVELS),
            Column("looked", "the observer has looked at the top tile, by level", LEVELS),
            Column("supply", "pieces left of all, by kind", SUPPLIES),
            Column("scrolls", "tokens of the observer's colour not yet laid out / 7"),
            Column("palace", "values taken, by track / 6", TRACKS),
            Column("foot", "taken at the foot of the mountain", FOOT),
        ),
    ),
)
WIDTH: Final = sum(part.width for part in PARTS)
STARTS: Final = {part.name: sum(p.width for p in PARTS[:index]) for index, part in enumerate(PARTS)}

# Values of spaces while they are spread over the map: whole numbers, so that compiled and plain code agree to the bit.
FULL: Final = 1000
FAINT: Final = 20  # less is not passed on
SCRATCH: Final = 3 * SPACES  # values by space, a ring of spaces to visit, and whether a space is in it
TO_VISIT: Final = SPACES
WAITING: Final = 2 * SPACES
STOCK_LOOT: Final = 150
SCROLL_LOOT: Final = 900
MONK_LOOT: Final = 700
BLUEPRINT_LOOT: Final = 600
ADVENTURE_LOOT: Final = 400
LEAST_TOKEN_LOOT: Final = 200
LOOT_A_WORTH: Final = 80  # of resources: wood is worth 1, metal 2, a tooth 3
FRONTIER_OF: Final = (300, 600, 1000)  # by level
EXIT: Final = 1000
MAP_COLUMNS: Final = 4
GROUND, LOOT, FRONTIER, DRAGON = range(MAP_COLUMNS)
FACES: Final = 6


def _lattice_places() -> "np.ndarray[tuple[int, int], np.dtype[np.int64]]":
    """By space: its first hexagon on the lattice. It never changes, so compiled code may freeze it."""
    return np.array([hexes[0] for hexes in geometry().hexes], np.int64)


LATTICE_PLACE = _lattice_places()


# Writing numbers


@rule
def put(out: Floats, at: int, value: int, most: int) -> int:
    out[at] = min(1.0, max(-1.0, int(value) / most))
    return at + 1


@rule
def put_flag(out: Floats, at: int, flag: bool) -> int:
    out[at] = 1.0 if flag else 0.0
    return at + 1


@rule
def put_zeros(out: Floats, at: int, number: int) -> int:
    for k in range(number):
        out[at + k] = 0.0
    return at + number


# The parts


@rule
def write_turn(s: State, p: int, out: Floats, at: int) -> int:
    settings = s.settings
    at = put(out, at, settings.players, PLAYERS)
    at = put(out, at, s.round_number, settings.max_rounds)
    at = put(out, at, settings.max_rounds - s.round_number, 20)
    at = put(out, at, settings.final_at - s.players[p].vp, 30)
    at = put_flag(out, at, s.final_player != 0)
    at = put_flag(out, at, s.final_player == p + 1)
    at = put(out, at, s.countdown, 8)
    at = put_flag(out, at, s.rope != 0)
    for number in range(1, ERUPTIONS + 1):
        at = put_flag(out, at, has(s.called, number))
    at = put(out, at, seat_of(s, p, s.first_player), PLAYERS)
    at = put_flag(out, at, s.active == p)
    at = put_flag(out, at, s.reason == Reason.PLAYING and top(s).actor == p)
    at = put(out, at, max(0, s.stack[0].stage - FIRST_ACTION), 2)
    at = put_flag(out, at, s.stock_taken != 0)
    at = put(out, at, max(0, s.path_length - 1), 4)
    return put_flag(out, at, settings.peaceful != 0)


@rule
def seat_of(s: State, p: int, player: int) -> int:
    return (player - p + s.settings.players) % s.settings.players


@rule
def write_question(s: State, out: Floats, at: int) -> int:
    asked = top(s).phase if s.reason == Reason.PLAYING else 0
    at_end = put_zeros(out, at, ASKED)
    out[at + asked] = 1.0
    return at_end


@rule
def is_about_gear(phase: int) -> bool:
    """The phases that keep the gear in question in `thing`."""
    crafting = phase in (Phase.SETUP_CUBES, Phase.CRAFT_WAY, Phase.CRAFT_LAY, Phase.WASTE)
    return crafting or phase == Phase.PAY


@rule
def write_frame(s: State, out: Floats, at: int) -> int:
    if s.reason != Reason.PLAYING:
        return put_zeros(out, at, 3 + RESOURCE_KINDS + GEARS)
    frame = top(s)
    at = put(out, at, frame.stage, 8)
    at = put(out, at, frame.left, 12)
    at = put(out, at, frame.marks, 6)
    for kind in range(RESOURCE_KINDS):
        at = put(out, at, frame.offer[kind], 6)
    for gear in range(GEARS):
        at = put_flag(out, at, is_about_gear(frame.phase) and frame.thing == gear)
    return at


@rule
def write_tile(s: State, t: Tables, p: int, out: Floats, at: int) -> int:
    if s.reason != Reason.PLAYING or top(s).phase != Phase.EXPLORE_TURN:
        return put_zeros(out, at, CELLS_OF_TILE * 3)
    tile = t.tiles[top(s).thing - 1]
    for cell in range(CELLS_OF_TILE):
        at = put(out, at, 8 if tile.lava[cell] != 0 else tile.eruption[cell], 8)
        loot = 10 if tile.scroll[cell] != 0 and tile.scroll[cell] == s.players[p].colour else 0
        loot += 7 * tile.monk[cell] + 5 * (tile.square[cell] + tile.hexagon[cell]) + 4 * tile.adventure[cell]
        at = put(out, at, loot, 10)
        at = put_flag(out, at, tile.dragon[cell] != 0)
    return at


@rule
def write_players(s: State, t: Tables, p: int, out: Floats, at: int) -> int:
    for seat in range(s.settings.players):
        at = write_samurai(s, t, (p + seat) % s.settings.players, out, at)
    return put_zeros(out, at, (PLAYERS - s.settings.players) * SAMURAI_WIDTH)


SAMURAI_WIDTH: Final = 16


@rule
def write_samurai(s: State, t: Tables, q: int, out: Floats, at: int) -> int:
    me = s.players[q]
    at = put_flag(out, at, True)
    at = put(out, at, me.vp, 40)
    at = put(out, at, me.pool, 4)
    at = put(out, at, monks_on_spots(me), 4)
    at = put(out, at, resources_in_pack(me), 11)
    at = put(out, at, scrolls_of(me), SCROLL_SLOTS)
    at = put(out, at, blueprints_of(s, q), GEARS)
    at = put(out, at, gear_cards_of(me), GEARS)
    at = put(out, at, strength(me.gear[Gear.HELMET]), 20)
    at = put(out, at, strength(me.gear[Gear.SANDALS]), 10)
    at = put(out, at, hits_to_expect(me, t), 16 * FACES)
    at = put(out, at, battle_initiative(s, t, q), 12)
    at = put(out, at, magic_gear_of(me), GEARS)
    at = put(out, at, 2 * me.unconscious + (1 if me.outside != Outside.INSIDE else 0), 2)
    at = put(out, at, LATTICE_PLACE[me.at, 0], LATTICE_MIDDLE)
    return put(out, at, LATTICE_PLACE[me.at, 1], LATTICE_MIDDLE)


@rule
def monks_on_spots(me: Player) -> int:
    count = 0
    for spot in range(SPOTS):
        count += me.monks[spot]
    return count


@rule
def gear_cards_of(me: Player) -> int:
    count = 0
    for field in range(DISC_FIELDS):
        if me.card_on[field] != 0:
            count += 1
    return count


@rule
def magic_gear_of(me: Player) -> int:
    count = 0
    for gear in range(GEARS):
        if me.gear[gear].magic != 0:
            count += 1
    return count


@rule
def hits_to_expect(me: Player, t: Tables) -> int:
    """Six times the mean hits of a round with all dice of all usable weapons."""
    total = 0
    for slot in range(WEAPONS):
        piece = weapon_in(me, slot)
        if is_usable(me, piece):
            for kind in range(RESOURCE_KINDS):
                total += count_bits(me.gear[Gear.WEAPON].cubes[kind] & piece) * all_hits(t, kind)
            if has_magic(me, slot):
                total += all_hits(t, Cube.MAGIC)
    return total


@rule
def all_hits(t: Tables, kind: int) -> int:
    total = 0
    for face in range(FACES):
        total += t.die_hits[kind, face]
    return total


@rule
def write_self(s: State, t: Tables, p: int, out: Floats, at: int) -> int:
    me = s.players[p]
    for field in range(DISC_FIELDS):
        at = put(out, at, me.fields[field], 4)
    for spot in range(SPOTS):
        at = put_flag(out, at, me.monks[spot] != 0)
    for kind in range(RESOURCE_KINDS):
        at = put(out, at, me.pack[kind], 6)
    at = put(out, at, max(0, free_slots(s, p)), 11)
    at = put(out, at, me.pack_monks, 3)
    for gear in range(GEARS):
        for kind in range(RESOURCE_KINDS):
            at = put(out, at, count_bits(me.gear[gear].cubes[kind]), 8)
    for gear in range(GEARS):
        at = put_flag(out, at, me.gear[gear].magic != 0)
    for field in range(DISC_FIELDS):
        for gear in range(GEARS):
            at = put_flag(out, at, me.card_on[field] == gear + 1)
    at = put_flag(out, at, me.looks != 0)
    at = put_flag(out, at, has_usable_weapon(me))
    for track in range(TRACKS):
        at = put(out, at, me.claimed[track], 4)
    for kind in range(TOKENS):
        at = put(out, at, me.adventures[kind], 2)
    at_end = put_zeros(out, at, POWERS)
    for slot in range(SCROLL_SLOTS):
        if me.scrolls[slot] != 0:
            out[at + t.scroll_power[me.scrolls[slot] - 1]] = 1.0
    return at_end


@rule
def write_open(s: State, t: Tables, out: Floats, at: int) -> int:
    at_end = put_zeros(out, at, POWERS)
    for slot in range(SCROLL_DISPLAY):
        if s.scroll_display[slot] != 0:
            put(out, at + t.scroll_power[s.scroll_display[slot] - 1], slot + 1, SCROLL_DISPLAY)
    return at_end


@rule
def write_cells(s: State, p: int, out: Floats, at: int) -> int:
    for gear in range(GEARS):
        grid = s.players[p].gear[gear]
        for cell in range(GEAR_CELLS[gear]):
            at = put(out, at, kind_on(grid, cell) + 1, RESOURCE_KINDS)
    return at


@rule
def write_map(s: State, t: Tables, p: int, out: Floats, at: int, scratch: IntArray) -> int:
    for space in range(SPACES):
        put(out, at + space * MAP_COLUMNS + GROUND, ground_code(s, space), 8)
    for column in range(LOOT, MAP_COLUMNS):
        for space in range(SPACES):
            scratch[space] = value_of_space(s, t, p, space, column)
        spread_values(s, t, scratch)
        for space in range(SPACES):
            put(out, at + space * MAP_COLUMNS + column, scratch[space], FULL)
    return at + SPACES * MAP_COLUMNS


@rule
def ground_code(s: State, space: int) -> int:
    if not is_open(s, space):
        return -8
    return 8 if is_lava(s, space) else s.eruption[space]


@rule
def value_of_space(s: State, t: Tables, p: int, space: int, column: int) -> int:
    """What a column of the map is about, before it is spread; 0 where nobody can stand."""
    if not is_open(s, space) or is_lava(s, space):
        return 0
    dragon = dragon_on_tile_of(s, t, space) != 0
    if column == DRAGON:
        return FULL if dragon else 0
    if dragon:
        return 0
    if column == FRONTIER:
        return frontier_value(s, t, space)
    return loot_value(s, t, p, space)


@rule
def frontier_value(s: State, t: Tables, space: int) -> int:
    best = 0
    for k in range(TOUCHED):
        place = t.touched_places[space, k]
        if place >= 0 and may_explore(s, t, place):
            best = max(best, FRONTIER_OF[t.place_ring[place] - 1])
    return best


@rule
def loot_value(s: State, t: Tables, p: int, space: int) -> int:
    """The best that the observer can gather here, or a way out of the volcano."""
    if (space == START and s.rope != 0) or (space != START and space == s.secret_exit and s.final_player != 0):
        return EXIT
    best = STOCK_LOOT if space == START or is_temple(space) else 0
    if is_temple(space) and can_find(s, t, p, Find.BLUEPRINT, space):
        best = BLUEPRINT_LOOT
    if s.scroll[space] != 0 and can_find(s, t, p, Find.SCROLL, space):
        best = max(best, SCROLL_LOOT)
    if s.monk[space] != 0 and can_find(s, t, p, Find.MONK, space):
        best = max(best, MONK_LOOT)
    if s.adventure[space] != 0:
        best = max(best, ADVENTURE_LOOT)
    if s.token[space] != 0 and can_find(s, t, p, Find.RESOURCES, space):
        best = max(best, token_value(t, s.token[space] - 1))
    return best


@rule
def token_value(t: Tables, token: int) -> int:
    total = 0
    for kind in range(RESOURCE_KINDS):
        total += LOOT_A_WORTH * worth(kind) * t.token_shows[token, kind]
    return min(FULL, max(LEAST_TOKEN_LOOT, total))


@rule
def spread_values(s: State, t: Tables, scratch: IntArray) -> None:
    """Every space passes three quarters of its value on to those beside it that can be walked on, where that is more
    than they have; a dragon's tile is not walked through."""
    waiting = 0
    for space in range(SPACES):
        scratch[WAITING + space] = 0
        if scratch[space] > 0:
            scratch[TO_VISIT + waiting] = space
            scratch[WAITING + space] = 1
            waiting += 1
    head = 0
    while waiting > 0:
        space = scratch[TO_VISIT + head]
        head = (head + 1) % SPACES
        waiting -= 1
        scratch[WAITING + space] = 0
        value = scratch[space] * 3 // 4
        if value < FAINT:
            continue
        for k in range(t.neighbour_count[space]):
            other = t.neighbours[space, k]
            if scratch[other] < value and can_be_walked_on(s, t, other):
                scratch[other] = value
                if scratch[WAITING + other] == 0:
                    scratch[WAITING + other] = 1
                    scratch[TO_VISIT + (head + waiting) % SPACES] = other
                    waiting += 1


@rule
def can_be_walked_on(s: State, t: Tables, space: int) -> bool:
    return is_open(s, space) and not is_lava(s, space) and dragon_on_tile_of(s, t, space) == 0


@rule
def write_places(s: State, t: Tables, out: Floats, at: int) -> int:
    for place in range(PLACES):
        at = put_flag(out, at, s.tile[place] != 0)
        dragon = s.dragon_at[place]
        at = put(out, at, dragon_health(s, t, dragon - 1) if dragon != 0 else 0, 40)
    return at


@rule
def write_cards(s: State, t: Tables, p: int, out: Floats, at: int) -> int:
    for slot in range(CARDS):
        card = s.gear_cards[slot]
        open_to_me = card.where == Where.DISPLAY and not has_gear_card(s.players[p], slot // CARD_SLOTS)
        at = write_card(s, p, slot // CARD_SLOTS, card, open_to_me, t.gear_cards[max(0, card.card - 1)], out, at)
    for slot in range(CARDS):
        card = s.blueprints[slot]
        lies_in_temple = Where.TEMPLE <= card.where < Where.OWNED
        open_to_me = lies_in_temple and not owns_blueprint_of(s, p, slot // CARD_SLOTS)
        at = write_card(s, p, slot // CARD_SLOTS, card, open_to_me, t.blueprints[max(0, card.card - 1)], out, at)
    return at


@rule
def write_card(
    s: State, p: int, gear: int, card: Card, open_to_me: bool, printed: CardTable, out: Floats, at: int
) -> int:
    mine = card.where == Where.OWNED + p
    if card.card == 0 or not (mine or open_to_me):
        return put_zeros(out, at, 1 + RESOURCE_KINDS)
    at = put(out, at, 2 if mine else 1, 2)
    me = s.players[p]
    for kind in range(RESOURCE_KINDS):
        at_hand = count_bits(me.gear[gear].cubes[kind]) + me.pack[kind] + lifted_cubes(s, p, gear, kind)
        at = put(out, at, max(0, printed.needs[kind] - at_hand), 8)
    return at


@rule
def lifted_cubes(s: State, p: int, gear: int, kind: int) -> int:
    """Cubes in hand while this gear is laid anew."""
    if s.reason != Reason.PLAYING:
        return 0
    frame = top(s)
    crafting = frame.phase == Phase.CRAFT_LAY and frame.actor == p and frame.thing == gear
    return frame.offer[kind] if crafting else 0


@rule
def write_fight(s: State, t: Tables, p: int, out: Floats, at: int) -> int:
    fight = s.fight
    fighters = 0
    for q in range(s.settings.players):
        fighters += fight.fighters[q].inside
    at = put_flag(out, at, fight.dragon != 0)
    at = put_flag(out, at, fight.dragon == 0 and fighters > 0)
    at = put_flag(out, at, fight.fighters[p].inside != 0)
    at = put(out, at, fighters, PLAYERS)
    at = put(out, at, fight.health, 40)
    if fight.dragon != 0:
        colour = t.dragon_colour[fight.dragon - 1]
        at = put(out, at, t.colour_dice[colour], 6)
        at = put(out, at, t.dragon_initiative[fight.dragon - 1], 12)
        at = put(out, at, t.colour_vp[colour], 15)
    else:
        at = put_zeros(out, at, 3)
    at = put(out, at, fight.rounds, 10)
    at = put(out, at, fight.hits, 12)
    for kind in range(RESOURCE_KINDS):
        at = put(out, at, fight.breaks[kind], 4)
    return at


@rule
def write_table(s: State, t: Tables, p: int, out: Floats, at: int) -> int:
    for level in range(LEVELS):
        at = put(out, at, count_bits(s.tiles_left[level]), 12)
    for level in range(LEVELS):
        at = put_flag(out, at, has(s.top_seen[level], p))
    for kind in range(SUPPLIES):
        at = put(out, at, s.supply[kind], max(1, t.supply[kind]))
    at = put(out, at, s.scroll_tokens[s.players[p].colour - 1] if s.players[p].colour > 0 else 0, 7)
    for track in range(TRACKS):
        at = put(out, at, s.palace[track], 6)
    for spot in range(FOOT):
        at = put(out, at, s.foot[spot], 1)
    return at


@rule
def write_compact(s: State, t: Tables, p: int, out: Floats, scratch: IntArray) -> int:
    """All parts, in the order of the table; gives how many numbers were written."""
    at = write_turn(s, p, out, 0)
    at = write_question(s, out, at)
    at = write_frame(s, out, at)
    at = write_tile(s, t, p, out, at)
    at = write_players(s, t, p, out, at)
    at = write_self(s, t, p, out, at)
    at = write_open(s, t, out, at)
    at = write_cells(s, p, out, at)
    at = write_map(s, t, p, out, at, scratch)
    at = write_places(s, t, out, at)
    at = write_cards(s, t, p, out, at)
    at = write_fight(s, t, p, out, at)
    return write_table(s, t, p, out, at)


@entry
def observe_compact(
    games: Records[State], tables: Records[Tables], observers: IntArray, out: FloatTable, scratch: IntArray
) -> int:
    """What each observer sees of its game, a row each; one below 0 sees nothing but zeros. Gives how many numbers were
    written to a row. `scratch` has room for SCRATCH numbers."""
    width = 0
    for g in range(len(observers)):
        if observers[g] < 0:
            width = put_zeros(out[g], 0, WIDTH)
        else:
            width = write_compact(games[g], tables[0], observers[g], out[g], scratch)
    return width
