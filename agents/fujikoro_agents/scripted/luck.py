"""Random numbers of a player: its own generator, which depends only on the game's seed and the seat."""

from typing import Final

import numpy as np
from numpy.typing import NDArray

from fujikoro_env.kernel.jit import IntArray, Words, rule
from fujikoro_env.kernel.masks import count_allowed, nth_allowed
from fujikoro_env.rules.base.state import PLAYERS

WORD: Final = 0xFFFFFFFF
LONG_WORD: Final = 0xFFFFFFFFFFFFFFFF


@rule
def below(luck: IntArray, index: int, number: int) -> int:
    """Return a random number from 0 to `number` - 1 (xorshift) and advance the generator."""
    word = luck[index]
    word ^= (word << 13) & WORD
    word ^= word >> 17
    word ^= (word << 5) & WORD
    luck[index] = word
    return (word * number) >> 32


@rule
def random_answer(mask: Words, luck: IntArray, index: int) -> int:
    """Return a random legal action."""
    return nth_allowed(mask, below(luck, index, count_allowed(mask)))


def first_luck(seed: int, seat: int) -> int:
    """Initial state of a seat's generator: splitmix64 of seed and seat, never 0."""
    word = (seed * PLAYERS + seat + 0x9E3779B97F4A7C15) & LONG_WORD
    for shift, factor in ((30, 0xBF58476D1CE4E5B9), (27, 0x94D049BB133111EB)):
        word = ((word ^ (word >> shift)) * factor) & LONG_WORD
    return ((word ^ (word >> 31)) & WORD) or 1


def luck_of_games(seeds: NDArray[np.int64]) -> NDArray[np.int64]:
    """Initial generator states of all seats of all games, one after the other."""
    return np.array([first_luck(int(seed), seat) for seed in seeds for seat in range(PLAYERS)], np.int64)
