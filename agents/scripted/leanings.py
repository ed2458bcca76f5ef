"""What the band leans to: its weights, for who is alone, and for teams.

They were found by CMA-ES on how far games come: those of who is alone in games of all sizes together, those of teams in
games of two with the slower dragons of docs/band_account.md, where there are wins to learn from; `HIDDEN`, and four of
who is alone that leave all as it was without them, are set by hand.
"""

from enum import IntEnum
from typing import Final

from fujikoro_env.rules.jit import Floats, rule
from fujikoro_env.rules.state import State


class Leaning(IntEnum):
    NEEDED_WOOD = 0  # a cube that the gear to make lacks
    NEEDED_METAL = 1
    NEEDED_TOOTH = 2
    SPARE_WOOD = 3  # one for dice or strength
    SPARE_METAL = 4
    SPARE_TOOTH = 5
    MONK = 6  # to a free spot
    MONK_TO_CARRY = 7  # to the pack
    SCROLL = 8
    ADVENTURE = 9
    BLUEPRINT = 10  # of gear that it is to make
    SECOND_BLUEPRINT = 11  # of other gear
    LEVEL_ONE = 12  # to explore a place of ring I
    WAY_TO_TEMPLE = 13  # more for a place on the way to a blueprint, while that is closed
    BESIDE_TEMPLE = 14  # the same once it is open
    UNARMED = 15  # times the worth of places where dragons live
    ANOTHERS = 16  # times the worth of a place that another samurai is nearer to
    DISPERSION = 17  # of the others: the less is a place of ring III worth
    EARLY = 18  # times the worth of what has to be found, in round 1
    LATE = 19  # the same in the last
    KNOWN = 20  # a tile more when all is found
    FIND_EXIT = 21  # to explore a place of ring II
    FIND_LEGEND = 22  # of ring III, when all are ready
    BEFORE_PILE = 23  # of ring III, before the legendary dragon may show up
    MUSTER = 24  # to be where all meet for the great fight
    FEAR = 25  # danger of a night that nothing is worth
    IDLE = 26  # below this rate a samurai does next to nothing
    BOLD = 27  # times its fears then
    LAST_TO_BE_READY = 28  # rounds left when the dragon has to be found, ready or not
    SAFE_ODDS = 29  # of beating the legendary dragon: ready
    FEAR_OF_LOSSES = 30  # times what a fight costs: who waits too long loses as well
    LEAST_ODDS = 31  # of the great fight, when it is late
    CAMP = 32  # danger of a night on the way
    PILE_UNREADY = 33  # of ring III, when it may show up too early
    REST_TO_GO = 34  # times the rate of an errand of the next turn: what is worth less waits for a rest
    LOCALITY = 35  # power of the actions that an errand takes
    START_STOCK = 36  # times the stock of the start tile
    HIDDEN = 37  # to end a turn unseen once the legendary dragon is awake
    HELMET_CARD = 38  # a gear card to take
    WEAPON_CARD = 39
    SANDALS_CARD = 40
    CUBE_ON_MOVE = 41  # the field for a helmet card, which brings a cube with each action there
    CUBE_ON_EXPLORE = 42
    CUBE_ON_GATHER = 43
    STEP_ON_MOVE = 44  # the same for a sandals card
    STEP_ON_EXPLORE = 45
    STEP_ON_GATHER = 46
    EMBER_PATH = 47  # scrolls, in the order of ScrollPower
    CARTOGRAPHER = 48
    WIND_WALKER = 49
    PILGRIM = 50
    DEEP_POCKETS = 51
    PROSPECTOR = 52
    FAR_REACH = 53
    MASTER_SMITH = 54
    TWIN_FORGE = 55
    IRON_GRIP = 56
    STEADY_HAND = 57
    FALLING_PETAL = 58
    LIGHTNING_DRAW = 59
    DRAGON_BANE = 60
    SEER = 61
    STORYTELLER = 62
    ALSO_THERE = 63  # times what else can be done at the same space
    MONK_AT_POOL = 64  # a free spot for a monk, in the order of Spot
    MONK_AT_SCROLL = 65
    MONK_AT_WEAPON = 66
    MONK_AT_PACK = 67
    MONK_FOR_BLUEPRINT = 68  # more at the weapon, where the weapon to make needs the whole grid


LEANINGS: Final = (  # by Leaning: alone, in a team
    (6.8, 2.4),  # NEEDED_WOOD
    (3.8, 2.3),  # NEEDED_METAL
    (3.2, 6.4),  # NEEDED_TOOTH
    (0.33, 0.54),  # SPARE_WOOD
    (2.6, 2.8),  # SPARE_METAL
    (2.8, 0.97),  # SPARE_TOOTH
    (5.9, 6.0),  # MONK
    (0.3, 0.3),  # MONK_TO_CARRY
    (2.0, 1.7),  # SCROLL
    (1.4, 0.97),  # ADVENTURE
    (110.0, 32.0),  # BLUEPRINT
    (3.4, 5.0),  # SECOND_BLUEPRINT
    (1.3, 1.9),  # LEVEL_ONE
    (8.0, 9.8),  # WAY_TO_TEMPLE
    (0.72, 0.4),  # BESIDE_TEMPLE
    (0.91, 0.81),  # UNARMED
    (0.29, 0.042),  # ANOTHERS
    (0.28, 0.48),  # DISPERSION
    (0.6, 0.51),  # EARLY
    (4.2, 2.8),  # LATE
    (0.49, 0.16),  # KNOWN
    (2.5, 4.7),  # FIND_EXIT
    (10.0, 15.0),  # FIND_LEGEND
    (1.5, 3.8),  # BEFORE_PILE
    (52.0, 630.0),  # MUSTER
    (1.6, 2.9),  # FEAR
    (0.76, 0.77),  # IDLE
    (0.26, 0.18),  # BOLD
    (8.0, 4.0),  # LAST_TO_BE_READY
    (0.6, 0.39),  # SAFE_ODDS
    (0.53, 1.1),  # FEAR_OF_LOSSES
    (0.12, 0.01),  # LEAST_ODDS
    (0.5, 0.56),  # CAMP
    (0.0, 5.5),  # PILE_UNREADY
    (1.0, 3.5),  # REST_TO_GO
    (1.0, 1.7),  # LOCALITY
    (1.0, 2.3),  # START_STOCK
    (20.0, 20.0),  # HIDDEN
    (2.0, 2.0),  # HELMET_CARD
    (1.0, 1.0),  # WEAPON_CARD
    (3.0, 3.0),  # SANDALS_CARD
    (3.0, 3.0),  # CUBE_ON_MOVE
    (1.0, 1.0),  # CUBE_ON_EXPLORE
    (2.0, 2.0),  # CUBE_ON_GATHER
    (3.0, 3.0),  # STEP_ON_MOVE
    (1.0, 1.0),  # STEP_ON_EXPLORE
    (2.0, 2.0),  # STEP_ON_GATHER
    (2.0, 2.0),  # EMBER_PATH
    (4.0, 4.0),  # CARTOGRAPHER
    (8.0, 8.0),  # WIND_WALKER
    (3.0, 3.0),  # PILGRIM
    (5.0, 5.0),  # DEEP_POCKETS
    (4.0, 4.0),  # PROSPECTOR
    (5.0, 5.0),  # FAR_REACH
    (3.0, 3.0),  # MASTER_SMITH
    (6.0, 6.0),  # TWIN_FORGE
    (8.0, 8.0),  # IRON_GRIP
    (6.0, 6.0),  # STEADY_HAND
    (9.0, 9.0),  # FALLING_PETAL
    (1.0, 1.0),  # LIGHTNING_DRAW
    (7.0, 7.0),  # DRAGON_BANE
    (1.0, 1.0),  # SEER
    (1.0, 1.0),  # STORYTELLER
    (0.1, 0.1),  # ALSO_THERE
    (4.0, 4.0),  # MONK_AT_POOL
    (1.0, 1.0),  # MONK_AT_SCROLL
    (3.0, 3.0),  # MONK_AT_WEAPON
    (2.0, 2.0),  # MONK_AT_PACK
    (6.0, 6.0),  # MONK_FOR_BLUEPRINT
)


LEANS: Final = len(LEANINGS)


@rule
def in_team(s: State) -> int:
    """0 for who is alone, else 1: where the worths of the band differ by that."""
    return 1 if s.settings.players > 1 else 0


@rule
def write_leanings(s: State, leans: Floats) -> None:
    """Those of a team of this size."""
    for which in range(LEANS):
        leans[which] = LEANINGS[which][in_team(s)]


@rule
def lean(leans: Floats, which: int) -> float:
    return float(leans[which])
