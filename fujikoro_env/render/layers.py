"""Pictures as pixels, quickly: one after the other they differ in a few places, and only these are drawn anew.

Each panel is drawn alone, and the map in square blocks. Whatever looked the same before comes from a cache, which is
keyed by the drawing itself, so it doesn't matter which picture came before.
"""

import math
from collections import OrderedDict
from collections.abc import Iterator

import numpy as np

from fujikoro_env.render.picture import Box, Picture, document
from fujikoro_env.render.raster import BACKGROUND, Pixels, rgba
from fujikoro_env.render.shapes import moved
from fujikoro_env.render.svg_map import Piece

BLOCK = 64  # pixels
MOST_KEPT = 4096  # blocks and panels: some 50 MB of a game

Span = tuple[int, int, int, int]  # left, top, right, bottom in pixels


class Painter:
    """Draws pictures of one size after the other; a new size begins anew."""

    def __init__(self) -> None:
        self._size = (0, 0)
        self._background: Pixels = np.zeros((0, 0, 3), np.uint8)
        self._kept: OrderedDict[str, Pixels] = OrderedDict()

    def paint(self, picture: Picture, width: int, height: int) -> Pixels:
        """(height, width, 3): red, green, blue. A picture of another shape stands in the middle."""
        scale = min(width / picture.width, height / picture.height)
        across, down = round(picture.width * scale), round(picture.height * scale)
        if self._size != (across, down):
            self._begin(picture, across, down)
        drawn = self._background.copy()
        for span, svg in _patches(picture, scale, across, down):
            left, top, right, bottom = span
            drawn[top:bottom, left:right] = self._patch(span, svg, scale)
        if drawn.shape[:2] == (height, width):
            return drawn
        pixels = np.full((height, width, 3), BACKGROUND, np.uint8)
        y, x = (height - down) // 2, (width - across) // 2
        pixels[y : y + down, x : x + across] = drawn
        return pixels

    def _begin(self, picture: Picture, across: int, down: int) -> None:
        self._size = (across, down)
        self._kept.clear()
        box = Box(0, 0, picture.width, picture.height)
        self._background = rgba(document(picture.background, box), across, down)[:down, :across, :3].copy()

    def _patch(self, span: Span, svg: str, scale: float) -> Pixels:
        """The drawing over the background there."""
        key = f"{span}{svg}"
        found = self._kept.get(key)
        if found is not None:
            self._kept.move_to_end(key)
            return found
        left, top, right, bottom = span
        box = Box(left / scale, top / scale, (right - left) / scale, (bottom - top) / scale)
        drawn = rgba(document(svg, box), right - left, bottom - top)[: bottom - top, : right - left]
        patch = _laid_over(drawn, self._background[top:bottom, left:right])
        self._kept[key] = patch
        if len(self._kept) > MOST_KEPT:
            self._kept.popitem(last=False)
        return patch


def _laid_over(drawn: Pixels, ground: Pixels) -> Pixels:
    alpha = drawn[..., 3:].astype(np.uint16)
    mixed = drawn[..., :3] * alpha + ground * (255 - alpha)
    return ((mixed + 127) // 255).astype(np.uint8)


def _patches(picture: Picture, scale: float, across: int, down: int) -> Iterator[tuple[Span, str]]:
    """Every place that is drawn, with its drawing in units of the picture."""
    yield from _blocks(picture, scale)
    for sheet in picture.sheets:
        box = sheet.box
        span = (
            max(0, math.floor(box.x * scale) - 1),
            max(0, math.floor(box.y * scale) - 1),
            min(across, math.ceil((box.x + box.width) * scale) + 1),
            min(down, math.ceil((box.y + box.height) * scale) + 1),
        )
        yield span, moved(box.x, box.y, sheet.svg)


def _blocks(picture: Picture, scale: float) -> Iterator[tuple[Span, str]]:
    """The map, cut into squares, each with the pieces that may be seen in it."""
    box = picture.map_box
    left, top = math.floor(box.x * scale), math.floor(box.y * scale)
    right, bottom = math.ceil((box.x + box.width) * scale), math.ceil((box.y + box.height) * scale)
    columns, rows = -(-(right - left) // BLOCK), -(-(bottom - top) // BLOCK)
    seen: list[list[Piece]] = [[] for _ in range(columns * rows)]
    unit = picture.map_scale * scale
    for piece in picture.pieces:
        x, y, reach = piece.x * unit - left, piece.y * unit - top, piece.reach * unit
        for row in range(max(0, int((y - reach) // BLOCK)), min(rows, int((y + reach) // BLOCK) + 1)):
            for column in range(max(0, int((x - reach) // BLOCK)), min(columns, int((x + reach) // BLOCK) + 1)):
                seen[row * columns + column].append(piece)
    for k, pieces in enumerate(seen):
        if pieces:
            x, y = left + BLOCK * (k % columns), top + BLOCK * (k // columns)
            yield (x, y, min(right, x + BLOCK), min(bottom, y + BLOCK)), picture.scaled(pieces)
