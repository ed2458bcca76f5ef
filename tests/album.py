"""Steps of games worth a second look: for each kind of answer to each question some positions, kept with the answer and
the position that followed. `make fuzz` collects them with compiled rules and plays them again as plain Python.
"""

from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import numpy as np

from fujikoro_env import Game, Rules
from fujikoro_env.rules.actions import ACTIONS, block_of
from fujikoro_env.rules.engine import ONLY_LEGAL
from fujikoro_env.rules.phases import FIRST_AUTOMATIC
from fujikoro_env.rules.records import zeros
from fujikoro_env.rules.state import State

A_KIND = 30  # steps kept of each kind
TOLD_APART = ("use", "item", "claim", "find", "take")  # actions of these blocks do different things


def _kind_of(action: int) -> int:
    block = block_of(action)
    return action if block.name in TOLD_APART else block.first


KIND_OF_ACTION = np.array([_kind_of(action) for action in range(ACTIONS)])


@dataclass
class Album:
    """`befores` and `afters` are records as rows of bytes."""

    befores: list[Any] = field(default_factory=list)
    actions: list[int] = field(default_factory=list)
    afters: list[Any] = field(default_factory=list)
    kept: Any = field(default_factory=lambda: np.zeros((FIRST_AUTOMATIC, ACTIONS), np.int64))  # by phase and kind

    def pick(self, befores: Any, phases: Any, actions: Any, afters: Any) -> None:
        """Keep what there is not enough of. Games in which nothing was answered have a negative action."""
        kinds = KIND_OF_ACTION[actions]
        for g in np.flatnonzero((actions >= 0) & (self.kept[phases, kinds] < A_KIND)).tolist():
            if self.kept[phases[g], kinds[g]] < A_KIND:
                self.kept[phases[g], kinds[g]] += 1
                self.befores.append(_row(befores, g))
                self.actions.append(int(actions[g]))
                self.afters.append(_row(afters, g))

    def add(self, other: "Album") -> None:
        self.befores += other.befores
        self.actions += other.actions
        self.afters += other.afters
        self.kept += other.kept

    def save(self, path: Path) -> None:
        np.savez_compressed(
            path, befores=np.array(self.befores), actions=np.array(self.actions), afters=np.array(self.afters)
        )

    @classmethod
    def load(cls, path: Path) -> "Album":
        with np.load(path) as arrays:
            return cls(list(arrays["befores"]), arrays["actions"].tolist(), list(arrays["afters"]))


def _row(games: Any, index: int) -> Any:
    return games[index : index + 1].view(np.uint8).copy()


def game_of(row: Any) -> Game:
    """The game of a kept record, with what is legal in it."""
    games = zeros(State, 1)
    games.view(np.uint8)[:] = row
    game = Game._of_record(games, Rules.read_settings(games[0].settings, "base"), viewer=None)
    game._run(ONLY_LEGAL)
    return game
