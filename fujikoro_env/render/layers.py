"""Fast conversion of pictures to pixels: only the places that differ from the last picture are drawn again.

Panels are drawn in bands and the map in square blocks. The cache of drawn patches is keyed by the drawings themselves,
so its hits do not depend on the order of the pictures.
"""

import math
from collections import OrderedDict
from collections.abc import Iterator
from dataclasses import dataclass

import numpy as np

from fujikoro_env.kernel.drawing.elements import group
from fujikoro_env.render.picture import Box, Picture, Sheet, document
from fujikoro_env.render.raster import BACKGROUND, Pixels, raster, rgba
from fujikoro_env.render.svg_map import Piece

BLOCK = 64  # pixels
PAD = 6  # pixels drawn around a patch and cut off, as the renderer smooths edges differently at the border of an image
MOST_KEPT = 64 << 20  # bytes of patches
LEAST_SCALE = 0.5  # below it, pixels are larger than the gaps between panels

Patch = tuple[Pixels, Pixels]  # colours, and how transparent they are
Span = tuple[int, int, int, int]  # left, top, right, bottom in pixels


@dataclass(frozen=True)
class Layer:
    """A stack of drawings, seen through a window. Equal layers look the same at any position."""

    x: float  # corner of the window, in units of the picture
    y: float
    width: int  # size of the window, in pixels
    height: int
    scale: float  # units of the picture per unit of the drawings
    drawings: tuple[str, ...]


class Painter:
    """Draws a series of pictures. A change of size discards the canvas."""

    def __init__(self) -> None:
        self._size = (0, 0)
        self._background: Pixels = np.zeros((0, 0, 3), np.uint8)
        self._canvas = self._background
        self._shown: dict[Span, list[Layer]] = {}  # on the canvas
        self._kept: OrderedDict[Layer, Patch] = OrderedDict()  # least recently used first
        self._bytes = 0  # size of the kept patches

    def paint(self, picture: Picture, width: int, height: int) -> Pixels:
        """Pixels as (height, width, 3): red, green, blue. A picture of other proportions is centred."""
        scale = min(width / picture.width, height / picture.height)
        if scale < LEAST_SCALE:
            return raster(picture.svg, width, height)
        across, down = round(picture.width * scale), round(picture.height * scale)
        if self._size != (across, down):
            self._begin(picture, across, down)
        self._update(dict(_spans(picture, scale, across, down)), scale)
        if (width, height) == (across, down):
            return self._canvas.copy()
        pixels = np.full((height, width, 3), BACKGROUND, np.uint8)
        y, x = (height - down) // 2, (width - across) // 2
        pixels[y : y + down, x : x + across] = self._canvas
        return pixels

    def _begin(self, picture: Picture, across: int, down: int) -> None:
        self._size = (across, down)
        self._kept.clear()
        self._bytes = 0
        self._shown = {}
        box = Box(0, 0, picture.width, picture.height)
        self._background = rgba(document(picture.background, box, self._size), across, down)[..., :3].copy()
        self._canvas = self._background.copy()

    def _update(self, spans: dict[Span, list[Layer]], scale: float) -> None:
        """Draw what is not on the canvas yet, and erase what is gone. New places do not overlap each other, but they
        may overlap old ones."""
        for left, top, right, bottom in self._shown.keys() - spans.keys():
            self._canvas[top:bottom, left:right] = self._background[top:bottom, left:right]
        for (left, top, right, bottom), layers in spans.items():
            if self._shown.get((left, top, right, bottom)) != layers:
                pixels = self._background[top:bottom, left:right]
                for layer in layers:
                    colour, cover = self._patch(layer, scale)
                    pixels = colour + _times(pixels, cover)
                self._canvas[top:bottom, left:right] = pixels
        self._shown = spans

    def _patch(self, layer: Layer, scale: float) -> Patch:
        if layer not in self._kept:
            self._kept[layer] = _drawn(layer, scale)
            self._bytes += _size(self._kept[layer])
        self._kept.move_to_end(layer)
        while self._bytes > MOST_KEPT and len(self._kept) > 1:
            self._bytes -= _size(self._kept.popitem(last=False)[1])
        return self._kept[layer]


def _size(patch: Patch) -> int:
    colour, cover = patch
    return colour.nbytes + cover.nbytes


def _drawn(layer: Layer, scale: float) -> Patch:
    pad = PAD / scale
    width, height = layer.width + 2 * PAD, layer.height + 2 * PAD
    box = Box(layer.x - pad, layer.y - pad, width / scale, height / scale)
    svg = document(group(*layer.drawings, transform=f"scale({layer.scale})"), box, (width, height))
    drawn = rgba(svg, width, height)[PAD : PAD + layer.height, PAD : PAD + layer.width]
    return _times(drawn[..., :3], drawn[..., 3:]), 255 - drawn[..., 3:]


def _times(colour: Pixels, share: Pixels) -> Pixels:
    """Multiply colours by share / 255, rounded."""
    product = colour.astype(np.uint16) * share + 128
    return ((product + (product >> 8)) >> 8).astype(np.uint8)


def _spans(picture: Picture, scale: float, across: int, down: int) -> Iterator[tuple[Span, list[Layer]]]:
    """All places to draw, each with its layers from the bottom up."""
    yield from _blocks(picture, scale)
    for sheet in picture.sheets:
        yield from _bands(sheet, scale, across, down)


def _bands(sheet: Sheet, scale: float, across: int, down: int) -> Iterator[tuple[Span, list[Layer]]]:
    """The parts of a panel; together they cover it without a gap."""
    box, edge = sheet.box, math.ceil(scale)  # half of a border lies outside of the box
    left, right = max(0, math.floor(box.x * scale) - edge), min(across, math.ceil((box.x + box.width) * scale) + edge)
    for k, band in enumerate(sheet.bands):
        top = round((box.y + sheet.scale * band.y) * scale) - edge * (k == 0)
        end = box.y + sheet.scale * (band.y + band.height)
        bottom = min(down, round(end * scale) + edge * (k == len(sheet.bands) - 1))
        start = box.y + sheet.scale * band.y if band.ground else box.y
        x, y = round(left / scale - box.x, 3), round(top / scale - start, 3)
        layer = Layer(x, y, right - left, bottom - top, sheet.scale, (band.ground or sheet.frame, band.svg))
        yield (left, top, right, bottom), [layer]


def _blocks(picture: Picture, scale: float) -> Iterator[tuple[Span, list[Layer]]]:
    """The map, cut into squares, each with the drawings that may be visible in it."""
    box = picture.map_box
    left, top = math.floor(box.x * scale), math.floor(box.y * scale)
    columns = math.ceil(box.width * scale / BLOCK)
    rows = math.ceil(box.height * scale / BLOCK)
    unit = picture.map_scale * scale
    layers = [_seen(pieces, (left, top), unit, columns, rows) for pieces in (picture.ground, picture.pieces)]
    right, bottom = math.ceil((box.x + box.width) * scale), math.ceil((box.y + box.height) * scale)
    for k, drawings in enumerate(zip(*layers, strict=True)):
        x, y = left + BLOCK * (k % columns), top + BLOCK * (k // columns)
        across, down = min(BLOCK, right - x), min(BLOCK, bottom - y)
        yield (
            (x, y, x + across, y + down),
            [Layer(x / scale, y / scale, across, down, picture.map_scale, tuple(drawn)) for drawn in drawings if drawn],
        )


def _seen(pieces: list[Piece], corner: tuple[int, int], unit: float, columns: int, rows: int) -> list[list[str]]:
    """The pieces that may be visible in each block."""
    seen: list[list[str]] = [[] for _ in range(columns * rows)]
    for piece in pieces:
        x, y, reach = piece.x * unit - corner[0], piece.y * unit - corner[1], piece.reach * unit
        for row in range(max(0, int((y - reach) // BLOCK)), min(rows, int((y + reach) // BLOCK) + 1)):
            for column in range(max(0, int((x - reach) // BLOCK)), min(columns, int((x + reach) // BLOCK) + 1)):
                seen[row * columns + column].append(piece.svg)
    return seen
