"""The compact observation: one flat vector of numbers from -1 to 1, for small networks on a CPU.

The table `PARTS` defines the layout, and docs/compact.md is generated from it. Each part has a writer below, in the
same order. A writer starts at a given index of the vector and returns the index after its last number. The observer is
seat 0 and the others follow in playing order. The layout is the same for every player count; whatever is missing is 0.

When a row is written again for the same game, it is only updated: a part is written if its inputs have changed since
the last time, see kept.py.

Flags are 0 or 1. Counts and codes are divided by the `most` of their column, which is a high value for that quantity,
and clipped. Paths to things worth reaching are computed explicitly: see reach.py.

Nothing that the observer can't see is written: no random generators, no loaded dice, no tile on top of a stack.
"""

from typing import Any, Final, NamedTuple

import numpy as np

from fujikoro_env.content.model import ADVENTURE_POWERS, FOOT_SPOTS, PALACE_TRACKS, SCROLL_POWERS, SUPPLY
from fujikoro_env.kernel.jit import Floats, FloatTable, IntArray, IntTable, Shorts, entry, rule, unsigned
from fujikoro_env.kernel.layout import Column, Part, starts_of
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
from fujikoro_env.observation.numbers import put, put_flag, tiles_to_come
from fujikoro_env.observation.reach import (
    FULL,
    LAVA,
    PLANES,
    ROWS,
    SCRATCH,
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
CHARACTER_COUNT: Final = len(Character) - 1  # without the symmetric board, which is not a character
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

WHEN: Final = "for the observer's space and its neighbours, while it is asked what to do or where to go"
WAYS_TO: Final = (
    ("loot", "things the observer can gather, and exits"),
    ("frontier", "places that can be explored"),
    ("dragons", "dragons"),
)

PARTS: Final = (
    Part(
        "turn",
        1,
        "state of the game",
        (
            Column("players", "number of players", PLAYERS),
            Column("round", "current round in per mille of the last round", PER_MILLE),
            Column("rounds_left", "rounds until the last round", 20),
            Column(
                "to_final",
                "VP the observer needs to start the final chapter; in co-op rounds until it starts",
                30,
                low=-1,
            ),
            Column("final", "the final chapter has begun"),
            Column("final_mine", "the observer's turns count it down"),
            Column("countdown", "spaces of the countdown entered", 8),
            Column("rope", "the rope lies on the start tile"),
            Column("called", "eruption numbers called, 1 to 4", width=ERUPTIONS),
            Column("first", "seat of the first player", PLAYERS),
            Column("my_turn", "it is the observer's turn"),
            Column("my_question", "the observer is the acting player"),
            Column("actions_begun", "actions begun in this turn", 2),
            Column("stock_taken", "the stock was gathered this turn"),
            Column("steps", "steps of the current move", 4),
            Column("peaceful", "no duels"),
            Column("coop", "all win or lose together"),
            Column("scenario", "one flag for each scenario", width=SCENARIO_COUNT),
            Column("beaten", "dragons beaten", 10),
        ),
    ),
    Part(
        "question", 1, "the current question", (Column("phase", "one flag for each phase, by its number", width=ASKED),)
    ),
    Part(
        "frame",
        1,
        "details of the current question, depending on the phase",
        (
            Column("stage", "progress or a detail of the phase", 8),
            Column("left", "steps, blueprints or hits left", 12),
            Column("marks", "lava crossed, cubes or blueprints taken", 6),
            Column("offer", "wood, metal, teeth offered or in hand", 6, RESOURCE_KINDS),
            Column("gear", "gear that is crafted or pays: helmet, weapon, sandals", width=GEARS),
        ),
    ),
    Part(
        "tile",
        CELLS_OF_TILE,
        "the tile being placed, as printed: the centre, then petals 0 to 5",
        (
            Column("ground", "8 lava, else its eruption number", LAVA),
            Column("loot", "10 a scroll of the observer's colour, 7 a monk, 5 resources, 4 an adventure", 10),
            Column("dragon", "a dragon appears here"),
        ),
    ),
    Part(
        "players",
        PLAYERS,
        "players and their boards, by seat",
        (
            Column("plays", "the seat is taken; in scenario 7 the enemies follow the player"),
            Column("character", "number of the character", CHARACTER_COUNT),
            Column("lives", "lives left in co-op", 3),
            Column("status", "status markers", 6),
            Column("vp", "victory points", 40),
            Column("pool", "discs in the pool", 4),
            Column("monks", "monks on monk spots", SPOTS),
            Column("resources", "resources in the pack", 11),
            Column("scrolls", "scrolls held", SCROLL_SLOTS),
            Column("blueprints", "blueprints owned", GEARS),
            Column("gear_cards", "gear cards owned", GEARS),
            Column("helmet", "damage the helmet absorbs", 20),
            Column("sandals", "damage the sandals absorb", 10),
            Column("weapon", "six times the expected hits of all dice of all usable weapons", 16 * FACES),
            Column("initiative", "initiative in a fight", 12),
            Column("magic", "number of magic gears", GEARS),
            Column("out", "2 unconscious, 1 has left the volcano", 2),
            Column("place", "position on the lattice, two axes from its middle", LATTICE_MIDDLE, 2, low=-1),
        ),
    ),
    Part(
        "self",
        1,
        "the observer's own board",
        (
            Column("character", "one flag for each character", width=CHARACTER_COUNT),
            Column("fields", "discs on move, explore, gather", 4, DISC_FIELDS),
            Column("monks", "monks at pool, scroll, weapon, pack", width=SPOTS),
            Column("pack", "wood, metal, teeth in the pack", 6, RESOURCE_KINDS),
            Column("free", "free slots of the pack", 11),
            Column("pack_monks", "monks in the pack", 3),
            Column("cubes", "wood, metal, teeth on helmet, weapon, sandals", 8, GEARS * RESOURCE_KINDS),
            Column("magic", "helmet, weapon, sandals are magic", width=GEARS),
            Column("card_on", "by disc field: a helmet, weapon, sandals card lies there", width=DISC_FIELDS * GEARS),
            Column("looks", "the weapon card gives a look"),
            Column("armed", "a weapon is usable"),
            Column("claimed", "shogun bonuses claimed, by track", 4, TRACKS),
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
        "dragons by place, in the order of the action `place`, including the start",
        (Column("dragon", "health of the dragon there; below 0 while it sleeps", 40, low=-1),),
    ),
    Part(
        "cards",
        2 * CARDS,
        "cards by slot, in the order of the action `build`: gear cards, then blueprints",
        (
            Column("owner", "2 the observer owns it; 1 nobody owns it and the observer may take it", 2),
            Column("missing", "wood, metal, teeth missing for it in gear, hand and pack", 8, RESOURCE_KINDS),
        ),
    ),
    Part(
        "fight",
        1,
        "the current fight",
        (
            Column("dragon", "the fight is with a dragon"),
            Column("duel", "the fight is a duel"),
            Column("monk", "the fight is with a monk"),
            Column("inside", "the observer is in the fight"),
            Column("fighters", "samurai in the fight", PLAYERS),
            Column("health", "health of the dragon", 40),
            Column("dice", "dice of the dragon", 6),
            Column("initiative", "initiative of the dragon", 12),
            Column("vp", "VP for beating the dragon", 15),
            Column("rounds", "rounds fought", 10),
            Column("hits", "hits of the current roll", 12),
            Column("breaks", "breaking dice of the current roll, by resource", 4, RESOURCE_KINDS),
        ),
    ),
    Part(
        "table",
        1,
        "everything else on the table",
        (
            Column("tiles", "tiles left, by level", 12, RINGS),
            Column("looked", "the observer has looked at the top tile, by level", width=RINGS),
            Column("supply", f"{', '.join(SUPPLY)} left", (60, 90, 25, 20, 38, 51, 12, 9), SUPPLIES),
            Column("scrolls", "scroll tokens of the observer's colour not yet placed", 7),
            Column("palace", "values taken in the palace, by track", 6, TRACKS),
            Column("foot", "values taken at the foot of the mountain", width=FOOT),
        ),
    ),
    Part(
        "ground",
        SPACES,
        "terrain by space, in the order of the action `step`",
        (Column("code", "-8 unexplored, 8 lava, else its eruption number", LAVA, low=-1),),
    ),
    *(
        Part(name, SPACES, f"path values by space, to {doc}; {WHEN}", (Column("value", "path value", FULL),))
        for name, doc in WAYS_TO
    ),
    Part(
        "here",
        1,
        "path values of the observer's space",
        (Column("values", f"path values to {', '.join(name for name, _ in WAYS_TO)}", FULL, len(WAYS_TO)),),
    ),
)
WIDTH: Final = sum(part.width for part in PARTS)
STARTS: Final = starts_of(PARTS)
COUNTED: Final = STARTS["ground"]  # counts up to here, scaled together; the rest is written scaled
AT_QUESTION, AT_FRAME, AT_TILE = STARTS["question"], STARTS["frame"], STARTS["tile"]
AT_PLAYERS, AT_SELF, AT_CELLS = STARTS["players"], STARTS["self"], STARTS["cells"]
AT_PLACES, AT_CARDS, AT_FIGHT, AT_GROUND = STARTS["places"], STARTS["cards"], STARTS["fight"], STARTS["ground"]
AT_WAYS: Final = STARTS[WAYS_TO[0][0]]
SAMURAI: Final = next(part for part in PARTS if part.name == "players")
SAMURAI_WIDTH: Final = SAMURAI.row_width
SEATS_WIDTH: Final = PLAYERS * SAMURAI_WIDTH
ARMS_FIRST, ARMS_LAST = SAMURAI.slices["helmet"].start, SAMURAI.slices["magic"].stop  # the columns about gear
CARD_WIDTH: Final = next(part.row_width for part in PARTS if part.name == "cards")

# Constant tables, which compiled code may freeze. Multiplying is much faster than dividing.
SCALES: Final = (1 / np.concatenate([part.highs.ravel() for part in PARTS])).astype(np.float32)
LATTICE_PLACE: Final = np.array([hexes[0] for hexes in geometry().hexes], np.int64)  # first hexagon of each space
ONE: Final = np.float32(1)
BYTE: Final = 8
ALL_OF_BYTE: Final = (1 << BYTE) - 1
BITS_OF: Final = np.array([[bits >> k & 1 for k in range(BYTE)] for bits in range(1 << BYTE)], np.int16)
TWICE: Final = 2 * BITS_OF

KEPT: Final = COPIED + PLAYERS * PLANES * ROWS  # numbers kept for each row
MINE, MY_ARMS = 1, 2  # flags for what has changed
CUBE_BITS: Final = 7  # enough bits to count the cubes of each kind in the box


@rule
def put_zeros(raw: Shorts, at: int, number: int) -> int:
    """Write zeros. Returns the index after them."""
    for k in range(number):
        raw[unsigned(at + k)] = 0
    return at + number


@rule
def scale(raw: Shorts, out: Floats, first: int, last: int) -> None:
    """Scale and clip counts. Everything is float32, so that compiled and plain code agree to the bit."""
    for k in range(first, last):
        out[unsigned(k)] = min(ONE, max(-ONE, np.float32(raw[unsigned(k)]) * SCALES[unsigned(k)]))


# The parts


@rule
def write_turn(s: State, p: int, raw: Shorts, at: int) -> int:
    """Write the part `turn`."""
    settings = s.settings
    at = put(raw, at, settings.players)
    at = put(raw, at, PER_MILLE * int(s.round_number) // int(settings.max_rounds))
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
    """VP until the final chapter; in co-op, rounds (COOP-2)."""
    if s.settings.mode == Mode.COOP:
        return s.settings.full_rounds - s.round_number
    return s.settings.final_at - s.players[p].vp


@rule
def write_question(s: State, kept: IntArray, out: Floats, at: int) -> int:
    """Write the one-hot phase. Only one flag is set, so it is enough to clear the one that was set before."""
    asked = top(s).phase if s.reason == Reason.PLAYING else 0
    out[unsigned(at + kept[QUESTION])] = 0
    out[unsigned(at + asked)] = 1
    kept[QUESTION] = asked
    return at + ASKED


@rule
def write_frame(s: State, raw: Shorts, at: int) -> int:
    """Write the part `frame`: details of the question."""
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
    """Write the part `tile`: the tile that is being turned, or zeros."""
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
    """Write the numbers of player q, or zeros for an enemy that is no longer in play. Gear is written only if `arms` is
    set."""
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
    """Write a player's columns about its board."""
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
    """Write helmet, sandals, weapon, initiative and magic."""
    at = put(raw, at, strength(me.gear[Gear.HELMET]))
    at = put(raw, at, strength(me.gear[Gear.SANDALS]))
    left, right = weapons_of(me)
    at = put(raw, at, hits_to_expect(me, t, left, LEFT) + hits_to_expect(me, t, right, RIGHT))
    at = put(raw, at, initiative_with(me, left, right) + initiative_of_scrolls(me, t))
    return put(raw, at, magic_gear_of(me))


@rule
def weapons_of(me: Player) -> tuple[int, int]:
    """The left and the right weapon, found in one pass."""
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
    """Number of monks on the spots of a board."""
    count = 0
    for spot in range(SPOTS):
        count += me.monks[spot]
    return count


@rule
def gear_cards_of(me: Player) -> int:
    """Number of gear cards under a player's actions."""
    count = 0
    for field in range(DISC_FIELDS):
        if me.card_on[field] != 0:
            count += 1
    return count


@rule
def magic_gear_of(me: Player) -> int:
    """Number of magic gears of a player."""
    count = 0
    for gear in range(GEARS):
        if me.gear[gear].magic != 0:
            count += 1
    return count


@rule
def hits_to_expect(me: Player, t: Tables, piece: int, slot: int) -> int:
    """Six times the mean hits per round with all dice of a weapon; 0 if the weapon is not usable."""
    if not is_usable(me, piece):
        return 0
    total = all_hits(t, Cube.MAGIC) if has_magic(me, slot) else 0
    for kind in range(RESOURCE_KINDS):
        total += count_bits(me.gear[Gear.WEAPON].cubes[kind] & piece) * all_hits(t, kind)
    return total


@rule
def all_hits(t: Tables, kind: int) -> int:
    """Sum of the hits on all faces of a kind of die."""
    total = 0
    for face in range(FACES):
        total += t.die_hits[kind, face]
    return total


@rule
def write_self(s: State, t: Tables, p: int, armed: bool, raw: Shorts, at: int) -> int:
    """Write the part `self`: the observer's own board."""
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
    """Write the part `open`: the scroll display."""
    at_end = put_zeros(raw, at, POWERS)
    for slot in range(SCROLL_DISPLAY):
        if s.scroll_display[slot] != 0:
            put(raw, at + t.scroll_power[s.scroll_display[slot] - 1], slot + 1)
    return at_end


@rule
def write_cells(s: State, p: int, raw: Shorts, at: int) -> int:
    """Write eight cells at a time. This writes zeros beyond the last cell of a gear, which the next writer
    overwrites."""
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
    """Write the part `places`: the dragons."""
    for place in range(PLACES + 1):
        dragon = s.dragon_at[place]
        at = put(raw, at, health_and_sleep(s, t, dragon - 1) if dragon != 0 else 0)
    return at


@rule
def health_and_sleep(s: State, t: Tables, dragon: int) -> int:
    """Health of a dragon; negative while it sleeps."""
    health = dragon_health(s, t, dragon)
    return -health if s.dragons[dragon].marker == Marker.ASLEEP else health


class Cubes(NamedTuple):
    """Number of cubes of each kind."""

    wood: int
    metal: int
    tooth: int


@rule
def write_cards(s: State, t: Tables, p: int, raw: Shorts, at: int) -> int:
    """Write the part `cards`: all gear cards, then all blueprints."""
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
    """Whether a card lies in a temple."""
    return (card.where >= Where.TEMPLE) & (card.where < Where.OWNED)


@rule
def write_card(p: int, card: Card, open_to_me: bool, printed: CardTable, cubes: Cubes, raw: Shorts, at: int) -> None:
    """Write one card; zeros if the observer can't have it. There is no branch because it would be unpredictable."""
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
    """Cubes that the player can use: on the gear, in the pack, and in hand while this gear is rebuilt."""
    me = s.players[p]
    count = count_bits(me.gear[gear].cubes[kind]) + me.pack[kind]
    if s.reason != Reason.PLAYING:
        return count
    frame = top(s)
    crafting = frame.phase == Phase.CRAFT_LAY and frame.actor == p and frame.thing == gear
    return count + frame.offer[kind] if crafting else count


@rule
def write_fight(s: State, t: Tables, p: int, raw: Shorts, at: int) -> int:
    """Write the part `fight`."""
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
    """Write the part `table`."""
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


# Updating a row


class Row(NamedTuple):
    """One row of observations: the inputs, the copy of the inputs kept from last time, and the output."""

    words: IntArray  # the record of the game as int64
    kept: IntArray
    raw: Shorts  # counts before scaling
    out: Floats


class Workspace(NamedTuple):
    """Scratch arrays for writing compact observations, for one thread. They are 0 at first."""

    raw: Shorts  # (COUNTED,)
    spare: Floats  # (SEATS_WIDTH,)
    ways: WaysWorkspace


# Python hands a workspace over as one array of int64, because every array of a call costs time. These are the words at
# which its parts begin; the rows come first.
AT_RAW: Final = SCRATCH
AT_SPARE: Final = AT_RAW - (-COUNTED // 4)  # four int16 in a word
AT_FLAGS: Final = AT_SPARE - (-SEATS_WIDTH // 2)
WORKSPACE_WORDS: Final = AT_FLAGS - (-SPACES // 8)


class CompactRows(NamedTuple):
    """Rows of observations of many games, with the inputs kept for each."""

    words: IntTable  # the records of the games as int64
    kept: IntTable  # one row for each game, or a single row that is reset for every game
    remembers: bool  # whether there is one row for each game
    out: FloatTable


@rule
def update_moment(s: State, t: Tables, p: int, row: Row) -> None:
    """Update everything that changes with every decision."""
    raw, out = row.raw, row.out
    scale(raw, out, 0, write_turn(s, p, raw, 0))
    write_question(s, row.kept, out, AT_QUESTION)
    scale(raw, out, AT_FRAME, write_frame(s, raw, AT_FRAME))
    at = write_fight(s, t, p, raw, AT_FIGHT)
    scale(raw, out, AT_FIGHT, write_table(s, p, raw, at))


@rule
def update_tile(s: State, t: Tables, p: int, row: Row) -> None:
    """Update the tile that is being turned, while there is one and once afterwards."""
    turned = s.reason == Reason.PLAYING and top(s).phase == Phase.EXPLORE_TURN
    if turned or row.kept[TURNED] != 0:
        scale(row.raw, row.out, AT_TILE, write_tile(s, t, p, row.raw, AT_TILE))
        row.kept[TURNED] = 1 if turned else 0


@rule
def turn_seats(s: State, before: int, p: int, out: Floats, spare: Floats) -> None:
    """Move the players' numbers to their new seats when another player observes."""
    players = s.settings.players
    for k in range(SEATS_WIDTH):
        spare[k] = out[AT_PLAYERS + k]
    for seat in range(players):
        was, now = seat_of(s, before, player_at(s, p, seat)) * SAMURAI_WIDTH, AT_PLAYERS + seat * SAMURAI_WIDTH
        for k in range(SAMURAI_WIDTH):
            out[unsigned(now + k)] = spare[unsigned(was + k)]


@rule
def update_players(s: State, t: Tables, p: int, anew: bool, row: Row) -> int:
    """Update the players that have changed, or all of them if `anew`. Returns what has changed for the observer, as
    flags MINE and MY_ARMS."""
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
    """Whether the gear has changed for the player whose words start at `first`. The character counts too, because it
    determines what gear can do."""
    who = first + WHO_IT_IS
    if (words[unsigned(who)] ^ kept[unsigned(who + COPY)]) & WHO_BITS != 0:
        return True
    return differs(words, first + ARMS_FROM, first + ARMS_TO, kept)


@rule
def write_changed_seat(s: State, t: Tables, q: int, arms: bool, at: int, row: Row) -> None:
    """Write a player that has changed. Gear is skipped if possible: it is expensive, and does not change when a samurai
    walks."""
    raw, out = row.raw, row.out
    write_seat(s, t, q, arms, raw, at)
    scale(raw, out, at, at + ARMS_FIRST)
    if arms:
        scale(raw, out, at + ARMS_FIRST, at + ARMS_LAST)
    scale(raw, out, at + ARMS_LAST, at + SAMURAI_WIDTH)


@rule
def update_me(s: State, t: Tables, p: int, changes: int, anew: bool, row: Row) -> None:
    """Update the observer's own board, and the scrolls that it may take."""
    kept, raw, out = row.kept, row.raw, row.out
    if anew or changes & MY_ARMS != 0:
        kept[ARMED] = 1 if has_usable_weapon(s.players[p]) else 0
        scale(raw, out, AT_CELLS, write_cells(s, p, raw, AT_CELLS))
    if anew or changes != 0:
        end = write_self(s, t, p, kept[ARMED] != 0, raw, AT_SELF)
        scale(raw, out, AT_SELF, write_open(s, t, raw, end))


@rule
def update_cards(s: State, t: Tables, p: int, anew: bool, row: Row) -> None:
    """Update the cards if the observer's usable cubes or wanted cards have changed."""
    kept, raw, out = row.kept, row.raw, row.out
    cubes, wanted = all_cubes_at_hand(s, p), wanted_cards(s, p)
    if anew or cubes != kept[CUBES] or wanted != kept[WANTED]:
        kept[CUBES] = cubes
        kept[WANTED] = wanted
        scale(raw, out, AT_CARDS, write_cards(s, t, p, raw, AT_CARDS))


@rule
def all_cubes_at_hand(s: State, p: int) -> int:
    """Usable cubes by gear and kind, packed into one number."""
    cubes = 0
    for gear in range(GEARS):
        for kind in range(RESOURCE_KINDS):
            cubes = cubes << CUBE_BITS | int(cubes_at_hand(s, p, gear, kind))
    return cubes


@rule
def wanted_cards(s: State, p: int) -> int:
    """Bit set of the gears for which the observer has no card."""
    wanted = 0
    for gear in range(GEARS):
        wanted |= (0 if has_gear_card(s.players[p], gear) else 1) << gear
    return wanted


@rule
def write_nothing(out: Floats) -> int:
    """Write zeros to the whole row. Returns its length."""
    for k in range(WIDTH):
        out[k] = 0
    return WIDTH


@rule
def write_compact(s: State, t: Tables, p: int, row: Row, workspace: Workspace) -> int:
    """Write all parts that have changed since the row was last written. Returns the length of the row."""
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
    workspace_words: IntArray,
) -> int:
    """Write the observations of the games first to last - 1, one row each; zeros where the observer is below 0. Returns
    the length of the last row. `workspace_words`: WORKSPACE_WORDS numbers, 0 at first, for this thread alone."""
    memory: Any = workspace_words
    raw = memory[AT_RAW:AT_SPARE].view(np.int16)
    spare, flags = memory[AT_SPARE:AT_FLAGS].view(np.float32), memory[AT_FLAGS:].view(np.uint8)
    workspace = Workspace(raw, spare, WaysWorkspace(flags, memory[:AT_RAW]))
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
