"""Storage of machine code on disk: where it is kept, and which files may be read.

Machine code is read by unpickling and then runs, so a file is read only if nobody but this user and the administrator
can have written it, and if its checksum is right. Everything else is passed over with one line on standard error that
names the folder, and compiled again. Nothing that happens here ends a run.

An entry is one file: a line with the format, the key of what it was compiled from and for, the checksum of the rest.
Nothing in it depends on where the sources lie. A wheel for one platform may bring machine code along (`SHIPPED`); it is
read like the rest, and what does not fit is compiled.
"""

import contextlib
import hashlib
import os
import stat
import sys
import tempfile
from collections.abc import Callable
from functools import cache
from pathlib import Path
from typing import Final, TypeVar

T = TypeVar("T")

FORMAT: Final = b"fujikoro machine code 1"
SUFFIX: Final = ".code"
HEAD: Final = len(FORMAT) + 2 * (1 + 64) + 1  # format, key and checksum, separated by spaces, and the end of the line
SHIPPED: Final = Path(__file__).resolve().parent.parent / "machine_code"  # part of some wheels
WRITABLE_BY_OTHERS: Final = stat.S_IWGRP | stat.S_IWOTH
ADMINISTRATOR: Final = 0
SAID: set[str] = set()  # lines printed so far


class UnusableError(Exception):
    """Raised for a file that must not be used. The message says why."""


def load(name: str, key: str, restore: Callable[[bytes], T]) -> T | None:
    """Restore the machine code of an entry from the first folder that has it, or return None. `name` is the path of its
    file in a folder, and `key` a hash of everything that the code depends on."""
    for folder in _folders():
        try:
            return restore(_read(folder / name, key))
        except (FileNotFoundError, NotADirectoryError):
            continue
        except Exception as error:  # a file that is whole may still not fit libraries that were exchanged since
            why = error.strerror if isinstance(error, OSError) else error
            _say(f"machine code in {folder} is not used: {why}")
    return None


def save(name: str, key: str, code: bytes) -> None:
    """Keep the machine code of an entry for later runs, if there is a folder for it."""
    try:
        folder = cache_folder()
    except OSError as error:
        _say(f"machine code is not kept: {error}")
        return
    try:
        _write(folder / name, _whole(key, code))
    except OSError as error:
        _say(f"machine code is not kept in {folder}: {error.strerror or error}")


def kept_file(name: str, key: str) -> bytes | None:
    """Return the whole file of an entry, head included, or None if no folder has one that may be used."""
    code = load(name, key, lambda code: code)
    return None if code is None else _whole(key, code)


def is_kept(name: str) -> bool:
    """Whether a folder has a file for an entry."""
    return any(os.access(folder / name, os.R_OK) for folder in _folders())


@cache
def cache_folder() -> Path:
    """Return the folder that new machine code is written to: the first writable one among FUJIKORO_CACHE, the user's
    cache folder and a temporary folder of this user's own."""
    candidates = _candidates()
    for folder in candidates:
        try:
            folder.mkdir(mode=0o700, parents=True, exist_ok=True)
            if folder != _temporary() or _is_private(folder):
                tempfile.TemporaryFile(dir=folder).close()
                return folder
        except OSError:
            continue
    raise OSError(f"no writable cache folder among {[str(c) for c in candidates]}: set FUJIKORO_CACHE to one")


def _folders() -> list[Path]:
    """Folders to read from. Unlike the one that is written to, they may be read-only."""
    return [*(folder for folder in _candidates() if folder != _temporary() or _is_private(folder)), SHIPPED]


def _candidates() -> list[Path]:
    found: list[Path] = []
    if chosen := os.environ.get("FUJIKORO_CACHE"):
        found.append(Path(chosen))
    with contextlib.suppress(RuntimeError):  # no home directory
        found.append(Path.home() / ".cache" / "fujikoro_env")
    if temporary := _temporary():
        found.append(temporary)
    return found


def _temporary() -> Path | None:
    with contextlib.suppress(OSError):  # no temporary folder at all
        return Path(tempfile.gettempdir()) / f"fujikoro_env-{os.getuid() if hasattr(os, 'getuid') else 'user'}"
    return None


def _is_private(folder: Path) -> bool:
    """Whether a folder belongs to this user and nobody else may write to it. Anybody can create a folder of any name in
    the system's temporary folder."""
    try:
        found = folder.lstat()
    except OSError:
        return False
    owned = not hasattr(os, "geteuid") or (found.st_uid == os.geteuid() and not found.st_mode & WRITABLE_BY_OTHERS)
    return stat.S_ISDIR(found.st_mode) and owned


# Files


def _read(path: Path, key: str) -> bytes:
    # Without O_NONBLOCK, opening a pipe would wait for a writer.
    opened = os.open(path, os.O_RDONLY | getattr(os, "O_NONBLOCK", 0) | getattr(os, "O_BINARY", 0))
    with os.fdopen(opened, "rb") as file:
        _check_owner(os.fstat(opened))
        content = file.read()
    return checked(content, key)


def checked(content: bytes, key: str) -> bytes:
    """Return the machine code in the content of a file, if it is whole and has this key."""
    head, code = content[:HEAD], content[HEAD:]
    if content == _whole(key, code):
        return code
    known = head.startswith(FORMAT) and len(head) == HEAD
    raise UnusableError("a file is damaged" if not known or key.encode() in head else "a file is of another version")


def _check_owner(found: os.stat_result) -> None:
    if not stat.S_ISREG(found.st_mode):
        raise UnusableError("a file is not a regular file")
    if hasattr(os, "geteuid"):
        if found.st_uid not in (os.geteuid(), ADMINISTRATOR):
            raise UnusableError("a file belongs to another user")
        if found.st_mode & WRITABLE_BY_OTHERS:
            raise UnusableError("other users may write to a file")


def _write(path: Path, content: bytes) -> None:
    """Write a file that appears complete or not at all, and that only this user can change."""
    path.parent.mkdir(mode=0o755, parents=True, exist_ok=True)
    made, beside = tempfile.mkstemp(dir=path.parent)
    try:
        with os.fdopen(made, "wb") as file:
            file.write(content)
        Path(beside).chmod(0o644)  # readable, for caches that an administrator fills for everybody
        Path(beside).replace(path)
    except BaseException:
        with contextlib.suppress(OSError):
            Path(beside).unlink()
        raise


def _whole(key: str, code: bytes) -> bytes:
    """The content of a file: its head and the machine code."""
    checksum = hashlib.sha256(code).hexdigest().encode()
    return b" ".join((FORMAT, key.encode(), checksum)) + b"\n" + code


def _say(text: str) -> None:
    if text not in SAID:
        SAID.add(text)
        print(f"fujikoro_env: {' '.join(text.split())}", file=sys.stderr)
