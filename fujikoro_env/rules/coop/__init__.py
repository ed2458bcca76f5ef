"""COOP: co-operative and solo games."""
