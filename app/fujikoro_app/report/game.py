"""A recorded game as a series of pictures, one after each deed of a player.

A picture is about 170,000 characters of SVG, but hardly differs from the one before. So all pictures are cut into
parts, each part is stored once, and a picture is a list of numbers of parts.
"""

import json
import re
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Final

from fujikoro_app.narration import Narrator, labels, outcome_text
from fujikoro_app.terminal import tracked
from fujikoro_env.game import Game
from fujikoro_env.record import Replay
from fujikoro_env.render.events import Chronicle
from fujikoro_env.render.svg import draw_table

CUT: Final = re.compile(r"(?=<g[ >])")  # pictures are cut before every group
OUTSIDE: Final = re.compile(r"\A<svg[^>]*>|</svg>\s*\Z")


@dataclass(frozen=True)
class Frame:
    """A picture of the table and what has just happened, in words."""

    svg: str  # without the element `svg` itself
    told: str


def frames(replay: Replay, names: list[str]) -> Iterator[Frame]:
    """The table at the start, after each deed, and at the end."""
    recording, who = replay.recording, labels(names)
    game = replay.game_at(0)
    narrator, chronicle = Narrator(game, who), Chronicle(names)
    chronicle.begin(game)
    yield Frame(_drawn(game, chronicle), "The start of the game.")
    for step in tracked(recording.steps, "drawing the game"):
        before = game.clone()
        game.step(step.action)
        if told := narrator.saw(before, step.action, game):
            yield Frame(_drawn(before, chronicle), told)
        chronicle.note(step.action, game)
    yield Frame(_drawn(game, chronicle), "\n".join(filter(None, [narrator.tell(game), *_ending(game, who)])))


def _drawn(game: Game, chronicle: Chronicle) -> str:
    svg = draw_table(chronicle.table(game), chronicle.lines(), chronicle.rolls()).svg
    return OUTSIDE.sub("", svg)


def _ending(game: Game, who: list[str]) -> list[str]:
    return (
        outcome_text(game, who).split("\n") if game.over else ["The recording ends here, before the end of the game."]
    )


def film_data(shown: list[Frame]) -> str:
    """The pictures as JSON that can stand in a page: `parts`, `pictures` (numbers of parts) and `told`."""
    numbers: dict[str, int] = {}
    pictures = [
        [numbers.setdefault(part, len(numbers)) for part in CUT.split(frame.svg) if part.strip()] for frame in shown
    ]
    data = {"parts": list(numbers), "pictures": pictures, "told": [frame.told for frame in shown]}
    return json.dumps(data, separators=(",", ":")).replace("<", "\\u003c")  # a tag would end the script element
