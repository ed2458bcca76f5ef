"""What the numbers in the records mean."""

from enum import IntEnum


class Cube(IntEnum):
    WOOD, METAL, TOOTH, MAGIC = range(4)


class Gear(IntEnum):
    HELMET, WEAPON, SANDALS = range(3)


class Spot(IntEnum):
    """Monk spots of a player's board (MONK-2); a monk may also lie in the pack."""

    POOL, SCROLL, WEAPON, PACK, CARRIED = range(5)


class Disc(IntEnum):
    """Fields of the board that take discs, in the order of the action blocks."""

    MOVE, EXPLORE, GATHER = range(3)


class Terrain(IntEnum):
    UNEXPLORED, GROUND, LAVA, LAVA_TILE = range(4)


class Mode(IntEnum):
    COMPETITIVE, COOP = range(2)


class CoopHealth(IntEnum):
    """COOP-19: the option `coop_health`."""

    BY_PLAYERS, SOLO = range(2)


class Marker(IntEnum):
    """Beside a dragon, in co-op (COOP-8) or by an option of SCEN-21."""

    NONE, AWAKE, ASLEEP = range(3)


class Outside(IntEnum):
    INSIDE, PALACE, FOOT = range(3)


class Call(IntEnum):
    """What a countdown space calls (FINAL-3); LAVA_1 to LAVA_4 are the eruption numbers."""

    NOTHING, LAVA_1, LAVA_2, LAVA_3, LAVA_4, ROPE, END = range(7)


class Reason(IntEnum):
    """Why a game ended."""

    PLAYING, COUNTDOWN, ROUND_CAP, WON, LOST = range(5)


class Stream(IntEnum):
    """Sources of luck, each with a generator of its own."""

    SETUP, TILES1, TILES2, TILES3, TOKENS, SCROLLS, DICE = range(7)


class Deck(IntEnum):
    """What can be drawn from, and loaded by a test."""

    TILES1, TILES2, TILES3, SQUARES, HEXES, DRAGONS, ADVENTURES, SCROLLS, BLUEPRINTS = range(9)


class Find(IntEnum):
    """What a gather action may take (GATH)."""

    RESOURCES, STOCK, SCROLL, MONK, BLUEPRINT, ADVENTURE, SPOILS = range(7)


class Fault(IntEnum):
    """Why the engine refused to go on."""

    NONE, ILLEGAL_ACTION, LOADED_DIE, LOADED_DRAW, NO_LEGAL_ACTION, STACK = range(6)


class Supply(IntEnum):
    """Pieces beside the board (SETUP-10)."""

    WOOD, METAL, TOOTH, MAGIC, MONK, LAVA, DAMAGE, STATUS = range(8)


class Where(IntEnum):
    """Where a card in play lies; owner p is OWNED + p, temple k is TEMPLE + k."""

    NOWHERE, DISPLAY, GONE, TEMPLE = range(4)
    OWNED = 6


class ScrollPower(IntEnum):
    (
        EMBER_PATH,
        CARTOGRAPHER,
        WIND_WALKER,
        PILGRIM,
        DEEP_POCKETS,
        PROSPECTOR,
        FAR_REACH,
        MASTER_SMITH,
        TWIN_FORGE,
        IRON_GRIP,
        STEADY_HAND,
        FALLING_PETAL,
        LIGHTNING_DRAW,
        DRAGON_BANE,
        SEER,
        STORYTELLER,
    ) = range(16)


class Adventure(IntEnum):
    (
        OMAMORI_OF_FIRE,
        ANCIENT_MAP,
        SASHIMONO,
        GUNBAI,
        RAIN_JAR,
        SAKE_GOURD,
        WHETSTONE,
        MERCHANT_CRATE,
        HARPOON,
        SMOKE_BOMB,
    ) = range(10)


class Character(IntEnum):
    SYMMETRIC, YOSHIHIRO, MASAKO, MASATSURA, MITSUHIDE, TAKEKO, TOMOE, DAISUKE = range(8)


# How many of each: compiled code can't ask an enumeration for its length.
GEARS = len(Gear)
CUBE_KINDS = len(Cube)
RESOURCE_KINDS = CUBE_KINDS - 1
DISC_FIELDS = len(Disc)
SPOTS = len(Spot) - 1
STREAMS = len(Stream)
DECKS = len(Deck)
FINDS = len(Find)
SUPPLIES = len(Supply)
ADVENTURES = len(Adventure)
