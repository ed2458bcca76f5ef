"""Fits the weights by which the tree search evaluates positions of Fuji: `python tools/fit_fuji_search.py --games 200`.

Guides play games of all levels and numbers of players. The features at the beginning of each round are kept, and a
logistic regression explains by them which games were won.
"""

import argparse
from pathlib import Path
from typing import Any, Final

import numpy as np
from scipy.optimize import minimize

from fuji_env import BatchedGames, Rules
from fuji_env.agents import search
from fuji_env.agents.search import FEATURES, features_of_game
from fuji_env.player import make_agent
from fujikoro_env.kernel.commands import WAIT

WEIGHTS: Final = Path(search.__file__).with_name("search_weights.toml")
RIDGE: Final = 1.0
TABLES: Final = ({"players": 2}, {"players": 2, "variant": "B"}, {"players": 3}, {"players": 4})


def samples(rules: Rules, games: int, seed: int) -> tuple[Any, Any]:
    """Features at the beginning of rounds, and whether the game was won."""
    batch = BatchedGames(rules, games, stop=True)
    batch.deal(np.arange(seed, seed + games))
    maker: Any = make_agent("guide")
    policy, found = maker.batch_policy(), batch.compiled
    rows: list[Any] = []
    owners: list[int] = []
    rounds = np.zeros(games, np.int64)
    while not batch.over.all():
        which = np.flatnonzero(~batch.over)
        now: Any = found.games["round_number"]
        for game in which[now[which] != rounds[which]]:
            features: Any = np.zeros(len(FEATURES), np.float32)
            features_of_game(found.games, found.tables, int(game), features)
            rows.append(features)
            owners.append(int(game))
            rounds[game] = now[game]
        actions = np.full(games, WAIT, np.int64)
        actions[which] = policy.act(batch, which)
        batch.step(actions)
    won = np.array([bool(batch.game(k).outcome.winners) for k in range(games)])
    return np.array(rows), won[owners]


def fitted(x: Any, y: Any) -> Any:
    """Weights of a logistic regression with a ridge on all but the constant."""
    sign = np.where(y, 1.0, -1.0)

    def loss(w: Any) -> tuple[float, Any]:
        margin = sign * (x @ w)
        slope = -sign / (1 + np.exp(margin))
        return np.logaddexp(0, -margin).sum() + RIDGE / 2 * (w[1:] ** 2).sum(), x.T @ slope + RIDGE * np.append(
            0, w[1:]
        )

    return minimize(loss, np.zeros(x.shape[1]), jac=True, method="L-BFGS-B").x


def main() -> None:
    """Command line of this tool."""
    parser = argparse.ArgumentParser(description="Fit the evaluation of the tree search for Fuji.")
    parser.add_argument("--games", type=int, default=200, help="games of each level and table (default: %(default)s)")
    parser.add_argument("--seed", type=int, default=40_000_000, help="seed of the first game (default: %(default)s)")
    given = parser.parse_args()
    parts = [
        samples(Rules(level=level, **table), given.games, given.seed) for level in (1, 2, 3, 4) for table in TABLES
    ]
    x, y = (np.concatenate(column) for column in zip(*parts, strict=True))
    weights = fitted(x.astype(np.float64), y)
    chances = 1 / (1 + np.exp(-(x @ weights)))
    score = ((chances - y) ** 2).mean() / (y.mean() * (1 - y.mean()))
    told = f"fitted to {len(y)} rounds of {given.games * len(parts)} games of guides from seed {given.seed}"
    lines = [f"# {told};", f"# they explain {1 - score:.0%} of the variance of the result.", ""]
    lines += [f"{name} = {weight:.4f}" for name, weight in zip(FEATURES, weights, strict=True)]
    WEIGHTS.write_text("\n".join(lines) + "\n", encoding="utf-8")
    print("\n".join(lines))


if __name__ == "__main__":
    main()
