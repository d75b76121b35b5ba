"""The bound of the bytes that the clients of one server have not read, so that clients that do not read
cannot fill its memory.

Beyond the limit no further answer is begun. If that does not help within a moment, the connection that holds
most is cut.
"""

from __future__ import annotations

import asyncio
from collections.abc import Callable
from typing import Protocol

MAX_UNREAD_BYTES = 256 * 1024 * 1024
"""Bytes of answers and watch events that wait in all connections of one server."""
GRACE_SECONDS = 0.5
"""Seconds of real time in which clients may come back below the limit before one is cut."""


class UnreadConnection(Protocol):
    """A connection that has bytes which its client has not taken yet."""

    unread: int

    def abort(self) -> None:
        """Cut the connection and drop its bytes."""


class UnreadBytes:
    """Counts the bytes, and delays answers while there are too many."""

    def __init__(self, limit: int = MAX_UNREAD_BYTES, grace: float = GRACE_SECONDS) -> None:
        self._limit = limit
        self._grace = grace
        self._total = 0
        self._holders: set[UnreadConnection] = set()
        self._waiting: dict[Callable[[], None], None] = {}
        self._relief: asyncio.TimerHandle | None = None

    @property
    def full(self) -> bool:
        """Whether no further answer may begin."""
        return self._total > self._limit

    def wait(self, proceed: Callable[[], None]) -> None:
        """Call `proceed` once, when an answer may begin again."""
        self._waiting[proceed] = None

    def change(self, holder: UnreadConnection, by: int) -> None:
        """Note that a connection holds `by` more bytes; negative for fewer."""
        self._total += by
        if holder.unread:
            self._holders.add(holder)
        else:
            self._holders.discard(holder)
        if self.full and self._relief is None:
            self._relief = asyncio.get_running_loop().call_later(self._grace, self._relieve)
        elif not self.full and self._waiting:
            self._let_go_on()

    def stop(self) -> None:
        """Forget the waiting answers, when every connection is cut; new ones may follow."""
        self._waiting.clear()
        if self._relief is not None:
            self._relief.cancel()
            self._relief = None

    def _relieve(self) -> None:
        self._relief = None
        # The one that holds most: the fewest clients suffer.
        while self.full:
            max(self._holders, key=lambda holder: holder.unread).abort()

    def _let_go_on(self) -> None:
        waiting, self._waiting = self._waiting, {}
        loop = asyncio.get_running_loop()
        for proceed in waiting:
            # In turns of their own: each may fill the limit again.
            loop.call_soon(proceed)
