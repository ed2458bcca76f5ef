"""ADV and POWERS: the powers of scrolls and adventure tokens."""
