"""A read-only view of the queues: pending Workloads and their positions, page by page (VIS-501…535).

A page shows one moment, however long it takes to read it.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from typing import Protocol

from .cluster_queue import ClusterQueue
from .queue_order import PositionedWorkload
from .queues import Queues

__all__ = ("Exists", "PendingQueue", "PendingView", "PositionedWorkload", "QueueView", "Views")


class PendingQueue(Protocol):
    """The Workloads that wait in one ClusterQueue, or in one LocalQueue."""

    @property
    def generation(self) -> int:
        """A number that grows whenever something changes in the ClusterQueue."""

    def __len__(self) -> int:
        """Return how many wait."""

    def page(self, offset: int, limit: int) -> Iterator[PositionedWorkload]:
        """Return up to `limit` Workloads from `offset` on,
        both at least 0; no later change touches the page.
        """

    def find(self, key: str) -> PositionedWorkload | None:
        """Return a Workload (`namespace/name`), None when it does not wait here."""


class PendingView(Protocol):
    """The queues of a control plane, to be read."""

    def cluster_queue(self, name: str) -> PendingQueue | None:
        """Return a ClusterQueue, None when it is not known."""

    def local_queue(self, namespace: str, name: str) -> PendingQueue | None:
        """Return a LocalQueue, None when it is not known or stopped;
        it is empty while its ClusterQueue is not known.
        """


Exists = Callable[[str], bool]
"""Tells whether there is a LocalQueue (`namespace/name`), stopped or not."""


@dataclass(frozen=True, slots=True)
class Views:
    """The views of a control plane: pending Workloads, and admitted ones where that is wanted."""

    pending: PendingView
    admitted: Callable[[Exists], PendingView] | None = None


class QueueView:
    """Reads the queues that the scheduler pops from: there is no second order."""

    def __init__(self, queues: Queues) -> None:
        self._queues = queues

    def cluster_queue(self, name: str) -> PendingQueue | None:
        """Return a ClusterQueue, None when it is not known."""
        queue = self._queues.cluster_queues.get(name)
        return None if queue is None else _OfClusterQueue(queue)

    def local_queue(self, namespace: str, name: str) -> PendingQueue | None:
        """Return a LocalQueue, None when it is not known or stopped."""
        key = f"{namespace}/{name}"
        local = self._queues.local_queues.get(key)
        if local is None:
            return None
        queue = self._queues.cluster_queues.get(local.cluster_queue)
        # Its Workloads wait for the ClusterQueue: the LocalQueue exists, so no 404.
        return _Empty() if queue is None else _OfLocalQueue(queue, key)


class _OfClusterQueue:
    def __init__(self, queue: ClusterQueue) -> None:
        self._queue = queue

    @property
    def generation(self) -> int:
        return self._queue.order.generation

    def __len__(self) -> int:
        return len(self._queue.order)

    def page(self, offset: int, limit: int) -> Iterator[PositionedWorkload]:
        return self._queue.order.page(offset, limit)

    def find(self, key: str) -> PositionedWorkload | None:
        return self._queue.find(key)


class _OfLocalQueue:
    def __init__(self, queue: ClusterQueue, key: str) -> None:
        self._queue = queue
        self._key = key

    @property
    def generation(self) -> int:
        return self._queue.order.generation

    def __len__(self) -> int:
        return self._queue.order.length(self._key)

    def page(self, offset: int, limit: int) -> Iterator[PositionedWorkload]:
        return self._queue.order.page_of(self._key, offset, limit)

    def find(self, key: str) -> PositionedWorkload | None:
        entry = self._queue.entries.get(key)
        is_here = entry is not None and entry.pending.local_queue == self._key
        return self._queue.find(key) if is_here else None


class _Empty:
    generation = 0

    def __len__(self) -> int:
        return 0

    def page(self, offset: int, limit: int) -> Iterator[PositionedWorkload]:
        del offset, limit
        return iter(())

    def find(self, key: str) -> PositionedWorkload | None:
        del key
        return None
