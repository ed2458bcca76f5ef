"""Measures what quicker dragons change: monks sent, dragons fought and beaten.

    python -m fujikoro_training.dragon_speed --games 400

The same seeds are played with the base pack and with a pack derived from it, in which green and red dragons have the
low initiatives of the first reconstruction. docs/decisions.md quotes the result.
"""

import argparse
from collections.abc import Iterator, Sequence
from itertools import chain
from typing import Any, Final

import numpy as np

from fujikoro_agents.scripted.ladder import play_games
from fujikoro_agents.scripted.skills import BAND, RUNNER, SHOGUN
from fujikoro_env.content import Pack, load_pack
from fujikoro_env.content.model import DRAGON_COLOURS
from fujikoro_env.rules.base.state import PLAYERS
from fujikoro_env.settings import Rules

FIRST_SEED: Final = 11_000_000
SLOW_DRAGONS: Final = {"dragons.green.initiative": [2, 9, 3, 4], "dragons.red.initiative": [3, 4, 5, 6]}
LINE_UPS: Final = (
    ("four `runner`", {"players": 4}, RUNNER),
    ("four `shogun`", {"players": 4}, SHOGUN),
    ("`band`, co-op with 2", {"mode": "coop", "players": 2}, BAND),
    ("`band`, co-op with 4", {"mode": "coop", "players": 4}, BAND),
)
HEAD: Final = ("players", "dragons", "monks sent", *(f"{colour} beaten" for colour in DRAGON_COLOURS), "knock-outs")


def packs() -> dict[str, Pack]:
    base = load_pack("base")
    return {"slow": base.changed(SLOW_DRAGONS), "as they are": base}


def per_game(rules: Rules, skills: int, games: int) -> list[float]:
    """Means per game: monks sent, dragons beaten by colour, knock-outs by dragons."""
    everybody = np.full((games, PLAYERS), skills, np.int64)
    last: Any = play_games(rules, FIRST_SEED + np.arange(games), everybody).games
    counts = last["counts"]
    beaten = np.bitwise_count(last["dragons_beaten"][:, None] & rules.tables["dragons_of_colour"]).mean(axis=0)
    monks = counts["monks_sent"].sum(axis=(1, 2)).mean()
    return [float(monks), *beaten.tolist(), float(counts["knock_outs"][:, :, 0].sum(axis=1).mean())]


def rows(games: int) -> Iterator[tuple[str, ...]]:
    for name, settings, skills in LINE_UPS:
        for dragons, pack in packs().items():
            means = per_game(Rules(content=pack, **settings), skills, games)
            yield (name, dragons, *(f"{mean:.2f}" for mean in means))


def main(arguments: Sequence[str] | None = None) -> None:
    parser = argparse.ArgumentParser(
        prog="python -m fujikoro_training.dragon_speed", description=__doc__.partition("\n")[0]
    )
    parser.add_argument("--games", type=int, default=400, help="of each line-up with each pack")
    given = parser.parse_args(arguments)
    if given.games < 1:
        parser.error("--games must be at least 1")
    for row in chain((HEAD, ("---",) * len(HEAD)), rows(given.games)):
        print(f"| {' | '.join(row)} |", flush=True)


if __name__ == "__main__":
    main()
