"""Shares and means by agent, seat and character, with intervals computed by seed block."""

from dataclasses import dataclass
from math import nan
from typing import Any

import numpy as np
from numpy.typing import NDArray

from fujikoro_training.intervals import quantile, wilson_of_blocks
from fujikoro_training.tournament.games import Finishes, Games

Floats = NDArray[np.float64]


@dataclass(frozen=True)
class Estimate:
    """A number with its 95 % interval."""

    value: float
    low: float
    high: float


@dataclass(frozen=True)
class Ratio:
    """Mean over things that occur in blocks: a sum of values divided by a number of things."""

    value: float
    error: float
    blocks: int  # number of blocks with any of these things
    moves: Floats  # (blocks,): influence of each block on the value


def ratio(values: Floats, things: Floats) -> Ratio:
    """Ratio of two sums, with its error; both arguments are by block."""
    total, blocks = float(things.sum()), int((things > 0).sum())
    if total == 0:
        return Ratio(nan, nan, 0, np.zeros(len(things)))
    value = float(values.sum()) / total
    moves = (values - value * things) / total
    error = float(np.sqrt((moves @ moves) * blocks / (blocks - 1))) if blocks > 1 else nan
    return Ratio(value, error, blocks, moves)


def mean_of(found: Ratio) -> Estimate:
    """Estimate of a mean, with Student's t interval."""
    reach = quantile(found.blocks) * found.error if found.blocks > 1 else np.inf
    return Estimate(found.value, found.value - reach, found.value + reach)


def share_of(found: Ratio) -> Estimate:
    """Estimate of a share, with Wilson's interval."""
    if found.blocks < 2:
        return Estimate(found.value, 0.0, 1.0)
    return Estimate(found.value, *wilson_of_blocks(found.value, found.error, found.blocks))


def by_block(finishes: Finishes, values: NDArray[Any]) -> Floats:
    """Sums by block: (games,) to (blocks,)."""
    return np.bincount(finishes.blocks, values.astype(np.float64), finishes.block_count).astype(np.float64)


# by agent


def win_rate(finishes: Finishes, agent: int) -> Estimate:
    """Share of the wins in the games that the agent plays, over all its seats."""
    mine = finishes.agents == agent
    wins = (finishes.wins * mine).sum(axis=1)
    return share_of(ratio(by_block(finishes, wins), by_block(finishes, mine.any(axis=1))))


def fair_share(finishes: Finishes, agent: int) -> float:
    """Win rate of the agent if all were equally good: its share of the seats."""
    mine = finishes.agents == agent
    return float(mine.sum() / max(1, mine.any(axis=1).sum()) / finishes.seats)


def mean_rank(finishes: Finishes, agent: int) -> Estimate:
    """Mean rank of the agent; ties share the mean of their places."""
    mine = finishes.agents == agent
    places = (places_of(finishes.ranks) * mine).sum(axis=1)
    return mean_of(ratio(by_block(finishes, places), by_block(finishes, mine.sum(axis=1))))


def places_of(ranks: NDArray[np.int64]) -> Floats:
    """Places from ranks: two agents that share rank 2 have place 2.5."""
    tied = (ranks[:, :, None] == ranks[:, None, :]).sum(axis=2)
    places: Floats = ranks + (tied - 1) / 2
    return places


def ahead(finishes: Finishes, first: int, second: int) -> Ratio:
    """How often one agent finishes ahead of another in games that both play; a tie is half. Each pair of their seats
    counts."""
    values, pairs = np.zeros(finishes.block_count), np.zeros(finishes.block_count)
    for here in range(finishes.seats):
        for there in range(finishes.seats):
            meet = (finishes.agents[:, here] == first) & (finishes.agents[:, there] == second)
            points = 0.5 + 0.5 * np.sign(finishes.ranks[:, there] - finishes.ranks[:, here])
            values += by_block(finishes, meet * points)
            pairs += by_block(finishes, meet)
    return ratio(values, pairs)


def head_to_head(finishes: Finishes) -> list[list[Estimate | None]]:
    """Shares by agent and agent; None for the agent itself and for agents who never met."""

    def found(first: int, second: int) -> Estimate | None:
        result = ahead(finishes, first, second)
        return None if first == second or result.blocks == 0 else share_of(result)

    return [[found(first, second) for second in range(finishes.number)] for first in range(finishes.number)]


# co-op and solo games


def wins_more(finishes: Finishes, first: int, second: int) -> Estimate:
    """Difference between the shares of games that two agents win with the same seeds."""
    who, won = finishes.agents[:, 0], finishes.wins.sum(axis=1)
    more = won * (who == first) - won * (who == second)
    found = ratio(by_block(finishes, more), np.ones(finishes.block_count))
    if found.error == 0:  # all blocks are equal, so their spread says nothing about rare exceptions
        reach = share_of(ratio(np.zeros(found.blocks), np.ones(found.blocks))).high
        return Estimate(found.value, max(-1.0, found.value - reach), min(1.0, found.value + reach))
    return mean_of(found)


def mean_rounds(games: Games, agent: int) -> Estimate:
    """Mean number of rounds of the agent's games."""
    finishes = games.finishes
    mine = (finishes.agents == agent).any(axis=1)
    rounds = np.array([result.rounds for result in games.results])
    return mean_of(ratio(by_block(finishes, rounds * mine), by_block(finishes, mine)))


# by seat and character


def seat_wins(finishes: Finishes) -> list[Estimate]:
    """Win rate of each seat, whichever agent sits there."""
    games = by_block(finishes, np.ones(len(finishes.blocks)))
    return [share_of(ratio(by_block(finishes, finishes.wins[:, seat]), games)) for seat in range(finishes.seats)]


@dataclass(frozen=True)
class OfCharacter:
    """Results of a character."""

    name: str
    games: int  # number of seats that played it
    win: Estimate  # share of the win per seat
    by_agent: list[Estimate | None]  # None if the agent never played it


def characters(games: Games) -> list[OfCharacter]:
    """Win rate of each character, in total and by agent."""
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
