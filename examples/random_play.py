"""Plays games with random players and shows how they end.

    python examples/random_play.py --games 20 --players 3

The shortest complete program: a game always stands at one decision of one player, `legal_actions()` lists what the
player may do, and `step()` carries one of them out.
"""

import argparse
import random
from collections import Counter

from fujikoro_env import Game, Outcome, Rules


def play(rules: Rules, seed: int) -> Outcome:
    """Play one game with a random player in every seat."""
    game, luck = Game(rules, seed), random.Random(seed)
    while not game.over:
        game.step(luck.choice(game.legal_actions()))
    assert game.outcome is not None  # it is None only while the game goes on
    return game.outcome


def main() -> None:
    parser = argparse.ArgumentParser(description="Plays games with random players and shows how they end.")
    parser.add_argument("--games", type=int, default=20)
    parser.add_argument("--players", type=int, default=3)
    given = parser.parse_args()

    rules = Rules(players=given.players)
    vp_by_source: Counter[str] = Counter()
    for seed in range(given.games):
        outcome = play(rules, seed)
        print(f"game {seed}: {outcome.reason}, VP {outcome.scores}, won by {outcome.winners}")
        for player in outcome.players:
            vp_by_source.update(player.counts["vp"])

    print(f"\nwhere the VP came from, in {given.games} games:")
    for source, vp in vp_by_source.most_common():
        if vp:
            print(f"  {source:<20} {vp:>5}")


if __name__ == "__main__":
    main()
