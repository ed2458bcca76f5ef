"""Observations: what one player sees of a game."""
