"""Ratings by a Plackett-Luce model: each place, from the first on, goes to one of the remaining seats with a
probability proportional to e**strength. The strength of a seat is its agent's strength plus an effect of the seat
itself.

Strengths are estimated by maximum likelihood over whole finishing orders. For tied seats, all possible orders count
equally. A very weak prior (`PULL`) keeps ratings finite if an agent always wins, and has no noticeable effect
otherwise. Errors are computed from sums over seed blocks (a clustered sandwich estimator), so that neither mirrored
seeds nor a model that doesn't quite fit make them too small. If some agents always finish ahead of others, the games
don't show how far apart they are, and there is no interval.
"""

from dataclasses import dataclass
from itertools import permutations
from math import log
from typing import Any, Final

import numpy as np
from numpy.typing import NDArray
from scipy.optimize import minimize
from scipy.sparse.csgraph import connected_components
from scipy.stats import t as student

from fujikoro_training.tournament.games import Finishes

Floats = NDArray[np.float64]
POINTS: Final = 400 / log(10)  # points per unit of strength: with 400 more, finishing ahead is 10 times as likely
ALMOST: Final = 1e-9
PULL: Final = 0.01  # precision of the prior on strengths: mean 0, standard deviation 10 (1,737 points)


@dataclass(frozen=True)
class Orders:
    """Finishing orders; equal ones are combined."""

    who: NDArray[np.int64]  # (orders, seats): agent in each place, from the first on
    seat: NDArray[np.int64]  # (orders, seats): seat in each place
    weights: Floats  # (orders,): number of times
    of_block: tuple[NDArray[np.int64], NDArray[np.int64], Floats]  # block, order, number of times in that block


def orders_of(finishes: Finishes) -> Orders:
    """Collect the distinct finishing orders; ties are split equally over all possible orders."""
    rows, game, weight = [], [], []
    patterns, pattern_of = np.unique(finishes.ranks, axis=0, return_inverse=True)
    for index, ranks in enumerate(patterns):
        games = np.flatnonzero(pattern_of.reshape(-1) == index)
        ways = _ways(ranks)
        for way in ways:
            rows.append(np.hstack([finishes.agents[games][:, way], np.tile(way, (len(games), 1))]))
            game.append(games)
            weight.append(np.full(len(games), 1 / len(ways)))
    unique, order_of = np.unique(np.vstack(rows), axis=0, return_inverse=True)
    order_of, weights = order_of.reshape(-1), np.concatenate(weight)
    seats = finishes.seats
    totals = np.bincount(order_of, weights, len(unique)).astype(np.float64)
    return Orders(
        unique[:, :seats], unique[:, seats:], totals, (finishes.blocks[np.concatenate(game)], order_of, weights)
    )


def _ways(ranks: NDArray[np.int64]) -> list[list[int]]:
    """All finishing orders that are consistent with these ranks."""
    found: list[list[int]] = [[]]
    for rank in sorted(set(ranks.tolist())):
        tied = np.flatnonzero(ranks == rank).tolist()
        found = [[*way, *more] for way in found for more in permutations(tied)]
    return found


class Likelihood:
    """Likelihood of strengths: those of the agents, then those of the seats."""

    def __init__(self, orders: Orders, agents: int) -> None:
        self.orders, self.agents = orders, agents
        self.size = agents + orders.who.shape[1]
        self.columns = np.stack([orders.who, orders.seat + agents])  # the two strengths of each place
        self.design = np.zeros((*orders.who.shape, self.size))
        for columns in self.columns:
            np.put_along_axis(self.design, columns[:, :, None], 1.0, axis=2)

    def chances(self, strengths: Floats) -> tuple[Floats, Floats]:
        """Return the log probability of each order, (orders,), and the probability of each seat to get each place,
        (orders, places, seats)."""
        powers = strengths[self.columns].sum(axis=0)
        powers = powers - powers.max(axis=1, keepdims=True)
        left = np.exp(powers)[:, ::-1].cumsum(axis=1)[:, ::-1]  # sum over the seats that are still without a place
        chance = np.triu(np.exp(powers)[:, None, :] / left[:, :, None])
        return (powers - np.log(left)).sum(axis=1), chance

    def loss(self, strengths: Floats) -> tuple[float, Floats]:
        """Return the penalised negative log likelihood and its gradient."""
        logs, chance = self.chances(strengths)
        value = -(self.orders.weights @ logs) + PULL / 2 * strengths @ strengths
        return float(value), PULL * strengths - self.orders.weights @ self.scores(chance)

    def scores(self, chance: Floats) -> Floats:
        """Gradient of each order's log probability, (orders, strengths)."""
        scores: Floats = np.einsum("on,ons->os", 1 - chance.sum(axis=1), self.design, optimize=True)
        return scores

    def curvature(self, strengths: Floats) -> Floats:
        """Hessian of the loss."""
        _, chance = self.chances(strengths)
        weighted = chance * self.orders.weights[:, None, None]
        spread = -np.einsum("opn,opm->onm", weighted, chance, optimize=True)
        places = np.arange(spread.shape[1])
        spread[:, places, places] += weighted.sum(axis=1)
        half = np.einsum("onm,oms->ons", spread, self.design, optimize=True)
        found: Floats = np.einsum("ons,ont->st", self.design, half, optimize=True) + PULL * np.eye(self.size)
        return found

    def block_scores(self, strengths: Floats, blocks: int) -> Floats:
        """Sums of the scores by block, (blocks, strengths)."""
        scores = self.scores(self.chances(strengths)[1])
        block, order, weight = self.orders.of_block
        found = np.zeros((blocks, self.size))
        np.add.at(found, block, weight[:, None] * scores[order])
        return found


@dataclass(frozen=True)
class Ratings:
    """Ratings in points. The mean of all agents is 0, and so is the mean of all seats."""

    agents: Floats
    seats: Floats
    moves: Floats  # (blocks, agents and seats): influence of each block on each rating
    plays: NDArray[np.bool_]  # (blocks, agents and seats): who plays in it; seats always do
    always: NDArray[np.int64]  # (agents, agents): common blocks, if the first always finished ahead of the second
    apart: list[list[int]]  # groups of agents; between two groups the order was always the same

    def interval(self, weights: Floats, level: float = 0.95) -> tuple[float, float, float]:
        """Estimate and interval of a weighted sum of the ratings of agents and seats: (estimate, low, high). Only
        blocks in which one of them plays count."""
        value = float(weights @ np.concatenate([self.agents, self.seats]))
        blocks = int(self.plays[:, weights != 0].any(axis=1).sum())
        if blocks < 2 or self._is_a_guess(weights):
            return value, -np.inf, np.inf
        error = float(np.linalg.norm(self.moves @ weights)) * (blocks / (blocks - 1)) ** 0.5
        reach = float(student.ppf((1 + level) / 2, blocks - 1)) * error
        return value, value - reach, value + reach

    def _is_a_guess(self, weights: Floats) -> bool:
        """Whether the sum depends on the unknown distance between groups."""
        of_agents = weights[: len(self.agents)]
        beyond_mean = of_agents - of_agents.mean()
        return any(abs(beyond_mean[group].sum()) > ALMOST for group in self.apart)

    def surely_before(self, first: int, second: int, level: float) -> bool:
        """Whether one agent always finished ahead of the other, in more blocks than chance would allow: with equal
        agents the probability is at most one half per block (sign test)."""
        return bool(2.0 ** (1 - self.always[first, second]) <= 1 - level)

    def of(self, agent: int, level: float = 0.95) -> tuple[float, float, float]:
        """Rating of an agent: (estimate, low, high)."""
        return self.interval(self._unit(agent), level)

    def of_seat(self, seat: int, level: float = 0.95) -> tuple[float, float, float]:
        """Rating of a seat: (estimate, low, high)."""
        return self.interval(self._unit(len(self.agents) + seat), level)

    def difference(self, first: int, second: int, level: float = 0.95) -> tuple[float, float, float]:
        """Difference of the ratings of two agents: (estimate, low, high)."""
        return self.interval(self._unit(first) - self._unit(second), level)

    def _unit(self, index: int) -> Floats:
        unit = np.zeros(len(self.agents) + len(self.seats))
        unit[index] = 1
        return unit

    @property
    def ranking(self) -> list[int]:
        """Agents by rating, best first."""
        return [int(agent) for agent in np.argsort(-self.agents, kind="stable")]


def rate(finishes: Finishes) -> Ratings:
    """Estimate the ratings of all agents and seats."""
    likelihood = Likelihood(orders_of(finishes), finishes.number)
    found: Any = minimize(
        likelihood.loss,
        np.zeros(likelihood.size),
        jac=True,
        hess=likelihood.curvature,
        method="trust-exact",
        options={"gtol": 1e-6},
    )
    strengths: Floats = found.x
    inverse = np.linalg.inv(likelihood.curvature(strengths))
    before = _before(finishes)
    return Ratings(
        strengths[: finishes.number] * POINTS,
        strengths[finishes.number :] * POINTS,
        likelihood.block_scores(strengths, finishes.block_count) @ inverse * POINTS,
        np.hstack([_takes_part(finishes), np.ones((finishes.block_count, finishes.seats), np.bool_)]),
        _always(finishes, before),
        _apart(before),
    )


def _takes_part(finishes: Finishes) -> NDArray[np.bool_]:
    """Whether each agent plays in each block, (blocks, agents)."""
    found = np.zeros((finishes.block_count, finishes.number), np.bool_)
    found[finishes.blocks[:, None], finishes.agents] = True
    return found


def _before(finishes: Finishes) -> NDArray[np.bool_]:
    """Whether the first agent ever finished ahead of the second or level with it, (agents, agents)."""
    before = np.zeros((finishes.number, finishes.number), np.bool_)
    for first in range(finishes.seats):
        for second in range(finishes.seats):
            not_behind = finishes.ranks[:, first] <= finishes.ranks[:, second]
            before[finishes.agents[not_behind, first], finishes.agents[not_behind, second]] = True
    return before


def _always(finishes: Finishes, before: NDArray[np.bool_]) -> NDArray[np.int64]:
    takes_part = _takes_part(finishes).astype(np.int64)
    return np.where(before & ~before.T, takes_part.T @ takes_part, 0)


def _apart(before: NDArray[np.bool_]) -> list[list[int]]:
    """Groups of agents with unknown distances. The list is empty if everybody has finished both ahead of and behind
    everybody else, directly or through others, because then all ratings are finite."""
    count, group = connected_components(before, directed=True, connection="strong")
    return [np.flatnonzero(group == index).tolist() for index in range(count)] if count > 1 else []
