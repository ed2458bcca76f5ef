"""SCEN-23: dragons kept as trophies, and their value at the end."""

from fujikoro_env.content.model import DRAGON_COLOURS
from fujikoro_env.kernel.jit import rule
from fujikoro_env.kernel.masks import count_bits
from fujikoro_env.rules.base.counters import VpSource
from fujikoro_env.rules.base.state import State
from fujikoro_env.rules.base.tables import Tables
from fujikoro_env.rules.final.score import award

COLOURS = len(DRAGON_COLOURS)
VP_OF_COLOUR = (2, 3, 5, 7)
SET = 3
VP_OF_SAME, VP_OF_DIFFERENT = 7, 10  # for a set of one colour, and for one of different colours


@rule
def trophies_of(s: State, t: Tables, p: int, colour: int) -> int:
    """Return how many dragons of a colour a player has kept."""
    return count_bits(s.players[p].trophies & t.dragons_of_colour[colour])


@rule
def different_sets(s: State, t: Tables, p: int) -> int:
    """Return the greatest number of sets of 3 different colours. n sets are possible if the dragons, counting at most n
    of each colour, suffice: a set uses each colour only once."""
    sets = 0
    while True:
        usable = 0
        for colour in range(COLOURS):
            usable += min(sets + 1, trophies_of(s, t, p, colour))
        if usable < SET * (sets + 1):
            return sets
        sets += 1


@rule
def award_trophies(s: State, t: Tables, p: int) -> None:
    """Award VP for trophies and their sets. A dragon may count in one set of each sort."""
    award(s, p, VP_OF_DIFFERENT * different_sets(s, t, p), VpSource.MIXED_SETS)
    for colour in range(COLOURS):
        number = trophies_of(s, t, p, colour)
        award(s, p, VP_OF_COLOUR[colour] * number, VpSource.TROPHIES)
        award(s, p, VP_OF_SAME * (number // SET), VpSource.ONE_COLOUR_SETS)
