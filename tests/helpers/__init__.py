"""Helpers shared by tests: tables and positions, independent bookkeeping of the rules, samples of games, other
processes."""
