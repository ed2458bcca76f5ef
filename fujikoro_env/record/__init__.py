"""Recorded games: a `Recorder` takes a game down while it is played, a `Recording` is written and read as JSON
(docs/recordings.md), and a `Replay` plays it again, which must give the same game to the last byte.

>>> from fujikoro_env import Game, Rules
>>> recorder = Recorder(Game(Rules(players=2, max_rounds=1), seed=7), names=["first", "first"], seed=7)
>>> while not recorder.game.over:
...     recorder.step(recorder.game.legal_actions()[0])
>>> text = recorder.recording().to_json()
>>> replay = Replay(Recording.from_json(text))  # RecordError, if anything in it is not as it was
>>> replay.game_at(replay.last).digest() == recorder.game.digest()
True
"""

from fujikoro_env.record.errors import RecordError
from fujikoro_env.record.form import Recording, Start, Step
from fujikoro_env.record.recorder import Recorder
from fujikoro_env.record.replay import Replay

__all__ = ["RecordError", "Recorder", "Recording", "Replay", "Start", "Step"]
