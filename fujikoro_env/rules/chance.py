"""Luck. Every source has a generator of its own in the record, and tests can load what it gives.

The generator is sfc32 (adds, shifts and exclusive-ors on 32-bit words): small, of good quality, and the same in
machine code and in plain Python, where everything is masked to 32 bits by hand.
"""

from fujikoro_env.content.model import DIE_FACES
from fujikoro_env.kernel.jit import rule
from fujikoro_env.rules.masks import bit, count_bits, has, nth_bit
from fujikoro_env.rules.names import DECKS, STREAMS, Fault, Stream
from fujikoro_env.rules.state import LOADED_DICE, LOADED_DRAWS, State

WORD = 0xFFFFFFFF
WARM_UP = 12  # numbers thrown away after seeding, as the generator's author advises


@rule
def wide(word: int) -> int:
    """32 bits as an integer that does not overflow: the signature widens it in machine code, int() in Python."""
    return int(word)


@rule
def next_word(s: State, stream: int) -> int:
    a, b = wide(s.streams[stream, 0]), wide(s.streams[stream, 1])
    c, counter = wide(s.streams[stream, 2]), wide(s.streams[stream, 3])
    result = (a + b + counter) & WORD
    s.streams[stream, 0] = b ^ (b >> 9)
    s.streams[stream, 1] = (c + (c << 3)) & WORD
    s.streams[stream, 2] = ((((c << 21) & WORD) | (c >> 11)) + result) & WORD
    s.streams[stream, 3] = (counter + 1) & WORD
    return result


@rule
def seed_stream(s: State, stream: int, seed: int) -> None:
    """`seed`: any integer of 62 bits; streams of one seed differ."""
    s.streams[stream, 0] = seed & WORD
    s.streams[stream, 1] = (seed >> 32) & WORD
    s.streams[stream, 2] = stream + 1
    s.streams[stream, 3] = 1
    for _ in range(WARM_UP):
        next_word(s, stream)


@rule
def seed_streams(s: State, seed: int) -> None:
    for stream in range(STREAMS):
        seed_stream(s, stream, seed)


@rule
def below_number(s: State, stream: int, n: int) -> int:
    """A number from 0 to n - 1 (uneven by less than one part in a hundred million)."""
    return (next_word(s, stream) * int(n)) >> 32


@rule
def draw_from(s: State, stream: int, members: int) -> int:
    """One of a set that is not empty."""
    return nth_bit(members, below_number(s, stream, count_bits(members)))


@rule
def loaded_draw(s: State, deck: int) -> int:
    """The next loaded draw + 1, or 0; it is used up."""
    first = s.loaded_draws[deck, 0]
    if first != 0:
        for k in range(LOADED_DRAWS - 1):
            s.loaded_draws[deck, k] = s.loaded_draws[deck, k + 1]
        s.loaded_draws[deck, LOADED_DRAWS - 1] = 0
    return first


@rule
def draw(s: State, deck: int, stream: int, members: int) -> int:
    """Draw from a deck, which is a set: the order is made by drawing, so none lies about to be read."""
    loaded = loaded_draw(s, deck)
    if loaded == 0:
        return draw_from(s, stream, members)
    if not has(members, loaded - 1):
        s.fault = Fault.LOADED_DRAW
        return nth_bit(members, 0)
    return loaded - 1


@rule
def roll_face(s: State, kind: int) -> int:
    """The face that a die of this kind shows."""
    loaded = s.loaded_dice[0]
    if loaded == 0:
        return below_number(s, Stream.DICE, DIE_FACES)
    for k in range(LOADED_DICE - 1):
        s.loaded_dice[k] = s.loaded_dice[k + 1]
    s.loaded_dice[LOADED_DICE - 1] = 0
    if loaded // 8 != kind:
        s.fault = Fault.LOADED_DIE
    return (loaded - 1) % 8


@rule
def forget_loaded(s: State) -> None:
    for k in range(LOADED_DICE):
        s.loaded_dice[k] = 0
    for deck in range(DECKS):
        for k in range(LOADED_DRAWS):
            s.loaded_draws[deck, k] = 0


@rule
def set_of_first(n: int) -> int:
    return bit(n) - 1
