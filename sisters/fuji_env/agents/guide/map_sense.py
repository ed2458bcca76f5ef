"""Ways to the villages, and how long places stay cool."""

from fuji_env.agents.guide.mind import Scene, Weight
from fuji_env.content.model import PLACES
from fuji_env.rules.base.tables import FAR
from fuji_env.rules.map import beside_any, layout_of, open_places
from fujikoro_env.kernel.jit import rule
from fujikoro_env.kernel.masks import bit, has

AROUND_TOKEN = 3  # steps that a detour around an eruption token may cost
MOST_ERUPTIONS = 20
NEVER = 99


@rule
def look_at_map(x: Scene) -> None:
    """Find out how far each place is from a village, and when it burns."""
    find_ways(x)
    find_fires(x)


@rule
def find_ways(x: Scene) -> None:
    """Count the steps from each open place to the nearest village."""
    m, far = layout_of(x.s, x.t), x.mind.far
    walkable = open_places(x.s, x.t)
    for place in range(PLACES):
        far[place] = 0 if has(m.village, place) else FAR
    for _ in range(PLACES):
        changed = False
        for place in range(PLACES):
            if has(walkable & ~m.village, place):
                steps = nearest(x, int(m.beside[place]) & walkable)
                if steps < far[place]:
                    far[place] = steps
                    changed = True
        if not changed:
            return


@rule
def nearest(x: Scene, beside: int) -> int:
    """Return the steps to a village by way of the best of these places."""
    best = FAR + 0
    for place in range(PLACES):
        if has(beside, place):
            token = AROUND_TOKEN if has(x.s.eruption_tokens, place) else 0
            best = min(best, int(x.mind.far[place]) + 1 + token)
    return best


@rule
def find_fires(x: Scene) -> None:
    """Count the eruptions until each place burns."""
    m, lava = layout_of(x.s, x.t), int(x.s.lava)
    for place in range(PLACES):
        x.mind.burns[place] = 0 if has(lava, place) else NEVER
    for eruption in range(1, MOST_ERUPTIONS):
        new = (m.rubble | m.landscape) & beside_any(m, lava) & ~lava
        for place in range(PLACES):
            if has(new, place):
                x.mind.burns[place] = eruption
        lava |= new


@rule
def worth_of_place(x: Scene, place: int) -> int:
    """Return what it is worth to stand on a place at the end of the round's moves."""
    far = int(x.mind.far[place])
    worth = -far * int(x.w[Weight.STEP]) - far * far * int(x.w[Weight.BEND]) // 10
    if has(layout_of(x.s, x.t).village, place):
        worth += int(x.w[Weight.HOME])
    return worth


@rule
def is_open(x: Scene, place: int) -> bool:
    """Whether figures may enter a place."""
    return open_places(x.s, x.t) & bit(place) != 0
