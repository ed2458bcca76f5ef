"""Random number streams, each with a generator whose state is part of the record.

The generator is sfc32 (additions, shifts and exclusive-ors on 32-bit words): small, of good quality, and identical in
machine code and in plain Python, where every result is explicitly masked to 32 bits.
"""

from fujikoro_env.kernel.jit import rule
from fujikoro_env.kernel.masks import count_bits, nth_bit
from fujikoro_env.kernel.records import Ints, record, u32s

WORD = 0xFFFFFFFF
WARM_UP = 12  # numbers discarded after seeding, as the generator's author recommends
WORDS = 4  # state words of a generator


@record
class Generator:
    """State of a random number generator."""

    words: Ints = u32s(WORDS)  # three words of state, and a counter


@rule
def wide(word: int) -> int:
    """Return 32 bits as an integer that does not overflow. In machine code the signature widens it, in Python int()
    does."""
    return int(word)


@rule
def next_word(stream: Generator) -> int:
    """Return the next 32 random bits."""
    a, b = wide(stream.words[0]), wide(stream.words[1])
    c, counter = wide(stream.words[2]), wide(stream.words[3])
    result = (a + b + counter) & WORD
    stream.words[0] = b ^ (b >> 9)
    stream.words[1] = (c + (c << 3)) & WORD
    stream.words[2] = ((((c << 21) & WORD) | (c >> 11)) + result) & WORD
    stream.words[3] = (counter + 1) & WORD
    return result


@rule
def seed_stream(stream: Generator, number: int, seed: int) -> None:
    """Seed a stream with an integer of up to 62 bits; streams with the same seed differ by their number."""
    stream.words[0] = seed & WORD
    stream.words[1] = (seed >> 32) & WORD
    stream.words[2] = number + 1
    stream.words[3] = 1
    for _ in range(WARM_UP):
        next_word(stream)


@rule
def is_unused(stream: Generator) -> bool:
    """Whether no number has been drawn since the stream was seeded: each one raises the counter."""
    return stream.words[3] == 1 + WARM_UP


@rule
def below_number(stream: Generator, n: int) -> int:
    """Return a random number from 0 to n - 1, uniform to within one part in a hundred million."""
    return (next_word(stream) * int(n)) >> 32


@rule
def draw_from(stream: Generator, members: int) -> int:
    """Return a random member of a non-empty set."""
    return nth_bit(members, below_number(stream, count_bits(members)))


@rule
def clear_generator(stream: Generator) -> None:
    """Reset a generator to zeros."""
    for word in range(WORDS):
        stream.words[word] = 0
