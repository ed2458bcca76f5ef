"""Paths over the map: the distance of every space from a samurai, and the first step towards it.

The paths (`ways`) are one array of four parts: the distance of every space in steps, UNREACHED or BLOCKED; the first
step on a shortest path to it; the spaces in the order in which they were reached; and, by space, the number of lava
spaces crossed on the path.
"""

from typing import Final, NamedTuple

from fujikoro_env.kernel.jit import IntArray, rule
from fujikoro_env.kernel.masks import has
from fujikoro_env.rules.base.names import Outside, Terrain
from fujikoro_env.rules.base.state import State
from fujikoro_env.rules.base.tables import Tables
from fujikoro_env.rules.map.board import is_lava, is_open, is_safe
from fujikoro_env.rules.map.geometry import SPACES

DISTANCE: Final = 0
FIRST_STEP: Final = SPACES
ORDER: Final = 2 * SPACES
CROSSED: Final = 3 * SPACES
WAYS: Final = 4 * SPACES
UNREACHED: Final = -1
BLOCKED: Final = -2
CLOSED: Final = -3  # can't be entered; only while paths are searched, UNREACHED afterwards
NO_GOAL: Final = -1


class Walk(NamedTuple):
    """Paths of a samurai from the space where it stands."""

    left: int  # steps left of the current move
    steps: int  # steps of each later move
    ways: IntArray  # see the module docstring
    reached: int  # number of spaces reached


class Search(NamedTuple):
    """Conditions of a search for paths."""

    erupting: int  # eruption numbers (bits) of spaces that count as lava
    bears: int  # number of lava spaces a path may cross
    goal: int  # space where the search ends, or NO_GOAL


@rule
def find_ways(s: State, t: Tables, p: int, origin: int, erupting: int, bears: int, ways: IntArray) -> int:
    """Find the shortest paths from `origin`; return the number of spaces reached. A path ends on a dragon's tile, and
    no path crosses a full space. `erupting`: eruption numbers (bits) of spaces that count as lava; `bears`: the number
    of lava spaces a path may cross."""
    reached = search_ways(s, t, p, origin, Search(erupting, bears, NO_GOAL), ways)
    for space in range(SPACES):
        if ways[DISTANCE + space] == CLOSED:
            ways[DISTANCE + space] = UNREACHED
    return reached


@rule
def find_way_to(s: State, t: Tables, p: int, goal: int, ways: IntArray) -> None:
    """Write the distance of one space and the first step towards it, as `find_ways` does from where p stands. The
    distance is negative if there is no path; the rest of `ways` is undefined."""
    search_ways(s, t, p, int(s.players[p].at), Search(0, 0, goal), ways)


@rule
def search_ways(s: State, t: Tables, p: int, origin: int, search: Search, ways: IntArray) -> int:
    """Search the map breadth first from `origin`; return the number of spaces reached."""
    close_spaces(s, search, ways)
    block_full_spaces(s, p, ways)
    ways[DISTANCE + origin] = 0
    ways[FIRST_STEP + origin] = origin
    ways[CROSSED + origin] = 0
    ways[ORDER] = origin
    head, tail, here = 0, 1, origin
    while head < tail and here != search.goal:
        here = ways[ORDER + head]
        head += 1
        if head > 1 and is_dragons(s, t, here):
            continue
        far, first, crossed = ways[DISTANCE + here] + 1, ways[FIRST_STEP + here], ways[CROSSED + here]
        for k in range(t.neighbour_count[here]):
            there = int(t.neighbours[here, k])
            if ways[DISTANCE + there] != UNREACHED:
                continue
            hot = search.bears > 0 and (is_lava(s, there) or has(search.erupting, s.eruption[there]))
            if hot and crossed >= search.bears:
                continue
            ways[CROSSED + there] = crossed + (1 if hot else 0)
            ways[DISTANCE + there] = far
            ways[FIRST_STEP + there] = there if head == 1 else first
            ways[ORDER + tail] = there
            tail += 1
            if there == search.goal:
                return tail
    return tail


@rule
def close_spaces(s: State, search: Search, ways: IntArray) -> None:
    """Mark spaces that no path can enter as CLOSED and all others as UNREACHED. Doing this in one pass, which the
    compiler vectorises, is faster than to check every space from each of its neighbours."""
    if search.bears > 0:
        for space in range(SPACES):
            ways[DISTANCE + space] = UNREACHED if is_open(s, space) else CLOSED
        return
    for space in range(SPACES):
        ways[DISTANCE + space] = UNREACHED if s.terrain[space] == Terrain.GROUND else CLOSED
    if search.erupting != 0:
        for space in range(SPACES):
            if has(search.erupting, s.eruption[space]):
                ways[DISTANCE + space] = CLOSED


@rule
def is_dragons(s: State, t: Tables, space: int) -> bool:
    """Whether there is a dragon on the tile of this space."""
    return t.place_of[space] >= 0 and s.dragon_at[t.place_of[space]] != 0


@rule
def block_full_spaces(s: State, p: int, ways: IntArray) -> None:
    """Mark full spaces as BLOCKED: two samurai fill a space that is not safe (MAP-6)."""
    for q in range(s.settings.players):
        at = int(s.players[q].at)
        if q == p or s.players[q].outside != Outside.INSIDE or is_safe(at):
            continue
        for other in range(q):
            if other != p and s.players[other].at == at and s.players[other].outside == Outside.INSIDE:
                ways[DISTANCE + at] = BLOCKED


@rule
def moves_for(distance: int, left: int, steps: int) -> int:
    """Number of moves of `steps` steps needed for a distance, after the steps left of the current move are used up."""
    beyond = distance - left
    return 0 if beyond <= 0 else (beyond + steps - 1) // steps
