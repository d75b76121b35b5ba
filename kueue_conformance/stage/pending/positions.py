"""Laws for every list of pending Workloads (VIS-520…524)."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Iterator, Sequence
from typing import Protocol, TypeVar

from ...history.fact import Fact
from .listing import Listing, Place


class Named(Protocol):
    """A Workload, as far as a list names it."""

    @property
    def name(self) -> str:
        """The Workload's name."""

    namespace: str


Waiting = TypeVar("Waiting", bound=Named)


class Positions:
    """Facts about a list of a quiet queue that compare it with itself and with others; each asks anew."""

    def read(self, **query: str) -> Listing:
        """Return the answer to one request."""
        raise NotImplementedError

    def order_of(self, workloads: Iterable[Waiting]) -> list[Waiting]:
        """Return Workloads as the list has them; those that are not listed are left out."""
        known = {f"{one.namespace}/{one.name}": one for one in workloads}
        return [known[name] for name in self.read().workloads if name in known]

    def has_pages_of(self, limit: int) -> Fact:
        """Pages of this size together are the whole list with its positions."""
        whole = self.read().positions
        pages = [page for offset in range(0, len(whole) + limit, limit) for page in self._page(offset, limit)]
        return Fact(
            bool(whole) and tuple(pages) == whole,
            f"pages of {limit} of {self} are {_told(whole)}",
            f"the pages {_told(pages)}",
        )

    def is_partitioned_by(self, *others: Positions) -> Fact:
        """The lists of its LocalQueues partition it: the same Workloads at the same positions."""
        whole = self.read().positions
        parts = sorted(
            (place for other in others for place in other.read().positions), key=lambda one: one[1:]
        )
        return Fact(
            bool(whole) and tuple(parts) == whole,
            f"the LocalQueues' lists make up {_told(whole)}",
            f"they make up {_told(parts)}",
        )

    def has_consecutive_positions(self) -> Fact:
        """Positions in the ClusterQueue are 0, 1, 2 … and so are those in each LocalQueue (of a namespace)."""
        seen = self.read()
        local: dict[tuple[str, str], list[int]] = defaultdict(list)
        for item, place in zip(seen.items, seen.positions, strict=True):
            local[item["metadata"]["namespace"], item["localQueueName"]].append(place.in_local_queue)
        lines = [[one.in_cluster_queue for one in seen.positions], *local.values()]
        held = bool(seen.items) and all(line == [*range(len(line))] for line in lines)
        return Fact(held, f"{self} counts up from 0, all in all and in each LocalQueue", str(seen))

    def is_same_as(self, seen: Listing) -> Fact:
        """The answer equals the previous one."""
        now = self.read()
        return Fact(now == seen, f"{self} answers {seen} again", str(now))

    def _page(self, offset: int, limit: int) -> Iterator[Place]:
        yield from self.read(offset=str(offset), limit=str(limit)).positions


def _told(places: Sequence[Place]) -> str:
    return (
        ", ".join(f"{one.workload} {one.in_cluster_queue}/{one.in_local_queue}" for one in places) or "none"
    )
