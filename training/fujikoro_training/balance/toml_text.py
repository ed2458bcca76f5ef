"""Values as TOML text. Python reads TOML but does not write it."""

import json
from typing import Any


def toml_value(value: Any) -> str:
    """A value as TOML; tables are written in one line."""
    if isinstance(value, bool):
        return str(value).lower()
    if isinstance(value, str):
        return json.dumps(value, ensure_ascii=False)  # TOML's basic strings have the escapes of JSON
    if isinstance(value, list):
        return f"[{', '.join(map(toml_value, value))}]"
    if isinstance(value, dict):
        return "{" + ", ".join(f"{toml_value(key)} = {toml_value(item)}" for key, item in value.items()) + "}"
    return str(value)
