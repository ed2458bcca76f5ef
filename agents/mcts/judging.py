"""What an iteration is worth to each player: its share of the win, at the end of the game or guessed before it."""

import math

from agents.mcts.tree import UNIT, Search
from fujikoro_env.rules.coop import is_coop
from fujikoro_env.rules.jit import rule
from fujikoro_env.rules.names import Reason
from fujikoro_env.rules.rewards import progress, sharing_rank
from fujikoro_env.rules.score import rank_of
from fujikoro_env.rules.state import State
from fujikoro_env.rules.tables import Tables

LEAD_THAT_DECIDES = 4.0  # VP: who is so far ahead of one other player wins e times as often


@rule
def judge(s: State, t: Tables, search: Search) -> None:
    if is_coop(s):
        judge_together(s, t, search)
    elif s.reason != Reason.PLAYING:
        judge_end(s, search)
    else:
        judge_position(s, t, search)


@rule
def judge_end(s: State, search: Search) -> None:
    """Those who tie share the win."""
    share = UNIT // sharing_rank(s, 1)
    for p in range(s.settings.players):
        search.values[p] = share if rank_of(s, p) == 1 else 0


@rule
def judge_together(s: State, t: Tables, search: Search) -> None:
    """In co-op and solo play all have the same."""
    value = 0.0
    if s.reason == Reason.WON:
        value = 1.0
    elif s.reason == Reason.PLAYING:
        value = progress(s, t)
    for p in range(s.settings.players):
        search.values[p] = int(UNIT * value)


@rule
def judge_position(s: State, t: Tables, search: Search) -> None:
    """Shares of a win that is likelier the better a position is evaluated against the others'."""
    best, total = -1e9, 0.0
    for p in range(s.settings.players):
        best = max(best, evaluate(s, t, p))
    for p in range(s.settings.players):
        total += math.exp((evaluate(s, t, p) - best) / LEAD_THAT_DECIDES)
    for p in range(s.settings.players):
        search.values[p] = int(UNIT * math.exp((evaluate(s, t, p) - best) / LEAD_THAT_DECIDES) / total)


@rule
def evaluate(s: State, t: Tables, p: int) -> float:
    return s.players[p].vp + 0.0
