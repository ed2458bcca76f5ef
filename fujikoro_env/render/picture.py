"""A picture in parts: adjacent rectangles that can be drawn independently."""

from collections.abc import Iterable
from dataclasses import dataclass

from fujikoro_env.kernel.drawing.elements import group, moved, tooltip
from fujikoro_env.kernel.drawing.lettering import FONT
from fujikoro_env.render.svg_map import DEFINITIONS, Piece

MARK = "<!-- drawn by fujikoro_env -->"  # tells our own pictures from other files


@dataclass(frozen=True)
class Box:
    x: float
    y: float
    width: float
    height: float


@dataclass(frozen=True)
class Band:
    """A horizontal part of a panel that draws nothing above or below itself. A band that has a `ground`, the look of
    the panel's frame beneath it, can move within the panel: both are drawn relative to the top of the band."""

    y: float
    height: float
    svg: str
    ground: str = ""


@dataclass(frozen=True)
class Sheet:
    """A panel: its drawing begins at (0, 0) and stays inside the box. The bands lie on the frame, one below the
    other."""

    box: Box
    frame: str
    bands: tuple[Band, ...]
    scale: float = 1  # units of the picture per unit of the panel
    name: str = ""  # id of the group

    @property
    def svg(self) -> str:
        bands = [moved(0, band.y, band.svg) if band.ground else band.svg for band in self.bands]
        shown = moved(self.box.x, self.box.y, self.scaled(self.frame, *bands))
        return group(shown, id=self.name) if self.name else shown

    def scaled(self, *parts: str) -> str:
        return group(*parts, transform=f"scale({self.scale})") if self.scale != 1 else "".join(parts)


@dataclass(frozen=True)
class Picture:
    """A whole picture, from the bottom up: the background, the map in many small pieces, and the panels around it."""

    width: int
    height: int
    background: str  # the same in every picture
    map_box: Box
    map_scale: float
    ground: list[Piece]  # the parts of the map that seldom change, in the map's units
    pieces: list[Piece]  # everything on the ground
    sheets: list[Sheet]

    @property
    def svg(self) -> str:
        panels = [sheet.svg for sheet in self.sheets]
        drawn = group(tooltip("Fuji Koro"), self.background, self.scaled([*self.ground, *self.pieces]), *panels)
        return document(drawn, Box(0, 0, self.width, self.height))

    def scaled(self, pieces: Iterable[Piece]) -> str:
        """Pieces of the map in units of the picture."""
        return group(*(piece.svg for piece in pieces), transform=f"scale({self.map_scale})", class_="map")


def panel(box: Box, svg: str, name: str = "") -> Sheet:
    """A panel in one piece."""
    return Sheet(box, "", (Band(0, box.height, svg),), name=name)


def document(drawn: str, box: Box, size: tuple[int, int] | None = None) -> str:
    """SVG file that shows a box of a drawing. `size`: width and height of the image, if other than the box's."""
    width, height = size or (box.width, box.height)
    exact = 'preserveAspectRatio="none"' if size else ""
    head = f'<svg xmlns="http://www.w3.org/2000/svg" width="{width:g}" height="{height:g}" {exact}'
    view = f'viewBox="{box.x:.4f} {box.y:.4f} {box.width:.4f} {box.height:.4f}" font-family="{FONT}"'
    return f"{head} {view}>\n{MARK}\n<defs>{DEFINITIONS}</defs>\n{drawn}\n</svg>\n"
