"""Loads content packs from folders of TOML files: shipped ones by name, others by path."""

from dataclasses import replace
from pathlib import Path

from fujikoro_env.content.build import build_pack, finish_pack
from fujikoro_env.content.check import check_rulebook
from fujikoro_env.content.errors import PACK, ContentError
from fujikoro_env.content.model import RULEBOOK, Origin, Pack
from fujikoro_env.content.read import read_values
from fujikoro_env.kernel.toml_tables import Fault, PackFolders

SHIPPED = PackFolders(__package__, PACK)


def load_pack(name_or_path: str | Path) -> Pack:
    """Load a pack by the name of a shipped pack or by folder; any fault raises `ContentError`."""
    pack, faults = _load(name_or_path)
    if pack is None or faults:
        raise ContentError(str(name_or_path), faults)
    return finish_pack(pack)


def check_pack(name_or_path: str | Path) -> list[Fault]:
    """Return all faults of a pack; `load_pack` accepts it if there are none."""
    return _load(name_or_path)[1]


def shipped_packs() -> tuple[str, ...]:
    """Return the names of the packs that come with the package."""
    return SHIPPED.names()


def _load(name_or_path: str | Path) -> tuple[Pack | None, list[Fault]]:
    """Return a pack and its faults; None if it can't be read completely."""
    folder, faults = SHIPPED.find(name_or_path)
    if faults:
        return None, faults
    values, faults = read_values(folder)
    if faults:
        return None, faults
    pack, faults = build_pack(values)
    if pack is None:
        return None, faults
    if pack.edition == RULEBOOK:
        faults += check_rulebook(pack)
    return replace(pack, origin=Origin(_said(name_or_path), pack.digest, (), values)), faults


def _said(name_or_path: str | Path) -> str:
    """Return the name or path that loads the pack again; absolute for a folder that has the name of a shipped pack."""
    is_hidden = isinstance(name_or_path, Path) and str(name_or_path) in shipped_packs()
    return str(Path(name_or_path).absolute() if is_hidden else name_or_path)
