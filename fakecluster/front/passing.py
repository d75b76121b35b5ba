"""Passes one request on, looks at what it changed, and tells the journal (F-01).

The object is read once before a write, so that a write that changed nothing is told from one that did. Only a patch that says no
resourceVersion, changes nothing, and runs between a write of somebody else and our look, is taken for one that wrote.
"""

from __future__ import annotations

from typing import Any

from ..api import status
from ..api.answers.media import JSON
from ..api.outcome import Response
from ..api.routes import flag
from ..clock import Clock
from ..journal import Change, Journal
from ..server.outgoing.relay import NoAnswerError, Passed
from . import changes, earlier
from .ask import Ask
from .behind import Behind, with_headers
from .entries import entry, tree
from .watching import MARKED, Events

Json = Any
STREAMED = frozenset({"log", "proxy", "exec", "attach", "portforward"})
"""Subresources whose answers have no end that could be waited for."""
SWITCHING = 101


class Passing:
    """The way of a request to the server behind, and back."""

    def __init__(self, behind: Behind, journal: Journal, clock: Clock) -> None:
        self._behind = behind
        self._journal = journal
        self._clock = clock

    async def settle(self, asked: Ask | Response) -> Response | Passed:
        """Return the answer: whole, or as soon as its head is there when it is a stream. Raises NoAnswerError when it is cut off."""
        if isinstance(asked, Response):
            return asked
        if asked.revisions_ago and asked.info.verb == "get" and not asked.info.subresource:
            return self._told(asked, await earlier.getting(asked, self._behind))
        if asked.revisions_ago and asked.info.verb == "list":
            asked = await earlier.listing(asked, self._behind)
        since = await self._beginning(asked) if asked.info.verb == "watch" else 0
        before = await self._behind.object(asked) if asked.writes and asked.info.name else None
        passed = await self._behind.ask(asked)
        if isinstance(passed, Response):
            return self._told(asked, passed)
        if _streams(asked, passed):
            return self._streamed(asked, passed, since)
        answer = with_headers(await self._behind.relay.whole(passed), passed)
        return await self._judged(asked, before, answer)

    def struck(self, ask: Ask, error: status.StatusError, answer: Response) -> None:
        """Tell the journal of a request that a fault refused."""
        self._note(ask, answer.code, error.status, len(answer.body))

    def _streamed(self, ask: Ask, passed: Passed, since: int) -> Response | Passed:
        self._note(ask, passed.code, {}, 0)
        if ask.arrived.method == "HEAD":
            passed.link[1].transport.abort()
            return Response(code=passed.code, body=b"")
        kind = next((value for name, value in passed.headers if name == "content-type"), "")
        if ask.info.verb != "watch" or not kind.startswith(JSON):
            return passed
        return Events(passed.code, passed.headers, passed.body, passed.link, passed.reached, since)

    async def _beginning(self, ask: Ask) -> int:
        """Return up to which revision a watch begins with what is there already."""
        if flag(ask.request.option("sendInitialEvents")):
            return MARKED
        return (
            await self._behind.revision(ask)
            if ask.request.option("resourceVersion") in {None, "", "0"}
            else 0
        )

    async def _judged(self, ask: Ask, before: Json | None, answer: Response) -> Response:
        said = tree(answer.body, answer.content_type) if ask.writes or answer.code >= 400 else {}
        try:
            found = await self._changes(ask, before, said) if ask.writes and answer.code < 300 else ()
        except NoAnswerError:
            found = ()
        self._note(ask, answer.code, said, len(answer.body), found)
        return answer

    async def _changes(self, ask: Ask, before: Json | None, said: Json) -> tuple[Change, ...]:
        verb = ask.info.verb
        if verb == "deletecollection":
            return changes.of_collection(said)
        if not ask.info.name:
            return changes.between(None, said) if changes.tells(None, said) else ()
        if changes.tells(before, said) and (verb != "delete" or changes.lingers(said)):
            return changes.between(before, said)
        return changes.between(before, await self._behind.object(ask))

    def _told(self, ask: Ask, answer: Response) -> Response:
        said = tree(answer.body, answer.content_type) if answer.code >= 400 else {}
        self._note(ask, answer.code, said, len(answer.body))
        return answer

    def _note(self, ask: Ask, code: int, said: Json, size: int, found: tuple[Change, ...] = ()) -> None:
        self._journal.record(lambda seq: entry(seq, self._clock.now(), ask, code, said, size, found))


def _streams(ask: Ask, passed: Passed) -> bool:
    watch = ask.info.verb == "watch" and passed.code == 200
    return passed.code == SWITCHING or watch or ask.info.subresource in STREAMED
