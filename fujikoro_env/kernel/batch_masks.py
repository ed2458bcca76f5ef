"""Compiled work on the masks of many games, the same for all games."""

from fujikoro_env.kernel.commands import WAIT
from fujikoro_env.kernel.jit import Bytes, IntArray, Words, WordTable, entry, rule
from fujikoro_env.kernel.masks import allows, count_allowed, lowest_bit, nth_allowed

WORD_BITS = 32


@entry
def random_actions(masks: WordTable, seeds: IntArray, actions: IntArray) -> None:
    """Choose a random legal action for every game that has one, and WAIT for the others. `seeds` holds the state of a
    xorshift generator for each game and must not be zero."""
    for g in range(len(actions)):
        word = seeds[g]
        word ^= (word << 13) & 0xFFFFFFFF
        word ^= word >> 17
        word ^= (word << 5) & 0xFFFFFFFF
        seeds[g] = word
        choices = count_allowed(masks[g])
        actions[g] = nth_allowed(masks[g], (word * choices) >> 32) if choices > 0 else WAIT


@entry
def first_refused(masks: WordTable, actions: IntArray, size: int) -> int:
    """Return the first game whose action is neither legal nor WAIT, or -1. `size`: number of actions."""
    for g in range(len(actions)):
        action = actions[g]
        if action != WAIT and not (0 <= action < size and allows(masks[g], action)):
            return g
    return -1


@rule
def widen(words: Words, out: Bytes, at: int, size: int) -> None:
    """Expand so many bits to bytes; bits beyond them must be zero. Few actions are legal, so zeros are written first,
    all at once."""
    for action in range(size):
        out[at + action] = 0
    for word in range(len(words)):
        bits = int(words[word])
        while bits != 0:
            out[at + word * WORD_BITS + lowest_bit(bits)] = 1
            bits &= bits - 1
