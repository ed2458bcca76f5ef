"""Evaluation of a position for a player: features and their tuned weights.

The weighted sum estimates the final VP of the player, apart from a part that is about the same for all players.
`weights.toml` holds a weight for each feature; `training/fujikoro_training/tune.py` fitted them.
"""

import tomllib
from functools import cache
from importlib.resources import files
from typing import Any, Final

import numpy as np

from fujikoro_agents.scripted.acting import plan_of
from fujikoro_agents.scripted.hunting import hits_of
from fujikoro_agents.scripted.known_fights import no_fights
from fujikoro_agents.scripted.needs import card_in, fits_board, is_open_blueprint, is_open_card, missing_actions
from fujikoro_agents.scripted.paths import DISTANCE, WAYS, moves_for
from fujikoro_agents.scripted.plans import GOAL, NOWHERE, PLAN, RATE
from fujikoro_agents.scripted.running import TURN_WORTH, actions_until, find_ways_home, turns_left, turns_to_rope
from fujikoro_agents.scripted.skills import RUNNER
from fujikoro_agents.scripted.taking import scroll_worth
from fujikoro_env.kernel.jit import Floats, FloatTable, IntArray, IntTable, entry, rule
from fujikoro_env.kernel.masks import count_bits
from fujikoro_env.kernel.records import Records
from fujikoro_env.rules.base.names import ADVENTURES, GEARS, RESOURCE_KINDS, SPOTS, Gear, Outside, Reason
from fujikoro_env.rules.base.state import CARD_SLOTS, SCROLL_SLOTS, State
from fujikoro_env.rules.base.tables import Tables
from fujikoro_env.rules.characters.boards import completed_sandals
from fujikoro_env.rules.fights.attack import battle_initiative
from fujikoro_env.rules.fights.damage import strength
from fujikoro_env.rules.final.shogun import TRACKS, unclaimed
from fujikoro_env.rules.gear.cards import has_gear_card
from fujikoro_env.rules.gear.cells import filled_cells
from fujikoro_env.rules.move import steps_of
from fujikoro_env.rules.pack import free_slots

# Before the final chapter most features are worth more, the more turns are left, so they are scaled by the time left.
NAMES: Final = (
    "vp",
    "scoring_card",  # a weapon card that scores VP
    "helmet_card",
    "sandals_card",
    "helmet_progress",  # towards the nearest gear card
    "weapon_progress",
    "sandals_progress",
    "hits",  # expected hits per round of a fight
    "initiative",
    "helmet",  # hits that it absorbs
    "full_sandals",
    "wood",  # in the pack
    "metal",
    "tooth",
    "room",  # free slots in the pack
    "pool_monk",
    "scroll_monk",
    "weapon_monk",
    "pack_monk",
    "powers",  # worth of the scrolls' powers
    "tokens",  # adventure tokens
    "blueprints",  # owned blueprints: the palace bonus divided by the actions still needed
    "claims",  # VP that the palace would pay
    "discs",  # in the pool
    "next_deed",  # VP per action of the best plan from here
    "unconscious",
    "final_vp",  # from here on: features of the final chapter
    "outlook",  # VP expected from the palace and from the turns inside before it
    "final_discs",
    "final_deed",
    "down_and_in",  # unconscious, in the final chapter
    "time",  # the last two features make positions before and in the final chapter comparable
    "final_chapter",
)
FEATURES: Final = len(NAMES)
HABIT: Final = FEATURES  # index after the weights: margin by which an option must beat what the rung below would do
(
    VP,
    SCORING_CARD,
    HELMET_CARD,
    _SANDALS_CARD,
    PROGRESS,
    _WEAPON_PROGRESS,
    _SANDALS_PROGRESS,
    HITS,
    INITIATIVE,
    HELMET,
    FULL_SANDALS,
    PACK,
    _METAL,
    _TOOTH,
    ROOM,
    FIRST_MONK,
    _SCROLL_MONK,
    _WEAPON_MONK,
    _PACK_MONK,
    POWERS,
    TOKENS,
    BLUEPRINTS,
    CLAIMS,
    DISCS,
    NEXT_DEED,
    UNCONSCIOUS,
    FINAL_VP,
    OUTLOOK,
    FINAL_DISCS,
    FINAL_DEED,
    DOWN_AND_IN,
    TIME,
    FINAL_CHAPTER,
) = range(FEATURES)

TURNS_OF_FINAL: Final = 8
VP_A_TURN: Final = 2.0  # of the leader, roughly
MANY_TURNS: Final = 16.0
GOOD_RATE: Final = 3.0  # cap on the next deed's rate: otherwise preparing a better deed would always beat doing one
TURNS_OUTSIDE: Final = 5  # turns a player can expect outside, seen from before the final chapter


@cache
def read_weights(name: str = "weights.toml") -> Any:
    """Read the weights of all features and the habit margin; the file must name every one of them."""
    written = tomllib.loads(files("fujikoro_agents.scripted").joinpath(name).read_text())
    return np.array([written[feature] for feature in (*NAMES, "habit")], np.float32)


@rule
def evaluate(s: State, t: Tables, p: int, weights: Floats, known: IntTable) -> float:
    """Return the estimated final VP of player `p`. `known`: memory of estimated fights."""
    features: Any = np.zeros(FEATURES, np.float32)
    write_features(s, t, p, features, known)
    total = 0.0
    for k in range(FEATURES):
        total += weights[k] * features[k]
    return total


@entry
def features_of_games(
    games: Records[State], tables: Records[Tables], chosen: IntArray, players: IntArray, features: FloatTable
) -> None:
    """Write the features of each chosen game, seen by one of its players, to one row of `features`."""
    known = no_fights()
    for k in range(len(chosen)):
        for column in range(FEATURES):
            features[k][column] = 0.0
        write_features(games[chosen[k]], tables[0], players[k], features[k], known)


@rule
def write_features(s: State, t: Tables, p: int, features: Floats, known: IntTable) -> None:
    """Write the features of player `p`'s position; the array must hold zeros before."""
    if s.final_player == 0:
        write_features_before(s, t, p, turns_to_come(s, p) / MANY_TURNS, features)
        features[NEXT_DEED] = rate_from_here(s, t, p, known)
    else:
        write_features_in_final(s, t, p, features, known)


@rule
def write_features_in_final(s: State, t: Tables, p: int, features: Floats, known: IntTable) -> None:
    """Write the features of a position in the final chapter."""
    me = s.players[p]
    features[FINAL_VP] = me.vp
    features[FINAL_CHAPTER] = 1.0
    features[OUTLOOK] = outlook(s, t, p)
    if me.outside == Outside.INSIDE and s.reason == Reason.PLAYING:
        features[FINAL_DISCS] = me.pool
        features[FINAL_DEED] = rate_from_here(s, t, p, known)
        features[DOWN_AND_IN] = me.unconscious


@rule
def write_features_before(s: State, t: Tables, p: int, time: float, features: Floats) -> None:
    """Write the features of a position before the final chapter, apart from the next deed; `time`: the share of the
    game that is left."""
    me = s.players[p]
    features[VP] = me.vp
    features[TIME] = time
    write_gear(s, t, p, time, features)
    write_cards(s, t, p, time, features)
    for kind in range(RESOURCE_KINDS):
        features[PACK + kind] = me.pack[kind] * time
    features[ROOM] = min(3, free_slots(s, p)) * time
    for spot in range(SPOTS):
        features[FIRST_MONK + spot] = me.monks[spot] * time
    for slot in range(SCROLL_SLOTS):
        if me.scrolls[slot] != 0:
            features[POWERS] += scroll_worth(t, int(me.scrolls[slot])) * time
    for kind in range(ADVENTURES):
        features[TOKENS] += me.adventures[kind] * time
    features[CLAIMS] = claims_of(s, t, p, TURNS_OUTSIDE)
    features[DISCS] = me.pool
    features[UNCONSCIOUS] = me.unconscious


@rule
def turns_to_come(s: State, p: int) -> float:
    """Estimate the number of turns left from the VP of the other players: a player's own VP must not count against
    it."""
    leader = 0
    for q in range(s.settings.players):
        if q != p:
            leader = max(leader, int(s.players[q].vp))
    turns = TURNS_OF_FINAL + max(0, s.settings.final_at - leader) / VP_A_TURN
    return min(turns, s.settings.max_rounds - s.round_number + 1.0)


@rule
def write_gear(s: State, t: Tables, p: int, time: float, features: Floats) -> None:
    """Write the features of the gear's strength."""
    me = s.players[p]
    features[HITS] = hits_of(t, me) * time
    features[INITIATIVE] = battle_initiative(s, t, p) * time
    features[HELMET] = strength(me.gear[Gear.HELMET]) * time
    if count_bits(filled_cells(me.gear[Gear.SANDALS])) >= completed_sandals(me):
        features[FULL_SANDALS] = time


@rule
def write_cards(s: State, t: Tables, p: int, time: float, features: Floats) -> None:
    """Write the features of gear cards and blueprints, owned or in progress."""
    me = s.players[p]
    for gear in range(GEARS):
        if has_gear_card(me, gear):
            if gear == Gear.WEAPON:
                features[SCORING_CARD] = time if me.looks == 0 else 0.0
            else:
                features[HELMET_CARD + gear // 2] = time
    for slot in range(GEARS * CARD_SLOTS):
        gear = slot // CARD_SLOTS
        if is_open_card(s, p, slot) and fits_board(me, gear, card_in(s, t, slot, False), False):
            progress = time / missing_actions(me, gear, card_in(s, t, slot, False))
            features[PROGRESS + gear] = max(float(features[PROGRESS + gear]), progress)
        if is_open_blueprint(s, p, slot) and fits_board(me, gear, card_in(s, t, slot, True), True):
            prize = t.palace[gear, s.palace[gear]] + 0.0
            features[BLUEPRINTS] += prize / missing_actions(me, gear, card_in(s, t, slot, True))


@rule
def rate_from_here(s: State, t: Tables, p: int, known: IntTable) -> float:
    """Return the VP per action of the best plan from here, at most GOOD_RATE."""
    plan: Any = np.empty(PLAN, np.float32)
    plan_of(s, t, p, RUNNER, 0, plan, known)
    return min(GOOD_RATE, float(plan[RATE])) if plan[GOAL] != NOWHERE else 0.0


# --- the palace -----------------------------------------------------------------------------------------------------


@rule
def outlook(s: State, t: Tables, p: int) -> float:
    """Estimate the VP still to come in the final chapter: turns inside, then what the palace pays."""
    if s.reason != Reason.PLAYING:
        return 0.0
    left = turns_left(s, t, p)
    if s.players[p].outside != Outside.INSIDE:
        return claims_of(s, t, p, left)
    best, out = TURN_WORTH * left, first_turn_out(s, t, p, left)
    for turn in range(out, left + 1):
        best = max(best, TURN_WORTH * (turn - 1) + claims_of(s, t, p, left - turn + 1))
    return best


@rule
def first_turn_out(s: State, t: Tables, p: int, left: int) -> int:
    """The earliest turn at whose end the player can be on the rope; a turn beyond the last one if it can't."""
    home: Any = np.empty(WAYS, np.int64)
    if not find_ways_home(s, t, p, left, home):
        return left + 1
    moves, turn = moves_for(home[DISTANCE + s.players[p].at], 0, steps_of(s, t, p)), turns_to_rope(s, t, p)
    while turn <= left and actions_until(s, p, turn) < moves:
        turn += 1
    return turn


@rule
def claims_of(s: State, t: Tables, p: int, turns: int) -> float:
    """VP from the palace with this many turns outside (SHOG-1, SHOG-4): the best bonuses first, the rest at the lowest
    value."""
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
    """VP of one more bonus of a track, beyond its lowest value."""
    if taken >= unclaimed(s, p, track):
        return 0
    last = t.palace_length[track] - 1
    return t.palace[track, min(last, s.palace[track] + taken)] - t.palace[track, last]
