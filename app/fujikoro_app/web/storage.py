"""Games on disk: written while they are played, and read again when the server starts.

A game is a folder: `table.json` has its players and tokens, `start.json` is a recording of the game as it began, and
`moves.jsonl` gets a line for everything that happened since. A line that was cut off by the end of the process is
dropped. Only the owner of the server can read the folder, because of the tokens.
"""

import errno
import json
import os
from collections.abc import Iterator
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Any, Final

from fujikoro_app.web.lobby import Seat
from fujikoro_env.kernel.declared import THIS_GAME, find_game
from fujikoro_env.kernel.game import IllegalActionError
from fujikoro_env.kernel.record import RecordError, Recording, Replay
from fujikoro_env.kernel.session import Session, SessionError

TABLE, START, MOVES = "table.json", "start.json", "moves.jsonl"
OWNER_ONLY: Final = 0o700


class StorageError(ValueError):
    """A stored game that can't be read; the message is one line."""


@dataclass(frozen=True)
class Placed:
    """Access to a game: the seats as they were at the start, and a secret token for each person and the host."""

    seats: tuple[Seat, ...]
    tokens: tuple[str, ...]  # by seat; "" for agents
    host: str
    agents_seed: int
    game: str = THIS_GAME


class GameFiles:
    """The files of one game."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder

    def begin(self, placed: Placed, start: Recording) -> None:
        """Write a new game."""
        self.folder.mkdir(mode=OWNER_ONLY, parents=True)
        (self.folder / START).write_text(start.to_json(), encoding="utf-8")
        (self.folder / MOVES).touch()
        _write_whole(self.folder / TABLE, json.dumps(asdict(placed)))  # last: a folder without it is not a game

    def add(self, **happened: Any) -> None:
        """Append what happened: `action=17`, `undo_to=120`, or `seat=2, agent="shogun"` for a seat that changes. Raises
        `StorageError` if it can't be written as a whole; then nothing of it stays in the file."""
        line = json.dumps(happened).encode() + b"\n"
        try:
            with (self.folder / MOVES).open("ab", buffering=0) as file:  # in the file at once
                end = file.seek(0, os.SEEK_END)
                if file.write(line) != len(line):  # the disk is full
                    file.truncate(end)
                    raise OSError(errno.ENOSPC, os.strerror(errno.ENOSPC))
        except OSError as error:
            raise StorageError(f"the game can't be saved: {error.strerror}") from None

    def read(self) -> tuple[Placed, Session, list[dict[str, Any]]]:
        """The players, the game as it began, and what happened since."""
        try:
            placed = _placed(json.loads((self.folder / TABLE).read_text(encoding="utf-8")))
            declared = find_game(placed.game)
            start = declared.recording_class.from_json((self.folder / START).read_text(encoding="utf-8"))
            session: Session = declared.session_class.from_replay(Replay(start))
            return placed, session, list(self._moves())
        except OSError as error:
            raise StorageError(f"{self.folder}: {error.strerror}") from None
        except RecursionError:
            raise StorageError(f"{self.folder}: a file is nested too deeply") from None
        except (RecordError, SessionError, IllegalActionError, ValueError, KeyError, TypeError) as error:
            raise StorageError(f"{self.folder}: {' '.join(str(error).split())}") from None

    def _moves(self) -> Iterator[dict[str, Any]]:
        path = self.folder / MOVES
        *lines, cut_off = path.read_bytes().split(b"\n")
        for line in lines:
            found = json.loads(line)
            if not isinstance(found, dict):
                raise ValueError(f"{MOVES} has a line that is not an object")
            yield found
        if cut_off:
            os.truncate(path, path.stat().st_size - len(cut_off))


def stored_games(folder: Path) -> list[GameFiles]:
    """All games in a folder, the oldest first."""
    found = [path for path in folder.iterdir() if (path / TABLE).is_file()] if folder.is_dir() else []
    return [GameFiles(path) for path in sorted(found, key=lambda path: (path / TABLE).stat().st_mtime)]


def _write_whole(path: Path, text: str) -> None:
    """Write a file that is complete as soon as it exists."""
    part = path.with_suffix(".part")
    part.write_text(text, encoding="utf-8")
    part.replace(path)


def _placed(given: Any) -> Placed:
    seats = tuple(Seat(str(each["name"]), str(each["agent"])) for each in given["seats"])
    tokens, game = tuple(map(str, given["tokens"])), str(given.get("game", THIS_GAME))
    return Placed(seats, tokens, str(given["host"]), int(given["agents_seed"]), game)
