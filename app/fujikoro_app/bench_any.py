"""`fujikoro bench --game NAME`: the speed of a game's batches, compared with Fuji Koro's in the same run.

Random legal play in `BatchedGames`, in CPU time; the best of several runs counts, and the games take turns, so that a
slow minute affects both alike.
"""

import time
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any, Final

import numpy as np

from fujikoro_app.terminal import tracked
from fujikoro_env.kernel.declared import THIS_GAME, DeclaredGame, find_game
from fujikoro_env.kernel.thread_pool import cores

MASKS, COMPACT = "batch", "batch_compact"
TARGETS: Final = {MASKS: 0.8, COMPACT: 1.0}  # times as fast as Fuji Koro
LABELS: Final = {MASKS: "in a batch, step and mask", COMPACT: "with compact observations"}


@dataclass(frozen=True)
class Effort:
    """Amount of play in one run of each figure."""

    games: int = 1024
    observed_games: int = 256  # as in training
    steps: int = 400
    observed_steps: int = 600
    spread: int = 1800  # most decisions already played in a game, so that games are at all stages


FULL: Final = Effort()


def measured(game: DeclaredGame, runs: int, effort: Effort = FULL) -> dict[str, Any]:
    """Decisions per second of both games, and what they are to each other."""
    kinds = [find_game(THIS_GAME), game]
    figures: list[tuple[str, str, Callable[[], float]]] = [
        (kind.name, what, _measure(kind, what, effort)) for what in TARGETS for kind in kinds
    ]
    best: dict[str, dict[str, float]] = {kind.name: dict.fromkeys(TARGETS, 0.0) for kind in kinds}
    for _, _, run in figures:
        run()  # compiles, or loads from the cache
    todo = [figure for _ in range(runs) for figure in figures]
    for name, what, run in tracked(todo, "measuring"):
        best[name][what] = max(best[name][what], run())
    ratios = {what: best[game.name][what] / best[THIS_GAME][what] for what in TARGETS}
    return {
        "runs": runs,
        "cores": cores(),
        "decisions_per_second": best,
        "ratios": {
            what: {"ratio": ratios[what], "target": target, "met": ratios[what] >= target}
            for what, target in TARGETS.items()
        },
    }


def _measure(game: DeclaredGame, what: str, effort: Effort) -> Callable[[], float]:
    """A run of one figure; its games go on in the next run."""
    observation = "compact" if what == COMPACT else None
    size = effort.observed_games if observation else effort.games
    steps = effort.observed_steps if observation else effort.steps
    batch = game.batch_class(game.make_rules(), size, observation=observation)
    batch.play_at_random(np.linspace(0, effort.spread, size).astype(np.int64))

    def run() -> float:
        began = time.process_time()
        for _ in range(steps):
            batch.step(batch.random_actions())
        return steps * size / (time.process_time() - began)

    return run


def as_table(game: DeclaredGame, found: dict[str, Any], effort: Effort = FULL) -> str:
    """The figures as a table."""
    speeds = found["decisions_per_second"]
    lines = [f"decisions per second of CPU time on one core, random legal play, best of {found['runs']}"]
    for what, label in LABELS.items():
        size = effort.observed_games if what == COMPACT else effort.games
        each = found["ratios"][what]
        verdict = "met" if each["met"] else "not met"
        lines.append(f"  {size:,} games {label}")
        lines += [f"    {title:12}{speeds[name][what]:>12,.0f}" for name, title in _titles(game)]
        lines.append(f"    {each['ratio']:.2f} times as fast; target {each['target']}: {verdict}")
    return "\n".join(lines)


def _titles(game: DeclaredGame) -> Sequence[tuple[str, str]]:
    return [(THIS_GAME, find_game(THIS_GAME).title), (game.name, game.title)]
