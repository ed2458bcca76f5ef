"""Workspaces in which compiled agents try out moves: games are stepped through the address of `step_games`.

`kernel/stepping.py` explains why. Python makes a workspace and passes its compiled side to an entry point:

    @entry
    def look(work: WorkArrays) -> int:
        return do_action(work, 0, 7)

    workspace = Workspace(2)
    workspace.take_in(game, 0)
    look(workspace.compiled(game.rules.tables))

`fujikoro_env.rules.engine.hidden.deal_hidden_of` redeals what a player can't see.
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
    """Address of `step_games`. The first call in a process loads the compiled rules, or compiles them."""
    return address_of(step_games)


class WorkArrays(NamedTuple):
    """Compiled side of a workspace: its games and everything needed to step them."""

    step: Address  # address of `step_games`
    games: Records[State]
    words: IntTable  # the same memory as int64, one row per game
    tables: Records[Tables]
    masks: WordTable  # legal actions of each game
    actions: IntArray  # next action of each game


class Workspace:
    """Games side by side in which actions can be tried out. One of them may be a copy of the current position."""

    def __init__(self, games: int) -> None:
        self.games: Any = zeros(State, games)
        self.masks: Any = np.zeros((games, WORDS), np.uint32)  # legal actions of each game
        self.actions: Any = np.zeros(games, np.int64)
        self.words: Any = self.games.view(np.int64).reshape(games, -1)  # the same memory as int64, one row per game

    def take_in(self, game: Game, index: int) -> None:
        """Copy a game, or a player's view of it, to the given index."""
        self.words[index] = game.compiled.words[0]
        self.masks[index] = game.compiled.masks[0]

    def compiled(self, tables: Records[Tables]) -> WorkArrays:
        """Return the workspace for compiled code. `tables`: the content of the games."""
        return WorkArrays(stepper(), self.games, self.words, tables, self.masks, self.actions)


@rule
def do_action(work: WorkArrays, index: int, action: int) -> int:
    """Do an action in one game and advance to the next decision; return the fault, or 0 if there is none."""
    work.actions[index] = action
    return step_at(work.step, work.games, work.tables, index, index + 1, work.actions, work.masks)


@rule
def copy_game(work: WorkArrays, source: int, target: int) -> None:
    """Copy one game of a workspace over another, with its legal actions."""
    copy_row(work.words, source, target)
    copy_mask(work.masks[source], work.masks[target])
