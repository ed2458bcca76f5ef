"""Agents for tests of tournaments; workers find them by name, `python:tests.helpers.bots.First`."""

import gc
import json
import os
import signal
import sys
import time
from contextlib import suppress
from itertools import repeat
from multiprocessing import parent_process
from pathlib import Path

from fujikoro_env.game import Game
from fujikoro_env.player import RandomAgent

FAILS_IN_ROUND = 2


class First:
    """Always chooses the first legal action."""

    def reset(self, seed: int, seat: int) -> None:
        self.seed, self.seat = seed, seat

    def act(self, view: Game) -> int:
        return int(view.legal_actions()[0])

    def explain(self) -> str:
        return "the first"


class Dicey(RandomAgent):
    """Chooses at random, with a bias towards the last actions."""

    def act(self, view: Game) -> int:
        legal = view.legal_actions()
        return int(max(self._luck.choice(legal), self._luck.choice(legal)))


class Failing(First):
    """Fails in its second round, in the way that the subclass defines."""

    fails_in_round: int | None = None  # None: the usual one

    def act(self, view: Game) -> int:
        first = FAILS_IN_ROUND if self.fails_in_round is None else self.fails_in_round
        return self.fail(view) if view.state.round_number >= first else super().act(view)

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


class EditsItsView(Failing):
    def fail(self, view: Game) -> int:
        view.state.players[0].vp += 5
        return First.act(self, view)


class NeverReady(First):
    def reset(self, seed: int, seat: int) -> None:
        raise OSError("no paper")


class NeverMade(First):
    def __init__(self) -> None:
        raise RuntimeError("no wood")


class Index:
    """In place of an action: its conversion to a number is the agent's code, too."""

    def __index__(self) -> int:
        raise NotImplementedError


class SlowIndex(Index):
    def __index__(self) -> int:
        time.sleep(0.3)
        return 0


class EndlessIndex(Index):
    def __index__(self) -> int:
        while True:
            pass


class LeavingIndex(Index):
    def __index__(self) -> int:
        raise SystemExit(1)


class ReturnsSlowIndex(Failing):
    def fail(self, view: Game) -> int:
        return SlowIndex()  # type: ignore[return-value]


class ReturnsEndlessIndex(Failing):
    def fail(self, view: Game) -> int:
        return EndlessIndex()  # type: ignore[return-value]


class ReturnsLeavingIndex(Failing):
    def fail(self, view: Game) -> int:
        return LeavingIndex()  # type: ignore[return-value]


class HangsInC(Failing):
    """Never returns and never lets another thread run."""

    def fail(self, view: Game) -> int:
        return sum(repeat(0))


class IgnoresSignals(Failing):
    """Never returns, and ignores all signals that a process can ignore."""

    def fail(self, view: Game) -> int:
        for number in signal.valid_signals() - {signal.SIGKILL, signal.SIGSTOP}:
            signal.signal(number, signal.SIG_IGN)
        while True:
            pass


class LeavesWhenMade(First):
    """Ends its process when it is made, but not in the main process."""

    def __init__(self) -> None:
        if parent_process():
            os._exit(3)


class Escapes(Failing):
    """Writes to the terminal by its exception."""

    def fail(self, view: Game) -> int:
        raise ValueError("\x1b[2J\x00\u202e" + "x" * 1000)


# Agents for tests of processes of their own


class ExitsWhenIsolated(First):
    """Ends its process when it is made."""

    def __init__(self) -> None:
        os._exit(3)


class Talkative(First):
    """Plays well, but prints and reads what it can."""

    def act(self, view: Game) -> int:
        print("x" * 100_000)
        os.write(1, b"y" * 1000)
        assert sys.stdin.read() == ""
        return super().act(view)


def send(junk: bytes) -> None:
    """Write to all files that are open, among them the pipe for answers."""
    for number in range(3, 30):
        with suppress(OSError):
            os.write(number, junk)


class Floods(Failing):
    """Sends without end."""

    def fail(self, view: Game) -> int:
        while True:
            send(b"\xff" * 10_000)


class SendsRubbish(Failing):
    """Sends something else than an answer: `Junk` is what comes after the lengths of head and body."""

    junk = b"not JSON"

    def fail(self, view: Game) -> int:
        send(len(self.junk).to_bytes(4, "little") + bytes(4) + self.junk)
        return 0


class SendsNesting(SendsRubbish):
    junk = b"[" * 4000


class SendsAnotherAnswer(SendsRubbish):
    junk = b'{"request": 1, "given": 0}'


class SendsFraction(SendsRubbish):
    """Sends a fraction in place of an action, as the right answer otherwise."""

    requests = 2  # `make` and `reset`

    def act(self, view: Game) -> int:
        self.requests += 1
        self.junk = json.dumps({"request": self.requests, "given": 0.5}).encode()
        return super().act(view)


class Spies(First):
    """Notes in a file, whose name is its parameter, what its process knows."""

    def __init__(self, notes: str) -> None:
        self.notes = Path(notes)

    def act(self, view: Game) -> int:
        hidden = view.state.streams["words"].any() or view.viewer != self.seat
        games = [each for each in gc.get_objects() if isinstance(each, Game) and each.viewer is None]
        self.notes.write_text(json.dumps([sys.argv[1:], sorted(os.environ), bool(hidden), len(games)]))
        return super().act(view)


class HangsWhenReset(First):
    """Never returns, and never lets another thread run."""

    def reset(self, seed: int, seat: int) -> None:
        sum(repeat(0))
