"""A window that shows the table and never blocks: its events are handled when the next picture is shown."""

import os
import sys
from typing import Any

from fujikoro_env.render.layers import Painter
from fujikoro_env.render.picture import Picture
from fujikoro_env.render.raster import load_pygame

WIDTH, HEIGHT = 1120, 924  # initial size, which fits on a screen of 1920 x 1080
DISPLAYS = ("SDL_VIDEODRIVER", "SDL_VIDEO_DRIVER", "DISPLAY", "WAYLAND_DISPLAY")  # any of them indicates a display
NO_DISPLAY = (
    'render_mode="human" needs a display, and none can be opened{why}: '
    'use "rgb_array" or "ansi", or set SDL_VIDEODRIVER=dummy'
)


class Window:
    """A window that opens with the first picture. If the user closes it, it stays closed and the game goes on."""

    def __init__(self, title: str, most_a_second: int) -> None:
        self._title, self._most_a_second = title, most_a_second
        self._screen: Any = None
        self._clock: Any = None
        self._is_shut = False
        self._painter = Painter()

    def show(self, picture: Picture) -> None:
        if not self.is_open and not self._is_shut:
            self._open()
        self._handle_events()
        if self.is_open:
            self._draw(picture)
            self._clock.tick(self._most_a_second)

    def close(self) -> None:
        """Close the window. The next picture opens it again."""
        self._shut()
        self._is_shut = False

    @property
    def is_open(self) -> bool:
        """Whether the window is open. pygame has one window for all games, so another game may have closed it."""
        return self._screen is not None and load_pygame().display.get_surface() is not None

    def _open(self) -> None:
        if sys.platform == "linux" and not any(map(os.environ.get, DISPLAYS)):
            raise RuntimeError(NO_DISPLAY.format(why=""))
        pygame = load_pygame()
        try:
            pygame.display.init()
            self._screen = pygame.display.set_mode((WIDTH, HEIGHT), pygame.RESIZABLE)
        except pygame.error as error:
            raise RuntimeError(NO_DISPLAY.format(why=f" ({error})")) from None
        pygame.display.set_caption(self._title)
        self._clock = pygame.time.Clock()

    def _handle_events(self) -> None:
        pygame = load_pygame()
        if self.is_open and any(event.type == pygame.QUIT for event in pygame.event.get()):
            self._shut()
            self._is_shut = True

    def _draw(self, picture: Picture) -> None:
        """Draw the picture in the middle of the window, as large as fits."""
        pygame = load_pygame()
        self._screen = pygame.display.get_surface()  # a resized window has a new one
        size = self._screen.get_size()
        self._screen.blit(pygame.image.frombytes(self._painter.paint(picture, *size).tobytes(), size, "RGB"), (0, 0))
        pygame.display.flip()

    def _shut(self) -> None:
        if self._screen is not None:
            load_pygame().display.quit()
            self._screen = self._clock = None
