"""`mcts`: an agent that searches. `mcts:iterations=400`, `mcts:milliseconds=200,threads=2`; docs/mcts.md has all."""

import time
from dataclasses import dataclass
from functools import cache
from typing import Any, Final

import numpy as np

from agents.mcts.search import POSITION, ROOM, WORK, search_on
from agents.mcts.tree import NONE, ROOT, THOUSAND, UNIT, Node, Search
from agents.scripted.ladder import answer_games
from agents.scripted.luck import first_luck
from agents.scripted.skills import RUNGS
from agents.stepping import Address, Room, stepper
from fujikoro_env.crew import Crew
from fujikoro_env.game import Game
from fujikoro_env.player import AgentError
from fujikoro_env.rules.jit import address_of
from fujikoro_env.rules.names import Fault
from fujikoro_env.rules.records import zeros
from fujikoro_env.rules.state import PLAYERS
from fujikoro_env.settings import is_whole_number

ITERATIONS: Final = 400  # unless a budget is given
MOST_ITERATIONS: Final = 10_000_000
MOST_NODES: Final = 1 << 16  # of one tree: beyond that it does not grow
AT_ONCE: Final = 16  # iterations between two looks at the clock
SEEDS: Final = 1 << 28  # of trees: far enough apart for all iterations
NAMED: Final = 3  # answers in an explanation


@dataclass(frozen=True)
class Answer:
    """What a search found about an action."""

    action: int
    visits: int
    worth: float  # to the player: its expected share of the win


@dataclass(frozen=True)
class Plan:
    """How to search."""

    iterations: int | None
    milliseconds: int | None
    threads: int
    rollout: str
    exploration: float
    turns: int | None  # None: one for each player
    decisions: int
    widening: float
    growth: float

    def __post_init__(self) -> None:
        for name, least, most in (
            ("iterations", 1, MOST_ITERATIONS),
            ("milliseconds", 1, 86_400_000),
            ("threads", 1, 256),
            ("turns", 0, 1000),
            ("decisions", 1, 100_000),
        ):
            self._check(name, least, most, whole=True)
        self._check("exploration", 0, 100)
        self._check("widening", 0, 1000)
        self._check("growth", 0, 1)
        if self.rollout not in RUNGS:
            raise AgentError(f"agent 'mcts': rollout={self.rollout!r}: allowed are {', '.join(RUNGS)}")

    def _check(self, name: str, least: int, most: int, whole: bool = False) -> None:
        value = getattr(self, name)
        if value is None and name in ("iterations", "milliseconds", "turns"):
            return
        is_number = is_whole_number(value) or (not whole and isinstance(value, float))
        if not is_number or not least <= value <= most:
            kind = "whole numbers" if whole else "numbers"
            raise AgentError(f"agent 'mcts': {name}={value!r}: allowed are {kind} from {least} to {most}")

    def share_of(self, tree: int) -> int | None:
        """The iterations of one of the trees."""
        if self.iterations is None:
            return None
        return self.iterations // self.threads + (tree < self.iterations % self.threads)


class Tree:
    """A search of one thread, with all memory that it needs."""

    def __init__(self, plan: Plan) -> None:
        self._plan = plan
        self._room = Room(ROOM)
        self._search: Any = zeros(Search, 1)
        self._nodes: Any = zeros(Node, min(MOST_NODES, (plan.iterations or MOST_NODES) + 1))
        self._luck: Any = np.ones(ROOM * PLAYERS, np.int64)
        self._skills: Any = np.full((ROOM, PLAYERS), RUNGS[plan.rollout], np.int64)
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
        search.budget = plan.iterations or 0 if plan.threads == 1 else 0
        search.turns = view.rules.players if plan.turns is None else plan.turns
        search.decisions = plan.decisions
        search.exploration = round(THOUSAND * plan.exploration)
        search.widening, search.growth = round(THOUSAND * plan.widening), round(THOUSAND * plan.growth)

    def run(self, iterations: int) -> int:
        """So many iterations more; gives how many there were: fewer if the choice is clear before."""
        room = self._room
        done: int = search_on(
            stepper(),
            answerer(),
            room.games,
            self._tables,
            room.masks,
            room.actions,
            room.words,
            self._skills,
            self._luck,
            self._nodes,
            self._search,
            iterations,
        )
        if self._search[0].fault != Fault.NONE:
            raise RuntimeError(f"the rules have come to a halt ({Fault(self._search[0].fault).name}): please report it")
        return done

    def totals(self) -> dict[int, tuple[int, int]]:
        """By action of the root: visits, and the sum of what they were worth to the player."""
        found, child, player = {}, int(self._nodes[ROOT].first), int(self._search[0].player)
        while child != NONE:
            node = self._nodes[child]
            found[int(node.action)] = (int(node.visits), int(node.worth[player]))
            child = int(node.following)
        return found


@cache
def answerer() -> Address:
    return address_of(answer_games)


class Mcts:
    """Searches for so many iterations or milliseconds (if both are given, what ends first); docs/mcts.md."""

    def __init__(
        self,
        iterations: int | None = None,
        milliseconds: int | None = None,
        threads: int = 1,
        rollout: str = "smith",
        exploration: float = 1.0,
        turns: int | None = None,
        decisions: int = 400,
        widening: float = 1.0,
        growth: float = 0.5,
    ) -> None:
        if iterations is None and milliseconds is None:
            iterations = ITERATIONS
        self.plan = Plan(iterations, milliseconds, threads, rollout, exploration, turns, decisions, widening, growth)
        self._trees = [Tree(self.plan) for _ in range(threads)]
        self._crew: Crew | None = None
        self.found: list[Answer] = []  # of the last search, the best first
        self._seen: Game | None = None
        self.reset(0, 0)

    def reset(self, seed: int, seat: int) -> None:
        self._seed, self._seat, self._decision = seed, seat, 0

    def act(self, view: Game) -> int:
        self._decision += 1
        self._seen = view
        legal = view.legal_actions()
        if len(legal) == 1:
            self.found = [Answer(int(legal[0]), 0, 0.0)]
        else:
            self.found = self._answers(view)
        return self.found[0].action

    def _answers(self, view: Game) -> list[Answer]:
        seed = first_luck(first_luck(self._seed, self._seat), self._decision)
        for k, tree in enumerate(self._trees):
            tree.begin(view, seed + k * SEEDS)
        self._search_on_threads()
        return merged([tree.totals() for tree in self._trees])

    def _search_on_threads(self) -> None:
        if self._crew is None:
            self._crew = Crew(self.plan.threads)
        end = time.monotonic() + self.plan.milliseconds / 1000 if self.plan.milliseconds else None
        self._crew.share_out(lambda hand: self._run(hand, end))

    def _run(self, hand: int, end: float | None) -> None:
        share, done = self.plan.share_of(hand), 0
        goes_on = True
        while goes_on and (share is None or done < share):
            wanted = min(
                AT_ONCE if end is not None else MOST_ITERATIONS, MOST_ITERATIONS if share is None else share - done
            )
            ran = self._trees[hand].run(wanted)
            done += ran
            goes_on = ran == wanted and (end is None or time.monotonic() < end)

    def explain(self) -> str:
        """The best few answers: how often the search went there, and the share of the win that it expects."""
        if self._seen is None or not self.found:
            return ""
        visits = sum(answer.visits for answer in self.found)
        if visits == 0:
            return f"{self._seen.action_name(self.found[0].action)}: nothing else is allowed"
        parts = [
            f"{self._seen.action_name(answer.action)} {answer.visits / visits:.0%} of {visits} visits, "
            f"{'chance' if self._seen.rules.mode != 'competitive' else 'share'} of the win {answer.worth:.2f}"
            for answer in self.found[:NAMED]
        ]
        return "; ".join(parts)


def merged(trees: list[dict[int, tuple[int, int]]]) -> list[Answer]:
    """The answers of all trees, the most visited first; among equals what is worth more."""
    totals: dict[int, tuple[int, int]] = {}
    for tree in trees:
        for action, (visits, worth) in tree.items():
            before = totals.get(action, (0, 0))
            totals[action] = (before[0] + visits, before[1] + worth)
    found = [Answer(action, visits, worth / visits / UNIT) for action, (visits, worth) in totals.items() if visits]
    return sorted(found, key=lambda answer: (-answer.visits, -answer.worth, answer.action))
