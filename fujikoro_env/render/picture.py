"""A drawing in parts: rectangles beside each other, each of which can be drawn without the others."""

from collections.abc import Iterable
from dataclasses import dataclass

from fujikoro_env.render.lettering import FONT
from fujikoro_env.render.shapes import group, moved, tooltip
from fujikoro_env.render.svg_map import DEFINITIONS, Piece

MARK = "<!-- drawn by fujikoro_env -->"  # by which our own pictures can be told from other files


@dataclass(frozen=True)
class Box:
    x: float
    y: float
    width: float
    height: float


@dataclass(frozen=True)
class Sheet:
    """A panel: its drawing begins at (0, 0) and does not leave the box."""

    box: Box
    svg: str


@dataclass(frozen=True)
class Picture:
    """From the bottom up: the background, the map made of many small pieces, and the panels around it."""

    width: int
    height: int
    background: str  # the same in every picture
    map_box: Box
    map_scale: float
    pieces: list[Piece]  # in units of the map
    sheets: list[Sheet]

    @property
    def svg(self) -> str:
        panels = [moved(sheet.box.x, sheet.box.y, sheet.svg) for sheet in self.sheets]
        return document(
            group(tooltip("Fuji Koro"), self.background, self.scaled(self.pieces), *panels),
            Box(0, 0, self.width, self.height),
        )

    def scaled(self, pieces: Iterable[Piece]) -> str:
        """Pieces of the map in units of the picture."""
        return group(*(piece.svg for piece in pieces), transform=f"scale({self.map_scale})", class_="map")


def document(drawn: str, box: Box) -> str:
    """An SVG file that shows this box of a drawing."""
    head = f'<svg xmlns="http://www.w3.org/2000/svg" width="{box.width:g}" height="{box.height:g}"'
    view = f'viewBox="{box.x:g} {box.y:g} {box.width:g} {box.height:g}" font-family="{FONT}"'
    return f"{head} {view}>\n{MARK}\n<defs>{DEFINITIONS}</defs>\n{drawn}\n</svg>\n"
