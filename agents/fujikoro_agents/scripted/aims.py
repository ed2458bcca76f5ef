"""Aims: goals that a player who looks ahead may choose for the rest of its turn, and how to follow them.

An aim is one number: NO_AIM, or a deed and a space.
"""

from typing import Any, Final

import numpy as np

from fujikoro_agents.scripted.acting import NO_ANSWER, action_by, step_by
from fujikoro_agents.scripted.hunting import NOTHING_IS_NEAR, write_prey
from fujikoro_agents.scripted.paths import (
    DISTANCE,
    FIRST_STEP,
    ORDER,
    WAYS,
    find_way_to,
    find_ways,
    is_dragons,
    moves_for,
)
from fujikoro_agents.scripted.plans import (
    DEED,
    FAR,
    GOAL,
    NOWHERE,
    PLAN,
    STEP_THERE,
    TO_CRAFT,
    TO_EXPLORE,
    TO_FIGHT,
    TO_GATHER,
    TO_LEAVE,
    TO_USE_BONUS,
    explore_worth,
    gather_worth,
)
from fujikoro_agents.scripted.skills import FAST_ESTIMATES
from fujikoro_agents.scripted.wishes import write_wishes
from fujikoro_agents.scripted.wishes_list import DRAGON, EXPLORABLE, WISHES
from fujikoro_env.kernel.jit import Floats, IntArray, IntTable, Words, rule
from fujikoro_env.kernel.masks import allows
from fujikoro_env.rules.base import actions as act
from fujikoro_env.rules.base.frames import top
from fujikoro_env.rules.base.names import DISC_FIELDS
from fujikoro_env.rules.base.phases import Phase
from fujikoro_env.rules.base.state import State
from fujikoro_env.rules.base.tables import Tables
from fujikoro_env.rules.map.geometry import START
from fujikoro_env.rules.move import steps_of

NO_AIM: Final = 0
DEEDS_OF_SPACE: Final = 16
BY_RATE: Final = 9  # maximum number of goals; with all other aims there are at most 16


@rule
def aim_for(space: int, deed: int) -> int:
    """Encode a space and a deed as an aim."""
    return space * DEEDS_OF_SPACE + deed


@rule
def space_of_aim(aim: int) -> int:
    """The space of an aim."""
    return aim // DEEDS_OF_SPACE


@rule
def deed_of_aim(aim: int) -> int:
    """The deed of an aim."""
    return aim % DEEDS_OF_SPACE


# --- available aims -------------------------------------------------------------------------------------------------


@rule
def list_aims(s: State, t: Tables, mask: Words, p: int, skills: int, aims: IntArray, known: IntTable) -> int:
    """List all aims and return their number. The first is NO_AIM: play on by the rules of the rung."""
    aims[0] = NO_AIM
    count = list_goals(s, t, p, skills, aims, known)
    here = int(s.players[p].at)
    if allows(mask, act.REST):
        aims[count] = aim_for(here, TO_CRAFT)
        count += 1
    for field in range(DISC_FIELDS):
        if s.players[p].card_on[field] != 0 and allows(mask, act.MOVE + field):
            aims[count] = aim_for(here, TO_USE_BONUS + field)
            count += 1
    if s.final_player != 0 and allows(mask, act.MOVE):
        aims[count] = aim_for(START, TO_LEAVE)
        count += 1
    return count


@rule
def list_goals(s: State, t: Tables, p: int, skills: int, aims: IntArray, known: IntTable) -> int:
    """List the goals with the best rates, after NO_AIM; each place to explore and each dragon once. Return the number
    of aims."""
    wishes: Any = np.empty(WISHES, np.float32)
    ways: Any = np.empty(WAYS, np.int64)
    rates: Any = np.zeros(BY_RATE + 1, np.float32)
    write_wishes(s, t, p, skills, wishes)
    steps = steps_of(s, t, p)
    reached = find_ways(s, t, p, int(s.players[p].at), 0, 0, ways)
    write_prey(s, t, p, ways, NOTHING_IS_NEAR if skills & FAST_ESTIMATES != 0 else steps, wishes, known)
    count = 1
    for k in range(reached):
        space = ways[ORDER + k]
        moves = moves_for(ways[DISTANCE + space], 0, steps)
        if k > 0 and is_dragons(s, t, space):
            place = int(t.place_of[space])
            count = insert(aims, rates, count, aim_for(space, TO_FIGHT), wishes[DRAGON + place] / max(1, moves))
            wishes[DRAGON + place] = 0.0
            continue
        worth = explore_worth(t, space, wishes) if wishes[EXPLORABLE] > 0 else 0.0
        count = insert(aims, rates, count, aim_for(space, TO_EXPLORE), worth / (1 + moves))
        worth = gather_worth(s, t, p, space, wishes)
        count = insert(aims, rates, count, aim_for(space, TO_GATHER), worth / (1 + moves))
    return count


@rule
def insert(aims: IntArray, rates: Floats, count: int, aim: int, rate: float) -> int:
    """Insert an aim so that the best are kept in falling order from index 1; return the number of aims."""
    if rate <= 0.0 or (count > BY_RATE and rate <= rates[BY_RATE]):
        return count
    k = min(count, BY_RATE)
    while k > 1 and rates[k - 1] < rate:
        rates[k] = rates[k - 1]
        aims[k] = aims[k - 1]
        k -= 1
    rates[k] = rate
    aims[k] = aim
    return min(count, BY_RATE) + 1


# --- following an aim -----------------------------------------------------------------------------------------------


@rule
def answer_by_aim(s: State, t: Tables, mask: Words, aim: int) -> int:
    """Return the action or step that follows the aim, or NO_ANSWER if the aim doesn't apply to the question."""
    frame = top(s)
    if aim == NO_AIM or (frame.phase != Phase.ACTION and frame.phase != Phase.MOVE):
        return NO_ANSWER + 0
    if frame.phase == Phase.ACTION and s.players[frame.actor].pool == 0:
        return NO_ANSWER + 0
    plan: Any = np.empty(PLAN, np.float32)
    plan_for_aim(s, t, int(frame.actor), aim, plan)
    return action_by(mask, plan) if frame.phase == Phase.ACTION else step_by(mask, plan)


@rule
def plan_for_aim(s: State, t: Tables, p: int, aim: int, plan: Floats) -> None:
    """Write the plan that follows an aim."""
    ways: Any = np.empty(WAYS, np.int64)
    find_way_to(s, t, p, space_of_aim(aim), ways)
    goal = space_of_aim(aim)
    plan[GOAL] = goal if ways[DISTANCE + goal] >= 0 else NOWHERE
    plan[DEED] = deed_of_aim(aim)
    plan[FAR] = ways[DISTANCE + goal]
    plan[STEP_THERE] = ways[FIRST_STEP + goal]


@rule
def is_deed_of(action: int, aim: int) -> bool:
    """Whether the action does what the aim was chosen for, so that the aim is completed."""
    deed = deed_of_aim(aim)
    if deed == TO_EXPLORE:
        return action == act.EXPLORE
    if deed == TO_GATHER:
        return action == act.GATHER
    if deed == TO_CRAFT:
        return action == act.REST
    return deed >= TO_USE_BONUS and action == act.MOVE + deed - TO_USE_BONUS
