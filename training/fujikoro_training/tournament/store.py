"""A tournament on disk: a journal of its games, one line each, to which is only ever added; and its games as Parquet.

A line that a kill cut short is dropped when the journal is opened again, and its game is played again. The first line
holds the settings; who goes on with others is refused.
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
METADATA: Final = b"fujikoro.tournament"  # where the settings are in the Parquet file

Settings = dict[str, Any]

# One row for each game and seat, by game and then by seat.
SCHEMA: Final = pa.schema(
    [
        ("game", pa.int32()),  # number of the game, from 0
        ("block", pa.int32()),  # one line-up with one seed
        ("rotation", pa.int8()),  # within the block
        ("seed", pa.int64()),  # of the game
        ("seat", pa.int8()),
        ("agent", pa.dictionary(pa.int32(), pa.string())),
        ("character", pa.dictionary(pa.int32(), pa.string())),
        ("rank", pa.int8()),  # 1 for the first
        ("win", pa.float64()),  # share of the win: 1 / how many share the first rank
        ("vp", pa.int16()),
        ("reason", pa.dictionary(pa.int32(), pa.string())),  # why the game ended
        ("rounds", pa.int16()),  # of the game
        ("decisions", pa.int32()),  # of this seat
        ("seconds", pa.float64()),  # that its agent thought
        ("forfeit", pa.dictionary(pa.int32(), pa.string())),  # why; null for none
        ("forfeit_decision", pa.int32()),  # at which of its decisions, from 0; -1: before the first
        ("forfeit_detail", pa.string()),
    ]
)


class StoreError(ValueError):
    """A folder that can't be gone on with: one line that says why."""


def settings_digest(settings: Settings) -> str:
    return hashlib.sha256(json.dumps(settings, sort_keys=True).encode()).hexdigest()[:8]


class Journal:
    """Use it in a `with`: the folder is locked as long."""

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
            raise StoreError(f"{self.folder}: another tournament is at work there") from None
        except StoreError:
            self._file.close()
            raise
        return self

    def __exit__(self, _kind: type | None, _error: BaseException | None, _trace: TracebackType | None) -> None:
        self._file.close()

    def add(self, result: Result) -> None:
        self._write(asdict(result))
        self.results[result.game] = result

    def _read(self) -> None:
        self._file.seek(0)
        *lines, cut_short = self._file.read().split(b"\n")
        if lines:
            _refuse_other_settings(self.folder, _parsed(self.folder, lines[0]), self.settings)
        elif not _line(self.settings).startswith(cut_short):
            raise StoreError(f"{self.folder / JOURNAL}: is no journal of a tournament")
        for line in lines[1:]:
            result = _result(self.folder, line)
            self.results[result.game] = result
        self._file.truncate(sum(len(line) + 1 for line in lines))  # not before all is known to be ours
        if not lines:
            self._write(self.settings)

    def _write(self, whole: dict[str, Any]) -> None:
        """At once and in one piece, so that a kill loses nothing that was written before."""
        self._file.write(_line(whole))
        self._file.flush()


def _line(whole: dict[str, Any]) -> bytes:
    return json.dumps(whole).encode() + b"\n"


def _refuse_foreign(folder: Path) -> None:
    if folder.is_dir() and not (folder / JOURNAL).exists() and any(folder.iterdir()):
        raise StoreError(f"{folder}: holds other things than a tournament; name a new folder")


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
        raise StoreError(f"{folder / JOURNAL}: a line is no game; it begins {line[:40]!r}") from None


def _refuse_other_settings(folder: Path, there: Any, asked: Settings) -> None:
    if not isinstance(there, dict) or "format" not in there:
        raise StoreError(f"{folder / JOURNAL}: is no journal of a tournament")
    old, new = _flat(there), _flat(asked)
    for key in dict.fromkeys([*new, *old]):
        if old.get(key) != new.get(key):
            raise StoreError(
                f"{folder}: the tournament there has {key} {json.dumps(old.get(key))}, not "
                f"{json.dumps(new.get(key))}; go on with the same settings, or name a new folder"
            )


def _flat(settings: Settings) -> Settings:
    """Parts of parts by their names in a row, so that a difference is shown alone."""
    found: Settings = {}
    for key, value in settings.items():
        inner = _flat(value) if isinstance(value, dict) else None
        found |= {key: value} if inner is None else {f"{key}.{name}": part for name, part in inner.items()}
    return found


# Parquet


def write_parquet(folder: Path, games: Games, settings: Settings) -> Path:
    """In one piece: the file is the old one or the new one, never half of it."""
    schema = SCHEMA.with_metadata({METADATA: json.dumps({"format": FORMAT, **settings}).encode()})
    path, beside = folder / PARQUET, folder / f".{PARQUET}.{os.getpid()}"
    pq.write_table(pa.Table.from_pylist(list(rows_of(games)), schema), beside)
    beside.replace(path)
    return path


def rows_of(games: Games) -> Iterable[dict[str, Any]]:
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
