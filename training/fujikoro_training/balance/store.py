"""Runs on disk: shards of some blocks of one cell each, written in one piece, a manifest and the settings.

A shard that is there is complete. After a kill the same command plays the missing ones. A folder holds games of one
version, content and set of agents only: anything else is refused.
"""

import json
import os
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any, Final

import pandas as pd
import pyarrow as pa
import pyarrow.parquet as pq
from filelock import FileLock, Timeout

from fujikoro_env import __version__
from fujikoro_env.record import engine_digest
from fujikoro_training.balance.playing import Rows
from fujikoro_training.balance.settings import Settings, SettingsError
from fujikoro_training.balance.team import TeamSettings, any_settings_of
from fujikoro_training.balance.team_games import fingerprint
from fujikoro_training.benchmark.fingerprint import tables_digests
from fujikoro_training.tournament.entrants import agent_digest
from fujikoro_training.tournament.store import StoreError, refuse_other_settings

FORMAT: Final = 1
MANIFEST, SETTINGS, LOCK, EFFECTS = "manifest.json", "settings.toml", ".lock", "effects.parquet"
TABLES: Final = ("games", "players", "actions", "decisions")
GAMES: Final = b"games"  # in the metadata of the effects: number of games that they were computed from
UNFINISHED: Final = ".part"  # end of the name of a file that is being written
AnySettings = Settings | TeamSettings


class RunError(ValueError):
    """A run that can't be read or continued; the message says why in one line."""


def manifest_of(settings: AnySettings, cells: list[Any]) -> dict[str, Any]:
    """Everything that determines the rows of a run."""
    names = sorted({name for cell in cells for name in cell.agents})
    return {
        "format": FORMAT,
        "settings": settings.to_json(),
        "games": sum(settings.blocks(cell) * cell.rotations for cell in cells),  # at most, if there is a precision
        "content": {f"{cell.label}, {cell.agent}, {cell.players}": cell.pack.digest for cell in cells},
        "package": __version__,
        **(fingerprint(settings) if isinstance(settings, TeamSettings) else _fingerprint(names)),
    }


def _fingerprint(names: list[str]) -> dict[str, Any]:
    """Digests of the code and the tables of this game, and of the agents."""
    agents = {name: agent_digest(name) for name in names}
    return {"engine": engine_digest(), **tables_digests(), "agents": agents}


def shard_files(rows: Rows) -> dict[str, bytes]:
    """Content of the files of a shard by table, in the order in which they are written."""
    found = {}
    for table in ("decisions", "actions", "players", "games"):
        if (columns := getattr(rows, table)) is not None:
            file = pa.BufferOutputStream()
            pq.write_table(columns, file, compression="zstd")
            found[table] = file.getvalue().to_pybytes()
    return found


class Store:
    """The folder of a run."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder

    @contextmanager
    def opened(self, settings: AnySettings, cells: list[Any]) -> Iterator[None]:
        """Begin or continue a run in this folder; one process at a time."""
        try:
            foreign = self.folder.is_dir() and not (self.folder / MANIFEST).exists()
            if foreign and any(path.name != LOCK and path.suffix != UNFINISHED for path in self.folder.iterdir()):
                raise RunError(f"{self.folder}: contains other files but no run; choose a new folder")
            self.folder.mkdir(parents=True, exist_ok=True)
            lock = FileLock(self.folder / LOCK, timeout=0)
            lock.acquire()
        except Timeout:
            raise RunError(f"{self.folder}: another process is working there") from None
        except OSError as error:
            raise RunError(f"{self.folder}: {error.strerror}") from None
        try:
            self._begin(settings, cells)
            yield
        finally:
            lock.release()

    def _begin(self, settings: AnySettings, cells: list[Any]) -> None:
        asked = manifest_of(settings, cells)
        if (self.folder / MANIFEST).exists():
            try:
                refuse_other_settings(self.folder, self.manifest(), asked, "run")
            except StoreError as error:
                raise RunError(str(error)) from None
        else:
            self._write_text(MANIFEST, json.dumps(asked, indent=1) + "\n")
            self._write_text(SETTINGS, settings.to_toml())
        for unfinished in self.folder.glob(f"*{UNFINISHED}"):
            unfinished.unlink()

    def manifest(self) -> dict[str, Any]:
        """The manifest of the run."""
        path = self.folder / MANIFEST
        try:
            found = json.loads(path.read_text(encoding="utf-8"))
        except OSError as error:
            raise RunError(f"{path}: {error.strerror}") from None
        except (ValueError, RecursionError):
            raise RunError(f"{path}: not the manifest of a run") from None
        if not isinstance(found, dict) or found.get("format") != FORMAT or not isinstance(found.get("settings"), dict):
            raise RunError(f"{path}: not the manifest of a run")
        return found

    def settings(self) -> AnySettings:
        """The settings of the run."""
        try:
            return any_settings_of(self.manifest()["settings"])
        except SettingsError as error:
            raise RunError(f"{self.folder / MANIFEST}: {error.faults[0]}") from None

    def name(self, table: str, cell: int, shard: int) -> Path:
        """File of a shard."""
        return self.folder / f"{table}-{cell:04d}-{shard:04d}.parquet"

    def has(self, cell: int, shard: int) -> bool:
        """Whether a shard is there. The table of games is written last."""
        return self.name("games", cell, shard).exists()

    def write(self, cell: int, shard: int, files: dict[str, bytes]) -> None:
        """Write the files of a shard in one piece each."""
        for table, content in files.items():
            path = self.name(table, cell, shard)
            beside = path.with_name(f"{path.name}.{os.getpid()}{UNFINISHED}")
            beside.write_bytes(content)
            beside.replace(path)

    def table(self, name: str, columns: list[str] | None = None) -> pd.DataFrame | None:
        """All rows of a table; None if there are none."""
        complete = {path.name.removeprefix("games-") for path in self.folder.glob("games-*.parquet")}
        paths = [
            path for path in sorted(self.folder.glob(f"{name}-*.parquet")) if path.name[len(name) + 1 :] in complete
        ]
        try:
            tables = [pq.read_table(path, columns=columns) for path in paths]
            return pa.concat_tables(tables, promote_options="default").to_pandas() if tables else None
        except (OSError, pa.ArrowException) as error:
            raise RunError(f"{self.folder}: a table of {name} can't be read: {str(error).splitlines()[0]}") from None

    def games(self) -> int:
        """Number of games, as written with the effects."""
        path = self.folder / EFFECTS
        try:
            metadata = pq.read_schema(path).metadata or {}
            return int(metadata[GAMES])
        except (OSError, pa.ArrowException, KeyError, ValueError):
            raise RunError(f"{path}: not the effects of a run") from None

    def write_effects(self, effects: pd.DataFrame) -> None:
        """Write the effects."""
        beside = self.folder / f"{EFFECTS}.{os.getpid()}{UNFINISHED}"
        games = sum(pq.read_metadata(path).num_rows for path in self.folder.glob("games-*.parquet"))
        table = pa.Table.from_pandas(effects, preserve_index=False)
        table = table.replace_schema_metadata({**(table.schema.metadata or {}), GAMES: str(games)})
        pq.write_table(table, beside, compression="zstd")
        beside.replace(self.folder / EFFECTS)

    def effects(self) -> pd.DataFrame:
        """The effects that were written."""
        path = self.folder / EFFECTS
        try:
            return pq.read_table(path).to_pandas()
        except FileNotFoundError:
            raise RunError(f"{self.folder}: has no results of an experiment ({EFFECTS})") from None
        except (OSError, pa.ArrowException) as error:
            raise RunError(f"{path}: can't be read: {str(error).splitlines()[0]}") from None

    def _write_text(self, name: str, text: str) -> None:
        beside = self.folder / f"{name}.{os.getpid()}{UNFINISHED}"
        beside.write_text(text, encoding="utf-8")
        beside.replace(self.folder / name)
