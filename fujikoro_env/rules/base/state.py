"""A game as one record, sized for 6 players, every character and every scenario.

Unused fields are zero, so that equal positions have equal bytes. Cards, tiles and tokens are stored as id + 1, with 0
for none. A cell of a gear grid is the bit row * WIDTH + column, where WIDTH is that of the widest character's board.

Every field declares its bounds. Saved games are checked against them, because rules use the fields as indices without
checking (engine/bounds.py).
"""

from enum import Enum, auto

from fujikoro_env.content.model import (
    ADVENTURE_POWERS,
    COLOURS,
    ERUPTIONS,
    GEAR,
    MAX_CARDS_PER_TYPE,
    MAX_COUNTDOWN,
    MAX_DRAGONS,
    MAX_PRINTED,
    MAX_SCROLLS,
    MAX_SUPPLY,
    MAX_TILES_PER_LEVEL,
    MAX_TOKENS_PER_SHAPE,
    MAX_TRACK,
    PALACE_TRACKS,
)
from fujikoro_env.content.model import SUPPLY as SUPPLY_NAMES
from fujikoro_env.kernel.jit import fetch_until
from fujikoro_env.kernel.records import Ints, Records, all_of, i8s, i16, i16s, i64, i64s, many, one, record
from fujikoro_env.kernel.streams import Generator
from fujikoro_env.rules.base.counters import Counts
from fujikoro_env.rules.base.names import (
    Character,
    CoopHealth,
    Cube,
    Deck,
    Fault,
    Marker,
    Mode,
    Outside,
    Reason,
    Stream,
    Terrain,
    Where,
)
from fujikoro_env.rules.map.geometry import PLACES, SPACES

PLAYERS = 6
CARD_SLOTS = 6  # cards of one gear type in play: one per player
SCROLL_SLOTS = 2
SCROLL_DISPLAY = 3
FRAMES = 20  # enough for six samurai who each wait for a fight with a monk (SCEN-41)
LOADED_DICE = 64
LOADED_DRAWS = 16
PATH = 8
DRAGONS_TURN = PLAYERS + 1

GEAR_WIDTH = (4, 10, 5)  # columns of helmet, weapon, sandals
GEAR_HEIGHT = (3, 5, 1)
GEAR_CELLS = (12, 50, 5)

LAST_SPACE = SPACES - 1
SCENARIOS = 8
MOST_ROUNDS = 1000
MOST_FINAL_AT = 1000
MOST_VP = 9999
MOST_LIVES = 3  # COOP-15
MOST_DISCS = 5  # CHAR-11
MOST_MONKS = 5  # Tomoe's board
MOST_FIGHT_ROUNDS = 30  # DRAG-7, DUEL-3
MOST_HITS = 1000
FIRST_PARTNER = 40  # bits of `used_powers`: powers, then partners of the swaps begun this turn
LAST_IN_DECK = (
    *[MAX_TILES_PER_LEVEL] * 3,
    *[MAX_TOKENS_PER_SHAPE] * 2,
    MAX_DRAGONS,
    len(ADVENTURE_POWERS),
    MAX_SCROLLS,
    len(GEAR) * MAX_CARDS_PER_TYPE,
)  # by Deck


class Limit(Enum):
    """Upper bounds that depend on the number of players; enemies have seats too (SCEN-71)."""

    LAST_PLAYER = auto()
    LAST_SEAT = auto()
    PLAYERS = auto()  # of a player + 1
    SEATS = auto()  # of a player or enemy + 1


@record
class Settings:
    """Settings of a game, copied from `Rules`."""

    players: int = i16(low=1, high=PLAYERS)
    mode: int = i16(high=len(Mode) - 1)  # Mode
    scenario: int = i16(high=SCENARIOS)  # number of the scenario, or 0
    adventure_tokens: int = i16(high=1)
    peaceful: int = i16(high=1)
    final_at: int = i16(high=MOST_FINAL_AT)  # VP that start the final chapter (FINAL-1)
    max_rounds: int = i16(low=1, high=MOST_ROUNDS)  # END-2
    ask_forced: int = i16(high=1)  # ask even if only one action is legal
    monk_to_pack: int = i16(high=1)  # MONK-1
    scroll_replace_anytime: int = i16(high=1)  # SCROLL-3
    must_take_card: int = i16(high=1)  # GEAR-1
    share_peeks: int = i16(high=1)  # GEAR-5
    exit_always_open: int = i16(high=1)  # ESC-1
    rope_catches: int = i16(high=1)  # ESC-3
    coop_lives: int = i16(high=MOST_LIVES)  # COOP-15
    swap_consent: int = i16(high=1)  # COOP-17
    masako_full_steps: int = i16(high=1)  # CHAR-22
    unarmed_pass: int = i16(high=1)  # SCEN-15
    last_turn_dragon_sleeps: int = i16(high=1)  # SCEN-21
    monk_initiative: int = i16(high=1)  # SCEN-41
    monk_distance: int = i16(high=1)  # SCEN-43: 0 counts spaces, 1 counts tiles
    coop_health: int = i16(high=len(CoopHealth) - 1)  # COOP-19: CoopHealth
    one_gear_per_enemy: int = i16(high=1)  # SCEN-71
    full_rounds: int = i16(high=MOST_ROUNDS)  # co-op: rounds before the final ones (COOP-2)
    lava_at: int = i16(high=MOST_FINAL_AT)  # VP that start the lava phase (SCEN-31), or 0
    lava_after: int = i16(high=MOST_ROUNDS)  # co-op: rounds before the lava phase (SCEN-33), or 0
    terms: int = i64(high=all_of(63))  # terms of the scenario, as bits (terms.py)
    characters: Ints = i16s(PLAYERS, high=len(Character))  # by player: Character, or ANY_CHARACTER if dealt at random


@record
class GearGrid:
    """The cubes on one gear of a player."""

    cubes: Ints = i64s(3, high=all_of(max(GEAR_CELLS)))  # by resource: bit set of cells
    magic: int = i16(high=2)  # 0 none, 1 on the gear (with two weapons: the left one), 2 on the right weapon


@record
class Player:
    """A player: samurai, board, pack and holdings."""

    at: int = i16(high=LAST_SPACE)  # space
    vp: int = i16(high=MOST_VP)
    character: int = i16(high=len(Character) - 1)  # Character
    colour: int = i16(high=len(COLOURS))  # index into COLOURS + 1, or 0 for none
    unconscious: int = i16(high=1)
    outside: int = i16(high=len(Outside) - 1)  # Outside
    left_volcano: int = i16(high=PLAYERS)  # order of leaving: 1 for the first player, 2 for the second, ... (END-1)
    left_round: int = i16(high=MOST_ROUNDS)  # round in which the player left
    lives_lost: int = i16(high=MOST_LIVES)
    pool: int = i16(high=MOST_DISCS)  # discs in the pool
    fields: Ints = i16s(3, high=MOST_DISCS)  # discs on the action fields, by Disc
    monks: Ints = i16s(4, high=MOST_MONKS)  # monks by Spot
    pack: Ints = i16s(3, high=MAX_PRINTED)  # resources in the pack
    pack_monks: int = i16(high=MAX_PRINTED)
    scrolls: Ints = i16s(SCROLL_SLOTS, high=MAX_SCROLLS)  # card + 1
    scroll_colours: Ints = i16s(SCROLL_SLOTS, high=len(COLOURS))  # colour + 1 of the card's token in the pack
    gear: Records[GearGrid] = many(GearGrid, 3)
    card_on: Ints = i16s(3, high=len(GEAR))  # by Disc: gear type + 1 of the gear card lying there (GEAR-2)
    looks: int = i16(high=1)  # the weapon card gives 1: a look, 0: a VP (GEAR-5)
    adventures: Ints = i16s(len(ADVENTURE_POWERS), high=MAX_SUPPLY)
    claimed: Ints = i16s(len(PALACE_TRACKS), high=MAX_PRINTED)  # shogun bonuses claimed, by track (SHOG-1)
    status: int = i16(high=MAX_PRINTED)  # number of status markers (SCEN-17)
    on_rope: int = i16(high=1)  # 1 if it ended its turn on the rope (SCEN-16)
    trophies: int = i64(high=all_of(MAX_DRAGONS))  # bit set of dragons kept (SCEN-23)


@record
class Card:
    """A gear card or a blueprint in play."""

    card: int = i16(high=len(GEAR) * MAX_CARDS_PER_TYPE)  # card + 1
    where: int = i16(high=Where.OWNED + PLAYERS - 1)  # Where


@record
class Dragon:
    """A dragon on the map."""

    place: int = i16(high=PLACES + 1)  # place + 1; PLACES + 1 is the start tile
    damage: int = i16(high=MAX_PRINTED)  # number of permanent damage tokens
    marker: int = i16(high=len(Marker) - 1)  # Marker (COOP-8, or SCEN-21 by option)


@record
class Fighter:
    """A player's part in the current fight."""

    inside: int = i16(high=1)  # 1 while in the fight
    came_from: int = i16(high=LAST_SPACE)  # space it came from
    initiative: int = i16(high=MAX_PRINTED)
    monk: int = i16(high=1)  # 1 if it sent a heroic monk (HERO-3)
    rolled: int = i16(high=all_of(3))  # weapons rolled this round, as bits
    rerolled: int = i16(high=1)  # 1 if steady_hand has been used


@record
class Fight:
    """The current fight with a dragon, a monk or another samurai."""

    dragon: int = i16(high=MAX_DRAGONS)  # dragon + 1; 0 in a duel
    monk: int = i16(high=SPACES)  # space + 1 of the opposing monk (SCEN-41)
    health: int = i16(low=-MAX_PRINTED, high=MAX_PRINTED)  # health left of the dragon or monk
    rounds: int = i16(high=MOST_FIGHT_ROUNDS)
    came: int = i16(high=1)  # 1 if the dragon or monk came to the samurai
    active: int = i16(high=Limit.LAST_SEAT)  # player who is first in player order
    defender: int = i16(high=Limit.LAST_SEAT)  # in a duel: the defending player
    loser: int = i16(high=Limit.SEATS)  # in a duel: player + 1 once decided
    gave_up: int = i16(high=1)  # in a duel: 1 if the loser gave up
    order: Ints = i16s(PLAYERS + 1, high=DRAGONS_TURN)  # player + 1 or DRAGONS_TURN, by initiative, then 0
    turn: int = i16(high=PLAYERS + 1)  # index into order
    hits: int = i16(high=MOST_HITS)  # hits of the roll on the table
    break_hits: int = i16(high=MOST_HITS)  # those of the hits that are on breaking dice
    breaks: Ints = i16s(3, high=MAX_PRINTED)  # breaking dice on the table, by resource
    fighters: Records[Fighter] = many(Fighter, PLAYERS)


@record
class Frame:
    """A question on the stack, or a step of the game that continues once the questions above it are answered. The table
    of phases (phases.py) declares what each phase keeps in the fields, and with it their bounds."""

    phase: int = i16()  # Phase
    actor: int = i16()
    stage: int = i16()
    left: int = i16()
    at: int = i16()
    thing: int = i16()
    marks: int = i16()
    offer: Ints = i16s(3)  # by resource
    chosen: int = i64()  # bit set
    cubes: Ints = i64s(3)  # by resource: bit set of cells


@record
class State:
    """A whole game."""

    settings: Settings = one(Settings)
    # the turn
    first_player: int = i16(high=Limit.LAST_PLAYER)
    active: int = i16(high=Limit.LAST_PLAYER)  # player whose turn it is
    round_number: int = i16(low=1, high=MOST_ROUNDS + 1)  # counted from 1
    stock_taken: int = i16(high=1)  # 1 if stock was taken this turn (GATH-4)
    turn_over: int = i16(high=1)  # 1 if the active samurai was knocked out (TURN-6)
    reason: int = i16(high=len(Reason) - 1)  # Reason; the game is over if not 0
    fault: int = i16(high=len(Fault) - 1)  # Fault
    countdown: int = i16(high=MAX_COUNTDOWN)  # number of final chapter spaces entered
    final_player: int = i16(high=Limit.PLAYERS)  # player + 1 who started the final chapter
    lava_player: int = i16(high=Limit.PLAYERS)  # player + 1 who started the lava phase (SCEN-31)
    called: int = i16(high=all_of(len(ERUPTIONS) + 1))  # eruption numbers called, as bits
    rope: int = i16(high=1)
    escaped: int = i16(high=PLAYERS)  # number of players who have left the volcano
    used_powers: int = i64(high=all_of(FIRST_PARTNER + PLAYERS))  # once-per-turn powers used this turn, as bits
    depth: int = i16(low=1, high=FRAMES)  # number of frames in use
    stack: Records[Frame] = many(Frame, FRAMES)
    path: Ints = i16s(PATH, high=LAST_SPACE)  # spaces of the current move, beginning with its start
    path_length: int = i16(high=PATH)
    # the table
    supply: Ints = i16s(len(SUPPLY_NAMES), high=MAX_SUPPLY)
    scroll_tokens: Ints = i16s(len(COLOURS), high=MAX_SUPPLY)  # tokens not yet laid out, by colour
    scroll_tokens_gone: Ints = i16s(len(COLOURS), high=MAX_SUPPLY)
    tiles_left: Ints = i64s(3, high=all_of(MAX_TILES_PER_LEVEL))  # tiles left in each stack, by level: bit set
    tiles_gone: Ints = i64s(3, high=all_of(MAX_TILES_PER_LEVEL))  # tiles out of the game, by level: bit set
    top: Ints = i16s(3, high=MAX_TILES_PER_LEVEL)  # tile + 1 known to be on top of a stack, by level
    top_seen: Ints = i16s(3, high=all_of(PLAYERS))  # players who have seen it, as bits
    squares_left: int = i64(high=all_of(MAX_TOKENS_PER_SHAPE))
    hexes_left: int = i64(high=all_of(MAX_TOKENS_PER_SHAPE))
    hexes_gone: int = i64(high=all_of(MAX_TOKENS_PER_SHAPE))  # hex tokens replaced by the monk they show
    dragons_left: int = i64(high=all_of(MAX_DRAGONS))
    dragons_beaten: int = i64(high=all_of(MAX_DRAGONS))
    adventures_left: Ints = i16s(len(ADVENTURE_POWERS), high=MAX_SUPPLY)
    adventures_gone: Ints = i16s(len(ADVENTURE_POWERS), high=MAX_SUPPLY)
    scroll_deck: int = i64(high=all_of(MAX_SCROLLS))
    scroll_discards: int = i64(high=all_of(MAX_SCROLLS))
    scroll_display: Ints = i16s(SCROLL_DISPLAY, high=MAX_SCROLLS)  # card + 1
    gear_cards: Records[Card] = many(Card, 3 * CARD_SLOTS)  # by gear type, then slot
    blueprints: Records[Card] = many(Card, 3 * CARD_SLOTS)
    palace: Ints = i16s(len(PALACE_TRACKS), high=MAX_TRACK)  # number of values taken, by track
    foot: Ints = i16s(4, high=1)  # 1 if taken: each gear, then the monk
    # the map
    tile: Ints = i16s(PLACES, high=3 * MAX_TILES_PER_LEVEL)  # by place: tile + 1
    tile_turn: Ints = i16s(PLACES, high=5)
    dragon_at: Ints = i16s(PLACES + 1, high=MAX_DRAGONS)  # by place: dragon + 1; the start tile is last
    dragons: Records[Dragon] = many(Dragon, MAX_DRAGONS)
    terrain: Ints = i8s(SPACES, high=len(Terrain) - 1)  # Terrain
    eruption: Ints = i8s(SPACES, high=len(ERUPTIONS))  # printed eruption number
    token: Ints = i8s(SPACES, high=2 * MAX_TOKENS_PER_SHAPE)  # token + 1; hex tokens follow the squares
    face_up: Ints = i8s(SPACES, high=1)
    monk: Ints = i8s(SPACES, high=2)  # 1 for a monk, 2 if it has already walked this round (SCEN-43)
    spoils: Ints = i8s(SPACES, high=3)  # left by a dragon: 1 tooth, 2 status marker, 3 both (SCEN-17)
    scroll: Ints = i8s(SPACES, high=len(COLOURS))  # colour + 1
    adventure: Ints = i8s(SPACES, high=len(ADVENTURE_POWERS))  # Adventure + 1
    secret_exit: int = i16(high=LAST_SPACE)  # space, or 0 while unexplored
    # players and their current fight
    players: Records[Player] = many(Player, PLAYERS)
    fight: Fight = one(Fight)
    # chance
    streams: Records[Generator] = many(Generator, len(Stream))
    loaded_dice: Ints = i16s(LOADED_DICE, high=len(Cube) * 8)  # Cube * 8 + face + 1
    loaded_draws: Ints = i16s(len(Deck), LOADED_DRAWS, high=LAST_IN_DECK)  # id + 1
    # Statistics. Steps rarely touch them, so they come after everything that each step reads.
    counts: Records[Counts] = many(Counts, PLAYERS)  # what each player has done


fetch_game = fetch_until("counts")
