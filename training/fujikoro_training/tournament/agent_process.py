"""The process of an isolated agent: `python -m fujikoro_training.tournament.agent_process`. `IsolatedAgent` starts it.

It is told the agent's name, seed and seat, and gets the views of that seat. It answers by JSON, and ends with the
process that started it.
"""

import os
import signal
import threading
from collections.abc import Callable
from queue import SimpleQueue
from typing import IO, Any

from fujikoro_env.content.carried import carried_content, digest_fault
from fujikoro_env.kernel import jit
from fujikoro_env.player import Agent, failure_text, make_agent
from fujikoro_env.settings import Rules
from fujikoro_training.tournament.entrants import digest_of
from fujikoro_training.tournament.failures import as_action
from fujikoro_training.tournament.frames import (
    LONGEST_HEAD,
    FrameError,
    Head,
    read_frame,
    record_of,
    view_of,
    view_size,
    write_frame,
)
from fujikoro_training.workers.orphans import ORPHANED, end_with_parent_on_linux

Inbox = SimpleQueue[tuple[Head, bytes]]


class Host:
    """Makes one agent and passes requests on to it. The methods have the names of the requests."""

    def __init__(self) -> None:
        self.name = ""
        self._agent: Agent | None = None
        self._content: Head = {}
        self._rules: dict[bytes, Rules] = {}  # by the settings in a record

    def answer(self, head: Head, body: bytes) -> Head:
        """Answer a request: with what the agent gives, or with what it raises."""
        work: Callable[[Head, bytes], Any] = getattr(self, head["do"])
        try:
            return {"request": head["request"], "given": work(head, body)}
        except BaseException as error:  # including SystemExit, as in a process with other agents
            return {"request": head["request"], "raised": failure_text(error)}

    @property
    def agent(self) -> Agent:
        """The agent, once it is made."""
        assert self._agent is not None
        return self._agent

    def make(self, head: Head, _body: bytes) -> None:
        """Make the agent with this name, for games with this content."""
        self.name, self._content = head["name"], head["content"]
        self._agent = make_agent(self.name)

    def compile(self, _head: Head, _body: bytes) -> None:
        """Load all compiled code, so that no move has to wait for it."""
        if not jit.INTERPRETED:
            jit.compile_entries()

    def digest(self, _head: Head, _body: bytes) -> str:
        """Digest of the agent's code."""
        return digest_of(type(self.agent), self.name)

    def reset(self, head: Head, _body: bytes) -> None:
        """Start a new game."""
        self.agent.reset(head["seed"], head["seat"])

    def act(self, head: Head, body: bytes) -> int | str:
        """The number of an action, or why there is none."""
        view = view_of(body, head["seat"], self._rules_of(body))
        return as_action(self.agent.act(view))

    def _rules_of(self, body: bytes) -> Rules:
        """The rules of a view. They are the same in all games, except for the characters."""
        settings = record_of(body)[0].settings
        key = settings.tobytes()
        if key not in self._rules:
            rules = Rules.read_settings(settings, carried_content(self._content))
            if fault := digest_fault(self._content, rules.pack):
                raise ValueError(fault)
            self._rules[key] = rules
        return self._rules[key]


def main() -> None:
    """Answer requests until the other process ends."""
    end_with_parent_on_linux()
    signal.signal(signal.SIGINT, signal.SIG_IGN)  # the tournament gets it too, and ends this process
    requests, answers = _private_pipes()
    inbox: Inbox = SimpleQueue()
    threading.Thread(target=_receive, args=(requests, inbox), daemon=True, name="requests").start()
    host = Host()
    while True:
        write_frame(answers, host.answer(*inbox.get()))


def _private_pipes() -> tuple[IO[bytes], IO[bytes]]:
    """Standard input and output, under other numbers: what the agent prints must not mix with answers."""
    requests, answers = os.dup(0), os.dup(1)
    nothing = os.open(os.devnull, os.O_RDWR)
    os.dup2(nothing, 0)
    os.dup2(nothing, 1)
    return os.fdopen(requests, "rb"), os.fdopen(answers, "wb")


def _receive(requests: IO[bytes], inbox: Inbox) -> None:
    """Read requests at all times, also while the agent is busy: their end is the end of the other process."""
    while True:
        try:
            inbox.put(read_frame(requests, LONGEST_HEAD, view_size()))
        except (EOFError, FrameError, OSError):
            os._exit(ORPHANED)


if __name__ == "__main__":
    main()
