"""Searching for better settings of a recipe with Optuna: `tune(recipe, folder)`, and `resume_tuning(folder)`.

A trial is a whole run by the recipe with some settings changed. Its value is the result of its last evaluation: the
share of wins or the lead, averaged over all matches. Trials that do worse than the median of the earlier ones at the
same evaluation end early.

The folder has `tuning.json` (the recipe, its space of settings included), `study.log` (Optuna's journal, JSON lines),
`trials.csv` (settings and results of all trials), `best.toml` (the best trial as a recipe), and a folder of a run for
each trial.
"""

import csv
import json
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Final

import optuna
import tomli_w
from filelock import FileLock, Timeout
from optuna.pruners import MedianPruner
from optuna.samplers import TPESampler
from optuna.storages import JournalStorage
from optuna.storages.journal import JournalFileBackend
from optuna.trial import FrozenTrial, TrialState

from fujikoro_training.learning.checkpoint import FILE as CHECKPOINT
from fujikoro_training.learning.checkpoint import read_checkpoint
from fujikoro_training.learning.folder import refuse_others
from fujikoro_training.learning.progress import Row
from fujikoro_training.learning.recipe import Recipe, Space, recipe_of, recipe_with
from fujikoro_training.learning.run import TUNING, Show, Status, Trained, resume, train

JOURNAL: Final = "study.log"
LOCK: Final = ".lock"
TABLE: Final = "trials.csv"
BEST: Final = "best.toml"
STUDY: Final = "tuning"
RUN: Final = "run"  # attribute of a trial: number of its run, which a continued trial has from the first try
FIRST_WHOLE_TRIALS: Final = 4  # no trial is pruned before this many have ended
FIRST_JUDGED: Final = 2  # evaluation from which on trials may be pruned; 0 is that of the untrained network
ENDED: Final = (TrialState.COMPLETE, TrialState.PRUNED)


class TuningError(ValueError):
    """Raised for a tuning that can't begin or go on. The message is one line that says why."""


@dataclass(frozen=True)
class TrialResult:
    """A trial that has ended."""

    number: int  # of its run
    pruned: bool
    value: float | None  # result of the last evaluation; None if it was pruned before the first
    settings: dict[str, Any]  # those that are searched

    def to_json(self) -> dict[str, Any]:
        """The result as JSON."""
        return vars(self)


@dataclass(frozen=True)
class Tuned:
    """What is known after a tuning, in the order of the trials."""

    trials: list[TrialResult]
    finished: bool

    @property
    def best(self) -> TrialResult | None:
        """The trial with the highest value among those that were not pruned."""
        whole = [trial for trial in self.trials if not trial.pruned and trial.value is not None]
        return max(whole, key=lambda trial: trial.value or 0.0, default=None)


ShowTrial = Callable[[TrialResult], None]


def tune(recipe: Recipe, folder: Path, show: Show, show_trial: ShowTrial) -> Tuned:
    """Search for better settings of a recipe, in a new folder."""
    for name in (TUNING, CHECKPOINT):
        if (folder / name).exists():
            raise TuningError(f"{folder} has a {name} already: resume it, or choose another folder")
    refuse_others(folder, {LOCK})
    folder.mkdir(parents=True, exist_ok=True)
    _write(folder / TUNING, json.dumps({"name": recipe.name, **recipe.to_json()}, indent=1))
    return _search(recipe, folder, show, show_trial)


def resume_tuning(folder: Path, trials: int | None, show: Show, show_trial: ShowTrial) -> Tuned:
    """Go on with the tuning in a folder, and if `trials` is given, up to another number of trials."""
    recipe = _read_settings(folder)
    if trials is not None:
        recipe = recipe_with(recipe, {"tune.trials": trials})
        _write(folder / TUNING, json.dumps({"name": recipe.name, **recipe.to_json()}, indent=1))
    return _search(recipe, folder, show, show_trial)


def _read_settings(folder: Path) -> Recipe:
    path = folder / TUNING
    try:
        said = json.loads(path.read_text(encoding="utf-8"))
        return recipe_of(str(said.pop("name")), said)
    except OSError as error:
        raise TuningError(f"{path}: {error.strerror}") from None
    except (ValueError, KeyError, TypeError, AttributeError, RecursionError) as error:
        raise TuningError(f"{path}: not the settings of a tuning ({' '.join(str(error).split())[:200]})") from None


# --- the search -----------------------------------------------------------------------------------------------------


def _search(recipe: Recipe, folder: Path, show: Show, show_trial: ShowTrial) -> Tuned:
    space = recipe.tune.searched
    with _locked(folder):
        study = _study(folder)
        _repeat_broken_trials(study)
        for trial in study.get_trials(states=ENDED):
            show_trial(_result(trial))
        while len(study.get_trials(states=ENDED)) < recipe.tune.trials:
            if not _try_settings(study, recipe, space, folder, show):
                return Tuned(_results(study), finished=False)
            _write_results(study, recipe, folder)
            show_trial(_results(study)[-1])
        _write_results(study, recipe, folder)
        return Tuned(_results(study), finished=True)


@contextmanager
def _locked(folder: Path) -> Iterator[None]:
    try:
        with FileLock(folder / LOCK, timeout=0):
            yield
    except Timeout:
        raise TuningError(f"{folder}: another process is tuning there") from None


def _study(folder: Path) -> optuna.Study:
    optuna.logging.set_verbosity(optuna.logging.ERROR)
    path = folder / JOURNAL
    try:
        storage = JournalStorage(JournalFileBackend(str(path)))
        pruner = MedianPruner(n_startup_trials=FIRST_WHOLE_TRIALS, n_warmup_steps=FIRST_JUDGED)
        return optuna.create_study(
            storage=storage, study_name=STUDY, direction="maximize", pruner=pruner, load_if_exists=True
        )
    except OSError:
        raise
    except Exception as error:  # a damaged journal fails in many ways
        raise TuningError(f"{path}: not a journal of Optuna ({' '.join(str(error).split())[:200]})") from None


def _repeat_broken_trials(study: optuna.Study) -> None:
    """Put trials that were cut off first in the queue, with the same settings; their runs go on from checkpoints."""
    for trial in study.get_trials(deepcopy=False, states=(TrialState.RUNNING,)):
        study.tell(trial.number, state=TrialState.FAIL)
        study.enqueue_trial(trial.params, user_attrs={RUN: _run_number(trial)})


def _try_settings(study: optuna.Study, recipe: Recipe, space: Space, folder: Path, show: Show) -> bool:
    """Run one trial. Returns False if it was interrupted, so that it goes on when the tuning does."""
    ended = len(study.get_trials(deepcopy=False, states=ENDED))
    # Each trial has random numbers of its own, so a tuning that was cut off goes on with the same settings.
    study.sampler = TPESampler(seed=recipe.seed + ended, n_startup_trials=max(4, min(10, recipe.tune.trials // 3)))
    trial = study.ask()
    if RUN not in trial.user_attrs:
        trial.set_user_attr(RUN, ended)
    changes = {key: _suggested(trial, key, values) for key, values in space.items()}
    tried = recipe_with(recipe, changes, name=f"{recipe.name}-{_run_number(trial)}")
    run = folder / f"trial-{_run_number(trial):03}"
    try:
        found = _run(tried, run, _Judge(trial, recipe.tune.objective, show))
    except optuna.TrialPruned:
        study.tell(trial, state=TrialState.PRUNED)
    else:
        if not found.finished:
            return False
        study.tell(trial, value_of(found.curve[-1], recipe.tune.objective))
    (run / CHECKPOINT).unlink(missing_ok=True)  # large, and no longer needed
    return True


class _Judge:
    """Reports each evaluation of a run to Optuna, and ends the run if it does badly."""

    def __init__(self, trial: optuna.Trial, objective: str, show: Show) -> None:
        self._trial, self._objective, self._show = trial, objective, show
        self._evaluations = 0

    def report(self, row: Row) -> None:
        """Report the next evaluation."""
        self._trial.report(value_of(row, self._objective), self._evaluations)
        self._evaluations += 1

    def __call__(self, status: Status) -> None:
        self._show(status)
        if status.row is not None:
            self.report(status.row)
            if status.decisions < status.recipe.decisions and self._trial.should_prune():
                raise optuna.TrialPruned


def _run(recipe: Recipe, folder: Path, judge: _Judge) -> Trained:
    """Train by the recipe, or go on with a run that was cut off."""
    if not (folder / CHECKPOINT).exists():
        return train(recipe, folder, judge)
    for row in read_checkpoint(folder).said["progress"]["curve"]:
        judge.report(row)
    return resume(folder, judge)


def value_of(row: Row, objective: str) -> float:
    """The result of an evaluation: the mean share of wins or lead in VP of all matches."""
    name = {"wins": "share", "lead": "lead"}[objective]
    return sum(float(match[name]) for match in row["matches"]) / len(row["matches"])


def _suggested(trial: optuna.Trial, key: str, values: Any) -> Any:
    if isinstance(values, list | tuple):  # Optuna keeps numbers and words alone, so lists are written as JSON
        return json.loads(trial.suggest_categorical(key, [json.dumps(value) for value in values]))
    low, high, log = values["low"], values["high"], bool(values.get("log", False))
    if isinstance(low, int) and isinstance(high, int):
        return trial.suggest_int(key, low, high, log=log)
    return trial.suggest_float(key, float(low), float(high), log=log)


# --- results --------------------------------------------------------------------------------------------------------


def _run_number(trial: "FrozenTrial | optuna.Trial") -> int:
    return int(trial.user_attrs.get(RUN, trial.number))


def _result(trial: FrozenTrial) -> TrialResult:
    settings = {
        key: json.loads(value) if isinstance(value, str) else value for key, value in sorted(trial.params.items())
    }
    last = trial.value if trial.value is not None else None
    if trial.state == TrialState.PRUNED and trial.intermediate_values:
        last = trial.intermediate_values[max(trial.intermediate_values)]
    return TrialResult(_run_number(trial), trial.state == TrialState.PRUNED, last, settings)


def _results(study: optuna.Study) -> list[TrialResult]:
    return [_result(trial) for trial in study.get_trials(states=ENDED)]


def _write_results(study: optuna.Study, recipe: Recipe, folder: Path) -> None:
    trials = _results(study)
    beside = folder / f".{TABLE}"
    with beside.open("w", newline="", encoding="utf-8") as file:
        writer = csv.writer(file)
        names = sorted(recipe.tune.searched)
        writer.writerow(["trial", "state", recipe.tune.objective, *names])
        for trial in trials:
            value = "" if trial.value is None else f"{trial.value:.6g}"
            state = "pruned" if trial.pruned else "complete"
            writer.writerow([trial.number, state, value, *(json.dumps(trial.settings.get(name)) for name in names)])
    beside.replace(folder / TABLE)
    if best := Tuned(trials, finished=False).best:
        _write(folder / BEST, recipe_text(recipe_with(recipe, best.settings), _origin(recipe, best)))


def _origin(recipe: Recipe, best: TrialResult) -> str:
    result = f"{recipe.tune.objective} {best.value:.4g}"
    return f"Trial {best.number} of a search for better settings of the recipe {recipe.name}: {result}"


def recipe_text(recipe: Recipe, comment: str) -> str:
    """A recipe as TOML that `fujikoro train` reads."""
    return f"# {comment}\n\n{tomli_w.dumps(json.loads(json.dumps(recipe.to_json())))}"


def _write(path: Path, text: str) -> None:
    beside = path.with_name(f".{path.name}")
    beside.write_text(text, encoding="utf-8")
    beside.replace(path)
