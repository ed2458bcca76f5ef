"""What is wrong with a recorded game, said in one line."""


class RecordError(ValueError):
    """A recording that can't be read, or does not replay to the game that it says. The line begins with where it is."""
