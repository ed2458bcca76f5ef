"""Bit sets: action masks as words of 32 bits, and sets of at most 63 members in one integer."""

from fujikoro_env.kernel.jit import Words, population, rule


@rule
def bit(index: int) -> int:
    # int(): a narrow integer from a record would cut the result off when run as plain Python
    return 1 << int(index)


@rule
def has(bits: int, index: int) -> bool:
    return (int(bits) >> int(index)) & 1 != 0


@rule
def count_bits(bits: int) -> int:
    return population(int(bits))


@rule
def nth_bit(bits: int, n: int) -> int:
    """Index of the n-th member, from 0; -1 if there are not so many."""
    x, index = int(bits), 0
    for _ in range(n):
        x &= x - 1
    if x == 0:
        return -1
    while x & 1 == 0:
        x >>= 1
        index += 1
    return index


@rule
def allow(mask: Words, action: int) -> None:
    mask[action >> 5] |= bit(action & 31)


@rule
def allows(mask: Words, action: int) -> bool:
    return has(mask[action >> 5], action & 31)


@rule
def clear(mask: Words) -> None:
    for word in range(len(mask)):
        mask[word] = 0


@rule
def copy_mask(source: Words, target: Words) -> None:
    for word in range(len(source)):
        target[word] = source[word]


@rule
def count_allowed(mask: Words) -> int:
    count = 0
    for word in range(len(mask)):
        if mask[word] != 0:
            count += count_bits(mask[word])
    return count


@rule
def nth_allowed(mask: Words, n: int) -> int:
    """The n-th legal action, from 0; -1 if there are not so many."""
    for word in range(len(mask)):
        if mask[word] != 0:
            here = count_bits(mask[word])
            if n < here:
                return word * 32 + nth_bit(mask[word], n)
            n -= here
    return -1
