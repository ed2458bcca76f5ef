"""Statistics of balance research, on synthetic data with known answers."""

import numpy as np
import pytest
from statsmodels.stats.multitest import multipletests

from fujikoro_training.balance.statistics import (
    _inside,
    adjusted,
    block_means,
    entropy,
    estimate,
    share,
    variance_share,
)

REPEATS = 150


def wins(chance, games, share):
    """Won games of a player with a known share."""
    return (chance.random(games) < share).astype(np.float64)


def test_block_means():
    values, blocks = np.array([1.0, 3.0, 10.0, 2.0]), np.array([7, 7, 3, 9])
    assert block_means(values, blocks).tolist() == [10.0, 2.0, 2.0]


def test_intervals_hold_as_often_as_they_say():
    chance = np.random.default_rng(1)
    hold = 0
    for _ in range(REPEATS):
        found = estimate(wins(chance, 300, 0.25), 0.25)
        hold += found.low <= 0.25 <= found.high
    assert 0.9 <= hold / REPEATS <= 0.99


def test_intervals_by_block_hold_although_games_of_a_block_are_alike():
    """With the games taken as independent, the interval would hold far less often."""
    chance = np.random.default_rng(2)
    hold = wrong = 0
    for _ in range(REPEATS):
        values = np.repeat(chance.normal(size=80), 4) + 0.3 * chance.normal(size=320)
        found = estimate(block_means(values, np.repeat(np.arange(80), 4)))
        hold += found.low <= 0 <= found.high
        plain = estimate(values)
        wrong += plain.low <= 0 <= plain.high
    assert 0.9 <= hold / REPEATS <= 0.99
    assert wrong / REPEATS < 0.8


@pytest.mark.parametrize("chance_to_win", [0.02, 0.25, 0.97])
def test_intervals_of_shares_hold_and_stay_between_0_and_1(chance_to_win):
    chance = np.random.default_rng(8)
    found = [share(wins(chance, 60, chance_to_win), 0.25) for _ in range(REPEATS)]
    assert np.mean([one.low <= chance_to_win <= one.high for one in found]) >= 0.9
    assert all(0 <= one.low <= one.value <= one.high <= 1 for one in found)


def test_a_share_of_no_wins_has_an_interval():
    found = share(np.zeros(100), 0.25)
    assert (found.value, found.low) == (0.0, 0.0)
    assert 0.03 < found.high < 0.05


def test_no_effect_gives_no_finding_and_a_planted_one_is_found():
    chance = np.random.default_rng(3)
    repeats = 30
    false = found = 0
    for _ in range(repeats):
        p_values = [estimate(chance.normal(size=50)).p for _ in range(10)]
        planted = estimate(chance.normal(0.8, size=50)).p
        corrected = adjusted([*p_values, planted])
        false += bool((corrected[:-1] < 0.05).any())
        found += corrected[-1] < 0.05
    assert false <= 4  # 5 % of the families are expected to have one
    assert found >= 27


def test_holm_is_that_of_statsmodels():
    p_values = np.random.default_rng(7).random(40) ** 4
    assert adjusted(list(p_values)) == pytest.approx(multipletests(p_values, method="holm")[1])


def test_benjamini_and_hochberg_find_more_than_holm():
    p_values = [0.001, 0.01, 0.02, 0.03, 0.04]
    assert (adjusted(p_values, "fdr_bh") <= adjusted(p_values, "holm")).all()
    assert np.isnan(adjusted([0.5, float("nan")])[1])


def test_equivalence_needs_enough_games():
    chance = np.random.default_rng(4)
    few, many = (estimate(wins(chance, n, 0.25), 0.25, 0.02) for n in (200, 20_000))
    assert few.p_equivalent > 0.05
    assert many.p_equivalent < 0.05
    off = estimate(wins(chance, 20_000, 0.29), 0.25, 0.02)
    assert off.p_equivalent > 0.05
    assert off.p < 0.001


def test_equivalence_is_rarely_claimed_at_the_edge():
    chance = np.random.default_rng(5)
    claimed = sum(estimate(wins(chance, 2000, 0.27), 0.25, 0.02).p_equivalent < 0.05 for _ in range(REPEATS))
    assert claimed / REPEATS < 0.08


@pytest.mark.parametrize(("value", "p", "p_equivalent"), [(0.0, 2 / 2**10, 1.0), (0.25, 1.0, 2 / 2**10)])
def test_blocks_that_are_all_alike(value, p, p_equivalent):
    found = estimate(np.full(10, value), 0.25)
    assert (found.low, found.high) == (value, value)
    assert (found.p, found.p_equivalent) == pytest.approx((p, p_equivalent))


def test_a_single_block_has_no_interval():
    for found in (estimate(np.array([0.5]), 0.25), share(np.array([0.5]), 0.25)):
        assert found.value == 0.5
        assert np.isnan([found.low, found.high, found.p, found.p_equivalent]).all()


def test_shares_of_equal_blocks():
    """No win in ten games is what the binomial distribution says it is. If a player won one of four games with every
    seed, a few blocks don't show that this always happens."""
    none = share(np.zeros(10), 0.25)
    assert none.p == pytest.approx(2 * 0.75**10)
    few, many = share(np.full(30, 0.25), 0.25), share(np.full(150, 0.25), 0.25)
    assert few.p == many.p == 1
    assert few.p_equivalent > 0.05 > many.p_equivalent
    assert few.low < many.low < 0.25 < many.high < few.high
    assert np.isnan(share(np.ones(5), float("nan")).p)


@pytest.mark.parametrize("games", [8, 15, 40])
def test_fair_shares_of_few_games_are_rarely_findings(games):
    """With 15 games, the t-test calls 1.3 % of them unfair at a level of 0.05 %, because they have no win."""
    chance = np.random.default_rng(11)
    p_values = [share(wins(chance, games, 0.25), 0.25).p for _ in range(2000)]
    assert np.mean(np.array(p_values) < 0.05) < 0.075
    assert np.mean(np.array(p_values) < 0.002) < 0.004


def test_an_interval_and_its_test_agree():
    chance = np.random.default_rng(12)
    for games in (12, 60):
        for _ in range(REPEATS):
            found = share(wins(chance, games, 0.4), 0.25)
            assert (found.p < 0.05) == (not found.low <= 0.25 <= found.high)


def test_shares_of_variance_of_a_known_model():
    """result = 2 a + b + c * d: of a variance of 6, a explains 4, b 1, and c only together with d."""
    chance = np.random.default_rng(6)
    first, second = chance.normal(size=(2, 4, 4000))

    def result(a, b, c, d):
        return 2 * a + b + c * d

    base, other = result(*first), result(*second)

    def share(place):
        mixed = first.copy()
        mixed[place] = second[place]
        return variance_share(base, other, result(*mixed))

    a, b, c = share(0), share(1), share(2)
    assert a.alone == pytest.approx(4 / 6, abs=0.06)
    assert b.alone == pytest.approx(1 / 6, abs=0.06)
    assert c.alone == pytest.approx(0, abs=0.06)
    assert c.total == pytest.approx(1 / 6, abs=0.04)
    assert a.total_low < 4 / 6 < a.total_high
    assert b.alone_low < 1 / 6 < b.alone_high
    assert c.alone_low == 0 < c.alone_high


def test_intervals_of_shares_of_variance_hold_and_stay_between_0_and_1():
    """result = a + b, so half of the variance is from a. A source that does nothing gets nothing."""
    chance = np.random.default_rng(9)
    repeats, hold = 60, [0, 0]
    for repeat in range(repeats):
        (a, b), (other_a, other_b) = chance.normal(size=(2, 2, 150))
        found = variance_share(a + b, other_a + other_b, other_a + b, seed=repeat)
        hold[0] += found.alone_low <= 0.5 <= found.alone_high
        hold[1] += found.total_low <= 0.5 <= found.total_high
        assert 0 <= found.alone_low <= found.alone_high <= 1
        assert 0 <= found.total_low <= found.total_high <= 1
    assert min(hold) / repeats >= 0.88
    idle = variance_share(a + b, other_a + other_b, a + b)
    assert (idle.alone, idle.total) == (0, 0)
    assert _inside(-0.2, -0.3, -0.05) == pytest.approx((0, 0, 0.15))  # not from 0 to 0


def test_entropy():
    assert entropy(np.array([5, 5, 0])) == pytest.approx(1.0)
    assert entropy(np.array([0, 0])) == 0.0
