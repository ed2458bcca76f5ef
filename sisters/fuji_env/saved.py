"""Saved games: what of them is particular to Fuji."""

from pathlib import Path
from typing import Any, Final, NamedTuple

from fuji_env.content import Pack
from fuji_env.rules.base.state import State
from fuji_env.rules.engine.bounds import blank_record, record_fault
from fuji_env.settings import Rules
from fujikoro_env.kernel.saved_games import SavedFormat, SavedGameError
from fujikoro_env.kernel.text import one_line, quoted

FORMAT: Final = SavedFormat(b"FUJIGAME", "fuji_env", 1, State)


class SavedGame(NamedTuple):
    """What a saved game holds."""

    games: Any  # the record, as a batch of one
    rules: Rules
    viewer: int | None  # the player whose view it is


def saved_bytes(games: Any, rules: Rules, viewer: int | None) -> bytes:
    """Return a game as bytes."""
    content = rules.pack.name if isinstance(rules.content, Pack) else str(rules.content)
    return FORMAT.write(games, {"content": content, "digest": rules.pack.digest, "viewer": viewer})


def read_saved(saved: bytes, content: str | Path | None = None) -> SavedGame:
    """Read a saved game. Its record is within its bounds, but may be an impossible position. `content`: the current
    path of the content pack, if it has moved."""
    games, head = FORMAT.read(saved)
    try:
        rules = Rules.read_settings(games[0].settings, content or str(head.get("content", "base")))
    except (ValueError, LookupError, OSError) as error:
        raise SavedGameError(f"saved game: {one_line(str(error))}") from None
    if head.get("digest") != rules.pack.digest:
        raise SavedGameError(
            f"saved game: content {rules.pack} is {rules.pack.digest}, not {quoted(head.get('digest'))}"
        )
    check_games(games, rules)
    return SavedGame(games, rules, _viewer(head, rules))


def check_games(games: Any, rules: Rules) -> None:
    """Raise `SavedGameError` unless all records of a batch have the settings that the rules write, and rules can work
    on them. They may still be impossible positions."""
    settings = blank_record(rules)["settings"].tobytes()
    for k in range(len(games)):
        game = games[k : k + 1]
        if game["settings"].tobytes() != settings:
            raise SavedGameError("saved game: its settings do not fit together")
        if fault := record_fault(game, rules.tables):
            raise SavedGameError(f"saved game: {fault}")


def _viewer(head: dict[str, Any], rules: Rules) -> int | None:
    viewer = head.get("viewer")
    if viewer is not None and (type(viewer) is not int or not 0 <= viewer < rules.players):
        raise SavedGameError(f"saved game: viewer {quoted(viewer)}: allowed are null and 0 to {rules.players - 1}")
    return viewer
