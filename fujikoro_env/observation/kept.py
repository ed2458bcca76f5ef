"""What is kept of a row of compact observations, so that the next one of the same game need not be written anew.

From one decision to the next little changes: mostly the same player is asked again, and hardly ever does the map change.
So a row keeps a copy of what it was written from, and what lies in front of it is written only where that has changed.
To compare is much cheaper than to write, and nothing has to tell what it changes.

All is kept in one row of int64: notes, the ways of each player over the map, and the words of the record from the scroll display to
the last player. A row of nothing but zeros says that nothing is known.
"""

from typing import Any, Final

from fujikoro_env.rules.jit import IntArray, natural, rule
from fujikoro_env.rules.records import dtype_of
from fujikoro_env.rules.state import PLAYERS, Player, State

WORD: Final = 8  # bytes
RECORD_WORDS: Final = dtype_of(State).itemsize // WORD

# Notes
OBSERVER: Final = 0  # + 1; 0: what the row holds is not known
CUBES: Final = 1  # at hand, by gear and resource
WANTED: Final = 2  # cards that the observer may still have
SHOWN: Final = 3  # space + 1 around which ways are written; 0: none are
ARMED: Final = 4  # the observer has a usable weapon
ASKED: Final = 5  # the phase that is marked
TURNED: Final = 6  # a tile is shown
CIRCUMSTANCES: Final = 7  # by player, for which its ways were found; 0: none were
NOTES: Final = CIRCUMSTANCES + PLAYERS


def _word_of(record: type[Any], field: str, end: bool = False) -> int:
    """The one in which a field of a record begins, or the first beyond its end."""
    fields: Any = dtype_of(record).fields
    dtype, offset = fields[field][:2]
    return -(-(offset + dtype.itemsize) // WORD) if end else offset // WORD


# Words of a record: the cards on the table, the map, the players. Fields that share a word with them do no harm.
CARDS_FROM, CARDS_TO = _word_of(State, "scroll_display"), _word_of(State, "blueprints", end=True)
MAP_FROM, MAP_TO = _word_of(State, "tile"), _word_of(State, "secret_exit", end=True)
PLAYERS_FROM, PLAYERS_TO = _word_of(State, "players"), _word_of(State, "players", end=True)
# Words of a player: who it is, what it fights with, and all the rest before and behind.
PLAYER_WORDS: Final = dtype_of(Player).itemsize // WORD
WHO_IT_IS: Final = _word_of(Player, "character")
ARMS_FROM, ARMS_TO = _word_of(Player, "scrolls"), _word_of(Player, "gear", end=True)


@rule
def differs(words: IntArray, first: int, last: int, kept: IntArray, farther: int) -> bool:
    """Whether these words of a record are others than those that were kept, so much farther on."""
    changes, last = 0, min(last, len(words))  # a loop whose end it does not know the compiler makes work on many words
    for k in range(first, last):
        changes |= words[natural(k)] ^ kept[natural(k + farther)]
    return changes != 0


@rule
def keep(words: IntArray, first: int, last: int, kept: IntArray, farther: int) -> None:
    for k in range(first, last):
        kept[natural(k + farther)] = words[natural(k)]


@rule
def keep_changed(words: IntArray, first: int, last: int, kept: IntArray, farther: int) -> bool:
    """Gives whether they differed."""
    if not differs(words, first, last, kept, farther):
        return False
    keep(words, first, last, kept, farther)
    return True
