"""Speed of games and players on this machine, compared with two PettingZoo games and Catan in the same run.

Nearly everything is measured in CPU time, and the best of several runs counts, because other processes can only make a
run slower. The figures take turns, so that a slow minute affects all of them alike. The gain of a second thread needs
wall-clock time: there the best few steps count, and a busy machine shows less than the real gain.

A speed means something only for known behaviour. So the report includes a signature, a hash over 1,000 fixed games, and
says whether it is the one expected of this version.
"""

import hashlib
import os
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

from fujikoro_agents.scripted.skills import RUNGS
from fujikoro_app import bench_agents
from fujikoro_app.bench_agents import CATAN, CATAN_TARGET, ITERATIONS
from fujikoro_app.bench_games import ObservedBatch, RandomBatch, play_batch, play_games, play_loop, yardstick
from fujikoro_app.terminal import tracked
from fujikoro_env.kernel.thread_pool import cores
from fujikoro_env.settings import Rules

# Decisions per second of CPU time
BATCH, COMPACT, TENSOR, SINGLE = "batch", "batch_compact", "batch_tensor", "game"
LARGE = "large_batch_compact"  # as many games as in BATCH, whose observations do not fit into the cache
AEC, AEC_COMPACT, AEC_ENV = "aec_raw_env", "aec_raw_env_compact", "aec_env"
YARDSTICKS = ("connect_four_v3", "chess_v6")
YARDSTICK_ENVS = {name: f"{name}_env" for name in YARDSTICKS}
SPEEDS = (BATCH, COMPACT, LARGE, TENSOR, SINGLE, AEC, AEC_COMPACT, AEC_ENV, *YARDSTICKS, *YARDSTICK_ENVS.values())
# Decisions per second of wall-clock time
ONE_THREAD, TWO_THREADS = "one_thread", "two_threads"
# Seconds of CPU time
WARM, COLD, COMPILE = "warm_start", "cold_start", "compile_all"
FIGURES = (*SPEEDS, *bench_agents.KEYS, ONE_THREAD, TWO_THREADS, WARM, COLD, COMPILE)

TARGETS = {BATCH: 1_000_000, COMPACT: 400_000, SINGLE: 100_000}
THREADS_TARGET = 1.7  # times as fast on two threads
LOOP_TARGETS = {"connect_four_v3": 3, "chess_v6": 20}  # times as fast as theirs, raw_env() on both sides
COMPILE_TARGET = 150  # seconds at most

# Games of the signature, for each number of players: this many with the default rules, and as many with all options and
# a final chapter that starts early enough for random players to reach it.
SIGNATURE_GAMES = 100
SIGNATURE_PLAYERS = (2, 3, 4, 5, 6)
SHORT_GAME: dict[str, Any] = {
    "final_at": 8,
    "monk_to_pack": True,
    "scroll_replace_anytime": True,
    "rope_catches": True,
}
SIGNATURE = "1cfa42c0f79a46d2"  # docs/goldens.md says when it may change

# What a user waits for: from the start of Python to the end of the first step.
FIRST_STEP = """
import time
from fujikoro_env.game import Game
game = Game()
game.step(game.legal_actions()[0])
print(time.process_time())
"""

EVERYTHING = """
import time
from fujikoro_app.cli import main
main(["warmup"])
print(time.process_time())
"""


@dataclass(frozen=True)
class Effort:
    """Amount of play in one run of each figure."""

    games: int = 1024
    steps: int = 2000  # of the batch; a random game takes about 1,800 decisions, so nearly all games end in a run
    observed_games: int = 256  # as in training
    spread: int = 1800  # most decisions already played in a game of an observed batch
    observed_steps: int = 240
    chunk: int = 20  # steps per measurement of wall-clock time
    decisions: int = 20_000  # in single games, one after the other
    loop_decisions: int = 1000  # at least: the last game is played to its end
    yardstick_decisions: int = 400


FULL = Effort()

Measure = Callable[[], float]
Best = dict[str, float | None]  # None: not measured


def measure(runs: int = 5, cold: bool = False) -> Best:
    """Measure every figure, in decisions per second or in seconds; the best run counts. Compiling is measured once."""
    measures = {**_speeds(FULL), **_observed(FULL), **_threads(FULL), **_loops(FULL), **_yardsticks(FULL)}
    measures |= bench_agents.measures(bench_agents.FULL)
    measures[WARM] = warm_start
    _compile()
    bench_agents.compile_players()
    best = _best_of(measures, runs)
    if cold:
        best |= _best_of({COLD: cold_start, COMPILE: compile_everything}, 1)
    return {name: best.get(name) for name in FIGURES}


def _speeds(effort: Effort) -> dict[str, Measure]:
    return {
        BATCH: lambda: _per_second(lambda: play_batch(effort.games, effort.steps)),
        SINGLE: lambda: _per_second(lambda: play_games(effort.decisions)),
    }


def _observed(effort: Effort) -> dict[str, Measure]:
    def run(observation: str, games: int) -> float:
        batch = ObservedBatch(observation, games, effort.spread)
        return _per_second(lambda: batch.play(effort.observed_steps * effort.games // games))

    return {
        COMPACT: lambda: run("compact", effort.observed_games),
        LARGE: lambda: run("compact", effort.games),
        TENSOR: lambda: run("tensor", effort.observed_games),
    }


def _threads(effort: Effort) -> dict[str, Measure]:
    def run(threads: int) -> float:
        batch = ObservedBatch("compact", effort.games, effort.spread, threads)
        found = max(
            _per_second(lambda: batch.play(effort.chunk), time.perf_counter)
            for _ in range(max(1, effort.observed_steps // effort.chunk))
        )
        batch.games.close()
        return found

    return {ONE_THREAD: lambda: run(1), TWO_THREADS: lambda: run(2)}


def _loops(effort: Effort) -> dict[str, Measure]:
    from fujikoro_env import fujikoro_v0

    envs = {
        AEC: fujikoro_v0.raw_env(),
        AEC_COMPACT: fujikoro_v0.raw_env(observation="compact"),
        AEC_ENV: fujikoro_v0.env(),
    }
    return {name: _loop_measure(env, effort.loop_decisions) for name, env in envs.items()}


def _yardsticks(effort: Effort) -> dict[str, Measure]:
    """Measures of the PettingZoo games that are installed."""
    measures: dict[str, Measure] = {}
    for name in YARDSTICKS:
        if (module := yardstick(name)) is not None:
            measures[name] = _loop_measure(module.raw_env(), effort.yardstick_decisions)
            measures[YARDSTICK_ENVS[name]] = _loop_measure(module.env(), effort.yardstick_decisions)
    return measures


def _loop_measure(env: Any, decisions: int) -> Measure:
    return lambda: _per_second(lambda: play_loop(env, decisions))


def _compile() -> None:
    """Compile everything, or load it from the cache, before anything is timed."""
    from fujikoro_env import fujikoro_v0

    play_batch(1, 1)
    play_games(1)
    for observation in ("compact", "tensor"):
        ObservedBatch(observation, 1, 1).play(1)
        fujikoro_v0.raw_env(observation=observation).reset(seed=0)


def _best_of(measures: dict[str, Measure], runs: int) -> dict[str, float]:
    results: dict[str, list[float]] = {name: [] for name in measures}
    todo = [(name, one_run) for _ in range(runs) for name, one_run in measures.items()]
    for name, one_run in tracked(todo, "measuring"):
        results[name].append(one_run())
    return {name: _best(name, found) for name, found in results.items()}


def _best(name: str, found: list[float]) -> float:
    return min(found) if name in (WARM, COLD, COMPILE) else max(found)


def _per_second(play: Callable[[], int], clock: Callable[[], float] = time.process_time) -> float:
    began = clock()
    decisions = play()
    return decisions / (clock() - began)


# Signature of the measured behaviour


def signature() -> str:
    """Hash of the final records, byte by byte, of 1,000 fixed games of random players."""
    found = hashlib.sha256()
    for rules in tracked(_signature_rules(), "signature"):
        batch = RandomBatch(rules, SIGNATURE_GAMES)
        while not batch.ended.all():
            batch.play_on()
        found.update(rules.pack.digest.encode() + batch.games.tobytes())
    return found.hexdigest()[:16]


def _signature_rules() -> list[Rules]:
    return [Rules(players, **settings) for players in SIGNATURE_PLAYERS for settings in ({}, SHORT_GAME)]


# Start-up time


def warm_start() -> float:
    return _seconds_of(FIRST_STEP, {})


def cold_start() -> float:
    """Seconds to the first step with an empty cache, including the compilation of everything that it needs."""
    with tempfile.TemporaryDirectory() as cache:
        return _seconds_of(FIRST_STEP, {"FUJIKORO_CACHE": cache})


def compile_everything() -> float:
    """Seconds of `fujikoro warmup` with an empty cache."""
    with tempfile.TemporaryDirectory() as cache:
        return _seconds_of(EVERYTHING, {"FUJIKORO_CACHE": cache})


def _seconds_of(code: str, environment: dict[str, str]) -> float:
    """CPU time of a new process, which prints it on its last line."""
    command = [sys.executable, "-c", code]
    done = subprocess.run(command, env={**os.environ, **environment}, capture_output=True, text=True, check=True)
    return float(done.stdout.splitlines()[-1])


# Output


def as_json(best: Best, runs: int, found: str) -> dict[str, Any]:
    """`found`: the signature."""
    gain = _ratio(best, TWO_THREADS, ONE_THREAD)
    return {
        "runs": runs,
        "cores": cores(),
        "decisions_per_second": {name: best[name] for name in SPEEDS},
        "targets": {name: {"target": target, "met": (best[name] or 0) >= target} for name, target in TARGETS.items()},
        "threads": {
            "wall_decisions_per_second": {name: best[name] for name in (ONE_THREAD, TWO_THREADS)},
            "ratio": gain,
            "target": THREADS_TARGET,
            "met": (gain or 0) >= THREADS_TARGET,
        },
        "ratios": {name: _ratios(best, name) for name in YARDSTICKS},
        "players": {name: _speed_of_rung(best, name) for name in RUNGS},
        "shogun_to_runner": _ratio(best, bench_agents.DECISIONS["shogun"], bench_agents.DECISIONS["runner"]),
        "mcts": {rollout: _speed_of_search(best, key) for rollout, key in ITERATIONS.items()},
        CATAN: {
            "decisions_per_second": best[CATAN],
            "ratio": _ratio(best, BATCH, CATAN),
            "target": CATAN_TARGET,
            "met": (_ratio(best, BATCH, CATAN) or 0) >= CATAN_TARGET,
        },
        "start_seconds": {name: best[name] for name in (WARM, COLD)},
        "compile_seconds": {"found": best[COMPILE], "target": COMPILE_TARGET, "met": _compiles_in_time(best)},
        "signature": {"found": found, "expected": SIGNATURE, "as_expected": found == SIGNATURE},
    }


def _ratios(best: Best, name: str) -> dict[str, Any]:
    """Our speeds divided by the speed of a PettingZoo game."""
    raw = {ours: _ratio(best, ours, name) for ours in (BATCH, SINGLE, AEC, AEC_COMPACT)}
    target = LOOP_TARGETS[name]
    wrapped = {AEC_ENV: _ratio(best, AEC_ENV, YARDSTICK_ENVS[name])}
    return {**raw, **wrapped, "target": target, "met": (raw[AEC] or 0) >= target}


def _speed_of_rung(best: Best, name: str) -> dict[str, float | None]:
    """Speed of games in which one rung of the ladder plays all four seats."""
    decisions, games = bench_agents.DECISIONS[name], bench_agents.GAMES[name]
    return {
        "decisions_per_second": best[decisions],
        "games_per_second": best[games],
        "ratio": _ratio(best, decisions, BATCH),
    }


def _speed_of_search(best: Best, key: str) -> dict[str, float | None]:
    return {"iterations_per_second": best[key], "ratio": _ratio(best, key, BATCH)}


def _compiles_in_time(best: Best) -> bool | None:
    seconds = best[COMPILE]
    return None if seconds is None else seconds <= COMPILE_TARGET


def as_table(best: Best, runs: int, found: str) -> str:
    """`found`: the signature."""
    games, observed = f"{FULL.games:,} games", f"{FULL.observed_games:,} games"
    rows = [
        (f"decisions per second of CPU time on one core, random legal play, best of {runs}", "", ""),
        (f"  {games} of four in a batch, step and mask", _number(best[BATCH]), _speed_verdict(best, BATCH)),
        (f"  {observed}, with compact observations", _number(best[COMPACT]), _speed_verdict(best, COMPACT)),
        (f"  {games}, with compact observations", _number(best[LARGE]), ""),
        (f"  {observed}, with tensor observations", _number(best[TENSOR]), ""),
        ("  one game through Game, step and mask", _number(best[SINGLE]), _speed_verdict(best, SINGLE)),
        ("the same in PettingZoo's loop (agent_iter, last, step)", "", ""),
        ("  fujikoro_v0.raw_env()", _number(best[AEC]), ""),
        ("  fujikoro_v0.raw_env(), compact observations", _number(best[AEC_COMPACT]), ""),
        ("  fujikoro_v0.env()", _number(best[AEC_ENV]), ""),
        *(row for name in YARDSTICKS for row in _yardstick_rows(best, name)),
        _catan_row(best),
        ("four scripted players, decisions per second of CPU time on one core", "", ""),
        *(_rung_row(best, name) for name in RUNGS),
        _lookahead_row(best),
        *(
            (f"  mcts, iterations per second, rollout={rollout}", _number(best[key]), _of_the_engine(best, key))
            for rollout, key in ITERATIONS.items()
        ),
        (f"decisions per second of wall-clock time, compact observations, {cores()} cores", "", ""),
        ("  one thread", _number(best[ONE_THREAD]), ""),
        ("  two threads", _number(best[TWO_THREADS]), _threads_verdict(best)),
        ("seconds of CPU time from starting Python to the first step", "", ""),
        ("  rules compiled before", _seconds(best[WARM]), ""),
        ("  nothing compiled yet", _seconds(best[COLD]), "" if best[COLD] else "measured with --cold"),
        ("seconds of CPU time to compile everything", _seconds(best[COMPILE]), _compile_verdict(best)),
        ("signature: one hash over 1,000 fixed games", found, _signature_remark(found)),
    ]
    return "\n".join(_row(*row) for row in rows)


def _yardstick_rows(best: Best, name: str) -> list[tuple[str, str, str]]:
    label = f"  PettingZoo {name}"
    if best[name] is None:
        return [(label, "-", "not installed, skipped: pip install 'fujikoro_env[dev]'")]
    found, target = _ratios(best, name), LOOP_TARGETS[name]
    raw = f"ours is {found[AEC]:.1f} times as fast, {found[AEC_COMPACT]:.1f} compact; {_verdict(target, found['met'])}"
    return [
        (f"{label}.raw_env()", _number(best[name]), raw),
        (f"{label}.env()", _number(best[YARDSTICK_ENVS[name]]), f"ours is {found[AEC_ENV]:.1f} times as fast"),
    ]


def _catan_row(best: Best) -> tuple[str, str, str]:
    label, ratio = "catanatron, random games", _ratio(best, BATCH, CATAN)
    if ratio is None:
        return label, "-", "not installed, skipped: pip install 'fujikoro_env[dev]'"
    return label, _number(best[CATAN]), f"our batch is {ratio:.0f} times as fast; {_catan_verdict(ratio)}"


def _catan_verdict(ratio: float) -> str:
    return _verdict(CATAN_TARGET, ratio >= CATAN_TARGET)


def _rung_row(best: Best, name: str) -> tuple[str, str, str]:
    decisions, games = bench_agents.DECISIONS[name], best[bench_agents.GAMES[name]] or 0.0
    return f"  {name}", _number(best[decisions]), f"{games:,.1f} games; {_of_the_engine(best, decisions)}"


def _lookahead_row(best: Best) -> tuple[str, str, str]:
    """Speed of `shogun`, which looks ahead, in units of the rung below it."""
    ratio = _ratio(best, bench_agents.DECISIONS["shogun"], bench_agents.DECISIONS["runner"])
    return "  shogun / runner", "-" if ratio is None else f"{ratio:.4f}", "decisions in the same CPU time"


def _of_the_engine(best: Best, name: str) -> str:
    return f"{_ratio(best, name, BATCH) or 0.0:.4f} of the raw engine's decisions"


def _signature_remark(found: str) -> str:
    return "as expected" if found == SIGNATURE else f"differs from {SIGNATURE}: the games are different"


def _row(label: str, number: str, remark: str) -> str:
    return f"{label:<48} {number:>11}   {remark}".rstrip()


def _number(value: float | None) -> str:
    return "-" if value is None else f"{value:,.0f}"


def _seconds(value: float | None) -> str:
    return "-" if value is None else f"{value:.2f}"


def _verdict(target: float, met: bool) -> str:
    return f"target {target:,}: {'met' if met else 'NOT met'}"


def _speed_verdict(best: Best, name: str) -> str:
    return _verdict(TARGETS[name], (best[name] or 0) >= TARGETS[name])


def _threads_verdict(best: Best) -> str:
    gain = _ratio(best, TWO_THREADS, ONE_THREAD) or 0.0
    return f"{gain:.2f} times as fast; {_verdict(THREADS_TARGET, gain >= THREADS_TARGET)}"


def _compile_verdict(best: Best) -> str:
    met = _compiles_in_time(best)
    return "measured with --cold" if met is None else f"at most; {_verdict(COMPILE_TARGET, met)}"


def _ratio(best: Best, ours: str, other: str) -> float | None:
    mine, theirs = best[ours], best[other]
    return mine / theirs if mine and theirs else None
