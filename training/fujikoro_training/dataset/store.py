"""Datasets on disk: shards of some games each, written in one piece, and a manifest.

A shard that is there is complete. After a kill, even `kill -9`, the same command plays the missing ones, and ends with
the same bytes as if it had not been interrupted.
"""

import hashlib
import json
import os
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from functools import cached_property, partial
from pathlib import Path
from typing import Any, Final

import pyarrow as pa
import pyarrow.parquet as pq
from filelock import FileLock, Timeout

from fujikoro_env import __version__
from fujikoro_env.kernel.thread_pool import cores
from fujikoro_env.player import make_agent
from fujikoro_env.position.writing import rules_of
from fujikoro_env.record import engine_digest
from fujikoro_env.settings import RulesError
from fujikoro_training.benchmark.fingerprint import tables_digests
from fujikoro_training.dataset.play import DatasetError, LineUp, RecordedGames
from fujikoro_training.tournament.entrants import agent_digest, digests
from fujikoro_training.tournament.store import StoreError, refuse_other_settings
from fujikoro_training.workers.chosen import opened
from fujikoro_training.workers.job import Calls, Workers

FORMAT: Final = 1
MANIFEST, LOCK = "manifest.json", ".lock"
DECISIONS_FILE, EPISODES_FILE = "decisions-{:05d}.parquet", "episodes-{:05d}.parquet"
UNFINISHED: Final = ".part"  # end of the name of a file that is being written


@dataclass(frozen=True)
class Plan:
    """Everything that determines the bytes of a dataset."""

    line_up: LineUp
    games: int
    shard_games: int

    def __post_init__(self) -> None:
        for name in dict.fromkeys(self.line_up.names):
            make_agent(name)
        try:
            self.line_up.rules.reward_kind(self.line_up.reward)
        except (RulesError, ValueError) as error:
            raise DatasetError(str(error)) from None

    @property
    def shards(self) -> list[range]:
        """Numbers of the games of each shard."""
        size = self.shard_games
        return [range(first, min(first + size, self.games)) for first in range(0, self.games, size)]

    @cached_property
    def settings(self) -> dict[str, Any]:
        """The plan as it is kept in the manifest."""
        line_up = self.line_up
        return {
            "format": FORMAT,
            "agents": list(line_up.names),
            "seed": line_up.seed,
            "games": self.games,
            "shard_games": self.shard_games,
            "reward": line_up.reward,
            "explanations": line_up.explanations,
            "rules": rules_of(line_up.rules),
            "engine": engine_digest(),
            **tables_digests(),
            "package": __version__,
            "code": {name: agent_digest(name) for name in dict.fromkeys(line_up.names)},
        }


def write_dataset(
    plan: Plan, folder: Path, jobs: int | Workers | None = None, say: Callable[[str], None] = lambda _: None
) -> dict[str, Any]:
    """Write all shards that are not there yet; return the manifest. `jobs`: a number of processes, or the
    workers that play the games. `say` is called with each line about the progress."""
    with _locked(folder):
        _begin(plan, folder)
        missing = [index for index in range(len(plan.shards)) if not _is_there(folder, index)]
        there = f", {len(plan.shards) - len(missing)} of them written before" if len(missing) < len(plan.shards) else ""
        files = f"{len(plan.shards)} shard{'s' if len(plan.shards) != 1 else ''}"
        say(f"{plan.games} games in {files}{there}; kept in {folder}")
        for done, index in enumerate(_written(plan, folder, missing, jobs or cores()), 1):
            say(f"shard {index} is written, {done} of {len(missing)}")
        shards = [_entry(folder, index) for index in range(len(plan.shards))]
        manifest = {"settings": plan.settings, "complete": True, "shards": shards}
        _write_text(folder / MANIFEST, manifest)
    return manifest


@contextmanager
def _locked(folder: Path) -> Iterator[None]:
    try:
        if folder.is_dir() and not (folder / MANIFEST).exists() and _has_others(folder):
            raise DatasetError(f"{folder}: contains other files but no dataset; choose a new folder")
        folder.mkdir(parents=True, exist_ok=True)
        lock = FileLock(folder / LOCK, timeout=0)
        lock.acquire()
    except Timeout:
        raise DatasetError(f"{folder}: another process is writing a dataset there") from None
    except OSError as error:
        raise DatasetError(f"{folder}: {error.strerror}") from None
    try:
        yield
    finally:
        lock.release()


def _has_others(folder: Path) -> bool:
    """Whether a folder has files that no dataset leaves behind, however early it ended."""
    return any(each.name != LOCK and not each.name.endswith(UNFINISHED) for each in folder.iterdir())


def _begin(plan: Plan, folder: Path) -> None:
    """Check that the folder is new or has the same plan, and remove files that an interrupted run left unfinished."""
    path = folder / MANIFEST
    if path.exists():
        try:
            refuse_other_settings(folder, read_manifest(folder)["settings"], plan.settings, "dataset")
        except StoreError as error:
            raise DatasetError(str(error)) from None
    else:
        _write_text(path, {"settings": plan.settings, "complete": False, "shards": []})
    for unfinished in folder.glob(f"*{UNFINISHED}"):
        unfinished.unlink()


def read_manifest(folder: Path) -> dict[str, Any]:
    """The manifest of a dataset."""
    try:
        found = json.loads((folder / MANIFEST).read_text(encoding="utf-8"))
        return {name: found[name] for name in ("settings", "complete", "shards")}
    except OSError as error:
        raise DatasetError(f"{folder / MANIFEST}: {error.strerror}") from None
    except (ValueError, KeyError, TypeError, RecursionError):
        raise DatasetError(f"{folder / MANIFEST}: not the manifest of a dataset") from None


def _is_there(folder: Path, index: int) -> bool:
    return all((folder / name.format(index)).exists() for name in (DECISIONS_FILE, EPISODES_FILE))


def _written(plan: Plan, folder: Path, missing: list[int], jobs: int | Workers) -> Iterator[int]:
    """Write shards; yield their numbers as they are finished."""
    job = Calls(partial(make_shard, plan), partial(digests, plan.line_up.names))
    with opened(jobs) as workers:
        for index, shard in workers.run(job, missing):
            for name, content in shard.items():
                _write_bytes(folder / name.format(index), content)
            yield index


def make_shard(plan: Plan, index: int) -> dict[str, bytes]:
    """Play the games of a shard; return the content of its files. The one that is written last comes last."""
    games = RecordedGames(plan.line_up, plan.shards[index])
    games.play()
    tables = {EPISODES_FILE: games.episodes(), DECISIONS_FILE: games.decisions()}
    return {name: _parquet(table) for name, table in tables.items()}


def _parquet(table: Any) -> bytes:
    file = pa.BufferOutputStream()
    pq.write_table(table, file, compression="zstd")
    content: bytes = file.getvalue().to_pybytes()
    return content


def _entry(folder: Path, index: int) -> dict[str, Any]:
    """What the manifest says of a shard."""
    files = [name.format(index) for name in (DECISIONS_FILE, EPISODES_FILE)]
    return {
        "decisions": pq.read_metadata(folder / files[0]).num_rows,
        "episodes": pq.read_metadata(folder / files[1]).num_rows,
        "sha256": {name: hashlib.sha256((folder / name).read_bytes()).hexdigest() for name in files},
    }


def _beside(path: Path) -> Path:
    """Name of a file while it is written. Each process has its own, so that two never write to the same file."""
    return path.with_name(f"{path.name}.{os.getpid()}{UNFINISHED}")


def _write_text(path: Path, whole: dict[str, Any]) -> None:
    """Write JSON in one piece: the file is always the old or the new one."""
    _write_bytes(path, (json.dumps(whole, indent=1) + "\n").encode())


def _write_bytes(path: Path, content: bytes) -> None:
    beside = _beside(path)
    beside.write_bytes(content)
    beside.replace(path)
