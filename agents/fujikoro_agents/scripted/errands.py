"""Errands of a co-op samurai: its next goal, the one that is worth most for the actions it takes.

An errand is one array of numbers, like a plan (plans.py): the goal's space or NOWHERE, the deed there, its distance,
the first step on the way, its rate, and the place or dragon that it is about.
"""

import math
from typing import Any, Final, NamedTuple

import numpy as np

from fujikoro_agents.scripted.band_weights import Weight, weight_of
from fujikoro_agents.scripted.dangers import danger_at, draws_legend, is_armed, write_fears
from fujikoro_agents.scripted.fighting import worth_fighting_with
from fujikoro_agents.scripted.odds import TRIALS, attack_odds, new_tally
from fujikoro_agents.scripted.overnight import (
    COUNT,
    FIRST,
    LAST_STEPS,
    NEVER,
    STOPS,
    Nights,
    find_stops,
    prefer_hidden_nights,
)
from fujikoro_agents.scripted.paths import DISTANCE, FIRST_STEP, ORDER, WAYS, Walk, find_ways, is_dragons, moves_for
from fujikoro_agents.scripted.plans import (
    DEED,
    FAR,
    GOAL,
    NOWHERE,
    RATE,
    STEP_THERE,
    has_stock,
    shows_token,
    worth_of_finds,
)
from fujikoro_agents.scripted.team import (
    NONE,
    can_be_entered,
    everybody,
    is_fit_to_leave,
    is_ready,
    legend_is_found,
    legend_odds,
    legend_of,
    may_find_exit,
    may_find_legend,
    must_make,
    needed,
    needs_legend,
    room_on_gear,
    rounds_left,
    target_of,
    tiles_between,
    wants,
    wood_of_use,
)
from fujikoro_agents.scripted.wishes_list import ADVENTURE, CUBES, FINDS, FREE, MONK, SCROLL, TEMPLE
from fujikoro_env.content.model import MAX_DRAGONS
from fujikoro_env.kernel.jit import Floats, IntArray, rule
from fujikoro_env.kernel.masks import bit, count_bits
from fujikoro_env.rules.base.frames import top
from fujikoro_env.rules.base.names import GEARS, RESOURCE_KINDS, Cube, Disc, Gear, Spot, Where
from fujikoro_env.rules.base.phases import Phase
from fujikoro_env.rules.base.state import State
from fujikoro_env.rules.base.tables import Tables
from fujikoro_env.rules.coop.coop import exit_is_open
from fujikoro_env.rules.explore import may_explore
from fujikoro_env.rules.fights.damage import strength
from fujikoro_env.rules.fights.dragon_fight import are_adjacent
from fujikoro_env.rules.map.board import is_inside, is_safe, touches
from fujikoro_env.rules.map.geometry import FIRST_BRIDGE, FIRST_TEMPLE, PLACES, SPACES, START, TEMPLES
from fujikoro_env.rules.monk import has_free_spot, spot_is_free
from fujikoro_env.rules.move import steps_of
from fujikoro_env.rules.pack import free_slots, resources_in_pack
from fujikoro_env.rules.scroll import can_take_scroll
from fujikoro_env.rules.turn.halves import BONUS_DONE, MAIN_DONE
from fujikoro_env.rules.turn.stages import TURN_END

ABOUT: Final = 5  # place or dragon of the errand; follows the fields of a plan
WALK: Final = 6  # space to walk to this turn
MAY_REST: Final = 7  # 1 if the samurai can rest now and still be out of danger by night
ERRAND: Final = 8
NOTHING, EXPLORES, GATHERS, FIGHTS, GOES, HIDES = range(6)
TOUCHED: Final = 6

BETTER_CUBE: Final = (0.0, 0.5, 1.0)  # worth of a cube that replaces wood
LEVELS: Final = 3
DESPERATE_DANGER: Final = 20.0  # less than the danger of lava
DISCS_TO_GO: Final = 2
ANY_NUMBER: Final = 1000  # of actions
LEAVE: Final = 100.0
FAR_FROM_LEGEND: Final = 30
TOWARD_RALLY: Final = 0.3  # penalty per tile between a hiding place and the meeting point
STRIKE: Final = 1000.0  # comes before everything else, even the meeting point
DESPERATE: Final = 4  # rounds left from which on the team takes any risk
LAST_ODDS: Final = 0.03  # odds that are enough when the team is desperate
PATIENCE: Final = 5  # while more rounds are left, the team waits for all its members
ODDS_WITHOUT_ALL: Final = 0.8  # odds that are enough not to wait
MOVES_TO_FIGHT: Final = 2
MOVES_OF_TILE: Final = 0.7  # moves needed to cross a tile, roughly


class Member(NamedTuple):
    """A samurai of the team, and what things are worth to it."""

    p: int
    weights: Floats  # weights of the band
    worths: Floats  # see `write_worths`


@rule
def errand_of(s: State, t: Tables, weights: Floats, p: int, left: int, errand: Floats) -> None:
    """Find the best errand of samurai `p`. `left`: steps left of the current move. A samurai whose best errand is worth
    little takes more risks."""
    ways: Any = np.empty(WAYS, np.int64)
    worths: Any = np.zeros(WORTHS, np.float32)
    fears: Any = np.zeros(MAX_DRAGONS, np.float32)
    me = Member(p, weights, worths)
    write_worths(s, t, me)
    write_fears(s, t, weights, p, fears)
    walk = Walk(left, steps_of_action(s, t, p), ways, find_ways(s, t, p, int(s.players[p].at), 0, 0, ways))
    choose_errand(s, t, me, walk, fears, errand)
    is_waiting = is_mustering(s, t, weights, p) and is_at_muster(s, t, p)
    if errand[RATE] < weight_of(weights, Weight.IDLE) and not is_waiting and not exit_is_open(s, t):
        for dragon in range(MAX_DRAGONS):
            fears[dragon] *= weight_of(weights, Weight.BOLD)
        choose_errand(s, t, me, walk, fears, errand)
    if errand[GOAL] != NOWHERE:
        errand[FAR] = ways[DISTANCE + int(errand[WALK])]
        errand[STEP_THERE] = ways[FIRST_STEP + int(errand[WALK])]


@rule
def choose_errand(s: State, t: Tables, me: Member, walk: Walk, fears: Floats, errand: Floats) -> None:
    """Choose an errand for the given fears, and how far to walk for it this turn."""
    ways, left, steps = walk.ways, walk.left, walk.steps
    stops: Any = np.empty(STOPS, np.int64)
    dangers: Any = np.zeros(SPACES, np.float32)
    for k in range(walk.reached):
        dangers[ways[ORDER + k]] = danger_at(s, t, fears, int(ways[ORDER + k]))
    nights = Nights(steps_of_turn(s, me.p, walk), 2 * steps, camp_danger(s, t, me.weights), dangers, stops)
    find_stops(s, t, walk, nights)
    if draws_legend(s, t):
        prefer_hidden_nights(s, t, walk, nights)
    best_errand(s, t, me, walk, nights, ANY_NUMBER, errand)
    if errand[GOAL] == NOWHERE:
        errand[WALK] = NOWHERE
    elif stops[COUNT + int(errand[GOAL])] > 0:
        errand[WALK] = stops[FIRST + int(errand[GOAL])]
        if errand[WALK] == ways[ORDER]:
            wait_for_errand(s, t, me, walk, nights, errand)
    else:
        errand[WALK] = errand[GOAL]
    is_safe_here = dangers[ways[ORDER]] < weight_of(me.weights, Weight.FEAR) or rounds_left(s, t) <= DESPERATE
    can_flee = not is_last_action(s) and is_safety_near(s, t, me.weights, walk, steps, fears)
    errand[MAY_REST] = 1.0 if is_safe_here or can_flee else 0.0
    this = left if left > 0 else steps
    if is_last_action(s) or s.players[me.p].pool + (1 if left > 0 else 0) <= 1:
        consider_hiding(s, t, me, walk, this, fears, errand)
    elif not is_safety_near(s, t, me.weights, walk, this, fears):
        consider_hiding(s, t, me, walk, this + steps, fears, errand)


@rule
def wait_for_errand(s: State, t: Tables, me: Member, walk: Walk, nights: Nights, errand: Floats) -> None:
    """Fill the time when the errand has to wait for the next turn: do something within reach, or rest to have discs for
    it."""
    rate, here = errand[RATE], walk.ways[ORDER]
    best_errand(s, t, me, walk, nights, actions_left(s), errand)
    errand[WALK] = errand[GOAL]
    if (
        is_last_action(s)
        and s.players[me.p].pool <= DISCS_TO_GO
        and errand[RATE] < weight_of(me.weights, Weight.REST_TO_GO) * rate
    ):
        errand[GOAL] = here
        errand[WALK] = here
        errand[DEED] = NOTHING
        errand[RATE] = rate


@rule
def best_errand(s: State, t: Tables, me: Member, walk: Walk, nights: Nights, within: int, errand: Floats) -> None:
    """Find the best errand that takes at most `within` actions."""
    errand[GOAL] = NOWHERE
    errand[RATE] = 0.0
    errand[DEED] = NOTHING
    errand[ABOUT] = -1
    mustering = is_mustering(s, t, me.weights, me.p)
    waits = mustering and is_at_muster(s, t, me.p)
    for k in range(1 if waits else walk.reached):
        space = walk.ways[ORDER + k]
        if k == 0 or not is_dragons(s, t, space):
            moves = actions_by_night(s, space, walk, nights.stops)
            if moves < within:
                danger = max(0.0, float(nights.dangers[space]))
                if nights.stops[COUNT + space] == NEVER:
                    danger = max(danger, float(nights.dangers[space_after(t, walk.ways, space, nights.reach)]))
                consider_space(s, t, me, space, moves, danger, errand)
    if mustering and within == ANY_NUMBER:
        consider_muster(s, t, me, walk, nights, errand)
    consider_fights(s, t, me, walk, within, errand)


@rule
def actions_by_night(s: State, space: int, walk: Walk, stops: IntArray) -> int:
    """Number of actions until the samurai gets to a space, on a way with safe nights if there is one."""
    count = stops[COUNT + space]
    if count <= 0:
        return actions_to(walk, space)
    return actions_left(s) + 2 * (count - 1) + moves_for(stops[LAST_STEPS + space], 0, walk.steps)


@rule
def actions_left(s: State) -> int:
    """Number of actions left in this turn, including the current one."""
    return 1 if is_last_action(s) else 2


@rule
def steps_of_turn(s: State, p: int, walk: Walk) -> int:
    """Number of steps still possible this turn, limited by actions and discs."""
    if walk.left > 0:
        return walk.left + (0 if is_last_action(s) or s.players[p].pool == 0 else walk.steps)
    return walk.steps * min(actions_left(s), int(s.players[p].pool))


@rule
def camp_danger(s: State, t: Tables, weights: Floats) -> float:
    """Maximum acceptable danger of a night on the way. Near the end it rises, because waiting loses the game as
    well."""
    return DESPERATE_DANGER if rounds_left(s, t) <= DESPERATE else weight_of(weights, Weight.CAMP)


@rule
def steps_of_action(s: State, t: Tables, p: int) -> int:
    """Steps of a move action, including the step of a sandals card on its field (GEAR-6)."""
    return steps_of(s, t, p) + (1 if s.players[p].card_on[Disc.MOVE] == Gear.SANDALS + 1 else 0)


@rule
def steps_left(s: State, t: Tables) -> int:
    """Steps left of the current move, including the other half of its action if that is still to come (GEAR-3)."""
    frame, below = top(s), s.stack[s.depth - 2]
    if below.phase != Phase.HALVES or below.thing != Disc.MOVE:
        return frame.left + 0
    if below.marks & MAIN_DONE == 0:
        return frame.left + steps_of(s, t, int(frame.actor))
    return frame.left + (
        steps_of_action(s, t, int(frame.actor)) - steps_of(s, t, int(frame.actor))
        if below.marks & BONUS_DONE == 0
        else 0
    )


@rule
def actions_to(walk: Walk, space: int) -> int:
    """Number of moves to a space, including the current one, so that a plan is worth the same before a move and during
    it."""
    return moves_for(walk.ways[DISTANCE + space], walk.left, walk.steps) + (1 if walk.left > 0 else 0)


@rule
def is_safety_near(s: State, t: Tables, weights: Floats, walk: Walk, steps: int, fears: Floats) -> bool:
    """Whether a space without danger is within `steps` steps."""
    for k in range(walk.reached):
        space = walk.ways[ORDER + k]
        is_free = k == 0 or not is_dragons(s, t, space)
        if (
            walk.ways[DISTANCE + space] <= steps
            and is_free
            and danger_at(s, t, fears, space) < weight_of(weights, Weight.FEAR)
        ):
            return True
    return False


@rule
def is_last_action(s: State) -> bool:
    """Whether this is the last action of the turn: the frame of the turn holds the next stage."""
    return s.stack[0].stage == TURN_END


@rule
def prefer(errand: Floats, space: int, deed: int, about: int, rate: float) -> None:
    """Replace the errand if the new one has a higher rate."""
    if rate > errand[RATE]:
        errand[GOAL] = space
        errand[DEED] = deed
        errand[ABOUT] = about
        errand[RATE] = rate


# --- what things are worth ------------------------------------------------------------------------------------------

# The array of worths begins like the array of wishes (wishes_list.py). These entries follow:
PLACE_WORTH: Final = FINDS
GO_EXIT: Final = PLACE_WORTH + PLACES
WORTHS: Final = GO_EXIT + 1


@rule
def write_worths(s: State, t: Tables, me: Member) -> None:
    """Write what things are worth to the samurai now. The array must hold zeros before."""
    p, weights, worths = me.p, me.weights, me.worths
    worths[FREE] = free_slots(s, p)
    if not exit_is_open(s, t):
        write_spare_cubes(s, weights, p, worths)
        write_helpers(s, weights, p, worths)
    write_needed_cubes(s, t, weights, p, worths)
    for gear in range(GEARS):
        slot = target_of(s, t, p, gear)
        if slot != NONE and wants(s, t, p, gear) and s.blueprints[slot].where < Where.OWNED:
            worth = (
                weight_of(weights, Weight.BLUEPRINT)
                if must_make(s, t, p, gear)
                else weight_of(weights, Weight.SECOND_BLUEPRINT)
            )
            worths[TEMPLE + s.blueprints[slot].where - Where.TEMPLE] += worth
    write_places(s, t, weights, p, worths)
    if exit_is_open(s, t) and is_fit_to_leave(s, t, p):
        worths[GO_EXIT] = LEAVE


@rule
def write_spare_cubes(s: State, weights: Floats, p: int, worths: Floats) -> None:
    """Write the worth of cubes that make gear stronger."""
    for kind in range(RESOURCE_KINDS):
        if s.supply[kind] > 0 and worths[FREE] > 0:
            if room_on_gear(s, p, Gear.HELMET) + room_on_gear(s, p, Gear.WEAPON) > resources_in_pack(s.players[p]):
                worths[CUBES + kind] = weight_of(weights, Weight.SPARE_WOOD + kind)
            elif kind != Cube.WOOD and wood_to_replace(s, p) > s.players[p].pack[kind]:
                worths[CUBES + kind] = BETTER_CUBE[kind]


@rule
def write_needed_cubes(s: State, t: Tables, weights: Floats, p: int, worths: Floats) -> None:
    """Write the worth of cubes that the gear lacks. On the way home, surplus cubes in the pack make room for them;
    before that, a rest will do that."""
    if exit_is_open(s, t):
        for kind in range(RESOURCE_KINDS):
            worths[FREE] += max(0, -needed(s, t, p, kind))
    for kind in range(RESOURCE_KINDS):
        lacks = needed(s, t, p, kind) > 0 or not is_armed(s, p)
        if lacks and s.supply[kind] > 0 and worths[FREE] > 0:
            worths[CUBES + kind] = weight_of(weights, Weight.NEEDED_WOOD + kind)


@rule
def write_helpers(s: State, weights: Floats, p: int, worths: Floats) -> None:
    """Write the worth of scrolls, monks and adventure tokens. They pay off later, so they are not used on the way
    home."""
    if can_take_scroll(s, p) and worths[FREE] > 1:
        worths[SCROLL] = weight_of(weights, Weight.SCROLL)
    worths[MONK] = (
        weight_of(weights, Weight.MONK) if has_free_spot(s.players[p]) else weight_of(weights, Weight.MONK_TO_CARRY)
    )
    if spot_is_free(s.players[p], Spot.WEAPON):
        worths[MONK] += 1.0
    worths[ADVENTURE] = weight_of(weights, Weight.ADVENTURE)


@rule
def wood_to_replace(s: State, p: int) -> int:
    """Number of wood cubes on helmet and weapon that better cubes could replace."""
    me = s.players[p]
    weapon = count_bits(me.gear[Gear.WEAPON].cubes[Cube.WOOD]) - wood_of_use(me, Gear.WEAPON)
    return max(0, weapon) + count_bits(me.gear[Gear.HELMET].cubes[Cube.WOOD])


@rule
def write_places(s: State, t: Tables, weights: Floats, p: int, worths: Floats) -> None:
    """Write the worth of exploring each place: to find the exit, to find the legendary dragon once the team is ready,
    and to open ways to temples."""
    legend = worth_of_level_three(s, t, weights, p)
    exit_worth = (
        weight_of(weights, Weight.FIND_EXIT) + (0.5 if may_find_exit(s, t) else 0.0)
        if s.secret_exit == 0
        else weight_of(weights, Weight.KNOWN)
    )
    if not is_armed(s, p):
        legend *= weight_of(weights, Weight.UNARMED)
        exit_worth *= weight_of(weights, Weight.UNARMED)
    legend *= urgency(s, t, weights)
    exit_worth *= urgency(s, t, weights)
    for place in range(PLACES):
        if may_explore(s, t, place):
            level = t.place_ring[place]
            worths[PLACE_WORTH + place] = (
                weight_of(weights, Weight.LEVEL_ONE) if level == 1 else (exit_worth if level == 2 else legend)
            )
            if level == LEVELS:
                worths[PLACE_WORTH + place] *= nearness(s, t, weights, p, place)
            elif is_nearer_to_another(s, t, p, place):
                worths[PLACE_WORTH + place] *= weight_of(weights, Weight.ANOTHERS)
    for temple in range(TEMPLES):
        if worths[TEMPLE + temple] >= weight_of(weights, Weight.BLUEPRINT):
            write_way_to_temple(s, t, weights, temple, worths)


@rule
def urgency(s: State, t: Tables, weights: Floats) -> float:
    """Factor on the worth of what has to be found: it grows with time, because cubes are more useful early on."""
    gone = s.round_number / (s.round_number + max(1, rounds_left(s, t)))
    return (
        weight_of(weights, Weight.EARLY) + (weight_of(weights, Weight.LATE) - weight_of(weights, Weight.EARLY)) * gone
    )


@rule
def write_way_to_temple(s: State, t: Tables, weights: Floats, temple: int, worths: Floats) -> None:
    """Raise the worth of places on the way to a temple. The direct way crosses a tile of level I and one of level II;
    once it is open, another tile beside the temple is of little use."""
    space = FIRST_TEMPLE + temple
    closed = not can_be_entered(s, t, space)
    for place in range(PLACES):
        if worths[PLACE_WORTH + place] > 0.0 and t.place_distance[space, place] <= LEVELS - t.place_ring[place]:
            worths[PLACE_WORTH + place] += (
                weight_of(weights, Weight.WAY_TO_TEMPLE) if closed else weight_of(weights, Weight.BESIDE_TEMPLE)
            )


@rule
def is_nearer_to_another(s: State, t: Tables, p: int, place: int) -> bool:
    """Whether another samurai should explore the place: one that is nearer, or equally near and earlier in player
    order."""
    own = t.place_distance[s.players[p].at, place]
    for q in range(s.settings.players):
        if q != p and is_inside(s, q):
            far = t.place_distance[s.players[q].at, place]
            if far < own or (far == own and q < p):
                return True
    return False


@rule
def nearness(s: State, t: Tables, weights: Floats, p: int, place: int) -> float:
    """Factor of at most 1 that falls as the other samurai are farther from a place: all should be near when the
    legendary dragon is found."""
    others, far = 0, 0
    for q in range(s.settings.players):
        if q != p and is_inside(s, q):
            others += 1
            far += t.place_distance[s.players[q].at, place]
    return 1.0 if others == 0 else 1.0 / (1.0 + weight_of(weights, Weight.DISPERSION) * max(0.0, far / others - 1.0))


@rule
def worth_of_level_three(s: State, t: Tables, weights: Floats, p: int) -> float:
    """Worth of exploring a place of level III. Big dragons live there, so the team avoids it until it is ready; then
    all go there at once."""
    if not needs_legend(s, t) or legend_is_found(s, t):
        return weight_of(weights, Weight.KNOWN)
    if is_ready(s, t, weights, p):
        return weight_of(weights, Weight.FIND_LEGEND)
    return weight_of(weights, Weight.PILE_UNREADY) if may_find_legend(s, t) else weight_of(weights, Weight.BEFORE_PILE)


# --- errands --------------------------------------------------------------------------------------------------------


@rule
def consider_space(s: State, t: Tables, me: Member, space: int, moves: int, danger: float, errand: Floats) -> None:
    """Consider everything that can be done at a space, less the danger of staying there or on the way."""
    weights, worths = me.weights, me.worths
    if (
        danger >= weight_of(weights, Weight.FEAR)
        and rounds_left(s, t) > DESPERATE
        and (space != s.secret_exit or space == START)
    ):
        return
    if draws_legend(s, t) and not is_safe(space):
        danger += weight_of(weights, Weight.HIDDEN)
    also = weight_of(weights, Weight.ALSO_THERE)
    gain = gather_worth(s, t, me, space)
    price = price_of_way(weights, moves + (way_home(s, t, space) if exit_is_open(s, t) else 0.0))
    total = gain + worth_to_explore(t, space, worths)
    if gain > danger:
        prefer(errand, space, GATHERS, -1, (gain + also * (total - gain) - danger) / price)
    for k in range(TOUCHED):
        place = t.touched_places[space, k]
        if place >= 0 and worths[PLACE_WORTH + place] > danger:
            gain = float(worths[PLACE_WORTH + place])
            prefer(errand, space, EXPLORES, place, (gain + also * (total - gain) - danger) / price)
    if worths[GO_EXIT] > 0.0 and space == s.secret_exit:
        prefer(errand, space, GOES, -1, worths[GO_EXIT] / price)


@rule
def way_home(s: State, t: Tables, space: int) -> float:
    """Number of moves from a space to the exit, roughly."""
    return MOVES_OF_TILE * t.place_distance[space, t.place_of[s.secret_exit]]


@rule
def worth_to_explore(t: Tables, space: int, worths: Floats) -> float:
    """Total worth of all places that can be explored from a space."""
    total = 0.0
    for k in range(TOUCHED):
        place = t.touched_places[space, k]
        if place >= 0:
            total += worths[PLACE_WORTH + place]
    return total


@rule
def price_of_way(weights: Floats, moves: float) -> float:
    """Cost of an errand with this many moves. A power above 1 makes far goals more expensive: what is near is done
    first, because coming back later takes long."""
    return math.pow(1.0 + moves, weight_of(weights, Weight.LOCALITY))


@rule
def gather_worth(s: State, t: Tables, me: Member, space: int) -> float:
    """Worth of the best thing that the samurai can gather from a space."""
    worths = me.worths
    best = worth_of_finds(s, me.p, space, worths)
    if shows_token(s, space):
        best = max(best, token_worth(s, t, space, worths))
    if has_stock(s, space) and s.stock_taken == 0 and worths[FREE] > 0:
        wood, metal = float(worths[CUBES]), float(worths[CUBES + 1])
        stock = wood + metal if worths[FREE] > 1 else max(wood, metal)
        if space == START:
            stock *= weight_of(me.weights, Weight.START_STOCK)
        best = max(best, stock)
    return best


@rule
def token_worth(s: State, t: Tables, space: int, worths: Floats) -> float:
    """Worth of the cubes of a resource token, as far as the pack has room for them."""
    worth, room = 0.0, int(worths[FREE])
    for k in range(RESOURCE_KINDS):
        kind = RESOURCE_KINDS - 1 - k
        number = min(room, int(t.token_shows[s.token[space] - 1, kind]))
        worth += number * worths[CUBES + kind]
        room -= number
    return worth


# --- fights ---------------------------------------------------------------------------------------------------------


@rule
def fighters_beside(s: State, t: Tables, p: int, place: int) -> int:
    """Return p and all samurai standing next to a tile, who could join a fight there, as bits."""
    fighters = bit(p)
    for q in range(s.settings.players):
        if q != p and is_inside(s, q) and s.players[q].unconscious == 0 and touches(t, s.players[q].at, place):
            fighters |= bit(q)
    return fighters


@rule
def consider_fights(s: State, t: Tables, me: Member, walk: Walk, within: int, errand: Floats) -> None:
    """Consider fights that can begin within this many actions, this turn or with one more move."""
    for dragon in range(MAX_DRAGONS):
        place = s.dragons[dragon].place - 1
        if place < 0 or place >= PLACES:
            continue
        space = nearest_of(t, walk.ways, place)
        if space < 0:
            continue
        moves = actions_to(walk, space)
        if moves <= min(MOVES_TO_FIGHT, within):
            if exit_is_open(s, t):
                worth = worth_on_the_way_home(s, t, me.weights, me.p, dragon, place, walk.ways)
            else:
                worth = worth_of_fight(s, t, me.weights, me.p, dragon, place)
            if worth > 0.0:
                prefer(errand, space, FIGHTS, dragon, worth / max(1, moves))


@rule
def worth_on_the_way_home(
    s: State, t: Tables, weights: Floats, p: int, dragon: int, place: int, ways: IntArray
) -> float:
    """Worth of a fight when the exit is open: only if the dragon blocks the way out or gives a tooth that is needed."""
    if bars_the_way(s, t, p, place, ways):
        odds = attack_odds(s, t, bit(p), p, dragon, new_tally(TRIALS))
        return LEAVE * odds if odds >= odds_to_strike(s, t, weights, bit(p)) else 0.0
    return worth_of_fight(s, t, weights, p, dragon, place) if needed(s, t, p, Cube.TOOTH) > 0 else 0.0


@rule
def bars_the_way(s: State, t: Tables, p: int, place: int, ways: IntArray) -> bool:
    """Whether p could leave if the dragon on this tile were gone."""
    out = int(s.secret_exit)
    if not is_fit_to_leave(s, t, p) or (ways[DISTANCE + out] >= 0 and not is_dragons(s, t, out)):
        return False
    without: Any = np.empty(WAYS, np.int64)
    dragon, s.dragon_at[place] = int(s.dragon_at[place]), 0
    find_ways(s, t, p, int(s.players[p].at), 0, 0, without)
    is_open = without[DISTANCE + out] >= 0 and not is_dragons(s, t, out)
    s.dragon_at[place] = dragon
    return is_open


@rule
def nearest_of(t: Tables, ways: IntArray, place: int) -> int:
    """The space of a tile that is nearest to the samurai, or -1 if none can be reached."""
    best, least = -1, SPACES
    for space in range(SPACES):
        if t.place_of[space] == place and 0 <= ways[DISTANCE + space] < least:
            best, least = space, ways[DISTANCE + space]
    return best


@rule
def worth_of_fight(s: State, t: Tables, weights: Floats, p: int, dragon: int, place: int) -> float:
    """Worth of fighting a dragon together with all samurai who could join."""
    fighters = fighters_beside(s, t, p, place)
    if dragon != legend_of(t):
        return worth_fighting_with(s, t, p, dragon, fighters)
    if not needs_legend(s, t):
        return 0.0
    odds = legend_odds(s, t, fighters, p)
    return STRIKE * (1.0 + odds) if odds >= odds_to_strike(s, t, weights, fighters) else 0.0


@rule
def odds_to_strike(s: State, t: Tables, weights: Floats, fighters: int) -> float:
    """Minimum odds for attacking. They fall towards the end, because waiting for better odds loses on time. While there
    is time, the team waits for absent members, unless the odds are good without them."""
    left, safe = rounds_left(s, t), weight_of(weights, Weight.SAFE_ODDS)
    if left <= DESPERATE:
        return LAST_ODDS
    if left > PATIENCE and fighters != everybody(s):
        return max(safe, ODDS_WITHOUT_ALL)
    last = weight_of(weights, Weight.LAST_TO_BE_READY)
    if left > last:
        return safe
    least = weight_of(weights, Weight.LEAST_ODDS)
    return least + (safe - least) * (left - DESPERATE) / (last - DESPERATE)


# --- the great fight ------------------------------------------------------------------------------------------------


@rule
def is_mustering(s: State, t: Tables, weights: Floats, p: int) -> bool:
    """Whether the team gathers for the legendary dragon: it is found and has to be fought. All come to one safe space,
    where no dragon sees them."""
    return needs_legend(s, t) and legend_is_found(s, t) and is_ready(s, t, weights, p)


@rule
def rally_of(s: State, t: Tables) -> int:
    """The safe space where all meet: close to everybody and next to the legendary dragon (every place of ring III has a
    safe space next to it)."""
    best, least = START, 1000
    for k in range(SPACES - FIRST_BRIDGE + 1):
        space = START if k == 0 else FIRST_BRIDGE + k - 1
        cost = FAR_FROM_LEGEND * max(0, t.place_distance[space, s.dragons[legend_of(t)].place - 1] - 1)
        for p in range(s.settings.players):
            if is_inside(s, p):
                cost += tiles_between(t, space, int(s.players[p].at))
        if cost < least and can_be_entered(s, t, space):
            best, least = space, cost
    return best


@rule
def is_at_muster(s: State, t: Tables, p: int) -> bool:
    """Whether p is at the meeting point, or on a safe space right next to the dragon."""
    here = s.players[p].at
    return here == rally_of(s, t) or (is_safe(here) and touches(t, here, s.dragons[legend_of(t)].place - 1))


@rule
def lure_of(s: State) -> int:
    """The samurai that lures the dragon: the one with no life lost and the strongest helmet."""
    best, most = 0, -1000
    for p in range(s.settings.players):
        value = strength(s.players[p].gear[Gear.HELMET]) - 100 * s.players[p].lives_lost
        if is_inside(s, p) and value > most:
            best, most = p, value
    return best


@rule
def is_time_to_lure(s: State, t: Tables, weights: Floats, lure: int, rally: int) -> bool:
    """Whether the lure should go: the dragon is out of reach, and the odds of those who wait are good or it is late."""
    if touches(t, rally, s.dragons[legend_of(t)].place - 1):
        return False
    fighters = bit(lure)
    for p in range(s.settings.players):
        if is_inside(s, p) and s.players[p].at == rally:
            fighters |= bit(p)
    return legend_odds(s, t, fighters, lure) >= odds_to_strike(s, t, weights, fighters)


@rule
def consider_muster(s: State, t: Tables, me: Member, walk: Walk, nights: Nights, errand: Floats) -> None:
    """Consider going to the meeting point or, for the lure, out to the dragon."""
    rally = rally_of(s, t)
    if me.p == lure_of(s) and is_time_to_lure(s, t, me.weights, me.p, rally):
        consider_lure(s, t, me.weights, rally, walk, nights.dangers, errand)
    elif not is_at_muster(s, t, me.p) and walk.ways[DISTANCE + rally] > 0:
        price = price_of_way(me.weights, actions_by_night(s, rally, walk, nights.stops))
        prefer(errand, rally, GOES, -1, weight_of(me.weights, Weight.MUSTER) / price)


@rule
def consider_lure(
    s: State, t: Tables, weights: Floats, rally: int, walk: Walk, dangers: Floats, errand: Floats
) -> None:
    """Consider a space next to the meeting point, on the side of the dragon."""
    place, best = s.dragons[legend_of(t)].place - 1, 1000
    for k in range(walk.reached):
        space = walk.ways[ORDER + k]
        if (
            t.place_of[space] >= 0
            and not is_safe(space)
            and not is_dragons(s, t, space)
            and (dangers[space] < weight_of(weights, Weight.FEAR) or t.place_distance[space, place] <= 1)
            and are_adjacent(t, space, rally)
        ):
            far = 10 * t.place_distance[space, place] + walk.ways[DISTANCE + space]
            if far < best:
                best = far
                errand[GOAL] = space
                errand[DEED] = GOES
                errand[ABOUT] = legend_of(t)
                errand[RATE] = STRIKE


# --- hiding ---------------------------------------------------------------------------------------------------------


@rule
def consider_hiding(s: State, t: Tables, me: Member, walk: Walk, steps: int, fears: Floats, errand: Floats) -> None:
    """At the end of a turn, get away from spaces that dragons or lava will reach, unless the errand is a fight or the
    way out."""
    ways, weights = walk.ways, me.weights
    is_lure = errand[DEED] == GOES and errand[ABOUT] == legend_of(t)
    if errand[DEED] == FIGHTS or is_lure or rounds_left(s, t) <= DESPERATE:
        return
    if me.worths[GO_EXIT] > 0.0 and errand[GOAL] == s.secret_exit and errand[WALK] == errand[GOAL]:
        return
    stay = danger_at(s, t, fears, end_of(t, ways, errand, steps))
    if stay < weight_of(weights, Weight.FEAR):
        return
    best, choice = 1000.0, NOWHERE + 0
    rally = rally_of(s, t) if is_mustering(s, t, weights, me.p) else NOWHERE
    for k in range(walk.reached):
        space = ways[ORDER + k]
        if ways[DISTANCE + space] <= steps and (k == 0 or not is_dragons(s, t, space)):
            danger = danger_at(s, t, fears, space) + 0.05 * ways[DISTANCE + space] - (0.2 if is_safe(space) else 0.0)
            if rally != NOWHERE:
                danger += TOWARD_RALLY * (tiles_between(t, rally, int(space)))
            if danger < best:
                best, choice = danger, space
    if choice != NOWHERE and best + weight_of(weights, Weight.FEAR) < stay:
        errand[GOAL] = choice
        errand[DEED] = HIDES
        errand[ABOUT] = -1
        errand[RATE] = 0.0
        errand[WALK] = choice
        consider_space(s, t, me, choice, int(min(1, ways[DISTANCE + choice])), 0.0, errand)


@rule
def end_of(t: Tables, ways: IntArray, errand: Floats, steps: int) -> int:
    """The space where the next action of the errand ends: its goal if that is within reach, otherwise a space on the
    way."""
    if errand[GOAL] == NOWHERE:
        return int(ways[ORDER])
    return space_after(t, ways, int(errand[WALK]), steps)


@rule
def space_after(t: Tables, ways: IntArray, goal: int, steps: int) -> int:
    """The space reached after this many steps on the way to a goal, at most the goal itself."""
    space = goal
    while ways[DISTANCE + space] > steps:
        space = one_step_back(t, ways, space)
    return space


@rule
def one_step_back(t: Tables, ways: IntArray, space: int) -> int:
    """The space before this one on a shortest way."""
    for k in range(t.neighbour_count[space]):
        before = int(t.neighbours[space, k])
        if ways[DISTANCE + before] == ways[DISTANCE + space] - 1:
            return before
    return int(ways[ORDER])
