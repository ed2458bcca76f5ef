"""The environments that stand on the game, and batches of games."""
