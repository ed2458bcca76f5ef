"""When is the order settled? Looked at now and then, and more strictly than once, for luck has more than one chance.

Look number k, from 1, may err with a chance of `RISK` / (k (k + 1)), which sums to `RISK` over all looks; each pair of
neighbours in the ranking has an equal part of it. A pair is settled if the interval of its difference at that level
leaves out 0, or lies wholly within what counts as equal. Where one always came before the other there is no interval;
it is settled if that happened in more blocks than luck allows at that level.
"""

from collections.abc import Iterator
from dataclasses import dataclass
from itertools import pairwise
from math import inf
from typing import Final

from fujikoro_training.tournament.ratings import Ratings

RISK: Final = 0.05
FIRST_LOOK: Final = 20  # blocks
GROWTH: Final = 1.3  # from look to look


@dataclass(frozen=True)
class Neighbours:
    """Two agents who are next to each other in the ranking."""

    better: int
    worse: int
    difference: float
    low: float
    high: float
    verdict: str  # "apart", "equal" or "open"


def looks(most: int) -> Iterator[int]:
    """After how many blocks to look; the last time when all are played."""
    blocks = FIRST_LOOK
    while blocks < most:
        yield blocks
        blocks = int(blocks * GROWTH) + 1
    yield most


def neighbours(ratings: Ratings, look: int, equal_within: float) -> list[Neighbours]:
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
    return all(pair.verdict != "open" for pair in neighbours(ratings, look, equal_within))
