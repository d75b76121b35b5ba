"""The usage of LocalQueues, sampled and written into their statuses,
where admission fair sharing is on (AC-077, KEP-4136).
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

from ...api import instants
from ...api.quantity import Family, Quantity, QuantityError, quantity
from ...api.resource import Json
from ..quota.consumption import Amounts, Consumption
from ..quota.resources import FlavorResource
from ..quota.usage_cache import ConsumedUsage, UsageCache, consumed_by_admitted

METRIC = "kueue_local_queue_admission_fair_sharing_usage"
BINARY = frozenset({"memory", "ephemeral-storage"})


@dataclass(frozen=True, slots=True)
class UsageSamples:
    """Takes the samples; a LocalQueue seen for the first
    time goes on with what its status tells, from then on.
    """

    consumption: Consumption
    ledger: UsageCache
    consumed_usage: ConsumedUsage = consumed_by_admitted

    def take_sample(self, key: str, cluster_queue: str, obj: Json, current_time: float) -> bool:
        """Take a sample of a LocalQueue (`namespace/name`) if one is due; tell whether one was."""
        if self.consumption.consumption_of(key) is None:
            # After a restart the status is the only memory. What passed meanwhile is
            # unknown, so it counts from now.
            self.consumption.restore(key, _read_usage(obj), current_time)
            return True
        due = self.consumption.due(key)
        if due is not None and current_time < due:
            return False
        account = self.ledger.of_local_queue(cluster_queue, key)
        self.consumption.sample(key, _present(self.consumed_usage(account)), current_time)
        return True

    def wait(self, key: str, current_time: float) -> float:
        """Return after how many seconds the next sample is due."""
        due = self.consumption.due(key)
        return self.consumption.settings.sampling_interval if due is None else max(0.0, due - current_time)

    def status(self, key: str) -> Json:
        """Return `status.fairSharing` of a LocalQueue; its own share is not computed
        by any release (AC-077).
        """
        consumed = self.consumption.consumption_of(key)
        if consumed is None:
            return {}
        amounts = {name: _render(name, value) for name, value in sorted(consumed.amounts.items())}
        status = {"consumedResources": amounts, "lastUpdate": instants.render(consumed.at)}
        return {"fairSharing": {"weightedShare": 0, "admissionFairSharingStatus": status}}


def _present(usage: Mapping[FlavorResource, int]) -> Mapping[FlavorResource, int]:
    return {fr: value for fr, value in usage.items() if value}


def _read_usage(obj: Json) -> Amounts:
    """Read the usage in a status; none for one that cannot be read."""
    fair = (obj.get("status") or {}).get("fairSharing") or {}
    consumed = (fair.get("admissionFairSharingStatus") or {}).get("consumedResources") or {}
    try:
        return {name: max(0, quantity(value).nano) for name, value in consumed.items()}
    except QuantityError:
        return {}


def _render(resource: str, nano: int) -> str:
    family: Family = "binary" if resource in BINARY or resource.startswith("hugepages-") else "decimal"
    return str(Quantity(nano, family))
