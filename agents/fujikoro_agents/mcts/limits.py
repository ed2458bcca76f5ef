"""Limits of a search: its budget and the parameters that are the same for all games, validated."""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, ClassVar, Final

from fujikoro_agents.mcts.tree import LONGEST_PATH
from fujikoro_env.kernel.agents import AgentError
from fujikoro_env.kernel.game import is_whole_number
from fujikoro_env.kernel.searching import Adviser, SearchTable

USUAL_ITERATIONS: Final = 400  # if no budget is given
MOST_ITERATIONS: Final = 10_000_000
WHOLE: Final = {
    "iterations": (1, MOST_ITERATIONS),
    "milliseconds": (1, 86_400_000),
    "threads": (1, 256),
    "turns": (0, 1000),
    "depth": (1, LONGEST_PATH),
    "decisions": (1, 100_000),
}
REAL: Final = {
    "exploration": (0, 100),
    "widening": (0, 1000),
    "growth": (0, 1),
    "caution": (0, 100),
    "doubt": (0, 1),
    "sure": (0, 100),
}
MAY_BE_NONE: Final = ("iterations", "milliseconds", "turns", "caution", "doubt", "sure")


@dataclass(frozen=True)
class Limits:
    """Parameters of a search; docs/mcts.md describes them. None stands for a default that depends on the game or the
    budget."""

    iterations: int | None = None
    milliseconds: int | None = None
    threads: int = 1
    turns: int | None = None  # default: depends on the budget
    depth: int = 1
    decisions: int = 2000
    exploration: float = 1.0
    widening: float = 1.0
    growth: float = 0.5
    caution: float | None = None
    doubt: float | None = None
    sure: float | None = None

    usual_caution: ClassVar[Mapping[bool, float]] = {True: 1.0, False: 2.0}  # by whether the game is competitive
    usual_doubt: ClassVar[Mapping[bool, float]] = {True: 0.01, False: 0.0}  # of a win
    usually_sure: ClassVar[Mapping[bool, float]] = {True: 1.5, False: 0.0}  # in standard errors

    def __post_init__(self) -> None:
        for name, (least, most) in {**WHOLE, **REAL}.items():
            self._check(name, least, most)

    def _check(self, name: str, least: int, most: int) -> None:
        value = getattr(self, name)
        if value is None and name in MAY_BE_NONE:
            return
        is_number = is_whole_number(value) or (name in REAL and isinstance(value, float))
        if not is_number or not least <= value <= most:
            kind = "numbers" if name in REAL else "whole numbers"
            raise AgentError(f"agent 'mcts': {name}={value!r}: allowed are {kind} from {least} to {most}")

    def make_table(self) -> SearchTable:
        """A new table of the game, for one thread."""
        raise NotImplementedError

    def make_adviser(self, view: Any) -> Adviser:
        """A new adviser for a game."""
        raise NotImplementedError

    def set_table(self, table: Any, view: Any) -> None:
        """Prepare a table for a search from a view."""

    def is_team(self, view: Any) -> bool:
        """Whether all players win or lose together."""
        raise NotImplementedError

    def turns_of(self, players: int, competitive: bool) -> int:
        """Number of turns played before a position is evaluated."""
        return self.turns or 0

    def caution_of(self, competitive: bool) -> float:
        """Number of standard errors by which another answer must lead. In a tree of one level, two were no better than
        one."""
        return self.usual_caution[competitive] if self.caution is None else self.caution

    def doubt_of(self, competitive: bool) -> float:
        """Additional lead, in wins, that another answer needs: rollouts have a bias that more of them don't remove."""
        return self.usual_doubt[competitive] if self.doubt is None else self.doubt

    def sure_of(self, competitive: bool) -> float:
        """Number of standard errors by which one answer must lead to end the search early; 0 means never. It is at
        least `caution`. If players win together, the search never ends early, because answers look alike as long as no
        rollout wins."""
        sure = self.usually_sure[competitive] if self.sure is None else self.sure
        return max(sure, self.caution_of(competitive)) if sure > 0 else 0.0

    def share_of(self, tree: int) -> int:
        """Number of iterations of one of the trees."""
        if self.iterations is None:
            return MOST_ITERATIONS
        return self.iterations // self.threads + (tree < self.iterations % self.threads)
