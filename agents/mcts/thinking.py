"""A search from Python's side: the memory of a tree, running it, and what it found."""

import tomllib
from collections.abc import Sequence
from dataclasses import dataclass
from functools import cache
from importlib.resources import files
from math import sqrt
from typing import Any, Final

import numpy as np

from agents.mcts.plan import Plan
from agents.mcts.search import POSITION, ROOM, WORK, search_on
from agents.mcts.tree import NONE, ROOT, THOUSAND, UNIT, Node, Search
from agents.scripted.evaluation import NAMES
from agents.scripted.ladder import answer_games
from agents.stepping import Address, Room, stepper
from fujikoro_env.game import Game
from fujikoro_env.rules.jit import address_of
from fujikoro_env.rules.names import Fault
from fujikoro_env.rules.records import zeros
from fujikoro_env.rules.state import PLAYERS

ROUNDS: Final = 2  # played on, unless the plan says how many turns
MOST_NODES: Final = 1 << 16  # of one tree: beyond that it does not grow
SEEDS: Final = 1 << 28  # between the first seeds of two trees: more than there are iterations


@dataclass(frozen=True)
class Answer:
    """What a search found about an action."""

    action: int
    visits: int
    worth: float  # to the player: its expected share of the win


@dataclass(frozen=True)
class Found:
    """What one tree found."""

    answers: tuple[Answer, ...]  # in the order in which they were tried: so the script's own is the first
    square: float  # the sum over all iterations of the square of what they were worth


class Tree:
    """A search of one thread, with all memory that it needs."""

    def __init__(self, plan: Plan) -> None:
        self._plan = plan
        self._room = Room(ROOM)
        self._search: Any = zeros(Search, 1)
        self._nodes: Any = zeros(Node, min(MOST_NODES, plan.share_of(0) + 1))
        self._luck: Any = np.ones(ROOM * PLAYERS, np.int64)
        self._prior: Any = np.zeros((ROOM, PLAYERS), np.int64)  # skills of whose answer is tried first
        self._rollout: Any = np.zeros((ROOM, PLAYERS), np.int64)  # and of who plays on below the tree
        self._tables: Any = None

    def begin(self, view: Game, seed: int) -> None:
        plan, search = self._plan, self._search[0]
        self._room.take_in(view, POSITION)
        self._room.take_in(view, WORK)
        self._tables = view._tables
        self._search.view(np.uint8)[:] = 0
        self._nodes[ROOT].first = NONE
        self._luck[:] = seed % SEEDS + 1
        search.player, search.seed, search.nodes = view.actor, seed, 1
        search.turns = ROUNDS * view.rules.players if plan.turns is None else plan.turns
        self._prior[:], self._rollout[:] = plan.skills(view.rules.mode == "competitive")
        search.decisions = plan.decisions
        for name in ("exploration", "widening", "growth"):
            setattr(search, name, round(THOUSAND * getattr(plan, name)))

    def run(self, iterations: int) -> int:
        """So many iterations more; gives how many there are by now."""
        room = self._room
        done: int = search_on(
            stepper(),
            answerer(),
            room.games,
            self._tables,
            room.masks,
            room.actions,
            room.words,
            self._prior,
            self._rollout,
            self._luck,
            self._nodes,
            self._search,
            weights(),
            iterations,
        )
        if self._search[0].fault != Fault.NONE:
            raise RuntimeError(f"the rules have come to a halt ({Fault(self._search[0].fault).name}): please report it")
        return done

    def found(self) -> Found:
        search, answers = self._search[0], []
        child = int(self._nodes[ROOT].first)  # the youngest
        while child != NONE:
            node = self._nodes[child]
            worth = int(node.worth[search.player]) / UNIT / int(node.visits)
            answers.append(Answer(int(node.action), int(node.visits), worth))
            child = int(node.following)
        return Found(tuple(reversed(answers)), int(search.squares[search.player]) / THOUSAND**2)


@cache
def weights() -> Any:
    """Of the evaluation, by feature; training/fit_search.py made them."""
    written = tomllib.loads(files("agents.mcts").joinpath("weights.toml").read_text())
    return np.array([written[feature] for feature in NAMES], np.float32)


@cache
def answerer() -> Address:
    """Where the scripted answers are."""
    return address_of(answer_games)


def merged(trees: Sequence[Found], caution: float, doubt: float) -> list[Answer]:
    """The answers of all trees, the best first. Another than the script's own has to be better by `caution` standard
    errors: among many that are tried a few times each, one looks good by luck alone. And by `doubt` times the spread of
    the iterations, for what is wrong in the rollouts does not become less with their number."""
    totals: dict[int, tuple[int, float]] = {}
    for tree in trees:
        for answer in tree.answers:
            visits, worth = totals.get(answer.action, (0, 0.0))
            totals[answer.action] = (visits + answer.visits, worth + answer.visits * answer.worth)
    answers = [Answer(action, visits, worth / visits) for action, (visits, worth) in totals.items()]
    spread, own = _spread(answers, sum(tree.square for tree in trees)), answers[0]

    def lead(answer: Answer) -> float:
        """Over the script's own, as far as one can be sure."""
        if answer is own:
            return 0.0
        errors = sqrt(1 / answer.visits + 1 / own.visits)
        return answer.worth - own.worth - spread * max(caution * errors, doubt)

    return sorted(answers, key=lambda answer: (-lead(answer), -answer.visits, answer.action))


def _spread(answers: Sequence[Answer], square: float) -> float:
    """The standard deviation of what iterations with the same answer are worth."""
    explained = sum(answer.visits * answer.worth**2 for answer in answers)
    return sqrt(max(0.0, square - explained) / sum(answer.visits for answer in answers))
