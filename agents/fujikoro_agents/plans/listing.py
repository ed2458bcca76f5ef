"""Choices of a player who plays for VP, over the wishes of `runner`."""

from typing import Any

import numpy as np

from fujikoro_agents.plans.following import TO_CRAFT_GEAR
from fujikoro_agents.plans.scene import Draft, Scene, propose, rank
from fujikoro_agents.scripted.acting import plan_to_run
from fujikoro_agents.scripted.aims import NO_AIM, aim_for
from fujikoro_agents.scripted.errands import WORTHS
from fujikoro_agents.scripted.hunting import write_prey
from fujikoro_agents.scripted.paths import ORDER, UNREACHED, WAYS, Walk, find_ways, is_dragons
from fujikoro_agents.scripted.plans import (
    DEED,
    GOAL,
    NOWHERE,
    PLAN,
    TO_CRAFT,
    TO_EXPLORE,
    TO_FIGHT,
    TO_GATHER,
    TO_LEAVE,
    TO_USE_BONUS,
    TOUCHED,
    gather_worth,
    make_plan,
)
from fujikoro_agents.scripted.running import actions_until, find_ways_home, is_running, turns_to_leave
from fujikoro_agents.scripted.skills import RUNNER
from fujikoro_agents.scripted.wishes import write_wishes
from fujikoro_agents.scripted.wishes_list import BONUS, BUILD, DRAGON, PLACE, WISHES
from fujikoro_env.kernel.jit import IntTable, Words, rule
from fujikoro_env.kernel.masks import allows, bit, has
from fujikoro_env.rules.base import actions as act
from fujikoro_env.rules.base.names import DISC_FIELDS, GEARS
from fujikoro_env.rules.base.state import State
from fujikoro_env.rules.base.tables import Tables
from fujikoro_env.rules.gear.craft import cells_to_lay
from fujikoro_env.rules.map.geometry import SPACES, START
from fujikoro_env.rules.move import steps_of
from fujikoro_env.rules.pack import resources_in_pack

NOT_FINAL = -1


@rule
def runners_scene(s: State, t: Tables, p: int, known: IntTable) -> Scene:
    """The scene of a player who plays for VP."""
    wishes: Any = np.empty(max(WISHES, WORTHS), np.float32)
    ways: Any = np.empty(WAYS, np.int64)
    home: Any = np.full(WAYS, UNREACHED, np.int64)
    dangers: Any = np.zeros(SPACES, np.float32)
    write_wishes(s, t, p, RUNNER, wishes)
    steps = steps_of(s, t, p)
    reached = find_ways(s, t, p, int(s.players[p].at), 0, 0, ways)
    write_prey(s, t, p, ways, steps, wishes, known)
    left = NOT_FINAL
    if is_running(s, p):
        turns = turns_to_leave(s, t, p)
        find_ways_home(s, t, p, turns, home)
        left = actions_until(s, p, turns)
    return Scene(p, steps, ways, reached, wishes, PLACE, dangers, home, left, known)


@rule
def runners_aim(s: State, t: Tables, scene: Scene, usual: int) -> int:
    """The aim of `runner`, whose next action is `usual`."""
    here = int(s.players[scene.p].at)
    if usual == act.REST:
        return aim_for(here, TO_CRAFT)
    plan: Any = np.empty(PLAN, np.float32)
    if is_running(s, scene.p):
        ways: Any = np.empty(WAYS, np.int64)  # a copy, because the plan crosses out what is too far
        for k in range(WAYS):
            ways[k] = scene.ways[k]
        plan_to_run(s, t, scene.p, Walk(0, scene.steps, ways, scene.reached), scene.wishes, plan)
    else:
        make_plan(s, t, scene.p, Walk(0, scene.steps, scene.ways, scene.reached), scene.wishes, plan)
    if plan[GOAL] == NOWHERE:
        return NO_AIM + 0
    return aim_for(int(plan[GOAL]), int(plan[DEED]))


@rule
def list_for_runner(s: State, t: Tables, mask: Words, scene: Scene, draft: Draft) -> int:
    """List the choices of a player who plays for VP; return their number."""
    count = list_at_hand(s, mask, scene, draft, 1)
    if s.final_player != 0:
        count = propose(mask, scene, draft, count, aim_for(START, TO_LEAVE), 0.0)
    first, hunted, seen = count, 0, 0
    for k in range(scene.reached):
        space = int(scene.ways[ORDER + k])
        if k > 0 and is_dragons(s, t, space):
            place = int(t.place_of[space])
            if not has(hunted, place):
                hunted |= bit(place)
                prize = float(scene.wishes[DRAGON + place])
                count = rank(mask, scene, draft, first, count, aim_for(space, TO_FIGHT), prize)
            continue
        place = best_place(t, scene, space)
        if place >= 0 and not has(seen, place):  # the nearest space from which it can be explored
            seen |= bit(place)
            worth = float(scene.wishes[PLACE + place])
            count = rank(mask, scene, draft, first, count, aim_for(space, TO_EXPLORE), worth)
        worth = gather_worth(s, t, scene.p, space, scene.wishes)
        count = rank(mask, scene, draft, first, count, aim_for(space, TO_GATHER), worth)
    return count


@rule
def list_at_hand(s: State, mask: Words, scene: Scene, draft: Draft, count: int) -> int:
    """List rests, with each gear that could be crafted, and bonuses of gear cards; return the number of choices."""
    me, here = s.players[scene.p], int(s.players[scene.p].at)
    count = propose(mask, scene, draft, count, aim_for(here, TO_CRAFT), vp_of_rest(scene))
    if allows(mask, act.REST) and resources_in_pack(me) > 0:
        for gear in range(GEARS):
            if cells_to_lay(me, gear) != 0:
                count = propose(mask, scene, draft, count, aim_for(here, TO_CRAFT_GEAR + gear), 0.0)
    for field in range(DISC_FIELDS):
        if me.card_on[field] != 0:
            gain = vp_of_bonus(scene, field)
            count = propose(mask, scene, draft, count, aim_for(here, TO_USE_BONUS + field), gain)
    return count


@rule
def vp_of_rest(scene: Scene) -> float:
    """VP of what a rest could build; 0 for a member of a team, which has no such wish."""
    return float(scene.wishes[BUILD]) if scene.places == PLACE else 0.0


@rule
def vp_of_bonus(scene: Scene, field: int) -> float:
    """VP of the bonus on a field; 0 for a member of a team."""
    return float(scene.wishes[BONUS + field]) if scene.places == PLACE else 0.0


@rule
def best_place(t: Tables, scene: Scene, space: int) -> int:
    """The place worth most among those that can be explored from a space; -1 if there is none."""
    best, most = -1, 0.0
    for k in range(TOUCHED):
        place = int(t.touched_places[space, k])
        if place >= 0 and scene.wishes[scene.places + place] > most:
            best, most = place, float(scene.wishes[scene.places + place])
    return best
