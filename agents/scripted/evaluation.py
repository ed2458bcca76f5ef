"""What a position is worth to a player: features, and weights that were tuned for them.

The sum is about the VP that the player will have in the end, beyond what all have to come alike. `weights.toml` has a
weight for each feature; `training/tune.py` made them.
"""

import tomllib
from functools import cache
from importlib.resources import files
from typing import Any, Final

import numpy as np

from agents.scripted.acting import plan_of
from agents.scripted.hunting import hits_of
from agents.scripted.needs import CARD_WORTH, card_in, fits_board, is_open_blueprint, is_open_card, missing_actions
from agents.scripted.plans import GOAL, NOWHERE, PLAN, RATE
from agents.scripted.running import (
    actions_until,
    find_ways_home,
    turns_left,
    turns_to_rope,
)
from agents.scripted.skills import RUNNER
from agents.scripted.taking import scroll_worth
from agents.scripted.ways import DISTANCE, WAYS, moves_for
from fujikoro_env.rules.characters import completed_sandals
from fujikoro_env.rules.damage import strength
from fujikoro_env.rules.fight import battle_initiative
from fujikoro_env.rules.gearcards import has_gear_card
from fujikoro_env.rules.gearcells import filled_cells
from fujikoro_env.rules.jit import Floats, rule
from fujikoro_env.rules.masks import count_bits
from fujikoro_env.rules.move import steps_of
from fujikoro_env.rules.names import ADVENTURES, GEARS, RESOURCE_KINDS, SPOTS, Gear, Outside
from fujikoro_env.rules.pack import free_slots
from fujikoro_env.rules.shogun import TRACKS, unclaimed
from fujikoro_env.rules.state import CARD_SLOTS, SCROLL_SLOTS, State
from fujikoro_env.rules.tables import Tables

NAMES: Final = (
    "vp",
    "scoring_card",  # a weapon card that gives VP
    "helmet_card",
    "sandals_card",
    "card_progress",  # toward the gear card that is nearest
    "hits",  # of a round of fighting
    "initiative",
    "helmet",  # what it absorbs
    "full_sandals",
    "wood",  # in the pack
    "metal",
    "tooth",
    "room",  # in the pack
    "blueprints",  # owned, by what is missing
    "pool_monk",
    "scroll_monk",
    "weapon_monk",
    "pack_monk",
    "powers",  # of scrolls
    "tokens",  # for adventures
    "discs",  # in the pool
    "next_deed",  # the best plan from here: VP per action
    "claims_to_come",  # what the palace would pay, before the final chapter
    "claims",  # what it will pay, in the final chapter
    "cut_off",  # in the final chapter: too late for the rope
    "unconscious",
)
FEATURES: Final = len(NAMES)
(
    VP,
    SCORING_CARD,
    HELMET_CARD,
    SANDALS_CARD,
    CARD_PROGRESS,
    HITS,
    INITIATIVE,
    HELMET,
    FULL_SANDALS,
    PACK,
    _METAL,
    _TOOTH,
    ROOM,
    BLUEPRINTS,
    FIRST_MONK,
    _SCROLL_MONK,
    _WEAPON_MONK,
    _PACK_MONK,
    POWERS,
    TOKENS,
    DISCS,
    NEXT_DEED,
    CLAIMS_TO_COME,
    CLAIMS,
    CUT_OFF,
    UNCONSCIOUS,
) = range(FEATURES)

TURNS_OF_FINAL: Final = 8
VP_A_TURN: Final = 2.0  # of the leader, about
MANY_TURNS: Final = 16.0
TURNS_OUTSIDE: Final = 5  # that are to be had, before the final chapter


@cache
def read_weights(name: str = "weights.toml") -> Any:
    """By feature; the file must name every one of them."""
    written = tomllib.loads(files("agents.scripted").joinpath(name).read_text())
    return np.array([written[feature] for feature in NAMES], np.float32)


@rule
def evaluate(s: State, t: Tables, p: int, weights: Floats) -> float:
    features: Any = np.zeros(FEATURES, np.float32)
    write_features(s, t, p, features)
    total = 0.0
    for k in range(FEATURES):
        total += weights[k] * features[k]
    return total


@rule
def write_features(s: State, t: Tables, p: int, features: Floats) -> None:
    me = s.players[p]
    features[VP] = me.vp
    if s.final_player != 0:
        features[CLAIMS] = claims_in_time(s, t, p)
        features[CUT_OFF] = 1.0 if me.outside == Outside.INSIDE and features[CLAIMS] == 0.0 else 0.0
    else:
        features[CLAIMS_TO_COME] = claims_of(s, t, p, TURNS_OUTSIDE)
    if me.outside == Outside.INSIDE:
        write_features_inside(s, t, p, turns_to_come(s, t) / MANY_TURNS, features)


@rule
def write_features_inside(s: State, t: Tables, p: int, time: float, features: Floats) -> None:
    me = s.players[p]
    write_gear(s, t, p, min(1.0, 2.0 * time), features)
    write_cards(s, t, p, time, features)
    for kind in range(RESOURCE_KINDS):
        features[PACK + kind] = me.pack[kind] * min(1.0, 2.0 * time)
    features[ROOM] = min(3, free_slots(s, p)) * time
    for spot in range(SPOTS):
        features[FIRST_MONK + spot] = me.monks[spot] * time
    for slot in range(SCROLL_SLOTS):
        if me.scrolls[slot] != 0:
            features[POWERS] += scroll_worth(t, int(me.scrolls[slot])) * time
    for kind in range(ADVENTURES):
        features[TOKENS] += me.adventures[kind] * time
    features[DISCS] = me.pool
    features[NEXT_DEED] = rate_from_here(s, t, p) * min(1.0, 8.0 * time)
    features[UNCONSCIOUS] = me.unconscious


@rule
def turns_to_come(s: State, t: Tables) -> float:
    """About how many turns each player still has."""
    if s.final_player != 0:
        return turns_left(s, t) + 0.0
    leader = 0
    for q in range(s.settings.players):
        leader = max(leader, int(s.players[q].vp))
    turns = TURNS_OF_FINAL + max(0, s.settings.final_at - leader) / VP_A_TURN
    return min(turns, s.settings.max_rounds - s.round_number + 1.0)


@rule
def write_gear(s: State, t: Tables, p: int, time: float, features: Floats) -> None:
    me = s.players[p]
    features[HITS] = hits_of(t, me) * time
    features[INITIATIVE] = battle_initiative(s, t, p) * time
    features[HELMET] = strength(me.gear[Gear.HELMET]) * time
    if count_bits(filled_cells(me.gear[Gear.SANDALS])) >= completed_sandals(me):
        features[FULL_SANDALS] = time


@rule
def write_cards(s: State, t: Tables, p: int, time: float, features: Floats) -> None:
    me = s.players[p]
    if has_gear_card(me, Gear.WEAPON) and me.looks == 0:
        features[SCORING_CARD] = time
    features[HELMET_CARD] = time if has_gear_card(me, Gear.HELMET) else 0.0
    features[SANDALS_CARD] = time if has_gear_card(me, Gear.SANDALS) else 0.0
    for slot in range(GEARS * CARD_SLOTS):
        gear = slot // CARD_SLOTS
        if is_open_card(s, p, slot) and fits_board(me, gear, card_in(s, t, slot, False), False):
            rate = CARD_WORTH[gear] / missing_actions(me, gear, card_in(s, t, slot, False)) * time
            features[CARD_PROGRESS] = max(float(features[CARD_PROGRESS]), rate)
        if is_open_blueprint(s, p, slot) and fits_board(me, gear, card_in(s, t, slot, True), True):
            features[BLUEPRINTS] += 1.0 / missing_actions(me, gear, card_in(s, t, slot, True))


@rule
def rate_from_here(s: State, t: Tables, p: int) -> float:
    plan: Any = np.empty(PLAN, np.float32)
    plan_of(s, t, p, RUNNER, 0, plan)
    return float(plan[RATE]) if plan[GOAL] != NOWHERE else 0.0


# --- the palace -----------------------------------------------------------------------------------------------------


@rule
def claims_in_time(s: State, t: Tables, p: int) -> float:
    """What the palace will pay to who is there, or goes there now."""
    if s.players[p].outside != Outside.INSIDE:
        return claims_of(s, t, p, turns_left(s, t))
    home: Any = np.empty(WAYS, np.int64)
    if not find_ways_home(s, t, p, turns_left(s, t), home):
        return 0.0
    moves = moves_for(home[DISTANCE + s.players[p].at], 0, steps_of(s, t, p))
    turns = turns_to_rope(s, t)
    while turns <= turns_left(s, t) and actions_until(s, p, turns) < moves:
        turns += 1
    return claims_of(s, t, p, turns_left(s, t) - turns + 1)


@rule
def claims_of(s: State, t: Tables, p: int, turns: int) -> float:
    """SHOG-1, SHOG-4: with so many turns outside, the best bonuses first; the rest at the lowest value."""
    if turns <= 0 or s.players[p].outside == Outside.FOOT:
        return 0.0
    taken: Any = np.zeros(TRACKS, np.int64)
    total = 0.0
    for _ in range(turns):
        best, most = -1, 0
        for track in range(TRACKS):
            gain = gain_of_claim(s, t, p, track, int(taken[track]))
            if gain > most:
                best, most = track, gain
        if best < 0:
            break
        taken[best] += 1
        total += most
    for track in range(TRACKS):
        total += max(0, unclaimed(s, p, track)) * t.palace[track, t.palace_length[track] - 1]
    return total


@rule
def gain_of_claim(s: State, t: Tables, p: int, track: int, taken: int) -> int:
    """Of one more bonus of a track, beyond the lowest value."""
    if taken >= unclaimed(s, p, track):
        return 0
    last = t.palace_length[track] - 1
    return t.palace[track, min(last, s.palace[track] + taken)] - t.palace[track, last]
