"""Does a reservation still fit what the queues look like now? (AC-449, AC-474…476; asked by dialects that check again)."""

from __future__ import annotations

from .amounts import shown
from .catalogue import Catalogue
from .ledger import Ledger
from .tree import available


def objection(key: str, ledger: Ledger, catalogue: Catalogue) -> str:
    """Say why what a Workload holds is no longer its to hold, empty when it still is."""
    holding = ledger.holdings.get(key)
    if holding is None:
        return ""
    spec = catalogue.cluster_queues.get(holding.cluster_queue)
    node = ledger.forest.queues.get(holding.cluster_queue)
    if spec is None or node is None or ledger.forest.root(node) is None:
        return f"ClusterQueue {holding.cluster_queue} is inactive"
    for fr in holding.usage:
        if fr not in spec.groups.quotas or fr.flavor not in catalogue.flavors:
            return f"flavor {fr.flavor} is no longer available for {fr.resource}"
        missing = -available(node, fr)
        if missing > 0:
            needed = shown(fr.resource, missing)
            return f"insufficient quota for {fr.resource} in flavor {fr.flavor}, {needed} more needed"
    return ""
