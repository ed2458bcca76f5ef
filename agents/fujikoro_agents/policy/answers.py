"""Actions from the logits of a network, for many games at once."""

from typing import Final

import numpy as np
from numpy.typing import NDArray

HUGE: Final = float(np.finfo(np.float32).max)
TINY: Final = np.finfo(np.float64).tiny
# SplitMix64: a random generator whose state is one number, so that each seat of each game can have its own.
STEP: Final = np.uint64(0x9E3779B97F4A7C15)
MIX: Final = (np.uint64(0xBF58476D1CE4E5B9), np.uint64(0x94D049BB133111EB))
SHIFTS: Final = tuple(map(np.uint64, (30, 27, 31, 11)))


def chances_of(logits: NDArray[np.float32], masks: NDArray[np.bool_]) -> NDArray[np.float64]:
    """Probability of each action: above 0 where the mask is true, 0 elsewhere."""
    if not masks.any(axis=1).all():
        raise ValueError(f"masks: row {int(masks.any(axis=1).argmin())} has no legal action")
    finite = np.nan_to_num(logits.astype(np.float64), posinf=HUGE, neginf=-HUGE)  # large weights overflow
    wide = np.where(masks, finite, -np.inf)
    wide -= wide.max(axis=1, keepdims=True)
    np.exp(wide, out=wide)
    wide /= wide.sum(axis=1, keepdims=True)
    return np.where(masks, np.maximum(wide, TINY), 0.0)


def chosen(chances: NDArray[np.float64], luck: NDArray[np.float64] | None) -> NDArray[np.int64]:
    """An action for each row: the most likely one, or one drawn by its probability if `luck` has a number in [0, 1)
    for each row."""
    if luck is None:
        best: NDArray[np.int64] = chances.argmax(axis=1)
        return best
    reached = chances.cumsum(axis=1)
    total = reached[:, -1:]
    drawn = np.minimum(luck[:, None] * total, np.nextafter(total, 0))  # rounding could give the total
    found: NDArray[np.int64] = (reached > drawn).argmax(axis=1)
    return found


def drawn_from(states: NDArray[np.uint64]) -> tuple[NDArray[np.uint64], NDArray[np.float64]]:
    """The next states of random generators, and a random number in [0, 1) from each."""
    states = states + STEP
    mixed = (states ^ (states >> SHIFTS[0])) * MIX[0]
    mixed = (mixed ^ (mixed >> SHIFTS[1])) * MIX[1]
    return states, ((mixed ^ (mixed >> SHIFTS[2])) >> SHIFTS[3]).astype(np.float64) * 2.0**-53
