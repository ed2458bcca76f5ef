"""`Session`: plays one game of Fuji step by step, with agents and people (docs/session.md)."""

from typing import ClassVar

from fuji_env.game import Game
from fuji_env.record import Recorder
from fujikoro_env.kernel import session as kernel
from fujikoro_env.kernel.record import Recorder as AnyRecorder


class Session(kernel.Session):
    """One game of Fuji and its players. Agents answer when `advance` or `play` asks them; all other seats belong to
    people."""

    recorders: ClassVar[type[AnyRecorder]] = Recorder
    game: Game
