"""Recorded games, of any game: a `Recorder` records a game while it is played, a `Recording` is written and read as
JSON, and a `Replay` plays it again and checks that every position is the same to the last byte.

A game says in a `RecordedGame` what these need of it, and has its own `Recording` and `Recorder`, which name it.
"""

from fujikoro_env.kernel.record.errors import RecordError
from fujikoro_env.kernel.record.events import OPEN, SPECTATOR, Event
from fujikoro_env.kernel.record.form import Recording, Start, Step
from fujikoro_env.kernel.record.game import Passage, RecordedGame
from fujikoro_env.kernel.record.recorder import Recorder
from fujikoro_env.kernel.record.replay import Replay

__all__ = [
    "OPEN",
    "SPECTATOR",
    "Event",
    "Passage",
    "RecordError",
    "RecordedGame",
    "Recorder",
    "Recording",
    "Replay",
    "Start",
    "Step",
]
