"""`Crew`: threads that share out work whose compiled parts release the GIL."""

import os
import threading
import weakref
from collections.abc import Callable
from queue import SimpleQueue
from typing import Any

Work = Callable[[int], None]  # called with the number of the hand that does it


class Crew:
    """So many hands: the caller's thread is number 0, and the others wait between two pieces of work."""

    def __init__(self, hands: int) -> None:
        self.hands = hands
        self._orders: list[SimpleQueue[Work | None]] = [SimpleQueue() for _ in range(hands - 1)]
        self._reports: SimpleQueue[BaseException | None] = SimpleQueue()
        self._process = os.getpid()
        self._closed = False
        for hand, orders in enumerate(self._orders, 1):
            name = f"fujikoro-{hand}"
            threading.Thread(target=_serve, args=(hand, orders, self._reports), name=name, daemon=True).start()
        weakref.finalize(self, _dismiss, self._orders)

    def share_out(self, work: Work) -> None:
        """Have every hand do the work, and wait for all; what went wrong with one of them is raised."""
        if self._closed:
            raise RuntimeError("this batch of games is closed: make another one")
        if self._orders and self._process != os.getpid():
            raise RuntimeError("threads do not survive a fork: make the batch of games in the process that plays it")
        for orders in self._orders:
            orders.put(work)
        try:
            work(0)
        finally:
            troubles = [self._reports.get() for _ in self._orders]
        for trouble in troubles:
            if trouble is not None:
                raise trouble

    def close(self) -> None:
        if not self._closed:
            self._closed = True
            _dismiss(self._orders)


def _serve(hand: int, orders: Any, reports: Any) -> None:
    while (work := orders.get()) is not None:
        try:
            work(hand)
            trouble = None
        except BaseException as error:  # raised again by the thread that waits for it
            trouble = error
        del work  # it knows the batch, which else could never be forgotten while this thread waits
        reports.put(trouble)
        del trouble


def _dismiss(orders: "list[SimpleQueue[Work | None]]") -> None:
    for hand in orders:
        hand.put(None)


def cores() -> int:
    """That this process may use."""
    return len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count() or 1
