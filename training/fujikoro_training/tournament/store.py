"""Storage of a tournament: an append-only journal with one line per game, and the games as a Parquet file.

A line that was cut off when the process was killed is dropped when the journal is opened again, and its game is
replayed. The first line holds the settings; continuing with different settings is refused.
"""

import fcntl
import hashlib
import json
import os
from collections.abc import Iterable
from dataclasses import asdict
from pathlib import Path
from types import TracebackType
from typing import Any, Final

import pyarrow as pa
import pyarrow.parquet as pq

from fujikoro_training.tournament.games import Games
from fujikoro_training.tournament.match import Forfeit, Result

FORMAT: Final = 1
JOURNAL, PARQUET = "games.jsonl", "games.parquet"
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
    """Journal of a tournament; a context manager that locks the folder."""

    def __init__(self, folder: Path, settings: Settings) -> None:
        self.folder, self.settings = folder, {"format": FORMAT, **settings}
        self.results: dict[int, Result] = {}  # by game

    def __enter__(self) -> "Journal":
        try:
            _refuse_foreign(self.folder)
            self.folder.mkdir(parents=True, exist_ok=True)
            self._file = (self.folder / JOURNAL).open("ab+")
        except OSError as error:
            raise StoreError(f"{self.folder}: {error.strerror}") from None
        try:
            fcntl.flock(self._file, fcntl.LOCK_EX | fcntl.LOCK_NB)
            self._read()
        except BlockingIOError:
            self._file.close()
            raise StoreError(f"{self.folder}: another process is playing a tournament there") from None
        except StoreError:
            self._file.close()
            raise
        return self

    def __exit__(self, _kind: type | None, _error: BaseException | None, _trace: TracebackType | None) -> None:
        self._file.close()

    def add(self, result: Result) -> None:
        """Save a result."""
        self._write(asdict(result))
        self.results[result.game] = result

    def _read(self) -> None:
        self._file.seek(0)
        *lines, cut_short = self._file.read().split(b"\n")
        if lines:
            _refuse_other_settings(self.folder, _parsed(self.folder, lines[0]), self.settings)
        elif not _line(self.settings).startswith(cut_short):
            raise StoreError(f"{self.folder / JOURNAL}: not a tournament journal")
        for line in lines[1:]:
            result = _result(self.folder, line)
            self.results[result.game] = result
        self._file.truncate(sum(len(line) + 1 for line in lines))  # only once everything is known to be ours
        if not lines:
            self._write(self.settings)

    def _write(self, whole: dict[str, Any]) -> None:
        """Write a whole line at once, so that a kill loses nothing written before."""
        self._file.write(_line(whole))
        self._file.flush()


def _line(whole: dict[str, Any]) -> bytes:
    return json.dumps(whole).encode() + b"\n"


def _refuse_foreign(folder: Path) -> None:
    if folder.is_dir() and not (folder / JOURNAL).exists() and any(folder.iterdir()):
        raise StoreError(f"{folder}: contains other files but no tournament; choose a new folder")


def _parsed(folder: Path, line: bytes) -> Any:
    try:
        return json.loads(line)
    except ValueError:
        raise StoreError(f"{folder / JOURNAL}: a line is damaged; it begins {line[:40]!r}") from None


def _result(folder: Path, line: bytes) -> Result:
    whole = _parsed(folder, line)
    try:
        forfeits = {int(seat): Forfeit(**forfeit) for seat, forfeit in whole.pop("forfeits").items()}
        return Result(**whole, forfeits=forfeits)
    except (AttributeError, KeyError, TypeError):
        raise StoreError(f"{folder / JOURNAL}: a line is not a game result; it begins {line[:40]!r}") from None


def _refuse_other_settings(folder: Path, there: Any, asked: Settings) -> None:
    if not isinstance(there, dict) or "format" not in there:
        raise StoreError(f"{folder / JOURNAL}: not a tournament journal")
    old, new = _flat(there), _flat(asked)
    for key in dict.fromkeys([*new, *old]):
        if old.get(key) != new.get(key):
            raise StoreError(
                f"{folder}: the tournament there has {key} {json.dumps(old.get(key))}, not "
                f"{json.dumps(new.get(key))}; continue with the same settings, or choose a new folder"
            )


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
    pq.write_table(pa.Table.from_pylist(list(rows_of(games)), schema), beside)
    beside.replace(path)
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
