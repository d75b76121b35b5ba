"""What a scheduling cycle costs beside 1 000, 10 000 and 100 000 pending Workloads; CPU time in this process
(P-035, P-036, P-042).

Five cohorts of six ClusterQueues, without the API:
Workloads are admitted, end, and wake those that are parked.
"""

from __future__ import annotations

import gc
from collections.abc import Iterator
from itertools import islice
from time import process_time

from reference_impl.kueue.dialects import dialect
from reference_impl.kueue.queueing.event_handlers import EventHandlers
from reference_impl.kueue.queueing.heads import pop_heads
from reference_impl.kueue.queueing.queue_manager import QueueManager
from reference_impl.kueue.scheduling import reservation
from reference_impl.kueue.scheduling.cycle import Cycle
from reference_impl.kueue.scheduling.entry import Requeue, Reserve, Verdict
from reference_impl.kueue.scheduling.preemption.classical import ClassicalPreemptor
from reference_impl.kueue.workload.view import Workload
from reference_impl.runtime.signals import GARBAGE

from . import objects
from .figure import Figure
from .pending import NOW, workloads

SIZES = (1_000, 10_000, 100_000)
COHORTS, QUEUES, CYCLES = 5, 6, 30
ALL = COHORTS * QUEUES
FLAT = "0.8…1.2 ×"


def figures() -> Iterator[Figure]:
    """Yield the CPU of a cycle in which every head is admitted, and of an end, its wake-up and the cycle
    after it in a full cluster.

    The sizes take turns, so that an hour in which the machine is slower is no slower size.
    """
    gc.set_threshold(*GARBAGE)
    for name, cores, play in (
        ("a cycle of 30 heads that fit", 1_000_000, Cluster.admit),
        ("in a full cluster 30 end, all are woken, 30 admitted", 10, Cluster.replace),
    ):
        clusters = {size: Cluster(size, cores) for size in SIZES}
        turns = [[play(cluster) * 1000 for cluster in clusters.values()] for _ in range(CYCLES)]
        first: Figure | None = None
        for (size, cluster), times in zip(clusters.items(), zip(*turns, strict=True), strict=True):
            figure = Figure(
                f"{name}, {size} pending",
                times,
                "ms",
                FLAT if first else "",
                first,
                note=f"{cluster.admitted} admitted",
            )
            first = first or figure
            yield figure


class Cluster:
    """Queues, ledger and cycle, fed as informers feed them."""

    def __init__(self, size: int, cores: int) -> None:
        follows = dialect("v0.19")
        self._rules = follows.workload
        self._queue_manager = QueueManager(
            lambda: NOW, lambda _: (), follows.queues.eviction_ordered_reasons, follows.pending
        )
        self._queue_manager.listener = _Deaf()
        preemptor = ClassicalPreemptor(
            self._queue_manager.ledger, self._queue_manager.catalogue, follows.queues.eviction_ordered_reasons
        )
        self._cycle = Cycle(
            self._queue_manager.ledger, self._queue_manager.catalogue, preemptor, follows.scheduling
        )
        handlers = EventHandlers(self._queue_manager)
        handlers.namespace(None, {"metadata": {"name": "default", "labels": {}}})
        handlers.flavor(None, objects.flavor())
        for number in range(ALL):
            queue = objects.cluster_queue(number, checked=False)
            queue["spec"] |= {"cohortName": f"cohort-{number % COHORTS}"}
            for resource in queue["spec"]["resourceGroups"][0]["flavors"][0]["resources"]:
                resource["nominalQuota"] = str(cores) if resource["name"] == "cpu" else "1000Ti"
            handlers.cluster_queue(None, queue)
            handlers.local_queue(None, objects.local_queue(number))
        self._coming = workloads(range(size * 3), ALL)
        self._running: list[Workload] = []
        self.admitted = 0
        for workload in islice(self._coming, size):
            self._queue_manager.workload(None, workload)
        if cores < size:
            self.run()

    def admit(self) -> float:
        """Run a cycle; as many Workloads come as it admitted. Returns its CPU in seconds."""
        before = self.admitted
        began = process_time()
        self.run(1)
        seconds = process_time() - began
        for workload in islice(self._coming, self.admitted - before):
            self._queue_manager.workload(None, workload)
        return seconds

    def replace(self) -> float:
        """Let one Workload of each queue end, and run cycles until nothing moves; as many Workloads come."""
        ended, self._running = self._running[:ALL], self._running[ALL:]
        began = process_time()
        for workload in ended:
            self._queue_manager.workload(workload, None)
        self._queue_manager.wake_now()
        self.run()
        seconds = process_time() - began
        for workload in islice(self._coming, ALL):
            self._queue_manager.workload(None, workload)
        return seconds

    def run(self, cycles: int = 1_000_000) -> None:
        """Run cycles as long as heads are worth a look."""
        queue_manager = self._queue_manager
        for _ in range(cycles):
            heads = pop_heads(
                queue_manager.queues, queue_manager.catalogue, queue_manager.ledger.cohort_trees
            )
            if not heads:
                return
            for verdict in self._cycle.run(heads):
                self._carry_out(verdict)

    def _carry_out(self, verdict: Verdict) -> None:
        queue_manager, pending = self._queue_manager, verdict.head.pending
        if isinstance(verdict, Requeue):
            queue_manager.queues.requeue(pending, verdict.reason, NOW, verdict.head.evaluated_state)
        elif isinstance(verdict, Reserve):
            spec = queue_manager.catalogue.cluster_queues[verdict.head.cluster_queue]
            draft = reservation.reserve(pending.workload, verdict.assignment, spec, self._rules, NOW)
            reserved = Workload({**pending.workload.object, "status": draft.status})
            queue_manager.workload(pending.workload, reserved)
            self._running.append(reserved)
            self.admitted += 1


class _Deaf:
    """A listener that is not interested."""

    def work(self) -> None:
        pass

    def wake(self) -> None:
        pass

    def dirty_cluster_queue(self, name: str, *, soon: bool) -> None:
        pass

    def dirty_local_queue(self, key: str, *, soon: bool) -> None:
        pass

    def fewer_pending(self, name: str) -> None:
        pass
