"""Queues full of pending Workloads, the visibility server over them, and a page made by a full sort to stand
beside it (VIS-950…958).
"""

from __future__ import annotations

from collections.abc import AsyncIterator, Iterable, Iterator, Sequence
from contextlib import asynccontextmanager
from itertools import islice
from typing import Final

from reference_impl.kueue.queueing.pending import PendingWorkload
from reference_impl.kueue.queueing.queues import Queues
from reference_impl.kueue.queueing.strategies import Strategy
from reference_impl.kueue.queueing.view import PositionedWorkload, QueueView
from reference_impl.kueue.visibility.attributes import GROUP, Attributes, User
from reference_impl.kueue.visibility.fragments import item
from reference_impl.kueue.visibility.guards import Decision, Flow
from reference_impl.kueue.visibility.server import Guards, VisibilitySite, visibility
from reference_impl.kueue.visibility.surface import ApiSurface
from reference_impl.kueue.workload.view import Workload
from reference_impl.runtime.serving.exchange import Handler, Request

from . import objects

NOW: Final = 1_800_000_000.0
LOCAL_QUEUES: Final = 100
CLUSTER_QUEUE: Final = f"/apis/{GROUP}/v1beta2/clusterqueues/full/pendingworkloads"
LOCAL_QUEUE: Final = f"/apis/{GROUP}/v1beta2/namespaces/default/localqueues/queue-7/pendingworkloads"


def workloads(numbers: Iterable[int], local_queues: int = LOCAL_QUEUES) -> Iterator[Workload]:
    """Yield Workloads of as many LocalQueues and of ten priorities, as informers hold them."""
    for number in numbers:
        manifest = objects.workload(f"workload-{number:06}", f"queue-{number % local_queues}")
        manifest["metadata"] |= {
            "uid": f"{(number * 2654435761) % 2**32:08x}-0000-4000-8000-{number:012x}",
            "creationTimestamp": f"2026-11-{1 + number % 28:02}T10:{number % 60:02}:00Z",
            "ownerReferences": [
                {
                    "apiVersion": "batch/v1",
                    "kind": "Job",
                    "name": f"job-{number:06}",
                    "uid": f"job-uid-{number:028x}",
                }
            ],
        }
        manifest["spec"]["priority"] = number * 7919 % 10
        yield Workload(manifest)


def pending(waiting: Iterable[Workload]) -> list[PendingWorkload]:
    """See Workloads as queues do."""
    return [PendingWorkload.of(workload, frozenset()) for workload in waiting]


def queues(waiting: Iterable[PendingWorkload] = (), local_queues: int = LOCAL_QUEUES) -> Queues:
    """Return one ClusterQueue of many LocalQueues, in which Workloads wait."""
    pending_queues = Queues()
    pending_queues.set_cluster_queue("full", Strategy.BEST_EFFORT_FIFO)
    for number in range(local_queues):
        pending_queues.set_local_queue(f"default/queue-{number}", "full", ())
    for pending_workload in waiting:
        pending_queues.push(pending_workload, NOW)
    return pending_queues


def handler(full: Queues) -> Handler:
    """Return the visibility server over queues; every request is allowed."""
    everybody = _Everybody()
    guards = Guards(
        authenticator=everybody, impersonator=everybody, authorizer=everybody, flow_control=everybody
    )
    return visibility(
        QueueView(full), guards, VisibilitySite(surface=ApiSurface.of((0, 19, 2)), current_time=lambda: NOW)
    )


Sorted = tuple[int, float, str, str, bytes]
"""What a server has to hold of a Workload that sorts for every request: priority, time and uid, its queue,
its encoded item.
"""


def to_sort(waiting: Iterable[PendingWorkload]) -> list[Sorted]:
    """Prepare a full sort as far as that can be done once for each Workload (VIS-951, strategy B)."""
    rows = []
    for pending_workload in waiting:
        fragment, mark, _ = item(PositionedWorkload(pending_workload.workload, 0, 0)).rpartition(
            b'"positionInClusterQueue":'
        )
        key = (
            -pending_workload.workload.priority,
            pending_workload.workload.created,
            pending_workload.workload.uid,
        )
        rows.append((*key, pending_workload.local_queue, fragment + mark))
    return rows


def page_by_full_sort(waiting: Sequence[Sorted], offset: int, limit: int) -> bytes:
    """Return the items of a page as upstream finds it: sort all,
    count the positions in LocalQueues from the first on.
    """
    counts: dict[str, int] = {}
    items = []
    for position, (_, _, _, queue, fragment) in enumerate(islice(sorted(waiting), offset + limit)):
        local = counts.get(queue, 0)
        counts[queue] = local + 1
        if position >= offset:
            items.append(b'%b%d,"positionInLocalQueue":%d}' % (fragment, position, local))
    return b",".join(items)


class _Everybody:
    """Guards that let every request pass."""

    async def authenticate(self, request: Request) -> User:
        del request
        return User(name="benchmarks")

    async def impersonate(self, user: User, request: Request, attributes: Attributes) -> User:
        del request, attributes
        return user

    async def authorize(self, user: User, attributes: Attributes) -> Decision:
        del user, attributes
        return Decision(allowed=True, reason="")

    def classify(self, user: User, attributes: Attributes) -> Flow:
        del user, attributes
        return Flow("schema", "level")

    @asynccontextmanager
    async def seat(self, user: User, attributes: Attributes) -> AsyncIterator[None]:
        del user, attributes
        yield
