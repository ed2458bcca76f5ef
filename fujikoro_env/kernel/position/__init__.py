"""Positions as JSON, for any game: kinds of values, objects with their faults, and the text."""
