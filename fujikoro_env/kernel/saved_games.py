"""The format of saved games: a header as JSON, the game's record, and a checksum.

The checksum finds accidents. It is no protection against bytes made by somebody else, so everything that is read is
checked in any case, before a rule touches it: the header here, the settings and the bounds of all fields by the game.
"""

import hashlib
import json
from dataclasses import dataclass
from typing import Any, Final

import numpy as np

from fujikoro_env.kernel.records import dtype_of, zeros
from fujikoro_env.kernel.text import quoted

SIZE_BYTES: Final = 4  # length of the header
CHECKSUM_BYTES: Final = 16


class SavedGameError(ValueError):
    """Raised for bytes that are not a saved game, or not one that can be played. The message is one line."""


@dataclass(frozen=True)
class SavedFormat:
    """The format of one game: the mark that its bytes begin with, its name in messages, its version and its record."""

    mark: bytes
    package: str
    version: int
    state: type[Any]

    def write(self, games: Any, head: dict[str, Any]) -> bytes:
        """Return a batch of one game as bytes, with a header that says what else is needed to read it."""
        written = json.dumps({"version": self.version, "layout": self.layout_digest, **head}).encode()
        whole: bytes = self.mark + len(written).to_bytes(SIZE_BYTES, "little") + written + games.tobytes()
        return whole + _checksum(whole)

    def read(self, saved: Any) -> tuple[Any, dict[str, Any]]:
        """Return the record, as a batch of one, and the header. The record is not checked."""
        head, body = self._parts(saved)
        games = zeros(self.state, 1)
        games.view(np.uint8)[:] = np.frombuffer(body, np.uint8)
        return games, head

    @property
    def layout_digest(self) -> str:
        """A hash of the layout of the record."""
        return hashlib.sha256(repr(dtype_of(self.state).descr).encode()).hexdigest()[:16]

    def _parts(self, saved: Any) -> tuple[dict[str, Any], bytes]:
        if not isinstance(saved, bytes | bytearray) or not saved.startswith(self.mark):
            raise SavedGameError(f"saved game: these bytes are not a saved game of {self.package}")
        saved = bytes(saved)
        start = len(self.mark) + SIZE_BYTES
        size = int.from_bytes(saved[len(self.mark) : start], "little")
        head, rest = _head(saved[start : start + size]), saved[start + size :]
        if head.get("version") != self.version:
            found = quoted(head.get("version"))
            raise SavedGameError(f"saved game: its format is {found}; this {self.package} reads {self.version}")
        if _checksum(saved[:-CHECKSUM_BYTES]) != saved[-CHECKSUM_BYTES:]:
            raise SavedGameError("saved game: its checksum does not match, so the bytes are damaged")
        if head.get("layout") != self.layout_digest:
            raise SavedGameError(f"saved game: written by another version of {self.package}: read it with that version")
        body, expected = rest[:-CHECKSUM_BYTES], dtype_of(self.state).itemsize
        if len(body) != expected:
            raise SavedGameError(f"saved game: {len(body)} bytes of game data, expected {expected}")
        return head, body


def _head(text: bytes) -> dict[str, Any]:
    try:
        head = json.loads(text)
    except (ValueError, RecursionError):
        head = None
    if not isinstance(head, dict):
        raise SavedGameError("saved game: its header can't be read, so the bytes are damaged")
    return head


def _checksum(data: bytes) -> bytes:
    return hashlib.blake2b(data, digest_size=CHECKSUM_BYTES).digest()
