"""Chance: each source of randomness has its own stream, and tests can fix the results of dice and draws ("load"
them)."""

from fuji_env.rules.base.names import STREAMS, Fault, Stream
from fuji_env.rules.base.state import LOADED_DICE, LOADED_DRAWS, State
from fujikoro_env.kernel.jit import rule
from fujikoro_env.kernel.masks import bit, has, nth_bit
from fujikoro_env.kernel.streams import below_number, draw_from, seed_stream

NUMBERS = 6


@rule
def seed_streams(s: State, seed: int) -> None:
    """Seed the random streams of a game."""
    for stream in range(STREAMS):
        seed_stream(s.streams[stream], stream, seed)


@rule
def roll(s: State) -> int:
    """Roll a die and return the number that it shows (DICE-1)."""
    loaded = s.loaded_dice[0]
    if loaded == 0:
        return below_number(s.streams[Stream.DICE], NUMBERS) + 1
    for k in range(LOADED_DICE - 1):
        s.loaded_dice[k] = s.loaded_dice[k + 1]
    s.loaded_dice[LOADED_DICE - 1] = 0
    return int(loaded)


@rule
def draw_equipment(s: State) -> int:
    """Draw an equipment card: from the pile, then from those put under it, then from the shuffled discards (SETUP-2).
    Returns -1 if all cards are in play."""
    if s.deck == 0:
        s.deck = s.under
        s.under = 0
    if s.deck == 0:
        s.deck = s.discards
        s.discards = 0
    if s.deck == 0:
        return -1
    card = drawn(s)
    s.deck -= bit(card)
    return card


@rule
def drawn(s: State) -> int:
    """Return the next card of the draw pile, which is not empty."""
    loaded = int(s.loaded_draws[0])
    if loaded == 0:
        return draw_from(s.streams[Stream.EQUIPMENT], s.deck)
    for k in range(LOADED_DRAWS - 1):
        s.loaded_draws[k] = s.loaded_draws[k + 1]
    s.loaded_draws[LOADED_DRAWS - 1] = 0
    if not has(s.deck, loaded - 1):
        s.fault = Fault.LOADED_DRAW
        return nth_bit(s.deck, 0)
    return loaded - 1


@rule
def forget_loaded(s: State) -> None:
    """Drop all loaded dice and draws."""
    for k in range(LOADED_DICE):
        s.loaded_dice[k] = 0
    for k in range(LOADED_DRAWS):
        s.loaded_draws[k] = 0
