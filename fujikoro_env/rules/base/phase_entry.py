"""Structure of an entry in the table of phases; the table itself is `Phase` in phases.py."""

from dataclasses import dataclass
from enum import Enum


class Whom(Enum):
    """The player whose decision a phase is. `position` has a check for each member, found by its name."""

    NOBODY = "nobody in particular"
    ANYONE = "any player"
    ACTIVE = "the active player"
    SAME = "the player of the frame below"
    GROUP = "the first player in the volcano, for the group"
    FIRST_FIGHTER = "the first fighter, for the group"
    FIGHTER = "a fighter"
    NEXT_FIGHTER = "the fighter who is next in player order"
    NEXT_TO_JOIN = "the player next in player order, not yet in the fight"
    NEXT_IN_ERUPTION = "the player to whom the eruption has come"
    ATTACKED = "the duellist who is attacked"
    WINNER = "the winner of the duel"
    LOSER = "the loser of the duel"
    FALLEN = "the samurai who was knocked out"
    DUELLIST = "the active player, then the other samurai"
    OTHER = "the other samurai"


class After(Enum):
    """What precedes a frame of MAGIC_REFRESH. Frames on top of it depend on this."""

    ACTION = "an action"
    ERUPTION = "an eruption"
    TOKEN = "a token's craft"
    FIGHT = "a fight"


@dataclass(frozen=True)
class On:
    """A frame that a phase may lie on."""

    ground: str | After  # name of a phase, or what precedes a MAGIC_REFRESH
    stages: tuple[int, ...] = ()  # stages that the frame below may be in; empty: any
    whom: Whom | None = None  # the player asked there, if it differs from the phase's usual one


def on(*grounds: str | After, stages: tuple[int, ...] = (), whom: Whom | None = None) -> tuple[On, ...]:
    """Return an `On` for each of the phases or events given."""
    return tuple(On(ground, stages, whom) for ground in grounds)


class Holds(Enum):
    """Kinds of content of a frame field. `position` writes and reads each kind in its own way; observations turn
    players into seats."""

    FLAG = "true or false"
    NUMBER = "number"
    PLAYER = "player"
    PLAYER_OR_NONE = "player + 1, or 0"
    SPACE = "space"
    SPACE_OR_NONE = "space + 1, or 0"
    PLACE = "place"
    TILE = "tile + 1"
    DRAGON = "dragon + 1"
    DRAGONS = "set of dragons"
    GEAR = "gear"
    GEARS = "set of gears"
    GEAR_CARD = "slot of a gear card"
    SCROLL = "scroll + 1"
    COLOUR = "colour + 1"
    RESOURCES = "numbers by resource"
    LAYOUT = "cubes on the cells of the gear"
    CELLS = "set of cells of the weapon grid"
    WEAPON = "weapon: left, right or sandals"
    WEAPON_OR_LEFT = "weapon: left unless said"
    DISC_FIELD = "action"
    HALVES = "set of halves: main, bonus"
    MOVE_MARKS = "set of marks of a move"
    MONK_SOURCE = "map, supply or pack"
    MONK_SPOT = "monk spot"
    CRAFT = "craft outside a rest"
    POWER = "power that is aimed"
    SWAP_ITEM = "action of the item + 1, or 0"
    SWAP_ITEMS = "set of items of a swap"
    SWAP_SCROLLS = "scroll slots of both players"


@dataclass(frozen=True)
class Keeps:
    """How one phase uses a field of its frame."""

    name: str  # name of the field in positions
    slot: str  # field of `Frame`
    holds: Holds
    doc: str
    most: int = 0  # maximum of a number, or of each resource
    least: int = 0  # minimum of a number
    stage: int | None = None  # the only stage of the frame that uses the field; None: all stages


@dataclass(frozen=True)
class PhaseEntry:
    """Everything declared about a phase. A phase has either a question or a step."""

    number: int
    question: str = ""  # question that a player is asked
    step: str = ""  # what the game does by itself
    rules: tuple[str, ...] = ()  # rule ids; a position that the phase can't occur in is reported under the first
    whom: Whom = Whom.NOBODY
    lies_on: tuple[On, ...] = ()
    keeps: tuple[Keeps, ...] = ()
    asks_unconscious: bool = False  # whether the samurai who is asked may be unconscious
    asks_outside: bool = False  # whether the samurai who is asked may have left the volcano
    may_be_enemys: bool = False  # whether the frame may belong to an enemy; enemies are never asked (SCEN-72)

    @property
    def rule(self) -> str:
        """The main rule of the phase: the first of its ids."""
        return self.rules[0]
