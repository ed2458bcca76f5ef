"""Compact observations of a few games, digested, to compare compiled with plain Python.

Run as a program it prints them; as plain Python it also checks that every writer writes as much as the table says."""

import hashlib
import random
from collections.abc import Iterator
from typing import Any

import numpy as np

from fujikoro_env import Game, Rules
from fujikoro_env.observation import compact, observe_compactly
from fujikoro_env.rules.jit import INTERPRETED

EVERY = 40  # decisions
LAST = 400


def seen_by(game: Game, player: int) -> Any:
    """The vector that a player sees of one game."""
    return observe_compactly(game._games, game._tables, np.array([player], np.int64))[0]


def digests() -> list[str]:
    return [line for players in (2, 4, 6) for line in _play(Game(Rules(players), seed=players))]


def _play(game: Game) -> Iterator[str]:
    luck = random.Random(1)
    for decision in range(LAST):
        if decision % EVERY == 0:
            seen = [seen_by(game, player) for player in range(game.rules.players)]
            yield hashlib.sha256(np.array(seen).tobytes()).hexdigest()[:16]
        game.step(luck.choice(game.legal_actions()))


def check_writers() -> None:
    """Each begins where the table says, and ends where the next begins."""
    game: Any = Game(Rules(3), seed=1)
    s, t, raw = game.state, game._tables[0], np.zeros(compact.SCRATCH, np.int64)
    given = {"s": s, "t": t, "p": 1, "raw": raw}
    for part in compact.PARTS:
        writer: Any = getattr(compact, f"write_{part.name}")
        names = [name for name in writer.__annotations__ if name in given]
        end = writer(**{name: given[name] for name in names}, at=compact.STARTS[part.name])
        assert end == compact.STARTS[part.name] + part.width, part.name


if __name__ == "__main__":
    if INTERPRETED:
        check_writers()
    print("\n".join(digests()))
