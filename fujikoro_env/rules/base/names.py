"""Enumerations that give the numbers in the records their meaning."""

from enum import IntEnum

from fujikoro_env.kernel.commands import Fault as Fault


class Cube(IntEnum):
    """Kinds of cubes and dice: the three resources, then magic."""

    WOOD, METAL, TOOTH, MAGIC = range(4)


class Gear(IntEnum):
    """Types of gear."""

    HELMET, WEAPON, SANDALS = range(3)


class Spot(IntEnum):
    """Monk spots of a player's board (MONK-2). CARRIED stands for a monk in the pack."""

    POOL, SCROLL, WEAPON, PACK, CARRIED = range(5)


class Disc(IntEnum):
    """Action fields of the board that hold discs, in the order of the action blocks."""

    MOVE, EXPLORE, GATHER = range(3)


class Terrain(IntEnum):
    """Terrain of a space."""

    UNEXPLORED, GROUND, LAVA, LAVA_TILE = range(4)


class Mode(IntEnum):
    """Game modes; solo is stored as co-op with one player."""

    COMPETITIVE, COOP = range(2)


class CoopHealth(IntEnum):
    """Values of the option `coop_health` (COOP-19)."""

    BY_PLAYERS, SOLO = range(2)


class Marker(IntEnum):
    """Marker beside a dragon, used in co-op (COOP-8) or by an option of SCEN-21."""

    NONE, AWAKE, ASLEEP = range(3)


class Outside(IntEnum):
    """Whether a samurai is inside the volcano, or where it is outside."""

    INSIDE, PALACE, FOOT = range(3)


class Call(IntEnum):
    """Event called by a countdown space (FINAL-3); LAVA_1 to LAVA_4 are the eruption numbers."""

    NOTHING, LAVA_1, LAVA_2, LAVA_3, LAVA_4, ROPE, END = range(7)


class Reason(IntEnum):
    """Reason why a game ended."""

    PLAYING, COUNTDOWN, ROUND_CAP, WON, LOST = range(5)


class Stream(IntEnum):
    """Sources of chance, each with its own random generator."""

    SETUP, TILES1, TILES2, TILES3, TOKENS, SCROLLS, DICE = range(7)


class Deck(IntEnum):
    """Decks to draw from, whose draws a test can load."""

    TILES1, TILES2, TILES3, SQUARES, HEXES, DRAGONS, ADVENTURES, SCROLLS, BLUEPRINTS = range(9)


class Find(IntEnum):
    """Things that a gather action can take (GATH)."""

    RESOURCES, STOCK, SCROLL, MONK, BLUEPRINT, ADVENTURE, SPOILS = range(7)


class Supply(IntEnum):
    """Kinds of pieces in the supply beside the board (SETUP-10)."""

    WOOD, METAL, TOOTH, MAGIC, MONK, LAVA, DAMAGE, STATUS = range(8)


class Where(IntEnum):
    """Location of a card in play; OWNED + p is player p's, TEMPLE + k is temple k."""

    NOWHERE, DISPLAY, GONE, TEMPLE = range(4)
    OWNED = 6


class ScrollPower(IntEnum):
    """Powers of scroll cards."""

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
    """Kinds of adventure tokens."""

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
    """Player boards: the symmetric one and the characters (CHAR)."""

    SYMMETRIC, YOSHIHIRO, MASAKO, MASATSURA, MITSUHIDE, TAKEKO, TOMOE, DAISUKE = range(8)


# Sizes of the enumerations: compiled code can't call len() on an enumeration.
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
