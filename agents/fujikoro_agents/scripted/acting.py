"""Answers that follow a plan: which action, where to move, in which order to do the halves of an action."""

from typing import Any, Final

import numpy as np

from fujikoro_agents.scripted.hunting import NOTHING_IS_NEAR, write_prey
from fujikoro_agents.scripted.paths import DISTANCE, ORDER, UNREACHED, WAYS, Walk, find_ways, moves_for
from fujikoro_agents.scripted.plans import (
    DEED,
    FAR,
    GOAL,
    NOWHERE,
    PLAN,
    RATE,
    STEP_THERE,
    TO_CRAFT,
    TO_EXPLORE,
    TO_GATHER,
    TO_LEAVE,
    TO_USE_BONUS,
    gather_worth,
    make_plan,
)
from fujikoro_agents.scripted.running import actions_until, find_ways_home, is_reached, is_running, turns_to_leave
from fujikoro_agents.scripted.skills import FAST_ESTIMATES, GATHERS, HUNTS, RUNS
from fujikoro_agents.scripted.wishes import write_wishes
from fujikoro_agents.scripted.wishes_list import PLACE, WISHES
from fujikoro_env.kernel.jit import Floats, IntArray, IntTable, Words, rule
from fujikoro_env.kernel.masks import allows
from fujikoro_env.rules.base import actions as act
from fujikoro_env.rules.base.frames import top
from fujikoro_env.rules.base.names import Adventure, Character, Disc, Gear, ScrollPower
from fujikoro_env.rules.base.state import State
from fujikoro_env.rules.base.tables import CELLS_OF_TILE, Tables
from fujikoro_env.rules.characters.sneak import (
    SNEAK_NEXT,
    STOLEN,
    USE_SNEAK,
    USE_STEAL,
    may_sneak_onto,
    samurai_to_pass,
)
from fujikoro_env.rules.explore import turned_cell
from fujikoro_env.rules.fights.dragon_fight import are_adjacent
from fujikoro_env.rules.map.geometry import FIRST_TILE_SPACE, PLACES, SPACES, START
from fujikoro_env.rules.move import steps_of
from fujikoro_env.rules.pack import free_slots, scrolls_of
from fujikoro_env.rules.powers.holdings import USE_TOKEN

NO_ANSWER: Final = -1
CUBES_OF_CRATE: Final = 2


@rule
def plan_of(s: State, t: Tables, p: int, skills: int, left: int, plan: Floats, known: IntTable) -> None:
    """Write the best plan of the player from where it stands. `left`: steps left of the current move."""
    wishes: Any = np.empty(WISHES, np.float32)
    ways: Any = np.empty(WAYS, np.int64)
    write_wishes(s, t, p, skills, wishes)
    steps = steps_of(s, t, p)
    walk = Walk(left, steps, ways, find_ways(s, t, p, int(s.players[p].at), 0, 0, ways))
    if skills & HUNTS != 0:
        write_prey(s, t, p, ways, NOTHING_IS_NEAR if skills & FAST_ESTIMATES != 0 else steps, wishes, known)
    if skills & RUNS != 0 and is_running(s, p):
        plan_to_run(s, t, p, walk, wishes, plan)
    else:
        make_plan(s, t, p, walk, wishes, plan)


@rule
def plan_to_run(s: State, t: Tables, p: int, walk: Walk, wishes: Floats, plan: Floats) -> None:
    """Write the plan in the final chapter: the best one that leaves enough time to be on the rope when it is time to
    leave."""
    ways, left, steps = walk.ways, walk.left, walk.steps
    home: Any = np.empty(WAYS, np.int64)
    turns, here = turns_to_leave(s, t, p), int(s.players[p].at)
    has_way = find_ways_home(s, t, p, turns, home)
    if not has_way:
        make_plan(s, t, p, walk, wishes, plan)
        return
    actions = actions_until(s, p, turns)
    for k in range(walk.reached):
        space = ways[ORDER + k]
        needed = 1 + moves_for(ways[DISTANCE + space], left, steps) + moves_for(home[DISTANCE + space], 0, steps)
        if needed > actions or not is_reached(home, space):
            ways[DISTANCE + space] = UNREACHED
    if ways[DISTANCE + here] != UNREACHED:
        make_plan(s, t, p, walk, wishes, plan)
        if plan[GOAL] != NOWHERE:
            return
    plan[GOAL] = START
    plan[DEED] = TO_LEAVE
    plan[RATE] = 0.0
    plan[FAR] = home[DISTANCE + here]
    plan[STEP_THERE] = step_home(t, here, home)


@rule
def step_home(t: Tables, here: int, home: IntArray) -> int:
    """A neighbouring space that is one step nearer to the rope."""
    for k in range(t.neighbour_count[here]):
        there = int(t.neighbours[here, k])
        if home[DISTANCE + there] == home[DISTANCE + here] - 1:
            return there
    return here


@rule
def first_allowed(mask: Words, action: int, other: int) -> int:
    """Return `action` if it is legal, else `other` if that is legal, else NO_ANSWER."""
    if allows(mask, action):
        return action
    return other if allows(mask, other) else NO_ANSWER


@rule
def answer_action(s: State, t: Tables, mask: Words, skills: int, known: IntTable) -> int:
    """Choose an action: a useful power, a rest without discs, or the next action of the plan."""
    p = int(top(s).actor)
    power = power_to_use(s, p, mask, skills)
    if power != NO_ANSWER:
        return power
    if s.players[p].pool == 0:  # TURN-3
        return act.REST if allows(mask, act.REST) else NO_ANSWER
    plan: Any = np.empty(PLAN, np.float32)
    plan_of(s, t, p, skills, 0, plan, known)
    return action_by(mask, plan)


@rule
def power_to_use(s: State, p: int, mask: Words, skills: int) -> int:
    """A power that costs no action and helps now: damage to a dragon, discs back, two cubes; or NO_ANSWER."""
    if skills & HUNTS != 0:
        for power in (act.USE + ScrollPower.DRAGON_BANE, USE_TOKEN + Adventure.HARPOON):
            if allows(mask, power):
                return power
    if skills & GATHERS != 0:
        if s.players[p].pool == 0 and allows(mask, USE_TOKEN + Adventure.SAKE_GOURD):
            return USE_TOKEN + Adventure.SAKE_GOURD
        if allows(mask, USE_TOKEN + Adventure.MERCHANT_CRATE) and free_slots(s, p) >= CUBES_OF_CRATE:
            return USE_TOKEN + Adventure.MERCHANT_CRATE
    return NO_ANSWER + 0


@rule
def action_by(mask: Words, plan: Floats) -> int:
    """The action that follows a plan."""
    if plan[GOAL] == NOWHERE:
        return NO_ANSWER + 0
    if plan[FAR] > 0:
        return first_allowed(mask, act.MOVE, act.REST)
    return first_allowed(mask, action_of(int(plan[DEED])), act.REST)


@rule
def action_of(deed: int) -> int:
    """The action that does a deed."""
    if deed == TO_EXPLORE:
        return act.EXPLORE + 0
    if deed == TO_CRAFT:
        return act.REST + 0
    if deed == TO_LEAVE:  # also to stay where the rope is
        return act.MOVE + 0
    return act.GATHER + 0 if deed == TO_GATHER else act.MOVE + deed - TO_USE_BONUS


@rule
def answer_move(s: State, t: Tables, mask: Words, skills: int, known: IntTable) -> int:
    """Choose a step, or a theft for a thief."""
    frame = top(s)
    if skills & GATHERS != 0 and s.players[frame.actor].character == Character.DAISUKE:
        theft = answer_of_thief(s, t, mask)
        if theft != NO_ANSWER:
            return theft
    plan: Any = np.empty(PLAN, np.float32)
    plan_of(s, t, int(frame.actor), skills, int(frame.left), plan, known)
    return step_by(mask, plan)


@rule
def answer_of_thief(s: State, t: Tables, mask: Words) -> int:
    """Sneak past a samurai that has a scroll, which is worth 3 VP, and steal it; NO_ANSWER otherwise (CHAR-72,
    CHAR-73)."""
    frame = top(s)
    if allows(mask, USE_STEAL):
        return USE_STEAL + 0
    here = int(s.players[frame.actor].at)
    for k in range(t.neighbour_count[here]):
        space = int(t.neighbours[here, k])
        other = samurai_to_pass(s, int(frame.actor), space)
        if other < 0 or scrolls_of(s.players[other]) == 0 or frame.stage & STOLEN != 0:
            continue
        if frame.stage & SNEAK_NEXT != 0 and allows(mask, act.STEP + space):
            return act.STEP + space
        if allows(mask, USE_SNEAK) and may_sneak_onto(s, t, frame, space):
            return USE_SNEAK + 0
    return NO_ANSWER + 0


@rule
def step_by(mask: Words, plan: Floats) -> int:
    """A step towards the goal, or DONE at the goal."""
    if plan[GOAL] == NOWHERE:
        return NO_ANSWER + 0
    if plan[FAR] > 0:
        return first_allowed(mask, act.STEP + int(plan[STEP_THERE]), act.DONE)
    return act.DONE if allows(mask, act.DONE) else NO_ANSWER


@rule
def answer_halves(s: State, mask: Words) -> int:
    """Choose the order of the two halves of an action (GEAR-3): the step of a sandals card last, towards the next
    goal."""
    frame = top(s)
    if frame.thing != Disc.MOVE and s.players[frame.actor].card_on[frame.thing] == Gear.SANDALS + 1:
        return first_allowed(mask, act.MAIN, act.BONUS)
    return first_allowed(mask, act.BONUS, act.MAIN)


@rule
def answer_explore_place(s: State, t: Tables, mask: Words, skills: int) -> int:
    """Explore the place that is worth most."""
    wishes: Any = np.empty(WISHES, np.float32)
    write_wishes(s, t, int(top(s).actor), skills, wishes)
    best, most = NO_ANSWER, 0.0
    for place in range(PLACES):
        if allows(mask, act.PLACE + place) and wishes[PLACE + place] > most:
            best, most = act.PLACE + place, float(wishes[PLACE + place])
    return best


@rule
def answer_explore_turn(s: State, t: Tables) -> int:
    """Turn the tile so that the best spaces are next to the samurai: ground rather than lava, and things to gather."""
    frame = top(s)
    here = int(s.players[frame.actor].at)
    best, most = NO_ANSWER, -1.0
    for turn in range(6):
        worth = 0.0
        for cell in range(CELLS_OF_TILE):
            if are_adjacent(t, here, FIRST_TILE_SPACE + CELLS_OF_TILE * int(frame.at) + cell):
                worth += printed_worth(s, t, int(frame.actor), int(frame.thing) - 1, turned_cell(cell, turn))
        if worth > most:
            best, most = act.TURN + turn, worth
    return best


@rule
def printed_worth(s: State, t: Tables, p: int, tile: int, cell: int) -> float:
    """Worth of a printed space next to the samurai."""
    printed = t.tiles[tile]
    if printed.lava[cell] != 0:
        return 0.0
    worth = 1.0
    if printed.scroll[cell] != 0 and printed.scroll[cell] == s.players[p].colour:
        worth += 2.0
    if printed.monk[cell] != 0:
        worth += 1.5
    if printed.square[cell] != 0:
        worth += 1.0
    return worth


@rule
def answer_find_space(s: State, t: Tables, mask: Words, skills: int) -> int:
    """Choose the space with the most valuable finds (scroll far_reach)."""
    p = int(top(s).actor)
    wishes: Any = np.empty(WISHES, np.float32)
    write_wishes(s, t, p, skills, wishes)
    best, most = NO_ANSWER, 0.0
    for space in range(SPACES):
        if allows(mask, act.STEP + space):
            worth = gather_worth(s, t, p, space, wishes)
            if worth > most:
                best, most = act.STEP + space, worth
    return best
