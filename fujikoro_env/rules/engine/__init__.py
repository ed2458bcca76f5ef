"""What drives games through the chapters: single games, batches, what is hidden, rewards."""
