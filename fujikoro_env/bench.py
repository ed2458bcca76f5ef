"""How fast the games run here, beside two games of PettingZoo that are measured in the same run.

Everything is measured in CPU time, and the best of several runs counts: whatever else the machine does can only make a
run slower. The runs of the different figures take turns, so that a slow minute meets them all alike.

A speed means something only for a known behaviour. So the figures come with a signature: one hash over 1,000 fixed
games, and whether it is the one that this version should have.
"""

import hashlib
import importlib
import os
import random
import subprocess
import sys
import tempfile
import time
import warnings
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray
from tqdm import tqdm

from fujikoro_env.game import Game
from fujikoro_env.rules.actions import WORDS
from fujikoro_env.rules.engine import NO_ACTION, deal_game, random_actions, step_games
from fujikoro_env.rules.names import Fault
from fujikoro_env.rules.records import zeros
from fujikoro_env.rules.state import State
from fujikoro_env.settings import Rules

BATCH, SINGLE, WARM, COLD = "batch", "game", "warm_start", "cold_start"
TARGETS = {BATCH: 1_000_000, SINGLE: 100_000}  # decisions per second
YARDSTICKS = ("connect_four_v3", "chess_v6")

# The games of the signature: for every number of players so many by the usual rules, and as many with all options,
# whose final chapter starts so early that random players reach it.
SIGNATURE_GAMES = 100
SIGNATURE_PLAYERS = (2, 3, 4, 5, 6)
SHORT_GAME: dict[str, Any] = {
    "final_at": 8,
    "monk_to_pack": True,
    "scroll_replace_anytime": True,
    "rope_catches": True,
}
SIGNATURE = "4e2b9c9c6eaa0575"  # when it may change: docs/goldens.md

# As a user meets it: from the start of Python to the end of the first step.
FIRST_STEP = """
import time
from fujikoro_env.game import Game
game = Game()
game.step(game.legal_actions()[0])
print(time.process_time())
"""


@dataclass(frozen=True)
class Effort:
    """How much is played for one run of each figure."""

    games: int = 1024
    steps: int = 2000  # of the batch; a random game takes about 1,800 decisions, so nearly all are dealt anew in a run
    decisions: int = 20_000  # of one game after the other
    yardstick_decisions: int = 400


FULL = Effort()

Measure = Callable[[], float]
Best = dict[str, float | None]  # None: not measured


def measure(runs: int = 5, cold: bool = False) -> Best:
    """The best of the runs of every figure: decisions per second by game, seconds by start."""
    measures = {**_speeds(FULL), **_yardsticks(FULL), **_starts(cold)}
    _compile()
    best = _best_of(measures, runs)
    return {name: best.get(name) for name in (BATCH, SINGLE, *YARDSTICKS, WARM, COLD)}


def speeds() -> dict[str, float]:
    """One run of the two speeds of our own, for comparing one version with another."""
    _compile()
    return _best_of(_speeds(FULL), runs=1)


def _speeds(effort: Effort) -> dict[str, Measure]:
    return {
        BATCH: lambda: _per_second(lambda: play_batch(effort.games, effort.steps)),
        SINGLE: lambda: _per_second(lambda: play_games(effort.decisions)),
    }


def _yardsticks(effort: Effort) -> dict[str, Measure]:
    """Those that are installed."""
    found = {name: _yardstick(name) for name in YARDSTICKS}
    return {name: _yardstick_measure(module, effort) for name, module in found.items() if module is not None}


def _yardstick_measure(module: Any, effort: Effort) -> Measure:
    return lambda: _per_second(lambda: play_yardstick(module, effort.yardstick_decisions))


def _starts(cold: bool) -> dict[str, Measure]:
    return {WARM: warm_start, COLD: cold_start} if cold else {WARM: warm_start}


def _compile() -> None:
    """Machine code is made, or read from the cache, before the clock runs."""
    play_batch(1, 1)
    play_games(1)


def _best_of(measures: dict[str, Measure], runs: int) -> dict[str, float]:
    results: dict[str, list[float]] = {name: [] for name in measures}
    with tqdm(total=runs * len(measures), disable=None, leave=False) as progress:
        for _ in range(runs):
            for name, one_run in measures.items():
                progress.set_description(name)
                results[name].append(one_run())
                progress.update()
    return {name: _best(name, found) for name, found in results.items()}


def _best(name: str, found: list[float]) -> float:
    return min(found) if name in (WARM, COLD) else max(found)


def _per_second(play: Callable[[], int]) -> float:
    began = time.process_time()
    decisions = play()
    return decisions / (time.process_time() - began)


# What is played. Every run plays the same games, so that runs differ in nothing but the machine's mood.


def play_batch(size: int, steps: int) -> int:
    """Random legal play in many four-player games at once; a game that ends is dealt anew. Gives the decisions."""
    batch = RandomBatch(Rules(), size)
    for _ in range(steps):
        batch.step()
    return size * steps


class RandomBatch:
    """Games side by side, each always standing at a decision."""

    def __init__(self, rules: Rules, size: int) -> None:
        self.games, self.tables = zeros(State, size), rules.tables
        self.masks: Any = np.zeros((size, WORDS), np.uint32)
        self.actions: Any = np.zeros(size, np.int64)
        self.luck: Any = np.arange(1, size + 1, dtype=np.int64)
        self.ended = self.games["reason"]  # a view
        self._bytes = self.games.view(np.uint8).reshape(size, -1)
        self._blank = _blank_game(rules)
        self._dealt = 0
        for index in range(size):
            self.deal(index)

    def deal(self, index: int) -> None:
        self._bytes[index] = self._blank
        deal_game(self.games, self.tables, index, self._dealt)
        self.actions[index] = NO_ACTION
        step_games(self.games, self.tables, index, index + 1, self.actions, self.masks)
        self._dealt += 1

    def step(self) -> None:
        """One decision on in every game; one that ends is dealt anew."""
        self.play_on()
        for index in self.ended.nonzero()[0]:
            self.deal(index)

    def play_on(self) -> None:
        """One decision on in every game that is not over."""
        random_actions(self.masks, self.luck, self.actions)
        fault = step_games(self.games, self.tables, 0, len(self.actions), self.actions, self.masks)
        if fault != Fault.NONE:
            raise RuntimeError(f"the rules have come to a halt ({Fault(fault).name}): please report it")


def _blank_game(rules: Rules) -> NDArray[np.uint8]:
    """The bytes of a game that has its settings and nothing else yet."""
    blank = zeros(State, 1)
    rules.write_settings(blank[0].settings)
    return np.frombuffer(blank.tobytes(), np.uint8)


def play_games(decisions: int) -> int:
    """Random legal play from Python, one game after the other, asking for the mask before every step."""
    rules, luck = Rules(), random.Random(0)
    game = Game(rules)
    for decision in range(decisions):
        game.step(_random_legal(game.legal_mask(), luck))
        if game.over:
            game = Game(rules, seed=decision)
    return decisions


def play_yardstick(module: Any, decisions: int) -> int:
    """The same with a game of PettingZoo."""
    env, luck = module.raw_env(), random.Random(0)
    env.reset(seed=0)
    for _ in range(decisions):
        observation = env.last()[0]
        env.step(_random_legal(observation["action_mask"], luck))
        if all(env.terminations.values()) or all(env.truncations.values()):
            env.reset()
    env.close()
    return decisions


def _random_legal(mask: Any, luck: random.Random) -> int:
    legal = mask.nonzero()[0]
    return int(legal[int(luck.random() * len(legal))])


def _yardstick(name: str) -> Any:
    """A game of PettingZoo, or None where it or what it needs is not installed."""
    with warnings.catch_warnings(action="ignore"):  # that there is a newer way to make one
        try:
            return importlib.import_module(f"pettingzoo.classic.{name}")
        except ImportError:
            return None


# Which behaviour it is that was measured


def signature() -> str:
    """One hash over how 1,000 fixed games of random players end, down to the last byte of their records."""
    found = hashlib.sha256()
    for rules in tqdm(_signature_rules(), "signature", disable=None, leave=False):
        batch = RandomBatch(rules, SIGNATURE_GAMES)
        while not batch.ended.all():
            batch.play_on()
        found.update(rules.pack.digest.encode() + batch.games.tobytes())
    return found.hexdigest()[:16]


def _signature_rules() -> list[Rules]:
    return [Rules(players, **settings) for players in SIGNATURE_PLAYERS for settings in ({}, SHORT_GAME)]


# How long a start takes


def warm_start() -> float:
    return _first_step_seconds({})


def cold_start() -> float:
    """With nothing in the cache, so compiling included."""
    with tempfile.TemporaryDirectory() as cache:
        return _first_step_seconds({"FUJIKORO_CACHE": cache})


def _first_step_seconds(environment: dict[str, str]) -> float:
    command = [sys.executable, "-c", FIRST_STEP]
    done = subprocess.run(command, env={**os.environ, **environment}, capture_output=True, text=True, check=True)
    return float(done.stdout)


# What is shown


def as_json(best: Best, runs: int, found: str) -> dict[str, Any]:
    """`found`: the signature."""
    return {
        "runs": runs,
        "decisions_per_second": {name: best[name] for name in (BATCH, SINGLE, *YARDSTICKS)},
        "targets": {name: {"target": target, "met": _met(best, name)} for name, target in TARGETS.items()},
        "ratios": {name: {ours: _ratio(best, ours, name) for ours in (BATCH, SINGLE)} for name in YARDSTICKS},
        "start_seconds": {name: best[name] for name in (WARM, COLD)},
        "signature": {"found": found, "expected": SIGNATURE, "as_expected": found == SIGNATURE},
    }


def as_table(best: Best, runs: int, found: str) -> str:
    """`found`: the signature."""
    rows = [
        (f"decisions per second of CPU time on one core, random legal play, best of {runs}", "", ""),
        (f"  {FULL.games:,} games of four in a batch, step and mask", _number(best[BATCH]), _verdict(best, BATCH)),
        ("  one game through Game, step and mask", _number(best[SINGLE]), _verdict(best, SINGLE)),
        *((f"  PettingZoo {name}", _number(best[name]), _ratios(best, name)) for name in YARDSTICKS),
        ("seconds of CPU time from starting Python to the first step", "", ""),
        ("  rules compiled before", _seconds(best[WARM]), ""),
        ("  nothing compiled yet", _seconds(best[COLD]), "" if best[COLD] else "measured with --cold"),
        ("signature: one hash over 1,000 fixed games", found, _signature_remark(found)),
    ]
    return "\n".join(_row(*row) for row in rows)


def _signature_remark(found: str) -> str:
    return "as expected" if found == SIGNATURE else f"differs from {SIGNATURE}: these are other games"


def _row(label: str, number: str, remark: str) -> str:
    return f"{label:<48} {number:>11}   {remark}".rstrip()


def _number(value: float | None) -> str:
    return "-" if value is None else f"{value:,.0f}"


def _seconds(value: float | None) -> str:
    return "-" if value is None else f"{value:.2f}"


def _met(best: Best, name: str) -> bool:
    return (best[name] or 0) >= TARGETS[name]


def _verdict(best: Best, name: str) -> str:
    return f"target {TARGETS[name]:,}: {'met' if _met(best, name) else 'NOT met'}"


def _ratio(best: Best, ours: str, yardstick: str) -> float | None:
    mine, other = best[ours], best[yardstick]
    return mine / other if mine and other else None


def _ratios(best: Best, yardstick: str) -> str:
    batch, single = (_ratio(best, ours, yardstick) for ours in (BATCH, SINGLE))
    if batch is None or single is None:
        return "not installed, skipped: pip install 'fujikoro_env[dev]'"
    return f"ours is {batch:,.0f} times as fast in a batch, {single:,.0f} times through Game"
