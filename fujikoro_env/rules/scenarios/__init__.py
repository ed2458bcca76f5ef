"""SCEN: what scenarios change."""
