"""SVG as plain strings: elements, texts and simple shapes."""

import math
from functools import cache, lru_cache
from html import escape

from fujikoro_env.kernel.drawing.lettering import FONT, shortened, text_width

Point = tuple[float, float]
LEAST_SQUEEZE = 0.8  # letters are not made narrower than this


def element(tag: str, content: str = "", /, **attributes: object) -> str:
    """An SVG element. `stroke_width=2` becomes `stroke-width="2"`; the content is markup already."""
    shown = "".join([f' {_name(name)}="{_value(value)}"' for name, value in attributes.items()])
    return f"<{tag}{shown}>{content}</{tag}>" if content else f"<{tag}{shown}/>"


@cache
def _name(name: str) -> str:
    return name.rstrip("_").replace("_", "-")


def _value(value: object) -> str:
    if isinstance(value, float):
        return f"{value:.2f}".rstrip("0").rstrip(".")
    return _escaped(value) if isinstance(value, str) else str(value)


@lru_cache(4096)
def _escaped(text: str) -> str:
    return escape(text)


def group(*parts: str, **attributes: object) -> str:
    return element("g", "".join(parts), **attributes)


def moved(x: float, y: float, *parts: str, **attributes: object) -> str:
    return group(*parts, transform=f"translate({_value(float(x))} {_value(float(y))})", **attributes)


def words(x: float, y: float, text: str, size: float, **attributes: object) -> str:
    return element("text", escape(text), x=x, y=y, font_size=size, **attributes)


def middle_words(x: float, y: float, text: str, size: float, **attributes: object) -> str:
    """Text centred on a point in both directions. Not every SVG viewer knows dominant-baseline."""
    return words(x, y + 0.36 * size, text, size, text_anchor="middle", **attributes)


def squeezed_words(x: float, y: float, text: str, size: float, width: float, **attributes: object) -> str:
    """Text with narrower letters where it would be too wide."""
    squeeze: dict[str, object] = {}
    if text_width(text, size, bold=attributes.get("font_weight") == "bold") > width:
        squeeze = {"textLength": width, "lengthAdjust": "spacingAndGlyphs"}
    return words(x, y, text, size, **squeeze, **attributes)


def shortened_words(x: float, y: float, text: str, size: float, width: float, **attributes: object) -> str:
    """Text with narrower letters where it would be a little too wide; cut off where it would be much too wide."""
    return squeezed_words(x, y, shortened(text, width / LEAST_SQUEEZE, size), size, width, **attributes)


def tooltip(text: str) -> str:
    return element("title", escape(text))


def rectangle(x: float, y: float, width: float, height: float, **attributes: object) -> str:
    return element("rect", x=x, y=y, width=width, height=height, **attributes)


def circle(x: float, y: float, radius: float, **attributes: object) -> str:
    return element("circle", cx=x, cy=y, r=radius, **attributes)


def polygon(points: list[Point], **attributes: object) -> str:
    return element(
        "polygon", points=" ".join(f"{_value(float(x))},{_value(float(y))}" for x, y in points), **attributes
    )


def path(d: str, **attributes: object) -> str:
    return element("path", d=d, **attributes)


def hexagon_corner(x: float, y: float, size: float, corner: int) -> Point:
    """Corner of a hexagon that stands on its tip. Corner k comes before side k, and side k faces petal k."""
    angle = math.radians(60 * corner - 30)
    return x + size * math.cos(angle), y + size * math.sin(angle)


def hexagon(x: float, y: float, size: float, **attributes: object) -> str:
    return polygon([hexagon_corner(x, y, size, k) for k in range(6)], **attributes)


def document(drawn: str, width: float, height: float) -> str:
    """SVG file of a drawing."""
    size = f'width="{width:g}" height="{height:g}" viewBox="0 0 {width:g} {height:g}"'
    return f'<svg xmlns="http://www.w3.org/2000/svg" {size} font-family="{FONT}">\n{drawn}\n</svg>\n'
