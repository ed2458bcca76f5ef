"""`GameArrays`: what compiled code above the rules takes of one game or of many."""

from typing import NamedTuple

from fujikoro_env.kernel.jit import IntTable, WordTable
from fujikoro_env.kernel.records import Records
from fujikoro_env.rules.base.state import State
from fujikoro_env.rules.base.tables import Tables


class GameArrays(NamedTuple):
    """The arrays of `n` games under the same rules: `Game.compiled` (n is 1) and `BatchedGames.compiled`.

    They are the games themselves, not copies. Whoever writes into them plays without rules."""

    games: Records[State]  # (n,)
    words: IntTable  # (n, words of a record): the same memory as int64, to copy and compare
    tables: Records[Tables]  # (1,): the content
    masks: WordTable  # (n, WORDS): the legal actions as bits
