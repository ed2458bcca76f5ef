"""Environments for reinforcement learning, and batches of games."""
