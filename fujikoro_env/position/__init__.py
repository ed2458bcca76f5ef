"""Positions as JSON that people can read, write and edit: docs/positions.md describes the format.

Whatever can be derived is left out: the supply, stacks and decks hold everything in the content pack that the position
does not show elsewhere. `kinds` defines how single values are written and read, `words` the names, and `fields` tables
that describe records by kinds, so that both directions share one definition. `writing` turns a game into JSON data.
`reading` turns the data back into a record (a `draft`), which `judging` then checks against the rules. All faults are
collected, one line each.
"""

from fujikoro_env.kernel.position.errors import PositionError
from fujikoro_env.position.convert import from_json, judge_game, to_json
from fujikoro_env.position.writing import position_of

__all__ = ["PositionError", "from_json", "judge_game", "position_of", "to_json"]
