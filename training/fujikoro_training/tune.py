"""Tunes the weights of `shogun`: `python -m fujikoro_training.tune fit`, then `python -m fujikoro_training.tune
polish`.

`fit` plays games of the rung below and fits, by ridge regression, the VP that are still to come to a player to its
features at the end of each of its turns: so a look ahead over a turn improves on that rung. That rung always does the
same in the same position, so the fit can't tell a thing that is about to be done from one that is done; the weights
are half-way between what was fitted and what was guessed.

`polish` goes on from there with CMA-ES (the package cma, in the extra `tune`): groups of weights are scaled so that
shogun does better against the rung below, two against two on mirrored seeds. Both say in the file what was run.
"""

import argparse
import sys
from pathlib import Path
from typing import Any, Final

import numpy as np
from numpy.typing import NDArray

from fujikoro_agents.scripted import evaluation
from fujikoro_agents.scripted.evaluation import FEATURES, NAMES, features_of_games, read_weights
from fujikoro_agents.scripted.ladder import Players, ScriptedGames, play_games
from fujikoro_agents.scripted.luck import luck_of_games
from fujikoro_agents.scripted.skills import RUNNER, SHOGUN
from fujikoro_env.rules.base.arrays import GameArrays
from fujikoro_env.rules.base.names import Reason
from fujikoro_env.rules.base.state import PLAYERS
from fujikoro_env.settings import Rules
from fujikoro_training.ladder import two_against_two

WEIGHTS: Final = Path(evaluation.__file__).with_name("weights.toml")
RIDGE: Final = 30.0
SPREAD: Final = 0.12  # of the scales, to begin with: a weight that is wrong by half can spoil everything
PLAYING: Final = int(Reason.PLAYING)
ALL: Final = (*NAMES, "habit")
AS_THEY_ARE: Final = ("vp", "final_vp")  # points are points

# What the others were thought to be worth before anything was measured.
GUESSES: Final = {
    "scoring_card": 14.0,
    "helmet_card": 3.0,
    "sandals_card": 4.0,
    "helmet_progress": 2.0,
    "weapon_progress": 7.0,
    "sandals_progress": 2.0,
    "hits": 0.5,
    "initiative": 0.15,
    "helmet": 0.2,
    "full_sandals": 2.0,
    "wood": 0.2,
    "metal": 0.35,
    "tooth": 0.6,
    "room": 0.3,
    "pool_monk": 6.0,
    "scroll_monk": 2.0,
    "weapon_monk": 2.0,
    "pack_monk": 3.0,
    "powers": 0.3,
    "tokens": 0.6,
    "blueprints": 0.4,
    "claims": 0.7,
    "discs": 0.5,
    "next_deed": 0.7,
    "unconscious": -2.0,
    "outlook": 1.0,
    "final_discs": 0.3,
    "final_deed": 0.3,
    "down_and_in": -1.0,
    "time": 0.0,
    "final_chapter": 0.0,
    "habit": 1.5,
}

# Weights that `polish` scales together.
GROUPS: Final = (
    ("scoring_card", "helmet_card", "sandals_card"),
    ("helmet_progress", "weapon_progress", "sandals_progress"),
    ("hits", "initiative", "helmet"),
    ("full_sandals", "wood", "metal", "tooth", "room"),
    ("pool_monk", "scroll_monk", "weapon_monk", "pack_monk", "powers", "tokens"),
    ("blueprints",),
    ("claims",),
    ("discs", "final_discs"),
    ("next_deed",),
    ("outlook",),
    ("final_deed",),
    ("time", "final_chapter"),
    ("habit",),
)


class Watcher(Players):
    """Players of whom the positions at their turn ends are kept: the game, the player, its features."""

    def __init__(self, skills: Any, luck: Any) -> None:
        super().__init__(skills, luck)
        self.active: Any = np.full(len(skills), -1, np.int64)
        self.kept: list[tuple[Any, Any, Any]] = []

    def answer(self, at: GameArrays, first: int, last: int, actions: Any) -> int:
        games: Any = at.games
        now = games["active"][first:last].astype(np.int64)
        before = self.active[first:last].copy()
        self.active[first:last] = now
        ended: Any = first + np.flatnonzero((before >= 0) & (before != now) & (games["reason"][first:last] == PLAYING))
        if len(ended):
            rows: Any = np.zeros((len(ended), FEATURES), np.float32)
            who: Any = before[ended - first]
            features_of_games(games, at.tables, ended, who, rows)
            self.kept.append((ended, who, rows))
        return super().answer(at, first, last, actions)


def samples(rules: Rules, games: int, seed: int) -> tuple[NDArray[np.float32], NDArray[np.float64]]:
    """Features at turn ends, and the VP in the end."""
    seeds, skills = np.arange(seed, seed + games), np.full((games, PLAYERS), RUNNER)
    table = ScriptedGames(rules, seeds, skills)
    watcher = table.players = Watcher(skills, luck_of_games(seeds))
    scores = table.play().scores.astype(np.float64)
    which = np.concatenate([ended for ended, _, _ in watcher.kept])
    who = np.concatenate([players for _, players, _ in watcher.kept])
    return np.concatenate([rows for _, _, rows in watcher.kept]), scores[which, who]


def fitted(features: NDArray[np.float32], scores: NDArray[np.float64]) -> tuple[dict[str, float], float]:
    """Weights by ridge regression of the VP to come on features of equal spread, and how much of it they explain."""
    known = [NAMES.index(name) for name in AS_THEY_ARE]
    others = [k for k in range(FEATURES) if k not in known]
    to_come = scores - features[:, known].sum(axis=1)
    spread = features[:, others].std(axis=0) + 1e-6
    x = np.column_stack([features[:, others] / spread, np.ones(len(features))]).astype(np.float64)
    penalty = RIDGE * np.eye(x.shape[1])
    penalty[-1, -1] = 0
    solved = np.linalg.solve(x.T @ x + penalty, x.T @ to_come)
    explained = 1 - ((to_come - x @ solved) ** 2).sum() / ((to_come - to_come.mean()) ** 2).sum()
    weights = dict.fromkeys(AS_THEY_ARE, 1.0)
    weights |= {NAMES[k]: float(weight) for k, weight in zip(others, solved[:-1] / spread, strict=True)}
    return weights, float(explained)


def fit(games: int, seed: int, out: Path) -> str:
    features, scores = samples(Rules(), games, seed)
    weights, explained = fitted(features, scores)
    half_way = {name: (weights[name] + GUESSES.get(name, weights[name])) / 2 for name in NAMES}
    half_way["habit"] = GUESSES["habit"]
    how = f"half-way between guesses and a fit to {len(scores)} turn ends of {games} games of runner from seed {seed}"
    write_weights(out, half_way, f"{how} (explains {explained:.0%} of the VP to come)")
    return how


def polish(generations: int, games: int, seed: int, out: Path) -> str:
    try:
        import cma
    except ImportError:
        sys.exit("cma is missing: pip install 'fujikoro_env[tune]'")
    base = {name: float(weight) for name, weight in zip(ALL, read_weights(), strict=True)}
    origin = WEIGHTS.read_text().splitlines()[1].removeprefix("# ").rstrip(".")
    search = cma.CMAEvolutionStrategy([0.0] * len(GROUPS), SPREAD, {"seed": seed, "popsize": 8, "verbose": -9})
    for generation in range(generations):
        points = search.ask()
        seeds = np.arange(seed + generation * games, seed + (generation + 1) * games)
        scores = [shogun_score(scaled(base, point), seeds) for point in points]
        search.tell(points, [-score for score in scores])
        print(f"generation {generation}: {np.round(scores, 3)}, scales {np.round(np.exp(search.mean), 2)}", flush=True)
        how = f"polished by CMA-ES, {generation + 1} generations of 8 x {6 * games} games from seed {seed}"
        write_weights(out, scaled(base, search.mean), f"{origin};\n# then {how}")
    return how


def scaled(base: dict[str, float], point: Any) -> dict[str, float]:
    factors = {name: float(np.exp(x)) for x, group in zip(point, GROUPS, strict=True) for name in group}
    return {name: weight * factors.get(name, 1.0) for name, weight in base.items()}


def shogun_score(weights: dict[str, float], seeds: NDArray[np.int64]) -> float:
    """The win share against the rung below, and a little for VP, which tell more where games are few."""
    games, skills = two_against_two(SHOGUN, RUNNER, seeds)
    results = play_games(Rules(), games, skills, np.array([weights[name] for name in ALL], np.float32))
    mine = skills[:, :4] == SHOGUN
    scores = results.scores[:, :4]
    return float(results.wins[:, :4][mine].sum() / len(games) + (scores[mine].mean() - scores[~mine].mean()) / 40)


def write_weights(path: Path, weights: dict[str, float], how: str) -> None:
    lines = ["# Weights of agents/fujikoro_agents/scripted/evaluation.py, by feature;", f"# {how}.", ""]
    lines += [f"{name} = {weights[name]:.4f}" for name in ALL]
    path.write_text("\n".join(lines) + "\n")


def main() -> None:
    parser = argparse.ArgumentParser(prog="python -m fujikoro_training.tune", description="Tune the weights of shogun.")
    parser.add_argument("what", choices=("fit", "polish"))
    parser.add_argument("--games", type=int, default=1500, help="of the rung below, for fit (default: 1500)")
    parser.add_argument("--generations", type=int, default=10, help="of polish (default: 10)")
    parser.add_argument("--seeds", type=int, default=8, help="of each generation, each in 6 seatings (default: 8)")
    parser.add_argument("--seed", type=int, default=50_000, help="of the first game (default: 50000)")
    parser.add_argument("--out", type=Path, default=WEIGHTS, help="file to write (default: the one that is used)")
    given = parser.parse_args()
    if given.what == "fit":
        print(fit(given.games, given.seed, given.out))
    else:
        print(polish(given.generations, given.seeds, given.seed, given.out))


if __name__ == "__main__":
    main()
