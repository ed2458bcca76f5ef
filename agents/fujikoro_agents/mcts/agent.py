"""The agent `mcts`, which searches: `mcts:iterations=400`, `mcts:milliseconds=200,threads=2`; see docs/mcts.md for all
parameters."""

from fujikoro_agents.mcts.limits import USUAL_ITERATIONS
from fujikoro_agents.mcts.plan import Plan
from fujikoro_agents.mcts.searcher import Searcher


class Mcts(Searcher):
    """The search in games of Fuji Koro."""

    plan: Plan

    def __init__(
        self,
        iterations: int | None = None,
        milliseconds: int | None = None,
        threads: int = 1,
        prior: str | None = None,
        rollout: str | None = None,
        turns: int | None = None,
        depth: int = 1,
        decisions: int = 2000,
        exploration: float = 1.0,
        widening: float = 1.0,
        growth: float = 0.5,
        caution: float | None = None,
        doubt: float | None = None,
        sure: float | None = None,
        judge: str | None = None,
    ) -> None:
        if iterations is None and milliseconds is None:
            iterations = USUAL_ITERATIONS
        super().__init__(
            Plan(
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
                prior,
                rollout,
                judge,
            )
        )
