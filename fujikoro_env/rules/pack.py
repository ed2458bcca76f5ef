"""PACK: what a samurai carries. Items have no fixed slots, so the pack is stored as counts (PACK-5)."""

from fujikoro_env.kernel.jit import Words, rule
from fujikoro_env.kernel.masks import allow
from fujikoro_env.rules.base.actions import THROW
from fujikoro_env.rules.base.names import Cube, Disc, Where
from fujikoro_env.rules.base.state import CARD_SLOTS, SCROLL_SLOTS, Player, State
from fujikoro_env.rules.characters.boards import capacity


@rule
def blueprints_of(s: State, p: int) -> int:
    """Return how many blueprints a player owns; each has a marker in the pack."""
    count = 0
    for slot in range(3 * CARD_SLOTS):
        if s.blueprints[slot].where == Where.OWNED + p:
            count += 1
    return count


@rule
def owns_blueprint_of(s: State, p: int, gear: int) -> bool:
    """Whether the player owns a blueprint of this gear type."""
    for slot in range(gear * CARD_SLOTS, (gear + 1) * CARD_SLOTS):
        if s.blueprints[slot].where == Where.OWNED + p:
            return True
    return False


@rule
def scrolls_of(me: Player) -> int:
    """Return how many scrolls a player has."""
    count = 0
    for slot in range(SCROLL_SLOTS):
        if me.scrolls[slot] != 0:
            count += 1
    return count


@rule
def resources_in_pack(me: Player) -> int:
    """Return how many resources are in the pack."""
    return me.pack[Cube.WOOD] + me.pack[Cube.METAL] + me.pack[Cube.TOOTH]


@rule
def free_slots(s: State, p: int) -> int:
    """Return how many pack slots are free; negative if the pack is too full."""
    me = s.players[p]
    return capacity(me) - resources_in_pack(me) - me.pack_monks - scrolls_of(me) - blueprints_of(s, p)


@rule
def can_make_room(s: State, p: int) -> bool:
    """Whether the player has a free slot, or can free one by throwing a resource away (PACK-2, PACK-4)."""
    return free_slots(s, p) > 0 or resources_in_pack(s.players[p]) > 0


@rule
def allow_throws(s: State, p: int, mask: Words) -> None:
    """Allow throwing resources away; nothing else may be thrown away (PACK-2 and PACK-3)."""
    for kind in range(3):
        if s.players[p].pack[kind] > 0:
            allow(mask, THROW + kind)


@rule
def is_throw(action: int) -> bool:
    """Whether the action throws a resource away."""
    return THROW <= action < THROW + 3


@rule
def throw_away(s: State, p: int, kind: int) -> None:
    """Return a resource from the pack to the supply."""
    s.players[p].pack[kind] -= 1
    s.supply[kind] += 1


@rule
def take_from_supply(s: State, p: int, kind: int) -> None:
    """Put a resource from the supply into the pack."""
    s.supply[kind] -= 1
    s.players[p].pack[kind] += 1


@rule
def discs_on_fields(me: Player) -> int:
    """Return how many discs lie on the action fields."""
    return me.fields[Disc.MOVE] + me.fields[Disc.EXPLORE] + me.fields[Disc.GATHER]
