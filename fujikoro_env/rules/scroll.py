"""SCROLL: gathering a scroll token of one's own colour, and the scroll cards.

SCROLL_CARD asks which card is taken. At SCROLL_SLOT the card and its token are in hand.
"""

from fujikoro_env.kernel.jit import Words, rule
from fujikoro_env.kernel.masks import allow, bit
from fujikoro_env.rules.base.actions import SCROLL, SCROLL_DECK, SLOT, THROW
from fujikoro_env.rules.base.chance import draw
from fujikoro_env.rules.base.counters import VpSource
from fujikoro_env.rules.base.frames import pop, push, top
from fujikoro_env.rules.base.names import Deck, Stream
from fujikoro_env.rules.base.phases import Phase
from fujikoro_env.rules.base.state import SCROLL_DISPLAY, SCROLL_SLOTS, Player, State
from fujikoro_env.rules.characters.boards import scroll_slots_of
from fujikoro_env.rules.final.score import award
from fujikoro_env.rules.pack import allow_throws, can_make_room, free_slots, is_throw, scrolls_of, throw_away

SCROLL_VP = 3


@rule
def slot_is_open(me: Player, slot: int) -> bool:
    return slot < scroll_slots_of(me)


@rule
def free_scroll_slot(me: Player) -> int:
    """The first open slot without a card (SCROLL-6), or -1."""
    for slot in range(SCROLL_SLOTS):
        if slot_is_open(me, slot) and me.scrolls[slot] == 0:
            return slot
    return -1


@rule
def may_replace(s: State, me: Player) -> bool:
    """SCROLL-3: without a free slot; by option also with one."""
    return free_scroll_slot(me) < 0 or (s.settings.scroll_replace_anytime != 0 and scrolls_of(me) > 0)


@rule
def can_take_scroll(s: State, p: int) -> bool:
    """A card is to be had, and the token fits in the pack or is not needed."""
    if s.scroll_deck == 0 and s.scroll_discards == 0 and open_scrolls(s) == 0:
        return False
    return may_replace(s, s.players[p]) or can_make_room(s, p)


@rule
def open_scrolls(s: State) -> int:
    count = 0
    for k in range(SCROLL_DISPLAY):
        if s.scroll_display[k] != 0:
            count += 1
    return count


@rule
def draw_scroll(s: State) -> int:
    """The top card + 1, or 0; the deck is made anew from the discards when empty (SCROLL-6)."""
    if s.scroll_deck == 0:
        s.scroll_deck = s.scroll_discards
        s.scroll_discards = 0
    if s.scroll_deck == 0:
        return 0
    card = draw(s, Deck.SCROLLS, Stream.SCROLLS, s.scroll_deck)
    s.scroll_deck &= ~bit(card)
    return card + 1


@rule
def fill_scroll_display(s: State) -> None:
    for k in range(SCROLL_DISPLAY):
        if s.scroll_display[k] == 0:
            s.scroll_display[k] = draw_scroll(s)


@rule
def legal_scroll_card(s: State, mask: Words) -> None:
    """SCROLL-1: one of the open cards or the top of the deck; room for the token is made first, unless the player may
    and does replace a scroll instead."""
    p = top(s).actor
    me = s.players[p]
    if free_scroll_slot(me) >= 0 and free_slots(s, p) == 0:
        allow_throws(s, p, mask)
        if not may_replace(s, me):
            return
    for k in range(SCROLL_DISPLAY):
        if s.scroll_display[k] != 0:
            allow(mask, SCROLL + k)
    if s.scroll_deck != 0 or s.scroll_discards != 0:
        allow(mask, SCROLL_DECK)


@rule
def do_scroll_card(s: State, action: int) -> None:
    frame = top(s)
    p, space = frame.actor, frame.at
    if is_throw(action):
        throw_away(s, p, action - THROW)
        return
    pop(s)
    card, colour = chosen_scroll(s, action), s.scroll[space]
    s.scroll[space] = 0
    fill_scroll_display(s)
    gain_scroll(s, p, card, colour, VpSource.SCROLLS_GATHERED)


@rule
def legal_setup_scroll(s: State, mask: Words) -> None:
    """CHAR-41: Mitsuhide starts with a scroll of the display."""
    for k in range(SCROLL_DISPLAY):
        if s.scroll_display[k] != 0:
            allow(mask, SCROLL + k)


@rule
def do_setup_scroll(s: State, action: int) -> None:
    """CHAR-41: with its token and 3 VP; the display is filled again."""
    p = top(s).actor
    me = s.players[p]
    pop(s)
    me.scrolls[0] = chosen_scroll(s, action)
    me.scroll_colours[0] = me.colour
    s.scroll_tokens[me.colour - 1] -= 1
    fill_scroll_display(s)
    award(s, p, SCROLL_VP, VpSource.SCROLL_DEALT)


@rule
def gain_scroll(s: State, p: int, card: int, colour: int, source: int) -> None:
    """SCROLL-1, DUEL-7: 3 VP at once, then the card (+ 1) and its token (colour + 1) find their slot."""
    award(s, p, SCROLL_VP, source)
    frame = push(s, Phase.SCROLL_SLOT, p)
    frame.thing = card
    frame.marks = colour


@rule
def chosen_scroll(s: State, action: int) -> int:
    """The card + 1, taken from the display or drawn."""
    if action == SCROLL_DECK:
        return draw_scroll(s)
    card = s.scroll_display[action - SCROLL]
    s.scroll_display[action - SCROLL] = 0
    return card


@rule
def legal_scroll_slot(s: State, mask: Words) -> None:
    p = top(s).actor
    me = s.players[p]
    free = free_scroll_slot(me)
    if free >= 0 and free_slots(s, p) > 0:
        allow(mask, SLOT + free)
    if may_replace(s, me):
        for slot in range(SCROLL_SLOTS):
            if me.scrolls[slot] != 0:
                allow(mask, SLOT + slot)


@rule
def do_scroll_slot(s: State, action: int) -> None:
    """SCROLL-2: the card goes to the slot and the token to the pack. SCROLL-3: replacing discards the old card, and the
    gathered token too, so that cards and tokens stay as many (SCROLL-4)."""
    frame = top(s)
    p, card, colour, slot = frame.actor, frame.thing, frame.marks, action - SLOT
    pop(s)
    me = s.players[p]
    if me.scrolls[slot] == 0:
        me.scroll_colours[slot] = colour
    else:
        s.scroll_discards |= bit(me.scrolls[slot] - 1)
        s.scroll_tokens_gone[colour - 1] += 1
    me.scrolls[slot] = card


@rule
def lose_scroll(s: State, p: int, slot: int) -> None:
    """SCROLL-6: the card goes to the discards, its token leaves the game; no VP is lost (HERO-6)."""
    me = s.players[p]
    if me.scrolls[slot] != 0:
        s.scroll_discards |= bit(me.scrolls[slot] - 1)
        s.scroll_tokens_gone[me.scroll_colours[slot] - 1] += 1
        me.scrolls[slot] = 0
        me.scroll_colours[slot] = 0
