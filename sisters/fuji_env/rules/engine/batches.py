"""What batches of games need besides stepping: dealing, current decisions, and results of finished games."""

from fuji_env.rules.base.names import Reason
from fuji_env.rules.base.state import PLAYERS, State
from fuji_env.rules.base.tables import Tables
from fuji_env.rules.end import score_of
from fuji_env.rules.engine.engine import see_all
from fuji_env.rules.setup import deal
from fujikoro_env.kernel.engine import Asked
from fujikoro_env.kernel.jit import IntArray, IntTable, WordTable, entry
from fujikoro_env.kernel.records import Records


@entry
def deal_games(games: Records[State], tables: Records[Tables], chosen: IntArray, seeds: IntArray) -> None:
    """Deal the chosen games, each from its own seed. Their records must hold the settings and be zero otherwise."""
    for k in range(len(chosen)):
        deal(games[chosen[k]], tables[0], seeds[k])


@entry
def see_who_is_asked(
    games: Records[State], first: int, last: int, actions: IntArray, masks: WordTable, asked: Asked
) -> int:
    """Write the current decisions of games first to last - 1, except those that WAIT. Return how many of them are
    over."""
    return see_all(games, first, last, actions, masks, asked)


@entry
def settle_games(games: Records[State], chosen: IntArray, ranks: IntTable, scores: IntTable) -> None:
    """Write the ranks and scores of the chosen games, which must be over: 1 for all players of a team that won, 2 if it
    lost; 0 beyond the last player."""
    for k in range(len(chosen)):
        s = games[chosen[k]]
        won = s.reason == Reason.VILLAGES
        for player in range(PLAYERS):
            plays = player < s.settings.players
            ranks[chosen[k], player] = (1 if won else 2) if plays else 0
            scores[chosen[k], player] = score_of(s) if plays else 0


@entry
def score_of_game(games: Records[State], index: int) -> int:
    """Return the score of one game of a batch."""
    return score_of(games[index])
