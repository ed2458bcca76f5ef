"""SCEN-43: at the end of a round the monks walk towards the samurai.

The frame of MONKS keeps nothing: a monk that has walked is marked by a 2 on the map until all have.
"""

from fujikoro_env.kernel.jit import rule
from fujikoro_env.rules.base.frames import pop, push
from fujikoro_env.rules.base.phases import Phase
from fujikoro_env.rules.base.state import State
from fujikoro_env.rules.base.tables import Tables
from fujikoro_env.rules.coop.dragon_moves import FAR
from fujikoro_env.rules.map.board import is_inside, is_lava, is_open, is_safe, others_on, stands_on
from fujikoro_env.rules.map.geometry import SPACES

WAITS, WALKED = 1, 2
STEPS = 2
NOBODY = -1
NOWHERE = -1


@rule
def go_monks(s: State, t: Tables) -> None:
    """Move the next monk, in the order of space numbers."""
    for space in range(SPACES):
        if s.monk[space] == WAITS:
            s.monk[space] = WALKED
            if not is_lava(s, space):  # LAVA-4: on lava it stays
                walk_monk(s, t, space)
            return
    for space in range(SPACES):
        if s.monk[space] == WALKED:
            s.monk[space] = WAITS
    pop(s)


@rule
def walk_monk(s: State, t: Tables, space: int) -> None:
    """Move a monk towards its target and start a fight if it reaches a samurai."""
    target = target_of(s, t, space)
    if target == NOBODY:
        return
    goal = s.players[target].at + 0
    for _ in range(STEPS):
        there = step_toward(s, t, space, goal)
        if there == NOWHERE or samurai_to_fight(s, space) != NOBODY:
            break
        s.monk[space] = 0
        s.monk[there] = WALKED
        space = there
    reached = samurai_to_fight(s, space)
    if reached != NOBODY:
        s.fight.came = 1
        frame = push(s, Phase.MONK_FIGHT, reached)
        frame.thing = space + 1
        frame.at = space


@rule
def is_in_sight(s: State, p: int) -> bool:
    """Whether monks go for a samurai: conscious and not on a safe space (SCEN-43)."""
    return is_inside(s, p) and s.players[p].unconscious == 0 and not is_safe(s.players[p].at)


@rule
def distance_to(s: State, t: Tables, space: int, p: int) -> int:
    """Return the distance from a space to a samurai as the crow flies, in spaces or by option in tiles (SCEN-43)."""
    if s.settings.monk_distance != 0:
        return t.place_distance[s.players[p].at, t.place_of[space]] + 0
    return hex_distance(t, space, s.players[p].at)


@rule
def hex_distance(t: Tables, a: int, b: int) -> int:
    """Return the distance between two spaces in hexagons."""
    q, r = t.hex_of[a, 0] - t.hex_of[b, 0], t.hex_of[a, 1] - t.hex_of[b, 1]
    return max(abs(q), abs(r), abs(q + r))


@rule
def target_of(s: State, t: Tables, space: int) -> int:
    """Return the samurai nearest to a monk; NOBODY if several are equally near or another one is with it (SCEN-43)."""
    nearest, target = FAR, NOBODY
    for p in range(s.settings.players):
        if is_in_sight(s, p):
            distance = distance_to(s, t, space, p)
            if distance < nearest:
                nearest, target = distance, p
            elif distance == nearest:
                target = NOBODY
    if target != NOBODY and others_on(s, target, s.players[target].at) > 0:
        return NOBODY
    return target


@rule
def samurai_to_fight(s: State, space: int) -> int:
    """Return the conscious samurai who is alone on a space, or NOBODY."""
    for p in range(s.settings.players):
        if stands_on(s, p, space) and is_in_sight(s, p) and others_on(s, p, space) == 0:
            return p
    return NOBODY


@rule
def step_toward(s: State, t: Tables, here: int, goal: int) -> int:
    """Return the lowest adjacent space that is nearer to the goal and that a monk may enter. Dragons do not stop
    monks."""
    for k in range(t.neighbour_count[here]):
        there = t.neighbours[here, k]
        if may_enter(s, there) and hex_distance(t, there, goal) < hex_distance(t, here, goal):
            return there
    return NOWHERE


@rule
def may_enter(s: State, space: int) -> bool:
    """Whether a monk may enter a space."""
    if not is_open(s, space) or is_lava(s, space) or is_safe(space) or s.monk[space] != 0:
        return False
    return others_on(s, NOBODY, space) <= 1
