"""Drives games through the chapters of the rules: stepping, batches, hidden information and rewards."""
