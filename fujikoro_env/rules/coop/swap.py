"""COOP-17: two samurai on one space swap items of their packs, step by step.

SWAP_GIVE, SWAP_TAKE and SWAP_CONSENT are one frame that goes from phase to phase. It keeps what a refusal gives back:
how many resources and monks went, each kind in one direction alone, and the scroll slots of both as they were.
"""

from fujikoro_env.content.model import MAX_SCROLLS
from fujikoro_env.kernel.jit import Words, rule
from fujikoro_env.kernel.masks import allow, bit, has
from fujikoro_env.rules.base.actions import BLUEPRINT, DONE, ITEM, ITEM_MONK, ITEM_SCROLL, NO, PLAYER, YES
from fujikoro_env.rules.base.frames import pop, push, top
from fujikoro_env.rules.base.names import GEARS, RESOURCE_KINDS, Mode, Where
from fujikoro_env.rules.base.phases import SWAP_STEPS, Phase
from fujikoro_env.rules.base.state import CARD_SLOTS, PLAYERS, SCROLL_SLOTS, Frame, Player, State
from fujikoro_env.rules.map.board import stands_on
from fujikoro_env.rules.pack import free_slots
from fujikoro_env.rules.scroll import free_scroll_slot

NOTHING = -1
PACK_ITEMS = RESOURCE_KINDS + 1 + SCROLL_SLOTS  # of the block `item`; the blueprints follow
ITEMS = PACK_ITEMS + GEARS * CARD_SLOTS
FIRST_PARTNER = 40  # bits of `used_powers`: with whom a swap was opened this turn
# Bits of `chosen`: kinds of resources and monks that were given, and that were taken; scroll cards; blueprints by slot.
KINDS = RESOURCE_KINDS + 1
FIRST_TAKEN = KINDS
FIRST_SCROLL = FIRST_TAKEN + KINDS
FIRST_BLUEPRINT = FIRST_SCROLL + MAX_SCROLLS
CARD_BITS = 8  # of a scroll card, and of its token's colour


@rule
def item_action(k: int) -> int:
    """The action that names the k-th item."""
    return ITEM + k if k < PACK_ITEMS else BLUEPRINT + k - PACK_ITEMS


@rule
def is_scroll(action: int) -> bool:
    return ITEM_SCROLL <= action < ITEM_SCROLL + SCROLL_SLOTS


@rule
def is_blueprint(action: int) -> bool:
    return BLUEPRINT <= action < BLUEPRINT + GEARS * CARD_SLOTS


@rule
def has_item(s: State, p: int, action: int) -> bool:
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
    """The bit by which an item of a player's pack is remembered; one resource is like another of its kind."""
    if is_blueprint(action):
        return FIRST_BLUEPRINT + action - BLUEPRINT
    if is_scroll(action):
        return FIRST_SCROLL + s.players[p].scrolls[action - ITEM_SCROLL] - 1
    return first_kind + action - ITEM


@rule
def may_give(s: State, p: int, action: int, moved: int) -> bool:
    """It is there, and does not go back."""
    return has_item(s, p, action) and not has(moved, mark_of(s, p, action, FIRST_TAKEN))


@rule
def may_take(s: State, other: int, action: int, moved: int) -> bool:
    return has_item(s, other, action) and not has(moved, mark_of(s, other, action, 0))


@rule
def has_room(s: State, p: int, action: int) -> bool:
    """For an item that comes without another in return."""
    return free_slots(s, p) > 0 and (not is_scroll(action) or free_scroll_slot(s.players[p]) >= 0)


@rule
def step_fits(s: State, p: int, other: int, given: int, taken: int) -> bool:
    """After it both packs and scroll slots fit; an item for an item leaves packs as full as they were."""
    if given == NOTHING or taken == NOTHING:
        if given == taken:
            return False
        return has_room(s, p, taken) if given == NOTHING else has_room(s, other, given)
    if is_scroll(given) == is_scroll(taken):
        return is_scroll(given) or given != taken  # a resource for one of its kind goes back
    receiver = s.players[other] if is_scroll(given) else s.players[p]
    return free_scroll_slot(receiver) >= 0


@rule
def can_give(s: State, p: int, other: int, given: int, moved: int) -> bool:
    """Whether an item, or nothing, can be given with something or nothing in return."""
    if step_fits(s, p, other, given, NOTHING):
        return True
    for k in range(ITEMS):
        taken = item_action(k)
        if may_take(s, other, taken, moved) and step_fits(s, p, other, given, taken):
            return True
    return False


@rule
def can_swap(s: State, p: int, other: int) -> bool:
    if can_give(s, p, other, NOTHING, 0):
        return True
    for k in range(ITEMS):
        if may_give(s, p, item_action(k), 0) and can_give(s, p, other, item_action(k), 0):
            return True
    return False


@rule
def allow_swaps(s: State, p: int, mask: Words) -> None:
    """With a conscious samurai on the same space, once per partner and turn. Players are counted from who is asked."""
    if s.settings.mode != Mode.COOP:
        return
    for k in range(1, s.settings.players):
        other = (p + k) % s.settings.players
        meets = stands_on(s, other, s.players[p].at) and s.players[other].unconscious == 0
        if meets and not has(s.used_powers, FIRST_PARTNER + other) and can_swap(s, p, other):
            allow(mask, PLAYER + k)


@rule
def is_partner(action: int) -> bool:
    return PLAYER <= action < PLAYER + PLAYERS


@rule
def begin_swap(s: State, p: int, action: int) -> None:
    other = (p + action - PLAYER) % s.settings.players
    s.used_powers |= bit(FIRST_PARTNER + other)
    frame = push(s, Phase.SWAP_GIVE, p)
    frame.thing = other
    frame.left = SWAP_STEPS
    frame.cubes[0] = written_slots(s.players[p])
    frame.cubes[1] = written_slots(s.players[other])


@rule
def written_scroll(me: Player, slot: int) -> int:
    """The card + 1 and the colour + 1 of its token in one number."""
    return (int(me.scroll_colours[slot]) << CARD_BITS) | int(me.scrolls[slot])


@rule
def written_slots(me: Player) -> int:
    """Both scroll slots in one number."""
    number = 0
    for slot in range(SCROLL_SLOTS):
        number = (number << (2 * CARD_BITS)) | written_scroll(me, slot)
    return number


@rule
def read_slots(me: Player, number: int) -> None:
    for k in range(SCROLL_SLOTS):
        slot = SCROLL_SLOTS - 1 - k
        me.scrolls[slot] = number & (bit(CARD_BITS) - 1)
        me.scroll_colours[slot] = (number >> CARD_BITS) & (bit(CARD_BITS) - 1)
        number >>= 2 * CARD_BITS


@rule
def legal_swap_give(s: State, mask: Words) -> None:
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
    frame = top(s)
    if action == DONE:
        end_swap(s)
    else:
        frame.marks = 0 if action == NO else action + 1
        frame.phase = Phase.SWAP_TAKE


@rule
def legal_swap_take(s: State, mask: Words) -> None:
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
    frame = top(s)
    exchange(s, frame, frame.marks - 1, NOTHING if action == NO else action)
    frame.marks = 0
    frame.phase = Phase.SWAP_GIVE
    frame.left -= 1
    if frame.left == 0:
        end_swap(s)


@rule
def exchange(s: State, frame: Frame, given: int, taken: int) -> None:
    """Cards move with their tokens. Both scrolls leave their slots before they find new ones."""
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
    """An item leaves a pack; gives what is to be known of a scroll."""
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
    """What a refusal gives back beside cards."""
    if action == ITEM_MONK:
        frame.stage += 1
    elif ITEM <= action < ITEM_MONK:
        frame.offer[action - ITEM] += 1


@rule
def end_swap(s: State) -> None:
    """The partner accepts or refuses the whole, unless nothing changed hands or the option says otherwise."""
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
    allow(mask, YES)
    allow(mask, NO)


@rule
def do_swap_consent(s: State, action: int) -> None:
    if action == NO:
        give_all_back(s)
    pop(s)


@rule
def give_all_back(s: State) -> None:
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
