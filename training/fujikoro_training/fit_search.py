"""Fits the weights by which `mcts` judges positions: `python -m fujikoro_training.fit_search --games 6400`.

Games of runners are disturbed: up to a round of its own in each game every answer may be a random one. From there on
they are played well, and the first turn ends are kept. So the positions differ in what the players have *done*, not
only in how well they were doing, and a weight tells what a thing is worth to whoever comes by it. Fitted is what tells
players apart: features, less the mean of all players of the game, to the VP in the end, less their mean.
"""

import argparse
from pathlib import Path
from typing import Any, Final, cast

import numpy as np
from numpy.typing import NDArray

from fujikoro_agents.mcts import thinking
from fujikoro_agents.scripted.evaluation import FEATURES, NAMES, features_of_games
from fujikoro_agents.scripted.ladder import Players, ScriptedGames
from fujikoro_agents.scripted.luck import luck_of_games
from fujikoro_agents.scripted.skills import RUNNER
from fujikoro_env.rules.base.arrays import GameArrays
from fujikoro_env.rules.base.names import Reason
from fujikoro_env.rules.base.state import PLAYERS
from fujikoro_env.rules.engine.engine import random_actions
from fujikoro_env.settings import Rules

WEIGHTS: Final = Path(thinking.__file__).with_name("weights.toml")
SEATS: Final = 4
STRAYS: Final = 0.12  # of the answers
LAST_ROUND: Final = 25  # of straying
KEPT: Final = 5  # turn ends of a game
RIDGE: Final = 50.0


class Strayers(Players):
    """Runners who now and then do anything, up to a round of its own in each game; and what came right after it."""

    def __init__(self, skills: Any, luck: Any, seed: int) -> None:
        super().__init__(skills, luck)
        self._luck = np.random.default_rng(seed)
        self._good_from = self._luck.integers(1, LAST_ROUND + 1, len(skills))
        self._any: Any = np.ascontiguousarray(luck[::PLAYERS])
        self._turn: Any = np.full(len(skills), -1)
        self._count: Any = np.zeros(len(skills), np.int64)
        self.kept: list[tuple[Any, Any]] = []  # numbers of games, and features by player

    def answer(self, at: GameArrays, first: int, last: int, actions: Any) -> int:
        games, masks = cast(Any, at.games), cast(Any, at.masks)
        some = slice(first, last)
        playing = games["reason"][some] == Reason.PLAYING
        is_good = games["round_number"][some] >= self._good_from[some]
        turn = games["round_number"][some] * PLAYERS + games["active"][some]
        ended = (turn != self._turn[some]) & (self._turn[some] >= 0) & playing & is_good & (self._count[some] < KEPT)
        self._turn[some] = turn
        self._count[some] += ended
        self._keep(games, at.tables, first + np.flatnonzero(ended))
        going_on = super().answer(at, first, last, actions)
        strays = (self._luck.random(last - first) < STRAYS) & playing & ~is_good
        anything: Any = np.zeros(last - first, np.int64)
        random_actions(masks[some], self._any[some], anything)
        actions[some] = np.where(strays, anything, actions[some])
        return going_on

    def _keep(self, games: Any, tables: Any, which: Any) -> None:
        rows: Any = np.zeros((len(which) * SEATS, FEATURES), np.float32)
        seats: Any = np.tile(np.arange(SEATS), len(which))
        repeated: Any = np.repeat(which, SEATS)
        features_of_games(games, tables, repeated, seats, rows)
        self.kept.append((which, rows.reshape(-1, SEATS, FEATURES)))


def samples(games: int, seed: int) -> tuple[NDArray[np.float64], NDArray[np.float64]]:
    """Features by position and player, and the VP in the end."""
    seeds, skills = np.arange(seed, seed + games), np.full((games, PLAYERS), RUNNER)
    table = ScriptedGames(Rules(players=SEATS), seeds, skills)
    strayers = table.players = Strayers(skills, luck_of_games(seeds), seed)
    scores = table.play().scores[:, :SEATS].astype(np.float64)
    which = np.concatenate([games for games, _ in strayers.kept])
    return np.concatenate([rows for _, rows in strayers.kept]).astype(np.float64), scores[which]


def fitted(features: NDArray[np.float64], scores: NDArray[np.float64]) -> tuple[dict[str, float], float]:
    """Weights by ridge regression on features of equal spread, and how much they explain."""
    x = (features - features.mean(axis=1, keepdims=True)).reshape(-1, FEATURES)
    y = (scores - scores.mean(axis=1, keepdims=True)).reshape(-1)
    spread = x.std(axis=0) + 1e-6
    x /= spread
    solved = np.linalg.solve(x.T @ x + RIDGE * np.eye(FEATURES), x.T @ y)
    explained = 1 - ((y - x @ solved) ** 2).sum() / (y**2).sum()
    return dict(zip(NAMES, (solved / spread).tolist(), strict=True)), float(explained)


def main() -> None:
    parser = argparse.ArgumentParser(prog="python -m fujikoro_training.fit_search", description=__doc__.split("\n")[0])
    parser.add_argument("--games", type=int, default=6400, help="(%(default)s)")
    parser.add_argument("--seed", type=int, default=1, help="of the first game (%(default)s)")
    parser.add_argument("--out", type=Path, default=WEIGHTS, help="(%(default)s)")
    given = parser.parse_args()
    features, scores = samples(given.games, given.seed)
    weights, explained = fitted(features, scores)
    how = f"fitted to {len(scores)} turn ends of {given.games} games of disturbed runners from seed {given.seed}"
    told = f"{how}; they explain {explained:.0%} of the differences in the end"
    lines = ["# Weights of agents/fujikoro_agents/scripted/evaluation.py for agents/mcts,", f"# {told}.", ""]
    lines += [f"{name} = {weights[name]:.4f}" for name in NAMES]
    given.out.write_text("\n".join(lines) + "\n")
    print(told)


if __name__ == "__main__":
    main()
