"""The HTTPS server of visibility: its certificate, and the certificates of its clients as the cluster changes
its authorities (VIS-003, VIS-410, VIS-803).
"""

from __future__ import annotations

import asyncio
from collections.abc import Sequence
from contextlib import suppress
from typing import Final

from ...runtime.errors import OutsideError, StartError
from ...runtime.serving.certificate_folder import CertificateFolder
from ...runtime.serving.certificates import Identity, fresh
from ...runtime.serving.exchange import Handler
from ...runtime.serving.limits import Limits
from ...runtime.serving.server import Server
from .delegated.authorities import Authorities
from .registration import SERVICE

FAILED: Final = "Unable to create and start visibility server"
LIMITS: Final = Limits(connections=512, body_bytes=1 << 20)
"""Limits of the server: each waiting request holds a connection, and bodies are not used."""
RELOAD_SECONDS: Final = 1.0
"""Pause between two looks at the folder of the certificate."""
ADVICE: Final = "choose another --visibility-bind-address, or 0 for none"


class VisibilityServer:
    """Serves a handler on one address; nothing is served before the authorities of the cluster are known."""

    name = "visibility"

    def __init__(
        self,
        handler: Handler,
        authorities: Authorities,
        *,
        host: str,
        port: int,
        namespace: str,
        folder: CertificateFolder | None = None,
    ) -> None:
        self._authorities = authorities
        self._folder = folder
        names = [host, f"{SERVICE}.{namespace}.svc"]
        self.identity: Identity = fresh(names) if folder is None else _identity_in(folder, names)
        self._server = Server(
            handler,
            name=self.name,
            host=host,
            port=port,
            identity=self.identity,
            advice=ADVICE,
            limits=LIMITS,
        )
        self._following: list[asyncio.Task[None]] = []

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
        loop = asyncio.get_running_loop()
        self._following = [loop.create_task(self._authorities.run(), name="authorities of visibility")]
        if self._folder is not None:
            self._following.append(
                loop.create_task(self._follow(self._folder), name="certificate of visibility")
            )

    async def stop(self) -> None:
        """Stop answering."""
        for task in self._following:
            task.cancel()
        await asyncio.gather(*self._following, return_exceptions=True)
        await self._server.stop()

    async def _follow(self, folder: CertificateFolder) -> None:
        while True:
            await asyncio.sleep(RELOAD_SECONDS)
            self.reload(folder)

    def reload(self, folder: CertificateFolder) -> None:
        """Show the certificate that a folder has now, from the next connection on."""
        # While the two files are being exchanged they may be missing, or not fit each other: the certificate
        # before is shown until they do.
        with suppress(OSError, ValueError):
            identity = folder.read()
            self._server.show(identity)
            self.identity = identity

    def _ask_for_certificates(self) -> None:
        self._server.accept_clients_of(self._authorities.trust().pem)


def _identity_in(folder: CertificateFolder, names: Sequence[str]) -> Identity:
    try:
        return folder.open(names)
    except OutsideError as error:
        raise StartError(f"{FAILED}: {error}") from None
