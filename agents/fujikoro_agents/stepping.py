"""How compiled players try out moves: games of a workspace are stepped through the address of `step_games`.

`kernel/stepping.py` says why. Python makes a workspace, and hands its compiled side to an entry:

    @entry
    def look(work: WorkArrays) -> int:
        return do_action(work, 0, 7)

    workspace = Workspace(2)
    workspace.take_in(game, 0)
    look(workspace.compiled(game.rules.tables))

What a player can't see is dealt anew by `fujikoro_env.rules.engine.hidden.deal_hidden_of`.
"""

from functools import cache
from typing import Any, NamedTuple

import numpy as np

from fujikoro_env.game import Game
from fujikoro_env.kernel.jit import Address, IntArray, IntTable, WordTable, address_of, by_address, rule
from fujikoro_env.kernel.masks import copy_mask
from fujikoro_env.kernel.records import Records, zeros
from fujikoro_env.kernel.stepping import copy_row
from fujikoro_env.rules.base.actions import WORDS
from fujikoro_env.rules.base.state import State
from fujikoro_env.rules.base.tables import Tables
from fujikoro_env.rules.engine.engine import step_games

step_at = by_address(step_games)


@cache
def stepper() -> Address:
    """The address of `step_games`. The first call in a process loads the rules, or compiles them."""
    return address_of(step_games)


class WorkArrays(NamedTuple):
    """The compiled side of a workspace: its games, and what it takes to step them."""

    step: Address  # of `step_games`
    games: Records[State]
    words: IntTable  # the same memory as int64, a row for each game
    tables: Records[Tables]
    masks: WordTable
    actions: IntArray  # to be done next, by game


class Workspace:
    """Games side by side, to try things out in. One of them may be the position that is looked at."""

    def __init__(self, games: int) -> None:
        self.games: Any = zeros(State, games)
        self.masks: Any = np.zeros((games, WORDS), np.uint32)  # what is legal in each
        self.actions: Any = np.zeros(games, np.int64)
        self.words: Any = self.games.view(np.int64).reshape(games, -1)  # the same records

    def take_in(self, game: Game, index: int) -> None:
        """Lay a copy of a game there, or of a player's view."""
        self.words[index] = game.compiled.words[0]
        self.masks[index] = game.compiled.masks[0]

    def compiled(self, tables: Records[Tables]) -> WorkArrays:
        """For compiled code. `tables`: the content of the games."""
        return WorkArrays(stepper(), self.games, self.words, tables, self.masks, self.actions)


@rule
def do_action(work: WorkArrays, index: int, action: int) -> int:
    """Do an action in one game and go on to its next decision; gives the fault, 0 if there is none."""
    work.actions[index] = action
    return step_at(work.step, work.games, work.tables, index, index + 1, work.actions, work.masks)


@rule
def copy_game(work: WorkArrays, source: int, target: int) -> None:
    """Lay one game of a workspace over another, with what is legal in it."""
    copy_row(work.words, source, target)
    copy_mask(work.masks[source], work.masks[target])
