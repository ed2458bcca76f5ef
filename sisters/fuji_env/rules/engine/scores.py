"""Scores of games, for Python."""

from fuji_env.rules.base.state import State
from fuji_env.rules.end import score_of
from fujikoro_env.kernel.jit import IntArray, entry
from fujikoro_env.kernel.records import Records


@entry
def score_of_game(games: Records[State], index: int) -> int:
    """Return the score of one game of a batch."""
    return score_of(games[index])


@entry
def settle_games(games: Records[State], chosen: IntArray, reasons: IntArray, scores: IntArray) -> None:
    """Write how the chosen games ended, and their scores."""
    for k in range(len(chosen)):
        reasons[chosen[k]] = games[chosen[k]].reason
        scores[chosen[k]] = score_of(games[chosen[k]])
