"""COOP-16: the teeth of a dragon are shared out among the samurai still in the fight.

SHARING counts the teeth; SHARE_TOOTH asks which player gets the next one.
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
    """Begin to share out teeth, if there are any."""
    if teeth > 0:
        push(s, Phase.SHARING, 0).left = teeth


@rule
def may_get_tooth(s: State, p: int) -> bool:
    """Whether a player is in the fight and has, or can make, room for a tooth."""
    return s.fight.fighters[p].inside != 0 and can_make_room(s, p)


@rule
def anybody_may_get_tooth(s: State) -> bool:
    """Whether any player can get a tooth."""
    for p in range(s.settings.players):
        if may_get_tooth(s, p):
            return True
    return False


@rule
def first_fighter(s: State) -> int:
    """Return the player who shares out: the first in player order of those still in the fight."""
    k = 0
    while s.fight.fighters[in_order(s, k)].inside == 0:
        k += 1
    return in_order(s, k)


@rule
def go_sharing(s: State) -> None:
    """Ask for the next tooth, as long as there are teeth and players who can get one."""
    frame = top(s)
    if frame.left == 0 or s.supply[Supply.TOOTH] == 0 or not anybody_may_get_tooth(s):
        pop(s)
    else:
        frame.left -= 1
        push(s, Phase.SHARE_TOOTH, first_fighter(s))


@rule
def legal_share_tooth(s: State, mask: Words) -> None:
    """Allow each player who can get the tooth."""
    for k in range(s.settings.players):  # seats are counted from the actor
        if may_get_tooth(s, (top(s).actor + k) % s.settings.players):
            allow(mask, PLAYER + k)


@rule
def do_share_tooth(s: State, action: int) -> None:
    """Offer the tooth to the chosen player, who may throw something away to make room (PACK-2) or decline it."""
    p = (top(s).actor + action - PLAYER) % s.settings.players
    pop(s)
    if free_slots(s, p) > 0:
        take_from_supply(s, p, Cube.TOOTH)
    else:
        frame = push(s, Phase.TAKE, p)
        frame.stage = OPTIONAL
        frame.offer[Cube.TOOTH] = 1
