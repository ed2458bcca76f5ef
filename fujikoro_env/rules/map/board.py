"""MAP: queries about spaces, such as what lies on them and which samurai may stand there."""

from fujikoro_env.kernel.jit import rule
from fujikoro_env.rules.base.names import Outside, Terrain
from fujikoro_env.rules.base.state import State
from fujikoro_env.rules.base.tables import Tables
from fujikoro_env.rules.map.geometry import FIRST_BRIDGE, FIRST_TEMPLE, START

MOST_ON_A_SPACE = 2


@rule
def is_safe(space: int) -> bool:
    """Whether a space is safe: the start, a bridge or a temple (MAP-5)."""
    return space == START or space >= FIRST_BRIDGE


@rule
def is_temple(space: int) -> bool:
    """Whether a space is a temple."""
    return space >= FIRST_TEMPLE


@rule
def is_lava(s: State, space: int) -> bool:
    """Whether a space is lava, printed or erupted."""
    return s.terrain[space] >= Terrain.LAVA


@rule
def is_open(s: State, space: int) -> bool:
    """Whether a space can be entered; unexplored places can't (MAP-10)."""
    return s.terrain[space] != Terrain.UNEXPLORED


@rule
def is_inside(s: State, p: int) -> bool:
    """Whether a player's samurai is inside the volcano."""
    return s.players[p].outside == Outside.INSIDE


@rule
def stands_on(s: State, p: int, space: int) -> bool:
    """Whether a player's samurai is on a space."""
    return s.players[p].at == space and is_inside(s, p)


@rule
def others_on(s: State, p: int, space: int) -> int:
    """Return how many samurai other than p's are on a space, including unconscious ones (MAP-6)."""
    count = 0
    for q in range(s.settings.players):
        if q != p and stands_on(s, q, space):
            count += 1
    return count


@rule
def is_full(s: State, p: int, space: int) -> bool:
    """Whether a space has no room for p because two others are there (MAP-6); safe spaces hold any number (MAP-7)."""
    return not is_safe(space) and others_on(s, p, space) >= MOST_ON_A_SPACE


@rule
def dragon_on_tile_of(s: State, t: Tables, space: int) -> int:
    """Return the dragon + 1 on the tile of a space, or 0 (MAP-8)."""
    place = t.place_of[space]
    if place < 0:
        return 0
    return s.dragon_at[place]


@rule
def touches(t: Tables, space: int, place: int) -> bool:
    """Whether a space is next to the tile of a place."""
    if t.place_of[space] == place:
        return False
    for k in range(t.neighbour_count[space]):
        if t.place_of[t.neighbours[space, k]] == place:
            return True
    return False


@rule
def may_be_laid_on(s: State, t: Tables, p: int, space: int) -> bool:
    """Whether a samurai may be placed, pushed or sent back onto a space: not lava, full or on a dragon's tile
    (MAP-11)."""
    if not is_open(s, space) or is_lava(s, space) or is_full(s, p, space):
        return False
    return dragon_on_tile_of(s, t, space) == 0
