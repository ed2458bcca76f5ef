"""Conversion between games and positions as JSON text."""

from pathlib import Path
from typing import Any

from fuji_env.game import Game
from fuji_env.position.judging import judge
from fuji_env.position.reading import read
from fuji_env.position.writing import position_of
from fujikoro_env.kernel.position.errors import PositionError
from fujikoro_env.kernel.position.text import laid_out, parsed

__all__ = ["from_json", "position_of", "read_position", "to_json"]


def to_json(game: Game) -> str:
    """The position of a game as JSON. Same as `Game.to_json`."""
    return laid_out(position_of(game)) + "\n"


def from_json(text: str, content: str | Path | None = None) -> Game:
    """Read the game from a position. Same as `Game.from_json`."""
    return read_position(parsed(text), content)


def read_position(position: Any, content: str | Path | None = None) -> Game:
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
