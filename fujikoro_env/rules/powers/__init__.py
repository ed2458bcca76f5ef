"""ADV and POWERS: scrolls and adventure tokens."""
