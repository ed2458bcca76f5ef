"""What is kept of a row of compact observations, so that the next one of the same game need not be written anew.

From one decision to the next little changes: mostly the same player is asked again, and the map hardly ever changes. So
a row keeps a copy of what it was written from, and is written only where that has changed. To compare is much cheaper
than to write, and no rule has to say what it changes.

All is kept in one row of int64: notes, the words of the record from the scroll display to the last player, and the ways
of each player over the map. A row of nothing but zeros says that nothing is known.
"""

from typing import Any, Final

import numpy as np

from fujikoro_env.kernel.jit import IntArray, rule, unsigned
from fujikoro_env.kernel.records import dtype_of
from fujikoro_env.rules.base.state import PLAYERS, Player, State

WORD: Final = 8  # bytes

# Notes
OBSERVER: Final = 0  # + 1; 0: what the row holds is not known
CUBES: Final = 1  # at hand, by gear and resource
WANTED: Final = 2  # cards that the observer may still have
SHOWN: Final = 3  # space + 1 around which ways are written; 0: none are
ARMED: Final = 4  # the observer has a usable weapon
QUESTION: Final = 5  # the phase whose flag is set
TURNED: Final = 6  # a tile is shown
CIRCUMSTANCES: Final = 7  # by player, for which its ways were found; 0: none were
NOTES: Final = CIRCUMSTANCES + PLAYERS


def _word_of(record: type[Any], field: str, end: bool = False) -> int:
    """The one in which a field of a record begins, or the first beyond its end."""
    fields: Any = dtype_of(record).fields
    size, offset = int(fields[field][0].itemsize), int(fields[field][1])
    return -(-(offset + size) // WORD) if end else offset // WORD


def _bits_of(record: type[Any], field: str) -> int:
    """Those of its word that a field takes."""
    fields: Any = dtype_of(record).fields
    size, first = int(fields[field][0].itemsize), int(fields[field][1]) % WORD
    word = np.zeros(1, np.int64)
    word.view(np.uint8)[first : first + size] = 0xFF
    return int(word[0])


# Words of a record: the cards on the table, the map, the players. Fields that share a word with them do no harm.
CARDS_FROM, CARDS_TO = _word_of(State, "scroll_display"), _word_of(State, "blueprints", end=True)
MAP_FROM, MAP_TO = _word_of(State, "tile"), _word_of(State, "secret_exit", end=True)
PLAYERS_FROM, PLAYERS_TO = _word_of(State, "players"), _word_of(State, "players", end=True)
# Words of a player: who it is, what it fights with, and all the rest before and behind.
PLAYER_WORDS: Final = dtype_of(Player).itemsize // WORD
WHO_IT_IS, WHO_BITS = _word_of(Player, "character"), _bits_of(Player, "character")
ARMS_FROM, ARMS_TO = _word_of(Player, "scrolls"), _word_of(Player, "gear", end=True)


# A word of the record is kept so much farther on. Behind them is room for what reach.py keeps.
COPY: Final = NOTES - CARDS_FROM
COPIED: Final = COPY + PLAYERS_TO


@rule
def differs(words: IntArray, first: int, last: int, kept: IntArray) -> bool:
    """Whether these words of a record are others than those that were kept."""
    changes, last = 0, min(last, len(words))  # a loop whose end it does not know the compiler makes work on many words
    for k in range(first, last):
        changes |= words[unsigned(k)] ^ kept[unsigned(k + COPY)]
    return changes != 0


@rule
def keep(words: IntArray, first: int, last: int, kept: IntArray) -> None:
    for k in range(first, last):
        kept[unsigned(k + COPY)] = words[unsigned(k)]


@rule
def keep_changed(words: IntArray, first: int, last: int, kept: IntArray) -> bool:
    """Gives whether they differed."""
    if not differs(words, first, last, kept):
        return False
    keep(words, first, last, kept)
    return True
