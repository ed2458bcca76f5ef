"""Positions at the end of turns of disturbed games, with the results of these games.

In each game, up to a round drawn at random, some players stray: they follow random options of their turns and now and
then do random actions. From that round on everybody plays normally, and the positions are kept. So they differ in what
the players have *done*, not only in how well they play.
"""

from collections.abc import Sequence
from dataclasses import dataclass, fields
from typing import Any, Final, cast

import numpy as np
from numpy.typing import NDArray

from fujikoro_agents.scripted.ladder import Players, ScriptedGames
from fujikoro_agents.scripted.luck import luck_of_games
from fujikoro_agents.scripted.skills import STRAYS
from fujikoro_agents.values.features import BLOCK, TABLE
from fujikoro_agents.values.network import blocks_of_games
from fujikoro_env.kernel.batch_masks import random_actions
from fujikoro_env.rules.base.arrays import GameArrays
from fujikoro_env.rules.base.names import Reason
from fujikoro_env.rules.base.state import PLAYERS
from fujikoro_env.settings import Rules

UNDISTURBED: Final = 0.15  # share of the games without disturbances
LAST_ROUND: Final = 25  # latest round with disturbances
STRAYING: Final = 0.6  # share of the players who stray while a game is disturbed
RANDOM: Final = 0.03  # share of their actions that are random


@dataclass(frozen=True)
class TurnEnds:
    """Turn ends of games with the same number of players, in the order of play within each game."""

    blocks: NDArray[np.float16]  # (ends, players, BLOCK) features of each player
    table: NDArray[np.float16]  # (ends, TABLE) features of the table
    games: NDArray[np.int32]  # (ends,) number of the game
    movers: NDArray[np.int8]  # (ends,) player whose turn it was
    leads: NDArray[np.float32]  # (games, players) VP over the mean of the others, at the end
    wins: NDArray[np.float32]  # (games, players) share of the win
    decisions: NDArray[np.int64]  # (1,) number of decisions of all these games

    @property
    def players(self) -> int:
        """Number of players."""
        return int(self.blocks.shape[1])

    def arrays(self) -> dict[str, NDArray[Any]]:
        """All arrays by name."""
        return {each.name: getattr(self, each.name) for each in fields(self)}


def joined(parts: Sequence[TurnEnds]) -> TurnEnds:
    """Put turn ends of several sets of games together."""
    before = np.cumsum([0, *(len(part.leads) for part in parts)])
    together = {name: np.concatenate([part.arrays()[name] for part in parts]) for name in parts[0].arrays()}
    together["games"] = np.concatenate([part.games + first for part, first in zip(parts, before, strict=False)])
    return TurnEnds(**together)


def play_turn_ends(rules: Rules, seeds: NDArray[np.int64], skills: int, network: Any = None) -> TurnEnds:
    """Play one disturbed game per seed, in which all players have the same skills."""
    by_seat = np.full((len(seeds), PLAYERS), skills)
    games = ScriptedGames(rules, seeds, by_seat, network=network)
    players = games.players = DisturbedPlayers(by_seat, luck_of_games(seeds), network, rules.players, int(seeds[0]))
    results = games.play()
    scores = results.scores[:, : rules.players].astype(np.float64)
    leads = scores - (scores.sum(axis=1, keepdims=True) - scores) / (rules.players - 1)
    return TurnEnds(
        np.concatenate(players.blocks),
        np.concatenate(players.table),
        np.concatenate(players.games).astype(np.int32),
        np.concatenate(players.movers).astype(np.int8),
        leads.astype(np.float32),
        results.wins[:, : rules.players].astype(np.float32),
        np.array([games.decisions]),
    )


class DisturbedPlayers(Players):
    """Players who stray up to a round drawn at random in each game, and the turn ends after that."""

    def __init__(self, skills: Any, luck: Any, network: Any, players: int, seed: int) -> None:
        super().__init__(skills, luck, network=network)
        self._number, self._skills, self._chance = players, self.skills.copy(), np.random.default_rng(seed)
        count = len(skills)
        last = self._chance.integers(1, LAST_ROUND, count)
        self._good_from = np.where(self._chance.random(count) < UNDISTURBED, 0, last)
        self._strays = self._chance.random((count, PLAYERS)) < STRAYING
        self._any: Any = np.ascontiguousarray(luck[::PLAYERS])
        self._turn, self._active = np.full(count, -1), np.zeros(count, np.int64)
        self.blocks: list[Any] = [np.zeros((0, players, BLOCK), np.float16)]  # short games may have no turn end to keep
        self.table: list[Any] = [np.zeros((0, TABLE), np.float16)]
        self.games: list[Any] = [np.zeros(0, np.int64)]
        self.movers: list[Any] = [np.zeros(0, np.int64)]

    def answer(self, at: GameArrays, first: int, last: int, actions: Any) -> int:
        """Answer for all games, and keep what is worth keeping of the positions."""
        games, masks, some = cast(Any, at.games), cast(Any, at.masks), slice(first, last)
        playing = games["reason"][some] == Reason.PLAYING
        rounds, active = (games[name][some].astype(np.int64) for name in ("round_number", "active"))
        is_good, turn = rounds >= self._good_from[some], rounds * PLAYERS + active
        ended = (turn != self._turn[some]) & (self._turn[some] >= 0) & playing & is_good & (rounds > 0)
        self._keep(at, first + np.flatnonzero(ended))
        self._turn[some], self._active[some] = turn, active
        strays = ~is_good[:, None] & self._strays[some]
        self.skills[some] = self._skills[some] | np.where(strays, STRAYS, 0)
        depth = np.maximum(games["depth"][some].astype(np.int64) - 1, 0)
        asked = games["stack"]["actor"][np.arange(first, last), depth].astype(np.int64) % PLAYERS
        going_on = super().answer(at, first, last, actions)
        is_random = (self._chance.random(last - first) < RANDOM) & playing & strays[np.arange(last - first), asked]
        if is_random.any():
            anything: Any = np.zeros(last - first, np.int64)
            random_actions(masks[some], self._any[some], anything)
            actions[some] = np.where(is_random, anything, actions[some])
        return going_on

    def _keep(self, at: GameArrays, which: Any) -> None:
        if len(which) == 0:
            return
        blocks: Any = np.zeros((len(which) * self._number, BLOCK), np.float32)
        table: Any = np.zeros((len(which), TABLE), np.float32)
        blocks_of_games(at, which, blocks, table, self.known.compiled(at.tables))
        self.blocks.append(blocks.reshape(-1, self._number, BLOCK).astype(np.float16))
        self.table.append(table.astype(np.float16))
        self.games.append(which)
        self.movers.append(self._active[which])
