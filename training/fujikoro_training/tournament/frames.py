"""Messages between a tournament and the process of an isolated agent: a JSON head and, for views, bytes of a record.

A frame is the length of the head and that of the body (4 bytes each, little-endian), the head, and the body. Frames are
not pickles: reading one runs no code.
"""

import json
from typing import IO, Any, Final

import numpy as np

from fujikoro_env.game import Game
from fujikoro_env.kernel.records import dtype_of, zeros
from fujikoro_env.rules.base.actions import WORDS
from fujikoro_env.rules.base.state import State
from fujikoro_env.settings import Rules

SIZES: Final = 8  # bytes: the lengths of head and body
LONGEST_HEAD: Final = 1 << 24  # of requests: changes to a content pack may be long
LONGEST_ANSWER: Final = 4096  # bytes

Head = dict[str, Any]


class FrameError(ValueError):
    """Bytes that are no frame; the message says why."""


def write_frame(file: IO[bytes], head: Head, body: bytes = b"") -> None:
    """Send a frame."""
    written = json.dumps(head).encode()
    file.write(len(written).to_bytes(4, "little") + len(body).to_bytes(4, "little") + written + body)
    file.flush()


def read_frame(file: IO[bytes], longest_head: int, longest_body: int) -> tuple[Any, bytes]:
    """Receive a frame: the JSON value of its head, and its body. Raises `EOFError` at the end of the file, and
    `FrameError` if a length is above its limit, before anything of that length is read."""
    sizes = _exactly(file, SIZES)
    head, body = int.from_bytes(sizes[:4], "little"), int.from_bytes(sizes[4:], "little")
    if head > longest_head or body > longest_body:
        raise FrameError("it is too long")
    written = _exactly(file, head)
    try:
        return json.loads(written), _exactly(file, body)
    except (ValueError, RecursionError):
        raise FrameError("it is not JSON") from None


def _exactly(file: IO[bytes], size: int) -> bytes:
    found = file.read(size)
    if len(found) < size:
        raise EOFError
    return found


# Views


def view_size() -> int:
    """Bytes of a view: the record and the mask of legal actions."""
    return int(dtype_of(State).itemsize) + 4 * WORDS


def view_bytes(view: Game) -> bytes:
    """A view as bytes: its record, in which everything hidden is blank, and its legal actions. Nothing else is sent."""
    if view.viewer is None:
        raise ValueError("this is a game, not a player's view")
    record, mask = np.asarray(view.compiled.games), np.asarray(view.compiled.masks)
    return record.tobytes() + mask.tobytes()


def record_of(sent: bytes) -> Any:
    """The record of a view that `view_bytes` wrote, as an array of length 1."""
    games = zeros(State, 1)
    games.view(np.uint8)[:] = np.frombuffer(sent[: games.nbytes], np.uint8)
    return games


def view_of(sent: bytes, viewer: int, rules: Rules) -> Game:
    """The view that `view_bytes` wrote."""
    record = record_of(sent)
    return Game.of_record(record, rules, viewer, np.frombuffer(sent[record.nbytes :], np.uint32))
