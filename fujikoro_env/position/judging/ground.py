"""What the map says about spaces."""

from fujikoro_env.position.judging.case import Case
from fujikoro_env.rules.base.names import Terrain
from fujikoro_env.rules.map.geometry import FIRST_BRIDGE, START, geometry


def touch(a: int, b: int) -> bool:
    return int(geometry().distance[a, b]) == 1


def is_safe(space: int) -> bool:
    return space == START or space >= FIRST_BRIDGE


def dragon_on(case: Case, space: int) -> int:
    """The dragon on the tile of this space, or 0."""
    place = int(geometry().place_of[space])
    return int(case.s.dragon_at[place]) if place >= 0 else 0


def may_be_laid_on(case: Case, p: int, space: int) -> bool:
    """MAP-11."""
    others = sum(q != p and other.at == space and not other.outside for q, other in enumerate(case.people))
    full = others >= 2 and not is_safe(space)
    return case.s.terrain[space] == Terrain.GROUND and not full and not dragon_on(case, space)


def is_watched(case: Case, p: int) -> bool:
    """CHAR-72: a dragon, or a samurai that could be fought, is where the samurai stands."""
    at = int(case.people[p].at)
    others = [q for q, other in enumerate(case.people) if q != p and other.at == at]
    awake = any(not case.people[q].outside and not case.people[q].unconscious for q in others)
    return bool(dragon_on(case, at)) or (awake and not is_safe(at) and not case.rules.peaceful)


def is_in_reach(case: Case, k: int) -> bool:
    """GATH-1: the space of a frame is where the samurai stands; with far_reach an adjacent one, too."""
    me, there = case.actor(k), int(case.frames[k].at)
    if me.at == there:
        return True
    powers = [case.rules.pack.scrolls[int(card) - 1].power for card in me.scrolls if card]
    return "far_reach" in powers and touch(int(me.at), there) and not is_safe(there)
