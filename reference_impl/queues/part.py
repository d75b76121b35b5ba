"""The queue side as a part of the control plane: informers feed the board, the board wakes controllers and scheduler.

Built before the runtime exists, because the workload controller asks the same board.
"""

from __future__ import annotations

from collections.abc import Callable, Coroutine, Iterable, Sequence
from dataclasses import dataclass
from functools import partial
from typing import Final

from ..api import kinds
from ..api.resource import Json, Key, key_of
from ..config import Config
from ..queueing.board import Board
from ..queueing.notes import Notes
from ..runtime.controller import Controller
from ..runtime.latest import Latest
from ..runtime.part import Runnable, Runtime
from ..runtime.store import Store
from ..runtime.workqueue import WorkQueue
from ..scheduling.cycle import Cycle
from ..scheduling.metrics import METRICS
from ..scheduling.outcomes import Writer
from ..scheduling.preemption import NoPreemption
from ..scheduling.scheduler import WAKE_SECONDS, Scheduler, Task
from ..workload import triggers
from ..workload.rules import Rules
from ..workload.view import Workload
from . import finalizers
from .cluster_queues import ClusterQueues
from .cohorts import Cohorts
from .in_use import InUse
from .local_queues import LocalQueues
from .priority_classes import BY_PRIORITY_CLASS, PriorityClasses, priority_class_of
from .rules import QueueRules

SCHEDULER: Final = "kueue-admission"
STATUS_SECONDS: Final = 1.0
"""Statuses follow what Workloads do with this delay, so that many changes make one write (Q-380)."""
WRITERS: Final = 16


class QueuePart:
    """ClusterQueues, LocalQueues, what they refer to, and the scheduler."""

    name = "queues"

    def __init__(self, config: Config, rules: Rules, queue_rules: QueueRules) -> None:
        self._config = config
        self._rules = rules
        self._queue_rules = queue_rules
        self._runtime: Runtime
        self.board = Board(self._now, self._workloads_of, self._sent_back(), queue_rules.stirs)

    def assemble(self, runtime: Runtime) -> Sequence[Runnable]:
        """Follow everything that queues are about."""
        self._runtime = runtime
        runtime.metrics.add(METRICS)
        cluster_queues, *statuses = self._statuses(runtime)
        scheduling = self._scheduling(runtime)
        self.board.listener = Wiring(
            scheduling[0].queue, statuses[0].queue, statuses[1].queue, cluster_queues.measure_pending
        )
        workloads = runtime.informer(kinds.WORKLOADS)
        workloads.add_index(triggers.BY_LOCAL_QUEUE, triggers.local_queue_of)
        workloads.add_handler(lambda old, new: self.board.workload(_view(old), _view(new)))
        notes = Notes(self.board)
        for resource, handler in (
            (kinds.NAMESPACES, notes.namespace),
            (kinds.LIMIT_RANGES, notes.limit_range),
            (kinds.RUNTIME_CLASSES, notes.runtime_class),
            (kinds.RESOURCE_FLAVORS, notes.flavor),
            (kinds.ADMISSION_CHECKS, notes.check),
            (kinds.COHORTS, notes.cohort),
            (kinds.CLUSTER_QUEUES, notes.cluster_queue),
            (kinds.LOCAL_QUEUES, notes.local_queue),
        ):
            runtime.informer(resource).add_handler(handler)
        runtime.endings.append(self._take_apart)
        return [*scheduling, *statuses, *self._in_use(runtime), *self._followers(runtime)]

    def _take_apart(self) -> None:
        """The board asks this part, and tells those that ask the board."""
        del self.board.listener
        del self.board

    def _sent_back(self) -> frozenset[str]:
        """Who goes behind its equals; a timeout only if that is how requeued Workloads are ordered (Q-006)."""
        pods_ready = self._rules.pods_ready
        by_creation = pods_ready is not None and pods_ready.timestamp == "Creation"
        return self._queue_rules.sent_back - ({"PodsReadyTimeout"} if by_creation else set())

    def _now(self) -> float:
        return self._runtime.clock.now()

    def _workloads_of(self, local_queue: str) -> Iterable[Workload]:
        found = self._runtime.informer(kinds.WORKLOADS).store.by_index(triggers.BY_LOCAL_QUEUE, local_queue)
        return [Workload(obj) for obj in found]

    def _scheduling(self, runtime: Runtime) -> tuple[Controller[Task], Controller[Key]]:
        """The scheduler itself, and those who write what it decides."""
        pods_ready = self._rules.pods_ready
        cycle = Cycle(
            self.board.ledger,
            self.board.catalogue,
            NoPreemption(),
            partial_admission=self._config.features["PartialAdmission"],
            block_admission=pods_ready is not None and pods_ready.block_admission,
        )
        recorder = runtime.recorder(SCHEDULER)
        writer = Writer(
            runtime.client,
            runtime.clock,
            recorder,
            runtime.metrics,
            self._queue_rules,
            strict=runtime.replicated,
        )
        workloads = runtime.informer(kinds.WORKLOADS).store
        scheduler = Scheduler(
            self.board, cycle, self._rules, runtime.clock, runtime.metrics, workloads, writer
        )
        cycles = Controller("scheduler", scheduler.reconcile, runtime.clock, runtime.log)
        writes = Controller("reservations", writer.reconcile, runtime.clock, runtime.log, workers=WRITERS)
        scheduler.later = partial(cycles.queue.add_after, "cycle")
        writer.enqueue, writer.failed = writes.queue.add, scheduler.failed
        runtime.endings.append(writer.forget)
        return cycles, writes

    def _statuses(self, runtime: Runtime) -> tuple[ClusterQueues, Controller[Key], Controller[Key]]:
        shared = (self.board, runtime.client, runtime.clock, runtime.metrics, self._queue_rules)
        store = runtime.informer(kinds.CLUSTER_QUEUES).store
        cluster_queues = ClusterQueues(*shared, Latest(store))
        local_queues = LocalQueues(*shared, Latest(runtime.informer(kinds.LOCAL_QUEUES).store), store)
        return (
            cluster_queues,
            _controller("cluster-queues", cluster_queues.reconcile, runtime),
            _controller("local-queues", local_queues.reconcile, runtime),
        )

    def _in_use(self, runtime: Runtime) -> list[Controller[Key]]:
        """Guard what ClusterQueues refer to; looked at again when a ClusterQueue lets go (AC-401)."""
        catalogue = self.board.catalogue
        guarded = (
            (kinds.RESOURCE_FLAVORS, catalogue.using_flavor),
            (kinds.ADMISSION_CHECKS, catalogue.using_check),
        )
        controllers = []
        for resource, users in guarded:
            informer = runtime.informer(resource)
            guard = InUse(resource, runtime.client, informer.store, users)
            controller = _controller(f"{resource.plural}-in-use", guard.reconcile, runtime)
            informer.add_handler(_new_or_deleting(controller.queue))
            runtime.informer(kinds.CLUSTER_QUEUES).add_handler(
                _deleting_ones(controller.queue, informer.store)
            )
            controllers.append(controller)
        return controllers

    def _followers(self, runtime: Runtime) -> list[Controller[Key]]:
        """Those who look at every change of one kind."""
        workloads = runtime.informer(kinds.WORKLOADS)
        workloads.add_index(BY_PRIORITY_CLASS, priority_class_of)
        classes, cohorts = (runtime.informer(one) for one in (kinds.WORKLOAD_PRIORITY_CLASSES, kinds.COHORTS))
        controllers = []
        for name, informer, reconcile in (
            (
                "priority-classes",
                classes,
                PriorityClasses(runtime.client, classes.store, workloads.store).reconcile,
            ),
            ("cohorts", cohorts, Cohorts(runtime.client, cohorts.store).reconcile),
        ):
            controller = _controller(name, reconcile, runtime)
            informer.add_handler(_every(controller.queue))
            controllers.append(controller)
        return controllers


@dataclass(frozen=True, slots=True)
class Wiring:
    """Turns what the board notices into work."""

    cycles: WorkQueue[Task]
    cluster_queues: WorkQueue[Key]
    local_queues: WorkQueue[Key]
    fewer_pending: Callable[[str], None]

    def work(self) -> None:
        """Run a cycle."""
        self.cycles.add("cycle")

    def wake(self) -> None:
        """Wake what is parked, a moment after the first wish."""
        self.cycles.add_after("wake", WAKE_SECONDS)

    def dirty_cluster_queue(self, name: str, *, soon: bool) -> None:
        """Reconcile a ClusterQueue."""
        self.cluster_queues.add_after(Key("", name), 0 if soon else STATUS_SECONDS)

    def dirty_local_queue(self, key: str, *, soon: bool) -> None:
        """Reconcile a LocalQueue."""
        namespace, _, name = key.partition("/")
        self.local_queues.add_after(Key(namespace, name), 0 if soon else STATUS_SECONDS)


Handler = Callable[[Json | None, Json | None], None]


def _controller(
    name: str, reconcile: Callable[[Key], Coroutine[None, None, None]], runtime: Runtime
) -> Controller[Key]:
    return Controller(name, reconcile, runtime.clock, runtime.log)


def _every(queue: WorkQueue[Key]) -> Handler:
    def handle(_old: Json | None, new: Json | None) -> None:
        if new is not None:
            queue.add(key_of(new))

    return handle


def _new_or_deleting(queue: WorkQueue[Key]) -> Handler:
    """Look at what is new or goes; a finalizer that somebody took from a live object stays away (AC-400)."""

    def handle(old: Json | None, new: Json | None) -> None:
        if new is not None and (old is None or finalizers.is_deleting(new)):
            queue.add(key_of(new))

    return handle


def _deleting_ones(queue: WorkQueue[Key], store: Store) -> Handler:
    """Look at every object that waits to go, now that a ClusterQueue changed."""

    def handle(_old: Json | None, _new: Json | None) -> None:
        for obj in store:
            if finalizers.is_deleting(obj):
                queue.add(key_of(obj))

    return handle


def _view(obj: Json | None) -> Workload | None:
    return None if obj is None else Workload(obj)
