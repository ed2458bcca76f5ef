"""COOP-9, COOP-10: whom a dragon goes for, and where it goes."""

import numpy as np

from fujikoro_env.rules.board import is_safe
from fujikoro_env.rules.geometry import FIRST_TILE_SPACE, PLACES
from fujikoro_env.rules.jit import IntArray, rule
from fujikoro_env.rules.masks import bit
from fujikoro_env.rules.names import Outside
from fujikoro_env.rules.state import State
from fujikoro_env.rules.tables import CELLS_OF_TILE, Tables

SIDES = 6
FAR = 1000  # farther than anything on the map


@rule
def is_visible(s: State, p: int) -> bool:
    """COOP-9: samurai on safe spaces are invisible; those outside are gone (COOP-21)."""
    return s.players[p].outside == Outside.INSIDE and not is_safe(s.players[p].at)


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
def may_enter(s: State, place: int) -> bool:
    """COOP-10: an explored tile that is neither safe nor another dragon's."""
    return 0 <= place < PLACES and s.tile[place] != 0 and s.dragon_at[place] == 0


@rule
def steps_toward(s: State, t: Tables, place: int, target: int) -> int:
    """COOP-10: the first steps of all shortest ways; without a way, all steps that are nearer from above."""
    away = np.zeros(PLACES, np.int64)
    measure_ways(s, t, target, away)
    shortest = FAR
    for k in range(SIDES):
        step = t.place_neighbours[place, k]
        if may_enter(s, step) and 0 < away[step] < shortest:
            shortest = away[step]
    found = 0
    for k in range(SIDES):
        step = t.place_neighbours[place, k]
        if may_enter(s, step):
            on_a_way = away[step] == shortest
            nearer = from_above(t, step, target) < from_above(t, place, target)
            if on_a_way or (shortest == FAR and nearer):
                found |= bit(step)
    return found


@rule
def from_above(t: Tables, place: int, other: int) -> int:
    return t.place_distance[FIRST_TILE_SPACE + CELLS_OF_TILE * place, other] + 0


@rule
def measure_ways(s: State, t: Tables, target: int, away: IntArray) -> None:
    """For each place 1 + the tiles from there to the target on a shortest way; 0 if there is none."""
    queue = np.zeros(PLACES, np.int64)
    queue[0] = target
    away[target] = 1
    head, tail = 0, 1
    while head < tail:
        here = queue[head]
        head += 1
        for k in range(SIDES):
            there = t.place_neighbours[here, k]
            if may_enter(s, there) and away[there] == 0:
                away[there] = away[here] + 1
                queue[tail] = there
                tail += 1
