"""The format of saved games: a header as JSON, the game's record, and a checksum.

The checksum finds accidents. It is no protection against bytes made by somebody else, so everything that is read is
checked in any case, before a rule touches it: the header and the settings here, the bounds of all fields by the game.
"""

import hashlib
import json
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from functools import cache
from pathlib import Path
from typing import Any, Final, NamedTuple

import numpy as np

from fujikoro_env.kernel.records import dtype_of, zeros
from fujikoro_env.kernel.text import one_line, quoted

SIZE_BYTES: Final = 4  # length of the header
CHECKSUM_BYTES: Final = 16


class SavedGameError(ValueError):
    """Raised for bytes that are not a saved game, or not one that can be played. The message is one line."""


class SavedGame(NamedTuple):
    """What a saved game holds."""

    games: Any  # the record, as a batch of one
    rules: Any
    viewer: int | None  # the player whose view it is


def no_head(_rules: Any) -> dict[str, Any]:
    """The header of games whose record holds everything."""
    return {}


@dataclass(frozen=True)
class SavedFormat:
    """The format of one game.

    * `mark`: what its bytes begin with; `package`: its name in messages; `version`: of the format; `state`: its record
    * `read_rules`: returns the rules, from the settings of a record, the header and the current path of the content
      pack, if it has moved; it may raise `ValueError`, `LookupError` or `OSError`
    * `record_fault`: what is wrong with a record, given as a batch of one, under its rules; "" if nothing is
    * `head`: what else is needed to read a game under given rules, as plain data
    * `older`: by version that is not read any more, what to do about it
    """

    mark: bytes
    package: str
    version: int
    state: Any
    read_rules: Callable[[Any, dict[str, Any], str | Path | None], Any]
    record_fault: Callable[[Any, Any], str]
    head: Callable[[Any], dict[str, Any]] = no_head
    older: Mapping[int, str] = field(default_factory=dict)

    def write(self, games: Any, rules: Any, viewer: int | None) -> bytes:
        """Return a batch of one game as bytes."""
        kept = {"version": self.version, **self.head(rules), "layout": layout_digest(self.state), "viewer": viewer}
        written = json.dumps(kept).encode()
        whole: bytes = self.mark + len(written).to_bytes(SIZE_BYTES, "little") + written + games.tobytes()
        return whole + checksum(whole)

    def read(self, saved: Any, moved: str | Path | None = None) -> SavedGame:
        """Read a saved game. Its record is within its bounds, but may be an impossible position."""
        head, body = self._parts(saved)
        games = zeros(self.state, 1)
        games.view(np.uint8)[:] = np.frombuffer(body, np.uint8)
        try:
            rules = self.read_rules(games[0].settings, head, moved)
        except (ValueError, LookupError, OSError) as error:
            raise SavedGameError(f"saved game: {one_line(str(error))}") from None
        self.check_games(games, rules)
        return SavedGame(games, rules, _viewer(head, rules.players))

    def check_games(self, games: Any, rules: Any) -> None:
        """Raise `SavedGameError` unless all records of a batch have the settings that the rules write, and are within
        their bounds. They may still be impossible positions."""
        fresh = zeros(self.state, 1)
        rules.write_settings(fresh[0].settings)
        settings = fresh["settings"].tobytes()
        for k in range(len(games)):
            game = games[k : k + 1]
            if game["settings"].tobytes() != settings:
                raise SavedGameError("saved game: its settings do not fit together")
            if fault := self.record_fault(game, rules):
                raise SavedGameError(f"saved game: {fault}")

    def _parts(self, saved: Any) -> tuple[dict[str, Any], bytes]:
        """Return the header and the bytes of the record."""
        if not isinstance(saved, bytes | bytearray) or not saved.startswith(self.mark):
            raise SavedGameError(f"saved game: these bytes are not a saved game of {self.package}")
        saved = bytes(saved)
        start = len(self.mark) + SIZE_BYTES
        size = int.from_bytes(saved[len(self.mark) : start], "little")
        head, rest = _head(saved[start : start + size]), saved[start + size :]
        self._check_version(head.get("version"))
        if checksum(saved[:-CHECKSUM_BYTES]) != saved[-CHECKSUM_BYTES:]:
            raise SavedGameError("saved game: its checksum does not match, so the bytes are damaged")
        if head.get("layout") != layout_digest(self.state):
            raise SavedGameError(f"saved game: written by another version of {self.package}: read it with that version")
        body, expected = rest[:-CHECKSUM_BYTES], dtype_of(self.state).itemsize
        if len(body) != expected:
            raise SavedGameError(f"saved game: {len(body)} bytes of game data, expected {expected}")
        return head, body

    def _check_version(self, version: Any) -> None:
        if isinstance(version, int) and version in self.older:
            raise SavedGameError(f"saved game: {self.older[version]}")
        if version != self.version:
            found = quoted(version)
            raise SavedGameError(f"saved game: its format is {found}; this {self.package} reads {self.version}")


@cache
def layout_digest(state: Any) -> str:
    """Return a hash of the layout of a record."""
    return hashlib.sha256(repr(dtype_of(state).descr).encode()).hexdigest()[:16]


def checksum(data: bytes) -> bytes:
    """Return the checksum that is written after the data."""
    return hashlib.blake2b(data, digest_size=CHECKSUM_BYTES).digest()


def _head(text: bytes) -> dict[str, Any]:
    try:
        head = json.loads(text)
    except (ValueError, RecursionError):
        head = None
    if not isinstance(head, dict):
        raise SavedGameError("saved game: its header can't be read, so the bytes are damaged")
    return head


def _viewer(head: dict[str, Any], players: int) -> int | None:
    viewer = head.get("viewer")
    if viewer is not None and (type(viewer) is not int or not 0 <= viewer < players):
        raise SavedGameError(f"saved game: viewer {quoted(viewer)}: allowed are null and 0 to {players - 1}")
    return viewer
