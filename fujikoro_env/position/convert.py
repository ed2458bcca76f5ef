"""Conversion between games and positions as JSON text, laid out for people."""

import json
from collections import Counter
from pathlib import Path
from typing import Final

from fujikoro_env.game import Game
from fujikoro_env.position.errors import PositionError
from fujikoro_env.position.judging import judge
from fujikoro_env.position.kinds import Json, short
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


# --- text -----------------------------------------------------------------------------------------------------------

LINE: Final = 110  # a value that fits in this many characters is written on one line
STEP: Final = 2


def laid_out(value: Json, indent: int = 0) -> str:
    """JSON with one item per line, except that small values stay on one line."""
    whole = json.dumps(value)
    if (indent > 0 and len(whole) + indent <= LINE) or not isinstance(value, dict | list) or not value:
        return whole
    deeper = indent + STEP
    if isinstance(value, dict):
        lines = [f"{json.dumps(key)}: {laid_out(item, deeper)}" for key, item in value.items()]
    else:
        lines = [laid_out(item, deeper) for item in value]
    inner = (",\n" + " " * deeper).join(lines)
    left, right = "{}" if isinstance(value, dict) else "[]"
    return f"{left}\n{' ' * deeper}{inner}\n{' ' * indent}{right}"


def parsed(text: str, what: str = "position") -> Json:
    """Parse JSON. Invalid text and duplicate keys raise `PositionError`; `what` names the text in messages."""
    doubled: list[str] = []

    def without_doubles(pairs: list[tuple[str, Json]]) -> dict[str, Json]:
        doubled.extend(key for key, number in Counter(key for key, _ in pairs).items() if number > 1)
        return dict(pairs)

    try:
        value: Json = json.loads(text, object_pairs_hook=without_doubles)
    except json.JSONDecodeError as error:
        raise PositionError([f"line {error.lineno}, column {error.colno}: not JSON: {error.msg}"]) from None
    except (RecursionError, ValueError, TypeError) as error:
        raise PositionError([f"{what}: not JSON: {error}"]) from None
    if doubled:
        raise PositionError([f"{what}: the key {short(key)} appears twice in one object" for key in doubled])
    return value
