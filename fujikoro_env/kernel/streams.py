"""Streams of random numbers, each with a generator whose state lies in the record.

The generator is sfc32 (adds, shifts and exclusive-ors on 32-bit words): small, of good quality, and the same in
machine code and in plain Python, where everything is masked to 32 bits by hand.
"""

from fujikoro_env.kernel.jit import rule
from fujikoro_env.kernel.masks import count_bits, nth_bit
from fujikoro_env.kernel.records import Ints, record, u32s

WORD = 0xFFFFFFFF
WARM_UP = 12  # numbers thrown away after seeding, as the generator's author advises
WORDS = 4  # of the state of a generator


@record
class Generator:
    words: Ints = u32s(WORDS)  # three words of state, and how many numbers it has given


@rule
def wide(word: int) -> int:
    """32 bits as an integer that does not overflow: the signature widens it in machine code, int() in Python."""
    return int(word)


@rule
def next_word(stream: Generator) -> int:
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
    """`seed`: any integer of 62 bits; streams of one seed differ by their number."""
    stream.words[0] = seed & WORD
    stream.words[1] = (seed >> 32) & WORD
    stream.words[2] = number + 1
    stream.words[3] = 1
    for _ in range(WARM_UP):
        next_word(stream)


@rule
def below_number(stream: Generator, n: int) -> int:
    """A number from 0 to n - 1 (uneven by less than one part in a hundred million)."""
    return (next_word(stream) * int(n)) >> 32


@rule
def draw_from(stream: Generator, members: int) -> int:
    """One of a set that is not empty."""
    return nth_bit(members, below_number(stream, count_bits(members)))


@rule
def clear_generator(stream: Generator) -> None:
    for word in range(WORDS):
        stream.words[word] = 0
