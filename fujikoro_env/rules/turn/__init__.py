"""TURN: two actions a turn, and what an action with a gear card is."""
