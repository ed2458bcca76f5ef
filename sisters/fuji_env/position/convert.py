"""Conversion between games and positions as JSON text."""

import json
from pathlib import Path
from typing import Any

from fuji_env.game import Game
from fuji_env.position.judging import judge
from fuji_env.position.reading import Moved, read
from fuji_env.position.writing import position_of
from fujikoro_env.kernel.position.errors import PositionError
from fujikoro_env.kernel.position.text import laid_out, parsed

__all__ = ["from_json", "judge_game", "position_of", "read_position", "to_json"]


def to_json(game: Game) -> str:
    """The position of a game as JSON. Same as `Game.to_json`."""
    return laid_out(position_of(game)) + "\n"


def from_json(text: str, content: str | Path | None = None) -> Game:
    """Read the game from a position. Same as `Game.from_json`."""
    return read_position(parsed(text), content)


def judge_game(game: Game) -> str:
    """Return what is wrong with the position of a game, in one line; "" if it is legal. The record must be within its
    bounds. It is legal if it can be written as JSON and read back, with all checks, without any change."""
    try:
        draft = read(json.loads(json.dumps(position_of(game))), game.rules.content)
        judge(draft)
    except LookupError:
        return "a name of the position is not in the content"
    except PositionError as error:
        return str(error)
    written, found = draft.games[0], game.state
    changed = [name for name in written.dtype.names if written[name].tobytes() != found[name].tobytes()]
    return f"{changed[0]} does not follow from the rest of the position" if changed else ""


def read_position(position: Any, content: Moved = None) -> Game:
    """Read the game from a position as plain data."""
    draft = read(position, content)
    judge(draft)
    try:
        game = Game.of_record(draft.games, draft.rules, draft.viewer)
    except RuntimeError:
        raise PositionError(["asked: nothing can be answered (ROUND-1)"]) from None
    if not game.over and game.viewer in (None, game.actor) and not game.legal_actions().size:
        rule = game.phase.entry.rules[0]
        raise PositionError([f"asked: {game.phase.name} does not fit: nothing can be answered ({rule})"])
    return game
