"""The tree search in other games than Fuji Koro, by what they declare."""

from dataclasses import dataclass
from functools import cached_property
from typing import Any

from fujikoro_agents.mcts.limits import USUAL_ITERATIONS, Limits
from fujikoro_agents.mcts.searcher import Searcher
from fujikoro_env.kernel.declared import DeclaredGame, find_game
from fujikoro_env.kernel.searching import Adviser, SearchTable


@dataclass(frozen=True)
class GameLimits(Limits):
    """Parameters of a search in a declared game."""

    game: str = ""

    @cached_property
    def declared(self) -> DeclaredGame:
        """The game."""
        return find_game(self.game)

    def make_table(self) -> SearchTable:
        """A new table of the game."""
        table: SearchTable = self.declared.search_parts.make_table()
        return table

    def make_adviser(self, view: Any) -> Adviser:
        """A new adviser."""
        adviser: Adviser = self.declared.search_parts.make_adviser()
        return adviser

    def is_team(self, view: Any) -> bool:
        """Whether all players win or lose together."""
        return self.declared.is_team(view.rules)


class GameSearcher(Searcher):
    """The search in a declared game. Without `turns`, positions are evaluated at the end of the current turn."""

    game: str

    def __init__(
        self,
        iterations: int | None = None,
        milliseconds: int | None = None,
        threads: int = 1,
        turns: int | None = None,
        depth: int = 1,
        decisions: int = 2000,
        exploration: float = 1.0,
        widening: float = 1.0,
        growth: float = 0.5,
        caution: float | None = None,
        doubt: float | None = None,
        sure: float | None = None,
    ) -> None:
        if iterations is None and milliseconds is None:
            iterations = USUAL_ITERATIONS
        super().__init__(
            GameLimits(
                iterations,
                milliseconds,
                threads,
                turns,
                depth,
                decisions,
                exploration,
                widening,
                growth,
                caution,
                doubt,
                sure,
                self.game,
            )
        )


class FujiMcts(GameSearcher):
    """The search in games of Fuji."""

    game = "fuji"
