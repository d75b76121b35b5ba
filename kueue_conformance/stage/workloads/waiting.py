"""The positions of a Workload for its user: at the list of the LocalQueue that it names (KEP-168-2, story 1)."""

from __future__ import annotations

from ...history.fact import Fact
from ..pending.pending import Pending
from .reading import Reading


class Waiting(Reading):
    """Facts about the positions of a Workload."""

    def is_at(self, position: int, *, locally: int | None = None) -> Fact:
        """It stands at this position of its ClusterQueue, and at this one of its LocalQueue where that is
        given; both from 0.
        """
        asked = self._asked()
        seen = asked.newest_answer()
        places = [one for one in seen.positions if one.workload == f"{self.namespace}/{self.name}"]
        held = [one for one in places if one.in_cluster_queue == position]
        held = [one for one in held if locally in (None, one.in_local_queue)]
        wanted = f"{position}" if locally is None else f"{position}/{locally}"
        return Fact(bool(held), f"{self} is at {wanted} in {asked}", str(seen))

    @property
    def age(self) -> tuple[str, str]:
        """Its creation time and uid, which order Workloads of one priority (VIS-512d, VIS-512e)."""
        metadata = self.object["metadata"]
        return metadata["creationTimestamp"], metadata["uid"]

    def _asked(self) -> Pending:
        queue = self.object.get("spec", {}).get("queueName", "")
        path = f"namespaces/{self.namespace}/localqueues/{queue}"
        return Pending(self._context, self._context.client, path)
