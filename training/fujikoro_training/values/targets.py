"""Targets of learning: TD(lambda) returns of the values of a network along each game.

The target of a turn end mixes the value of the next turn end with the target of that one, `lambda` of it; the last turn
end of a game gets the result. Such targets vary much less than results do.
"""

import numpy as np
from numpy.typing import NDArray

from fujikoro_training.values.turn_ends import TurnEnds

Values = NDArray[np.float32]  # (turn ends, players)


def lambda_returns(ends: TurnEnds, values: Values, results: Values, share: float) -> Values:
    """Targets by turn end and player. `values`: of the network; `results`: at the end, by game and player; `share`:
    lambda."""
    targets, last, after = np.empty_like(values), results.copy(), results.copy()
    for rows in _backwards(ends.games):
        games = ends.games[rows]
        targets[rows] = (1 - share) * after[games] + share * last[games]
        last[games], after[games] = targets[rows], values[rows]
    return targets


def _backwards(games: NDArray[np.int32]) -> list[NDArray[np.int64]]:
    """Turn ends in groups, the last of each game first, then the second last, and so on."""
    order = np.argsort(games, kind="stable")
    counts = np.bincount(games)
    ends = np.cumsum(counts)
    longest = int(counts.max()) if len(counts) else 0
    return [order[ends[counts > back] - 1 - back] for back in range(longest)]
