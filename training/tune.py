"""Tunes the weights of `shogun`: `python -m training.tune fit`, then `python -m training.tune polish`.

`fit` plays games of the rung below, and fits the weights to what came of the positions: from the features of a player
at the end of each of its turns, its final lead over the others, by ridge regression. So a look ahead over a turn
improves on that rung. `polish` goes on from there with CMA-ES (the package cma): it plays shogun with changed weights
against shogun with the old ones, two against two on mirrored seeds.
"""

from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from agents.scripted import evaluation
from agents.scripted.evaluation import FEATURES, NAMES, features_of_games
from agents.scripted.ladder import Players, Table
from agents.scripted.luck import luck_of_games
from agents.scripted.skills import RUNNER
from fujikoro_env.rules.names import Reason
from fujikoro_env.rules.state import PLAYERS
from fujikoro_env.settings import Rules

WEIGHTS = Path(evaluation.__file__).with_name("weights.toml")
MOST_LEAD = 25.0  # VP: more is no better, the game is won
RIDGE = 30.0
PLAYING = int(Reason.PLAYING)


class Watcher(Players):
    """Players of whom the positions at their turn ends are kept: the game, the player, its features."""

    def __init__(self, skills: Any, luck: Any) -> None:
        super().__init__(skills, luck)
        self.active: Any = np.full(len(skills), -1, np.int64)
        self.kept: list[tuple[Any, Any, Any]] = []

    def answer(self, games: Any, tables: Any, first: int, last: int, masks: Any, actions: Any) -> int:
        now = games["active"][first:last].astype(np.int64)
        before = self.active[first:last].copy()
        self.active[first:last] = now
        ended: Any = first + np.flatnonzero((before >= 0) & (before != now) & (games["reason"][first:last] == PLAYING))
        if len(ended):
            rows, who = np.zeros((len(ended), FEATURES), np.float32), before[ended - first]
            features_of_games(games, tables, ended, who, _as_is(rows))
            self.kept.append((ended, who, rows))
        return super().answer(games, tables, first, last, masks, actions)


def samples(rules: Rules, games: int, seed: int) -> tuple[NDArray[np.float32], NDArray[np.float64]]:
    """Features at turn ends, and the lead in the end."""
    seeds, skills = np.arange(seed, seed + games), np.full((games, PLAYERS), RUNNER)
    table = Table(rules, seeds, skills)
    watcher = table.players = Watcher(skills, luck_of_games(seeds))
    scores = table.play().scores[:, : rules.players].astype(np.float64)
    others = np.stack([np.delete(scores, p, axis=1).max(axis=1) for p in range(rules.players)], axis=1)
    lead = np.clip(scores - others, -MOST_LEAD, MOST_LEAD)
    which = np.concatenate([ended for ended, _, _ in watcher.kept])
    who = np.concatenate([players for _, players, _ in watcher.kept])
    return np.concatenate([rows for _, _, rows in watcher.kept]), lead[which, who]


def _as_is(given: Any) -> Any:
    return given


def fitted(features: NDArray[np.float32], lead: NDArray[np.float64]) -> tuple[NDArray[np.float64], float]:
    """Weights by ridge regression on features of equal spread, and how much of the variance they explain."""
    spread = features.std(axis=0) + 1e-6
    x = np.column_stack([features / spread, np.ones(len(features))]).astype(np.float64)
    penalty = RIDGE * np.eye(x.shape[1])
    penalty[-1, -1] = 0
    solved = np.linalg.solve(x.T @ x + penalty, x.T @ lead)
    explained = 1 - ((lead - x @ solved) ** 2).sum() / ((lead - lead.mean()) ** 2).sum()
    return solved[:-1] / spread, float(explained)


def write_weights(path: Path, weights: NDArray[Any], how: str) -> None:
    lines = [f"# Weights of agents/scripted/evaluation.py, by feature: {how}", ""]
    lines += [f"{name} = {weight:.4g}" for name, weight in zip(NAMES, weights.tolist(), strict=True)]
    path.write_text("\n".join(lines).replace("e+", "e") + "\n")


def main() -> None:
    parser = argparse.ArgumentParser(prog="python -m training.tune", description="Tune the weights of shogun.")
    parser.add_argument("--games", type=int, default=3000, help="of the rung below (default: 3000)")
    parser.add_argument("--seed", type=int, default=1_000_000, help="of the first game (default: 1000000)")
    parser.add_argument("--out", type=Path, default=WEIGHTS, help="file to write (default: the one that is used)")
    given = parser.parse_args()
    features, lead = samples(Rules(), given.games, given.seed)
    weights, explained = fitted(features, lead)
    how = (
        f"fitted to {len(lead)} turn ends of {given.games} games from seed {given.seed}, which explain {explained:.0%}"
    )
    write_weights(given.out, weights, how)
    print(how)


if __name__ == "__main__":
    main()
