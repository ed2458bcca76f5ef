"""Render modes of the environments: text, pixels, or a window."""

from collections.abc import Sequence
from typing import Any

from fujikoro_env.game import Game
from fujikoro_env.render.events import Chronicle
from fujikoro_env.render.layers import Painter
from fujikoro_env.render.picture import Picture
from fujikoro_env.render.raster import HEIGHT, WIDTH, Pixels, need_libraries
from fujikoro_env.render.svg import draw_table
from fujikoro_env.render.text import table_text
from fujikoro_env.render.window import Window

RENDER_MODES = ("ansi", "rgb_array", "human")
PICTURES_A_SECOND = 4
TITLE = "Fuji Koro"


class Renderer:
    """Shows games in one render mode, with the latest events of each. Does nothing if the mode is None."""

    def __init__(self, mode: str | None) -> None:
        if mode in ("rgb_array", "human"):
            need_libraries()
        self.mode = mode
        self._chronicle = Chronicle()
        self._painter = Painter()
        self._window = Window(TITLE, PICTURES_A_SECOND)

    def begin(self, game: Game, names: Sequence[str] = ()) -> None:
        """Start with a new game. `names`: the agents' names by seat, to be shown in pictures."""
        if self.mode in ("rgb_array", "human"):
            self._chronicle = Chronicle(names)
            self._chronicle.begin(game)
        self._show_window(game)

    def note(self, action: int, game: Game) -> None:
        """Note the action that was just carried out, and the game after it."""
        if self.mode in ("rgb_array", "human"):
            self._chronicle.note(action, game)
        self._show_window(game)

    def show(self, game: Game) -> str | Pixels | None:
        """Render the game: returns text or pixels, or shows it in the window and returns None."""
        if self.mode == "ansi":
            return table_text(game)
        if self.mode == "rgb_array":
            return self._painter.paint(self._picture(game), WIDTH, HEIGHT)
        self._show_window(game)
        return None

    def close(self) -> None:
        self._window.close()

    def _show_window(self, game: Game) -> None:
        if self.mode == "human":
            self._window.show(self._picture(game))

    def _picture(self, game: Game) -> Picture:
        chronicle = self._chronicle
        return draw_table(chronicle.table(game), chronicle.lines(), chronicle.rolls())

    def __getstate__(self) -> dict[str, Any]:
        """State to copy. The copy opens its own window when it has something to show."""
        return self.__dict__ | {"_window": Window(TITLE, PICTURES_A_SECOND), "_painter": Painter()}
