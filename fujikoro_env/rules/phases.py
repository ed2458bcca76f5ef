"""The questions that the game asks, and the steps that it takes by itself between them.

A phase that asks has two functions in its chapter: `legal_<phase>` marks the actions that are allowed, and `do_<phase>`
carries one out. A phase that goes on by itself has one, `go_<phase>`. `engine.py` maps phases to functions.
"""

from enum import IntEnum
from typing import Final


class Phase(IntEnum):
    NONE = 0
    # asked
    MONK_SPOT = 1
    SETUP_CUBES = 2
    ACTION = 3
    MOVE = 4
    PAY = 5
    EXPLORE_PLACE = 6
    EXPLORE_TURN = 7
    FIND = 8
    TAKE = 9
    BLUEPRINTS = 10
    SCROLL_CARD = 11
    SCROLL_SLOT = 12
    REST = 13
    CRAFT_WAY = 14
    CRAFT_LAY = 15
    WASTE = 16
    # going on by itself
    SETUP = 64
    TURN = 65
    DRAGON_FIGHT = 66


FIRST_AUTOMATIC: Final = Phase.SETUP

QUESTIONS: Final[dict[Phase, str]] = {
    Phase.MONK_SPOT: "Where does the monk go?",
    Phase.SETUP_CUBES: "Lay the first weapon: which cube, and where?",
    Phase.ACTION: "Which action?",
    Phase.MOVE: "Step where, or done?",
    Phase.PAY: "Which cube is given up?",
    Phase.EXPLORE_PLACE: "Explore which place?",
    Phase.EXPLORE_TURN: "How is the tile turned?",
    Phase.FIND: "Gather what?",
    Phase.TAKE: "Take which resource, or done?",
    Phase.BLUEPRINTS: "Take which blueprint, or done?",
    Phase.SCROLL_CARD: "Which scroll?",
    Phase.SCROLL_SLOT: "Into which scroll slot?",
    Phase.REST: "Craft which gear, or done?",
    Phase.CRAFT_WAY: "Add to it, or lay it anew?",
    Phase.CRAFT_LAY: "Lay which cube where, or done?",
    Phase.WASTE: "Which cube is waste?",
}
