"""Memory of estimated fights: while a player tries out its options, the same fight is estimated again and again.

A row holds a fight and its result. The key is everything that the estimate depends on: the samurai with its gear,
character and scrolls, and its enemy, which is another samurai or a dragon with its health. A fight has one possible
row, so a new fight replaces the one that was there. Rows are valid for one content; `KnownFights` sees to that.
"""

from typing import Any, Final

import numpy as np

from fujikoro_agents.scripted.odds import (
    FELL,
    LOST_HELMET,
    LOST_WEAPON,
    TEETH,
    TRIALS,
    WON,
    attack_odds,
    duel_odds,
    new_tally,
)
from fujikoro_env.kernel.jit import IntArray, IntTable, rule
from fujikoro_env.kernel.masks import bit
from fujikoro_env.kernel.records import Records
from fujikoro_env.rules.base.names import GEARS, RESOURCE_KINDS
from fujikoro_env.rules.base.state import SCROLL_SLOTS, Player, State
from fujikoro_env.rules.base.tables import Tables
from fujikoro_env.rules.fights.dragons import dragon_health

BITS_OF_ROW: Final = 9
ROWS: Final = 1 << BITS_OF_ROW
CUBE_WORDS: Final = GEARS * RESOURCE_KINDS
SAMURAI: Final = CUBE_WORDS + 1  # words of a samurai: its cubes by gear and kind, then everything else
KEY: Final = 2 * SAMURAI  # the samurai, then its enemy; a dragon needs one word, and the others are 0
TALLIED: Final = (WON, FELL, LOST_WEAPON, LOST_HELMET, TEETH)  # result of fights with a dragon; of duels only WON
COLUMNS: Final = KEY + len(TALLIED)
FACTOR: Final = 0x9E3779B1  # spreads keys over the rows
HASH_BITS: Final = 32
WORD: Final = (1 << HASH_BITS) - 1


class KnownFights:
    """The memory of some players, which forgets everything when the content changes."""

    def __init__(self) -> None:
        self._rows: Any = np.zeros((ROWS, COLUMNS), np.int64)
        self._tables: Any = None

    def compiled(self, tables: Records[Tables]) -> IntTable:
        """Return the memory for compiled code. `tables`: the content of the games."""
        if tables is not self._tables:
            self._rows[:] = 0
            self._tables = tables
        rows: IntTable = self._rows
        return rows


@rule
def no_fights() -> Any:
    """Return a new, empty memory, for callers that keep none."""
    known: Any = np.zeros((ROWS, COLUMNS), np.int64)
    return known


@rule
def tally_alone(s: State, t: Tables, p: int, dragon: int, known: IntTable) -> Any:
    """Return the tally of p's fights if it attacks a dragon alone; what `attack_odds` tallies, but only for p."""
    key: Any = np.zeros(KEY, np.int64)
    write_samurai(s.players[p], TRIALS, key, 0)
    key[SAMURAI] = int(dragon_health(s, t, dragon)) << 8 | int(dragon)
    row, tally = row_of(key), new_tally(TRIALS)
    if is_known(known, row, key):
        for k in range(len(TALLIED)):
            tally[TALLIED[k], p] = known[row, KEY + k]
    else:
        attack_odds(s, t, bit(p), p, dragon, tally)
        learn(known, row, key)
        for k in range(len(TALLIED)):
            known[row, KEY + k] = tally[TALLIED[k], p]
    return tally


@rule
def known_duel_odds(s: State, t: Tables, attacker: int, defender: int, trials: int, known: IntTable) -> float:
    """Return the same as `duel_odds`."""
    key: Any = np.zeros(KEY, np.int64)
    write_samurai(s.players[attacker], trials, key, 0)
    write_samurai(s.players[defender], trials, key, SAMURAI)
    row = row_of(key)
    if not is_known(known, row, key):
        won = round(duel_odds(s, t, attacker, defender, trials) * trials)
        learn(known, row, key)
        known[row, KEY] = won
    return known[row, KEY] / trials


@rule
def write_samurai(me: Player, trials: int, key: IntArray, first: int) -> None:
    """Write everything about a samurai that matters in a fight, from index `first` on. The numbers in the last word are
    smaller than their share of its bits, except for the number of simulated fights, which comes first and is not 0."""
    rest = (int(trials) << 8 | int(me.character)) << 8 | int(me.outside)
    for slot in range(SCROLL_SLOTS):
        rest = rest << 8 | int(me.scrolls[slot])
    for gear in range(GEARS):
        rest = rest << 2 | int(me.gear[gear].magic)
        for kind in range(RESOURCE_KINDS):
            key[first + gear * RESOURCE_KINDS + kind] = me.gear[gear].cubes[kind]
    key[first + CUBE_WORDS] = rest


@rule
def row_of(key: IntArray) -> int:
    """Return the row of a key: a hash."""
    mixed = 0
    for k in range(KEY):
        word = int(key[k])
        mixed = (mixed ^ word ^ (word >> HASH_BITS)) * FACTOR & WORD
    return mixed >> (HASH_BITS - BITS_OF_ROW)


@rule
def is_known(known: IntTable, row: int, key: IntArray) -> bool:
    """Whether the row holds this fight."""
    for k in range(KEY):
        if known[row, k] != key[k]:
            return False
    return True


@rule
def learn(known: IntTable, row: int, key: IntArray) -> None:
    """Write the key of a new fight."""
    for k in range(KEY):
        known[row, k] = key[k]
