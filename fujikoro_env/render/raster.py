"""Conversion of SVG to pixels. resvg draws with the fonts shipped with this package, so that pictures are the same on
every machine, with or without fonts and a display; pygame decodes the PNG that resvg returns."""

import atexit
import io
import os
from contextlib import ExitStack
from functools import cache
from importlib import resources
from importlib.util import find_spec
from types import ModuleType
from typing import Any

import numpy as np
from numpy.typing import NDArray

WIDTH, HEIGHT = 1280, 1056  # as in the drawing
BACKGROUND = (16, 13, 15)  # as in the drawing
FONT_FAMILY = "DejaVu Sans Condensed"
FONT_FILES = ("DejaVuSansCondensed.ttf", "DejaVuSansCondensed-Bold.ttf")
LIBRARIES = ("resvg_py", "pygame", "PIL")

Pixels = NDArray[np.uint8]


def raster(svg: str, width: int = WIDTH, height: int = HEIGHT) -> Pixels:
    """Pixels as (height, width, 3): red, green, blue. A picture of other proportions is centred."""
    drawn = rgba(svg, width, height)[:height, :width, :3]  # resvg rounds up
    pixels = np.full((height, width, 3), BACKGROUND, np.uint8)
    top, left = (height - drawn.shape[0]) // 2, (width - drawn.shape[1]) // 2
    pixels[top : top + drawn.shape[0], left : left + drawn.shape[1]] = drawn
    return pixels


def rgba(svg: str, width: int, height: int) -> Pixels:
    """Pixels with opacity as the fourth channel, as large as fits into this size."""
    pygame = load_pygame()
    image = pygame.image.load(io.BytesIO(png(svg, width, height)), "table.png")
    across, down = image.get_size()
    return np.frombuffer(pygame.image.tobytes(image, "RGBA"), np.uint8).reshape(down, across, 4)


def png(svg: str, width: int = WIDTH, height: int = HEIGHT) -> bytes:
    """PNG file of a drawing, as large as fits into this size."""
    written: bytes = _resvg().svg_to_bytes(
        svg_string=svg,
        width=width,
        height=height,
        font_files=_fonts(),
        font_family=FONT_FAMILY,
        sans_serif_family=FONT_FAMILY,
        skip_system_fonts=True,
    )
    return written


@cache
def _resvg() -> Any:
    need_libraries()  # cached, because the check takes as long as a small drawing
    import resvg_py

    return resvg_py


@cache
def _fonts() -> list[str]:
    """Paths of the fonts, valid until the program ends. Fonts inside an archive are unpacked once."""
    stack = ExitStack()
    atexit.register(stack.close)
    folder = resources.files(__package__).joinpath("fonts")
    return [str(stack.enter_context(resources.as_file(folder.joinpath(name)))) for name in FONT_FILES]


def need_libraries() -> None:
    """Raise a helpful error if the libraries of the extra `render` are missing."""
    missing = [library for library in LIBRARIES if find_spec(library) is None]
    if missing:
        raise ImportError(
            f"pictures made of pixels need {' and '.join(missing)}: pip install 'fujikoro_env[render]'; "
            'render_mode="ansi" and SVG work without'
        )


def load_pygame() -> ModuleType:
    """Import pygame without the greeting that it prints."""
    os.environ.setdefault("PYGAME_HIDE_SUPPORT_PROMPT", "1")
    import pygame

    return pygame
