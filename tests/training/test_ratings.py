"""Ratings, shares, cycles and settled orders, compared with brute force and with known strengths."""

from itertools import pairwise, permutations
from math import exp, log

import numpy as np
import pytest

pytest.importorskip("scipy", reason="tournaments are not installed: pip install -e '.[tournament]'")

from scipy.optimize import approx_fprime, minimize

from fujikoro_training.tournament.cycles import alpha_rank, curl_share, cycles
from fujikoro_training.tournament.games import Finishes
from fujikoro_training.tournament.ratings import POINTS, PULL, Likelihood, Ratings, orders_of, rate
from fujikoro_training.tournament.schedule import blocks_for
from fujikoro_training.tournament.settled import FIRST_LOOK, RISK, looks, neighbours, settled
from fujikoro_training.tournament.shares import (
    Estimate,
    fair_share,
    head_to_head,
    mean_rank,
    places_of,
    ratio,
    seat_wins,
    share_of,
    win_rate,
    wins_more,
)

STRENGTHS = np.array([1.0, 0.3, -0.2, -1.1])
SEATS = np.array([0.3, 0.0, -0.1, -0.2])


def simulated(strengths, seats, games: int, seed: int, luck_of_block: float = 0.0) -> Finishes:
    """Simulated games of agents with known strengths. `luck_of_block`: amount of luck that seats of a block share."""
    luck = np.random.default_rng(seed)
    matches = [match for block in blocks_for(games, len(strengths), len(seats), seed) for match in block]
    agents, blocks = np.array([match.seats for match in matches]), np.array([match.block for match in matches])
    shared = luck_of_block * luck.gumbel(size=(blocks.max() + 1, len(seats)))[blocks]
    powers = np.asarray(strengths)[agents] + np.asarray(seats) + shared + luck.gumbel(size=agents.shape)
    return Finishes(agents, (-powers).argsort(axis=1).argsort(axis=1) + 1, blocks, len(strengths))


def finishes(agents, ranks, blocks=None) -> Finishes:
    where = np.arange(len(agents)) if blocks is None else np.array(blocks)
    return Finishes(np.array(agents), np.array(ranks), where, int(np.max(agents)) + 1)


# Plackett-Luce


def chance_by_hand(strengths, agents, ranks) -> float:
    """Mean log-probability of all orders that fit the ranks. The strengths of seats follow those of agents."""
    number = len(strengths) - len(agents)
    power = [exp(strengths[agent] + strengths[number + seat]) for seat, agent in enumerate(agents)]
    logs = []
    for order in permutations(range(len(agents))):
        if all(ranks[a] <= ranks[b] for a, b in pairwise(order)):
            left = [sum(power[seat] for seat in order[place:]) for place in range(len(order))]
            logs.append(sum(log(power[seat] / rest) for seat, rest in zip(order, left, strict=True)))
    return sum(logs) / len(logs)


TINY = finishes(
    [[0, 1, 2], [1, 2, 0], [2, 0, 1], [0, 1, 1], [2, 1, 0]], [[1, 2, 3], [2, 1, 3], [1, 1, 3], [1, 1, 1], [2, 1, 2]]
)


def loss_by_hand(strengths) -> float:
    logs = [chance_by_hand(strengths, *game) for game in zip(TINY.agents, TINY.ranks, strict=True)]
    return -sum(logs) + PULL / 2 * float(strengths @ strengths)


def test_the_likelihood_is_that_by_hand():
    likelihood = Likelihood(orders_of(TINY), 3)
    for seed in range(5):
        strengths = np.random.default_rng(seed).normal(size=6)
        value, slope = likelihood.loss(strengths)
        assert value == pytest.approx(loss_by_hand(strengths))
        assert slope == pytest.approx(approx_fprime(strengths, loss_by_hand), abs=1e-5)
        bend = approx_fprime(strengths, lambda x: likelihood.loss(x)[1])
        assert likelihood.curvature(strengths) == pytest.approx(bend, abs=1e-5)


def test_ratings_are_those_of_the_greatest_likelihood():
    found = minimize(
        loss_by_hand, np.zeros(6), method="Nelder-Mead", options={"xatol": 1e-9, "fatol": 1e-12, "maxfev": 9999}
    )
    ratings = rate(TINY)
    assert np.concatenate([ratings.agents, ratings.seats]) == pytest.approx(found.x * POINTS, abs=0.02)
    assert ratings.agents.sum() == pytest.approx(0, abs=1e-6)
    assert ratings.seats.sum() == pytest.approx(0, abs=1e-6)


def test_400_points_are_ten_to_one():
    won = [[1, 2]] * 10 + [[2, 1]]
    ratings = rate(finishes([[0, 1]] * 11 + [[1, 0]] * 11, [*won, *[ranks[::-1] for ranks in won]]))
    assert ratings.agents[0] - ratings.agents[1] == pytest.approx(400, abs=2)
    assert ratings.seats == pytest.approx([0, 0], abs=1e-6)


def test_a_tie_is_half_of_each_order():
    """3 wins, 1 loss and 2 ties give the same rating as twice as many games without ties, up to the prior."""
    for seats in ([0, 1], [1, 0]):
        tied = rate(finishes([seats] * 6, [[1, 2]] * 3 + [[2, 1]] + [[1, 1]] * 2))
        untied = rate(finishes([seats] * 12, [[1, 2]] * 8 + [[2, 1]] * 4))
        assert tied.agents == pytest.approx(untied.agents, abs=1.0)
        assert abs(tied.agents[0]) > 25


def test_known_strengths_are_found_and_intervals_hold_them():
    true = np.concatenate([STRENGTHS - STRENGTHS.mean(), SEATS - SEATS.mean()]) * POINTS
    held, errors = [], []
    for seed in range(60):
        ratings = rate(simulated(STRENGTHS, SEATS, 240, seed))
        for index in range(4):
            for (value, low, high), truth in (
                (ratings.of(index), true[index]),
                (ratings.of_seat(index), true[4 + index]),
            ):
                held.append(low <= truth <= high)
                errors.append(value - truth)
    assert 0.92 <= np.mean(held) <= 0.98
    assert abs(np.mean(errors)) < 3
    assert np.std(errors) < 30


def test_intervals_are_those_of_drawing_blocks_anew():
    """Games that share the luck of a block are not independent, which a bootstrap over blocks takes into account."""
    played = simulated(STRENGTHS, SEATS, 400, 1, luck_of_block=1.5)
    ratings, luck, drawn = rate(played), np.random.default_rng(1), []
    of_block = [np.flatnonzero(played.blocks == block) for block in range(played.block_count)]
    for _ in range(200):
        chosen = luck.integers(played.block_count, size=played.block_count)
        rows = np.concatenate([of_block[block] for block in chosen])
        blocks = np.repeat(np.arange(len(chosen)), [len(of_block[block]) for block in chosen])
        drawn.append(rate(Finishes(played.agents[rows], played.ranks[rows], blocks, 4)).agents)
    for agent in range(4):
        _, low, high = ratings.of(agent)
        assert (high - low) / 2 / 1.98 == pytest.approx(np.std(np.array(drawn)[:, agent]), rel=0.2)


def test_an_agent_that_always_wins_has_a_finite_rating_and_is_named():
    always = rate(simulated([30.0, 0.0, 0.0], np.zeros(3), 60, 1))
    assert sorted(always.apart) == [[0], [1, 2]]
    assert 400 < always.agents[0] - always.agents[1] < 4000
    assert rate(simulated(np.zeros(3), np.zeros(3), 60, 1)).apart == []


def who_wins_all(blocks: int) -> Finishes:
    """Results of two agents on mirrored seeds, in which one wins every game."""
    return finishes([[0, 1], [1, 0]] * blocks, [[1, 2], [2, 1]] * blocks, np.repeat(np.arange(blocks), 2))


def test_how_much_better_one_is_who_always_wins_is_not_known():
    ratings = rate(who_wins_all(20))
    assert ratings.difference(0, 1)[1:] == (-np.inf, np.inf)
    assert ratings.of(0)[1:] == (-np.inf, np.inf)
    assert np.isfinite(ratings.of_seat(0)).all()
    always = rate(simulated([30.0, 0.0, 0.0], np.zeros(3), 60, 1))
    assert np.isfinite(always.difference(1, 2)).all()  # both always lose to the same
    assert not np.isfinite(always.of(1)[1:]).any()


@pytest.mark.parametrize(("blocks", "verdict"), [(1, "open"), (3, "open"), (6, "open"), (7, "apart"), (20, "apart")])
def test_to_win_all_settles_it_where_luck_would_not(blocks, verdict):
    """The first check allows a risk of 2.5 %. One of two equal agents wins 6 of 6 blocks with a chance of 3.1 %, and
    7 of 7 with 1.6 %."""
    assert [pair.verdict for pair in neighbours(rate(who_wins_all(blocks)), 1, 25)] == [verdict]


def test_blocks_without_an_agent_are_no_witnesses_of_it():
    held = []
    for seed in range(30):
        ratings = rate(simulated(np.zeros(12), np.zeros(4), 96, seed, luck_of_block=1.0))
        held += [low <= 0 <= high for _, low, high in map(ratings.of, range(12))]
    assert 0.93 <= np.mean(held) <= 0.98  # 8 blocks of 24 each; as of 24 it would be 0.90


def test_one_block_has_no_interval():
    ratings = rate(finishes([[0, 1], [1, 0]], [[1, 2], [2, 1]], [0, 0]))
    assert ratings.of(0)[1:] == (-np.inf, np.inf)


# Shares


def test_shares_by_hand():
    played = finishes([[0, 1, 2], [2, 0, 1], [1, 2, 0], [0, 1, 2]], [[1, 2, 3], [1, 1, 3], [3, 1, 2], [1, 1, 1]])
    assert win_rate(played, 0).value == pytest.approx((1 + 1 / 2 + 0 + 1 / 3) / 4)
    assert mean_rank(played, 0).value == pytest.approx((1 + 1.5 + 2 + 2) / 4)
    assert fair_share(played, 0) == pytest.approx(1 / 3)
    table = head_to_head(played)
    assert table[0][0] is None
    assert table[0][1] is not None
    assert table[1][0] is not None
    assert table[0][1].value == pytest.approx((1 + 1 + 1 + 0.5) / 4)
    assert table[0][1].value + table[1][0].value == pytest.approx(1)
    assert [seat.value for seat in seat_wins(played)] == pytest.approx(
        [(1 + 0.5 + 0 + 1 / 3) / 4, (0 + 0.5 + 1 + 1 / 3) / 4, (1 / 3) / 4]
    )


def test_in_coop_all_win_or_all_lose():
    played = finishes([[0, 0], [1, 1]] * 3, [[1, 1], [2, 2], [1, 1], [1, 1], [2, 2], [2, 2]], [0, 0, 1, 1, 2, 2])
    assert (win_rate(played, 0).value, win_rate(played, 1).value) == pytest.approx((2 / 3, 1 / 3))
    more = wins_more(played, 0, 1)
    assert more.value == pytest.approx(1 / 3)
    assert more.low < 0 < more.high
    all_lost = finishes([[0, 0], [1, 1]] * 20, [[2, 2]] * 40, np.repeat(np.arange(20), 2))
    nobody = wins_more(all_lost, 0, 1)
    assert nobody.value == 0
    assert nobody.high == -nobody.low == pytest.approx(win_rate(all_lost, 0).high)


def test_an_agent_with_two_seats_is_expected_to_win_twice_as_often():
    played = finishes([[0, 0, 1, 1], [0, 1, 0, 1]], [[1, 2, 3, 4], [2, 1, 3, 4]])
    assert fair_share(played, 0) == 0.5
    assert win_rate(played, 0).value == 0.5
    assert mean_rank(played, 0).value == pytest.approx((1 + 2 + 2 + 3) / 4)


def test_those_who_tie_share_the_mean_of_their_places():
    assert places_of(np.array([[1, 2, 2, 4], [1, 1, 1, 1]])).tolist() == [[1, 2.5, 2.5, 4], [2.5] * 4]


def test_blocks_that_are_alike_leave_no_more_than_so_many_games():
    share = share_of(ratio(np.zeros(40), np.full(40, 4.0)))
    assert (share.value, share.low) == (0, 0)
    assert 0.05 < share.high < 0.15  # about what 40 games say, not 160
    assert share_of(ratio(np.zeros(1), np.ones(1))) == Estimate(0, 0, 1)


def test_intervals_of_shares_hold_the_true_ones():
    luck, held = np.random.default_rng(2), []
    for _ in range(400):
        wins = luck.binomial(4, luck.beta(1, 9, size=50))  # 10 % in blocks of 4 that differ
        share = share_of(ratio(wins.astype(float), np.full(50, 4.0)))
        held.append(share.low <= 0.1 <= share.high)
    assert 0.91 <= np.mean(held) <= 0.99


# Cycles


def go_round(games: int, seed: int) -> Finishes:
    """Results of three agents, each of which beats the next in 85 of 100 games."""
    luck = np.random.default_rng(seed)
    matches = [match for block in blocks_for(games, 3, 2, seed) for match in block]
    agents = np.array([match.seats for match in matches])
    first = ((agents[:, 1] - agents[:, 0]) % 3 == 1) == (luck.random(len(agents)) < 0.85)
    return Finishes(agents, np.where(first[:, None], [1, 2], [2, 1]), np.array([match.block for match in matches]), 3)


def test_a_round_is_noticed():
    played = go_round(240, 1)
    found = cycles(played, head_to_head(played))
    assert found.curl > 0.8
    assert found.chance < 0.01
    assert (found.triads, found.cyclic, found.surely_cyclic) == (1, 1, [(0, 1, 2)])
    assert found.alpha_rank == pytest.approx([1 / 3] * 3, abs=0.2)


def test_an_order_is_no_round():
    chances = [curl_share(simulated(STRENGTHS, SEATS, 200, seed))[1] for seed in range(30)]
    assert 0.3 < np.mean(chances) < 0.7  # as luck has it
    assert min(chances) > 0.001
    played = simulated(STRENGTHS, SEATS, 400, 1)
    found = cycles(played, head_to_head(played))
    assert found.curl < 0.1
    assert found.surely_cyclic == []
    assert found.alpha_rank[0] > 0.99


def test_alpha_rank_of_equals():
    half = Estimate(0.5, 0.4, 0.6)
    assert alpha_rank([[None, half], [half, None]]) == pytest.approx([0.5, 0.5])
    assert alpha_rank([[None, None], [None, None]]) == pytest.approx([0.5, 0.5])


def test_two_agents_go_no_rounds():
    assert curl_share(simulated([0.0, 0.5], np.zeros(2), 40, 1)) == (0, 1)


# Settled


def made(values, error: float, blocks: int = 1000) -> Ratings:
    agents = np.array(values, np.float64)
    number = len(agents) + 2
    moves = np.zeros((blocks, number))
    moves[:number] = np.eye(number) * error / 2**0.5
    return Ratings(agents, np.zeros(2), moves, np.ones((blocks, number), bool), np.zeros((number, number), int), [])


def test_looks_come_less_and_less_often_and_end_with_the_last_block():
    found = list(looks(100))
    assert found == sorted(set(found))
    assert (found[0], found[-1]) == (FIRST_LOOK, 100)
    assert list(looks(5)) == [5]


def test_a_pair_is_settled_if_it_is_apart_or_equal():
    assert [pair.verdict for pair in neighbours(made([100, 0, -3], 5), 1, 25)] == ["apart", "equal"]
    assert [pair.verdict for pair in neighbours(made([100, 0, -30], 20), 1, 25)] == ["apart", "open"]
    assert settled(made([100, 0, -3], 5), 1, 25)
    assert not settled(made([100, 0, -3], 5), 1, 5)


def test_later_looks_are_stricter():
    narrow = neighbours(made([10, 0], 4), 1, 1)[0]
    wide = neighbours(made([10, 0], 4), 20, 1)[0]
    assert wide.high - wide.low > narrow.high - narrow.low
    assert sum(RISK / (look * (look + 1)) for look in range(1, 10000)) == pytest.approx(RISK, rel=1e-3)


def test_equals_are_hardly_ever_told_apart_however_often_one_looks():
    wrong = 0
    for seed in range(40):
        played = simulated(np.zeros(3), np.zeros(3), 300, seed)
        for look, blocks in enumerate(looks(100), 1):
            rows = played.blocks < blocks
            so_far = Finishes(played.agents[rows], played.ranks[rows], played.blocks[rows], 3)
            if any(pair.verdict == "apart" for pair in neighbours(rate(so_far), look, 1.0)):
                wrong += 1
                break
    assert wrong <= 5
