"""How compiled code above the rules plays on: games are stepped through the address of `step_games`.

A direct call would link all rules into the caller's machine code and optimise them once more, which takes most of a
minute. So whoever looks ahead takes the address as an argument; Python passes `stepper()`:

    @entry
    def look(step: Address, games: Records[State], tables: Records[Tables], actions: IntArray, masks: WordTable) -> int:
        return do_action(step, games, tables, 0, 7, actions, masks)

    workspace = Workspace(2)
    look(stepper(), workspace.games, rules.tables, workspace.actions, workspace.masks)

`Workspace` is where such code works: records side by side, one of which may be the position that it begins from. The
records can be copied as rows of whole words (`workspace.words`), and what a player can't see is dealt anew by
`fujikoro_env.rules.engine.hidden.deal_hidden_of`.
"""

from functools import cache
from typing import Any

import numpy as np

from fujikoro_env.game import Game
from fujikoro_env.kernel.jit import IntArray, IntTable, Words, WordTable, address_of, by_address, rule
from fujikoro_env.kernel.records import Records, dtype_of, zeros
from fujikoro_env.rules.base.actions import WORDS
from fujikoro_env.rules.base.state import State
from fujikoro_env.rules.base.tables import Tables
from fujikoro_env.rules.engine.engine import step_games

Address = int  # of machine code in this process: never to be kept

step_at = by_address(step_games)
WORDS_OF_A_GAME = dtype_of(State).itemsize // 8


@cache
def stepper() -> Address:
    """What to pass as `step`; the first time in a process it loads the rules, or compiles them."""
    return address_of(step_games)


class Workspace:
    """So many games to work in."""

    def __init__(self, games: int) -> None:
        self.games: Any = zeros(State, games)
        self.masks: Any = np.zeros((games, WORDS), np.uint32)  # what is legal in each
        self.actions: Any = np.zeros(games, np.int64)
        self.words: Any = self.games.view(np.int64).reshape(games, WORDS_OF_A_GAME)  # the same records

    def take_in(self, game: Game, index: int) -> None:
        """Lay a copy of a game there, or of a player's view."""
        self.words[index] = game._games.view(np.int64)
        self.masks[index] = game._masks[0]


@rule
def do_action(
    step: Address,
    games: Records[State],
    tables: Records[Tables],
    index: int,
    action: int,
    actions: IntArray,
    masks: WordTable,
) -> int:
    """Do an action in one game and go on to its next decision; gives the fault, 0 if there is none."""
    actions[index] = action
    return step_at(step, games, tables, index, index + 1, actions, masks)


@rule
def copy_game(words: IntTable, masks: WordTable, source: int, target: int) -> None:
    """Lay one game of a workspace over another, with what is legal in it."""
    for k in range(WORDS_OF_A_GAME):
        words[target, k] = words[source, k]
    copy_mask(masks[source], masks[target])


@rule
def copy_mask(source: Words, target: Words) -> None:
    for k in range(WORDS):
        target[k] = source[k]
