"""Helpers for tests with and without powers of scrolls and adventure tokens."""

from typing import Any

import pytest

from fujikoro_env import Game
from fujikoro_env.content.model import ADVENTURE_POWERS
from tests.helpers.endgame import BESIDE, give_tokens
from tests.helpers.tables import explore, lay_plain, put, put_gear, put_lava, put_monks, put_scrolls, table

AROUND = frozenset({"ring1.0", "ring2.1", "ring2.11", "ring3.1", "ring3.17"})  # places beside ring2.0


def with_and_without(power: str) -> pytest.MarkDecorator:
    """Run a test with a scroll or token and without: the argument `cards` or `tokens` is what player 0 holds."""
    held = "tokens" if power in ADVENTURE_POWERS else "cards"
    return pytest.mark.parametrize(held, [(power,), ()])


def hold(game: Game, *powers: str) -> None:
    """Give player 0 these scrolls, with the monk that opens the second slot, and these tokens."""
    scrolls = [power for power in powers if power not in ADVENTURE_POWERS]
    if scrolls:
        put_monks(game, 0, "scroll")
    put_scrolls(game, 0, *scrolls)
    give_tokens(game, 0, *(power for power in powers if power in ADVENTURE_POWERS))


def on_plain_tiles(*powers: str, at: str = "start", places: tuple[str, ...] = ("ring1.0",), players: int = 2) -> Game:
    """A game in which player 0 holds these powers and stands beside bare tiles; the others are far away."""
    game = table(players=players)
    lay_plain(game, *places)
    hold(game, *powers)
    put(game, 0, at)
    for other in range(1, players):
        put(game, other, "temple0")
    return game


def over_lava(*powers: str, sandals: str = "") -> Game:
    """A game in which player 0 stands beside two lava spaces in a row."""
    game = on_plain_tiles(*powers)
    put_lava(game, BESIDE, "ring1.0/petal2")
    put_gear(game, 0, sandals=[sandals])
    return game


def mapping(*powers: str, at: str = "temple0", **rules: Any) -> Game:
    """A game in which player 0 holds these powers and stands where it can explore."""
    game = table(**rules)
    hold(game, *powers)
    put(game, 0, at)
    return game


def one_tile_laid(*powers: str) -> Game:
    """A game in which player 0 holds these powers and has just laid a tile on ring2.0; all `AROUND` is unexplored."""
    game = mapping(*powers)
    explore(game, "ring2.0", "basalt_stairs")
    return game
