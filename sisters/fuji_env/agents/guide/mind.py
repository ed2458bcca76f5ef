"""What a guide computes with: its weights, and room for trial rolls."""

from enum import IntEnum
from typing import Any, Final, NamedTuple

import numpy as np

from fuji_env.content.model import DICE, PLACES
from fuji_env.rules.base.state import FIGURES, SETS, State
from fuji_env.rules.base.tables import Tables
from fujikoro_env.kernel.jit import IntArray, rule
from fujikoro_env.kernel.records import Ints, Records, i16, i16s, i64s, many, record, zeros
from fujikoro_env.kernel.streams import Generator

SAMPLES: Final = 48  # most trial rolls
MOST_NOTED: Final = 128  # answers whose worth is noted
SIDES: Final = 2
ROLLS: Final = 3  # rerolls of a trial; the last one serves for all further ones
MARGINS: Final = 16  # margins from 0 (failed) up; larger ones are worth the same
DEATH: Final = 20_000  # what the loss of the game costs; a step on the way is worth about 100
PERCENT: Final = 100


@record
class Mind:
    """Room for the thoughts about one decision."""

    samples: int = i16()  # number of trial rolls
    luck: Records[Generator] = many(Generator, 1)
    far: Ints = i16s(PLACES)  # steps to the nearest village, by place
    burns: Ints = i16s(PLACES)  # eruptions until a place turns to lava
    dice: Ints = i16s(SAMPLES, SETS, DICE)  # trial rolls of all sets, after their rerolls
    rolls: Ints = i16s(SAMPLES, ROLLS, DICE)  # what the own dice show when rolled again
    own: Ints = i16s(DICE)  # own dice at the beginning of a trial
    trial: Ints = i16s(DICE)  # own dice at the end of a trial
    rival: Ints = i16s(SAMPLES)  # the higher value of the neighbours on the own card
    mate_card: Ints = i16s(SIDES)  # card that the neighbour on the left or right has marked; -1 for none
    mate_own: Ints = i16s(SAMPLES, SIDES)  # that neighbour's value there
    mate_rival: Ints = i16s(SAMPLES, SIDES)  # the value there of its neighbour on the other side
    stakes: Ints = i64s(FIGURES, MARGINS)  # what a figure's move is worth, by margin
    noted: int = i16()  # number of answers whose worth is known
    actions: Ints = i16s(MOST_NOTED)
    worths: Ints = i64s(MOST_NOTED)


class Weight(IntEnum):
    """Weights of a guide, in hundredths of a step on the way."""

    STEP = 0  # a step on the way to the village
    BEND = 1  # more for figures that are far behind: times the square of the steps
    STAMINA = 2  # a step of stamina
    TIRED = 3  # more for tired figures: times the square of the steps beyond half the track
    INJURY = 4
    HOME = 5  # standing in a village
    HOT = 6  # standing where the next eruption but one will come
    WARM = 7  # one eruption later
    ERUPTION = 8  # going over an eruption token
    TOKEN = 9  # taking an equipment token
    CARD = 10  # least gain for which an equipment card is played
    BAR = 11  # a power bar
    MATES = 12  # the moves of the neighbours, in percent of the own


WEIGHTS: Final[Any] = np.array([100, 40, 60, 8, 60, 100, 300, 100, 250, 60, 70, 15, 100], np.int64)


class Scene(NamedTuple):
    """A decision of a figure: the game as its player sees it (a copy, which may be changed), and the guide's mind."""

    s: State
    t: Tables
    mind: Mind
    w: IntArray
    figure: int


@rule
def note(x: Scene, action: int, worth: int) -> None:
    """Remember what an answer is worth."""
    x.mind.actions[x.mind.noted] = action
    x.mind.worths[x.mind.noted] = worth
    x.mind.noted += 1


def new_mind(samples: int = SAMPLES) -> Any:
    """A mind as a batch of one."""
    mind = zeros(Mind, 1)
    mind[0].samples = samples
    return mind
