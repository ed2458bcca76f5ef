"""Does search get stronger with its budget? Searchers of several budgets against a rung of the ladder.

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

BUDGETS = (64, 256, 1024)
CONFIDENCE = 1.96


@dataclass(frozen=True)
class Played:
    """What came of one game for the searchers."""

    share: float  # of the win
    margin: float  # VP above the mean of the others
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
        searching = [name == self.searcher for name in self.line_up]
        game = Game(Rules(players=len(searching)), self.seed)
        decisions, seconds = 0, 0.0
        while not game.over:
            actor, began = game.actor, time.perf_counter()
            game.step(_answer(agents[actor], game))
            if searching[actor]:
                decisions += 1
                seconds += time.perf_counter() - began
        assert game.outcome is not None
        winners, scores = game.outcome.winners, game.outcome.scores
        share = sum(searching[p] for p in winners) / len(winners)
        return Played(share, _mean_of(scores, searching, True) - _mean_of(scores, searching, False), decisions, seconds)


def _mean_of(scores: Sequence[int], searching: Sequence[bool], side: bool) -> float:
    return fmean(vp for vp, is_searcher in zip(scores, searching, strict=True) if is_searcher == side)


def _answer(agent: Agent, game: Game) -> int:
    return agent.act(game.view(game.actor))


def tables(searcher: str, against: str, players: int, searchers: int, seeds: Sequence[int]) -> list[Table]:
    """All rotations of every seed; two searchers sit opposite each other."""
    apart = players // searchers
    first = [searcher if seat % apart == 0 else against for seat in range(players)]
    rotations = [tuple(first[k:] + first[:k]) for k in range(apart)]
    return [Table(seed, line_up, searcher) for seed in seeds for line_up in rotations]


def interval(blocks: Sequence[float]) -> tuple[float, float]:
    """The mean, and half the width of its 95 % interval."""
    return fmean(blocks), CONFIDENCE * stdev(blocks) / sqrt(len(blocks)) if len(blocks) > 1 else float("nan")


def row(name: str, played: Sequence[Played], block: int) -> str:
    """Of the table; games of a seed stand together."""
    starts = range(0, len(played), block)
    share, half = interval([fmean(game.share for game in played[k : k + block]) for k in starts])
    margin, half_margin = interval([fmean(game.margin for game in played[k : k + block]) for k in starts])
    per_decision = sum(game.seconds for game in played) / sum(game.decisions for game in played)
    return (
        f"| `{name}` | {len(played)} | {share:.1%} ± {half:.1%} | {margin:+.1f} ± {half_margin:.1f} "
        f"| {1000 * per_decision:.1f} |"
    )


def measure(
    names: Sequence[str], against: str, players: int, searchers: int, games: int, seed: int, workers: int
) -> Iterator[str]:
    """The lines of the table, as they come."""
    block = players // searchers
    seeds = range(seed, seed + -(-games // block))
    fair = searchers / players
    title = f"{searchers} against {players - searchers} `{against}`"
    yield f"| {title} | games | share of wins (fair: {fair:.0%}) | margin in VP | ms per decision |"
    yield "| --- | --- | --- | --- | --- |"
    with ProcessPoolExecutor(workers, get_context("spawn")) as pool:
        for name in names:
            played: list[Played] = []
            for game in pool.map(Table.play, tables(name, against, players, searchers, seeds)):
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
    parser.add_argument("--players", type=int, choices=(2, 4), default=4, help="at a table (%(default)s)")
    parser.add_argument("--searchers", type=int, choices=(1, 2), default=1, help="of them (%(default)s)")
    parser.add_argument("--with", dest="extra", default="", help="more parameters of the searcher: turns=2,growth=0.4")
    parser.add_argument("--seed", type=int, default=1, help="of the first game (%(default)s)")
    parser.add_argument("--workers", type=int, default=1, help="processes (%(default)s)")
    given = parser.parse_args()
    if given.searchers == given.players:
        parser.error("--searchers 2 of --players 2: nobody is left to play against")
    names = [f"mcts:iterations={n}{',' if given.extra else ''}{given.extra}" for n in given.budgets]
    try:
        for name in (*names, given.against):
            make_agent(name)
    except AgentError as error:
        print(error, file=sys.stderr)
        return 2
    for line in measure(names, given.against, given.players, given.searchers, given.games, given.seed, given.workers):
        print(line, flush=True)
    return 0


if __name__ == "__main__":
    sys.exit(main())
