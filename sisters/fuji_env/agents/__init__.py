"""Agents that play Fuji."""
