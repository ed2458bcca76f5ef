"""CHAR: asymmetric boards."""
