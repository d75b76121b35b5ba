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
from ..server.outgoing.relay import RelayedAnswer
from . import changes, stale_reads
from .entries import entry, tree
from .request import STREAMED_SUBRESOURCES, FrontRequest
from .revisions import Revisions
from .upstream import SWITCHING_PROTOCOLS, UpstreamServer, with_headers
from .watching import UNTIL_BOOKMARK, UpstreamWatch


class RoundTripper:
    """The way of a request to the server behind, and back."""

    def __init__(self, upstream: UpstreamServer, journal: Journal, clock: Clock) -> None:
        self._upstream = upstream
        self._journal = journal
        self._clock = clock
        self.revisions = Revisions()
        self.writes_under_way: set[asyncio.Task[Response]] = set()
        """The writes that were passed on and of which the journal does not tell yet."""

    async def complete(self, request: FrontRequest | Response) -> Response | RelayedAnswer:
        """Return the answer: whole, or as soon as its head is there when it is a stream.

        Raises NoAnswerError when it is cut off.
        """
        if isinstance(request, Response):
            return request
        if request.revisions_ago and request.info.verb == "get" and not request.info.subresource:
            return self._record_answer(request, await stale_reads.get_from_past(request, self._upstream))
        if request.revisions_ago and request.info.verb == "list":
            request = await stale_reads.list_from_past(request, self._upstream)
        return await (self._write_to_end(request) if request.stores else self._read(request))

    async def wait_for_writes(self, seconds: float) -> None:
        """Return when the journal has an entry of every write under way, or after so many seconds."""
        if self.writes_under_way:
            await asyncio.wait(tuple(self.writes_under_way), timeout=seconds)

    def record_rejection(self, ask: FrontRequest, error: status.StatusError, answer: Response) -> None:
        """Record in the journal a request that a fault refused."""
        self._note(ask, answer.code, error.status, len(answer.body))

    def _stream_answer(
        self, ask: FrontRequest, passed: RelayedAnswer, since: int
    ) -> Response | RelayedAnswer:
        self._note(ask, SWITCHING_PROTOCOLS if ask.is_websocket else passed.code, {}, 0)
        if ask.arrived.method == "HEAD":
            # A HEAD was sent as a GET: only its head is wanted.
            passed.abort()
            return Response(code=passed.code, body=b"")
        kind = next((value for name, value in passed.headers if name == "content-type"), "")
        if ask.info.verb != "watch" or not kind.startswith(JSON):
            return passed
        return UpstreamWatch(passed.code, passed.headers, passed.body, since, websocket=ask.is_websocket)

    async def _stored_until(self, ask: FrontRequest) -> int:
        """Return the revision up to which a watch begins with the stored objects."""
        if flag(ask.request.option("sendInitialEvents")):
            return UNTIL_BOOKMARK
        return (
            await self._upstream.revision(ask)
            if ask.request.option("resourceVersion") in {None, "", "0"}
            else 0
        )

    async def _read(self, ask: FrontRequest) -> Response | RelayedAnswer:
        since = await self._stored_until(ask) if ask.info.verb == "watch" else 0
        passed = await self._upstream.ask(ask)
        if isinstance(passed, RelayedAnswer) and _streams(ask, passed):
            return self._stream_answer(ask, passed, since)
        return self._record_answer(ask, await self._read_whole(passed))

    async def _write_to_end(self, ask: FrontRequest) -> Response:
        """Write to the end, even if the client is cut off meanwhile: the write was asked for all the same."""
        # A task of its own, which the end of the client's connection does not cancel.
        flight = asyncio.get_running_loop().create_task(self._write(ask))
        self.writes_under_way.add(flight)
        flight.add_done_callback(self._write_ended)
        return await asyncio.shield(flight)

    def _write_ended(self, flight: asyncio.Task[Response]) -> None:
        self.writes_under_way.discard(flight)
        if not flight.cancelled():
            # The caller that waits has the answer; without one there is none to tell.
            flight.exception()

    async def _write(self, ask: FrontRequest) -> Response:
        # The state before the write is asked for first; a create without a name has none.
        before = await self._upstream.object(ask) if ask.info.name else None
        answer = await self._read_whole(await self._upstream.ask(ask))
        answered_object = tree(answer.body, answer.content_type)
        object_changes: tuple[Change, ...] = ()
        if answer.code < 300:
            # It is written, whether or not we can still look at what came of it.
            with suppress(OSError):
                object_changes = await self._changes(ask, before, answered_object)
        self._note(ask, answer.code, answered_object, len(answer.body), object_changes)
        return answer

    async def _read_whole(self, passed: RelayedAnswer | Response) -> Response:
        if isinstance(passed, Response):
            return passed
        response = await self._upstream.relay.whole(passed)
        self.revisions.note(response.body, self._clock.now())
        return with_headers(response, passed)

    async def _changes(
        self, ask: FrontRequest, before: Json | None, answered_object: Json
    ) -> tuple[Change, ...]:
        verb = ask.info.verb
        # The answer lists all objects that were deleted; no single one has to be read.
        if verb == "deletecollection":
            return changes.of_collection(answered_object)
        after = changes.state_after(before, answered_object)
        if not ask.info.name:
            return changes.between(None, after)
        if after is not None and (verb != "delete" or changes.lingers(after)):
            return changes.between(before, after)
        return changes.between(before, await self._upstream.object(ask))

    def _record_answer(self, ask: FrontRequest, answer: Response) -> Response:
        failure = tree(answer.body, answer.content_type) if answer.code >= 400 else {}
        self._note(ask, answer.code, failure, len(answer.body))
        return answer

    def _note(
        self,
        ask: FrontRequest,
        code: int,
        answered_object: Json,
        size: int,
        object_changes: tuple[Change, ...] = (),
    ) -> None:
        self._journal.record(entry(self._clock.now(), ask, code, answered_object, size, object_changes))


def _streams(ask: FrontRequest, passed: RelayedAnswer) -> bool:
    watch = ask.info.verb == "watch" and passed.code == 200
    return passed.code == SWITCHING_PROTOCOLS or watch or ask.info.subresource in STREAMED_SUBRESOURCES
