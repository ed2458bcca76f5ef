"""GATHER: take what lies on the samurai's space, one kind per action.

FIND asks what is gathered. TAKE asks for cubes one by one, and so does BLUEPRINTS for blueprints.
"""

from fujikoro_env.kernel.jit import Words, rule
from fujikoro_env.kernel.masks import allow
from fujikoro_env.rules.base.actions import BLUEPRINT, DONE, FIND, STEP, TAKE, TAKE_ALL, THROW
from fujikoro_env.rules.base.frames import pop, push, top
from fujikoro_env.rules.base.names import FINDS, Cube, Find, Mode, ScrollPower, Supply, Where
from fujikoro_env.rules.base.phases import Phase
from fujikoro_env.rules.base.state import CARD_SLOTS, Frame, State
from fujikoro_env.rules.base.tables import Tables
from fujikoro_env.rules.map.board import dragon_on_tile_of, is_lava, is_open, is_safe, is_temple
from fujikoro_env.rules.map.geometry import FIRST_TEMPLE, START
from fujikoro_env.rules.monk import FROM_MAP, ask_monk_spot, can_take_monk
from fujikoro_env.rules.pack import (
    allow_throws,
    can_make_room,
    free_slots,
    is_throw,
    owns_blueprint_of,
    take_from_supply,
    throw_away,
)
from fujikoro_env.rules.powers.holdings import has_scroll
from fujikoro_env.rules.scenarios.blueprints import turn_up_blueprint
from fujikoro_env.rules.scenarios.status import can_take_spoils, take_spoils
from fujikoro_env.rules.scenarios.terms import Term, holds
from fujikoro_env.rules.scroll import can_take_scroll

BLUEPRINTS_AT_ONCE = 2
OPTIONAL = 1


@rule
def can_find(s: State, t: Tables, p: int, find: int, space: int) -> bool:
    """Whether a gather action of player p may take this kind of thing from a space (GATH-1, TURN-7)."""
    if find == Find.RESOURCES:
        return can_take_token(s, t, p, space)
    if find == Find.STOCK:
        return can_take_stock(s, p, space)
    if find == Find.SCROLL:  # GATH-5: of one's own colour
        return s.scroll[space] != 0 and s.scroll[space] == s.players[p].colour and can_take_scroll(s, p)
    if find == Find.MONK:
        return s.monk[space] != 0 and can_take_monk(s, p) and not holds(s, Term.MONKS_FIGHT)
    if find == Find.BLUEPRINT:
        return is_temple(space) and can_take_blueprint_at(s, p, space - FIRST_TEMPLE)
    if find == Find.ADVENTURE:
        return s.adventure[space] != 0
    return can_take_spoils(s, p, space)


@rule
def can_gather_from(s: State, t: Tables, p: int, space: int) -> bool:
    for find in range(FINDS):
        if can_find(s, t, p, find, space):
            return True
    return False


@rule
def is_within_reach(s: State, t: Tables, p: int, space: int) -> bool:
    """far_reach: an adjacent space too, but no safe one, no lava (LAVA-4) and no dragon's tile."""
    if not has_scroll(s.players[p], t, ScrollPower.FAR_REACH) or is_safe(space) or is_lava(s, space):
        return False
    return is_open(s, space) and dragon_on_tile_of(s, t, space) == 0


@rule
def can_gather(s: State, t: Tables, p: int) -> bool:
    here = s.players[p].at
    if can_gather_from(s, t, p, here):
        return True
    for k in range(t.neighbour_count[here]):
        space = t.neighbours[here, k]
        if is_within_reach(s, t, p, space) and can_gather_from(s, t, p, space):
            return True
    return False


@rule
def begin_gather(s: State, t: Tables, p: int) -> None:
    if has_scroll(s.players[p], t, ScrollPower.FAR_REACH):
        push(s, Phase.FIND_SPACE, p)
    else:
        push(s, Phase.FIND, p).at = s.players[p].at


@rule
def legal_find_space(s: State, t: Tables, mask: Words) -> None:
    p = top(s).actor
    here = s.players[p].at
    if can_gather_from(s, t, p, here):
        allow(mask, STEP + here)
    for k in range(t.neighbour_count[here]):
        space = t.neighbours[here, k]
        if is_within_reach(s, t, p, space) and can_gather_from(s, t, p, space):
            allow(mask, STEP + space)


@rule
def do_find_space(s: State, action: int) -> None:
    p = top(s).actor
    pop(s)
    push(s, Phase.FIND, p).at = action - STEP


@rule
def can_take_token(s: State, t: Tables, p: int, space: int) -> bool:
    """GATH-2: a face-up token that shows something the supply has."""
    if s.token[space] == 0 or s.face_up[space] == 0 or not can_make_room(s, p):
        return False
    for kind in range(3):
        if t.token_shows[s.token[space] - 1, kind] > 0 and s.supply[kind] > 0:
            return True
    return has_scroll(s.players[p], t, ScrollPower.DEEP_POCKETS) and s.supply[Supply.WOOD] > 0


@rule
def can_take_stock(s: State, p: int, space: int) -> bool:
    """GATH-4: start tile (until the rope covers it) or temple, once per turn in all places together."""
    if s.stock_taken != 0 or not can_make_room(s, p):
        return False
    if s.supply[Supply.WOOD] == 0 and s.supply[Supply.METAL] == 0:
        return False
    return is_temple(space) or (space == START and s.rope == 0)


@rule
def may_take_blueprint(s: State, p: int, slot: int, temple: int) -> bool:
    """GATH-8: only one blueprint of each type may be owned; COOP-18: in co-op any number."""
    if s.blueprints[slot].where != Where.TEMPLE + temple:
        return False
    return s.settings.mode == Mode.COOP or not owns_blueprint_of(s, p, slot // CARD_SLOTS)


@rule
def has_blueprint_for(s: State, p: int, temple: int) -> bool:
    for slot in range(3 * CARD_SLOTS):
        if may_take_blueprint(s, p, slot, temple):
            return True
    return False


@rule
def can_take_blueprint_at(s: State, p: int, temple: int) -> bool:
    return has_blueprint_for(s, p, temple) and can_make_room(s, p)


@rule
def legal_find(s: State, t: Tables, mask: Words) -> None:
    frame = top(s)
    for find in range(FINDS):
        if can_find(s, t, frame.actor, find, frame.at):
            allow(mask, FIND + find)


@rule
def do_find(s: State, t: Tables, action: int) -> None:
    find, p, space = action - FIND, top(s).actor, top(s).at
    pop(s)
    if find == Find.RESOURCES:
        offer_token(s, t, p, space)
    elif find == Find.STOCK:
        offer_stock(s, t, p)
    elif find == Find.SCROLL:
        push(s, Phase.SCROLL_CARD, p).at = space
    elif find == Find.MONK:
        ask_monk_spot(s, p, FROM_MAP, space)
    elif find == Find.BLUEPRINT:
        push(s, Phase.BLUEPRINTS, p).left = BLUEPRINTS_AT_ONCE
    elif find == Find.ADVENTURE:
        take_adventure(s, p, space)
    else:
        take_spoils(s, p, space)


@rule
def offer_token(s: State, t: Tables, p: int, space: int) -> None:
    if not holds(s, Term.TOKENS_STAY_UP):
        s.face_up[space] = 0
    frame = push(s, Phase.TAKE, p)
    for kind in range(3):
        frame.offer[kind] = t.token_shows[s.token[space] - 1, kind]
    if has_scroll(s.players[p], t, ScrollPower.DEEP_POCKETS):
        frame.offer[Cube.WOOD] += 1


@rule
def offer_stock(s: State, t: Tables, p: int) -> None:
    s.stock_taken = 1
    frame = push(s, Phase.TAKE, p)
    frame.offer[Cube.WOOD] = 1
    frame.offer[Cube.METAL] = 2 if has_scroll(s.players[p], t, ScrollPower.PROSPECTOR) else 1


@rule
def offer_cubes(s: State, p: int, kind: int, number: int) -> None:
    """Of one kind, in a fight (ATK-5, DRAG-6, SCEN-41): nobody needs to take them."""
    if number > 0 and s.supply[kind] > 0 and can_make_room(s, p):
        frame = push(s, Phase.TAKE, p)
        frame.stage = OPTIONAL
        frame.offer[kind] = number


@rule
def take_adventure(s: State, p: int, space: int) -> None:
    """ADV-1: it lies beside the board and needs no slot."""
    s.players[p].adventures[s.adventure[space] - 1] += 1
    s.adventure[space] = 0


@rule
def on_offer(s: State, frame: Frame) -> int:
    """How many cubes are offered that the supply has."""
    total = 0
    for kind in range(3):
        total += min(frame.offer[kind], s.supply[kind])
    return min(total, frame.left) if frame.left > 0 else total


@rule
def legal_take(s: State, mask: Words) -> None:
    """GATH-3: cube by cube, or all at once where all fit; resources may be thrown away to make room."""
    frame = top(s)
    offered, free = on_offer(s, frame), free_slots(s, frame.actor)
    if frame.marks > 0 or offered == 0 or frame.stage == OPTIONAL:
        allow(mask, DONE)
    if offered == 0:
        return
    if free == 0:
        allow_throws(s, frame.actor, mask)
        return
    for kind in range(3):
        if frame.offer[kind] > 0 and s.supply[kind] > 0:
            allow(mask, TAKE + kind)
    if 1 < offered <= free and frame.left == 0:
        allow(mask, TAKE_ALL)


@rule
def do_take(s: State, action: int) -> None:
    frame = top(s)
    if action == DONE:
        pop(s)
    elif action == TAKE_ALL:
        for kind in range(3):
            for _ in range(min(frame.offer[kind], s.supply[kind])):
                take_from_supply(s, frame.actor, kind)
        pop(s)
    elif is_throw(action):
        throw_away(s, frame.actor, action - THROW)
    else:
        take_from_supply(s, frame.actor, action - TAKE)
        frame.offer[action - TAKE] -= 1
        frame.marks += 1
        was_last = frame.left == 1
        if frame.left > 0:
            frame.left -= 1
        if was_last or on_offer(s, frame) == 0:
            pop(s)


@rule
def legal_blueprints(s: State, mask: Words) -> None:
    """GATH-7: 1 or 2 blueprints of the temple, their markers into the pack."""
    frame = top(s)
    p = frame.actor
    temple = s.players[p].at - FIRST_TEMPLE
    if frame.marks > 0:
        allow(mask, DONE)
    if not has_blueprint_for(s, p, temple):
        return
    if free_slots(s, p) == 0:
        allow_throws(s, p, mask)
        return
    for slot in range(3 * CARD_SLOTS):
        if may_take_blueprint(s, p, slot, temple):
            allow(mask, BLUEPRINT + slot)


@rule
def do_blueprints(s: State, t: Tables, action: int) -> None:
    frame = top(s)
    p = frame.actor
    if is_throw(action):
        throw_away(s, p, action - THROW)
        return
    if action != DONE:
        turn_up_blueprint(s, t, action - BLUEPRINT)
        s.blueprints[action - BLUEPRINT].where = Where.OWNED + p
        frame.marks += 1
        frame.left -= 1
    if action == DONE or frame.left == 0:
        pop(s)
