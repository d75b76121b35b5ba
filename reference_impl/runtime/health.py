"""The endpoints for operators: /healthz, /readyz and /metrics over plain HTTP."""

from __future__ import annotations

from collections.abc import Callable

from ..api.address import parse_address
from .metrics import CONTENT_TYPE, Registry
from .serving.exchange import Request, Response
from .serving.limits import Limits
from .serving.server import Server

LIMITS = Limits(body_bytes=1 << 10)
"""A request has nothing to say here."""
TEXT = "text/plain; charset=utf-8"


class Endpoints:
    """Answers on one address."""

    def __init__(self, address: str, *, ready: Callable[[], bool], metrics: Registry | None) -> None:
        self._ready = ready
        self._metrics = metrics
        host, port = parse_address(address)
        self._server = Server(self.answer, name="endpoints", host=host, port=port, limits=LIMITS)

    @property
    def port(self) -> int:
        """Return the port in use."""
        return self._server.port

    async def start(self) -> None:
        """Begin to answer. Raises OutsideError."""
        await self._server.start()

    async def stop(self) -> None:
        """Stop answering."""
        await self._server.stop()

    async def answer(self, request: Request) -> Response:
        """Answer a request."""
        if request.method not in {"GET", "HEAD"}:
            return _text("405 method not allowed\n", code=405)
        path = request.target.partition("?")[0]
        if path == "/healthz":
            return _text("ok")
        if path == "/readyz":
            return _text("ok") if self._ready() else _text("not in sync yet", code=500)
        if path == "/metrics" and self._metrics is not None:
            return _text(self._metrics.exposition(), kind=CONTENT_TYPE)
        return _text("404 page not found\n", code=404)


def _text(text: str, *, code: int = 200, kind: str = TEXT) -> Response:
    return Response(code=code, headers=(("Content-Type", kind),), body=text.encode())
