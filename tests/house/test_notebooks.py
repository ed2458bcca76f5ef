"""The notebooks run from top to bottom on small numbers, and are stored with the output of a whole run."""

from importlib import import_module
from pathlib import Path
from typing import Any

import pytest

MISSING = "the extra notebooks is not installed: pip install 'fujikoro_env[notebooks]'"
pytest.importorskip("nbclient", reason=MISSING)
nbformat = pytest.importorskip("nbformat", reason=MISSING)
runner = import_module("tools.run_notebooks")

NEEDS_TRAINING = ("03_training.ipynb",)
NAMES = [path.name for path in runner.notebooks()]


def code_cells(notebook: Any) -> list[Any]:
    return [cell for cell in notebook.cells if cell.cell_type == "code"]


def pictures(notebook: Any) -> int:
    kinds = [kind for cell in code_cells(notebook) for output in cell.outputs for kind in output.get("data", ())]
    return sum(kind.startswith("image/") for kind in kinds)


def notebook_at(name: str) -> Path:
    return Path(next(path for path in runner.notebooks() if path.name == name))


def test_there_are_notebooks():
    assert [name[:2] for name in NAMES] == ["01", "02", "03", "04", "05"]


@pytest.mark.parametrize("name", NAMES)
def test_notebook_is_stored_with_its_output(name):
    stored = nbformat.read(notebook_at(name), as_version=4)
    assert [cell.execution_count for cell in code_cells(stored)] == list(range(1, len(code_cells(stored)) + 1))
    assert pictures(stored) >= 3
    assert not [out for cell in code_cells(stored) for out in cell.outputs if out.get("name") == "stderr"]


@pytest.mark.slow
@pytest.mark.filterwarnings("default")  # the libraries of Jupyter warn of each other
@pytest.mark.parametrize("name", NAMES)
def test_notebook_runs(name, monkeypatch):
    if name in NEEDS_TRAINING:
        pytest.importorskip("sb3_contrib", reason="training is not installed: pip install -e '.[train]'")
    monkeypatch.setenv("FUJIKORO_NOTEBOOK_GAMES", "4")
    assert pictures(runner.executed(notebook_at(name))) >= 3
