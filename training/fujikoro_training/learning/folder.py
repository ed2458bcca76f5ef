"""The folder of a training run: one process at a time works there, and files of others stay as they are."""

from collections.abc import Collection, Iterable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Final

from filelock import FileLock, Timeout

LOCK: Final = ".lock"
RECIPE: Final = "recipe.json"
UNFINISHED: Final = f".{RECIPE}"


class FolderError(ValueError):
    """Raised for a folder that can't be used. The message is one line that says why."""


@contextmanager
def new_folder(folder: Path, known: Iterable[str] = ()) -> Iterator[None]:
    """Make the folder of a new run, and keep other processes out. `known`: files that may be there already."""
    refuse_others(folder, {LOCK, UNFINISHED, *known})
    folder.mkdir(parents=True, exist_ok=True)
    with locked(folder):
        refuse_others(folder, {LOCK, UNFINISHED, *known})  # another process may just have ended a run here
        yield


def write_recipe(folder: Path, text: str) -> None:
    """Write the recipe of a run as a whole."""
    (folder / UNFINISHED).write_text(text)
    (folder / UNFINISHED).replace(folder / RECIPE)


@contextmanager
def locked(folder: Path) -> Iterator[None]:
    """Keep other processes out of the folder of a run."""
    try:
        lock = FileLock(folder / LOCK, timeout=0)
        lock.acquire()
    except Timeout:
        raise FolderError(f"{folder}: another process is training there") from None
    try:
        yield
    finally:
        lock.release()


def refuse_others(folder: Path, known: Collection[str]) -> None:
    """Refuse a folder that has files with other names than these."""
    if folder.is_dir() and any(path.name not in known for path in folder.iterdir()):
        raise FolderError(f"{folder}: contains other files but no run; choose a new folder")
