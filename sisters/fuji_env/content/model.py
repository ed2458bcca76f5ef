"""What is printed on the components of Fuji, as dataclasses, and the sizes that compiled tables have room for."""

from dataclasses import dataclass
from typing import Final

COLOURS: Final = ("pink", "blue", "yellow")
NUMBERS: Final = 6  # on a die
DICE: Final = 6  # of a player
SKILLS: Final = ("equipment_manager", "scout", "buddy", "survivalist", "gatherer", "tinkerer")
EQUIPMENT: Final = (
    "radio",
    "hiking_boots",
    "trail_map",
    "rope",
    "binoculars",
    "whistle",
    "tea_flask",
    "first_aid_kit",
    "gloves",
    "energy_drink",
    "flare",
    "pocket_knife",
    "duct_tape",
    "walking_pole",
    "helmet",
)
WORKS_FOR: Final = ("self", "pair", "all")
INJURIES: Final = ("reroll", "equipment", "die", "skill")  # what is lost (STAM-4)
SOURCES: Final = ("source", "reconstructed")

LANDSCAPES: Final = 24
MOST_VILLAGES: Final = 6
RUBBLE: Final = 2
PLACES: Final = 1 + RUBBLE + LANDSCAPES + MOST_VILLAGES
CARDS: Final = LANDSCAPES + MOST_VILLAGES  # area cards: landscapes, then villages
MAX_SCENARIOS: Final = 16
MAX_LEVELS: Final = 8
GRID: Final = (9, 11)  # rows and columns of the largest layout
MOST_STAMINA: Final = 40
MOST_VALUE: Final = DICE * NUMBERS

# Cards in a layout.
VOLCANO, RUBBLE_CARD, LANDSCAPE, VILLAGE = "V", "R", ".", "D"
WHITE, GREY, EQUIPMENT_TOKEN, ERUPTION_TOKEN = "W", "G", "E", "X"  # all of them lie on landscape
ON_LANDSCAPE: Final = (LANDSCAPE, WHITE, GREY, EQUIPMENT_TOKEN, ERUPTION_TOKEN)
NO_CARD: Final = " "


@dataclass(frozen=True)
class Die:
    """A die: the colours of the pairs of opposite faces, 1 and 6, 2 and 5, 3 and 4."""

    id: str
    colours: tuple[str, ...]
    source: str

    def colour(self, number: int) -> str:
        """Return the colour of the face with this number."""
        return self.colours[min(number, NUMBERS + 1 - number) - 1]


@dataclass(frozen=True)
class Condition:
    """An area card: alternatives of words that a die must fit (COND-1, COND-2)."""

    id: str
    counts: tuple[str, ...]
    reroll: bool
    source: str

    def fits(self, number: int, colour: str) -> bool:
        """Whether a die that shows this counts."""
        shown = (str(number), "odd" if number % 2 else "even", colour)
        return any(all(word in shown for word in one.split()) for one in self.counts)


@dataclass(frozen=True)
class Level:
    """A level card: steps of stamina lost after a failed move, and by margin."""

    id: str
    failed: int
    margins: tuple[int, ...]  # least margins, ascending
    loss: tuple[int, ...]
    source: str

    def lost(self, margin: int) -> int:
        """Return the loss of a successful move with this margin."""
        return [loss for least, loss in zip(self.margins, self.loss, strict=True) if margin >= least][-1]


@dataclass(frozen=True)
class Scenario:
    """A layout: rows of the grid."""

    id: str
    rows: tuple[str, ...]
    source: str

    def places(self) -> tuple[tuple[int, int, str], ...]:
        """Return row, column and letter of each card, in reading order: their numbers are the numbers of places."""
        found = ((r, c, letter) for r, row in enumerate(self.rows) for c, letter in enumerate(row))
        return tuple(card for card in found if card[2] != NO_CARD)


@dataclass(frozen=True)
class Skill:
    """A skill card."""

    id: str
    dice: int
    draws: int
    keeps: int
    source: str


@dataclass(frozen=True)
class Equipment:
    """An equipment card."""

    id: str
    phases: tuple[int, ...]
    works_for: str
    source: str


@dataclass(frozen=True)
class Pack:
    """A content pack."""

    name: str
    changes: str
    digest: str
    dice: tuple[Die, ...]
    landscapes: tuple[Condition, ...]
    villages: tuple[Condition, ...]
    levels: tuple[Level, ...]
    scenarios: tuple[Scenario, ...]
    skills: tuple[Skill, ...]
    equipment: tuple[Equipment, ...]
    stamina: int  # length of the track
    plasters: tuple[int, ...]
    stamina_source: str

    @property
    def areas(self) -> tuple[Condition, ...]:
        """All area cards, in the order of their numbers."""
        return (*self.landscapes, *self.villages)

    def __str__(self) -> str:
        return self.name
