"""Builds a pack from the values of its files: parsing, hashing and checking, wherever the values come from."""

import hashlib
import json
from dataclasses import asdict, replace
from typing import Any

from fujikoro_env.content.check import check_structure
from fujikoro_env.content.model import Origin, Pack
from fujikoro_env.content.parse import parse_pack
from fujikoro_env.content.rulebook import has_rulebook_characters
from fujikoro_env.kernel.toml_tables import Fault, Values, documents_of

DIGEST_LENGTH = 16
UNSEEN = (
    "name",
    "edition",
    "changes",
    "digest",
    "source",
    "sources",
    "origin",
    "is_checked",
)  # keys that do not affect the rules


def build_pack(values: Values) -> tuple[Pack | None, list[Fault]]:
    """Return the pack with these values and its structural faults, whatever its edition. The pack is None if it can't
    be read completely, because the checks would report faults that only follow from the missing parts."""
    faults: list[Fault] = []
    pack = parse_pack(documents_of(values, faults))
    if faults:
        return None, faults
    return replace(pack, digest=pack_digest(pack)), check_structure(pack)


def finish_pack(pack: Pack, **about: Any) -> Pack:
    """Return a pack without faults as checked, with these fields set, so that `Rules` accepts it."""
    pack = replace(pack, **about)
    object.__setattr__(pack, "is_checked", True)
    return pack


def pack_digest(pack: Pack) -> str:
    """Return a hash of everything that affects the rules. It is equal for packs that play alike, whatever their names
    and sources."""
    seen = asdict(replace(pack, origin=Origin()))
    if has_rulebook_characters(pack):
        del seen["characters"]  # so that packs from before there were characters in packs keep their digests
    canonical = json.dumps(_seen(seen), sort_keys=True, separators=(",", ":"))
    return hashlib.sha256(canonical.encode()).hexdigest()[:DIGEST_LENGTH]


def _seen(value: object) -> object:
    if isinstance(value, dict):
        return {key: _seen(item) for key, item in value.items() if key not in UNSEEN}
    if isinstance(value, list | tuple):
        return [_seen(item) for item in value]
    return value
