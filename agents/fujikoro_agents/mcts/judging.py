"""Values of an iteration for each player: its share of the win, real at the end of the game or estimated before it."""

import math
from typing import Any, Final

import numpy as np

from fujikoro_agents.scripted.evaluation import evaluate, turns_to_come
from fujikoro_agents.scripted.running import turns_left
from fujikoro_agents.values.network import has_network, write_shares
from fujikoro_env.kernel.jit import Floats, IntArray, IntTable, rule
from fujikoro_env.kernel.searching import UNIT
from fujikoro_env.rules.base.names import Reason
from fujikoro_env.rules.base.state import PLAYERS, State
from fujikoro_env.rules.base.tables import Tables
from fujikoro_env.rules.coop.coop import is_coop
from fujikoro_env.rules.engine.rewards import progress, sharing_rank
from fujikoro_env.rules.final.score import rank_of

# Lead in VP at which a player wins e times as often as another; the more turns are left, the less a lead counts.
LEAST_LEAD: Final = 1.0
LEAD_PER_TURN: Final = 0.4
NEARLY: Final = 0.1  # factor on the progress of a co-op game that is not won: getting further counts as better
NOTHING: Final = -1e9


@rule
def judge(s: State, t: Tables, weights: Floats, network: Floats, values: IntArray, known: IntTable) -> None:
    """Write the value of the position for every player to `values`. `weights`: of the evaluation; `network`:
    value network that replaces it, unless it is NO_NETWORK; `known`: memory of estimated fights."""
    if is_coop(s):
        judge_together(s, t, values)
    elif s.reason != Reason.PLAYING:
        judge_end(s, values)
    elif has_network(network):
        judge_by_network(s, t, network, values, known)
    else:
        judge_position(s, t, weights, values, known)


@rule
def judge_end(s: State, values: IntArray) -> None:
    """Write the shares of the win at the end of a game; players who tie share it."""
    share = UNIT // sharing_rank(s, 1)
    for p in range(s.settings.players):
        values[p] = share if rank_of(s, p) == 1 else 0


@rule
def judge_together(s: State, t: Tables, values: IntArray) -> None:
    """Write the value of a co-op or solo game, which is the same for all players."""
    value = 1.0 if s.reason == Reason.WON else NEARLY * progress(s, t)
    for p in range(s.settings.players):
        values[p] = int(UNIT * value)


@rule
def judge_position(s: State, t: Tables, weights: Floats, values: IntArray, known: IntTable) -> None:
    """Write estimated shares of the win: the better a position is evaluated compared with the others, the larger its
    share."""
    best, total = NOTHING, 0.0
    guesses: Any = np.empty(PLAYERS, np.float32)
    for p in range(s.settings.players):
        guesses[p] = evaluate(s, t, p, weights, known)
        best = max(best, float(guesses[p]))
    decides = LEAST_LEAD + LEAD_PER_TURN * turns_of_all(s, t)
    for p in range(s.settings.players):
        guesses[p] = math.exp((float(guesses[p]) - best) / decides)
        total += float(guesses[p])
    for p in range(s.settings.players):
        values[p] = int(UNIT * float(guesses[p]) / total)


@rule
def judge_by_network(s: State, t: Tables, network: Floats, values: IntArray, known: IntTable) -> None:
    """Write the shares of the win that a value network expects."""
    shares: Any = np.empty(PLAYERS, np.float32)
    write_shares(s, t, network, known, shares)
    for p in range(s.settings.players):
        values[p] = int(UNIT * float(shares[p]))


@rule
def turns_of_all(s: State, t: Tables) -> float:
    """Number of turns that each player has left, roughly."""
    if s.final_player != 0:
        return turns_left(s, t, int(s.final_player) - 1) + 0.0
    return turns_to_come(s, int(s.settings.players))
