"""Measures the ladder of scripted agents: `python -m fujikoro_training.ladder --games 1000` writes docs/ladder.md.

Each rung plays the one below, two against two in four-player games. Every seed is played in all 6 seatings, so that no
side has better seats or better luck. The intervals are computed by seed, because the games of one seed are not
independent.
"""

import argparse
import sys
from collections.abc import Iterator, Sequence
from concurrent.futures import ProcessPoolExecutor
from dataclasses import dataclass, fields
from itertools import combinations, pairwise, repeat
from multiprocessing import get_context
from pathlib import Path
from typing import Any, Final

import numpy as np
from numpy.typing import NDArray

from fujikoro_agents.scripted.ladder import Results, play_games
from fujikoro_agents.scripted.skills import RANDOM, RUNGS, SHOGUN
from fujikoro_env.rules.base.names import Reason
from fujikoro_env.rules.base.state import PLAYERS
from fujikoro_env.settings import Rules
from fujikoro_training.intervals import SURE
from fujikoro_training.workers.orphans import begin_worker

SEATS: Final = 4
PAGE: Final = Path(__file__).parents[2] / "docs" / "ladder.md"
SEATINGS: Final = tuple(combinations(range(SEATS), 2))  # seats of one side
FIRST_SEED: Final = 7_000_000
PARTS_OF_A_WORKER: Final = 4  # small parts, so that no worker waits long for the last one


@dataclass(frozen=True)
class Line:
    """Result of one match."""

    name: str
    share: float  # share of the wins
    margin: float  # half the width of its 95 % interval
    vp: float
    other_vp: float
    games: int
    rounds: float


def two_against_two(skills: int, others: int, seeds: NDArray[np.int64]) -> tuple[NDArray[np.int64], NDArray[np.int64]]:
    """Seeds and skills of the games that play each seed in all seatings; skills are by game and seat."""
    by_seating = np.full((len(SEATINGS), PLAYERS), others, np.int64)
    for row, seats in enumerate(SEATINGS):
        by_seating[row, list(seats)] = skills
    return np.repeat(seeds, len(SEATINGS)), np.tile(by_seating, (len(seeds), 1))


def one_against_three(
    skills: int, others: int, seeds: NDArray[np.int64]
) -> tuple[NDArray[np.int64], NDArray[np.int64]]:
    """Seeds and skills of the games that play each seed with the single agent in each seat."""
    by_seat = np.full((SEATS, PLAYERS), others, np.int64)
    by_seat[range(SEATS), range(SEATS)] = skills
    return np.repeat(seeds, SEATS), np.tile(by_seat, (len(seeds), 1))


def played(rules: Rules, seeds: NDArray[np.int64], skills: NDArray[np.int64], workers: int) -> Results:
    """Play games like `play_games`, distributed over processes; the results are the same."""
    if workers == 1:
        return play_games(rules, seeds, skills)
    parts = np.array_split(np.arange(len(seeds)), PARTS_OF_A_WORKER * workers)
    with ProcessPoolExecutor(workers, get_context("spawn"), begin_worker) as pool:
        results = list(pool.map(play_games, repeat(rules), *zip(*((seeds[k], skills[k]) for k in parts), strict=True)))
    return Results(*(np.concatenate([getattr(part, each.name) for part in results]) for each in fields(Results)))


def line_of(name: str, results: Results, mine: Any, games_of_a_seed: int) -> Line:
    """Result of a match from its games. `mine`: the seats of the first side."""
    wins = (results.wins[:, :SEATS] * mine).sum(axis=1)
    by_seed = wins.reshape(-1, games_of_a_seed).mean(axis=1)
    margin = SURE * by_seed.std(ddof=1) / len(by_seed) ** 0.5
    scores = results.scores[:, :SEATS]
    return Line(
        name,
        float(wins.mean()),
        float(margin),
        float(scores[mine].mean()),
        float(scores[~mine].mean()),
        len(wins),
        float(results.rounds.mean()),
    )


def matches(names: Sequence[str], games: int, rules: Rules, workers: int) -> Iterator[Line]:
    """Play each of the rungs against the one below."""
    seeds = FIRST_SEED + np.arange(-(-games // len(SEATINGS)))
    for below, name in pairwise(RUNGS):
        if name in names:
            chosen, skills = two_against_two(RUNGS[name], RUNGS[below], seeds)
            mine = skills[:, :SEATS] == RUNGS[name]
            line = line_of(f"{name} - {below}", played(rules, chosen, skills, workers), mine, len(SEATINGS))
            said = f"{line.name}: {line.share:.1%} ± {line.margin:.1%} of {line.games} games"
            print(said, file=sys.stderr, flush=True)  # progress of a long run
            yield line


def against_random(games: int, rules: Rules, workers: int) -> tuple[Line, float]:
    """Play shogun against three random players; also return the share of games in which it had the VP for the final
    chapter."""
    chosen, skills = one_against_three(SHOGUN, RANDOM, FIRST_SEED + np.arange(-(-games // SEATS)))
    results = played(rules, chosen, skills, workers)
    mine = skills[:, :SEATS] == SHOGUN
    reached = (results.scores[:, :SEATS][mine] >= rules.final_at) & (results.reasons == Reason.COUNTDOWN)
    return line_of("shogun - 3 random", results, mine, SEATS), float(reached.mean())


def table_of(lines: list[Line]) -> list[str]:
    """The results as a Markdown table."""
    rows = ["| match | win share | 95 % interval | VP | rounds | games |", "| --- | --- | --- | --- | --- | --- |"]
    for line in lines:
        interval = f"{line.share - line.margin:.1%} to {min(1.0, line.share + line.margin):.1%}"
        rows.append(
            f"| {line.name} | {line.share:.1%} | {interval} | {line.vp:.1f} - {line.other_vp:.1f} | {line.rounds:.0f} "
            f"| {line.games} |"
        )
    return rows


HEAD: Final = """# The ladder of scripted players

This page describes the scripted agents for competitive games and measures how strong they are. They form a ladder: each
rung has all the skills of the rungs below it. All of them can be used by name, in `make_agent("hunter")`,
`fujikoro play` and `fujikoro tournament`. The code is in `agents/fujikoro_agents/scripted/`.

| rung | new skill |
| --- | --- |
| `random` | plays random legal actions |
| `wanderer` | explores |
| `gatherer` | takes scrolls, monks and resources |
| `smith` | crafts towards gear cards and blueprints |
| `hunter` | arms itself and fights dragons when the odds are good |
| `runner` | reaches the rope in time and claims the most valuable bonuses |
| `shogun` | looks ahead over its own turn, with an evaluation tuned by `training/fujikoro_training/tune.py` |

## How it is measured

Two agents of one rung play against two of the rung below. Every seed is played in all 6 seatings, and the intervals are
computed by seed. The win share is that of both agents together, so 50 % is even. The last column has the number of
games. The page is generated by `python -m fujikoro_training.ladder --games {games} --character-games N`.
"""


FOOT: Final = """
## How shogun's weights were tuned

`python -m fujikoro_training.tune fit` played games of `runner` and fitted the VP a player would still gain to the 33
features of its position at the end of its turns. The weights are the mean of this fit and earlier guesses.
`python -m fujikoro_training.tune polish` then scaled groups of weights with CMA-ES so that `shogun` does better against
`runner`. `agents/fujikoro_agents/scripted/weights.toml` records the runs.

Two observations from this work:

- The fit alone plays badly (15 % against `runner`). It can't distinguish a card that is about to be built from one that
  has been built, so `shogun` would keep preparing forever.
- `shogun` gains most if it deviates from `runner`'s choice only for clearly better alternatives (`habit`).
"""


def page_of(names: Sequence[str], games: int, random_games: int, character_games: int, workers: int) -> str:
    """Play all matches and return the page docs/ladder.md."""
    parts = [HEAD.format(games=games), *table_of(list(matches(names, games, Rules(), workers)))]
    if "shogun" in names and random_games:
        line, reached = against_random(random_games, Rules(), workers)
        parts += ["", "One `shogun` against three random players; each seed is played with `shogun` in each seat:", ""]
        parts += table_of([line])
        said = (
            f"In {reached:.1%} of these games `shogun` has at least 30 VP and the final chapter is played to its end."
        )
        parts += ["", said]
    if character_games:
        rules = Rules(characters="random")
        parts += ["", "The matches of the first table with random characters:", ""]
        parts += table_of(list(matches(names, character_games, rules, workers)))
    return "\n".join([*parts, FOOT])


def main(arguments: Sequence[str] | None = None) -> None:
    """Command line of this module."""
    parser = argparse.ArgumentParser(
        prog="python -m fujikoro_training.ladder", description="Measure the scripted ladder."
    )
    parser.add_argument("--games", type=_number, default=1000, help="games of each match (default: 1000)")
    parser.add_argument("--random-games", type=_number, default=400, help="games with 3 random players (default: 400)")
    parser.add_argument(
        "--character-games", type=_number, default=0, help="games of each match with characters (default: 0)"
    )
    parser.add_argument("--workers", type=_number, default=1, help="number of processes (default: 1)")
    parser.add_argument("--rungs", type=_rungs, default=list(RUNGS), help="rungs to measure, separated by commas")
    parser.add_argument("--out", type=Path, default=PAGE, help=f"page to write (default: docs/{PAGE.name})")
    given = parser.parse_args(arguments)
    text = page_of(given.rungs, given.games, given.random_games, given.character_games, given.workers)
    given.out.write_text(text, encoding="utf-8")
    print(text)


def _number(text: str) -> int:
    if not text.isdigit():
        raise argparse.ArgumentTypeError(f"{text!r}: allowed are whole numbers from 0")
    return int(text)


def _rungs(text: str) -> list[str]:
    names = text.split(",")
    if unknown := [name for name in names if name not in RUNGS]:
        raise argparse.ArgumentTypeError(f"{unknown[0]!r}: allowed are {', '.join(RUNGS)}")
    return names


if __name__ == "__main__":
    main()
