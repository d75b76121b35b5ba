"""One watch stream: a client, and its position in the store's history."""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Iterable, Iterator
from typing import Protocol

from msgspec import Struct, field

from ...api.outcome import Watch
from ...base.clock import Timer
from ...base.json_types import Json
from ...faults import Subject
from .framing import CHUNKED, Framing


class WatchChannel(Protocol):
    """The connection that a stream is written to."""

    drained: Callable[[], None] | None
    """Called when the client reads again."""

    @property
    def transport(self) -> asyncio.Transport:
        """Where its bytes go."""

    @property
    def writable(self) -> asyncio.Event:
        """Set while the client reads the written bytes."""


class WatchStream(Struct, eq=False, kw_only=True):
    """One watcher: its connection, its watch and its position.

    After a pause, for a client that does not read, a call or a fault, it is continued from its position.
    """

    watch: Watch
    audit_id: str
    channel: WatchChannel
    on_end: Callable[[], None]
    subject: Callable[[], Subject]
    """Who watches what, for the rules of faults."""
    position: int
    """The revision up to which everything is written."""
    opening: Callable[[], Iterable[bytes]] | None
    """Makes the first frames; None once they are made."""
    first: Iterator[bytes] | None
    """The frames to begin with that are still to be written; None after the last."""
    framing: Framing = CHUNKED
    sent: int = 0
    """The revision of the last event written, 0 while there was none."""
    last_decided: int = 0
    """The revision of the last event that faults have decided about."""
    waits: bool = False
    """Whether a call or a delay has to end before it is continued."""
    complete: bool = False
    """Whether everything up to the newest revision has been written."""
    stalled_since: float | None = None
    """Since when the client takes nothing although there is something for it,
    in the loop's time; None while it reads.
    """
    stalled_bytes: int = 0
    """How many bytes the client had not taken then."""
    timers: list[Timer] = field(default_factory=list)

    @property
    def reads(self) -> bool:
        """Whether the client reads."""
        return self.channel.writable.is_set()

    @property
    def unread(self) -> int:
        """The bytes that the client has not taken."""
        return self.channel.transport.get_write_buffer_size()

    def stalls(self, current_time: float) -> float:
        """Return for how many seconds the client has taken nothing."""
        if self.stalled_since is not None and self.unread < self.stalled_bytes:
            self.stalled_since, self.stalled_bytes = current_time, self.unread
        return 0.0 if self.stalled_since is None else current_time - self.stalled_since

    def write(self, data: bytes) -> None:
        """Write whole frames in the form of the wire."""
        self.channel.transport.write(data)

    def end(self, error: Json = None) -> None:
        """End the answer in order, with an ERROR event when there is a Status."""
        last = self.framing.wrap(self.watch.error(error)) if error is not None and self.watch.error else b""
        if error is not None and not last:
            self.channel.transport.close()
            return
        self.write(last + self.framing.last)
        self.on_end()
