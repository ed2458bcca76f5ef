"""A content pack as plain data: what is printed on tiles, cards, tokens and dice.

This module knows no rules. `load.py` reads a pack from TOML, `check.py` finds its faults, and the rules turn a `Pack`
into the compiled `Tables`. The tuples of names define the order in which the rules number things.
"""

from collections.abc import Mapping
from dataclasses import dataclass, field

from fujikoro_env.kernel.toml_tables import Values

RESOURCES = ("wood", "metal", "tooth")
CUBES = (*RESOURCES, "magic")
GEAR = ("helmet", "weapon", "sandals")
LEVELS = (1, 2, 3)
COLOURS = ("red", "pink", "green", "blue", "purple", "black")  # colours of scroll tokens (SETUP-12)
DRAGON_COLOURS = ("blue", "green", "red", "white")  # white is the legendary dragon
TOKEN_SHAPES = ("square", "hex")
ITEMS = (
    *TOKEN_SHAPES,
    "monk",
    "adventure",
    "exit",
    *(f"scroll {colour}" for colour in COLOURS),
    *(f"dragon {colour}" for colour in DRAGON_COLOURS),
)
SUPPLY = (*CUBES, "monk", "lava", "damage", "status")
PALACE_TRACKS = (*GEAR, "monk", "tooth")
FOOT_SPOTS = (*GEAR, "monk")
COUNTDOWN_CALLS = ("nothing", "lava 1", "lava 2", "lava 3", "lava 4", "rope", "end")
SCROLL_POWERS = (
    "ember_path",
    "cartographer",
    "wind_walker",
    "pilgrim",
    "deep_pockets",
    "prospector",
    "far_reach",
    "master_smith",
    "twin_forge",
    "iron_grip",
    "steady_hand",
    "falling_petal",
    "lightning_draw",
    "dragon_bane",
    "seer",
    "storyteller",
)
CHARACTERS = (
    "symmetric",
    "yoshihiro",
    "masako",
    "masatsura",
    "mitsuhide",
    "takeko",
    "tomoe",
    "daisuke",
)
RULEBOOK = "rulebook"  # the edition that matches every count of the rulebook
SOURCES = ("rulebook", "reconstructed")  # where an entry comes from
ADVENTURE_POWERS = (
    "omamori_of_fire",
    "ancient_map",
    "sashimono",
    "gunbai",
    "rain_jar",
    "sake_gourd",
    "whetstone",
    "merchant_crate",
    "harpoon",
    "smoke_bomb",
)

# Capacities of the compiled tables; research may double or remove components within these.
MAX_TILES_PER_LEVEL = 16
MAX_CARDS_PER_TYPE = 32
MAX_TOKENS_PER_SHAPE = 32
MAX_DRAGONS = 16
MAX_SCROLLS = 32
MAX_COPIES = 16  # most copies of one adventure token
MAX_COUNTDOWN = 16
MAX_TRACK = 8
MAX_PRINTED = 127  # most health, VP, initiative or hits: any number printed on a component
MAX_SUPPLY = 999  # most pieces of one kind
MAX_FIRST_VP = 20  # most VP that a player begins with
MAX_FIRST_WEAPON = 8  # most cubes of a first weapon: every board has room for them
MAX_FIRST_PACK = 6  # most resources in the pack at the start: no board has fewer slots
MAX_FIRST_CUBES = 6  # most cubes of one kind that a player begins with
DIE_FACES = 6
TILE_SPACES = 7
ERUPTIONS = (1, 2, 3, 4)


@dataclass(frozen=True)
class TileSpace:
    """One of the 7 spaces of a tile. `item` is "", "square", "hex", "monk", "adventure", "exit", "scroll <colour>" or
    "dragon <colour>"; a space with printed lava holds nothing."""

    item: str = ""
    lava: bool = False
    eruption: int = 0  # 1 to 4, or 0 for none


@dataclass(frozen=True)
class Tile:
    """A volcano tile."""

    id: str
    level: int
    spaces: tuple[TileSpace, ...]  # the centre, then petals 0 to 5
    source: str


@dataclass(frozen=True)
class Token:
    """A resource token: how many cubes of each resource it shows, or a monk (hex tokens only)."""

    id: str
    shape: str
    level: int
    shows: tuple[int, int, int]  # wood, metal, tooth
    monk: bool
    source: str


@dataclass(frozen=True)
class DragonKind:
    """Properties shared by all dragons of one colour."""

    colour: str
    dice: int  # number of tooth dice in an attack
    vp: int
    teeth: int  # teeth shared out in co-op when it is beaten
    source: str


@dataclass(frozen=True)
class Dragon:
    """A single dragon."""

    id: str
    colour: str
    initiative: int
    health: tuple[int, int, int]  # with 3 to 6 players, with 2, solo
    source: str


@dataclass(frozen=True)
class Face:
    """A face of a die."""

    hits: int
    breaks: bool


@dataclass(frozen=True)
class Die:
    """A die."""

    kind: str  # one of CUBES
    faces: tuple[Face, ...]
    source: str


@dataclass(frozen=True)
class Card:
    """A gear card or a blueprint. A pattern is rows of letters: W wood, M metal, T tooth, . nothing;
    a pair of one-handed weapons has two patterns."""

    id: str
    gear: str
    patterns: tuple[tuple[str, ...], ...]
    resource: str  # bonus of a helmet gear card (GEAR-4), or ""
    source: str


@dataclass(frozen=True)
class Scroll:
    """A scroll card."""

    id: str
    power: str
    source: str


@dataclass(frozen=True)
class Adventure:
    """A kind of adventure token."""

    power: str
    copies: int
    source: str


@dataclass(frozen=True)
class Start:
    """What the player with one of the boards begins with (SETUP-7 and the first rule of each character)."""

    id: str  # one of CHARACTERS
    vp: int
    weapon: tuple[int, ...]  # cubes by kind: wood, metal, tooth
    pack: tuple[int, ...]
    source: str


Changes = Mapping[str, object]  # values by path: docs/content.md


@dataclass(frozen=True)
class Origin:
    """What a pack was made from: a shipped pack or a folder, and the changes made to it in Python."""

    content: str = ""  # name of the shipped pack, or path of the folder
    digest: str = ""  # digest of the pack before all changes
    changes: tuple[Changes, ...] = ()  # changes of each `Pack.changed` call, as plain data
    values: Values = field(default_factory=dict, repr=False)  # values after all changes


@dataclass(frozen=True, eq=False, repr=False)
class Pack:
    """A content pack. Packs are equal if they play alike, whatever their names and sources."""

    name: str
    edition: str  # "rulebook" if every count is the rulebook's, else the name of a variant
    changes: str  # description of what a variant changes
    digest: str  # hash of everything that affects the rules
    tiles: tuple[Tile, ...]
    tokens: tuple[Token, ...]
    dragon_kinds: tuple[DragonKind, ...]  # in the order of DRAGON_COLOURS
    dragons: tuple[Dragon, ...]
    dice: tuple[Die, ...]  # in the order of CUBES
    gear_cards: tuple[Card, ...]
    blueprints: tuple[Card, ...]
    scrolls: tuple[Scroll, ...]
    adventures: tuple[Adventure, ...]  # in the order of ADVENTURE_POWERS
    countdown: tuple[str, ...]
    coop_countdown: tuple[str, ...]
    palace: dict[str, tuple[int, ...]]  # by PALACE_TRACKS, best value first; the last value has room for all
    foot: dict[str, int]  # foot of the mountain: VP for the first of each gear and of a monk
    supply: dict[str, int]  # by SUPPLY
    scroll_tokens: int  # number of tokens of each colour
    markers: int  # number of blueprint markers of each gear type
    characters: tuple[Start, ...]  # in the order of CHARACTERS
    sources: dict[str, str] = field(default_factory=dict)  # sources of the tables without entries: palace, supply, ...
    origin: Origin = field(default_factory=Origin)
    is_checked: bool = field(default=False, init=False)  # False for copies made by `dataclasses.replace`

    def changed(self, changes: Changes) -> "Pack":
        """Return the pack with these changes, checked like a folder; faults raise `ContentError`.

        >>> from fujikoro_env import load_pack
        >>> base = load_pack("base")
        >>> base.changed({"dragons.red.initiative": [9, 10, 12, 14], "gear_cards.naginata.copies": 2})
        <Pack 'base with 2 changes'>

        A path is a group, an entry or several, and a key of the TOML file; `None` removes what the path names.
        docs/content.md lists the groups.
        """
        from fujikoro_env.content.derive import derived

        return derived(self, changes)

    def __eq__(self, other: object) -> bool:
        return self.digest == other.digest if isinstance(other, Pack) else NotImplemented

    def __hash__(self) -> int:
        return hash(self.digest)

    def __str__(self) -> str:
        """Text that identifies the pack: the name of a shipped one or a folder, with the changes made to it."""
        return self.name if self.origin.changes else self.origin.content or self.name

    def __repr__(self) -> str:
        return f"<Pack {self.name!r}>"
