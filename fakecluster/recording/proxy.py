"""Stands between clients and a cluster: passes everything on as it comes, and keeps a transcript (F-08).

Clients come with a token of the proxy; what reaches the cluster carries the identity of the given kubeconfig, and secrets of
the connection (Authorization, cookies) are never written down.
"""

from __future__ import annotations

import secrets
import ssl
from collections.abc import Callable

from aiohttp import (
    ClientConnectionError,
    ClientResponse,
    ClientSession,
    ClientTimeout,
    DummyCookieJar,
    TCPConnector,
    web,
)
from msgspec.structs import replace
from yarl import URL

from .transcript import KEPT_HEADERS, Body, Exchange
from .upstream import Upstream

PER_CONNECTION = frozenset(
    {
        "authorization",
        "connection",
        "content-length",
        "cookie",
        "host",
        "keep-alive",
        "te",
        "transfer-encoding",
        "upgrade",
    }
)
KEPT_BYTES = 8 * 1024 * 1024
"""An answer longer than this is passed on whole and written down in part."""
Keep = Callable[[Exchange], None]


class Proxy:
    """One proxy on loopback. `keep` is called with every exchange when it is over."""

    def __init__(self, upstream: Upstream, keep: Keep) -> None:
        self.token = secrets.token_urlsafe(24)
        self._upstream = upstream
        self._keep = keep
        self._runner: web.AppRunner | None = None
        self._session: ClientSession | None = None

    async def start(self, port: int, context: ssl.SSLContext | None) -> int:
        """Listen and return the port. Raises OSError when it is taken."""
        timeout = ClientTimeout(total=None, sock_connect=10)
        connector = TCPConnector(ssl=self._upstream.context or True, limit=0)
        self._session = ClientSession(
            connector=connector,
            timeout=timeout,
            auto_decompress=False,
            cookie_jar=DummyCookieJar(),
            skip_auto_headers=("Accept", "Content-Type", "User-Agent"),
        )
        app = web.Application(client_max_size=64 * 1024 * 1024)
        app.router.add_route("*", "/{path:.*}", self._pass)
        app.on_response_prepare.append(_last_behind_an_offer)
        self._runner = web.AppRunner(app, shutdown_timeout=0.5)
        await self._runner.setup()
        await web.TCPSite(self._runner, "127.0.0.1", port, ssl_context=context).start()
        return int(self._runner.addresses[0][1])

    async def stop(self) -> None:
        """Close everything; streams under way are kept as far as they came."""
        if self._runner is not None:
            await self._runner.cleanup()
        if self._session is not None:
            await self._session.close()

    async def _pass(self, request: web.Request) -> web.StreamResponse:
        if request.headers.get("Authorization") != f"Bearer {self.token}":
            raise web.HTTPUnauthorized(text="this is a recording proxy: use the kubeconfig that it wrote\n")
        body = await request.read()
        asked = Exchange(
            method=request.method,
            target=request.raw_path,
            headers={name: request.headers[name] for name in KEPT_HEADERS if name in request.headers},
            body=Body.of(body),
        )
        assert self._session is not None
        headers = {
            name: value for name, value in request.headers.items() if name.lower() not in PER_CONNECTION
        }
        try:
            async with self._session.request(
                request.method, URL(self._upstream.url + request.raw_path, encoded=True), data=body or None,
                headers={**headers, "Accept-Encoding": "identity", **self._upstream.identity}, allow_redirects=False,
            ) as answer:  # fmt: skip
                return await self._relay(request, asked, answer)
        except ClientConnectionError as error:
            raise web.HTTPBadGateway(
                text=f"the cluster at {self._upstream.url} cannot be reached: {error}\n"
            ) from error

    async def _relay(
        self, request: web.Request, asked: Exchange, answer: ClientResponse
    ) -> web.StreamResponse:
        headers = {
            name: value for name, value in answer.headers.items() if name.lower() not in PER_CONNECTION
        }
        response = web.StreamResponse(status=answer.status, headers=headers)
        kept, complete = bytearray(), False
        try:
            await response.prepare(request)
            async for part in answer.content.iter_any():
                await response.write(part)
                kept += part[: KEPT_BYTES - len(kept)]
            await response.write_eof()
            complete = len(kept) < KEPT_BYTES
        finally:
            self._keep(_answered(asked, answer, bytes(kept), complete=complete))
        return response


async def _last_behind_an_offer(request: web.Request, response: web.StreamResponse) -> None:
    """End the connection with the answer to an offer of another protocol: its body may have been taken for a request."""
    if request.method == "CONNECT" or "upgrade" in request.headers.get("Connection", "").lower():
        response.force_close()


def _answered(asked: Exchange, answer: ClientResponse, body: bytes, *, complete: bool) -> Exchange:
    return replace(
        asked, code=answer.status, content_type=answer.headers.get("Content-Type", ""),
        etag=answer.headers.get("ETag", ""), answer=Body.of(body), complete=complete,
    )  # fmt: skip
