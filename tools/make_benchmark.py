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


def page() -> str:
    """Text of the page."""
    return benchmark_page({name: read_results(RESULTS / name) for name in SHIPPED}, SHIPPED)


if __name__ == "__main__":
    PAGE.write_text(page(), encoding="utf-8")
    print(f"written: {PAGE.relative_to(ROOT)}")
