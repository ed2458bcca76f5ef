"""Shares and means by agent, seat and character, each with an interval that is estimated by seed block."""

from dataclasses import dataclass
from math import nan
from typing import Any, Final

import numpy as np
from numpy.typing import NDArray
from scipy.stats import t as student

from fujikoro_training.tournament.games import Finishes, Games

Floats = NDArray[np.float64]
LEVEL: Final = 0.95


@dataclass(frozen=True)
class Estimate:
    """A number of which 95 % of such intervals hold the true one."""

    value: float
    low: float
    high: float


@dataclass(frozen=True)
class Ratio:
    """A mean over things of which each block has some: a sum of values by a number of things."""

    value: float
    error: float
    blocks: int  # that have any
    moves: Floats  # (blocks,): by how much each moves it


def ratio(values: Floats, things: Floats) -> Ratio:
    """Both by block."""
    total, blocks = float(things.sum()), int((things > 0).sum())
    if total == 0:
        return Ratio(nan, nan, 0, np.zeros(len(things)))
    value = float(values.sum()) / total
    moves = (values - value * things) / total
    error = float(np.sqrt((moves @ moves) * blocks / (blocks - 1))) if blocks > 1 else nan
    return Ratio(value, error, blocks, moves)


def mean_of(found: Ratio) -> Estimate:
    reach = quantile(found.blocks) * found.error if found.blocks > 1 else np.inf
    return Estimate(found.value, found.value - reach, found.value + reach)


def share_of(found: Ratio) -> Estimate:
    """Wilson's interval, with as many games as would give this error if they were independent; blocks count for games
    where all are alike."""
    value, blocks = found.value, found.blocks
    if blocks < 2:
        return Estimate(value, 0.0, 1.0)
    games = value * (1 - value) / found.error**2 if found.error >= 1e-9 else float(blocks)
    z2 = quantile(blocks) ** 2
    middle = (value + z2 / (2 * games)) / (1 + z2 / games)
    reach = np.sqrt(z2 * value * (1 - value) / games + z2**2 / (4 * games**2)) / (1 + z2 / games)
    return Estimate(value, max(0.0, float(middle - reach)), min(1.0, float(middle + reach)))


def quantile(blocks: int) -> float:
    """Standard errors on either side of the mean of so many blocks."""
    return float(student.ppf((1 + LEVEL) / 2, blocks - 1))


def by_block(finishes: Finishes, values: NDArray[Any]) -> Floats:
    """(games,) to (blocks,): sums."""
    return np.bincount(finishes.blocks, values.astype(np.float64), finishes.block_count).astype(np.float64)


# by agent


def win_rate(finishes: Finishes, agent: int) -> Estimate:
    """Its share of the win of a game in which it plays, with all its seats."""
    mine = finishes.agents == agent
    wins = (finishes.wins * mine).sum(axis=1)
    return share_of(ratio(by_block(finishes, wins), by_block(finishes, mine.any(axis=1))))


def fair_share(finishes: Finishes, agent: int) -> float:
    """What it would win if all were equally good: its share of the seats."""
    mine = finishes.agents == agent
    return float(mine.sum() / max(1, mine.any(axis=1).sum()) / finishes.seats)


def mean_rank(finishes: Finishes, agent: int) -> Estimate:
    """Those who tie share the mean of their places."""
    mine = finishes.agents == agent
    places = (places_of(finishes.ranks) * mine).sum(axis=1)
    return mean_of(ratio(by_block(finishes, places), by_block(finishes, mine.sum(axis=1))))


def places_of(ranks: NDArray[np.int64]) -> Floats:
    """Two who share rank 2 have place 2.5."""
    tied = (ranks[:, :, None] == ranks[:, None, :]).sum(axis=2)
    places: Floats = ranks + (tied - 1) / 2
    return places


def ahead(finishes: Finishes, first: int, second: int) -> Ratio:
    """How often one comes in before another where both play; a tie is half. Each pair of their seats counts."""
    values, pairs = np.zeros(finishes.block_count), np.zeros(finishes.block_count)
    for here in range(finishes.seats):
        for there in range(finishes.seats):
            meet = (finishes.agents[:, here] == first) & (finishes.agents[:, there] == second)
            points = 0.5 + 0.5 * np.sign(finishes.ranks[:, there] - finishes.ranks[:, here])
            values += by_block(finishes, meet * points)
            pairs += by_block(finishes, meet)
    return ratio(values, pairs)


def head_to_head(finishes: Finishes) -> list[list[Estimate | None]]:
    """By agent and agent; None for itself, and for those who never met."""

    def found(first: int, second: int) -> Estimate | None:
        result = ahead(finishes, first, second)
        return None if first == second or result.blocks == 0 else share_of(result)

    return [[found(first, second) for second in range(finishes.number)] for first in range(finishes.number)]


# where all win or lose together


def wins_more(finishes: Finishes, first: int, second: int) -> Estimate:
    """By how much the share of games that one wins is greater than that of another, with the same seeds."""
    who, won = finishes.agents[:, 0], finishes.wins.sum(axis=1)
    more = won * (who == first) - won * (who == second)
    found = ratio(by_block(finishes, more), np.ones(finishes.block_count))
    if found.error == 0:  # all blocks are alike: who knows how rare others are
        reach = share_of(ratio(np.zeros(found.blocks), np.ones(found.blocks))).high
        return Estimate(found.value, max(-1.0, found.value - reach), min(1.0, found.value + reach))
    return mean_of(found)


def mean_rounds(games: Games, agent: int) -> Estimate:
    finishes = games.finishes
    mine = (finishes.agents == agent).any(axis=1)
    rounds = np.array([result.rounds for result in games.results])
    return mean_of(ratio(by_block(finishes, rounds * mine), by_block(finishes, mine)))


# by seat and character


def seat_wins(finishes: Finishes) -> list[Estimate]:
    """What each seat wins, whoever sits there."""
    games = by_block(finishes, np.ones(len(finishes.blocks)))
    return [share_of(ratio(by_block(finishes, finishes.wins[:, seat]), games)) for seat in range(finishes.seats)]


@dataclass(frozen=True)
class OfCharacter:
    name: str
    games: int  # seats that played it
    win: Estimate  # share of the win by seat
    by_agent: list[Estimate | None]  # None: never played it


def characters(games: Games) -> list[OfCharacter]:
    """What each character wins, whoever plays it, and by who plays it."""
    finishes = games.finishes

    def of(where: NDArray[np.bool_]) -> Estimate | None:
        result = ratio(by_block(finishes, (finishes.wins * where).sum(axis=1)), by_block(finishes, where.sum(axis=1)))
        return share_of(result) if result.blocks else None

    found = []
    for name in np.unique(games.characters):
        played = games.characters == name
        everybody = of(played)
        assert everybody is not None
        by_agent = [of(played & (finishes.agents == agent)) for agent in range(finishes.number)]
        found.append(OfCharacter(str(name), int(played.sum()), everybody, by_agent))
    return found
