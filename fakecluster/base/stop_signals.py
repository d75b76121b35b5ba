"""When a program that serves ends."""

from __future__ import annotations

import os
import select
import signal


class Stop:
    """A wish to end.

    It is a pipe: a signal that comes just before a wait begins would not end it, since Python's handler runs
    only after the wait. What the interpreter itself writes into the pipe does.
    """

    def __init__(self) -> None:
        self._read_end, self.pipe = os.pipe()
        os.set_blocking(self.pipe, False)

    def ask(self) -> None:
        """Wish for the end; safe in a signal handler."""
        os.write(self.pipe, b"\0")

    def wait(self, timeout: float | None = None) -> bool:
        """Wait for the wish, so many seconds at most, and return whether it came."""
        return bool(select.select([self._read_end], [], [], timeout)[0])


def on_signal() -> Stop:
    """Return what SIGTERM or SIGINT asks."""
    stop = Stop()
    # The interpreter writes into the pipe from its own handler, at once, whatever Python is doing.
    signal.set_wakeup_fd(stop.pipe, warn_on_full_buffer=False)
    for number in (signal.SIGTERM, signal.SIGINT):
        # Without a handler in Python the default one would end the process first.
        signal.signal(number, lambda *_: None)
    return stop
