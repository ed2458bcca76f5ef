"""`GameArrays`: the arrays of one or many games, as passed to compiled code above the rules."""

from typing import NamedTuple

from fujikoro_env.kernel.jit import IntTable, WordTable
from fujikoro_env.kernel.records import Records
from fujikoro_env.rules.base.state import State
from fujikoro_env.rules.base.tables import Tables


class GameArrays(NamedTuple):
    """Arrays of `n` games under the same rules: `Game.compiled` (n is 1) and `BatchedGames.compiled`.

    They are the games themselves, not copies: writing into them bypasses the rules.
    """

    games: Records[State]  # (n,)
    words: IntTable  # (n, words per record): the same memory as int64, to copy and compare
    tables: Records[Tables]  # (1,): the content
    masks: WordTable  # (n, WORDS): the legal actions as bits
