"""`Searcher`: an agent that searches, in any game that offers what a search needs."""

import time
from typing import Any, Final

from fujikoro_agents.mcts.limits import Limits
from fujikoro_agents.mcts.thinking import SEEDS, Answer, Tree, merged
from fujikoro_agents.option_values import OptionValue
from fujikoro_agents.scripted.luck import first_luck
from fujikoro_env.kernel.searching import Adviser
from fujikoro_env.kernel.thread_pool import ThreadPool

AT_ONCE: Final = 4  # iterations between two checks of the clock
A_LOOK: Final = 64  # iterations between two checks whether the choice is clear
NAMED: Final = 3  # number of answers in an explanation


class Searcher:
    """Agent that searches until its budget of iterations or milliseconds is used up (if both are given, the first of
    them), or until its choice is clear."""

    def __init__(self, plan: Limits) -> None:
        self.plan = plan
        self.found: list[Answer] = []  # answers of the last search, best first
        self._trees = [Tree(plan) for _ in range(plan.threads)]
        self._advisers: dict[bool, Adviser] = {}  # by whether players win together
        self._threads: ThreadPool | None = None
        self._seen: Any = None
        self.reset(0, 0)

    def reset(self, seed: int, seat: int) -> None:
        """Start a new game in the given seat."""
        self._seed, self._seat, self._decision = seed, seat, 0
        self._advisers.clear()

    def act(self, view: Any) -> int:
        """Choose a legal action in the given position; search if there is more than one."""
        self._decision += 1
        self._seen = view
        legal = view.legal_actions()
        self.found = self._search(view) if len(legal) > 1 else [Answer(int(legal[0]), 0, 0.0)]
        return self.found[0].action

    def _search(self, view: Any) -> list[Answer]:
        """Run a search. Its random numbers depend only on the seed, the seat and the number of the decision."""
        seed = first_luck(first_luck(self._seed, self._seat), self._decision)
        adviser = self._adviser_for(view)
        candidates = adviser.candidates(view, seed)
        for k, tree in enumerate(self._trees):
            tree.begin(view, seed + k * SEEDS, candidates)
        if self._threads is None:
            self._threads = ThreadPool(self.plan.threads)
        end = time.monotonic() + self.plan.milliseconds / 1000 if self.plan.milliseconds else None
        self._threads.run(lambda hand: self._run(hand, end))
        competitive = not self.plan.is_team(view)
        caution, doubt = self.plan.caution_of(competitive), self.plan.doubt_of(competitive)
        found = merged([tree.found() for tree in self._trees], caution, doubt)
        adviser.keep(view, found[0].action, found[0].aim)
        return found

    def _adviser_for(self, view: Any) -> Adviser:
        is_team = self.plan.is_team(view)
        if is_team not in self._advisers:
            self._advisers[is_team] = self.plan.make_adviser(view)
        return self._advisers[is_team]

    def _run(self, hand: int, end: float | None) -> None:
        """Search with one tree until its budget is used up or the choice is clear, which is checked from time to
        time."""
        tree, share, done = self._trees[hand], self.plan.share_of(hand), 0
        while done < share and (end is None or done == 0 or time.monotonic() < end):
            done = tree.run(min(A_LOOK if end is None else AT_ONCE, share - done))
            if done < share and done % A_LOOK == 0 and tree.is_settled():
                return

    def value(self) -> float | None:
        """Expected share of the win of the best answer; None if nothing was searched."""
        return self.found[0].worth if self._seen is not None and any(answer.visits for answer in self.found) else None

    def values(self) -> list[OptionValue]:
        """Expected share of the win of each answer that was searched, the best first."""
        view = self._seen
        if view is None:
            return []
        searched = [answer for answer in self.found if answer.visits]
        return [
            OptionValue(view.action_name(answer.action), float(answer.worth), self._unit(view), int(answer.action))
            for answer in searched
        ]

    def explain(self) -> str:
        """List the best answers, with the expected share of the win and the number of visits."""
        if self._seen is None:
            return ""
        visits = sum(answer.visits for answer in self.found)
        if visits == 0:
            return "nothing else is allowed"
        best, *others = self.found[:NAMED]
        reason = f"{self._unit(self._seen)} {best.worth:.2f} ({best.visits} of {visits} visits)"
        named = [f"{self._seen.action_name(one.action)}, {one.worth:.2f} ({one.visits} visits)" for one in others]
        return f"{reason}; next best: {'; '.join(named)}" if named else reason

    def _unit(self, view: Any) -> str:
        return "chance to win" if self.plan.is_team(view) else "share of the win"
