"""An answer of the visibility API: pending Workloads and
their positions (KEP-168-2; spec/visibility.md §3.1).
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import NamedTuple

from ...base.json_types import Json


class ListPosition(NamedTuple):
    """The positions of a Workload, from 0."""

    workload: str
    """`namespace/name`."""
    in_cluster_queue: int
    in_local_queue: int


@dataclass(frozen=True, slots=True)
class Listing:
    """A code and the document that came with it: a PendingWorkloadsSummary, or a Status."""

    code: int
    document: Json

    @property
    def items(self) -> tuple[Json, ...]:
        """Return the Workloads, in their order; none of a refusal."""
        return tuple(self.document.get("items") or ()) if self.code == 200 else ()

    @property
    def positions(self) -> tuple[ListPosition, ...]:
        """Return the positions of each Workload."""
        return tuple(
            ListPosition(_key(item), item["positionInClusterQueue"], item["positionInLocalQueue"])
            for item in self.items
        )

    @property
    def workloads(self) -> tuple[str, ...]:
        """Return `namespace/name` of each, in their order."""
        return tuple(map(_key, self.items))

    def item(self, workload: str) -> Json | None:
        """Return the entry of a Workload (`namespace/name`), None when it is not listed."""
        return next((item for item in self.items if _key(item) == workload), None)

    def __str__(self) -> str:
        if self.code != 200:
            return f"{self.code} {self.document.get('reason', '')} {self.document.get('message', '')!r}"
        places = ", ".join(
            f"{position.workload} {position.in_cluster_queue}/{position.in_local_queue}"
            for position in self.positions
        )
        return f"the list [{places}]"


def _key(item: Json) -> str:
    metadata = item["metadata"]
    return f"{metadata['namespace']}/{metadata['name']}"
