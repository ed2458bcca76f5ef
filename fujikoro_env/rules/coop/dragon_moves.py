"""COOP-9, COOP-10: whom a dragon goes for, and where it goes."""

from fujikoro_env.kernel.jit import rule
from fujikoro_env.kernel.masks import bit, has
from fujikoro_env.rules.base.names import Outside
from fujikoro_env.rules.base.state import State
from fujikoro_env.rules.base.tables import CELLS_OF_TILE, Tables
from fujikoro_env.rules.map.board import is_safe
from fujikoro_env.rules.map.geometry import FIRST_TILE_SPACE, PLACES, START, START_PLACE
from fujikoro_env.rules.scenarios.terms import Term, holds

SIDES = 6
FAR = 1000  # farther than anything on the map


@rule
def is_visible(s: State, p: int) -> bool:
    """COOP-9: samurai on safe spaces are invisible; those outside are gone (COOP-21)."""
    if s.players[p].outside != Outside.INSIDE:
        return False
    return not is_safe(s.players[p].at) or (s.players[p].at == START and holds(s, Term.START_IS_UNSAFE))


@rule
def anybody_visible(s: State) -> bool:
    for p in range(s.settings.players):
        if is_visible(s, p):
            return True
    return False


@rule
def nearest_distance(s: State, t: Tables, place: int) -> int:
    """COOP-9: to the nearest visible samurai, in tiles from above."""
    nearest = FAR
    for p in range(s.settings.players):
        if is_visible(s, p):
            nearest = min(nearest, t.place_distance[s.players[p].at, place])
    return nearest


@rule
def next_places(s: State, t: Tables, place: int) -> int:
    """COOP-9 to COOP-11: where the dragon of a place may go, as a set of places; none if it stays. Ways to several
    samurai that are equally near are equal ways."""
    nearest, found = nearest_distance(s, t, place), 0
    for p in range(s.settings.players):
        if is_visible(s, p) and t.place_distance[s.players[p].at, place] == nearest:
            found |= steps_toward(s, t, place, t.place_of[s.players[p].at])
    return found


@rule
def open_places(s: State) -> int:
    """COOP-10: explored tiles that are neither safe nor a dragon's, as a set; SCEN-61: perhaps the start tile too."""
    free_start = holds(s, Term.START_IS_UNSAFE) and s.dragon_at[START_PLACE] == 0
    found = bit(START_PLACE) if free_start else 0
    for place in range(PLACES):
        if s.tile[place] != 0 and s.dragon_at[place] == 0:
            found |= bit(place)
    return found


@rule
def beside(t: Tables, places: int) -> int:
    """The places side by side with those of a set."""
    found = 0
    for place in range(PLACES + 1):
        if has(places, place):
            for k in range(SIDES):
                if t.place_neighbours[place, k] >= 0:
                    found |= bit(t.place_neighbours[place, k])
    return found


@rule
def steps_toward(s: State, t: Tables, place: int, target: int) -> int:
    """COOP-10: the first steps of all shortest ways; without a way, all steps that are nearer from above."""
    open_ones = open_places(s)
    steps = beside(t, bit(place)) & open_ones
    reached, edge = bit(target), bit(target)
    while edge != 0:  # a ring around the target after the other: the first to touch the dragon's tile is nearest
        if steps & edge != 0:
            return steps & edge
        edge = beside(t, edge) & open_ones & ~reached
        reached |= edge
    return nearer_places(t, place, target) & steps


@rule
def nearer_places(t: Tables, place: int, target: int) -> int:
    found = 0
    for other in range(PLACES + 1):
        if from_above(t, other, target) < from_above(t, place, target):
            found |= bit(other)
    return found


@rule
def from_above(t: Tables, place: int, other: int) -> int:
    space = START if place == START_PLACE else FIRST_TILE_SPACE + CELLS_OF_TILE * place
    return t.place_distance[space, other] + 0
