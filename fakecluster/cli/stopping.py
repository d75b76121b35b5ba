"""When a command that serves ends."""

from __future__ import annotations

import signal
import threading


def on_signal() -> threading.Event:
    """Return what SIGTERM or SIGINT sets."""
    stop = threading.Event()
    for number in (signal.SIGTERM, signal.SIGINT):
        signal.signal(number, lambda *_: stop.set())
    return stop
