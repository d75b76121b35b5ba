"""The endpoints for operators: probes and /metrics over plain HTTP."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass

from ..api.address import parse_address
from .metrics import CONTENT_TYPE, Registry
from .serving.exchange import Request, Response
from .serving.limits import Limits
from .serving.server import Server

LIMITS = Limits(body_bytes=1 << 10)
"""A request has nothing to say here."""
TEXT = "text/plain; charset=utf-8"


@dataclass(frozen=True, slots=True)
class Probe:
    """What a path answers: 200 with one text while the program is well, 500 with another."""

    holds: Callable[[], bool]
    well: str = "ok"
    unwell: str = "not in sync yet"


def controller_probes(ready: Callable[[], bool]) -> Mapping[str, Probe]:
    """Return the probes of a controller: it lives, and it is in sync."""
    return {"/healthz": Probe(lambda: True), "/readyz": Probe(ready)}


class Endpoints:
    """Answers on one address."""

    def __init__(self, address: str, *, probes: Mapping[str, Probe], metrics: Registry | None) -> None:
        self._probes = probes
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
        probe = self._probes.get(path)
        if probe is not None:
            return _text(probe.well) if probe.holds() else _text(probe.unwell, code=500)
        if path == "/metrics" and self._metrics is not None:
            return _text(self._metrics.exposition(), kind=CONTENT_TYPE)
        return _text("404 page not found\n", code=404)


def _text(text: str, *, code: int = 200, kind: str = TEXT) -> Response:
    return Response(code=code, headers=(("Content-Type", kind),), body=text.encode())
