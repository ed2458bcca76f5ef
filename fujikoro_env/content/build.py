"""A pack out of the values of its files: parsed, hashed and checked in one way, wherever the values come from."""

import hashlib
import json
from dataclasses import asdict, replace
from typing import Any

from fujikoro_env.content.check import check_structure
from fujikoro_env.content.errors import Fault
from fujikoro_env.content.model import Origin, Pack, Values
from fujikoro_env.content.parse import parse_pack
from fujikoro_env.content.read import documents_of

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
)  # keys that no rule looks at


def build_pack(values: Values) -> tuple[Pack | None, list[Fault]]:
    """The pack of these values and its faults, whatever its edition claims. A pack that can't be read whole is None:
    checks would blame what is only missing."""
    faults: list[Fault] = []
    pack = parse_pack(documents_of(values, faults))
    if faults:
        return None, faults
    return replace(pack, digest=pack_digest(pack)), check_structure(pack)


def finish_pack(pack: Pack, **about: Any) -> Pack:
    """A pack without faults, with what is to be known about it: `Rules` takes it from here on."""
    pack = replace(pack, **about)
    object.__setattr__(pack, "is_checked", True)
    return pack


def pack_digest(pack: Pack) -> str:
    """A hash of all that the rules see: equal for packs that play alike, whatever their names and sources."""
    canonical = json.dumps(_seen(asdict(replace(pack, origin=Origin()))), sort_keys=True, separators=(",", ":"))
    return hashlib.sha256(canonical.encode()).hexdigest()[:DIGEST_LENGTH]


def _seen(value: object) -> object:
    if isinstance(value, dict):
        return {key: _seen(item) for key, item in value.items() if key not in UNSEEN}
    if isinstance(value, list | tuple):
        return [_seen(item) for item in value]
    return value
