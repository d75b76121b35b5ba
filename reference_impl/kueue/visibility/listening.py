"""The HTTPS server of visibility: its certificate, and the certificates of its clients as the cluster changes
its authorities (VIS-003, VIS-410).
"""

from __future__ import annotations

import asyncio
from typing import Final

from ...runtime.errors import OutsideError, StartError
from ...runtime.serving.certificates import Identity, fresh
from ...runtime.serving.exchange import Handler
from ...runtime.serving.limits import Limits
from ...runtime.serving.server import Server
from .delegated.authorities import Authorities
from .registration import SERVICE

FAILED: Final = "Unable to create and start visibility server"
LIMITS: Final = Limits(connections=512, body_bytes=1 << 20)
"""Limits of the server: each waiting request holds a connection, and bodies are not used."""
ADVICE: Final = "choose another --visibility-bind-address, or 0 for none"


class VisibilityServer:
    """Serves a handler on one address; nothing is served before the authorities of the cluster are known."""

    name = "visibility"

    def __init__(
        self, handler: Handler, authorities: Authorities, *, host: str, port: int, namespace: str
    ) -> None:
        self._authorities = authorities
        self.identity: Identity = fresh([host, f"{SERVICE}.{namespace}.svc"])
        self._server = Server(
            handler,
            name=self.name,
            host=host,
            port=port,
            identity=self.identity,
            advice=ADVICE,
            limits=LIMITS,
        )
        self._following: asyncio.Task[None] | None = None

    @property
    def port(self) -> int:
        """Return the port in use."""
        return self._server.port

    async def start(self) -> None:
        """Begin to answer. Raises StartError, which ends the manager (VIS-005)."""
        try:
            await self._authorities.read()
            self._ask_for_certificates()
            await self._server.start()
        except OutsideError as error:
            raise StartError(f"{FAILED}: {error}") from None
        self._authorities.changed = self._ask_for_certificates
        self._following = asyncio.get_running_loop().create_task(
            self._authorities.run(), name="authorities of visibility"
        )

    async def stop(self) -> None:
        """Stop answering."""
        if self._following is not None:
            self._following.cancel()
            await asyncio.gather(self._following, return_exceptions=True)
        await self._server.stop()

    def _ask_for_certificates(self) -> None:
        self._server.accept_clients_of(self._authorities.trust().pem)
