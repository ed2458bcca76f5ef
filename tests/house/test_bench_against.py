"""`make bench-against` measures and judges; the speed itself is not tested."""

import subprocess
import sys

import pytest

from tests.helpers.processes import ROOT
from tools import bench_against, bench_probe
from tools.bench_against import COMPILE, LABELS, is_slower, row

TINY = {
    "BATCH_GAMES": 2,
    "BATCH_STEPS": 2,
    "OBSERVED_GAMES": 2,
    "OBSERVED_STEPS": 2,
    "SPREAD": 2,
    "SINGLE_DECISIONS": 20,
    "SHOGUN_DECISIONS": 2,
    "SEARCHES": 1,
    "ITERATIONS": 2,
}


def test_every_figure_has_a_label_and_a_measure():
    assert LABELS.keys() == bench_probe.FIGURES.keys()


@pytest.mark.slow
@pytest.mark.parametrize("figure", [name for name in LABELS if name != COMPILE])
def test_every_speed_can_be_measured(figure, monkeypatch):
    for name, size in TINY.items():
        monkeypatch.setattr(bench_probe, name, size)
    assert bench_probe.FIGURES[figure]() > 0


def test_packages_of_this_checkout_are_found_under_either_name(monkeypatch):
    monkeypatch.chdir(ROOT)
    assert bench_probe.first_known(("no_such_package.cli", "fujikoro_app.cli")) == "fujikoro_app.cli"
    assert bench_probe.first_known(("fujikoro_app.no_such_module", "fujikoro_app")) == "fujikoro_app"
    for elsewhere in ("no_such_package", "json"):
        with pytest.raises(ModuleNotFoundError, match=f"none of {elsewhere} is here"):
            bench_probe.first_known((elsewhere,))


@pytest.mark.parametrize(
    ("figure", "pairs", "slower"),
    [
        ("batch", [(100, 100)], False),
        ("batch", [(96, 100)], False),
        ("batch", [(94, 100)], True),
        ("batch", [(50, 100), (99, 100), (101, 100)], False),  # one bad repeat is blamed on the machine
        ("batch", [(100, 100), (94, 100), (93, 100)], True),
        (COMPILE, [(104, 100)], False),
        (COMPILE, [(106, 100)], True),
        (COMPILE, [(50, 100)], False),
    ],
)
def test_the_median_of_the_repeats_decides(figure, pairs, slower):
    assert is_slower(figure, pairs) == slower
    assert row(figure, LABELS[figure], "main", pairs).endswith("SLOWER") == slower


def test_the_row_has_the_ratio_of_every_repeat():
    line = row("game", "one game", "main", [(90.0, 100.0), (110.0, 100.0), (100.0, 100.0)])
    assert line.endswith("here / main: 0.900 1.100 1.000")


@pytest.mark.parametrize("arguments", [[], ["no-such-commit"], ["HEAD", "--repeats", "0"]], ids=" ".join)
def test_comparing_with_no_commit_gets_one_line(arguments):
    tool = ROOT / "tools" / "bench_against.py"
    done = subprocess.run([sys.executable, tool, *arguments], capture_output=True, text=True, check=False)
    assert (done.returncode, done.stdout, done.stderr.count("\n")) == (2, "", 1)


def test_each_tree_is_asked_in_turn(monkeypatch, tmp_path):
    """With two fake probes: the best turn counts, and the second tree may go first."""
    asked: list[str] = []

    class Counting:
        def __init__(self, name: str) -> None:
            self.name, self.speeds = name, iter(range(1, 1000))

        def __enter__(self):
            return self

        def __exit__(self, *_):
            pass

        def ask(self, figure: str) -> float:
            asked.append(f"{self.name} {figure}")
            return next(self.speeds)

    monkeypatch.setattr(bench_against, "probe", lambda tree: Counting(tree.name))
    here, there = bench_against.measured(tmp_path / "here", tmp_path / "there", swap=True)
    assert asked[:4] == [f"there {COMPILE}", f"here {COMPILE}", "there batch", "here batch"]
    assert here == there
    assert (here[COMPILE], here["batch"]) == (1, 2 + bench_against.TURNS)
