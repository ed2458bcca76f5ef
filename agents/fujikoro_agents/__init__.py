"""Agents that play the game: the scripted ladder, tree search and trained policies."""
