"""Digests of compact observations of a few games, to compare compiled code with plain Python.

Run as a program, it prints them. As plain Python it also checks that every writer writes as much as the table says."""

import hashlib
import random
from collections.abc import Iterator
from typing import Any

import numpy as np

from fujikoro_env import BatchedGames, Game, Rules
from fujikoro_env.kernel.jit import INTERPRETED
from fujikoro_env.observation import Part, compact, kept_rows, new_workspace, observe_compactly
from fujikoro_env.observation.reach import WaysWorkspace

EVERY = 40  # decisions
LAST = 400
FOLLOWED = 60  # steps


def seen_by(game: Game, player: int) -> Any:
    """The compact observation of a player in one game."""
    return observe_compactly(game.compiled.games, game.compiled.tables, np.array([player], np.int64))[0]


def digests() -> list[str]:
    games = (Game(Rules(players), seed=players) for players in (2, 4, 6))
    return [*(line for game in games for line in _play(game)), *_followed(), _last_round()]


def _last_round() -> str:
    """A game in its last round: 1,000 times its number does not fit into the 16 bits of a counter."""
    game = Game(Rules(2), seed=1)
    game.state.round_number = game.rules.max_rounds
    return hashlib.sha256(seen_by(game, 0).tobytes()).hexdigest()[:16]


def _followed() -> Iterator[str]:
    """Digests of rows that are updated at each step."""
    games = BatchedGames(Rules(3), n=2, seed=3, observation="compact")
    for _ in range(FOLLOWED):
        yield hashlib.sha256(games.observations.tobytes()).hexdigest()[:16]
        games.step(games.random_actions())


def _play(game: Game) -> Iterator[str]:
    luck = random.Random(1)
    for decision in range(LAST):
        if decision % EVERY == 0:
            seen = [seen_by(game, player) for player in range(game.rules.players)]
            yield hashlib.sha256(np.array(seen).tobytes()).hexdigest()[:16]
        game.step(luck.choice(game.legal_actions()))


def check_writers() -> None:
    """Check that each writer starts where the table says, and ends where the next one starts."""
    game: Any = Game(Rules(3), seed=1)
    words = new_workspace()
    ways = WaysWorkspace(words[compact.AT_FLAGS :].view(np.uint8), words[: compact.AT_RAW])
    raw, spare = words[compact.AT_RAW : compact.AT_SPARE], words[compact.AT_SPARE : compact.AT_FLAGS]
    given: dict[str, Any] = {"raw": raw.view(np.int16), "spare": spare.view(np.float32), "workspace": ways}
    given |= {"s": game.state, "t": game.compiled.tables[0], "p": 1, "q": 1, "armed": True, "arms": True}
    given |= {"out": np.zeros(compact.WIDTH, np.float32), "kept": kept_rows(1)[0]}
    for writer_name, parts in _writers().items():
        writer: Any = getattr(compact, f"write_{writer_name}")
        names = [name for name in writer.__annotations__ if name in given]
        width = parts[0].row_width if writer_name == "seat" else sum(part.width for part in parts)
        start = compact.STARTS[parts[0].name]
        assert writer(**{name: given[name] for name in names}, at=start) == start + width, writer_name


def _writers() -> dict[str, list[Part]]:
    """The parts that each writer writes, by its name: one, except for the ways; for the players, one row."""
    names = {"players": "seat", "here": "ways"} | {name: "ways" for name, _ in compact.WAYS_TO}
    found: dict[str, list[Part]] = {}
    for part in compact.PARTS:
        found.setdefault(names.get(part.name, part.name), []).append(part)
    return found


if __name__ == "__main__":
    if INTERPRETED:
        check_writers()
    print("\n".join(digests()))
