"""CHAR: characters, with their asymmetric boards and powers."""
