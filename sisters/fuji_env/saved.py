"""Saved games: what of them is particular to Fuji. `fujikoro_env.kernel.saved_games` has the format."""

from pathlib import Path
from typing import Any, Final

from fuji_env.content import Pack
from fuji_env.rules.base.state import State
from fuji_env.rules.engine.bounds import record_fault
from fuji_env.settings import Rules
from fujikoro_env.kernel.saved_games import SavedFormat
from fujikoro_env.kernel.text import quoted


def _head(rules: Rules) -> dict[str, Any]:
    content = rules.pack.name if isinstance(rules.content, Pack) else str(rules.content)
    return {"content": content, "digest": rules.pack.digest}


def _rules(settings: Any, head: dict[str, Any], moved: str | Path | None) -> Rules:
    rules = Rules.read_settings(settings, moved or str(head.get("content", "base")))
    if head.get("digest") != rules.pack.digest:
        raise ValueError(f"content {rules.pack} is {rules.pack.digest}, not {quoted(head.get('digest'))}")
    return rules


def _record_fault(games: Any, rules: Rules) -> str:
    return record_fault(games, rules.tables)


FORMAT: Final = SavedFormat(b"FUJIGAME", "fuji_env", 1, State, _rules, _record_fault, _head)
check_games = FORMAT.check_games
