"""Passes one request on, looks at what it changed, and tells the journal (F-01).

The object is read once before a write, so that a write that changed nothing is told from one that did. Only a
patch that says no resourceVersion, changes nothing, and runs between a write of another client and our look,
is taken for one that wrote.
"""

from __future__ import annotations

import asyncio
from contextlib import suppress

from ..api import status
from ..api.outcome import Response
from ..api.routes import flag
from ..base.clock import Clock
from ..base.json_types import Json
from ..codec.media import JSON
from ..journal import Change, Journal
from ..server.outgoing.relay import Passed
from . import changes, stale_reads
from .ask import STREAMED, Ask
from .entries import entry, tree
from .revisions import Revisions
from .upstream import SWITCHING, UpstreamServer, with_headers
from .watching import MARKED, Events


class RoundTripper:
    """The way of a request to the server behind, and back."""

    def __init__(self, upstream: UpstreamServer, journal: Journal, clock: Clock) -> None:
        self._upstream = upstream
        self._journal = journal
        self._clock = clock
        self.revisions = Revisions()
        self.flying: set[asyncio.Task[Response]] = set()
        """The writes that were passed on and of which the journal does not tell yet."""

    async def complete(self, asked: Ask | Response) -> Response | Passed:
        """Return the answer: whole, or as soon as its head is there when it is a stream.

        Raises NoAnswerError when it is cut off.
        """
        if isinstance(asked, Response):
            return asked
        if asked.revisions_ago and asked.info.verb == "get" and not asked.info.subresource:
            return self._told(asked, await stale_reads.getting(asked, self._upstream))
        if asked.revisions_ago and asked.info.verb == "list":
            asked = await stale_reads.listing(asked, self._upstream)
        return await (self._flown(asked) if asked.stores else self._read(asked))

    async def landed(self, seconds: float) -> None:
        """Return when the journal tells of every write that is on its way now, or after so many seconds."""
        if self.flying:
            await asyncio.wait(tuple(self.flying), timeout=seconds)

    def rejected_by_fault(self, ask: Ask, error: status.StatusError, answer: Response) -> None:
        """Tell the journal of a request that a fault refused."""
        self._note(ask, answer.code, error.status, len(answer.body))

    def _streamed(self, ask: Ask, passed: Passed, since: int) -> Response | Passed:
        self._note(ask, SWITCHING if ask.is_websocket else passed.code, {}, 0)
        if ask.arrived.method == "HEAD":
            passed.abort()
            return Response(code=passed.code, body=b"")
        kind = next((value for name, value in passed.headers if name == "content-type"), "")
        if ask.info.verb != "watch" or not kind.startswith(JSON):
            return passed
        return Events(passed.code, passed.headers, passed.body, since, websocket=ask.is_websocket)

    async def _beginning(self, ask: Ask) -> int:
        """Return the revision up to which a watch begins with the stored objects."""
        if flag(ask.request.option("sendInitialEvents")):
            return MARKED
        return (
            await self._upstream.revision(ask)
            if ask.request.option("resourceVersion") in {None, "", "0"}
            else 0
        )

    async def _read(self, ask: Ask) -> Response | Passed:
        since = await self._beginning(ask) if ask.info.verb == "watch" else 0
        passed = await self._upstream.ask(ask)
        if isinstance(passed, Passed) and _streams(ask, passed):
            return self._streamed(ask, passed, since)
        return self._told(ask, await self._whole(passed))

    async def _flown(self, ask: Ask) -> Response:
        """Write to the end, even if the client is cut off meanwhile: the write was asked for all
        the same.
        """
        flight = asyncio.get_running_loop().create_task(self._written(ask))
        self.flying.add(flight)
        flight.add_done_callback(self._landed)
        return await asyncio.shield(flight)

    def _landed(self, flight: asyncio.Task[Response]) -> None:
        self.flying.discard(flight)
        if not flight.cancelled():
            # The caller that waits has the answer; without one there is none to tell.
            flight.exception()

    async def _written(self, ask: Ask) -> Response:
        before = await self._upstream.object(ask) if ask.info.name else None
        answer = await self._whole(await self._upstream.ask(ask))
        said = tree(answer.body, answer.content_type)
        found: tuple[Change, ...] = ()
        if answer.code < 300:
            # It is written, whether or not we can still look at what came of it.
            with suppress(OSError):
                found = await self._changes(ask, before, said)
        self._note(ask, answer.code, said, len(answer.body), found)
        return answer

    async def _whole(self, passed: Passed | Response) -> Response:
        if isinstance(passed, Response):
            return passed
        whole = await self._upstream.relay.whole(passed)
        self.revisions.shown(whole.body, self._clock.now())
        return with_headers(whole, passed)

    async def _changes(self, ask: Ask, before: Json | None, said: Json) -> tuple[Change, ...]:
        verb = ask.info.verb
        if verb == "deletecollection":
            return changes.of_collection(said)
        after = changes.told(before, said)
        if not ask.info.name:
            return changes.between(None, after)
        if after is not None and (verb != "delete" or changes.lingers(after)):
            return changes.between(before, after)
        return changes.between(before, await self._upstream.object(ask))

    def _told(self, ask: Ask, answer: Response) -> Response:
        said = tree(answer.body, answer.content_type) if answer.code >= 400 else {}
        self._note(ask, answer.code, said, len(answer.body))
        return answer

    def _note(self, ask: Ask, code: int, said: Json, size: int, found: tuple[Change, ...] = ()) -> None:
        self._journal.record(entry(self._clock.now(), ask, code, said, size, found))


def _streams(ask: Ask, passed: Passed) -> bool:
    watch = ask.info.verb == "watch" and passed.code == 200
    return passed.code == SWITCHING or watch or ask.info.subresource in STREAMED
