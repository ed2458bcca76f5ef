"""Tree search, compiled: what is hidden is dealt anew on every iteration, and everybody plays for itself (docs/mcts.md)."""
