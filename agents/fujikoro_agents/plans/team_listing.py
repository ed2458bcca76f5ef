"""Choices of a samurai in a co-op or solo game, over the errands of `band`."""

from typing import Any, Final

import numpy as np

from fujikoro_agents.plans.following import TO_HIDE, TO_MEET
from fujikoro_agents.plans.listing import NOT_FINAL, best_place, list_at_hand
from fujikoro_agents.plans.scene import Draft, Scene, propose, rank
from fujikoro_agents.scripted.aims import NO_AIM, aim_for
from fujikoro_agents.scripted.band_weights import WEIGHT_COUNT, write_weights
from fujikoro_agents.scripted.dangers import danger_at, write_fears
from fujikoro_agents.scripted.errands import (
    ERRAND,
    EXPLORES,
    FIGHTS,
    GATHERS,
    GO_EXIT,
    GOES,
    HIDES,
    MOVES_TO_FIGHT,
    PLACE_WORTH,
    WORTHS,
    Member,
    errand_of,
    gather_worth,
    is_at_muster,
    is_mustering,
    nearest_of,
    rally_of,
    steps_of_action,
    worth_of_fight,
    write_worths,
)
from fujikoro_agents.scripted.paths import DISTANCE, ORDER, UNREACHED, WAYS, find_ways, is_dragons, moves_for
from fujikoro_agents.scripted.plans import (
    DEED,
    GOAL,
    NOWHERE,
    TO_CRAFT,
    TO_EXPLORE,
    TO_FIGHT,
    TO_GATHER,
    TO_LEAVE,
)
from fujikoro_agents.scripted.wishes_list import WISHES
from fujikoro_env.content.model import MAX_DRAGONS
from fujikoro_env.kernel.jit import Floats, IntTable, Words, rule
from fujikoro_env.kernel.masks import bit, has
from fujikoro_env.rules.base import actions as act
from fujikoro_env.rules.base.state import State
from fujikoro_env.rules.base.tables import Tables
from fujikoro_env.rules.coop.coop import exit_is_open
from fujikoro_env.rules.map.geometry import PLACES, SPACES

PER_STEP: Final = 0.05  # a hiding place that is a step farther must be safer by this much


@rule
def members_scene(s: State, t: Tables, p: int, known: IntTable) -> Scene:
    """The scene of a member of a team."""
    worths: Any = np.zeros(max(WISHES, WORTHS), np.float32)
    ways: Any = np.empty(WAYS, np.int64)
    home: Any = np.full(WAYS, UNREACHED, np.int64)
    dangers: Any = np.zeros(SPACES, np.float32)
    weights: Any = np.empty(WEIGHT_COUNT, np.float32)
    fears: Any = np.zeros(MAX_DRAGONS, np.float32)
    write_weights(s, weights)
    write_worths(s, t, Member(p, weights, worths))
    write_fears(s, t, weights, p, fears)
    reached = find_ways(s, t, p, int(s.players[p].at), 0, 0, ways)
    for k in range(reached):
        dangers[ways[ORDER + k]] = danger_at(s, t, fears, int(ways[ORDER + k]))
    return Scene(p, steps_of_action(s, t, p), ways, reached, worths, PLACE_WORTH, dangers, home, NOT_FINAL, known)


@rule
def members_aim(s: State, t: Tables, p: int, usual: int) -> int:
    """The aim of `band`, whose next action is `usual`."""
    if usual == act.REST:
        return aim_for(int(s.players[p].at), TO_CRAFT)
    errand: Any = np.zeros(ERRAND, np.float32)
    weights: Any = np.empty(WEIGHT_COUNT, np.float32)
    write_weights(s, weights)
    errand_of(s, t, weights, p, 0, errand)
    if errand[GOAL] == NOWHERE:
        return NO_AIM + 0
    deed = deed_of_errand(s, errand)
    return aim_for(int(errand[GOAL]), deed) if deed != 0 else NO_AIM


@rule
def deed_of_errand(s: State, errand: Floats) -> int:
    """The deed of an errand; 0 if it has none."""
    deed = int(errand[DEED])
    if deed == EXPLORES:
        return TO_EXPLORE + 0
    if deed == GATHERS:
        return TO_GATHER + 0
    if deed == FIGHTS:
        return TO_FIGHT + 0
    if deed == HIDES:
        return TO_HIDE + 0
    if deed == GOES:
        return TO_LEAVE if int(errand[GOAL]) == s.secret_exit else TO_MEET
    return 0


@rule
def list_for_member(s: State, t: Tables, mask: Words, scene: Scene, draft: Draft) -> int:
    """List the choices of a member of a team; return their number."""
    weights: Any = np.empty(WEIGHT_COUNT, np.float32)
    write_weights(s, weights)
    me = Member(scene.p, weights, scene.wishes)
    count = list_at_hand(s, mask, scene, draft, 1)
    count = list_ways_out(s, t, mask, scene, draft, count)
    if is_mustering(s, t, weights, scene.p) and not is_at_muster(s, t, scene.p):
        count = propose(mask, scene, draft, count, aim_for(rally_of(s, t), TO_MEET), 0.0)
    first, seen = count, 0
    for k in range(scene.reached):
        space = int(scene.ways[ORDER + k])
        if k > 0 and is_dragons(s, t, space):
            continue
        place = best_place(t, scene, space)
        if place >= 0 and not has(seen, place):
            seen |= bit(place)
            worth = float(scene.wishes[PLACE_WORTH + place])
            count = rank(mask, scene, draft, first, count, aim_for(space, TO_EXPLORE), worth)
        count = rank(mask, scene, draft, first, count, aim_for(space, TO_GATHER), gather_worth(s, t, me, space))
    return list_fights(s, t, mask, scene, draft, first, count)


@rule
def list_ways_out(s: State, t: Tables, mask: Words, scene: Scene, draft: Draft, count: int) -> int:
    """List the way to the exit if it is open, and the best hiding place if it is dangerous to stay; return the number
    of choices."""
    here = int(s.players[scene.p].at)
    if exit_is_open(s, t):
        worth = float(scene.wishes[GO_EXIT])
        count = propose(mask, scene, draft, count, aim_for(int(s.secret_exit), TO_LEAVE), worth)
    if scene.dangers[here] <= 0.0:
        return count
    best, least = here, float(scene.dangers[here])
    for k in range(scene.reached):
        space = int(scene.ways[ORDER + k])
        far = scene.ways[DISTANCE + space]
        danger = scene.dangers[space] + PER_STEP * far
        if danger < least and far <= 2 * scene.steps and (k == 0 or not is_dragons(s, t, space)):
            best, least = space, danger
    return propose(mask, scene, draft, count, aim_for(best, TO_HIDE), 0.0) if best != here else count


@rule
def list_fights(s: State, t: Tables, mask: Words, scene: Scene, draft: Draft, first: int, count: int) -> int:
    """List the dragons within reach that are worth fighting; return the number of choices."""
    weights: Any = np.empty(WEIGHT_COUNT, np.float32)
    write_weights(s, weights)
    for dragon in range(MAX_DRAGONS):
        place = int(s.dragons[dragon].place) - 1
        if 0 <= place < PLACES:
            space = nearest_of(t, scene.ways, place)
            if space >= 0 and moves_for(scene.ways[DISTANCE + space], 0, scene.steps) <= MOVES_TO_FIGHT:
                worth = worth_of_fight(s, t, weights, scene.p, dragon, place)
                count = rank(mask, scene, draft, first, count, aim_for(space, TO_FIGHT), worth)
    return count
