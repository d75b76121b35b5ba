"""Certificates as a part of the control plane:
every replica shows the newest, the leader renews and has it trusted.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Final, Protocol

from ...api.resource import Key
from ..clock import pause
from ..errors import ApiError, UnreachableError
from ..part import Runnable, Runtime
from .certificates import Identity
from .keyring import KeyringError
from .secret import SharedKeyring
from .trust import WebhookCaller, trust

LOOK_SECONDS: Final = 30.0
FAILURES: Final = (ApiError, UnreachableError, KeyringError)


class CertificateServer(Protocol):
    """A server whose identity can be exchanged."""

    def show(self, identity: Identity) -> None:
        """Show another identity from the next connection on."""


@dataclass(frozen=True, slots=True, kw_only=True)
class CertificatePart:
    """Keeps servers and the objects that have them called in step with the keyring that they share.

    One part has all callers of a keyring: a renewal waits until each of them trusts the authorities.
    """

    keyring: SharedKeyring
    servers: Sequence[CertificateServer]
    callers: Mapping[Key, Sequence[WebhookCaller]]
    """Of each Service that is in front of the servers."""
    manager: str
    """The field manager that writes into the callers."""

    def assemble(self, runtime: Runtime) -> Sequence[Runnable]:
        """Have the newest certificate shown everywhere, and renewed by the leader."""
        runtime.everywhere.append(CertificateReloader(self))
        return (CertificateRenewer(self, runtime),)

    def show(self, identity: Identity) -> None:
        """Have all servers show an identity."""
        for server in self.servers:
            server.show(identity)


@dataclass(frozen=True, slots=True)
class CertificateReloader:
    """Looks for a newer certificate."""

    certificate_part: CertificatePart

    async def run(self) -> None:
        """Look for ever."""
        keyring = self.certificate_part.keyring
        while True:
            await pause(keyring.clock, LOOK_SECONDS)
            try:
                self.certificate_part.show((await keyring.current()).identity())
            except FAILURES as error:
                keyring.log.warning("certificate not looked up", secret=keyring.secret, error=error)


@dataclass(frozen=True, slots=True)
class CertificateRenewer:
    """Has the authorities trusted, then takes the next step;
    in this order, so that no step is ahead of trust.
    """

    issuing: CertificatePart
    runtime: Runtime

    async def run(self) -> None:
        """Renew for ever."""
        keyring = self.issuing.keyring
        while True:
            await self.step()
            await pause(keyring.clock, LOOK_SECONDS)

    async def step(self) -> None:
        """Renew due certificates when all callers trust the authorities;
        a failure is logged and tried again later.
        """
        keyring = self.issuing.keyring
        try:
            ring = await keyring.current()
            if await self._inform_callers(ring.authorities):
                self.issuing.show(ring.identity())
                await keyring.renew()
        except FAILURES as error:
            keyring.log.warning("certificates not renewed", secret=keyring.secret, error=error)

    async def _inform_callers(self, authorities: bytes) -> bool:
        """Tell every caller; one that cannot be told does not keep the others from hearing."""
        all_informed = True
        for service, callers in self.issuing.callers.items():
            for caller in callers:
                all_informed = await self._inform(caller, service, authorities) and all_informed
        return all_informed

    async def _inform(self, caller: WebhookCaller, service: Key, authorities: bytes) -> bool:
        log, name = self.issuing.keyring.log, f"{caller.resource.kind} {caller.name}"
        try:
            if await trust(self.runtime.client, caller, service, authorities, manager=self.issuing.manager):
                log.info("authority trusted", by=name)
        except FAILURES as error:
            log.warning("authority not trusted", by=name, error=error)
            return False
        return True
