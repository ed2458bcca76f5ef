"""The table of observations: every number that a player sees, by part, row and column. Both encodings are made from it.

Seats are relative to a figure of the observer, which is seat 0: the one that it is asked about, or else its first one.
The other figures follow round the table, then the third screen, if there is one.
"""

from typing import Final

from fuji_env.content.model import DICE, EQUIPMENT, INJURIES, MOST_STAMINA, MOST_VALUE, NUMBERS, PLACES
from fuji_env.rules.base.names import SKILLS, WORDS, Talk, Variant
from fuji_env.rules.base.phases import MOST_TURNS, QUESTIONS
from fuji_env.rules.base.state import FIGURES, MOST_BARS, MOST_REROLLS, MOST_ROUNDS, MOST_STEPS, PLAYERS, SETS
from fujikoro_env.kernel.layout import Column, Part, starts_of

FAR_SOON: Final = 6  # eruptions that are foreseen
MOST_WAY: Final = 24  # cards to a village
COLOURS: Final = 3
LASTING: Final = 5  # equipment cards that work until the end of the round

PARTS: Final = (
    Part(
        "places",
        PLACES,
        "the map, by place",
        (
            Column("open", "1 if figures may enter it"),
            Column("village", "1 for a village"),
            Column("lava", "1 for lava"),
            Column("soon", f"{FAR_SOON} if it is lava after the next eruption, 1 less for each further one", FAR_SOON),
            Column("eruption_token", "1 with an eruption token"),
            Column("equipment_token", "1 with an equipment token"),
            Column("reroll", "1 with a reroll icon (COND-4)"),
            Column("to_village", "cards to the nearest village on the whole map", MOST_WAY),
            Column("numbers", "by number on the die: colours that count", COLOURS, width=NUMBERS),
            Column("colours", "by colour of the die: numbers that count", NUMBERS, width=COLOURS),
            Column("values", "by seat: sum of the dice that count, as far as they are seen", MOST_VALUE, width=SETS),
            Column("word", "1 weak, 2 fair, 3 strong: the value of seat 0 against a random roll (PLAN-6)", 3),
            Column("steps", "steps of seat 0 to get there + 1; 0 if it is out of reach", MOST_STEPS + 1),
            Column("around", "the same without eruption tokens on the walk", MOST_STEPS + 1),
            Column("markers", "by seat: 1 with its marker", width=FIGURES),
            Column("figures", "by seat: 1 with its figure", width=FIGURES),
            Column("radio", "1 if the radio told the values here"),
        ),
    ),
    Part(
        "figures",
        FIGURES,
        "figures, by seat",
        (
            Column("plays", "1 if there is such a figure"),
            Column("own", "1 if it is the observer's"),
            Column("asked", "1 if the question is about it"),
            Column("leads", "1 for the lead (SETUP-5)"),
            Column("acted", "1 if it has moved this round"),
            Column("in_village", "1 on a village card"),
            Column("to_village", "cards to the nearest village on the whole map", MOST_WAY),
            Column("stamina", "steps of stamina taken", MOST_STAMINA),
            Column("injuries", "by kind: 1 if suffered", width=len(INJURIES)),
            Column("skill", "by skill card: 1 if it has it", width=SKILLS),
            Column("equipment", "by card: 1 if it has it", width=len(EQUIPMENT)),
            Column("used_once", "number of cards turned sideways (SKILL-6)", len(EQUIPMENT)),
            Column("fresh", "number of cards drawn this round (MOVE-4)", len(EQUIPMENT)),
            Column("bars", "power bars", MOST_BARS),
            Column("dice", "number of dice", DICE),
            Column("steps", "length of the planned walk", MOST_STEPS),
            Column("walks_around", "1 if it avoids eruption tokens"),
            Column("said", "by word: 1 if it was the last one this round", width=WORDS),
            Column("effects", "boots, map, rope, pole, helmet: 1 if in effect", width=LASTING),
            Column("rerolls", "rerolls left, as far as they are seen", MOST_REROLLS),
            Column("told", "value told by radio", MOST_VALUE),
        ),
    ),
    Part(
        "dice",
        SETS * DICE,
        "dice, by seat and die; all 0 for a die that is not seen",
        (
            Column("number", "by number: 1 if it shows it", width=NUMBERS),
            Column("colour", "by colour: 1 if it shows it", width=COLOURS),
            Column("aside", "1 if it is set aside"),
        ),
    ),
    Part(
        "turn",
        1,
        "the question, and the state of the round",
        (
            Column("phase", "by question: 1 if it is asked", width=len(QUESTIONS)),
            Column("asked", "1 if the observer is asked"),
            Column("left", "what the question counts: cards to keep, dice to roll", MOST_TURNS),
            Column("card", "by equipment card: 1 if the question is about it", width=len(EQUIPMENT)),
            Column("turns", "planning turns so far", MOST_TURNS),
            Column("round", "the round", MOST_ROUNDS),
            Column("screens", "1 while dice are hidden"),
            Column("whistles", "rerolls that all have more", 2),
            Column("owed", "eruptions to come at the end of the round", 2),
            Column("deck", "equipment cards that can be drawn", len(EQUIPMENT)),
        ),
    ),
    Part(
        "rules",
        1,
        "settings of the game",
        (
            Column("players", "2, 3 or 4: 1 if so many play", width=PLAYERS - 1),
            Column("variant", "by variant for two (TWO-1): 1 if it is played", width=len(Variant) - 1),
            Column("level", "the level, from 1", 8),
            Column("talk", "by value of the option: 1 if it is set", width=len(Talk)),
            Column("late_eruption", "1 if eruption tokens wait until the end of the round (MOVE-5)"),
        ),
    ),
)
STARTS: Final = starts_of(PARTS)
WIDTH: Final = sum(part.width for part in PARTS)
GRID_PART: Final = PARTS[0]
MAP_PLANES: Final = GRID_PART.row_width + 1  # its columns, and one plane that is 1 where a card lies
