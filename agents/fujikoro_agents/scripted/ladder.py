"""Scripted players in batches: whole games of mixed line-ups, thousands a minute."""

from dataclasses import dataclass
from typing import Any, Final, cast

import numpy as np
from numpy.typing import NDArray

from fujikoro_agents.scripted.answer import answer
from fujikoro_agents.scripted.evaluation import read_weights
from fujikoro_agents.scripted.lookahead import REPORT, Minds, lookahead_games
from fujikoro_agents.scripted.luck import luck_of_games
from fujikoro_agents.scripted.skills import LOOKS_AHEAD
from fujikoro_agents.stepping import Workspace
from fujikoro_env.envs.batch import blank_game
from fujikoro_env.kernel.jit import IntArray, IntTable, entry
from fujikoro_env.kernel.records import zeros
from fujikoro_env.observation import words_of
from fujikoro_env.rules.base.actions import WORDS
from fujikoro_env.rules.base.arrays import GameArrays
from fujikoro_env.rules.base.frames import top
from fujikoro_env.rules.base.names import Fault, Reason
from fujikoro_env.rules.base.state import PLAYERS, State
from fujikoro_env.rules.engine.batches import deal_games, settle_games
from fujikoro_env.rules.engine.engine import NO_ACTION, WAIT, step_games
from fujikoro_env.settings import Rules

BLOCK: Final = 64  # games that go on together: few enough for the cache


@entry
def answer_games(at: GameArrays, first: int, last: int, skills: IntTable, luck: IntArray, actions: IntArray) -> int:
    """Answers for games first to last - 1; WAIT for those that are over. `skills`: by game and seat; `luck`: all seats
    of all games, one after the other. Gives how many games go on."""
    playing = 0
    for g in range(first, last):
        s = at.games[g]
        if s.reason != Reason.PLAYING:
            actions[g] = WAIT
            continue
        seat = int(top(s).actor)
        actions[g] = answer(s, at.tables[0], at.masks[g], skills[g, seat], luck, g * PLAYERS + seat)
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


def play_games(rules: Rules, seeds: NDArray[np.int64], skills: NDArray[np.int64], weights: Any = None) -> Results:
    """Whole games, one for each seed; `skills`: (n, 6), by game and seat. `weights`: of those who look ahead."""
    return ScriptedGames(rules, seeds, skills, weights).play()


class ScriptedGames:
    """Games under way, and the players at them."""

    def __init__(self, rules: Rules, seeds: NDArray[np.int64], skills: NDArray[np.int64], weights: Any = None) -> None:
        n = len(seeds)
        self.tables = rules.tables
        self.games: Any = zeros(State, n)
        self.games.view(np.uint8).reshape(n, -1)[:] = blank_game(rules)
        deal_games(self.games, self.tables, _numbers(np.arange(n)), _numbers(seeds))
        self.masks: Any = np.zeros((n, WORDS), np.uint32)
        self.compiled = GameArrays(self.games, words_of(self.games), self.tables, cast(Any, self.masks))
        self.actions = _numbers(np.full(n, NO_ACTION))
        self.players = Players(skills, luck_of_games(seeds), weights)
        self.decisions = 0  # so far, in all games

    def play(self) -> Results:
        """All games, to their end."""
        for first in range(0, len(self.games), BLOCK):
            self.play_some(first, min(first + BLOCK, len(self.games)))
        return self.results()

    def play_some(self, first: int, last: int) -> None:
        playing = last - first
        while playing > 0:
            fault = step_games(self.games, self.tables, first, last, self.actions, self.masks)
            if fault != Fault.NONE:
                raise RuntimeError(f"the rules have come to a halt ({Fault(fault).name}): please report it")
            playing = self.players.answer(self.compiled, first, last, self.actions)
            self.decisions += playing

    def results(self) -> Results:
        n, games = len(self.games), self.games
        ranks, scores = _numbers(np.zeros((n, PLAYERS))), _numbers(np.zeros((n, PLAYERS)))
        settle_games(games, _numbers(np.arange(n)), ranks, scores)
        return Results(ranks, scores, games["round_number"].astype(np.int64), games["reason"].astype(np.int64), games)


class Players:
    """Whoever plays at some games: their skills and luck, by game and seat, and what they keep in mind."""

    def __init__(self, skills: Any, luck: Any, weights: Any = None) -> None:
        self.skills, self.luck = _numbers(skills), _numbers(luck)
        self.weights = read_weights() if weights is None else weights
        self.looking = bool((self.skills & LOOKS_AHEAD).any())
        if self.looking:
            self.aims, self.workspace = np.zeros_like(self.luck), Workspace(2)
            self.report: Any = np.zeros(REPORT, np.float32)

    def answer(self, at: GameArrays, first: int, last: int, actions: Any) -> int:
        """Write answers for games first to last - 1 into `actions`; returns how many of them go on."""
        if not self.looking:
            return answer_games(at, first, last, self.skills, self.luck, actions)
        minds = Minds(self.skills, self.luck, self.aims, self.weights, self.report)
        return lookahead_games(at, first, last, actions, minds, self.workspace.compiled(at.tables), 0)


def _numbers(given: Any) -> Any:
    """As compiled code takes them."""
    return np.ascontiguousarray(given, np.int64)
