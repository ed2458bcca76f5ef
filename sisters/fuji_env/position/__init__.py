"""Positions as JSON that people can read, write and edit: docs/fuji/positions.md describes the format.

`fields` says by which names and kinds of values a position shows the record, for both directions. `writing` turns a
game into plain data, `reading` turns the data back into a record, and `judging` checks the record against the rules.
All faults are collected, one line each.
"""

from fuji_env.position.convert import from_json, judge_game, position_of, read_position, to_json
from fujikoro_env.kernel.position.errors import PositionError

__all__ = ["PositionError", "from_json", "judge_game", "position_of", "read_position", "to_json"]
