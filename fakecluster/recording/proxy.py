"""Stands between clients and a cluster: passes everything on as it comes, and keeps a transcript (F-08).

Clients come with a token of the proxy; what reaches the cluster carries the identity of the given kubeconfig,
and secrets of the connection (Authorization, cookies) are never written down.
"""

from __future__ import annotations

import secrets
import ssl
from collections.abc import Callable, Iterator
from urllib.parse import SplitResult, urlsplit

from aiohttp import web
from msgspec.structs import replace

from ..aggregation import forwarding
from ..api import websocket_request
from ..api.outcome import Proxy as Request
from ..api.outcome import Response
from ..api.service_address import Address
from ..server.outgoing.answer import NoAnswerError
from ..server.outgoing.relay import Relay, RelayedAnswer
from .transcript import KEPT_HEADERS, Body, Exchange
from .upstream import Upstream

OWN_HEADERS = frozenset(
    {
        *forwarding.HOP_BY_HOP,
        "authorization",
        "content-length",
        "cookie",
        "expect",
        "host",
        "origin",
        "accept-encoding",
    }
)
PORTS = {"https": 443, "http": 80}
SWITCHING_PROTOCOLS = 101
ANSWER_TIMEOUT_SECONDS = 90.0
"""Seconds in which the cluster has to begin an answer."""
RECORDED_BYTES = 8 * 1024 * 1024
"""A body or an answer longer than this is passed on whole and written down in part."""
RECORDED_BYTES_TOTAL = 256 * 1024 * 1024
"""Bytes of the answers that are under way, of which more are not written down."""
RecordExchange = Callable[[Exchange], None]


class Proxy:
    """One proxy on loopback. `keep` is called with every exchange when it is over."""

    def __init__(self, upstream: Upstream, keep: RecordExchange) -> None:
        self.token = secrets.token_urlsafe(24)
        self._upstream = upstream
        self._url: SplitResult = urlsplit(upstream.url)
        self._keep = keep
        self._held_bytes = 0
        self._relay = Relay(lambda _: upstream.context, ANSWER_TIMEOUT_SECONDS)
        self._runner: web.AppRunner | None = None

    async def start(self, port: int, context: ssl.SSLContext | None) -> int:
        """Listen and return the port. Raises OSError when it is taken."""
        # aiohttp refuses bodies above 1 MiB by default; API servers take 3.
        app = web.Application(client_max_size=64 * 1024 * 1024)
        app.router.add_route("*", "/{path:.*}", self._pass)
        app.on_response_prepare.append(_close_after_upgrade_offer)
        self._runner = web.AppRunner(app, shutdown_timeout=0.5)
        await self._runner.setup()
        await web.TCPSite(self._runner, "127.0.0.1", port, ssl_context=context).start()
        return int(self._runner.addresses[0][1])

    async def stop(self) -> None:
        """Close everything; streams under way are kept as far as they came."""
        if self._runner is not None:
            await self._runner.cleanup()
        self._relay.close()

    async def _pass(self, request: web.Request) -> web.StreamResponse:
        authorization = request.headers.get("Authorization", "")
        # In constant time: the proxy holds the rights of the kubeconfig.
        if not secrets.compare_digest(authorization.encode(), f"Bearer {self.token}".encode()):
            raise web.HTTPUnauthorized(text="this is a recording proxy: use the kubeconfig that it wrote\n")
        body = await request.read()
        if websocket_request.is_upgrade(
            tuple((name.lower(), value) for name, value in request.headers.items())
        ):
            # With 503 clients such as fabric8 watch without one.
            raise web.HTTPServiceUnavailable(text="a recording proxy speaks no WebSocket: watch over HTTP\n")
        exchange = Exchange(
            method=request.method,
            target=request.raw_path,
            headers={name: request.headers[name] for name in KEPT_HEADERS if name in request.headers},
            body=Body.of(body[:RECORDED_BYTES]),
            complete=len(body) <= RECORDED_BYTES,
        )
        answer = await self._relay.ask(self._upstream_request(request, body))
        if isinstance(answer, Response):
            raise web.HTTPBadGateway(body=answer.body)
        return await self._pass_on(request, exchange, answer)

    def _upstream_request(self, request: web.Request, body: bytes) -> Request:
        url, host = self._url, self._url.hostname or ""
        return Request(
            method=request.method,
            target=f"{url.path.rstrip('/')}{request.raw_path}",
            headers=tuple(self._headers(request, body)),
            body=body,
            address=Address(host, url.port or PORTS[url.scheme], is_configured=True),
            name=self._upstream.name or host,
            answer_headers=forwarding.answer_headers,
            refused=_refuse_switch,
            failed=lambda why: _unreachable(f"the cluster at {self._upstream.url} cannot be reached: {why}"),
        )

    def _headers(self, request: web.Request, body: bytes) -> Iterator[tuple[str, str]]:
        yield from (("Host", self._url.netloc), *self._upstream.identity.items())
        # Packed bodies could not be read in a transcript, nor redacted.
        yield "Accept-Encoding", "identity"
        if "Origin" in request.headers:
            yield "Origin", self._upstream.origin
        yield from (
            (name, value) for name, value in request.headers.items() if name.lower() not in OWN_HEADERS
        )
        if body or request.method in {"POST", "PUT", "PATCH"}:
            yield "Content-Length", str(len(body))

    async def _pass_on(
        self, request: web.Request, exchange: Exchange, answer: RelayedAnswer
    ) -> web.StreamResponse:
        response = web.StreamResponse(status=answer.code)
        for name, value in answer.headers:
            response.headers.add(name, value)
        recorded, is_whole, complete = bytearray(), True, False
        try:
            await response.prepare(request)
            async for piece in answer.body.pieces():
                await response.write(piece)
                room_left = max(
                    0, min(RECORDED_BYTES - len(recorded), RECORDED_BYTES_TOTAL - self._held_bytes)
                )
                recorded += piece[:room_left]
                # A long answer is passed on whole all the same; only the transcript is bounded.
                self._held_bytes += min(room_left, len(piece))
                is_whole = is_whole and len(piece) <= room_left
            await response.write_eof()
            complete = is_whole
        except (NoAnswerError, OSError):
            # The cluster cut its answer off, and so does this one.
            if request.transport is not None:
                request.transport.abort()
        finally:
            self._held_bytes -= len(recorded)
            self._relay.done(answer)
            self._keep(_with_answer(exchange, answer, bytes(recorded), complete=complete))
        return response


async def _close_after_upgrade_offer(request: web.Request, response: web.StreamResponse) -> None:
    """End the connection with the answer to an offer of another protocol:
    its body may have been taken for a request.
    """
    if request.method == "CONNECT" or "upgrade" in request.headers.get("Connection", "").lower():
        response.force_close()
        # aiohttp writes the header before this signal: without it a client would send its next request here.
        response.headers["Connection"] = "close"


def _refuse_switch(code: int) -> Response | None:
    """Return the answer in place of a protocol switch, which the proxy neither offers nor asks for."""
    return (
        _unreachable("the cluster speaks another protocol, which cannot be recorded")
        if code == SWITCHING_PROTOCOLS
        else None
    )


def _unreachable(why: str) -> Response:
    return Response(code=502, body=f"{why}\n".encode())


def _with_answer(exchange: Exchange, answer: RelayedAnswer, body: bytes, *, complete: bool) -> Exchange:
    headers = dict(reversed(answer.headers))
    return replace(
        exchange,
        code=answer.code,
        content_type=headers.get("content-type", ""),
        etag=headers.get("etag", ""),
        answer=Body.of(body),
        complete=exchange.complete and complete,
    )
