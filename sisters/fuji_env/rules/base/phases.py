"""The table of phases: the questions that the game asks, and the steps that it takes by itself between them.

A phase that asks has two functions in its chapter: `legal_<phase>` marks the legal actions, and `do_<phase>` carries
one out. A phase that runs by itself has one, `go_<phase>`. tools/make_phases.py finds them by name and writes
engine/dispatch.py, which calls them.

Every question is asked of the player of a figure, which is in the frame. The fields of other phases are zero.
"""

from typing import Final

from fuji_env.content.model import DICE, EQUIPMENT
from fuji_env.rules.base.state import ALL_GEAR, FIGURES, MOST_BARS
from fujikoro_env.kernel.phase_table import Entry, PhaseTable, Slot

GEAR: Final = Slot("card", "what", "the equipment card", most=len(EQUIPMENT) - 1)
MOST_TURNS: Final = 3 * FIGURES  # of planning (PLAN-6)


class Phase(PhaseTable):
    """All phases, each with its entry. Phases that ask are numbered from 1 without gaps, below 32; phases that run by
    themselves are numbered from 32. Only append new ones: observations rely on the numbers."""

    NONE = Entry(0)

    # --- phases that ask

    KEEP = Entry(
        1,
        question="Which equipment is kept?",
        rules=("SKILL-1", "SKILL-6"),
        keeps=(
            Slot("left", "left", "how many cards are still to be kept", most=len(EQUIPMENT), least=1),
            Slot("offered", "what", "the cards to choose from", most=ALL_GEAR, least=1),
        ),
    )
    PLAN = Entry(
        2,
        question="Where shall the figure go?",
        rules=("PLAN-1", "PLAN-2", "PLAN-3", "PLAN-7"),
        keeps=(Slot("played", "stage", "1 if a card was played on this turn", most=1),),
    )
    WALK = Entry(3, question="Over the eruption token, or around it?", rules=("PLAN-5",))
    WORD = Entry(4, question="Which word?", rules=("PLAN-6",))
    RADIO = Entry(5, question="On which card shall everybody tell the value?", rules=("EQUIP-1",))
    PARTNER = Entry(6, question="With whom?", rules=("EQUIP-2",), keeps=(GEAR,))
    GIVE = Entry(7, question="To whom is the card given?", rules=("SKILL-1",), keeps=(GEAR,))
    HEAL = Entry(8, question="Who gives back an injury?", rules=("EQUIP-1",))
    HEALED = Entry(9, question="Which injury is given back?", rules=("EQUIP-1",))
    REROLL = Entry(10, question="Which dice are rolled again?", rules=("REROLL-2", "SKILL-3"))
    EQUIP = Entry(11, question="Which equipment is played?", rules=("EQUIP-1", "EQUIP-3"))
    ROLL_DICE = Entry(
        12,
        question="Which dice does the card roll again?",
        rules=("EQUIP-1",),
        keeps=(Slot("dice", "left", "how many dice at most", most=DICE, least=1),),
    )
    SET_ASIDE = Entry(13, question="Which die is set aside?", rules=("EQUIP-1",))
    TURN_DIE = Entry(14, question="Which die is turned to its opposite face?", rules=("EQUIP-1",))
    NEXT = Entry(15, question="Who moves next?", rules=("MOVE-1",))
    BARS = Entry(
        16,
        question="How many power bars are spent?",
        rules=("SKILL-5", "SKILL-7"),
        keeps=(Slot("mover", "what", "the figure that moves", most=FIGURES - 1),),
    )
    INJURY = Entry(17, question="Which injury is suffered?", rules=("STAM-3",))

    # --- phases that run by themselves

    DEAL = Entry(
        32,
        step="deals equipment to the next figure",
        rules=("SETUP-1",),
        keeps=(Slot("dealt", "left", "how many figures have theirs", most=FIGURES),),
    )
    ROUND = Entry(
        33,
        step="begins the next phase of the round",
        rules=("ROUND-1",),
        keeps=(Slot("stage", "stage", "phases done: roll and plan, reroll, equipment, move", most=4),),
    )
    PLANNING = Entry(
        34,
        step="asks the next player where its figure shall go",
        rules=("PLAN-6",),
        keeps=(
            Slot("turns", "left", "planning turns so far", most=MOST_TURNS),
            Slot("content", "what", "how many players in a row are content", most=MOST_TURNS),
        ),
    )
    REROLLING = Entry(
        35,
        step="asks the next player which dice to roll again",
        rules=("REROLL-3",),
        keeps=(Slot("asked", "left", "how many figures have had their turn", most=FIGURES),),
    )
    EQUIPPING = Entry(
        36,
        step="asks the next player for equipment",
        rules=("EQUIP-3",),
        keeps=(
            Slot("next", "left", "whose turn is next, counted from the lead", most=FIGURES - 1),
            Slot("passed", "what", "how many have passed in a row", most=FIGURES),
        ),
    )
    MOVING = Entry(37, step="asks the lead player who moves next", rules=("MOVE-1",))
    TURN = Entry(
        38,
        step="moves a figure",
        rules=("MOVE-2", "STAM-1"),
        keeps=(
            Slot("asked", "stage", "1 once power bars were offered", most=1),
            Slot("bars", "left", "power bars spent", most=MOST_BARS),
        ),
    )


FIRST_AUTOMATIC: Final = Phase.DEAL
QUESTIONS: Final[dict[Phase, str]] = {phase: phase.entry.question for phase in Phase if phase.entry.question}
