"""Stepping by address: how compiled code plays on games without linking their rules.

A direct call of the entry that steps games would link all rules into the caller's machine code and optimise them once
more, which takes most of a minute. So the caller is given the address of that entry (`jit.address_of`) and calls it
there (`jit.by_address`). Games that are tried out are copied as rows of whole words.
"""

from fujikoro_env.kernel.jit import IntArray, IntTable, rule


@rule
def copy_row(words: IntTable, source: int, target: int) -> None:
    """Copy a row of a table over another one."""
    copy_words(words[source], words[target])


@rule
def copy_words(source: IntArray, target: IntArray) -> None:
    for word in range(len(source)):
        target[word] = source[word]
