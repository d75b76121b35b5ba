"""The positions of a Workload for its user:
at the list of the LocalQueue that it names (KEP-168-2, story 1).
"""

from __future__ import annotations

from ...history.fact import Fact
from ..pending.pending import Pending
from .reader import WorkloadReader


class PositionFacts(WorkloadReader):
    """Facts about the positions of a Workload."""

    def is_at(self, position: int, *, locally: int | None = None) -> Fact:
        """It stands at this position of its ClusterQueue, and at this one of its LocalQueue where that is
        given; both from 0.
        """
        pending_list = self._pending_list()
        listing = pending_list.newest_answer()
        rows = [row for row in listing.positions if row.workload == f"{self.namespace}/{self.name}"]
        matching = [row for row in rows if row.in_cluster_queue == position]
        matching = [row for row in matching if locally in (None, row.in_local_queue)]
        expected = f"{position}" if locally is None else f"{position}/{locally}"
        return Fact(bool(matching), f"{self} is at {expected} in {pending_list}", str(listing))

    @property
    def age(self) -> tuple[str, str]:
        """Its creation time and uid, which order Workloads of one priority (VIS-512d, VIS-512e)."""
        metadata = self.object["metadata"]
        return metadata["creationTimestamp"], metadata["uid"]

    def _pending_list(self) -> Pending:
        queue = self.object.get("spec", {}).get("queueName", "")
        path = f"namespaces/{self.namespace}/localqueues/{queue}"
        return Pending(self._context, self._context.client, path)
