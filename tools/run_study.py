"""Plays the balance study of notebooks/FINDINGS.md: `python tools/run_study.py [EXPERIMENT ...]`, or `make study`.

Every file of notebooks/study holds the settings of an experiment. The games go to runs/study, where an interrupted
experiment goes on; effects, settings and manifest, a few kilobytes each, go to notebooks/results. Then one page with
all tables and charts is written: build/study.html.
"""

import argparse
import shutil
import sys
import tomllib
from pathlib import Path

from fujikoro_app.cli import main as fujikoro

ROOT = Path(__file__).resolve().parent.parent
STUDY, RESULTS, RUNS = ROOT / "notebooks/study", ROOT / "notebooks/results", ROOT / "runs/study"
PAGE = ROOT / "build/study.html"
KEPT = ("effects.parquet", "manifest.json", "settings.toml")
# The most important ones come first. Components for `shogun` are those with the clearest effects for `runner`.
ORDER = (
    *("characters", "seats", "components", "components-shogun", "characters-tuned", "pace", "restricted", "luck"),
    *("parameters", "characters-2"),
    *("fuji-levels", "fuji-levels-b", "fuji-talk", "fuji-skills", "fuji-scenarios-1", "fuji-scenarios"),
)
SCREENED = {"components-shogun": "components"}


def play(name: str, jobs: list[str]) -> int:
    """Play an experiment, or what is missing of it, and keep its results. Returns the exit status."""
    settings = STUDY / f"{name}.toml"
    experiment = tomllib.loads(settings.read_text(encoding="utf-8"))["experiment"]
    largest = ["--largest-of", str(RESULTS / SCREENED[name])] if name in SCREENED else []
    folder = RUNS / name
    status = fujikoro(["balance", experiment, "--settings", str(settings), "--out", str(folder), *largest, *jobs])
    if status == 0:
        (RESULTS / name).mkdir(parents=True, exist_ok=True)
        for file in KEPT:
            shutil.copyfile(folder / file, RESULTS / name / file)
    return status


def report() -> int:
    """Write all tables and charts of the stored results to one page."""
    PAGE.parent.mkdir(exist_ok=True)
    PAGE.unlink(missing_ok=True)  # `fujikoro balance report` writes new files only
    stored = [str(RESULTS / name) for name in ORDER if (RESULTS / name / "effects.parquet").is_file()]
    if not stored:
        print(f"{RESULTS} has no results yet: play an experiment first", file=sys.stderr)
        return 2
    return fujikoro(["balance", "report", *stored, "--out", str(PAGE), "--title", "Fuji Koro: balance study"])


def main() -> int:
    """Play the experiments that are named, or all, and write the page."""
    parser = argparse.ArgumentParser(description="Play the balance study of notebooks/FINDINGS.md.")
    parser.add_argument("experiments", nargs="*", metavar="EXPERIMENT", help=f"some of {', '.join(ORDER)}")
    parser.add_argument("--jobs", metavar="N", help="number of processes (all cores)")
    parser.add_argument("--report", action="store_true", help="play nothing, only write the page of the stored results")
    args = parser.parse_args()
    if unknown := [name for name in args.experiments if name not in ORDER]:
        parser.error(f"no experiment is called {unknown[0]!r}; allowed are {', '.join(ORDER)}")
    jobs = ["--jobs", args.jobs] if args.jobs else []
    for name in () if args.report else args.experiments or ORDER:
        if status := play(name, jobs):
            return status
    return report()


if __name__ == "__main__":
    sys.exit(main())
