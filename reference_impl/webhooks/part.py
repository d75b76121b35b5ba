"""Certificates as a part of the control plane: every replica shows the newest, the leader renews and has it trusted."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Final

from ..api.resource import Key
from ..runtime.clock import pause
from ..runtime.errors import ApiError, UnreachableError
from ..runtime.part import Runnable, Runtime
from .keyring import KeyringError
from .secret import SharedKeyring
from .server import WebhookServer
from .trust import CALLERS, trust

LOOK_SECONDS: Final = 30.0
FAILURES: Final = (ApiError, UnreachableError, KeyringError)


@dataclass(frozen=True, slots=True, kw_only=True)
class CertificatePart:
    """Keeps a server and those who call it in step with a Secret."""

    server: WebhookServer
    keyring: SharedKeyring
    service: Key
    name: str = "certificates"

    def assemble(self, runtime: Runtime) -> Sequence[Runnable]:
        """Have the newest certificate shown everywhere, and renewed by the leader."""
        runtime.everywhere.append(Showing(self))
        return (Renewing(self, runtime),)


@dataclass(frozen=True, slots=True)
class Showing:
    """Looks for a newer certificate."""

    part: CertificatePart
    name: str = "certificate of the webhooks"

    async def run(self) -> None:
        """Look for ever."""
        keyring = self.part.keyring
        while True:
            await pause(keyring.clock, LOOK_SECONDS)
            try:
                self.part.server.show((await keyring.current()).identity())
            except FAILURES as error:
                keyring.log.warning("certificate not looked up", secret=keyring.secret, error=error)


@dataclass(frozen=True, slots=True)
class Renewing:
    """Has the authorities trusted, then takes the next step; in this order, so that no step is ahead of trust."""

    part: CertificatePart
    runtime: Runtime
    name: str = "renewal of certificates"

    async def run(self) -> None:
        """Renew for ever."""
        keyring = self.part.keyring
        while True:
            try:
                ring = await keyring.current()
                if await self._trusted(ring.authorities):
                    self.part.server.show(ring.identity())
                    await keyring.renew()
            except FAILURES as error:
                keyring.log.warning("certificates not renewed", secret=keyring.secret, error=error)
            await pause(keyring.clock, LOOK_SECONDS)

    async def _trusted(self, authorities: bytes) -> bool:
        """Tell every caller; one that cannot be told does not keep the others from hearing."""
        keyring, told = self.part.keyring, True
        for resource, name in CALLERS:
            caller = f"{resource.kind} {name}"
            try:
                if await trust(self.runtime.client, resource, name, self.part.service, authorities):
                    keyring.log.info("authority trusted", by=caller)
            except FAILURES as error:
                keyring.log.warning("authority not trusted", by=caller, error=error)
                told = False
        return told
