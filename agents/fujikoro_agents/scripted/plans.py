"""Where to go and what to do there: of all that a player wishes for, what is worth most for the actions it takes.

A plan is one array of numbers: the goal's space or NOWHERE, what is done there, its distance, the first step on the
way there, and its rate in VP per action.
"""

from typing import Final

from fujikoro_agents.scripted.paths import DISTANCE, FIRST_STEP, ORDER, UNREACHED, Walk, is_dragons, moves_for
from fujikoro_agents.scripted.wishes import cubes_worth
from fujikoro_agents.scripted.wishes_list import (
    ADVENTURE,
    BONUS,
    BUILD,
    DRAGON,
    EXPLORABLE,
    MONK,
    PLACE,
    SCROLL,
    SPOILS,
    STOCK,
    TEMPLE,
)
from fujikoro_env.kernel.jit import Floats, rule
from fujikoro_env.rules.base.names import DISC_FIELDS, Cube, Disc
from fujikoro_env.rules.base.state import State
from fujikoro_env.rules.base.tables import Tables
from fujikoro_env.rules.map.geometry import FIRST_TEMPLE, START
from fujikoro_env.rules.pack import discs_on_fields

GOAL: Final = 0
DEED: Final = 1
FAR: Final = 2
STEP_THERE: Final = 3
RATE: Final = 4
PLAN: Final = 5
NOWHERE: Final = -1
TO_EXPLORE, TO_GATHER, TO_FIGHT, TO_CRAFT, TO_LEAVE, TO_USE_BONUS = (
    1,
    2,
    3,
    4,
    5,
    6,
)
TOUCHED: Final = 6
DEEDS: Final = ("", "explore", "gather", "fight", "craft", "leave", "use a bonus")


@rule
def make_plan(s: State, t: Tables, p: int, walk: Walk, wishes: Floats, plan: Floats) -> None:
    ways = walk.ways
    plan[GOAL] = NOWHERE
    plan[RATE] = 0.0
    for k in range(walk.reached):
        space = ways[ORDER + k]
        far = ways[DISTANCE + space]
        if far == UNREACHED:  # taken out by who has no time to go there
            continue
        moves = moves_for(far, walk.left, walk.steps)
        on_the_way = moves * wishes[BONUS + Disc.MOVE]
        if k > 0 and is_dragons(s, t, space):
            prize = float(wishes[DRAGON + t.place_of[space]])
            if prize > 0.0:
                consider(plan, space, TO_FIGHT, far, (prize + on_the_way) / max(1, moves))
            continue
        worth = explore_worth(t, space, wishes) if wishes[EXPLORABLE] > 0 else 0.0
        if worth > 0.0:
            worth += on_the_way + wishes[BONUS + Disc.EXPLORE]
            consider(plan, space, TO_EXPLORE, far, worth / (1 + moves))
        worth = gather_worth(s, t, p, space, wishes)
        if worth > 0.0:
            worth += on_the_way + wishes[BONUS + Disc.GATHER]
            consider(plan, space, TO_GATHER, far, worth / (1 + moves))
    if discs_on_fields(s.players[p]) > 0:
        consider(plan, ways[ORDER], TO_CRAFT, 0, float(wishes[BUILD]))
    for field in range(DISC_FIELDS):
        consider(plan, ways[ORDER], TO_USE_BONUS + field, 0, float(wishes[BONUS + field]))
    if plan[GOAL] != NOWHERE:
        plan[STEP_THERE] = ways[FIRST_STEP + int(plan[GOAL])]


@rule
def consider(plan: Floats, space: int, deed: int, far: int, rate: float) -> None:
    if rate > plan[RATE]:
        plan[GOAL] = space
        plan[DEED] = deed
        plan[FAR] = far
        plan[RATE] = rate


@rule
def explore_worth(t: Tables, space: int, wishes: Floats) -> float:
    """The best of the places that a space touches."""
    best = 0.0
    for k in range(TOUCHED):
        place = t.touched_places[space, k]
        if place >= 0:
            best = max(best, float(wishes[PLACE + place]))
    return best


@rule
def gather_worth(s: State, t: Tables, p: int, space: int, wishes: Floats) -> float:
    """The best of what can be gathered from a space."""
    best = worth_of_finds(s, p, space, wishes)
    if shows_token(s, space):
        best = max(best, token_worth(s, t, space, wishes))
    return max(best, float(wishes[STOCK])) if has_stock(s, space) else best


@rule
def worth_of_finds(s: State, p: int, space: int, worths: Floats) -> float:
    """The best of what can be gathered from a space, but for cubes. `worths`: an array that begins as wishes do."""
    best = 0.0
    if s.scroll[space] != 0 and s.scroll[space] == s.players[p].colour:
        best = max(best, float(worths[SCROLL]))
    if s.monk[space] != 0:
        best = max(best, float(worths[MONK]))
    if s.adventure[space] != 0:
        best = max(best, float(worths[ADVENTURE]))
    if s.spoils[space] != 0:
        best = max(best, float(worths[SPOILS]))
    if space >= FIRST_TEMPLE:
        best = max(best, float(worths[TEMPLE + space - FIRST_TEMPLE]))
    return best


@rule
def shows_token(s: State, space: int) -> bool:
    """Whether resources lie there face up."""
    return s.token[space] != 0 and s.face_up[space] != 0


@rule
def has_stock(s: State, space: int) -> bool:
    """Whether wood and metal can be taken from the supply there."""
    return space >= FIRST_TEMPLE or (space == START and s.rope == 0)


@rule
def token_worth(s: State, t: Tables, space: int, wishes: Floats) -> float:
    token = s.token[space] - 1
    wood, metal = t.token_shows[token, Cube.WOOD], t.token_shows[token, Cube.METAL]
    return cubes_worth(wishes, int(wood), int(metal), int(t.token_shows[token, Cube.TOOTH]))
