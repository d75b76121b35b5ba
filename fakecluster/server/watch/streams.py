"""Watch streams: all are woken before a write is stored and read the history afterwards, so that an event
can be late, never lost; bookmarks once a minute (S3, S10, FK-140…143).

Events are gathered while the loop turns and written together at its end:
a burst costs one write per watcher.
"""

from __future__ import annotations

import asyncio
import logging
from collections.abc import Callable

from ...api import status
from ...api.outcome import Watch
from ...base.clock import Clock
from ...base.subscribers import nothing
from ...base.work_budget import TooMuchWork
from ...faults import Answer, EndWatch, Faults, Subject
from ...store import Expired, Store
from ..disturbance import refusal
from .conversion_calls import ConversionCalls, Finish
from .framing import CHUNKED, Framing
from .stream import WatchChannel, WatchStream
from .writer import EndedByFault, WatchWriter

UNREAD_IN_ALL = 64 * 1024 * 1024
"""Bytes that watchers whose clients do not read may hold together; beyond, the one that holds most is cut off
and lists again (S10).
"""
STALLED_SECONDS, SOON_SECONDS = 60.0, 1.0
"""Real seconds without a read after which a watcher is cut off: in any case, and while all hold too much."""
BOOKMARK_SECONDS = 60.0
BOOKMARK_BEFORE_END = 2.0
SHORTEST_REST, LONGEST_REST = 0.001, 0.02
"""Seconds between two rounds of writing: events of that time go to each watcher in one chunk."""
REST_FACTOR = 2.0
"""How many times as long as a round of writing took
requests have the loop to themselves, while there are any.
"""
SHORTEST_WAIT = 1.5
"""A watch that ends so soon that its bookmark would come earlier gets none (FK-143)."""
WATCH_FAILED = "the watch cannot be served any further; the log of the server says why"
LOG = logging.getLogger(__name__)


class WatchStreams:
    """All watch streams of one cluster."""

    def __init__(self, store: Store, clock: Clock, finish: Finish, faults: Faults) -> None:
        self._store = store
        self._faults = faults
        self._clock = clock
        self._open: dict[WatchStream, None] = {}
        """In the order in which they were opened: they are served in it,
        so that each run of virtual time is the same.
        """
        self._planned = False
        self._rest_ends = 0.0
        """When requests have had as much of the loop as the last round of writing."""
        self._conversion_calls = ConversionCalls(finish, clock)
        self._writer = WatchWriter(store, clock, faults, self._conversion_calls, self._serve)
        self._unfollow: Callable[[], None] = nothing
        """Stops following the store, which is followed while there are streams."""

    @property
    def pending(self) -> bool:
        """Whether events wait to be written."""
        return self._planned or self._conversion_calls.pending

    def unseen(self, progress: dict[str, int]) -> bool:
        """Whether a reader that reports its progress has not
        yet seen the last event written to it, or takes more.
        """
        for stream in self._open:
            if progress.get(stream.audit_id, stream.sent) < stream.sent:
                return True
            if stream.stalled_since is not None and not stream.complete and stream.audit_id in progress:
                return True
        return False

    def open(
        self,
        watch: Watch,
        audit_id: str,
        channel: WatchChannel,
        on_end: Callable[[], None],
        subject: Callable[[], Subject],
        framing: Framing = CHUNKED,
    ) -> WatchStream:
        """Start a stream: initial frames, then what happened since, then what will happen."""
        stream = WatchStream(
            watch=watch,
            audit_id=audit_id,
            channel=channel,
            on_end=on_end,
            subject=subject,
            position=watch.since,
            opening=watch.opening,
            first=iter(watch.initial),
            framing=framing,
        )
        if not self._open:
            # Told before the write and reading after it: an event can be late, and never lost.
            self._unfollow = self._store.before_writes(self._plan)
        self._open[stream] = None
        channel.drained = lambda: self._serve(stream)
        self._schedule(stream)
        self._serve(stream)
        return stream

    def close(self, stream: WatchStream) -> None:
        """End a stream regularly, as at its deadline."""
        self.forget(stream)
        stream.end()

    def forget(self, stream: WatchStream) -> None:
        """Drop a stream whose connection is gone."""
        self._open.pop(stream, None)
        if not self._open:
            self._unfollow()
        stream.channel.drained = None
        for timer in stream.timers:
            timer.cancel()

    def end(self, fits: Callable[[Subject], bool], how: EndWatch) -> None:
        """End the open streams of some watchers now, as a fault does."""
        for stream in tuple(self._open):
            if fits(stream.subject()):
                self._end(stream, how)

    def close_all(self) -> None:
        """End every stream; their readers start again from what they have seen."""
        for stream in tuple(self._open):
            self.close(stream)

    def stop(self) -> None:
        """Drop every stream, and part from the writer, which knows whom to call back."""
        self._conversion_calls.stop()
        for stream in tuple(self._open):
            self.forget(stream)
        del self._writer

    def cut_stalled(self, current_time: float) -> None:
        """Cut off watchers whose clients have read nothing for too long, or while all hold too much.

        `now` is the loop's time in seconds.
        """
        stalled = [stream for stream in self._open if stream.stalls(current_time) > SOON_SECONDS]
        unread = sum(stream.unread for stream in stalled)
        for stream in sorted(stalled, key=lambda stream: stream.unread, reverse=True):
            # The one with most bytes goes first, until the rest is bearable.
            if unread > UNREAD_IN_ALL or stream.stalls(current_time) > STALLED_SECONDS:
                unread -= stream.unread
                stream.channel.transport.abort()

    def _plan(self) -> None:
        """Write soon; after a round that took long only when the requests behind it have had as much time."""
        if self._planned:
            return
        loop = asyncio.get_running_loop()
        due = self._rest_ends - loop.time()
        if due < SHORTEST_REST:
            loop.call_soon(self.flush)
        else:
            loop.call_later(due, self.flush)
        self._planned = True

    def flush(self) -> None:
        """Write the new events to every stream.

        On virtual time that takes none, and nothing rests after it.
        """
        self._planned = False
        loop = asyncio.get_running_loop()
        began = loop.time()
        for stream in tuple(self._open):
            try:
                self._serve(stream)
            except Exception:
                LOG.exception("a watch is cut at revision %d", stream.position)
                stream.channel.transport.abort()
        # Virtual time stands still while events are written, so that each run is the same.
        if not self._clock.is_virtual:
            self._rest_ends = loop.time() + min(REST_FACTOR * (loop.time() - began), LONGEST_REST)

    def _serve(self, stream: WatchStream) -> None:
        """Bring a stream forward; one that cannot be served
        ends with an error, so that its client lists again.
        """
        if stream not in self._open:
            return
        try:
            self._writer.advance(stream)
        except EndedByFault as fault:
            self._end(stream, fault.how)
        except Expired as error:
            self._fail(stream, status.too_old(stream.position, error.oldest))
        except TooMuchWork as error:
            self._fail(stream, status.too_large(str(error)))
        except Exception:
            LOG.exception("a watch fails at revision %d", stream.position)
            self._fail(stream, status.internal(WATCH_FAILED))
        else:
            if stream.complete and stream.watch.served and not stream.watch.served():
                self.close(stream)

    def _fail(self, stream: WatchStream, error: status.StatusError) -> None:
        self.forget(stream)
        # A client that does not read would get neither the error nor the end.
        if stream.reads:
            stream.end(error.status)
        else:
            stream.channel.transport.abort()

    def _end(self, stream: WatchStream, how: EndWatch) -> None:
        """End a stream as a fault wants it: with an error, or by nothing but the end of the connection."""
        self.forget(stream)
        if how.code:
            stream.end(refusal(Answer(how.code)).status)
        else:
            # Over TLS an orderly end waits for the client's, and a cut does not.
            stream.channel.transport.abort()

    def _schedule(self, stream: WatchStream) -> None:
        if (end := stream.watch.deadline) is not None:
            stream.timers.append(self._clock.call_at(end, lambda: self.close(stream)))
        self._schedule_bookmark(stream, self._clock.now())

    def _schedule_bookmark(self, stream: WatchStream, current_time: float) -> None:
        end = stream.watch.deadline
        last = None if end is None else end - BOOKMARK_BEFORE_END
        due = current_time + BOOKMARK_SECONDS if last is None else min(current_time + BOOKMARK_SECONDS, last)
        if stream.watch.bookmark is not None and due >= current_time + SHORTEST_WAIT:
            stream.timers.append(self._clock.call_at(due, lambda: self._bookmark(stream)))

    def _bookmark(self, stream: WatchStream) -> None:
        """Write a bookmark where everything before it has been written."""
        if stream.watch.bookmark is None or stream not in self._open:
            return
        withheld = self._faults and self._faults.on_bookmark(stream.subject())
        self._serve(stream)
        # A bookmark promises that everything before it was sent.
        if stream.complete and not withheld and stream in self._open:
            stream.write(stream.framing.wrap(stream.watch.bookmark(stream.position)))
        self._schedule_bookmark(stream, self._clock.now())
