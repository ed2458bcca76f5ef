"""Stages of a turn, kept in its frame, the lowest of the stack."""

ACTIONS_A_TURN = 2  # TURN-1
TURN_START = 0
FIRST_ACTION = TURN_START + 1
TURN_END = FIRST_ACTION + ACTIONS_A_TURN  # TURN-8: escape, then claim, then countdown
CLAIMING = TURN_END + 1
COUNTDOWN = CLAIMING + 1
NEXT_PLAYER = COUNTDOWN + 1
