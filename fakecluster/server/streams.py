"""Watch streams: one subscription to the store, every frame made once and written to all (S3, S10, FK-140…143).

Events are gathered while the loop turns and written together at its end, so a burst costs one write per watcher.
"""

from __future__ import annotations

import asyncio
from collections.abc import Callable
from dataclasses import dataclass, field

from ..api.outcome import Watch
from ..clock import Clock, Timer
from ..store import Event, Store
from .message import LAST_CHUNK, chunk

BUFFER_LIMIT = 8 * 1024 * 1024
"""A watcher that lags behind by more is cut off; it lists again (S10)."""
BOOKMARK_SECONDS = 60.0
BOOKMARK_BEFORE_END = 2.0
SHORTEST_WAIT = 1.5
"""A watch that ends so soon that its bookmark would come earlier gets none (FK-143)."""


@dataclass(eq=False, slots=True)
class Stream:
    """One watcher: where its bytes go, what it wants, how far it is."""

    watch: Watch
    audit_id: str
    transport: asyncio.Transport
    ended: Callable[[], None]
    position: int
    sent: int = 0
    """The revision of the last event written, 0 while there was none."""
    timers: list[Timer] = field(default_factory=list)


class Streams:
    """All watch streams of one cluster."""

    def __init__(self, store: Store, clock: Clock) -> None:
        self._store = store
        self._clock = clock
        self._open: set[Stream] = set()
        self._pending: list[Event] = []
        self._unsubscribe = store.subscribe(self._gather)

    @property
    def pending(self) -> bool:
        """Whether events wait to be written."""
        return bool(self._pending)

    def unseen(self, progress: dict[str, int]) -> bool:
        """Whether a reader that reports its progress has not yet seen the last event written to it."""
        return any(progress.get(one.audit_id, one.sent) < one.sent for one in self._open)

    def open(
        self, watch: Watch, audit_id: str, transport: asyncio.Transport, ended: Callable[[], None]
    ) -> Stream:
        """Start a stream: initial frames, then what happened since, then what will happen."""
        stream = Stream(watch, audit_id, transport, ended, position=max(watch.since, self._store.revision))
        missed = list(self._store.events(watch.since)) if watch.since < self._store.revision else []
        frames = [*watch.initial, *(watch.frame(event) for event in missed)]
        transport.write(b"".join(chunk(frame) for frame in frames if frame))
        stream.sent = next(
            (
                event.revision
                for event, frame in zip(reversed(missed), reversed(frames), strict=False)
                if frame
            ),
            0,
        )
        self._open.add(stream)
        self._schedule(stream)
        return stream

    def close(self, stream: Stream) -> None:
        """End a stream regularly, as at its deadline."""
        self.forget(stream)
        stream.transport.write(LAST_CHUNK)
        stream.ended()

    def forget(self, stream: Stream) -> None:
        """Drop a stream whose connection is gone."""
        self._open.discard(stream)
        for timer in stream.timers:
            timer.cancel()

    def close_all(self) -> None:
        """End every stream; their readers start again from what they have seen."""
        self._pending.clear()
        for stream in tuple(self._open):
            self.close(stream)

    def stop(self) -> None:
        """Stop following the store and drop every stream."""
        self._unsubscribe()
        self._pending.clear()
        for stream in tuple(self._open):
            self.forget(stream)

    def _gather(self, event: Event) -> None:
        if not self._open:
            return
        if not self._pending:
            asyncio.get_running_loop().call_soon(self.flush)
        self._pending.append(event)

    def flush(self) -> None:
        """Write what was gathered."""
        events, self._pending = self._pending, []
        chunks: dict[int, bytes] = {}
        alive: list[bytes] = []
        for stream in tuple(self._open):
            self._write(stream, events, chunks, alive)

    def _write(
        self, stream: Stream, events: list[Event], chunks: dict[int, bytes], alive: list[bytes]
    ) -> None:
        """Write the events a stream has not seen. `alive` keeps frames from being freed while `chunks` knows their ids."""
        out: list[bytes] = []
        for event in events:
            if event.revision <= stream.position or (frame := stream.watch.frame(event)) is None:
                continue
            if (framed := chunks.get(id(frame))) is None:
                framed = chunks[id(frame)] = chunk(frame)
                alive.append(frame)
            out.append(framed)
            stream.sent = event.revision
        if events:
            stream.position = max(stream.position, events[-1].revision)
        if out:
            stream.transport.write(out[0] if len(out) == 1 else b"".join(out))
            if stream.transport.get_write_buffer_size() > BUFFER_LIMIT:
                stream.transport.abort()

    def _schedule(self, stream: Stream) -> None:
        if (end := stream.watch.deadline) is not None:
            stream.timers.append(self._clock.call_at(end, lambda: self.close(stream)))
        self._schedule_bookmark(stream, self._clock.now())

    def _schedule_bookmark(self, stream: Stream, now: float) -> None:
        end = stream.watch.deadline
        last = None if end is None else end - BOOKMARK_BEFORE_END
        due = now + BOOKMARK_SECONDS if last is None else min(now + BOOKMARK_SECONDS, last)
        if stream.watch.bookmark is not None and due >= now + SHORTEST_WAIT:
            stream.timers.append(self._clock.call_at(due, lambda: self._bookmark(stream)))

    def _bookmark(self, stream: Stream) -> None:
        if stream.watch.bookmark is None or stream not in self._open:
            return
        stream.transport.write(chunk(stream.watch.bookmark(self._store.revision)))
        self._schedule_bookmark(stream, self._clock.now())
