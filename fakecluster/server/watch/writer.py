"""Writes watch streams, from their position in the store's history to its end (FK-140…143, F-03).

The next chunk, also of the initial frames, is written when the client has read the one before: a client that
does not read holds one chunk in memory, however many events follow.
"""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Iterator

from msgspec.structs import replace

from ...api.steps import NeedsSteps
from ...base.clock import Clock
from ...faults import Effect, EndWatch, Faults, Hold, Repeat
from ...store import Event, Expired, Store
from .chunks import EventBatches, EventChunk, cut, join
from .conversion_calls import ConversionCalls
from .stream import WatchStream


class EndedByFault(Exception):
    """A fault ends the stream here."""

    def __init__(self, how: EndWatch) -> None:
        super().__init__("a fault ends the watch")
        self.how = how


class WatchWriter:
    """Writes the events of one store to its watch streams;
    `resume` is called with a stream whose wait is over.
    """

    def __init__(
        self,
        store: Store,
        clock: Clock,
        faults: Faults,
        conversion_calls: ConversionCalls,
        resume: Callable[[WatchStream], None],
    ) -> None:
        self._store = store
        self._clock = clock
        self._faults = faults
        self._conversion_calls = conversion_calls
        self._resume = resume
        self._batches = EventBatches(store)

    def advance(self, stream: WatchStream) -> None:
        """Write chunks until the client does not keep up,
        the stream has to wait, or its position is the newest revision.

        Raises Expired, EndedByFault, or what an event's frame raises.
        """
        if self._passes_over(stream):
            return
        stream.complete = False
        while not stream.waits:
            if not stream.reads:
                self._stall(stream)
                return
            stream.stalled_since = None
            if stream.first is not None:
                self._begin(stream, stream.first)
            elif stream.position < self._store.revision:
                self._follow(stream)
            else:
                stream.complete = True
                return

    def _passes_over(self, stream: WatchStream) -> bool:
        """Bring a stream forward that was written everything before and sees nothing of what is new; tell
        whether it is one.

        Most streams are of other resources than what was written. Raises Expired.
        """
        # Faults decide about each event, so none may be passed over.
        if not stream.complete or stream.waits or self._faults:
            return False
        batch = self._batches.after(stream.position)
        if not batch.is_unseen_by(stream.watch):
            return False
        stream.position = batch.unseen.position
        return True

    def _stall(self, stream: WatchStream) -> None:
        """Note that a client does not read. Raises Expired when its position has left the history."""
        if stream.stalled_since is None:
            stream.stalled_since, stream.stalled_bytes = asyncio.get_running_loop().time(), stream.unread
        if stream.position < self._store.oldest:
            raise Expired(self._store.oldest)

    def _begin(self, stream: WatchStream, first: Iterator[bytes]) -> None:
        """Write more of the initial frames, unless a webhook has to be asked first."""
        if stream.opening is not None:
            try:
                first = stream.first = iter(stream.opening())
            except NeedsSteps as unready:
                self._ask(stream, unready)
                return
            stream.opening = None
        if data := join(first, stream.framing):
            stream.write(data)
        else:
            stream.first = None

    def _follow(self, stream: WatchStream) -> None:
        """Write the next chunk of events."""
        if not self._faults:
            self._write(stream, self._batches.after(stream.position).next_chunk(stream.watch, stream.framing))
            return
        events = self._store.events(stream.position)
        # One event at a time while there are faults: each may be held, repeated or end the watch.
        chunk = cut(stream.watch.frame, events, stream.position, 1, stream.framing)
        effects = self._effects(stream, chunk.last) if chunk.last else ()
        for effect in effects:
            if isinstance(effect, Hold):
                self._hold(stream, effect.seconds)
                return
        for effect in effects:
            if isinstance(effect, EndWatch):
                raise EndedByFault(effect)
        self._write(stream, chunk, 1 + sum(isinstance(effect, Repeat) for effect in effects))

    def _effects(self, stream: WatchStream, event: Event) -> tuple[Effect, ...]:
        """Return the effects of faults on an event; each event is decided once."""
        # A held event comes here again, and its fate is not decided anew.
        if event.revision <= stream.last_decided:
            return ()
        stream.last_decided = event.revision
        namespace, name = event.after.name
        return self._faults.on_event(replace(stream.subject(), namespace=namespace, name=name))

    def _write(self, stream: WatchStream, chunk: EventChunk, times: int = 1) -> None:
        stream.position = chunk.position
        if chunk.last is not None:
            stream.sent = chunk.last.revision
            stream.watch.count(chunk.frames)
            stream.write(chunk.data if times == 1 else chunk.data * times)
        if chunk.failure is None:
            return
        if not isinstance(chunk.failure, NeedsSteps):
            raise chunk.failure
        self._ask(stream, chunk.failure)

    def _ask(self, stream: WatchStream, unready: NeedsSteps) -> None:
        stream.waits = True
        self._conversion_calls.ask(unready, lambda: self._go_on(stream))

    def _hold(self, stream: WatchStream, seconds: float) -> None:
        stream.waits = True
        stream.timers.append(self._clock.call_at(self._clock.now() + seconds, lambda: self._go_on(stream)))

    def _go_on(self, stream: WatchStream) -> None:
        stream.waits = False
        self._resume(stream)
