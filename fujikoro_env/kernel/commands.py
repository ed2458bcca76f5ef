"""What all engines understand: commands in place of actions, and the faults that keep a game from going on."""

from enum import IntEnum
from typing import Final

NO_ACTION: Final = -1  # only advance to the next decision
ONLY_LEGAL: Final = -2  # only mark the legal actions of a position that was loaded
WAIT: Final = -3  # leave the game and its mask unchanged while other games of the batch move on
NOT_OVER: Final = 0  # the reason for the end while a game is running
NOBODY: Final = -1


class Fault(IntEnum):
    """Reason why the engine refused to continue."""

    NONE, ILLEGAL_ACTION, LOADED_DIE, LOADED_DRAW, NO_LEGAL_ACTION, STACK = range(6)
