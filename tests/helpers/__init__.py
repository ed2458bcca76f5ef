"""What several tests use: tables and positions, second books of the rules, samples of games, other processes."""
