"""Watches of the server behind, event by event, so that faults can hold, repeat and end them (F-03).

The events with which a watch begins are the state, not news, and no fault hits them.
"""

from __future__ import annotations

import asyncio
from collections.abc import Callable

from msgspec import Struct
from msgspec.structs import replace

from ..faults import Answer, EndWatch, Faults, Hold, Repeat, Subject
from ..server.disturbance import refusal
from ..server.outgoing.answer import NoAnswerError
from ..server.outgoing.relay import Relay, RelayedAnswer
from ..server.watch.framing import Framing
from ..server.watch.stream import WatchChannel
from . import frames
from .frames import FrameEvent, LineJoiner

OnFrame = Callable[[bytes], None]
"""Is told of every frame before a client sees it."""
UNTIL_BOOKMARK = -1
"""A watch begins with the stored objects, up to a bookmark that says so."""


class UpstreamWatch(RelayedAnswer, frozen=True):
    """The answer to a watch, whose frames can be told apart; up to the revision `since` it begins with the
    objects that are stored.
    """

    since: int
    websocket: bool = False
    """Whether the client gets them as messages of a WebSocket."""


class FrameSink(Struct, frozen=True):
    """Where the frames of one watch go, and as what."""

    channel: WatchChannel
    framing: Framing
    on_end: Callable[[], None]
    """Goes on with the connection after a stream that ended in order."""

    def write(self, line: bytes, times: int = 1) -> None:
        """Write a frame so many times."""
        if line and times:
            self.channel.transport.write(self.framing.wrap(line) * times)

    def end(self, how: EndWatch | None) -> None:
        """Write what ends a stream: nothing but its end, an error, or not even that."""
        # Cut without a last chunk, as by a network that fails.
        if how is not None and not how.code:
            self.channel.transport.abort()
            return
        if how is not None:
            self.write(frames.error(refusal(Answer(how.code)).status))
        self.channel.transport.write(self.framing.last)
        self.on_end()


class FrontWatch:
    """One watch on its way to a client, from its first frame to its end."""

    def __init__(
        self, outlet: FrameSink, passed: UpstreamWatch, subject: Subject, faults: Faults, on_frame: OnFrame
    ) -> None:
        self.subject = subject
        self.end_watch: EndWatch | None = None
        """How a fault has ended it."""
        self.is_closed = False
        """Whether the client has ended it in order."""
        self._outlet = outlet
        self._passed = passed
        self._faults = faults
        self._on_frame = on_frame
        self._stored_until = passed.since
        self._task = asyncio.current_task()

    def end(self, how: EndWatch) -> None:
        """End it now."""
        if self.end_watch is None and self._task is not None:
            self.end_watch = how
            self._task.cancel()

    def close(self) -> None:
        """End it in order, as its client wishes."""
        if not self.is_closed and self._task is not None:
            self.is_closed = True
            self._task.cancel()

    async def run(self, relay: Relay) -> None:
        """Write frame by frame until either side, or a fault, ends it.

        Raises NoAnswerError, OSError when it is cut off.
        """
        lines = LineJoiner()
        try:
            async for piece in self._passed.body.pieces():
                for line in lines.feed(piece):
                    await self._frame(line)
                    if self.end_watch is not None:
                        return
            self._outlet.write(lines.rest)
        finally:
            relay.done(self._passed)

    async def _frame(self, line: bytes) -> None:
        times = 1
        # What a watch begins with has to be counted before there are any faults.
        if self._faults or self._stored_until:
            event = frames.read_event(line)
            times = await self._apply_faults(event) if self._is_news(event) and self._faults else 1
        if times:
            self._on_frame(line)
        self._outlet.write(line, times)
        # A client that does not read makes the server behind wait, instead of filling our memory.
        await self._outlet.channel.writable.wait()

    def _is_news(self, event: FrameEvent) -> bool:
        """Tell whether an event happened after the watch was opened."""
        if self._stored_until == UNTIL_BOOKMARK:
            self._stored_until = 0 if event.closes_initial else UNTIL_BOOKMARK
            return False
        # Without a bookmark that ends it, the initial state is told by its revisions.
        if event.type == "ADDED" and event.revision <= self._stored_until:
            return False
        self._stored_until = 0
        return True

    async def _apply_faults(self, event: FrameEvent) -> int:
        """Do to an event what the faults say; return how often it is written."""
        if event.type == "BOOKMARK":
            return 0 if self._faults.on_bookmark(self.subject) else 1
        about = replace(self.subject, namespace=event.namespace, name=event.name)
        effects = self._faults.on_event(about)
        if hold := next((effect for effect in effects if isinstance(effect, Hold)), None):
            await asyncio.sleep(hold.seconds)
        self.end_watch = next((effect for effect in effects if isinstance(effect, EndWatch)), None)
        return 0 if self.end_watch else 1 + sum(isinstance(effect, Repeat) for effect in effects)


class OpenWatches:
    """All open watches of a front."""

    def __init__(self, faults: Faults, relay: Relay, on_frame: OnFrame) -> None:
        self._faults = faults
        self._relay = relay
        self._on_frame = on_frame
        self._open_watches: set[FrontWatch] = set()

    def open(self, outlet: FrameSink, passed: UpstreamWatch, subject: Subject) -> FrontWatch:
        """Return a watch that the running task streams."""
        return FrontWatch(outlet, passed, subject, self._faults, self._on_frame)

    async def run(self, watch: FrontWatch, outlet: FrameSink) -> None:
        """Stream a watch whose head is written, and go on with the connection when it was ended in order."""
        self._open_watches.add(watch)
        try:
            await watch.run(self._relay)
        except asyncio.CancelledError:
            if watch.end_watch is None and not watch.is_closed:
                raise
        except (NoAnswerError, OSError):
            outlet.channel.transport.abort()
            return
        finally:
            self._open_watches.discard(watch)
        outlet.end(watch.end_watch)

    def end(self, fits: Callable[[Subject], bool], how: EndWatch) -> None:
        """End the open watches of some watchers now."""
        for watch in tuple(self._open_watches):
            if fits(watch.subject):
                watch.end(how)
