"""Draws the picture of the README: `python tools/make_picture.py`."""

from pathlib import Path

import numpy as np

from fujikoro_env import Game, Rules
from fujikoro_env.render import table_svg
from fujikoro_env.render.events import Chronicle
from tests.helpers.midgame import midgame, rush_into_a_fight

PICTURE = Path(__file__).resolve().parent.parent / "docs" / "table.svg"
SEED = 122  # a game that reaches its final chapter, in which two samurai hit a dragon together


def main() -> None:
    """Draw the picture and write it to its file."""
    game, chronicle, luck = midgame(Rules(players=4), SEED), Chronicle(), np.random.default_rng(SEED)
    rush_into_a_fight(game, luck)
    chronicle.begin(game)
    while not _has_hit_together(game):
        action = int(luck.choice(game.legal_actions()))
        game.step(action)
        chronicle.note(action, game)
    PICTURE.write_text(table_svg(game, chronicle.lines()))
    print(f"{PICTURE}: {PICTURE.stat().st_size} bytes")


def _has_hit_together(game: Game) -> bool:
    fight = game.state.fight
    return bool(fight.hits > 0 and fight.fighters["inside"].sum() > 1)


if __name__ == "__main__":
    main()
