"""What batches of games need besides stepping: dealing, current decisions, and results of finished games."""

from typing import NamedTuple

from fujikoro_env.kernel.batch_masks import widen
from fujikoro_env.kernel.commands import WAIT
from fujikoro_env.kernel.jit import ByteTable, IntArray, IntTable, WordTable, entry
from fujikoro_env.kernel.records import Records
from fujikoro_env.rules.base.actions import ACTIONS
from fujikoro_env.rules.base.state import PLAYERS, State
from fujikoro_env.rules.base.tables import Tables
from fujikoro_env.rules.engine.engine import see
from fujikoro_env.rules.final.score import rank_of
from fujikoro_env.rules.setup import deal


class Asked(NamedTuple):
    """The current decisions of a batch, one row per game."""

    actors: IntArray  # NOBODY if the game is over
    phases: IntArray
    masks: ByteTable  # legal actions, one byte per action


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
    over = 0
    for g in range(first, last):
        if actions[g] != WAIT:
            over += see(games[g], g, asked.actors, asked.phases)
            widen(masks[g], asked.masks[g], 0, ACTIONS)
    return over


@entry
def settle_games(games: Records[State], chosen: IntArray, ranks: IntTable, scores: IntTable) -> None:
    """Write the ranks and VP of the chosen games, which must be over; 0 beyond the last player."""
    for k in range(len(chosen)):
        s = games[chosen[k]]
        for p in range(PLAYERS):
            plays = p < s.settings.players
            ranks[chosen[k], p] = rank_of(s, p) if plays else 0
            scores[chosen[k], p] = s.players[p].vp if plays else 0
