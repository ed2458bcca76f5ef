"""Statistics of balance research: means with intervals by block, equivalence tests, correction for many comparisons,
and shares of variance. The tests come from statsmodels and SciPy.

The games of a block share their seed, so they are not independent: everything is computed from the means of blocks.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from math import isnan, sqrt
from typing import Final

import numpy as np
from numpy.typing import NDArray
from scipy import stats
from statsmodels.stats.multitest import multipletests
from statsmodels.stats.weightstats import DescrStatsW

from fujikoro_training.intervals import games_of_blocks, quantile, wilson

LEVEL: Final = 0.05
RESAMPLES: Final = 1000
TINY: Final = 1e-9  # differences below this are rounding
Floats = NDArray[np.float64]


@dataclass(frozen=True)
class Estimate:
    """A mean over blocks: its 95 % interval, and how it compares with a reference."""

    value: float
    low: float
    high: float
    blocks: int
    p: float  # that the mean is the reference
    p_equivalent: float  # that it differs from the reference by the margin or more (TOST)


def block_means(values: Floats, blocks: NDArray[np.int64]) -> Floats:
    """Mean of the values of each block, ordered by block."""
    _, places = np.unique(blocks, return_inverse=True)
    means: Floats = np.bincount(places, values) / np.bincount(places)
    return means


def estimate(means: Floats, reference: float = 0.0, margin: float = 0.02) -> Estimate:
    """Estimate a mean from independent blocks, by the t distribution."""
    n = len(means)
    value = float(means.mean()) if n else float("nan")
    if n < 2 or np.ptp(means) < TINY:
        return _without_spread(value, n, reference)
    sample = DescrStatsW(means)
    low, high = sample.tconfint_mean(LEVEL)
    p = float(sample.ttest_mean(reference)[1])
    p_equivalent = float(sample.ttost_mean(reference - margin, reference + margin)[0])
    return Estimate(value, float(low), float(high), n, p, p_equivalent)


def share(means: Floats, reference: float, margin: float = 0.02) -> Estimate:
    """Estimate a share, whose interval can't leave 0 to 1: Wilson's interval, and the score tests that agree with it.

    The t-test of `estimate` takes its error from the sample. For a share near 0 or 1 in few blocks this error is too
    small: of 20 games with one win, it would say p = 0.001 against a share of 25 %, the score test 0.06.
    """
    n = len(means)
    value = float(means.mean()) if n else float("nan")
    if n < 2:
        return _unknown(value, n)
    if np.ptp(means) < TINY:
        return _share_without_spread(value, n, reference, margin)
    games = games_of_blocks(value, float(means.std(ddof=1)) / sqrt(n), n)
    low, high = wilson(value, games, quantile(n))
    p = 2 * _tail(abs(value - reference), reference, games, n)
    above = _tail(value - (reference - margin), reference - margin, games, n)
    below = _tail(reference + margin - value, reference + margin, games, n)
    return Estimate(value, low, high, n, p, max(above, below))


def _tail(gap: float, reference: float, games: float, blocks: int) -> float:
    """Chance that a share is this far on one side of the reference, if the reference is true."""
    if not 0 < reference < 1:  # a border of the equivalence test that no share can cross; NaN stays NaN
        return reference * 0.0
    return float(stats.t.sf(gap / sqrt(reference * (1 - reference) / games), blocks - 1))


def _share_without_spread(value: float, n: int, reference: float, margin: float) -> Estimate:
    """An estimate from blocks with equal shares. Other blocks may be different, but then this sample had to miss them:
    if a part q of all blocks is different, it does so with a chance of (1 - q)^n. They lie between 0 and 1, so their
    part limits how far the mean can be away."""
    unseen = 1 - (LEVEL / 2) ** (1 / n)

    def missed(other: float) -> float:
        """Chance of this sample if the mean is really `other`."""
        room = 1 - value if other > value else value
        return max(0.0, 1 - abs(other - value) / room) ** n if room > 0 else 0.0

    low, high = value * (1 - unseen), value + unseen * (1 - value)
    if isnan(reference):
        return Estimate(value, low, high, n, reference, reference)
    gap = abs(value - reference)
    p = min(1.0, 2 * missed(reference)) if gap >= TINY else 1.0
    p_equivalent = max(missed(reference - margin), missed(reference + margin)) if gap < margin else 1.0
    return Estimate(value, low, high, n, p, p_equivalent)


def _unknown(value: float, n: int) -> Estimate:
    """A value from fewer than two blocks, which has no interval."""
    nan = float("nan")
    return Estimate(value, nan, nan, n, nan, nan)


def _without_spread(value: float, n: int, reference: float) -> Estimate:
    """An estimate from blocks that are all alike. It is the sign test that says how surprising that is, if the mean is
    not the reference, or if it is not within the margin of it."""
    if n < 2:
        return _unknown(value, n)
    surprise = float(stats.binomtest(n, n, 0.5).pvalue)
    p, p_equivalent = (1.0, surprise) if abs(value - reference) < TINY else (surprise, 1.0)
    return Estimate(value, value, value, n, p, p_equivalent)


def adjusted(p_values: Sequence[float], method: str = "holm") -> Floats:
    """P-values corrected for the number of comparisons: by Holm, or with "fdr_bh" by Benjamini and Hochberg. Those that
    are not numbers stay so, and don't count."""
    given = np.asarray(p_values, np.float64)
    found = np.full(len(given), np.nan)
    known = ~np.isnan(given)
    if known.any():
        found[known] = _holm(given[known]) if method == "holm" else multipletests(given[known], LEVEL, method)[1]
    return found


def _holm(p_values: Floats) -> Floats:
    """What `multipletests` does by Holm, without the garbage collection of each call, which takes a quarter of a second
    and is needed after every wave of games."""
    order = np.argsort(p_values)
    corrected = np.maximum.accumulate(p_values[order] * np.arange(len(p_values), 0, -1))
    found = np.empty(len(p_values))
    found[order] = np.minimum(corrected, 1.0)
    return found


@dataclass(frozen=True)
class VarianceShare:
    """Share of the variance of a result that a source of luck explains, by itself and with all its interactions."""

    alone: float
    alone_low: float
    alone_high: float
    total: float
    total_low: float
    total_high: float


def variance_share(base: Floats, other: Floats, mixed: Floats, seed: int = 0) -> VarianceShare:
    """Sobol indices of one source, by the estimators of Saltelli and Jansen, with bootstrap intervals over blocks.
    An estimate that chance pushes out of 0 to 1, where no share can be, moves to the border, and its interval with it.

    `base` and `other`: results of games whose luck comes from two seeds; `mixed`: results of the base games with one
    source taken from the other seed.
    """

    def share_of(part: Floats, spread: Floats) -> Floats:
        """The part as a share of the variance; 0 where nothing varies, as in some resamples of few blocks."""
        return np.divide(part, spread, out=np.zeros_like(spread), where=spread > 0)

    def alone(base: Floats, other: Floats, mixed: Floats, axis: int = -1) -> Floats:
        spread = (base.var(axis=axis) + other.var(axis=axis)) / 2
        centred = other - (base.mean(axis=axis, keepdims=True) + other.mean(axis=axis, keepdims=True)) / 2
        return share_of(np.mean(centred * (mixed - base), axis=axis), spread)

    def total(base: Floats, other: Floats, mixed: Floats, axis: int = -1) -> Floats:
        spread = (base.var(axis=axis) + other.var(axis=axis)) / 2
        return share_of(np.mean((base - mixed) ** 2, axis=axis) / 2, spread)

    def interval(statistic: object) -> tuple[float, float]:
        found = stats.bootstrap(
            (base, other, mixed),
            statistic,
            paired=True,
            vectorized=True,
            n_resamples=RESAMPLES,
            batch=50,
            method="percentile",
            rng=np.random.default_rng(seed),
        ).confidence_interval
        return float(found.low), float(found.high)

    single = _inside(float(alone(base, other, mixed)), *interval(alone))
    return VarianceShare(*single, *_inside(float(total(base, other, mixed)), *interval(total)))


def _inside(value: float, low: float, high: float) -> tuple[float, float, float]:
    """A share of variance with its interval, moved into 0 to 1. If the interval were only cut off, it could vanish."""
    at = min(1.0, max(0.0, value))
    return at, max(0.0, low + at - value), min(1.0, high + at - value)


def entropy(counts: NDArray[np.int64]) -> float:
    """Entropy of how often things were chosen, in bits."""
    return float(stats.entropy(counts, base=2)) if counts.sum() else 0.0
