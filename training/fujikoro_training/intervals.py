"""Confidence intervals of shares."""

from math import sqrt
from typing import Final

SURE: Final = 1.96  # standard deviations of a 95 % interval


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
