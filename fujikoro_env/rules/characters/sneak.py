"""CHAR-72 to CHAR-74: Daisuke's quiet ways past samurai and dragons.

`use(sneak)` at a MOVE question makes the next step a quiet one: SNEAK_NEXT in its `stage`, and SNEAKING once he stands
where the move can't end.
"""

from typing import Any

import numpy as np

from fujikoro_env.content.model import ADVENTURE_POWERS
from fujikoro_env.kernel.jit import Words, rule
from fujikoro_env.kernel.masks import allow
from fujikoro_env.rules.base.actions import CHARACTER_POWERS, ITEM_SCROLL, THROW, USE
from fujikoro_env.rules.base.counters import VpSource
from fujikoro_env.rules.base.frames import pop, push, top
from fujikoro_env.rules.base.names import Character, Mode
from fujikoro_env.rules.base.phases import Phase
from fujikoro_env.rules.base.state import SCROLL_SLOTS, Frame, State
from fujikoro_env.rules.base.tables import Tables
from fujikoro_env.rules.map.board import dragon_on_tile_of, is_full, is_lava, is_open, is_safe, stands_on
from fujikoro_env.rules.map.geometry import SPACES
from fujikoro_env.rules.pack import allow_throws, can_make_room, free_slots, is_throw, scrolls_of, throw_away
from fujikoro_env.rules.powers.holdings import FIRST_TOKEN
from fujikoro_env.rules.scroll import gain_scroll, may_replace

USE_CHARACTER = USE + FIRST_TOKEN + len(ADVENTURE_POWERS)  # the characters' powers follow the tokens
USE_JUMP = USE_CHARACTER + CHARACTER_POWERS.index("jump")
USE_STEAL = USE_CHARACTER + CHARACTER_POWERS.index("steal")
USE_SNEAK = USE_CHARACTER + CHARACTER_POWERS.index("sneak")
# In `stage` of MOVE, beside ON_CARD, which has too few steps for any of these.
JUMPED, STOLEN, SNEAK_NEXT, SNEAKING = 2, 4, 8, 16


@rule
def walk(s: State, t: Tables, p: int, start: int, most: int) -> Any:
    """By space: 1 + the steps from a space to it, 0 if it takes more than `most`; not over lava or full spaces, but
    past dragons and samurai. Breadth first; rare, for Daisuke alone walks so."""
    reached: Any = np.zeros(SPACES, np.int64)
    queue = np.zeros(SPACES, np.int64)
    queue[0] = start
    reached[start] = 1
    head, tail = 0, 1
    while head < tail:
        here = queue[head]
        head += 1
        if reached[here] > most:
            continue
        for k in range(t.neighbour_count[here]):
            there = t.neighbours[here, k]
            if reached[there] == 0 and is_open(s, there) and not is_lava(s, there) and not is_full(s, p, there):
                reached[there] = reached[here] + 1
                queue[tail] = there
                tail += 1
    return reached


@rule
def samurai_to_pass(s: State, p: int, space: int) -> int:
    """The conscious samurai on a space where it could be fought, or -1 (MOVE-6, DUEL-9)."""
    if s.settings.peaceful != 0 or s.settings.mode != Mode.COMPETITIVE or is_safe(space):
        return -1
    for other in range(s.settings.players):
        if other != p and stands_on(s, other, space) and s.players[other].unconscious == 0:
            return other
    return -1


@rule
def is_watched(s: State, t: Tables, p: int, space: int) -> bool:
    """A dragon or a samurai is there that can be sneaked past."""
    return dragon_on_tile_of(s, t, space) != 0 or samurai_to_pass(s, p, space) >= 0


@rule
def may_sneak_onto(s: State, t: Tables, frame: Frame, space: int) -> bool:
    """CHAR-72: if the move need not end with them: within the steps left there is a space without any."""
    p = frame.actor
    if not is_open(s, space) or is_lava(s, space) or is_full(s, p, space) or not is_watched(s, t, p, space):
        return False
    reached = walk(s, t, p, space, frame.left - 1)
    for there in range(SPACES):
        if reached[there] != 0 and not is_watched(s, t, p, there):
            return True
    return False


@rule
def may_sneak(s: State, t: Tables, frame: Frame) -> bool:
    if s.players[frame.actor].character != Character.DAISUKE or frame.stage & SNEAK_NEXT != 0:
        return False
    here = s.players[frame.actor].at
    for k in range(t.neighbour_count[here]):
        if may_sneak_onto(s, t, frame, t.neighbours[here, k]):
            return True
    return False


@rule
def may_rob(s: State, frame: Frame) -> bool:
    """CHAR-73: the samurai that he passes has a scroll, and there is or can be made room for it; once per move."""
    if frame.stage & SNEAKING == 0 or frame.stage & STOLEN != 0:
        return False
    p = frame.actor
    other = samurai_to_pass(s, p, s.players[p].at)
    if other < 0 or scrolls_of(s.players[other]) == 0:
        return False
    return can_make_room(s, p) or may_replace(s, s.players[p])


@rule
def begin_theft(s: State) -> None:
    frame = top(s)
    frame.stage |= STOLEN
    other = samurai_to_pass(s, frame.actor, s.players[frame.actor].at)
    push(s, Phase.THEFT, frame.actor).thing = other


@rule
def legal_theft(s: State, mask: Words) -> None:
    """Which scroll; room for its token is made first, unless a scroll may be replaced instead."""
    frame = top(s)
    p = frame.actor
    if free_slots(s, p) == 0:
        allow_throws(s, p, mask)
        if not may_replace(s, s.players[p]):
            return
    for slot in range(SCROLL_SLOTS):
        if s.players[frame.thing].scrolls[slot] != 0:
            allow(mask, ITEM_SCROLL + slot)


@rule
def do_theft(s: State, action: int) -> None:
    frame = top(s)
    p, victim = frame.actor, frame.thing
    if is_throw(action):
        throw_away(s, p, action - THROW)
        return
    pop(s)
    steal_scroll(s, p, victim, action - ITEM_SCROLL, VpSource.SCROLLS_STOLEN)


@rule
def steal_scroll(s: State, p: int, loser: int, slot: int, source: int) -> None:
    """DUEL-7, CHAR-73: as gathering a scroll; the victim loses no VP."""
    victim = s.players[loser]
    card, colour = victim.scrolls[slot], victim.scroll_colours[slot]
    victim.scrolls[slot] = 0
    victim.scroll_colours[slot] = 0
    gain_scroll(s, p, card, colour, source)
