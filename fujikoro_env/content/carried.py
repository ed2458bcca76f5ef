"""How files identify the pack they need: its name or folder, the changes made in Python, and digests.

Positions, recordings, saved games and tournaments contain these keys, so that a derived pack can be derived again
wherever they are read.
"""

import json
from collections.abc import Mapping
from copy import deepcopy
from functools import cache, lru_cache
from pathlib import Path
from typing import Any, Final

from fujikoro_env.content.derive import derived
from fujikoro_env.content.load import load_pack
from fujikoro_env.content.model import Pack
from fujikoro_env.kernel.toml_tables import shown

KEYS: Final = ("content", "base_digest", "changes", "digest")
DEFAULT: Final = "base"
MOST_KEPT: Final = 64  # number of derived packs kept in memory


@cache
def pack_at(content: str | Path) -> Pack:
    """Load a pack like `load_pack`, but read each folder only once per process."""
    return load_pack(content)


def carried(pack: Pack) -> dict[str, Any]:
    """Return the keys that identify a pack in a file, as plain data."""
    origin = pack.origin
    changes = {"base_digest": origin.digest, "changes": deepcopy(list(origin.changes))} if origin.changes else {}
    return {"content": origin.content, **changes, "digest": pack.digest}


def carried_content(said: Mapping[str, Any], moved: str | Path | None = None) -> str | Path | Pack:
    """Return the content that a file names, in the form that `Rules` accepts. `moved` is the current folder if it has
    moved. An invalid name or list of changes raises `ValueError`; changes that can't be made raise its subclass
    `ContentError`."""
    content, changes = said.get("content", DEFAULT), said.get("changes", [])
    if not isinstance(content, str) or not content:
        raise ValueError(f"content: {shown(content)} is not the name of a content pack")
    if not isinstance(changes, list):
        raise ValueError(f"changes: {shown(changes)} is not a list of changes")
    return _derived(moved or content, _text(changes)) if changes else moved or content


def digest_fault(said: Mapping[str, Any], pack: Pack) -> str:
    """Return why the pack is not the one that the file was made with; "" if it is, or if the file does not say."""
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
