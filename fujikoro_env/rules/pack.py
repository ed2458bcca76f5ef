"""PACK: what a samurai carries. The pack sorts itself, so it is kept as counts (PACK-5)."""

from fujikoro_env.kernel.jit import Words, rule
from fujikoro_env.kernel.masks import allow
from fujikoro_env.rules.base.actions import THROW
from fujikoro_env.rules.base.names import Cube, Disc, Where
from fujikoro_env.rules.base.state import CARD_SLOTS, SCROLL_SLOTS, Player, State
from fujikoro_env.rules.characters.boards import capacity


@rule
def blueprints_of(s: State, p: int) -> int:
    """How many blueprints a player owns; each has its marker in the pack."""
    count = 0
    for slot in range(3 * CARD_SLOTS):
        if s.blueprints[slot].where == Where.OWNED + p:
            count += 1
    return count


@rule
def owns_blueprint_of(s: State, p: int, gear: int) -> bool:
    for slot in range(gear * CARD_SLOTS, (gear + 1) * CARD_SLOTS):
        if s.blueprints[slot].where == Where.OWNED + p:
            return True
    return False


@rule
def scrolls_of(me: Player) -> int:
    count = 0
    for slot in range(SCROLL_SLOTS):
        if me.scrolls[slot] != 0:
            count += 1
    return count


@rule
def resources_in_pack(me: Player) -> int:
    return me.pack[Cube.WOOD] + me.pack[Cube.METAL] + me.pack[Cube.TOOTH]


@rule
def free_slots(s: State, p: int) -> int:
    me = s.players[p]
    return capacity(me) - resources_in_pack(me) - me.pack_monks - scrolls_of(me) - blueprints_of(s, p)


@rule
def can_make_room(s: State, p: int) -> bool:
    """PACK-2, PACK-4: an item can be taken into a free slot, or one that a thrown resource leaves."""
    return free_slots(s, p) > 0 or resources_in_pack(s.players[p]) > 0


@rule
def allow_throws(s: State, p: int, mask: Words) -> None:
    """PACK-2 and PACK-3: resources, and nothing else, may be thrown away."""
    for kind in range(3):
        if s.players[p].pack[kind] > 0:
            allow(mask, THROW + kind)


@rule
def is_throw(action: int) -> bool:
    return THROW <= action < THROW + 3


@rule
def throw_away(s: State, p: int, kind: int) -> None:
    s.players[p].pack[kind] -= 1
    s.supply[kind] += 1


@rule
def take_from_supply(s: State, p: int, kind: int) -> None:
    s.supply[kind] -= 1
    s.players[p].pack[kind] += 1


@rule
def discs_on_fields(me: Player) -> int:
    return me.fields[Disc.MOVE] + me.fields[Disc.EXPLORE] + me.fields[Disc.GATHER]
