"""Pictures as SVG, for any game: elements, text and its width, and the colours around a table."""
