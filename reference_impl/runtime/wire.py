"""HTTP/1.1 to one server: connections that are kept and used again, one exchange at a time on each.

Controllers send thousands of small requests to the same server. A client for all the web (redirects, cookies,
proxies, sessions) spends more time on each of them than the server does.
"""

from __future__ import annotations

import asyncio
import contextlib
import ssl
from collections.abc import AsyncIterator, Callable, Mapping
from typing import cast
from urllib.parse import urlsplit

import httptools

from .errors import KubeconfigError
from .kubeconfig import Dial

CONNECT_SECONDS = 60.0
REPEATABLE = frozenset({"GET", "PUT", "DELETE"})
"""Sent again on a new connection when a kept one turns out to have been closed meanwhile."""
LOOKED_AT = frozenset({b"audit-id", b"content-length", b"transfer-encoding"})
"""The headers of an answer that tell which stream it is and where it ends."""


class Answer:
    """An incoming answer, and the task that waits for it."""

    def __init__(self) -> None:
        self.status = 0
        self.headers: dict[str, str] = {}
        self.complete = False
        self.keeps = False
        """The connection can be used again."""
        self._parts: list[bytes] = []
        self._error: Exception | None = None
        self._waiter: asyncio.Future[None] | None = None

    async def head(self) -> None:
        """Return when status and headers are there. Raises ConnectionError."""
        while not self.status and not self._error:
            await self._news()
        self._check()

    async def body(self) -> bytes:
        """Return the whole body. Raises ConnectionError."""
        while not self.complete and not self._error:
            await self._news()
        self._check()
        return b"".join(self._parts)

    async def chunks(self) -> AsyncIterator[bytes]:
        """Return parts of the body as they arrive. Raises ConnectionError."""
        while True:
            chunks, self._parts = self._parts, []
            if chunks:
                yield b"".join(chunks)
            elif self.complete:
                return
            else:
                self._check()
                await self._news()

    def add(self, chunk: bytes) -> None:
        """Take a part of the body."""
        self._parts.append(chunk)

    def fail(self, error: Exception) -> None:
        """End before the end."""
        self._error = error
        self.wake()

    def wake(self) -> None:
        """Wake the waiting reader."""
        if self._waiter is not None and not self._waiter.done():
            self._waiter.set_result(None)

    async def _news(self) -> None:
        self._waiter = asyncio.get_running_loop().create_future()
        await self._waiter

    def _check(self) -> None:
        if self._error is not None:
            raise self._error


class Connection(asyncio.Protocol):
    """One connection: sends a request, feeds what comes back to its answer."""

    def __init__(self) -> None:
        self.closed = False
        self._answer = Answer()
        self._parser = httptools.HttpResponseParser(self)
        self._transport: asyncio.Transport

    def send(self, request: bytes) -> Answer:
        """Send a request and return its answer, which is still to come."""
        self._answer = Answer()
        self._transport.write(request)
        return self._answer

    def close(self) -> None:
        """Cut the connection; bytes that may still come are dropped."""
        self.closed = True
        # `close` would flush what is buffered first, and may wait for a peer that is
        # gone.
        self._transport.abort()

    def connection_made(self, transport: asyncio.BaseTransport) -> None:
        """Begin."""
        # uvloop's transports do not derive from asyncio.Transport.
        self._transport = cast("asyncio.Transport", transport)

    def connection_lost(self, exc: Exception | None) -> None:
        """End; an answer that tells no length ends with its connection."""
        self.closed = True
        # The parser knows the connection; apart they are freed at once.
        del self._parser
        answer = self._answer
        # HTTP/1.0 style: a body without a length lasts until the connection ends.
        if answer.status and not {"content-length", "transfer-encoding"} & answer.headers.keys():
            self.on_message_complete()
        elif not answer.complete:
            answer.fail(exc or ConnectionResetError("it closed the connection"))

    def data_received(self, data: bytes) -> None:
        """Feed the parser, which calls back for each part of an answer."""
        try:
            self._parser.feed_data(data)
        except httptools.HttpParserError as error:
            self._answer.fail(ConnectionAbortedError(f"that is no HTTP: {error}"))
            self.close()
        self._answer.wake()

    # What the parser calls.

    def on_header(self, name: bytes, value: bytes) -> None:
        """Keep a header that is read later."""
        lower_name = name.lower()
        if lower_name in LOOKED_AT:
            self._answer.headers[lower_name.decode("latin-1")] = value.decode("latin-1")

    def on_headers_complete(self) -> None:
        """Note the status."""
        self._answer.status = self._parser.get_status_code()

    def on_body(self, chunk: bytes) -> None:
        """Take a part of the body."""
        self._answer.add(chunk)

    def on_message_complete(self) -> None:
        """Note that the answer is whole."""
        self._answer.keeps = not self.closed and self._parser.should_keep_alive()
        self._answer.complete = True
        self._answer.wake()


class Server:
    """The server at a URL; `headers` go with every request."""

    def __init__(
        self,
        url: str,
        headers: Mapping[str, str],
        tls: ssl.SSLContext | None = None,
        name: str = "",
        dial: Dial | None = None,
    ) -> None:
        where = urlsplit(url)
        try:
            self._address = where.hostname or "", where.port or (80 if tls is None else 443)
        except ValueError as error:
            raise KubeconfigError(f"server is {url!r}, which has no usable port: {error}") from None
        self._dial = dial
        self._root = where.path
        self._tls = tls
        self._name = (name or where.hostname) if tls is not None else None
        self._host = where.netloc.rpartition("@")[2]
        self.always(headers)
        self._kept: list[Connection] = []
        self._open: set[Connection] = set()

    def always(self, headers: Mapping[str, str]) -> None:
        """Send these headers with every request from now on."""
        self._always = _lines({"Host": self._host, **headers})

    async def exchange(
        self,
        method: str,
        target: str,
        headers: Mapping[str, str],
        body: bytes | None,
        *,
        check: Callable[[], None] = lambda: None,
        repeatable: bool = False,
    ) -> tuple[int, bytes]:
        """Send a request and return status and body of its answer. Raises OSError, and what `check` raises.

        `check` is asked whenever the request is about to be sent: a connection may have been long in coming.
        A POST that changes nothing is `repeatable` as well.
        """
        repeatable = repeatable or method in REPEATABLE
        request = self._request(method, target, headers, body)
        while True:
            connection, used = await self._connection()
            try:
                check()
            except BaseException:
                self._kept.append(connection)
                raise
            async with self._lent(connection, request) as answer:
                try:
                    content = await answer.body()
                except ConnectionError:
                    # On a connection that was kept the server may have hung up before
                    # it read anything. After a status it has read the request, and a
                    # POST may have been carried out.
                    if not used or answer.status or not repeatable:
                        raise
                else:
                    return answer.status, content

    @contextlib.asynccontextmanager
    async def stream(self, target: str) -> AsyncIterator[Answer]:
        """Send a GET and return its answer when its head is there. Raises OSError."""
        # A stream lasts for minutes: a connection that was idle may have been closed by
        # its server, and the watch would have to begin again.
        connection, _ = await self._connection(fresh=True)
        async with self._lent(connection, self._request("GET", target, {}, None)) as answer:
            await answer.head()
            yield answer

    def close(self) -> None:
        """Cut every connection."""
        for connection in self._open:
            connection.close()
        self._open.clear()
        self._kept.clear()

    def _request(self, method: str, target: str, headers: Mapping[str, str], body: bytes | None) -> bytes:
        size = {} if body is None else {"Content-Length": str(len(body))}
        head = f"{method} {self._root}{target} HTTP/1.1\r\n{self._always}{_lines({**headers, **size})}\r\n"
        return head.encode() + (body or b"")

    async def _connection(self, *, fresh: bool = False) -> tuple[Connection, bool]:
        """Return a connection, and whether it has been used before."""
        while self._kept and not fresh:
            idle = self._kept.pop()
            if not idle.closed:
                return idle, True
            self._open.discard(idle)
        connection = await self._connect()
        self._open.add(connection)
        return connection, False

    async def _connect(self) -> Connection:
        if self._dial is not None:
            connection = Connection()
            self._dial(connection)
            return connection
        loop = asyncio.get_running_loop()
        async with asyncio.timeout(CONNECT_SECONDS):
            _, connection = await loop.create_connection(
                Connection, *self._address, ssl=self._tls, server_hostname=self._name
            )
        return connection

    @contextlib.asynccontextmanager
    async def _lent(self, connection: Connection, request: bytes) -> AsyncIterator[Answer]:
        """Send on a connection that is kept afterwards if its answer was read to the end."""
        answer = connection.send(request)
        try:
            yield answer
        finally:
            if answer.complete and answer.keeps:
                self._kept.append(connection)
            else:
                self._open.discard(connection)
                connection.close()


def _lines(headers: Mapping[str, str]) -> str:
    return "".join(f"{name}: {value}\r\n" for name, value in headers.items())
