"""Advantages of decisions in games of several learners, computed for each seat alone.

Between two decisions of a seat, other seats decide. So the decisions of one seat in one game form a chain: a decision
is paid all rewards of its seat until the seat's next decision, and is followed by the value of that decision, never by
the value of another seat's. Beyond the end of a game there is nothing. If the data ends before the game, the chain ends
with the value of the last position to the seat.
"""

from typing import Final

import numpy as np
from numpy.typing import NDArray

NOBODY: Final = -1  # as a mover: no learner decided
Floats = NDArray[np.float32]


def seat_advantages(
    movers: NDArray[np.int64],
    values: Floats,
    rewards: Floats,
    dones: NDArray[np.bool_],
    open_values: Floats,
    gamma: float,
    gae_lambda: float,
) -> Floats:
    """Generalised advantage estimates of all decisions, (steps, games), 0 where no learner decided.

    * `movers` (steps, games): seat of the learner that decided, or `NOBODY`
    * `values` (steps, games): values of the positions to their movers
    * `rewards` (steps, games, seats): what each step paid to each seat
    * `dones` (steps, games): whether the step ended the game
    * `open_values` (games, seats): value of the position after the last step to each seat

    Time is counted in decisions of the seat: `gamma` discounts once for each.
    """
    advantages = np.zeros(values.shape, np.float32)
    next_values = open_values.astype(np.float32, copy=True)  # of each seat's next decision
    next_advantages, paid = np.zeros_like(next_values), np.zeros_like(next_values)
    for step in reversed(range(len(movers))):
        for ahead in (next_values, next_advantages, paid):
            ahead[dones[step]] = 0  # what is ahead belongs to another game
        paid += rewards[step]
        games = np.flatnonzero(movers[step] != NOBODY)
        seats = movers[step, games]
        delta = paid[games, seats] + gamma * next_values[games, seats] - values[step, games]
        found = delta + gamma * gae_lambda * next_advantages[games, seats]
        advantages[step, games] = found
        next_values[games, seats] = values[step, games]
        next_advantages[games, seats] = found
        paid[games, seats] = 0
    return advantages
