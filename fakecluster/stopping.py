"""When a program that serves ends."""

from __future__ import annotations

import signal
from queue import Empty, SimpleQueue


class Stop:
    """A wish to end. A signal may come in the midst of `wait`, where an Event's lock would never be free again."""

    def __init__(self) -> None:
        self._asked: SimpleQueue[None] = SimpleQueue()

    def ask(self) -> None:
        """Wish for the end; safe in a signal handler."""
        self._asked.put(None)

    def wait(self, timeout: float | None = None) -> bool:
        """Wait for the wish, so many seconds at most, and return whether it came."""
        try:
            self._asked.get(timeout=timeout)
        except Empty:
            return False
        return True


def on_signal() -> Stop:
    """Return what SIGTERM or SIGINT asks."""
    stop = Stop()
    for number in (signal.SIGTERM, signal.SIGINT):
        signal.signal(number, lambda *_: stop.ask())
    return stop
