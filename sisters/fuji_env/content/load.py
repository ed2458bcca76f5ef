"""Loads content packs from folders of TOML files: shipped ones by name, others by path."""

import hashlib
from dataclasses import replace
from pathlib import Path

from fuji_env.content.check import check
from fuji_env.content.model import Condition, Die, Equipment, Level, Pack, Scenario, Skill
from fujikoro_env.kernel.toml_tables import ContentError, Fault, PackFolders, TomlTable, read_documents

FILES = (
    "pack.toml",
    "dice.toml",
    "conditions.toml",
    "levels.toml",
    "scenarios.toml",
    "skills.toml",
    "equipment.toml",
    "track.toml",
)
SHIPPED = PackFolders(__package__, FILES[0])


def load_pack(name_or_path: str | Path) -> Pack:
    """Load a pack by the name of a shipped pack or by folder; any fault raises `ContentError`."""
    pack, faults = _load(name_or_path)
    if pack is None or faults:
        raise ContentError(str(name_or_path), faults)
    return pack


def check_pack(name_or_path: str | Path) -> list[Fault]:
    """Return all faults of a pack; `load_pack` accepts it if there are none."""
    return _load(name_or_path)[1]


def shipped_packs() -> tuple[str, ...]:
    """Return the names of the packs that come with the package."""
    return SHIPPED.names()


def _load(name_or_path: str | Path) -> tuple[Pack | None, list[Fault]]:
    folder, faults = SHIPPED.find(name_or_path)
    if faults:
        return None, faults
    documents, faults = read_documents(folder, FILES)
    if faults:
        return None, faults
    pack = _parse(documents)
    return pack, faults or check(pack)


def _parse(documents: dict[str, TomlTable]) -> Pack:
    about = documents["pack.toml"]
    length, plasters, source = documents["track.toml"].table("stamina", _track)
    pack = Pack(
        name=about.text("name"),
        changes=about.text("changes", default=""),
        digest="",
        dice=documents["dice.toml"].tables("die", "die", _die),
        landscapes=documents["conditions.toml"].tables("landscape", "landscape", _condition),
        villages=documents["conditions.toml"].tables("village", "village", _condition),
        levels=documents["levels.toml"].tables("level", "level", _level),
        scenarios=documents["scenarios.toml"].tables("scenario", "scenario", _scenario),
        skills=documents["skills.toml"].tables("skill", "skill", _skill),
        equipment=documents["equipment.toml"].tables("equipment", "equipment", _equipment),
        stamina=length,
        plasters=plasters,
        stamina_source=source,
    )
    for document in documents.values():
        document.finish()
    return replace(pack, digest=hashlib.sha256(repr(pack).encode()).hexdigest()[:16])


def _track(table: TomlTable) -> tuple[int, tuple[int, ...], str]:
    return table.number("length"), table.numbers("plasters"), table.text("source")


def _die(table: TomlTable) -> Die:
    return Die(table.text("id"), table.texts("colours"), table.text("source"))


def _condition(table: TomlTable) -> Condition:
    return Condition(table.text("id"), table.texts("counts"), table.flag("reroll"), table.text("source"))


def _level(table: TomlTable) -> Level:
    return Level(
        table.text("id"), table.number("failed"), table.numbers("margins"), table.numbers("loss"), table.text("source")
    )


def _scenario(table: TomlTable) -> Scenario:
    return Scenario(table.text("id"), table.texts("rows"), table.text("source"))


def _skill(table: TomlTable) -> Skill:
    return Skill(
        table.text("id"), table.number("dice"), table.number("draws"), table.number("keeps"), table.text("source")
    )


def _equipment(table: TomlTable) -> Equipment:
    return Equipment(table.text("id"), table.numbers("phases"), table.text("works_for"), table.text("source"))
