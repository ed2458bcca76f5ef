"""Saved games: what of them is particular to Fuji Koro. `fujikoro_env.kernel.saved_games` has the format."""

from pathlib import Path
from typing import Any, Final

from fujikoro_env.content import Pack
from fujikoro_env.content.carried import carried, carried_content, digest_fault
from fujikoro_env.kernel.saved_games import SavedFormat, SavedGame
from fujikoro_env.kernel.saved_games import SavedGameError as SavedGameError
from fujikoro_env.rules.base.state import State
from fujikoro_env.rules.engine.bounds import record_fault
from fujikoro_env.settings import Rules


def saved_bytes(games: Any, pack: Pack, viewer: int | None) -> bytes:
    """Return a game as bytes."""
    return FORMAT.write(games, carried(pack), viewer)


def read_saved(saved: bytes, content: str | Path | None = None) -> SavedGame:
    """Read a saved game. Its record is within its bounds, but may be an impossible position. `content`: the current
    path of the content pack, if it has moved."""
    return FORMAT.read(saved, content)


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
    older={
        1: "written in format 1, which had no checksum: read it with the version that wrote it, and save it with "
        "to_json()"
    },
)
check_games = FORMAT.check_games
