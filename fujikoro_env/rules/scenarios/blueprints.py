"""SCEN-12: blueprints that lie face down in the temples.

Their backs show the gear type, so each has a slot of its type. The card itself is drawn only when a player takes it, so
the state holds nothing hidden.
"""

from fujikoro_env.content.model import MAX_CARDS_PER_TYPE
from fujikoro_env.kernel.jit import rule
from fujikoro_env.kernel.masks import bit, has, nth_bit
from fujikoro_env.kernel.streams import draw_from
from fujikoro_env.rules.base.chance import loaded_draw, set_of_first
from fujikoro_env.rules.base.names import GEARS, Deck, Fault, Stream, Where
from fujikoro_env.rules.base.state import CARD_SLOTS, State
from fujikoro_env.rules.base.tables import Tables
from fujikoro_env.rules.map.geometry import TEMPLES


@rule
def hide_blueprints(s: State) -> None:
    """Distribute face-down blueprints of random types evenly among the temples."""
    left = set_of_first(GEARS * s.settings.players)
    for gear in range(GEARS):
        for slot in range(gear * CARD_SLOTS, gear * CARD_SLOTS + s.settings.players):
            turn = draw_from(s.streams[Stream.SETUP], left)
            left &= ~bit(turn)
            s.blueprints[slot].where = Where.TEMPLE + turn % TEMPLES


@rule
def cards_out_of_play(s: State, t: Tables, gear: int) -> int:
    """Return the set of blueprints of a type that are not in play."""
    left = set_of_first(t.card_count[1, gear])
    for slot in range(gear * CARD_SLOTS, (gear + 1) * CARD_SLOTS):
        if s.blueprints[slot].card != 0:
            left &= ~bit(s.blueprints[slot].card - 1 - gear * MAX_CARDS_PER_TYPE)
    return left


@rule
def turn_up_blueprint(s: State, t: Tables, slot: int) -> None:
    """Draw the card of a blueprint that is still unknown."""
    if s.blueprints[slot].card == 0:
        gear = slot // CARD_SLOTS
        s.blueprints[slot].card = gear * MAX_CARDS_PER_TYPE + draw_blueprint(s, t, gear) + 1


@rule
def draw_blueprint(s: State, t: Tables, gear: int) -> int:
    """Draw a blueprint of a type. Loaded draws are numbered across all types, which may be too many for one bit set."""
    left, loaded = cards_out_of_play(s, t, gear), loaded_draw(s, Deck.BLUEPRINTS)
    if loaded == 0:
        return draw_from(s.streams[Stream.SETUP], left)
    card = loaded - 1
    for before in range(gear):
        card -= t.card_count[1, before]
    if not 0 <= card < t.card_count[1, gear] or not has(left, card):
        s.fault = Fault.LOADED_DRAW
        return nth_bit(left, 0)
    return card
