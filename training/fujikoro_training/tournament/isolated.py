"""`IsolatedAgent`: an agent in a process of its own, which gets only the views of its seat.

What comes back is JSON of at most `LONGEST_ANSWER` bytes, and is checked. A process that ends, takes too long or sends
anything else is ended, and the agent forfeits.
"""

import os
import re
import signal
import subprocess
import sys
import threading
from contextlib import suppress
from pathlib import Path
from types import TracebackType
from typing import Any, Final

from fujikoro_env.content.carried import carried
from fujikoro_env.game import Game
from fujikoro_env.kernel.text import quoted
from fujikoro_env.player import AgentError
from fujikoro_env.rules.base.actions import ACTIONS
from fujikoro_env.settings import Rules
from fujikoro_training.tournament.failures import (
    CRASHED,
    ILLEGAL,
    RAISED,
    RESETTING,
    TIME,
    FailureError,
    ended,
    time_for,
    too_slow,
)
from fujikoro_training.tournament.frames import LONGEST_ANSWER, FrameError, read_frame, view_bytes, write_frame

MODULE: Final = "fujikoro_training.tournament.agent_process"
SECONDS_TO_END: Final = 1.0  # for a process that has closed its pipe
SECONDS_TO_COMPILE: Final = 900.0
DIGEST: Final = re.compile(r"[0-9a-f]{16}")
OUR_ERROR: Final = f"{AgentError.__module__}.{AgentError.__qualname__}: "  # before messages that are meant for users
# Environment variables that an agent's process inherits: what Python, compiled code and libraries need to start.
INHERITED: Final = re.compile(
    r"PATH|HOME|LANG|LC_\w+|TZ|TMPDIR|TEMP|TMP|SYSTEMROOT|USERPROFILE|APPDATA|LOCALAPPDATA|LD_LIBRARY_PATH|VIRTUAL_ENV"
    r"|XDG_CACHE_HOME|FUJIKORO_\w+|NUMBA_\w+|OMP_\w+|MKL_\w+|OPENBLAS_\w+|CUDA_\w+|PYTHONHASHSEED",
    re.IGNORECASE,
)


class IsolatedAgent:
    """An agent in its own process. Every method raises `FailureError` if the agent fails; then it is of no further
    use. Also a context manager that ends the process."""

    def __init__(self, name: str, rules: Rules, move_seconds: float) -> None:
        self._move_seconds, self._seat, self._requests = move_seconds, 0, 0
        self._late = False
        self._process = subprocess.Popen(
            [sys.executable, "-P", "-m", MODULE],
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=subprocess.DEVNULL,
            env=clean_environment(),
            start_new_session=True,  # so that processes which the agent starts can be ended with it
        )
        try:
            self._ask("make", self._long, name=name, content=carried(rules.pack))
        except BaseException:
            self.close()
            raise

    def __enter__(self) -> "IsolatedAgent":
        return self

    def __exit__(self, _kind: type | None, _error: BaseException | None, _trace: TracebackType | None) -> None:
        self.close()

    @property
    def _long(self) -> float:
        return time_for(RESETTING, self._move_seconds)

    @property
    def process_id(self) -> int:
        """Number of the agent's process."""
        return self._process.pid

    def compile(self) -> None:
        """Let the process load all compiled code."""
        self._ask("compile", SECONDS_TO_COMPILE)

    def digest(self) -> str:
        """Digest of the agent's code, as the process says."""
        given = self._ask("digest", self._long)
        if not isinstance(given, str) or not DIGEST.fullmatch(given):
            raise self._rubbish("it is not a digest")
        return given

    def reset(self, seed: int, seat: int) -> None:
        """Start a new game."""
        self._seat = seat
        self._ask("reset", self._long, seed=seed, seat=seat)

    def act(self, view: Game) -> int:
        """Choose an action; it is one, but need not be legal."""
        given = self._ask("act", self._move_seconds, view_bytes(view), seat=self._seat)
        if isinstance(given, str):
            raise FailureError(ILLEGAL, given)
        if type(given) is not int or not 0 <= given < ACTIONS:
            raise self._rubbish("it has no action")
        return given

    def explain(self) -> str:
        """Nothing: a tournament does not ask for reasons."""
        return ""

    def close(self) -> None:
        """End the process, and those that it has started in its group."""
        if hasattr(os, "killpg"):
            with suppress(ProcessLookupError, PermissionError):
                os.killpg(self._process.pid, signal.SIGKILL)
        self._process.kill()
        self._process.wait()
        for pipe in (self._process.stdin, self._process.stdout):
            assert pipe
            with suppress(OSError):  # what was not sent is lost
                pipe.close()

    def _ask(self, what: str, limit: float, body: bytes = b"", **head: Any) -> Any:
        """Send a request and return the answer."""
        self._requests += 1
        timer = threading.Timer(limit, self._overstayed)
        timer.start()
        try:
            answer = self._exchange({"do": what, "request": self._requests, **head}, body)
        except (EOFError, OSError):
            raise self._ended(limit) from None
        except FrameError as error:
            raise self._rubbish(str(error)) from None
        finally:
            timer.cancel()
        return self._checked(answer)

    def _exchange(self, head: dict[str, Any], body: bytes) -> Any:
        assert self._process.stdin
        assert self._process.stdout
        write_frame(self._process.stdin, head, body)
        return read_frame(self._process.stdout, LONGEST_ANSWER, 0)[0]

    def _overstayed(self) -> None:
        self._late = True
        self._process.kill()

    def _checked(self, answer: Any) -> Any:
        if isinstance(answer, dict) and answer.get("request") == self._requests and len(answer) == 2:
            if "given" in answer:
                return answer["given"]
            if isinstance(answer.get("raised"), str):
                raise FailureError(RAISED, answer["raised"])
        raise self._rubbish("it is not an answer")

    def _ended(self, limit: float) -> FailureError:
        with suppress(subprocess.TimeoutExpired):
            self._process.wait(SECONDS_TO_END)
        self.close()
        return (
            FailureError(TIME, too_slow(limit))
            if self._late
            else FailureError(CRASHED, ended(self._process.returncode))
        )

    def _rubbish(self, why: str) -> FailureError:
        self.close()
        return FailureError(ILLEGAL, f"its process sent something else than an answer: {why}")


def clean_environment() -> dict[str, str]:
    """Environment of an agent's process: no variables but those that are needed. Modules are found where this process
    finds them."""
    kept = {name: value for name, value in os.environ.items() if INHERITED.fullmatch(name)}
    return {**kept, "PYTHONPATH": os.pathsep.join(path or str(Path.cwd()) for path in sys.path)}


def isolated_digest(name: str, rules: Rules) -> str:
    """Make an agent once, in a process of its own, and return the digest of its code. Raises `AgentError` if that
    fails."""
    try:
        with IsolatedAgent(name, rules, 0.0) as agent:
            return agent.digest()
    except FailureError as failure:
        detail = failure.detail
        if detail.startswith(OUR_ERROR):
            raise AgentError(detail.removeprefix(OUR_ERROR)) from None
        raise AgentError(f"agent {quoted(name)} can't be made: {detail}") from None
