"""Watch streams: one subscription to the store, every frame made once and written to all (S3, S10, FK-140…143).

Events are gathered while the loop turns and written together at its end, so a burst costs one write per watcher.
"""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Hashable
from time import perf_counter

from msgspec import Struct, field
from msgspec.structs import replace

from ..api.outcome import Unready, Watch
from ..clock import Clock, Timer
from ..faults import Answer, Effect, EndWatch, Faults, Hold, Repeat, Subject
from ..store import Event, Store
from .disturbance import refusal
from .inquiries import Inquiries, Perform
from .message import LAST_CHUNK, chunk

BUFFER_LIMIT = 8 * 1024 * 1024
"""A watcher that lags behind by more is cut off; it lists again (S10)."""
BOOKMARK_SECONDS = 60.0
BOOKMARK_BEFORE_END = 2.0
SHORTEST_REST, LONGEST_REST = 0.001, 0.02
"""Seconds between two rounds of writing: events of that time go to each watcher in one piece."""
PATIENCE = 2.0
"""How many times as long as a round of writing took requests have the loop to themselves, while there are any."""
SHORTEST_WAIT = 1.5
"""A watch that ends so soon that its bookmark would come earlier gets none (FK-143)."""


class Stream(Struct, eq=False, kw_only=True):
    """One watcher: where its bytes go, what it wants, how far it is."""

    watch: Watch
    audit_id: str
    transport: asyncio.Transport
    ended: Callable[[], None]
    position: int
    sent: int = 0
    """The revision of the last event written, 0 while there was none."""
    timers: list[Timer] = field(default_factory=list)
    held: list[Event] | None = None
    """Events that wait, in order, behind something that has to be asked first; None while nothing is."""
    opening: Callable[[], tuple[bytes, ...]] | None = None
    subject: Callable[[], Subject]
    """Who watches what, for the rules of faults."""
    decided: int = 0
    """The revision of the last event that faults have decided about."""


class Piece(Struct, frozen=True):
    """What a round writes to everybody who sees the same."""

    data: bytes
    frames: int
    last: int
    """The revision of its last event."""


class Round(Struct, frozen=True):
    """Events that are written together, and what was made of them so far."""

    events: list[Event]
    resources: set[tuple[str, str]]
    pieces: dict[Hashable, Piece] = field(default_factory=dict)
    """By the view of those who see it."""

    @classmethod
    def of(cls, events: list[Event]) -> Round:
        """Begin a round."""
        return cls(events, {event.resource for event in events})

    def concerns(self, watch: Watch) -> bool:
        """Whether a watcher may see any of it."""
        return watch.resource is None or watch.resource in self.resources

    def piece(self, watch: Watch) -> Piece:
        """Return what a watcher is written, as it was made for the first who sees the same."""
        if (made := self.pieces.get(watch.view)) is None:
            made = self.pieces[watch.view] = _piece(watch, self.events)
        return made


def _piece(watch: Watch, events: list[Event]) -> Piece:
    seen = [(chunk(frame), event.revision) for event in events if (frame := watch.frame(event)) is not None]
    return Piece(b"".join(framed for framed, _ in seen), len(seen), seen[-1][1] if seen else 0)


class Streams:
    """All watch streams of one cluster."""

    def __init__(self, store: Store, clock: Clock, perform: Perform, faults: Faults) -> None:
        self._store = store
        self._faults = faults
        self._clock = clock
        self._open: set[Stream] = set()
        self._pending: list[Event] = []
        self._rested = 0.0
        """When requests have had as much of the loop as the last round of writing."""
        self._inquiries = Inquiries(perform, clock)
        self._unsubscribe = store.subscribe(self._gather)

    @property
    def pending(self) -> bool:
        """Whether events wait to be written."""
        return bool(self._pending) or self._inquiries.pending

    def unseen(self, progress: dict[str, int]) -> bool:
        """Whether a reader that reports its progress has not yet seen the last event written to it."""
        return any(progress.get(one.audit_id, one.sent) < one.sent for one in self._open)

    def open(
        self,
        watch: Watch,
        audit_id: str,
        transport: asyncio.Transport,
        ended: Callable[[], None],
        subject: Callable[[], Subject],
    ) -> Stream:
        """Start a stream: initial frames, then what happened since, then what will happen."""
        stream = Stream(
            watch=watch, audit_id=audit_id, transport=transport, ended=ended, position=watch.since,
            opening=watch.opening, subject=subject,
        )  # fmt: skip
        self._open.add(stream)
        self._schedule(stream)
        transport.write(b"".join(chunk(frame) for frame in watch.initial))
        stream.held = list(self._store.events(watch.since)) if watch.since < self._store.revision else []
        self._release(stream)
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

    def end(self, fits: Callable[[Subject], bool], how: EndWatch) -> None:
        """End the open streams of some watchers now, as a fault does."""
        for stream in tuple(self._open):
            if fits(stream.subject()):
                self._end(stream, [], how)

    def close_all(self) -> None:
        """End every stream; their readers start again from what they have seen."""
        self._pending.clear()
        for stream in tuple(self._open):
            self.close(stream)

    def stop(self) -> None:
        """Stop following the store and drop every stream."""
        self._unsubscribe()
        self._inquiries.stop()
        self._pending.clear()
        for stream in tuple(self._open):
            self.forget(stream)

    def _gather(self, event: Event) -> None:
        if not self._open:
            return
        if not self._pending:
            self._plan()
        self._pending.append(event)

    def _plan(self) -> None:
        """Write soon; after a round that took long only when the requests behind it have had as much time."""
        loop = asyncio.get_running_loop()
        due = self._rested - loop.time()
        if due < SHORTEST_REST:
            loop.call_soon(self.flush)
        else:
            loop.call_later(due, self.flush)

    def flush(self) -> None:
        """Write what was gathered."""
        events, self._pending = self._pending, []
        gathered = Round.of(events)
        began = perf_counter()
        for stream in tuple(self._open):
            self._write(stream, gathered)
            if stream.watch.served and not stream.watch.served() and stream in self._open:
                self.close(stream)
        rest = min(PATIENCE * (perf_counter() - began), LONGEST_REST)
        self._rested = asyncio.get_running_loop().time() + rest

    def _release(self, stream: Stream) -> None:
        """Write what a stream starts with and what it held back, as far as nobody has to be asked."""
        if stream not in self._open or stream.held is None:
            return
        try:
            frames = stream.opening() if stream.opening else ()
        except Unready as unready:
            self._inquiries.ask(unready, lambda: self._release(stream))
            return
        stream.opening = None
        if frames:
            stream.transport.write(b"".join(chunk(frame) for frame in frames))
        events, stream.held = stream.held, None
        self._write(stream, Round.of(events))

    def _write(self, stream: Stream, gathered: Round) -> None:
        """Write the events a stream has not seen."""
        events = gathered.events
        if stream.held is not None:
            last = stream.held[-1].revision if stream.held else stream.position
            stream.held.extend(event for event in events if event.revision > last)
            return
        if not gathered.concerns(stream.watch):
            stream.position = max(stream.position, events[-1].revision) if events else stream.position
            return
        if stream.watch.view is None or self._faults or not events or events[0].revision <= stream.position:
            self._write_own(stream, events)
            return
        piece = gathered.piece(stream.watch)
        stream.position = events[-1].revision
        if piece.frames:
            stream.sent = piece.last
            stream.watch.count(piece.frames)
            self._send(stream, piece.data)

    def _write_own(self, stream: Stream, events: list[Event]) -> None:
        """Write the events a stream has not seen, each as the stream and the faults want it."""
        out: list[bytes] = []
        for at, event in enumerate(events):
            if event.revision <= stream.position:
                continue
            try:
                frame = stream.watch.frame(event)
            except Unready as unready:
                stream.held, events = events[at:], events[:at]
                self._inquiries.ask(unready, lambda: self._release(stream))
                break
            if frame is None:
                continue
            effects = self._effects(stream, event) if self._faults else ()
            if hold := next((one for one in effects if isinstance(one, Hold)), None):
                stream.held, events = events[at:], events[:at]
                due = self._clock.now() + hold.seconds
                stream.timers.append(self._clock.call_at(due, lambda: self._release(stream)))
                break
            if end := next((one for one in effects if isinstance(one, EndWatch)), None):
                self._end(stream, out, end)
                return
            out.extend([chunk(frame)] * (1 + sum(isinstance(one, Repeat) for one in effects)))
            stream.watch.count(1)
            stream.sent = event.revision
        if events:
            stream.position = max(stream.position, events[-1].revision)
        if out:
            self._send(stream, b"".join(out))

    def _send(self, stream: Stream, data: bytes) -> None:
        stream.transport.write(data)
        if stream.transport.get_write_buffer_size() > BUFFER_LIMIT:
            stream.transport.abort()

    def _effects(self, stream: Stream, event: Event) -> tuple[Effect, ...]:
        """Ask once about each event what is to happen to it."""
        if event.revision <= stream.decided:
            return ()
        stream.decided = event.revision
        namespace, name = event.after.name
        return self._faults.on_event(replace(stream.subject(), namespace=namespace, name=name))

    def _end(self, stream: Stream, out: list[bytes], end: EndWatch) -> None:
        """Write what came before, then an error, or nothing but the end of the connection."""
        self.forget(stream)
        error = (
            [chunk(stream.watch.error(refusal(Answer(end.code)).status))]
            if end.code and stream.watch.error
            else []
        )
        stream.transport.write(b"".join([*out, *error, *([LAST_CHUNK] if error else [])]))
        if error:
            stream.ended()
        else:
            stream.transport.close()

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
        withheld = self._faults and self._faults.on_bookmark(stream.subject())
        if stream.held is None and not withheld:
            stream.transport.write(chunk(stream.watch.bookmark(self._store.revision)))
        self._schedule_bookmark(stream, self._clock.now())
