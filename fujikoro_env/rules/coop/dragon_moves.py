"""COOP-9, COOP-10: the target of a dragon, and its next place."""

from fujikoro_env.kernel.jit import rule
from fujikoro_env.kernel.masks import bit, has
from fujikoro_env.rules.base.names import Outside
from fujikoro_env.rules.base.state import State
from fujikoro_env.rules.base.tables import CELLS_OF_TILE, Tables
from fujikoro_env.rules.map.board import is_safe
from fujikoro_env.rules.map.geometry import FIRST_TILE_SPACE, PLACES, START, START_PLACE
from fujikoro_env.rules.scenarios.terms import Term, holds

SIDES = 6
FAR = 1000  # greater than any distance on the map


@rule
def is_visible(s: State, p: int) -> bool:
    """Whether dragons see a samurai: not on safe spaces (COOP-9), nor outside the volcano (COOP-21)."""
    if s.players[p].outside != Outside.INSIDE:
        return False
    return not is_safe(s.players[p].at) or (s.players[p].at == START and holds(s, Term.START_IS_UNSAFE))


@rule
def anybody_visible(s: State) -> bool:
    """Whether dragons see any samurai."""
    for p in range(s.settings.players):
        if is_visible(s, p):
            return True
    return False


@rule
def nearest_distance(s: State, t: Tables, place: int) -> int:
    """Return the distance to the nearest visible samurai, in tiles as the crow flies (COOP-9)."""
    nearest = FAR
    for p in range(s.settings.players):
        if is_visible(s, p):
            nearest = min(nearest, t.place_distance[s.players[p].at, place])
    return nearest


@rule
def next_places(s: State, t: Tables, place: int) -> int:
    """Return the set of places where the dragon of a place may go; empty if it stays (COOP-9 to COOP-11). Ways to
    several samurai at the same distance are equally good."""
    nearest, found = nearest_distance(s, t, place), 0
    for p in range(s.settings.players):
        if is_visible(s, p) and t.place_distance[s.players[p].at, place] == nearest:
            found |= steps_toward(s, t, place, t.place_of[s.players[p].at])
    return found


@rule
def open_places(s: State) -> int:
    """Return the set of places that dragons can enter: explored tiles that are neither safe nor another dragon's
    (COOP-10), and the start tile under SCEN-61."""
    free_start = holds(s, Term.START_IS_UNSAFE) and s.dragon_at[START_PLACE] == 0
    found = bit(START_PLACE) if free_start else 0
    for place in range(PLACES):
        if s.tile[place] != 0 and s.dragon_at[place] == 0:
            found |= bit(place)
    return found


@rule
def beside(t: Tables, places: int) -> int:
    """Return the places that share a side with a place of the set."""
    found = 0
    for place in range(PLACES + 1):
        if has(places, place):
            for k in range(SIDES):
                if t.place_neighbours[place, k] >= 0:
                    found |= bit(t.place_neighbours[place, k])
    return found


@rule
def steps_toward(s: State, t: Tables, place: int, target: int) -> int:
    """Return the first steps of all shortest ways; if there is no way, all steps that reduce the distance as the crow
    flies (COOP-10)."""
    open_ones = open_places(s)
    steps = beside(t, bit(place)) & open_ones
    reached, edge = bit(target), bit(target)
    while edge != 0:  # grow rings around the target; the first ring to reach a possible step gives the shortest ways
        if steps & edge != 0:
            return steps & edge
        edge = beside(t, edge) & open_ones & ~reached
        reached |= edge
    return nearer_places(t, place, target) & steps


@rule
def nearer_places(t: Tables, place: int, target: int) -> int:
    """Return the places that are nearer to the target as the crow flies."""
    found = 0
    for other in range(PLACES + 1):
        if from_above(t, other, target) < from_above(t, place, target):
            found |= bit(other)
    return found


@rule
def from_above(t: Tables, place: int, other: int) -> int:
    """Return the distance between two places in tiles, as the crow flies."""
    space = START if place == START_PLACE else FIRST_TILE_SPACE + CELLS_OF_TILE * place
    return t.place_distance[space, other] + 0
