"""A game as an animated GIF or WebP picture. Pillow writes it; the extra `render` installs Pillow."""

from collections.abc import Iterable, Sequence
from pathlib import Path
from typing import TYPE_CHECKING

from fujikoro_env.game import Game
from fujikoro_env.render.events import Chronicle
from fujikoro_env.render.layers import Painter
from fujikoro_env.render.raster import HEIGHT, WIDTH, Pixels, need_libraries
from fujikoro_env.render.svg import draw_table

if TYPE_CHECKING:
    from PIL.Image import Image

SUFFIXES = (".gif", ".webp")
LAST = 4  # the last picture is shown this many times as long as the others


class Film:
    """Takes pictures of a game while it is played, and saves them as one file.

    >>> from fujikoro_env import Game, Rules
    >>> film = Film(Game(Rules(players=2), seed=1), names=["first", "second"], width=320)
    >>> for _ in range(3):
    ...     film.step(film.game.legal_actions()[0])
    >>> film.save("game.webp", seconds=0.5)
    """

    def __init__(self, game: Game, names: Sequence[str] = (), width: int = WIDTH) -> None:
        need_libraries()
        self.game = game
        self._size = width, round(width * HEIGHT / WIDTH)
        self._chronicle, self._painter = Chronicle(names), Painter()
        self._pictures: list[Image] = []
        self._chronicle.begin(game)
        self.take()

    def step(self, action: int, picture: bool = True) -> None:
        """Carry out an action and take a picture of the result, unless told not to."""
        self.game.step(action)
        self._chronicle.note(int(action), self.game)
        if picture:
            self.take()

    def take(self) -> None:
        from PIL import Image

        self._pictures.append(Image.fromarray(self.pixels()))

    def pixels(self) -> Pixels:
        chronicle = self._chronicle
        table = draw_table(chronicle.table(self.game), chronicle.lines(), chronicle.rolls())
        return self._painter.paint(table, *self._size)

    def save(self, path: str | Path, seconds: float = 0.25) -> None:
        """Save the pictures as one file. `seconds`: how long each picture is shown."""
        save_film(self._pictures, path, seconds)


def save_film(pictures: Iterable["Image | Pixels"], path: str | Path, seconds: float = 0.25) -> None:
    """Save pictures, or frames of `render_mode="rgb_array"`, as a GIF or WebP animation that repeats."""
    from PIL import Image

    if Path(path).suffix not in SUFFIXES:
        raise ValueError(f"film {str(path)!r}: the name must end in {' or '.join(SUFFIXES)}")
    first, *rest = [picture if isinstance(picture, Image.Image) else Image.fromarray(picture) for picture in pictures]
    shown = [round(1000 * seconds)] * len(rest) + [round(1000 * LAST * seconds)]
    first.save(
        path, save_all=True, append_images=rest, duration=shown, loop=0, quality=60, method=4, minimize_size=True
    )
