"""The workload controller: it turns a decision into one write, its events and its metrics (AC-374).

Decisions are in the rules; the controller only reads, calls them, writes and reports.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Final

from reference_impl.api.kinds import ADMISSION_CHECKS, CLUSTER_QUEUES, LOCAL_QUEUES, WORKLOADS
from reference_impl.api.resource import Json, Key
from reference_impl.runtime.client import Client
from reference_impl.runtime.clock import Clock
from reference_impl.runtime.controller import Controller, RequeueAfter
from reference_impl.runtime.metrics import Registry
from reference_impl.runtime.part import Runnable, Runtime
from reference_impl.runtime.recorder import Recorder
from reference_impl.runtime.store import Store

from . import metric_definitions, triggers, writing
from .context_reader import WorldReader
from .decision import Decision, MetricSample, RecordedEvent
from .rules import WorkloadRules
from .transitions import decide
from .view import Workload
from .workload_context import Feedback, Queues, Reservations

NAME: Final = "kueue-workload-controller"
WORKERS: Final = 8


@dataclass(frozen=True, slots=True, kw_only=True)
class WorkloadController:
    """Reconciles one Workload at a time."""

    rules: WorkloadRules
    client: Client
    clock: Clock
    recorder: Recorder
    metrics: Registry
    workloads: Store
    world_reader: WorldReader

    async def reconcile(self, key: Key) -> RequeueAfter | None:
        """Do the one thing that is next."""
        obj = self.workloads.get(key)
        if obj is None:
            return None
        workload = Workload(obj)
        world = self.world_reader.of(workload)
        return await self._apply(workload, decide(workload, world, self.clock.now(), self.rules))

    async def _apply(self, workload: Workload, decision: Decision) -> RequeueAfter | None:
        # Before the write, as in Kueue: when this fails the pass ends with an error,
        # and is tried again with back-off.
        if decision.requeue and not self._requeue(workload):
            return RequeueAfter()
        if decision.preempt and self.world_reader.reservations is not None:
            self.world_reader.reservations.preempt(workload)
        if decision.write is not None:
            # Events and metrics follow the write: what was refused is neither told nor
            # counted.
            await writing.perform(self.client, workload, decision.write, self.rules)
        for note in decision.events:
            self._tell(workload, note)
        for sample in decision.metrics:
            count(self.metrics, sample)
        return None if decision.again_after is None else RequeueAfter(decision.again_after)

    def _requeue(self, workload: Workload) -> bool:
        """Queue it; without its LocalQueue that fails again and again (C-23)."""
        try:
            self.world_reader.queues.requeue(workload)
        except LookupError:
            return False
        return True

    def _tell(self, workload: Workload, note: RecordedEvent) -> None:
        for regarding in [workload.object] if note.on == "workload" else _owners(workload):
            self.recorder.record(regarding, note.type, note.reason, self.rules.format_note(note.note))


def _owners(workload: Workload) -> Sequence[Json]:
    """Return the owners, as far as an event needs to know them."""
    return [
        {
            "apiVersion": owner["apiVersion"],
            "kind": owner["kind"],
            "metadata": {"name": owner["name"], "namespace": workload.namespace, "uid": owner["uid"]},
        }
        for owner in workload.metadata.get("ownerReferences") or ()
    ]


def count(metrics: Registry, sample: MetricSample) -> None:
    """Bring a sample to the registry."""
    if sample.value is None:
        metrics.increment(f"kueue_{sample.name}", *sample.labels.values())
    else:
        metrics.observe(f"kueue_{sample.name}", *sample.labels.values(), value=sample.value)


@dataclass(frozen=True, slots=True)
class WorkloadPart:
    """The state machine as a part of the control plane."""

    rules: WorkloadRules
    queues: Queues
    reservations: Reservations | None = None
    feedback: Feedback | None = None

    def assemble(self, runtime: Runtime) -> Sequence[Runnable]:
        """Follow Workloads and their queues."""
        runtime.metrics.add(metric_definitions.METRICS)
        workloads = runtime.informer(WORKLOADS)
        local_queues = runtime.informer(LOCAL_QUEUES)
        cluster_queues = runtime.informer(CLUSTER_QUEUES)
        controller = Controller(
            NAME,
            WorkloadController(
                rules=self.rules,
                client=runtime.client,
                clock=runtime.clock,
                recorder=runtime.recorder(NAME),
                metrics=runtime.metrics,
                workloads=workloads.store,
                world_reader=WorldReader(
                    local_queues=local_queues.store,
                    cluster_queues=cluster_queues.store,
                    admission_checks=runtime.informer(ADMISSION_CHECKS).store,
                    queues=self.queues,
                    reservations=self.reservations,
                    feedback=self.feedback,
                ),
            ).reconcile,
            runtime.clock,
            runtime.log,
            workers=WORKERS,
        )
        workloads.add_index(triggers.BY_LOCAL_QUEUE, triggers.local_queue_of)
        local_queues.add_index(triggers.BY_CLUSTER_QUEUE, triggers.cluster_queue_of)
        follow = triggers.Triggers(workloads.store, local_queues.store, controller.queue.add)
        workloads.add_handler(follow.on_workload)
        local_queues.add_handler(follow.on_local_queue)
        cluster_queues.add_handler(follow.on_cluster_queue)
        for resource in self.rules.recheck_kinds:
            runtime.informer(resource).add_handler(follow.on_quota)
        if self.rules.reserves_before_preemption:
            workloads.add_index(triggers.BY_WAITING, triggers.what_it_waits_for)
            workloads.add_handler(follow.on_holding)
        return [controller]
