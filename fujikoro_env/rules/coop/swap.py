"""COOP-17: two samurai on the same space swap items of their packs, step by step.

SWAP_GIVE, SWAP_TAKE and SWAP_CONSENT share one frame, which moves from phase to phase. The frame keeps what is needed
to undo the swap if it is refused: the numbers of resources and monks moved, each kind in one direction only, and both
players' scroll slots as they were.
"""

from fujikoro_env.content.model import MAX_SCROLLS
from fujikoro_env.kernel.jit import Words, rule
from fujikoro_env.kernel.masks import allow, bit, has
from fujikoro_env.rules.base.actions import BLUEPRINT, DONE, ITEM, ITEM_MONK, ITEM_SCROLL, NO, PLAYER, YES
from fujikoro_env.rules.base.frames import pop, push, top
from fujikoro_env.rules.base.names import GEARS, RESOURCE_KINDS, Mode, Where
from fujikoro_env.rules.base.phases import SWAP_STEPS, Phase
from fujikoro_env.rules.base.state import CARD_SLOTS, FIRST_PARTNER, PLAYERS, SCROLL_SLOTS, Frame, Player, State
from fujikoro_env.rules.map.board import stands_on
from fujikoro_env.rules.pack import free_slots
from fujikoro_env.rules.scroll import free_scroll_slot

NOTHING = -1
PACK_ITEMS = RESOURCE_KINDS + 1 + SCROLL_SLOTS  # items of the block `item`; the blueprints come after them
ITEMS = PACK_ITEMS + GEARS * CARD_SLOTS
# Bits of `chosen`: kinds of resources and monks given, then those taken; scroll cards; blueprints by slot.
KINDS = RESOURCE_KINDS + 1
FIRST_TAKEN = KINDS
FIRST_SCROLL = FIRST_TAKEN + KINDS
FIRST_BLUEPRINT = FIRST_SCROLL + MAX_SCROLLS
CARD_BITS = 8  # bits for a scroll card, and for the colour of its token


@rule
def item_action(k: int) -> int:
    """Return the action that names the k-th item."""
    return ITEM + k if k < PACK_ITEMS else BLUEPRINT + k - PACK_ITEMS


@rule
def is_scroll(action: int) -> bool:
    """Whether the action names a scroll."""
    return ITEM_SCROLL <= action < ITEM_SCROLL + SCROLL_SLOTS


@rule
def is_blueprint(action: int) -> bool:
    """Whether the action names a blueprint."""
    return BLUEPRINT <= action < BLUEPRINT + GEARS * CARD_SLOTS


@rule
def has_item(s: State, p: int, action: int) -> bool:
    """Whether the player has the item that the action names."""
    me = s.players[p]
    if is_blueprint(action):
        return s.blueprints[action - BLUEPRINT].where == Where.OWNED + p
    if is_scroll(action):
        return me.scrolls[action - ITEM_SCROLL] != 0
    if action == ITEM_MONK:
        return me.pack_monks > 0
    return me.pack[action - ITEM] > 0


@rule
def mark_of(s: State, p: int, action: int, first_kind: int) -> int:
    """Return the bit that records an item of a player's pack as moved; resources of one kind share a bit."""
    if is_blueprint(action):
        return FIRST_BLUEPRINT + action - BLUEPRINT
    if is_scroll(action):
        return FIRST_SCROLL + s.players[p].scrolls[action - ITEM_SCROLL] - 1
    return first_kind + action - ITEM


@rule
def may_give(s: State, p: int, action: int, moved: int) -> bool:
    """Whether the player has the item and did not receive it in this swap."""
    return has_item(s, p, action) and not has(moved, mark_of(s, p, action, FIRST_TAKEN))


@rule
def may_take(s: State, other: int, action: int, moved: int) -> bool:
    """Whether the partner has the item and did not receive it in this swap."""
    return has_item(s, other, action) and not has(moved, mark_of(s, other, action, 0))


@rule
def has_room(s: State, p: int, action: int) -> bool:
    """Whether the player has room for an item that it gets for nothing."""
    return free_slots(s, p) > 0 and (not is_scroll(action) or free_scroll_slot(s.players[p]) >= 0)


@rule
def step_fits(s: State, p: int, other: int, given: int, taken: int) -> bool:
    """Whether both packs and scroll slots have room after the step. Swapping item for item leaves the packs equally
    full."""
    if given == NOTHING or taken == NOTHING:
        if given == taken:
            return False
        return has_room(s, p, taken) if given == NOTHING else has_room(s, other, given)
    if is_scroll(given) == is_scroll(taken):
        return is_scroll(given) or given != taken  # a resource for one of the same kind would change nothing
    receiver = s.players[other] if is_scroll(given) else s.players[p]
    return free_scroll_slot(receiver) >= 0


@rule
def can_give(s: State, p: int, other: int, given: int, moved: int) -> bool:
    """Whether an item, or nothing, can be given in return for something or nothing."""
    if step_fits(s, p, other, given, NOTHING):
        return True
    for k in range(ITEMS):
        taken = item_action(k)
        if may_take(s, other, taken, moved) and step_fits(s, p, other, given, taken):
            return True
    return False


@rule
def can_swap(s: State, p: int, other: int) -> bool:
    """Whether the two players can swap anything."""
    if can_give(s, p, other, NOTHING, 0):
        return True
    for k in range(ITEMS):
        if may_give(s, p, item_action(k), 0) and can_give(s, p, other, item_action(k), 0):
            return True
    return False


@rule
def allow_swaps(s: State, p: int, mask: Words) -> None:
    """Allow a swap with each conscious samurai on the same space, once per partner and turn. Seats are counted from the
    actor."""
    if s.settings.mode != Mode.COOP:
        return
    for k in range(1, s.settings.players):
        other = (p + k) % s.settings.players
        meets = stands_on(s, other, s.players[p].at) and s.players[other].unconscious == 0
        if meets and not has(s.used_powers, FIRST_PARTNER + other) and can_swap(s, p, other):
            allow(mask, PLAYER + k)


@rule
def is_partner(action: int) -> bool:
    """Whether the action names a partner for a swap."""
    return PLAYER <= action < PLAYER + PLAYERS


@rule
def begin_swap(s: State, p: int, action: int) -> None:
    """Begin a swap with the partner that the action names."""
    other = (p + action - PLAYER) % s.settings.players
    s.used_powers |= bit(FIRST_PARTNER + other)
    frame = push(s, Phase.SWAP_GIVE, p)
    frame.thing = other
    frame.left = SWAP_STEPS
    frame.cubes[0] = written_slots(s.players[p])
    frame.cubes[1] = written_slots(s.players[other])


@rule
def written_scroll(me: Player, slot: int) -> int:
    """Pack a scroll's card + 1 and its token's colour + 1 into one number."""
    return (int(me.scroll_colours[slot]) << CARD_BITS) | int(me.scrolls[slot])


@rule
def written_slots(me: Player) -> int:
    """Pack both scroll slots into one number."""
    number = 0
    for slot in range(SCROLL_SLOTS):
        number = (number << (2 * CARD_BITS)) | written_scroll(me, slot)
    return number


@rule
def read_slots(me: Player, number: int) -> None:
    """Restore both scroll slots from the number made by `written_slots`."""
    for k in range(SCROLL_SLOTS):
        slot = SCROLL_SLOTS - 1 - k
        me.scrolls[slot] = number & (bit(CARD_BITS) - 1)
        me.scroll_colours[slot] = (number >> CARD_BITS) & (bit(CARD_BITS) - 1)
        number >>= 2 * CARD_BITS


@rule
def legal_swap_give(s: State, mask: Words) -> None:
    """Allow each item that can be given, nothing, and done."""
    frame = top(s)
    p, other = frame.actor, frame.thing
    allow(mask, DONE)
    if can_give(s, p, other, NOTHING, frame.chosen):
        allow(mask, NO)
    for k in range(ITEMS):
        given = item_action(k)
        if may_give(s, p, given, frame.chosen) and can_give(s, p, other, given, frame.chosen):
            allow(mask, given)


@rule
def do_swap_give(s: State, action: int) -> None:
    """Note the item given and ask for the item in return, or end the swap."""
    frame = top(s)
    if action == DONE:
        end_swap(s)
    else:
        frame.marks = 0 if action == NO else action + 1
        frame.phase = Phase.SWAP_TAKE


@rule
def legal_swap_take(s: State, mask: Words) -> None:
    """Allow each item that can be taken in return, or nothing."""
    frame = top(s)
    p, other, given = frame.actor, frame.thing, frame.marks - 1
    if step_fits(s, p, other, given, NOTHING):
        allow(mask, NO)
    for k in range(ITEMS):
        taken = item_action(k)
        if may_take(s, other, taken, frame.chosen) and step_fits(s, p, other, given, taken):
            allow(mask, taken)


@rule
def do_swap_take(s: State, action: int) -> None:
    """Exchange the items and ask for the next step, if one is left."""
    frame = top(s)
    exchange(s, frame, frame.marks - 1, NOTHING if action == NO else action)
    frame.marks = 0
    frame.phase = Phase.SWAP_GIVE
    frame.left -= 1
    if frame.left == 0:
        end_swap(s)


@rule
def exchange(s: State, frame: Frame, given: int, taken: int) -> None:
    """Exchange two items. Cards move with their tokens, and both scrolls leave their slots before they get new ones."""
    p, other = frame.actor, frame.thing
    given_scroll, taken_scroll = 0, 0
    if given != NOTHING:
        frame.chosen |= bit(mark_of(s, p, given, 0))
        given_scroll = leave(s, p, given)
    if taken != NOTHING:
        frame.chosen |= bit(mark_of(s, other, taken, FIRST_TAKEN))
        taken_scroll = leave(s, other, taken)
    if given != NOTHING:
        arrive(s, other, given, given_scroll)
        note(frame, given)
    if taken != NOTHING:
        arrive(s, p, taken, taken_scroll)
        note(frame, taken)


@rule
def leave(s: State, p: int, action: int) -> int:
    """Remove an item from a pack and return the packed form of a scroll."""
    me = s.players[p]
    if is_scroll(action):
        slot = action - ITEM_SCROLL
        number = written_scroll(me, slot)
        me.scrolls[slot] = 0
        me.scroll_colours[slot] = 0
        return number
    if action == ITEM_MONK:
        me.pack_monks -= 1
    elif not is_blueprint(action):
        me.pack[action - ITEM] -= 1
    return 0


@rule
def arrive(s: State, p: int, action: int, scroll: int) -> None:
    """Add an item to a pack; `scroll` is the packed form of a scroll."""
    me = s.players[p]
    if is_scroll(action):
        slot = free_scroll_slot(me)
        me.scrolls[slot] = scroll & (bit(CARD_BITS) - 1)
        me.scroll_colours[slot] = scroll >> CARD_BITS
    elif is_blueprint(action):
        s.blueprints[action - BLUEPRINT].where = Where.OWNED + p
    elif action == ITEM_MONK:
        me.pack_monks += 1
    else:
        me.pack[action - ITEM] += 1


@rule
def note(frame: Frame, action: int) -> None:
    """Record in the frame what a refusal has to undo, apart from cards."""
    if action == ITEM_MONK:
        frame.stage += 1
    elif ITEM <= action < ITEM_MONK:
        frame.offer[action - ITEM] += 1


@rule
def end_swap(s: State) -> None:
    """Ask the partner to accept or refuse the swap as a whole, unless nothing changed hands or the option is off."""
    frame = top(s)
    if frame.chosen == 0 or s.settings.swap_consent == 0:
        pop(s)
        return
    partner = frame.thing
    frame.phase = Phase.SWAP_CONSENT
    frame.thing = frame.actor
    frame.actor = partner
    frame.left = 0


@rule
def legal_swap_consent(mask: Words) -> None:
    """Allow yes and no."""
    allow(mask, YES)
    allow(mask, NO)


@rule
def do_swap_consent(s: State, action: int) -> None:
    """Accept the swap, or undo it."""
    if action == NO:
        give_all_back(s)
    pop(s)


@rule
def give_all_back(s: State) -> None:
    """Undo the swap."""
    frame = top(s)
    partner, p = frame.actor, frame.thing
    me, other = s.players[p], s.players[partner]
    for kind in range(RESOURCE_KINDS):
        owed = frame.offer[kind] if has(frame.chosen, kind) else -frame.offer[kind]
        me.pack[kind] += owed
        other.pack[kind] -= owed
    owed_monks = frame.stage if has(frame.chosen, RESOURCE_KINDS) else -frame.stage
    me.pack_monks += owed_monks
    other.pack_monks -= owed_monks
    read_slots(me, frame.cubes[0])
    read_slots(other, frame.cubes[1])
    for slot in range(GEARS * CARD_SLOTS):
        if has(frame.chosen, FIRST_BLUEPRINT + slot):
            back = p if s.blueprints[slot].where == Where.OWNED + partner else partner
            s.blueprints[slot].where = Where.OWNED + back
