"""The Python side of a search: the memory of a tree, running it, and its results."""

from collections.abc import Sequence
from dataclasses import dataclass
from math import ceil, sqrt
from typing import Any, Final

import numpy as np

from fujikoro_agents.mcts.limits import MOST_ITERATIONS, Limits
from fujikoro_agents.mcts.search import BITS_OF_SEEDS, TreeArrays, search_on
from fujikoro_agents.mcts.tree import NONE, ROOT, THOUSAND, Node, Search
from fujikoro_env.kernel.records import zeros
from fujikoro_env.kernel.searching import NO_AIM, SEATS, UNIT, Candidate, Seen

MOST_NODES: Final = 1 << 16  # maximum size of a tree; then it stops growing
FEW: Final = 8  # weight, in tries, of the common spread in the estimate of an answer's own spread
TRIFLE: Final = 0.01  # in wins: a smaller difference is not worth more search
SEEDS: Final = 1 << 28  # distance between the first seeds of two trees: more than the number of iterations


@dataclass(frozen=True)
class Answer:
    """Result of a search for one action."""

    action: int
    visits: int
    worth: float  # expected share of the win of the player
    aim: int = NO_AIM  # goal of the action until the end of the turn


@dataclass(frozen=True)
class Tried:
    """Sums over the tries of one action in one tree."""

    action: int
    aim: int
    visits: int
    worth: float
    pairs: int = 0  # tries that were compared with a try of the first answer with the same random numbers
    lead: float = 0.0  # sum of their leads in value
    square: float = 0.0  # sum of the squared leads

    def __add__(self, other: "Tried") -> "Tried":
        sums = (getattr(self, name) + getattr(other, name) for name in ("visits", "worth", "pairs", "lead", "square"))
        return Tried(self.action, self.aim, *sums)


class Tree:
    """Search of one thread, with all the memory that it needs."""

    def __init__(self, plan: Limits) -> None:
        self._plan = plan
        self._table = plan.make_table()
        self._search: Any = zeros(Search, 1)
        self._nodes: Any = zeros(Node, min(MOST_NODES, plan.share_of(0) + 1))
        self._own: Any = np.zeros(len(self._nodes), np.int64)  # value of the first answer, by try
        self._values: Any = np.zeros(SEATS, np.int64)
        self._seen: Any = np.zeros(len(Seen), np.int64)
        self._sure = self._doubt = 0.0
        self._candidates: Any = None

    def begin(self, view: Any, seed: int, candidates: Sequence[Candidate]) -> None:
        """Start a new search from a player's view."""
        assert 0 <= seed < (1 << BITS_OF_SEEDS) - MOST_ITERATIONS
        plan, search = self._plan, self._search[0]
        self._table.take_in(view)
        self._search.view(np.uint8)[:] = 0
        self._nodes[ROOT].first = NONE
        search.player, search.seed, search.nodes = view.actor, seed, 1
        search.candidates = len(candidates)
        self._candidates = np.array(candidates, np.int64)
        plan.set_table(self._table, view)
        is_team = plan.is_team(view)
        search.turns, search.deepest = plan.turns_of(view.rules.players, not is_team), plan.depth
        search.decisions = plan.decisions
        self._sure, self._doubt = plan.sure_of(not is_team), plan.doubt_of(not is_team)
        for name in ("exploration", "widening", "growth"):
            setattr(search, name, round(THOUSAND * getattr(plan, name)))

    def run(self, iterations: int) -> int:
        """Do this many more iterations; return the total number so far."""
        table = self._table
        own = TreeArrays(
            self._nodes,
            self._search,
            self._candidates,
            self._own,
            self._values,
            self._seen,
            table.mask,
            table.spare,
            table.luck,
        )
        done: int = search_on(table.calls(), own, iterations)
        if fault := int(self._seen[Seen.FAULT]):
            raise RuntimeError(f"internal error in the rules (fault {fault}): please report it")
        return done

    @property
    def luck(self) -> Any:
        """Random numbers of the scripts and of the search in the current turn."""
        return self._table.luck

    @property
    def last_game(self) -> Any:
        """Final position of the last iteration, as an array of one record."""
        return self._table.last_game

    def is_settled(self) -> bool:
        """Whether more search would hardly change the choice: it is clear, and no further candidates are due."""
        return self._sure > 0 and self._is_wide() and is_clear(self.found(), self._sure, self._doubt)

    def _is_wide(self) -> bool:
        search, plan = self._search[0], self._plan
        most = ceil(1 + plan.widening * (plan.share_of(0) - 1) ** plan.growth)
        return bool(search.answers >= min(search.candidates, most) or search.nodes == len(self._nodes))

    def found(self) -> list[Tried]:
        """Return the results in the order in which the answers were first tried, so the script's own answer comes
        first."""
        search, answers = self._search[0], []
        child = int(self._nodes[ROOT].first)  # the newest
        while child != NONE:
            node = self._nodes[child]
            worth, lead, square = (int(sum_) / UNIT for sum_ in (node.worth[search.player], node.leads, node.squares))
            action, aim, visits, pairs = (int(node[name]) for name in ("action", "aim", "visits", "pairs"))
            answers.append(Tried(action, aim, visits, worth, pairs, lead, square))
            child = int(node.following)
        return answers[::-1]


def merged(trees: Sequence[Sequence[Tried]], caution: float, doubt: float = 0.0) -> list[Answer]:
    """Combine the answers of all trees, best first. To come before the script's own answer, another one must be better
    by `doubt` and `caution` standard errors: of many answers tried a few times each, some look good by chance alone."""
    totals: dict[tuple[int, int], Tried] = {}
    for tree in trees:
        for tried in tree:
            key = tried.action, tried.aim
            totals[key] = totals[key] + tried if key in totals else tried
    own, *others = totals.values()
    usual = _square(others)
    sure = {own: doubt} | {tried: _sure_lead(tried, usual, caution) for tried in others}
    ordered = sorted(sure, key=lambda tried: (-sure[tried], tried is not own, -tried.visits, tried.action))
    return [Answer(tried.action, tried.visits, tried.worth / tried.visits, tried.aim) for tried in ordered]


def _square(tries: Sequence[Tried]) -> float:
    """Mean squared lead of all answers."""
    return sum(tried.square for tried in tries) / max(1, sum(tried.pairs for tried in tries))


def _sure_lead(tried: Tried, usual: float, caution: float) -> float:
    """Lower bound of the lead over the script's own answer."""
    lead, error = _lead(tried, usual)
    return lead - caution * error


def _lead(tried: Tried, usual: float) -> tuple[float, float]:
    """Lead over the script's own answer, and its standard error. The spread of leads is estimated from the answer's own
    tries, and while these are few also from those of all answers."""
    lead = tried.lead / tried.pairs
    variance = (max(0.0, tried.square - tried.pairs * lead**2) + FEW * usual) / (tried.pairs + FEW - 1)
    return lead, sqrt(variance / tried.pairs)


def is_clear(tries: Sequence[Tried], sure: float, doubt: float = 0.0) -> bool:
    """Whether one answer leads all others: its lower bound is at least their upper bounds, except for a trifle."""
    _, *others = tries
    usual = _square(others)
    leads = [(doubt, 0.0), *(_lead(tried, usual) for tried in others)]
    at_worst = [lead - sure * error for lead, error in leads]
    best = at_worst.index(max(at_worst))
    at_best = [lead + sure * error for lead, error in leads]
    return all(most <= at_worst[best] + TRIFLE for k, most in enumerate(at_best) if k != best)
