"""The compact observation: one flat vector of numbers from -1 to 1, for small networks on a CPU.

One table, `PARTS`, says what lies where, and docs/compact.md is written from it. Each part has a writer below, in the
same order; a writer begins at a place in the vector and gives the place after its last number. The observer is seat 0
and the others follow in playing order; the layout is the same for every player count, and what is not there is 0.

A row that is written again for the same game is brought up to date: parts are written if what they are made from has
changed since, see kept.py.

Numbers are counts and codes, each multiplied by one over what is a lot of it and cut off beyond that, and flags. Ways
to what is worth going to are spelled out: see reach.py.

Nothing that the observer can't see is written: no source of luck, no loaded dice, no tile on top of a stack.
"""

from typing import Final, NamedTuple

import numpy as np

from fujikoro_env.content.model import ADVENTURE_POWERS, FOOT_SPOTS, PALACE_TRACKS, SCROLL_POWERS, SUPPLY
from fujikoro_env.kernel.jit import Floats, FloatTable, IntArray, IntTable, Shorts, entry, rule, unsigned
from fujikoro_env.kernel.masks import count_bits, has
from fujikoro_env.kernel.records import Records
from fujikoro_env.observation.fields import ASKED
from fujikoro_env.observation.kept import (
    ARMED,
    ARMS_FROM,
    ARMS_TO,
    CARDS_FROM,
    CARDS_TO,
    COPIED,
    COPY,
    CUBES,
    MAP_FROM,
    MAP_TO,
    OBSERVER,
    PLAYER_WORDS,
    PLAYERS_FROM,
    QUESTION,
    SHOWN,
    TURNED,
    WANTED,
    WHO_BITS,
    WHO_IT_IS,
    differs,
    keep,
    keep_changed,
)
from fujikoro_env.observation.layout import Column, Part, starts_of
from fujikoro_env.observation.numbers import put, put_flag, tiles_to_come
from fujikoro_env.observation.reach import (
    FULL,
    LAVA,
    PLANES,
    ROWS,
    WaysWorkspace,
    forget_ways,
    write_ground,
    write_ways,
)
from fujikoro_env.observation.seats import player_at, seat_of, seats_taken
from fujikoro_env.rules.base.frames import top
from fujikoro_env.rules.base.names import (
    DISC_FIELDS,
    GEARS,
    RESOURCE_KINDS,
    SPOTS,
    SUPPLIES,
    Character,
    Cube,
    Gear,
    Marker,
    Mode,
    Outside,
    Reason,
    Where,
)
from fujikoro_env.rules.base.phase_entry import Holds
from fujikoro_env.rules.base.phases import Phase, phase_bits
from fujikoro_env.rules.base.state import (
    CARD_SLOTS,
    GEAR_CELLS,
    PLAYERS,
    SCROLL_DISPLAY,
    SCROLL_SLOTS,
    Card,
    Player,
    State,
    fetch_game,
)
from fujikoro_env.rules.base.tables import CELLS_OF_TILE, CardTable, Tables
from fujikoro_env.rules.fights.attack import initiative_of_scrolls
from fujikoro_env.rules.fights.damage import strength
from fujikoro_env.rules.fights.dragons import dragon_health
from fujikoro_env.rules.gear.cards import has_gear_card
from fujikoro_env.rules.gear.cells import filled_cells
from fujikoro_env.rules.gear.weapon import (
    LEFT,
    RIGHT,
    first_piece,
    has_magic,
    has_usable_weapon,
    initiative_with,
    is_usable,
    slot_of,
)
from fujikoro_env.rules.map.geometry import LATTICE_MIDDLE, PLACES, SPACES, START, geometry
from fujikoro_env.rules.pack import (
    blueprints_of,
    free_slots,
    owns_blueprint_of,
    resources_in_pack,
    scrolls_of,
)
from fujikoro_env.rules.scenarios.enemies import is_enemy
from fujikoro_env.rules.turn.stages import FIRST_ACTION
from fujikoro_env.scenarios import SCENARIOS

SCENARIO_COUNT: Final = len(SCENARIOS)
CHARACTER_COUNT: Final = len(Character) - 1  # the symmetric board is none
POWERS: Final = len(SCROLL_POWERS)
TOKENS: Final = len(ADVENTURE_POWERS)
TRACKS: Final = len(PALACE_TRACKS)
FOOT: Final = len(FOOT_SPOTS)
RINGS: Final = 3
ERUPTIONS: Final = 4
CARDS: Final = GEARS * CARD_SLOTS
PER_MILLE: Final = 1000
FACES: Final = 6
QUESTIONS_ABOUT_GEAR: Final = phase_bits(Holds.GEAR, "thing")

WHEN: Final = "where the observer stands and beside it, when it is asked what to do or where to go"
WAYS_TO: Final = (
    ("loot", "the way to what the observer can gather, or to an exit"),
    ("frontier", "the way to places that can be explored"),
    ("dragons", "the way to dragons"),
)

PARTS: Final = (
    Part(
        "turn",
        1,
        "where the game stands",
        (
            Column("players", "how many play", PLAYERS),
            Column("round", "per mille of the last round", PER_MILLE),
            Column("rounds_left", "to the last round", 20),
            Column("to_final", "VP that the observer needs to start the final chapter; in co-op rounds", 30, low=-1),
            Column("final", "the final chapter has begun"),
            Column("final_mine", "the observer's turns count it down"),
            Column("countdown", "spaces entered", 8),
            Column("rope", "it lies on the start tile"),
            Column("called", "eruption numbers 1 to 4", width=ERUPTIONS),
            Column("first", "seat of the first player", PLAYERS),
            Column("my_turn", "it is the observer's turn"),
            Column("my_question", "the observer is asked"),
            Column("actions_begun", "in this turn", 2),
            Column("stock_taken", "this turn"),
            Column("steps", "of the move under way", 4),
            Column("peaceful", "no duels"),
            Column("coop", "all win or lose together"),
            Column("scenario", "a flag for each", width=SCENARIO_COUNT),
            Column("beaten", "dragons", 10),
        ),
    ),
    Part("question", 1, "what is asked", (Column("phase", "a flag for each phase, by its number", width=ASKED),)),
    Part(
        "frame",
        1,
        "details of what is asked, by phase",
        (
            Column("stage", "a detail", 8),
            Column("left", "steps, blueprints or hits left", 12),
            Column("marks", "lava crossed, cubes or blueprints taken", 6),
            Column("offer", "wood, metal, teeth offered or in hand", 6, RESOURCE_KINDS),
            Column("gear", "that is crafted or pays: helmet, weapon, sandals", width=GEARS),
        ),
    ),
    Part(
        "tile",
        CELLS_OF_TILE,
        "the tile that is being turned, as printed: the centre, then petals 0 to 5",
        (
            Column("ground", "8 lava, else its eruption number", LAVA),
            Column("loot", "10 a scroll of the observer's colour, 7 a monk, 5 resources, 4 an adventure", 10),
            Column("dragon", "it brings one"),
        ),
    ),
    Part(
        "players",
        PLAYERS,
        "by seat",
        (
            Column("plays", "somebody sits here; in scenario 7 enemies follow the player"),
            Column("character", "its number", CHARACTER_COUNT),
            Column("lives", "left, in co-op", 3),
            Column("status", "status markers", 6),
            Column("vp", "victory points", 40),
            Column("pool", "discs in the pool", 4),
            Column("monks", "on spots", SPOTS),
            Column("resources", "in the pack", 11),
            Column("scrolls", "held", SCROLL_SLOTS),
            Column("blueprints", "owned", GEARS),
            Column("gear_cards", "owned", GEARS),
            Column("helmet", "what it absorbs", 20),
            Column("sandals", "what they absorb", 10),
            Column("weapon", "six times the hits to be expected of all dice of all usable weapons", 16 * FACES),
            Column("initiative", "as in a fight", 12),
            Column("magic", "gear that is magic", GEARS),
            Column("out", "2 unconscious, 1 has left the volcano", 2),
            Column("place", "on the lattice, two axes from its middle", LATTICE_MIDDLE, 2, low=-1),
        ),
    ),
    Part(
        "self",
        1,
        "the observer's own board",
        (
            Column("character", "a flag for each", width=CHARACTER_COUNT),
            Column("fields", "discs on move, explore, gather", 4, DISC_FIELDS),
            Column("monks", "at pool, scroll, weapon, pack", width=SPOTS),
            Column("pack", "wood, metal, teeth", 6, RESOURCE_KINDS),
            Column("free", "slots of the pack", 11),
            Column("pack_monks", "in the pack", 3),
            Column("cubes", "wood, metal, teeth on helmet, weapon, sandals", 8, GEARS * RESOURCE_KINDS),
            Column("magic", "on helmet, weapon, sandals", width=GEARS),
            Column("card_on", "by disc field: a helmet, weapon, sandals card lies there", width=DISC_FIELDS * GEARS),
            Column("looks", "the weapon card gives a look"),
            Column("armed", "a weapon is usable"),
            Column("claimed", "shogun bonuses by track", 4, TRACKS),
            Column("tokens", "adventure tokens by kind", 2, TOKENS),
            Column("powers", "scroll powers held", width=POWERS),
        ),
    ),
    Part(
        "open", 1, "the scroll display", (Column("slot", "by power: slot + 1 of an open card", SCROLL_DISPLAY, POWERS),)
    ),
    Part(
        "cells",
        sum(GEAR_CELLS),
        "the observer's gear, cell by cell in the order of the action `cell`",
        (Column("cube", "0 nothing, 1 wood, 2 metal, 3 tooth", RESOURCE_KINDS),),
    ),
    Part(
        "places",
        PLACES + 1,
        "by place, in the order of the action `place`, with the start",
        (Column("dragon", "health of the dragon there; below 0 while it sleeps", 40, low=-1),),
    ),
    Part(
        "cards",
        2 * CARDS,
        "by slot, in the order of the action `build`: gear cards, then blueprints",
        (
            Column("owner", "2 the observer; 1 nobody, and the observer may have it", 2),
            Column("missing", "wood, metal, teeth that gear, hand and pack lack for it", 8, RESOURCE_KINDS),
        ),
    ),
    Part(
        "fight",
        1,
        "the fight that is on",
        (
            Column("dragon", "it is with a dragon"),
            Column("duel", "it is a duel"),
            Column("monk", "it is with a monk"),
            Column("inside", "the observer is in it"),
            Column("fighters", "samurai in it", PLAYERS),
            Column("health", "of the dragon", 40),
            Column("dice", "of the dragon", 6),
            Column("initiative", "of the dragon", 12),
            Column("vp", "for beating it", 15),
            Column("rounds", "fought", 10),
            Column("hits", "on the table", 12),
            Column("breaks", "breaking dice on the table, by resource", 4, RESOURCE_KINDS),
        ),
    ),
    Part(
        "table",
        1,
        "what else lies on the table",
        (
            Column("tiles", "left, by level", 12, RINGS),
            Column("looked", "the observer has looked at the top tile, by level", width=RINGS),
            Column("supply", f"{', '.join(SUPPLY)} left", (60, 90, 25, 20, 38, 51, 12, 9), SUPPLIES),
            Column("scrolls", "tokens of the observer's colour not yet laid out", 7),
            Column("palace", "values taken, by track", 6, TRACKS),
            Column("foot", "taken at the foot of the mountain", width=FOOT),
        ),
    ),
    Part(
        "ground",
        SPACES,
        "by space, in the order of the action `step`",
        (Column("code", "-8 unexplored, 8 lava, else its eruption number", LAVA, low=-1),),
    ),
    *(Part(name, SPACES, f"by space: {doc}; {WHEN}", (Column("value", "of the way", FULL),)) for name, doc in WAYS_TO),
    Part(
        "here",
        1,
        "the space that the observer stands on",
        (Column("values", f"of the ways to {', '.join(name for name, _ in WAYS_TO)}", FULL, len(WAYS_TO)),),
    ),
)
WIDTH: Final = sum(part.width for part in PARTS)
STARTS: Final = starts_of(PARTS)
COUNTED: Final = STARTS["ground"]  # so many numbers are counts that are scaled together; the others come scaled
AT_QUESTION, AT_FRAME, AT_TILE = STARTS["question"], STARTS["frame"], STARTS["tile"]
AT_PLAYERS, AT_SELF, AT_CELLS = STARTS["players"], STARTS["self"], STARTS["cells"]
AT_PLACES, AT_CARDS, AT_FIGHT, AT_GROUND = STARTS["places"], STARTS["cards"], STARTS["fight"], STARTS["ground"]
AT_WAYS: Final = STARTS[WAYS_TO[0][0]]
SAMURAI: Final = next(part for part in PARTS if part.name == "players")
SAMURAI_WIDTH: Final = SAMURAI.row_width
SEATS_WIDTH: Final = PLAYERS * SAMURAI_WIDTH
ARMS_FIRST, ARMS_LAST = SAMURAI.slices["helmet"].start, SAMURAI.slices["magic"].stop  # columns of them
CARD_WIDTH: Final = next(part.row_width for part in PARTS if part.name == "cards")

# Two tables that never change, so compiled code may freeze them. A product is much faster than a quotient.
SCALES: Final = (1 / np.concatenate([part.highs.ravel() for part in PARTS])).astype(np.float32)
LATTICE_PLACE: Final = np.array([hexes[0] for hexes in geometry().hexes], np.int64)  # by space: its first hexagon
ONE: Final = np.float32(1)
BYTE: Final = 8
ALL_OF_BYTE: Final = (1 << BYTE) - 1
BITS_OF: Final = np.array([[bits >> k & 1 for k in range(BYTE)] for bits in range(1 << BYTE)], np.int16)
TWICE: Final = 2 * BITS_OF

KEPT: Final = COPIED + PLAYERS * PLANES * ROWS  # numbers that are kept of a row
MINE, MY_ARMS = 1, 2  # flags of what has changed
CUBE_BITS: Final = 7  # there are fewer cubes of each kind in the box than these can count


@rule
def put_zeros(raw: Shorts, at: int, number: int) -> int:
    for k in range(number):
        raw[unsigned(at + k)] = 0
    return at + number


@rule
def scale(raw: Shorts, out: Floats, first: int, last: int) -> None:
    """In float32 from end to end, so that compiled and plain code agree to the bit."""
    for k in range(first, last):
        out[unsigned(k)] = min(ONE, max(-ONE, np.float32(raw[unsigned(k)]) * SCALES[unsigned(k)]))


# The parts


@rule
def write_turn(s: State, p: int, raw: Shorts, at: int) -> int:
    settings = s.settings
    at = put(raw, at, settings.players)
    at = put(raw, at, PER_MILLE * s.round_number // settings.max_rounds)
    at = put(raw, at, settings.max_rounds - s.round_number)
    at = put(raw, at, way_to_final(s, p))
    at = put_flag(raw, at, s.final_player != 0)
    at = put_flag(raw, at, s.final_player == p + 1)
    at = put(raw, at, s.countdown)
    at = put_flag(raw, at, s.rope != 0)
    for number in range(1, ERUPTIONS + 1):
        at = put_flag(raw, at, has(s.called, number))
    at = put(raw, at, seat_of(s, p, s.first_player))
    at = put_flag(raw, at, s.active == p)
    at = put_flag(raw, at, s.reason == Reason.PLAYING and top(s).actor == p)
    at = put(raw, at, max(0, s.stack[0].stage - FIRST_ACTION))
    at = put_flag(raw, at, s.stock_taken != 0)
    at = put(raw, at, max(0, s.path_length - 1))
    at = put_flag(raw, at, settings.peaceful != 0)
    at = put_flag(raw, at, settings.mode == Mode.COOP)
    for number in range(1, SCENARIO_COUNT + 1):
        at = put_flag(raw, at, settings.scenario == number)
    return put(raw, at, count_bits(s.dragons_beaten))


@rule
def way_to_final(s: State, p: int) -> int:
    """VP, or in co-op rounds (COOP-2)."""
    if s.settings.mode == Mode.COOP:
        return s.settings.full_rounds - s.round_number
    return s.settings.final_at - s.players[p].vp


@rule
def write_question(s: State, kept: IntArray, out: Floats, at: int) -> int:
    """Of all flags one is set, and it is known which one was."""
    asked = top(s).phase if s.reason == Reason.PLAYING else 0
    out[unsigned(at + kept[QUESTION])] = 0
    out[unsigned(at + asked)] = 1
    kept[QUESTION] = asked
    return at + ASKED


@rule
def write_frame(s: State, raw: Shorts, at: int) -> int:
    if s.reason != Reason.PLAYING:
        return put_zeros(raw, at, 3 + RESOURCE_KINDS + GEARS)
    frame = top(s)
    at = put(raw, at, frame.stage)
    at = put(raw, at, frame.left)
    at = put(raw, at, frame.marks)
    for kind in range(RESOURCE_KINDS):
        at = put(raw, at, frame.offer[kind])
    for gear in range(GEARS):
        at = put_flag(raw, at, has(QUESTIONS_ABOUT_GEAR, frame.phase) and frame.thing == gear)
    return at


@rule
def write_tile(s: State, t: Tables, p: int, raw: Shorts, at: int) -> int:
    if s.reason != Reason.PLAYING or top(s).phase != Phase.EXPLORE_TURN:
        return put_zeros(raw, at, CELLS_OF_TILE * 3)
    tile = t.tiles[top(s).thing - 1]
    for cell in range(CELLS_OF_TILE):
        at = put(raw, at, LAVA if tile.lava[cell] != 0 else tile.eruption[cell])
        loot = 10 if tile.scroll[cell] != 0 and tile.scroll[cell] == s.players[p].colour else 0
        loot += 7 * tile.monk[cell] + 5 * (tile.square[cell] + tile.hexagon[cell]) + 4 * tile.adventure[cell]
        at = put(raw, at, loot)
        at = put_flag(raw, at, tile.dragon[cell] != 0)
    return at


@rule
def write_seat(s: State, t: Tables, q: int, arms: bool, raw: Shorts, at: int) -> int:
    """Of player q, if it still plays; of its arms only if they are asked for."""
    if is_enemy(s, q) and s.players[q].at == START:
        return put_zeros(raw, at, SAMURAI_WIDTH)
    me = s.players[unsigned(q)]
    at = write_board(s, q, me, raw, at)
    at = write_arms(t, me, raw, at) if arms else at + ARMS_LAST - ARMS_FIRST
    at = put(raw, at, 2 * me.unconscious + (1 if me.outside != Outside.INSIDE else 0))
    at = put(raw, at, LATTICE_PLACE[unsigned(me.at), 0])
    return put(raw, at, LATTICE_PLACE[unsigned(me.at), 1])


@rule
def write_board(s: State, q: int, me: Player, raw: Shorts, at: int) -> int:
    at = put_flag(raw, at, True)
    at = put(raw, at, me.character)
    at = put(raw, at, s.settings.coop_lives - me.lives_lost if s.settings.mode == Mode.COOP else 0)
    at = put(raw, at, me.status)
    at = put(raw, at, me.vp)
    at = put(raw, at, me.pool)
    at = put(raw, at, monks_on_spots(me))
    at = put(raw, at, resources_in_pack(me))
    at = put(raw, at, scrolls_of(me))
    at = put(raw, at, blueprints_of(s, q))
    return put(raw, at, gear_cards_of(me))


@rule
def write_arms(t: Tables, me: Player, raw: Shorts, at: int) -> int:
    """Helmet, sandals, weapon, initiative and magic."""
    at = put(raw, at, strength(me.gear[Gear.HELMET]))
    at = put(raw, at, strength(me.gear[Gear.SANDALS]))
    left, right = weapons_of(me)
    at = put(raw, at, hits_to_expect(me, t, left, LEFT) + hits_to_expect(me, t, right, RIGHT))
    at = put(raw, at, initiative_with(me, left, right) + initiative_of_scrolls(me, t))
    return put(raw, at, magic_gear_of(me))


@rule
def weapons_of(me: Player) -> tuple[int, int]:
    """Left and right, found together."""
    cells = filled_cells(me.gear[Gear.WEAPON])
    left, right = 0, 0
    while cells != 0 and (left == 0 or right == 0):
        piece = first_piece(cells)
        if slot_of(piece) == LEFT:
            left = left if left != 0 else piece
        else:
            right = right if right != 0 else piece
        cells &= ~piece
    return left, right


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
def hits_to_expect(me: Player, t: Tables, piece: int, slot: int) -> int:
    """Six times the mean hits of a round with all dice of a weapon; 0 if it is not usable."""
    if not is_usable(me, piece):
        return 0
    total = all_hits(t, Cube.MAGIC) if has_magic(me, slot) else 0
    for kind in range(RESOURCE_KINDS):
        total += count_bits(me.gear[Gear.WEAPON].cubes[kind] & piece) * all_hits(t, kind)
    return total


@rule
def all_hits(t: Tables, kind: int) -> int:
    total = 0
    for face in range(FACES):
        total += t.die_hits[kind, face]
    return total


@rule
def write_self(s: State, t: Tables, p: int, armed: bool, raw: Shorts, at: int) -> int:
    me = s.players[p]
    for character in range(1, CHARACTER_COUNT + 1):
        at = put_flag(raw, at, me.character == character)
    for field in range(DISC_FIELDS):
        at = put(raw, at, me.fields[field])
    for spot in range(SPOTS):
        at = put_flag(raw, at, me.monks[spot] != 0)
    for kind in range(RESOURCE_KINDS):
        at = put(raw, at, me.pack[kind])
    at = put(raw, at, max(0, free_slots(s, p)))
    at = put(raw, at, me.pack_monks)
    for gear in range(GEARS):
        for kind in range(RESOURCE_KINDS):
            at = put(raw, at, count_bits(me.gear[gear].cubes[kind]))
    for gear in range(GEARS):
        at = put_flag(raw, at, me.gear[gear].magic != 0)
    for field in range(DISC_FIELDS):
        for gear in range(GEARS):
            at = put_flag(raw, at, me.card_on[field] == gear + 1)
    at = put_flag(raw, at, me.looks != 0)
    at = put_flag(raw, at, armed)
    for track in range(TRACKS):
        at = put(raw, at, me.claimed[track])
    for kind in range(TOKENS):
        at = put(raw, at, me.adventures[kind])
    at_end = put_zeros(raw, at, POWERS)
    for slot in range(SCROLL_SLOTS):
        if me.scrolls[slot] != 0:
            raw[at + t.scroll_power[me.scrolls[slot] - 1]] = 1
    return at_end


@rule
def write_open(s: State, t: Tables, raw: Shorts, at: int) -> int:
    at_end = put_zeros(raw, at, POWERS)
    for slot in range(SCROLL_DISPLAY):
        if s.scroll_display[slot] != 0:
            put(raw, at + t.scroll_power[s.scroll_display[slot] - 1], slot + 1)
    return at_end


@rule
def write_cells(s: State, p: int, raw: Shorts, at: int) -> int:
    """Eight cells at once. Beyond the last cell of a gear zeros are written, where other numbers follow."""
    for gear in range(GEARS):
        cubes = s.players[p].gear[gear].cubes
        wood, metal, tooth = cubes[Cube.WOOD], cubes[Cube.METAL], cubes[Cube.TOOTH]
        for first in range(0, GEAR_CELLS[gear], BYTE):
            odd, high = (wood | tooth) >> first & ALL_OF_BYTE, (metal | tooth) >> first & ALL_OF_BYTE
            for k in range(BYTE):
                raw[unsigned(at + first + k)] = BITS_OF[unsigned(odd), k] + TWICE[unsigned(high), k]
        at += GEAR_CELLS[gear]
    return at


@rule
def write_places(s: State, t: Tables, raw: Shorts, at: int) -> int:
    for place in range(PLACES + 1):
        dragon = s.dragon_at[place]
        at = put(raw, at, health_and_sleep(s, t, dragon - 1) if dragon != 0 else 0)
    return at


@rule
def health_and_sleep(s: State, t: Tables, dragon: int) -> int:
    health = dragon_health(s, t, dragon)
    return -health if s.dragons[dragon].marker == Marker.ASLEEP else health


class Cubes(NamedTuple):
    """Numbers of cubes."""

    wood: int
    metal: int
    tooth: int


@rule
def write_cards(s: State, t: Tables, p: int, raw: Shorts, at: int) -> int:
    me = s.players[p]
    for gear in range(GEARS):
        cubes = Cubes(cubes_at_hand(s, p, gear, 0), cubes_at_hand(s, p, gear, 1), cubes_at_hand(s, p, gear, 2))
        wants_card, wants_blueprint = not has_gear_card(me, gear), not owns_blueprint_of(s, p, gear)
        for slot in range(gear * CARD_SLOTS, (gear + 1) * CARD_SLOTS):
            card, plan = s.gear_cards[slot], s.blueprints[slot]
            is_open = wants_card & (card.where == Where.DISPLAY)
            is_found = wants_blueprint & (card_is_in_temple(plan))
            write_card(p, card, is_open, t.gear_cards[unsigned(max(0, card.card - 1))], cubes, raw, at)
            printed = t.blueprints[unsigned(max(0, plan.card - 1))]
            write_card(p, plan, is_found, printed, cubes, raw, at + CARDS * CARD_WIDTH)
            at += CARD_WIDTH
    return at + CARDS * CARD_WIDTH


@rule
def card_is_in_temple(card: Card) -> bool:
    return (card.where >= Where.TEMPLE) & (card.where < Where.OWNED)


@rule
def write_card(p: int, card: Card, open_to_me: bool, printed: CardTable, cubes: Cubes, raw: Shorts, at: int) -> None:
    """Nothing but zeros of a card that the observer can't have; without a branch, for there is no telling."""
    owner = 1 if open_to_me else 0
    owner = 2 if card.where == Where.OWNED + p else owner
    owner = 0 if card.card == 0 else owner
    shown = -1 if owner != 0 else 0
    raw[unsigned(at)] = owner
    raw[unsigned(at + 1)] = max(0, printed.needs[Cube.WOOD] - cubes.wood) & shown
    raw[unsigned(at + 2)] = max(0, printed.needs[Cube.METAL] - cubes.metal) & shown
    raw[unsigned(at + 3)] = max(0, printed.needs[Cube.TOOTH] - cubes.tooth) & shown


@rule
def cubes_at_hand(s: State, p: int, gear: int, kind: int) -> int:
    """On the gear, in the pack, and in hand while this gear is laid anew."""
    me = s.players[p]
    count = count_bits(me.gear[gear].cubes[kind]) + me.pack[kind]
    if s.reason != Reason.PLAYING:
        return count
    frame = top(s)
    crafting = frame.phase == Phase.CRAFT_LAY and frame.actor == p and frame.thing == gear
    return count + frame.offer[kind] if crafting else count


@rule
def write_fight(s: State, t: Tables, p: int, raw: Shorts, at: int) -> int:
    fight = s.fight
    fighters = 0
    for q in range(seats_taken(s)):
        fighters += fight.fighters[q].inside
    at = put_flag(raw, at, fight.dragon != 0)
    at = put_flag(raw, at, fight.dragon == 0 and fight.monk == 0 and fighters > 0)
    at = put_flag(raw, at, fight.monk != 0)
    at = put_flag(raw, at, fight.fighters[p].inside != 0)
    at = put(raw, at, fighters)
    at = put(raw, at, max(0, fight.health))
    if fight.dragon != 0:
        colour = t.dragon_colour[fight.dragon - 1]
        at = put(raw, at, t.colour_dice[colour])
        at = put(raw, at, t.dragon_initiative[fight.dragon - 1])
        at = put(raw, at, t.colour_vp[colour])
    else:
        at = put_zeros(raw, at, 3)
    at = put(raw, at, fight.rounds)
    at = put(raw, at, fight.hits)
    for kind in range(RESOURCE_KINDS):
        at = put(raw, at, fight.breaks[kind])
    return at


@rule
def write_table(s: State, p: int, raw: Shorts, at: int) -> int:
    for level in range(RINGS):
        at = put(raw, at, tiles_to_come(s, level))
    for level in range(RINGS):
        at = put_flag(raw, at, has(s.top_seen[level], p))
    for kind in range(SUPPLIES):
        at = put(raw, at, s.supply[kind])
    at = put(raw, at, s.scroll_tokens[s.players[p].colour - 1] if s.players[p].colour > 0 else 0)
    for track in range(TRACKS):
        at = put(raw, at, s.palace[track])
    for spot in range(FOOT):
        at = put(raw, at, s.foot[spot])
    return at


# Bringing a row up to date


class Row(NamedTuple):
    """One row of observations: what it is written from, what is kept of it, and where it is written."""

    words: IntArray  # the game as int64
    kept: IntArray
    raw: Shorts  # counts before they are scaled
    out: Floats


class Workspace(NamedTuple):
    """Arrays to write compact observations with, for one thread. They are 0 at first."""

    raw: Shorts  # (COUNTED,)
    spare: Floats  # (SEATS_WIDTH,)
    ways: WaysWorkspace


class CompactRows(NamedTuple):
    """Rows of observations of many games, and what is kept of each."""

    words: IntTable  # the games as int64
    kept: IntTable  # a row for each game, or one that is forgotten with every game
    remembers: bool  # which of the two
    out: FloatTable


@rule
def update_moment(s: State, t: Tables, p: int, row: Row) -> None:
    """What changes with every decision."""
    raw, out = row.raw, row.out
    scale(raw, out, 0, write_turn(s, p, raw, 0))
    write_question(s, row.kept, out, AT_QUESTION)
    scale(raw, out, AT_FRAME, write_frame(s, raw, AT_FRAME))
    at = write_fight(s, t, p, raw, AT_FIGHT)
    scale(raw, out, AT_FIGHT, write_table(s, p, raw, at))


@rule
def update_tile(s: State, t: Tables, p: int, row: Row) -> None:
    """While one is turned, and once after that."""
    turned = s.reason == Reason.PLAYING and top(s).phase == Phase.EXPLORE_TURN
    if turned or row.kept[TURNED] != 0:
        scale(row.raw, row.out, AT_TILE, write_tile(s, t, p, row.raw, AT_TILE))
        row.kept[TURNED] = 1 if turned else 0


@rule
def turn_seats(s: State, before: int, p: int, out: Floats, spare: Floats) -> None:
    """Another player observes: each keeps its numbers and gets another seat."""
    players = s.settings.players
    for k in range(SEATS_WIDTH):
        spare[k] = out[AT_PLAYERS + k]
    for seat in range(players):
        was, now = seat_of(s, before, player_at(s, p, seat)) * SAMURAI_WIDTH, AT_PLAYERS + seat * SAMURAI_WIDTH
        for k in range(SAMURAI_WIDTH):
            out[unsigned(now + k)] = spare[unsigned(was + k)]


@rule
def update_players(s: State, t: Tables, p: int, anew: bool, row: Row) -> int:
    """Those that have changed, or all of them `anew`. Gives what has changed of the observer: MINE, MY_ARMS."""
    changes = 0
    for seat in range(seats_taken(s)):
        q = player_at(s, p, seat)
        first = PLAYERS_FROM + q * PLAYER_WORDS
        changed = differs(row.words, first, first + PLAYER_WORDS, row.kept)
        if changed or anew:
            arms = have_arms_changed(row.words, first, row.kept)
            keep(row.words, first, first + PLAYER_WORDS, row.kept)
            write_changed_seat(s, t, q, arms or anew, AT_PLAYERS + seat * SAMURAI_WIDTH, row)
            if seat == 0:
                changes = MINE | (MY_ARMS if arms else 0)
    return changes


@rule
def have_arms_changed(words: IntArray, first: int, kept: IntArray) -> bool:
    """Of the player whose words begin here. Whose gear it is counts too: it says what that can do."""
    who = first + WHO_IT_IS
    if (words[unsigned(who)] ^ kept[unsigned(who + COPY)]) & WHO_BITS != 0:
        return True
    return differs(words, first + ARMS_FROM, first + ARMS_TO, kept)


@rule
def write_changed_seat(s: State, t: Tables, q: int, arms: bool, at: int, row: Row) -> None:
    """Arms are dear, and do not change when a samurai walks."""
    raw, out = row.raw, row.out
    write_seat(s, t, q, arms, raw, at)
    scale(raw, out, at, at + ARMS_FIRST)
    if arms:
        scale(raw, out, at + ARMS_FIRST, at + ARMS_LAST)
    scale(raw, out, at + ARMS_LAST, at + SAMURAI_WIDTH)


@rule
def update_me(s: State, t: Tables, p: int, changes: int, anew: bool, row: Row) -> None:
    """The observer's own board, and the scrolls that it may take."""
    kept, raw, out = row.kept, row.raw, row.out
    if anew or changes & MY_ARMS != 0:
        kept[ARMED] = 1 if has_usable_weapon(s.players[p]) else 0
        scale(raw, out, AT_CELLS, write_cells(s, p, raw, AT_CELLS))
    if anew or changes != 0:
        end = write_self(s, t, p, kept[ARMED] != 0, raw, AT_SELF)
        scale(raw, out, AT_SELF, write_open(s, t, raw, end))


@rule
def update_cards(s: State, t: Tables, p: int, anew: bool, row: Row) -> None:
    kept, raw, out = row.kept, row.raw, row.out
    cubes, wanted = all_cubes_at_hand(s, p), wanted_cards(s, p)
    if anew or cubes != kept[CUBES] or wanted != kept[WANTED]:
        kept[CUBES] = cubes
        kept[WANTED] = wanted
        scale(raw, out, AT_CARDS, write_cards(s, t, p, raw, AT_CARDS))


@rule
def all_cubes_at_hand(s: State, p: int) -> int:
    """By gear and kind, in one number."""
    cubes = 0
    for gear in range(GEARS):
        for kind in range(RESOURCE_KINDS):
            cubes = cubes << CUBE_BITS | int(cubes_at_hand(s, p, gear, kind))
    return cubes


@rule
def wanted_cards(s: State, p: int) -> int:
    """A set: the gears of which the observer has no card."""
    wanted = 0
    for gear in range(GEARS):
        wanted |= (0 if has_gear_card(s.players[p], gear) else 1) << gear
    return wanted


@rule
def write_nothing(out: Floats) -> int:
    for k in range(WIDTH):
        out[k] = 0
    return WIDTH


@rule
def write_compact(s: State, t: Tables, p: int, row: Row, workspace: Workspace) -> int:
    """All parts that have changed since the row was written; gives how many numbers the row has."""
    words, kept, raw, out = row.words, row.kept, row.raw, row.out
    before = kept[OBSERVER] - 1
    unknown, anew = before < 0, before != p
    kept[OBSERVER] = p + 1
    if unknown:
        write_nothing(out)
        kept[SHOWN] = 0
        kept[QUESTION] = 0
    other_cards = keep_changed(words, CARDS_FROM, CARDS_TO, kept) or unknown
    other_map = keep_changed(words, MAP_FROM, MAP_TO, kept)
    update_moment(s, t, p, row)
    update_tile(s, t, p, row)
    if anew and not unknown:
        turn_seats(s, before, p, out, workspace.spare)
    changes = update_players(s, t, p, other_cards, row)
    update_me(s, t, p, changes, other_cards or anew, row)
    update_cards(s, t, p, other_cards or anew, row)
    if other_map:
        forget_ways(kept)
    if other_map or unknown:
        scale(raw, out, AT_PLACES, write_places(s, t, raw, AT_PLACES))
        write_ground(s, out, AT_GROUND)
    return write_ways(s, t, p, out, AT_WAYS, kept, workspace.ways)


@entry
def observe_compact(
    games: Records[State],
    tables: Records[Tables],
    observers: IntArray,
    first: int,
    last: int,
    rows: CompactRows,
    workspace: Workspace,
) -> int:
    """Write what the observer of each of the games first to last - 1 sees, a row each; one below 0 sees nothing but
    zeros. Returns how many numbers there are in the last row."""
    width = 0
    for g in range(first, last):
        fetch_game(games, min(g + 1, last - 1))
        kept = rows.kept[g if rows.remembers else 0]
        if observers[g] < 0 or not rows.remembers:
            kept[OBSERVER] = 0
        if observers[g] < 0:
            width = write_nothing(rows.out[g])
        else:
            row = Row(rows.words[g], kept, workspace.raw, rows.out[g])
            width = write_compact(games[g], tables[0], observers[g], row, workspace)
    return width
