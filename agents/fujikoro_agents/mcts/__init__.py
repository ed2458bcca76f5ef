"""Compiled tree search: hidden information is redealt in every iteration, and all players maximise their own result
(docs/mcts.md)."""
