"""Dangers to a samurai before its next turn: approaching dragons, and lava (COOP-8, COOP-20)."""

from typing import Final

from fujikoro_agents.scripted.band_weights import Weight, weight_of
from fujikoro_agents.scripted.fighting import worth_fighting, worth_fighting_with
from fujikoro_agents.scripted.team import legend_of, needs_legend
from fujikoro_env.content.model import MAX_DRAGONS
from fujikoro_env.kernel.jit import Floats, rule
from fujikoro_env.kernel.masks import bit, count_bits
from fujikoro_env.rules.base.names import Call, Gear, Marker, Mode
from fujikoro_env.rules.base.state import Player, State
from fujikoro_env.rules.base.tables import Tables
from fujikoro_env.rules.fights.damage import strength
from fujikoro_env.rules.gear.weapon import ARMS, cells_of_arm, gear_of_arm, may_fight_with
from fujikoro_env.rules.map.board import is_inside, is_safe
from fujikoro_env.rules.map.geometry import START
from fujikoro_env.rules.scenarios.terms import Term, holds

MEAN_HITS: Final = (2 / 3, 1.0, 1.5)  # mean hits of a die (ATK-2)
GREEN_HITS: Final = 2.0
ARMED_HITS: Final = 5.5
ARMED_HELMET: Final = 9
BURNS: Final = 30.0


@rule
def hits_of(me: Player) -> float:
    """Mean number of hits that a samurai rolls in one round."""
    total = 0.0
    for slot in range(ARMS):
        if may_fight_with(me, slot):
            cells = cells_of_arm(me, slot)
            for kind in range(3):
                total += MEAN_HITS[kind] * count_bits(me.gear[gear_of_arm(slot)].cubes[kind] & cells)
    return total + (GREEN_HITS if me.gear[Gear.WEAPON].magic != 0 else 0.0)


@rule
def danger_of(s: State, t: Tables, weights: Floats, p: int, dragon: int) -> float:
    """Danger of a fight with a dragon: how much it costs beyond what it brings, alone or with the samurai nearby."""
    alone = worth_fighting(s, t, p, dragon)
    fighters = fighters_near(s, t, p)
    if alone >= 0.0 or fighters == bit(p):
        return weight_of(weights, Weight.FEAR_OF_LOSSES) * max(0.0, -alone)
    return weight_of(weights, Weight.FEAR_OF_LOSSES) * max(
        0.0, -max(alone, worth_fighting_with(s, t, p, dragon, fighters))
    )


@rule
def fighters_near(s: State, t: Tables, p: int) -> int:
    """Return p and all samurai on its tile or next to it, who could join its fights, as bits."""
    place, fighters = t.place_of[s.players[p].at], bit(p)
    for q in range(s.settings.players):
        if q != p and is_inside(s, q):
            near = s.players[q].at == s.players[p].at
            if place >= 0:
                near = near or t.place_distance[s.players[q].at, place] <= 1
            if near:
                fighters |= bit(q)
    return fighters


@rule
def comes_next(s: State, dragon: int) -> bool:
    """Whether a dragon moves at the start of the next round (COOP-8)."""
    return s.dragons[dragon].place != 0 and s.dragons[dragon].marker != Marker.ASLEEP


@rule
def write_fears(s: State, t: Tables, weights: Floats, p: int, fears: Floats) -> None:
    """Write how dangerous each dragon would be to samurai p if it came; 0 for dragons that don't move."""
    for dragon in range(MAX_DRAGONS):
        fears[dragon] = danger_of(s, t, weights, p, dragon) if comes_next(s, dragon) else 0.0


@rule
def must_flee_soon(s: State, t: Tables, weights: Floats, p: int) -> bool:
    """Whether p needs discs for its next turn and has the time to rest: a dragon that p is too weak for sleeps within
    reach, and no such dragon is awake."""
    here, soon = s.players[p].at, False
    if is_safe(here):
        return False
    for dragon in range(MAX_DRAGONS):
        place = s.dragons[dragon].place
        if place != 0 and t.place_distance[here, place - 1] <= 1 and danger_of(s, t, weights, p, dragon) > 0.0:
            if comes_next(s, dragon):
                return False
            soon = True
    return soon


@rule
def danger_at(s: State, t: Tables, fears: Floats, space: int) -> float:
    """Danger of ending a turn on a space."""
    total = BURNS if erupts_next(s, t, space) else 0.0
    if is_safe(space) and not (space == START and holds(s, Term.START_IS_UNSAFE)):
        return total
    for dragon in range(MAX_DRAGONS):
        if fears[dragon] > 0.0 and t.place_distance[space, s.dragons[dragon].place - 1] <= 1:
            total += fears[dragon]
    return total


@rule
def draws_legend(s: State, t: Tables) -> bool:
    """Whether the legendary dragon will leave its tile for any samurai that it sees. Samurai that stay hidden can then
    meet right next to it."""
    return needs_legend(s, t) and comes_next(s, legend_of(t))


@rule
def erupts_next(s: State, t: Tables, space: int) -> bool:
    """Whether the eruption number of a space is called at the start of the next round (COOP-20)."""
    if s.eruption[space] == 0:
        return False
    k = s.round_number - s.settings.full_rounds
    if k < 0 and s.settings.lava_after != 0:  # SCEN-33
        k = s.round_number - s.settings.lava_after
    if k < 0 or k >= t.countdown_length[Mode.COOP]:
        return False
    call = t.countdown[Mode.COOP, k]
    return Call.LAVA_1 <= call <= Call.LAVA_4 and s.eruption[space] == call


@rule
def is_armed(s: State, p: int) -> bool:
    """Whether the samurai is strong enough to meet a medium-sized dragon alone."""
    me = s.players[p]
    return hits_of(me) >= ARMED_HITS and strength(me.gear[Gear.HELMET]) >= ARMED_HELMET
