"""The answers of one server that clients have not taken yet: together they stay below a number of bytes."""

from __future__ import annotations

from asyncio import WriteTransport
from collections.abc import Iterator
from contextlib import contextmanager


class UnsentBytes:
    """Cuts off the client that has been reading its answer
    for longest when there is no room for another answer.
    """

    def __init__(self, limit: int) -> None:
        self._limit = limit
        self._held: dict[WriteTransport, int] = {}

    @contextmanager
    def hold(self, transport: WriteTransport, size: int) -> Iterator[None]:
        """Count the bytes of an answer while it is sent over a transport; one that is larger than the limit
        is sent alone.
        """
        # A client that stops reading would keep its answer in memory for ever: the
        # slowest one is cut off.
        while self._held and sum(self._held.values()) + size > self._limit:
            # Dictionaries keep the order of insertion: the first has been reading for
            # longest.
            slowest = next(iter(self._held))
            del self._held[slowest]
            slowest.abort()
        self._held[transport] = size
        try:
            yield
        finally:
            self._held.pop(transport, None)
