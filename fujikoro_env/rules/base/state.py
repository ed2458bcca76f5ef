"""A game as one record. Sized for 6 players, every character and every scenario.

What is not in use is zero: equal positions have equal bytes. Cards, tiles and tokens are written as id + 1, 0 is
none. Cells of a gear grid are bits: row * WIDTH + column, with the widest character's width for all.
"""

from fujikoro_env.content.model import ADVENTURE_POWERS, COLOURS, MAX_DRAGONS, PALACE_TRACKS
from fujikoro_env.content.model import SUPPLY as SUPPLY_NAMES
from fujikoro_env.kernel.jit import fetch_until
from fujikoro_env.kernel.records import Ints, Records, i8s, i16, i16s, i64, i64s, many, one, record
from fujikoro_env.kernel.streams import Generator
from fujikoro_env.rules.base.counters import Counts
from fujikoro_env.rules.base.names import Deck, Stream
from fujikoro_env.rules.map.geometry import PLACES, SPACES

PLAYERS = 6
CARD_SLOTS = 6  # cards of one gear type in play: one for each player
SCROLL_SLOTS = 2
SCROLL_DISPLAY = 3
FRAMES = 20  # six samurai may wait for a fight with a monk each (SCEN-41)
LOADED_DICE = 64
LOADED_DRAWS = 16
PATH = 8
DRAGONS_TURN = PLAYERS + 1

GEAR_WIDTH = (4, 10, 5)  # columns of helmet, weapon, sandals
GEAR_HEIGHT = (3, 5, 1)
GEAR_CELLS = (12, 50, 5)


@record
class Settings:
    players: int = i16()
    mode: int = i16()  # Mode
    scenario: int = i16()  # its number, or 0
    adventure_tokens: int = i16()
    peaceful: int = i16()
    final_at: int = i16()  # VP that start the final chapter (FINAL-1)
    max_rounds: int = i16()  # END-2
    ask_forced: int = i16()  # ask also when one action alone is legal
    monk_to_pack: int = i16()  # MONK-1
    scroll_replace_anytime: int = i16()  # SCROLL-3
    must_take_card: int = i16()  # GEAR-1
    share_peeks: int = i16()  # GEAR-5
    exit_always_open: int = i16()  # ESC-1
    rope_catches: int = i16()  # ESC-3
    coop_lives: int = i16()  # COOP-15
    swap_consent: int = i16()  # COOP-17
    masako_full_steps: int = i16()  # CHAR-22
    unarmed_pass: int = i16()  # SCEN-15
    last_turn_dragon_sleeps: int = i16()  # SCEN-21
    monk_initiative: int = i16()  # SCEN-41
    monk_distance: int = i16()  # SCEN-43: 0 spaces, 1 tiles
    coop_health: int = i16()  # COOP-19: CoopHealth
    one_gear_per_enemy: int = i16()  # SCEN-71
    full_rounds: int = i16()  # co-op: rounds before the final ones (COOP-2)
    lava_at: int = i16()  # VP that start the lava phase (SCEN-31), or 0
    lava_after: int = i16()  # co-op: rounds before the lava phase (SCEN-33), or 0
    terms: int = i64()  # of the scenario: bits (terms.py)
    characters: Ints = i16s(PLAYERS)  # by player: Character, or ANY_CHARACTER to be dealt at random


@record
class GearGrid:
    cubes: Ints = i64s(3)  # by resource: bit set of cells
    magic: int = i16()  # 0 none, 1 on it (of two weapons: on the left one), 2 on the right weapon


@record
class Player:
    at: int = i16()  # space
    vp: int = i16()
    character: int = i16()  # Character
    colour: int = i16()  # index into COLOURS + 1; 0 none
    unconscious: int = i16()
    outside: int = i16()  # Outside
    left_volcano: int = i16()  # 1 for the first who left, 2 for the second, ... (END-1)
    left_round: int = i16()  # the round in which it left
    lives_lost: int = i16()
    pool: int = i16()  # discs
    fields: Ints = i16s(3)  # discs by Disc
    monks: Ints = i16s(4)  # monks by Spot
    pack: Ints = i16s(3)  # resources
    pack_monks: int = i16()
    scrolls: Ints = i16s(SCROLL_SLOTS)  # card + 1
    scroll_colours: Ints = i16s(SCROLL_SLOTS)  # of the token in the pack that belongs to the card: colour + 1
    gear: Records[GearGrid] = many(GearGrid, 3)
    card_on: Ints = i16s(3)  # by Disc: gear type + 1 of the gear card that lies there (GEAR-2)
    looks: int = i16()  # 1: the weapon card gives a look, else a VP (GEAR-5)
    adventures: Ints = i16s(len(ADVENTURE_POWERS))
    claimed: Ints = i16s(len(PALACE_TRACKS))  # shogun bonuses (SHOG-1)
    status: int = i16()  # status markers (SCEN-17)
    on_rope: int = i16()  # ended its turn there (SCEN-16)
    trophies: int = i64()  # dragons kept (SCEN-23)


@record
class Card:
    """A gear card or a blueprint in play."""

    card: int = i16()  # card + 1
    where: int = i16()  # Where


@record
class Dragon:
    place: int = i16()  # place + 1; PLACES + 1 is the start tile
    damage: int = i16()  # permanent damage tokens
    marker: int = i16()  # Marker (COOP-8; SCEN-21 by option)


@record
class Fighter:
    inside: int = i16()  # still in the fight
    came_from: int = i16()  # space
    initiative: int = i16()
    monk: int = i16()  # sent a heroic monk (HERO-3)
    rolled: int = i16()  # weapons rolled this round: bits
    rerolled: int = i16()  # steady_hand is used


@record
class Fight:
    dragon: int = i16()  # dragon + 1; 0 in a duel
    monk: int = i16()  # the space + 1 of the monk that is fought (SCEN-41)
    health: int = i16()  # of the dragon
    rounds: int = i16()
    came: int = i16()  # 1: the dragon, or the monk, came to the samurai
    active: int = i16()  # who comes first in player order
    defender: int = i16()  # in a duel: player
    loser: int = i16()  # in a duel: player + 1 once it is decided
    gave_up: int = i16()  # in a duel: the loser gave up
    order: Ints = i16s(PLAYERS + 1)  # player + 1, or DRAGONS_TURN; 0 after the last
    turn: int = i16()  # index into order
    hits: int = i16()  # of the roll on the table
    break_hits: int = i16()  # of these, on breaking dice
    breaks: Ints = i16s(3)  # breaking dice on the table, by resource
    fighters: Records[Fighter] = many(Fighter, PLAYERS)


@record
class Frame:
    """A question on the stack, or a step of the game that goes on when the questions above it are answered. The
    table of phases (phases.py) says what each phase keeps in the fields."""

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
    settings: Settings = one(Settings)
    # the turn
    first_player: int = i16()
    active: int = i16()  # whose turn it is
    round_number: int = i16()  # from 1
    stock_taken: int = i16()  # this turn (GATH-4)
    turn_over: int = i16()  # the active samurai was knocked out (TURN-6)
    reason: int = i16()  # Reason; not 0: the game is over
    fault: int = i16()  # Fault
    countdown: int = i16()  # final chapter: spaces entered
    final_player: int = i16()  # player + 1 who started the final chapter
    lava_player: int = i16()  # player + 1 who started the lava phase (SCEN-31)
    called: int = i16()  # eruption numbers called: bits
    rope: int = i16()
    escaped: int = i16()  # how many have left
    used_powers: int = i64()  # once-per-turn powers used this turn: bits
    depth: int = i16()  # frames in use
    stack: Records[Frame] = many(Frame, FRAMES)
    path: Ints = i16s(PATH)  # spaces of the move under way, the first is where it began
    path_length: int = i16()
    # the table
    supply: Ints = i16s(len(SUPPLY_NAMES))
    scroll_tokens: Ints = i16s(len(COLOURS))  # not yet laid out, by colour
    scroll_tokens_gone: Ints = i16s(len(COLOURS))
    tiles_left: Ints = i64s(3)  # by level: bit set
    tiles_gone: Ints = i64s(3)  # out of the game
    top: Ints = i16s(3)  # tile + 1 that is known to lie on top of a stack
    top_seen: Ints = i16s(3)  # by whom: bits
    squares_left: int = i64()
    hexes_left: int = i64()
    hexes_gone: int = i64()  # tokens that a monk stood in for
    dragons_left: int = i64()
    dragons_beaten: int = i64()
    adventures_left: Ints = i16s(len(ADVENTURE_POWERS))
    adventures_gone: Ints = i16s(len(ADVENTURE_POWERS))
    scroll_deck: int = i64()
    scroll_discards: int = i64()
    scroll_display: Ints = i16s(SCROLL_DISPLAY)  # card + 1
    gear_cards: Records[Card] = many(Card, 3 * CARD_SLOTS)  # by gear type, then slot
    blueprints: Records[Card] = many(Card, 3 * CARD_SLOTS)
    palace: Ints = i16s(len(PALACE_TRACKS))  # values taken
    foot: Ints = i16s(4)  # taken: gear, monk
    # the map
    tile: Ints = i16s(PLACES)  # by place: tile + 1
    tile_turn: Ints = i16s(PLACES)
    dragon_at: Ints = i16s(PLACES + 1)  # dragon + 1; the last is the start tile
    dragons: Records[Dragon] = many(Dragon, MAX_DRAGONS)
    terrain: Ints = i8s(SPACES)  # Terrain
    eruption: Ints = i8s(SPACES)  # printed number
    token: Ints = i8s(SPACES)  # token + 1; hex tokens follow the squares
    face_up: Ints = i8s(SPACES)
    monk: Ints = i8s(SPACES)  # 1, or 2 once it has walked this round (SCEN-43)
    spoils: Ints = i8s(SPACES)  # left by a dragon: 1 a tooth, 2 a status marker, 3 both (SCEN-17)
    scroll: Ints = i8s(SPACES)  # colour + 1
    adventure: Ints = i8s(SPACES)  # Adventure + 1
    secret_exit: int = i16()  # space, 0 while unexplored
    # people
    players: Records[Player] = many(Player, PLAYERS)
    fight: Fight = one(Fight)
    # luck
    streams: Records[Generator] = many(Generator, len(Stream))
    loaded_dice: Ints = i16s(LOADED_DICE)  # Cube * 8 + face + 1
    loaded_draws: Ints = i16s(len(Deck), LOADED_DRAWS)  # id + 1
    # statistics: steps hardly ever touch them, so they lie behind all that is read at every step
    counts: Records[Counts] = many(Counts, PLAYERS)  # what each player has done


fetch_game = fetch_until("counts")
