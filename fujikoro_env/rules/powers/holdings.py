"""Which powers a player holds: scroll cards in its slots, adventure tokens beside its board."""

from fujikoro_env.content.model import SCROLL_POWERS
from fujikoro_env.kernel.jit import rule
from fujikoro_env.rules.base.actions import USE
from fujikoro_env.rules.base.state import SCROLL_SLOTS, Player, State
from fujikoro_env.rules.base.tables import Tables

FIRST_TOKEN = len(SCROLL_POWERS)  # the tokens follow the scrolls in the block `use`
USE_TOKEN = USE + FIRST_TOKEN


@rule
def has_scroll(me: Player, t: Tables, power: int) -> bool:
    for slot in range(SCROLL_SLOTS):
        if me.scrolls[slot] != 0 and t.scroll_power[me.scrolls[slot] - 1] == power:
            return True
    return False


@rule
def has_token(me: Player, kind: int) -> bool:
    return me.adventures[kind] > 0


@rule
def spend_token(s: State, p: int, kind: int) -> None:
    """ADV-1: used once, then gone."""
    s.players[p].adventures[kind] -= 1
    s.adventures_gone[kind] += 1
