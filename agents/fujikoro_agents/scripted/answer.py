"""Answers of the scripted agents to every question: one compiled function for all rungs of the ladder.

Each phase has its own small answer function, grouped by subject in other modules. Questions that none of the agent's
skills covers are answered at random. Nothing here reads what the player can't see
(fujikoro_env/rules/engine/hidden.py).
"""

from fujikoro_agents.scripted.acting import (
    NO_ANSWER,
    answer_action,
    answer_explore_place,
    answer_explore_turn,
    answer_find_space,
    answer_halves,
    answer_move,
)
from fujikoro_agents.scripted.band import answer_of_band, plays_as_band
from fujikoro_agents.scripted.crafting import (
    answer_blueprints,
    answer_claim_card,
    answer_craft_lay,
    answer_craft_way,
    answer_place_card,
    answer_rest,
    answer_setup_cubes,
)
from fujikoro_agents.scripted.fighting import answer_fight, is_of_fight
from fujikoro_agents.scripted.luck import random_answer
from fujikoro_agents.scripted.running import answer_claim, answer_refuge
from fujikoro_agents.scripted.skills import CRAFTS, EXPLORES, GATHERS, HUNTS, RUNS, TEAM
from fujikoro_agents.scripted.taking import (
    answer_find,
    answer_monk_spot,
    answer_scroll_card,
    answer_scroll_slot,
    answer_take,
    first_throw,
)
from fujikoro_env.kernel.jit import IntArray, IntTable, Words, rule
from fujikoro_env.kernel.masks import allows
from fujikoro_env.rules.base.actions import SCORE
from fujikoro_env.rules.base.frames import top
from fujikoro_env.rules.base.phases import Phase
from fujikoro_env.rules.base.state import State
from fujikoro_env.rules.base.tables import Tables


@rule
def answer(s: State, t: Tables, mask: Words, skills: int, luck: IntArray, index: int, known: IntTable) -> int:
    """Return a legal action for the acting player. `luck[index]` is its random state, which advances if chance
    decides. `known`: memory of estimated fights."""
    in_band = skills & TEAM != 0 and plays_as_band(s)
    if not in_band and skills & HUNTS != 0 and is_of_fight(top(s).phase):
        return answer_fight(s, t, mask, skills, luck, index, known)
    chosen = answer_of_band(s, t, mask) if in_band else skilled_answer(s, t, mask, skills, known)
    if chosen != NO_ANSWER and allows(mask, chosen):
        return chosen
    return random_answer(mask, luck, index)


@rule
def skilled_answer(s: State, t: Tables, mask: Words, skills: int, known: IntTable) -> int:
    """Return the answer of the agent's skills, from the lowest rung up; NO_ANSWER if none of them applies."""
    phase = top(s).phase
    if skills & EXPLORES != 0:
        chosen = answer_of_wanderer(s, t, mask, skills, phase, known)
        if chosen != NO_ANSWER:
            return chosen
    if skills & GATHERS != 0:
        chosen = answer_of_gatherer(s, t, mask, skills, phase)
        if chosen != NO_ANSWER:
            return chosen
    if skills & CRAFTS != 0:
        chosen = answer_of_smith(s, t, mask, skills, phase)
        if chosen != NO_ANSWER:
            return chosen
    if skills & RUNS != 0:
        return answer_of_runner(s, t, mask, phase)
    return NO_ANSWER + 0


@rule
def answer_of_wanderer(s: State, t: Tables, mask: Words, skills: int, phase: int, known: IntTable) -> int:
    """Answers to questions about moving and exploring."""
    match phase:
        case Phase.ACTION:
            return answer_action(s, t, mask, skills, known)
        case Phase.MOVE:
            return answer_move(s, t, mask, skills, known)
        case Phase.HALVES:
            return answer_halves(s, mask)
        case Phase.EXPLORE_PLACE:
            return answer_explore_place(s, t, mask, skills)
        case Phase.EXPLORE_MORE:
            return answer_explore_place(s, t, mask, skills)
        case Phase.EXPLORE_TURN:
            return answer_explore_turn(s, t)
        case Phase.CARD_BONUS:
            return SCORE + 0
    return NO_ANSWER + 0


@rule
def answer_of_gatherer(s: State, t: Tables, mask: Words, skills: int, phase: int) -> int:
    """Answers to questions about gathering."""
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


@rule
def answer_of_smith(s: State, t: Tables, mask: Words, skills: int, phase: int) -> int:
    """Answers to questions about resting, crafting and gear cards."""
    match phase:
        case Phase.REST:
            return answer_rest(s, t, mask, skills)
        case Phase.CRAFT_WAY:
            return answer_craft_way(mask)
        case Phase.CRAFT_LAY:
            return answer_craft_lay(s, t, mask, skills)
        case Phase.SETUP_CUBES:
            return answer_setup_cubes(mask)
        case Phase.WASTE:
            return first_throw(mask)
        case Phase.CLAIM_CARD:
            return answer_claim_card(mask)
        case Phase.PLACE_CARD:
            return answer_place_card(s, mask)
        case Phase.BLUEPRINTS:
            return answer_blueprints(s, t, mask, skills)
    return NO_ANSWER + 0


@rule
def answer_of_runner(s: State, t: Tables, mask: Words, phase: int) -> int:
    """Answers to questions about claims at the palace and fleeing."""
    match phase:
        case Phase.CLAIM:
            return answer_claim(s, t, mask)
        case Phase.FLEE | Phase.REBIRTH:
            return answer_refuge(s, t, mask)
    return NO_ANSWER + 0
