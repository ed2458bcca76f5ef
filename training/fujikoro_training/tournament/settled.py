"""Decides when the order of a tournament is settled. It is evaluated repeatedly, so each evaluation must be stricter
than a single one would be: chance gets several opportunities.

Evaluation number k, from 1, may be wrong with a probability of `RISK` / (k (k + 1)), which sums to `RISK` over all
evaluations; the pairs of neighbours in the ranking share this risk equally. A pair is settled if the interval of its
difference at that level excludes 0 or lies within what counts as equal. If one agent always finished ahead of the other
there is no interval; the pair is then settled if that happened in more blocks than chance allows at that level.
"""

from collections.abc import Iterator
from dataclasses import dataclass
from itertools import pairwise
from math import inf
from typing import Final

from fujikoro_training.tournament.ratings import Ratings

RISK: Final = 0.05
FIRST_LOOK: Final = 20  # in blocks
GROWTH: Final = 1.3  # factor from one evaluation to the next


@dataclass(frozen=True)
class Neighbours:
    """Two agents next to each other in the ranking."""

    better: int
    worse: int
    difference: float
    low: float
    high: float
    verdict: str  # "apart", "equal" or "open"


def looks(most: int) -> Iterator[int]:
    """Numbers of blocks after which to evaluate; the last one is when all blocks are played."""
    blocks = FIRST_LOOK
    while blocks < most:
        yield blocks
        blocks = int(blocks * GROWTH) + 1
    yield most


def neighbours(ratings: Ratings, look: int, equal_within: float) -> list[Neighbours]:
    """Compare all neighbours in the ranking at the level of this evaluation."""
    pairs = list(pairwise(ratings.ranking))
    level = 1 - RISK / (look * (look + 1)) / max(1, len(pairs))
    return [_judged(ratings, better, worse, level, equal_within) for better, worse in pairs]


def _judged(ratings: Ratings, better: int, worse: int, level: float, equal_within: float) -> Neighbours:
    value, low, high = ratings.difference(better, worse, level)
    if low > 0 or (low == -inf and ratings.surely_before(better, worse, level)):
        verdict = "apart"
    elif max(-low, high) <= equal_within:
        verdict = "equal"
    else:
        verdict = "open"
    return Neighbours(better, worse, value, low, high, verdict)


def settled(ratings: Ratings, look: int, equal_within: float) -> bool:
    """Whether no pair of neighbours is open."""
    return all(pair.verdict != "open" for pair in neighbours(ratings, look, equal_within))
