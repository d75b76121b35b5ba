"""An application behind an address, within bounds: connections, bytes of bodies, and the time that a request may take to come.

aiohttp reads heads and bodies for as long as a peer likes to send them; a peer that never ends costs what it holds. Here
it has `REQUEST_SECONDS` for a request, and a place among `CONNECTIONS` only for as long.
"""

from __future__ import annotations

import asyncio
import logging
import ssl
from collections.abc import Awaitable, Callable
from typing import Final, cast

from aiohttp import web

CONNECTIONS: Final = 256
REQUEST_SECONDS: Final = 10.0
"""From the first byte to the last of a request; the handshake of TLS has as long before that."""
IDLE_SECONDS: Final = 75.0
BODIES: Final = 128 << 20
"""Bytes of bodies that may be there at once, or be announced."""
STOP_SECONDS: Final = 2.0
Handler = Callable[[web.Request], Awaitable[web.StreamResponse]]


class Bounded(asyncio.Protocol):
    """A connection that is cut when a request does not come to its end, or none comes; all else is its handler's."""

    def __init__(self, inner: asyncio.Protocol, places: set[Bounded]) -> None:
        self._inner = inner
        self._places = places
        self._waits = True
        self._transport: asyncio.Transport
        self._limit: asyncio.TimerHandle | None = None

    def connection_made(self, transport: asyncio.BaseTransport) -> None:
        """Take a place, if there is one."""
        self._transport = cast("asyncio.Transport", transport)
        self._inner.connection_made(transport)
        if len(self._places) >= CONNECTIONS:
            self._transport.abort()
            return
        self._places.add(self)
        self._cut_after(REQUEST_SECONDS)

    def connection_lost(self, exc: Exception | None) -> None:
        """Give the place back."""
        self._places.discard(self)
        self._cut_after(None)
        self._inner.connection_lost(exc)

    def data_received(self, data: bytes) -> None:
        """Hand on; with the first bytes of a request its time begins."""
        if self._waits:
            self._waits = False
            self._cut_after(REQUEST_SECONDS)
        self._inner.data_received(data)

    def eof_received(self) -> bool | None:
        """Hand on."""
        return self._inner.eof_received()

    def pause_writing(self) -> None:
        """Hand on."""
        self._inner.pause_writing()

    def resume_writing(self) -> None:
        """Hand on."""
        self._inner.resume_writing()

    def came(self) -> None:
        """A request is there."""
        self._cut_after(None)

    def answered(self) -> None:
        """Wait for the next request; a client that does not read its answer is cut off like one that sends nothing."""
        self._waits = True
        self._cut_after(IDLE_SECONDS)

    def _cut_after(self, seconds: float | None) -> None:
        if self._limit is not None:
            self._limit.cancel()
        loop = asyncio.get_running_loop()
        self._limit = None if seconds is None else loop.call_later(seconds, self._transport.abort)


class Listening:
    """Serves an application on one address."""

    def __init__(self, app: web.Application, host: str, port: int, tls: ssl.SSLContext | None = None) -> None:
        self._host, self._port, self._tls = host, port, tls
        self._places: set[Bounded] = set()
        self._bytes = 0
        app.middlewares.append(self._within_bounds)
        self._app = app
        self._log = logging.getLogger(__name__)
        self._runner = web.AppRunner(
            app,
            access_log=None,
            logger=_silent(),
            keepalive_timeout=IDLE_SECONDS,
            shutdown_timeout=STOP_SECONDS,
            lingering_time=STOP_SECONDS,
        )
        self._server: asyncio.Server | None = None

    async def start(self) -> None:
        """Begin to answer. Raises OSError when the address cannot be had."""
        await self._runner.setup()
        limit = None if self._tls is None else REQUEST_SECONDS
        try:
            self._server = await asyncio.get_running_loop().create_server(
                self._accepted, self._host or None, self._port, ssl=self._tls, ssl_handshake_timeout=limit
            )
        except OSError:
            await self.stop()
            raise

    @property
    def port(self) -> int:
        """Return the port in use; useful when port 0 asked for a free one."""
        assert self._server is not None
        return int(self._server.sockets[0].getsockname()[1])

    async def stop(self) -> None:
        """Stop answering."""
        if self._server is not None:
            self._server.close()
        await self._runner.cleanup()

    def _accepted(self) -> Bounded:
        assert self._runner.server is not None
        return Bounded(self._runner.server(), self._places)

    @web.middleware
    async def _within_bounds(self, request: web.Request, handler: Handler) -> web.StreamResponse:
        """Read the body while there is room for it, and answer; what breaks is told in one line, not shown."""
        connection = request.transport.get_protocol() if request.transport is not None else None
        assert isinstance(connection, Bounded)
        if (request.content_length or 0) > request.client_max_size:
            return _closing(413, "the body is too large")
        size = self._size(request)
        if self._bytes + size > BODIES:
            return _closing(503, "too many requests at once")
        self._bytes += size
        try:
            await request.read()
            connection.came()
            return _signed(await handler(request))
        except web.HTTPException as error:
            return _closing(error.status, error.reason)
        except (ConnectionError, web.RequestPayloadError):
            return _closing(400, "the body does not come to its end")
        except Exception as error:  # noqa: BLE001 a bug is told in one line, and never to the peer
            self._log.error("%s: %s: %s", request.path, type(error).__name__, error)
            return _closing(500, "it could not be answered")
        finally:
            self._bytes -= size
            connection.answered()

    def _size(self, request: web.Request) -> int:
        """How much a body may bring: one that does not say, or is packed, is taken for the largest."""
        if not request.can_read_body:
            return 0
        told = None if "Content-Encoding" in request.headers else request.content_length
        return request.client_max_size if told is None else told


def _silent() -> logging.Logger:
    """Return what aiohttp may tell: that a peer sends no HTTP is no news, a traceback of it less."""
    logger = logging.Logger("aiohttp.server")  # noqa: LOG001 not registered: used here only
    logger.addHandler(logging.NullHandler())
    return logger


def _closing(status: int, text: str) -> web.StreamResponse:
    response = web.Response(status=status, text=text)
    response.force_close()
    return _signed(response)


def _signed(response: web.StreamResponse) -> web.StreamResponse:
    """Say nothing of what it is made of."""
    response.headers["Server"] = "kueue-reference"
    return response
