"""Storage of a tournament: an append-only journal with one line per game, and the games as a Parquet file.

A line that was cut off when the process was killed is dropped when the journal is opened again, and its game is
replayed. Every other line is checked. The first line holds the settings; continuing with different settings is refused.
"""

import hashlib
import json
import os
import secrets
from collections.abc import Iterable
from contextlib import suppress
from pathlib import Path
from types import TracebackType
from typing import Any, Final

import pyarrow as pa
import pyarrow.parquet as pq
from filelock import FileLock, Timeout

from fujikoro_env.kernel.text import one_line, shortened
from fujikoro_training.tournament.games import Games
from fujikoro_training.tournament.journal_lines import LineError, as_line, line_of, parsed, result_of
from fujikoro_training.tournament.match import Result

FORMAT: Final = 2
JOURNAL, PARQUET, LOCK = "games.jsonl", "games.parquet", "games.lock"
GO_ON: Final = "make room, then repeat the command to continue"
SALT: Final = "salt"  # the setting from which secret seeds are derived
LONGEST_SALT: Final = 64
METADATA: Final = b"fujikoro.tournament"  # key of the settings in the metadata of the Parquet file

Settings = dict[str, Any]

# One row per game and seat, ordered by game and seat.
SCHEMA: Final = pa.schema(
    [
        ("game", pa.int32()),  # number of the game, from 0
        ("block", pa.int32()),  # one line-up with one seed
        ("rotation", pa.int8()),  # within the block
        ("seed", pa.int64()),  # of the game
        ("seat", pa.int8()),
        ("agent", pa.dictionary(pa.int32(), pa.string())),
        ("character", pa.dictionary(pa.int32(), pa.string())),
        ("rank", pa.int8()),  # 1 is first
        ("win", pa.float64()),  # share of the win: 1 / number of seats that share rank 1
        ("vp", pa.int16()),
        ("reason", pa.dictionary(pa.int32(), pa.string())),  # why the game ended
        ("rounds", pa.int16()),  # of the game
        ("decisions", pa.int32()),  # of this seat
        ("seconds", pa.float64()),  # thinking time of its agent
        ("forfeit", pa.dictionary(pa.int32(), pa.string())),  # reason; null if there is none
        ("forfeit_decision", pa.int32()),  # number of the decision, from 0; -1: before the first
        ("forfeit_detail", pa.string()),
    ]
)


class StoreError(ValueError):
    """A folder that can't be continued; the message says why in one line."""


def settings_digest(settings: Settings) -> str:
    """Short digest of the settings."""
    return hashlib.sha256(json.dumps(settings, sort_keys=True).encode()).hexdigest()[:8]


class Journal:
    """Journal of a tournament, or of another set of games; a context manager that locks the folder.

    If the setting `salt` is None, the salt in the folder is used, or a new one is drawn (`self.settings`)."""

    def __init__(self, folder: Path, settings: Settings, what: str = "tournament") -> None:
        """`what`: name of the set of games in error messages."""
        self.folder, self.settings, self.what = folder, {"format": FORMAT, **settings}, what
        self.results: dict[int, Result] = {}  # by game
        self._path, self._lock = folder / JOURNAL, FileLock(folder / LOCK, timeout=0)

    def __enter__(self) -> "Journal":
        try:
            _refuse_foreign(self.folder, self.what)
            self.folder.mkdir(parents=True, exist_ok=True)
            self._lock.acquire()
        except Timeout:
            raise StoreError(f"{self.folder}: another process is playing a {self.what} there") from None
        except OSError as error:
            raise StoreError(f"{self.folder}: {error.strerror}") from None
        try:
            self._open()
        except BaseException:
            self._lock.release()
            raise
        return self

    def __exit__(self, _kind: type | None, _error: BaseException | None, _trace: TracebackType | None) -> None:
        self._file.close()
        self._lock.release()

    def add(self, result: Result) -> None:
        """Save a result."""
        self._write(as_line(result))
        self.results[result.game] = result

    def _open(self) -> None:
        try:
            self._file = self._path.open("ab+", buffering=0)  # what is written is in the file at once
        except OSError as error:
            raise StoreError(f"{self.folder}: {error.strerror}") from None
        try:
            self._read()
        except BaseException:
            self._file.close()
            raise

    def _read(self) -> None:
        self._file.seek(0)
        *lines, cut_short = self._file.read().split(b"\n")
        if not lines and not self._begins_like_ours(cut_short):
            raise StoreError(f"{self._path}: not a {self.what} journal")
        if lines:
            self._compare_settings(lines[0])
        for number, line in enumerate(lines[1:], 2):
            result = self._checked(number, line)
            self.results[result.game] = result
        self._file.truncate(sum(len(line) + 1 for line in lines))  # only once everything is known to be ours
        if not lines:
            self._draw_salt()
            self._write(line_of(self.settings))

    def _begins_like_ours(self, cut_short: bytes) -> bool:
        """Whether a first line that was cut off is ours, as far as the salt, which may have been drawn."""
        ours = line_of({key: value for key, value in self.settings.items() if key != SALT}).rstrip(b"}\n")
        return cut_short[: len(ours)] == ours[: len(cut_short)]

    def _compare_settings(self, line: bytes) -> None:
        try:
            there = parsed(line)
        except LineError as error:
            raise StoreError(f"{self._path}: line 1: {error}") from None
        if self.settings.get(SALT, "") is None and isinstance(there, dict) and is_salt(there.get(SALT)):
            self.settings[SALT] = there[SALT]
        refuse_other_settings(self.folder, there, self.settings, self.what)

    def _draw_salt(self) -> None:
        if self.settings.get(SALT, "") is None:
            self.settings[SALT] = secrets.token_hex(16)

    def _checked(self, number: int, line: bytes) -> Result:
        try:
            result = result_of(line)
            if result.game in self.results:
                raise LineError(f"game {result.game} is there twice")
            if len(result.ranks) != self.settings.get("seats", len(result.ranks)):
                raise LineError(f"a game of {len(result.ranks)} players; there are {self.settings['seats']} seats")
        except LineError as error:
            raise StoreError(f"{self._path}: line {number}: {error}") from None
        return result

    def _write(self, line: bytes) -> None:
        """Write a whole line, so that a kill loses nothing written before. Part of a line is taken back if there is no
        room for the rest."""
        end = self._file.seek(0, os.SEEK_END)
        left = memoryview(line)
        try:
            while left:
                left = left[self._file.write(left) :]
        except OSError as error:
            with suppress(OSError):
                self._file.truncate(end)
            raise StoreError(f"{self._path}: {error.strerror}; {len(self.results)} games are saved: {GO_ON}") from None


def is_salt(given: object) -> bool:
    """Whether this can be a salt: a word of 1 to 64 printable ASCII characters."""
    return isinstance(given, str) and 1 <= len(given) <= LONGEST_SALT and given.isascii() and given.isprintable()


def _refuse_foreign(folder: Path, what: str) -> None:
    if folder.is_dir() and not (folder / JOURNAL).exists() and any(path.name != LOCK for path in folder.iterdir()):
        raise StoreError(f"{folder}: contains other files but no {what}; choose a new folder")


def refuse_other_settings(folder: Path, there: Any, asked: Settings, what: str) -> None:
    """Raise `StoreError` with the first difference between the settings in a folder and those that are asked for."""
    if not isinstance(there, dict) or "format" not in there:
        raise StoreError(f"{folder / JOURNAL}: not a {what} journal")
    old, new = _flat(there), _flat(asked)
    for key in dict.fromkeys([*new, *old]):
        if old.get(key) != new.get(key):
            raise StoreError(
                f"{folder}: the {what} there has {one_line(key)} {_shown(old.get(key))}, not "
                f"{_shown(new.get(key))}; continue with the same settings, or choose a new folder"
            )


def _shown(value: Any) -> str:
    return shortened(json.dumps(value))


def _flat(settings: Settings) -> Settings:
    """Flatten nested settings to dotted names, so that a single difference can be shown."""
    found: Settings = {}
    for key, value in settings.items():
        inner = _flat(value) if isinstance(value, dict) else None
        found |= {key: value} if inner is None else {f"{key}.{name}": part for name, part in inner.items()}
    return found


# Parquet


def write_parquet(folder: Path, games: Games, settings: Settings) -> Path:
    """Write the Parquet file atomically: it is always the old or the new one, never a part."""
    schema = SCHEMA.with_metadata({METADATA: json.dumps({"format": FORMAT, **settings}).encode()})
    path, beside = folder / PARQUET, folder / f".{PARQUET}.{os.getpid()}"
    try:
        pq.write_table(pa.Table.from_pylist(list(rows_of(games)), schema), beside)
        beside.replace(path)
    except OSError as error:
        beside.unlink(missing_ok=True)
        raise StoreError(f"{path}: {error.strerror or one_line(str(error))}; all games are saved: {GO_ON}") from None
    return path


def rows_of(games: Games) -> Iterable[dict[str, Any]]:
    """Rows of the Parquet file."""
    for index, (match, result) in enumerate(zip(games.matches, games.results, strict=True)):
        for seat, agent in enumerate(match.seats):
            forfeit = result.forfeits.get(seat)
            yield {
                "game": match.game,
                "block": match.block,
                "rotation": match.rotation,
                "seed": match.seed,
                "seat": seat,
                "agent": games.labels[agent],
                "character": result.characters[seat],
                "rank": result.ranks[seat],
                "win": float(games.wins[index, seat]),
                "vp": result.vp[seat],
                "reason": result.reason,
                "rounds": result.rounds,
                "decisions": result.decisions[seat],
                "seconds": result.seconds[seat],
                "forfeit": forfeit.reason if forfeit else None,
                "forfeit_decision": forfeit.decision if forfeit else None,
                "forfeit_detail": forfeit.detail if forfeit else None,
            }
