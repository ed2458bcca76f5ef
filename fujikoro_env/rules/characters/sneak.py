"""CHAR-72 to CHAR-74: Daisuke sneaks past samurai and dragons.

`use(sneak)` during a MOVE makes the next step a quiet one: SNEAK_NEXT in its `stage`, then SNEAKING while he stands
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

USE_CHARACTER = USE + FIRST_TOKEN + len(ADVENTURE_POWERS)  # the characters' powers come after the tokens
USE_JUMP = USE_CHARACTER + CHARACTER_POWERS.index("jump")
USE_STEAL = USE_CHARACTER + CHARACTER_POWERS.index("steal")
USE_SNEAK = USE_CHARACTER + CHARACTER_POWERS.index("sneak")
# Bits in `stage` of MOVE, next to ON_CARD; a move with ON_CARD has too few steps for any of these.
JUMPED, STOLEN, SNEAK_NEXT, SNEAKING = 2, 4, 8, 16


@rule
def walk(s: State, t: Tables, p: int, start: int, most: int) -> Any:
    """Return, by space, 1 + the steps needed to reach it, or 0 if it takes more than `most`. The way leads past dragons
    and samurai, but not over lava or full spaces. This is a breadth-first search; it runs rarely, because only Daisuke
    needs it."""
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
    """Return the conscious samurai on a space where it could be fought, or -1 (MOVE-6, DUEL-9)."""
    if s.settings.peaceful != 0 or s.settings.mode != Mode.COMPETITIVE or is_safe(space):
        return -1
    for other in range(s.settings.players):
        if other != p and stands_on(s, other, space) and s.players[other].unconscious == 0:
            return other
    return -1


@rule
def is_watched(s: State, t: Tables, p: int, space: int) -> bool:
    """Whether there is a dragon or samurai to sneak past on a space."""
    return dragon_on_tile_of(s, t, space) != 0 or samurai_to_pass(s, p, space) >= 0


@rule
def may_sneak_onto(s: State, t: Tables, frame: Frame, space: int) -> bool:
    """Whether Daisuke may step quietly onto a space: a space without dragons and samurai must be within the remaining
    steps, so that the move can end there (CHAR-72)."""
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
    """Whether Daisuke can step quietly onto some adjacent space."""
    if s.players[frame.actor].character != Character.DAISUKE or frame.stage & SNEAK_NEXT != 0:
        return False
    here = s.players[frame.actor].at
    for k in range(t.neighbour_count[here]):
        if may_sneak_onto(s, t, frame, t.neighbours[here, k]):
            return True
    return False


@rule
def may_rob(s: State, frame: Frame) -> bool:
    """Whether Daisuke may steal a scroll from the samurai he passes: once per move, if there is or can be made room for
    it (CHAR-73)."""
    if frame.stage & SNEAKING == 0 or frame.stage & STOLEN != 0:
        return False
    p = frame.actor
    other = samurai_to_pass(s, p, s.players[p].at)
    if other < 0 or scrolls_of(s.players[other]) == 0:
        return False
    return can_make_room(s, p) or may_replace(s, s.players[p])


@rule
def begin_theft(s: State) -> None:
    """Ask which scroll to steal from the samurai on Daisuke's space."""
    frame = top(s)
    frame.stage |= STOLEN
    other = samurai_to_pass(s, frame.actor, s.players[frame.actor].at)
    push(s, Phase.THEFT, frame.actor).thing = other


@rule
def legal_theft(s: State, mask: Words) -> None:
    """Allow each scroll of the victim. If there is no room for the token, resources are thrown away first, unless a
    scroll may be replaced instead."""
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
    """Steal the chosen scroll, or throw a resource away."""
    frame = top(s)
    p, victim = frame.actor, frame.thing
    if is_throw(action):
        throw_away(s, p, action - THROW)
        return
    pop(s)
    steal_scroll(s, p, victim, action - ITEM_SCROLL, VpSource.SCROLLS_STOLEN)


@rule
def steal_scroll(s: State, p: int, loser: int, slot: int, source: int) -> None:
    """Transfer a scroll as if it were gathered; the victim loses no VP (DUEL-7, CHAR-73)."""
    victim = s.players[loser]
    card, colour = victim.scrolls[slot], victim.scroll_colours[slot]
    victim.scrolls[slot] = 0
    victim.scroll_colours[slot] = 0
    gain_scroll(s, p, card, colour, source)
