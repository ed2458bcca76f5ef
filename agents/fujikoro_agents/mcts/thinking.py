"""A search from Python's side: the memory of a tree, running it, and what it found."""

import tomllib
from collections.abc import Sequence
from dataclasses import dataclass
from functools import cache
from importlib.resources import files
from math import ceil, sqrt
from typing import Any, Final

import numpy as np

from fujikoro_agents.mcts.candidates import Candidate
from fujikoro_agents.mcts.plan import MOST_ITERATIONS, Plan
from fujikoro_agents.mcts.search import BITS_OF_SEEDS, POSITION, ROOM, WORK, Scripts, TreeArrays, search_on
from fujikoro_agents.mcts.tree import NONE, ROOT, THOUSAND, UNIT, Node, Search
from fujikoro_agents.scripted.aims import NO_AIM
from fujikoro_agents.scripted.evaluation import NAMES, read_weights
from fujikoro_agents.scripted.lookahead import REPORT, Minds, lookahead_games
from fujikoro_agents.stepping import Workspace
from fujikoro_env.game import Game
from fujikoro_env.kernel.jit import Address, address_of
from fujikoro_env.kernel.records import zeros
from fujikoro_env.rules.base.names import Fault
from fujikoro_env.rules.base.state import PLAYERS

MOST_NODES: Final = 1 << 16  # of one tree: beyond that it does not grow
FEW: Final = 8  # tries by which the spread of an answer is not yet known
TRIFLE: Final = 0.01  # of a win: for a difference of less nobody searches on
SEEDS: Final = 1 << 28  # between the first seeds of two trees: more than there are iterations


@dataclass(frozen=True)
class Answer:
    """What a search found about an action."""

    action: int
    visits: int
    worth: float  # to the player: its expected share of the win
    aim: int = NO_AIM  # what it is for, up to the end of the turn


@dataclass(frozen=True)
class Tried:
    """What one tree found about an action: sums over its tries."""

    action: int
    aim: int
    visits: int
    worth: float
    pairs: int = 0  # tries that were compared with those of the first answer, luck by luck
    lead: float = 0.0  # what they were worth more
    square: float = 0.0  # of that

    def __add__(self, other: "Tried") -> "Tried":
        sums = (getattr(self, name) + getattr(other, name) for name in ("visits", "worth", "pairs", "lead", "square"))
        return Tried(self.action, self.aim, *sums)


class Tree:
    """A search of one thread, with all memory that it needs."""

    def __init__(self, plan: Plan) -> None:
        self._plan = plan
        self._workspace = Workspace(ROOM)
        self._search: Any = zeros(Search, 1)
        self._nodes: Any = zeros(Node, min(MOST_NODES, plan.share_of(0) + 1))
        self._luck: Any = np.ones(ROOM * PLAYERS, np.int64)
        self._aims: Any = np.zeros(ROOM * PLAYERS, np.int64)  # of scripts that look ahead
        self._report: Any = np.zeros(REPORT, np.float32)  # what they tried last
        self._prior: Any = np.zeros((ROOM, PLAYERS), np.int64)  # skills of whose answer is tried first
        self._rollout: Any = np.zeros((ROOM, PLAYERS), np.int64)  # and of who plays on below the tree
        self._own: Any = np.zeros(len(self._nodes), np.int64)  # what the first answer was worth, try by try
        self._sure = self._doubt = 0.0
        self._candidates: Any = None
        self._tables: Any = None

    def begin(self, view: Game, seed: int, candidates: Sequence[Candidate]) -> None:
        assert 0 <= seed < (1 << BITS_OF_SEEDS) - MOST_ITERATIONS
        plan, search = self._plan, self._search[0]
        self._workspace.take_in(view, POSITION)
        self._workspace.take_in(view, WORK)
        self._tables = view.compiled.tables
        self._search.view(np.uint8)[:] = 0
        self._nodes[ROOT].first = NONE
        search.player, search.seed, search.nodes = view.actor, seed, 1
        search.candidates = len(candidates)
        self._candidates = np.array(candidates, np.int64)
        competitive = view.rules.mode == "competitive"
        search.turns, search.deepest = plan.turns_of(view.rules.players, competitive), plan.depth
        _, self._prior[:], self._rollout[:] = plan.skills(competitive)
        search.decisions = plan.decisions
        self._sure, self._doubt = plan.sure_of(competitive), plan.doubt_of(competitive)
        for name in ("exploration", "widening", "growth"):
            setattr(search, name, round(THOUSAND * getattr(plan, name)))

    def run(self, iterations: int) -> int:
        """So many iterations more; gives how many there are by now."""
        prior = Minds(self._prior, self._luck, self._aims, read_weights(), self._report)
        scripts = Scripts(answerer(), prior, prior._replace(skills=self._rollout))
        tree = TreeArrays(self._nodes, self._search, self._candidates, self._own, weights())
        done: int = search_on(self._workspace.compiled(self._tables), scripts, tree, iterations)
        if self._search[0].fault != Fault.NONE:
            raise RuntimeError(f"the rules have come to a halt ({Fault(self._search[0].fault).name}): please report it")
        return done

    @property
    def last_game(self) -> Any:
        """The game of the last iteration, where that has left it: an array of one record."""
        return self._workspace.games[WORK : WORK + 1]

    def is_settled(self) -> bool:
        """Whether searching on would hardly change the choice: it is clear, and no other answer is to be brought in."""
        return self._sure > 0 and self._is_wide() and is_clear(self.found(), self._sure, self._doubt)

    def _is_wide(self) -> bool:
        search, plan = self._search[0], self._plan
        most = ceil(1 + plan.widening * (plan.share_of(0) - 1) ** plan.growth)
        return bool(search.answers >= min(search.candidates, most) or search.nodes == len(self._nodes))

    def found(self) -> list[Tried]:
        """In the order in which they were tried: so the script's own is the first."""
        search, answers = self._search[0], []
        child = int(self._nodes[ROOT].first)  # the youngest
        while child != NONE:
            node = self._nodes[child]
            worth, lead, square = (int(sum_) / UNIT for sum_ in (node.worth[search.player], node.leads, node.squares))
            action, aim, visits, pairs = (int(node[name]) for name in ("action", "aim", "visits", "pairs"))
            answers.append(Tried(action, aim, visits, worth, pairs, lead, square))
            child = int(node.following)
        return answers[::-1]


@cache
def weights() -> Any:
    """Of the evaluation, by feature; training/fujikoro_training/fit_search.py made them."""
    written = tomllib.loads(files("fujikoro_agents.mcts").joinpath("weights.toml").read_text())
    return np.array([written[feature] for feature in NAMES], np.float32)


@cache
def answerer() -> Address:
    """Where the scripted answers are."""
    return address_of(lookahead_games)


def merged(trees: Sequence[Sequence[Tried]], caution: float, doubt: float = 0.0) -> list[Answer]:
    """The answers of all trees, the best first. Another than the script's own has to be better by `doubt` and `caution`
    standard errors: among many that are tried a few times each, one looks good by luck alone."""
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
    """Of the leads of all answers, on average."""
    return sum(tried.square for tried in tries) / max(1, sum(tried.pairs for tried in tries))


def _sure_lead(tried: Tried, usual: float, caution: float) -> float:
    """Over the script's own answer, as far as one can be sure."""
    lead, error = _lead(tried, usual)
    return lead - caution * error


def _lead(tried: Tried, usual: float) -> tuple[float, float]:
    """Over the script's own answer, and its standard error. How much leads differ from try to try is known from the
    answer's own tries, and while these are few from those of all."""
    lead = tried.lead / tried.pairs
    variance = (max(0.0, tried.square - tried.pairs * lead**2) + FEW * usual) / (tried.pairs + FEW - 1)
    return lead, sqrt(variance / tried.pairs)


def is_clear(tries: Sequence[Tried], sure: float, doubt: float = 0.0) -> bool:
    """Whether one answer leads all others by so many standard errors, but for a trifle: its lead at worst against
    theirs at best."""
    _, *others = tries
    usual = _square(others)
    leads = [(doubt, 0.0), *(_lead(tried, usual) for tried in others)]
    at_worst = [lead - sure * error for lead, error in leads]
    best = at_worst.index(max(at_worst))
    at_best = [lead + sure * error for lead, error in leads]
    return all(most <= at_worst[best] + TRIFLE for k, most in enumerate(at_best) if k != best)
