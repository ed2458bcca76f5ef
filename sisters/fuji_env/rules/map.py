"""The map: which places are open, and walks over them (MAP, PLAN-2, PLAN-5)."""

from typing import NamedTuple

from fuji_env.rules.base.names import Gear
from fuji_env.rules.base.state import Figure, State
from fuji_env.rules.base.tables import FAR, Layout, Tables
from fujikoro_env.kernel.jit import rule
from fujikoro_env.kernel.masks import bit, count_bits, has

NO_WALK = -1


class Walk(NamedTuple):
    """Where a walk begins, and what it may use."""

    start: int
    places: int  # bit set of places that it may enter
    rope: bool  # whether it may cross one empty place of the grid, as a step


@rule
def layout_of(s: State, t: Tables) -> Layout:
    """Return the layout of the scenario."""
    return t.layouts[s.settings.scenario]


@rule
def open_places(s: State, t: Tables) -> int:
    """Return the places that figures may enter or cross: no lava, no rubble, not the volcano (MAP-5)."""
    m = layout_of(s, t)
    return (m.landscape | m.village) & ~s.lava


@rule
def beside_any(m: Layout, places: int) -> int:
    """Return the places that share a side with one of these (MAP-2)."""
    found, rest = 0, places
    while rest != 0:
        low = rest & -rest
        found |= int(m.beside[count_bits(low - 1)])
        rest -= low
    return found


@rule
def across_any(m: Layout, places: int) -> int:
    """Return the places on the other side of an empty place beside one of these."""
    found, rest = 0, places
    while rest != 0:
        low = rest & -rest
        found |= int(m.across[count_bits(low - 1)])
        rest -= low
    return found


@rule
def within(m: Layout, walk: Walk, steps: int) -> int:
    """Return the places that a walk reaches in at most this many steps. Crossing an empty place takes two."""
    before, now, roped = 0, bit(walk.start), 0
    for _ in range(steps):
        if walk.rope:
            roped |= (beside_any(m, roped) | across_any(m, before)) & walk.places
        grown = now | beside_any(m, now & ~before) & walk.places
        before = now
        now = grown
    return now | roped


@rule
def distance(m: Layout, walk: Walk, target: int, most: int) -> int:
    """Return the length of the shortest walk to a place; FAR if it takes more steps than `most`."""
    for steps in range(most + 1):
        if has(within(m, walk, steps), target):
            return steps
    return FAR + 0


@rule
def tokens_on_walk(m: Layout, walk: Walk, target: int, steps: int, tokens: int) -> int:
    """Return the eruption tokens that a walk of at most this many steps moves onto or over, as few as possible; NO_WALK
    if there is no such walk."""
    dry = walk.places & ~tokens
    if has(within(m, Walk(walk.start, dry, walk.rope), steps), target):
        return 0
    rest = walk.places & tokens
    while rest != 0:
        low = rest & -rest
        if has(within(m, Walk(walk.start, dry | low, walk.rope), steps), target):
            return low
        rest -= low
    return walk.places & tokens if has(within(m, walk, steps), target) else NO_WALK


@rule
def walk_of(s: State, t: Tables, figure: Figure) -> Walk:
    """Return how a figure may walk."""
    return Walk(figure.at, open_places(s, t), has(figure.effects, Gear.ROPE))
