"""What a batch of games needs beside stepping: dealing, who is asked, and how the games ended that did."""

from typing import NamedTuple

from fujikoro_env.kernel.jit import Bytes, ByteTable, IntArray, IntTable, Words, WordTable, entry, rule
from fujikoro_env.kernel.masks import allows
from fujikoro_env.kernel.records import Records
from fujikoro_env.rules.base.actions import ACTIONS, WORD_BITS, WORDS
from fujikoro_env.rules.base.frames import top
from fujikoro_env.rules.base.names import Reason
from fujikoro_env.rules.base.state import PLAYERS, State
from fujikoro_env.rules.base.tables import Tables
from fujikoro_env.rules.engine.engine import WAIT
from fujikoro_env.rules.final.score import rank_of
from fujikoro_env.rules.setup import deal

NOBODY = -1


class Asked(NamedTuple):
    """What is asked in many games, a row for each."""

    actors: IntArray  # NOBODY if the game is over
    phases: IntArray
    masks: ByteTable  # what is legal, a byte for each action


@entry
def deal_games(games: Records[State], tables: Records[Tables], chosen: IntArray, seeds: IntArray) -> None:
    """Deal the games that are named, each from its seed; their records hold settings and nothing else."""
    for k in range(len(chosen)):
        deal(games[chosen[k]], tables[0], seeds[k])


@entry
def see_who_is_asked(
    games: Records[State], first: int, last: int, actions: IntArray, masks: WordTable, asked: Asked
) -> int:
    """Write what is asked in the games first to last - 1 that did not WAIT. Returns how many of them are over."""
    over = 0
    for g in range(first, last):
        if actions[g] == WAIT:
            continue
        if games[g].reason != Reason.PLAYING:
            asked.actors[g] = NOBODY
            asked.phases[g] = 0
            over += 1
        else:
            asked.actors[g] = top(games[g]).actor
            asked.phases[g] = top(games[g]).phase
        widen(masks[g], asked.masks[g], 0)
    return over


@rule
def widen(words: Words, out: Bytes, at: int) -> None:
    """Bits to bytes. Of all words hardly any has a member, so zeros are written first, and at one go."""
    for action in range(ACTIONS):
        out[at + action] = 0
    for word in range(WORDS):
        bits = int(words[word])
        if bits != 0:
            for k in range(min(WORD_BITS, ACTIONS - word * WORD_BITS)):
                out[at + word * WORD_BITS + k] = (bits >> k) & 1


@entry
def first_refused(masks: WordTable, actions: IntArray) -> int:
    """The first game whose action is neither legal nor WAIT; -1 if there is none."""
    for g in range(len(actions)):
        action = actions[g]
        if action != WAIT and not (0 <= action < ACTIONS and allows(masks[g], action)):
            return g
    return -1


@entry
def settle_games(games: Records[State], chosen: IntArray, ranks: IntTable, scores: IntTable) -> None:
    """Ranks and VP of the games that are named, which are over; 0 beyond the last player."""
    for k in range(len(chosen)):
        s = games[chosen[k]]
        for p in range(PLAYERS):
            plays = p < s.settings.players
            ranks[chosen[k], p] = rank_of(s, p) if plays else 0
            scores[chosen[k], p] = s.players[p].vp if plays else 0
