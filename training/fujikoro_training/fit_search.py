"""Fits the weights by which `mcts` evaluates positions: `python -m fujikoro_training.fit_search --games 6400`.

Runners play the games with disturbances: in each game, up to a round drawn at random, every answer may be replaced by a
random one. From then on they play normally, and the positions at the end of the first few turns are kept. The positions
therefore differ in what the players have *done*, not only in how well they play, and a weight shows what a thing is
worth to any player who gets it. The fit explains differences between players: features minus their mean over all
players of the game are fitted to final VP minus their mean.
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
from fujikoro_env.kernel.batch_masks import random_actions
from fujikoro_env.rules.base.arrays import GameArrays
from fujikoro_env.rules.base.names import Reason
from fujikoro_env.rules.base.state import PLAYERS
from fujikoro_env.settings import Rules

WEIGHTS: Final = Path(thinking.__file__).with_name("weights.toml")
SEATS: Final = 4
RANDOM_SHARE: Final = 0.12  # share of random answers while disturbed
LAST_ROUND: Final = 25  # latest round with disturbances
KEPT: Final = 5  # turn ends kept per game
RIDGE: Final = 50.0


class DisturbedRunners(Players):
    """Runners that sometimes give random answers, in each game up to a round drawn at random, and the positions right
    after that."""

    def __init__(self, skills: Any, luck: Any, seed: int) -> None:
        super().__init__(skills, luck)
        self._luck = np.random.default_rng(seed)
        self._good_from = self._luck.integers(1, LAST_ROUND + 1, len(skills))
        self._any: Any = np.ascontiguousarray(luck[::PLAYERS])
        self._turn: Any = np.full(len(skills), -1)
        self._count: Any = np.zeros(len(skills), np.int64)
        self.kept: list[tuple[Any, Any]] = []  # game numbers, and features by player

    def answer(self, at: GameArrays, first: int, last: int, actions: Any) -> int:
        """Answer as runners do, or at random; keep the features of turn ends after the disturbances."""
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
        is_random = (self._luck.random(last - first) < RANDOM_SHARE) & playing & ~is_good
        anything: Any = np.zeros(last - first, np.int64)
        random_actions(masks[some], self._any[some], anything)
        actions[some] = np.where(is_random, anything, actions[some])
        return going_on

    def _keep(self, games: Any, tables: Any, which: Any) -> None:
        rows: Any = np.zeros((len(which) * SEATS, FEATURES), np.float32)
        seats: Any = np.tile(np.arange(SEATS), len(which))
        repeated: Any = np.repeat(which, SEATS)
        features_of_games(games, tables, repeated, seats, rows)
        self.kept.append((which, rows.reshape(-1, SEATS, FEATURES)))


def samples(games: int, seed: int) -> tuple[NDArray[np.float64], NDArray[np.float64]]:
    """Features by position and player, and the final VP."""
    seeds, skills = np.arange(seed, seed + games), np.full((games, PLAYERS), RUNNER)
    table = ScriptedGames(Rules(players=SEATS), seeds, skills)
    runners = table.players = DisturbedRunners(skills, luck_of_games(seeds), seed)
    scores = table.play().scores[:, :SEATS].astype(np.float64)
    which = np.concatenate([games for games, _ in runners.kept])
    return np.concatenate([rows for _, rows in runners.kept]).astype(np.float64), scores[which]


def fitted(features: NDArray[np.float64], scores: NDArray[np.float64]) -> tuple[dict[str, float], float]:
    """Fit weights by ridge regression on standardised features; return them and the share of variance they explain."""
    x = (features - features.mean(axis=1, keepdims=True)).reshape(-1, FEATURES)
    y = (scores - scores.mean(axis=1, keepdims=True)).reshape(-1)
    spread = x.std(axis=0) + 1e-6
    x /= spread
    solved = np.linalg.solve(x.T @ x + RIDGE * np.eye(FEATURES), x.T @ y)
    explained = 1 - ((y - x @ solved) ** 2).sum() / (y**2).sum()
    return dict(zip(NAMES, (solved / spread).tolist(), strict=True)), float(explained)


def main() -> None:
    """Command line of this module."""
    parser = argparse.ArgumentParser(prog="python -m fujikoro_training.fit_search", description=__doc__.split("\n")[0])
    parser.add_argument("--games", type=int, default=6400, help="number of games (default: %(default)s)")
    parser.add_argument("--seed", type=int, default=1, help="seed of the first game (default: %(default)s)")
    parser.add_argument("--out", type=Path, default=WEIGHTS, help="file to write (default: %(default)s)")
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
