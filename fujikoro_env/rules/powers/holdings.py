"""The powers that a player holds: scroll cards in its slots, adventure tokens beside its board."""

from fujikoro_env.content.model import SCROLL_POWERS
from fujikoro_env.kernel.jit import rule
from fujikoro_env.rules.base.actions import USE
from fujikoro_env.rules.base.state import SCROLL_SLOTS, Player, State
from fujikoro_env.rules.base.tables import Tables

FIRST_TOKEN = len(SCROLL_POWERS)  # the tokens come after the scrolls in the block `use`
USE_TOKEN = USE + FIRST_TOKEN


@rule
def has_scroll(me: Player, t: Tables, power: int) -> bool:
    """Whether the player has a scroll with this power."""
    for slot in range(SCROLL_SLOTS):
        if me.scrolls[slot] != 0 and t.scroll_power[me.scrolls[slot] - 1] == power:
            return True
    return False


@rule
def has_token(me: Player, kind: int) -> bool:
    """Whether the player has an adventure token of this kind."""
    return me.adventures[kind] > 0


@rule
def spend_token(s: State, p: int, kind: int) -> None:
    """Use up an adventure token (ADV-1)."""
    s.players[p].adventures[kind] -= 1
    s.adventures_gone[kind] += 1
