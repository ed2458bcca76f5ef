"""Digests of a fixed sample of random games, and of random play from positions in mid-game, to be compared between
processes: `python -m tests.helpers.sample_games`."""

import random
from collections.abc import Iterator
from typing import Any

from fujikoro_env import Game, Rules
from tests.helpers import mid_games

SAMPLE: list[tuple[int, dict[str, Any]]] = [  # seed, rules
    (1, {"players": 2}),
    (2, {"players": 2, "ask_forced": True, "max_rounds": 20}),
    (3, {"players": 3, "monk_to_pack": True, "scroll_replace_anytime": True}),
    (4, {"players": 4}),
    (5, {"players": 5, "max_rounds": 40}),
    (6, {"players": 6, "max_rounds": 40}),
]
EVERY = 100  # decisions, so that a difference shows where it begins
WHOLE_GAME = 1_000_000  # more decisions than any game of the sample has
FROM_POSITION, EVERY_FROM_POSITION = 200, 20  # decisions
END = "the end"


def digests() -> list[str]:
    return [line for play in _plays() for line in _chain(*play)]


def ends(lines: list[str]) -> list[str]:
    """The last line of each play: kept in the repository, so that a change of behaviour shows in review."""
    return [line for line in lines if f"{END}: " in line]


def _plays() -> Iterator[tuple[str, Game, int, int, int]]:
    """Name, where it begins, the seed of the actions, the most decisions, and the decisions between two digests."""
    for seed, rules in SAMPLE:
        yield f"seed {seed}", Game(Rules(**rules), seed), seed, WHOLE_GAME, EVERY
    for number, name in enumerate(mid_games.SITUATIONS):
        yield f"position {name}", mid_games.load(name), number, FROM_POSITION, EVERY_FROM_POSITION


def _chain(name: str, game: Game, seed: int, most: int, every: int) -> Iterator[str]:
    luck, decision = random.Random(seed), 0
    while not game.over and decision < most:
        if decision % every == 0:
            yield f"{name}, decision {decision}: {_digests(game)}"
        game.step(luck.choice(game.legal_actions()))
        decision += 1
    yield f"{name}, decision {decision}, {END}: {_digests(game)} {game.outcome or game.phase.name}"


def _digests(game: Game) -> str:
    """Of the game, of what a player sees of it, and of a game that this player thinks possible."""
    return " ".join(each.digest() for each in (game, game.view(1), game.determinize(1, seed=7)))


if __name__ == "__main__":
    print("\n".join(digests()))
