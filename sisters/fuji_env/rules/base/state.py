"""A game as one record.

*Figures* are what stands on the map: one for each player, and in variant B of the game for two, two for each. A *set*
is a set of dice: one for each figure, and in variant A one more behind the third screen, which is the last set. The
figures, with the third screen, sit round the table in the order of their sets.

Unused fields are zero, so that equal positions have equal bytes. Places are numbered as in the layout, in reading
order; sets of places are bit sets. Area cards and markers are stored as number + 1, with 0 for none.

Every field declares its bounds. Saved games are checked against them, because rules use the fields as indices without
checking.
"""

from enum import Enum, auto

from fuji_env.content.model import CARDS, DICE, INJURIES, MAX_LEVELS, MAX_SCENARIOS, MOST_STAMINA, NUMBERS, PLACES
from fuji_env.rules.base.names import GEAR_CARDS, SKILLS, WORDS, Fault, Reason, Stream, Talk, Variant
from fujikoro_env.kernel.records import Ints, Records, all_of, i8s, i16, i64, many, one, record
from fujikoro_env.kernel.streams import Generator

PLAYERS = 4
FIGURES = 4
SETS = 4
FRAMES = 8  # the round, its phase, a turn, a card, and a question to each figure
LOADED_DICE = 40
LOADED_DRAWS = 8
MOST_STEPS = 4  # SKILL-2, hiking boots
MOST_BARS = 3  # SKILL-5
MOST_REROLLS = 8
MOST_ROUNDS = 40
BONUS_OF_A_POLE = 2
ALL_DICE = all_of(DICE)
ALL_GEAR = all_of(GEAR_CARDS)


class Limit(Enum):
    """Upper bounds that depend on the game."""

    LAST_PLAYER = auto()
    LAST_FIGURE = auto()


@record
class Settings:
    """Settings of a game, copied from `Rules`."""

    players: int = i16(low=2, high=PLAYERS)
    variant: int = i16(high=len(Variant) - 1)  # Variant (TWO-1)
    figures: int = i16(low=2, high=FIGURES)
    sets: int = i16(low=3, high=SETS)
    scenario: int = i16(high=MAX_SCENARIOS - 1)
    level: int = i16(high=MAX_LEVELS - 1)
    talk: int = i16(high=len(Talk) - 1)  # Talk (PLAN-6)
    late_eruption: int = i16(high=1)  # MOVE-5
    ask_forced: int = i16(high=1)  # ask even if only one action is legal
    skills: Ints = i8s(FIGURES, high=SKILLS)  # by figure: Skill + 1, or 0 if dealt at random


@record
class Figure:
    """A figure, and what lies before its player."""

    at: int = i16(high=PLACES - 1)
    skill: int = i16(high=SKILLS - 1)  # Skill
    stamina: int = i16(high=MOST_STAMINA)  # steps taken on the track
    injuries: int = i16(high=all_of(len(INJURIES)))  # bit set of Injury
    equipment: int = i16(high=ALL_GEAR)  # bit set of Gear
    used_once: int = i16(high=ALL_GEAR)  # cards turned sideways (SKILL-6)
    fresh: int = i16(high=ALL_GEAR)  # cards drawn in this round (MOVE-4)
    bars: int = i16(high=MOST_BARS)  # SKILL-5
    # this round
    dice: int = i16(high=DICE)  # number of dice rolled
    marker: int = i16(high=PLACES)  # place + 1 of the destination marker
    steps: int = i16(high=MOST_STEPS)  # length of the planned walk
    around: int = i16(high=1)  # 1 if the walk avoids eruption tokens (PLAN-5)
    said: int = i16(high=WORDS - 1)  # Word, on its last planning turn
    effects: int = i16(high=ALL_GEAR)  # cards in effect until the end of the round: bit set of Gear
    rerolls: int = i16(high=MOST_REROLLS)  # rerolls left in phase 3
    rerolled: int = i16(high=ALL_DICE)  # dice rolled again in phase 3
    aside: int = i16(high=ALL_DICE)  # dice set aside, which all see
    buddy: int = i16(high=1)  # 1 if the Buddy has set a die aside (SKILL-3)


@record
class Frame:
    """A question on the stack, or a step of the game that continues once the questions above it are answered. The table
    of phases (phases.py) declares what each phase keeps in the fields."""

    phase: int = i16()  # Phase
    actor: int = i16(high=Limit.LAST_PLAYER)
    figure: int = i16(high=Limit.LAST_FIGURE)
    stage: int = i16()
    left: int = i16()
    what: int = i16()


@record
class State:
    """A whole game."""

    settings: Settings = one(Settings)
    lead: int = i16(high=Limit.LAST_FIGURE)  # figure whose player leads (SETUP-5)
    round_number: int = i16(low=1, high=MOST_ROUNDS)  # counted from 1
    reason: int = i16(high=len(Reason) - 1)  # Reason; the game is over if not 0
    fault: int = i16(high=len(Fault) - 1)  # Fault
    depth: int = i16(low=1, high=FRAMES)  # number of frames in use
    screens: int = i16(high=1)  # 1 while dice are hidden behind the screens
    acted: int = i16(high=all_of(FIGURES))  # figures that have moved this round
    whistles: int = i16(high=2)  # rerolls that everybody has more in this round
    owed: int = i16(high=2)  # eruptions to come at the end of the round (option late_eruption)
    radio: int = i16(high=PLACES)  # place + 1 whose values the radio told (EQUIP)
    deck: int = i16(high=ALL_GEAR)  # equipment cards in the draw pile: bit set
    under: int = i16(high=ALL_GEAR)  # those at its bottom (SKILL-1)
    discards: int = i16(high=ALL_GEAR)
    stack: Records[Frame] = many(Frame, FRAMES)
    lava: int = i64(high=all_of(PLACES))  # places of lava, the volcano among them
    eruption_tokens: int = i64(high=all_of(PLACES))
    equipment_tokens: int = i64(high=all_of(PLACES))
    cards: Ints = i8s(PLACES, high=CARDS)  # by place: area card + 1
    dice: Ints = i8s(SETS, DICE, high=NUMBERS)  # by set: the numbers that they show; 0 for a die not in use
    before: Ints = i8s(SETS, DICE, high=NUMBERS)  # in phase 3: what they showed when it began
    known: Ints = i8s(PLAYERS, SETS, high=ALL_DICE)  # dice that a player has seen through binoculars: bit sets
    told: Ints = i8s(SETS, high=DICE * NUMBERS)  # values told by radio
    figures: Records[Figure] = many(Figure, FIGURES)
    # chance
    streams: Records[Generator] = many(Generator, len(Stream))
    loaded_dice: Ints = i8s(LOADED_DICE, high=NUMBERS)
    loaded_draws: Ints = i8s(LOADED_DRAWS, high=GEAR_CARDS)  # Gear + 1
