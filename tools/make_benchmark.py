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
SHIPPED: Final = {  # agents that the leaderboards should have, by protocol
    "v0": ("random", "wanderer", "gatherer", "smith", "hunter", "runner", "shogun", "band", *TRAINED, *SEARCHES),
    "tables-v0": ("runner", "shogun", *TRAINED),
}
NOTES: Final = {
    "v0": """\
Searches take long. In games of four, a decision takes about 6 ms of CPU time with 64 iterations, 59 ms with 256 and
230 ms with 1,024 (3, 35 and 51 ms with two players), and an agent makes about 180 decisions in a game. So the 400 games
of `shogun-4` take about 8 minutes, 70 minutes and 5 hours on one core, and the 200
games of `runner-2` 2, 20 and 30 minutes.""",
}


def page() -> str:
    """Text of the page."""
    return benchmark_page({name: read_results(RESULTS / name) for name in SHIPPED}, SHIPPED, NOTES)


if __name__ == "__main__":
    PAGE.write_text(page(), encoding="utf-8")
    print(f"written: {PAGE.relative_to(ROOT)}")
