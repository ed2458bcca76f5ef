"""The ways in which an environment shows its game: text, pixels, or a window."""

from typing import Any

from fujikoro_env.game import Game
from fujikoro_env.render.events import Chronicle
from fujikoro_env.render.raster import Pixels, need_libraries, raster
from fujikoro_env.render.svg import table_svg
from fujikoro_env.render.text import table_text
from fujikoro_env.render.window import Window

RENDER_MODES = ("ansi", "rgb_array", "human")
PICTURES_A_SECOND = 4
TITLE = "Fuji Koro"


class Renderer:
    """Shows one game after the other in one mode, and remembers what happened in it. Without a mode it does nothing."""

    def __init__(self, mode: str | None) -> None:
        if mode in ("rgb_array", "human"):
            need_libraries()
        self.mode = mode
        self._chronicle = Chronicle()
        self._window = Window(TITLE, PICTURES_A_SECOND)

    def begin(self, game: Game) -> None:
        """Of a game that was just dealt."""
        if self.mode in ("rgb_array", "human"):
            self._chronicle.begin(game)
        self._show_window(game)

    def note(self, action: int, game: Game) -> None:
        """Of a game in which an action was just done."""
        if self.mode in ("rgb_array", "human"):
            self._chronicle.note(action, game)
        self._show_window(game)

    def show(self, game: Game) -> str | Pixels | None:
        """Text, pixels, or nothing, as the mode has it."""
        if self.mode == "ansi":
            return table_text(game)
        if self.mode == "rgb_array":
            return raster(table_svg(game, self._chronicle.lines()))
        self._show_window(game)
        return None

    def close(self) -> None:
        self._window.close()

    def _show_window(self, game: Game) -> None:
        if self.mode == "human":
            self._window.show(table_svg(game, self._chronicle.lines()))

    def __getstate__(self) -> dict[str, Any]:
        """A copy opens a window of its own when it has something to show."""
        return self.__dict__ | {"_window": Window(TITLE, PICTURES_A_SECOND)}
