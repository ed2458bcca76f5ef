"""The band: a team of scripted samurai in co-op and solo games, by the errands of each."""

from typing import Any, Final

import numpy as np

from fujikoro_agents.scripted.acting import NO_ANSWER, answer_explore_turn, answer_halves, first_allowed
from fujikoro_agents.scripted.band_weights import WEIGHT_COUNT, Weight, weight_of, write_weights
from fujikoro_agents.scripted.dangers import must_flee_soon
from fujikoro_agents.scripted.errands import (
    ERRAND,
    EXPLORES,
    GATHERS,
    HIDES,
    MAY_REST,
    PLACE_WORTH,
    WORTHS,
    Member,
    errand_of,
    gather_worth,
    is_last_action,
    steps_left,
    token_worth,
    write_worths,
)
from fujikoro_agents.scripted.fighting import answer_fight_by_reason, is_of_fight
from fujikoro_agents.scripted.forge import (
    COMPLETES_SANDALS,
    answer_craft_lay,
    answer_craft_way,
    answer_rest,
    answer_setup_cubes,
    answer_waste,
    can_claim,
    worth_of_craft,
)
from fujikoro_agents.scripted.odds import TRIALS
from fujikoro_agents.scripted.plans import DEED, FAR, GOAL, NOWHERE, STEP_THERE
from fujikoro_agents.scripted.team import NONE, is_fit_to_leave, is_useful, legend_of, needed, target_of, wants
from fujikoro_agents.scripted.wishes_list import TEMPLE
from fujikoro_env.kernel.jit import Floats, Words, rule
from fujikoro_env.kernel.masks import allows
from fujikoro_env.rules.base import actions as act
from fujikoro_env.rules.base.frames import top
from fujikoro_env.rules.base.names import (
    DISC_FIELDS,
    FINDS,
    GEARS,
    RESOURCE_KINDS,
    SPOTS,
    Adventure,
    Cube,
    Disc,
    Find,
    Gear,
    ScrollPower,
    Spot,
)
from fujikoro_env.rules.base.phases import Phase
from fujikoro_env.rules.base.state import CARD_SLOTS, SCROLL_DISPLAY, State
from fujikoro_env.rules.base.tables import Tables
from fujikoro_env.rules.coop.coop import is_coop
from fujikoro_env.rules.final.score import has_vp
from fujikoro_env.rules.map.board import is_inside
from fujikoro_env.rules.map.geometry import FIRST_TEMPLE, PLACES, SPACES
from fujikoro_env.rules.pack import free_slots
from fujikoro_env.rules.powers.holdings import FIRST_TOKEN, USE_TOKEN
from fujikoro_env.rules.powers.powers import is_in_reach

FEW_DISCS: Final = 2  # one of them for this action, and too few are left to flee
SPARE: Final = 1  # cube of each kind to carry, beside those of a helmet
METAL_CARD: Final = 0.5  # more for a helmet card that brings metal
DRAW_BELOW: Final = 4.0  # open scrolls that are worth less: the top of the deck is better


@rule
def plays_as_band(s: State) -> bool:
    """In co-op and solo games. A ronin plays for VP, as competitive players do (SCEN-81)."""
    return is_coop(s) and not has_vp(s)


@rule
def answer_of_band(s: State, t: Tables, mask: Words) -> int:
    weights: Any = np.empty(WEIGHT_COUNT, np.float32)
    write_weights(s, weights)
    return answer_by_band_weights(s, t, weights, mask)


@rule
def answer_by_band_weights(s: State, t: Tables, weights: Floats, mask: Words) -> int:
    phase = top(s).phase
    if is_of_fight(phase):
        return answer_in_fight(s, t, mask)
    match phase:
        case Phase.ACTION:
            return answer_action(s, t, weights, mask)
        case Phase.MOVE:
            return answer_move(s, t, weights, mask)
        case Phase.HALVES:
            return answer_halves(s, mask)
        case Phase.EXPLORE_PLACE | Phase.EXPLORE_MORE:
            return answer_explore_place(s, t, weights, mask)
        case Phase.EXPLORE_TURN:
            return answer_explore_turn(s, t)
        case Phase.FIND | Phase.FIND_SPACE | Phase.TAKE | Phase.BLUEPRINTS | Phase.SCROLL_CARD | Phase.MONK_SPOT:
            return answer_gathering(s, t, weights, mask)
        case Phase.REST | Phase.CRAFT_WAY | Phase.CRAFT_LAY | Phase.WASTE | Phase.SETUP_CUBES:
            return answer_forge(s, t, mask)
        case Phase.TAKE_CARD | Phase.CLAIM_CARD | Phase.PLACE_CARD:
            return answer_card(s, t, weights, mask)
    return answer_of_group(s, t, mask)


@rule
def answer_forge(s: State, t: Tables, mask: Words) -> int:
    match top(s).phase:
        case Phase.REST:
            return answer_rest(s, t, mask)
        case Phase.CRAFT_WAY:
            return answer_craft_way(s, t, mask)
        case Phase.CRAFT_LAY:
            return answer_craft_lay(s, t, mask)
        case Phase.WASTE:
            return answer_waste(mask)
    return answer_setup_cubes(s, t, mask)


# --- actions --------------------------------------------------------------------------------------------------------


@rule
def answer_action(s: State, t: Tables, weights: Floats, mask: Words) -> int:
    p = int(top(s).actor)
    power = answer_power(s, t, p, mask)
    if power != NO_ANSWER:
        return power
    errand: Any = np.zeros(ERRAND, np.float32)
    errand_of(s, t, weights, p, 0, errand)
    flees = errand[FAR] > 0 and s.players[p].pool > 0 and (errand[DEED] == HIDES or errand[MAY_REST] == 0.0)
    if allows(mask, act.REST) and not flees and (s.players[p].pool == 0 or is_time_to_craft(s, t, p)):
        return act.REST + 0
    if (
        allows(mask, act.REST)
        and is_last_action(s)
        and s.players[p].pool <= FEW_DISCS
        and must_flee_soon(s, t, weights, p)
    ):
        return act.REST + 0
    if errand[GOAL] == NOWHERE:
        return first_allowed(mask, act.REST, act.MOVE)
    if errand[FAR] > 0:
        return first_allowed(mask, act.MOVE, act.REST)
    if errand[DEED] == EXPLORES:
        return first_allowed(mask, act.EXPLORE, act.MOVE)
    if errand[DEED] == GATHERS:
        return first_allowed(mask, act.GATHER, act.MOVE)
    return first_allowed(mask, act.REST, act.MOVE)


@rule
def is_time_to_craft(s: State, t: Tables, p: int) -> bool:
    """Before the discs are out: something becomes magic, a gear card can be claimed, or the pack is full of cubes that
    find a place."""
    for gear in range(GEARS):
        worth = worth_of_craft(s, t, p, gear)
        if worth >= COMPLETES_SANDALS or (free_slots(s, p) == 0 and worth >= 3.0):
            return True
    return can_claim(s, t, p, Gear.HELMET) or can_claim(s, t, p, Gear.SANDALS)


@rule
def answer_power(s: State, t: Tables, p: int, mask: Words) -> int:
    """Powers that cost nothing: damage to dragons, two cubes, discs or a craft without a rest."""
    if allows(mask, act.USE + ScrollPower.DRAGON_BANE):
        return act.USE + ScrollPower.DRAGON_BANE
    if allows(mask, USE_TOKEN + Adventure.HARPOON) and is_in_reach(
        s, t, p, FIRST_TOKEN + Adventure.HARPOON, legends_place(s, t)
    ):
        return USE_TOKEN + Adventure.HARPOON
    if allows(mask, USE_TOKEN + Adventure.MERCHANT_CRATE) and free_slots(s, p) > 1:
        return USE_TOKEN + Adventure.MERCHANT_CRATE
    if allows(mask, USE_TOKEN + Adventure.SAKE_GOURD) and s.players[p].pool == 0 and not is_time_to_craft(s, t, p):
        return USE_TOKEN + Adventure.SAKE_GOURD
    if allows(mask, USE_TOKEN + Adventure.WHETSTONE) and is_time_to_craft(s, t, p):
        return USE_TOKEN + Adventure.WHETSTONE
    return NO_ANSWER + 0


@rule
def legends_place(s: State, t: Tables) -> int:
    """Where the legendary dragon is; PLACES, the start tile, while nobody knows: no harpoon reaches there."""
    place = s.dragons[legend_of(t)].place
    return place - 1 if place > 0 else PLACES


@rule
def answer_move(s: State, t: Tables, weights: Floats, mask: Words) -> int:
    errand: Any = np.zeros(ERRAND, np.float32)
    errand_of(s, t, weights, int(top(s).actor), steps_left(s, t), errand)
    if errand[GOAL] != NOWHERE and errand[FAR] > 0:
        return first_allowed(mask, act.STEP + int(errand[STEP_THERE]), act.DONE)
    return act.DONE if allows(mask, act.DONE) else NO_ANSWER


@rule
def answer_explore_place(s: State, t: Tables, weights: Floats, mask: Words) -> int:
    p = int(top(s).actor)
    worths: Any = np.zeros(WORTHS, np.float32)
    me = Member(p, weights, worths)
    write_worths(s, t, me)
    best, most = NO_ANSWER, -1.0
    if allows(mask, USE_TOKEN + Adventure.ANCIENT_MAP):
        return USE_TOKEN + Adventure.ANCIENT_MAP
    if allows(mask, act.DONE):
        best, most = act.DONE + 0, 0.0
    for place in range(PLACES):
        if allows(mask, act.PLACE + place) and worths[PLACE_WORTH + place] > most:
            best, most = act.PLACE + place, float(worths[PLACE_WORTH + place])
    return best


# --- gathering ------------------------------------------------------------------------------------------------------


@rule
def answer_gathering(s: State, t: Tables, weights: Floats, mask: Words) -> int:
    match top(s).phase:
        case Phase.FIND:
            return answer_find(s, t, weights, mask)
        case Phase.FIND_SPACE:
            return answer_find_space(s, t, weights, mask)
        case Phase.TAKE:
            return answer_take(s, t, mask)
        case Phase.BLUEPRINTS:
            return answer_blueprints(s, t, mask)
        case Phase.SCROLL_CARD:
            return answer_scroll_card(s, t, weights, mask)
    return answer_monk_spot(weights, mask)


@rule
def answer_find(s: State, t: Tables, weights: Floats, mask: Words) -> int:
    p, space = int(top(s).actor), int(top(s).at)
    worths: Any = np.zeros(WORTHS, np.float32)
    me = Member(p, weights, worths)
    write_worths(s, t, me)
    best, most = NO_ANSWER, -1.0
    for find in range(FINDS):
        if allows(mask, act.FIND + find):
            worth = 1.0
            if find == Find.RESOURCES:
                worth = token_worth(s, t, space, worths)
            elif find == Find.BLUEPRINT:
                worth = float(worths[TEMPLE + space - FIRST_TEMPLE])
            elif find == Find.MONK:
                worth = 3.0
            if worth > most:
                best, most = act.FIND + find, worth
    return best


@rule
def answer_find_space(s: State, t: Tables, weights: Floats, mask: Words) -> int:
    p = int(top(s).actor)
    worths: Any = np.zeros(WORTHS, np.float32)
    me = Member(p, weights, worths)
    write_worths(s, t, me)
    best, most = NO_ANSWER, -1.0
    for space in range(SPACES):
        if allows(mask, act.STEP + space):
            worth = gather_worth(s, t, me, space)
            if worth > most:
                best, most = act.STEP + space, worth
    return best


@rule
def answer_take(s: State, t: Tables, mask: Words) -> int:
    """What is needed first, then what is useful, then spares; what is left over makes room for it. One cube must be
    taken of a token."""
    p = int(top(s).actor)
    for k in range(RESOURCE_KINDS):
        kind = RESOURCE_KINDS - 1 - k
        if needed(s, t, p, kind) > 0:
            answer = take_or_make_room(s, t, p, kind, RESOURCE_KINDS, mask)
            if answer != NO_ANSWER:
                return answer
    for k in range(RESOURCE_KINDS):
        kind = RESOURCE_KINDS - 1 - k
        if is_useful(s, t, p, kind):
            answer = take_or_make_room(s, t, p, kind, kind, mask)
            if answer != NO_ANSWER:
                return answer
    for k in range(RESOURCE_KINDS):
        kind = RESOURCE_KINDS - 1 - k
        if allows(mask, act.TAKE + kind) and s.players[p].pack[kind] < spares(s, t, p, kind):
            return act.TAKE + kind
    if allows(mask, act.DONE):
        return act.DONE + 0
    for k in range(RESOURCE_KINDS):
        if allows(mask, act.TAKE + RESOURCE_KINDS - 1 - k):
            return act.TAKE + RESOURCE_KINDS - 1 - k
    return answer_waste(mask)


@rule
def spares(s: State, t: Tables, p: int, kind: int) -> int:
    """Cubes of a kind to carry though no gear has room for them: after a fight a helmet has to be made anew."""
    slot = target_of(s, t, p, Gear.HELMET)
    return SPARE + (t.blueprints[s.blueprints[slot].card - 1].needs[kind] if slot != NONE else 0)


@rule
def take_or_make_room(s: State, t: Tables, p: int, kind: int, below: int, mask: Words) -> int:
    """A cube of a kind that is offered; a full pack throws a cube for it of which it has more than is needed, of the
    kinds `below` one."""
    if allows(mask, act.TAKE + kind):
        return act.TAKE + kind
    if top(s).offer[kind] > 0 and s.supply[kind] > 0:
        return what_is_left_over(s, t, p, below, mask)
    return NO_ANSWER + 0


@rule
def what_is_left_over(s: State, t: Tables, p: int, below: int, mask: Words) -> int:
    """To throw: the cheapest of the kinds `below` one of which the pack has more than is needed."""
    for kind in range(below):
        if allows(mask, act.THROW + kind) and needed(s, t, p, kind) < 0:
            return act.THROW + kind
    return NO_ANSWER + 0


@rule
def answer_blueprints(s: State, t: Tables, mask: Words) -> int:
    p = int(top(s).actor)
    for k in range(GEARS):
        gear = GEARS - 1 - k
        slot = target_of(s, t, p, gear)
        if slot != NONE and wants(s, t, p, gear) and allows(mask, act.BLUEPRINT + slot):
            return act.BLUEPRINT + slot
    if allows(mask, act.DONE):
        return act.DONE + 0
    thrown = what_is_left_over(s, t, p, RESOURCE_KINDS, mask)
    return thrown if thrown != NO_ANSWER else answer_waste(mask)


@rule
def answer_scroll_card(s: State, t: Tables, weights: Floats, mask: Words) -> int:
    best, most = NO_ANSWER, 0.0
    for k in range(SCROLL_DISPLAY):
        if allows(mask, act.SCROLL + k):
            worth = weight_of(weights, Weight.EMBER_PATH + t.scroll_power[s.scroll_display[k] - 1])
            if worth > most:
                best, most = act.SCROLL + k, worth
    if allows(mask, act.SCROLL_DECK) and most < DRAW_BELOW:
        return act.SCROLL_DECK + 0
    return best if best != NO_ANSWER else answer_waste(mask)


@rule
def answer_monk_spot(weights: Floats, mask: Words) -> int:
    best, most = NO_ANSWER, 0.0
    for spot in range(SPOTS):
        if allows(mask, act.MONK + spot):
            worth = weight_of(weights, Weight.MONK_AT_POOL + spot)
            if worth > most:
                best, most = act.MONK + spot, worth
    if best != NO_ANSWER:
        return best
    return act.MONK + Spot.CARRIED if allows(mask, act.MONK + Spot.CARRIED) else answer_waste(mask)


# --- cards ----------------------------------------------------------------------------------------------------------


@rule
def answer_card(s: State, t: Tables, weights: Floats, mask: Words) -> int:
    if top(s).phase == Phase.PLACE_CARD:
        return answer_place_card(s, weights, mask)
    best, most = NO_ANSWER, -1.0
    for slot in range(GEARS * CARD_SLOTS):
        if allows(mask, act.CARD + slot):
            metal = t.gear_cards[s.gear_cards[slot].card - 1].resource == Cube.METAL + 1
            worth = weight_of(weights, Weight.HELMET_CARD + slot // CARD_SLOTS) + (METAL_CARD if metal else 0.0)
            if worth > most:
                best, most = act.CARD + slot, worth
    return best


@rule
def answer_place_card(s: State, weights: Floats, mask: Words) -> int:
    """A helmet card brings a cube with each action of its field, a sandals card a step; a look is best before one
    explores."""
    gear = top(s).thing // CARD_SLOTS
    if gear == Gear.WEAPON:
        return first_allowed(mask, act.MOVE + Disc.EXPLORE, act.MOVE + Disc.GATHER)
    first = Weight.CUBE_ON_MOVE if gear == Gear.HELMET else Weight.STEP_ON_MOVE
    best, most = NO_ANSWER, 0.0
    for field in range(DISC_FIELDS):
        if allows(mask, act.MOVE + field) and weight_of(weights, first + field) > most:
            best, most = act.MOVE + field, weight_of(weights, first + field)
    return best


# --- the group ------------------------------------------------------------------------------------------------------


@rule
def answer_in_fight(s: State, t: Tables, mask: Words) -> int:
    if top(s).phase == Phase.SHARE_TOOTH:
        return answer_share_tooth(s, t, mask)
    return answer_fight_by_reason(s, t, mask, TRIALS)


@rule
def answer_share_tooth(s: State, t: Tables, mask: Words) -> int:
    """To who needs it most."""
    best, choice = -1000, NO_ANSWER
    for k in range(s.settings.players):
        if allows(mask, act.PLAYER + k):
            p = (top(s).actor + k) % s.settings.players
            worth = 10 * needed(s, t, p, Cube.TOOTH) + free_slots(s, p)
            if worth > best:
                best, choice = worth, act.PLAYER + k
    return choice


@rule
def answer_of_group(s: State, t: Tables, mask: Words) -> int:
    match top(s).phase:
        case Phase.LEAVE:
            return act.YES if is_fit_to_leave(s, t, int(top(s).actor)) else act.NO
        case Phase.SWAP_CONSENT | Phase.CONSENT:
            return act.YES + 0
        case Phase.SWAP_GIVE | Phase.MOVE_OTHER:
            return act.DONE if allows(mask, act.DONE) else NO_ANSWER
        case Phase.DRAGON_TARGET:
            return answer_dragon_target(s, t, mask)
        case Phase.DRAGON_WAY:
            return answer_dragon_way(s, t, mask)
        case Phase.LOOK:
            return first_allowed(mask, act.STACK + 1, act.STACK + 2)
    return NO_ANSWER + 0


@rule
def answer_dragon_target(s: State, t: Tables, mask: Words) -> int:
    legend = act.PLACE + s.dragons[legend_of(t)].place - 1
    return legend if legend >= act.PLACE and allows(mask, legend) else NO_ANSWER


@rule
def answer_dragon_way(s: State, t: Tables, mask: Words) -> int:
    """Where nobody stands, if there is such a way."""
    best, most = NO_ANSWER, -1
    for place in range(PLACES + 1):
        if allows(mask, act.PLACE + place):
            nearest = 100
            for p in range(s.settings.players):
                if is_inside(s, p):
                    nearest = min(nearest, int(t.place_distance[s.players[p].at, place]))
            if nearest > most:
                best, most = act.PLACE + place, nearest
    return best
