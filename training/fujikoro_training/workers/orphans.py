"""Worker processes that end when their parent does, even if it is killed."""

import ctypes
import multiprocessing
import os
import signal
import sys
import threading
from contextlib import suppress
from multiprocessing.connection import wait
from typing import Final

PR_SET_PDEATHSIG: Final = 1  # from Linux' <sys/prctl.h>
ORPHANED: Final = 1  # exit status


def end_with_parent() -> None:
    """Call this first in a process that multiprocessing started. A thread waits for the parent's end, on any system.
    It can't run while other code holds the interpreter's lock, such as an endless loop in C: on Linux the kernel ends
    the process in that case, too."""
    parent = multiprocessing.parent_process()
    assert parent is not None
    threading.Thread(target=_end_after, args=(parent.sentinel,), daemon=True, name="end with parent").start()
    end_with_parent_on_linux()


def end_with_parent_on_linux() -> None:
    """On Linux, let the kernel end this process when its parent ends. Other systems can't."""
    if sys.platform == "linux":
        with suppress(OSError, AttributeError):  # a C library without prctl
            ctypes.CDLL(None).prctl(PR_SET_PDEATHSIG, signal.SIGKILL)


def _end_after(sentinel: int) -> None:
    wait([sentinel])
    os._exit(ORPHANED)


def begin_worker() -> None:
    """Set up a worker process of a pool: it ends with its parent, and leaves interrupts to it."""
    end_with_parent()
    signal.signal(signal.SIGINT, signal.SIG_IGN)
