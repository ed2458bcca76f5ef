"""Forward pass of a value network: the expected lead and the chance to win of a player at the end of a turn.

The network sees the player's own features, the mean of the other players' features, those of the strongest other player
(by VP and claims), and the table's; so it works with any number of players. Two hidden layers of rectified units
follow, and two outputs: the lead in VP over the mean of the others at the end of the game, divided by LEAD, and the
chance to win as a logit.

Compiled code gets a network as one array of numbers: the sizes of the layers, the margin, then the weights. A network
without units, NO_NETWORK, stands for none.
"""

from math import exp
from typing import Any, Final

import numpy as np

from fujikoro_agents.forward import dense, rectify
from fujikoro_agents.values.features import (
    BLOCK,
    CLAIMS_NOW,
    TABLE,
    VP_NOW,
    new_blocks,
    write_block,
    write_table,
)
from fujikoro_env.kernel.jit import Floats, FloatTable, IntArray, IntTable, entry, rule
from fujikoro_env.rules.base.arrays import GameArrays
from fujikoro_env.rules.base.state import State
from fujikoro_env.rules.base.tables import Tables

OTHERS: Final = BLOCK  # after the player's own features: means of the others
STRONGEST: Final = 2 * BLOCK
OF_TABLE: Final = 3 * BLOCK
INPUTS: Final = OF_TABLE + TABLE
OUTPUTS: Final = 2
LEAD: Final = 10.0  # VP
UNITS_1, UNITS_2, MARGIN, WEIGHTS = range(4)  # places in the array of a network; weights follow
MOST_UNITS: Final = 256  # of a hidden layer
NO_NETWORK: Final[Any] = np.zeros(WEIGHTS, np.float32)


@rule
def has_network(network: Floats) -> bool:
    """Whether there is a network."""
    return network[UNITS_1] != 0.0


@rule
def write_inputs(blocks: FloatTable, first: int, players: int, p: int, table: Floats, x: Floats) -> None:
    """Write what the network sees of player `p`. The features of all players are rows of `blocks` from `first` on."""
    strongest, most = -1, -1.0
    for k in range(BLOCK):
        x[k] = blocks[first + p][k]
        x[OTHERS + k] = 0.0
        x[STRONGEST + k] = 0.0
    for q in range(players):
        if q == p:
            continue
        other = blocks[first + q]
        for k in range(BLOCK):
            x[OTHERS + k] += other[k] / (players - 1)
        if other[VP_NOW] + other[CLAIMS_NOW] > most:
            strongest, most = q, float(other[VP_NOW] + other[CLAIMS_NOW])
    if strongest >= 0:
        for k in range(BLOCK):
            x[STRONGEST + k] = blocks[first + strongest][k]
    for k in range(TABLE):
        x[OF_TABLE + k] = table[k]


@rule
def new_row(count: int) -> Any:
    """Return an array of zeros."""
    row: Any = np.zeros(count, np.float32)
    return row


@rule
def run_network(x: Floats, network: Floats, out: Floats) -> None:
    """Compute the outputs for one row of inputs."""
    units_1, units_2 = int(network[UNITS_1]), int(network[UNITS_2])
    hidden_1: Any = np.empty(MOST_UNITS, np.float32)
    hidden_2: Any = np.empty(MOST_UNITS, np.float32)
    first = dense(x, INPUTS, network, WEIGHTS, units_1, hidden_1)
    rectify(hidden_1, units_1)
    first = dense(hidden_1, units_1, network, first, units_2, hidden_2)
    rectify(hidden_2, units_2)
    dense(hidden_2, units_2, network, first, OUTPUTS, out)


# --- positions ------------------------------------------------------------------------------------------------------


@rule
def lead_at_end(s: State, p: int) -> float:
    """Lead in VP over the mean of the others when the game is over."""
    players, others = int(s.settings.players), 0.0
    for q in range(players):
        if q != p:
            others += s.players[q].vp / (players - 1)
    return s.players[p].vp - others


@rule
def write_shares(s: State, t: Tables, network: Floats, known: IntTable, shares: Floats) -> None:
    """Write the expected share of the win of every player of a game that is going on."""
    players, total = int(s.settings.players), 0.0
    blocks, table, x, out = new_blocks(), new_row(TABLE), new_row(INPUTS), new_row(OUTPUTS)
    write_table(s, table)
    for p in range(players):
        write_block(s, t, p, blocks[p], known)
    for p in range(players):
        write_inputs(blocks, 0, players, p, table, x)
        run_network(x, network, out)
        shares[p] = 1.0 / (1.0 + exp(-float(out[1])))
        total += float(shares[p])
    for p in range(players):
        shares[p] = shares[p] / total


# --- many positions -------------------------------------------------------------------------------------------------


@entry
def blocks_of_games(
    at: GameArrays, chosen: IntArray, blocks: FloatTable, of_table: FloatTable, known: IntTable
) -> None:
    """Write the features of all players of each chosen game to consecutive rows of `blocks`, and the table's to one row
    of `of_table`. All games have the same number of players. `known`: memory of estimated fights."""
    for k in range(len(chosen)):
        s = at.games[chosen[k]]
        players = int(s.settings.players)
        for p in range(players):
            write_block(s, at.tables[0], p, blocks[k * players + p], known)
        write_table(s, of_table[k])


@entry
def inputs_of_players(
    blocks: FloatTable, of_table: FloatTable, players: int, seats: IntArray, inputs: FloatTable
) -> None:
    """Write the inputs of the network for one player of each game."""
    for k in range(len(seats)):
        write_inputs(blocks, k * players, players, seats[k], of_table[k], inputs[k])


@entry
def outputs_of_rows(inputs: FloatTable, count: int, network: Floats, outputs: FloatTable) -> None:
    """Compute the outputs for the first `count` rows of inputs."""
    for k in range(count):
        run_network(inputs[k], network, outputs[k])
