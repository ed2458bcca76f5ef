"""Writes docs/benchmark.md from the results in docs/benchmark/: `python tools/make_benchmark.py`.

The files there are `result.json` of `fujikoro evaluate`. A test compares the page with them.
"""

from pathlib import Path
from typing import Final

from fujikoro_training.benchmark.report import benchmark_page, read_results

ROOT: Final = Path(__file__).resolve().parent.parent
RESULTS: Final = ROOT / "docs" / "benchmark"
PAGE: Final = ROOT / "docs" / "benchmark.md"
TRAINED: Final = ("ppo", "pupil", "sensei")
SEARCHES: Final = tuple(f"mcts:iterations={iterations}" for iterations in (64, 256, 1024))
SCRIPTS: Final = ("random", "wanderer", "gatherer", "smith", "hunter", "runner", "shogun", "band")
SHIPPED: Final = {  # agents that the leaderboards should have, by protocol
    "v0": (*SCRIPTS, *TRAINED, *SEARCHES),
    "tables-v0": (*SCRIPTS, *TRAINED, *SEARCHES[:1]),
}
COSTS: Final = {  # milliseconds of CPU time a decision: see docs/benchmark.md
    "random": 0.0034,
    "wanderer": 0.0042,
    "gatherer": 0.0041,
    "smith": 0.0037,
    "hunter": 0.0042,
    "runner": 0.0042,
    "shogun": 0.050,
    "band": 0.016,
    "ppo": 0.12,
    "pupil": 0.041,
    "sensei": 0.083,
    "mcts:iterations=64": 5.7,
    "mcts:iterations=256": 60,
}
NOTES: Final = {
    "v0": """\
In the series that they have played, the searches are the strongest agents by far; they stand last only because the
others are missing. In `runner-2`, 256 iterations are no stronger than 64: from 256 on, `mcts` plays its rollouts with
another script, for fewer rounds (docs/mcts.md). Searches take long: a decision takes about 60 ms of CPU time with 256
iterations and 230 ms with 1,024 (with two players 3 ms with 64, 35 and 51 ms), and an agent makes about 180 decisions
in a game. So the 400 games of `shogun-4` take about 8 minutes with 64 iterations, 70 minutes with 256 and 5 hours with
1,024 on one core, and the 200 games of `runner-2` 2, 20 and 30 minutes.""",
    "tables-v0": """\
`mcts:iterations=64` has played one series only; the others take about five minutes each on one core.""",
}


def page() -> str:
    """Text of the page."""
    return benchmark_page({name: read_results(RESULTS / name) for name in SHIPPED}, SHIPPED, NOTES, COSTS)


if __name__ == "__main__":
    PAGE.write_text(page(), encoding="utf-8")
    print(f"written: {PAGE.relative_to(ROOT)}")
