"""The status of a Cohort: a share is told only where fair sharing is on, which it never is here (AC-050)."""

from __future__ import annotations

from dataclasses import dataclass

from ..api.kinds import COHORTS
from ..api.resource import Key
from ..runtime.client import Client
from ..runtime.store import Store


@dataclass(frozen=True, slots=True)
class Cohorts:
    """Reconciles one Cohort at a time."""

    client: Client
    store: Store

    async def reconcile(self, key: Key) -> None:
        """Take away a share that somebody else, or a Kueue with fair sharing, wrote."""
        obj = self.store.get(key)
        status = (obj or {}).get("status") or {}
        if obj is not None and "fairSharing" in status:
            rest = {name: value for name, value in status.items() if name != "fairSharing"}
            await self.client.update_status(COHORTS, {**obj, "status": rest})
