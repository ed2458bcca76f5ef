"""Pig, a toy game built by following docs/architecture.md, "How to add a game": the smallest game on the kernel.

Roll a die as often as you like and add up, or hold and keep the sum. A 1 loses the sum and ends the turn. Whoever holds
with the goal reached wins.
"""
