"""The inputs kept for each row of compact observations, so that the row can be updated instead of written from scratch.

Little changes from one decision to the next: mostly the same player is asked again, and the map hardly ever changes. So
each row comes with a copy of the inputs it was written from, and only the parts whose inputs differ are written.
Comparing is much cheaper than writing, and no rule has to report what it changes.

Everything is kept in one row of int64: notes, the words of the record from the scroll display to the last player, and
the paths of each player over the map. In a new row, all zeros, nothing is known.
"""

from typing import Any, Final

import numpy as np

from fujikoro_env.kernel.jit import IntArray, rule, unsigned
from fujikoro_env.kernel.records import dtype_of
from fujikoro_env.rules.base.state import PLAYERS, Player, State

WORD: Final = 8  # bytes

# Notes: indices into a kept row
OBSERVER: Final = 0  # observer + 1; 0 if the content of the row is unknown
CUBES: Final = 1  # usable cubes, by gear and resource
WANTED: Final = 2  # cards that the observer may still take
SHOWN: Final = 3  # space + 1 around which paths are written; 0 if none are
ARMED: Final = 4  # whether the observer has a usable weapon
QUESTION: Final = 5  # the phase whose flag is set
TURNED: Final = 6  # whether a tile is shown
CIRCUMSTANCES: Final = 7  # for each player, the circumstances for which its paths were computed; 0 if they were not
NOTES: Final = CIRCUMSTANCES + PLAYERS


def _word_of(record: type[Any], field: str, end: bool = False) -> int:
    """Index of the word in which a field of a record starts, or of the first word after it."""
    fields: Any = dtype_of(record).fields
    size, offset = int(fields[field][0].itemsize), int(fields[field][1])
    return -(-(offset + size) // WORD) if end else offset // WORD


def _bits_of(record: type[Any], field: str) -> int:
    """Mask of the bits that a field takes up in its word."""
    fields: Any = dtype_of(record).fields
    size, first = int(fields[field][0].itemsize), int(fields[field][1]) % WORD
    word = np.zeros(1, np.int64)
    word.view(np.uint8)[first : first + size] = 0xFF
    return int(word[0])


# Words of a record: the cards on the table, the map, the players. Other fields that share these words do no harm.
CARDS_FROM, CARDS_TO = _word_of(State, "scroll_display"), _word_of(State, "blueprints", end=True)
MAP_FROM, MAP_TO = _word_of(State, "tile"), _word_of(State, "secret_exit", end=True)
PLAYERS_FROM, PLAYERS_TO = _word_of(State, "players"), _word_of(State, "players", end=True)
# Words of a player: the character, the gear, and everything before and after them.
PLAYER_WORDS: Final = dtype_of(Player).itemsize // WORD
WHO_IT_IS, WHO_BITS = _word_of(Player, "character"), _bits_of(Player, "character")
ARMS_FROM, ARMS_TO = _word_of(Player, "scrolls"), _word_of(Player, "gear", end=True)


# Offset between a word of the record and its copy in the kept row. What reach.py keeps comes after the copies.
COPY: Final = NOTES - CARDS_FROM
COPIED: Final = COPY + PLAYERS_TO


@rule
def differs(words: IntArray, first: int, last: int, kept: IntArray) -> bool:
    """Whether these words of a record differ from the kept copy."""
    changes, last = 0, min(last, len(words))  # a bounded length lets the compiler vectorise the loop
    for k in range(first, last):
        changes |= words[unsigned(k)] ^ kept[unsigned(k + COPY)]
    return changes != 0


@rule
def keep(words: IntArray, first: int, last: int, kept: IntArray) -> None:
    """Copy these words of a record into the kept row."""
    for k in range(first, last):
        kept[unsigned(k + COPY)] = words[unsigned(k)]


@rule
def keep_changed(words: IntArray, first: int, last: int, kept: IntArray) -> bool:
    """Update the kept copy of these words. Returns whether they differed."""
    if not differs(words, first, last, kept):
        return False
    keep(words, first, last, kept)
    return True
