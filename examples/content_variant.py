"""Changes a number that is printed on the dragons, and measures what that does to the game.

    python examples/content_variant.py --games 50

A content pack can be derived from another in one line. Each seed is played with both packs, so that the luck of the
deal cancels out, and the differences between the two games of a seed give a 95 % confidence interval.
It needs SciPy, which the extra `tournament` installs.
"""

import argparse
from collections.abc import Callable

import numpy as np
from scipy.stats import t as student

from fujikoro_env import Game, Outcome, Pack, Rules, load_pack
from fujikoro_env.player import make_agent

SLOW_DRAGONS = {"dragons.green.initiative": [2, 3, 3, 4], "dragons.red.initiative": [3, 4, 5, 6]}
MEASURES: dict[str, Callable[[Outcome], float]] = {
    "monks sent to fights": lambda outcome: sum(
        sum(player.counts["monks_sent"].values()) for player in outcome.players
    ),
    "fights won": lambda outcome: sum(sum(player.counts["fights_won"].values()) for player in outcome.players),
    "VP of the winner": lambda outcome: max(outcome.scores),
}


def play(pack: Pack, agent: str, seed: int) -> Outcome:
    """Play one game with the same agent in all four seats."""
    game = Game(Rules(players=4, content=pack), seed)
    agents = [make_agent(agent) for _ in range(4)]
    for seat, player in enumerate(agents):
        player.reset(seed=1000 + seed, seat=seat)  # not the seed of the game: agents must not know the future
    while not game.over:
        game.step(agents[game.actor].act(game.view(game.actor)))
    assert game.outcome is not None
    return game.outcome


def paired_interval(differences: np.ndarray) -> tuple[float, float]:
    """Mean difference, and half the width of its 95 % confidence interval."""
    error = differences.std(ddof=1) / np.sqrt(len(differences))
    return float(differences.mean()), float(student.ppf(0.975, len(differences) - 1) * error)


def main() -> None:
    parser = argparse.ArgumentParser(description="Measures what a changed content pack does to the game.")
    parser.add_argument("--games", type=int, default=50, help="games with each pack, at least 2")
    parser.add_argument("--agent", default="runner", help="agent that plays in all seats")
    given = parser.parse_args()

    base = load_pack("base")
    slow = base.changed(SLOW_DRAGONS)
    pairs = [(play(base, given.agent, seed), play(slow, given.agent, seed)) for seed in range(given.games)]
    print(f"{slow.name}: {given.games} games with each pack, {given.agent} in all seats\n")
    print(f"{'per game':<22} {'base':>7} {'changed':>8}   difference (95 %)")
    for name, measure in MEASURES.items():
        before, after = (np.array([measure(pair[k]) for pair in pairs], float) for k in (0, 1))
        mean, margin = paired_interval(after - before)
        print(f"{name:<22} {before.mean():7.2f} {after.mean():8.2f}   {mean:+.2f} ± {margin:.2f}")


if __name__ == "__main__":
    main()
