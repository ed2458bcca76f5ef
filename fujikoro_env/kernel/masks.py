"""Bit sets: action masks as words of 32 bits, and sets of at most 63 members in one integer."""

from fujikoro_env.kernel.jit import Words, population, rule


@rule
def bit(index: int) -> int:
    """Return the set with this one member."""
    # int(): in plain Python a narrow integer from a record would overflow
    return 1 << int(index)


@rule
def has(bits: int, index: int) -> bool:
    """Whether a set has this member."""
    return (int(bits) >> int(index)) & 1 != 0


@rule
def count_bits(bits: int) -> int:
    """Return the number of members of a set."""
    return population(int(bits))


@rule
def nth_bit(bits: int, n: int) -> int:
    """Return the n-th member of a set, from 0; -1 if there are fewer."""
    x = int(bits)
    for _ in range(n):
        x &= x - 1
    return lowest_bit(x) if x != 0 else -1


@rule
def lowest_bit(x: int) -> int:
    """Return the first member of a set that has one: as many members could come before it."""
    return population((x & -x) - 1)


@rule
def allow(mask: Words, action: int) -> None:
    """Mark an action as legal."""
    mask[action >> 5] |= bit(action & 31)


@rule
def allows(mask: Words, action: int) -> bool:
    """Whether an action is legal."""
    return has(mask[action >> 5], action & 31)


@rule
def clear(mask: Words) -> None:
    """Clear a mask."""
    for word in range(len(mask)):
        mask[word] = 0


@rule
def copy_mask(source: Words, target: Words) -> None:
    """Copy a mask over another one."""
    for word in range(len(source)):
        target[word] = source[word]


@rule
def count_allowed(mask: Words) -> int:
    """Return the number of legal actions."""
    count = 0
    for word in range(len(mask)):
        if mask[word] != 0:
            count += count_bits(mask[word])
    return count


@rule
def nth_allowed(mask: Words, n: int) -> int:
    """Return the n-th legal action, from 0; -1 if there are fewer."""
    for word in range(len(mask)):
        if mask[word] != 0:
            here = count_bits(mask[word])
            if n < here:
                return word * 32 + nth_bit(mask[word], n)
            n -= here
    return -1
