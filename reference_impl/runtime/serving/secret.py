"""The keyring in a Secret that all replicas read: the first replica makes it, the leader renews it."""

from __future__ import annotations

from dataclasses import dataclass

from ...api.kinds import SECRETS
from ...api.resource import Json, Key
from ..client import Client
from ..clock import Clock
from ..errors import ApiError, OutsideError
from ..log import Logger
from .keyring import Keyring, KeyringError, first, renew


@dataclass(frozen=True, slots=True, kw_only=True)
class SharedKeyring:
    """The keyring for these names in one Secret.

    Writes are made on the revision that was read: the first one wins.
    """

    client: Client
    clock: Clock
    log: Logger
    secret: Key
    names: tuple[str, ...]

    async def open(self) -> Keyring:
        """Return the keyring as a process begins; raises OutsideError."""
        try:
            return await self.current()
        except ApiError as error:
            raise OutsideError(
                f"cannot use Secret {self.secret}, which keeps the serving certificate: "
                f"{error.message or error}"
            ) from None

    async def current(self) -> Keyring:
        """Return the keyring, made when there is none that can be used."""
        try:
            secret = await self.client.get(SECRETS, self.secret)
        except ApiError as error:
            if not error.is_not_found:
                raise
            return await self._create()
        try:
            return Keyring.read(secret.get("data") or {})
        except KeyringError as error:
            self.log.warning("keyring is unusable and created again", secret=self.secret, error=error)
            ring = first(self.names, self.clock.now())
            await self.client.update(SECRETS, {**secret, "data": ring.data()})
            return ring

    async def renew(self) -> None:
        """Take the step that is due, if any."""
        secret = await self.client.get(SECRETS, self.secret)
        ring = Keyring.read(secret["data"])
        new = renew(ring, self.names, self.clock.now())
        # `renew` returns the same keyring when nothing is due: no write, and no event
        # for other replicas.
        if new is not ring:
            await self.client.update(SECRETS, {**secret, "data": new.data()})
            self.log.info("certificates renewed", secret=self.secret)

    async def _create(self) -> Keyring:
        ring = first(self.names, self.clock.now())
        try:
            await self.client.create(SECRETS, self._fresh(ring))
        except ApiError as error:
            if not error.is_already_exists:
                raise
            # Another replica was faster: its keyring is the one that all use.
            return Keyring.read((await self.client.get(SECRETS, self.secret))["data"])
        return ring

    def _fresh(self, ring: Keyring) -> Json:
        return {
            "apiVersion": SECRETS.api_version,
            "kind": SECRETS.kind,
            "metadata": {"namespace": self.secret.namespace, "name": self.secret.name},
            "type": "kubernetes.io/tls",
            "data": ring.data(),
        }
