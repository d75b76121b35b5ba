"""When an operator is at rest: it has asked for nothing new for a while, and nothing is on its way to it."""

from __future__ import annotations

import threading
import time
from collections import Counter
from collections.abc import Callable

from ..cluster.fake_cluster import FakeCluster
from ..journal.entry import Entry
from .operators import USERS
from .trace import is_of_operator, is_write

LOOK_AGAIN_SECONDS = 0.02
POLLS = 2
"""How often a read is news: an operator that reads the same again and again, with no write in between, polls.
"""


class Activity:
    """The newest activity of the operator in one run; follows the journal until it is closed."""

    def __init__(self, cluster: FakeCluster) -> None:
        self._cluster = cluster
        self._reads: Counter[tuple[str, str]] = Counter()
        self._news = threading.Event()
        self._latest = time.monotonic()
        self.asked = self.writes = 0
        """How many requests the operator has sent, and how many of them ask for a change."""
        self.close = cluster.journal.subscribe(self._observe)

    def _observe(self, entry: Entry) -> None:
        """Note a request; called on the cluster's loop."""
        if entry.wrote:
            # What was read before may read otherwise now.
            self._reads.clear()
        if not is_of_operator(entry, USERS):
            return
        self.asked += 1
        read = (entry.verb, entry.path)
        self._reads[read] += 1
        self.writes += is_write(entry)
        if is_write(entry) or entry.wrote or self._reads[read] <= POLLS:
            self.touch()
        self._news.set()

    def touch(self) -> None:
        """Let the time of rest begin anew."""
        self._latest = time.monotonic()

    def wait(self, holds: Callable[[], bool], until: float) -> bool:
        """Wait until something holds, and return whether it does, at a moment of the monotonic clock at
        latest.
        """
        while not holds():
            remaining = until - time.monotonic()
            if remaining <= 0:
                return False
            self._news.clear()
            self._news.wait(min(remaining, LOOK_AGAIN_SECONDS))
        return True

    def is_at_rest(self, seconds: float) -> bool:
        """Whether so many seconds have passed since the operator asked for something new."""
        listener = self._cluster.listener
        if listener.in_flight or listener.streams.pending:
            self.touch()
        return time.monotonic() - self._latest >= seconds
