"""The format of saved games: a header as JSON, the game's record, and a checksum.

The checksum finds accidents. It is no protection against bytes made by somebody else, so everything that is read is
checked in any case, before a rule touches it: the header, the rules in the record, and the bounds of all fields.
"""

import hashlib
import json
from functools import cache
from pathlib import Path
from typing import Any, Final, NamedTuple

import numpy as np

from fujikoro_env.content import Pack
from fujikoro_env.content.carried import carried, carried_content, digest_fault
from fujikoro_env.kernel.records import dtype_of, zeros
from fujikoro_env.kernel.text import one_line, quoted
from fujikoro_env.rules.base.state import State
from fujikoro_env.rules.engine.bounds import record_fault
from fujikoro_env.settings import Rules

FILE_MARK: Final = b"FUJIKORO"
FILE_VERSION: Final = 2
SIZE_BYTES: Final = 4  # length of the header
CHECKSUM_BYTES: Final = 16
HEAD_AT: Final = len(FILE_MARK) + SIZE_BYTES


class SavedGameError(ValueError):
    """Raised for bytes that are not a saved game, or not one that can be played. The message is one line."""


class SavedGame(NamedTuple):
    """What a saved game holds."""

    games: Any  # the record, as a batch of one
    rules: Rules
    viewer: int | None  # the player whose view it is


def saved_bytes(games: Any, pack: Pack, viewer: int | None) -> bytes:
    """Return a game as bytes."""
    head = json.dumps({"version": FILE_VERSION, **carried(pack), "layout": _layout_digest(), "viewer": viewer}).encode()
    whole: bytes = FILE_MARK + len(head).to_bytes(SIZE_BYTES, "little") + head + games.tobytes()
    return whole + checksum(whole)


def checksum(data: bytes) -> bytes:
    """Return the checksum that is written after the data."""
    return hashlib.blake2b(data, digest_size=CHECKSUM_BYTES).digest()


def read_saved(saved: bytes, content: str | Path | None = None) -> SavedGame:
    """Read a saved game. Its record is within its bounds, but may be an impossible position. `content`: the current
    path of the content pack, if it has moved."""
    head, body = _parts(saved)
    games = zeros(State, 1)
    games.view(np.uint8)[:] = np.frombuffer(body, np.uint8)
    rules = _rules(games, head, content)
    check_games(games, rules)
    return SavedGame(games, rules, _viewer(head, rules))


def check_games(games: Any, rules: Rules) -> None:
    """Raise `SavedGameError` unless all records of a batch have the settings that the rules write, and are within their
    bounds. They may still be impossible positions."""
    fresh = zeros(State, 1)
    rules.write_settings(fresh[0].settings)
    settings = fresh["settings"].tobytes()
    for k in range(len(games)):
        game = games[k : k + 1]
        if game["settings"].tobytes() != settings:
            raise SavedGameError("saved game: its settings do not fit together")
        if fault := record_fault(game, rules.players, rules.seats):
            raise SavedGameError(f"saved game: {fault}")


@cache
def _layout_digest() -> str:
    return hashlib.sha256(repr(dtype_of(State).descr).encode()).hexdigest()[:16]


def _parts(saved: Any) -> tuple[dict[str, Any], bytes]:
    """Return the header and the bytes of the record."""
    if not isinstance(saved, bytes | bytearray) or not saved.startswith(FILE_MARK):
        raise SavedGameError("saved game: these bytes are not a saved game of fujikoro_env")
    saved = bytes(saved)
    size = int.from_bytes(saved[len(FILE_MARK) : HEAD_AT], "little")
    head, rest = _head(saved[HEAD_AT : HEAD_AT + size]), saved[HEAD_AT + size :]
    _check_version(head)
    if checksum(saved[:-CHECKSUM_BYTES]) != saved[-CHECKSUM_BYTES:]:
        raise SavedGameError("saved game: its checksum does not match, so the bytes are damaged")
    if head.get("layout") != _layout_digest():
        raise SavedGameError("saved game: written by another version of fujikoro_env: read it with that version")
    body, expected = rest[:-CHECKSUM_BYTES], dtype_of(State).itemsize
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


def _check_version(head: dict[str, Any]) -> None:
    version = head.get("version")
    if version == 1:
        raise SavedGameError(
            "saved game: written in format 1, which had no checksum: read it with the version that wrote it, and "
            "save it with to_json()"
        )
    if version != FILE_VERSION:
        raise SavedGameError(f"saved game: its format is {quoted(version)}; this fujikoro_env reads {FILE_VERSION}")


def _rules(games: Any, head: dict[str, Any], moved: str | Path | None) -> Rules:
    """Return the rules of the game."""
    try:
        rules = Rules.read_settings(games[0].settings, carried_content(head, moved))
        fault = digest_fault(head, rules.pack)
    except (ValueError, LookupError, OSError) as error:
        raise SavedGameError(f"saved game: {one_line(str(error))}") from None
    if fault:
        raise SavedGameError(f"saved game: {one_line(fault)}")
    return rules


def _viewer(head: dict[str, Any], rules: Rules) -> int | None:
    viewer = head.get("viewer")
    if viewer is not None and (type(viewer) is not int or not 0 <= viewer < rules.players):
        raise SavedGameError(f"saved game: viewer {quoted(viewer)}: allowed are null and 0 to {rules.players - 1}")
    return viewer
