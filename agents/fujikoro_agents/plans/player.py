"""Players that decide at the level `plans` and play everywhere: their choices are turned into single actions."""

from collections.abc import Callable, Mapping
from typing import Any

import numpy as np
from numpy.typing import NDArray

from fujikoro_agents.plans.level import Plans, PlanTable
from fujikoro_agents.plans.tables import CHOICES
from fujikoro_env.envs.batch import BatchedGames
from fujikoro_env.envs.levels import NO_QUESTION
from fujikoro_env.envs.policies import Which
from fujikoro_env.player import agents_seed
from fujikoro_env.rules.base.arrays import GameArrays
from fujikoro_env.rules.base.state import PLAYERS

Seen = dict[str, NDArray[np.float32]]  # "choices" and "summary", a row for each game
Chooser = Callable[[Seen, NDArray[np.bool_], NDArray[np.int64]], NDArray[np.int64]]  # called with games, too


class PlanPolicy:
    """A batch policy that chooses plans. `choose` gets descriptions, masks and numbers of the games with a question,
    and returns a choice for each. `chosen` counts them."""

    def __init__(self, choose: Chooser) -> None:
        self._choose = choose
        self.chosen = 0
        self.table: PlanTable = Plans().table(0)
        self._games = 0

    def hold(self, games: int) -> None:
        """Make room for this many games."""
        if games > self._games:
            before, self._games = self.table.snapshot(), games
            self.table = Plans().table(games)
            kept = self.table.snapshot()
            for name, array in before.items():
                kept[name][: len(array)] = array
            self.table.restore(kept)

    def begin(self, games: BatchedGames, which: Which, seats: Which) -> None:
        """Start new games."""
        self.hold(games.n)
        for game, seat in zip(which, seats, strict=True):
            self.table.begin_seat(int(game), int(seat), agents_seed(int(games.seeds[game])))

    def act(self, games: BatchedGames, which: Which) -> NDArray[np.int64]:
        """Choose a legal action in each of the games `which`."""
        self.hold(games.n)
        return self.answer(games.compiled, np.asarray(which, np.int64))

    def answer(self, at: GameArrays, which: NDArray[np.int64]) -> NDArray[np.int64]:
        """Choose a plan where there is a question, and return the next action of each game."""
        table, choices = self.table, np.zeros(len(which), np.int64)
        table.list_choices(at, which)
        is_question = table.counts[which] > NO_QUESTION
        asked = which[is_question]
        self.chosen += len(asked)
        if len(asked):
            seen = {"choices": table.features[asked], "summary": table.summaries[asked]}
            masks = np.arange(CHOICES) < table.counts[asked, None]
            choices[is_question] = self._choose(seen, masks, asked)
        return table.carry_out(at, which, choices)

    def snapshot(self) -> dict[str, NDArray[Any]]:
        """What it remembers of all games."""
        return {f"plans_{name}": array for name, array in self.table.snapshot().items()}

    def restore(self, snapshot: Mapping[str, NDArray[Any]]) -> None:
        """Go on from a snapshot."""
        self.hold(len(snapshot["plans_luck"]) // PLAYERS)
        self.table.restore({name: snapshot[f"plans_{name}"] for name in self.table.snapshot()})
