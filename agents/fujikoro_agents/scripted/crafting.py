"""Answers of a smith at a rest: build what is worth most, and place cubes that the pack has no room for."""

from typing import Any, Final

import numpy as np

from fujikoro_agents.scripted.acting import NO_ANSWER
from fujikoro_agents.scripted.hunting import kind_for_arms
from fujikoro_agents.scripted.needs import (
    CARD_WORTH,
    blueprint_worth,
    card_in,
    fits_board,
    is_open_blueprint,
    is_open_card,
    wish_for,
)
from fujikoro_agents.scripted.skills import HUNTS
from fujikoro_agents.scripted.taking import first_throw
from fujikoro_agents.scripted.wishes import write_wishes
from fujikoro_agents.scripted.wishes_list import WISHES
from fujikoro_env.kernel.jit import Floats, Words, rule
from fujikoro_env.kernel.masks import allows, count_bits
from fujikoro_env.rules.base import actions as act
from fujikoro_env.rules.base.frames import top
from fujikoro_env.rules.base.names import DISC_FIELDS, GEARS, RESOURCE_KINDS, Disc, Gear
from fujikoro_env.rules.base.state import CARD_SLOTS, GEAR_CELLS, State
from fujikoro_env.rules.base.tables import Tables
from fujikoro_env.rules.gear.craft import cells_to_lay
from fujikoro_env.rules.pack import free_slots

CARDS: Final = GEARS * CARD_SLOTS
CROWDED: Final = 1  # free slots in the pack at or below which cubes are put on gear that will need them

# Fields for a gear card, best first: a weapon card pays with every move, and an extra step helps after another action.
PLACES_OF_CARDS: Final = (
    (Disc.EXPLORE + 0, Disc.GATHER + 0, Disc.MOVE + 0),
    (Disc.MOVE + 0, Disc.EXPLORE + 0, Disc.GATHER + 0),
    (Disc.GATHER + 0, Disc.EXPLORE + 0, Disc.MOVE + 0),
)


@rule
def answer_rest(s: State, t: Tables, mask: Words, skills: int) -> int:
    """Build the best card possible; otherwise put cubes on gear that will need them, or that they make stronger."""
    build = best_build(s, mask, skills)
    if build != NO_ANSWER:
        return build
    wishes: Any = np.empty(WISHES, np.float32)
    write_wishes(s, t, int(top(s).actor), skills, wishes)
    for k in range(GEARS):
        gear = (Gear.WEAPON + k) % GEARS
        if allows(mask, act.CRAFT + gear) and kind_to_add(s, t, int(top(s).actor), gear, skills, wishes) >= 0:
            return act.CRAFT + gear
    return first_of(mask, act.DONE)


@rule
def kind_to_add(s: State, t: Tables, p: int, gear: int, skills: int, wishes: Floats) -> int:
    """A kind of cube in the pack to add to a gear that is not rebuilt; -1 if there is none."""
    if cells_to_lay(s.players[p], gear) == 0:
        return -1
    if free_slots(s, p) <= CROWDED:
        kind = kind_to_lay(s, t, p, gear)
        if kind >= 0:
            return kind
    return kind_for_arms(s.players[p], gear, wishes) if skills & HUNTS != 0 else -1


@rule
def first_of(mask: Words, action: int) -> int:
    """The action if it is legal, else NO_ANSWER."""
    return action if allows(mask, action) else NO_ANSWER


@rule
def best_build(s: State, mask: Words, skills: int) -> int:
    """The most valuable card or blueprint that can be built now, or NO_ANSWER."""
    best, most = NO_ANSWER, 0.0
    for slot in range(CARDS):
        gear = slot // CARD_SLOTS
        if allows(mask, act.BUILD + slot) and is_open_card(s, int(top(s).actor), slot) and CARD_WORTH[gear] > most:
            best, most = act.BUILD + slot, CARD_WORTH[gear]
        if allows(mask, act.BUILD_BLUEPRINT + slot) and blueprint_worth(gear, skills) > most:
            best, most = act.BUILD_BLUEPRINT + slot, blueprint_worth(gear, skills)
    return best


@rule
def kind_to_lay(s: State, t: Tables, p: int, gear: int) -> int:
    """A kind of cube in the pack of which a pattern for this gear needs more; -1 if there is none."""
    for slot in range(gear * CARD_SLOTS, (gear + 1) * CARD_SLOTS):
        if is_open_blueprint(s, p, slot):
            kind = kind_for(s, t, p, slot, True)
            if kind >= 0:
                return kind
        if is_open_card(s, p, slot):
            kind = kind_for(s, t, p, slot, False)
            if kind >= 0:
                return kind
    return -1


@rule
def kind_for(s: State, t: Tables, p: int, slot: int, is_blueprint: bool) -> int:
    """A kind of cube in the pack of which the card's pattern needs more; -1 if there is none."""
    card, gear, me = card_in(s, t, slot, is_blueprint), slot // CARD_SLOTS, s.players[p]
    if not fits_board(me, gear, card, is_blueprint):
        return -1
    for kind in range(RESOURCE_KINDS):
        if me.pack[kind] > 0 and count_bits(me.gear[gear].cubes[kind]) < card.needs[kind]:
            return kind
    return -1


@rule
def answer_craft_lay(s: State, t: Tables, mask: Words, skills: int) -> int:
    """Build more with the same gear if possible, then add cubes that it will need, then finish."""
    frame = top(s)
    build = best_build(s, mask, skills)
    if build != NO_ANSWER:
        return build
    p, gear = int(frame.actor), int(frame.thing)
    for kind in range(RESOURCE_KINDS):  # cubes that were lifted go back: otherwise some would be lost as waste
        if frame.offer[kind] > 0:
            lay = first_lay(mask, kind, gear)
            if lay != NO_ANSWER:
                return lay
    wishes: Any = np.empty(WISHES, np.float32)
    write_wishes(s, t, p, skills, wishes)
    kind = kind_to_add(s, t, p, gear, skills, wishes)
    lay = first_lay(mask, kind, gear) if kind >= 0 else NO_ANSWER
    return lay if lay != NO_ANSWER else act.DONE + 0


@rule
def first_lay(mask: Words, kind: int, gear: int) -> int:
    """The first legal cell for a kind of cube, or NO_ANSWER."""
    first = act.LAY + kind * act.CELLS + act.FIRST_CELL[gear]
    for cell in range(GEAR_CELLS[gear]):
        if allows(mask, first + cell):
            return first + cell
    return NO_ANSWER + 0


@rule
def answer_setup_cubes(mask: Words) -> int:
    """Place the first cubes in a row from the upper left: this makes the weapon long."""
    for kind in range(RESOURCE_KINDS):
        for gear in range(GEARS):
            lay = first_lay(mask, kind, gear)
            if lay != NO_ANSWER:
                return lay
    return NO_ANSWER + 0


@rule
def answer_craft_way(mask: Words) -> int:
    """Add to the gear if possible, otherwise rebuild it."""
    return act.ADD if allows(mask, act.ADD) else act.REBUILD + 0


@rule
def answer_claim_card(mask: Words) -> int:
    """Claim the most valuable card."""
    best, most = NO_ANSWER, 0.0
    for slot in range(CARDS):
        if allows(mask, act.CARD + slot) and CARD_WORTH[slot // CARD_SLOTS] > most:
            best, most = act.CARD + slot, CARD_WORTH[slot // CARD_SLOTS]
    return best


@rule
def answer_place_card(s: State, mask: Words) -> int:
    """Choose the field of a gear card, in a fixed order of preference."""
    gear = top(s).thing // CARD_SLOTS
    for k in range(DISC_FIELDS):
        if allows(mask, act.MOVE + PLACES_OF_CARDS[gear][k]):
            return act.MOVE + PLACES_OF_CARDS[gear][k]
    return NO_ANSWER + 0


@rule
def answer_blueprints(s: State, t: Tables, mask: Words, skills: int) -> int:
    """Take the blueprint that is worth most; leave those that are of no use."""
    p, best, most = int(top(s).actor), NO_ANSWER, 0.0
    for slot in range(CARDS):
        if allows(mask, act.BLUEPRINT + slot):
            worth = wish_for(s, t, p, slot, skills)
            if worth > most:
                best, most = act.BLUEPRINT + slot, worth
    if best != NO_ANSWER:
        return best
    return act.DONE if allows(mask, act.DONE) else first_throw(mask)
