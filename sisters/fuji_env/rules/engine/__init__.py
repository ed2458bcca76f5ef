"""Drives games from decision to decision, and hides what a player can't see."""
