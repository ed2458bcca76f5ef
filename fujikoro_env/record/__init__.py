"""Recorded games. A `Recorder` records a game while it is played, a `Recording` is written and read as JSON
(docs/recordings.md), and a `Replay` plays it again and checks that every position is the same to the last byte.

>>> from fujikoro_env import Game, Rules
>>> recorder = Recorder(Game(Rules(players=2, max_rounds=1), seed=7), names=["first", "first"], seed=7)
>>> while not recorder.game.over:
...     recorder.step(recorder.game.legal_actions()[0])
>>> text = recorder.recording().to_json()
>>> replay = Replay(Recording.from_json(text))  # raises RecordError if the game differs from the recording
>>> replay.game_at(replay.last).digest() == recorder.game.digest()
True
"""

from fujikoro_env.kernel.record import RecordError, Replay, Start, Step
from fujikoro_env.record.recorded import RECORDED, Recorder, Recording, engine_digest

__all__ = ["RECORDED", "RecordError", "Recorder", "Recording", "Replay", "Start", "Step", "engine_digest"]
