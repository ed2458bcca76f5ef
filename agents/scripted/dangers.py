"""What may happen to a samurai before its next turn: dragons that come, and lava (COOP-8, COOP-20)."""

from typing import Final

from agents.scripted.fighting import cost_of_fall
from fujikoro_env.content.model import MAX_DRAGONS
from fujikoro_env.rules.board import is_safe
from fujikoro_env.rules.damage import strength
from fujikoro_env.rules.dragons import dragon_health
from fujikoro_env.rules.geometry import START
from fujikoro_env.rules.jit import Floats, rule
from fujikoro_env.rules.masks import count_bits
from fujikoro_env.rules.names import Call, Gear, Marker, Mode
from fujikoro_env.rules.state import Player, State
from fujikoro_env.rules.tables import Tables
from fujikoro_env.rules.terms import Term, holds
from fujikoro_env.rules.weapon import ARMS, cells_of_arm, gear_of_arm, may_fight_with

MEAN_HITS: Final = (2 / 3, 1.0, 1.5)  # of a die (ATK-2)
TOOTH_HITS: Final = 1.5
GREEN_HITS: Final = 2.0
ARMED_HITS: Final = 5.5
ARMED_HELMET: Final = 9
WEAR: Final = 0.85  # of its hits that a weapon keeps from round to round, about
BURNS: Final = 30.0
FALLS: Final = 1.7  # times what a life is worth
PRIZE: Final = 1.0
TOOTH: Final = 0.75
HURTS: Final = 0.25  # for each hit that a helmet takes


@rule
def hits_of(me: Player) -> float:
    """That a samurai rolls in a round, on average."""
    total = 0.0
    for slot in range(ARMS):
        if may_fight_with(me, slot):
            cells = cells_of_arm(me, slot)
            for kind in range(3):
                total += MEAN_HITS[kind] * count_bits(me.gear[gear_of_arm(slot)].cubes[kind] & cells)
    return total + (GREEN_HITS if me.gear[Gear.WEAPON].magic != 0 else 0.0)


@rule
def damage_by(s: State, t: Tables, p: int, dragon: int) -> float:
    """Hits that a samurai alone may expect before it has beaten a dragon, which comes first."""
    hits, health, damage = hits_of(s.players[p]), float(dragon_health(s, t, dragon)), 0.0
    for _ in range(6):
        if health > 0:
            damage += TOOTH_HITS * t.colour_dice[t.dragon_colour[dragon]]
            health -= hits
            hits *= WEAR
    return damage


@rule
def danger_of(s: State, t: Tables, p: int, dragon: int) -> float:
    """Of a fight with a dragon alone: its cost, and what a fall would cost if that is likely; less its teeth."""
    damage = damage_by(s, t, p, dragon)
    helmet = strength(s.players[p].gear[Gear.HELMET])
    likely = min(1.0, max(0.0, (damage + 1.0 - helmet) / 8.0))
    return max(
        0.0,
        HURTS * damage + cost_of_fall(s, p) * FALLS * likely - PRIZE - TOOTH * t.colour_teeth[t.dragon_colour[dragon]],
    )


@rule
def comes_next(s: State, dragon: int) -> bool:
    """COOP-8: a dragon that moves at the start of the next round."""
    return s.dragons[dragon].place != 0 and s.dragons[dragon].marker != Marker.ASLEEP


@rule
def write_fears(s: State, t: Tables, p: int, fears: Floats) -> None:
    """How dangerous each dragon is to samurai p if it comes; 0 for one that does not."""
    for dragon in range(MAX_DRAGONS):
        fears[dragon] = danger_of(s, t, p, dragon) if comes_next(s, dragon) else 0.0


@rule
def danger_at(s: State, t: Tables, fears: Floats, space: int) -> float:
    """To end a turn on a space."""
    total = BURNS if erupts_next(s, t, space) else 0.0
    if is_safe(space) and not (space == START and holds(s, Term.START_IS_UNSAFE)):
        return total
    for dragon in range(MAX_DRAGONS):
        if fears[dragon] > 0.0 and t.place_distance[space, s.dragons[dragon].place - 1] <= 1:
            total += fears[dragon]
    return total


@rule
def erupts_next(s: State, t: Tables, space: int) -> bool:
    """COOP-20: the number of a space is called at the start of the next round."""
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
    """Fit to meet a dragon of middle size alone."""
    me = s.players[p]
    return hits_of(me) >= ARMED_HITS and strength(me.gear[Gear.HELMET]) >= ARMED_HELMET
