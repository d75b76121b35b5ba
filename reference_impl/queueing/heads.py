"""The heads of a cycle: one Workload of every ClusterQueue whose tree is worth a look (Q-038, Q-039, P-035…P-037)."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

from ..quota.catalogue import Catalogue
from ..quota.forest import Forest
from .pending import Pending
from .queues import Queues


@dataclass(frozen=True, slots=True)
class Head:
    """A popped Workload, and the version of its tree when it was popped."""

    cluster_queue: str
    pending: Pending
    version: int
    cycle: int = 0
    """The number of the cycle."""
    settled: bool = False
    """Whether it was looked at for this very tree before, with all flavors: it only comes along (P-036)."""


def pop_heads(queues: Queues, catalogue: Catalogue, forest: Forest) -> list[Head]:
    """Pop the head of every active ClusterQueue in a tree that has at least one head not seen at this version.

    Blocked heads of such a tree come along: they keep the space they wait for (Q-226).
    """
    ready = list(_ready(queues, catalogue, forest))
    settled = {name for name, _, version in ready if queues.cluster_queues[name].is_blocked(version)}
    fresh = {root for name, root, _ in ready if name not in settled}
    heads = []
    queues.cycles += bool(fresh)
    for name, root, version in ready:
        pending = queues.cluster_queues[name].pop() if root in fresh else None
        if pending is not None:
            heads.append(Head(name, pending, version, queues.cycles, name in settled))
    return heads


def _ready(queues: Queues, catalogue: Catalogue, forest: Forest) -> Iterator[tuple[str, int, int]]:
    for name, queue in queues.cluster_queues.items():
        if queue.head() is None or not catalogue.is_active(name):
            continue
        root = forest.root(forest.queues[name])
        yield name, id(root) if root else id(queue), root.version if root else 0
