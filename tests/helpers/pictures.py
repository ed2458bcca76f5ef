"""Positions of the words in a drawing, to check that all of them can be read."""

import re
import xml.etree.ElementTree as ET
from collections.abc import Iterator
from dataclasses import dataclass

from fujikoro_env.kernel.drawing.lettering import text_width

SVG = "{http://www.w3.org/2000/svg}"


@dataclass(frozen=True)
class Words:
    """A word with its position, in pixels of a picture that is shown as large as it is drawn."""

    text: str
    size: float
    left: float
    right: float
    baseline: float

    def overlaps(self, other: "Words") -> bool:
        """Whether two words overlap by more than a touch; letters are about 0.7 of their size high."""
        across = min(self.right, other.right) - max(self.left, other.left)
        down = min(self.baseline, other.baseline) - max(
            self.baseline - 0.7 * self.size, other.baseline - 0.7 * other.size
        )
        return across > 1.5 and down > 1


def words_of(picture: str) -> list[Words]:
    """All words of an SVG picture."""
    return list(_words(ET.fromstring(picture), 0, 0, 1))


def _words(node: ET.Element, x: float, y: float, scale: float) -> Iterator[Words]:
    for kind, numbers in re.findall(r"(\w+)\(([^)]*)\)", node.get("transform", "")):
        values = [float(number) for number in numbers.split()]
        if kind == "translate":
            x, y = x + scale * values[0], y + scale * values[1]
        elif kind == "scale":
            scale *= values[0]
    if node.tag == f"{SVG}text":
        yield _measured(node, x, y, scale)
    for child in node:
        yield from _words(child, x, y, scale)


def _measured(node: ET.Element, x: float, y: float, scale: float) -> Words:
    text, size = "".join(node.itertext()), float(node.get("font-size", 0))
    bold = "bold" in (node.get("font-weight"), *(part.get("font-weight") for part in node))
    spread = sum(float(part.get("dx", 0)) for part in node)
    width = float(node.get("textLength", 0)) or text_width(text, size, bold) + spread
    start = {"middle": width / 2, "end": width}.get(node.get("text-anchor", ""), 0.0)
    left = x + scale * (float(node.get("x", 0)) - start)
    return Words(text, scale * size, left, left + scale * width, y + scale * float(node.get("y", 0)))
