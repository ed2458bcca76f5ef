"""Who foretells what an answer is worth? Searchers say by how much one answer leads another; then both are played on.

    python -m fujikoro_training.search_foresight --positions 400

Of decisions of `shogun` the best other answer is taken that a quick search finds. Each searcher compares the two, and
both are played on to the end by `shogun` (up to the end of the turn by `runner`), under luck that no search has met. A
searcher is worth its time only if the leads that it sees are those that come true: their correlation, and how much of a
lead comes true, tell that, where games would take days.
"""

import argparse
import sys
import time
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Final

import numpy as np
from numpy.typing import NDArray

from fujikoro_agents.mcts.agent import Mcts
from fujikoro_agents.mcts.thinking import Tree, Tried
from fujikoro_env.player import AgentError, make_agent
from fujikoro_env.rules.base.state import PLAYERS
from fujikoro_training.search_decisions import SEEDS, Decision, PlayOn, some_decisions, tree_of
from fujikoro_training.search_strength import interval
from fujikoro_training.tournament.shares import quantile

PROPOSER: Final = "mcts:iterations=512,rollout=quick,turns=16"
SEARCHERS: Final = tuple(
    f"mcts:iterations={iterations},rollout={rollout},turns={turns}"
    for rollout, iterations, turns in (
        ("quick", 64, 8),
        ("quick", 512, 8),
        ("quick", 512, 16),
        ("scout", 64, 4),
        ("scout", 64, 8),
    )
)
UNMET: Final = 1 << 39  # luck that the proposer has not met
ENOUGH: Final = 20  # tries of an answer that is proposed
ALIKE: Final = 1e-4  # the mean square of the leads of an answer that comes to the same as the first
HOPELESS: Final = -0.04  # of a win
FEWEST: Final = 4  # iterations, and questions


@dataclass(frozen=True)
class Question:
    """A decision between the first of its candidates and another."""

    number: int
    decision: Decision
    came_true: float  # by how much the other won more often


def proposed(tried: Sequence[Tried]) -> Tried | None:
    """The best but the first, if it comes to something else and is not hopeless."""
    others = [each for each in tried[1:] if each.pairs >= ENOUGH and each.square / each.pairs > ALIKE]
    best = max(others, key=lambda each: each.lead / each.pairs, default=None)
    return best if best is not None and best.lead / best.pairs > HOPELESS else None


def questions(decisions: Sequence[Decision], deals: int) -> list[Question]:
    tree, plan = tree_of(PROPOSER)
    pairs: dict[int, Decision] = {}
    for k, decision in enumerate(decisions):
        tree.begin(decision.view, k * SEEDS, decision.candidates)
        tree.run(plan.share_of(0))
        other = proposed(tree.found())
        if other is not None:
            pairs[k] = Decision(decision.view, [decision.candidates[0], (other.action, other.aim)])
    play_on = PlayOn(pairs, "shogun", deals)
    return [Question(k, pair, play_on.gain(k, pair.candidates[1]).wins) for k, pair in pairs.items()]


def foretold(tree: Tree, iterations: int, question: Question) -> float:
    """The lead that a searcher sees."""
    tree.begin(question.decision.view, UNMET + question.number * SEEDS, question.decision.candidates)
    tree.run(iterations)
    _, other = tree.found()
    return other.lead / other.pairs


def row(name: str, seen: NDArray[np.float64], true: NDArray[np.float64], milliseconds: float) -> str:
    slope, base = np.polyfit(seen, true, 1)
    half = quantile(len(true)) * float(np.std(true - slope * seen - base) / np.std(seen)) / len(true) ** 0.5
    correlation = float(np.corrcoef(seen, true)[0, 1])
    gain, half_gain = interval((true * (seen > 0)).tolist())
    return (
        f"| `{name}` | {correlation:.2f} | {slope:.2f} ± {half:.2f} "
        f"| {100 * gain:+.2f} ± {100 * half_gain:.2f} | {milliseconds:.0f} |"
    )


def measure(searchers: Sequence[str], players: int, positions: int, deals: int, seed: int) -> Iterator[str]:
    """The lines of the table, as they come."""
    trees = [tree_of(name) for name in searchers]
    asked = questions(some_decisions(positions, players, seed), deals)
    if len(asked) < FEWEST:
        yield f"{len(asked)} of {positions} decisions are in question: too few to tell, take more --positions"
        return
    true = np.array([question.came_true for question in asked])
    yield f"{len(asked)} of {positions} decisions; the other answer won {100 * true.mean():+.2f} points more often"
    yield "| searcher | correlation | comes true of a lead | points for a decision, if followed | ms |"
    yield "| --- | --- | --- | --- | --- |"
    for name, (tree, plan) in zip(searchers, trees, strict=True):
        began = time.perf_counter()
        seen = np.array([foretold(tree, plan.share_of(0), question) for question in asked])
        yield row(name, seen, true, 1000 * (time.perf_counter() - began) / len(asked))


def compares_two(name: str) -> bool:
    """Whether it searches by iterations, and tries a second answer."""
    agent = make_agent(name)
    return isinstance(agent, Mcts) and (agent.plan.iterations or 0) >= FEWEST and agent.plan.widening >= 1


def main() -> int:
    parser = argparse.ArgumentParser(
        prog="python -m fujikoro_training.search_foresight", description=__doc__.split("\n")[0]
    )
    parser.add_argument("--positions", type=int, default=400, help="(%(default)s)")
    parser.add_argument("--searchers", nargs="+", default=SEARCHERS, help="by name (some with quick and scout)")
    parser.add_argument("--players", type=int, choices=range(2, PLAYERS + 1), default=4, help="(%(default)s)")
    parser.add_argument("--deals", type=int, default=12, help="that each answer is played on (%(default)s)")
    parser.add_argument("--seed", type=int, default=1, help="of the first game (%(default)s)")
    given = parser.parse_args()
    for name in ("positions", "deals"):
        if getattr(given, name) < 1:
            parser.error(f"--{name} {getattr(given, name)}: allowed are whole numbers from 1")
    if given.seed < 0:
        parser.error(f"--seed {given.seed}: allowed are whole numbers from 0")
    try:
        for name in given.searchers:
            if not compares_two(name):
                parser.error(f"--searchers {name}: allowed are those of mcts with some iterations, as {SEARCHERS[0]}")
        for line in measure(given.searchers, given.players, given.positions, given.deals, given.seed):
            print(line, flush=True)
    except AgentError as error:
        print(error, file=sys.stderr)
        return 2
    return 0


if __name__ == "__main__":
    sys.exit(main())
