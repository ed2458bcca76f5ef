"""Writes a derived pack as a folder of TOML files, which `Rules(content=...)` and `fujikoro content check` take."""

from pathlib import Path
from typing import Any

from fujikoro_env.content.errors import PACK
from fujikoro_env.content.model import Pack
from fujikoro_training.balance.toml_text import toml_value

HEAD = "# Written by `fujikoro balance tune`.\n"


class PackError(ValueError):
    """A pack that can't be written; the message says why in one line."""


def write_pack(pack: Pack, folder: Path, name: str, changes: str) -> None:
    """Write a pack to a new folder."""
    values = dict(pack.origin.values)
    values[PACK] = {"name": name, "edition": name, "changes": changes}
    try:
        folder.mkdir(parents=True)
        for file, tables in values.items():
            (folder / file).write_text(HEAD + "\n".join(_document(tables)), encoding="utf-8")
    except FileExistsError:
        raise PackError(f"{folder}: exists already, and is left as it is") from None
    except OSError as error:
        raise PackError(f"{folder}: {error.strerror}") from None


def _document(tables: dict[str, Any]) -> list[str]:
    """Lines of a file: its plain keys first, then its tables."""
    lines = [f"{key} = {toml_value(value)}" for key, value in tables.items() if not _is_table(value)]
    for name, value in tables.items():
        if isinstance(value, dict):
            lines += ["", f"[{name}]", *_keys(value)]
        elif _is_table(value):
            for entry in value:
                lines += ["", f"[[{name}]]", *_keys(entry)]
    return [*lines, ""]


def _is_table(value: Any) -> bool:
    return isinstance(value, dict) or (isinstance(value, list) and bool(value) and isinstance(value[0], dict))


def _keys(entry: dict[str, Any]) -> list[str]:
    return [f"{key} = {toml_value(value)}" for key, value in entry.items()]
