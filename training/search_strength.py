"""Does search get stronger with its budget? Searchers of several budgets against a rung of the ladder, four at a table.

    python -m training.search_strength --games 100

Every seed is played in all rotations of the seats, so that luck and seat are the same for both sides; the intervals are
over seeds. The table is written in Markdown: docs/mcts.md shows one.
"""

import argparse
import sys
import time
from collections.abc import Iterator, Sequence
from concurrent.futures import ProcessPoolExecutor
from dataclasses import dataclass
from math import sqrt
from multiprocessing import get_context
from statistics import fmean, stdev

from fujikoro_env.game import Game
from fujikoro_env.player import Agent, AgentError, make_agent
from fujikoro_env.settings import Rules

PLAYERS = 4
BUDGETS = (64, 256, 1024)
CONFIDENCE = 1.96


@dataclass(frozen=True)
class Played:
    """What came of one game for the searchers."""

    share: float  # of the win
    rank: float  # mean
    decisions: int
    seconds: float  # spent on them


@dataclass(frozen=True)
class Table:
    """A game to play: who sits where."""

    seed: int
    line_up: tuple[str, ...]
    searcher: str

    def play(self) -> Played:
        agents = [make_agent(name) for name in self.line_up]
        for seat, agent in enumerate(agents):
            agent.reset(self.seed, seat)
        game, searching = Game(Rules(players=PLAYERS), self.seed), [name == self.searcher for name in self.line_up]
        decisions, seconds = 0, 0.0
        while not game.over:
            actor, began = game.actor, time.perf_counter()
            game.step(_answer(agents[actor], game))
            if searching[actor]:
                decisions += 1
                seconds += time.perf_counter() - began
        assert game.outcome is not None
        winners, ranking = game.outcome.winners, game.outcome.ranking
        share = sum(searching[p] for p in winners) / len(winners)
        rank = fmean(ranking[p] for p in range(PLAYERS) if searching[p])
        return Played(share, rank, decisions, seconds)


def _answer(agent: Agent, game: Game) -> int:
    return agent.act(game.view(game.actor))


def tables(searcher: str, against: str, searchers: int, seeds: Sequence[int]) -> list[Table]:
    """All rotations of every seed; two searchers sit opposite each other."""
    first = [searcher if seat % (PLAYERS // searchers) == 0 else against for seat in range(PLAYERS)]
    rotations = [tuple(first[k:] + first[:k]) for k in range(PLAYERS // searchers)]
    return [Table(seed, line_up, searcher) for seed in seeds for line_up in rotations]


def interval(blocks: Sequence[float]) -> tuple[float, float]:
    """The mean, and half the width of its 95 % interval."""
    return fmean(blocks), CONFIDENCE * stdev(blocks) / sqrt(len(blocks)) if len(blocks) > 1 else float("nan")


def row(name: str, played: Sequence[Played], block: int) -> str:
    """Of the table; games of a seed stand together."""
    starts = range(0, len(played), block)
    share, half = interval([fmean(game.share for game in played[k : k + block]) for k in starts])
    rank, half_rank = interval([fmean(game.rank for game in played[k : k + block]) for k in starts])
    per_decision = sum(game.seconds for game in played) / sum(game.decisions for game in played)
    return (
        f"| `{name}` | {len(played)} | {share:.1%} ± {half:.1%} | {rank:.2f} ± {half_rank:.2f} "
        f"| {1000 * per_decision:.1f} |"
    )


def measure(names: Sequence[str], against: str, searchers: int, games: int, seed: int, workers: int) -> Iterator[str]:
    """The lines of the table, as they come."""
    block = PLAYERS // searchers
    seeds = range(seed, seed + -(-games // block))
    fair = searchers / PLAYERS
    title = f"{searchers} against {PLAYERS - searchers} `{against}`"
    yield f"| {title} | games | share of wins (fair: {fair:.0%}) | mean rank | ms per decision |"
    yield "| --- | --- | --- | --- | --- |"
    with ProcessPoolExecutor(workers, get_context("spawn")) as pool:
        for name in names:
            played: list[Played] = []
            for game in pool.map(Table.play, tables(name, against, searchers, seeds)):
                played.append(game)
                if len(played) % block == 0:
                    share = fmean(each.share for each in played)
                    print(f"{name}: {share:.1%} of {len(played)} games", file=sys.stderr, flush=True)
            yield row(name, played, block)


def main() -> int:
    parser = argparse.ArgumentParser(prog="python -m training.search_strength", description=__doc__.split("\n")[0])
    parser.add_argument(
        "--games", type=int, default=100, help="for each budget, rounded up to whole seeds (%(default)s)"
    )
    parser.add_argument("--budgets", type=int, nargs="+", default=BUDGETS, help="iterations (64 256 1024)")
    parser.add_argument("--against", default="shogun", help="who the others are (%(default)s)")
    parser.add_argument("--searchers", type=int, choices=(1, 2), default=1, help="of four players (%(default)s)")
    parser.add_argument("--with", dest="extra", default="", help="more parameters of the searcher: turns=2,growth=0.4")
    parser.add_argument("--seed", type=int, default=1, help="of the first game (%(default)s)")
    parser.add_argument("--workers", type=int, default=1, help="processes (%(default)s)")
    given = parser.parse_args()
    names = [f"mcts:iterations={n}{',' if given.extra else ''}{given.extra}" for n in given.budgets]
    try:
        for name in (*names, given.against):
            make_agent(name)
    except AgentError as error:
        print(error, file=sys.stderr)
        return 2
    for line in measure(names, given.against, given.searchers, given.games, given.seed, given.workers):
        print(line, flush=True)
    return 0


if __name__ == "__main__":
    sys.exit(main())
