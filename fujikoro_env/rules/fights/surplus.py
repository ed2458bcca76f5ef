"""HERO-5: losing the second pack loses all items beyond the sixth slot, the least precious first (PACK-5).

SURPLUS throws away what involves no choice; LOSE_ITEM asks which scroll or blueprint is lost (SCROLL-6).
"""

from fujikoro_env.kernel.jit import Words, rule
from fujikoro_env.kernel.masks import allow
from fujikoro_env.rules.base.actions import BLUEPRINT, SLOT
from fujikoro_env.rules.base.frames import pop, push, top
from fujikoro_env.rules.base.names import GEARS, Supply, Where
from fujikoro_env.rules.base.phases import Phase
from fujikoro_env.rules.base.state import CARD_SLOTS, SCROLL_SLOTS, State
from fujikoro_env.rules.gear.craft import drop_surplus
from fujikoro_env.rules.pack import free_slots, scrolls_of
from fujikoro_env.rules.scroll import lose_scroll


@rule
def go_surplus(s: State) -> None:
    """Throw items away until the pack fits, and ask where there is a choice."""
    p = top(s).actor
    me = s.players[p]
    drop_surplus(s, p)
    while free_slots(s, p) < 0 and me.pack_monks > 0:
        me.pack_monks -= 1
        s.supply[Supply.MONK] += 1
    if free_slots(s, p) < 0:
        push(s, Phase.LOSE_ITEM, p)
    else:
        pop(s)


@rule
def legal_lose_item(s: State, mask: Words) -> None:
    """Allow each scroll, or each blueprint if there is no scroll."""
    p = top(s).actor
    me = s.players[p]
    for slot in range(SCROLL_SLOTS):
        if me.scrolls[slot] != 0:
            allow(mask, SLOT + slot)
    if scrolls_of(me) == 0:
        for slot in range(GEARS * CARD_SLOTS):
            if s.blueprints[slot].where == Where.OWNED + p:
                allow(mask, BLUEPRINT + slot)


@rule
def do_lose_item(s: State, action: int) -> None:
    """Lose the chosen scroll or blueprint."""
    p = top(s).actor
    pop(s)
    if action >= SLOT:
        lose_scroll(s, p, action - SLOT)
    else:
        s.blueprints[action - BLUEPRINT].where = Where.GONE
