"""COOP: cooperative and solo games."""
