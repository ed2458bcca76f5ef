"""The table of the ladder: `python -m training.ladder --games 1000` writes docs/ladder.md.

Each rung plays the one below, two against two in four-player games. Every seed is played in all 6 seatings, so that no
side has better seats or better luck; intervals are by seed, for the games of one seed are not independent.
"""

from collections.abc import Iterator
from dataclasses import dataclass
from itertools import combinations
from pathlib import Path
from typing import Any, Final

import numpy as np
from numpy.typing import NDArray

from agents.scripted.ladder import Results, play_games
from agents.scripted.skills import RANDOM, RUNGS, SHOGUN
from fujikoro_env.rules.state import PLAYERS
from fujikoro_env.settings import Rules

SEATS: Final = 4
PAGE: Final = Path(__file__).parent.parent / "docs" / "ladder.md"
SEATINGS: Final = tuple(combinations(range(SEATS), 2))  # of the two of one side
SURE: Final = 1.96  # deviations of a 95 % interval
FIRST_SEED: Final = 7_000_000


@dataclass(frozen=True)
class Line:
    """What came of one match."""

    name: str
    share: float  # of wins
    margin: float  # of the 95 % interval
    vp: float
    other_vp: float
    games: int
    rounds: float


def two_against_two(skills: int, others: int, seeds: NDArray[np.int64]) -> tuple[NDArray[np.int64], NDArray[np.int64]]:
    """Each seed in all seatings: the seeds of the games, and the skills by game and seat."""
    by_seating = np.full((len(SEATINGS), PLAYERS), others, np.int64)
    for row, seats in enumerate(SEATINGS):
        by_seating[row, list(seats)] = skills
    return np.repeat(seeds, len(SEATINGS)), np.tile(by_seating, (len(seeds), 1))


def one_against_three(
    skills: int, others: int, seeds: NDArray[np.int64]
) -> tuple[NDArray[np.int64], NDArray[np.int64]]:
    """Each seed with the one in each seat."""
    by_seat = np.full((SEATS, PLAYERS), others, np.int64)
    by_seat[range(SEATS), range(SEATS)] = skills
    return np.repeat(seeds, SEATS), np.tile(by_seat, (len(seeds), 1))


def line_of(name: str, results: Results, mine: Any, games_of_a_seed: int) -> Line:
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


def matches(games: int, characters: str | None) -> Iterator[Line]:
    rules = Rules(characters=characters) if characters else Rules()
    seeds = FIRST_SEED + np.arange(-(-games // len(SEATINGS)))
    names = list(RUNGS)
    for below, name in zip(names, names[1:], strict=False):
        chosen, skills = two_against_two(RUNGS[name], RUNGS[below], seeds)
        mine = skills[:, :SEATS] == RUNGS[name]
        yield line_of(f"{name} - {below}", play_games(rules, chosen, skills), mine, len(SEATINGS))


def against_random(games: int) -> tuple[Line, float]:
    """shogun against three random players; and in which part of the games it had the VP for the final chapter."""
    rules = Rules()
    chosen, skills = one_against_three(SHOGUN, RANDOM, FIRST_SEED + np.arange(-(-games // SEATS)))
    results = play_games(rules, chosen, skills)
    mine = skills[:, :SEATS] == SHOGUN
    return line_of("shogun - 3 random", results, mine, SEATS), float((results.scores[:, :SEATS][mine] >= 30).mean())


def table_of(lines: list[Line]) -> list[str]:
    rows = ["| match | win share | 95 % interval | VP | rounds | games |", "| --- | --- | --- | --- | --- | --- |"]
    for line in lines:
        interval = f"{line.share - line.margin:.1%} to {min(1.0, line.share + line.margin):.1%}"
        rows.append(
            f"| {line.name} | {line.share:.1%} | {interval} | {line.vp:.1f} - {line.other_vp:.1f} | {line.rounds:.0f} "
            f"| {line.games} |"
        )
    return rows
