"""MONK: where a monk goes, and what it opens."""

from fujikoro_env.kernel.jit import Words, rule
from fujikoro_env.kernel.masks import allow
from fujikoro_env.rules.base.actions import MONK, THROW
from fujikoro_env.rules.base.frames import pop, push, top
from fujikoro_env.rules.base.names import SPOTS, Spot, Supply
from fujikoro_env.rules.base.phases import Phase
from fujikoro_env.rules.base.state import Player, State
from fujikoro_env.rules.characters.boards import room_for_monks
from fujikoro_env.rules.pack import allow_throws, can_make_room, free_slots, is_throw, throw_away

FROM_MAP, FROM_SUPPLY, FROM_PACK = 0, 1, 2


@rule
def spot_is_free(me: Player, spot: int) -> bool:
    return me.monks[spot] < room_for_monks(me, spot)


@rule
def has_free_spot(me: Player) -> bool:
    for spot in range(SPOTS):
        if spot_is_free(me, spot):
            return True
    return False


@rule
def can_take_monk(s: State, p: int) -> bool:
    return has_free_spot(s.players[p]) or can_make_room(s, p)


@rule
def ask_monk_spot(s: State, p: int, source: int, at: int) -> None:
    frame = push(s, Phase.MONK_SPOT, p)
    frame.stage = source
    frame.at = at


@rule
def legal_monk_spot(s: State, mask: Words) -> None:
    """MONK-1: a free spot of the player's choice; with all spots taken, or by option, the pack."""
    frame = top(s)
    me = s.players[frame.actor]
    for spot in range(SPOTS):
        if spot_is_free(me, spot):
            allow(mask, MONK + spot)
    by_choice = s.settings.monk_to_pack != 0 and frame.stage != FROM_SUPPLY
    if not has_free_spot(me) or by_choice:
        if free_slots(s, frame.actor) > 0:
            allow(mask, MONK + Spot.CARRIED)
        else:
            allow_throws(s, frame.actor, mask)


@rule
def do_monk_spot(s: State, action: int) -> None:
    frame = top(s)
    p, source, at = frame.actor, frame.stage, frame.at
    if is_throw(action):
        throw_away(s, p, action - THROW)
        return
    pop(s)
    if source == FROM_SUPPLY:
        s.supply[Supply.MONK] -= 1
    elif source == FROM_PACK:
        s.players[at].pack_monks -= 1
    else:
        s.monk[at] = 0
    put_monk(s.players[p], action - MONK)


@rule
def put_monk(me: Player, spot: int) -> None:
    """MONK-2: the pool spot brings one more disc; the other spots are looked at where they matter."""
    if spot == Spot.CARRIED:
        me.pack_monks += 1
        return
    me.monks[spot] += 1
    if spot == Spot.POOL:
        me.pool += 1
