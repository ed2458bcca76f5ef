"""Powers that are used at the choice of an action, and what they aim at.

DRAGON_TARGET asks which dragon is hit; it keeps the power in `thing`: a scroll's, or ADVENTURE + a token's.
"""

from fujikoro_env.content.model import SCROLL_POWERS
from fujikoro_env.rules.actions import PLACE, USE
from fujikoro_env.rules.frames import pop, push, top
from fujikoro_env.rules.geometry import PLACES
from fujikoro_env.rules.jit import Words, rule
from fujikoro_env.rules.masks import allow, bit, has
from fujikoro_env.rules.names import Adventure, ScrollPower, Supply
from fujikoro_env.rules.phases import Phase
from fujikoro_env.rules.state import SCROLL_SLOTS, Player, State
from fujikoro_env.rules.tables import Tables

ADVENTURE = len(SCROLL_POWERS)  # the tokens follow the scrolls in the block `use`
BANE_DAMAGE = 1
HARPOON_DAMAGE = 2
TOUCHED = 6
FEW_PLAYERS = 2


@rule
def has_scroll_power(me: Player, t: Tables, power: int) -> bool:
    for slot in range(SCROLL_SLOTS):
        if me.scrolls[slot] != 0 and t.scroll_power[me.scrolls[slot] - 1] == power:
            return True
    return False


@rule
def dragon_health(s: State, t: Tables, dragon: int) -> int:
    """DRAG-8: by the number of players. DRAG-7, DRAG-9: less permanent damage, but never below 1."""
    players = s.settings.players
    column = 0 if players > FEW_PLAYERS else FEW_PLAYERS + 1 - players
    return max(1, t.dragon_health[dragon, column] - s.dragons[dragon].damage)


@rule
def can_be_damaged(s: State, t: Tables, place: int) -> bool:
    """DRAG-9: a dragon lives there, has more than 1 health, and a damage token is left."""
    dragon = s.dragon_at[place]
    return dragon != 0 and s.supply[Supply.DAMAGE] > 0 and dragon_health(s, t, dragon - 1) > 1


@rule
def is_in_reach(s: State, t: Tables, p: int, power: int, place: int) -> bool:
    """dragon_bane: the samurai stands next to the tile. harpoon: the dragon is on an adjacent tile."""
    space = s.players[p].at
    if power == ADVENTURE + Adventure.HARPOON:
        return t.place_distance[space, place] == 1
    for k in range(TOUCHED):
        if t.touched_places[space, k] == place:
            return True
    return False


@rule
def has_target(s: State, t: Tables, p: int, power: int) -> bool:
    for place in range(PLACES):
        if s.dragon_at[place] != 0 and can_be_damaged(s, t, place) and is_in_reach(s, t, p, power, place):
            return True
    return False


@rule
def allow_powers(s: State, t: Tables, p: int, mask: Words) -> None:
    me = s.players[p]
    bane, harpoon = ScrollPower.DRAGON_BANE + 0, ADVENTURE + Adventure.HARPOON
    if has_scroll_power(me, t, bane) and not has(s.used_powers, bane) and has_target(s, t, p, bane):
        allow(mask, USE + bane)
    if me.adventures[Adventure.HARPOON] > 0 and has_target(s, t, p, harpoon):
        allow(mask, USE + harpoon)


@rule
def use_power(s: State, p: int, power: int) -> None:
    push(s, Phase.DRAGON_TARGET, p).thing = power


@rule
def legal_dragon_target(s: State, t: Tables, mask: Words) -> None:
    frame = top(s)
    for place in range(PLACES):
        if can_be_damaged(s, t, place) and is_in_reach(s, t, frame.actor, frame.thing, place):
            allow(mask, PLACE + place)


@rule
def do_dragon_target(s: State, t: Tables, action: int) -> None:
    frame = top(s)
    p, power, place = frame.actor, frame.thing, action - PLACE
    pop(s)
    if power == ADVENTURE + Adventure.HARPOON:
        s.players[p].adventures[Adventure.HARPOON] -= 1
        s.adventures_gone[Adventure.HARPOON] += 1
        damage_for_good(s, t, place, HARPOON_DAMAGE)
    else:
        s.used_powers |= bit(power)
        damage_for_good(s, t, place, BANE_DAMAGE)


@rule
def damage_for_good(s: State, t: Tables, place: int, damage: int) -> None:
    """DRAG-9: as much of it as leaves the dragon 1 health, and as there are tokens."""
    dragon = s.dragon_at[place] - 1
    dealt = min(damage, min(s.supply[Supply.DAMAGE], dragon_health(s, t, dragon) - 1))
    s.supply[Supply.DAMAGE] -= dealt
    s.dragons[dragon].damage += dealt
