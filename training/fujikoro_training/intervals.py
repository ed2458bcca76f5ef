"""Confidence intervals of shares."""

from math import sqrt
from typing import Final

from scipy.stats import t as student

LEVEL: Final = 0.95
SURE: Final = 1.96  # standard deviations of a 95 % interval
TINY: Final = 1e-9  # errors below this are rounding


def wilson(share: float, games: float, deviations: float = SURE) -> tuple[float, float]:
    """Wilson's interval of a share of this many independent games, which is also valid for shares near 0 and 1.

    >>> low, high = wilson(0.0, 100)
    >>> f"{low:.3f} to {high:.3f}"
    '0.000 to 0.037'
    """
    square = deviations**2
    middle = (share + square / (2 * games)) / (1 + square / games)
    spread = max(0.0, share * (1 - share)) / games + square / (4 * games * games)
    reach = deviations * sqrt(spread) / (1 + square / games)
    return max(0.0, middle - reach), min(1.0, middle + reach)


def wilson_of_blocks(share: float, error: float, blocks: int) -> tuple[float, float]:
    """Wilson's interval of a share with this standard error, found from blocks of games that are independent of each
    other. It counts as many games as would have this error if all were independent. If all blocks are equal, each
    counts as one game.

    >>> low, high = wilson_of_blocks(0.02, 0.014, 100)
    >>> f"{low:.3f} to {high:.3f}"
    '0.005 to 0.076'
    """
    return wilson(share, games_of_blocks(share, error, blocks), quantile(blocks))


def games_of_blocks(share: float, error: float, blocks: int) -> float:
    """Number of independent games whose share would have this standard error; one for each block if they are equal."""
    return share * (1 - share) / error**2 if error >= TINY else float(blocks)


def quantile(blocks: int) -> float:
    """Half-width of the interval in standard errors, for this many blocks."""
    return float(student.ppf((1 + LEVEL) / 2, blocks - 1))
