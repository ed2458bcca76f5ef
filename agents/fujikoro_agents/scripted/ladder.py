"""Batches of games between scripted agents: whole games of mixed line-ups, thousands a minute."""

from dataclasses import dataclass
from typing import Any, Final, cast

import numpy as np
from numpy.typing import NDArray

from fujikoro_agents.scripted.answer import answer
from fujikoro_agents.scripted.evaluation import read_weights
from fujikoro_agents.scripted.known_fights import KnownFights
from fujikoro_agents.scripted.lookahead import REPORT, TRIAL_GAMES, Minds, lookahead_games
from fujikoro_agents.scripted.luck import luck_of_games
from fujikoro_agents.scripted.skills import LEARNED, LOOKS_AHEAD
from fujikoro_agents.stepping import Workspace
from fujikoro_agents.values.network import NO_NETWORK
from fujikoro_env.envs.batch import blank_game
from fujikoro_env.kernel.commands import NO_ACTION, WAIT
from fujikoro_env.kernel.jit import IntArray, IntTable, entry
from fujikoro_env.kernel.records import zeros
from fujikoro_env.observation import words_of
from fujikoro_env.rules.base.actions import WORDS
from fujikoro_env.rules.base.arrays import GameArrays
from fujikoro_env.rules.base.frames import top
from fujikoro_env.rules.base.names import Fault, Reason
from fujikoro_env.rules.base.state import PLAYERS, State
from fujikoro_env.rules.engine.batches import deal_games, settle_games
from fujikoro_env.rules.engine.engine import step_games
from fujikoro_env.settings import Rules

BLOCK: Final = 64  # games played together: few enough to stay in the CPU cache


@entry
def answer_games(
    at: GameArrays, first: int, last: int, skills: IntTable, luck: IntArray, known: IntTable, actions: IntArray
) -> int:
    """Write the answers for games first to last - 1; WAIT for finished games. Return the number of games still going.
    `skills`: by game and seat; `luck`: all seats of all games, one after the other; `known`: memory of estimated
    fights."""
    playing = 0
    for g in range(first, last):
        s = at.games[g]
        if s.reason != Reason.PLAYING:
            actions[g] = WAIT
            continue
        seat = int(top(s).actor)
        actions[g] = answer(s, at.tables[0], at.masks[g], skills[g, seat], luck, g * PLAYERS + seat, known)
        playing += 1
    return playing


@dataclass(frozen=True)
class Results:
    """Results of many games, by game and seat."""

    ranks: NDArray[np.int64]
    scores: NDArray[np.int64]
    rounds: NDArray[np.int64]  # (n,)
    reasons: NDArray[np.int64]  # (n,) Reason
    games: Any  # final positions

    @property
    def wins(self) -> NDArray[np.float64]:
        """Share of the win: players who tie for first place share it."""
        first = (self.ranks == 1).astype(np.float64)
        shares: NDArray[np.float64] = first / first.sum(axis=1, keepdims=True)
        return shares


def play_games(
    rules: Rules, seeds: NDArray[np.int64], skills: NDArray[np.int64], weights: Any = None, network: Any = None
) -> Results:
    """Play one whole game per seed. `skills`: (n, 6), by game and seat. `weights`: of the agents that look ahead.
    `network`: of those with a learned evaluation."""
    return ScriptedGames(rules, seeds, skills, weights, network).play()


class ScriptedGames:
    """Running games and their scripted agents."""

    def __init__(
        self,
        rules: Rules,
        seeds: NDArray[np.int64],
        skills: NDArray[np.int64],
        weights: Any = None,
        network: Any = None,
    ) -> None:
        n = len(seeds)
        self.tables = rules.tables
        self.games: Any = zeros(State, n)
        self.games.view(np.uint8).reshape(n, -1)[:] = blank_game(rules)
        deal_games(self.games, self.tables, _numbers(np.arange(n)), _numbers(seeds))
        self.masks: Any = np.zeros((n, WORDS), np.uint32)
        self.compiled = GameArrays(self.games, words_of(self.games), self.tables, cast(Any, self.masks))
        self.actions = _numbers(np.full(n, NO_ACTION))
        self.players = Players(skills, luck_of_games(seeds), weights, network)
        self.decisions = 0  # so far, in all games

    def play(self) -> Results:
        """Play all games to their end."""
        for first in range(0, len(self.games), BLOCK):
            self.play_some(first, min(first + BLOCK, len(self.games)))
        return self.results()

    def play_some(self, first: int, last: int) -> None:
        """Play games first to last - 1 to their end."""
        playing = last - first
        while playing > 0:
            fault = step_games(self.games, self.tables, first, last, self.actions, self.masks)
            if fault != Fault.NONE:
                raise RuntimeError(f"internal error in the rules ({Fault(fault).name}): please report it")
            playing = self.players.answer(self.compiled, first, last, self.actions)
            self.decisions += playing
            self.on_answers(first, last)

    def on_answers(self, first: int, last: int) -> None:
        """Called when games first to last - 1 are answered, before the answers are carried out; subclasses look at
        them here. Finished games have the answer WAIT."""

    def results(self) -> Results:
        """Return ranks, scores and final positions of all games."""
        n, games = len(self.games), self.games
        ranks, scores = _numbers(np.zeros((n, PLAYERS))), _numbers(np.zeros((n, PLAYERS)))
        settle_games(games, _numbers(np.arange(n)), ranks, scores)
        return Results(ranks, scores, games["round_number"].astype(np.int64), games["reason"].astype(np.int64), games)


class Players:
    """Scripted agents of some games: skills and random state by game and seat, and what they remember."""

    def __init__(self, skills: Any, luck: Any, weights: Any = None, network: Any = None) -> None:
        self.skills, self.luck = _numbers(skills), _numbers(luck)
        self.weights = read_weights() if weights is None else weights
        self.network = NO_NETWORK if network is None else network
        if self.network is NO_NETWORK and bool((self.skills & LEARNED).any()):
            raise ValueError("agents with a learned evaluation need a network")
        self.known = KnownFights()
        self.looking = bool((self.skills & LOOKS_AHEAD).any())
        if self.looking:
            self.aims, self.workspace = np.zeros_like(self.luck), Workspace(TRIAL_GAMES)
            self.report: Any = np.zeros(REPORT, np.float32)

    def answer(self, at: GameArrays, first: int, last: int, actions: Any) -> int:
        """Write answers for games first to last - 1 to `actions`; return how many of them are still going."""
        known = self.known.compiled(at.tables)
        if not self.looking:
            return answer_games(at, first, last, self.skills, self.luck, known, actions)
        minds = Minds(self.skills, self.luck, self.aims, self.weights, self.report, known, self.network)
        return lookahead_games(at, first, last, actions, minds, self.workspace.compiled(at.tables), 0)


def _numbers(given: Any) -> Any:
    """Convert to the arrays that compiled code takes."""
    return np.ascontiguousarray(given, np.int64)
