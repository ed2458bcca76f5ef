"""The command `fujikoro train --tune`: searches for better settings and shows the trials."""

import argparse
import json
import sys
from pathlib import Path
from typing import Any, Final

from rich.box import SIMPLE_HEAD
from rich.console import Console, Group
from rich.table import Table

from fujikoro_app.train import LiveView, TrainError, check_options, one_line_errors, progress_lines
from fujikoro_training.learners import read_any_recipe
from fujikoro_training.learning.recipe import Recipe
from fujikoro_training.learning.run import Status
from fujikoro_training.learning.tuning import BEST, TABLE, TrialResult, Tuned, TuningError, resume_tuning, tune

SHOWN_TRIALS: Final = 15  # of the live table


def tuned(args: argparse.Namespace) -> bool:
    """Run the command. Returns whether all trials were made."""
    with one_line_errors():
        check_options(args)
        if args.profile:
            raise TrainError("--profile is for single runs, not for --tune")
        try:
            return _shown_search(args)
        except TuningError as error:
            raise TrainError(str(error)) from None


def _shown_search(args: argparse.Namespace) -> bool:
    if args.resume is not None:
        folder = Path(args.resume)
        with TrialsView(Console(file=sys.stderr)) as view:
            found = resume_tuning(folder, args.trials, view.show, view.show_trial)
    else:
        changes = [*args.set, *([f"tune.trials={args.trials}"] if args.trials else [])]
        recipe = read_any_recipe(args.recipe, changes)
        if not isinstance(recipe, Recipe):
            raise TrainError(f"--tune is for recipes of PPO: {recipe.name} has another learner")
        folder = Path(args.out or f"runs/tune-{recipe.name}-{recipe.seed}")
        with TrialsView(Console(file=sys.stderr)) as view:
            found = tune(recipe, folder, view.show, view.show_trial)
    _report(found, folder, as_json=args.json)
    return found.finished


def _report(found: Tuned, folder: Path, as_json: bool) -> None:
    if as_json:
        best = found.best.to_json() if found.best else None
        trials = [trial.to_json() for trial in found.trials]
        print(json.dumps({"folder": str(folder), "finished": found.finished, "trials": trials, "best": best}))
    elif not found.finished:
        print(f"interrupted; the search is in {folder}; continue with: fujikoro train --resume {folder}")
    else:
        print(f"written to {folder}: {TABLE} lists the trials")
        if found.best:
            print(f"the best settings train with: fujikoro train {folder / BEST}")


class TrialsView(LiveView):
    """Shows a search: a live table on a terminal, otherwise a line for each trial."""

    def __init__(self, console: Console) -> None:
        super().__init__(console)
        self._trials: list[TrialResult] = []

    def show(self, status: Status) -> None:
        """Show the progress of the current trial."""
        if self._live:
            self._live.update(Group(trials_table(self._trials[-SHOWN_TRIALS:]), progress_lines(status)), refresh=True)

    def show_trial(self, trial: TrialResult) -> None:
        """Show a trial that has ended."""
        self._trials.append(trial)
        if self._live:
            self._live.update(trials_table(self._trials[-SHOWN_TRIALS:]), refresh=True)
        else:
            self._console.print(trial_line(trial), highlight=False, soft_wrap=True)


def trials_table(trials: list[TrialResult]) -> Table:
    """Trials as a table."""
    table = Table(title="trials", title_justify="left", box=SIMPLE_HEAD, padding=(0, 1, 0, 0), pad_edge=False)
    names = list(trials[-1].settings) if trials else []
    for head in ("trial", "result", *(name.split(".")[-1] for name in names)):
        table.add_column(head, justify="right")
    for trial in trials:
        values = [_short(trial.settings.get(name)) for name in names]
        table.add_row(str(trial.number), _result(trial), *values)
    return table


def trial_line(trial: TrialResult) -> str:
    """One trial, in one line."""
    settings = ", ".join(f"{name}={_short(value)}" for name, value in trial.settings.items())
    return f"trial {trial.number}: {_result(trial)} with {settings}"


def _result(trial: TrialResult) -> str:
    value = "" if trial.value is None else f"{trial.value:.3f}"
    return f"{value} pruned".strip() if trial.pruned else value


def _short(value: Any) -> str:
    return f"{value:.3g}" if isinstance(value, float) else json.dumps(value)
