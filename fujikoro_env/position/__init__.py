"""Positions as JSON that a person can read, write and edit: docs/positions.md describes the form.

Whatever can be worked out is left out: the supply, stacks and decks are what the content pack has and the position
does not show elsewhere. `kinds` has how one value is written and read, `words` the names, and `fields` the tables
that describe the records by kinds, so that both directions come from the same lines. `writing` goes from a game to
the JSON; `reading` goes back to a record (a `draft`), which `judging` then checks against the rules. All faults are
collected, a line each.
"""

from fujikoro_env.position.convert import from_json, to_json
from fujikoro_env.position.errors import PositionError
from fujikoro_env.position.writing import position_of

__all__ = ["PositionError", "from_json", "position_of", "to_json"]
