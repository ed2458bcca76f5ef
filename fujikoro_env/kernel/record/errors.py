"""Errors of recordings."""


class RecordError(ValueError):
    """Raised for a recording that can't be read, or whose replay differs from it. The message starts with the place."""
