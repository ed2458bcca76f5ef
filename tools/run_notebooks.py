"""Runs the notebooks and stores their output: `python tools/run_notebooks.py [NOTEBOOK ...]`, or `make notebooks`.

`FUJIKORO_NOTEBOOK_GAMES` sets how many games the notebooks play; tests use a small number and store nothing.
"""

import subprocess
import sys
from pathlib import Path

import nbformat
from nbclient import NotebookClient

ROOT = Path(__file__).resolve().parent.parent
SECONDS_TO_START = 300  # allows for a busy machine
SECONDS_A_CELL = 900  # the first cell may have to compile the rules


def notebooks() -> list[Path]:
    """All notebooks of the project."""
    return sorted((ROOT / "notebooks").glob("*.ipynb"))


def executed(path: Path) -> nbformat.NotebookNode:
    """The notebook with the output of a new run; a cell that fails raises `CellExecutionError`."""
    notebook: nbformat.NotebookNode = nbformat.read(path, as_version=4)
    client = NotebookClient(
        notebook,
        timeout=SECONDS_A_CELL,
        kernel_name="python3",
        record_timing=False,
        coalesce_streams=True,
        startup_timeout=SECONDS_TO_START,
        resources={"metadata": {"path": str(path.parent)}},
    )
    client.execute()
    return notebook


def main(arguments: list[str]) -> None:
    """Run the given notebooks, or all, and store their output."""
    # Compiled here, so that no notebook is stored with the message that its first cell compiled the rules.
    subprocess.run([sys.executable, "-m", "fujikoro_app.cli", "warmup"], check=True)
    for path in map(Path, arguments) if arguments else notebooks():
        nbformat.write(executed(path), path)
        print(f"run: {path}")


if __name__ == "__main__":
    main(sys.argv[1:])
