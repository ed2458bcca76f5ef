"""Saved games: what of them is particular to Fuji Koro. `fujikoro_env.kernel.saved_games` has the format."""

from pathlib import Path
from typing import Any, Final

from fujikoro_env.content.carried import carried, carried_content, digest_fault
from fujikoro_env.kernel.saved_games import SavedFormat
from fujikoro_env.kernel.saved_games import SavedGameError as SavedGameError
from fujikoro_env.rules.base.state import State
from fujikoro_env.rules.engine.bounds import record_fault
from fujikoro_env.settings import Rules


def _head(rules: Rules) -> dict[str, Any]:
    return carried(rules.pack)


def _rules(settings: Any, head: dict[str, Any], moved: str | Path | None) -> Rules:
    rules = Rules.read_settings(settings, carried_content(head, moved))
    if fault := digest_fault(head, rules.pack):
        raise ValueError(fault)
    return rules


def _record_fault(games: Any, rules: Rules) -> str:
    return record_fault(games, rules.players, rules.seats)


FORMAT: Final = SavedFormat(
    mark=b"FUJIKORO",
    package="fujikoro_env",
    version=2,
    state=State,
    read_rules=_rules,
    record_fault=_record_fault,
    head=_head,
    older={
        1: "written in format 1, which had no checksum: read it with the version that wrote it, and save it with "
        "to_json()"
    },
)
check_games = FORMAT.check_games
