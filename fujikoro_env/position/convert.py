"""There and back: a game as the text of its position, and the game that stands in a position."""

from pathlib import Path

from fujikoro_env.game import Game
from fujikoro_env.position.errors import PositionError
from fujikoro_env.position.judging.case import RULE_OF
from fujikoro_env.position.judging.judge import judge
from fujikoro_env.position.reading.read import read
from fujikoro_env.position.text import laid_out, parsed
from fujikoro_env.position.writing import position_of
from fujikoro_env.rules.base.names import Fault


def to_json(game: Game) -> str:
    return laid_out(position_of(game)) + "\n"


def from_json(text: str, content: str | Path | None = None) -> Game:
    """The game that stands in this position. `content`: where the content pack is now, if it has moved."""
    draft = read(parsed(text), content)
    judge(draft.s, draft.rules, draft.faults)
    game = Game.of_record(draft.games, draft.rules, draft.viewer)
    fault = game.find_legal()
    if fault != Fault.NONE or (not game.over and not game.legal_actions().size):
        rule = RULE_OF[game.phase]
        raise PositionError([f"asked: {game.phase.name} does not fit: nothing can be answered ({rule})"])
    return game
