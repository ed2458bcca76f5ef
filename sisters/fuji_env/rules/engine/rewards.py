"""Rewards of all environments, computed in this one place. The whole team gets the same.

A step pays `end + worth now - worth before`. The end is paid once, when the game is over. The worth is an estimate of
the position, and 0 when the game is over:

kind    end                                                              worth
WIN     1 if the game is won, -1 if it is lost                           0
SCORE   the share of the points of a win that were kept (END-3), from 0  0
        for none to 1 for 4 a figure or more; -1 for a loss
SHAPED  as WIN                                                           how far the figures have come on the way to the
                                                                         village, from 0 to 1/2
"""

from enum import IntEnum
from typing import Final

from fuji_env.rules.base.names import Reason
from fuji_env.rules.base.state import State
from fuji_env.rules.base.tables import Tables
from fuji_env.rules.end import POINTS, score_of
from fuji_env.rules.map import layout_of
from fujikoro_env.kernel.jit import Floats, FloatTable, IntArray, entry, rule
from fujikoro_env.kernel.records import Records

MOST_WORTH: Final = 0.5


class Reward(IntEnum):
    """Kinds of rewards."""

    WIN, SCORE, SHAPED = range(3)


@rule
def end_of(s: State, kind: int) -> float:
    """Return what the end of a game pays."""
    if s.reason != Reason.VILLAGES:
        return -1.0
    if kind == Reward.SCORE:
        return min(max(score_of(s), 0) / (POINTS * s.settings.figures), 1.0)
    return 1.0


@rule
def worth_of(s: State, t: Tables, kind: int) -> float:
    """Return the worth of a position."""
    if kind != Reward.SHAPED or s.reason != Reason.PLAYING:
        return 0.0
    m = layout_of(s, t)
    left, whole = 0, 0
    for k in range(s.settings.figures):
        left += min(m.to_village[s.figures[k].at], m.to_village[m.white])
        whole += m.to_village[m.white]
    return MOST_WORTH * (whole - left) / max(whole, 1)


@entry
def pay_games(
    games: Records[State],
    tables: Records[Tables],
    first: int,
    last: int,
    kind: int,
    worths: Floats,
    rewards: FloatTable,
) -> int:
    """Write the rewards of games first to last - 1 since their worths were last updated, and update the worths. Return
    the number of games in which the reward is not 0."""
    paid = 0
    for g in range(first, last):
        s = games[g]
        worth = worth_of(s, tables[0], kind)
        reward = worth - worths[g]
        if s.reason != Reason.PLAYING:
            reward += end_of(s, kind)
        worths[g] = worth
        for player in range(s.settings.players):
            rewards[g][player] = reward
        if reward != 0:
            paid += 1
    return paid


@entry
def appraise_games(games: Records[State], tables: Records[Tables], chosen: IntArray, kind: int, worths: Floats) -> None:
    """Set the worths of the chosen games, which have just been dealt or loaded."""
    for k in range(len(chosen)):
        worths[chosen[k]] = worth_of(games[chosen[k]], tables[0], kind)
