"""Agents for tests of tournaments; workers find them by name, `python:tests.helpers.bots.First`."""

import os
import time

from fujikoro_env.game import Game
from fujikoro_env.player import RandomAgent

FAILS_IN_ROUND = 2


class First:
    """The first legal action."""

    def reset(self, seed: int, seat: int) -> None:
        self.seed, self.seat = seed, seat

    def act(self, view: Game) -> int:
        return int(view.legal_actions()[0])

    def explain(self) -> str:
        return "the first"


class Dicey(RandomAgent):
    """At random, but rather the last than the first."""

    def act(self, view: Game) -> int:
        legal = view.legal_actions()
        return int(max(self._luck.choice(legal), self._luck.choice(legal)))


class Failing(First):
    """Fails in its second round."""

    def act(self, view: Game) -> int:
        return self.fail(view) if view.state.round_number >= FAILS_IN_ROUND else super().act(view)

    def fail(self, view: Game) -> int:
        raise NotImplementedError


class Raises(Failing):
    def fail(self, view: Game) -> int:
        raise ValueError("no\nidea")


class Leaves(Failing):
    def fail(self, view: Game) -> int:
        raise SystemExit(1)


class Cheats(Failing):
    def fail(self, view: Game) -> int:
        return int((~view.legal_mask()).argmax())


class Shrugs(Failing):
    def fail(self, view: Game) -> int:
        return None  # type: ignore[return-value]


class Exaggerates(Failing):
    def fail(self, view: Game) -> int:
        return 10**30


class Interrupts(Failing):
    def fail(self, view: Game) -> int:
        raise KeyboardInterrupt


class UnprintableError(Exception):
    def __str__(self) -> str:
        raise ValueError


class Mumbles(Failing):
    def fail(self, view: Game) -> int:
        raise UnprintableError


class Dawdles(Failing):
    def fail(self, view: Game) -> int:
        time.sleep(0.3)
        return First.act(self, view)


class Hangs(Failing):
    def fail(self, view: Game) -> int:
        while True:
            pass


class Dies(Failing):
    def fail(self, view: Game) -> int:
        os._exit(7)


class NeverReady(First):
    def reset(self, seed: int, seat: int) -> None:
        raise OSError("no paper")


class NeverMade(First):
    def __init__(self) -> None:
        raise RuntimeError("no wood")
