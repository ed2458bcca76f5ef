"""How files say which pack they need: its name or folder, what was changed in Python, and digests.

Positions, recordings, saved games and tournaments carry these keys, so that a derived pack is derived again wherever
they are read.
"""

import json
from collections.abc import Mapping
from copy import deepcopy
from functools import cache, lru_cache
from pathlib import Path
from typing import Any, Final

from fujikoro_env.content.derive import derived
from fujikoro_env.content.errors import shown
from fujikoro_env.content.load import load_pack
from fujikoro_env.content.model import Pack

KEYS: Final = ("content", "base_digest", "changes", "digest")
DEFAULT: Final = "base"
MOST_KEPT: Final = 64  # derived packs, of the last files that were read


@cache
def pack_at(content: str | Path) -> Pack:
    """As `load_pack`, but a folder is read once in a process."""
    return load_pack(content)


def carried(pack: Pack) -> dict[str, Any]:
    """What a file says of a pack, as plain data."""
    origin = pack.origin
    changes = {"base_digest": origin.digest, "changes": deepcopy(list(origin.changes))} if origin.changes else {}
    return {"content": origin.content, **changes, "digest": pack.digest}


def carried_content(said: Mapping[str, Any], moved: str | Path | None = None) -> str | Path | Pack:
    """The content that a file names, as `Rules` takes it. `moved`: where its folder is now. What is no name, or no
    changes, raises `ValueError`; changes that can't be made raise `ContentError`, which is one."""
    content, changes = said.get("content", DEFAULT), said.get("changes", [])
    if not isinstance(content, str) or not content:
        raise ValueError(f"content: {shown(content)} is no name of a content pack")
    if not isinstance(changes, list):
        raise ValueError(f"changes: {shown(changes)} is no list of changes")
    return _derived(moved or content, _text(changes)) if changes else moved or content


def digest_fault(said: Mapping[str, Any], pack: Pack) -> str:
    """Why the pack is not the one that the file was made with; "" if it is, or if the file does not tell."""
    if said.get("digest") in (None, pack.digest):
        return ""
    was, now = said.get("base_digest"), pack.origin.digest
    why = f" ({pack.origin.content} is {now}, and was {shown(was)})" if pack.origin.changes and was != now else ""
    return f"content {pack} is {pack.digest}, not {shown(said['digest'])}{why}"


@lru_cache(MOST_KEPT)
def _derived(content: str | Path, changes: str) -> Pack:
    return derived(pack_at(content), *json.loads(changes))


def _text(changes: list[Any]) -> str:
    try:
        return json.dumps(changes)
    except RecursionError:
        raise ValueError("changes: they are nested too deeply") from None
