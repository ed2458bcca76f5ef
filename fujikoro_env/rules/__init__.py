"""The game itself, compiled: records, geometry, phases, and one file per chapter of the rules."""
