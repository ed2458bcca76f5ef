"""Weights of the band: one set for a solo player and one for teams.

CMA-ES found them (training/fujikoro_training/band_tune.py) by how far games came and how many were won: the solo
weights in games of one, the team weights in games of two. The content was harder then; with content close to today's, a
short search found nothing better for a solo player. The choice of a gear card, the field it lies on and the first
monk's spot were set by hand before that, because they switch all at once and can't be tuned by degrees.
"""

from enum import IntEnum
from typing import Final

from fujikoro_env.kernel.jit import Floats, rule
from fujikoro_env.rules.base.state import State


class Weight(IntEnum):
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
    LEAST_ODDS = 31  # of the great fight, when it is late; not for teams, whose time to be ready comes last of all
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


BAND_WEIGHTS: Final = (  # by Leaning: alone, in a team
    (4.2, 2.6),  # NEEDED_WOOD
    (5.4, 3.4),  # NEEDED_METAL
    (3.2, 5.6),  # NEEDED_TOOTH
    (0.16, 0.48),  # SPARE_WOOD
    (2.0, 3.1),  # SPARE_METAL
    (2.4, 0.64),  # SPARE_TOOTH
    (4.5, 4.4),  # MONK
    (0.25, 0.34),  # MONK_TO_CARRY
    (2.3, 2.0),  # SCROLL
    (1.0, 1.3),  # ADVENTURE
    (66.0, 23.0),  # BLUEPRINT
    (3.9, 5.1),  # SECOND_BLUEPRINT
    (1.3, 1.9),  # LEVEL_ONE
    (9.5, 9.3),  # WAY_TO_TEMPLE
    (0.55, 0.55),  # BESIDE_TEMPLE
    (1.1, 0.85),  # UNARMED
    (0.29, 0.072),  # ANOTHERS
    (0.27, 0.5),  # DISPERSION
    (0.73, 0.52),  # EARLY
    (4.3, 3.6),  # LATE
    (0.38, 0.2),  # KNOWN
    (2.1, 4.5),  # FIND_EXIT
    (7.0, 20.0),  # FIND_LEGEND
    (2.3, 4.2),  # BEFORE_PILE
    (52.0, 540.0),  # MUSTER
    (1.5, 1.8),  # FEAR
    (0.88, 0.55),  # IDLE
    (0.22, 0.18),  # BOLD
    (5.5, 3.7),  # LAST_TO_BE_READY
    (0.41, 0.42),  # SAFE_ODDS
    (0.68, 1.4),  # FEAR_OF_LOSSES
    (0.14, 0.0096),  # LEAST_ODDS
    (0.47, 0.57),  # CAMP
    (0.3, 6.2),  # PILE_UNREADY
    (1.2, 3.7),  # REST_TO_GO
    (1.2, 1.6),  # LOCALITY
    (1.3, 3.3),  # START_STOCK
    (45.0, 14.0),  # HIDDEN
    (4.3, 6.6),  # HELMET_CARD
    (0.62, 1.0),  # WEAPON_CARD
    (2.7, 3.0),  # SANDALS_CARD
    (4.4, 2.7),  # CUBE_ON_MOVE
    (11.0, 11.0),  # CUBE_ON_EXPLORE
    (1.2, 1.8),  # CUBE_ON_GATHER
    (1.8, 3.6),  # STEP_ON_MOVE
    (0.97, 0.91),  # STEP_ON_EXPLORE
    (1.4, 1.6),  # STEP_ON_GATHER
    (1.8, 2.2),  # EMBER_PATH
    (12.0, 3.2),  # CARTOGRAPHER
    (7.1, 6.4),  # WIND_WALKER
    (14.0, 3.6),  # PILGRIM
    (3.9, 6.1),  # DEEP_POCKETS
    (2.2, 5.1),  # PROSPECTOR
    (6.5, 3.1),  # FAR_REACH
    (3.1, 2.1),  # MASTER_SMITH
    (5.2, 5.1),  # TWIN_FORGE
    (6.8, 8.7),  # IRON_GRIP
    (10.0, 4.2),  # STEADY_HAND
    (7.6, 8.4),  # FALLING_PETAL
    (0.71, 1.0),  # LIGHTNING_DRAW
    (8.4, 6.4),  # DRAGON_BANE
    (2.3, 0.89),  # SEER
    (0.92, 0.74),  # STORYTELLER
    (0.1, 0.18),  # ALSO_THERE
    (4.0, 5.5),  # MONK_AT_POOL
    (1.0, 1.1),  # MONK_AT_SCROLL
    (8.0, 9.5),  # MONK_AT_WEAPON
    (2.0, 2.1),  # MONK_AT_PACK
)
WEIGHT_COUNT: Final = len(BAND_WEIGHTS)


@rule
def in_team(s: State) -> int:
    """0 for who is alone, else 1: where the worths of the band differ by that."""
    return 1 if s.settings.players > 1 else 0


@rule
def write_weights(s: State, weights: Floats) -> None:
    """Those of a team of this size."""
    for which in range(WEIGHT_COUNT):
        weights[which] = BAND_WEIGHTS[which][in_team(s)]


@rule
def weight_of(weights: Floats, which: int) -> float:
    return float(weights[which])
