"""`fujikoro train --tune`: spaces of settings, trials that are pruned, searches that go on, the files they leave."""

import csv
import json
from pathlib import Path
from typing import Any

import pytest

pytest.importorskip("sb3_contrib", reason="training is not installed: pip install -e '.[train]'")
pytest.importorskip("optuna", reason="tuning is not installed: pip install -e '.[tune]'")

from fujikoro_app.cli import main
from fujikoro_app.tuning import trials_table
from fujikoro_env.kernel.jit import INTERPRETED
from fujikoro_training.learning import tuning
from fujikoro_training.learning.recipe import USUAL_SPACE, RecipeError, read_recipe, recipe_of, recipe_with
from fujikoro_training.learning.run import Status, Trained
from fujikoro_training.learning.tuning import TuningError, resume_tuning, tune

compiled = pytest.mark.skipif(INTERPRETED, reason="plain Python plays too slowly")
SPACE = {"learning.learning_rate": {"low": 1e-4, "high": 1e-2, "log": True}, "network.layers": [[8], [4, 4]]}
TINY: dict[str, Any] = {
    "decisions": 120,
    "games": [{"players": 2, "max_rounds": 1}],
    "learning": {"games": 4, "steps": 10, "batch": 32},
    "evaluation": {"opponents": ["random"], "games": 2, "final_games": 2, "every": 40},
    "checkpoints": {"every": 1},
    "tune": {"trials": 3, "objective": "lead", "space": SPACE},
}


def tiny(**tune_settings):
    return recipe_of("tiny", {**TINY, "tune": {**TINY["tune"], **tune_settings}})


def nothing(_):
    pass


# spaces


def test_a_number_replaces_the_first_value_of_a_pair():
    recipe = recipe_with(read_recipe("small"), {"learning.entropy": 0.5, "network.layers": [4, 5], "seed": 3})
    assert (recipe.learning.entropy, recipe.network.layers, recipe.seed) == ((0.5, 0.005), (4, 5), 3)


def test_the_usual_space_is_allowed():
    recipe = recipe_of("usual", {"tune": {"space": USUAL_SPACE}})
    assert recipe.tune.searched == {key: recipe.tune.space[key] for key in USUAL_SPACE}
    assert recipe_of("none", {}).tune.searched is USUAL_SPACE


def test_spaces_may_be_nested_tables():
    nested = {"learning": {"epochs": [1, 2], "gamma": {"low": 0.9, "high": 1.0}}}
    assert list(tiny(space=nested).tune.space) == ["learning.epochs", "learning.gamma"]


@pytest.mark.parametrize(
    ("says", "space"),
    [
        ("tune.space: learning: 'rate' is not known; allowed are games,", {"learning.rate": [1, 2]}),
        ("tune.space: learning.gamma=2: allowed are numbers from 0 to 1", {"learning.gamma": {"low": 0.5, "high": 2}}),
        ("learning.epochs: allowed is a list of at least 2 values, or a range", {"learning.epochs": [1]}),
        ("learning.epochs: allowed is a list", {"learning.epochs": {"low": 1}}),
        ("learning.epochs: low must be below high", {"learning.epochs": {"low": 3, "high": 3}}),
        ("low must be below high, and above 0 with log", {"learning.gamma": {"low": 0.0, "high": 1.0, "log": True}}),
        ("tune.space.evaluation.games: evaluation can't be searched", {"evaluation.games": [1, 2]}),
    ],
)
def test_bad_spaces_get_one_line(says, space):
    with pytest.raises(RecipeError, match=says) as error:
        tiny(space=space)
    assert "\n" not in str(error.value)


def test_only_ppo_is_tuned(capsys):
    assert main(["train", "value", "--tune"]) == 2
    assert capsys.readouterr().err == "fujikoro: --tune is for recipes of PPO: value has another learner\n"


# searches


@compiled
def test_a_search_leaves_its_trials_and_the_best_as_a_recipe(tmp_path):
    shown: list[Any] = []
    found = tune(tiny(), tmp_path, nothing, shown.append)
    assert found.finished
    assert shown == found.trials
    with (tmp_path / "trials.csv").open() as file:
        rows = list(csv.DictReader(file))
    assert [row["trial"] for row in rows] == ["0", "1", "2"]
    assert [float(row["lead"]) for row in rows] == pytest.approx([trial.value for trial in found.trials], rel=1e-4)
    best = read_recipe(str(tmp_path / "best.toml"))
    assert found.best is not None
    assert list(best.network.layers) == found.best.settings["network.layers"]
    assert best.learning.learning_rate == (found.best.settings["learning.learning_rate"], 0.0)
    assert best.tune == tiny().tune
    last = json.loads((tmp_path / "trial-002" / "curve.jsonl").read_text().splitlines()[-1])
    assert found.trials[2].value == pytest.approx(last["matches"][0]["lead"])
    assert not list(tmp_path.glob("*/checkpoint.safetensors"))
    with pytest.raises(TuningError, match=r"has a tuning\.json already"):
        tune(tiny(), tmp_path, nothing, nothing)
    assert trials_table(found.trials).row_count == 3


class Killed(BaseException):
    """Stands for `kill -9`: nothing may be tidied up after it."""


@compiled
def test_a_killed_search_goes_on_with_the_same_trials(tmp_path):
    whole = tune(tiny(), tmp_path / "whole", nothing, nothing)
    trials = 0

    def count(_):
        nonlocal trials
        trials += 1

    def kill(status):
        if trials == 1 and status.decisions > 50:
            raise Killed

    with pytest.raises(Killed):
        tune(tiny(), tmp_path / "killed", kill, count)
    assert (tmp_path / "killed" / "trial-001" / "checkpoint.safetensors").exists()
    assert resume_tuning(tmp_path / "killed", None, nothing, nothing) == whole
    tables = [(tmp_path / name / "trials.csv").read_text() for name in ("killed", "whole")]
    assert tables[0] == tables[1]


def rows_of(shares):
    return [{"decisions": 10 * place, "matches": [{"share": share}]} for place, share in enumerate(shares)]


def test_bad_trials_end_early(tmp_path, monkeypatch):
    """Five good trials, then bad ones; the runs are invented."""
    made = []

    def invented(recipe, folder, judge):
        made.append(0)
        folder.mkdir()
        curve = rows_of([0.2, 0.5, 0.6, 0.7] if len(made) <= 5 else [0.2, 0.3, 0.3, 0.3])
        for row in curve:
            made[-1] += 1
            judge(Status(recipe, row["decisions"], row=row))
        return Trained(curve, {}, 0.0, finished=True)

    monkeypatch.setattr(tuning, "train", invented)
    found = tune(tiny(trials=7, objective="wins"), tmp_path, nothing, nothing)
    assert [trial.pruned for trial in found.trials] == [False] * 5 + [True] * 2
    assert made == [4] * 5 + [3] * 2
    assert found.trials[-1].value == pytest.approx(0.3)
    assert found.best is not None
    assert found.best.value == pytest.approx(0.7)
    more = resume_tuning(tmp_path, 8, nothing, nothing)
    assert (len(more.trials), more.trials[:7]) == (8, found.trials)


def test_an_interrupted_search_is_not_finished(tmp_path, monkeypatch):
    monkeypatch.setattr(tuning, "train", lambda *_: Trained([], {}, 0.0, finished=False))
    found = tune(tiny(), tmp_path, nothing, nothing)
    assert (found.finished, found.trials, found.best) == (False, [], None)


# the command


@compiled
def test_the_command(tmp_path, capsys):
    recipe = tmp_path / "mine.toml"
    recipe.write_text(
        "decisions = 60\n[[games]]\nplayers = 2\nmax_rounds = 1\n[network]\nlayers = [8]\n"
        "[learning]\ngames = 4\nsteps = 8\n[evaluation]\ngames = 2\nfinal_games = 2\n"
        '[tune.space]\n"learning.epochs" = [1, 2]\n'
    )
    out = str(tmp_path / "search")
    assert main(["train", str(recipe), "--tune", "--trials", "2", "--out", out]) == 0
    shown = capsys.readouterr()
    assert shown.err.count("trial ") == 2
    assert "with learning.epochs=" in shown.err
    assert f"train with: fujikoro train {Path(out) / 'best.toml'}" in shown.out
    assert main(["train", "--resume", out, "--trials", "3", "--json"]) == 0
    said = json.loads(capsys.readouterr().out)
    assert (said["finished"], len(said["trials"])) == (True, 3)
    assert main(["train", f"{out}/best.toml", "--out", str(tmp_path / "run")]) == 0


@pytest.mark.parametrize(
    ("says", "typed"),
    [
        ("--trials is for --tune", ["small", "--trials", "3"]),
        ("leave out --set, --out and --tune", ["--resume", "x", "--tune"]),
        ("--profile is for single runs", ["small", "--tune", "--profile"]),
        ("give a RECIPE", ["--tune"]),
        ("allowed is a TOML file or fuji, plans, ppo, pupil, small", ["nothing", "--tune"]),
        ("learning: 'rate' is not known", ["small", "--tune", "--set", 'tune.space={"learning.rate"=[1, 2]}']),
    ],
)
def test_bad_input_gets_one_line(says, typed, capsys, tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    assert main(["train", *typed]) == 2
    shown = capsys.readouterr().err
    assert says in shown
    assert shown.count("\n") == 1
    assert not list(tmp_path.iterdir())


@pytest.mark.parametrize("name", ["tuning.json", "study.log"])
def test_damaged_files_get_one_line(name, tmp_path, capsys, monkeypatch):
    monkeypatch.setattr(tuning, "train", lambda *_: Trained([], {}, 0.0, finished=False))
    tune(tiny(), tmp_path, nothing, nothing)
    (tmp_path / name).write_text("nonsense\nnonsense\n")
    assert main(["train", "--resume", str(tmp_path)]) == 2
    shown = capsys.readouterr().err
    assert name in shown
    assert shown.count("\n") == 1
