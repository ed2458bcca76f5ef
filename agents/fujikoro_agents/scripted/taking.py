"""Answers about gathering: what to take, and where it goes (tokens, monks, scrolls, the pack)."""

from typing import Any, Final

import numpy as np

from fujikoro_agents.scripted.acting import NO_ANSWER
from fujikoro_agents.scripted.plans import token_worth
from fujikoro_agents.scripted.wishes import write_wishes
from fujikoro_agents.scripted.wishes_list import (
    ADVENTURE,
    CUBES,
    EXTRA,
    MONK,
    NEED,
    SCROLL,
    SPOILS,
    STOCK,
    TEMPLE,
    WISHES,
)
from fujikoro_env.kernel.jit import Floats, Words, rule
from fujikoro_env.kernel.masks import allows
from fujikoro_env.rules.base import actions as act
from fujikoro_env.rules.base.frames import top
from fujikoro_env.rules.base.names import FINDS, RESOURCE_KINDS, Find, Spot
from fujikoro_env.rules.base.state import SCROLL_DISPLAY, SCROLL_SLOTS, State
from fujikoro_env.rules.base.tables import Tables
from fujikoro_env.rules.map.geometry import FIRST_TEMPLE

SPOT_ORDER: Final = (Spot.POOL + 0, Spot.PACK + 0, Spot.WEAPON + 0, Spot.SCROLL + 0, Spot.CARRIED + 0)

# Worth of a scroll's power, by ScrollPower.
POWER_WORTH: Final = (2, 6, 8, 3, 3, 4, 4, 3, 5, 4, 6, 4, 5, 5, 1, 7)
UNKNOWN_WORTH: Final = 4  # of the unseen card on top of the deck


@rule
def answer_find(s: State, t: Tables, mask: Words, skills: int) -> int:
    """Choose the find that is worth most of everything on the space."""
    frame = top(s)
    wishes: Any = np.empty(WISHES, np.float32)
    write_wishes(s, t, int(frame.actor), skills, wishes)
    best, most = NO_ANSWER, -1.0
    for find in range(FINDS):
        if allows(mask, act.FIND + find):
            worth = find_worth(s, t, find, int(frame.at), wishes)
            if worth > most:
                best, most = act.FIND + find, worth
    return best


@rule
def find_worth(s: State, t: Tables, find: int, space: int, wishes: Floats) -> float:
    """Worth of one kind of find on a space."""
    if find == Find.RESOURCES:
        return token_worth(s, t, space, wishes)
    if find == Find.STOCK:
        return float(wishes[STOCK])
    if find == Find.SCROLL:
        return float(wishes[SCROLL])
    if find == Find.MONK:
        return float(wishes[MONK])
    if find == Find.BLUEPRINT:
        return float(wishes[TEMPLE + space - FIRST_TEMPLE])
    return float(wishes[ADVENTURE]) if find == Find.ADVENTURE else float(wishes[SPOILS])


@rule
def answer_take(s: State, t: Tables, mask: Words, skills: int) -> int:
    """Take everything if possible, otherwise the most valuable kind first. If the pack is full, throw away what is not
    needed to make room for what is."""
    if allows(mask, act.TAKE_ALL):
        return act.TAKE_ALL + 0
    wishes: Any = np.empty(WISHES, np.float32)
    write_wishes(s, t, int(top(s).actor), skills, wishes)
    best, most = NO_ANSWER, -1.0
    for kind in range(RESOURCE_KINDS):
        if allows(mask, act.TAKE + kind) and wishes[CUBES + kind] + wishes[EXTRA + kind] > most:
            best, most = act.TAKE + kind, float(wishes[CUBES + kind] + wishes[EXTRA + kind])
    if best != NO_ANSWER:
        return best
    if allows(mask, act.DONE) and not is_need_offered(s, wishes):
        return act.DONE + 0
    return least_throw(mask, wishes)


@rule
def is_need_offered(s: State, wishes: Floats) -> bool:
    """Whether a cube that is needed is among the offered ones."""
    for kind in range(RESOURCE_KINDS):
        if top(s).offer[kind] > 0 and wishes[NEED + kind] > 0:
            return True
    return False


@rule
def least_throw(mask: Words, wishes: Floats) -> int:
    """Throw away the resource that is worth least."""
    best, least = NO_ANSWER, 1000.0
    for kind in range(RESOURCE_KINDS):
        worth = wishes[CUBES + kind] + wishes[EXTRA + kind]
        if allows(mask, act.THROW + kind) and worth < least:
            best, least = act.THROW + kind, float(worth)
    return best if best != NO_ANSWER else act.DONE + 0


@rule
def first_throw(mask: Words) -> int:
    """Throw away the first resource allowed, in the order wood, metal, tooth."""
    for kind in range(RESOURCE_KINDS):
        if allows(mask, act.THROW + kind):
            return act.THROW + kind
    return NO_ANSWER


@rule
def answer_monk_spot(mask: Words) -> int:
    """Choose a spot for a monk, in a fixed order of preference."""
    for k in range(len(SPOT_ORDER)):
        if allows(mask, act.MONK + SPOT_ORDER[k]):
            return act.MONK + SPOT_ORDER[k]
    return first_throw(mask)


@rule
def scroll_worth(t: Tables, card: int) -> int:
    """Worth of a scroll card's power."""
    return POWER_WORTH[t.scroll_power[card - 1]]


@rule
def answer_scroll_card(s: State, t: Tables, mask: Words) -> int:
    """Take the best open card, or the top of the deck if the open ones are poor; make room first if needed."""
    best, most = NO_ANSWER, 0
    for k in range(SCROLL_DISPLAY):
        if allows(mask, act.SCROLL + k) and scroll_worth(t, int(s.scroll_display[k])) > most:
            best, most = act.SCROLL + k, scroll_worth(t, int(s.scroll_display[k]))
    if allows(mask, act.SCROLL_DECK) and most < UNKNOWN_WORTH:
        return act.SCROLL_DECK + 0
    return best if best != NO_ANSWER else first_throw(mask)


@rule
def answer_scroll_slot(s: State, t: Tables, mask: Words) -> int:
    """Choose a free slot, or that of the poorest card."""
    me = s.players[top(s).actor]
    best, least = NO_ANSWER, 1000
    for slot in range(SCROLL_SLOTS):
        if allows(mask, act.SLOT + slot):
            worth = scroll_worth(t, int(me.scrolls[slot])) if me.scrolls[slot] != 0 else 0
            if worth < least:
                best, least = act.SLOT + slot, worth
    return best
