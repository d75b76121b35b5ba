"""Leader election by a Lease, on by default (AC-375): of several managers one works, the others wait.

The lease is taken over when its holder has not renewed it for as long as it promised, measured from when we
saw the last renewal, so clocks need not agree. Every duration is measured by `Clock.elapsed`: setting the
time of day neither prolongs a term nor ends that of another. A lease is ours only in the tenure that we began
ourselves: one in our name that we did not write is that of a process before us, or of another with our name,
and has to run out.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from datetime import UTC, datetime
from typing import Final, NamedTuple

from ..api.kinds import LEASES
from ..api.resource import Json, Key
from .client import Client
from .clock import Clock, pause, within
from .election import Election
from .errors import ApiError, OutsideError, UnreachableError
from .fence import Fence
from .log import Logger

LARGEST_INT32: Final = 2**31 - 1
TROUBLE: Final = (ApiError, UnreachableError, TimeoutError)


class LeaseTenure(NamedTuple):
    """The term of a leader: the part of a Lease that its renewals do not change."""

    holder: str
    since: str


class LeaseSighting(NamedTuple):
    """A lease that another held: its revision and when we first saw that,
    how long it lasts from then on, since when.
    """

    revision: str
    at: float
    lasts: float
    since: str


NEVER: Final = LeaseSighting("", 0.0, 0.0, "")


@dataclass(slots=True, kw_only=True)
class Leader:
    """One candidate for a lease; opens the fence for as long as it knows that it leads."""

    client: Client
    clock: Clock
    log: Logger
    lease: Key
    identity: str
    fence: Fence
    times: Election = field(default_factory=Election)
    _tenure: LeaseTenure | None = None
    _sighting: LeaseSighting = NEVER
    _reported: str = ""

    async def acquire(self) -> None:
        """Wait until the lease is ours."""
        while not await self._try(self.times.renew_deadline):
            await pause(self.clock, self.times.retry_period)
        self.log.info("leading", lease=self.lease, identity=self.identity)

    async def wait_until_free(self) -> None:
        """Wait as long as another holds the lease; nothing is written."""
        while not await self._sees_it_free():
            await pause(self.clock, self.times.retry_period)

    async def _sees_it_free(self) -> bool:
        try:
            return self._is_free(await self.client.get(LEASES, self.lease))
        except ApiError as error:
            if not error.is_not_found:
                raise OutsideError(f"cannot read the leader's Lease: {error.message or error}") from None
            return self._ran_out()

    async def run(self) -> None:
        """Renew the lease for ever; raises OutsideError when it is lost, or may be."""
        while seconds_left := self.fence.seconds_left:
            await pause(self.clock, min(self.times.retry_period, seconds_left))
            if seconds_left := self.fence.seconds_left:
                await self._try(seconds_left)
        raise OutsideError(f"lost the lease {self.lease}")

    async def release(self) -> None:
        """Give the lease up, so that the next one need not wait."""
        self.fence.close()
        lease = await self.client.get(LEASES, self.lease)
        if self._tenure is not None and _tenure(_spec(lease)) == self._tenure:
            await self._write(lease, LeaseTenure("", self._now()))

    async def _try(self, seconds: float) -> bool:
        """Take or renew the lease if that is possible now; closes the fence when another holds it."""
        try:
            claimed = await within(self.clock, seconds, self._claim())
        except TROUBLE as error:
            self.log.warning("no lease", lease=self.lease, error=error)
            return False
        if not claimed:
            self.fence.close()
        return claimed

    async def _claim(self) -> bool:
        try:
            lease = await self.client.get(LEASES, self.lease)
        except ApiError as error:
            if not error.is_not_found:
                raise
            return self._ran_out() and await self._send(None)
        return self._is_free(lease) and await self._send(lease)

    async def _send(self, lease: Json | None) -> bool:
        """Write that the lease is ours, and open the fence from the moment that was sent."""
        sent = self.clock.elapsed()
        if lease is None or _tenure(_spec(lease)) != self._tenure:
            self._tenure = LeaseTenure(self.identity, self._now())
        if lease is None:
            await self.client.create(LEASES, self._fresh(self._tenure))
        else:
            await self._write(lease, self._tenure)
        # From the moment of sending, not of the answer: another replica counts from
        # when the write reached the server, which is no earlier.
        self.fence.renew(sent)
        return True

    def _is_free(self, lease: Json) -> bool:
        """Tell whether the lease is ours, without a holder, or no longer renewed."""
        spec, revision = _spec(lease), lease["metadata"]["resourceVersion"]
        tenure = _tenure(spec)
        if tenure == self._tenure:
            # Our own lease is no lease of another; a later one of another begins a new
            # sighting.
            self._sighting = NEVER
        # The clocks of two replicas need not agree: a term is measured from when its
        # renewal was seen here, not from `renewTime`.
        elif tenure.holder and self._sighting.revision != revision:
            # A holder with other settings may promise less than ours: it is given our
            # term.
            lasts = max(spec.get("leaseDurationSeconds") or 0, self.times.lease_duration)
            self._sighting = LeaseSighting(revision, self.clock.elapsed(), lasts, tenure.since)
        # A holder that gives the lease up says since when it is free; without that the name was taken out by
        # hand.
        released = not tenure.holder and tenure.since != self._sighting.since
        is_free = released or self._ran_out()
        self._report(tenure.holder if not is_free else "")
        return is_free

    def _report(self, holder: str) -> None:
        """Say once whom this one waits for."""
        if holder and holder != self._reported:
            self.log.warning("waiting: another leads", lease=self.lease, holder=holder)
        self._reported = holder

    def _ran_out(self) -> bool:
        """Tell whether the last lease of another that we saw has ended, also one that was deleted since."""
        sighting = self._sighting
        return sighting is NEVER or self.clock.elapsed() - sighting.at > sighting.lasts

    async def _write(self, lease: Json, tenure: LeaseTenure) -> None:
        spec = _spec(lease)
        transitions = spec.get("leaseTransitions") or 0
        if tenure.holder and tenure != _tenure(spec):
            # The field is an int32: the API refuses a larger number, and the lease
            # could never be taken again.
            transitions = min(transitions + 1, LARGEST_INT32)
        await self.client.update(LEASES, {**lease, "spec": {**spec, **self._lease_spec(tenure, transitions)}})

    def _fresh(self, tenure: LeaseTenure) -> Json:
        return {
            "apiVersion": LEASES.api_version,
            "kind": LEASES.kind,
            "metadata": {"namespace": self.lease.namespace, "name": self.lease.name},
            "spec": self._lease_spec(tenure, 0),
        }

    def _lease_spec(self, tenure: LeaseTenure, transitions: int) -> Json:
        return {
            "holderIdentity": tenure.holder,
            "acquireTime": tenure.since,
            "renewTime": self._now(),
            "leaseDurationSeconds": self.times.lease_seconds,
            "leaseTransitions": transitions,
        }

    def _now(self) -> str:
        return datetime.fromtimestamp(self.clock.now(), UTC).strftime("%Y-%m-%dT%H:%M:%S.%fZ")


def _spec(lease: Json) -> Json:
    return lease.get("spec") or {}


def _tenure(spec: Json) -> LeaseTenure:
    return LeaseTenure(spec.get("holderIdentity") or "", spec.get("acquireTime") or "")
