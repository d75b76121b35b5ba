"""Does a reservation still fit what the queues look like now?

(AC-449, AC-474…476; asked by dialects that check again).
"""

from __future__ import annotations

from ...pods.amounts import render
from .catalogue import Catalogue
from .tree import available
from .usage_cache import QuotaHolding, UsageCache


def objection(holding: QuotaHolding, ledger: UsageCache, catalogue: Catalogue) -> str:
    """Say why a Workload cannot have what it holds where it holds it,
    whatever quota there is; empty when it can.
    """
    name = holding.cluster_queue
    if (
        name not in ledger.cohort_trees.queues
        or ledger.cohort_trees.root(ledger.cohort_trees.queues[name]) is None
    ):
        return f"ClusterQueue {name} is inactive"
    quotas = catalogue.cluster_queues[name].groups.quotas
    for fr in holding.usage:
        if fr not in quotas or fr.flavor not in catalogue.flavors:
            return f"flavor {fr.flavor} is no longer available for {fr.resource}"
    return ""


def shortage(holding: QuotaHolding, ledger: UsageCache) -> str:
    """Say how much quota is missing for a holding that the tree does not count; empty
    when there is enough.
    """
    node = ledger.cohort_trees.queues[holding.cluster_queue]
    for fr, value in holding.usage.items():
        missing = value - available(node, fr)
        if missing > 0:
            needed = render(fr.resource, missing)
            return f"insufficient quota for {fr.resource} in flavor {fr.flavor}, {needed} more needed"
    return ""
