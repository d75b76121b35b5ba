"""All writes of the scheduler on one Workload, one after the other: first its own outcome, then an
eviction.
"""

from __future__ import annotations

from dataclasses import dataclass

from ...api.resource import Key
from ...runtime.controller import RequeueAfter
from .evictions import Evictions
from .outcomes import Writer


@dataclass(frozen=True, slots=True)
class Writes:
    """Serves writer and evictions from one queue of keys."""

    writer: Writer
    evictions: Evictions

    async def reconcile(self, key: Key) -> RequeueAfter | None:
        """Make the wanted write of a Workload;
        an eviction waits until it is known what became of a reservation.
        """
        requeue_after = await self.writer.reconcile(key)
        # Not known what became of the reservation: an eviction now could be of one that
        # was never stored.
        if requeue_after is None:
            await self.evictions.reconcile(key)
        return requeue_after
