"""What batches of games need besides stepping: dealing, current decisions, and results of finished games."""

from fujikoro_env.kernel.engine import Asked
from fujikoro_env.kernel.jit import IntArray, IntTable, WordTable, entry
from fujikoro_env.kernel.records import Records
from fujikoro_env.rules.base.state import PLAYERS, State
from fujikoro_env.rules.base.tables import Tables
from fujikoro_env.rules.engine.engine import see_all
from fujikoro_env.rules.final.score import rank_of
from fujikoro_env.rules.setup import deal


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
    """Write the ranks and VP of the chosen games, which must be over; 0 beyond the last player."""
    for k in range(len(chosen)):
        s = games[chosen[k]]
        for p in range(PLAYERS):
            plays = p < s.settings.players
            ranks[chosen[k], p] = rank_of(s, p) if plays else 0
            scores[chosen[k], p] = s.players[p].vp if plays else 0
