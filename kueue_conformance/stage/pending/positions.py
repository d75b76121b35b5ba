"""Laws for every list of pending Workloads (VIS-520…524)."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Iterator, Sequence
from typing import Protocol, TypeVar

from ...history.fact import Fact
from .listing import Listing, ListPosition


class ListedWorkload(Protocol):
    """A Workload, as far as a list names it."""

    @property
    def name(self) -> str:
        """The Workload's name."""

    namespace: str


Waiting = TypeVar("Waiting", bound=ListedWorkload)


class Positions:
    """Facts about a list of a quiet queue that compare it with itself and with others; each asks anew."""

    def read(self, **query: str) -> Listing:
        """Return the answer to one request."""
        raise NotImplementedError

    def order_of(self, workloads: Iterable[Waiting]) -> list[Waiting]:
        """Return Workloads as the list has them; those that are not listed are left out."""
        workloads_by_key = {f"{workload.namespace}/{workload.name}": workload for workload in workloads}
        return [workloads_by_key[name] for name in self.read().workloads if name in workloads_by_key]

    def has_pages_of(self, limit: int) -> Fact:
        """Pages of this size together are the whole list with its positions."""
        all_positions = self.read().positions
        pages = [
            page
            for offset in range(0, len(all_positions) + limit, limit)
            for page in self._page(offset, limit)
        ]
        return Fact(
            bool(all_positions) and tuple(pages) == all_positions,
            f"pages of {limit} of {self} are {_positions_text(all_positions)}",
            f"the pages {_positions_text(pages)}",
        )

    def is_partitioned_by(self, *local_queues: Positions) -> Fact:
        """The lists of its LocalQueues partition it: the same Workloads at the same positions."""
        all_positions = self.read().positions
        local_positions = sorted(
            (position for other in local_queues for position in other.read().positions),
            key=lambda position: position[1:],
        )
        return Fact(
            bool(all_positions) and tuple(local_positions) == all_positions,
            f"the LocalQueues' lists make up {_positions_text(all_positions)}",
            f"they make up {_positions_text(local_positions)}",
        )

    def has_consecutive_positions(self) -> Fact:
        """Positions in the ClusterQueue are 0, 1,
        2 … and so are those in each LocalQueue (of a namespace).
        """
        listing = self.read()
        local: dict[tuple[str, str], list[int]] = defaultdict(list)
        for item, position in zip(listing.items, listing.positions, strict=True):
            local[item["metadata"]["namespace"], item["localQueueName"]].append(position.in_local_queue)
        lines = [[position.in_cluster_queue for position in listing.positions], *local.values()]
        holds = bool(listing.items) and all(line == [*range(len(line))] for line in lines)
        return Fact(holds, f"{self} counts up from 0, all in all and in each LocalQueue", str(listing))

    def is_same_as(self, previous: Listing) -> Fact:
        """The answer equals the previous one."""
        current = self.read()
        return Fact(current == previous, f"{self} answers {previous} again", str(current))

    def _page(self, offset: int, limit: int) -> Iterator[ListPosition]:
        yield from self.read(offset=str(offset), limit=str(limit)).positions


def _positions_text(places: Sequence[ListPosition]) -> str:
    return (
        ", ".join(
            f"{position.workload} {position.in_cluster_queue}/{position.in_local_queue}"
            for position in places
        )
        or "none"
    )
