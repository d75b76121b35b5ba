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
from ..server.outgoing.relay import Passed, Relay
from ..server.watch.framing import Framing
from ..server.watch.stream import Channel
from . import frames
from .frames import Lines, Seen

Shown = Callable[[bytes], None]
"""Is told of every frame before a client sees it."""
MARKED = -1
"""A watch begins with the stored objects, up to a bookmark that says so."""


class Events(Passed, frozen=True):
    """The answer to a watch, whose frames can be told apart; up to the revision `since` it begins with the
    objects that are stored.
    """

    since: int
    websocket: bool = False
    """Whether the client gets them as messages of a WebSocket."""


class Outlet(Struct, frozen=True):
    """Where the frames of one watch go, and as what."""

    channel: Channel
    framing: Framing
    finished: Callable[[], None]
    """Goes on with the connection after a stream that ended in order."""

    def write(self, line: bytes, times: int = 1) -> None:
        """Write a frame so many times."""
        if line and times:
            self.channel.transport.write(self.framing.wrap(line) * times)

    def end(self, how: EndWatch | None) -> None:
        """Write what ends a stream: nothing but its end, an error, or not even that."""
        if how is not None and not how.code:
            self.channel.transport.close()
            return
        if how is not None:
            self.write(frames.error(refusal(Answer(how.code)).status))
        self.channel.transport.write(self.framing.last)
        self.finished()


class Open:
    """One watch on its way to a client, from its first frame to its end."""

    def __init__(
        self, outlet: Outlet, passed: Events, subject: Subject, faults: Faults, shown: Shown
    ) -> None:
        self.subject = subject
        self.ended: EndWatch | None = None
        """How a fault has ended it."""
        self.is_closed = False
        """Whether the client has ended it in order."""
        self._outlet = outlet
        self._passed = passed
        self._faults = faults
        self._shown = shown
        self._beginning = passed.since
        self._task = asyncio.current_task()

    def end(self, how: EndWatch) -> None:
        """End it now."""
        if self.ended is None and self._task is not None:
            self.ended = how
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
        lines = Lines()
        try:
            async for piece in self._passed.body.pieces():
                for line in lines.feed(piece):
                    await self._frame(line)
                    if self.ended is not None:
                        return
            self._outlet.write(lines.rest)
        finally:
            relay.done(self._passed)

    async def _frame(self, line: bytes) -> None:
        times = 1
        # What a watch begins with has to be counted before there are any faults.
        if self._faults or self._beginning:
            found = frames.seen(line)
            times = await self._disturbed(found) if self._is_news(found) and self._faults else 1
        if times:
            self._shown(line)
        self._outlet.write(line, times)
        await self._outlet.channel.writable.wait()

    def _is_news(self, found: Seen) -> bool:
        """Tell whether an event happened after the watch was opened."""
        if self._beginning == MARKED:
            self._beginning = 0 if found.closes_initial else MARKED
            return False
        if found.type == "ADDED" and found.revision <= self._beginning:
            return False
        self._beginning = 0
        return True

    async def _disturbed(self, found: Seen) -> int:
        """Do to an event what the faults say; return how often it is written."""
        if found.type == "BOOKMARK":
            return 0 if self._faults.on_bookmark(self.subject) else 1
        about = replace(self.subject, namespace=found.namespace, name=found.name)
        effects = self._faults.on_event(about)
        if hold := next((one for one in effects if isinstance(one, Hold)), None):
            await asyncio.sleep(hold.seconds)
        self.ended = next((one for one in effects if isinstance(one, EndWatch)), None)
        return 0 if self.ended else 1 + sum(isinstance(one, Repeat) for one in effects)


class Watches:
    """All open watches of a front."""

    def __init__(self, faults: Faults, relay: Relay, shown: Shown) -> None:
        self._faults = faults
        self._relay = relay
        self._shown = shown
        self._open: set[Open] = set()

    def open(self, outlet: Outlet, passed: Events, subject: Subject) -> Open:
        """Return a watch that the running task streams."""
        return Open(outlet, passed, subject, self._faults, self._shown)

    async def run(self, watch: Open, outlet: Outlet) -> None:
        """Stream a watch whose head is written, and go on with the connection when it was ended in order."""
        self._open.add(watch)
        try:
            await watch.run(self._relay)
        except asyncio.CancelledError:
            if watch.ended is None and not watch.is_closed:
                raise
        except (NoAnswerError, OSError):
            outlet.channel.transport.abort()
            return
        finally:
            self._open.discard(watch)
        outlet.end(watch.ended)

    def end(self, fits: Callable[[Subject], bool], how: EndWatch) -> None:
        """End the open watches of some watchers now."""
        for one in tuple(self._open):
            if fits(one.subject):
                one.end(how)
