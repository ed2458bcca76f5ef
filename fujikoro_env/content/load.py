"""Content packs from folders of TOML files: shipped ones by name, others by path."""

import hashlib
import json
from dataclasses import asdict, replace
from importlib import resources
from importlib.resources.abc import Traversable
from pathlib import Path

from fujikoro_env.content.check import check_rulebook, check_structure
from fujikoro_env.content.faults import PACK, ContentError, Fault
from fujikoro_env.content.model import RULEBOOK, Pack
from fujikoro_env.content.parse import parse_pack
from fujikoro_env.content.read import read_documents

DIGEST_LENGTH = 16
UNSEEN = ("name", "edition", "changes", "digest", "source", "sources")  # keys that no rule looks at


def load_pack(name_or_path: str | Path) -> Pack:
    """The pack of a shipped name or of a folder; a pack with any fault raises `ContentError`."""
    pack, faults = _load(name_or_path)
    if pack is None or faults:
        raise ContentError(str(name_or_path), faults)
    return pack


def check_pack(name_or_path: str | Path) -> list[Fault]:
    """All faults of a pack; none means that `load_pack` takes it."""
    return _load(name_or_path)[1]


def shipped_packs() -> tuple[str, ...]:
    """Names of the packs that come with the package."""
    neighbours = resources.files(__package__).iterdir()
    return tuple(sorted(path.name for path in neighbours if path.is_dir() and path.joinpath(PACK).is_file()))


def pack_digest(pack: Pack) -> str:
    """A hash of all that the rules see: equal for packs that play alike, whatever their names and sources."""
    canonical = json.dumps(_seen(asdict(pack)), sort_keys=True, separators=(",", ":"))
    return hashlib.sha256(canonical.encode()).hexdigest()[:DIGEST_LENGTH]


def _seen(value: object) -> object:
    if isinstance(value, dict):
        return {key: _seen(item) for key, item in value.items() if key not in UNSEEN}
    if isinstance(value, list | tuple):
        return [_seen(item) for item in value]
    return value


def _load(name_or_path: str | Path) -> tuple[Pack | None, list[Fault]]:
    """A pack and its faults. A pack that can't be read whole is None: checks would blame what is only missing."""
    folder = _folder(name_or_path)
    if not folder.is_dir():
        return None, [Fault("", "", f"no folder '{folder}'; the shipped packs are: {', '.join(shipped_packs())}")]
    documents, faults = read_documents(folder)
    if faults:
        return None, faults
    pack = parse_pack(documents)
    if faults:
        return None, faults
    pack = replace(pack, digest=pack_digest(pack))
    return pack, check_structure(pack) + (check_rulebook(pack) if pack.edition == RULEBOOK else [])


def _folder(name_or_path: str | Path) -> Traversable:
    """A string may name a shipped pack; a `Path` is always a folder."""
    if isinstance(name_or_path, str) and name_or_path in shipped_packs():
        return resources.files(__package__).joinpath(name_or_path)
    return Path(name_or_path)
