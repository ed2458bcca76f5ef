"""What comes next in a turn: kept by its frame, the lowest of the stack."""

ACTIONS_A_TURN = 2  # TURN-1
TURN_START = 0
TURN_END = TURN_START + 1 + ACTIONS_A_TURN
