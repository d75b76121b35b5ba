"""The queue side as a part of the control plane: informers feed the queue manager, the queue manager wakes
controllers and scheduler.

Built before the runtime exists, because the workload controller asks the same queue manager.
"""

from __future__ import annotations

from collections.abc import Callable, Coroutine, Iterable, Sequence
from dataclasses import dataclass
from functools import partial
from typing import Final

from ...api import kinds
from ...api.resource import Json, Key
from ...runtime.controller import Controller, RequeueAfter
from ...runtime.latest_objects import LatestObjects
from ...runtime.part import Runnable, Runtime
from ..config import Config
from ..queueing.event_handlers import EventHandlers
from ..queueing.queue_manager import QueueManager
from ..queueing.rules import PendingRules
from ..quota.consumption import Consumption
from ..scheduling.cycle import Cycle, NoPlans
from ..scheduling.entry import classical_order
from ..scheduling.evictions import Evictions, Reservations, SchedulerWrites
from ..scheduling.fair_order import FairOrder
from ..scheduling.metrics import METRICS
from ..scheduling.outcomes import OutcomeWriter
from ..scheduling.plans import PlannedPreemptions
from ..scheduling.preemption.classical import ClassicalPreemptor
from ..scheduling.preemption.fair import FairPreemptor
from ..scheduling.preemption.fair_search import STRATEGIES
from ..scheduling.preemption.targets import Preemptor
from ..scheduling.rules import SchedulingRules
from ..scheduling.scheduler import Scheduler, Task
from ..workload import triggers
from ..workload.rules import WorkloadRules
from ..workload.view import Workload
from .cluster_queues import ClusterQueues
from .cohorts import Cohorts
from .finalizer_controller import FinalizerController
from .local_queues import LocalQueues
from .priority_classes import BY_PRIORITY_CLASS, PriorityClasses, priority_class_of
from .queue_listener import QueueListener, deleting_ones, every, new_or_deleting
from .rules import QueueRules
from .shares import Shares
from .unadmitted import UnadmittedWorkloads
from .usage_samples import UsageSamples

SCHEDULER: Final = "kueue-admission"
WRITERS: Final = 16


@dataclass(frozen=True, slots=True)
class Decisions:
    """How Workloads wait, and how they are scheduled."""

    pending: PendingRules
    scheduling: SchedulingRules


class QueuePart:
    """ClusterQueues, LocalQueues, what they refer to, and the scheduler."""

    def __init__(
        self, config: Config, rules: WorkloadRules, queue_rules: QueueRules, decisions: Decisions
    ) -> None:
        self._config = config
        self._rules = rules
        self._queue_rules = queue_rules
        self._decisions = decisions
        self._runtime: Runtime
        self.reservations = Reservations()
        remembers = config.admission_fair_sharing
        consumption = None if remembers is None else Consumption(remembers)
        self.queue_manager = QueueManager(
            self._now, self._workloads_of, self._sent_back(), decisions.pending, consumption
        )
        self._shares = Shares(self.queue_manager.ledger.cohort_trees, enabled=config.fair_sharing is not None)

    def assemble(self, runtime: Runtime) -> Sequence[Runnable]:
        """Follow everything that queues are about."""
        self._runtime = runtime
        runtime.metrics.add(METRICS)
        self._config.gates.expose(runtime.metrics)
        cluster_queues, *statuses = self._statuses(runtime)
        scheduling = self._scheduling(runtime)
        queues, locals_, cohorts = (statuses_.queue for statuses_ in statuses)
        self.queue_manager.listener = QueueListener(
            scheduling[0].queue,
            queues,
            locals_,
            cohorts,
            self._shares,
            self._queue_rules.cohorts_to_update,
            cluster_queues.measure_pending,
            self._queue_rules.requeue_batch_seconds,
        )
        workloads = runtime.informer(kinds.WORKLOADS)
        # Before the handlers: the first events already ask which Workloads wait in a
        # LocalQueue.
        workloads.add_index(triggers.BY_LOCAL_QUEUE, triggers.local_queue_of)
        workloads.add_handler(lambda old, new: self.queue_manager.workload(_view(old), _view(new)))
        if self._rules.names_causes:
            counts = UnadmittedWorkloads(runtime.metrics, self.queue_manager.cluster_queue_for)
            workloads.add_handler(lambda old, new: counts.workload(_view(old), _view(new)))
        handlers = EventHandlers(self.queue_manager)
        for resource, handler in (
            # Objects that queues refer to come first, so that a new ClusterQueue finds
            # its flavors and checks.
            (kinds.NAMESPACES, handlers.namespace),
            (kinds.LIMIT_RANGES, handlers.limit_range),
            (kinds.RUNTIME_CLASSES, handlers.runtime_class),
            (kinds.RESOURCE_FLAVORS, handlers.flavor),
            (kinds.ADMISSION_CHECKS, handlers.check),
            *(((kinds.COHORTS, handlers.cohort),) if self._queue_rules.has_cohort_objects else ()),
            (kinds.CLUSTER_QUEUES, handlers.cluster_queue),
            (kinds.LOCAL_QUEUES, handlers.local_queue),
        ):
            runtime.informer(resource).add_handler(handler)
        # Parts know each other in circles. Taken apart, a stopped manager is freed at
        # once.
        runtime.endings.append(self._take_apart)
        return [*scheduling, *statuses, *self._in_use(runtime), self._priority_classes(runtime)]

    def _take_apart(self) -> None:
        """Detach the queue manager from this part and its listeners."""
        del self.queue_manager.listener
        del self.queue_manager
        del self.reservations

    def _sent_back(self) -> frozenset[str]:
        """Return the eviction reasons that move a Workload behind its equals; a timeout only with that
        ordering of requeued Workloads (Q-006).
        """
        pods_ready = self._rules.pods_ready
        by_creation = pods_ready is not None and pods_ready.by_creation
        return self._queue_rules.eviction_ordered_reasons - ({"PodsReadyTimeout"} if by_creation else set())

    def _now(self) -> float:
        return self._runtime.clock.now()

    def _workloads_of(self, local_queue: str) -> Iterable[Workload]:
        workloads = self._runtime.informer(kinds.WORKLOADS).store.by_index(
            triggers.BY_LOCAL_QUEUE, local_queue
        )
        return [Workload(obj) for obj in workloads]

    def _scheduling(self, runtime: Runtime) -> tuple[Controller[Task], Controller[Key]]:
        """Build the scheduler and the writers of its decisions."""
        recorder, strict = runtime.recorder(SCHEDULER), runtime.replicated
        writer = OutcomeWriter(
            runtime.client, runtime.clock, recorder, runtime.metrics, self._queue_rules, strict=strict
        )
        evictions = Evictions(
            ledger=self.queue_manager.ledger,
            rules=self._rules,
            wording=self._queue_rules.preemption_wording,
            client=runtime.client,
            clock=runtime.clock,
            recorder=recorder,
            metrics=runtime.metrics,
            strict=strict,
        )
        workloads = runtime.informer(kinds.WORKLOADS)
        scheduler = Scheduler(
            self.queue_manager,
            self._cycle(evictions),
            self._rules,
            runtime.clock,
            runtime.metrics,
            workloads.store,
            writer,
            evictions,
        )
        writes = SchedulerWrites(writer, evictions)
        cycles = Controller("scheduler", scheduler.reconcile, runtime.clock, runtime.log)
        writing = Controller("reservations", writes.reconcile, runtime.clock, runtime.log, workers=WRITERS)
        scheduler.later = partial(cycles.queue.add_after, "cycle")
        writer.enqueue, writer.failed = writing.queue.add, scheduler.take_back
        writer.written = scheduler.resume
        evictions.enqueue = writing.queue.add
        self.reservations.evictions = evictions
        # After the handler of the queue manager: the ledger has counted the release by
        # then.
        workloads.add_handler(evictions.observe)
        runtime.endings.append(writer.forget)
        return cycles, writing

    def _cycle(self, evictions: Evictions) -> Cycle:
        pods_ready = self._rules.pods_ready
        queue_manager = self.queue_manager
        preemptor = self._preemptor(evictions)
        self.reservations.plans = PlannedPreemptions(
            ledger=queue_manager.ledger,
            catalogue=queue_manager.catalogue,
            preemptor=preemptor,
            required=self._rules.required_checks,
            may_preempt=self._rules.may_preempt,
            leaving=evictions.is_leaving,
            sent_back=self._sent_back(),
        )
        fair = self._config.fair_sharing is not None
        return Cycle(
            queue_manager.ledger,
            queue_manager.catalogue,
            preemptor,
            self._decisions.scheduling,
            FairOrder(queue_manager.ledger.cohort_trees) if fair else classical_order,
            partial_admission=self._config.gates["PartialAdmission"],
            recomputes_overlaps=self._config.gates["RecomputeAssignmentUponPreemptionTargetsOverlap"],
            block_admission=pods_ready is not None and pods_ready.block_admission,
            plans=self.reservations.plans if self._rules.reserves_before_preemption else NoPlans(),
        )

    def _preemptor(self, evictions: Evictions) -> Preemptor:
        queue_manager, fair = self.queue_manager, self._config.fair_sharing
        gives = self._decisions.scheduling.is_preemptible_queue
        shared = (self._sent_back(), evictions.is_leaving, queue_manager.usage_of, gives)
        if fair is None:
            return ClassicalPreemptor(queue_manager.ledger, queue_manager.catalogue, *shared)
        strategies = tuple(STRATEGIES[name] for name in fair.preemption_strategies)
        return FairPreemptor(queue_manager.ledger, queue_manager.catalogue, strategies, *shared)

    def _statuses(self, runtime: Runtime) -> tuple[ClusterQueues, *tuple[Controller[Key], ...]]:
        """The controllers of ClusterQueues, LocalQueues and Cohorts, with the first of them."""
        shared = (self.queue_manager, runtime.client, runtime.clock, runtime.metrics, self._queue_rules)
        store = runtime.informer(kinds.CLUSTER_QUEUES).store
        cluster_queues = ClusterQueues(*shared, LatestObjects(store), self._shares)
        consumption = self.queue_manager.consumption
        used = self.queue_manager.rules.consumed_usage
        samples = None if consumption is None else UsageSamples(consumption, self.queue_manager.ledger, used)
        locals_ = runtime.informer(kinds.LOCAL_QUEUES).store
        local_queues = LocalQueues(*shared, LatestObjects(locals_), store, samples)
        informer = runtime.informer(kinds.COHORTS)
        cohorts = Cohorts(
            runtime.client,
            runtime.metrics,
            self._shares,
            LatestObjects(informer.store),
            self._queue_rules.measure_cohort,
        )
        cohort_controller = _controller("cohorts", cohorts.reconcile, runtime)
        informer.add_handler(every(cohort_controller.queue))
        return (
            cluster_queues,
            _controller("cluster-queues", cluster_queues.reconcile, runtime),
            _controller("local-queues", local_queues.reconcile, runtime),
            cohort_controller,
        )

    def _in_use(self, runtime: Runtime) -> list[Controller[Key]]:
        """Guard what ClusterQueues refer to; looked at again when a ClusterQueue lets go (AC-401)."""
        catalogue = self.queue_manager.catalogue
        guarded = (
            (kinds.RESOURCE_FLAVORS, catalogue.using_flavor),
            (kinds.ADMISSION_CHECKS, catalogue.using_check),
        )
        controllers = []
        for resource, users in guarded:
            informer = runtime.informer(resource)
            guard = FinalizerController(resource, runtime.client, informer.store, users)
            controller = _controller(f"{resource.plural}-in-use", guard.reconcile, runtime)
            informer.add_handler(new_or_deleting(controller.queue))
            runtime.informer(kinds.CLUSTER_QUEUES).add_handler(
                deleting_ones(controller.queue, informer.store)
            )
            controllers.append(controller)
        return controllers

    def _priority_classes(self, runtime: Runtime) -> Controller[Key]:
        """The controller that follows every change of a WorkloadPriorityClass."""
        workloads = runtime.informer(kinds.WORKLOADS)
        workloads.add_index(BY_PRIORITY_CLASS, priority_class_of)
        classes = runtime.informer(kinds.WORKLOAD_PRIORITY_CLASSES)
        followed = PriorityClasses(runtime.client, classes.store, workloads.store)
        controller = _controller("priority-classes", followed.reconcile, runtime)
        classes.add_handler(every(controller.queue))
        return controller


def _controller(
    name: str, reconcile: Callable[[Key], Coroutine[None, None, RequeueAfter | None]], runtime: Runtime
) -> Controller[Key]:
    return Controller(name, reconcile, runtime.clock, runtime.log)


def _view(obj: Json | None) -> Workload | None:
    return None if obj is None else Workload(obj)
