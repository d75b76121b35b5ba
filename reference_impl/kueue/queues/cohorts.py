"""The status of a Cohort: its share, which is told only where fair sharing is on (AC-050, Q-376)."""

from __future__ import annotations

from dataclasses import dataclass

from ...api.kinds import COHORTS
from ...api.resource import Key
from ...runtime.client import Client
from ...runtime.latest_objects import LatestObjects
from ...runtime.metrics import Registry
from .shares import MeasureShare, Shares
from .status import cohort_status

METRIC = "kueue_cohort_weighted_share"


@dataclass(frozen=True, slots=True)
class Cohorts:
    """Reconciles one Cohort at a time."""

    client: Client
    metrics: Registry
    shares: Shares
    latest: LatestObjects
    measure: MeasureShare

    async def reconcile(self, key: Key) -> None:
        """Tell the share, or remove one that another client, or a Kueue with fair sharing, wrote."""
        obj = self.latest.get(key)
        share = self.shares.of_cohort(key.name)
        if obj is None or share is None:
            self.metrics.remove(METRIC, key.name)
        else:
            self.metrics.set(METRIC, key.name, value=self.measure(share))
        if obj is None:
            return
        status = cohort_status(obj, share)
        if status != (obj.get("status") or {}):
            self.latest.record_write(await self.client.update_status(COHORTS, {**obj, "status": status}))
