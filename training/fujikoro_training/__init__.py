"""Self-play training, tournaments, ratings and balance research."""
