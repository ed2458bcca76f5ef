"""Ways over the map: how far every space is from a samurai, and the first step there.

`Ways` are one array of four parts: the distance of every space in steps, UNREACHED or BLOCKED; the first step on a
shortest way to it; the spaces in the order in which they were reached; and by space the lava crossed on the way.
"""

from typing import Final, NamedTuple

from fujikoro_env.kernel.jit import IntArray, rule
from fujikoro_env.kernel.masks import has
from fujikoro_env.rules.base.names import Outside
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


class Walk(NamedTuple):
    """How a samurai can walk from where it stands."""

    left: int  # steps of a move under way
    steps: int  # of each move after it
    ways: IntArray
    reached: int  # spaces in `ways`


@rule
def find_ways(s: State, t: Tables, p: int, origin: int, erupting: int, bears: int, ways: IntArray) -> int:
    """From a space over all that can be walked on; gives how many spaces are reached. A dragon's tile is the end of a
    way, a full space is on none. `erupting`: eruption numbers (bits) of ground that counts as lava; `bears`: how many
    lava spaces a way may cross."""
    for space in range(SPACES):
        ways[DISTANCE + space] = UNREACHED
    block_full_spaces(s, p, ways)
    ways[DISTANCE + origin] = 0
    ways[FIRST_STEP + origin] = origin
    ways[CROSSED + origin] = 0
    ways[ORDER] = origin
    head, tail = 0, 1
    while head < tail:
        here = ways[ORDER + head]
        head += 1
        if head > 1 and is_dragons(s, t, here):
            continue
        for k in range(t.neighbour_count[here]):
            there = int(t.neighbours[here, k])
            if ways[DISTANCE + there] != UNREACHED or not is_open(s, there):
                continue
            hot = is_lava(s, there) or has(erupting, s.eruption[there])
            if hot and ways[CROSSED + here] >= bears:
                continue
            ways[CROSSED + there] = ways[CROSSED + here] + (1 if hot else 0)
            ways[DISTANCE + there] = ways[DISTANCE + here] + 1
            ways[FIRST_STEP + there] = there if head == 1 else ways[FIRST_STEP + here]
            ways[ORDER + tail] = there
            tail += 1
    return tail


@rule
def is_dragons(s: State, t: Tables, space: int) -> bool:
    return t.place_of[space] >= 0 and s.dragon_at[t.place_of[space]] != 0


@rule
def block_full_spaces(s: State, p: int, ways: IntArray) -> None:
    """MAP-6: two samurai fill a space that is not safe."""
    for q in range(s.settings.players):
        at = int(s.players[q].at)
        if q == p or s.players[q].outside != Outside.INSIDE or is_safe(at):
            continue
        for other in range(q):
            if other != p and s.players[other].at == at and s.players[other].outside == Outside.INSIDE:
                ways[DISTANCE + at] = BLOCKED


@rule
def moves_for(distance: int, left: int, steps: int) -> int:
    """How many moves of so many steps a distance takes, beyond the steps that are left of a move under way."""
    beyond = distance - left
    return 0 if beyond <= 0 else (beyond + steps - 1) // steps
