"""ADV and SCROLL-5: powers that are used at the choice of an action, and what they aim at. (Powers of other moments
stand where they act.)

DRAGON_TARGET asks which dragon is hit. BANNER goes through the samurai in player order; MOVE_OTHER asks the user of the
sashimono for a space and CONSENT the samurai's owner. RAIN asks for a lava tile.
"""

from fujikoro_env.kernel.jit import Words, rule
from fujikoro_env.kernel.masks import allow, bit, has
from fujikoro_env.rules.base.actions import DONE, NO, PLACE, STEP, USE, YES
from fujikoro_env.rules.base.frames import pop, push, top
from fujikoro_env.rules.base.names import ADVENTURES, Adventure, Cube, Outside, ScrollPower, Supply, Terrain
from fujikoro_env.rules.base.phases import Phase
from fujikoro_env.rules.base.state import State
from fujikoro_env.rules.base.tables import Tables
from fujikoro_env.rules.fights.dragons import can_be_damaged, damage_for_good
from fujikoro_env.rules.gather import OPTIONAL
from fujikoro_env.rules.gear.craft import begin_craft, can_craft_anything, take_discs_back
from fujikoro_env.rules.map.board import may_be_laid_on, touches
from fujikoro_env.rules.map.geometry import PLACES
from fujikoro_env.rules.pack import can_make_room, discs_on_fields
from fujikoro_env.rules.powers.holdings import FIRST_TOKEN, has_scroll, has_token, spend_token

BANE_DAMAGE = 1
HARPOON_DAMAGE = 2
CRATE = 2


@rule
def is_in_reach(s: State, t: Tables, p: int, power: int, place: int) -> bool:
    """dragon_bane: the samurai stands next to the tile. harpoon: the dragon is on an adjacent tile."""
    space = s.players[p].at
    if power == FIRST_TOKEN + Adventure.HARPOON:
        return t.place_distance[space, place] == 1
    return touches(t, space, place)


@rule
def has_target(s: State, t: Tables, p: int, power: int) -> bool:
    for place in range(PLACES + 1):
        if can_be_damaged(s, t, place) and is_in_reach(s, t, p, power, place):
            return True
    return False


@rule
def has_lava_tile_beside(s: State, t: Tables, p: int) -> bool:
    here = s.players[p].at
    for k in range(t.neighbour_count[here]):
        if s.terrain[t.neighbours[here, k]] == Terrain.LAVA_TILE:
            return True
    return False


@rule
def may_be_moved(s: State, t: Tables, p: int) -> bool:
    """sashimono: a conscious samurai with a space to go to (MAP-11)."""
    me = s.players[p]
    if me.unconscious != 0 or me.outside != Outside.INSIDE:
        return False
    for k in range(t.neighbour_count[me.at]):
        if may_be_laid_on(s, t, p, t.neighbours[me.at, k]):
            return True
    return False


@rule
def can_move_others(s: State, t: Tables, p: int) -> bool:
    for other in range(s.settings.players):
        if other != p and may_be_moved(s, t, other):
            return True
    return False


@rule
def is_token_useful(s: State, t: Tables, p: int, kind: int) -> bool:
    """Whether a token can be used at the choice of an action."""
    if kind == Adventure.SASHIMONO:
        return can_move_others(s, t, p)
    if kind == Adventure.RAIN_JAR:
        return has_lava_tile_beside(s, t, p)
    if kind == Adventure.SAKE_GOURD:
        return discs_on_fields(s.players[p]) > 0
    if kind == Adventure.WHETSTONE:
        return can_craft_anything(s.players[p])
    if kind == Adventure.MERCHANT_CRATE:
        return (s.supply[Supply.WOOD] > 0 or s.supply[Supply.METAL] > 0) and can_make_room(s, p)
    return kind == Adventure.HARPOON and has_target(s, t, p, FIRST_TOKEN + Adventure.HARPOON)


@rule
def allow_powers(s: State, t: Tables, p: int, mask: Words) -> None:
    me = s.players[p]
    bane = ScrollPower.DRAGON_BANE + 0
    if has_scroll(me, t, bane) and not has(s.used_powers, bane) and has_target(s, t, p, bane):
        allow(mask, USE + bane)
    for kind in range(ADVENTURES):
        if has_token(me, kind) and is_token_useful(s, t, p, kind):
            allow(mask, USE + FIRST_TOKEN + kind)


@rule
def use_power(s: State, t: Tables, p: int, power: int) -> None:
    kind = power - FIRST_TOKEN
    if kind < 0:  # dragon_bane, once per turn
        s.used_powers |= bit(power)
        push(s, Phase.DRAGON_TARGET, p).thing = power
        return
    spend_token(s, p, kind)
    if kind == Adventure.HARPOON:
        push(s, Phase.DRAGON_TARGET, p).thing = power
    elif kind == Adventure.SASHIMONO:
        push(s, Phase.BANNER, p).left = 1
    elif kind == Adventure.RAIN_JAR:
        push(s, Phase.RAIN, p)
    elif kind == Adventure.SAKE_GOURD:
        take_discs_back(s.players[p])
    elif kind == Adventure.WHETSTONE:
        push(s, Phase.MAGIC_REFRESH, p)  # MAGIC-7: it counts as an action's end
        begin_craft(s, p)
    else:
        open_crate(s, p)


@rule
def open_crate(s: State, p: int) -> None:
    """merchant_crate: wood or metal, twice."""
    frame = push(s, Phase.TAKE, p)
    frame.stage = OPTIONAL
    frame.left = CRATE
    frame.offer[Cube.WOOD] = CRATE
    frame.offer[Cube.METAL] = CRATE


@rule
def legal_dragon_target(s: State, t: Tables, mask: Words) -> None:
    frame = top(s)
    for place in range(PLACES + 1):
        if can_be_damaged(s, t, place) and is_in_reach(s, t, frame.actor, frame.thing, place):
            allow(mask, PLACE + place)


@rule
def do_dragon_target(s: State, t: Tables, action: int) -> None:
    power, place = top(s).thing, action - PLACE
    pop(s)
    harpoon = power == FIRST_TOKEN + Adventure.HARPOON
    damage_for_good(s, t, place, HARPOON_DAMAGE if harpoon else BANE_DAMAGE)


@rule
def go_banner(s: State, t: Tables) -> None:
    """sashimono: each other conscious samurai in player order."""
    frame = top(s)
    if frame.left == s.settings.players:
        pop(s)
        return
    other = (frame.actor + frame.left) % s.settings.players
    frame.left += 1
    if may_be_moved(s, t, other):
        push(s, Phase.MOVE_OTHER, frame.actor).thing = other


@rule
def legal_move_other(s: State, t: Tables, mask: Words) -> None:
    other = top(s).thing
    here = s.players[other].at
    allow(mask, DONE)
    for k in range(t.neighbour_count[here]):
        if may_be_laid_on(s, t, other, t.neighbours[here, k]):
            allow(mask, STEP + t.neighbours[here, k])


@rule
def do_move_other(s: State, action: int) -> None:
    other = top(s).thing
    pop(s)
    if action != DONE:
        frame = push(s, Phase.CONSENT, other)
        frame.thing = other
        frame.at = action - STEP


@rule
def legal_consent(mask: Words) -> None:
    allow(mask, YES)
    allow(mask, NO)


@rule
def do_consent(s: State, action: int) -> None:
    """It moves samurai, but starts no fight."""
    frame = top(s)
    if action == YES:
        s.players[frame.thing].at = frame.at
        s.players[frame.thing].on_rope = 0  # SCEN-16
    pop(s)


@rule
def legal_rain(s: State, t: Tables, mask: Words) -> None:
    here = s.players[top(s).actor].at
    for k in range(t.neighbour_count[here]):
        if s.terrain[t.neighbours[here, k]] == Terrain.LAVA_TILE:
            allow(mask, STEP + t.neighbours[here, k])


@rule
def do_rain(s: State, action: int) -> None:
    """rain_jar: the lava tile goes back to the supply."""
    pop(s)
    s.terrain[action - STEP] = Terrain.GROUND
    s.supply[Supply.LAVA] += 1
