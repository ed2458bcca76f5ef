"""Random games of Fuji in many settings."""

from collections.abc import Iterator
from typing import Any, Final

import numpy as np

from fuji_env import Game, Rules
from fuji_env.rules.base.phases import Phase

TABLES: Final[list[dict[str, Any]]] = [
    {"players": 4},
    {"players": 3, "talk": "none", "scenario": 2, "level": 4},
    {"players": 2, "late_eruption": True, "scenario": 3},
    {"players": 2, "variant": "B", "scenario": 4, "level": 2},
    {"players": 4, "talk": "open", "scenario": 5, "ask_forced": True},
    {"players": 3, "scenario": 6, "level": 3},
    {"players": 4, "scenario": 7, "late_eruption": True},
]


def games(seeds: int = 3) -> list[tuple[dict[str, Any], int]]:
    """All settings, with as many seeds each."""
    return [(rules, seed) for rules in TABLES for seed in range(seeds)]


def random_game(rules: dict[str, Any], seed: int) -> Iterator[Game]:
    """Every position of a game in which random actions are played; markers are drawn forward, so that it goes on."""
    game, luck = Game(Rules(**rules), seed=seed), np.random.default_rng(seed)
    yield game
    while not game.over:
        game.step(choice(game, luck))
        yield game


def choice(game: Game, luck: Any) -> int:
    """A random action; most markers go to a place that is nearer to a village."""
    actions = game.legal_actions()
    if game.phase == Phase.PLAN and luck.random() < 0.8:
        way = game.rules.tables[0].layouts[game.rules.scenario_number].to_village
        places = [action for action in actions if game.action_name(action).startswith("place(")]
        if places:
            return int(min(places, key=lambda action: (way[action - 1], luck.random())))
    return int(luck.choice(actions))
