"""Travels of several turns: where to spend the nights, so that no dragon that comes finds a samurai (COOP-8, COOP-9).

The stops are one array of three parts, by space: how many nights there are on the way, NEVER if each way has one that
is too dangerous; where the first of them is spent, or the space itself; and the steps of the last turn.
"""

from typing import Any, Final, NamedTuple

import numpy as np

from fujikoro_agents.scripted.paths import DISTANCE, ORDER, Walk, is_dragons
from fujikoro_env.kernel.jit import Floats, IntArray, rule
from fujikoro_env.rules.base.state import State
from fujikoro_env.rules.base.tables import Tables
from fujikoro_env.rules.map.board import is_safe
from fujikoro_env.rules.map.geometry import SPACES

COUNT: Final = 0
FIRST: Final = SPACES
LAST_STEPS: Final = 2 * SPACES
STOPS: Final = 3 * SPACES
NEVER: Final = -1
MOST_STOPS: Final = 8
UNBEARABLE: Final = 1e9


class Nights(NamedTuple):
    """What decides where nights are spent on the way, and the stops that are found."""

    reach: int  # steps of this turn
    stride: int  # steps of each turn after it
    bearable: float  # the most danger that a night may have
    dangers: Floats  # of a night, by space
    stops: IntArray


@rule
def find_stops(s: State, t: Tables, walk: Walk, nights: Nights) -> None:
    """Write the stops on the way to every space."""
    ways, stops = walk.ways, nights.stops
    for space in range(SPACES):
        stops[COUNT + space] = NEVER
    for k in range(walk.reached):
        space = ways[ORDER + k]
        if ways[DISTANCE + space] <= nights.reach:
            stops[COUNT + space] = 0
            stops[FIRST + space] = space
            stops[LAST_STEPS + space] = ways[DISTANCE + space]
    night, found = 0, walk.reached
    while night < MOST_STOPS and found > 0:
        found = walk_on(s, t, walk, nights, night)
        night += 1


@rule
def prefer_hidden_nights(s: State, t: Tables, walk: Walk, nights: Nights) -> None:
    """Where there is a way on which no dragon sees the samurai at night, take that instead of what `find_stops` has
    found."""
    hidden: Any = np.empty(STOPS, np.int64)
    in_sight: Any = np.empty(SPACES, np.float32)
    for space in range(SPACES):
        in_sight[space] = nights.dangers[space] if is_safe(space) else UNBEARABLE
    find_stops(s, t, walk, Nights(nights.reach, nights.stride, nights.bearable, in_sight, hidden))
    for space in range(SPACES):
        if hidden[COUNT + space] != NEVER:
            for part in range(0, STOPS, SPACES):
                nights.stops[part + space] = hidden[part + space]


@rule
def walk_on(s: State, t: Tables, walk: Walk, nights: Nights, night: int) -> int:
    """One turn on from all places where that night can be spent, safe spaces before others; gives how many spaces are
    reached for the first time."""
    ways, reached, stops = walk.ways, walk.reached, nights.stops
    far: Any = np.full(SPACES, NEVER, np.int64)
    source: Any = np.empty(SPACES, np.int64)
    queue: Any = np.empty(SPACES, np.int64)
    head, tail, found = 0, 0, 0
    for k in range(2 * reached):
        space = ways[ORDER + k % reached]
        is_camp = stops[COUNT + space] == night and is_safe(space) == (k < reached)
        is_camp = is_camp and nights.dangers[space] <= nights.bearable
        if is_camp and (space == ways[ORDER] or not is_dragons(s, t, space)):
            far[space] = 0
            source[space] = space
            queue[tail] = space
            tail += 1
    while head < tail:
        here = queue[head]
        head += 1
        if far[here] == nights.stride or (far[here] > 0 and is_dragons(s, t, here)):
            continue
        for k in range(t.neighbour_count[here]):
            there = int(t.neighbours[here, k])
            if far[there] != NEVER or ways[DISTANCE + there] < 0:
                continue
            far[there] = far[here] + 1
            source[there] = source[here]
            queue[tail] = there
            tail += 1
            if stops[COUNT + there] == NEVER:
                stops[COUNT + there] = night + 1
                stops[LAST_STEPS + there] = far[there]
                stops[FIRST + there] = source[here] if night == 0 else stops[FIRST + source[here]]
                found += 1
    return found
