"""SCEN: rules that scenarios change."""
