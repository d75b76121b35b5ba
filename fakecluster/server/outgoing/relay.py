"""Performs a Proxy: passes a request on to an extension server and hands its answer over as it comes (FK-437, FK-438).

Connections are kept for the next request; a stream, such as a watch, keeps its own until either side ends it.
"""

from __future__ import annotations

import asyncio
import ssl
from collections import deque
from collections.abc import AsyncIterator, Callable
from typing import Any

import httptools
from msgspec import Struct

from ...api.outcome import Proxy, Response
from ...auth.certificates import KeyPair, identify
from ..message import LAST_CHUNK, chunk
from . import golang_errors

IDLE = 8
"""Connections kept for one server."""
PIECE = 65536
LIMIT = 64 * 1024 * 1024
"""The greatest answer that is kept as a whole; one that is handed over may be of any size."""
BODILESS = frozenset({204, 304})
HEAD_SECONDS = 30.0
"""Real seconds in which an extension server has to begin its answer."""
Link = tuple[asyncio.StreamReader, asyncio.StreamWriter]
Trust = Callable[[bytes | None], ssl.SSLContext | None]


class NoAnswerError(ConnectionError):
    """There is no answer; the text says why."""


class Reached(Struct, frozen=True):
    """Whom a request is passed on to."""

    host: str
    port: int
    name: str
    ca: bytes | None

    @classmethod
    def by(cls, proxy: Proxy) -> Reached:
        """Return whom a proxied request reaches."""
        return cls(proxy.address.host, proxy.address.port, proxy.name, proxy.ca)


class Relayed:
    """An answer that has begun: its head, and the rest as it comes."""

    def __init__(self, reader: asyncio.StreamReader) -> None:
        self.headers: list[tuple[str, str]] = []
        self.complete = False
        self.rest = b""
        """What follows an answer that ends HTTP."""
        self._reader = reader
        self._headed = False
        self._pieces: deque[bytes] = deque()
        self._parser: Any = httptools.HttpResponseParser(self)

    @property
    def code(self) -> int:
        """The status."""
        return int(self._parser.get_status_code())

    @property
    def length(self) -> str | None:
        """The length of the body when it was told."""
        return next((value for name, value in self.headers if name == "content-length"), None)

    @property
    def reusable(self) -> bool:
        """Whether the connection is good for another request."""
        return self.complete and bool(self._parser.should_keep_alive())

    async def begin(self) -> None:
        """Read until the head is there. Raises NoAnswerError."""
        while not self._headed:
            if not await self._more():
                raise NoAnswerError("EOF")

    async def pieces(self) -> AsyncIterator[bytes]:
        """Yield the body as it comes. Raises NoAnswerError when it is cut off."""
        while True:
            while self._pieces:
                yield self._pieces.popleft()
            if self.complete:
                return
            if not await self._more():
                if self.length is not None or any(name == "transfer-encoding" for name, _ in self.headers):
                    raise NoAnswerError("unexpected EOF")
                return

    async def _more(self) -> bool:
        data = await self._reader.read(PIECE)
        try:
            self._parser.feed_data(data) if data else None
        except httptools.HttpParserUpgrade as upgrade:
            self.complete, self.rest = True, data[upgrade.args[0] :]
        except httptools.HttpParserError as error:
            raise NoAnswerError(golang_errors.malformed(data)) from error
        return bool(data)

    # What the parser calls.

    def on_header(self, name: bytes, value: bytes) -> None:
        """Collect a header."""
        self.headers.append((name.decode("latin-1").lower(), value.decode("utf-8", "replace")))

    def on_headers_complete(self) -> None:
        """Note that the head is there."""
        self._headed = True

    def on_body(self, body: bytes) -> None:
        """Collect a piece of the body."""
        self._pieces.append(body)

    def on_message_complete(self) -> None:
        """Note that all is there."""
        self.complete = True


class Passed(Struct, frozen=True):
    """An answer on its way: what the client sees of its head, and the connection that it comes on."""

    code: int
    headers: tuple[tuple[str, str], ...]
    body: Relayed
    link: Link
    reached: Reached


class Relay:
    """Passes requests on; `trust` says how TLS is spoken with a server of which an authority is known, None is without."""

    def __init__(self, trust: Trust, patience: float = HEAD_SECONDS) -> None:
        self._trust = trust
        self._patience = patience
        self._idle: dict[Reached, list[Link]] = {}
        self._contexts: dict[bytes | None, ssl.SSLContext | None] = {}

    async def ask(self, proxy: Proxy) -> Passed | Response:
        """Return the answer as soon as its head is there, or what is answered instead."""
        reached = Reached.by(proxy)
        try:
            async with asyncio.timeout(self._patience):
                body, link = await self._asked(proxy, reached)
        except TimeoutError:
            return _answered(proxy, proxy.failed("net/http: timeout awaiting response headers"))
        except NoAnswerError as error:
            return _answered(proxy, proxy.failed(str(error)))
        except OSError as error:
            return _answered(proxy, proxy.failed(await golang_errors.told(error, reached)))
        instead = proxy.refused(body.code)
        if instead is not None:
            link[1].transport.abort()
            return _answered(proxy, instead)
        proxy.answered(body.code)
        return Passed(body.code, proxy.answer_headers(tuple(body.headers)), body, link, reached)

    async def whole(self, passed: Passed) -> Response:
        """Return an answer with its complete body. Raises NoAnswerError when it is cut off or too large."""
        content = bytearray()
        try:
            async for piece in passed.body.pieces():
                content += piece
                if len(content) > LIMIT:
                    raise NoAnswerError("http: response body too large")
        finally:
            self.done(passed)
        kind = next((value for name, value in passed.headers if name == "content-type"), "")
        return Response(code=passed.code, body=bytes(content), content_type=kind)

    async def pour(self, passed: Passed, sink: asyncio.Transport, writable: asyncio.Event) -> None:
        """Write the body of an answer to a client as it comes. Raises NoAnswerError, OSError when it is cut off."""
        chunked = passed.body.length is None and passed.code not in BODILESS
        try:
            async for piece in passed.body.pieces():
                sink.write(chunk(piece) if chunked else piece)
                await writable.wait()
            if chunked:
                sink.write(LAST_CHUNK)
        finally:
            self.done(passed)

    def done(self, passed: Passed) -> None:
        """Keep the connection of an answer for another request, or close it."""
        kept = self._idle.setdefault(passed.reached, [])
        if passed.body.reusable and len(kept) < IDLE:
            kept.append(passed.link)
        else:
            passed.link[1].transport.abort()

    def close(self) -> None:
        """Close the idle connections."""
        for links in self._idle.values():
            for _, writer in links:
                writer.transport.abort()
        self._idle.clear()

    async def _asked(self, proxy: Proxy, reached: Reached) -> tuple[Relayed, Link]:
        kept = self._kept(reached)
        if kept is not None:
            try:
                return await _sent(proxy, kept)
            except (NoAnswerError, ConnectionError):
                # It went away while it was idle: nothing was answered, so the request is sent once more.
                pass
        context = self._context(reached.ca)
        return await _sent(
            proxy,
            await asyncio.open_connection(
                reached.host, reached.port, ssl=context, server_hostname=reached.name if context else None
            ),
        )

    def _kept(self, reached: Reached) -> Link | None:
        links = self._idle.get(reached, [])
        while links:
            reader, writer = links.pop()
            if not reader.at_eof() and not writer.is_closing():
                return reader, writer
            writer.transport.abort()
        return None

    def _context(self, ca: bytes | None) -> ssl.SSLContext | None:
        if ca not in self._contexts:
            self._contexts[ca] = self._trust(ca)
        return self._contexts[ca]


def trusting(identity: Callable[[], KeyPair | None]) -> Trust:
    """Return how TLS is spoken with extension servers, as the holder of a client certificate when there is one."""

    def context(ca: bytes | None) -> ssl.SSLContext:
        made = ssl.create_default_context(cadata=ca.decode() if ca else None)
        made.verify_flags |= ssl.VERIFY_X509_PARTIAL_CHAIN
        made.hostname_checks_common_name = False
        made.set_alpn_protocols(["http/1.1"])
        if ca is None:
            made.check_hostname, made.verify_mode = False, ssl.CERT_NONE
        pair = identity()
        if pair is not None:
            identify(made, pair)
        return made

    return context


def framing(passed: Passed) -> tuple[tuple[str, str], ...]:
    """Return the headers that say where the body of an answer ends."""
    if passed.code in BODILESS:
        return ()
    length = passed.body.length
    return (("Transfer-Encoding", "chunked"),) if length is None else (("Content-Length", length),)


async def _sent(proxy: Proxy, link: Link) -> tuple[Relayed, Link]:
    """Write the request and wait for the head of its answer."""
    reader, writer = link
    lines = [
        f"{proxy.method} {proxy.target} HTTP/1.1",
        *(f"{name}: {value}" for name, value in proxy.headers),
    ]
    answer = Relayed(reader)
    try:
        writer.write(("\r\n".join(lines) + "\r\n\r\n").encode("utf-8", "replace") + proxy.body)
        await answer.begin()
    except BaseException:
        writer.transport.abort()
        raise
    return answer, link


def _answered(proxy: Proxy, instead: Response) -> Response:
    proxy.answered(instead.code)
    return instead
