"""The table of actions. All phases and player counts share the same blocks."""

from typing import Final

from fuji_env.content.model import DICE, EQUIPMENT, INJURIES, PLACES
from fuji_env.rules.base.state import ALL_DICE, FIGURES, MOST_BARS
from fujikoro_env.kernel.action_table import ActionTable, Block

SIGNS: Final = "123456"


def dice_names(dice: int) -> str:
    """Return the name of a set of dice, `1+3+6`."""
    return "+".join(SIGNS[die] for die in range(DICE) if dice >> die & 1)


TABLE: Final = ActionTable(
    Block("done", "stop here, or keep what is"),
    Block("place", "lay the marker on a card, or name one", tuple(str(place) for place in range(PLACES))),
    Block("walk", "over an eruption token, or the longer way around it (PLAN-5)", ("through", "around")),
    Block("say", "say a word (PLAN-6)", ("nothing", "weak", "fair", "strong", "warn left", "warn right")),
    Block("play", "play an equipment card (EQUIP-1)", EQUIPMENT),
    Block("card", "keep an equipment card (SKILL-1, SKILL-6), or give it away (SKILL-1)", EQUIPMENT),
    Block("roll", "roll these dice again (REROLL-2)", tuple(dice_names(dice) for dice in range(1, ALL_DICE + 1))),
    Block("die", "set a die aside, or turn it", tuple(SIGNS)),
    Block("figure", "name a figure, counted from the one that asks", tuple(f"{k} seats on" for k in range(FIGURES))),
    Block("injury", "take an injury, or give it back (STAM-3)", INJURIES),
    Block("bars", "spend power bars (SKILL-5)", tuple(str(number) for number in range(MOST_BARS + 1))),
)
ACTIONS: Final = TABLE.size
MASK_WORDS: Final = TABLE.words

DONE: Final = TABLE.first("done")
PLACE: Final = TABLE.first("place")
WALK: Final = TABLE.first("walk")
SAY: Final = TABLE.first("say")
PLAY: Final = TABLE.first("play")
CARD: Final = TABLE.first("card")
ROLL: Final = TABLE.first("roll")
DIE: Final = TABLE.first("die")
FIGURE: Final = TABLE.first("figure")
INJURY: Final = TABLE.first("injury")
BARS: Final = TABLE.first("bars")
THROUGH: Final = WALK
AROUND: Final = WALK + 1
