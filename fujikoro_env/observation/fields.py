"""Layout of the tensor observation: one table for its pictures, one for its numbers.

`planes.py` and `numbers.py` write the columns in exactly this order. Numbers are at least 0 unless `low` says
otherwise. 0 means nothing, none or unknown, so things that are numbered from 0 and may be missing are written as
number + 1.
"""

from typing import Final

from fujikoro_env.content.model import (
    ADVENTURE_POWERS,
    COLOURS,
    DRAGON_COLOURS,
    ERUPTIONS,
    FOOT_SPOTS,
    GEAR,
    LEVELS,
    MAX_CARDS_PER_TYPE,
    MAX_COPIES,
    MAX_COUNTDOWN,
    MAX_DRAGONS,
    MAX_PRINTED,
    MAX_SCROLLS,
    MAX_SUPPLY,
    MAX_TILES_PER_LEVEL,
    MAX_TOKENS_PER_SHAPE,
    MAX_TRACK,
    PALACE_TRACKS,
    RESOURCES,
    SCROLL_POWERS,
    SUPPLY,
)
from fujikoro_env.kernel.layout import Column, Part
from fujikoro_env.rules.base.actions import TABLE
from fujikoro_env.rules.base.names import DISC_FIELDS, SPOTS, Character, Cube, Marker, Mode, Outside, Reason
from fujikoro_env.rules.base.phases import QUESTIONS, Phase
from fujikoro_env.rules.base.state import (
    CARD_SLOTS,
    FRAMES,
    GEAR_HEIGHT,
    GEAR_WIDTH,
    MOST_ROUNDS,
    PATH,
    PLAYERS,
    SCROLL_DISPLAY,
    SCROLL_SLOTS,
)
from fujikoro_env.rules.base.tables import CELLS_OF_TILE, PATTERN_PARTS
from fujikoro_env.rules.map.geometry import LATTICE, PLACES, SPACES, TEMPLES
from fujikoro_env.rules.scenarios.terms import Term
from fujikoro_env.rules.turn.stages import TURN_END
from fujikoro_env.scenarios import SCENARIOS

ANY_NUMBER: Final = (1 << 15) - 1  # for numbers that the rules do not limit
COUNT: Final = MAX_PRINTED  # bound for the pieces of a kind that one player has: more than any board or pack can hold
MOST_TILES: Final = len(LEVELS) * MAX_TILES_PER_LEVEL
MOST_TOKENS: Final = 2 * MAX_TOKENS_PER_SHAPE
MOST_CARDS: Final = len(GEAR) * MAX_CARDS_PER_TYPE
GEAR_ROWS: Final = sum(GEAR_HEIGHT)
CARDS: Final = len(GEAR) * CARD_SLOTS
POWERS: Final = TABLE["use"].size
BYTE: Final = 255
BYTES: Final = 8  # bytes of a bit set
RINGS: Final = len(LEVELS)
ASKED: Final = len(QUESTIONS) + 1  # phases that ask are numbered from 1 without gaps; 0 means none
CHARACTER_CODES: Final = "0 none, " + ", ".join(f"{one:d} {one.name.lower()}" for one in Character if one)

# --- pictures: numbers from 0 to 255 ----------------------------------------------------------------------------------

PLANES: Final = (
    Part(
        "map",
        1,
        "the map on the lattice of small hexagons, in axial coordinates",
        (
            Column("on_map", "the hexagon belongs to the map"),
            Column("explored", "the space is explored, or on the board from the start"),
            Column("lava", "printed lava"),
            Column("lava_tile", "a lava tile lies here"),
            Column("eruption", "printed eruption number", len(ERUPTIONS)),
            Column("safe", "safe space: start, bridge or temple (MAP-5)"),
            Column("explorable", "a tile may be laid here"),
            Column("tile", f"tile + 1, counting {MAX_TILES_PER_LEVEL} for each level", MOST_TILES),
            Column("turn", "rotation of the tile in sixths", 5),
            Column("token", f"square token + 1, or hex token + {MAX_TOKENS_PER_SHAPE + 1}", MOST_TOKENS),
            Column("shows", "wood, metal, teeth shown on the token", MAX_PRINTED, len(RESOURCES)),
            Column("shows_monk", "the token shows a monk", MAX_PRINTED),
            Column("face_up", "the token can be gathered from"),
            Column(
                "monk", "1 a monk stands here; 2 a monk that has already walked at the end of this round (SCEN-43)", 2
            ),
            Column("scroll", "scroll token: colour + 1", len(COLOURS)),
            Column("my_scroll", "the scroll token has the observer's colour"),
            Column("adventure", "adventure token, one picture for each kind", width=len(ADVENTURE_POWERS)),
            Column("spoils", "spoils guarded or left by a dragon: 1 a tooth, 2 a status marker, 3 both", 3),
            Column("exit", "the secret exit"),
            Column("rope", "the rope hangs here"),
            Column("dragon", "dragon on this tile: number + 1", MAX_DRAGONS),
            Column("health", "health of the dragon, minus permanent damage", MAX_PRINTED),
            Column("initiative", "initiative of the dragon", MAX_PRINTED),
            Column("dice", "dice of the dragon", MAX_PRINTED),
            Column("marker", "marker of the dragon: 1 awake, 2 asleep", len(Marker) - 1),
            Column("samurai", "one picture for each seat: 1 the samurai stands here, 2 lies here", 2, PLAYERS),
            Column("path", "current move: 1 its start, 2 the first step, ...", PATH),
        ),
        (LATTICE, LATTICE),
    ),
    Part(
        "gear",
        PLAYERS,
        "gear grids by seat; helmet, weapon and sandals one below the other",
        (
            Column("open", "the samurai may lay cubes here"),
            Column("cubes", "wood, metal, teeth", width=len(RESOURCES)),
            Column("magic", "the gear, or this one of two weapons, is magic"),
            Column("marked", "cubes whose dice are being rolled or break"),
        ),
        (GEAR_ROWS, max(GEAR_WIDTH)),
    ),
    Part(
        "patterns",
        2 * CARDS,
        "patterns of the cards in play, in the order of the action `build`",
        (
            Column(
                "part",
                "1 wood, 2 metal, 3 tooth; the second picture is for the second weapon of a pair",
                len(RESOURCES),
                PATTERN_PARTS,
            ),
        ),
        (max(GEAR_HEIGHT), max(GEAR_WIDTH)),
    ),
)

# --- numbers ----------------------------------------------------------------------------------------------------------

NUMBERS: Final = (
    Part(
        "players",
        PLAYERS,
        "players and their boards, by seat",
        (
            Column("plays", "the seat is taken; in scenario 7 the enemies follow the player"),
            Column("at", "space", SPACES - 1),
            Column("vp", "victory points", ANY_NUMBER),
            Column("character", CHARACTER_CODES, len(Character) - 1),
            Column("colour", "colour of its scroll tokens + 1", len(COLOURS)),
            Column("unconscious", "the samurai is unconscious"),
            Column("outside", "0 in the volcano, 1 in the palace, 2 at the foot of the mountain", len(Outside) - 1),
            Column(
                "left_volcano", "order of leaving the volcano: 1 for the first player, 2 for the second, ...", PLAYERS
            ),
            Column("lives_lost", "lives lost in co-op", COUNT),
            Column("lives", "lives left in co-op", COUNT),
            Column("pool", "discs in the pool", COUNT),
            Column("fields", "discs on move, explore, gather", COUNT, DISC_FIELDS),
            Column("monks", "monks at pool, scroll, weapon, pack", COUNT, SPOTS),
            Column("pack", "wood, metal, teeth in the pack", COUNT, len(RESOURCES)),
            Column("pack_monks", "monks in the pack", COUNT),
            Column("free", "free slots of the pack", COUNT),
            Column("scrolls", "by slot: scroll card + 1", MAX_SCROLLS, SCROLL_SLOTS),
            Column("scroll_colours", "by slot: colour + 1 of the card's token", len(COLOURS), SCROLL_SLOTS),
            Column("powers", "scroll powers held", width=len(SCROLL_POWERS)),
            Column("magic", "by gear: 1 a magic cube is on it, 2 on the right weapon", 2, len(GEAR)),
            Column("card_on", "by disc field: gear + 1 of the gear card there", len(GEAR), DISC_FIELDS),
            Column("looks", "the weapon card gives a look instead of VP"),
            Column("adventures", "adventure tokens by kind", MAX_COPIES, len(ADVENTURE_POWERS)),
            Column("claimed", "shogun bonuses claimed, by track", COUNT, len(PALACE_TRACKS)),
            Column("status", "status markers", COUNT),
            Column("on_rope", "waits on the rope and leaves at the start of its next turn"),
            Column("trophies", "by dragon: the player keeps it", width=MAX_DRAGONS),
            Column("strength", "damage that helmet and sandals absorb", ANY_NUMBER, 2),
            Column("initiative", "initiative in a fight", ANY_NUMBER),
        ),
    ),
    Part(
        "cards",
        2 * CARDS,
        "cards by slot: gear cards in the order of the action `card`, blueprints in that of `blueprint`",
        (
            Column("card", f"card + 1, counting {MAX_CARDS_PER_TYPE} for each gear", MOST_CARDS),
            Column("display", "it lies in the display"),
            Column("gone", "it is out of the game"),
            Column("temple", "temple in which it lies + 1", TEMPLES),
            Column("owner", "seat of the owner + 1", PLAYERS),
            Column("needs", "wood, metal, teeth of its pattern", COUNT, len(RESOURCES)),
            Column("bonus", "bonus of a helmet card: 1 wood, 2 metal, 3 tooth, 4 magic", len(Cube)),
        ),
    ),
    Part(
        "tiles",
        1 + RINGS,
        "tiles as printed: the tile being placed, then the known top tiles of the stacks",
        (
            Column("tile", f"tile + 1, counting {MAX_TILES_PER_LEVEL} for each level", MOST_TILES),
            Column("lava", "printed lava by cell: the centre, then petals 0 to 5", width=CELLS_OF_TILE),
            Column("eruption", "eruption number", len(ERUPTIONS), CELLS_OF_TILE),
            Column("square", "a square token goes there", width=CELLS_OF_TILE),
            Column("hexagon", "a hex token goes there", width=CELLS_OF_TILE),
            Column("monk", "a monk goes there", width=CELLS_OF_TILE),
            Column("scroll", "a scroll token goes there: colour + 1", len(COLOURS), CELLS_OF_TILE),
            Column("adventure", "an adventure token goes there", width=CELLS_OF_TILE),
            Column("exit", "the secret exit", width=CELLS_OF_TILE),
            Column("dragon", "a dragon goes there: colour + 1", len(DRAGON_COLOURS), CELLS_OF_TILE),
        ),
    ),
    Part(
        "stacks",
        RINGS,
        "stacks of tiles, by level",
        (
            Column("size", "number of tiles left", MAX_TILES_PER_LEVEL),
            Column("left", "by tile: it may be in the stack", width=MAX_TILES_PER_LEVEL),
            Column("gone", "by tile: it is out of the game", width=MAX_TILES_PER_LEVEL),
            Column("seen", "by seat: the player has looked at the top tile", width=PLAYERS),
        ),
    ),
    Part(
        "dragons",
        MAX_DRAGONS,
        "all dragons, by number",
        (
            Column("left", "not found yet"),
            Column("beaten", "it was beaten"),
            Column("place", f"place + 1; {PLACES + 1} is the start tile", PLACES + 1),
            Column("damage", "permanent damage", COUNT),
            Column("marker", "1 awake, 2 asleep", len(Marker) - 1),
            Column("colour", "colour + 1; 0 if there is no such dragon", len(DRAGON_COLOURS)),
            Column("health", "health minus permanent damage", COUNT),
            Column("initiative", "printed initiative", COUNT),
            Column("dice", "number of dice", COUNT),
            Column("vp", "for beating it", COUNT),
        ),
    ),
    Part(
        "fight",
        1,
        "the current fight",
        (
            Column("on", "there is a fight"),
            Column("dragon", "dragon + 1; 0 in a duel", MAX_DRAGONS),
            Column("monk", "space of the monk in the fight + 1 (SCEN-41)", SPACES),
            Column(
                "health", "remaining health of the dragon; below 0 if it took more hits than needed", COUNT, low=-COUNT
            ),
            Column("rounds", "rounds fought", ANY_NUMBER),
            Column("came", "the dragon or monk came to the samurai"),
            Column("active", "seat of the first player in player order", PLAYERS - 1),
            Column("defender", "in a duel: seat of the defender", PLAYERS - 1),
            Column("loser", "in a duel: seat of the loser + 1, once it is decided", PLAYERS),
            Column("gave_up", "the loser gave up"),
            Column("order", "order of turns: seat + 1, 7 for the dragon, 0 after the last", PLAYERS + 1, PLAYERS + 1),
            Column("turn", "index of the current turn in that order, from 0", PLAYERS + 1),
            Column("hits", "hits of the current roll", ANY_NUMBER),
            Column("break_hits", "hits of the current roll on breaking dice", ANY_NUMBER),
            Column("breaks", "breaking dice of the current roll: wood, metal, teeth", COUNT, len(RESOURCES)),
        ),
    ),
    Part(
        "fighters",
        PLAYERS,
        "players in the fight, by seat",
        (
            Column("inside", "still in the fight"),
            Column("came_from", "space from which the samurai came", SPACES - 1),
            Column("initiative", "initiative in this fight", ANY_NUMBER),
            Column("monk", "sent a heroic monk"),
            Column("rolled", "weapons rolled this round: left, right, sandals", width=3),
            Column("rerolled", "has used steady_hand"),
        ),
    ),
    Part(
        "table",
        1,
        "everything else on the table",
        (
            Column("supply", f"pieces in the supply: {', '.join(SUPPLY)}", MAX_SUPPLY, len(SUPPLY)),
            Column("scroll_tokens", "scroll tokens not yet placed, by colour", MAX_SUPPLY, len(COLOURS)),
            Column("scroll_tokens_gone", "scroll tokens out of the game, by colour", MAX_SUPPLY, len(COLOURS)),
            Column("squares_left", "by square token: not drawn yet", width=MAX_TOKENS_PER_SHAPE),
            Column("hexes_left", "by hex token: not drawn yet", width=MAX_TOKENS_PER_SHAPE),
            Column("hexes_gone", "by hex token: replaced by a monk", width=MAX_TOKENS_PER_SHAPE),
            Column("adventures_left", "adventure tokens not drawn yet, by kind", MAX_COPIES, len(ADVENTURE_POWERS)),
            Column("adventures_gone", "adventure tokens used, by kind", MAX_COPIES, len(ADVENTURE_POWERS)),
            Column("scroll_deck", "by card: in the deck", width=MAX_SCROLLS),
            Column("scroll_discards", "by card: in the discard pile", width=MAX_SCROLLS),
            Column("scroll_display", "open cards + 1", MAX_SCROLLS, SCROLL_DISPLAY),
            Column("open_powers", "by power: slot + 1 of an open card", SCROLL_DISPLAY, len(SCROLL_POWERS)),
            Column("palace", "values taken in the palace, by track", MAX_TRACK, len(PALACE_TRACKS)),
            Column("foot", f"taken at the foot of the mountain: {', '.join(FOOT_SPOTS)}", width=len(FOOT_SPOTS)),
        ),
    ),
    Part(
        "turn",
        1,
        "state of the game and the current question",
        (
            Column("round", "current round, from 1", MOST_ROUNDS),
            Column("first", "seat of the first player", PLAYERS - 1),
            Column("active", "seat of the player whose turn it is", PLAYERS - 1),
            Column("action", "action of the turn: 1 or 2; 0 before, 3 after", TURN_END),
            Column("turn_over", "the active samurai was knocked out"),
            Column("stock_taken", "the stock was gathered this turn"),
            Column("used", "once-per-turn powers used this turn, in the order of the action `use`", width=POWERS),
            Column("swapped", "by seat: a swap was opened with it this turn", width=PLAYERS),
            Column("path", "spaces of the current move + 1, from its start", SPACES, PATH),
            Column("countdown", "spaces of the countdown entered", MAX_COUNTDOWN),
            Column("final_player", "seat of the player that started the final chapter + 1", PLAYERS),
            Column("lava_player", "seat of the player that started the lava phase + 1 (SCEN-31)", PLAYERS),
            Column("called", "eruption numbers called, 1 to 4", width=len(ERUPTIONS)),
            Column("rope", "the rope lies on the start tile"),
            Column("escaped", "number of players that have left the volcano", PLAYERS),
            Column("ended", "0 not yet, 1 countdown, 2 last round, 3 won, 4 lost", len(Reason) - 1),
            Column("depth", "number of frames in `frames`", FRAMES),
            Column("actor", "seat of the acting player + 1; 0 when the game is over", PLAYERS),
            Column("phase", "the current question, one flag for each by its number", width=ASKED),
        ),
    ),
    Part(
        "frames",
        FRAMES,
        "the current question, then the frames below it; what the numbers mean depends on the phase",
        (
            Column("phase", "docs/actions.md; those above are steps that the game takes by itself", max(Phase)),
            Column("actor", "seat", PLAYERS - 1),
            Column("other", "seat of another player involved + 1", PLAYERS),
            Column("stage", "progress or a detail of the phase", ANY_NUMBER),
            Column("left", "steps, blueprints or hits left", ANY_NUMBER),
            Column("at", "the space or place involved", ANY_NUMBER),
            Column("thing", "the gear, tile + 1 or card + 1 involved", ANY_NUMBER),
            Column("marks", "lava crossed, cubes or blueprints taken", ANY_NUMBER),
            Column("offer", "wood, metal, teeth offered or in hand", ANY_NUMBER, len(RESOURCES)),
            Column("chosen", "a set, eight members in each number", BYTE, BYTES),
            Column("cubes", "three sets of cells, eight in each number", BYTE, len(RESOURCES) * BYTES),
        ),
    ),
    Part(
        "rules",
        1,
        "settings and options of the game",
        (
            Column("players", "number of players", PLAYERS),
            Column("mode", "0 competitive, 1 co-op", len(Mode) - 1),
            Column("scenario", "one flag for each scenario, the first for none", width=len(SCENARIOS) + 1),
            Column("terms", "terms of the scenario, in the order of docs/scenarios.md", width=len(Term)),
            Column("adventure_tokens", "adventure tokens are in the game"),
            Column("peaceful", "no duels"),
            Column("final_at", "VP that start the final chapter", ANY_NUMBER),
            Column("max_rounds", "the last round", MOST_ROUNDS),
            Column("full_rounds", "co-op: rounds before the final rounds", MOST_ROUNDS),
            Column("lava_at", "VP that start the lava phase (SCEN-31)", ANY_NUMBER),
            Column("lava_after", "rounds before the lava phase (SCEN-33)", MOST_ROUNDS),
            Column("ask_forced", "questions with a single legal action are asked, too"),
            Column("monk_to_pack", "option of MONK-1"),
            Column("scroll_replace_anytime", "option of SCROLL-3"),
            Column("must_take_card", "option of GEAR-1"),
            Column("share_peeks", "option of GEAR-5"),
            Column("exit_always_open", "option of ESC-1"),
            Column("rope_catches", "option of ESC-3"),
            Column("coop_lives", "option of COOP-15", COUNT),
            Column("swap_consent", "option of COOP-17"),
            Column("masako_full_steps", "option of CHAR-22"),
            Column("unarmed_pass", "option of SCEN-15"),
            Column("last_turn_dragon_sleeps", "option of SCEN-21"),
            Column("monk_initiative", "option of SCEN-41"),
            Column("monk_distance", "option of SCEN-43"),
            Column("coop_health", "option of COOP-19"),
            Column("one_gear_per_enemy", "option of SCEN-71"),
            Column("characters", "by seat: character requested at the start; 8 any", len(Character), PLAYERS),
        ),
    ),
)
