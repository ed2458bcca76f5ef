"""COOP-16: teeth that a dragon leaves are shared out among those still in the fight.

SHARING counts the teeth; SHARE_TOOTH asks who gets the next one.
"""

from fujikoro_env.kernel.jit import Words, rule
from fujikoro_env.kernel.masks import allow
from fujikoro_env.rules.base.actions import PLAYER
from fujikoro_env.rules.base.frames import pop, push, top
from fujikoro_env.rules.base.names import Cube, Supply
from fujikoro_env.rules.base.phases import Phase
from fujikoro_env.rules.base.state import State
from fujikoro_env.rules.fights.attack import in_order
from fujikoro_env.rules.gather import OPTIONAL
from fujikoro_env.rules.pack import can_make_room, free_slots, take_from_supply


@rule
def share_out(s: State, teeth: int) -> None:
    if teeth > 0:
        push(s, Phase.SHARING, 0).left = teeth


@rule
def may_get_tooth(s: State, p: int) -> bool:
    return s.fight.fighters[p].inside != 0 and can_make_room(s, p)


@rule
def anybody_may_get_tooth(s: State) -> bool:
    for p in range(s.settings.players):
        if may_get_tooth(s, p):
            return True
    return False


@rule
def first_fighter(s: State) -> int:
    """Who shares out: the first in player order of those still in the fight."""
    k = 0
    while s.fight.fighters[in_order(s, k)].inside == 0:
        k += 1
    return in_order(s, k)


@rule
def go_sharing(s: State) -> None:
    frame = top(s)
    if frame.left == 0 or s.supply[Supply.TOOTH] == 0 or not anybody_may_get_tooth(s):
        pop(s)
    else:
        frame.left -= 1
        push(s, Phase.SHARE_TOOTH, first_fighter(s))


@rule
def legal_share_tooth(s: State, mask: Words) -> None:
    for k in range(s.settings.players):  # counted from who is asked
        if may_get_tooth(s, (top(s).actor + k) % s.settings.players):
            allow(mask, PLAYER + k)


@rule
def do_share_tooth(s: State, action: int) -> None:
    """Who has no room may throw something away for it (PACK-2), or let it go."""
    p = (top(s).actor + action - PLAYER) % s.settings.players
    pop(s)
    if free_slots(s, p) > 0:
        take_from_supply(s, p, Cube.TOOTH)
    else:
        frame = push(s, Phase.TAKE, p)
        frame.stage = OPTIONAL
        frame.offer[Cube.TOOTH] = 1
