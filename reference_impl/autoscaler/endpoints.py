"""What the autoscaler serves at --address: metrics and its health, over plain HTTP."""

from __future__ import annotations

from collections.abc import Callable

from reference_impl.runtime.metrics import CONTENT_TYPE, Registry
from reference_impl.runtime.serving.exchange import Request, Response
from reference_impl.runtime.serving.limits import Limits
from reference_impl.runtime.serving.server import Server

LIMITS = Limits(body_bytes=1 << 10)
TEXT = "text/plain; charset=utf-8"
ANY_HOST = "127.0.0.1"
"""An address without a host is loopback: who wants more names it."""


def server(address: str, metrics: Registry, healthy: Callable[[], bool]) -> Server:
    """Return the server; it begins to answer when it is started."""
    host, _, port = address.rpartition(":")

    async def answer(request: Request) -> Response:
        path = request.target.partition("?")[0]
        if request.method not in {"GET", "HEAD"}:
            return _text("405 method not allowed\n", code=405)
        if path == "/metrics":
            return _text(metrics.exposition(), kind=CONTENT_TYPE)
        if path in {"/health-check", "/healthz"}:
            return _text("OK") if healthy() else _text("Error: the loop does not run", code=500)
        return _text("404 page not found\n", code=404)

    return Server(answer, name="autoscaler", host=host or ANY_HOST, port=int(port), limits=LIMITS)


def _text(text: str, *, code: int = 200, kind: str = TEXT) -> Response:
    return Response(code=code, headers=(("Content-Type", kind),), body=text.encode())
