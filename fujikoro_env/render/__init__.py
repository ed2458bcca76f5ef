"""Pictures of a game: text for the terminal, SVG for the browser and notebooks, and from it pixels and a window."""

from fujikoro_env.render.svg import map_svg, table_svg
from fujikoro_env.render.text import table_text

__all__ = ["map_svg", "table_svg", "table_text"]
