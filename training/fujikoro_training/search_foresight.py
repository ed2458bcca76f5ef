"""Measures how well search agents predict the difference in worth between two answers.

    python -m fujikoro_training.search_foresight --positions 400

For decisions of `shogun`, a quick search finds the best alternative answer. Each search agent compares the two answers.
Then `shogun` plays on from both to the end (`runner` up to the end of the turn), with random numbers that no search has
used. A search agent is worth its time only if the leads it predicts come true. Their correlation, and the share of a
lead that comes true, show this; measuring it with games would take days.
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
from fujikoro_training.intervals import quantile
from fujikoro_training.search_decisions import SEEDS, Decision, PlayOn, some_decisions, tree_of
from fujikoro_training.search_strength import interval

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
UNMET: Final = 1 << 39  # seeds from here on are not used by the proposing search
ENOUGH: Final = 20  # minimum tries of an answer to be proposed
ALIKE: Final = 1e-4  # mean squared lead up to which an answer is considered the same as the first
HOPELESS: Final = -0.04  # lead, in wins, below which an answer is not proposed
FEWEST: Final = 4  # minimum number of iterations and of questions


@dataclass(frozen=True)
class Question:
    """A decision between the first candidate and another one."""

    number: int
    decision: Decision
    came_true: float  # how much more often the other one won


def proposed(tried: Sequence[Tried]) -> Tried | None:
    """The best alternative to the first answer, if it makes a difference and is not hopeless."""
    others = [each for each in tried[1:] if each.pairs >= ENOUGH and each.square / each.pairs > ALIKE]
    best = max(others, key=lambda each: each.lead / each.pairs, default=None)
    return best if best is not None and best.lead / best.pairs > HOPELESS else None


def questions(decisions: Sequence[Decision], deals: int) -> list[Question]:
    """Find questions in the decisions, and play on from both answers."""
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
    """The lead of the other answer that a search predicts."""
    tree.begin(question.decision.view, UNMET + question.number * SEEDS, question.decision.candidates)
    tree.run(iterations)
    _, other = tree.found()
    return other.lead / other.pairs


def row(name: str, seen: NDArray[np.float64], true: NDArray[np.float64], milliseconds: float) -> str:
    """Row of the table."""
    slope, base = np.polyfit(seen, true, 1)
    half = quantile(len(true)) * float(np.std(true - slope * seen - base) / np.std(seen)) / len(true) ** 0.5
    correlation = float(np.corrcoef(seen, true)[0, 1])
    gain, half_gain = interval((true * (seen > 0)).tolist())
    return (
        f"| `{name}` | {correlation:.2f} | {slope:.2f} ± {half:.2f} "
        f"| {100 * gain:+.2f} ± {100 * half_gain:.2f} | {milliseconds:.0f} |"
    )


def measure(searchers: Sequence[str], players: int, positions: int, deals: int, seed: int) -> Iterator[str]:
    """Yield the lines of the table as they come."""
    trees = [tree_of(name) for name in searchers]
    asked = questions(some_decisions(positions, players, seed), deals)
    if len(asked) < FEWEST:
        yield f"only {len(asked)} of {positions} decisions have an alternative: use more --positions"
        return
    true = np.array([question.came_true for question in asked])
    yield f"{len(asked)} of {positions} decisions; the alternative won {100 * true.mean():+.2f} percentage points more"
    yield "| search agent | correlation | share of a lead that comes true | win gain if followed, % points | ms |"
    yield "| --- | --- | --- | --- | --- |"
    for name, (tree, plan) in zip(searchers, trees, strict=True):
        began = time.perf_counter()
        seen = np.array([foretold(tree, plan.share_of(0), question) for question in asked])
        yield row(name, seen, true, 1000 * (time.perf_counter() - began) / len(asked))


def compares_two(name: str) -> bool:
    """Whether the agent searches by iterations and tries a second answer."""
    agent = make_agent(name)
    return isinstance(agent, Mcts) and (agent.plan.iterations or 0) >= FEWEST and agent.plan.widening >= 1


def main() -> int:
    """Command line of this module."""
    parser = argparse.ArgumentParser(
        prog="python -m fujikoro_training.search_foresight", description=__doc__.split("\n")[0]
    )
    parser.add_argument("--positions", type=int, default=400, help="number of decisions (default: %(default)s)")
    parser.add_argument("--searchers", nargs="+", default=SEARCHERS, help="mcts agents (default: some quick and scout)")
    parser.add_argument("--players", type=int, choices=range(2, PLAYERS + 1), default=4, help="(default: %(default)s)")
    parser.add_argument("--deals", type=int, default=12, help="games played on per answer (default: %(default)s)")
    parser.add_argument("--seed", type=int, default=1, help="seed of the first game (default: %(default)s)")
    given = parser.parse_args()
    for name in ("positions", "deals"):
        if getattr(given, name) < 1:
            parser.error(f"--{name} {getattr(given, name)}: allowed are whole numbers from 1")
    if given.seed < 0:
        parser.error(f"--seed {given.seed}: allowed are whole numbers from 0")
    try:
        for name in given.searchers:
            if not compares_two(name):
                parser.error(f"--searchers {name}: allowed are mcts agents with iterations, such as {SEARCHERS[0]}")
        for line in measure(given.searchers, given.players, given.positions, given.deals, given.seed):
            print(line, flush=True)
    except AgentError as error:
        print(error, file=sys.stderr)
        return 2
    return 0


if __name__ == "__main__":
    sys.exit(main())
