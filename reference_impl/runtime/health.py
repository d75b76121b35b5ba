"""The endpoints for operators: /healthz, /readyz and /metrics over plain HTTP."""

from __future__ import annotations

from collections.abc import Callable

from aiohttp import web

from .address import parse_address
from .errors import OutsideError
from .listening import Listening
from .metrics import CONTENT_TYPE, Registry

BODY_LIMIT = 1 << 10
"""Nobody has anything to say here."""


class Endpoints:
    """Answers on one address."""

    def __init__(self, address: str, *, ready: Callable[[], bool], metrics: Registry | None) -> None:
        self._address = parse_address(address)
        self._ready = ready
        self._metrics = metrics
        self._listening = Listening(self._app(), *self._address)

    def _app(self) -> web.Application:
        app = web.Application(client_max_size=BODY_LIMIT)
        app.router.add_get("/healthz", self._healthz)
        app.router.add_get("/readyz", self._readyz)
        if self._metrics is not None:
            app.router.add_get("/metrics", self._exposition)
        return app

    async def start(self) -> None:
        """Begin to answer."""
        try:
            await self._listening.start()
        except OSError as error:
            where = "{}:{}".format(*self._address)
            raise OutsideError(
                f"cannot listen on {where}: {error.strerror}; choose another address"
            ) from None

    @property
    def port(self) -> int:
        """Return the port in use; useful when port 0 asked for a free one."""
        return self._listening.port

    async def stop(self) -> None:
        """Stop answering."""
        await self._listening.stop()

    async def _healthz(self, _request: web.Request) -> web.Response:
        return web.Response(text="ok")

    async def _readyz(self, _request: web.Request) -> web.Response:
        ready = self._ready()
        return web.Response(text="ok" if ready else "not in sync yet", status=200 if ready else 500)

    async def _exposition(self, _request: web.Request) -> web.Response:
        assert self._metrics is not None
        return web.Response(text=self._metrics.exposition(), headers={"Content-Type": CONTENT_TYPE})
