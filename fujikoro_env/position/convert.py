"""Conversion between games and positions as JSON text, laid out for people."""

import json
from pathlib import Path

from fujikoro_env.game import Game
from fujikoro_env.kernel.position.errors import PositionError
from fujikoro_env.kernel.position.text import laid_out, parsed
from fujikoro_env.position.judging import judge
from fujikoro_env.position.reading import read
from fujikoro_env.position.writing import position_of
from fujikoro_env.rules.base.names import Fault


def to_json(game: Game) -> str:
    """The position of a game as JSON. Same as `Game.to_json`."""
    return laid_out(position_of(game)) + "\n"


def from_json(text: str, content: str | Path | None = None) -> Game:
    """Read the game from a position. Same as `Game.from_json`."""
    draft = read(parsed(text), content)
    judge(draft.s, draft.rules, draft.faults)
    game = Game.of_record(draft.games, draft.rules, draft.viewer)
    fault = game.find_legal()
    if fault != Fault.NONE or (not game.over and not game.legal_actions().size):
        asked, rule = game.phase.name, game.phase.entry.rule
        raise PositionError([f"asked: {asked} does not fit: nothing can be answered ({rule})"])
    return game


def judge_game(game: Game) -> str:
    """Return what is wrong with the position of a game, in one line; "" if it is legal. The record must be within its
    bounds. It is legal if it can be written as JSON and read back, with all checks, without any change."""
    try:
        position = json.loads(json.dumps(position_of(game)))
    except LookupError as error:
        return f"{error} names nothing in content {game.rules.pack}"
    try:
        draft = read(position, None)
        judge(draft.s, draft.rules, draft.faults)
    except PositionError as error:
        return str(error)
    written, found = draft.games[0], game.state
    changed = [name for name in written.dtype.names if written[name].tobytes() != found[name].tobytes()]
    return f"{changed[0]} does not follow from the rest of the position" if changed else ""
