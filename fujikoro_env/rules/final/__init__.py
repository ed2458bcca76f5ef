"""FINAL CHAPTER: countdown, lava, ways out, claims, victory points and the end of the game."""
