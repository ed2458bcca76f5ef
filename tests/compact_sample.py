"""Compact observations of a few games, digested, to compare compiled with plain Python.

Run as a program it prints them; as plain Python it also checks that every writer writes as much as the table says."""

import hashlib
import random
from collections.abc import Iterator
from typing import Any

import numpy as np

from fujikoro_env import Game, Rules
from fujikoro_env.observation import Part, compact, observe_compactly, room_to_work
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
    raw, flags, rows = room_to_work()
    out = np.zeros(compact.WIDTH, np.float32)
    given = {"s": game.state, "t": game._tables[0], "p": 1, "raw": raw, "out": out, "flags": flags, "rows": rows}
    for writer_name, parts in _writers().items():
        writer: Any = getattr(compact, f"write_{writer_name}")
        names = [name for name in writer.__annotations__ if name in given]
        end = writer(**{name: given[name] for name in names}, at=compact.STARTS[parts[0].name])
        assert end == compact.STARTS[parts[-1].name] + parts[-1].width, writer_name


def _writers() -> dict[str, list[Part]]:
    """By the name of a writer the parts that it writes: one, but for the ways."""
    ways = [name for name, _ in compact.WAYS_TO]
    found: dict[str, list[Part]] = {}
    for part in compact.PARTS:
        found.setdefault("ways" if part.name in ways else part.name, []).append(part)
    return found


if __name__ == "__main__":
    if INTERPRETED:
        check_writers()
    print("\n".join(digests()))
