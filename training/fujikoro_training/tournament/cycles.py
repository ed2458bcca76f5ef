"""Tests for cycles: does A beat B, B beat C, and C beat A? One rating per agent can't express that.

* The *curl share* is the part of the log odds of all pairs (in squares, weighted by their precision) that no ratings
  can explain, by Hodge decomposition. It is 0 if strength is a single number, and 1 if everything is cyclic. Giving the
  deviations of the blocks random signs shows how often chance alone would leave as much.
* *Cyclic triads*, and those of which all three comparisons are certain.
* *Alpha-rank*: how much time a population that keeps copying whoever beats it spends with each agent.
"""

from dataclasses import dataclass
from itertools import combinations, permutations
from typing import Final

import numpy as np
from numpy.typing import NDArray

from fujikoro_training.tournament.games import Finishes
from fujikoro_training.tournament.shares import Estimate, Ratio, ahead

Floats = NDArray[np.float64]
TRIALS: Final = 2000
INTENSITY, POPULATION = 10.0, 50  # parameters of alpha-rank
ALMOST: Final = 1e-12


@dataclass(frozen=True)
class Cycles:
    """Results of the tests for cycles."""

    curl: float  # share of the pairs' log odds that ratings can't explain
    chance: float  # probability of as much by chance alone
    triads: int  # number of triads of agents who have all met
    cyclic: int  # number of cyclic triads
    surely_cyclic: list[tuple[int, int, int]]  # each beats the next and the last beats the first, all with certainty
    alpha_rank: list[float]  # by agent; sums to 1


def cycles(finishes: Finishes, table: list[list[Estimate | None]]) -> Cycles:
    """Test for cycles. `table`: the head-to-head shares."""
    curl, chance = curl_share(finishes)
    met = [
        triad
        for triad in combinations(range(finishes.number), 3)
        if all(table[a][b] is not None for a, b in permutations(triad, 2))
    ]
    return Cycles(
        curl,
        chance,
        len(met),
        sum(bool(_rounds(table, triad, sure=False)) for triad in met),
        [way for triad in met for way in _rounds(table, triad, sure=True)],
        alpha_rank(table),
    )


def _rounds(table: list[list[Estimate | None]], triad: tuple[int, int, int], sure: bool) -> list[tuple[int, int, int]]:
    def beats(a: int, b: int) -> bool:
        found = table[a][b]
        return found is not None and (found.low if sure else found.value) > 0.5

    first, second, third = triad
    ways = [(first, second, third), (first, third, second)]
    return [(a, b, c) for a, b, c in ways if beats(a, b) and beats(b, c) and beats(c, a)]


# Hodge


def curl_share(finishes: Finishes) -> tuple[float, float]:
    """Return the curl share and its probability by chance alone; (0, 1) if no cycle is possible."""
    pairs = [(a, b) for a, b in combinations(range(finishes.number), 2)]
    found = {pair: ahead(finishes, *pair) for pair in pairs}
    pairs = [pair for pair in pairs if found[pair].blocks > 1]
    if not pairs:
        return 0.0, 1.0
    odds, moves, errors = zip(*(_log_odds(found[pair]) for pair in pairs), strict=True)
    weights = 1 / np.array(errors)
    rest = _rest_of(pairs, finishes.number, weights)
    if np.trace(rest) < 0.5:  # the trace is the number of independent cycles
        return 0.0, 1.0
    by_luck = _size(rest @ _noise(np.stack(moves), np.array(errors)), weights)
    left, whole = _size(rest @ np.array(odds), weights), _size(np.array(odds), weights)
    return float(left / whole) if whole > ALMOST else 0.0, float((1 + (by_luck >= left).sum()) / (1 + TRIALS))


def _noise(moves: Floats, errors: Floats) -> Floats:
    """Random deviations of the log odds, (pairs, TRIALS). The same block gets the same sign in all pairs."""
    luck = np.random.default_rng(0)
    alike = ~moves.any(axis=1)  # pairs without any spread of their own
    guessed = np.sqrt(errors * alike)[:, None] * luck.standard_normal((len(moves), TRIALS))
    found: Floats = moves @ luck.choice([-1.0, 1.0], (moves.shape[1], TRIALS)) + guessed
    return found


def _size(vectors: Floats, weights: Floats) -> Floats:
    size: Floats = weights @ vectors**2
    return size


def _log_odds(found: Ratio) -> tuple[float, Floats, float]:
    """Return log odds, the influence of each block on them, and their squared error. Half a block is added to both
    sides, so that they are always finite; if all blocks are equal, they are as uncertain as that many single games."""
    value = (found.value * found.blocks + 0.5) / (found.blocks + 1)
    spread = value * (1 - value)
    moves = found.moves / spread
    return float(np.log(value / (1 - value))), moves, float(moves @ moves) or 1 / (found.blocks * spread)


def _rest_of(pairs: list[tuple[int, int]], agents: int, weights: Floats) -> Floats:
    """Matrix (pairs, pairs) that removes from log odds what rating differences explain best."""
    differences = np.zeros((len(pairs), agents))
    for row, (a, b) in enumerate(pairs):
        differences[row, a], differences[row, b] = 1, -1
    root = np.sqrt(weights)[:, None]
    rest: Floats = np.eye(len(pairs)) - differences @ np.linalg.pinv(root * differences) * root.T
    return rest


# Alpha-rank


def alpha_rank(table: list[list[Estimate | None]]) -> list[float]:
    """Share of time that a population spends with each agent. It consists of one agent at a time and switches to
    another with the probability that a single newcomer of that kind takes over (Omidshafiei et al. 2019)."""
    number = len(table)
    if number == 1:
        return [1.0]
    goes = np.zeros((number, number))
    for here, there in permutations(range(number), 2):
        found = table[there][here]
        lead = 0.0 if found is None else 2 * found.value - 1
        goes[here, there] = _takes_over(INTENSITY * lead) / (number - 1)
    goes[np.diag_indices(number)] = 1 - goes.sum(axis=1)
    equations = np.vstack([goes.T - np.eye(number), np.ones(number)])
    stays = np.linalg.lstsq(equations, np.array([0.0] * number + [1.0]), rcond=None)[0]
    return [float(share) for share in np.clip(stays, 0, 1)]


def _takes_over(lead: float) -> float:
    """Probability that one newcomer takes over the whole population."""
    if abs(lead) < 1e-9:
        return 1 / POPULATION
    return float(np.expm1(-lead) / np.expm1(-POPULATION * lead))
