"""Delays the changes that the harness's watches deliver, to try the harness under disorder.

Each kind has a watch of its own. On a busy cluster one watch may deliver the Event of revision 12 before
another delivers the Workload of revision 11; a reader that needs one order across kinds is wrong only then.
"""

from __future__ import annotations

import random
import time
from collections.abc import Callable, Iterator
from queue import Empty, SimpleQueue
from threading import Event, Thread
from typing import TypeAlias

from ..history.story import Change

LONGEST_SECONDS = 0.3
_IDLE_SECONDS = 1.0
"""How often a thread that has nothing to deliver looks whether the run has ended."""
Deliver: TypeAlias = Callable[[Change], None]


def random_delays(seed: int, kind: str) -> Iterator[float]:
    """Yield delays in seconds, the same for a seed and a kind in every run."""
    draw = random.Random(f"{seed} {kind}")  # noqa: S311 - a delay, not a secret
    while True:
        yield draw.uniform(0, LONGEST_SECONDS)


class DelayedWatch:
    """Delivers the changes of one kind in their order, each after a delay, on a thread of its own."""

    def __init__(self, delays: Iterator[float], deliver: Deliver, stop: Event) -> None:
        self._delays = delays
        self._deliver = deliver
        self._stop = stop
        self._queue: SimpleQueue[tuple[float, Change]] = SimpleQueue()
        Thread(target=self._run, daemon=True, name="delayed watch").start()

    def __call__(self, change: Change) -> None:
        """Take a change, to be delivered later."""
        self._queue.put((time.monotonic() + next(self._delays), change))

    def _run(self) -> None:
        while not self._stop.is_set():
            try:
                due, change = self._queue.get(timeout=_IDLE_SECONDS)
            except Empty:
                continue
            # A change that is due before its predecessor follows it at once: a watch keeps its order.
            self._stop.wait(max(0.0, due - time.monotonic()))
            self._deliver(change)
