"""The scripted players' answer to every question: one compiled function for all rungs of the ladder.

Each phase has its small answer, in a chapter of its own; what no skill of the player covers is answered at random.
Nothing here reads what the player can't see (fujikoro_env/rules/hidden.py).
"""

from agents.scripted.acting import (
    NO_ANSWER,
    answer_action,
    answer_explore_place,
    answer_explore_turn,
    answer_find_space,
    answer_halves,
    answer_move,
)
from agents.scripted.band import answer_of_band
from agents.scripted.luck import random_answer
from agents.scripted.skills import EXPLORES, GATHERS, TEAM
from agents.scripted.taking import (
    answer_find,
    answer_monk_spot,
    answer_scroll_card,
    answer_scroll_slot,
    answer_take,
)
from fujikoro_env.rules.frames import top
from fujikoro_env.rules.jit import IntArray, Words, rule
from fujikoro_env.rules.masks import allows
from fujikoro_env.rules.names import Mode
from fujikoro_env.rules.phases import Phase
from fujikoro_env.rules.state import State
from fujikoro_env.rules.tables import Tables


@rule
def answer(s: State, t: Tables, mask: Words, skills: int, luck: IntArray, index: int) -> int:
    """A legal action for who is asked. `luck[index]`: its generator, which moves on if chance decides."""
    chosen = skilled_answer(s, t, mask, skills)
    if chosen != NO_ANSWER and allows(mask, chosen):
        return chosen
    return random_answer(mask, luck, index)


@rule
def skilled_answer(s: State, t: Tables, mask: Words, skills: int) -> int:
    phase = top(s).phase
    if skills & TEAM != 0 and s.settings.mode == Mode.COOP:
        return answer_of_band(s, t, mask)
    if skills & EXPLORES != 0:
        chosen = answer_of_wanderer(s, t, mask, skills, phase)
        if chosen != NO_ANSWER:
            return chosen
    if skills & GATHERS != 0:
        return answer_of_gatherer(s, t, mask, skills, phase)
    return NO_ANSWER + 0


@rule
def answer_of_wanderer(s: State, t: Tables, mask: Words, skills: int, phase: int) -> int:
    match phase:
        case Phase.ACTION:
            return answer_action(s, t, mask, skills)
        case Phase.MOVE:
            return answer_move(s, t, mask, skills)
        case Phase.HALVES:
            return answer_halves(s, t, mask)
        case Phase.EXPLORE_PLACE:
            return answer_explore_place(s, t, mask, skills)
        case Phase.EXPLORE_MORE:
            return answer_explore_place(s, t, mask, skills)
        case Phase.EXPLORE_TURN:
            return answer_explore_turn(s, t, skills)
    return NO_ANSWER + 0


@rule
def answer_of_gatherer(s: State, t: Tables, mask: Words, skills: int, phase: int) -> int:
    match phase:
        case Phase.FIND:
            return answer_find(s, t, mask, skills)
        case Phase.FIND_SPACE:
            return answer_find_space(s, t, mask, skills)
        case Phase.TAKE:
            return answer_take(s, t, mask, skills)
        case Phase.MONK_SPOT:
            return answer_monk_spot(mask)
        case Phase.SCROLL_CARD:
            return answer_scroll_card(s, t, mask)
        case Phase.SETUP_SCROLL:
            return answer_scroll_card(s, t, mask)
        case Phase.SCROLL_SLOT:
            return answer_scroll_slot(s, t, mask)
    return NO_ANSWER + 0
