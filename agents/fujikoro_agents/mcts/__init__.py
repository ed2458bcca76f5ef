"""Tree search, compiled: what is hidden is dealt anew on every iteration, and all play for their own (docs/mcts.md)."""
