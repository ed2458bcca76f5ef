"""Digests of a fixed sample of random games, to be compared between processes: `python -m tests.sample_games`."""

import random
from collections.abc import Iterator
from typing import Any

from fujikoro_env import Game, Rules

SAMPLE: list[tuple[int, dict[str, Any]]] = [  # seed, rules
    (1, {"players": 2}),
    (2, {"players": 2, "ask_forced": True, "max_rounds": 20}),
    (3, {"players": 3, "monk_to_pack": True, "scroll_replace_anytime": True}),
    (4, {"players": 4}),
    (5, {"players": 5, "max_rounds": 40}),
    (6, {"players": 6, "max_rounds": 40}),
]
EVERY = 100  # decisions, so that a difference shows where it begins


def digests() -> list[str]:
    return [line for seed, rules in SAMPLE for line in _play(Game(Rules(**rules), seed), seed)]


def _play(game: Game, seed: int) -> Iterator[str]:
    luck, decision = random.Random(seed), 0
    while not game.over:
        if decision % EVERY == 0:
            yield f"seed {seed}, decision {decision}: {_digests(game)}"
        game.step(luck.choice(game.legal_actions()))
        decision += 1
    yield f"seed {seed}, the end: {_digests(game)} {game.outcome}"


def _digests(game: Game) -> str:
    """Of the game, of what a player sees of it, and of a game that this player thinks possible."""
    return " ".join(each.digest() for each in (game, game.view(1), game.determinize(1, seed=7)))


if __name__ == "__main__":
    print("\n".join(digests()))
