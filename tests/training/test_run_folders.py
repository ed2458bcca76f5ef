"""Folders of runs that are damaged, made by somebody else, or in use by another process."""

import errno
import io
import json
import os
import re
from pathlib import Path
from typing import Any, Final

import numpy as np
import pytest
import torch
from filelock import FileLock

import fuji_env
from fujikoro_app.cli import main
from fujikoro_app.commands.errors import UsageError
from fujikoro_app.commands.files import write_all
from fujikoro_env import BatchedGames, Game, Rules
from fujikoro_training.balance.settings import SettingsError, settings_of
from fujikoro_training.learning.checkpoint import optimizer_state
from fujikoro_training.learning.folder import LOCK, FolderError, locked, new_folder
from fujikoro_training.learning.progress import checked_progress
from tests.helpers.hostile import HOSTILE_INPUTS

DEEP = "[" * 200_000
MATCH = {"games of": "4 players", "opponent": "random", "games": 4, "share": 0.0, "low": 0, "high": 0.8, "lead": -1.5}
ROW = {"decisions": 0, "seconds": 0.0, "matches": [MATCH]}
PROGRESS = {"curve": [ROW], "next": {"evaluation": 1, "past": 2, "checkpoint": 3}, "seconds": 1.5}
ODD: Final[tuple[Any, ...]] = (None, True, "x", -1e400, 10**30, float("nan"), [], {}, [1], {"a": 1})


@pytest.mark.parametrize("arguments", [["small"], ["value"], ["pupil"], ["small", "--tune"]])
def test_a_training_leaves_the_files_of_others_as_they_are(arguments, tmp_path, capsys):
    (tmp_path / "curve.jsonl").write_text("theirs")
    assert main(["train", *arguments, "--out", str(tmp_path)]) == 2
    assert re.search(r"contains other files but no run; choose a new folder\n$", capsys.readouterr().err)
    assert [(path.name, path.read_text()) for path in tmp_path.iterdir()] == [("curve.jsonl", "theirs")]


def test_two_trainings_in_one_folder_are_one_too_many(tmp_path, capsys):
    with FileLock(tmp_path / LOCK):
        for recipe in ("small", "value"):
            assert main(["train", recipe, "--out", str(tmp_path)]) == 2
            assert capsys.readouterr().err == f"fujikoro: {tmp_path}: another process is training there\n"
    assert [path.name for path in tmp_path.iterdir()] in ([LOCK], [])


def test_a_run_that_was_killed_before_its_first_checkpoint_can_begin_anew(tmp_path):
    (tmp_path / "recipe.json").write_text("ours")
    with new_folder(tmp_path, ["recipe.json"]):
        pass
    with pytest.raises(FolderError, match="other files"), new_folder(tmp_path):
        pass
    with locked(tmp_path), pytest.raises(FolderError, match="another process"), locked(tmp_path):
        pass


def changed(value: Any, path: tuple[Any, ...], to: Any) -> Any:
    """A copy of plain data with another value at a path."""
    copy = json.loads(json.dumps(value))
    inner = copy
    for key in path[:-1]:
        inner = inner[key]
    inner[path[-1]] = to
    return copy


def paths_of(value: Any) -> list[tuple[Any, ...]]:
    """Paths to all values inside plain data."""
    items = value.items() if isinstance(value, dict) else enumerate(value) if isinstance(value, list) else ()
    return [path for key, inner in items for path in ((key,), *((key, *rest) for rest in paths_of(inner)))]


def test_damaged_progress_is_refused_or_harmless(record_property):
    tried = 0
    for path in paths_of(PROGRESS):
        for odd in ODD:
            tried += 1
            try:
                found = checked_progress(changed(PROGRESS, path, odd))
            except ValueError:
                continue
            assert all(isinstance(match["opponent"], str) for row in found["curve"] for match in row["matches"])
            assert float(found["seconds"]) < 1e18
            assert all(isinstance(value, int | float) for value in found["next"].values())
    assert checked_progress(PROGRESS) == PROGRESS
    record_property(HOSTILE_INPUTS, tried)


@pytest.mark.parametrize(
    ("file", "arguments", "told"),
    [
        ("manifest.json", ["balance", "report", "{}"], "not the manifest of a run"),
        ("manifest.json", ["report", "{}"], "not the manifest of a run"),
        (
            "manifest.json",
            ["dataset", "--by", "random", "--out", "{}"],
            "not the manifest of a dataset",
        ),
        ("recipe.json", ["train", "--resume", "{}"], "there is no checkpoint"),
        ("curve.jsonl", ["train", "--resume", "{}"], "there is no checkpoint"),
    ],
)
def test_deep_nesting_is_one_line(file, arguments, told, tmp_path, capsys):
    (tmp_path / file).write_text(DEEP)
    (tmp_path / "effects.parquet").touch()
    assert main([argument.format(tmp_path) for argument in arguments]) == 2
    said = capsys.readouterr().err
    assert told in said
    assert said.count("\n") == 1


def test_faults_of_settings_repeat_little_of_them():
    with pytest.raises(SettingsError) as error:
        settings_of({"experiment": "seats", "games": ["x" * 10_000], "y" * 10_000: 1})
    assert len(error.value.faults) == 2
    assert all(len(fault) < 1000 for fault in error.value.faults)


def test_the_folder_stays_free_after_an_error(tmp_path):
    folder = Path(tmp_path / "run")
    with pytest.raises(KeyError), new_folder(folder):
        raise KeyError
    with new_folder(folder):
        assert folder.is_dir()


@pytest.mark.parametrize(
    ("name", "array"),
    [
        ("0.step", np.zeros(0, np.float32)),
        ("0.exp_avg", np.zeros((2, 1), np.float32)),
        ("0.exp_avg", np.zeros(2)),
        ("0.exp_avg_sq", np.full(2, -1, np.float32)),
        ("0.exp_avg_sq", np.full(2, np.nan, np.float32)),
    ],
)
def test_a_damaged_state_of_the_optimizer_is_refused(name, array):
    parameters = [torch.nn.Parameter(torch.zeros(2))]
    sound = {"0.step": np.ones(1), "0.exp_avg": np.zeros(2), "0.exp_avg_sq": np.zeros(2)}
    arrays = {f"optimizer.{key}": value.astype(np.float32) for key, value in sound.items()}
    assert optimizer_state(arrays, parameters)[0].keys() == {"step", "exp_avg", "exp_avg_sq"}
    with pytest.raises(ValueError, match=rf"^optimizer\.{name}: "):
        optimizer_state({**arrays, f"optimizer.{name}": array}, parameters)


class FullDisk(io.StringIO):
    """A file on a disk that is full."""

    def __init__(self, name: Path) -> None:
        super().__init__()
        self.name = str(name)
        name.touch()

    def write(self, text: str) -> int:
        raise OSError(errno.ENOSPC, os.strerror(errno.ENOSPC))


def test_a_file_that_could_not_be_written_is_not_in_the_way(tmp_path):
    file = FullDisk(tmp_path / "page.html")
    with pytest.raises(UsageError, match=r"--out .*page.html: No space left on device"):
        write_all("--out", file, "text")
    assert not list(tmp_path.iterdir())


@pytest.mark.parametrize(
    "arguments",
    [
        ["train", "small"],
        ["dataset", "--by", "random", "--games", "1", "--players", "2"],
        ["balance", "seats", "--agents", "gatherer", "--games", "2", "--players", "2"],
    ],
)
def test_a_full_disk_gets_one_line_and_leaves_a_folder_that_can_be_used(arguments, tmp_path, monkeypatch, capsys):
    def replace(self: Path, target: Path) -> Path:
        raise OSError(errno.ENOSPC, os.strerror(errno.ENOSPC))

    monkeypatch.setattr(Path, "replace", replace)
    for _ in range(2):
        assert main([*arguments, "--out", str(tmp_path / "run")]) == 2
        assert capsys.readouterr().err == "fujikoro: No space left on device\n"


@pytest.mark.parametrize("make", [Game, fuji_env.Game, BatchedGames, fuji_env.BatchedGames])
@pytest.mark.parametrize("rules", [0, 7, "", "coop", {}, True, Rules])
def test_other_things_in_place_of_rules_are_refused(make, rules):
    with pytest.raises(TypeError, match=r"^rules=.*: give Rules\(\.\.\.\), or leave it out$"):
        make(rules)
