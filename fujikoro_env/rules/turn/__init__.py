"""TURN: two actions per turn, and actions with gear cards."""
