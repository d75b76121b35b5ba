"""The endpoints for operators: /healthz, /readyz and /metrics over plain HTTP."""

from __future__ import annotations

from collections.abc import Callable

from aiohttp import web

from .address import parse_address
from .errors import OutsideError
from .metrics import CONTENT_TYPE, Registry


class Endpoints:
    """Answers on one address."""

    def __init__(self, address: str, *, ready: Callable[[], bool], metrics: Registry | None) -> None:
        self._host, self._port = parse_address(address)
        self._ready = ready
        self._metrics = metrics
        self._runner: web.AppRunner | None = None

    async def start(self) -> None:
        """Begin to answer."""
        app = web.Application()
        app.router.add_get("/healthz", self._healthz)
        app.router.add_get("/readyz", self._readyz)
        if self._metrics is not None:
            app.router.add_get("/metrics", self._exposition)
        self._runner = web.AppRunner(app, access_log=None)
        await self._runner.setup()
        site = web.TCPSite(self._runner, self._host or None, self._port)
        try:
            await site.start()
        except OSError as error:
            await self.stop()
            where = f"{self._host}:{self._port}"
            raise OutsideError(
                f"cannot listen on {where}: {error.strerror}; choose another address"
            ) from None

    @property
    def port(self) -> int:
        """Return the port in use; useful when port 0 asked for a free one."""
        assert self._runner is not None
        port: int = self._runner.addresses[0][1]
        return port

    async def stop(self) -> None:
        """Stop answering."""
        if self._runner is not None:
            await self._runner.cleanup()

    async def _healthz(self, _request: web.Request) -> web.Response:
        return web.Response(text="ok")

    async def _readyz(self, _request: web.Request) -> web.Response:
        ready = self._ready()
        return web.Response(text="ok" if ready else "not in sync yet", status=200 if ready else 500)

    async def _exposition(self, _request: web.Request) -> web.Response:
        assert self._metrics is not None
        return web.Response(text=self._metrics.exposition(), headers={"Content-Type": CONTENT_TYPE})
