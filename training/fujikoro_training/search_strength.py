"""Measures whether search gets stronger with its budget, against a rung of the ladder.

    python -m fujikoro_training.search_strength --games 100

Every seed is played in all rotations of the seats, so that both sides have the same luck and the same seats; the
intervals are computed by seed. The table is printed in Markdown; docs/mcts.md shows one.
"""

import argparse
import sys
import time
from collections.abc import Iterator, Sequence
from concurrent.futures import ProcessPoolExecutor
from dataclasses import dataclass
from itertools import combinations
from math import sqrt
from multiprocessing import get_context
from statistics import fmean, stdev

from fujikoro_env.player import AgentError, make_agent, make_agents
from fujikoro_env.session import Session
from fujikoro_env.settings import Rules
from fujikoro_training.intervals import quantile
from fujikoro_training.workers.orphans import begin_worker

BUDGETS = (64, 256, 1024)


@dataclass(frozen=True)
class Played:
    """Result of one game for the search agents."""

    share: float  # share of the win
    margin: float  # lead in VP over the mean of the others
    decisions: int
    seconds: float  # CPU time spent on these decisions
    others_decisions: int
    others_seconds: float


@dataclass(frozen=True)
class Seating:
    """A game to play: a seed and the agent in each seat."""

    seed: int
    line_up: tuple[str, ...]
    searcher: str

    def play(self) -> Played:
        """Play the game."""
        agents = make_agents(self.line_up, self.seed)
        searching = [name == self.searcher for name in self.line_up]
        session = Session(Rules(players=len(searching)), self.seed, agents=agents, keep_history=False)
        decisions, seconds = {True: 0, False: 0}, {True: 0.0, False: 0.0}
        while not session.over:
            actor, began = session.actor, time.process_time()
            session.advance()
            decisions[searching[actor]] += 1
            seconds[searching[actor]] += time.process_time() - began
        assert session.outcome is not None
        winners, scores = session.outcome.winners, session.outcome.scores
        share = sum(searching[p] for p in winners) / len(winners)
        margin = _mean_of(scores, searching, True) - _mean_of(scores, searching, False)
        return Played(share, margin, decisions[True], seconds[True], decisions[False], seconds[False])


def _mean_of(scores: Sequence[int], searching: Sequence[bool], side: bool) -> float:
    return fmean(vp for vp, is_searcher in zip(scores, searching, strict=True) if is_searcher == side)


def tables(searcher: str, against: str, players: int, searchers: int, seeds: Sequence[int]) -> list[Seating]:
    """All rotations of every seed; two search agents sit opposite each other."""
    apart = players // searchers
    first = [searcher if seat % apart == 0 else against for seat in range(players)]
    rotations = [tuple(first[k:] + first[:k]) for k in range(apart)]
    return [Seating(seed, line_up, searcher) for seed in seeds for line_up in rotations]


def interval(blocks: Sequence[float]) -> tuple[float, float]:
    """Mean, and half the width of its 95 % interval (Student's t, because there may be few seeds)."""
    return fmean(blocks), quantile(len(blocks)) * stdev(blocks) / sqrt(len(blocks)) if len(blocks) > 1 else float("nan")


def by_seed(played: Sequence[Played], block: int) -> tuple[list[float], list[float]]:
    """Mean shares and leads by seed; the games of a seed are consecutive."""
    blocks = [played[k : k + block] for k in range(0, len(played), block)]
    return [fmean(game.share for game in each) for each in blocks], [
        fmean(game.margin for game in each) for each in blocks
    ]


def row(name: str, played: Sequence[Played], block: int) -> str:
    """Row of the table."""
    shares, margins = by_seed(played, block)
    (share, half), (margin, half_margin) = interval(shares), interval(margins)
    per_decision = sum(game.seconds for game in played) / sum(game.decisions for game in played)
    others = sum(game.others_seconds for game in played) / sum(game.others_decisions for game in played)
    return (
        f"| `{name}` | {len(played)} | {share:.1%} ± {half:.1%} | {margin:+.1f} ± {half_margin:.1f} "
        f"| {1000 * per_decision:.1f} | {1000 * others:.1f} |"
    )


def fair_row(name: str, searchers: int, players: int) -> str:
    """Row of the reference agent: against itself in all rotations it has a fair share by construction."""
    return f"| `{name}` | | {searchers / players:.0%} by construction | 0 | | |"


def growth(more: int, less: int, many: Sequence[Played], few: Sequence[Played], block: int) -> str:
    """Gain of a larger budget. Both budgets played the same seeds, so the interval is that of the differences."""
    pairs = zip(by_seed(many, block), by_seed(few, block), strict=True)
    (share, half), (margin, half_margin) = (interval([a - b for a, b in zip(*pair, strict=True)]) for pair in pairs)
    points = f"{100 * share:+.1f} ± {100 * half:.1f} percentage points of wins"
    return f"{more} against {less} iterations: {points}, {margin:+.1f} ± {half_margin:.1f} VP"


def measure(
    budgets: Sequence[int], extra: str, against: str, players: int, searchers: int, games: int, seed: int, workers: int
) -> Iterator[str]:
    """Yield the lines of the table as they come, then the gain of each budget over the smaller ones."""
    block = players // searchers
    seeds = range(seed, seed + -(-games // block))
    title = f"{searchers} against {players - searchers} `{against}`"
    fair = f"share of wins (fair: {searchers / players:.0%})"
    yield f"| {title} | games | {fair} | margin in VP | CPU ms per decision | of the others |"
    yield "| --- | --- | --- | --- | --- | --- |"
    yield fair_row(against, searchers, players)
    played: dict[int, list[Played]] = {}
    with ProcessPoolExecutor(workers, get_context("spawn"), begin_worker) as pool:
        for budget in budgets:
            name = name_of(budget, extra)
            played[budget] = []
            for game in pool.map(Seating.play, tables(name, against, players, searchers, seeds)):
                played[budget].append(game)
                if len(played[budget]) % block == 0:
                    share = fmean(each.share for each in played[budget])
                    print(f"{name}: {share:.1%} of {len(played[budget])} games", file=sys.stderr, flush=True)
            yield row(name, played[budget], block)
    for less, more in combinations(played, 2):
        yield growth(more, less, played[more], played[less], block)


def name_of(budget: int, extra: str) -> str:
    """Name of the search agent with a budget."""
    return f"mcts:iterations={budget}{',' if extra else ''}{extra}"


def main() -> int:
    """Command line of this module."""
    parser = argparse.ArgumentParser(
        prog="python -m fujikoro_training.search_strength", description=__doc__.split("\n")[0]
    )
    parser.add_argument(
        "--games", type=int, default=100, help="games per budget, rounded up to whole seeds (default: %(default)s)"
    )
    parser.add_argument("--budgets", type=int, nargs="+", default=BUDGETS, help="iterations (default: 64 256 1024)")
    parser.add_argument("--against", default="shogun", help="agent in the other seats (default: %(default)s)")
    parser.add_argument("--players", type=int, choices=(2, 4), default=4, help="at a table (default: %(default)s)")
    parser.add_argument(
        "--searchers", type=int, choices=(1, 2), default=1, help="search agents at a table (default: %(default)s)"
    )
    parser.add_argument("--with", dest="extra", default="", help="more parameters of mcts, such as turns=2,growth=0.4")
    parser.add_argument("--seed", type=int, default=1, help="seed of the first game (default: %(default)s)")
    parser.add_argument("--workers", type=int, default=1, help="number of processes (default: %(default)s)")
    given = parser.parse_args()
    for name in ("games", "workers"):
        if getattr(given, name) < 1:
            parser.error(f"--{name} {getattr(given, name)}: allowed are whole numbers from 1")
    if given.searchers == given.players:
        parser.error("--searchers 2 of --players 2: nobody is left to play against")
    searchers = [name_of(budget, given.extra) for budget in given.budgets]
    if given.against in searchers:
        parser.error(f"--against {given.against}: it is one of the searchers")
    try:
        for name in (*searchers, given.against):
            make_agent(name)
    except AgentError as error:
        print(error, file=sys.stderr)
        return 2
    who = given.against, given.players, given.searchers
    for line in measure(given.budgets, given.extra, *who, given.games, given.seed, given.workers):
        print(line, flush=True)
    return 0


if __name__ == "__main__":
    sys.exit(main())
