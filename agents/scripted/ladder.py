"""Scripted players in batches: whole games of mixed line-ups, thousands a minute."""

from dataclasses import dataclass
from typing import Any, Final

import numpy as np
from numpy.typing import NDArray

from agents.scripted.answer import answer
from agents.scripted.evaluation import read_weights
from agents.scripted.lookahead import REPORT, lookahead_games
from agents.scripted.luck import luck_of_games
from agents.scripted.skills import LOOKS_AHEAD
from agents.stepping import WORDS_OF_A_GAME, Room, stepper
from fujikoro_env.batch import blank_game
from fujikoro_env.rules.actions import WORDS
from fujikoro_env.rules.batches import deal_games, settle_games
from fujikoro_env.rules.engine import NO_ACTION, WAIT, step_games
from fujikoro_env.rules.frames import top
from fujikoro_env.rules.jit import IntArray, IntTable, WordTable, entry
from fujikoro_env.rules.names import Fault, Reason
from fujikoro_env.rules.records import Records, zeros
from fujikoro_env.rules.state import PLAYERS, State
from fujikoro_env.rules.tables import Tables
from fujikoro_env.settings import Rules

BLOCK: Final = 64  # games that go on together: few enough for the cache


@entry
def answer_games(
    games: Records[State],
    tables: Records[Tables],
    first: int,
    last: int,
    skills: IntTable,
    luck: IntArray,
    masks: WordTable,
    actions: IntArray,
) -> int:
    """Answers for games first to last - 1; WAIT for those that are over. `skills`: by game and seat; `luck`: all seats
    of all games, one after the other. Gives how many games go on."""
    playing = 0
    for g in range(first, last):
        if games[g].reason != Reason.PLAYING:
            actions[g] = WAIT
            continue
        seat = int(top(games[g]).actor)
        actions[g] = answer(games[g], tables[0], masks[g], skills[g, seat], luck, g * PLAYERS + seat)
        playing += 1
    return playing


@dataclass(frozen=True)
class Results:
    """Of many games, by game and seat."""

    ranks: NDArray[np.int64]
    scores: NDArray[np.int64]
    rounds: NDArray[np.int64]  # (n,)
    reasons: NDArray[np.int64]  # (n,) Reason
    games: Any  # the last positions

    @property
    def wins(self) -> NDArray[np.float64]:
        """The share of the win: those who tie for the first place share it."""
        first = (self.ranks == 1).astype(np.float64)
        shares: NDArray[np.float64] = first / first.sum(axis=1, keepdims=True)
        return shares


def play_games(rules: Rules, seeds: NDArray[np.int64], skills: NDArray[np.int64]) -> Results:
    """Whole games, one for each seed; `skills`: (n, 6), by game and seat."""
    n, every_game = len(seeds), _numbers(np.arange(len(seeds)))
    games: Any = zeros(State, n)
    games.view(np.uint8).reshape(n, -1)[:] = blank_game(rules)
    deal_games(games, rules.tables, every_game, _numbers(seeds))
    luck, by_seat, masks = _numbers(luck_of_games(seeds)), _numbers(skills), np.zeros((n, WORDS), np.uint32)
    table = Table(rules.tables, games, by_seat, luck, masks)
    for first in range(0, n, BLOCK):
        table.play(first, min(first + BLOCK, n))
    ranks, scores = _numbers(np.zeros((n, PLAYERS))), _numbers(np.zeros((n, PLAYERS)))
    settle_games(games, every_game, ranks, scores)
    return Results(ranks, scores, games["round_number"].astype(np.int64), games["reason"].astype(np.int64), games)


class Table:
    """Games under way, and the players at them."""

    def __init__(self, tables: Any, games: Any, skills: Any, luck: Any, masks: Any) -> None:
        self.tables, self.games, self.skills, self.luck, self.masks = tables, games, skills, luck, masks
        self.actions = _numbers(np.full(len(games), NO_ACTION))
        self.looking = bool((skills & LOOKS_AHEAD).any())
        if self.looking:
            self.aims, self.weights, self.room = np.zeros_like(luck), read_weights(), Room(2)
            self.report: Any = np.zeros(REPORT, np.float32)

    def play(self, first: int, last: int) -> None:
        playing = last - first
        while playing > 0:
            fault = step_games(self.games, self.tables, first, last, self.actions, self.masks)
            if fault != Fault.NONE:
                raise RuntimeError(f"the rules have come to a halt ({Fault(fault).name}): please report it")
            playing = self.answer(first, last)

    def answer(self, first: int, last: int) -> int:
        """Into `actions`; gives how many games go on."""
        if not self.looking:
            return answer_games(self.games, self.tables, first, last, self.skills, self.luck, self.masks, self.actions)
        return lookahead_games(
            stepper(),
            self.games,
            self.games.view(np.int64).reshape(len(self.games), WORDS_OF_A_GAME),
            self.tables,
            first,
            last,
            self.skills,
            self.luck,
            self.aims,
            self.weights,
            self.masks,
            self.actions,
            self.room.games,
            self.room.words,
            self.room.masks,
            self.room.actions,
            self.report,
        )


def _numbers(given: Any) -> Any:
    """As compiled code takes them."""
    return np.ascontiguousarray(given, np.int64)
