"""What an entry of the table of phases says; the table itself is `Phase` in phases.py."""

from dataclasses import dataclass
from enum import Enum


class Whom(Enum):
    """Whose decision a phase is. `position` has a check for each, by its name."""

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
    """What a frame of MAGIC_REFRESH follows. Frames on top of it depend on this."""

    ACTION = "an action"
    ERUPTION = "an eruption"
    TOKEN = "a token's craft"
    FIGHT = "a fight"


@dataclass(frozen=True)
class On:
    """A frame that a phase may lie on."""

    ground: str | After  # the name of a phase, or what a MAGIC_REFRESH follows
    stages: tuple[int, ...] = ()  # the stages that the frame below may be in; empty: all
    whom: Whom | None = None  # who is asked there, if it is not who is usually asked


def on(*grounds: str | After, stages: tuple[int, ...] = (), whom: Whom | None = None) -> tuple[On, ...]:
    return tuple(On(ground, stages, whom) for ground in grounds)


class Holds(Enum):
    """Kinds of what a field of a frame holds. `position` writes and reads each kind in its own way; observations turn
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
    """A field of a frame as one phase uses it."""

    name: str  # in positions
    slot: str  # field of `Frame`
    holds: Holds
    doc: str
    most: int = 0  # of a number, or of each resource
    least: int = 0  # of a number
    stage: int | None = None  # the only stage of the frame in which the field is in use; None: in all


@dataclass(frozen=True)
class PhaseEntry:
    """All that is declared about a phase. A phase has either a question or a step."""

    number: int
    question: str = ""  # that a player is asked
    step: str = ""  # that the game takes by itself
    rules: tuple[str, ...] = ()  # ids; a position in which the phase could not have come up breaks the first one
    whom: Whom = Whom.NOBODY
    lies_on: tuple[On, ...] = ()
    keeps: tuple[Keeps, ...] = ()
    asks_unconscious: bool = False  # whether the samurai who is asked may be unconscious
    asks_outside: bool = False  # whether the samurai who is asked may have left the volcano
    may_be_enemys: bool = False  # whether it may be the frame of an enemy, who is never asked (SCEN-72)

    @property
    def rule(self) -> str:
        return self.rules[0]
