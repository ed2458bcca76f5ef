"""MAP: places, spaces and tiles."""
