"""Leader election by a Lease, off by default (AC-375): of several managers one works, the others wait.

The lease is taken over when its holder has not renewed it for as long as it promised, measured from when we saw the
last renewal, so clocks need not agree.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from datetime import UTC, datetime
from typing import Final

from ..api.kinds import LEASES
from ..api.resource import Json, Key
from .client import Client
from .clock import Clock, pause
from .errors import ApiError, OutsideError, UnreachableError
from .log import Logger

LEASE_SECONDS: Final = 15.0
RENEW_WITHIN: Final = 10.0
RETRY_SECONDS: Final = 2.0


@dataclass(slots=True, kw_only=True)
class Leader:
    """One candidate for a lease."""

    client: Client
    clock: Clock
    log: Logger
    lease: Key
    identity: str
    _observed: tuple[str, float] = field(default=("", 0.0))
    """The resourceVersion of the lease, and when we first saw it."""

    async def acquire(self) -> None:
        """Wait until the lease is ours."""
        while not await self._try():
            await pause(self.clock, RETRY_SECONDS)
        self.log.info("leading", lease=self.lease, identity=self.identity)

    async def run(self) -> None:
        """Renew the lease for ever; raises OutsideError when it is lost."""
        renewed = self.clock.now()
        while self.clock.now() - renewed < RENEW_WITHIN:
            await pause(self.clock, RETRY_SECONDS)
            if await self._try():
                renewed = self.clock.now()
        raise OutsideError(f"lost the lease {self.lease}")

    async def release(self) -> None:
        """Give the lease up, so that the next one need not wait."""
        lease = await self.client.get(LEASES, self.lease)
        if lease["spec"].get("holderIdentity") == self.identity:
            await self._write(lease, holder="")

    async def _try(self) -> bool:
        """Take or renew the lease if that is possible now."""
        try:
            return await self._claim()
        except (ApiError, UnreachableError) as error:
            self.log.warning("no lease", lease=self.lease, error=error)
            return False

    async def _claim(self) -> bool:
        try:
            lease = await self.client.get(LEASES, self.lease)
        except ApiError as error:
            if not error.not_found:
                raise
            await self.client.create(LEASES, self._fresh())
            return True
        if not self._free(lease):
            return False
        await self._write(lease, holder=self.identity)
        return True

    def _free(self, lease: Json) -> bool:
        """Tell whether the lease is ours, nobody's, or no longer renewed."""
        revision, now = lease["metadata"]["resourceVersion"], self.clock.now()
        if self._observed[0] != revision:
            self._observed = (revision, now)
        spec = lease["spec"]
        lasts = spec.get("leaseDurationSeconds") or LEASE_SECONDS
        return spec.get("holderIdentity") in {"", None, self.identity} or now - self._observed[1] > lasts

    async def _write(self, lease: Json, *, holder: str) -> None:
        spec = lease["spec"]
        changed = holder != spec.get("holderIdentity")
        await self.client.update(
            LEASES,
            {
                **lease,
                "spec": {
                    **spec,
                    **self._times(acquired=changed),
                    "holderIdentity": holder,
                    "leaseTransitions": spec.get("leaseTransitions", 0) + (1 if changed and holder else 0),
                },
            },
        )

    def _fresh(self) -> Json:
        return {
            "apiVersion": LEASES.api_version,
            "kind": LEASES.kind,
            "metadata": {"namespace": self.lease.namespace, "name": self.lease.name},
            "spec": {
                "holderIdentity": self.identity,
                "leaseDurationSeconds": int(LEASE_SECONDS),
                "leaseTransitions": 0,
                **self._times(acquired=True),
            },
        }

    def _times(self, *, acquired: bool) -> Json:
        now = datetime.fromtimestamp(self.clock.now(), UTC).strftime("%Y-%m-%dT%H:%M:%S.%fZ")
        return {"renewTime": now, **({"acquireTime": now} if acquired else {})}
