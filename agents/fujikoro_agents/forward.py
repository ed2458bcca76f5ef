"""Compiled forward passes of small networks: dense layers that skip zeros, and layers that compute only legal outputs.

The weights of a whole network are one array, layer after layer. `packed` writes a layer as compiled code reads it:
biases, then one row of weights for each input. A layer whose outputs are actions is packed by output (`by_output`), so
that illegal ones cost nothing.

    first = 0
    first = dense(x, inputs, weights, first, units, hidden)  # returns where the next layer begins
    rectify(hidden, units)
    dense(hidden, units, weights, first, 2, outputs)
"""

import numpy as np
from numpy.typing import NDArray

from fujikoro_env.kernel.jit import Floats, Words, rule, unsigned
from fujikoro_env.kernel.masks import allows


def packed(weight: NDArray[np.float32], bias: NDArray[np.float32], by_output: bool = False) -> NDArray[np.float32]:
    """Return a layer as one array. `weight`: (outputs, inputs), as in PyTorch."""
    rows = weight if by_output else weight.T
    return np.concatenate([bias, rows.reshape(-1)]).astype(np.float32)


def layer_size(inputs: int, outputs: int) -> int:
    """Number of weights of a layer."""
    return outputs * (inputs + 1)


@rule
def dense(x: Floats, inputs: int, weights: Floats, first: int, outputs: int, result: Floats) -> int:
    """Compute a dense layer whose weights begin at index `first`; return the index after them. Inputs that are zero
    cost almost nothing."""
    for j in range(outputs):
        result[unsigned(j)] = weights[unsigned(first + j)]
    row = first + outputs
    for i in range(inputs):
        value = x[unsigned(i)]
        if value != 0.0:
            for j in range(outputs):
                result[unsigned(j)] += value * weights[unsigned(row + j)]
        row += outputs
    return row


@rule
def dense_of_legal(
    x: Floats, inputs: int, weights: Floats, first: int, outputs: int, mask: Words, result: Floats
) -> None:
    """Compute the outputs of a layer packed by output, for the actions that the mask allows; others stay as they
    are."""
    for action in range(outputs):
        if allows(mask, action):
            row = first + outputs + action * inputs
            total = weights[unsigned(first + action)]
            for i in range(inputs):
                total += x[unsigned(i)] * weights[unsigned(row + i)]
            result[action] = total


@rule
def rectify(x: Floats, count: int) -> None:
    """Set negative numbers to zero (ReLU)."""
    for i in range(count):
        if x[unsigned(i)] < 0.0:
            x[unsigned(i)] = 0.0
