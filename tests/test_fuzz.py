"""Many random games with every invariant looked at in every decision: `make fuzz`, with bounds checks on.

FUJIKORO_FUZZ_GAMES=n   how many games (a few unless set)
FUJIKORO_FUZZ_SEED=n    the seed of the first (0 unless set)
"""

import os
from itertools import product
from typing import Any

import pytest

from fujikoro_env import Rules
from fujikoro_env.rules.jit import INTERPRETED
from tests.helpers import play_batch
from tests.invariants import check_games

GAMES = int(os.environ.get("FUJIKORO_FUZZ_GAMES", "10"))
FIRST_SEED = int(os.environ.get("FUJIKORO_FUZZ_SEED", "0"))
AT_ONCE = 100  # a batch takes hardly longer than one game
# Short games when there are few, so that a normal run of the tests stays short.
ROUNDS = 4 if INTERPRETED else 20 if GAMES <= 10 else 80


def kinds_of_games() -> list[Rules]:
    """Every number of players with every setting."""
    both = (False, True)
    names = ("adventure_tokens", "ask_forced", "monk_to_pack", "scroll_replace_anytime")
    settings: list[dict[str, Any]] = [dict(zip(names, flags, strict=True)) for flags in product(*[both] * len(names))]
    return [Rules(players, max_rounds=ROUNDS, **chosen) for players in (2, 3, 4, 5, 6) for chosen in settings]


def batches() -> list[tuple[Rules, int, int]]:
    """Rules, the first seed and how many games: all kinds of games in turn, until there are as many as asked for."""
    kinds = kinds_of_games()
    size = min(AT_ONCE, max(1, GAMES // 20))
    starts = range(0, GAMES, size)
    # Neighbouring kinds differ in one setting; 7 and the number of kinds have no divisor in common.
    return [(kinds[7 * k % len(kinds)], FIRST_SEED + s, min(size, GAMES - s)) for k, s in enumerate(starts)]


@pytest.mark.parametrize(("rules", "seed", "number"), batches())
def test_invariants_hold_in_random_games(rules: Rules, seed: int, number: int) -> None:
    try:
        for games, masks in play_batch(rules, number, seed):
            check_games(rules, games, masks)
    except AssertionError as error:
        error.add_note(f"{rules}, game 0 of the batch has seed {seed}")
        raise
